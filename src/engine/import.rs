//! From an encoded private key to what signing needs, and the full check of a key that comes from
//! outside (specification 2.3.4, 9.7).
//!
//! The encoding holds f, g and F; `G = g F / f` and `h = g / f` modulo q. A check modulo q cannot
//! tell `f G - g F = q` from other multiples of q, so the equation is checked over the integers.
//!
//! Everything here is secret but the verdict: which check failed is told.

use super::codec::{PrivateParts, pack14, unpack_signed};
use super::keygen::{equation_holds, ortho_norm_is_small};
use super::modq;
use super::params::{Degree, FG_BITS, FG_LIMIT, FG_NORM_BOUND, KEY_HASH_LEN, VERIFYING_KEY_HEADER};
use super::shake::Shake256;
use crate::simd::{Scratch, Simd, ct};

/// Why a private key is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// A coefficient of f, g or F is out of range.
    Coefficient,
    /// f is not invertible modulo q.
    NotInvertible,
    /// `f G - g F` is not q, or G is too large.
    Equation,
    /// f and g are too long.
    Norm,
    /// The Gram-Schmidt norm is too large.
    OrthogonalNorm,
    /// The stored hash is not that of the public key.
    KeyHash,
}

/// Fields of `bits` bits into `out`, modulo q.
pub fn unpack_mod_q(src: &[u8], bits: u32, out: &mut [u16]) {
    const BLOCK: usize = 32;
    let mut block = [0i8; BLOCK];
    for (src, out) in src.chunks(BLOCK * bits as usize / 8).zip(out.chunks_mut(BLOCK)) {
        let block = &mut block[..out.len()];
        let _checked_on_import = unpack_signed(src, bits, block);
        for (x, y) in out.iter_mut().zip(block) {
            *x = modq::from_small(i32::from(*y));
        }
    }
}

/// h, in the transform's domain, of f and g in it; `g` becomes h, `f` its own inverse. False if f
/// is not invertible.
#[must_use]
#[inline(always)]
pub fn quotient_into<S: Simd>(isa: S, f: &mut [u16], g: &mut [u16]) -> bool {
    let invertible = !modq::has_zero(f);
    modq::invert_into(isa, f);
    modq::mul_into(isa, g, f);
    invertible
}

/// h of a private key, in the transform's domain. `tmp` has n values too.
#[inline(never)]
pub fn public_row_into<S: Simd>(isa: S, logn: u32, key: PrivateParts<'_>, h: &mut [u16], tmp: &mut [u16]) -> bool {
    isa.enter(
        #[inline(always)]
        || {
            let bits = FG_BITS[logn as usize];
            unpack_mod_q(key.f, bits, tmp);
            unpack_mod_q(key.g, bits, h);
            modq::ntt(isa, logn, tmp);
            modq::ntt(isa, logn, h);
            quotient_into(isa, tmp, h)
        },
    )
}

/// Calls `f` with the encoded public key of h, piece by piece.
fn each_public_piece(degree: Degree, h: &[u16], mut f: impl FnMut(&[u8])) {
    const BLOCK: usize = 64;
    f(&[VERIFYING_KEY_HEADER | degree.logn() as u8]);
    let mut bytes = [0; BLOCK / 4 * 7];
    for h in h.chunks(BLOCK) {
        let bytes = &mut bytes[..h.len() / 4 * 7];
        pack14(h, bytes);
        f(bytes);
    }
}

/// Writes the encoded public key of h. Range: `out` has [`Degree::verifying_key_len`] bytes.
pub fn encode_public(degree: Degree, h: &[u16], mut out: &mut [u8]) {
    each_public_piece(degree, h, |piece| {
        let (now, later) = core::mem::take(&mut out).split_at_mut(piece.len());
        now.copy_from_slice(piece);
        out = later;
    });
}

/// The hash of the encoded public key of h.
#[inline(never)]
pub fn public_hash<S: Simd>(isa: S, degree: Degree, h: &[u16]) -> [u8; KEY_HASH_LEN] {
    isa.enter(
        #[inline(always)]
        || {
            let mut sponge = Shake256::new(isa);
            each_public_piece(degree, h, |piece| sponge.absorb(piece));
            sponge.finish();
            let mut hash = [0; KEY_HASH_LEN];
            sponge.squeeze(&mut hash);
            hash
        },
    )
}

/// Checks a private key in full. Takes `26n` bytes of `work`.
#[inline(never)]
pub fn check<S: Simd>(isa: S, degree: Degree, key: PrivateParts<'_>, mut work: Scratch<'_>) -> Result<(), Defect> {
    isa.enter(
        #[inline(always)]
        || {
            let (logn, n) = (degree.logn(), degree.n());
            let [f, g, big_f, big_g] = [(); 4].map(|()| work.take::<i8>(n));
            let bits = FG_BITS[logn as usize];
            // No short circuit: one flag for all three.
            let ranges =
                [unpack_signed(key.f, bits, f), unpack_signed(key.g, bits, g), unpack_signed(key.big_f, 8, big_f)];
            if ranges != [true; 3] {
                return Err(Defect::Coefficient);
            }

            let norm: i32 = f.iter().chain(&*g).map(|&x| i32::from(x).pow(2)).sum();
            let too_long = ct::barrier_u32((FG_NORM_BOUND.cast_signed() - 1 - norm).cast_unsigned()) >> 31;
            if too_long != 0 {
                return Err(Defect::Norm);
            }

            {
                let mut work = work.fork();
                let (h, tmp) = (work.take::<u16>(n), work.take::<u16>(n));
                if !public_row_into(isa, logn, key, h, tmp) {
                    return Err(Defect::NotInvertible);
                }
                // The stored hash is public, and so is this one.
                if public_hash(isa, degree, h) != *key.key_hash {
                    return Err(Defect::KeyHash);
                }
                unpack_mod_q(key.big_f, 8, tmp);
                modq::ntt(isa, logn, tmp);
                modq::mul_into(isa, tmp, h);
                modq::intt(isa, logn, tmp, true);
                let mut outside = 0;
                for (x, &y) in big_g.iter_mut().zip(&*tmp) {
                    let y = modq::centered(y);
                    outside |= (FG_LIMIT - y) | (FG_LIMIT + y);
                    *x = y as i8;
                }
                if ct::barrier_u32(outside.cast_unsigned()) >> 31 != 0 {
                    return Err(Defect::Equation);
                }
            }
            if !equation_holds(isa, logn, f, g, big_f, big_g, work.fork()) {
                return Err(Defect::Equation);
            }
            if !ortho_norm_is_small(isa, logn, f, g, work.fork()) {
                return Err(Defect::OrthogonalNorm);
            }
            Ok(())
        },
    )
}
