//! Verifies a new signature before it is returned, with little memory. This check does not need t1,
//! because the expanded private key does not contain it. The signer with all values in memory
//! ([`super::fast`]) has the transform of t1, and verifies a signature as every verifier does.
//!
//! A verifier computes `w' = A z - c t1 2^13`. Because `t1 2^13 = A s1 + s2 - t0`, this is the same
//! as `A (z - c s1) - c s2 + c t0`. The code here computes this row by row from the private key,
//! and it samples A again. It reads z, c~ and the hint from the signature bytes, and samples c from
//! c~. A fault in w, c, z, the hint or A leads to a different c~. A fault in the private key does
//! not change c~ here, because this check and the signature use the same key. The caller must
//! detect such a fault: [`super::sign`] checks after signing that t0 and tr match the key.
//!
//! The check must not use an A that the signer has kept, because a wrong A would then not be
//! detected. A signer that keeps the transform of A must verify with t1 instead: the product `A z`
//! with a wrong A does not match t1, which was computed from the right A.

use super::challenge::Challenge;
use super::codec::{ExpandedKeyParts, SignatureParts};
use super::hint::EncodedHint;
use super::matrix::{MatrixEntry, TransformHalf};
use super::params::{MU_LEN, N, Parameters};
use super::products::{self, SmallPolynomial};
use super::round::reduce;
use super::sample::{SqueezeLimitError, UniformStream};
use super::sums::{RowSum, add_product_packed};
use super::verify::{MlDsaRejection, absorb_high, finish_and_decide, largest_of_z};
use crate::engine::hash::shake::Shake256;
use crate::engine::primes::short::{self, ML_DSA_SHORT};
use crate::engine::verdict::Verified;
use crate::simd::{Scratch, Simd, ct, frame};

/// The work memory's length in values: a row and two halves.
pub const RECHECK_WORK: usize = RowSum::LEN + N / 2;

/// A finished signature, with the values that it was computed from.
pub struct FinishedSignature<'a> {
    /// The numbers for the set.
    pub p: &'a Parameters,
    /// The private key.
    pub key: ExpandedKeyParts<'a>,
    /// The value mu that was signed.
    pub mu: &'a [u8; MU_LEN],
    /// The signature.
    pub signature: SignatureParts<'a>,
}

impl FinishedSignature<'_> {
    /// Verifies the signature. `memory` must have [`RECHECK_WORK`] values.
    ///
    /// # Errors
    /// Fails if the signature is not valid.
    #[inline(never)]
    pub fn verify<S: Simd>(&self, isa: S, memory: &mut [u32]) -> Result<Verified, MlDsaRejection> {
        frame!(isa, {
            let p = self.p;
            let hint = EncodedHint::new(p, self.signature.hint).ok_or(MlDsaRejection::Hint)?;
            let largest = largest_of_z(isa, p, self.signature.z);
            let c = Challenge::new(isa, p, self.signature.challenge)?;
            let mut hash = Shake256::new(isa);
            hash.absorb(self.mu);
            let mut memory = Scratch::within(memory);
            let mut sum = RowSum::take(&mut memory);
            let second_half = memory.take(N / 2);
            for r in 0..p.k {
                sum.clear();
                for s in 0..p.l {
                    let entry = MatrixEntry { rho: self.key.rho, r, s };
                    self.add_column(isa, &c, entry, &mut sum, second_half)?;
                }
                let (row, _) = sum.finish(isa);
                self.add_row(isa, &c, r, row);
                absorb_high(isa, p, row, hint.row(r), &mut hash);
            }
            finish_and_decide(isa, p, largest, &mut hash, self.signature.challenge)
        })
    }

    /// Adds the product for a polynomial in A and a column in `z - c s1` to `sum`. `half` has 128
    /// values.
    #[inline(never)]
    fn add_column<S: Simd>(
        &self,
        isa: S,
        c: &Challenge,
        entry: MatrixEntry<'_>,
        sum: &mut RowSum<'_>,
        half: &mut [u32],
    ) -> Result<(), SqueezeLimitError> {
        frame!(isa, {
            let p = self.p;
            let z = self.signature.packed_z(p, entry.s);
            let mut a = UniformStream::empty(isa);
            entry.start(&mut a);
            let (sums, column) = sum.parts();
            for (side, sums) in TransformHalf::BOTH.into_iter().zip(sums.chunks_exact_mut(sums.len() / 2)) {
                side.write(isa, self.key.small(p, entry.s), half);
                side.transform(isa, half);
                c.minus_half_into(side.root(), column);
                side.transform(isa, column);
                short::mul_into(isa, &ML_DSA_SHORT, half, column);
                side.write(isa, z, column);
                side.transform(isa, column);
                // The sums are below 20 q.
                for (x, product) in column.iter_mut().zip(&*half) {
                    *x += *product;
                }
                add_product_packed(isa, &mut a, column, sums)?;
            }
            Ok(())
        })
    }

    /// Adds row `r` in `c (t0 - s2)`, and reduces the row.
    #[inline(never)]
    fn add_row<S: Simd>(&self, isa: S, c: &Challenge, r: usize, row: &mut [u32]) {
        frame!(isa, {
            products::add_product(isa, c, SmallPolynomial::t0_less_s2(self.p, &self.key, r), row);
            for x in &mut *row {
                *x = reduce(x.cast_signed());
            }
            // This row is public, because every verifier computes it from the signature.
            ct::declassify_row("signature", row);
        });
    }
}
