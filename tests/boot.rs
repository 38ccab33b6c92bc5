//! Tests verification with a key that is a constant in the program. The key must accept published
//! signatures, and reject data without a valid signature.

mod common;

use common::library::prehash;
use common::{cases, vector_file};
use fndsa::Options;
use fndsa::algorithm::{PreHash, Scheme};
use fndsa::error::MessageError;
use fndsa::error::VerifyError;
use fndsa::message::MessageDigest;
use fndsa::no_alloc::{
    FnDsa512Key, FnDsa1024Key, Level, MlDsa44Key, MlDsa65Key, MlDsa87Key, StaticAlgorithm, StaticVerifyingKey, Verified,
};

/// The FN-DSA key and the signature for the test images in `firmware/`.
static KEY: FnDsa512Key = FnDsa512Key::new(*include_bytes!("../firmware/data/boot.pub"));
const SIGNATURE: [u8; 666] = *include_bytes!("../firmware/data/boot.sig");

/// The ML-DSA keys and signatures for these test images.
static MLDSA_44: MlDsa44Key = MlDsa44Key::new(*include_bytes!("../firmware/data/boot-ml-dsa-44.pub"));
static MLDSA_65: MlDsa65Key = MlDsa65Key::new(*include_bytes!("../firmware/data/boot-ml-dsa-65.pub"));
static MLDSA_87: MlDsa87Key = MlDsa87Key::new(*include_bytes!("../firmware/data/boot-ml-dsa-87.pub"));
const SIGNATURE_44: [u8; 2420] = *include_bytes!("../firmware/data/boot-ml-dsa-44.sig");
const SIGNATURE_65: [u8; 3309] = *include_bytes!("../firmware/data/boot-ml-dsa-65.sig");
const SIGNATURE_87: [u8; 4627] = *include_bytes!("../firmware/data/boot-ml-dsa-87.sig");

/// Returns the content of the test image, which all signatures above sign.
fn application() -> Vec<u8> {
    (0..32usize << 10).map(|i| (i + i / 256) as u8).collect()
}

/// Passes a message to the verifier in pieces of `piece` bytes, and returns the verdict.
fn verdict_on_pieces<A: StaticAlgorithm, const LEN: usize>(
    key: &StaticVerifyingKey<A, LEN>,
    form: Options<'_>,
    message: &[u8],
    piece: usize,
    signature: &[u8],
) -> Result<(), VerifyError> {
    let mut image = match form.prehash {
        None => {
            let mut image = key.verifier(form).map_err(VerifyError::Message)?;
            message.chunks(piece).for_each(|piece| image.update(piece));
            image
        }
        Some(hash) => {
            let not_hashed = key.verifier(form).map(drop);
            assert_eq!(not_hashed, Err(MessageError::NotHashed { hash }));
            let digest = MessageDigest::new(hash, message).map_err(VerifyError::Message)?;
            key.digest_verifier(form, &digest).map_err(VerifyError::Message)?
        }
    };
    let mut work = A::WORK;
    let verified = image.finish(signature, &mut work)?;
    assert_eq!(verified.value(), Verified::YES);
    assert_eq!(image.finish(signature, &mut work), Err(VerifyError::OtherMessage), "the second call of `finish`");
    Ok(())
}

#[test]
fn the_compiler_hashes_the_key() {
    let level = Level::detect();
    let key = fndsa::testing::verifying_key(Scheme::FnDsa, KEY.as_bytes()).expect("a good key");
    assert_eq!(KEY.key_hash(), key.key_hash(level));
    let hash = |public| fndsa::testing::verifying_key(Scheme::MlDsa, public).expect("a good key").key_hash(level);
    assert_eq!(MLDSA_44.key_hash(), hash(MLDSA_44.as_bytes()));
    assert_eq!(MLDSA_65.key_hash(), hash(MLDSA_65.as_bytes()));
    assert_eq!(MLDSA_87.key_hash(), hash(MLDSA_87.as_bytes()));
}

/// Checks that a program can pass an image to the verifier in pieces (pages) of any length. Also
/// checks that the key rejects a changed image, context, pre-hash or signature, and that a changed
/// key rejects the signature.
#[test]
fn pages_may_have_any_length_and_the_content_must_match() {
    let image = application();
    for piece in [1, 7, 136, 256, 4096, image.len()] {
        assert_eq!(verdict_on_pieces(&KEY, Options::default(), &image, piece, &SIGNATURE), Ok(()), "{piece}");
    }
    let rejection_of = |form, message: &[u8], signature: &[u8]| {
        let found = verdict_on_pieces(&KEY, form, message, 256, signature);
        assert!(found.is_err(), "{form:?}");
        found
    };
    let mismatch = Err(VerifyError::Mismatch);
    assert_eq!(rejection_of(Options::default(), &image[1..], &SIGNATURE), mismatch);
    assert_eq!(rejection_of(Options::with_context(b"x"), &image, &SIGNATURE), mismatch);
    let prehash = Some(PreHash::Sha256);
    assert_eq!(rejection_of(Options::default().with_prehash(prehash), &image[..32], &SIGNATURE), mismatch);
    let short = MessageError::DigestLen { expected: 32, found: 31 };
    assert_eq!(
        rejection_of(Options::default().with_prehash(prehash), &image[..31], &SIGNATURE),
        Err(VerifyError::Message(short))
    );
    let context_error = MessageError::ContextLen { found: 256 };
    assert_eq!(
        rejection_of(Options::with_context(&[0; 256]), &image, &SIGNATURE),
        Err(VerifyError::Message(context_error))
    );
    let length_error = VerifyError::Length { expected: 666, found: 665 };
    assert_eq!(rejection_of(Options::default(), &image, &SIGNATURE[..665]), Err(length_error));
    assert!(rejection_of(Options::default(), &image, &[]).is_err());
    let mut changed_key = *KEY.as_bytes();
    changed_key[100] ^= 1;
    assert!(verdict_on_pieces(&FnDsa512Key::new(changed_key), Options::default(), &image, 256, &SIGNATURE).is_err());
}

#[test]
fn a_flipped_bit_in_the_signature_is_rejected() {
    let image = &application();
    for bit in 0..8 * SIGNATURE.len() {
        let mut changed = SIGNATURE;
        changed[bit / 8] ^= 1 << (bit % 8);
        assert!(verdict_on_pieces(&KEY, Options::default(), image, 4096, &changed).is_err(), "bit {bit}");
    }
}

/// Checks that constant keys accept the published signatures at degrees 512 and 1024, with their
/// contexts and pre-hashes.
#[test]
fn published_signatures_are_accepted_by_constant_keys() {
    let file = vector_file("sign-a.json");
    let (keys, vectors) = (cases(&file, "keys"), cases(&file, "vectors"));
    // The numbers of signatures at degrees 512 and 1024.
    let mut signature_counts = [0; 2];
    for v in &vectors {
        let key = keys.iter().find(|k| k.int("id") == v.int("key")).expect("the key");
        let (vk, context, message, signature) = (key.bytes("vk"), v.bytes("ctx"), v.bytes("hv"), v.bytes("sig"));
        let prehash = match v.text("hash") {
            "extmu" => continue,
            "raw" => None,
            name => Some(prehash(name)),
        };
        let form = Options::with_context(&context).with_prehash(prehash);
        let found = match vk.len() {
            897 => verdict_on_pieces(
                &FnDsa512Key::new(vk.try_into().expect("its length")),
                form,
                &message,
                100,
                &signature,
            ),
            1793 => verdict_on_pieces(
                &FnDsa1024Key::new(vk.try_into().expect("its length")),
                form,
                &message,
                100,
                &signature,
            ),
            _ => continue,
        };
        assert_eq!(found, Ok(()));
        signature_counts[usize::from(signature.len() > 666)] += 1;
    }
    assert!(signature_counts[0] > 0 && signature_counts[1] > 0, "{signature_counts:?}");
}

/// Checks that a key accepts its signature of the image, in pieces of any length, and rejects
/// changed images and changed signatures.
fn assert_accepts_only_its_image<A: StaticAlgorithm, const LEN: usize>(
    key: &StaticVerifyingKey<A, LEN>,
    signature: &[u8],
) {
    let image = application();
    let plain = Options::default();
    for piece in [1, 137, 4096, image.len()] {
        assert_eq!(verdict_on_pieces(key, plain, &image, piece, signature), Ok(()), "{piece}");
    }
    let mismatch = Err(VerifyError::Mismatch);
    assert_eq!(verdict_on_pieces(key, plain, &image[1..], 256, signature), mismatch);
    assert_eq!(verdict_on_pieces(key, Options::with_context(b"x"), &image, 256, signature), mismatch);
    let prehash = plain.with_prehash(Some(PreHash::Sha512));
    assert_eq!(verdict_on_pieces(key, prehash, &image[..64], 256, signature), mismatch);
    let short = VerifyError::Message(MessageError::DigestLen { expected: 64, found: 63 });
    assert_eq!(verdict_on_pieces(key, prehash, &image[..63], 256, signature), Err(short));
    let context_error = VerifyError::Message(MessageError::ContextLen { found: 256 });
    assert_eq!(verdict_on_pieces(key, Options::with_context(&[0; 256]), &image, 256, signature), Err(context_error));
    let length_error = VerifyError::Length { expected: signature.len(), found: signature.len() - 1 };
    assert_eq!(verdict_on_pieces(key, plain, &image, 256, &signature[1..]), Err(length_error));
    let empty = VerifyError::Length { expected: signature.len(), found: 0 };
    assert_eq!(verdict_on_pieces(key, plain, &image, 256, &[]), Err(empty));
    // Change a bit in the signature's last byte and in every 97th byte. The changes affect all
    // three parts: the challenge, the vector z and the hint.
    for byte in (0..signature.len()).step_by(97).chain([signature.len() - 1]) {
        let mut changed = signature.to_vec();
        changed[byte] ^= 1 << (byte % 8);
        assert!(verdict_on_pieces(key, plain, &image, 4096, &changed).is_err(), "byte {byte}");
    }
    let mut changed_key = *key.as_bytes();
    changed_key[100] ^= 1;
    let changed_key = StaticVerifyingKey::<A, LEN>::new(changed_key);
    assert_eq!(verdict_on_pieces(&changed_key, plain, &image, 256, signature), mismatch);
}

#[test]
fn keys_of_ml_dsa_accept_only_their_image() {
    assert_accepts_only_its_image(&MLDSA_44, &SIGNATURE_44);
    assert_accepts_only_its_image(&MLDSA_65, &SIGNATURE_65);
    assert_accepts_only_its_image(&MLDSA_87, &SIGNATURE_87);
}

/// Verifies an FN-DSA and an ML-DSA signature of the image in one pass: each page goes to both
/// verifiers.
#[test]
fn two_signatures_are_verified_in_one_pass() {
    let image = application();
    let (mut first, mut second) =
        (KEY.verifier(Options::default()).unwrap(), MLDSA_44.verifier(Options::default()).unwrap());
    for page in image.chunks(256) {
        first.update(page);
        second.update(page);
    }
    assert_eq!(first.finish(&SIGNATURE, &mut [0; 512]).map(Verified::value), Ok(Verified::YES));
    assert_eq!(second.finish(&SIGNATURE_44, &mut [0; 384]).map(Verified::value), Ok(Verified::YES));
}

/// Creates a key with the type for constant ML-DSA keys from the bytes `public`, and returns
/// whether the key accepts a signature. `set` is the parameter set, and `form` contains the context
/// and the pre-hash. Returns false if the key has a wrong length.
fn key_accepts(set: &str, public: Vec<u8>, form: Options<'_>, message: &[u8], signature: &[u8]) -> bool {
    let verdict = match set {
        "44" => {
            public.try_into().map(|key| verdict_on_pieces(&MlDsa44Key::new(key), form, message, 100, signature).is_ok())
        }
        "65" => {
            public.try_into().map(|key| verdict_on_pieces(&MlDsa65Key::new(key), form, message, 100, signature).is_ok())
        }
        _ => {
            public.try_into().map(|key| verdict_on_pieces(&MlDsa87Key::new(key), form, message, 100, signature).is_ok())
        }
    };
    verdict.unwrap_or(false)
}

/// Checks that constant ML-DSA keys give the expected verdicts for the vectors of Wycheproof, and
/// for the negative vectors of this project.
#[test]
fn constant_keys_give_the_published_verdicts_of_ml_dsa() {
    // The numbers of rejected and accepted vectors.
    let mut verdict_counts = [0; 2];
    for set in ["44", "65", "87"] {
        for (name, list) in [("wycheproof", "groups"), ("negative", "testGroups")] {
            let file = vector_file(&format!("ml-dsa/{name}-{set}-verify.json"));
            for group in cases(&file, list) {
                for test in group.cases("tests") {
                    let context = test.optional("ctx").map_or_else(Vec::new, common::hex);
                    let form = Options::with_context(&context);
                    let found =
                        key_accepts(set, group.bytes("publicKey"), form, &test.bytes("msg"), &test.bytes("sig"));
                    let expected = test.text("result") == "valid";
                    assert_eq!(found, expected, "{name} {set} {}: {}", test.int("tcId"), test.text("comment"));
                    verdict_counts[usize::from(expected)] += 1;
                }
            }
        }
    }
    assert_eq!(verdict_counts[0] + verdict_counts[1], 137 + 553);
    assert!(verdict_counts[1] > 100, "{verdict_counts:?}");
}
