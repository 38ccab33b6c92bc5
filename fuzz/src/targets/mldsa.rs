//! Fuzz target for ML-DSA. It decodes given bytes as keys and signatures, or it signs with a known
//! key, and verifies after changes to the key, the context, the message or the signature.

use super::FuzzInput;
use super::common::library::{KeygenMemory, keygen, levels, recode, verify_message};
use fndsa::algorithm::{PreHash, Scheme};
use fndsa::error::KeyError;
use fndsa::message::MessageDigest;
use fndsa::no_alloc::{Level, SigningKeyRef, UnhashedMessage};
use fndsa::testing::FixedBytes;
use fndsa::{Algorithm, Options};

/// The random bytes for new signatures.
const RANDOM: [u8; 32] = [0x5a; 32];

/// Decodes given bytes, or creates a signature and changes it.
///
/// The lower bits of the first byte select the parameter set, and its highest bit selects the
/// function that will read the rest: [`check_given_bytes`] or [`check_signature`].
pub fn mldsa(data: &[u8]) {
    let mut input = FuzzInput(data);
    let selector = input.byte();
    let all: Vec<Algorithm> = Algorithm::of_scheme(Scheme::MlDsa).collect();
    let algorithm = all[usize::from(selector & 0x7f) % all.len()];
    if selector & 0x80 == 0 { check_given_bytes(algorithm, input.0) } else { check_signature(algorithm, input) }
}

/// Decodes given bytes, and checks that accepted bytes are equal to the encoding of the result.
/// Also verifies the bytes, and checks that all levels return the same verdict.
///
/// The bytes are decoded as a public key, as a signature and as the expanded form of a private key.
/// For the verification, the bytes are split into a public key, a signature and a message.
fn check_given_bytes(algorithm: Algorithm, data: &[u8]) {
    let level = Level::detect();
    let mut work = vec![0xa5; algorithm.sign_work_len().max(algorithm.import_work_len())];
    if let Ok(key) = fndsa::testing::verifying_key(Scheme::MlDsa, data) {
        assert!(key.as_bytes() == data && key.algorithm().verifying_key_len() == data.len());
    }
    if let Ok(signature) = fndsa::testing::signature(Scheme::MlDsa, data) {
        assert!(signature.as_bytes() == data && signature.algorithm().signature_len() == data.len());
        assert_eq!(recode(Scheme::MlDsa, data, signature.encoding()).as_deref(), Some(data));
    }
    match fndsa::testing::signing_key(level, Scheme::MlDsa, data, &mut work) {
        Ok(key) => check_expanded_form(&key, data),
        Err(KeyError::Work(e)) => assert!(data.len() > algorithm.expanded_form_len().unwrap_or(0), "{e}"),
        Err(_) => (),
    }
    let mut input = FuzzInput(data);
    let public = input.take(algorithm.verifying_key_len());
    let signature = input.take(algorithm.signature_len());
    let verdicts: Vec<_> = levels()
        .into_iter()
        .map(|level| verify_message(level, Scheme::MlDsa, public, Options::default(), input.0, signature))
        .collect();
    assert!(verdicts.iter().all(|verdict| *verdict == verdicts[0]), "{verdicts:?}");
}

/// Checks that an accepted expanded form of a private key is encoded to equal bytes, and that it
/// contains the hash of its public key.
fn check_expanded_form(key: &SigningKeyRef<'_>, data: &[u8]) {
    let level = Level::detect();
    let algorithm = key.algorithm();
    let mut work = vec![0xa5; algorithm.import_work_len()];
    let mut form = vec![0xa5; data.len()];
    key.expanded_form_into(level, &mut form, &mut work).expect("memory");
    assert!(key.as_bytes() == data && form == data);
    let mut public = vec![0xa5; algorithm.verifying_key_len()];
    let public = key.verifying_key_into(level, &mut public, &mut work).expect("a public key");
    assert_eq!(public.key_hash(level), key.key_hash());
}

/// Signs a message with a key from a seed. Signing may fail only if the options are invalid. Checks
/// that the signature is valid, that the key's expanded form makes an equal signature, and that the
/// verifier rejects the signature after any change.
///
/// Layout:
///
/// - in a byte each: the seed (32 times this byte), the level and the pre-hash
/// - the context, after its length in a byte
/// - the message, after its length in a byte
/// - changes of 5 bytes: the first byte selects the part to change, and the rest defines the edit
///   ([`FuzzInput::edit`])
fn check_signature(algorithm: Algorithm, mut input: FuzzInput<'_>) {
    let seed = [input.byte(); 32];
    let level = input.one_of(&levels());
    let mut hashes: Vec<_> = PreHash::all().map(Some).collect();
    hashes.resize(2 * hashes.len(), None);
    let prehash = input.one_of(&hashes);
    let len = input.byte();
    let context = input.take(len.into()).to_vec();
    let len = input.byte();
    let mut message = input.take(len.into()).to_vec();
    if let Some(hash) = prehash {
        message.resize(hash.digest_len(), 0);
    }
    let (_, public) = keygen(level, algorithm, &seed, KeygenMemory::Least);
    let mut work = vec![0xa5; algorithm.sign_fast_work_len().max(algorithm.import_fast_work_len())];
    let key = SigningKeyRef::from_seed(level, algorithm, &seed, &mut work).expect("a key");
    let form = Options::with_context(&context).with_prehash(prehash).with_weak_prehash(true);
    let mut signature = vec![0xa5; algorithm.signature_len()];
    let digest = prehash.map(|hash| MessageDigest::new(hash, &message).expect("the length of a digest"));
    let rng = &mut FixedBytes(&RANDOM);
    let result = match &digest {
        None => key.sign_message(level, form, &message, rng, &mut signature, &mut work),
        Some(digest) => {
            let message = UnhashedMessage::digest(form, digest).expect("the same pre-hash");
            key.sign_unhashed(level, message, rng, &mut signature, &mut work)
        }
    };
    if result.is_err() {
        assert!(form.check(algorithm).is_err() && signature.iter().all(|byte| *byte == 0), "{result:?}");
        return;
    }
    assert_eq!(verify_message(level, Scheme::MlDsa, &public, form, &message, &signature), Ok(()));

    let mut bytes = vec![0xa5; algorithm.expanded_form_len().expect("ML-DSA has an expanded form")];
    key.expanded_form_into(level, &mut bytes, &mut work).expect("memory");
    let expanded = fndsa::testing::signing_key(level, Scheme::MlDsa, &bytes, &mut work).expect("a good key");
    let mut form_signature = vec![0xa5; signature.len()];
    let rng = &mut FixedBytes(&RANDOM);
    let result = match &digest {
        None => expanded.sign_message(level, form, &message, rng, &mut form_signature, &mut work),
        Some(digest) => {
            let message = UnhashedMessage::digest(form, digest).expect("the same pre-hash");
            expanded.sign_unhashed(level, message, rng, &mut form_signature, &mut work)
        }
    };
    result.expect("a signature");
    assert!(form_signature == signature, "the expanded form makes a different signature");

    let mut changed = (public.clone(), context.clone(), message.clone(), signature.clone());
    while !input.0.is_empty() {
        match input.byte() % 8 {
            0 => input.edit(&mut changed.0),
            1 => input.edit(&mut changed.1),
            2 => input.edit(&mut changed.2),
            _ => input.edit(&mut changed.3),
        }
    }
    let form = Options::with_context(&changed.1).with_prehash(prehash).with_weak_prehash(true);
    let verdict = verify_message(level, Scheme::MlDsa, &changed.0, form, &changed.2, &changed.3);
    let is_same = changed.0 == public && changed.1 == context && changed.2 == message && changed.3 == signature;
    assert_eq!(verdict.is_ok(), is_same, "{verdict:?}");
}
