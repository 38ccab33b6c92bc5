//! The checks of an expanded private key that comes from outside, and its public key.
//!
//! FIPS 204 has no more than the range of s1 and s2 (algorithm 25). But a key whose t0 or tr does not follow from rho,
//! s1 and s2 makes signatures that no public key verifies, or that tell of the key; so the public key is computed, and
//! t0 and tr are compared with what belongs to it (RFC 9881, section 8.2).
//!
//! The key is secret. What is told is the check that failed.

use super::codec::{PIECE, SecretParts, unpack};
use super::params::{Parameters, RHO_LEN, Set, T0_BITS, T1_LEN, TR_LEN};
use super::round::Reach;
use super::rows::{Cut, Rows, Secrets};
use super::sample::LimitReached;
use crate::engine::hash::shake::Shake256;
use crate::simd::{Scratch, Simd, ct, frame};

/// Why an expanded private key is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpandedFlaw {
    /// It has not the length of the set.
    Length,
    /// A coefficient of s1 or s2 is out of range.
    Coefficient,
    /// t0 is not that of rho, s1 and s2.
    PublicPart,
    /// tr is not the hash of the public key.
    KeyHash,
    /// rho does not give a matrix within the limits of the standard.
    Limit,
}

impl From<LimitReached> for ExpandedFlaw {
    fn from(LimitReached: LimitReached) -> Self {
        Self::Limit
    }
}

/// Checks an expanded private key in full, and returns tr. Takes [`Set::keygen_work_len`] bytes of `work`, or more.
///
/// # Errors
/// The first check that failed.
#[inline(always)]
pub fn check<S: Simd>(isa: S, set: Set, expanded: &[u8], work: Scratch<'_>) -> Result<[u8; TR_LEN], ExpandedFlaw> {
    walk(isa, set, expanded, None, work)
}

/// [`check`] that writes the public key, too. Range: `public` has the length of the set.
///
/// # Errors
/// The first check that failed; the public key is all zeros then.
#[inline(always)]
pub fn public_into<S: Simd>(
    isa: S,
    set: Set,
    expanded: &[u8],
    public: &mut [u8],
    work: Scratch<'_>,
) -> Result<[u8; TR_LEN], ExpandedFlaw> {
    let checked = walk(isa, set, expanded, Some(&mut *public), work);
    if checked.is_err() {
        public.fill(0);
    }
    checked
}

/// Checks a key on a walk along the rows of t.
#[inline(never)]
fn walk<S: Simd>(
    isa: S,
    set: Set,
    expanded: &[u8],
    mut public: Option<&mut [u8]>,
    work: Scratch<'_>,
) -> Result<[u8; TR_LEN], ExpandedFlaw> {
    frame!(isa, {
        let p = set.parameters();
        let parts = SecretParts::new(set, expanded).ok_or(ExpandedFlaw::Length)?;
        let out_of_range = reach_of_fields(isa, p, parts.s).bit();
        if ct::declassify("import: coefficients", ct::barrier_u32(out_of_range)) != 0 {
            return Err(ExpandedFlaw::Coefficient);
        }
        let mut rho = *parts.rho;
        ct::declassify_row("public key", &mut rho);
        let mut hash = Shake256::new(isa);
        hash.absorb(&rho);
        if let Some(public) = &mut public {
            public[..RHO_LEN].copy_from_slice(&rho);
        }
        let mut differs = 0;
        let mut rows = Rows::new(set, &rho, Secrets::Packed(parts), work);
        for r in 0..p.k {
            let t0 = parts.lower(r).bytes.chunks_exact(PIECE / 8 * T0_BITS);
            for (i, (t, t0)) in rows.next(isa)?.chunks_exact(PIECE).zip(t0).enumerate() {
                let cut = Cut::new(isa, t);
                for (a, b) in t0.iter().zip(cut.t0) {
                    differs |= u32::from(a ^ b);
                }
                hash.absorb(&cut.t1);
                if let Some(public) = &mut public {
                    let at = RHO_LEN + T1_LEN * r + cut.t1.len() * i;
                    public[at..at + cut.t1.len()].copy_from_slice(&cut.t1);
                }
            }
        }
        if ct::declassify("import: t0", ct::barrier_u32(differs)) != 0 {
            return Err(ExpandedFlaw::PublicPart);
        }
        let mut tr = [0; TR_LEN];
        hash.finish();
        hash.squeeze(&mut tr);
        for (a, b) in tr.iter().zip(parts.tr) {
            differs |= u32::from(a ^ b);
        }
        if ct::declassify("import: tr", ct::barrier_u32(differs)) != 0 {
            return Err(ExpandedFlaw::KeyHash);
        }
        Ok(tr)
    })
}

/// Looks whether a coefficient of s1 and s2 is beyond eta.
#[inline(never)]
fn reach_of_fields<S: Simd>(isa: S, p: &Parameters, s: &[u8]) -> Reach {
    frame!(isa, {
        let mut reach = Reach::of(p.eta + 1);
        let mut fields = [0; PIECE];
        for bytes in s.chunks_exact(PIECE / 8 * p.s_bits()) {
            unpack(isa, p.s_bits(), bytes, &mut fields);
            for field in fields {
                reach.see(p.eta.wrapping_sub(field).cast_signed());
            }
        }
        reach
    })
}
