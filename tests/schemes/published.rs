//! Tests with published keys and signatures: Falcon (NIST's known answers and falcon.py),
//! FN-DSA-2024 (crate `fn-dsa` 0.3.0, and negative vectors of this project) and falcon-rs. The last
//! test also reads keys of FN-DSA. `tests/kat/README.md` lists the sources.

use super::bits::{Bits, compressed};
use super::common::library::{TestSigner, convert_public, form, import, levels, recode, verify_message};
use super::common::{VectorCase, assert_same, cases, h, on_every_level, parallel, short, to_hex, vector_file};
use super::known::{key_pairs, nist, nist_text};
use fndsa::Options;
use fndsa::algorithm::{Degree, Scheme, SignatureEncoding};
use fndsa::error::KeyError;
use sha2::Sha256;
use sha3::{Digest, Sha3_256};

use SignatureEncoding::{Compressed, Ct, Padded};

/// The SHA-256 digests of the known-answer files in Falcon's NIST submission.
const NIST_SHA256: [(usize, &str); 2] = [
    (512, "dd75c946fdedef4ec46a2bee7e10c65c9126f1a839b9ced6921fd45f7354b5cd"),
    (1024, "036a0bf5260573cec44977284dfef756cd1143db9961b981bd1fb55828acb20d"),
];

/// Checks that the library computes the public keys from the private keys, verifies the signatures,
/// and converts them to the other encodings. The test generates no keys and no signatures, because
/// the known answers depend on NIST's random generator.
#[test]
fn nist_known_answers_are_reproduced() {
    for (n, digest) in NIST_SHA256 {
        assert_eq!(to_hex(&Sha256::digest(nist_text(n))), digest, "the file of degree {n}");
        let answers = nist(n);
        on_every_level(&answers, |level, k| {
            let what = format!("degree {n}, number {}, {level}", k.number);
            assert_same(&TestSigner::on(level, Scheme::Falcon, &k.private).verifying_key(), &k.public, &what);
            for encoding in [Compressed, Padded, Ct] {
                let Some(signature) = recode(Scheme::Falcon, &k.signature, encoding) else { continue };
                let verdict = |message: &[u8]| {
                    verify_message(level, Scheme::Falcon, &k.public, Options::default(), message, &signature)
                };
                assert_eq!(verdict(&k.message), Ok(()), "{what}, {}", encoding.name());
                assert!(verdict(&[&k.message[..], &[0]].concat()).is_err());
            }
        });
        let too_long_count: usize = parallel(answers.len(), |i| {
            let k = &answers[i];
            let what = format!("degree {n}, number {i}");
            // Each signature can be converted to any encoding. An exception is the padded encoding,
            // if the signature is too long for it.
            let encoding = fndsa::testing::signature(Scheme::Falcon, &k.signature).expect("a signature").encoding();
            assert_eq!(encoding, Compressed, "a compressed signature has the padded length by chance");
            let ct = recode(Scheme::Falcon, &k.signature, Ct).expect("constant-time encoding");
            let recoded = recode(Scheme::Falcon, &ct, Compressed).expect("compressed");
            assert_same(&recoded, &k.signature, format_args!("{what}: compressed, through constant-time"));
            match recode(Scheme::Falcon, &k.signature, Padded) {
                Some(padded) => {
                    let recoded = recode(Scheme::Falcon, &padded, Compressed).expect("compressed");
                    assert_same(&recoded, &k.signature, format_args!("{what}: compressed, through padded"));
                    let recoded = recode(Scheme::Falcon, &padded, Ct).expect("constant-time encoding");
                    assert_same(&recoded, &ct, format_args!("{what}: constant-time, through padded"));
                    let recoded = recode(Scheme::Falcon, &ct, Padded).expect("padded");
                    assert_same(&recoded, &padded, format_args!("{what}: padded, through constant-time"));
                    0
                }
                None => {
                    assert_eq!(recode(Scheme::Falcon, &ct, Padded), None, "{what}");
                    1
                }
            }
        })
        .into_iter()
        .sum();
        assert_eq!(too_long_count, usize::from(n == 1024), "signatures that are too long for the padded encoding");
    }
}

/// Checks on each level that a private key and its public key have the same key hash, which is the
/// hash H of the encoded public key.
#[test]
fn key_hashes_of_both_keys_are_equal() {
    for (n, _) in NIST_SHA256 {
        let k = &nist(n)[1];
        for level in levels() {
            let mut work = super::common::library::work(Degree::N1024);
            let key = fndsa::testing::signing_key(level, Scheme::Falcon, &k.private, &mut work).expect("a good key");
            let mut public = vec![0; k.public.len()];
            key.verifying_key_into(level, &mut public, &mut work).expect("a public key");
            assert_same(&public, &k.public, format_args!("degree {n}, {level}"));
            let key_hash = fndsa::testing::verifying_key(Scheme::Falcon, &public).expect("a good key").key_hash(level);
            assert_eq!((key.key_hash(), *key_hash.as_bytes()), (key_hash, h(&[&public])));
        }
    }
}

#[test]
fn falcon_py_signatures_verify_at_every_degree() {
    let file = vector_file("falconpy-sign.json");
    let message = file["message"].as_str().expect("text").as_bytes();
    let vectors: Vec<(Degree, VectorCase)> = Degree::all()
        .flat_map(|degree| {
            let vectors = cases(&file["vectors"], &degree.n().to_string());
            assert_eq!(vectors.len(), 4);
            vectors.into_iter().map(move |v| (degree, v))
        })
        .collect();
    on_every_level(&vectors, |level, (degree, v)| {
        let what = format!("degree {}, {level}", degree.n());
        let fg_bits = [8, 8, 8, 8, 7, 7, 6, 6, 5][degree.logn() as usize - 2];
        let key = Bits::default()
            .field(0x50 + i64::from(degree.logn()), 8)
            .fields(&v.ints("f"), fg_bits)
            .fields(&v.ints("g"), fg_bits)
            .fields(&v.ints("F"), 8)
            .bytes();
        let public = v.bytes("pk");
        let (signature, s2) = (v.bytes("sig"), v.ints("s2"));
        assert_same(&TestSigner::on(level, Scheme::Falcon, &key).verifying_key(), &public, &what);
        let verdict = verify_message(level, Scheme::Falcon, &public, Options::default(), message, &signature);
        assert_eq!(verdict, Ok(()), "{what}");
        let nonce = v.bytes("nonce");
        let logn = degree.logn() as u8;
        let ct_bits = if logn < 4 { 11 } else { 12 };
        let ct = [&[0x50 + logn], &nonce[..], &Bits::default().fields(&s2, ct_bits).bytes()].concat();
        assert_same(&recode(Scheme::Falcon, &signature, Ct).expect("an encoding"), &ct, &what);
        let compressed_signature = [&[0x30 + logn], &nonce[..], &compressed(&s2)].concat();
        assert_same(&recode(Scheme::Falcon, &ct, Compressed).expect("an encoding"), &compressed_signature, &what);
        assert_same(&recode(Scheme::Falcon, &ct, Padded).expect("an encoding"), &signature, &what);
    });
}

/// Returns the bytes that FN-DSA-2024 hashes between the nonce and the message: the hash of the
/// public key, the domain byte, the length of the context (a byte), the context, and the OID of the
/// pre-hash.
fn prefix_2024(vk: &[u8], form: Options<'_>) -> Vec<u8> {
    let domain = u8::from(form.prehash.is_some());
    let oid = form.prehash.map_or(vec![], |hash| hash.oid().to_vec());
    [&h(&[vk])[..], &[domain, form.context.len() as u8], form.context, &oid].concat()
}

/// Checks that the library computes the public keys from the private keys, and verifies the
/// signatures. The test generates no keys and no signatures.
#[test]
fn published_answers_of_2024_are_reproduced() {
    let file = vector_file("kat-b.json");
    let vectors = cases(&file, "vectors");
    assert_eq!(vectors.len(), 90);
    on_every_level(&vectors, |level, v| {
        let what = format!("degree 2^{}, number {}, {level}", v.int("logn"), v.int("j"));
        let (sk, vk, signature, context) = (v.bytes("sk"), v.bytes("vk"), v.bytes("sig"), v.bytes("ctx"));
        let form = form(v.text("hash"), &context);
        assert_same(&TestSigner::on(level, Scheme::FnDsa2024, &sk).verifying_key(), &vk, &what);
        let verdict = verify_message(level, Scheme::FnDsa2024, &vk, form, &v.bytes("hv"), &signature);
        assert_eq!(verdict, Ok(()), "{what}");
        assert_eq!(to_hex(&Sha3_256::digest([&sk[..], &vk, &signature].concat())), v.text("sha3_256_sk_vk_sig"));
        // The signature is also a valid Falcon signature, but for a different message: the bytes
        // that FN-DSA-2024 hashes after the nonce. Therefore, the documentation of
        // `SigningKeyRef::convert_into` warns against the use of a key in two schemes.
        let falcon_message = [prefix_2024(&vk, form), v.bytes("hv")].concat();
        let verdict = |message| verify_message(level, Scheme::Falcon, &vk, Options::default(), message, &signature);
        assert_eq!(verdict(&falcon_message), Ok(()), "{what}");
        assert!(verdict(&v.bytes("hv")).is_err());
    });
}

/// Checks that the library computes the public keys from the private keys, and accepts each
/// signature in its scheme. In all other schemes, the library must reject the signature for this
/// message. The test generates no keys and no signatures.
#[test]
fn every_pre_hash_and_context_of_2024_is_reproduced() {
    let file = vector_file("sign-b.json");
    let (keys, vectors) = (cases(&file, "keys"), cases(&file, "vectors"));
    assert_eq!((keys.len(), vectors.len()), (9, 178));
    let falcon_count: usize = on_every_level(&vectors, |level, v| {
        let what = format!("key {}, {}, {level}", v.int("key"), v.text("hash"));
        let key = keys.iter().find(|k| k.int("id") == v.int("key")).expect("the key");
        let (vk, signature, context) = (key.bytes("vk"), v.bytes("sig"), v.bytes("ctx"));
        assert_eq!(signature[1..41], v.bytes("nonce"));
        let is_falcon = v.text("hash") == "orig-falcon";
        let (scheme, form) = if is_falcon {
            (Scheme::Falcon, Options::default())
        } else {
            (Scheme::FnDsa2024, form(v.text("hash"), &context))
        };
        assert_same(&TestSigner::on(level, scheme, &key.bytes("sk")).verifying_key(), &vk, &what);
        assert_eq!(verify_message(level, scheme, &vk, form, &v.bytes("hv"), &signature), Ok(()), "{what}");
        for wrong_scheme in Scheme::FALCON_FAMILY.into_iter().filter(|other| *other != scheme) {
            let vk = convert_public(level, scheme, &vk, wrong_scheme);
            let verdict = verify_message(level, wrong_scheme, &vk, Options::default(), &v.bytes("hv"), &signature);
            assert!(verdict.is_err(), "{what}: accepted as {}", wrong_scheme.title());
        }
        usize::from(is_falcon)
    })
    .into_iter()
    .sum();
    assert!(short() || falcon_count == 6 * levels().len(), "{falcon_count} Falcon signatures");
}

#[test]
fn verdicts_of_2024_are_reproduced() {
    let file = vector_file("negative-b.json");
    let (vectors, private, public) = (cases(&file, "verify"), cases(&file, "sk_decode"), cases(&file, "vk_decode"));
    assert_eq!((vectors.len(), private.len(), public.len()), (137, 49, 42));
    let accepted_count: usize = on_every_level(&vectors, |level, v| {
        let context = v.bytes("ctx");
        let form = form(v.text("hash"), &context);
        let verdict = verify_message(level, Scheme::FnDsa2024, &v.bytes("vk"), form, &v.bytes("hv"), &v.bytes("sig"));
        assert_eq!(verdict.is_ok(), v.truth("valid"), "{level}, {}: {verdict:?}", v.text("name"));
        usize::from(verdict.is_ok())
    })
    .into_iter()
    .sum();
    assert!(short() || accepted_count > 10 * levels().len(), "only {accepted_count} signatures were accepted");
    on_every_level(&private, |level, v| {
        let verdict = import(level, Scheme::FnDsa2024, &v.bytes("sk"));
        assert_eq!(verdict.is_ok(), v.truth("strict_accepts"), "{level}, {}: {verdict:?}", v.text("name"));
    });
    for v in public {
        let vk = v.bytes("vk");
        let verdict = fndsa::testing::verifying_key(Scheme::FnDsa2024, &vk);
        if v.text("name").ends_with("h-zero") {
            assert_eq!(verdict, Err(KeyError::ZeroKey), "{}", v.text("name"));
        } else {
            assert_eq!(verdict.is_ok(), v.truth("reference_accepts"), "{}: {verdict:?}", v.text("name"));
        }
    }
}

#[test]
fn fixtures_of_falcon_rs_verify() {
    let file = vector_file("falcon-rs-fixtures.json");
    let vectors = cases(&file, "vectors");
    assert_eq!(vectors.len(), 6);
    on_every_level(&vectors, |level, v| {
        let (public, signature, context) = (v.bytes("pk"), v.bytes("sig_ct"), v.bytes("ctx"));
        let message = v.bytes("message");
        let message = match v.text("hash") {
            "raw" => message,
            "SHA-256" => Sha256::digest(message).to_vec(),
            _ => sha2::Sha512::digest(message).to_vec(),
        };
        for encoding in [Ct, Padded, Compressed] {
            let signature = recode(Scheme::FalconRs, &signature, encoding).expect("an encoding");
            let form = form(v.text("hash"), &context);
            let verdict = verify_message(level, Scheme::FalconRs, &public, form, &message, &signature);
            assert_eq!(verdict, Ok(()), "{level}, {}", v.text("name"));
            // The signature is also a Falcon signature of all bytes that falcon-rs hashes after the
            // nonce.
            let hashed = v.bytes("hashed_after_nonce");
            let verdict = verify_message(level, Scheme::Falcon, &public, Options::default(), &hashed, &signature);
            assert_eq!(verdict, Ok(()), "{level}, {}", v.text("name"));
            let wrong_context = Options::with_context(b"fips206-ctx-v2").with_prehash(form.prehash);
            assert!(verify_message(level, Scheme::FalconRs, &public, wrong_context, &message, &signature).is_err());
        }
    });
}

#[test]
fn keys_of_all_vectors_are_pairs() {
    for (name, list, scheme) in [
        ("kat-a.json", "vectors", Scheme::FnDsa),
        ("kat-b.json", "vectors", Scheme::FnDsa2024),
        ("sign-b.json", "keys", Scheme::Falcon),
    ] {
        on_every_level(&key_pairs(&vector_file(name), list), |level, (private, public)| {
            assert_same(
                &TestSigner::on(level, scheme, private).verifying_key(),
                public,
                format_args!("{name}, {level}"),
            );
        });
    }
}
