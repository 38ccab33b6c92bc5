//! Keys prepared for repeated use.

use super::signing::{draw, level_sign};
use super::verifying::level_verify;
use super::{KeyHash, Mu, SIGN_STACK, SignError, SigningKey, VerifyError, VerifyingKey};
use crate::engine::codec::unpack14;
use crate::engine::expanded::Expanded;
use crate::engine::modq::to_montgomery;
use crate::engine::params::{Degree, SIGN_SEED_LEN, Scheme};
use crate::engine::sign::{Encoded, Failure};
use crate::engine::verify::PublicFields;
use crate::simd::{Level, Line, Scratch, Simd, WithSimd, ct};
use alloc::boxed::Box;
use alloc::vec;
use rand_core::TryCryptoRng;

/// A private key with its basis and LDL tree, for many signatures. Wiped when dropped.
pub struct ExpandedSigningKey {
    level: Level,
    scheme: Scheme,
    degree: Degree,
    key_hash: KeyHash,
    memory: Box<[Line]>,
}

impl ExpandedSigningKey {
    /// Expands a key. Range: `work` was checked.
    pub(super) fn new(level: Level, key: &SigningKey<'_>, encoded: Encoded<'_>, work: &mut [u8]) -> Box<Self> {
        struct Expand<'w> {
            key: Encoded<'w>,
            work: &'w mut [u8],
        }
        impl WithSimd for Expand<'_> {
            type Output = Box<[Line]>;
            #[inline(always)]
            fn with<S: Simd>(self, isa: S) -> Box<[Line]> {
                let mut memory = Line::boxed(Expanded::len::<S>(self.key.degree));
                Expanded::write(isa, self.key, Scratch::new(Line::bytes_mut(&mut memory)), Scratch::new(self.work));
                memory
            }
        }
        let memory = ct::with_wiped_stack::<SIGN_STACK, _>(|| level.run(Expand { key: encoded, work: &mut *work }));
        ct::wipe(work);
        Box::new(Self { level, scheme: key.scheme(), degree: key.degree(), key_hash: key.key_hash(), memory })
    }

    /// The scheme.
    pub const fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// The degree.
    pub const fn degree(&self) -> Degree {
        self.degree
    }

    /// The level it was made for.
    pub const fn level(&self) -> Level {
        self.level
    }

    /// The hash of the public key.
    pub const fn key_hash(&self) -> KeyHash {
        self.key_hash
    }

    /// As [`SigningKey::sign`], the same bytes for the same randomness; `work` has at least
    /// [`Degree::sign_expanded_work_len`] bytes.
    ///
    /// # Errors
    /// As there.
    pub fn sign<R: TryCryptoRng>(
        &self,
        mu: &Mu,
        rng: &mut R,
        signature: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<R::Error>> {
        let needed = self.degree.sign_expanded_work_len();
        let random = draw(self.degree, needed, rng, signature, work)?;
        Ok(self.sign_with(mu, &random, signature, work)?)
    }

    /// The part of [`Self::sign`] that no generator makes generic.
    fn sign_with(
        &self,
        mu: &Mu,
        random: &[u8; SIGN_SEED_LEN],
        signature: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), Failure> {
        let key = Expanded::new(self.degree, Line::bytes(&self.memory));
        level_sign(self.level, self.degree, &key, mu, random, signature, work)
    }
}

impl Drop for ExpandedSigningKey {
    fn drop(&mut self) {
        ct::wipe(Line::bytes_mut(&mut self.memory));
    }
}

impl core::fmt::Debug for ExpandedSigningKey {
    /// Nothing secret is printed.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("ExpandedSigningKey")
            .field("scheme", &self.scheme)
            .field("degree", &self.degree)
            .field("level", &self.level)
            .finish_non_exhaustive()
    }
}

/// A public key unpacked, with its hash, for many verifications.
#[derive(Clone, Debug)]
pub struct ExpandedVerifyingKey {
    level: Level,
    scheme: Scheme,
    degree: Degree,
    key_hash: KeyHash,
    h: Box<[u16]>,
}

impl ExpandedVerifyingKey {
    /// Expands a key.
    pub(super) fn new(level: Level, key: &VerifyingKey<'_>) -> Box<Self> {
        struct Load<'h>(&'h mut [u16]);
        impl WithSimd for Load<'_> {
            type Output = ();
            #[inline(always)]
            fn with<S: Simd>(self, isa: S) {
                to_montgomery(isa, self.0);
            }
        }
        let mut h = vec![0; key.degree().n()].into_boxed_slice();
        unpack14(&key.as_bytes()[1..], &mut h);
        level.run(Load(&mut h));
        Box::new(Self { level, scheme: key.scheme(), degree: key.degree(), key_hash: key.key_hash(level), h })
    }

    /// The scheme.
    pub const fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// The degree.
    pub const fn degree(&self) -> Degree {
        self.degree
    }

    /// The hash of the public key.
    pub const fn key_hash(&self) -> KeyHash {
        self.key_hash
    }

    /// As [`VerifyingKey::verify`].
    ///
    /// # Errors
    /// As there.
    pub fn verify(&self, mu: &Mu, signature: &[u8], work: &mut [u8]) -> Result<(), VerifyError> {
        level_verify(self.level, self.degree, PublicFields::Montgomery(&self.h), mu, signature, work)
    }
}
