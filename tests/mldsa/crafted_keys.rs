//! Unusual private keys for the test vectors in `negatives`: seeds, expanded keys and PKCS#8 files,
//! with the expected reasons for rejection.

use super::crafted::seed_of;
use super::reference::{Poly, ReferenceKey, SETS};

/// A private key in one of its forms.
pub struct PrivateKeyVector {
    pub flag: &'static str,
    pub comment: String,
    /// The name of the form in the vector file, such as `privateSeed`, and the bytes.
    pub form: (&'static str, Vec<u8>),
    /// The expected reason for rejection. `None` if the key is valid.
    pub rejection: Option<&'static str>,
}

/// Encodes a DER element.
fn der(tag: u8, content: &[u8]) -> Vec<u8> {
    let len = content.len();
    let head = match len {
        0..128 => vec![tag, len as u8],
        128..256 => vec![tag, 0x81, len as u8],
        _ => vec![tag, 0x82, (len >> 8) as u8, len as u8],
    };
    [&head[..], content].concat()
}

/// Returns the private keys for a parameter set.
pub fn private_keys(i: usize) -> Vec<PrivateKeyVector> {
    let set = &SETS[i];
    let (seed, other_seed) = (seed_of(&format!("private key {i}")), seed_of(&format!("another private key {i}")));
    let (key, other) = (ReferenceKey::new(set, &seed), ReferenceKey::new(set, &other_seed));
    let good = &key.private;
    // The positions at which parts of an expanded key start. The first 128 bytes are the seed rho,
    // the secret K and the public key's hash tr. The secret vectors s1, s2 and t0 follow.
    let t0 = set.private_len() - 416 * set.k;
    let s_bits = 8 * (t0 - 128) / (256 * (set.k + set.l));
    let s2 = 128 + 32 * s_bits * set.l;
    // The bit at which a field with `s_bits` bits starts, if the field ends with the top bit of a
    // byte.
    let top = 8 - s_bits;
    let mut keys = vec![];
    let mut add = |flag, comment: &str, form: &'static str, bytes: Vec<u8>, rejection| {
        keys.push(PrivateKeyVector { flag, comment: comment.to_owned(), form: (form, bytes), rejection });
    };

    add("Valid", "the seed", "privateSeed", seed.to_vec(), None);
    for (comment, bytes) in [
        ("a seed of 31 bytes", seed[..31].to_vec()),
        ("a seed of 33 bytes", [&seed[..], &[0]].concat()),
        ("a seed of 64 bytes", seed.repeat(2)),
        ("no seed", vec![]),
    ] {
        add("WrongLength", comment, "privateSeed", bytes, Some("length"));
    }

    add("Valid", "the expanded key", "privateKey", good.clone(), None);
    let mut add_changed = |comment: &str, rejection: Option<&'static str>, change: &dyn Fn(&mut [u8])| {
        let mut bytes = good.clone();
        change(&mut bytes);
        assert_ne!(bytes, *good);
        let flag = if rejection == Some("length") { "WrongLength" } else { "PrivateKeyConsistency" };
        add(if rejection.is_none() { "Valid" } else { flag }, comment, "privateKey", bytes, rejection);
    };
    add_changed("another K, from which nothing follows", None, &|private| private[32..64].fill(0xa5));
    add_changed("a bit of rho is wrong", Some("t0"), &|private| private[0] ^= 1);
    add_changed("rho is that of another key", Some("t0"), &|private| {
        private[..32].copy_from_slice(&other.private[..32])
    });
    add_changed("the first bit of tr is wrong", Some("tr"), &|private| private[64] ^= 1);
    add_changed("the last bit of tr is wrong", Some("tr"), &|private| private[127] ^= 0x80);
    add_changed("tr is zero", Some("tr"), &|private| private[64..128].fill(0));
    add_changed("tr is zero behind its first 32 bytes", Some("tr"), &|private| private[96..128].fill(0));
    add_changed("tr is that of another key", Some("tr"), &|private| {
        private[64..128].copy_from_slice(&other.private[64..128])
    });
    add_changed("the first bit of t0 is wrong", Some("t0"), &|private| private[t0] ^= 1);
    add_changed("the last bit of t0 is wrong", Some("t0"), &|private| private[set.private_len() - 1] ^= 0x80);
    add_changed("t0 is zero", Some("t0"), &|private| private[t0..].fill(0));
    add_changed("t0 is that of another key", Some("t0"), &|private| {
        private[t0..].copy_from_slice(&other.private[t0..])
    });
    // A field contains eta - x for a coefficient x in s1 or s2, so its valid values are 0 to 2 eta.
    let range = Some("range of s1 and s2");
    let (above_range, largest_field) = ((2 * set.eta + 1) as u8, ((1 << s_bits) - 1) as u8);
    for (field, what) in [(above_range, "just out of range"), (largest_field, "as far out of range as can be")] {
        let low = |byte: &mut u8| *byte = *byte & !largest_field | field;
        let high = |byte: &mut u8| *byte = *byte & !(largest_field << top) | field << top;
        add_changed(&format!("the first coefficient of s1 is {what}"), range, &|private| low(&mut private[128]));
        add_changed(&format!("the last coefficient of s1 is {what}"), range, &|private| high(&mut private[s2 - 1]));
        add_changed(&format!("the first coefficient of s2 is {what}"), range, &|private| low(&mut private[s2]));
        add_changed(&format!("the last coefficient of s2 is {what}"), range, &|private| high(&mut private[t0 - 1]));
    }
    // In the next keys, t0 and tr are computed from the invalid s1 or s2, so the range is the only
    // defect.
    let with = |change: &dyn Fn(&mut [Poly], &mut [Poly])| {
        let (mut s1, mut s2) = (key.s1.clone(), key.s2.clone());
        change(&mut s1, &mut s2);
        ReferenceKey::from_parts(set, &good[..32], &good[32..64], s1, s2).private
    };
    for (what, out_of_range) in [
        ("the first coefficient of s1", with(&|s1, _| s1[0][0] = -set.eta - 1)),
        ("the last coefficient of s1", with(&|s1, _| s1[set.l - 1][255] = -set.eta - 1)),
        ("the first coefficient of s2", with(&|_, s2| s2[0][0] = -set.eta - 1)),
        ("the last coefficient of s2", with(&|_, s2| s2[set.k - 1][255] = -set.eta - 1)),
    ] {
        add_changed(&format!("{what} is just out of range, and t0 and tr follow from it"), range, &|private| {
            private.copy_from_slice(&out_of_range);
        });
    }
    let in_range = |byte: &mut u8| *byte = *byte & !largest_field | u8::from(*byte & largest_field == 0);
    add_changed("the first coefficient of s1 is another one", Some("t0"), &|private| in_range(&mut private[128]));
    add_changed("the first coefficient of s2 is another one", Some("t0"), &|private| in_range(&mut private[s2]));
    add_changed("s1 and s2 are those of another key", Some("t0"), &|private| {
        private[128..t0].copy_from_slice(&other.private[128..t0]);
    });
    let resized = |len: usize| {
        let mut bytes = good.clone();
        bytes.resize(len, 0);
        bytes
    };
    for (comment, bytes) in [
        ("an expanded key without its last byte", resized(good.len() - 1)),
        ("an expanded key with a zero behind it", resized(good.len() + 1)),
        ("an expanded key without t0", resized(t0)),
        ("an expanded key with the public key behind it", [&good[..], &key.public].concat()),
        ("an expanded key cut off or filled up to the length of another set", resized(SETS[(i + 1) % 3].private_len())),
        ("no expanded key", vec![]),
    ] {
        add("WrongLength", comment, "privateKey", bytes, Some("length"));
    }

    let arc = 17 + i as u8;
    let algorithm = der(0x30, &[6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 3, arc]);
    let pkcs8 = |content: &[u8]| der(0x30, &[&[2, 1, 0], &algorithm[..], &der(4, content)].concat());
    let seed_and_expanded =
        |seed: &[u8], expanded: &[u8]| pkcs8(&der(0x30, &[der(4, seed), der(4, expanded)].concat()));
    let form = "privateKeyPkcs8";
    add("Valid", "PKCS#8 with the seed", form, pkcs8(&der(0x80, &seed)), None);
    add("Valid", "PKCS#8 with the expanded key", form, pkcs8(&der(4, good)), None);
    add("Valid", "PKCS#8 with both", form, seed_and_expanded(&seed, good), None);
    let mut bad_tr = good.clone();
    bad_tr[127] ^= 1;
    let mut bad_k = good.clone();
    bad_k[32] ^= 1;
    for (comment, bytes) in [
        ("PKCS#8 with the seed of another key beside the expanded key", seed_and_expanded(&other_seed, good)),
        ("PKCS#8 with the expanded key of another seed beside the seed", seed_and_expanded(&seed, &other.private)),
        ("PKCS#8 with both, a bit of tr is wrong", seed_and_expanded(&seed, &bad_tr)),
        ("PKCS#8 with both, a bit of K is wrong", seed_and_expanded(&seed, &bad_k)),
        ("PKCS#8 with the expanded key, a bit of tr is wrong", pkcs8(&der(4, &bad_tr))),
    ] {
        add("PrivateKeyConsistency", comment, form, bytes, Some("consistency"));
    }
    for (comment, bytes) in [
        ("PKCS#8 with a seed of 31 bytes", pkcs8(&der(0x80, &seed[..31]))),
        ("PKCS#8 with a seed of 33 bytes", pkcs8(&der(0x80, &[&seed[..], &[0]].concat()))),
        ("PKCS#8 with an expanded key that is one byte too short", pkcs8(&der(4, &good[1..]))),
        ("PKCS#8 with both, the seed of 31 bytes", seed_and_expanded(&seed[..31], good)),
        ("PKCS#8 with both, the expanded key one byte too long", seed_and_expanded(&seed, &resized(good.len() + 1))),
    ] {
        add("WrongLength", comment, form, bytes, Some("length"));
    }
    keys
}
