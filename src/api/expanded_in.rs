//! Expanded private keys of the family of FN-DSA: what signs with them, wherever their memory is, and those in memory of the caller.

use super::falcon::level_sign;
use super::signing::Needed;
use super::whole::WholeMessage;
use super::{
    Algorithm, ExpandError, KeyHash, MessageToSign, Options, Scheme, SignError, SigningKeyRef, algorithm::Family,
    enough_work, wiping_expanded,
};
use crate::engine::falcon::expanded::Expanded;
use crate::engine::falcon::integrity::{Damaged, Due};
use crate::engine::falcon::sampler::Generator;
use crate::engine::falcon::scheme::FalconAlgorithm;
use crate::engine::falcon::sign::{PreparedLattice, SigningTask};
use crate::simd::{Level, Scratch, ct, on_level};
use rand_core::TryCryptoRng;

/// Signatures between two looks at an expanded key. Its memory is as long as that of the tables, and those who could
/// change a bit of it need as many signatures as with a table; a look takes less than a tenth of a signature.
pub(super) const PERIOD: u32 = 1 << 10;

/// A private key that was prepared before, wherever its memory is.
pub(super) struct KeptParts<'a, K> {
    pub(super) level: Level,
    pub(super) algorithm: FalconAlgorithm,
    pub(super) key_hash: &'a KeyHash,
    /// Whether it is time to look at the memory.
    pub(super) due: &'a Due,
    pub(super) lattice: K,
}

/// An expanded private key, wherever its memory is.
pub(super) type ExpandedParts<'a> = KeptParts<'a, Expanded<'a>>;

impl<K: PreparedLattice> KeptParts<'_, K> {
    /// Signs, with the generator of the sampler's random bytes.
    pub(super) fn sign_by<R: TryCryptoRng + ?Sized>(
        &self,
        generator: Generator,
        message: &MessageToSign<'_>,
        rng: &mut R,
        signature: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<R::Error>> {
        let algorithm = Algorithm::of_falcon(self.algorithm);
        let needed = Needed { signature: algorithm.signature_len(), work: K::work_len(self.algorithm) };
        let random = needed.draw(rng, signature, work)?;
        let key = &self.lattice;
        self.due.check(|| key.is_intact()).map_err(|Damaged| SignError::ExpandedKey)?;
        let made = message.with(algorithm.scheme(), self.key_hash, |message| {
            let task = SigningTask { algorithm: self.algorithm, key, message, random: &random, generator };
            level_sign(self.level, &task, signature, work)
        });
        Ok(made??)
    }

    /// Signs a message that is in memory, with as many nonces as it takes.
    #[inline(always)]
    pub(super) fn sign_message<R: TryCryptoRng + ?Sized>(
        &self,
        options: Options<'_>,
        bytes: &[u8],
        rng: &mut R,
        signature: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<R::Error>> {
        let algorithm = Algorithm::of_falcon(self.algorithm);
        let whole = WholeMessage { level: self.level, algorithm, key: self.key_hash, options, bytes };
        whole.each_attempt(rng, |message, rng| self.sign_by(Generator::Shake256, message, rng, signature, work))
    }
}

/// A private key of the family of FN-DSA prepared for many signatures, as `ExpandedSigningKey` is, in memory that the caller has
/// given: with its basis and LDL tree. That memory is wiped when this is dropped; who leaks it wipes the memory.
///
/// ```
/// use fndsa::no_alloc::{Level, SigningKeyRef, VerifyingKeyRef};
/// use fndsa::{Algorithm, Options};
/// use getrandom::SysRng;
///
/// const ALGORITHM: Algorithm = Algorithm::FN_DSA_512;
/// let level = Level::detect();
/// let mut private = [0; ALGORITHM.signing_key_len()];
/// let mut public = [0; ALGORITHM.verifying_key_len()];
/// let mut work = [0; ALGORITHM.sign_work_len()];
/// let key = SigningKeyRef::generate(level, ALGORITHM, &mut SysRng, &mut private, &mut public, &mut work)?;
///
/// let mut memory = [0; ALGORITHM.expanded_key_len().unwrap()];
/// let expanded = key.expand_into(level, &mut memory, &mut work)?;
/// // From here on less work memory is enough.
/// let work = &mut work[..ALGORITHM.sign_expanded_work_len()];
/// let mut signature = [0; ALGORITHM.signature_len()];
/// for message in [b"one", b"two"] {
///     expanded.sign_message(Options::default(), message, &mut SysRng, &mut signature, work)?;
/// #   let public = VerifyingKeyRef::from_bytes(ALGORITHM.scheme(), &public)?;
/// #   public.verify_message(level, Options::default(), message, &signature, work)?;
/// }
/// drop(expanded);
/// assert!(memory.iter().all(|byte| *byte == 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ExpandedSigningKeyIn<'m> {
    level: Level,
    algorithm: FalconAlgorithm,
    key_hash: KeyHash,
    due: Due,
    memory: ct::Wiped<'m>,
}

impl SigningKeyRef<'_> {
    /// Checks the length of the work memory that a key is expanded in.
    pub(super) fn enough_to_expand(&self, work: &[u8]) -> Result<(), ExpandError> {
        enough_work(work.len(), self.algorithm().sign_work_len()).map_err(ExpandError::Work)
    }

    /// Expands the key for many signatures, as `expand` does, into `memory` at any address, of at least
    /// [`Algorithm::expanded_key_len`] bytes, which is wiped when the expanded key is dropped. `work` has at least
    /// [`Algorithm::sign_work_len`] bytes. The signatures are those of [`Self::sign`]. What is in `memory` is bound to one order of
    /// floating-point operations, and never to be stored. It is made twice and checked, for a wrong one would give the private key
    /// away.
    ///
    /// # Errors
    /// `memory` or `work` is too short; the machine computed wrong, and `memory` is then wiped; the key is one of ML-DSA, which
    /// [`Self::expanded_form_into`] expands.
    pub fn expand_into<'m>(
        &self,
        level: Level,
        memory: &'m mut [u8],
        work: &mut [u8],
    ) -> Result<ExpandedSigningKeyIn<'m>, ExpandError> {
        let (Family::Falcon(algorithm), Some(needed)) =
            (self.algorithm().family(), self.algorithm().expanded_key_len())
        else {
            return Err(ExpandError::OtherFamily);
        };
        enough_work(memory.len(), needed).map_err(ExpandError::Memory)?;
        self.enough_to_expand(work)?;
        let memory = ct::Wiped(Scratch::new(memory).take(Expanded::len(algorithm.degree())));
        let key = self.encoded(algorithm);
        wiping_expanded(level, work, |work| {
            on_level!(level, |isa| Expanded::write(isa, key, &mut *memory.0, Scratch::new(work)))
        })
        .map_err(|Damaged| ExpandError::Fault)?;
        let due = Due::every(PERIOD);
        Ok(ExpandedSigningKeyIn { level, algorithm, key_hash: self.key_hash(), due, memory })
    }
}

impl ExpandedSigningKeyIn<'_> {
    /// Scheme and degree.
    pub const fn algorithm(&self) -> Algorithm {
        Algorithm::of_falcon(self.algorithm)
    }

    /// The scheme.
    pub const fn scheme(&self) -> Scheme {
        self.algorithm().scheme()
    }

    /// The level it was made for.
    pub const fn level(&self) -> Level {
        self.level
    }

    /// The hash of the public key.
    pub const fn key_hash(&self) -> KeyHash {
        self.key_hash
    }

    fn parts(&self) -> ExpandedParts<'_> {
        let lattice = Expanded::new(self.algorithm.degree(), &*self.memory.0);
        let &Self { level, algorithm, ref key_hash, ref due, .. } = self;
        ExpandedParts { level, algorithm, key_hash, due, lattice }
    }

    /// Signs as [`SigningKeyRef::sign`] does, with the same bytes for the same randomness; `work` has at least
    /// [`Algorithm::sign_expanded_work_len`] bytes.
    ///
    /// # Errors
    /// Those of [`SigningKeyRef::sign`]; the memory of the key is damaged.
    pub fn sign<'w, R: TryCryptoRng + ?Sized>(
        &self,
        message: impl Into<MessageToSign<'w>>,
        rng: &mut R,
        signature: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<R::Error>> {
        self.parts().sign_by(Generator::Shake256, &message.into(), rng, signature, work)
    }

    /// Signs a message that is in memory, as [`Self::sign`] does, with as many nonces as it takes.
    ///
    /// # Errors
    /// Those of [`Self::sign`]; the scheme cannot sign the message in this form.
    pub fn sign_message<R: TryCryptoRng + ?Sized>(
        &self,
        options: Options<'_>,
        message: &[u8],
        rng: &mut R,
        signature: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<R::Error>> {
        self.parts().sign_message(options, message, rng, signature, work)
    }
}

impl core::fmt::Debug for ExpandedSigningKeyIn<'_> {
    /// Nothing secret is printed.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("ExpandedSigningKeyIn")
            .field("algorithm", &self.algorithm())
            .field("level", &self.level)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Mu;
    use crate::testing::FixedBytes;

    #[test]
    fn a_key_that_was_changed_in_the_caller_s_memory_signs_nothing() {
        let algorithm = Algorithm::FN_DSA_512;
        let (mut private, mut public) = (vec![0; algorithm.signing_key_len()], vec![0; algorithm.verifying_key_len()]);
        let mut work = vec![0; algorithm.sign_work_len()];
        let (level, mu) = (Level::detect(), Mu::from_bytes([3; 64]));
        let rng = &mut FixedBytes(&[7; 32]);
        let key = SigningKeyRef::generate(level, algorithm, rng, &mut private, &mut public, &mut work).expect("a key");
        let mut memory = vec![0; algorithm.expanded_key_len().expect("a length")];
        let mut signature = vec![0; algorithm.signature_len()];
        let expanded = key.expand_into(level, &mut memory, &mut work).expect("enough memory");
        // The lowest bit of the tree, which changes no signature.
        expanded.memory.0[0] ^= 1;
        let made = expanded.sign(&mu, &mut FixedBytes(&[9; 40]), &mut signature, &mut work);
        assert_eq!(made, Err(SignError::ExpandedKey));
        assert!(signature.iter().all(|byte| *byte == 0));
        expanded.memory.0[0] ^= 1;
        assert_eq!(expanded.sign(&mu, &mut FixedBytes(&[9; 40]), &mut signature, &mut work), Ok(()));
    }
}
