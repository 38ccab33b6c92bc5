//! Computes the rows of `t = A s1 + s2` from the private key, one row at a time. Key generation and
//! import use these rows.
//!
//! For each row, the code needs the transforms for all s1 columns. It keeps as many columns as the
//! memory can store, and it samples or unpacks the remaining columns again for each row. If there
//! is more memory, it also samples A in batches.
//!
//! All values except for rho are secret until a row is split into t1 and t0.

use super::batches::MatrixRows;
use super::codec::{ExpandedKeyParts, PIECE, flip, pack};
use super::matrix::{MatrixEntry, add_column, add_entry, add_small, enter, leave};
use super::params::{D, MlDsaSet, N, Parameters, RHO_LEN, SECRET_SEED_LEN, T0_BITS, T1_BITS};
use super::round::power2round;
use super::sample::{SqueezeLimitError, bounded_into};
use crate::engine::primes::prime::ML_DSA;
use crate::engine::primes::short::{self, ML_DSA_SHORT};
use crate::simd::{Scratch, Simd, ct, frame};

/// The polynomials in s1 and s2, given by a seed or by their coefficients.
#[derive(Clone, Copy)]
pub enum SecretPolynomials<'a> {
    /// The seed rho'.
    Seed(&'a [u8; SECRET_SEED_LEN]),
    /// The expanded key's parts. The coefficients must be in range.
    Packed(ExpandedKeyParts<'a>),
}

impl SecretPolynomials<'_> {
    /// Writes the residues modulo q of the polynomial with this index in the list of all s1
    /// polynomials, followed by all s2 polynomials.
    ///
    /// # Errors
    /// Fails if sampling from the seed needs more bytes than FIPS 204, appendix C, allows.
    #[inline(always)]
    fn residues_into<S: Simd>(
        &self,
        isa: S,
        p: &Parameters,
        index: usize,
        out: &mut [u32],
    ) -> Result<(), SqueezeLimitError> {
        match self {
            Self::Seed(seed) => {
                bounded_into(isa, p, seed, index, out)?;
                flip(p.eta, out);
            }
            Self::Packed(parts) => parts.small(p, index).piece(isa, 0, out),
        }
        for x in out {
            *x = ML_DSA.residue_of_small(x.cast_signed());
        }
        Ok(())
    }
}

/// The state for a computation of t, row by row.
pub struct KeyRowBuilder<'a> {
    set: MlDsaSet,
    rho: &'a [u8; RHO_LEN],
    secrets: SecretPolynomials<'a>,
    sum: &'a mut [u32],
    /// The memory for an s1 column, or for half a column.
    column: &'a mut [u32],
    /// The transforms for the first s1 columns, if there is memory for them.
    kept_columns: &'a mut [u32],
    /// The rows of A in batches, if there is enough memory.
    batches: Option<MatrixRows<'a>>,
    /// The index of the next row.
    r: usize,
}

impl<'a> KeyRowBuilder<'a> {
    /// Starts with the first row. Allocates two polynomials in `work`. If s1 and s2 are packed and
    /// there is not enough memory for two polynomials, allocates a polynomial and a half. If there
    /// is more memory, it is used for s1 columns, and then for batches.
    pub fn new(set: MlDsaSet, rho: &'a [u8; RHO_LEN], secrets: SecretPolynomials<'a>, mut work: Scratch<'a>) -> Self {
        let sum = work.take(N);
        let is_narrow = matches!(secrets, SecretPolynomials::Packed(_)) && work.len() < size_of_val(sum);
        let column = work.take(if is_narrow { N / 2 } else { N });
        let p = set.parameters();
        let kept_column_count = (work.len() / size_of_val(sum)).min(p.l);
        let kept_columns = work.take(N * kept_column_count);
        let is_fast = work.len() >= MatrixRows::LEN;
        let batches = is_fast.then(|| MatrixRows::new(p, rho, &mut work));
        Self { set, rho, secrets, sum, column, kept_columns, batches, r: 0 }
    }

    /// Computes the residues in the next row.
    ///
    /// # Errors
    /// Fails if sampling from a seed needs more bytes than FIPS 204, appendix C, allows.
    #[inline(never)]
    pub fn next<S: Simd>(&mut self, isa: S) -> Result<&[u32], SqueezeLimitError> {
        frame!(isa, {
            let p = self.set.parameters();
            self.sum.fill(0);
            if self.batches.is_some() {
                self.add_batches(isa)?;
            } else {
                self.add_columns(isa)?;
            }
            if let SecretPolynomials::Packed(parts) = self.secrets {
                add_small(isa, parts.small(p, p.l + self.r), self.sum);
            } else {
                self.secrets.residues_into(isa, p, p.l + self.r, self.column)?;
                for (sum, x) in self.sum.iter_mut().zip(&*self.column) {
                    *sum = ML_DSA.add(*sum, *x);
                }
            }
            self.r += 1;
            Ok(&*self.sum)
        })
    }

    /// Multiplies the next row in A by s1. All s1 columns must be kept.
    #[inline(always)]
    fn add_batches<S: Simd>(&mut self, isa: S) -> Result<(), SqueezeLimitError> {
        let Some(batches) = &mut self.batches else { return Ok(()) };
        if self.r == 0 {
            match self.secrets {
                SecretPolynomials::Seed(seed) => batches.draw_into(isa, seed, self.kept_columns)?,
                SecretPolynomials::Packed(parts) => {
                    for (s, column) in self.kept_columns.chunks_exact_mut(N).enumerate() {
                        parts.small(self.set.parameters(), s).piece(isa, 0, column);
                    }
                }
            }
            for column in self.kept_columns.chunks_exact_mut(N) {
                enter(isa, column);
            }
        }
        batches.add_row(isa, self.kept_columns, self.sum)?;
        leave(isa, self.sum);
        Ok(())
    }

    /// Multiplies the next row in A by s1, column by column.
    #[inline(always)]
    fn add_columns<S: Simd>(&mut self, isa: S) -> Result<(), SqueezeLimitError> {
        let p = self.set.parameters();
        for s in 0..p.l {
            let entry = MatrixEntry { rho: self.rho, r: self.r, s };
            if let SecretPolynomials::Packed(parts) = self.secrets
                && self.column.len() < N
            {
                add_column(isa, entry, parts.small(p, s), self.sum, self.column)?;
                continue;
            }
            let kept_columns = self.kept_columns.chunks_exact_mut(N).nth(s);
            let is_new = self.r == 0 || kept_columns.is_none();
            let column = kept_columns.unwrap_or(self.column);
            if is_new {
                self.secrets.residues_into(isa, p, s, column)?;
                short::ntt(isa, &ML_DSA_SHORT, column);
            }
            add_entry(isa, entry, column, self.sum)?;
        }
        leave(isa, self.sum);
        Ok(())
    }

    /// Ends the computation, and returns memory that has space for a polynomial.
    pub fn into_memory(self) -> &'a mut [u32] {
        self.column
    }
}

/// A piece from a t row, split into t1, which is public, and t0. Both parts are packed.
pub struct Power2RoundPiece {
    /// The packed t1 fields.
    pub t1: [u8; PIECE / 8 * T1_BITS],
    /// The packed t0 fields.
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
