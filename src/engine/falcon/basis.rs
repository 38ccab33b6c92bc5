//! Signing with a private key's basis in read-only memory, for example in flash (specification
//! 2.6.2 to 2.6.5). Signing with only the encoded private key needs nearly twice as much work
//! memory.
//!
//! The basis consists of four transformed polynomials: b00 = g, b01 = -f, b10 = G and b11 = -F.
//! Without the basis, half the work memory is for the root of the LDL tree (see `tree`). While the
//! tree below a child of the root is computed, this half contains g00 (from the Gram matrix), l10
//! (from the LDL decomposition) and the sampler's targets t0 and t1. With the basis, this half is
//! not necessary, because the code computes each of these values again when it needs the value. The
//! code also stores the samples z1 as 16-bit integers, which need a quarter of the space that reals
//! need. The operations on each number, and their order, are the same as with
//! [`EncodedPrivateKey`], so both kinds of keys make the same signatures.
//!
//! The memory for [`LatticeKey::sample`] is divided as follows, in units of n reals. While a child
//! of the root is sampled, the part from 0 to 3.5 contains the tree and the targets for this child,
//! and the part from 3.5 to 3.75 contains z1 modulo q. Between the two children, and after both
//! children, the part from 0 to 2.5 contains transforms: z1, c and g00 between the children, and z0
//! after both children.
//!
//! | check | when | detects |
//! |---|---|---|
//! | a second computation gives the same hash | writing | a fault in one computation |
//! | the private key's hash | opening | another key's basis |
//! | each number is 0, or `2^-200` to `2^20` | opening | numbers that emulation cannot use |
//! | the equation `f G - g F = q` at all roots | opening | the same fault twice, a wrong basis |
//! | the memory's hash | opening, and before each signature | a bit that has changed |
//!
//! All values in this file are secret.

use super::codec::unpack_mod_q;
use super::complex::{add, for_each_vector, is_short, load, mul, scaled, store, sub};
use super::fft::{fft, ifft_rounded, merge_into, mul_scaled_into, neg_into, split_into};
use super::integrity::{MemoryFault, digest_continued};
use super::modq;
use super::params::{Degree, FG_BITS, SIGN_SEED_LEN};
use super::point::HashedPoint;
use super::sampler::Sampler;
use super::scheme::FalconAlgorithm;
use super::sign::{
    AcceptedRows, EncodedPrivateKey, INV_Q, LatticeKey, PreparedLatticeKey, big_g_into, short_vectors_of,
};
use super::tree::{dynamic_reals, ff_sampling, gram_row, ldl_row, load_row, split_self_framed};
use super::tree_check::MOST_ERROR;
use crate::engine::hash::shake::Shake256;
use crate::simd::{PlainData, Real, RowValue, Scratch, Simd, ct, frame, recast, view};
use zeroize::Zeroizing;

/// The length in bytes of the hash that ends the memory. The hash covers all bytes before it.
const DIGEST_LEN: usize = 8;

/// The first input to the memory's hash. This constant identifies the order of the values.
const FORMAT: u64 = u64::from_be_bytes(*b"basis  1");

/// An upper bound for the magnitudes in a basis, `2^20`, as binary64 bits. A transformed value is a
/// sum of at most 1,024 coefficients below 128, each times a root of unity, so its magnitude is at
/// most `2^17`.
const MAX_MAGNITUDE: u64 = (1023 + 20) << 52;
/// The smallest nonzero magnitude in a basis, `2^-200`. Rounding does not create smaller
/// magnitudes.
const MIN_NONZERO: u64 = (1023 - 200) << 52;

/// The rows of a basis, in order. A row contains the n reals of a transformed polynomial.
#[derive(Clone, Copy)]
enum BasisRow {
    /// The transformed g.
    B00,
    /// The transformed -f.
    B01,
    /// The transformed G.
    B10,
    /// The transformed -F.
    B11,
}

/// A private key with the transformed basis. The memory contains b00, b01, b10, b11, the private
/// key's hash, and a hash of all these bytes.
#[derive(Clone, Copy)]
pub struct KeyWithBasis<'a> {
    key: EncodedPrivateKey<'a>,
    memory: &'a [u8],
}

impl<'a> KeyWithBasis<'a> {
    /// Returns the length in bytes of the memory for a basis.
    pub const fn len(degree: Degree) -> usize {
        4 * degree.n() * size_of::<u64>() + SIGN_SEED_LEN + DIGEST_LEN
    }

    /// Computes a key's basis, and passes it to `write` in parts. Each part's length is a multiple
    /// of 8 bytes. Uses `16n` bytes from `work`.
    ///
    /// The basis is computed twice, and the hash at the end is written only if both computations
    /// lead to the same hash. So a fault in one computation is detected. If the same fault occurs
    /// in both computations, [`KeyWithBasis::open`] detects it with the equation.
    ///
    /// # Errors
    /// Returns an error if there was a fault. In this case, the hash is not written.
    #[inline(never)]
    pub fn write<S: Simd>(
        isa: S,
        key: EncodedPrivateKey<'_>,
        write: &mut dyn FnMut(&[u8]),
        mut work: Scratch<'_>,
    ) -> Result<(), MemoryFault> {
        frame!(isa, {
            let digest = Self::for_each_part(isa, key, write, work.fork());
            let differs = ct::mask_nonzero(digest ^ Self::for_each_part(isa, key, &mut |_| (), work));
            if ct::declassify("basis: made otherwise", differs) != 0 {
                return Err(MemoryFault);
            }
            write(&digest.to_ne_bytes());
            Ok(())
        })
    }

    /// Computes all parts except the hash at the end, passes each part to `write`, and returns the
    /// hash.
    #[inline(never)]
    fn for_each_part<S: Simd>(
        isa: S,
        key: EncodedPrivateKey<'_>,
        write: &mut dyn FnMut(&[u8]),
        mut work: Scratch<'_>,
    ) -> u64 {
        frame!(isa, {
            const { assert!(size_of::<S::Real>() == size_of::<u64>()) };
            let n = key.degree.n();
            let out = work.take::<S::Real>(n);
            let tmp = work.take::<u16>(4 * n);
            let mut digest = FORMAT;
            let mut write_hashed = |bytes: &[u8]| {
                digest = digest_continued(digest, bytes);
                write(bytes);
            };
            for row in [BasisRow::B00, BasisRow::B01, BasisRow::B10, BasisRow::B11] {
                key.row_into(isa, row, out, tmp);
                write_hashed(recast(out));
            }
            let mut hash = Zeroizing::new([0; SIGN_SEED_LEN]);
            key.secret_hash_into(&mut Shake256::new(isa), &mut hash);
            write_hashed(&*hash);
            digest
        })
    }

    /// Checks that `memory` contains this key's basis. Returns a view of the basis, or `None` if a
    /// check fails. Only the checks' results are public. `memory` must have [`KeyWithBasis::len`]
    /// bytes, aligned for 64-bit numbers.
    #[inline(never)]
    pub fn open<S: Simd>(isa: S, key: EncodedPrivateKey<'a>, memory: &'a [u8]) -> Option<Self> {
        frame!(isa, {
            let basis = Self { key, memory };
            let mut hash = Zeroizing::new([0; SIGN_SEED_LEN]);
            key.secret_hash_into(&mut Shake256::new(isa), &mut hash);
            let fields = basis.fields::<S::Real>();
            let differs = fields.hash.iter().zip(&*hash).fold(0, |sum, (a, b)| sum | a ^ b);
            let is_of_key = ct::declassify("basis: of another key", ct::mask_nonzero(u64::from(differs))) == 0;
            let is_good = is_of_key && in_range(fields.rows) && fits(isa, fields.rows) && basis.is_intact();
            is_good.then_some(basis)
        })
    }

    /// Returns a view of a basis without checks. The caller promises that [`KeyWithBasis::open`]
    /// has accepted the basis before. The memory may have changed since then.
    #[cfg(test)]
    pub const fn opened(key: EncodedPrivateKey<'a>, memory: &'a [u8]) -> Self {
        Self { key, memory }
    }

    /// Splits the memory into its fields. `R` is the type for real numbers on the level (the
    /// instruction set).
    fn fields<R: PlainData>(&self) -> BasisFields<'a, R> {
        let n = self.key.degree.n();
        let (b00, rest) = view(self.memory, n);
        let (b01, rest) = view(rest, n);
        let (b10, rest) = view(rest, n);
        let (b11, rest) = view(rest, n);
        BasisFields { rows: [b00, b01, b10, b11], hash: &rest[..SIGN_SEED_LEN] }
    }
}

/// The fields in a basis's memory.
struct BasisFields<'a, R> {
    /// The rows b00, b01, b10 and b11.
    rows: [&'a [R]; 4],
    /// The private key's hash.
    hash: &'a [u8],
}

impl EncodedPrivateKey<'_> {
    /// Writes a row of the transformed basis. `tmp` must have `4n` values.
    #[inline(never)]
    fn row_into<S: Simd>(&self, isa: S, row: BasisRow, out: &mut [S::Real], tmp: &mut [u16]) {
        frame!(isa, {
            let logn = self.degree.logn();
            let n = self.degree.n();
            let (f, tmp) = tmp.split_at_mut(n);
            let (g, tmp) = tmp.split_at_mut(n);
            let (big_f, big_g) = tmp.split_at_mut(n);
            let bits = FG_BITS[logn as usize];
            unpack_mod_q(self.parts.order, self.parts.f, bits, f);
            unpack_mod_q(self.parts.order, self.parts.g, bits, g);
            unpack_mod_q(self.parts.order, self.parts.big_f, 8, big_f);
            let coefficients = match row {
                BasisRow::B00 => g,
                BasisRow::B01 => f,
                BasisRow::B10 => {
                    big_g_into(isa, logn, [f, g, big_f], big_g);
                    big_g
                }
                BasisRow::B11 => big_f,
            };
            fft(isa, logn, coefficients, out, modq::centered);
            if let BasisRow::B01 | BasisRow::B11 = row {
                neg_into(isa, out);
            }
        });
    }
}

/// Returns whether each number's magnitude is 0, or is between [`MIN_NONZERO`] and
/// [`MAX_MAGNITUDE`]. The result is public. Binary64 arithmetic that is emulated with integers
/// cannot handle numbers outside this range.
fn in_range<R: Real>(rows: [&[R]; 4]) -> bool {
    let out_of_range = rows.into_iter().flatten().fold(0, |out_of_range, x| {
        let size = ct::barrier_u64(x.to_bits()) << 1 >> 1;
        out_of_range | ct::less_u64(MAX_MAGNITUDE, size) | (ct::less_u64(size, MIN_NONZERO) & ct::mask_nonzero(size))
    });
    ct::declassify("basis: its range", ct::mask_nonzero(out_of_range)) == 0
}

/// Returns whether `b00 b11 - b01 b10 = q` at all roots of unity. The result is public.
#[inline(never)]
fn fits<S: Simd>(isa: S, [b00, b01, b10, b11]: [&[S::Real]; 4]) -> bool {
    if is_short::<S>(b00.len() / 2) {
        return fits(isa.half(), [b00, b01, b10, b11]);
    }
    frame!(isa, {
        let half = b00.len() / 2;
        let [b00, b01, b10, b11] = [b00, b01, b10, b11].map(|b| b.split_at(half));
        let (one, inv_q) = (isa.splat_f64(S::Real::from_i32(1)), isa.splat_f64(S::Real::from_bits(INV_Q)));
        let mut errors = isa.splat_f64(S::Real::ZERO);
        for_each_vector::<S>(
            half,
            #[inline(always)]
            |i| {
                let fg = mul(isa, load(isa, b00.0, b00.1, i), load(isa, b11.0, b11.1, i));
                let gf = mul(isa, load(isa, b01.0, b01.1, i), load(isa, b10.0, b10.1, i));
                let q = sub(isa, fg, gf);
                let re = isa.sub_f64(isa.mul_f64(q.re, inv_q), one);
                let im = isa.mul_f64(q.im, inv_q);
                errors = isa.add_f64(errors, isa.add_f64(isa.mul_f64(re, re), isa.mul_f64(im, im)));
            },
        );
        let mut lanes = [S::Real::ZERO; 8];
        isa.store_f64(errors, &mut lanes);
        let error = lanes[..S::LANES_F64].iter().fold(S::Real::ZERO, |sum, x| sum + *x);
        // The error is a sum of squares, so it is not negative. Two such numbers can be compared by
        // comparing their bits as integers, and the bits of NaN are larger than the bits of any
        // number.
        let is_wrong = ct::less_u64(MOST_ERROR, ct::barrier_u64(error.to_bits()));
        ct::declassify("basis: its determinant", ct::mask_nonzero(is_wrong)) == 0
    })
}

/// Writes d11 from the LDL decomposition at the root. d11 has `n/2` reals.
#[inline(never)]
fn d11_into<S: Simd>(isa: S, [b00, b01, b10, b11]: [&[S::Real]; 4], d11: &mut [S::Real]) {
    if is_short::<S>(b00.len() / 2) {
        return d11_into(isa.half(), [b00, b01, b10, b11], d11);
    }
    frame!(isa, {
        let half = b00.len() / 2;
        let basis = [b00, b01, b10, b11].map(|b| b.split_at(half));
        let one = isa.splat_f64(S::Real::from_i32(1));
        for_each_vector::<S>(
            half,
            #[inline(always)]
            |i| {
                let (_, value) = ldl_row(isa, one, gram_row(isa, load_row(isa, basis, i)));
                isa.store_f64(value, &mut d11[i..]);
            },
        );
    });
}

/// Writes g00, which has `n/2` reals, from the root's Gram matrix. Overwrites z1 with
/// `t0 + (t1 - z1) l10`, the target that is then split for the left child. `c` and `z1` are
/// transformed.
#[inline(never)]
fn left_target_into<S: Simd>(
    isa: S,
    [b00, b01, b10, b11]: [&[S::Real]; 4],
    c: &[S::Real],
    z1: &mut [S::Real],
    g00: &mut [S::Real],
) {
    if is_short::<S>(b00.len() / 2) {
        return left_target_into(isa.half(), [b00, b01, b10, b11], c, z1, g00);
    }
    frame!(isa, {
        let half = b00.len() / 2;
        let basis = [b00, b01, b10, b11].map(|b| b.split_at(half));
        let (cre, cim) = c.split_at(half);
        let (zre, zim) = z1.split_at_mut(half);
        let one = isa.splat_f64(S::Real::from_i32(1));
        let inv_q = S::Real::from_bits(INV_Q);
        let (inv_q_lanes, minus_inv_q_lanes) = (isa.splat_f64(inv_q), isa.splat_f64(-inv_q));
        for_each_vector::<S>(
            half,
            #[inline(always)]
            |i| {
                let loaded = load_row(isa, basis, i);
                let [_, b01, _, b11] = loaded;
                let row = gram_row(isa, loaded);
                isa.store_f64(row.g00, &mut g00[i..]);
                let (l10, _) = ldl_row(isa, one, row);
                let c = load(isa, cre, cim, i);
                let t1 = scaled(isa, mul(isa, c, b01), minus_inv_q_lanes);
                let t0 = scaled(isa, mul(isa, c, b11), inv_q_lanes);
                let difference = sub(isa, t1, load(isa, zre, zim, i));
                store(isa, add(isa, t0, mul(isa, difference, l10)), zre, zim, i);
            },
        );
    });
}

impl PreparedLatticeKey for KeyWithBasis<'_> {
    fn is_intact(&self) -> bool {
        self.memory.split_last_chunk::<DIGEST_LEN>().is_some_and(|(values, hash)| {
            let differs = ct::mask_nonzero(digest_continued(FORMAT, values) ^ u64::from_ne_bytes(*hash));
            ct::declassify("basis: damaged", differs) == 0
        })
    }

    fn work_len(algorithm: FalconAlgorithm) -> usize {
        algorithm.sign_with_basis_work_len()
    }
}

/// The steps of signing at the tree's root: before, between and after the root's two children. Each
/// step has a stack frame that is released before a child is sampled.
impl KeyWithBasis<'_> {
    /// Writes the right child's Gram matrix and targets, in the memory layout that [`ff_sampling`]
    /// reads.
    #[inline(never)]
    fn start_right_child<S: Simd>(&self, isa: S, c: &[u16], child: &mut [S::Real]) {
        frame!(isa, {
            let n = self.key.degree.n();
            let rows = self.fields::<S::Real>().rows;
            let [_, b01, _, _] = rows;
            let (lower_memory, targets) = child.split_at_mut(child.len() - n);
            let t1 = &mut lower_memory[..n];
            fft(isa, self.key.degree.logn(), c, t1, i32::from);
            mul_scaled_into(isa, t1, b01, -S::Real::from_bits(INV_Q));
            split_into(isa, t1, targets);
            d11_into(isa, rows, &mut lower_memory[..n / 2]);
            split_self_framed(isa, &mut lower_memory[..n]);
        });
    }

    /// Writes the left child's Gram matrix and targets, in the same layout as for the right child.
    /// Before the call, the first n reals of `child` must contain the transformed z1, and the next
    /// n reals must contain the transformed c.
    #[inline(never)]
    fn start_left_child<S: Simd>(&self, isa: S, child: &mut [S::Real]) {
        frame!(isa, {
            let n = self.key.degree.n();
            let (lower_memory, w) = child.split_at_mut(child.len() - n);
            let (z, rest) = lower_memory.split_at_mut(n);
            let (c, g00) = rest.split_at_mut(n);
            left_target_into(isa, self.fields::<S::Real>().rows, c, z, g00);
            split_into(isa, z, w);
            lower_memory.copy_within(2 * n.., 0);
            split_self_framed(isa, &mut lower_memory[..n]);
        });
    }
}

/// Writes the transformed z1 to the first n reals of the right child's memory, and z1 modulo q to
/// `z1`. Overwrites the next n reals.
#[inline(never)]
fn finish_right_child<S: Simd>(isa: S, child: &mut [S::Real], z1: &mut [u16]) {
    frame!(isa, {
        let n = z1.len();
        let (lower_memory, w) = child.split_at_mut(child.len() - n);
        let (z, row) = lower_memory[..2 * n].split_at_mut(n);
        merge_into(isa, w, z);
        row.copy_from_slice(z);
        ifft_rounded(isa, row, z1, modq::from_i32);
    });
}

/// Writes z0 modulo q to the end of the left child's memory.
#[inline(never)]
fn finish_left_child<S: Simd>(isa: S, child: &mut [S::Real]) {
    frame!(isa, {
        let n = child.len() / 7 * 2;
        let (lower_memory, w) = child.split_at_mut(child.len() - n);
        let z = &mut lower_memory[..n];
        merge_into(isa, w, z);
        // The n reals of z0 become n integers of 16 bits, which need the space of n/4 reals.
        let at = n - n / 4;
        ifft_rounded(isa, z, recast(&mut w[at..]), modq::from_i32);
    });
}

impl LatticeKey for KeyWithBasis<'_> {
    fn sample_reals(&self) -> usize {
        dynamic_reals(self.key.degree.logn() - 1) + self.key.degree.n() / 4
    }

    /// Writes `z0 | z1` modulo q to the end of the memory, for [`KeyWithBasis::vectors`].
    #[inline(always)]
    fn sample<S: Simd>(&self, isa: S, point: &HashedPoint<'_>, sampler: &mut Sampler<S>, memory: &mut [S::Real]) {
        let logn = self.key.degree.logn();
        let n = self.key.degree.n();
        let (child, z1) = memory.split_at_mut(dynamic_reals(logn - 1));
        self.start_right_child(isa, point.coefficients(isa, recast(z1)), child);
        ff_sampling(isa, sampler, logn - 1, child);
        finish_right_child(isa, child, recast(z1));
        let (c, row) = child[n..].split_at_mut(n);
        fft(isa, logn, point.coefficients(isa, &mut recast(row)[..n]), c, i32::from);
        self.start_left_child(isa, child);
        ff_sampling(isa, sampler, logn - 1, child);
        finish_left_child(isa, child);
    }

    #[inline(always)]
    fn rows_into<S: Simd>(&self, isa: S, f: &mut [u16], big_f: &mut [u16], h: &mut [u16]) {
        self.key.rows_into(isa, f, big_f, h);
    }

    #[inline(always)]
    fn secret_hash_into<S: Simd>(&self, sponge: &mut Shake256<S>, hash: &mut [u8; SIGN_SEED_LEN]) {
        self.key.secret_hash_into(sponge, hash);
    }

    #[inline(always)]
    fn vectors<'w, S: Simd>(
        &self,
        isa: S,
        algorithm: FalconAlgorithm,
        c: &[u16],
        z: &mut [S::Real],
        work: &mut Scratch<'w>,
    ) -> Option<AcceptedRows<'w>> {
        let n = algorithm.degree().n();
        let s2 = work.take::<u16>(n);
        let h = work.take::<u16>(n);
        let at = z.len() - n / 2;
        let (z0, z1) = recast(&mut z[at..]).split_at_mut(n);
        s2.copy_from_slice(z0);
        short_vectors_of(isa.integers(), self, algorithm, c, [&mut *s2, z1, &mut *h], work.fork())
            .then_some(AcceptedRows { s2, h })
    }
}

#[cfg(all(test, feature = "alloc"))]
mod tests;
