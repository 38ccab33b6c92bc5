//! Calls the engine to sign, and to generate, check and convert private keys, with ML-DSA. This
//! module selects the code for the level (the instruction set), wipes the memory, and converts
//! errors. The callers check the lengths of buffers.
//!
//! A private key is a seed, or the expanded form that FIPS 204 calls the private key. A key's
//! length determines its form.

#[cfg(feature = "alloc")]
use super::ExpandError;
use super::mldsa::set_of_len;
use super::{KeyError, KeyHash, SEED_LEN, SignError, wiping_mldsa_key, wiping_mldsa_sign};
use crate::engine::hash::message::{KEY_HASH_LEN, MU_LEN};
use crate::engine::hash::shake::shake256_into;
use crate::engine::mldsa::import::{self, ExpandedKeyDefect};
use crate::engine::mldsa::keygen;
use crate::engine::mldsa::params::{K_LEN, MlDsaSet, RHO_LEN, RND_LEN};
use crate::engine::mldsa::sample::SqueezeLimitError;
use crate::engine::mldsa::sign::{MlDsaSignError, MuTask, SeedTask, sign, sign_seed};
#[cfg(feature = "alloc")]
use crate::engine::mldsa::{
    sign::{KeptTask, sign_kept},
    sign_batch::{KeptBatchTask, MuItem, sign_kept_batch},
    transforms::KeyTransforms,
};
use crate::simd::{Level, Scratch, ct, on_level};
#[cfg(feature = "alloc")]
use crate::simd::{MemoryLine, recast, view};

impl From<ExpandedKeyDefect> for KeyError {
    fn from(defect: ExpandedKeyDefect) -> Self {
        match defect {
            ExpandedKeyDefect::Length | ExpandedKeyDefect::Coefficient => Self::Coefficient,
            ExpandedKeyDefect::PublicPart => Self::PublicPart,
            ExpandedKeyDefect::KeyHash => Self::KeyHash,
            ExpandedKeyDefect::Limit => Self::Limit,
        }
    }
}

/// Returns the parameter set of a private key in the expanded form. The key is not checked yet.
pub(super) fn private_set(bytes: &[u8]) -> Result<MlDsaSet, KeyError> {
    set_of_len(bytes, MlDsaSet::private_len)
}

/// The buffers for a new key.
struct NewKeyOutput<'o> {
    public: &'o mut [u8],
    /// A buffer for the expanded form, if the caller needs it.
    expanded: Option<&'o mut [u8]>,
    /// A buffer for the public key's hash, if the caller needs it.
    hash: Option<&'o mut [u8; KEY_HASH_LEN]>,
}

/// Generates the key pair for a seed, and fills the buffers in `out`. The caller must check the
/// lengths of the slices before this call.
fn keys_of_seed(
    level: Level,
    set: MlDsaSet,
    seed: &[u8; SEED_LEN],
    out: NewKeyOutput<'_>,
    work: &mut [u8],
) -> Result<(), SqueezeLimitError> {
    let NewKeyOutput { public, expanded, hash } = out;
    wiping_mldsa_key(level, work, |work| {
        on_level!(level, |isa = integers| {
            keygen::generate(isa, set, seed, &mut *public, expanded, Scratch::new(work))?;
            if let Some(hash) = hash {
                shake256_into(isa, &[public], hash);
            }
            Ok(())
        })
    })
}

/// Writes the public key for a seed, and returns its hash. The caller must check the lengths of
/// `public` and `work` before this call.
pub(super) fn public_of_seed(
    level: Level,
    set: MlDsaSet,
    seed: &[u8; SEED_LEN],
    public: &mut [u8],
    work: &mut [u8],
) -> Result<[u8; KEY_HASH_LEN], SqueezeLimitError> {
    let mut hash = [0; KEY_HASH_LEN];
    keys_of_seed(level, set, seed, NewKeyOutput { public, expanded: None, hash: Some(&mut hash) }, work)?;
    Ok(hash)
}

/// Returns the public key's hash for a seed. `work` must have space for the public key, in addition
/// to the work memory of [`public_of_seed`].
pub(super) fn key_hash_of_seed(
    level: Level,
    set: MlDsaSet,
    seed: &[u8; SEED_LEN],
    work: &mut [u8],
) -> Result<[u8; KEY_HASH_LEN], KeyError> {
    let (public, work) = work.split_at_mut(set.public_len());
    let public = ct::WipedMemory(public);
    Ok(public_of_seed(level, set, seed, public.0, work)?)
}

/// Checks an expanded private key in full, and returns the public key's hash. The caller must check
/// the lengths of `expanded` and `work` before this call.
pub(super) fn check_private(
    level: Level,
    set: MlDsaSet,
    expanded: &[u8],
    work: &mut [u8],
) -> Result<[u8; KEY_HASH_LEN], KeyError> {
    let check =
        |work: &mut [u8]| on_level!(level, |isa = integers| import::check(isa, set, expanded, Scratch::new(work)));
    Ok(wiping_mldsa_key(level, work, check)?)
}

/// Writes the public key for a private key in either form (seed or expanded). The key must have
/// been checked before. The caller must check the lengths of `public` and `work` before this call.
pub(super) fn public_into(level: Level, set: MlDsaSet, key: &[u8], public: &mut [u8], work: &mut [u8]) {
    if let Ok(seed) = key.try_into() {
        let outputs = NewKeyOutput { public, expanded: None, hash: None };
        let _error_ruled_out_by_import = keys_of_seed(level, set, seed, outputs, work);
        return;
    }
    let _error_ruled_out_by_import = wiping_mldsa_key(
        level,
        work,
        |work| on_level!(level, |isa = integers| import::public_into(isa, set, key, public, Scratch::new(work))),
    );
}

/// Writes the expanded form of a private key: copies an expanded key, or expands a seed. The key
/// must have been checked before. The caller must check the lengths of `expanded` and `work` before
/// this call. `work` must have space for a public key, in addition to the work memory for key
/// generation.
pub(super) fn expanded_form_into(
    level: Level,
    set: MlDsaSet,
    key: &[u8],
    expanded: &mut [u8],
    work: &mut [u8],
) -> Result<(), KeyError> {
    let Ok(seed) = key.try_into() else {
        expanded.copy_from_slice(key);
        return Ok(());
    };
    expand_seed(level, set, seed, expanded, work)?;
    Ok(())
}

/// Writes the expanded form of a seed. The caller must check the lengths of `expanded` and `work`
/// before this call, as for [`expanded_form_into`].
fn expand_seed(
    level: Level,
    set: MlDsaSet,
    seed: &[u8; SEED_LEN],
    expanded: &mut [u8],
    work: &mut [u8],
) -> Result<(), SqueezeLimitError> {
    let (public, work) = work.split_at_mut(set.public_len());
    let public = ct::WipedMemory(public);
    keys_of_seed(level, set, seed, NewKeyOutput { public: public.0, expanded: Some(expanded), hash: None }, work)
}

/// A message to sign, together with the key.
pub(super) struct MlDsaSigningTask<'a> {
    pub(super) set: MlDsaSet,
    /// The private key in either form (seed or expanded). The caller must check the key first.
    pub(super) key: &'a [u8],
    /// The public key's hash.
    pub(super) key_hash: &'a KeyHash,
    pub(super) mu: &'a [u8; MU_LEN],
    /// The randomness. It is all zeros for a deterministic signature.
    pub(super) rnd: &'a [u8; RND_LEN],
}

/// Calls `sign`, and then wipes the work memory and the stack. If `sign` fails, this function also
/// wipes the signature.
///
/// The functions that call this function have no type parameters, so they are compiled once in the
/// library. A generic function would be compiled again in each crate that uses the library, with
/// the optimization settings of that crate.
fn sign_and_wipe(
    level: Level,
    signature: &mut [u8],
    work: &mut [u8],
    sign: impl FnOnce(&mut [u8], &mut [u8]) -> Result<(), MlDsaSignError>,
) -> Result<(), MlDsaSignError> {
    let wiped_signature = ct::WipedMemory(signature);
    let signature = &mut *wiped_signature.0;
    wiping_mldsa_sign(level, work, |work| sign(signature, work))?;
    wiped_signature.keep();
    Ok(())
}

/// Signs at a level, and wipes the work memory and the stack. The caller must check the lengths of
/// `signature` and `work` before this call. If the key is a seed, the work memory must also have
/// space for the expanded form and the public key. With [`MlDsaSet::sign_fast_work_len`] bytes, a
/// seed is expanded directly to the transforms of the key's polynomials.
pub(super) fn sign_mu(
    level: Level,
    task: &MlDsaSigningTask<'_>,
    signature: &mut [u8],
    work: &mut [u8],
) -> Result<(), MlDsaSignError> {
    let &MlDsaSigningTask { set, key, key_hash, mu, rnd } = task;
    let sign_with = |expanded: &[u8], signature: &mut [u8], work: &mut [u8]| {
        let task = MuTask { set, expanded, mu, rnd };
        sign_and_wipe(
            level,
            signature,
            work,
            |signature, work| on_level!(level, |isa = integers| sign(isa, &task, signature, Scratch::new(work))),
        )
    };
    let Ok(seed) = key.try_into() else { return sign_with(key, signature, work) };
    if work.len() >= set.sign_fast_work_len() {
        let task = SeedTask { set, xi: seed, tr: key_hash.as_bytes(), mu, rnd };
        return sign_and_wipe(
            level,
            signature,
            work,
            |signature, work| on_level!(level, |isa = integers| sign_seed(isa, &task, signature, Scratch::new(work))),
        );
    }
    let (expanded, work) = work.split_at_mut(set.private_len());
    let expanded = ct::WipedMemory(expanded);
    expand_seed(level, set, seed, &mut *expanded.0, work).map_err(|SqueezeLimitError| MlDsaSignError::Fault)?;
    // If the seed in memory has changed since it was loaded, the hash of its public key is
    // different.
    let tr = &expanded.0[RHO_LEN + K_LEN..][..KEY_HASH_LEN];
    if tr != key_hash.as_bytes() {
        signature.fill(0);
        return Err(MlDsaSignError::Fault);
    }
    sign_with(expanded.0, signature, work)
}

/// A private key that is prepared for many signatures. It contains the transforms of the key's
/// polynomials, followed by the secret value that FIPS 204 calls K.
#[cfg(feature = "alloc")]
pub(super) struct KeptKey<'a> {
    pub(super) level: Level,
    pub(super) set: MlDsaSet,
    /// The memory that [`Self::write`] wrote.
    pub(super) memory: &'a [u8],
}

#[cfg(feature = "alloc")]
impl KeptKey<'_> {
    /// Returns the memory size for a key, in bytes.
    pub(super) const fn len(set: MlDsaSet) -> usize {
        4 * set.transforms_len() + K_LEN
    }

    /// Writes the prepared key to `memory`, which must be aligned to 4 bytes. `key` is in either
    /// form, and must have been checked. The caller must check the lengths of `key` and `memory`
    /// before this call.
    pub(super) fn write(
        level: Level,
        set: MlDsaSet,
        key: &[u8],
        key_hash: &KeyHash,
        memory: &mut [u8],
    ) -> Result<(), MlDsaSignError> {
        let (values, rest) = memory.split_at_mut(4 * set.transforms_len());
        let secret = rest.first_chunk_mut().ok_or(MlDsaSignError::Length)?;
        let values = recast(values);
        let tr = key_hash.as_bytes();
        let mut work = MemoryLine::boxed(KeyTransforms::work_len(set));
        wiping_mldsa_key(level, MemoryLine::bytes_mut(&mut work), |work| {
            let work = Scratch::new(work);
            on_level!(level, |isa = integers| KeyTransforms::write(isa, set, key, tr, values, secret, work))
        })
    }

    /// Signs as [`sign_mu`] does.
    pub(super) fn sign(
        &self,
        mu: &[u8; MU_LEN],
        rnd: &[u8; RND_LEN],
        signature: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), MlDsaSignError> {
        let &Self { level, set, memory } = self;
        let (transforms, rest) = view(memory, set.transforms_len());
        let key = rest.first_chunk().ok_or(MlDsaSignError::Length)?;
        let task = KeptTask { set, transforms, key, mu, rnd };
        sign_and_wipe(
            level,
            signature,
            work,
            |signature, work| on_level!(level, |isa = integers| sign_kept(isa, &task, signature, Scratch::new(work))),
        )
    }

    /// Signs several messages, as [`Self::sign`] does. `work` must have
    /// [`MlDsaSet::sign_batch_work_len`] bytes.
    pub(super) fn sign_batch(
        &self,
        items: &[MuItem<'_>],
        signatures: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), MlDsaSignError> {
        let &Self { level, set, memory } = self;
        let (transforms, rest) = view(memory, set.transforms_len());
        let key = rest.first_chunk().ok_or(MlDsaSignError::Length)?;
        let task = KeptBatchTask { set, transforms, key, items };
        sign_and_wipe(
            level,
            signatures,
            work,
            |signatures, work| on_level!(level, |isa = integers| sign_kept_batch(isa, &task, signatures, Scratch::new(work))),
        )
    }
}

#[cfg(feature = "alloc")]
impl From<MlDsaSignError> for ExpandError {
    fn from(error: MlDsaSignError) -> Self {
        match error {
            MlDsaSignError::Limit => Self::Limit,
            MlDsaSignError::Length | MlDsaSignError::Fault => Self::Fault,
        }
    }
}

impl<E> From<MlDsaSignError> for SignError<E> {
    fn from(error: MlDsaSignError) -> Self {
        match error {
            MlDsaSignError::Limit => Self::Attempts,
            MlDsaSignError::Length | MlDsaSignError::Fault => Self::SelfCheck,
        }
    }
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use crate::api::{
        Algorithm, ExpandError, KeyError, Level, Options, Scheme, SignError, SigningKey, SigningKeyRef, VerifyingKeyRef,
    };

    const OPTIONS: Options<'_> = Options::with_context(b"context");

    /// Both forms of a key have the same public key, and all functions that sign return the same
    /// deterministic signature.
    #[test]
    fn all_key_forms_make_the_same_signatures() {
        for (algorithm, level) in
            Algorithm::of_scheme(Scheme::MlDsa).flat_map(|of| Level::available().map(move |level| (of, level)))
        {
            let seed = [3; crate::api::SEED_LEN];
            let mut work = vec![0; algorithm.sign_work_len()];
            let mut expanded = vec![0; algorithm.expanded_form_len().unwrap()];
            let mut public = vec![0; algorithm.verifying_key_len()];
            let key = SigningKeyRef::from_seed(level, algorithm, &seed, &mut work).unwrap();
            assert_eq!(key.seed(), Some(&seed));
            key.expanded_form_into(level, &mut expanded, &mut work).unwrap();
            key.verifying_key_into(level, &mut public, &mut work).unwrap();
            let mut same = public.clone();
            let expanded_form = SigningKeyRef::of_algorithm(level, algorithm, &expanded, &mut work).unwrap();
            expanded_form.verifying_key_into(level, &mut same, &mut work).unwrap();
            assert_eq!((&same, expanded_form.key_hash()), (&public, key.key_hash()));
            assert_eq!(expanded_form.seed(), None);

            let mut mu = crate::api::MuBuilder::pure(level, &key.key_hash(), OPTIONS.context).unwrap();
            mu.update(b"message");
            let mu = mu.finish();
            let [mut a, mut b, mut c] = [(); 3].map(|()| vec![1; algorithm.signature_len()]);
            key.sign_deterministic(level, &mu, &mut a, &mut work).unwrap();
            assert!(work.iter().all(|byte| *byte == 0), "{algorithm}: the expanded key was not wiped");
            let mut fast = vec![0; algorithm.sign_fast_work_len()];
            let mut d = vec![1; algorithm.signature_len()];
            key.sign_deterministic(level, &mu, &mut d, &mut fast).unwrap();
            assert!(a == d, "{algorithm}: fast signing with a seed made another signature");
            assert!(fast.iter().all(|byte| *byte == 0), "{algorithm}: the transforms were not wiped");
            let mut least = vec![0; expanded_form.sign_work_len()];
            expanded_form.sign_deterministic(level, &mu, &mut b, &mut least).unwrap();
            let expanded = key.expand(level, &mut work).unwrap();
            let mut most = vec![0; algorithm.sign_expanded_work_len()];
            expanded.sign_deterministic(&mu, &mut c, &mut most).unwrap();
            assert!(a == b && b == c, "{algorithm}: the forms of the key made different signatures");
            assert!(
                [&work, &least, &most].into_iter().all(|memory| memory.iter().all(|byte| *byte == 0)),
                "{algorithm}: work memory was not wiped"
            );

            let public = VerifyingKeyRef::from_bytes(Scheme::MlDsa, &public).unwrap();
            assert_eq!((public.algorithm(), public.key_hash(level)), (algorithm, key.key_hash()));
            public.verify_message(level, OPTIONS, b"message", &a, &mut work).unwrap();
            for len in [algorithm.verify_work_len(), algorithm.verify_fast_work_len()] {
                let public = public.expand(level);
                let work = &mut vec![0; len];
                public.verify_message(OPTIONS, b"message", &a, work).unwrap();
                assert!(public.verify_message(OPTIONS, b"massage", &a, work).is_err());
            }
            assert!(public.verify_message(level, OPTIONS, b"massage", &a, &mut work).is_err());
            assert!(public.verify_message(level, Options::default(), b"message", &a, &mut work).is_err());
        }
    }

    /// Changes a seed after it was loaded. The changed seed does not match the hash that was
    /// computed when the key was loaded, so signing and expanding must fail.
    #[test]
    fn a_changed_seed_makes_no_signature() {
        for algorithm in Algorithm::of_scheme(Scheme::MlDsa) {
            let level = Level::detect();
            let mut work = vec![0; algorithm.sign_fast_work_len()];
            let key = SigningKeyRef::from_seed(level, algorithm, &[3; crate::api::SEED_LEN], &mut work).unwrap();
            let changed = SigningKeyRef::trusted(algorithm, &[2; crate::api::SEED_LEN], key.key_hash());
            let mu = crate::api::Mu::from_bytes([0; 64]);
            for len in [algorithm.sign_work_len(), algorithm.sign_fast_work_len()] {
                let mut signature = vec![1; algorithm.signature_len()];
                let work = &mut work[..len];
                work.fill(1);
                let made = changed.sign_deterministic(level, &mu, &mut signature, work);
                assert_eq!(made, Err(SignError::SelfCheck), "{algorithm}");
                let memory = signature.iter().chain(&*work);
                assert!(memory.copied().all(|byte| byte == 0), "{algorithm}");
            }
            let expanded = changed.expand(level, &mut work).err();
            assert_eq!(expanded, Some(ExpandError::Fault), "{algorithm}");
        }
    }

    /// Operations for one family reject keys of the other families.
    #[test]
    fn keys_of_other_families_are_rejected() {
        let level = Level::detect();
        let seed = [3; crate::api::SEED_LEN];
        let rejection = SigningKey::from_seed(Algorithm::FN_DSA_512, &seed).err();
        assert_eq!(rejection, Some(KeyError::OtherFamily.into()));
        let key = SigningKey::generate(Algorithm::FN_DSA_512, &mut crate::testing::FixedBytes(&seed)).unwrap();
        let mut signature = [1; Algorithm::FN_DSA_512.signature_len()];
        let mut work = vec![0; Algorithm::FN_DSA_512.sign_work_len()];
        let mu = crate::api::Mu::from_bytes([0; 64]);
        let made = key.to_ref().sign_deterministic(level, &mu, &mut signature, &mut work);
        assert_eq!(made, Err(SignError::Deterministic));
        assert!(signature.iter().all(|byte| *byte == 0));
        let mut out = vec![0; Algorithm::ML_DSA_44.signing_key_len()];
        let converted = key.to_ref().convert_into(level, Scheme::MlDsa, &mut out, &mut work).err();
        assert_eq!(converted, Some(KeyError::OtherFamily));
        let other = SigningKey::from_seed(Algorithm::ML_DSA_44, &seed).unwrap();
        assert!(matches!(other.to_ref().expand(level, &mut []), Err(ExpandError::Work(_))));
    }
}
