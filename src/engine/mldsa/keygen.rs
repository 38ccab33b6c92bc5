//! Key generation from the seed xi (FIPS 204, algorithm 6).
//!
//! xi is secret. All values that are computed from xi are also secret, except for the public key
//! and for the information which candidates are dropped when s1 and s2 are sampled.

use super::codec::PIECE;
use super::params::{K_LEN, MlDsaSet, RHO_LEN, SECRET_SEED_LEN, T0_LEN, T1_BITS, T1_LEN, TR_LEN, XI_LEN};
use super::rows::{KeyRowBuilder, Power2RoundPiece, SecretPolynomials, packed_secret_into};
use super::sample::SqueezeLimitError;
use crate::engine::hash::shake::shake256_into;
use crate::simd::{Scratch, Simd, ct, frame};
use zeroize::Zeroize;

/// Writes the public key for xi and, if `expanded` is given, also the expanded private key. The
/// lengths must match the parameter set. `work` must have at least [`MlDsaSet::keygen_work_len`]
/// bytes. With [`MlDsaSet::keygen_fast_work_len`] bytes, key generation takes less time.
///
/// # Errors
/// Fails if sampling needs more bytes than FIPS 204 allows. This does not happen on a machine
/// without faults. If it happens, both keys will be all zeros.
#[inline(always)]
pub fn generate<S: Simd>(
    isa: S,
    set: MlDsaSet,
    xi: &[u8; XI_LEN],
    public: &mut [u8],
    mut expanded: Option<&mut [u8]>,
    work: Scratch<'_>,
) -> Result<(), SqueezeLimitError> {
    let seeds = KeySeeds::new(isa, set, xi);
    let result = pair_into(isa, set, &seeds, public, expanded.as_deref_mut(), work);
    if result.is_err() {
        public.fill(0);
        expanded.into_iter().for_each(<[u8]>::zeroize);
    }
    result
}

/// The seeds `rho | rho' | K`, which are computed from xi. `drop` wipes them.
pub struct KeySeeds {
    bytes: [u8; RHO_LEN + SECRET_SEED_LEN + K_LEN],
}

impl KeySeeds {
    /// Computes the seeds from xi.
    #[inline(always)]
    pub fn new<S: Simd>(isa: S, set: MlDsaSet, xi: &[u8; XI_LEN]) -> Self {
        let p = set.parameters();
        let mut seeds = Self { bytes: [0; RHO_LEN + SECRET_SEED_LEN + K_LEN] };
        shake256_into(isa, &[xi, &[p.k as u8, p.l as u8]], &mut seeds.bytes);
        ct::declassify_row("public key", &mut seeds.bytes[..RHO_LEN]);
        seeds
    }

    /// Returns rho, the seed for the matrix A. It is public.
    pub const fn rho(&self) -> &[u8; RHO_LEN] {
        self.parts().0
    }

    /// Returns rho', the seed for s1 and s2.
    pub const fn secret(&self) -> &[u8; SECRET_SEED_LEN] {
        self.parts().1
    }

    /// Returns K, a secret input to the seed for y.
    pub const fn key(&self) -> &[u8; K_LEN] {
        self.parts().2
    }

    /// Returns rho, rho' and K.
    const fn parts(&self) -> (&[u8; RHO_LEN], &[u8; SECRET_SEED_LEN], &[u8; K_LEN]) {
        let Some((rho, rest)) = self.bytes.split_first_chunk() else { unreachable!() };
        let Some((secret, rest)) = rest.split_first_chunk() else { unreachable!() };
        let Some((key, _)) = rest.split_first_chunk() else { unreachable!() };
        (rho, secret, key)
    }
}

impl Drop for KeySeeds {
    fn drop(&mut self) {
        self.bytes.zeroize();
    }
}

/// Works like [`generate`], with the seeds that were computed from xi. Does not clear the keys if
/// it fails.
#[inline(never)]
fn pair_into<S: Simd>(
    isa: S,
    set: MlDsaSet,
    seeds: &KeySeeds,
    public: &mut [u8],
    mut expanded: Option<&mut [u8]>,
    work: Scratch<'_>,
) -> Result<(), SqueezeLimitError> {
    frame!(isa, {
        let p = set.parameters();
        let (rho, seed, key) = seeds.parts();
        let s_at = RHO_LEN + K_LEN + TR_LEN;
        let t0_at = s_at + (p.k + p.l) * p.s_len();
        public[..RHO_LEN].copy_from_slice(rho);
        let mut rows = KeyRowBuilder::new(set, rho, SecretPolynomials::Seed(seed), work);
        for r in 0..p.k {
            let t = rows.next(isa)?;
            let t1 = public[RHO_LEN + T1_LEN * r..].chunks_exact_mut(PIECE / 8 * T1_BITS);
            for (i, (t, t1)) in t.chunks_exact(PIECE).zip(t1).enumerate() {
                let piece = Power2RoundPiece::new(isa, t);
                t1.copy_from_slice(&piece.t1);
                if let Some(expanded) = &mut expanded {
                    let at = t0_at + T0_LEN * r + piece.t0.len() * i;
                    expanded[at..at + piece.t0.len()].copy_from_slice(&piece.t0);
                }
            }
        }
        let Some(expanded) = expanded else { return Ok(()) };
        let memory = rows.into_memory();
        for (i, s) in expanded[s_at..t0_at].chunks_exact_mut(p.s_len()).enumerate() {
            packed_secret_into(isa, p, seed, i, memory, s)?;
        }
        let (head, tr) = expanded[..s_at].split_at_mut(RHO_LEN + K_LEN);
        head[..RHO_LEN].copy_from_slice(rho);
        head[RHO_LEN..].copy_from_slice(key);
        shake256_into(isa, &[public], tr);
        Ok(())
    })
}
