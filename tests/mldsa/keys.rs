//! Helper functions for the ML-DSA tests. `load`, `public`, `expanded`, `sign` and `verify` call
//! the library's API with fixed random bytes, and provide the work memory. The other functions find
//! parameter sets, format messages and decode hexadecimal digits.

use super::common::hex;
use fndsa::Algorithm;
use fndsa::algorithm::Scheme;
use fndsa::error::KeyError;
use fndsa::message::Mu;
use fndsa::no_alloc::{Level, SigningKeyRef};
use fndsa::testing::FixedBytes;

/// The three parameter sets.
pub const SETS: [Algorithm; 3] = [Algorithm::ML_DSA_44, Algorithm::ML_DSA_65, Algorithm::ML_DSA_87];

/// Returns a parameter set by its name in a vector file, for example `ML-DSA-44` or `44`.
pub fn set(name: &str) -> Algorithm {
    let found = SETS.into_iter().find(|set| set.to_string().ends_with(name));
    found.unwrap_or_else(|| panic!("no set {name}"))
}

/// Returns the index of a parameter set in [`SETS`].
pub fn set_index(set: Algorithm) -> usize {
    SETS.iter().position(|it| *it == set).expect("an ML-DSA parameter set")
}

/// Returns M', the formatted message without a pre-hash: FIPS 204, algorithm 2 line 10.
pub fn pure(context: &[u8], message: &[u8]) -> Vec<u8> {
    let len = u8::try_from(context.len()).expect("a context");
    [&[0, len], context, message].concat()
}

/// Loads a private key, as a seed or in the expanded form. Calls `f` with the key and the smallest
/// work memory that is enough for import and signing.
pub fn load<R>(
    level: Level,
    set: Algorithm,
    private: &[u8],
    f: impl FnOnce(&SigningKeyRef<'_>, &mut [u8]) -> R,
) -> Result<R, KeyError> {
    let mut work = vec![0; set.sign_work_len().max(set.import_work_len())];
    let key = SigningKeyRef::of_algorithm(level, set, private, &mut work)?;
    Ok(f(&key, &mut work))
}

/// Computes the public key from a private key.
pub fn public(level: Level, set: Algorithm, private: &[u8]) -> Result<Vec<u8>, KeyError> {
    let mut public = vec![0; set.verifying_key_len()];
    load(level, set, private, |key, work| key.verifying_key_into(level, &mut public, work).map(drop))??;
    Ok(public)
}

/// Returns a private key's expanded form.
pub fn expanded(level: Level, set: Algorithm, private: &[u8]) -> Vec<u8> {
    let mut expanded = vec![0; set.expanded_form_len().expect("ML-DSA has an expanded form")];
    let result = load(level, set, private, |key, work| key.expanded_form_into(level, &mut expanded, work));
    result.expect("a good key").expect("buffers of the correct length");
    expanded
}

/// Chooses how to run an operation: in the low-memory way (0), in the fast way, which needs more
/// work memory (1), or with an expanded key (2). For the same mu, consecutive levels get different
/// numbers.
fn choose_way(level: Level, mu: [u8; 64]) -> usize {
    let level_index = Level::available().position(|it| it == level).expect("a level");
    (usize::from(mu[0]) + level_index) % 3
}

/// Signs a `mu` with 32 random bytes. With 32 zero bytes, this is deterministic signing as in FIPS
/// 204.
pub fn sign(
    level: Level,
    set: Algorithm,
    private: &[u8],
    mu: [u8; 64],
    random: &[u8; 32],
) -> Result<Vec<u8>, KeyError> {
    let (way, mu, mut signature) = (choose_way(level, mu), Mu::from_bytes(mu), vec![0; set.signature_len()]);
    load(level, set, private, |key, work| {
        let (mut rng, mut fast_work) = (FixedBytes(random), vec![0; set.sign_fast_work_len()]);
        let result = match way {
            0 if *random == [0; 32] => {
                let result = key.sign_deterministic(level, &mu, &mut signature, work);
                return assert_eq!(result, Ok(()));
            }
            0 => key.sign(level, &mu, &mut rng, &mut signature, work),
            1 => key.sign(level, &mu, &mut rng, &mut signature, &mut fast_work),
            _ => {
                fast_work.resize(fast_work.len().max(set.sign_expanded_work_len()), 0);
                key.expand(level, work).expect("enough memory").sign(&mu, &mut rng, &mut signature, &mut fast_work)
            }
        };
        assert_eq!(result, Ok(()));
    })?;
    Ok(signature)
}

/// Verifies a signature for a `mu`.
pub fn verify(level: Level, public: &[u8], mu: [u8; 64], signature: &[u8]) -> bool {
    let Ok(key) = fndsa::testing::verifying_key(Scheme::MlDsa, public) else { return false };
    let set = key.algorithm();
    let len = [set.verify_work_len(), set.verify_fast_work_len()][usize::from(mu[1]) % 2];
    let (way, mu) = (choose_way(level, mu), Mu::from_bytes(mu));
    let verdict = match way {
        0 => key.verify(level, &mu, signature, &mut vec![0; set.verify_work_len()]),
        1 => key.verify(level, &mu, signature, &mut vec![0; set.verify_fast_work_len()]),
        _ => key.expand(level).verify(&mu, signature, &mut vec![0; len]),
    };
    verdict.is_ok()
}

/// Decodes hexadecimal digits to an array.
pub fn array<const N: usize>(text: &str) -> [u8; N] {
    hex(text).try_into().unwrap_or_else(|_| panic!("not {N} bytes: {text}"))
}
