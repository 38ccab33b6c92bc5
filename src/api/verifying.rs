//! Public keys and the yes-or-no answer.

use super::signature::refusal;
use super::{Form, HashedBuilder, KeyError, KeyHash, ToVerify, VerifyError, enough_work, exact_len};
use crate::engine::falcon::codec::{Scanned, algorithm_of, scan_public};
use crate::engine::falcon::import::{encode_public, to_public_form};
use crate::engine::falcon::params::{Degree, KEY_HASH_LEN, VERIFYING_KEY_HEADER};
use crate::engine::falcon::scheme::{Algorithm, Scheme};
use crate::engine::falcon::signature::Parts;
use crate::engine::falcon::verify::{Claim, PublicFields, Refusal, Verified, public_fields_into, verify};
use crate::engine::hash::shake::shake256_into;
use crate::simd::{Level, Scratch, ct, on_level};

/// A public key, checked: its encoding, borrowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerifyingKey<'a> {
    bytes: &'a [u8],
    algorithm: Algorithm,
}

impl<'a> VerifyingKey<'a> {
    /// Checks an encoded public key: header, length, every field below q, not all zeros.
    ///
    /// # Errors
    /// What the key is refused for.
    pub fn from_bytes(scheme: Scheme, bytes: &'a [u8]) -> Result<Self, KeyError> {
        let algorithm = key_algorithm(scheme, bytes, VERIFYING_KEY_HEADER, Algorithm::verifying_key_len)?;
        match on_level!(Level::detect(), |isa| scan_public(isa, scheme.rules().order, &bytes[1..])) {
            Scanned::Good => Ok(Self { bytes, algorithm }),
            Scanned::OutOfRange => Err(KeyError::Coefficient),
            Scanned::Zero => Err(KeyError::ZeroKey),
        }
    }

    /// Takes a key that this crate has just written.
    pub(super) const fn trusted(algorithm: Algorithm, bytes: &'a [u8]) -> Self {
        Self { bytes, algorithm }
    }

    /// The encoding.
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.bytes
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

    /// SHAKE256 of the encoding: what FN-DSA hashes before the message.
    pub fn key_hash(&self, level: Level) -> KeyHash {
        let mut hash = [0; KEY_HASH_LEN];
        on_level!(level, |isa| shake256_into(isa, &[self.bytes], &mut hash));
        KeyHash(hash)
    }

    /// Verifies one signature: of a `mu`, or of a message that was hashed for it. `work` has at least
    /// [`Algorithm::verify_work_len`] bytes.
    ///
    /// # Errors
    /// Why the signature is not valid. Only `Ok` means that it is.
    pub fn verify<'m>(
        &self,
        level: Level,
        message: impl Into<ToVerify<'m>>,
        signature: &[u8],
        work: &mut [u8],
    ) -> Result<(), VerifyError> {
        self.verified(level, message, signature, work).and_then(confirm)
    }

    /// Verifies as [`Self::verify`] does, for callers who guard against faults of the machine: the answer is a value to compare with
    /// [`Verified::YES`] where it is acted on, more than once.
    ///
    /// # Errors
    /// Those of [`Self::verify`].
    pub fn verified<'m>(
        &self,
        level: Level,
        message: impl Into<ToVerify<'m>>,
        signature: &[u8],
        work: &mut [u8],
    ) -> Result<Verified, VerifyError> {
        let h = PublicFields::Packed(&self.bytes[1..]);
        level_verify(level, self.algorithm, h, message.into(), signature, work)
    }

    /// Verifies one signature of a message that is in memory. `work` has at least [`Algorithm::verify_work_len`] bytes.
    ///
    /// ```
    /// use fndsa::{Algorithm, Form, Level, Scheme, VerifyingKey};
    /// # #[cfg(feature = "alloc")] {
    /// # let rng = &mut getrandom::SysRng;
    /// # let key = fndsa::OwnedSigningKey::generate(Algorithm::FN_DSA_1024, rng)?;
    /// # let signature = key.sign(Form::default(), b"a message", rng)?;
    /// # let (public, signature) = (key.verifying_key(), signature.as_bytes());
    /// # let public = public.as_bytes();
    /// let key = VerifyingKey::from_bytes(Scheme::FnDsa, public)?;
    /// let mut work = [0; Algorithm::FN_DSA_1024.verify_work_len()];
    /// key.verify_message(Level::detect(), Form::default(), b"a message", signature, &mut work)?;
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Why the signature is not valid; the scheme does not have that form. Only `Ok` means that the signature is valid.
    pub fn verify_message(
        &self,
        level: Level,
        form: Form<'_>,
        message: &[u8],
        signature: &[u8],
        work: &mut [u8],
    ) -> Result<(), VerifyError> {
        let mut hashed = hash_message(level, self.algorithm, &self.key_hash(level), form, signature)?;
        hashed.update(message);
        self.verify(level, &hashed.finish().map_err(VerifyError::Message)?, signature, work)
    }

    /// Writes the same key as a public key of another scheme into `out`, exactly
    /// [`Algorithm::verifying_key_len`] bytes. `work` has at least [`Algorithm::import_work_len`] bytes.
    /// Signatures do not follow.
    ///
    /// # Errors
    /// A buffer of the wrong size.
    pub fn convert_into<'b>(
        &self,
        level: Level,
        scheme: Scheme,
        out: &'b mut [u8],
        work: &mut [u8],
    ) -> Result<VerifyingKey<'b>, KeyError> {
        let to = self.algorithm().with_scheme(scheme);
        exact_len(out.len(), to.verifying_key_len()).map_err(KeyError::Work)?;
        enough_work(work.len(), self.algorithm().import_work_len()).map_err(KeyError::Work)?;
        on_level!(level, |isa| {
            let h = Scratch::new(work).take::<u16>(to.degree().n());
            public_fields_into(isa, self.algorithm, &self.bytes[1..], h);
            to_public_form(isa, to, h);
            encode_public(to, h, out);
        });
        Ok(VerifyingKey::trusted(to, out))
    }

    /// Expands the key for many verifications.
    #[cfg(feature = "alloc")]
    pub fn expand(&self, level: Level) -> alloc::boxed::Box<super::ExpandedVerifyingKey> {
        super::ExpandedVerifyingKey::new(level, self)
    }
}

/// Returns the algorithm that `bytes` name in their first byte, if the byte is of this kind and the length fits.
pub(super) fn key_algorithm(
    scheme: Scheme,
    bytes: &[u8],
    header: u8,
    len: fn(Algorithm) -> usize,
) -> Result<Algorithm, KeyError> {
    let found = bytes.first().copied();
    let algorithm = algorithm_of(scheme, header, found).ok_or(KeyError::Header { found })?;
    if bytes.len() != len(algorithm) {
        return Err(KeyError::Length { expected: len(algorithm), found: bytes.len() });
    }
    Ok(algorithm)
}

/// Begins to hash the message of a signature, for the key of this hash.
///
/// # Errors
/// The signature cannot be read; the scheme does not have that form.
pub(super) fn hash_message(
    level: Level,
    algorithm: Algorithm,
    key: &KeyHash,
    form: Form<'_>,
    signature: &[u8],
) -> Result<HashedBuilder, VerifyError> {
    if let Err(malformed) = Parts::new(algorithm, signature) {
        return Err(refusal(malformed, algorithm, signature));
    }
    HashedBuilder::new(level, algorithm, key, form, signature).map_err(VerifyError::Message)
}

/// Checks the answer a second time, against faults.
pub(super) fn confirm(verified: Verified) -> Result<(), VerifyError> {
    if ct::barrier_u32(verified.value()) == Verified::YES { Ok(()) } else { Err(VerifyError::Mismatch) }
}

/// Verifies on one level.
pub(super) fn level_verify(
    level: Level,
    algorithm: Algorithm,
    h: PublicFields<'_>,
    message: ToVerify<'_>,
    signature: &[u8],
    work: &mut [u8],
) -> Result<Verified, VerifyError> {
    enough_work(work.len(), algorithm.verify_work_len()).map_err(VerifyError::Work)?;
    let point = message.point(algorithm.scheme(), signature).ok_or(VerifyError::OtherMessage)?;
    let claim = Claim { algorithm, h, point, signature };
    let verdict = on_level!(level, |isa| verify(isa, &claim, Scratch::new(work)));
    verdict.map_err(|refused| match refused {
        Refusal::Malformed(malformed) => refusal(malformed, algorithm, signature),
        Refusal::Norm => VerifyError::Mismatch,
    })
}
