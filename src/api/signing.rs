//! Private keys: making, checking, signing.

use super::verifying::degree_of;
use super::{
    KEY_STACK, KEYGEN_STACK, KeyError, KeyHash, KeygenError, Mu, SIGN_STACK, SignError, VerifyingKey, enough_work,
    exact_len,
};
use crate::engine::codec::{PrivateParts, private_parts};
use crate::engine::import::{Defect, check, encode_public, generate_into, public_row_into};
use crate::engine::keygen::Exhausted;
use crate::engine::params::{Degree, KEYGEN_SEED_LEN, SIGN_SEED_LEN, SIGNING_KEY_HEADER, Scheme};
use crate::engine::sign::{Encoded, Failure, Lattice, sign};
use crate::simd::{Level, Scratch, Simd, WithSimd, ct};
use rand_core::TryCryptoRng;
use zeroize::Zeroizing;

/// A private key, checked: its encoding, borrowed from the caller, who wipes it.
pub struct SigningKey<'a> {
    bytes: &'a [u8],
    parts: PrivateParts<'a>,
    scheme: Scheme,
    degree: Degree,
}

impl<'a> SigningKey<'a> {
    /// Makes a key pair from 32 bytes of `rng`.
    ///
    /// `signing_key` and `verifying_key` are exactly [`Degree::signing_key_len`] and
    /// [`Degree::verifying_key_len`] bytes. `work` has at least [`Degree::keygen_work_len`] bytes;
    /// [`Degree::keygen_fast_work_len`] makes it faster.
    ///
    /// # Errors
    /// The generator's error, or a buffer of the wrong size.
    pub fn generate<R: TryCryptoRng>(
        level: Level,
        scheme: Scheme,
        degree: Degree,
        rng: &mut R,
        signing_key: &'a mut [u8],
        verifying_key: &mut [u8],
        work: &mut [u8],
    ) -> Result<Self, KeygenError<R::Error>> {
        exact_len(signing_key.len(), degree.signing_key_len()).map_err(KeygenError::Buffer)?;
        exact_len(verifying_key.len(), degree.verifying_key_len()).map_err(KeygenError::Buffer)?;
        enough_work(work.len(), degree.keygen_work_len()).map_err(KeygenError::Buffer)?;
        let mut seed = Zeroizing::new([0; KEYGEN_SEED_LEN]);
        rng.try_fill_bytes(&mut *seed).map_err(KeygenError::Rng)?;
        level_generate(level, degree, &seed, signing_key, verifying_key, work)
            .map_err(|Exhausted| KeygenError::Exhausted)?;
        let bytes: &'a [u8] = signing_key;
        let parts = private_parts(bytes, degree.logn()).ok_or(KeygenError::Exhausted)?;
        Ok(Self { bytes, parts, scheme, degree })
    }

    /// Checks an encoded private key in full: header, length, ranges, `f` invertible, `fG - gF = q`
    /// over the integers, both norms, and the stored hash of the public key. `work` has at least
    /// [`Degree::import_work_len`] bytes.
    ///
    /// # Errors
    /// What the key is refused for.
    pub fn from_bytes(level: Level, scheme: Scheme, bytes: &'a [u8], work: &mut [u8]) -> Result<Self, KeyError> {
        struct Check<'w> {
            degree: Degree,
            parts: PrivateParts<'w>,
            work: &'w mut [u8],
        }
        impl WithSimd for Check<'_> {
            type Output = Result<(), Defect>;
            #[inline(always)]
            fn with<S: Simd>(self, isa: S) -> Self::Output {
                check(isa, self.degree, self.parts, Scratch::new(self.work))
            }
        }
        let degree = degree_of(bytes, SIGNING_KEY_HEADER, Degree::signing_key_len)?;
        enough_work(work.len(), degree.import_work_len()).map_err(KeyError::Work)?;
        let length = KeyError::Length { expected: degree.signing_key_len(), found: bytes.len() };
        let parts = private_parts(bytes, degree.logn()).ok_or(length)?;
        let checked = ct::with_wiped_stack::<KEY_STACK, _>(|| level.run(Check { degree, parts, work: &mut *work }));
        ct::wipe(work);
        checked.map_err(|defect| match defect {
            Defect::Coefficient => KeyError::Coefficient,
            Defect::NotInvertible => KeyError::NotInvertible,
            Defect::Equation => KeyError::Equation,
            Defect::Norm => KeyError::Norm,
            Defect::OrthogonalNorm => KeyError::OrthogonalNorm,
            Defect::KeyHash => KeyError::KeyHash,
        })?;
        Ok(Self { bytes, parts, scheme, degree })
    }

    /// The encoding. It is secret.
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The scheme.
    pub const fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// The degree.
    pub const fn degree(&self) -> Degree {
        self.degree
    }

    /// The hash of the public key, as it stands (checked) in the private key.
    pub const fn key_hash(&self) -> KeyHash {
        KeyHash(*self.parts.key_hash)
    }

    const fn encoded(&self) -> Encoded<'a> {
        Encoded { degree: self.degree, parts: self.parts }
    }

    /// Computes the public key into `out`, exactly [`Degree::verifying_key_len`] bytes. `work` has
    /// at least [`Degree::import_work_len`] bytes.
    ///
    /// # Errors
    /// A buffer of the wrong size ([`KeyError::Length`] for `out`).
    pub fn verifying_key_into<'b>(
        &self,
        level: Level,
        out: &'b mut [u8],
        work: &mut [u8],
    ) -> Result<VerifyingKey<'b>, KeyError> {
        struct Public<'w> {
            key: Encoded<'w>,
            out: &'w mut [u8],
            work: &'w mut [u8],
        }
        impl WithSimd for Public<'_> {
            type Output = ();
            #[inline(always)]
            fn with<S: Simd>(self, isa: S) {
                let Encoded { degree, parts } = self.key;
                let mut work = Scratch::new(self.work);
                let (h, tmp) = (work.take::<u16>(degree.n()), work.take::<u16>(degree.n()));
                let _checked_on_import = public_row_into(isa, degree.logn(), parts.f, parts.g, h, tmp);
                encode_public(degree, h, self.out);
            }
        }
        let expected = self.degree.verifying_key_len();
        exact_len(out.len(), expected).map_err(|b| KeyError::Length { expected, found: b.given })?;
        enough_work(work.len(), self.degree.import_work_len()).map_err(KeyError::Work)?;
        ct::with_wiped_stack::<KEY_STACK, _>(|| {
            level.run(Public { key: self.encoded(), out: &mut *out, work: &mut *work });
        });
        ct::wipe(work);
        Ok(VerifyingKey::trusted(self.scheme, self.degree, out))
    }

    /// Signs `mu` with 40 bytes of `rng`, and verifies the signature before returning.
    ///
    /// `signature` is exactly [`Degree::signature_len`] bytes, `work` has at least
    /// [`Degree::sign_work_len`].
    ///
    /// # Errors
    /// The generator's error, a buffer of the wrong size, or a machine that errs; `signature` is
    /// then all zeros.
    pub fn sign<R: TryCryptoRng>(
        &self,
        level: Level,
        mu: &Mu,
        rng: &mut R,
        signature: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<R::Error>> {
        let random = draw(self.degree, self.degree.sign_work_len(), rng, signature, work)?;
        Ok(self.sign_with(level, mu, &random, signature, work)?)
    }

    /// The part of [`Self::sign`] that no generator makes generic.
    fn sign_with(
        &self,
        level: Level,
        mu: &Mu,
        random: &[u8; SIGN_SEED_LEN],
        signature: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), Failure> {
        level_sign(level, self.degree, &self.encoded(), mu, random, signature, work)
    }

    /// The form for many signatures with one key. `work` has at least [`Degree::sign_work_len`]
    /// bytes. It is never written to disk: it is bound to one order of floating-point operations.
    ///
    /// # Errors
    /// Work memory too short.
    #[cfg(feature = "alloc")]
    pub fn expand(
        &self,
        level: Level,
        work: &mut [u8],
    ) -> Result<alloc::boxed::Box<super::ExpandedSigningKey>, super::ExpandError> {
        enough_work(work.len(), self.degree.sign_work_len()).map_err(super::ExpandError::Work)?;
        Ok(super::ExpandedSigningKey::new(level, self, self.encoded(), work))
    }
}

/// Checks the buffers of a signature, then draws its random bytes.
pub(super) fn draw<R: TryCryptoRng>(
    degree: Degree,
    work_len: usize,
    rng: &mut R,
    signature: &mut [u8],
    work: &[u8],
) -> Result<Zeroizing<[u8; SIGN_SEED_LEN]>, SignError<R::Error>> {
    signature.fill(0);
    exact_len(signature.len(), degree.signature_len()).map_err(SignError::Buffer)?;
    enough_work(work.len(), work_len).map_err(SignError::Buffer)?;
    let mut random = Zeroizing::new([0; SIGN_SEED_LEN]);
    rng.try_fill_bytes(&mut *random).map_err(SignError::Rng)?;
    Ok(random)
}

/// One key pair on one level; wipes the work memory and the stack. Range: lengths were checked.
fn level_generate(
    level: Level,
    degree: Degree,
    seed: &[u8; KEYGEN_SEED_LEN],
    signing_key: &mut [u8],
    verifying_key: &mut [u8],
    work: &mut [u8],
) -> Result<(), Exhausted> {
    struct Generate<'w> {
        degree: Degree,
        seed: &'w [u8; KEYGEN_SEED_LEN],
        signing_key: &'w mut [u8],
        verifying_key: &'w mut [u8],
        work: &'w mut [u8],
    }
    impl WithSimd for Generate<'_> {
        type Output = Result<(), Exhausted>;
        #[inline(always)]
        fn with<S: Simd>(self, isa: S) -> Self::Output {
            generate_into(isa, self.degree, self.seed, self.signing_key, self.verifying_key, self.work)
        }
    }
    let made = ct::with_wiped_stack::<KEYGEN_STACK, _>(|| {
        let (signing_key, work) = (&mut *signing_key, &mut *work);
        level.run(Generate { degree, seed, signing_key, verifying_key, work })
    });
    ct::wipe(work);
    if made.is_err() {
        ct::wipe(signing_key);
    }
    made
}

/// One signature on one level; wipes the work memory and the stack.
pub(super) fn level_sign<K: Lattice>(
    level: Level,
    degree: Degree,
    key: &K,
    mu: &Mu,
    random: &[u8; SIGN_SEED_LEN],
    signature: &mut [u8],
    work: &mut [u8],
) -> Result<(), Failure> {
    struct Sign<'w, K> {
        degree: Degree,
        key: &'w K,
        mu: &'w Mu,
        random: &'w [u8; SIGN_SEED_LEN],
        signature: &'w mut [u8],
        work: &'w mut [u8],
    }
    impl<K: Lattice> WithSimd for Sign<'_, K> {
        type Output = Result<(), Failure>;
        #[inline(always)]
        fn with<S: Simd>(self, isa: S) -> Self::Output {
            sign(isa, self.degree, self.key, &self.mu.0, self.random, self.signature, Scratch::new(self.work))
        }
    }
    let made = ct::with_wiped_stack::<SIGN_STACK, _>(|| {
        level.run(Sign { degree, key, mu, random, signature, work: &mut *work })
    });
    ct::wipe(work);
    made
}

impl<R> From<Failure> for SignError<R> {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Attempts => Self::Attempts,
            Failure::SelfCheck => Self::SelfCheck,
        }
    }
}

impl core::fmt::Debug for SigningKey<'_> {
    /// Degree only: nothing secret is printed.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("SigningKey").field("scheme", &self.scheme).field("degree", &self.degree).finish_non_exhaustive()
    }
}
