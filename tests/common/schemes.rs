//! Functions for `tests/peers.rs` that call the library's API for all schemes of the Falcon family.
//! Unlike the functions in `library`, these functions choose the level themselves.

use crate::common::RandomStream;
use crate::common::library::{degree, levels, to_sign, to_verify, work};
use crate::peers::{FalconForm, FalconPeer};
use fndsa::Algorithm;
use fndsa::algorithm::{Degree, Scheme, SignatureEncoding};
use fndsa::error::KeyError;
use fndsa::no_alloc::{Attempt, Level, SigningKeyRef};
use fndsa::testing::FixedBytes;

/// The options for a signature: the context and the pre-hash.
pub type SignatureOptions<'a> = fndsa::Options<'a>;

/// No context and no pre-hash.
pub const PLAIN: SignatureOptions = SignatureOptions::with_context(b"");

/// Chooses a random level (instruction set) that this CPU supports.
fn some_level(random: &mut RandomStream) -> Level {
    let levels = levels();
    levels[random.below(levels.len())]
}

/// Generates a key pair: (private, public).
pub fn keygen(scheme: Scheme, logn: u32, random: &mut RandomStream) -> (Vec<u8>, Vec<u8>) {
    let algorithm = Algorithm::at_degree(scheme, degree(logn as usize)).expect("an algorithm");
    let (mut sk, mut vk) = (vec![0; algorithm.signing_key_len()], vec![0; algorithm.verifying_key_len()]);
    let (seed, mut work) = (random.bytes::<32>(), vec![0; algorithm.keygen_fast_work_len()]);
    SigningKeyRef::generate(some_level(random), algorithm, &mut FixedBytes(&seed), &mut sk, &mut vk, &mut work)
        .expect("a pair of keys");
    (sk, vk)
}

/// Computes the public key from a private key.
pub fn public(scheme: Scheme, sk: &[u8], random: &mut RandomStream) -> Result<Vec<u8>, KeyError> {
    let (level, mut work) = (some_level(random), work(Degree::N1024));
    let key = fndsa::testing::signing_key(level, scheme, sk, &mut work)?;
    let mut vk = vec![0; key.algorithm().verifying_key_len()];
    key.verifying_key_into(level, &mut vk, &mut work)?;
    Ok(vk)
}

/// Converts a private key and its public key to a different scheme: (private, public).
pub fn convert(from: Scheme, to: Scheme, sk: &[u8], vk: &[u8], random: &mut RandomStream) -> (Vec<u8>, Vec<u8>) {
    let (level, mut work) = (some_level(random), work(Degree::N1024));
    let private = fndsa::testing::signing_key(level, from, sk, &mut work).expect("a private key");
    let algorithm = Algorithm::at_degree(to, private.algorithm().degree().expect("a degree")).expect("an algorithm");
    let (mut new_sk, mut new_vk) = (vec![0; algorithm.signing_key_len()], vec![0; algorithm.verifying_key_len()]);
    private.convert_into(level, to, &mut new_sk, &mut work).expect("a private key");
    let public = fndsa::testing::verifying_key(from, vk).expect("a public key");
    public.convert_into(level, to, &mut new_vk, &mut work).expect("a public key");
    (new_sk, new_vk)
}

/// Signs in the padded encoding. With a pre-hash, `message` is the digest.
pub fn sign(
    scheme: Scheme,
    sk: &[u8],
    options: SignatureOptions,
    message: &[u8],
    random: &mut RandomStream,
) -> Vec<u8> {
    let (level, mut work) = (some_level(random), work(Degree::N1024));
    let key = fndsa::testing::signing_key(level, scheme, sk, &mut work).expect("a private key");
    let mut attempts = [const { Attempt::EMPTY }; 4];
    let random_bytes: [u8; 200] = random.bytes();
    let mut rng = FixedBytes(&random_bytes);
    let message = to_sign(level, scheme, &key.key_hash(), options, message, &mut attempts, &mut rng);
    let message = message.expect("a form of the scheme");
    let mut signature = vec![0; key.algorithm().signature_len()];
    key.sign(level, message, &mut rng, &mut signature, &mut work).expect("a signature");
    signature
}

/// Verifies a signature and returns its encoding.
pub fn verify(
    scheme: Scheme,
    vk: &[u8],
    options: SignatureOptions,
    message: &[u8],
    signature: &[u8],
) -> Result<SignatureEncoding, String> {
    let levels = levels();
    // The sum of the signature's bytes selects the level, so tests with many signatures use all
    // levels.
    let level = levels[signature.iter().fold(0, |sum, byte| sum + usize::from(*byte)) % levels.len()];
    let key = fndsa::testing::verifying_key(scheme, vk).map_err(|e| e.to_string())?;
    let hash = key.key_hash(level);
    let message = to_verify(level, key.algorithm(), &hash, options, message, signature).map_err(|e| e.to_string())?;
    let mut work = vec![0; key.algorithm().verify_work_len()];
    key.verify(level, &message, signature, &mut work).map_err(|e| e.to_string())?;
    Ok(fndsa::testing::signature(scheme, signature).map_err(|e| e.to_string())?.encoding())
}

/// Converts a signature to a different encoding. Returns `None` if the signature does not fit into
/// this encoding.
pub fn recode(scheme: Scheme, signature: &[u8], encoding: SignatureEncoding) -> Option<Vec<u8>> {
    let signature = fndsa::testing::signature(scheme, signature).expect("a signature");
    let mut out = vec![0; signature.algorithm().encoded_signature_len(encoding)];
    let used_len = signature.recode_into(encoding, &mut out)?;
    out.truncate(used_len);
    Some(out)
}

/// This library as an implementation of Falcon round 3.
pub struct FndsaLibrary;

/// Returns the library's encoding for a form of Falcon signatures.
pub fn encoding(form: FalconForm) -> SignatureEncoding {
    match form {
        FalconForm::Compressed => SignatureEncoding::Compressed,
        FalconForm::Padded => SignatureEncoding::Padded,
        FalconForm::ConstantTime => SignatureEncoding::Ct,
        _ => panic!("the library has no {form:?}"),
    }
}

impl FalconPeer for FndsaLibrary {
    fn name(&self) -> &'static str {
        "the library"
    }

    fn forms(&self) -> &'static [FalconForm] {
        &[FalconForm::Compressed, FalconForm::Padded, FalconForm::ConstantTime]
    }

    fn keygen(&self, logn: u32, random: &mut RandomStream) -> (Vec<u8>, Vec<u8>) {
        keygen(Scheme::Falcon, logn, random)
    }

    fn sign(&self, form: FalconForm, sk: &[u8], message: &[u8], random: &mut RandomStream) -> Vec<u8> {
        let padded = sign(Scheme::Falcon, sk, PLAIN, message, random);
        recode(Scheme::Falcon, &padded, encoding(form)).expect("a padded signature fits into each encoding")
    }

    fn verify(&self, form: FalconForm, vk: &[u8], message: &[u8], signature: &[u8]) -> bool {
        // A compressed signature that has the padded length by chance is also a padded signature,
        // and `verify` reports the padded encoding.
        let is_expected = |reported| {
            reported == encoding(form) || form == FalconForm::Compressed && reported == SignatureEncoding::Padded
        };
        verify(Scheme::Falcon, vk, PLAIN, message, signature).is_ok_and(is_expected)
    }
}
