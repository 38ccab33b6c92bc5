//! Fuzz targets for the Falcon family: verification of given or changed data, comparison of two
//! levels, and signing.

use super::FuzzInput;
use super::common::library::{
    KeygenMemory, TestSigner, VerifyRejection, degree, fn_dsa, import, keygen, levels as all_levels, recode, to_sign,
    to_verify, verify_message,
};
use super::common::{RandomStream, to_hex};
use fndsa::algorithm::{PreHash, Scheme, SignatureEncoding};
use fndsa::no_alloc::{Attempt, Level};
use fndsa::testing::FixedBytes;
use fndsa::{Algorithm, Options};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// The schemes that can sign.
pub(super) const SCHEMES: [Scheme; 3] = [Scheme::FnDsa, Scheme::Falcon, Scheme::FnDsa2024];
/// The maximum number of attempts for a signature. An attempt needs a nonce and a seed, with 40
/// bytes each.
const ATTEMPTS: usize = 27;
/// The message that [`good_signature`] signs.
pub(super) const MESSAGE: &[u8] = b"a message that was signed";
/// The context of [`MESSAGE`], in schemes that have a context.
const CONTEXT: &[u8] = b"context";

/// Returns pseudo-random bytes for [`ATTEMPTS`] attempts: first the nonces, then the seeds.
fn random(seed: &[u8]) -> Vec<u8> {
    RandomStream::new(&to_hex(seed), 0).bytes::<{ 80 * ATTEMPTS }>().to_vec()
}

/// Returns the fixed key pair of degree 512 for the scheme: (private key, public key).
pub(super) fn real_keys(scheme: Scheme) -> &'static (Vec<u8>, Vec<u8>) {
    static ALL: OnceLock<Vec<(Vec<u8>, Vec<u8>)>> = OnceLock::new();
    let all = ALL.get_or_init(|| {
        let algorithms = SCHEMES.map(|scheme| Algorithm::at_degree(scheme, degree(9)).expect("an algorithm"));
        algorithms.map(|algorithm| keygen(Level::detect(), algorithm, &[9; 32], KeygenMemory::Most)).to_vec()
    });
    &all[SCHEMES.iter().position(|it| *it == scheme).expect("a scheme that signs")]
}

/// Returns the context, or no bytes if the scheme has no context.
pub(super) fn context_of(scheme: Scheme) -> &'static [u8] {
    if scheme.has_context() { CONTEXT } else { b"" }
}

/// Returns a valid padded signature for [`MESSAGE`] by [`real_keys`].
pub(super) fn good_signature(scheme: Scheme) -> &'static [u8] {
    static ALL: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    let all = ALL.get_or_init(|| {
        let sign = |scheme| {
            let form = Options::with_context(context_of(scheme));
            let mut signer = TestSigner::new(scheme, &real_keys(scheme).0);
            signer.sign_message(Level::detect(), form, MESSAGE, ATTEMPTS, &random(b"good")).expect("a signature")
        };
        SCHEMES.map(sign).to_vec()
    });
    &all[SCHEMES.iter().position(|it| *it == scheme).expect("a scheme that signs")]
}

/// Verifies a key, message and signature from the input, or a valid signature after changes. This
/// is the fuzz target `verify`.
///
/// The first byte is the selector. Its lower bits select the scheme. Its highest bit selects the
/// function that reads the rest: [`verify_given`] if the bit is 0, and otherwise
/// [`verify_changed`].
pub fn verify(data: &[u8]) {
    let mut input = FuzzInput(data);
    let selector = input.byte();
    if selector & 0x80 == 0 { verify_given(selector, input) } else { verify_changed(selector, input) }
}

/// Verifies given bytes, and checks that the public key and the expanded public key return the same
/// verdict.
///
/// Layout:
///
/// - the pre-hash in a byte, if the selector has bit 2 (value 4)
/// - the context length in a byte, and the signature length in two bytes
/// - the public key, with the length that its first byte implies
/// - the signature, the context and the message
fn verify_given(selector: u8, mut input: FuzzInput<'_>) {
    let level = Level::detect();
    let scheme = Scheme::FALCON_FAMILY[usize::from(selector & 3)];
    let prehash = (selector & 4 != 0).then(|| input.one_of(&PreHash::all().collect::<Vec<_>>()));
    let (context_len, signature_len) = (input.byte(), input.u16());
    let logn = input.0.first().map_or(0, |first| first & 15);
    let key_len =
        fndsa::algorithm::Degree::from_logn(u32::from(logn)).map_or(1, |degree| fn_dsa(degree).verifying_key_len());
    let (vk, signature) = (input.take(key_len), input.take(signature_len));
    let (context, message) = (input.take(context_len.into()), input.0);
    let form = Options::with_context(context).with_prehash(prehash);
    let verdict = verify_message(level, scheme, vk, form, message, signature);
    let Ok(key) = fndsa::testing::verifying_key(scheme, vk) else { return assert!(verdict.is_err()) };
    let hashed = to_verify(level, key.algorithm(), &key.key_hash(level), form, message, signature);
    let expanded = hashed.map_err(VerifyRejection::Message).and_then(|hashed| {
        let mut work = vec![0; key.algorithm().verify_work_len()];
        key.expand(level).verify(&hashed, signature, &mut work).map_err(VerifyRejection::Signature)
    });
    assert_eq!(expanded, verdict);
}

/// Verifies a valid signature after changes to the key, message, context or signature. The verdict
/// should be YES if and only if the values are unchanged. A different encoding of the same
/// signature does not count as a change. The degree is 512, because a changed signature of a toy
/// degree (a small degree for tests) could be valid by chance.
///
/// Layout: the encoding in a byte, and then changes of 5 bytes. The first byte of a change selects
/// the part to change, and the rest defines the edit ([`FuzzInput::edit`]).
fn verify_changed(selector: u8, mut input: FuzzInput<'_>) {
    let scheme = SCHEMES[usize::from(selector) % SCHEMES.len()];
    let good = (good_signature(scheme), &real_keys(scheme).1[..]);
    let encoding = input.one_of(scheme.encodings());
    let Some(mut signature) = recode(scheme, good.0, encoding) else { return };
    let (mut vk, mut message, mut context) = (good.1.to_vec(), MESSAGE.to_vec(), context_of(scheme).to_vec());
    while !input.0.is_empty() {
        match input.byte() % 8 {
            0 => input.edit(&mut vk),
            1 => input.edit(&mut message),
            2 => input.edit(&mut context),
            _ => input.edit(&mut signature),
        }
    }
    // A different encoding of the same signature is also valid.
    let padded = fndsa::testing::signature(scheme, &signature).ok();
    let padded = padded.and_then(|_| recode(scheme, &signature, SignatureEncoding::Padded));
    let is_unchanged =
        padded.as_deref() == Some(good.0) && vk == good.1 && message == MESSAGE && context == context_of(scheme);
    let form = Options::with_context(&context);
    let verdict = verify_message(Level::detect(), scheme, &vk, form, &message, &signature);
    assert_eq!(verdict.is_ok(), is_unchanged, "{verdict:?}");
}

/// Reads a degree, a scheme and a key number from a byte each, and returns the algorithm and the
/// number. In the first byte, only the value 15 selects degree 512. All other values select a toy
/// degree, because operations at toy degrees take a hundredth of the time.
fn some_algorithm(input: &mut FuzzInput<'_>) -> (Algorithm, u8) {
    let logn = match input.byte() {
        15 => 9,
        other => 2 + usize::from(other) % 5,
    };
    (Algorithm::at_degree(input.one_of(&SCHEMES), degree(logn)).expect("an algorithm"), input.byte())
}

/// Returns the key pair with this number: (private key, public key). For degree 512, there is only
/// one key pair for each scheme.
fn some_keys(algorithm: Algorithm, number: u8) -> (Vec<u8>, Vec<u8>) {
    type KeyCache = BTreeMap<(String, u8), (Vec<u8>, Vec<u8>)>;
    thread_local! {
        static KEYS: RefCell<KeyCache> = const { RefCell::new(BTreeMap::new()) };
    }
    if !algorithm.is_toy() {
        return real_keys(algorithm.scheme()).clone();
    }
    KEYS.with_borrow_mut(|keys| {
        let make = || keygen(Level::detect(), algorithm, &[number; 32], KeygenMemory::Least);
        keys.entry((algorithm.to_string(), number)).or_insert_with(make).clone()
    })
}

/// Reads a byte to choose the level (instruction set) that will be compared with the fastest level.
/// The emulated level is chosen rarely, because it needs ten times as long.
fn some_level(input: &mut FuzzInput<'_>) -> Level {
    let mut choices = all_levels();
    choices.retain(|level| ![Level::EMULATED, Level::detect()].contains(level));
    choices = choices.repeat(5);
    choices.push(Level::EMULATED);
    input.one_of(&choices)
}

/// Compares a level with the fastest level. Both should generate the same key from a seed and the
/// same signature for a message, and agree on whether to accept a changed private key and a changed
/// signature. This is the fuzz target `levels`.
///
/// Layout:
///
/// - the level, the degree, the scheme and the key's number, in a byte each
/// - a byte: if it is 0 and the degree is a toy degree, the next 8 bytes are the seed of a new key
/// - the message, after its length in a byte
/// - changes of 5 bytes: the first byte selects the private key or the signature, and the rest
///   defines the edit ([`FuzzInput::edit`])
pub fn levels(data: &[u8]) {
    let mut input = FuzzInput(data);
    let levels = [Level::detect(), some_level(&mut input)];
    let (algorithm, number) = some_algorithm(&mut input);
    let scheme = algorithm.scheme();
    let seed = (input.byte() == 0 && algorithm.is_toy()).then(|| {
        let mut seed = [number; 32];
        let seed_bytes = input.take(8);
        seed[..seed_bytes.len()].copy_from_slice(seed_bytes);
        seed
    });
    let len = input.byte();
    let message = input.take(len.into());
    let random = random(message);
    let form = Options::default();
    let mut changed = None;
    let mut first = None;
    for level in levels {
        let (sk, vk) = match &seed {
            Some(seed) => keygen(level, algorithm, seed, KeygenMemory::Most),
            None => some_keys(algorithm, number),
        };
        let signature = TestSigner::on(level, scheme, &sk).sign_message(level, form, message, ATTEMPTS, &random).ok();
        let (changed_sk, changed_signature) = changed.get_or_insert_with(|| {
            let mut changed = (sk.clone(), signature.clone().unwrap_or_default());
            while !input.0.is_empty() {
                if input.byte() % 2 == 0 { input.edit(&mut changed.0) } else { input.edit(&mut changed.1) }
            }
            changed
        });
        let verdicts =
            (import(level, scheme, changed_sk), verify_message(level, scheme, &vk, form, message, changed_signature));
        let all = (sk, vk, signature, verdicts);
        assert!(*first.get_or_insert_with(|| all.clone()) == all, "{algorithm}: {level} differs from {}", levels[0]);
    }
}

/// Signs a message. Signing may fail only if the scheme does not support the context or the
/// pre-hash. Checks that the signature is valid for this message but not for a different message,
/// and that the expanded key makes an equal signature. This is the fuzz target `sign_verify`.
///
/// Layout:
///
/// - the degree, the scheme, the key's number and the pre-hash, in a byte each
/// - the context, after its length in a byte
/// - the message
pub fn sign_verify(data: &[u8]) {
    let level = Level::detect();
    let mut input = FuzzInput(data);
    let (algorithm, number) = some_algorithm(&mut input);
    let scheme = algorithm.scheme();
    let (sk, vk) = some_keys(algorithm, number);
    let mut hashes: Vec<_> = PreHash::all().map(Some).collect();
    hashes.resize(2 * hashes.len(), None);
    let prehash = input.one_of(&hashes);
    let len = input.byte();
    let form = Options::with_context(input.take(len.into())).with_prehash(prehash);
    let mut message = input.0.to_vec();
    if let Some(hash) = prehash {
        message.resize(hash.digest_len(), 0);
    }
    let random = random(data);
    let mut signer = TestSigner::new(scheme, &sk);
    let result = signer.sign_message(level, form, &message, ATTEMPTS, &random);
    let Ok(signature) = result else { return assert!(form.check(algorithm).is_err(), "{result:?}") };
    assert_eq!(verify_message(level, scheme, &vk, form, &message, &signature), Ok(()));

    let hash = signer.key_hash();
    let expanded = signer.with(|key, work| key.expand(level, work)).expect("enough memory");
    let mut rng = FixedBytes(&random);
    let mut attempts = [const { Attempt::EMPTY }; ATTEMPTS];
    let hashed = to_sign(level, scheme, &hash, form, &message, &mut attempts, &mut rng)
        .expect("the same message can be hashed again");
    let (mut expanded_signature, mut work) = (vec![0; signature.len()], vec![0; algorithm.sign_expanded_work_len()]);
    expanded.sign(hashed, &mut rng, &mut expanded_signature, &mut work).expect("a signature");
    assert!(expanded_signature == signature, "the expanded key makes a different signature");

    // If the degree is less than 16, the signature could be valid for a different message by
    // chance.
    if algorithm.degree().expect("a degree").n() >= 16 {
        match message.last_mut() {
            Some(last) => *last ^= 1,
            None => message.push(0),
        }
        let verdict = verify_message(level, scheme, &vk, form, &message, &signature);
        assert!(matches!(verdict, Err(VerifyRejection::Signature(_))), "{verdict:?}");
    }
}
