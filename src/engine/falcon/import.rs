//! Encodes the key pair for a seed ([`generate_into`]), checks external private keys in full
//! ([`check`]), and converts a private key to the encoding for a different scheme
//! ([`recode_private`]; specification 2.3, 4.2).
//!
//! The encoding contains f, g and F. The polynomial `G = g F / f` and the public key `h = g / f`
//! are computed modulo q. A check modulo q cannot distinguish `f G - g F = q` from an equation with
//! another multiple of q, so the equation is checked over the integers. If the machine has fast
//! binary64 instructions, the check uses the binary64 transforms of f, g, F and G. The rounding
//! errors are about `2^-19`, and different integers differ by at least 1. The Gram-Schmidt norm is
//! computed from the same transforms of f and g. On other machines, the equation is checked modulo
//! a 31-bit prime, and the norm is computed in fixed point. (If binary64 is fast, this second
//! method takes twice as long as the first.)
//!
//! All values in this file are secret, except for the public key, its hash, and the returned error,
//! which identifies the check that failed.

use super::codec::{PrivateKeyParts, pack_signed, unpack_mod_q, unpack_signed};
use super::complex::{Complex, for_each_vector, is_short, load, mul, squared, sub};
use super::fft::fft;
use super::keygen::{KeySearch, NoCandidateError};
use super::modq::{self, InverseScale};
use super::ntru::{Trapdoor, holds_equation};
use super::ortho::{exact_ortho_norm_is_small, ortho_norm_decided};
use super::params::{FG_BITS, FG_LIMIT, FG_NORM_BOUND, KEYGEN_SEED_LEN, Q, SIGNING_KEY_HEADER};
use super::public_key::{encode_public, public_hash, to_public_form};
use super::scheme::FalconAlgorithm;
use crate::engine::hash::message::KEY_HASH_LEN;
use crate::simd::{Real, RowValue, Scratch, Simd, ct, frame};

/// The reason why a private key is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrivateKeyDefect {
    /// A coefficient of f, g or F is out of range.
    Coefficient,
    /// f has no inverse modulo q.
    NotInvertible,
    /// `f G - g F` is not q, or G is too large.
    Equation,
    /// `|f|^2 + |g|^2` is too large.
    Norm,
    /// The Gram-Schmidt norm is too large.
    OrthogonalNorm,
    /// The stored hash does not match the public key.
    KeyHash,
}

/// Computes `h = g / f` in the transform's domain. Replaces `g` by h, and `f` by its inverse.
/// Returns `false` if f is not invertible.
#[must_use]
#[inline(always)]
pub fn quotient_into<S: Simd>(isa: S, f: &mut [u16], g: &mut [u16]) -> bool {
    let invertible = !modq::has_zero(f);
    modq::invert_into(isa, f);
    modq::mul_into(isa, g, f);
    invertible
}

/// Computes h from the packed f and g, in the transform's domain. Returns `false` if f is not
/// invertible. `h` and `tmp` have n values.
#[inline(never)]
pub fn public_row_into<S: Simd>(isa: S, logn: u32, key: PrivateKeyParts<'_>, h: &mut [u16], tmp: &mut [u16]) -> bool {
    frame!(isa, {
        let bits = FG_BITS[logn as usize];
        unpack_mod_q(key.order, key.f, bits, tmp);
        unpack_mod_q(key.order, key.g, bits, h);
        modq::ntt(isa, logn, tmp);
        modq::ntt(isa, logn, h);
        quotient_into(isa, tmp, h)
    })
}

/// Writes the encoded public key for f and g, and returns this public key's hash. This
/// function has a separate stack frame. Otherwise, key generation's frame, which uses the most
/// stack, would also contain this function's variables. Uses `4n` bytes from `work`.
#[inline(never)]
fn public_into<S: Simd>(
    isa: S,
    algorithm: FalconAlgorithm,
    key: PrivateKeyParts<'_>,
    out: &mut [u8],
    mut work: Scratch<'_>,
) -> [u8; KEY_HASH_LEN] {
    frame!(isa, {
        let logn = algorithm.degree().logn();
        let n = algorithm.degree().n();
        let h = work.take::<u16>(n);
        let tmp = work.take::<u16>(n);
        let _checked_in_keygen = public_row_into(isa, logn, key, h, tmp);
        to_public_form(isa, algorithm, h);
        encode_public(algorithm, h, out);
        public_hash(isa, algorithm, h)
    })
}

/// The memory for a new key pair in encoded form.
pub struct KeyPairOutput<'s, 'v> {
    /// The private key, [`FalconAlgorithm::signing_key_len`] bytes.
    pub signing_key: &'s mut [u8],
    /// The public key, [`FalconAlgorithm::verifying_key_len`] bytes.
    pub verifying_key: &'v mut [u8],
}

/// Writes the encoded key pair that `search` finds for a seed, and returns the public key's hash.
/// `work` must have at least [`FalconAlgorithm::keygen_work_len`] bytes.
///
/// # Errors
/// Returns an error if no candidate became a key.
#[inline(always)]
pub fn generate_into<S: Simd>(
    isa: S,
    algorithm: FalconAlgorithm,
    search: impl KeySearch,
    seed: &[u8; KEYGEN_SEED_LEN],
    pair: &mut KeyPairOutput<'_, '_>,
    work: &mut [u8],
) -> Result<[u8; KEY_HASH_LEN], NoCandidateError> {
    search.key(isa, algorithm.degree().logn(), seed, Scratch::new(&mut *work))?;
    Ok(encode_pair(isa.integers(), algorithm, pair, work))
}

/// Encodes the private key and the public key, and returns the public key's hash. f, g and F are at
/// the start of `work`. This function has a separate stack frame, so the search for a key does not
/// need stack for this function's variables.
#[inline(never)]
fn encode_pair<S: Simd>(
    isa: S,
    algorithm: FalconAlgorithm,
    pair: &mut KeyPairOutput<'_, '_>,
    work: &mut [u8],
) -> [u8; KEY_HASH_LEN] {
    frame!(isa, {
        let order = algorithm.scheme().rules().order;
        let logn = algorithm.degree().logn();
        let n = algorithm.degree().n();
        let bits = FG_BITS[logn as usize];
        let (header, body) = pair.signing_key.split_at_mut(1);
        header[0] = SIGNING_KEY_HEADER | logn as u8;
        let len = n * bits as usize / 8;
        let (fg, rest) = body.split_at_mut(2 * len);
        let (big_f_bytes, stored_hash) = rest.split_at_mut(n);
        let key = Trapdoor::take(&mut Scratch::new(&mut *work), n);
        pack_signed(order, key.f, bits, &mut fg[..len]);
        pack_signed(order, key.g, bits, &mut fg[len..]);
        pack_signed(order, key.big_f, 8, big_f_bytes);
        let (f, g) = fg.split_at(len);
        let parts = PrivateKeyParts { order, f, g, big_f: big_f_bytes, fg, key_hash: None };
        let hash = public_into(isa, algorithm, parts, pair.verifying_key, Scratch::new(work));
        if !stored_hash.is_empty() {
            stored_hash.copy_from_slice(&hash);
        }
        hash
    })
}

/// Writes a key's f, g and F in the encoding for the scheme in `algorithm`, and the public key's
/// hash if this scheme stores the hash. `key` must have been checked, and `out` must have the
/// length for this scheme. Uses `5n` bytes from `work`.
#[inline(never)]
pub fn recode_private<S: Simd>(
    isa: S,
    key: PrivateKeyParts<'_>,
    algorithm: FalconAlgorithm,
    out: &mut [u8],
    mut work: Scratch<'_>,
) {
    frame!(isa, {
        let order = algorithm.scheme().rules().order;
        let logn = algorithm.degree().logn();
        let n = algorithm.degree().n();
        let bits = FG_BITS[logn as usize];
        let (header, mut rest) = out.split_at_mut(1);
        header[0] = SIGNING_KEY_HEADER | logn as u8;
        let values = work.take::<i8>(n);
        for (src, bits) in [(key.f, bits), (key.g, bits), (key.big_f, 8)] {
            let (head, tail) = rest.split_at_mut(src.len());
            let _checked_on_import = unpack_signed(key.order, src, bits, values);
            pack_signed(order, values, bits, head);
            rest = tail;
        }
        if !rest.is_empty() {
            let h = work.take::<u16>(n);
            let tmp = work.take::<u16>(n);
            let _checked_on_import = public_row_into(isa, logn, key, h, tmp);
            to_public_form(isa, algorithm, h);
            rest.copy_from_slice(&public_hash(isa, algorithm, h));
        }
    });
}

/// Two sums over the `n/2` complex values of the transformed f, g, F and G.
struct LatticeSums<R> {
    /// `|f G - g F - q|^2`. For the polynomial `D = f G - g F - q`, this sum is `n/2` times the sum
    /// of D's squared coefficients, which are integers. The sum is 0 if the equation is correct,
    /// and otherwise at least 2. The products are below `2^30`, and their rounding errors are
    /// `2^-19`.
    equation: R,
    /// `1 / (|f|^2 + |g|^2)`, for [`ortho_norm_decided`].
    inverse_norms: R,
}

/// Computes both sums in [`LatticeSums`] from the transformed f, g, F and G. Uses `f` as work
/// memory.
#[inline(never)]
fn lattice_sums<S: Simd>(isa: S, [f, g, big_f, big_g]: [&mut [S::Real]; 4]) -> LatticeSums<S::Real> {
    if is_short::<S>(f.len() / 2) {
        return lattice_sums(isa.half(), [f, g, big_f, big_g]);
    }
    frame!(isa, {
        let half = f.len() / 2;
        let (fre, fim) = f.split_at_mut(half);
        let (gre, gim) = g.split_at(half);
        let (ure, uim) = big_f.split_at(half);
        let (vre, vim) = big_g.split_at(half);
        let q = isa.splat_f64(S::Real::from_i32(Q.cast_signed()));
        let one = isa.splat_f64(S::Real::from_i32(1));
        let mut equation = isa.splat_f64(S::Real::ZERO);
        let mut inverse_norms = equation;
        for_each_vector::<S>(
            half,
            #[inline(always)]
            |i| {
                let f = load(isa, fre, fim, i);
                let g = load(isa, gre, gim, i);
                let big_f = load(isa, ure, uim, i);
                let big_g = load(isa, vre, vim, i);
                let d = sub(isa, mul(isa, f, big_g), mul(isa, g, big_f));
                let d = Complex { re: isa.sub_f64(d.re, q), im: d.im };
                let norm = isa.add_f64(squared(isa, f), squared(isa, g));
                equation = isa.add_f64(equation, squared(isa, d));
                inverse_norms = isa.add_f64(inverse_norms, isa.div_f64(one, norm));
            },
        );
        let mut totals = [S::Real::ZERO; 2];
        for (total, lanes) in totals.iter_mut().zip([equation, inverse_norms]) {
            isa.store_f64(lanes, fre);
            *total = fre[..S::LANES_F64].iter().fold(S::Real::ZERO, |a, &b| a + b);
        }
        let [equation, inverse_norms] = totals;
        LatticeSums { equation, inverse_norms }
    })
}

/// Returns whether `a < b`.
fn is_below<R: Real>(a: R, b: R) -> bool {
    ct::barrier_u64((a - b).to_bits()) >> 63 == 1
}

/// Checks a private key in full, and returns the public key's hash. Uses `36n` bytes from `work`.
#[inline(never)]
pub fn check<S: Simd>(
    isa: S,
    algorithm: FalconAlgorithm,
    key: PrivateKeyParts<'_>,
    mut work: Scratch<'_>,
) -> Result<[u8; KEY_HASH_LEN], PrivateKeyDefect> {
    frame!(isa, {
        let order = key.order;
        let logn = algorithm.degree().logn();
        let n = algorithm.degree().n();
        let [f, g, big_f, big_g] = [(); 4].map(|()| work.take::<i8>(n));
        let bits = FG_BITS[logn as usize];
        // Do not stop at the first error, because only a single flag for all three polynomials may
        // be declassified.
        let in_range = [(key.f, bits, &mut *f), (key.g, bits, &mut *g), (key.big_f, 8, &mut *big_f)]
            .map(|(src, bits, out)| unpack_signed(order, src, bits, out));
        if ct::declassify("import: coefficients", in_range != [true; 3]) {
            return Err(PrivateKeyDefect::Coefficient);
        }

        let norm: i32 = f.iter().chain(&*g).map(|&x| i32::from(x).pow(2)).sum();
        let too_long = ct::barrier_u32((FG_NORM_BOUND.cast_signed() - 1 - norm).cast_unsigned()) >> 31;
        if ct::declassify("import: norm", too_long) != 0 {
            return Err(PrivateKeyDefect::Norm);
        }

        let hash = {
            let mut work = work.fork();
            let h = work.take::<u16>(n);
            let tmp = work.take::<u16>(n);
            let integers = isa.integers();
            let invertible = public_row_into(integers, logn, key, h, tmp);
            if !ct::declassify("import: invertible", invertible) {
                return Err(PrivateKeyDefect::NotInvertible);
            }
            unpack_mod_q(order, key.big_f, 8, tmp);
            modq::ntt(integers, logn, tmp);
            modq::mul_into(integers, tmp, h);
            modq::intt(integers, logn, tmp, InverseScale::R);
            let mut out_of_range = 0;
            for (x, &y) in big_g.iter_mut().zip(&*tmp) {
                let y = modq::centered(y);
                out_of_range |= (FG_LIMIT - y) | (FG_LIMIT + y);
                *x = y as i8;
            }
            let out_of_range = ct::barrier_u32(out_of_range.cast_unsigned()) >> 31;
            if ct::declassify("import: equation", out_of_range) != 0 {
                return Err(PrivateKeyDefect::Equation);
            }
            to_public_form(integers, algorithm, h);
            public_hash(integers, algorithm, h)
        };
        // The stored hash is public, and the computed hash is also public.
        if key.key_hash.is_some_and(|stored| *stored != hash) {
            return Err(PrivateKeyDefect::KeyHash);
        }
        let bound = algorithm.scheme().rules().ortho_norm_bound;
        // If binary64 is fast, the equation check and the norm check can share the transforms.
        let (equation_holds, norm_decision) = if S::Real::IN_HARDWARE {
            let mut work = work.fork();
            let mut rows = [(); 4].map(|()| work.take::<S::Real>(n));
            for (row, poly) in rows.iter_mut().zip([&*f, g, big_f, big_g]) {
                fft(isa, logn, poly, row, i32::from);
            }
            let sums = lattice_sums(isa, rows);
            let norm_decision = ortho_norm_decided(sums.inverse_norms, n, bound);
            (is_below(sums.equation, S::Real::from_i32(1).half()), norm_decision)
        } else {
            (holds_equation(isa, [f, g, big_f, big_g], work.fork()), None)
        };
        if !ct::declassify("import: equation", equation_holds) {
            return Err(PrivateKeyDefect::Equation);
        }
        let small = norm_decision.unwrap_or_else(|| exact_ortho_norm_is_small(isa, logn, f, g, bound, work));
        if !small {
            return Err(PrivateKeyDefect::OrthogonalNorm);
        }
        Ok(hash)
    })
}
