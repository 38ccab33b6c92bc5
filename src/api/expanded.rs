//! Keys prepared for repeated use.

use super::message::WholeMessage;
use super::signing::{draw, level_sign};
use super::verifying::{confirm, hash_message, level_verify};
use super::{Form, KeyHash, SignError, SigningKey, ToSign, ToVerify, VerifyError, VerifyingKey, wiping_sign};
use crate::engine::falcon::expanded::Expanded;
use crate::engine::falcon::integrity::{Damaged, Due};
use crate::engine::falcon::modq::Product;
use crate::engine::falcon::params::{Degree, SIGN_SEED_LEN};
use crate::engine::falcon::sampler::Generator;
use crate::engine::falcon::scheme::{Algorithm, Scheme};
use crate::engine::falcon::sign::{self, Encoded, Failure, SigningTask};
use crate::engine::falcon::verify::{PublicFields, Verified, public_fields_into};
use crate::simd::{Level, Line, Scratch, Simd, ct, on_level};
use alloc::boxed::Box;
use alloc::vec;
use rand_core::TryCryptoRng;

/// Signatures between two looks at an expanded key. Its memory is as long as that of the tables, and those who could
/// change a bit of it need as many signatures as with a table; a look takes less than a tenth of a signature.
const PERIOD: u32 = 1 << 10;

/// A private key with its basis and LDL tree, for many signatures. Wiped when dropped.
///
/// ```
/// use fndsa::{Algorithm, Form, Level, OwnedSigningKey};
/// use getrandom::SysRng;
///
/// let algorithm = Algorithm::FN_DSA_512;
/// let key = OwnedSigningKey::generate(algorithm, &mut SysRng)?;
/// let expanded = key.borrowed().expand(Level::detect(), &mut vec![0; algorithm.sign_work_len()])?;
/// let mut work = vec![0; algorithm.sign_expanded_work_len()];
/// let mut signature = vec![0; algorithm.signature_len()];
/// for message in [b"one", b"two"] {
///     expanded.sign_message(Form::default(), message, &mut SysRng, &mut signature, &mut work)?;
///     key.verifying_key().verify(Form::default(), message, &signature)?;
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ExpandedSigningKey {
    level: Level,
    algorithm: Algorithm,
    key_hash: KeyHash,
    /// Whether it is time to look at the memory.
    due: Due,
    memory: WipedLines,
}

/// Memory that is wiped when dropped.
struct WipedLines(Box<[Line]>);

impl Drop for WipedLines {
    fn drop(&mut self) {
        ct::wipe(Line::bytes_mut(&mut self.0));
    }
}

impl ExpandedSigningKey {
    /// Expands a key. Range: `work` was checked.
    pub(super) fn new(level: Level, key: &SigningKey<'_>, encoded: Encoded<'_>, work: &mut [u8]) -> Box<Self> {
        #[inline(always)]
        fn expand<S: Simd>(isa: S, key: Encoded<'_>, work: &mut [u8]) -> WipedLines {
            let mut memory = WipedLines(Line::boxed(Expanded::len::<S>(key.degree)));
            let lines = Line::bytes_mut(&mut memory.0);
            Expanded::write(isa, key, Scratch::new(lines), Scratch::new(work));
            Expanded::seal(lines);
            memory
        }
        let memory = wiping_sign(level, work, |work| on_level!(level, |isa| expand(isa, encoded, work)));
        Box::new(Self { level, algorithm: key.algorithm(), key_hash: key.key_hash(), due: Due::every(PERIOD), memory })
    }

    /// Scheme and degree.
    pub const fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// The scheme.
    pub const fn scheme(&self) -> Scheme {
        self.algorithm.scheme()
    }

    /// The degree.
    pub const fn degree(&self) -> Degree {
        self.algorithm.degree()
    }

    /// The level it was made for.
    pub const fn level(&self) -> Level {
        self.level
    }

    /// The hash of the public key.
    pub const fn key_hash(&self) -> KeyHash {
        self.key_hash
    }

    /// Signs as [`SigningKey::sign`] does, with the same bytes for the same randomness; `work` has at least
    /// [`Algorithm::sign_expanded_work_len`] bytes.
    ///
    /// # Errors
    /// Those of [`SigningKey::sign`].
    pub fn sign<'m, R: TryCryptoRng>(
        &self,
        message: impl Into<ToSign<'m>>,
        rng: &mut R,
        signature: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<R::Error>> {
        self.sign_by(Generator::Shake256, message, rng, signature, work)
    }

    /// Signs a message that is in memory, as [`Self::sign`] does, with as many nonces as it takes.
    ///
    /// # Errors
    /// Those of [`Self::sign`]; the scheme cannot sign the message in this form.
    pub fn sign_message<R: TryCryptoRng>(
        &self,
        form: Form<'_>,
        message: &[u8],
        rng: &mut R,
        signature: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<R::Error>> {
        let sign = |message: ToSign<'_>, rng: &mut R| self.sign(message, rng, signature, work);
        self.whole(form, message).each_attempt(rng, sign)
    }

    /// Signs a message that is in memory, as [`Self::sign_fast_rng`] does, with as many nonces as it takes.
    ///
    /// # Errors
    /// Those of [`Self::sign_message`].
    pub fn sign_message_fast_rng<R: TryCryptoRng>(
        &self,
        form: Form<'_>,
        message: &[u8],
        rng: &mut R,
        signature: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<R::Error>> {
        let sign = |message: ToSign<'_>, rng: &mut R| self.sign_fast_rng(message, rng, signature, work);
        self.whole(form, message).each_attempt(rng, sign)
    }

    const fn whole<'m>(&self, form: Form<'m>, bytes: &'m [u8]) -> WholeMessage<'m> {
        WholeMessage { level: self.level, scheme: self.scheme(), key: self.key_hash, form, bytes }
    }

    /// Signs as [`Self::sign`] does, faster: the random bytes of the signature come from eight streams of SHAKE256 at once.
    ///
    /// The signature is as good and verifies as any, but it is **not** the one that [`Self::sign`] makes from the same
    /// randomness: published test vectors are not reproduced. The bytes are the same on every level.
    ///
    /// # Errors
    /// Those of [`Self::sign`].
    pub fn sign_fast_rng<'m, R: TryCryptoRng>(
        &self,
        message: impl Into<ToSign<'m>>,
        rng: &mut R,
        signature: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<R::Error>> {
        self.sign_by(Generator::Eight, message, rng, signature, work)
    }

    fn sign_by<'m, R: TryCryptoRng>(
        &self,
        generator: Generator,
        message: impl Into<ToSign<'m>>,
        rng: &mut R,
        signature: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<R::Error>> {
        let algorithm = self.algorithm();
        let random = draw(algorithm, algorithm.sign_expanded_work_len(), rng, signature, work)?;
        self.due.check(|| self.lattice().is_intact()).map_err(|Damaged| SignError::ExpandedKey)?;
        let made = message.into().with(self.scheme(), self.key_hash(), |message| {
            self.sign_with(generator, message, &random, signature, work)
        });
        Ok(made??)
    }

    fn lattice(&self) -> Expanded<'_> {
        Expanded::new(self.degree(), Line::bytes(&self.memory.0))
    }

    /// The part of [`Self::sign_by`] that no generator makes generic.
    fn sign_with(
        &self,
        generator: Generator,
        message: sign::AttemptSource<'_>,
        random: &[u8; SIGN_SEED_LEN],
        signature: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), Failure> {
        let task = SigningTask { algorithm: self.algorithm, key: &self.lattice(), message, random, generator };
        level_sign(self.level, &task, signature, work)
    }
}

impl core::fmt::Debug for ExpandedSigningKey {
    /// Nothing secret is printed.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("ExpandedSigningKey")
            .field("algorithm", &self.algorithm)
            .field("level", &self.level)
            .finish_non_exhaustive()
    }
}

/// A public key unpacked, with its hash, for many verifications.
///
/// ```
/// use fndsa::{Algorithm, Form, Level, OwnedSigningKey};
/// # let key = OwnedSigningKey::generate(Algorithm::FN_DSA_512, &mut getrandom::SysRng)?;
/// # let signature = key.sign(Form::default(), b"a message", &mut getrandom::SysRng)?;
/// # let (public, signature) = (key.verifying_key(), signature.as_bytes());
/// let expanded = public.borrowed().expand(Level::detect());
/// let mut work = vec![0; public.algorithm().verify_work_len()];
/// expanded.verify_message(Form::default(), b"a message", signature, &mut work)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ExpandedVerifyingKey {
    level: Level,
    algorithm: Algorithm,
    key_hash: KeyHash,
    h: Box<[u16]>,
}

impl ExpandedVerifyingKey {
    /// Expands a key.
    pub(super) fn new(level: Level, key: &VerifyingKey<'_>) -> Box<Self> {
        let algorithm = key.algorithm();
        let mut h = vec![0; algorithm.degree().n()].into_boxed_slice();
        on_level!(level, |isa| {
            public_fields_into(isa, algorithm, &key.as_bytes()[1..], &mut h);
            Product::prepare(isa, &mut h);
        });
        Box::new(Self { level, algorithm, key_hash: key.key_hash(level), h })
    }

    /// Scheme and degree.
    pub const fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// The scheme.
    pub const fn scheme(&self) -> Scheme {
        self.algorithm.scheme()
    }

    /// The degree.
    pub const fn degree(&self) -> Degree {
        self.algorithm.degree()
    }

    /// The hash of the public key.
    pub const fn key_hash(&self) -> KeyHash {
        self.key_hash
    }

    /// Verifies one signature of a message that is in memory, as [`VerifyingKey::verify_message`] does.
    ///
    /// # Errors
    /// Those of [`VerifyingKey::verify_message`].
    pub fn verify_message(
        &self,
        form: Form<'_>,
        message: &[u8],
        signature: &[u8],
        work: &mut [u8],
    ) -> Result<(), VerifyError> {
        let mut hashed = hash_message(self.level, self.algorithm, &self.key_hash, form, signature)?;
        hashed.update(message);
        self.verify(&hashed.finish().map_err(VerifyError::Message)?, signature, work)
    }

    /// Verifies one signature, as [`VerifyingKey::verify`] does.
    ///
    /// # Errors
    /// Those of [`VerifyingKey::verify`].
    pub fn verify<'m>(
        &self,
        message: impl Into<ToVerify<'m>>,
        signature: &[u8],
        work: &mut [u8],
    ) -> Result<(), VerifyError> {
        self.verified(message, signature, work).and_then(confirm)
    }

    /// Verifies as [`VerifyingKey::verified`] does.
    ///
    /// # Errors
    /// Those of [`VerifyingKey::verified`].
    pub fn verified<'m>(
        &self,
        message: impl Into<ToVerify<'m>>,
        signature: &[u8],
        work: &mut [u8],
    ) -> Result<Verified, VerifyError> {
        let h = PublicFields::Prepared(&self.h);
        level_verify(self.level, self.algorithm, h, message.into(), signature, work)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Mu;
    use crate::testing::FixedBytes;

    #[test]
    fn a_key_that_was_changed_in_memory_signs_nothing_soon() {
        let algorithm = Algorithm::new(Scheme::FnDsa, Degree::from_logn(4).unwrap());
        let (mut private, mut public) = (vec![0; algorithm.signing_key_len()], vec![0; algorithm.verifying_key_len()]);
        let mut work = vec![0; 1 << 16];
        let (level, mu) = (Level::detect(), Mu::from_bytes([3; 64]));
        let rng = &mut FixedBytes(&[7; 32]);
        let key = SigningKey::generate(level, algorithm, rng, &mut private, &mut public, &mut work).unwrap();
        let mut signature = vec![0; algorithm.signature_len()];
        for signed in [0, 1, PERIOD] {
            let mut key = key.expand(level, &mut work).unwrap();
            let mut sign = |key: &ExpandedSigningKey, i: u32| {
                signature.fill(1);
                let made = key.sign(&mu, &mut FixedBytes(&[i as u8; 40]), &mut signature, &mut work);
                assert_eq!(made.is_err(), signature.iter().all(|byte| *byte == 0));
                made
            };
            for i in 0..signed {
                sign(&key, i).unwrap();
            }
            // The lowest bit of the tree, which changes no signature.
            Line::bytes_mut(&mut key.memory.0)[0] ^= 1;
            let ok = (0..PERIOD).take_while(|i| sign(&key, *i).is_ok()).count() as u32;
            assert_eq!(ok, (PERIOD - signed) % PERIOD);
            assert_eq!(sign(&key, 0), Err(SignError::ExpandedKey));
            Line::bytes_mut(&mut key.memory.0)[0] ^= 1;
            assert_eq!(sign(&key, 0), Ok(()));
        }
    }
}
