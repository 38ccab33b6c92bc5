//! Computes the rows of `t = A s1 + s2` from the private key, one row at a time. Key generation and
//! import use these rows.
//!
//! For each row, the code needs the transforms of all columns (polynomials) of s1. With little
//! memory, it keeps s1 in packed form, and transforms each column again for each row. With more
//! memory, it keeps the transforms, and it samples A in batches.
//!
//! All values except for rho are secret until a row is split into t1 and t0.

use super::batches::MatrixRows;
use super::codec::{ExpandedKeyParts, PIECE, PackedRow, flip, pack};
use super::matrix::{MatrixEntry, SHORT_PIECE, add_small, forward_transform, inverse_transform};
use super::params::{D, MlDsaSet, N, Parameters, RHO_LEN, SECRET_SEED_LEN, T0_BITS, T1_BITS};
use super::round::power2round;
use super::sample::{SqueezeLimitError, bounded_into};
use super::sums::RowSum;
use crate::engine::primes::prime::ML_DSA;
use crate::simd::{SCRATCH_ALIGN, Scratch, Simd, ct, frame, recast};

/// The source of the polynomials in s1 and s2: a seed, or the packed coefficients.
#[derive(Clone, Copy)]
pub enum SecretPolynomials<'a> {
    /// rho', the seed for s1 and s2.
    Seed(&'a [u8; SECRET_SEED_LEN]),
    /// The parts of an expanded key. The coefficients of s1 and s2 must be in range.
    Packed(ExpandedKeyParts<'a>),
}

/// Samples a polynomial of s1 or s2, and packs it to `out`. `number` is the polynomial's index,
/// where s2 follows s1. `memory` must have space for 64 values.
///
/// # Errors
/// Fails if sampling needs more bytes than FIPS 204, appendix C, allows.
#[inline(never)]
pub fn packed_secret_into<S: Simd>(
    isa: S,
    p: &Parameters,
    seed: &[u8; SECRET_SEED_LEN],
    number: usize,
    memory: &mut [u32],
    out: &mut [u8],
) -> Result<(), SqueezeLimitError> {
    frame!(isa, {
        let fields = &mut recast(memory)[..N];
        bounded_into(isa, p, seed, number, fields)?;
        let mut piece = [0; SHORT_PIECE];
        let rows = fields.chunks_exact(SHORT_PIECE).zip(out.chunks_exact_mut(SHORT_PIECE / 8 * p.s_bits()));
        for (fields, out) in rows {
            for (x, field) in piece.iter_mut().zip(fields) {
                *x = u32::from(*field);
            }
            pack(isa, p.s_bits(), &piece, out);
        }
        Ok(())
    })
}

/// The memory to compute the rows of t.
enum KeyRowMemory<'a> {
    /// The smallest amount of memory. s1 stays packed.
    Least {
        sum: RowSum<'a>,
        /// The packed s1 columns (polynomials), if they are sampled from a seed.
        columns: &'a mut [u8],
    },
    /// Memory for all transformed s1 columns and for batches. `sum` has space for a row and for 64
    /// more values, which [`KeyRowBuilder::into_memory`] needs.
    Most {
        sum: &'a mut [u32],
        /// The s1 columns' transforms.
        columns: &'a mut [u32],
        /// s2, if it is sampled from a seed. Each byte is the field `eta - x` for a coefficient
        /// `x`.
        s2: &'a mut [u8],
        batches: MatrixRows<'a>,
    },
}

/// A computation of t, row by row. [`Self::next`] returns the next row.
pub struct KeyRowBuilder<'a> {
    set: MlDsaSet,
    rho: &'a [u8; RHO_LEN],
    secrets: SecretPolynomials<'a>,
    memory: KeyRowMemory<'a>,
    /// The index of the next row.
    r: usize,
}

impl<'a> KeyRowBuilder<'a> {
    /// Prepares the computation of the first row. `work` must have [`RowSum::LEN`] values and, if
    /// s1 and s2 are sampled from a seed, space for the packed s1. With
    /// [`MlDsaSet::keygen_fast_work_len`] bytes, the rows take less time.
    pub fn new(set: MlDsaSet, rho: &'a [u8; RHO_LEN], secrets: SecretPolynomials<'a>, mut work: Scratch<'a>) -> Self {
        let p = set.parameters();
        let memory = if work.len() >= set.keygen_fast_work_len() - SCRATCH_ALIGN {
            KeyRowMemory::Most {
                sum: work.take(N + N / 4),
                columns: work.take(N * p.l),
                batches: MatrixRows::new(p, rho, &mut work),
                s2: work.take(N * p.k),
            }
        } else {
            let is_sampled = matches!(secrets, SecretPolynomials::Seed(_));
            let sum = RowSum::take(&mut work);
            KeyRowMemory::Least { sum, columns: work.take(if is_sampled { p.l * p.s_len() } else { 0 }) }
        };
        Self { set, rho, secrets, memory, r: 0 }
    }

    /// Computes the next row of t, as residues.
    ///
    /// # Errors
    /// Fails if sampling from a seed needs more bytes than FIPS 204, appendix C, allows.
    #[inline(never)]
    pub fn next<S: Simd>(&mut self, isa: S) -> Result<&[u32], SqueezeLimitError> {
        frame!(isa, {
            let p = self.set.parameters();
            let Self { rho, secrets, r, .. } = *self;
            self.r += 1;
            let (row, fields) = match &mut self.memory {
                KeyRowMemory::Least { sum, columns } => {
                    let (row, free) = add_columns(isa, p, (rho, r), secrets, sum, columns)?;
                    let fields = &mut recast(free)[..N];
                    if let SecretPolynomials::Seed(seed) = secrets {
                        bounded_into(isa, p, seed, p.l + r, fields)?;
                    }
                    (row, fields)
                }
                KeyRowMemory::Most { sum, columns, s2, batches } => {
                    if r == 0 {
                        transform_columns(isa, p, secrets, batches, columns, s2)?;
                    }
                    let row = &mut sum[..N];
                    row.fill(0);
                    batches.add_row(isa, columns, row)?;
                    inverse_transform(isa, row);
                    (row, &mut s2[N * r..N * (r + 1)])
                }
            };
            match secrets {
                SecretPolynomials::Packed(parts) => add_small(isa, parts.small(p, p.l + r), row),
                SecretPolynomials::Seed(_) => {
                    for (x, field) in row.iter_mut().zip(&*fields) {
                        let s2 = p.eta.wrapping_sub(u32::from(*field)).cast_signed();
                        *x = ML_DSA.add(*x, ML_DSA.residue_of_small(s2));
                    }
                }
            }
            Ok(&*row)
        })
    }

    /// Ends the computation, and returns its memory, which has space for at least 64 values.
    pub fn into_memory(self) -> &'a mut [u32] {
        match self.memory {
            KeyRowMemory::Least { sum, .. } => sum.into_memory(),
            KeyRowMemory::Most { sum, .. } => sum,
        }
    }
}

/// Writes the transforms of all s1 columns to `columns`. If s2 is sampled from a seed, also writes
/// its fields to `s2`.
#[inline(always)]
fn transform_columns<S: Simd>(
    isa: S,
    p: &Parameters,
    secrets: SecretPolynomials<'_>,
    batches: &mut MatrixRows<'_>,
    columns: &mut [u32],
    s2: &mut [u8],
) -> Result<(), SqueezeLimitError> {
    match secrets {
        SecretPolynomials::Seed(seed) => batches.draw_into(isa, seed, columns, s2)?,
        SecretPolynomials::Packed(parts) => {
            for (s, column) in columns.chunks_exact_mut(N).enumerate() {
                parts.small(p, s).piece(isa, 0, column);
            }
        }
    }
    for column in columns.chunks_exact_mut(N) {
        forward_transform(isa, column);
    }
    Ok(())
}

/// Computes row `r` of `A s1`, column by column. If s1 is sampled from a seed, the call for row 0
/// also samples s1, and writes the packed columns to `columns`. Returns the row, and unused memory
/// for 64 values.
#[inline(always)]
fn add_columns<'s, S: Simd>(
    isa: S,
    p: &Parameters,
    (rho, r): (&[u8; RHO_LEN], usize),
    secrets: SecretPolynomials<'_>,
    sum: &'s mut RowSum<'_>,
    columns: &mut [u8],
) -> Result<(&'s mut [u32], &'s mut [u32]), SqueezeLimitError> {
    if let SecretPolynomials::Seed(seed) = secrets
        && r == 0
    {
        for (s, column) in columns.chunks_exact_mut(p.s_len()).enumerate() {
            packed_secret_into(isa, p, seed, s, sum.parts().1, column)?;
        }
    }
    sum.clear();
    for s in 0..p.l {
        let column = match secrets {
            SecretPolynomials::Packed(parts) => parts.small(p, s),
            SecretPolynomials::Seed(_) => {
                PackedRow { bytes: &columns[p.s_len() * s..p.s_len() * (s + 1)], bits: p.s_bits(), largest: p.eta }
            }
        };
        sum.add_column(isa, MatrixEntry { rho, r, s }, column)?;
    }
    Ok(sum.finish(isa))
}

/// [`PIECE`] values in a row of t, split into t1 and t0. Both parts are packed. t1 is public, and
/// t0 is secret.
pub struct Power2RoundPiece {
    /// The packed fields of t1, the high part.
    pub t1: [u8; PIECE / 8 * T1_BITS],
    /// The packed fields of t0, the low part.
    pub t0: [u8; PIECE / 8 * T0_BITS],
}

impl Power2RoundPiece {
    /// Splits [`PIECE`] residues.
    #[inline(never)]
    pub fn new<S: Simd>(isa: S, t: &[u32]) -> Self {
        frame!(isa, {
            let mut piece = Self { t1: [0; PIECE / 8 * T1_BITS], t0: [0; PIECE / 8 * T0_BITS] };
            let mut t1_values = [0; PIECE];
            let mut t0_values = [0; PIECE];
            for i in 0..PIECE {
                let (t1, t0) = power2round(t[i]);
                t1_values[i] = t1;
                t0_values[i] = t0.cast_unsigned();
            }
            flip(1 << (D - 1), &mut t0_values);
            pack(isa, T1_BITS, &t1_values, &mut piece.t1);
            pack(isa, T0_BITS, &t0_values, &mut piece.t0);
            ct::declassify_row("public key", &mut piece.t1);
            piece
        })
    }
}
