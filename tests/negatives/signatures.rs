//! Makes test vectors with unusual signatures: norms, coefficients, encodings, headers, lengths,
//! changed bits. All signatures are made with a published private key. A signature represents a
//! short vector (s1, s2), but contains only s2. A verifier rejects a vector if the magnitude of a
//! coefficient is above 840.

use crate::cases::{
    MISMATCH, SignedData, UnencodedSignature, VectorMaker, all_bits, coefficient_bits, is_encodable, pack_bits, pure,
};
use crate::craft::{PinnedCoefficient, random_stream, unary_bits};
use crate::reference::Q;
use crate::reference::codec::signature_len;
use crate::reference::hash::{hash_to_point, mu_pure};
use crate::reference::ring::{centred, difference, infinity_norm, product, square_norm};

const MESSAGE: &[u8] = b"negative test vector";

/// Returns a signature of [`MESSAGE`]. Its short vector `(s1, s2)` starts near the pinned
/// coefficients. `shape` may change the vector, and returns whether it has the desired property.
/// The label selects the random bytes.
fn signature_with_shape(
    maker: &VectorMaker,
    label: &str,
    pins: &[PinnedCoefficient],
    shape: impl Fn(&mut crate::craft::ShortVector) -> bool,
) -> UnencodedSignature {
    let mu = mu_pure(&maker.key.hpk, b"", MESSAGE);
    maker.find_short_vector(label, |nonce| hash_to_point(maker.key.n, nonce, &mu), pins, shape)
}

/// Returns a signature of [`MESSAGE`] with the pinned coefficients. The norm and the remaining
/// coefficients do not exceed their bounds, and s2 fits into its encoding.
fn signature_with_pins(maker: &VectorMaker, label: &str, pins: &[PinnedCoefficient]) -> UnencodedSignature {
    signature_with_shape(maker, label, pins, |vector| {
        vector.pin(pins)
            && vector.largest_unpinned(pins) <= 840
            && vector.norm <= vector.bound()
            && unary_bits(&vector.s[1]) <= vector.capacity()
    })
}

/// Adds vectors with norms near the bound, and with norms that overflow 32 bits.
pub fn add_norms(maker: &mut VectorMaker) {
    let (bound, signed) = (maker.key.bound(), pure(MESSAGE, b""));
    for (distance, name) in [(0, "is the bound"), (1, "is one below the bound"), (2, "is two below the bound")] {
        for number in 1..=if distance == 0 { 3 } else { 1 } {
            let label = format!("norm bound - {distance} {number}");
            let crafted = signature_with_shape(maker, &label, &[], |w| {
                w.set_norm(bound - distance) && w.is_short() && is_encodable(w)
            });
            let comment = format!("the square norm {name}: {}", bound - distance);
            maker.valid(&["NormBoundary", "ValidSignature"], &comment, signed.clone(), crafted.sig());
        }
    }
    for (distance, numbers) in [(1, 3), (2, 1), (255, 1), (65_536, 1), (bound / 25, 1)] {
        for number in 1..=numbers {
            let label = format!("norm bound + {distance} {number}");
            let crafted = signature_with_shape(maker, &label, &[], |w| {
                w.set_norm(bound + distance) && w.largest_unpinned(&[]) <= 840 && is_encodable(w)
            });
            let comment = format!("the square norm is {distance} above the bound: {}", bound + distance);
            maker.invalid("NormBoundary", &comment, &signed, crafted.sig(), "too long");
        }
    }

    // Keep the s2 of a signature, and try nonces until the norm of (c - s2 h, s2) has a property
    // from `kinds`. `c` is the hashed message, which depends on the nonce.
    let crafted = maker.sign("norm overflow", MESSAGE, b"");
    let (n, mu) = (maker.key.n, mu_pure(&maker.key.hpk, b"", MESSAGE));
    let s2_h = product(&crafted.s2, &maker.key.h);
    let mut random = random_stream(&format!("{n} norm overflow nonces"));
    // The coefficients of s1 are uniformly distributed, so the square norm is about n q^2 / 12.
    // This is about 3 * 2^31 for degree 512, and 3 * 2^32 for degree 1024.
    let (modulus, name) = if n == 512 { (1i64 << 31, "2^31") } else { (1 << 32, "2^32") };
    let negative = |norm: i64| norm & 0x8000_0000 != 0;
    type NormCondition<'w> = &'w dyn Fn(i64) -> bool;
    let kinds: [(String, NormCondition); 4] = [
        (format!("modulo {name} is below the bound"), &|norm| norm % modulus <= bound),
        (format!("modulo {name} is below the bound (another nonce)"), &|norm| norm % modulus <= bound),
        (format!("modulo {name} is a tenth of the bound or less"), &|norm| norm % modulus <= bound / 10),
        ("as a signed 32-bit number is negative".into(), &|norm| negative(norm)),
    ];
    for (comment, has_norm) in kinds {
        let (nonce, norm) = std::iter::repeat_with(|| random.bytes::<40>())
            .map(|nonce| {
                let s1: Vec<i64> =
                    difference(&hash_to_point(n, &nonce, &mu), &s2_h).into_iter().map(|x| centred(x % Q)).collect();
                (nonce, square_norm(&s1) + square_norm(&crafted.s2))
            })
            .find(|(_, norm)| *norm > bound && has_norm(*norm))
            .expect("an endless stream");
        let comment = format!("the square norm {comment}: {norm}");
        maker.invalid(
            "NormOverflow",
            &comment,
            &signed,
            UnencodedSignature { nonce, ..copy_of(&crafted) }.sig(),
            MISMATCH,
        );
    }
}

fn copy_of(crafted: &UnencodedSignature) -> UnencodedSignature {
    UnencodedSignature { nonce: crafted.nonce, s1: crafted.s1.clone(), s2: crafted.s2.clone() }
}

/// Adds vectors with a coefficient at or above the bound for coefficients. Their norm is not above
/// the bound for norms.
pub fn add_coefficients(maker: &mut VectorMaker) {
    let (n, signed) = (maker.key.n, pure(MESSAGE, b""));
    let places = [("first", 0), ("last", n - 1), ("middle", n / 2)];
    for half in 0..2 {
        for (position, index) in places {
            for value in [840, -840, 841, -841] {
                let label = format!("coefficient s{} {index} {value}", half + 1);
                let pin = [PinnedCoefficient { half, index, value }];
                let crafted = signature_with_pins(maker, &label, &pin);
                let comment =
                    format!("the {position} coefficient of s{} is {value}, the norm is below its bound", half + 1);
                if value.abs() == 840 {
                    let flags = &["CoefficientBoundary", "ValidSignature"];
                    maker.valid(flags, &comment, signed.clone(), crafted.sig());
                } else {
                    add_large(maker, half, &comment, &signed, &crafted);
                }
            }
        }
        for value in [896, -1024, 2047, -2048] {
            let label = format!("coefficient s{} {value}", half + 1);
            let crafted = signature_with_pins(maker, &label, &[PinnedCoefficient { half, index: n / 3, value }]);
            let comment = format!("one coefficient of s{} is {value}, the norm is below its bound", half + 1);
            add_large(maker, half, &comment, &signed, &crafted);
        }
    }
    let both_pins =
        [PinnedCoefficient { half: 1, index: 1, value: 840 }, PinnedCoefficient { half: 1, index: n - 2, value: -840 }];
    let crafted = signature_with_pins(maker, "two at the bound", &both_pins);
    maker.valid(
        &["CoefficientBoundary", "ValidSignature"],
        "two coefficients of s2 are 840 and -840",
        signed.clone(),
        crafted.sig(),
    );
}

/// Adds a vector with a coefficient that is too large.
fn add_large(maker: &mut VectorMaker, half: usize, comment: &str, signed: &SignedData, crafted: &UnencodedSignature) {
    // The decoder already rejects a large coefficient in s2 (half 1), before s1 is computed.
    let rejection = if half == 0 { MISMATCH } else { "a coefficient out of range" };
    maker.invalid(
        "CoefficientBoundary",
        comment,
        signed,
        crafted.with_bits(&all_bits(&crafted.s2).concat()),
        rejection,
    );
}

/// Adds vectors with an unusual encoding for s2: lengths, zeros, signs, unary runs, padding.
pub fn add_encodings(maker: &mut VectorMaker) {
    let (n, logn, signed) = (maker.key.n, maker.key.logn, pure(MESSAGE, b""));
    let capacity = maker.key.unary_capacity();
    let filled = |maker: &VectorMaker, bits: usize| {
        signature_with_shape(maker, &format!("unary bits {bits}"), &[], |w| {
            w.set_unary_bits(bits) && w.norm <= w.bound() && w.largest_unpinned(&[]) <= 840
        })
    };

    // Add valid vectors for edge cases.
    let flags = &["EncodingBoundary", "ValidSignature"];
    // At degree 512, the search rarely reaches a given number of unary bits, so the test adds only
    // one vector that fills its encoding.
    let (paddings, excesses): (&[usize], &[usize]) = if n == 512 { (&[0], &[]) } else { (&[0, 1, 8], &[1, 2]) };
    for &padding in paddings {
        let crafted = filled(maker, capacity - padding);
        maker.valid(flags, &format!("s2 leaves {padding} bits of padding"), signed.clone(), crafted.sig());
        if padding == 0 {
            // Remove the last bit, which ends the last coefficient.
            let mut sig = crafted.sig();
            let last = sig.len() - 1;
            sig[last] ^= 0x80;
            maker.invalid(
                "TruncatedEncoding",
                "the last bit, which ends s2, is zero",
                &signed,
                sig.clone(),
                "too short",
            );
            sig.truncate(last);
            maker.invalid("WrongLength", "one byte is missing where there is no padding", &signed, sig, "length");
        } else if padding == 1 {
            let mut sig = crafted.sig();
            *sig.last_mut().expect("bytes") ^= 0x80;
            maker.invalid("NonzeroPadding", "the only bit of padding is one", &signed, sig, "padding is not zero");
        }
    }
    for &excess in excesses {
        let crafted = filled(maker, capacity + excess);
        let bits = all_bits(&crafted.s2).concat();
        let comment = format!("the encoding of s2 is {excess} bits too long and cut off");
        maker.invalid("TruncatedEncoding", &comment, &signed, crafted.with_bits(&bits), "too short");
        let comment = format!("the encoding of s2 is {excess} bits too long: the signature has one byte more");
        let body = pack_bits(&bits, signature_len(logn) - 40);
        maker.invalid("WrongLength", &comment, &signed, crafted.with_body(&body), "length");
    }
    let pin_s2 = |i: usize, value| PinnedCoefficient { half: 1, index: i, value };
    let middle_index = n / 2;
    let kinds = [
        ("the first coefficient is zero", vec![pin_s2(0, 0)]),
        ("the last coefficient is zero", vec![pin_s2(n - 1, 0)]),
        ("two coefficients in a row are zero", vec![pin_s2(middle_index, 0), pin_s2(middle_index + 1, 0)]),
        ("coefficients 127 and 128", vec![pin_s2(3, 127), pin_s2(4, 128)]),
        ("coefficients -127 and -128", vec![pin_s2(3, -127), pin_s2(4, -128)]),
        ("coefficients 1 and -1", vec![pin_s2(0, 1), pin_s2(n - 1, -1)]),
        ("coefficients 255 and 256", vec![pin_s2(7, 255), pin_s2(8, 256)]),
        ("coefficients 767 and -768: five and six zeros", vec![pin_s2(0, 767), pin_s2(n - 1, -768)]),
        ("coefficients 383 and -512", vec![pin_s2(5, 383), pin_s2(6, -512)]),
    ];
    for (comment, pins) in kinds {
        let crafted = signature_with_pins(maker, comment, &pins);
        maker.valid(flags, &format!("s2 has edges of its encoding: {comment}"), signed.clone(), crafted.sig());
    }

    // A zero coefficient with the sign bit of a negative number.
    for (position, indexes) in
        [("first", vec![0]), ("last", vec![n - 1]), ("middle", vec![middle_index]), ("second", vec![1])]
    {
        let pins: Vec<PinnedCoefficient> = indexes.iter().map(|i| pin_s2(*i, 0)).collect();
        let crafted = signature_with_pins(maker, &format!("minus zero {position}"), &pins);
        let mut bits = all_bits(&crafted.s2);
        indexes.iter().for_each(|i| bits[*i] = coefficient_bits(true, 0));
        let comment = format!("the {position} coefficient of s2 is minus zero; with plus zero it is a signature");
        maker.invalid("MinusZero", &comment, &signed, crafted.with_bits(&bits.concat()), "minus zero");
    }

    // A decoder that drops the high bits of a coefficient, or reduces it modulo q, would accept the
    // next vectors.
    let with_spare_bits = filled(maker, capacity - 110);
    for (name, plus) in [("2^10", 1 << 10), ("2^11", 1 << 11), ("2^12", 1 << 12), ("q", Q)] {
        for (position, index) in [("first", 0), ("middle", middle_index), ("last", n - 1)] {
            let mut bits = all_bits(&with_spare_bits.s2);
            let x = with_spare_bits.s2[index];
            bits[index] = coefficient_bits(x < 0, x.abs() + plus);
            let comment = format!("{name} is added to the absolute value of the {position} coefficient of s2");
            maker.invalid(
                "OverlongUnary",
                &comment,
                &signed,
                with_spare_bits.with_bits(&bits.concat()),
                "a coefficient out of range",
            );
        }
    }
    // A coefficient x is encoded as x + q, which is the same number modulo q.
    let (index, x) = with_spare_bits.s2.iter().enumerate().find(|(_, x)| **x < 0).map(|(i, x)| (i, *x)).expect("one");
    let mut bits = all_bits(&with_spare_bits.s2);
    bits[index] = coefficient_bits(false, x + Q);
    let comment = format!("the coefficient {x} of s2 is encoded as {}, the same modulo q", x + Q);
    maker.invalid(
        "OverlongUnary",
        &comment,
        &signed,
        with_spare_bits.with_bits(&bits.concat()),
        "a coefficient out of range",
    );

    add_padding(maker, &signed, &with_spare_bits);
    add_truncated(maker, &signed);
}

/// Adds vectors with bits and bytes after the last coefficient.
fn add_padding(maker: &mut VectorMaker, signed: &SignedData, crafted: &UnencodedSignature) {
    let used_bits = 8 * 41 + all_bits(&crafted.s2).concat().len();
    let last = 8 * crafted.sig().len() - 1;
    let byte = used_bits.next_multiple_of(8);
    let one_bit = [
        ("the first bit of padding", used_bits),
        ("the second bit of padding", used_bits + 1),
        ("the last bit of the byte in which s2 ends", byte - 1),
        ("the first bit of the first whole byte of padding", byte),
        ("the last bit of the first whole byte of padding", byte + 7),
        ("the first bit of the last byte", last - 7),
        ("the last bit", last),
    ];
    for (what, at) in one_bit {
        let mut sig = crafted.sig();
        sig[at / 8] |= 1 << (at % 8);
        maker.invalid("NonzeroPadding", &format!("{what} is one"), signed, sig, "padding is not zero");
    }
    let with_padding = |bits: &[bool]| crafted.with_bits(&[all_bits(&crafted.s2).concat(), bits.to_vec()].concat());
    let kinds = [
        ("all bits of padding are one", with_padding(&vec![true; last + 1 - used_bits])),
        ("the padding has a coefficient more, zero", with_padding(&coefficient_bits(false, 0))),
        ("the padding has a coefficient more, 1", with_padding(&coefficient_bits(false, 1))),
        (
            "the padding begins with 80, as that of hash functions",
            with_padding(&[false, false, false, false, false, false, false, true]),
        ),
    ];
    for (comment, sig) in kinds {
        maker.invalid("NonzeroPadding", comment, signed, sig, "padding is not zero");
    }
}

/// Adds vectors with an s2 that ends too early.
fn add_truncated(maker: &mut VectorMaker, signed: &SignedData) {
    let crafted = maker.sign("truncated", MESSAGE, b"");
    let (n, bits) = (maker.key.n, all_bits(&crafted.s2));
    let mut endless = bits.clone();
    endless[n - 1].pop();
    let kinds = [
        ("the last coefficient is missing", bits[..n - 1].concat()),
        ("the last two coefficients are missing", bits[..n - 2].concat()),
        ("the second half of s2 is missing", bits[..n / 2].concat()),
        ("the bit that ends s2 is zero, and so is the rest", endless.concat()),
        ("s2 has no bits but zeros", vec![]),
        ("s2 begins with a run of zeros to its end", coefficient_bits(true, 127)[..8].to_vec()),
    ];
    for (comment, bits) in kinds {
        maker.invalid("TruncatedEncoding", comment, signed, crafted.with_bits(&bits), "too short");
    }
}

/// Adds vectors with a wrong header, a wrong length, or parts in the wrong order.
pub fn add_frames(maker: &mut VectorMaker) {
    let (logn, signed) = (maker.key.logn, pure(MESSAGE, b""));
    let crafted = maker.sign("frames", MESSAGE, b"");
    let (good, header) = (crafted.sig(), 0x30 + logn as u8);
    let other_logn = if logn == 9 { 10 } else { 9 };
    let mut headers: Vec<(u8, &str)> = vec![
        (0x30 + other_logn, "is that of the other degree"),
        (0x20 + logn as u8, "is that of NIST's round 3"),
        (0x50 + logn as u8, "is that of a private key, or of the constant-time encoding of Falcon"),
        (logn as u8, "is that of a public key"),
        (0x00, "is zero"),
        (0xff, "is ff"),
        (0x30, "names no degree"),
        (header.rotate_left(4), "has its halves swapped"),
    ];
    headers.extend((0..8).map(|bit| (header ^ 1 << bit, "has one bit changed")));
    let mut seen_headers = vec![];
    for (value, what) in headers {
        if !seen_headers.contains(&value) {
            seen_headers.push(value);
            let mut sig = good.clone();
            sig[0] = value;
            maker.invalid("WrongHeader", &format!("the header {value:02x} {what}"), &signed, sig, "header");
        }
    }

    let len = good.len();
    let used_bytes = 41 + all_bits(&crafted.s2).concat().len().div_ceil(8);
    let resized = |len: usize, with: u8| {
        let mut sig = good.clone();
        sig.resize(len, with);
        sig
    };
    let prefix = (len as u16).to_be_bytes();
    let der = [&[0x04, 0x82][..], &prefix, &good].concat();
    let kinds = [
        ("no bytes", vec![]),
        ("only the header", resized(1, 0)),
        ("only header and a part of the nonce", resized(40, 0)),
        ("only header and nonce", resized(41, 0)),
        ("header, nonce and one byte", resized(42, 0)),
        ("the second half is missing", resized(len / 2, 0)),
        ("one byte of padding is missing", resized(len - 1, 0)),
        ("two bytes of padding are missing", resized(len - 2, 0)),
        ("the padding is missing, as in the compressed encoding of Falcon", resized(used_bytes, 0)),
        ("one byte of padding is left", resized(used_bytes + 1, 0)),
        ("a zero byte at the end", resized(len + 1, 0)),
        ("a byte 01 at the end", resized(len + 1, 1)),
        ("a byte ff at the end", resized(len + 1, 0xff)),
        ("two zero bytes at the end", resized(len + 2, 0)),
        ("zero bytes to the length of the other degree", resized(signature_len(other_logn.into()), 0)),
        ("the signature twice", [&good[..], &good].concat()),
        ("a zero byte in front", [&[0][..], &good].concat()),
        ("the length in front, as two bytes", [&prefix[..], &good].concat()),
        ("a DER OCTET STRING of the signature", der),
        ("the header is missing", good[1..].to_vec()),
        ("the nonce is missing", [&good[..1], &good[41..]].concat()),
    ];
    for (comment, sig) in kinds {
        maker.invalid("WrongLength", comment, &signed, sig, "length");
    }

    let body = &good[41..];
    let swapped = [
        ("s2 stands before the nonce", [&good[..1], body, &crafted.nonce].concat(), None),
        ("the nonce stands before the header", [&crafted.nonce, &good[..1], body].concat(), Some("header")),
        ("the header is the last byte", [&good[1..], &good[..1]].concat(), Some("header")),
    ];
    for (comment, sig, rejection) in swapped {
        let rejection =
            rejection.unwrap_or_else(|| crate::rejection_reason(&maker.key.vk, &signed, &sig).expect("a rejection"));
        maker.invalid("SwappedFields", comment, &signed, sig, rejection);
    }
}

/// Adds vectors with changed bits and changed nonces.
pub fn add_changes(maker: &mut VectorMaker) {
    let signed = pure(MESSAGE, b"");
    let crafted = maker.sign("changes", MESSAGE, b"");
    let other_signature = maker.sign("changes, second", MESSAGE, b"");
    let (good, n) = (crafted.sig(), maker.key.n);

    let nonce = crafted.nonce;
    let with_nonce = |f: &dyn Fn(&mut [u8; 40])| {
        let mut nonce = nonce;
        f(&mut nonce);
        UnencodedSignature { nonce, ..copy_of(&crafted) }.sig()
    };
    let kinds = [
        ("first bit changed", with_nonce(&|x| x[0] ^= 1)),
        ("last bit changed", with_nonce(&|x| x[39] ^= 0x80)),
        ("a bit in the middle changed", with_nonce(&|x| x[20] ^= 0x10)),
        ("one added to the last byte", with_nonce(&|x| x[39] = x[39].wrapping_add(1))),
        ("all zero", with_nonce(&|x| x.fill(0))),
        ("all ff", with_nonce(&|x| x.fill(0xff))),
        ("bytes in the other order", with_nonce(&|x| x.reverse())),
        ("rotated by a byte", with_nonce(&|x| x.rotate_left(1))),
        ("halves swapped", with_nonce(&|x| x.rotate_left(20))),
        ("last 8 bytes zero", with_nonce(&|x| x[32..].fill(0))),
        ("of another signature of the message", with_nonce(&|x| *x = other_signature.nonce)),
    ];
    for (comment, sig) in kinds {
        maker.invalid("ModifiedNonce", &format!("nonce: {comment}"), &signed, sig, MISMATCH);
    }

    let used_bits = all_bits(&crafted.s2).concat().len();
    for i in 0..24 {
        let bit = 8 * 41 + i * (used_bits - 1) / 23;
        let mut sig = good.clone();
        sig[bit / 8] ^= 1 << (bit % 8);
        // The reason for the rejection depends on the bit.
        let rejection = crate::rejection_reason(&maker.key.vk, &signed, &sig).expect("a rejection");
        maker.invalid("ModifiedSignature", &format!("bit {bit} of the signature changed"), &signed, sig, rejection);
    }

    let s2 = &crafted.s2;
    let with_s2 = |f: &dyn Fn(&mut Vec<i64>)| {
        let mut s2 = s2.clone();
        f(&mut s2);
        UnencodedSignature { s2, ..copy_of(&crafted) }.sig()
    };
    let small_index = s2.iter().position(|x| (2..120).contains(x)).expect("a small one");
    let kinds = [
        ("s2 negated", with_s2(&|s| s.iter_mut().for_each(|x| *x = -*x))),
        (
            "s2 multiplied by X",
            with_s2(&|s| {
                s.rotate_right(1);
                s[0] = -s[0];
            }),
        ),
        ("s2 rotated by one place", with_s2(&|s| s.rotate_right(1))),
        ("coefficients of s2 in the other order", with_s2(&|s| s.reverse())),
        (
            "s2 conjugated",
            with_s2(&|s| {
                s[1..].reverse();
                s[1..].iter_mut().for_each(|x| *x = -*x);
            }),
        ),
        (
            "s2 with X^2 for X: half of it",
            with_s2(&|s| {
                let half: Vec<i64> = s.iter().step_by(2).copied().collect();
                *s = (0..n).map(|i| half[i % (n / 2)]).collect();
            }),
        ),
        ("one is added to a coefficient of s2", with_s2(&|s| s[small_index] += 1)),
        ("one is taken from a coefficient of s2", with_s2(&|s| s[small_index] -= 1)),
        ("a coefficient of s2 has the other sign", with_s2(&|s| s[small_index] = -s[small_index])),
        ("the first two coefficients of s2 swapped", with_s2(&|s| s.swap(0, 1))),
        ("s2 of another signature of the message", with_s2(&|s| *s = other_signature.s2.clone())),
    ];
    for (comment, sig) in kinds {
        maker.invalid("ModifiedSignature", comment, &signed, sig, MISMATCH);
    }
    let kinds = [
        ("s2 is zero", with_s2(&|s| s.fill(0))),
        (
            "s2 is 1",
            with_s2(&|s| {
                s.fill(0);
                s[0] = 1;
            }),
        ),
        ("all coefficients of s2 are 1", with_s2(&|s| s.fill(1))),
        ("s2 is f of the private key", with_s2(&|s| *s = maker.key.private.f.clone())),
    ];
    for (comment, sig) in kinds {
        maker.invalid("TrivialSignature", comment, &signed, sig, MISMATCH);
    }
    let s1 = signature_with_shape(maker, "s1 for s2", &[], |w| w.is_short() && unary_bits(&w.s[0]) <= w.capacity());
    assert!(infinity_norm(&s1.s1) <= 840);
    let sig = UnencodedSignature { s2: s1.s1.clone(), ..copy_of(&s1) }.sig();
    maker.invalid("SwappedFields", "s1 is encoded in the place of s2", &signed, sig, MISMATCH);

    let fill = |byte: u8| vec![byte; good.len()];
    let mut filled_with_ones = crafted.with_body(&fill(0xff)[41..]);
    maker.invalid(
        "TrivialSignature",
        "s2 has no bits but ones",
        &signed,
        filled_with_ones.clone(),
        "padding is not zero",
    );
    filled_with_ones[1..].fill(0);
    maker.invalid("TrivialSignature", "nonce and s2 are zero bytes", &signed, filled_with_ones, "too short");
    maker.invalid("TrivialSignature", "all bytes zero", &signed, fill(0), "header");
    maker.invalid("TrivialSignature", "all bytes ff", &signed, fill(0xff), "header");
}
