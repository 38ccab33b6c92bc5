//! Checks an expanded private key that a user imports, and computes its public key.
//!
//! FIPS 204 only requires that the coefficients in s1 and s2 are in range (algorithm 25). However,
//! t0 and tr must also match rho, s1 and s2. Otherwise, no public key verifies the key's
//! signatures, or the signatures reveal something about the key. Therefore, this code also computes
//! the public key, and compares t0 and tr with the expected values (RFC 9881, section 8.2).
//!
//! The key is secret. The code declassifies only the public key and the reason why a key is
//! rejected.

use super::codec::{ExpandedKeyParts, PIECE, unpack};
use super::params::{MlDsaSet, Parameters, RHO_LEN, T0_BITS, T1_LEN, TR_LEN};
use super::round::BoundCheck;
use super::rows::{KeyRowBuilder, Power2RoundPiece, SecretPolynomials};
use super::sample::SqueezeLimitError;
use crate::engine::hash::shake::Shake256;
use crate::simd::{Scratch, Simd, ct, frame};

/// The reason why an expanded private key was rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpandedKeyDefect {
    /// The length is wrong for the parameter set.
    Length,
    /// A coefficient in s1 or s2 is out of range.
    Coefficient,
    /// t0 does not match rho, s1 and s2.
    PublicPart,
    /// tr is not the public key's hash.
    KeyHash,
    /// Sampling the matrix A from rho needs more bytes than FIPS 204 allows.
    Limit,
}

impl From<SqueezeLimitError> for ExpandedKeyDefect {
    fn from(SqueezeLimitError: SqueezeLimitError) -> Self {
        Self::Limit
    }
}

/// Makes all checks for an expanded private key, and returns tr. `work` must have at least
/// [`MlDsaSet::keygen_work_len`] bytes. With [`MlDsaSet::keygen_fast_work_len`] bytes, the checks
/// take less time.
///
/// # Errors
/// Returns the first defect that was found.
#[inline(always)]
pub fn check<S: Simd>(
    isa: S,
    set: MlDsaSet,
    expanded: &[u8],
    work: Scratch<'_>,
) -> Result<[u8; TR_LEN], ExpandedKeyDefect> {
    check_rows(isa, set, expanded, None, work)
}

/// Works like [`check`], and also writes the public key to `public`, which must have the length for
/// the parameter set.
///
/// # Errors
/// Returns the first defect that was found. If a check fails, the public key will be all zeros.
#[inline(always)]
pub fn public_into<S: Simd>(
    isa: S,
    set: MlDsaSet,
    expanded: &[u8],
    public: &mut [u8],
    work: Scratch<'_>,
) -> Result<[u8; TR_LEN], ExpandedKeyDefect> {
    let checked = check_rows(isa, set, expanded, Some(&mut *public), work);
    if checked.is_err() {
        public.fill(0);
    }
    checked
}

/// Computes t row by row, and compares t0 and tr with the key. Writes the public key if `public` is
/// given.
#[inline(never)]
fn check_rows<S: Simd>(
    isa: S,
    set: MlDsaSet,
    expanded: &[u8],
    mut public: Option<&mut [u8]>,
    work: Scratch<'_>,
) -> Result<[u8; TR_LEN], ExpandedKeyDefect> {
    frame!(isa, {
        let p = set.parameters();
        let parts = ExpandedKeyParts::new(set, expanded).ok_or(ExpandedKeyDefect::Length)?;
        let out_of_range = check_field_bounds(isa, p, parts.s).bit();
        if ct::declassify("import: coefficients", ct::barrier_u32(out_of_range)) != 0 {
            return Err(ExpandedKeyDefect::Coefficient);
        }
        let mut rho = *parts.rho;
        ct::declassify_row("public key", &mut rho);
        let mut hash = Shake256::new(isa);
        hash.absorb(&rho);
        if let Some(public) = &mut public {
            public[..RHO_LEN].copy_from_slice(&rho);
        }
        let mut differs = 0;
        let mut rows = KeyRowBuilder::new(set, &rho, SecretPolynomials::Packed(parts), work);
        for r in 0..p.k {
            let t0 = parts.t0_row(r).bytes.chunks_exact(PIECE / 8 * T0_BITS);
            for (i, (t, t0)) in rows.next(isa)?.chunks_exact(PIECE).zip(t0).enumerate() {
                let piece = Power2RoundPiece::new(isa, t);
                for (a, b) in t0.iter().zip(piece.t0) {
                    differs |= u32::from(a ^ b);
                }
                hash.absorb(&piece.t1);
                if let Some(public) = &mut public {
                    let at = RHO_LEN + T1_LEN * r + piece.t1.len() * i;
                    public[at..at + piece.t1.len()].copy_from_slice(&piece.t1);
                }
            }
        }
        if ct::declassify("import: t0", ct::barrier_u32(differs)) != 0 {
            return Err(ExpandedKeyDefect::PublicPart);
        }
        let mut tr = [0; TR_LEN];
        hash.finish();
        hash.squeeze(&mut tr);
        for (a, b) in tr.iter().zip(parts.tr) {
            differs |= u32::from(a ^ b);
        }
        if ct::declassify("import: tr", ct::barrier_u32(differs)) != 0 {
            return Err(ExpandedKeyDefect::KeyHash);
        }
        Ok(tr)
    })
}

/// Returns a check whose bit is 1 if any coefficient in s1 or s2 is larger than eta in magnitude.
/// `s` contains the packed s1 and s2.
#[inline(never)]
pub fn check_field_bounds<S: Simd>(isa: S, p: &Parameters, s: &[u8]) -> BoundCheck {
    frame!(isa, {
        let mut bounds = BoundCheck::of(p.eta + 1);
        let mut fields = [0; PIECE];
        for bytes in s.chunks_exact(PIECE / 8 * p.s_bits()) {
            unpack(isa, p.s_bits(), bytes, &mut fields);
            for field in fields {
                bounds.include(p.eta.wrapping_sub(field).cast_signed());
            }
        }
        bounds
    })
}
