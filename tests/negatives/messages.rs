//! Creates valid and invalid test vectors for unusual messages, contexts, pre-hashes, `mu`, points
//! and schemes. `mu` is the 64-byte hash of the message and the public key. FN-DSA hashes `mu` and
//! a nonce to a polynomial, the point.

use crate::bits::Bits;
use crate::cases::{MISMATCH, SignedData, UnencodedSignature, VectorMaker, prehashed, pure};
use crate::craft::{CraftingKey, random_stream};
use crate::reference::hash::{ShakeStream, h, hash_to_point, mu_prehashed, mu_pure};
use crate::reference::{Q, codec};
use sha2::{Digest, Sha256, Sha384, Sha512, Sha512_256};
use sha3::{Sha3_256, Sha3_384, Sha3_512, Shake128};

/// Pre-hashes: (name, last byte of the OID, length of the digest).
pub const HASHES: [(&str, u8, usize); 9] = [
    ("SHA-256", 0x01, 32),
    ("SHA-384", 0x02, 48),
    ("SHA-512", 0x03, 64),
    ("SHA-512/256", 0x06, 32),
    ("SHA3-256", 0x08, 32),
    ("SHA3-384", 0x09, 48),
    ("SHA3-512", 0x0a, 64),
    ("SHAKE128", 0x0b, 32),
    ("SHAKE256", 0x0c, 64),
];

const MESSAGE: &[u8] = b"FN-DSA: message, context, pre-hash";
const CONTEXT: &[u8] = b"context";
/// The bytes of an OID before the last byte.
const OID: [u8; 10] = [0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02];

/// Returns the last byte in a hash's OID.
pub fn oid(hash: &str) -> u8 {
    HASHES.iter().find(|(name, ..)| *name == hash).unwrap_or_else(|| panic!("no hash {hash}")).1
}

/// Computes the digest to be signed instead of a message.
pub fn digest(hash: &str, msg: &[u8]) -> Vec<u8> {
    match hash {
        "SHA-256" => Sha256::digest(msg).to_vec(),
        "SHA-384" => Sha384::digest(msg).to_vec(),
        "SHA-512" => Sha512::digest(msg).to_vec(),
        "SHA-512/256" => Sha512_256::digest(msg).to_vec(),
        "SHA3-256" => Sha3_256::digest(msg).to_vec(),
        "SHA3-384" => Sha3_384::digest(msg).to_vec(),
        "SHA3-512" => Sha3_512::digest(msg).to_vec(),
        "SHAKE128" => shake128(&[msg], 32),
        "SHAKE256" => h::<64>(&[msg]).to_vec(),
        _ => panic!("no hash {hash}"),
    }
}

/// Computes the first `len` bytes of SHAKE128 over the parts.
fn shake128(parts: &[&[u8]], len: usize) -> Vec<u8> {
    use sha3::digest::{ExtendableOutput, Update, XofReader};
    let (mut hash, mut out) = (Shake128::default(), vec![0; len]);
    parts.iter().for_each(|part| hash.update(part));
    hash.finalize_xof().read(&mut out);
    out
}

/// Adds valid signatures with various lengths, contexts, pre-hashes and `mu` values.
pub fn add_good(maker: &mut VectorMaker) {
    let hpk = maker.key.hpk;
    let flags = &["ValidSignature"];
    let long_message: Vec<u8> = (0..=255).cycle().take(1000).collect();
    let messages = [
        ("empty message", vec![], vec![]),
        ("message of one byte", vec![0], vec![]),
        ("message of 1000 bytes", long_message.clone(), vec![]),
        // `mu` is the SHAKE256 hash of a 64-byte hash, 2 bytes, and the message. SHAKE256 blocks
        // are 136 bytes long.
        ("the input of mu is one byte short of a block of SHAKE256", long_message[..69].to_vec(), vec![]),
        ("the input of mu is a block of SHAKE256", long_message[..70].to_vec(), vec![]),
        ("the input of mu is a block of SHAKE256 and a byte", long_message[..71].to_vec(), vec![]),
        ("empty message, context of one byte", vec![], vec![0]),
        ("context of 254 bytes", MESSAGE.to_vec(), long_message[..254].to_vec()),
        ("context of 255 bytes", MESSAGE.to_vec(), long_message[..255].to_vec()),
        ("empty message, context of 255 bytes", vec![], vec![0xff; 255]),
        ("the context is the message", MESSAGE.to_vec(), MESSAGE.to_vec()),
    ];
    for (comment, msg, ctx) in messages {
        let sig = maker.sign(comment, &msg, &ctx).sig();
        maker.valid(flags, comment, pure(&msg, &ctx), sig);
    }
    for (hash, oid, _) in HASHES {
        let mu = mu_prehashed(&hpk, b"", oid, &digest(hash, MESSAGE));
        let sig = maker.sign_mu(&format!("good {hash}"), &mu).sig();
        maker.valid(&["PreHash", "ValidSignature"], &format!("pre-hash {hash}"), prehashed(hash, MESSAGE, b""), sig);
    }
    for (hash, msg, ctx) in
        [("SHA-512", b"".to_vec(), CONTEXT.to_vec()), ("SHA3-256", long_message.clone(), vec![7; 255])]
    {
        let mu = mu_prehashed(&hpk, &ctx, oid(hash), &digest(hash, &msg));
        let sig = maker.sign_mu(&format!("good {hash} with a context"), &mu).sig();
        let comment = format!("pre-hash {hash}, {} bytes of message, {} bytes of context", msg.len(), ctx.len());
        maker.valid(&["PreHash", "ValidSignature"], &comment, prehashed(hash, &msg, &ctx), sig);
    }
    let mus = [
        ("mu of a message as it is", mu_pure(&hpk, CONTEXT, MESSAGE)),
        ("mu of no message: zero", [0; 64]),
        ("mu of no message: ff", [0xff; 64]),
    ];
    for (comment, mu) in mus {
        let sig = maker.sign_mu(comment, &mu).sig();
        maker.valid(&["ExternalMu", "ValidSignature"], comment, SignedData::Mu(mu.to_vec()), sig);
    }
}

/// Adds vectors for which the signer and the verifier use different messages or contexts.
pub fn add_other_messages(maker: &mut VectorMaker) {
    let sig = maker.sign("message and context", MESSAGE, CONTEXT).sig();
    let (mut first, mut last, mut reversed) = (MESSAGE.to_vec(), MESSAGE.to_vec(), MESSAGE.to_vec());
    first[0] ^= 1;
    *last.last_mut().expect("bytes") ^= 0x80;
    reversed.reverse();
    let messages = [
        ("first bit changed", first),
        ("last bit changed", last),
        ("bytes in the other order", reversed),
        ("the last byte is missing", MESSAGE[..MESSAGE.len() - 1].to_vec()),
        ("the first byte is missing", MESSAGE[1..].to_vec()),
        ("a zero byte at the end", [MESSAGE, &[0]].concat()),
        ("a zero byte in front", [&[0], MESSAGE].concat()),
        ("a byte 1f at the end, as the padding of SHAKE256", [MESSAGE, &[0x1f]].concat()),
        ("a line feed at the end", [MESSAGE, b"\n"].concat()),
        ("empty", vec![]),
        ("twice", [MESSAGE, MESSAGE].concat()),
        ("its hexadecimal digits", crate::common::to_hex(MESSAGE).into_bytes()),
    ];
    for (comment, msg) in messages {
        maker.invalid("ModifiedMessage", &format!("message: {comment}"), &pure(&msg, CONTEXT), sig.clone(), MISMATCH);
    }
    let contexts: [(&str, &[u8], &[u8]); 9] = [
        ("context: empty", MESSAGE, b""),
        ("context: first letter in upper case", MESSAGE, b"Context"),
        ("context: the last byte is missing", MESSAGE, b"contex"),
        ("context: a zero byte at the end", MESSAGE, b"context\0"),
        ("context: zero bytes", MESSAGE, &[0; 7]),
        ("the context moved to the front of the message", &[CONTEXT, MESSAGE].concat(), b""),
        ("the last byte of the context moved to the front of the message", &[b"t", MESSAGE].concat(), b"contex"),
        ("the first byte of the message moved to the end of the context", &MESSAGE[1..], b"contextF"),
        ("message and context swapped", CONTEXT, MESSAGE),
    ];
    for (comment, msg, ctx) in contexts {
        maker.invalid("ModifiedContext", comment, &pure(msg, ctx), sig.clone(), MISMATCH);
    }

    // A verifier would accept these signatures if it shortened or omitted the context, or used a
    // wrong encoding of the length.
    let (hpk, long_context) = (maker.key.hpk, [0x61; 300]);
    let too_long = "the context is too long";
    type ContextCase<'a> = (&'static str, &'a str, Vec<u8>, &'a [u8], &'static str);
    let kinds: [ContextCase; 7] = [
        (
            "ContextTooLong",
            "256 bytes of context, the length byte is 00",
            [&[0, 0], &long_context[..256], MESSAGE].concat(),
            &long_context[..256],
            too_long,
        ),
        (
            "ContextTooLong",
            "256 bytes of context, the length byte is ff",
            [&[0, 255], &long_context[..256], MESSAGE].concat(),
            &long_context[..256],
            too_long,
        ),
        (
            "ContextTooLong",
            "256 bytes of context, cut off to 255",
            [&[0, 255], &long_context[..255], MESSAGE].concat(),
            &long_context[..256],
            too_long,
        ),
        (
            "ContextTooLong",
            "256 bytes of context, left out",
            [&[0, 0], MESSAGE].concat(),
            &long_context[..256],
            too_long,
        ),
        (
            "ContextTooLong",
            "300 bytes of context, the length byte is 2c",
            [&[0, 44], &long_context[..], MESSAGE].concat(),
            &long_context,
            too_long,
        ),
        (
            "ModifiedContext",
            "signed without the length of the context",
            [&[0], CONTEXT, MESSAGE].concat(),
            CONTEXT,
            MISMATCH,
        ),
        (
            "ModifiedContext",
            "signed with two bytes for the length of the context",
            [&[0, 0, 7], CONTEXT, MESSAGE].concat(),
            CONTEXT,
            MISMATCH,
        ),
    ];
    for (flag, comment, input, ctx, rejection) in kinds {
        let crafted = maker.sign_mu(comment, &h(&[&hpk, &input]));
        maker.invalid(flag, comment, &pure(MESSAGE, ctx), crafted.sig(), rejection);
    }
}

/// Adds vectors for which the signer and the verifier use different pre-hashes, or only one of them
/// uses a pre-hash.
pub fn add_other_prehashes(maker: &mut VectorMaker) {
    let hpk = maker.key.hpk;
    let digest_of = |hash: &str| digest(hash, MESSAGE);
    let (sha256, sha512) = (digest_of("SHA-256"), digest_of("SHA-512"));
    let der = [&OID[..], &[1], &sha256].concat();
    let no_context = b"".as_slice();
    let hashed = |hash| prehashed(hash, MESSAGE, no_context);
    let mu_of = |parts: &[&[u8]]| h::<64>(&[&[&hpk[..]], parts].concat());

    let pure_message = mu_pure(&hpk, no_context, MESSAGE);
    let hashed_message = mu_prehashed(&hpk, no_context, 1, &sha256);
    let kinds: [(&str, [u8; 64], SignedData); 11] = [
        ("signed pre-hashed, given the digest as message", hashed_message, pure(&sha256, no_context)),
        ("signed pre-hashed, given identifier and digest as message", hashed_message, pure(&der, no_context)),
        ("signed pre-hashed, given the message without pre-hash", hashed_message, pure(MESSAGE, no_context)),
        ("signed without pre-hash, given one", pure_message, hashed("SHA-256")),
        ("signed the digest as message, given the pre-hash", mu_pure(&hpk, no_context, &sha256), hashed("SHA-256")),
        (
            "signed identifier and digest as message, given the pre-hash",
            mu_pure(&hpk, no_context, &der),
            hashed("SHA-256"),
        ),
        ("signed with the domain byte 02", mu_of(&[&[2, 0], MESSAGE]), pure(MESSAGE, no_context)),
        ("signed with the domain byte ff", mu_of(&[&[0xff, 0], MESSAGE]), pure(MESSAGE, no_context)),
        ("signed with the domain byte 01", mu_of(&[&[1, 0], MESSAGE]), pure(MESSAGE, no_context)),
        ("signed without domain byte and length of the context", mu_of(&[MESSAGE]), pure(MESSAGE, no_context)),
        ("the message is mu of the one signed", pure_message, pure(&pure_message, no_context)),
    ];
    for (comment, mu, signed) in kinds {
        let sig = maker.sign_mu(comment, &mu).sig();
        maker.invalid("DomainConfusion", comment, &signed, sig, MISMATCH);
    }

    for (hash, other_hashes) in [
        ("SHA-256", &["SHA3-256", "SHA-512/256", "SHAKE128"][..]),
        ("SHA-384", &["SHA3-384"]),
        ("SHA-512", &["SHA3-512", "SHAKE256", "SHA-256", "SHA-384"]),
    ] {
        let sig =
            maker.sign_mu(&format!("wrong {hash}"), &mu_prehashed(&hpk, no_context, oid(hash), &digest_of(hash))).sig();
        for other in other_hashes {
            let comment = format!("signed with pre-hash {hash}, given {other}");
            maker.invalid("WrongPreHash", &comment, &prehashed(other, MESSAGE, b""), sig.clone(), MISMATCH);
        }
    }
    let mut flipped = sha256.clone();
    flipped[31] ^= 0x80;
    let hex = crate::common::to_hex(&sha256).into_bytes();
    let double_digest = digest("SHA-256", &sha256);
    let kinds: [(&str, Vec<u8>, &'static str); 13] = [
        (
            "signed identifier of SHA-256, digest of SHA3-256",
            [&OID[..], &[1], &digest_of("SHA3-256")].concat(),
            "SHA-256",
        ),
        ("signed identifier of SHA3-256, digest of SHA-256", [&OID[..], &[8], &sha256].concat(), "SHA-256"),
        ("signed SHA-512 cut off to 32 bytes as SHA-512/256", [&OID[..], &[6], &sha512[..32]].concat(), "SHA-512/256"),
        ("signed SHAKE128 with 16 bytes", [&OID[..], &[11], &digest_of("SHAKE128")[..16]].concat(), "SHAKE128"),
        ("signed SHAKE256 with 32 bytes", [&OID[..], &[12], &digest_of("SHAKE256")[..32]].concat(), "SHAKE256"),
        ("signed SHAKE128 with 64 bytes", [&OID[..], &[11], &shake128(&[MESSAGE], 64)].concat(), "SHAKE128"),
        ("signed without the identifier", sha256.clone(), "SHA-256"),
        ("signed the identifier without tag and length", [&OID[2..], &[1], &sha256].concat(), "SHA-256"),
        ("signed an AlgorithmIdentifier with NULL", [&[0x30, 13][..], &OID, &[1, 5, 0], &sha256].concat(), "SHA-256"),
        ("signed the digest before the identifier", [&sha256[..], &OID, &[1]].concat(), "SHA-256"),
        ("signed the hexadecimal digits of the digest", [&OID[..], &[1], &hex].concat(), "SHA-256"),
        ("signed the digest of the digest", [&OID[..], &[1], &double_digest].concat(), "SHA-256"),
        ("signed a digest whose last bit is changed", [&OID[..], &[1], &flipped].concat(), "SHA-256"),
    ];
    for (comment, input, hash) in kinds {
        let crafted = maker.sign_mu(comment, &mu_of(&[&[1, 0], &input]));
        maker.invalid("WrongPreHash", comment, &hashed(hash), crafted.sig(), MISMATCH);
    }
}

/// Adds vectors of these kinds:
///
/// - vectors that contain `mu` instead of a message,
/// - vectors for which the signer computed `mu` without the correct hash of the public key,
/// - signatures by `other`, a second key of the same degree.
pub fn add_other_mus(maker: &mut VectorMaker, other: &CraftingKey) {
    let (key, no_context) = (maker.key, b"".as_slice());
    let hpk = key.hpk;
    let mu = mu_pure(&hpk, no_context, MESSAGE);
    let sig = maker.sign_mu("external mu", &mu).sig();
    let changed = |at: usize| {
        let mut mu = mu.to_vec();
        mu[at] ^= 1;
        mu
    };
    let mismatch: [(&str, Vec<u8>); 5] = [
        ("mu: first byte changed", changed(0)),
        ("mu: last byte changed", changed(63)),
        ("mu: bytes in the other order", mu.iter().rev().copied().collect()),
        ("mu: with a context", mu_pure(&hpk, CONTEXT, MESSAGE).to_vec()),
        ("mu: of the other key", mu_pure(&other.hpk, no_context, MESSAGE).to_vec()),
    ];
    for (comment, mu) in mismatch {
        maker.invalid("ExternalMu", comment, &SignedData::Mu(mu), sig.clone(), MISMATCH);
    }
    for (comment, mu) in [
        ("mu: no bytes", vec![]),
        ("mu: 32 bytes", mu[..32].to_vec()),
        ("mu: the last byte is missing", mu[..63].to_vec()),
        ("mu: a zero byte at the end", [&mu[..], &[0]].concat()),
    ] {
        maker.invalid("ExternalMu", comment, &SignedData::Mu(mu), sig.clone(), "mu has not 64 bytes");
    }
    let short = maker.sign_point("mu of 63 bytes", |nonce| read_point(key.n, &[nonce, &mu[..63]], WordReader::LITTLE));
    maker.invalid(
        "ExternalMu",
        "mu: 63 bytes, which were signed",
        &SignedData::Mu(mu[..63].to_vec()),
        short.sig(),
        "mu has not 64 bytes",
    );

    let signed = pure(MESSAGE, no_context);
    let end = [&[0, 0], MESSAGE].concat();
    let kinds: [(&str, [u8; 64]); 7] = [
        ("signed without the hash of the public key", h(&[&end])),
        ("signed with 32 bytes of the hash of the public key", h(&[&hpk[..32], &end])),
        ("signed with the hash of the public key without header", h(&[&h::<64>(&[&key.vk[1..]]), &end])),
        ("signed with the public key in the place of its hash", h(&[&key.vk, &end])),
        ("signed with the hash of the other public key", h(&[&other.hpk, &end])),
        ("signed with zeros in the place of the hash of the public key", h(&[&[0; 64], &end])),
        ("signed with the hash of the public key behind the message", h(&[&end, &hpk])),
    ];
    for (comment, mu) in kinds {
        maker.invalid("MissingKeyBinding", comment, &signed, maker.sign_mu(comment, &mu).sig(), MISMATCH);
    }
    let other_maker = VectorMaker::new(other);
    let kinds = [
        ("a signature of the other key", other_maker.sign("wrong key", MESSAGE, no_context), signed.clone()),
        (
            "a signature of the other key of this key's mu",
            other_maker.sign_mu("wrong key mu", &mu),
            SignedData::Mu(mu.to_vec()),
        ),
        (
            "a signature of the other key of this key's message",
            other_maker.sign_mu("wrong key message", &mu),
            signed.clone(),
        ),
    ];
    for (comment, crafted, signed) in kinds {
        maker.invalid("WrongKey", comment, &signed, crafted.sig(), MISMATCH);
    }
}

/// A rule to compute a point from a stream of 16-bit words.
#[derive(Clone, Copy)]
pub struct WordReader {
    big_endian: bool,
    /// Only words below `limit` are used. In FN-DSA, `limit` is `5 q`, so that each remainder
    /// modulo q is equally frequent.
    limit: i64,
}

impl WordReader {
    const LITTLE: Self = Self { big_endian: false, limit: 5 * Q };
    const BIG: Self = Self { big_endian: true, limit: 5 * Q };

    /// Computes a point with n coefficients from a stream of words.
    fn read(self, n: usize, words: impl Iterator<Item = u16>) -> Vec<i64> {
        let words = words.map(|w| i64::from(if self.big_endian { w.swap_bytes() } else { w }));
        words.filter(|w| *w < self.limit).map(|w| w % Q).take(n).collect()
    }
}

/// Reads a point from the SHAKE256 output for the concatenation of these parts.
fn read_point(n: usize, parts: &[&[u8]], words: WordReader) -> Vec<i64> {
    let mut stream = ShakeStream::new(parts);
    words.read(n, std::iter::repeat_with(|| stream.u16()))
}

/// Adds valid vectors for which the hash contains words at the limit of [`WordReader`], or many
/// words to skip. Also adds invalid vectors for which the signer computed the point by rules that
/// differ from FN-DSA.
pub fn add_points(maker: &mut VectorMaker) {
    let (key, signed) = (maker.key, pure(MESSAGE, b""));
    let (n, mu) = (key.n, mu_pure(&key.hpk, b"", MESSAGE));
    // Returns all words that FN-DSA reads for a nonce, up to the last word that it uses.
    let words = |nonce: &[u8; 40]| {
        let (mut stream, mut used_count, mut all) = (ShakeStream::new(&[nonce, &mu]), 0, vec![]);
        while used_count < n {
            all.push(i64::from(stream.u16()));
            used_count += usize::from(all[all.len() - 1] < 5 * Q);
        }
        all
    };
    let nonce_with = |label: &str, has_property: &dyn Fn(&[i64]) -> bool| {
        let mut random = random_stream(&format!("{n} {label}"));
        std::iter::repeat_with(|| random.bytes::<40>())
            .find(|nonce| has_property(&words(nonce)))
            .expect("an endless stream")
    };
    let sign = |label: &str, nonce: [u8; 40], words: WordReader| {
        let crafted = maker.sign_point(label, |_| read_point(n, &[&nonce, &mu], words));
        UnencodedSignature { nonce, ..crafted }
    };
    let (last_used, first_skipped) = (5 * Q - 1, 5 * Q);
    let with_last = nonce_with("word 61444", &|words| words.contains(&last_used));
    let with_first = nonce_with("word 61445", &|words| words.contains(&first_skipped));
    let with_max = nonce_with("word 65535", &|words| words.contains(&65_535));
    // The number of skipped words is more than 9.1 % of n. On average, it is about 6.7 % of n.
    let with_many = nonce_with("many words left out", &|words| (words.len() - n) * 1000 > n * 91);
    let flags = &["HashToPoint", "ValidSignature"];
    let good = [
        ("a word is 61444, the largest that is used", with_last),
        ("a word is 61445, the smallest that is left out", with_first),
        ("a word is 65535", with_max),
        ("many words are left out", with_many),
    ];
    let mut good_signatures = vec![];
    for (comment, nonce) in good {
        good_signatures.push((comment, sign(comment, nonce, WordReader::LITTLE)));
    }
    let some_nonce: [u8; 40] = random_stream("some nonce").bytes();
    let limit = |limit| WordReader { big_endian: false, limit };
    let wrong_signatures = [
        ("signed with 61444 left out", sign("no 61444", with_last, limit(last_used))),
        ("signed with 61445 not left out", sign("61445", with_first, limit(first_skipped + 1))),
        ("signed with no word left out", sign("no limit", some_nonce, limit(65_536))),
        ("signed with words from 4 q on left out", sign("4 q", some_nonce, limit(4 * Q))),
        ("signed with big-endian words", sign("big-endian", some_nonce, WordReader::BIG)),
    ];
    let input = |label: &str, parts: &dyn Fn(&[u8; 40]) -> Vec<u8>| {
        maker.sign_point(label, |nonce| read_point(n, &[&parts(nonce)], WordReader::LITTLE))
    };
    let header = [0x30 + key.logn as u8];
    let inputs = [
        ("signed with mu before the nonce", input("mu first", &|nonce| [&mu[..], nonce].concat())),
        ("signed with the header before the nonce", input("header first", &|nonce| [&header[..], nonce, &mu].concat())),
        ("signed with 32 bytes of mu", input("half mu", &|nonce| [&nonce[..], &mu[..32]].concat())),
        ("signed without the nonce", input("no nonce", &|_| mu.to_vec())),
        (
            "signed with SHAKE128",
            maker.sign_point("SHAKE128", |nonce| {
                let bytes = shake128(&[nonce, &mu], 4 * n);
                WordReader::LITTLE.read(n, bytes.chunks_exact(2).map(|w| u16::from_le_bytes([w[0], w[1]])))
            }),
        ),
    ];
    for (comment, crafted) in good_signatures {
        assert_eq!(read_point(n, &[&crafted.nonce, &mu], WordReader::LITTLE), hash_to_point(n, &crafted.nonce, &mu));
        maker.valid(flags, comment, signed.clone(), crafted.sig());
    }
    for (comment, crafted) in wrong_signatures.into_iter().chain(inputs) {
        maker.invalid("HashToPoint", comment, &signed, crafted.sig(), MISMATCH);
    }
}

/// Encodes the public key as in Falcon and FN-DSA-2024: coefficients, most significant bit first.
pub fn big_endian_key(key: &CraftingKey) -> Vec<u8> {
    Bits::default().field(i64::from(key.logn), 8).fields(&key.h, 14).bytes()
}

/// Adds signatures that the key's f, g, F and G make in the schemes FN-DSA-2024, Falcon and
/// falcon-rs, and FN-DSA signatures with a wrong encoding of s2.
pub fn add_other_schemes(maker: &mut VectorMaker) {
    let (key, signed) = (maker.key, pure(MESSAGE, b""));
    let (n, logn) = (key.n, key.logn);
    let hpk_2024: [u8; 64] = h(&[&big_endian_key(key)]);
    let plain = [&[0, 0], MESSAGE].concat();
    let schemes: [(&str, Vec<u8>); 4] = [
        ("FN-DSA-2024", [&hpk_2024[..], &plain].concat()),
        ("FN-DSA-2024, but for the hash of the key", [&key.hpk[..], &plain].concat()),
        ("Falcon", MESSAGE.to_vec()),
        ("falcon-rs", plain.clone()),
    ];
    let len = codec::signature_len(logn);
    for (scheme, input) in schemes {
        let crafted = maker.sign_point(scheme, |nonce| read_point(n, &[nonce, &input], WordReader::BIG));
        let header = 0x30 + logn as u8;
        let bits = crafted.s2.iter().fold(Bits::default(), |bits, x| bits.compressed(*x < 0, x.abs())).bytes();
        let compressed = [&[header][..], &crafted.nonce, &bits].concat();
        let mut padded = compressed.clone();
        padded.resize(len, 0);
        let flag = "OtherScheme";
        let comment = format!("{scheme}: its point, the encoding of FN-DSA");
        maker.invalid(flag, &comment, &signed, crafted.sig(), MISMATCH);
        let rejection = crate::rejection_reason(&key.vk, &signed, &padded).expect("a rejection");
        maker.invalid(flag, &format!("{scheme}: its point and its encoding, padded"), &signed, padded, rejection);
        if scheme.starts_with("FN-DSA") {
            continue;
        }
        let constant = Bits::default().field(i64::from(0x50 + logn), 8).bytes();
        let fields = Bits::default().fields(&crafted.s2, 12).bytes();
        let constant = [constant, crafted.nonce.to_vec(), fields].concat();
        let comment = format!("{scheme}: its point, the compressed encoding");
        maker.invalid(flag, &comment, &signed, compressed, "length");
        let comment = format!("{scheme}: its point, the constant-time encoding");
        maker.invalid(flag, &comment, &signed, constant, "length");
    }
    let crafted = maker.sign("big-endian encoding", MESSAGE, b"");
    let bits = crafted.s2.iter().fold(Bits::default(), |bits, x| bits.compressed(*x < 0, x.abs())).bytes();
    let mut big = [&[0x30 + logn as u8][..], &crafted.nonce, &bits].concat();
    big.resize(len, 0);
    let rejection = crate::rejection_reason(&key.vk, &signed, &big).expect("a rejection");
    maker.invalid("OtherScheme", "the point of FN-DSA, the encoding of FN-DSA-2024", &signed, big, rejection);
    let mut changed = crafted.sig();
    changed[41..].reverse();
    let rejection = crate::rejection_reason(&key.vk, &signed, &changed).expect("a rejection");
    maker.invalid("OtherScheme", "the bytes of s2 in the other order", &signed, changed, rejection);
}
