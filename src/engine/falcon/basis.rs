//! Signing with a basis in memory that is only read, flash for example: a signature takes little more than half of the work memory
//! that an encoded key alone takes (specification 2.6.2 to 2.6.5).
//!
//! The root of the tree takes half of that memory: g00, l10 and the targets stay while the tree of a child is made. With the
//! transformed basis at hand they are computed anew, place by place, when they are wanted; z1 is kept as integers. The operations on
//! each number are those of [`Encoded`], in their order, so the signatures are the same.
//!
//! Memory of [`Lattice::sample`] in units of n reals: the child with its targets 0 to 3.5, z1 modulo q from there to 3.75. Between
//! the children, and behind both, the first 2.5 units have the rows that are made anew.
//!
//! | what is checked | when | what it finds |
//! |---|---|---|
//! | it is made twice with one hash | when a basis is made | a fault at one of both times |
//! | the hash of the private key | when a basis is opened | the basis of another key |
//! | 0, or `2^-200` to `2^20` | when a basis is opened | what the next line cannot compute with |
//! | `f G - g F = q` at each root of unity, squared and added up | when a basis is opened | a fault that both had, or a basis that is none |
//! | the hash of the memory | when a basis is opened, and before each signature | a bit that has changed since |
//!
//! Everything here is secret.

use super::codec::unpack_mod_q;
use super::fft::{add, each_vector, fft, ifft_rounded, is_short, load, merge_into, mul, mul_scaled_into, neg_into};
use super::fft::{scaled, split_into, store, sub};
use super::integrity::{Damaged, digest_behind};
use super::modq;
use super::params::{Degree, FG_BITS, SIGN_SEED_LEN};
use super::sampler::Sampler;
use super::scheme::FalconAlgorithm;
use super::sign::{Encoded, INV_Q, Lattice, PreparedLattice, Vectors, big_g_into, short_vectors_of};
use super::tree::{dynamic_reals, ff_sampling, gram_row, ldl_row, load_row, split_self_framed};
use super::tree_check::MOST_ERROR;
use crate::engine::hash::shake::Shake256;
use crate::simd::{Number, Plain, Real, Scratch, Simd, ct, frame, recast, view};
use zeroize::Zeroizing;

/// The length in bytes of the hash at the end of the memory, over all that stands before it.
const DIGEST_LEN: usize = 8;

/// What the hash of the memory begins with: it names the order of the values.
const FORMAT: u64 = u64::from_be_bytes(*b"basis  1");

/// The largest number in a basis, `2^20`, as the bits of a binary64: 1,024 coefficients below 128 add up to less.
const LARGEST: u64 = (1023 + 20) << 52;
/// The smallest number in a basis but 0, `2^-200`: a rounding leaves more.
const LEAST: u64 = (1023 - 200) << 52;

/// The rows of a basis, in their order.
#[derive(Clone, Copy)]
enum BasisRow {
    /// g.
    B00,
    /// -f.
    B01,
    /// G.
    B10,
    /// -F.
    B11,
}

/// A private key with its transformed basis. The parts of the memory, in order: b00, b01, b10, b11, the hash of the private key, and the
/// hash of all that.
#[derive(Clone, Copy)]
pub struct WithBasis<'a> {
    key: Encoded<'a>,
    memory: &'a [u8],
}

impl<'a> WithBasis<'a> {
    /// Returns the length in bytes of a basis.
    pub const fn len(degree: Degree) -> usize {
        4 * degree.n() * size_of::<u64>() + SIGN_SEED_LEN + DIGEST_LEN
    }

    /// Writes the basis of a key, part by part, by `write`; all parts are multiples of 8 bytes long. Takes `16n` bytes of `work`.
    ///
    /// It is made twice, and the hash at the end is written if both are the same: a fault at one of both times makes another. What both
    /// times would have in common is found by the equation when the basis is opened.
    ///
    /// # Errors
    /// There was a fault: no hash was written.
    #[inline(never)]
    pub fn write<S: Simd>(
        isa: S,
        key: Encoded<'_>,
        write: &mut dyn FnMut(&[u8]),
        mut work: Scratch<'_>,
    ) -> Result<(), Damaged> {
        frame!(isa, {
            let digest = Self::each_part(isa, key, write, work.fork());
            let differs = ct::mask_nonzero(digest ^ Self::each_part(isa, key, &mut |_| (), work));
            if ct::declassify("basis: made otherwise", differs) != 0 {
                return Err(Damaged);
            }
            write(&digest.to_ne_bytes());
            Ok(())
        })
    }

    /// Makes all parts but the hash at the end, gives each to `write`, and returns that hash.
    #[inline(never)]
    fn each_part<S: Simd>(isa: S, key: Encoded<'_>, write: &mut dyn FnMut(&[u8]), mut work: Scratch<'_>) -> u64 {
        frame!(isa, {
            const { assert!(size_of::<S::Real>() == size_of::<u64>()) };
            let n = key.degree.n();
            let out = work.take::<S::Real>(n);
            let tmp = work.take::<u16>(4 * n);
            let mut digest = FORMAT;
            let mut part = |bytes: &[u8]| {
                digest = digest_behind(digest, bytes);
                write(bytes);
            };
            for row in [BasisRow::B00, BasisRow::B01, BasisRow::B10, BasisRow::B11] {
                key.row_into(isa, row, out, tmp);
                part(recast(out));
            }
            let mut hash = Zeroizing::new([0; SIGN_SEED_LEN]);
            key.secret_hash_into(&mut Shake256::new(isa), &mut hash);
            part(&*hash);
            digest
        })
    }

    /// Views memory as the basis of a key, if it is that. The answer is public. Range: `memory` has [`WithBasis::len`] bytes, aligned as
    /// numbers of 64 bits.
    #[inline(never)]
    pub fn open<S: Simd>(isa: S, key: Encoded<'a>, memory: &'a [u8]) -> Option<Self> {
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

    /// Views memory as the basis of a key that [`WithBasis::open`] has found good, though it may have changed since.
    #[cfg(test)]
    pub const fn opened(key: Encoded<'a>, memory: &'a [u8]) -> Self {
        Self { key, memory }
    }

    /// Returns the fields, for reals of a level.
    fn fields<R: Plain>(&self) -> Fields<'a, R> {
        let n = self.key.degree.n();
        let (b00, rest) = view(self.memory, n);
        let (b01, rest) = view(rest, n);
        let (b10, rest) = view(rest, n);
        let (b11, rest) = view(rest, n);
        Fields { rows: [b00, b01, b10, b11], hash: &rest[..SIGN_SEED_LEN] }
    }
}

/// The fields of a basis in memory.
struct Fields<'a, R> {
    /// b00, b01, b10, b11.
    rows: [&'a [R]; 4],
    /// The hash of the private key.
    hash: &'a [u8],
}

impl Encoded<'_> {
    /// Writes one row of the transformed basis. `tmp`: `4n` values.
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

/// Returns whether all numbers are 0 or in the range of [`LEAST`] and [`LARGEST`]: arithmetic with integers knows no number that is too
/// large. The answer is public.
fn in_range<R: Real>(rows: [&[R]; 4]) -> bool {
    let outside = rows.into_iter().flatten().fold(0, |outside, x| {
        let size = ct::barrier_u64(x.to_bits()) << 1 >> 1;
        outside | ct::less_u64(LARGEST, size) | (ct::less_u64(size, LEAST) & ct::mask_nonzero(size))
    });
    ct::declassify("basis: its range", ct::mask_nonzero(outside)) == 0
}

/// Returns whether `b00 b11 - b01 b10 = q` at all roots of unity. The answer is public.
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
        each_vector::<S>(
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
        // Numbers that are not negative have the order of their bits; what is no number comes behind all of them.
        let wrong = ct::less_u64(MOST_ERROR, ct::barrier_u64(error.to_bits()));
        ct::declassify("basis: its determinant", ct::mask_nonzero(wrong)) == 0
    })
}

/// Writes d11, `n/2` reals.
#[inline(never)]
fn d11_into<S: Simd>(isa: S, [b00, b01, b10, b11]: [&[S::Real]; 4], d11: &mut [S::Real]) {
    if is_short::<S>(b00.len() / 2) {
        return d11_into(isa.half(), [b00, b01, b10, b11], d11);
    }
    frame!(isa, {
        let half = b00.len() / 2;
        let basis = [b00, b01, b10, b11].map(|b| b.split_at(half));
        let one = isa.splat_f64(S::Real::from_i32(1));
        each_vector::<S>(
            half,
            #[inline(always)]
            |i| {
                let (_, value) = ldl_row(isa, one, gram_row(isa, load_row(isa, basis, i)));
                isa.store_f64(value, &mut d11[i..]);
            },
        );
    });
}

/// Writes g00, `n/2` reals, and in place of z1 the target of the left child before it is split, `t0 + (t1 - z1) l10`. `c` is
/// transformed.
#[inline(never)]
fn turn_into<S: Simd>(
    isa: S,
    [b00, b01, b10, b11]: [&[S::Real]; 4],
    c: &[S::Real],
    z1: &mut [S::Real],
    g00: &mut [S::Real],
) {
    if is_short::<S>(b00.len() / 2) {
        return turn_into(isa.half(), [b00, b01, b10, b11], c, z1, g00);
    }
    frame!(isa, {
        let half = b00.len() / 2;
        let basis = [b00, b01, b10, b11].map(|b| b.split_at(half));
        let (cre, cim) = c.split_at(half);
        let (zre, zim) = z1.split_at_mut(half);
        let one = isa.splat_f64(S::Real::from_i32(1));
        let inv_q = S::Real::from_bits(INV_Q);
        let (plus, minus) = (isa.splat_f64(inv_q), isa.splat_f64(-inv_q));
        each_vector::<S>(
            half,
            #[inline(always)]
            |i| {
                let loaded = load_row(isa, basis, i);
                let [_, b01, _, b11] = loaded;
                let row = gram_row(isa, loaded);
                isa.store_f64(row.g00, &mut g00[i..]);
                let (l10, _) = ldl_row(isa, one, row);
                let c = load(isa, cre, cim, i);
                let t1 = scaled(isa, mul(isa, c, b01), minus);
                let t0 = scaled(isa, mul(isa, c, b11), plus);
                let rest = sub(isa, t1, load(isa, zre, zim, i));
                store(isa, add(isa, t0, mul(isa, rest, l10)), zre, zim, i);
            },
        );
    });
}

impl PreparedLattice for WithBasis<'_> {
    fn is_intact(&self) -> bool {
        self.memory.split_last_chunk::<DIGEST_LEN>().is_some_and(|(values, hash)| {
            let differs = ct::mask_nonzero(digest_behind(FORMAT, values) ^ u64::from_ne_bytes(*hash));
            ct::declassify("basis: damaged", differs) == 0
        })
    }

    fn work_len(algorithm: FalconAlgorithm) -> usize {
        algorithm.sign_with_basis_work_len()
    }
}

/// What comes before, between and behind the children of the root, each in a stack frame that is gone when a child is sampled.
impl WithBasis<'_> {
    /// Writes Gram matrix and targets of the right child, in memory as that of [`ff_sampling`].
    #[inline(never)]
    fn begin_right<S: Simd>(&self, isa: S, c: &[u16], child: &mut [S::Real]) {
        frame!(isa, {
            let n = self.key.degree.n();
            let rows = self.fields::<S::Real>().rows;
            let [_, b01, _, _] = rows;
            let (front, targets) = child.split_at_mut(child.len() - n);
            let t1 = &mut front[..n];
            fft(isa, self.key.degree.logn(), c, t1, i32::from);
            mul_scaled_into(isa, t1, b01, -S::Real::from_bits(INV_Q));
            split_into(isa, t1, targets);
            d11_into(isa, rows, &mut front[..n / 2]);
            split_self_framed(isa, &mut front[..n]);
        });
    }

    /// Writes z1 modulo q, and Gram matrix and targets of the left child.
    #[inline(never)]
    fn turn_to_left<S: Simd>(&self, isa: S, c: &[u16], child: &mut [S::Real], z1: &mut [u16]) {
        frame!(isa, {
            let n = self.key.degree.n();
            let (front, w) = child.split_at_mut(child.len() - n);
            let (z, rest) = front.split_at_mut(n);
            let (row, g00) = rest.split_at_mut(n);
            merge_into(isa, w, z);
            row.copy_from_slice(z);
            ifft_rounded(isa, row, z1, modq::from_i32);
            fft(isa, self.key.degree.logn(), c, row, i32::from);
            turn_into(isa, self.fields::<S::Real>().rows, row, z, g00);
            split_into(isa, z, w);
            front.copy_within(2 * n.., 0);
            split_self_framed(isa, &mut front[..n]);
        });
    }
}

/// Writes z0 modulo q at the back of the memory of the left child.
#[inline(never)]
fn leave<S: Simd>(isa: S, child: &mut [S::Real]) {
    frame!(isa, {
        let n = child.len() / 7 * 2;
        let (front, w) = child.split_at_mut(child.len() - n);
        let z = &mut front[..n];
        merge_into(isa, w, z);
        let at = n - n / 4;
        ifft_rounded(isa, z, recast(&mut w[at..]), modq::from_i32);
    });
}

impl Lattice for WithBasis<'_> {
    fn sample_reals(&self) -> usize {
        dynamic_reals(self.key.degree.logn() - 1) + self.key.degree.n() / 4
    }

    /// Everything is in the basis.
    #[inline(always)]
    fn prepare<S: Simd>(&self, _: S, _: &mut [S::Real]) {}

    /// Leaves `z0 | z1` modulo q at the back of the memory, for [`WithBasis::vectors`].
    #[inline(always)]
    fn sample<S: Simd>(&self, isa: S, c: &[u16], sampler: &mut Sampler<S>, memory: &mut [S::Real]) {
        let below = self.key.degree.logn() - 1;
        let (child, z1) = memory.split_at_mut(dynamic_reals(below));
        self.begin_right(isa, c, child);
        ff_sampling(isa, sampler, below, child);
        self.turn_to_left(isa, c, child, recast(z1));
        ff_sampling(isa, sampler, below, child);
        leave(isa, child);
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
    ) -> Option<Vectors<'w>> {
        let n = algorithm.degree().n();
        let s2 = work.take::<u16>(n);
        let h = work.take::<u16>(n);
        let at = z.len() - n / 2;
        let (z0, z1) = recast(&mut z[at..]).split_at_mut(n);
        s2.copy_from_slice(z0);
        short_vectors_of(isa.integers(), self, algorithm, c, [&mut *s2, z1, &mut *h], work.fork())
            .then_some(Vectors { s2, h })
    }
}

#[cfg(all(test, feature = "alloc"))]
mod tests;
