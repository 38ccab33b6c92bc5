//! Creates the keys for the test vectors, and test vectors for unusual or invalid public keys.

use crate::cases::{MISMATCH, NegativeVector, SignedData, VectorGroup, VectorMaker, pure};
use crate::common::library::{KeygenMemory, degree, fn_dsa, keygen};
use crate::common::{cases, vector_file};
use crate::craft::{CraftingKey, random_stream};
use crate::messages::big_endian_key;
use crate::reference::Q;
use crate::reference::codec::{encode_signing_key, pack, unpack, verifying_key_len};
use crate::reference::hash::{h, mu_pure};

const MESSAGE: &[u8] = b"negative test vector for public keys";

/// All keys for a degree.
pub struct DegreeKeys {
    /// The key of the published known answer 0, for most vectors.
    pub main: CraftingKey,
    /// The key of the published known answer 1.
    pub other: CraftingKey,
    /// A key for which a field in the public key is 0. A field is a number modulo q in 14 bits.
    pub zero: CraftingKey,
    /// A key for which a field in the public key is q - 1.
    pub largest: CraftingKey,
}

/// Returns the fields of a public key.
fn public_key_fields(vk: &[u8]) -> Vec<i64> {
    unpack(&vk[1..], 14)
}

/// Generates the key with this number, and checks that the public key contains this field.
fn with_field(logn: u32, number: usize, field: i64) -> CraftingKey {
    let seed = random_stream(&format!("key {} {number}", 1 << logn)).bytes();
    let algorithm = fn_dsa(degree(logn as usize));
    let (sk, vk) = keygen(fndsa::no_alloc::Level::detect(), algorithm, &seed, KeygenMemory::Most);
    assert!(public_key_fields(&vk).contains(&field), "degree 2^{logn}: key {number} has no field {field}");
    CraftingKey::new(&sk)
}

impl DegreeKeys {
    /// Loads or generates the keys for this degree.
    pub fn new(logn: u32) -> Self {
        let file = vector_file("kat-a.json");
        let published = |j| {
            let vectors = cases(&file, "vectors");
            let v = vectors.iter().find(|v| v.int("logn") == i64::from(logn) && v.int("j") == j).expect("the vector");
            let key = CraftingKey::new(&v.bytes("sk"));
            assert_eq!(key.vk, v.bytes("vk"));
            key
        };
        let [zero, largest] = if logn == 9 { ZERO_LARGEST_512 } else { ZERO_LARGEST_1024 };
        Self {
            main: published(0),
            other: published(1),
            zero: with_field(logn, zero, 0),
            largest: with_field(logn, largest, Q - 1),
        }
    }
}

/// The key numbers for [`with_field`]: the smallest number of a key that contains the field 0, and
/// the smallest number of a key that contains the field q - 1.
const ZERO_LARGEST_512: [usize; 2] = [77, 33];
const ZERO_LARGEST_1024: [usize; 2] = [12, 4];

/// Returns vectors for valid keys: a second key, and two keys with edge cases.
pub fn good_keys(keys: &DegreeKeys) -> Vec<VectorGroup> {
    let main_signature = VectorMaker::new(&keys.main).sign("good keys", MESSAGE, b"").sig();
    let kinds = [
        (&keys.other, "another key", "ValidSignature"),
        (&keys.zero, "a field of the public key is 0", "PublicKeyEdge"),
        (&keys.largest, "a field of the public key is q - 1", "PublicKeyEdge"),
    ];
    let group = |(key, comment, flag): (&CraftingKey, &str, &'static str)| {
        let mut maker = VectorMaker::new(key);
        let flags = if flag == "ValidSignature" { vec![flag] } else { vec![flag, "ValidSignature"] };
        for (number, ctx) in [b"".as_slice(), b"context"].into_iter().enumerate() {
            let crafted = maker.sign(&format!("{comment} {number}"), MESSAGE, ctx);
            maker.valid(&flags, comment, pure(MESSAGE, ctx), crafted.sig());
            let mut sig = crafted.sig();
            sig[5] ^= 0x20;
            maker.invalid(
                "ModifiedNonce",
                &format!("{comment}: a bit of the nonce changed"),
                &pure(MESSAGE, ctx),
                sig,
                MISMATCH,
            );
        }
        let comment = format!("{comment}: a signature of the first key");
        maker.invalid("WrongKey", &comment, &pure(MESSAGE, b""), main_signature.clone(), MISMATCH);
        maker.group()
    };
    kinds.into_iter().map(group).collect()
}

/// Returns vectors for invalid public keys. A lenient verifier would accept the signatures, which
/// have been created from the private key and the hash of the invalid key bytes.
pub fn bad_keys(keys: &DegreeKeys) -> Vec<VectorGroup> {
    let key = &keys.main;
    let (vk, n, logn) = (&key.vk, key.n, key.logn as u8);
    let other_logn = if logn == 9 { 10 } else { 9 };
    let with_field = |key: &CraftingKey, index: usize, value: i64| {
        let mut fields = public_key_fields(&key.vk);
        fields[index] = value;
        [vec![logn], pack(&fields, 14)].concat()
    };
    let with_header = |header: u8| [&[header], &vk[1..]].concat();
    let resized = |len: usize| {
        let mut vk = vk.clone();
        vk.resize(len, 0);
        vk
    };
    let mut cases: Vec<(&'static str, String, &CraftingKey, Vec<u8>)> = vec![];

    // If a field is less than `2^14 - q`, then `field + q` also has 14 bits, and is equal modulo q.
    let values = public_key_fields(vk);
    let small: Vec<usize> = (0..n).filter(|i| values[*i] + Q < 1 << 14).collect();
    let out_of_range = "PublicKeyFieldOutOfRange";
    for (position, index) in [("first", small[0]), ("middle", small[small.len() / 2]), ("last", small[small.len() - 1])]
    {
        let comment =
            format!("q is added to field {index}, the {position} for which that is possible: the same key modulo q");
        cases.push((out_of_range, comment, key, with_field(key, index, values[index] + Q)));
    }
    let all = values.iter().map(|x| if x + Q < 1 << 14 { x + Q } else { *x }).collect::<Vec<_>>();
    let comment = "q is added to every field for which that is possible".into();
    cases.push((out_of_range, comment, key, [vec![logn], pack(&all, 14)].concat()));
    let index = public_key_fields(&keys.zero.vk).iter().position(|x| *x == 0).expect("a zero");
    let comment = format!("field {index} is q for 0: the same key modulo q");
    cases.push((out_of_range, comment, &keys.zero, with_field(&keys.zero, index, Q)));
    for (value, name) in [(Q, "q"), (Q + 1, "q + 1"), ((1 << 14) - 1, "2^14 - 1")] {
        for (position, index) in [("first", 0), ("middle", n / 2), ("last", n - 1)] {
            cases.push((out_of_range, format!("the {position} field is {name}"), key, with_field(key, index, value)));
        }
    }
    cases.push((out_of_range, "all fields are 2^14 - 1".into(), key, [vec![logn], vec![0xff; vk.len() - 1]].concat()));

    for (header, what) in [
        (0x00, "names no degree"),
        (0x01, "names the degree 2"),
        (other_logn, "is that of the other degree"),
        (8, "is that of degree 256"),
        (11, "names the degree 2048"),
        (0x10 + logn, "has the bit 10"),
        (0x20 + logn, "has the bit 20"),
        (0x30 + logn, "is that of a signature"),
        (0x50 + logn, "is that of a private key"),
        (0x80 + logn, "has the bit 80"),
        (0xff, "is ff"),
    ] {
        cases.push(("PublicKeyHeader", format!("the header {header:02x} {what}"), key, with_header(header)));
    }

    let other_len = verifying_key_len(other_logn.into());
    for (comment, vk) in [
        ("no bytes", vec![]),
        ("only the header", resized(1)),
        ("the last byte is missing", resized(vk.len() - 1)),
        ("a zero byte at the end", resized(vk.len() + 1)),
        ("the header is missing", vk[1..].to_vec()),
        ("a zero byte in front", [&[0], &vk[..]].concat()),
        ("the key twice", [&vk[..], vk].concat()),
        ("the length of the other degree", resized(other_len)),
        ("header and length of the other degree", [&[other_logn], &resized(other_len)[1..]].concat()),
        ("a DER BIT STRING of the key", [&[0x03, 0x82][..], &(vk.len() as u16 + 1).to_be_bytes(), &[0], vk].concat()),
    ] {
        cases.push(("PublicKeyLength", format!("public key: {comment}"), key, vk));
    }

    let big_endian = big_endian_key(key);
    let coefficients = [vec![logn], pack(&key.h, 14)].concat();
    let reversed = [&[logn][..], &vk[1..].iter().rev().copied().collect::<Vec<_>>()].concat();
    for (comment, vk) in [
        ("the public key as FN-DSA-2024 and Falcon encode it", big_endian),
        ("coefficients of h, not its values at the roots", coefficients),
        ("the bytes of the fields in the other order", reversed),
        ("the private key", encode_signing_key(&key.private, vk)),
    ] {
        cases.push(("PublicKeyOfOtherForm", comment.into(), key, vk));
    }
    cases.push((
        "ZeroPublicKey",
        "all fields are 0".into(),
        key,
        resized(1).into_iter().chain(vec![0; vk.len() - 1]).collect(),
    ));

    let mut groups: Vec<VectorGroup> =
        cases.into_iter().map(|(flag, comment, key, vk)| rejected_group(flag, comment, key, vk)).collect();

    // For h = 0, s1 = c - s2 h is equal to the hash c for any s2, and c is never short.
    let zero = groups.last_mut().expect("groups");
    for value in [0, 1] {
        let mut crafted = VectorMaker::new(key).sign("zero key", MESSAGE, b"");
        crafted.s2 = vec![value; n];
        let comment = format!("all fields are 0, all coefficients of s2 are {value}");
        zero.vectors.push(vector("ZeroPublicKey", comment, pure(MESSAGE, b""), crafted.sig(), &zero.vk));
    }
    groups
}

/// Returns a group of a single vector for an invalid key. The signed `mu` depends on the hash of
/// the invalid key.
fn rejected_group(flag: &'static str, comment: String, key: &CraftingKey, vk: Vec<u8>) -> VectorGroup {
    let crafted = VectorMaker::new(key).sign_mu(&comment, &mu_pure(&h(&[&vk]), b"", MESSAGE));
    let vectors = vec![vector(flag, comment, pure(MESSAGE, b""), crafted.sig(), &vk)];
    VectorGroup { vk, vectors }
}

/// Returns a vector that the reference rejects.
fn vector(flag: &'static str, comment: String, signed: SignedData, sig: Vec<u8>, vk: &[u8]) -> NegativeVector {
    let rejection = crate::rejection_reason(vk, &signed, &sig);
    assert!(rejection.is_some(), "{comment}: accepted");
    NegativeVector { flags: vec![flag], comment, signed, sig, rejection }
}
