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
use super::codec::{ExpandedKeyParts, PackedRow, SignatureParts};
use super::hint::EncodedHint;
use super::matrix::{MatrixEntry, TransformHalf, add_product, leave};
use super::params::{MU_LEN, N, Parameters};
use super::products::{self, SmallPolynomial, minus_half_product_into};
use super::round::reduce;
use super::verify::{MlDsaRejection, absorb_high, finish_and_decide, largest_of_z};
use crate::engine::hash::shake::Shake256;
use crate::engine::verdict::Verified;
use crate::simd::{Simd, ct, frame};

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
    /// Verifies the signature. `sum` must have 256 values, and `half` must have 128 values.
    ///
    /// # Errors
    /// Fails if the signature is not valid.
    #[inline(never)]
    pub fn verify<S: Simd>(&self, isa: S, sum: &mut [u32], half: &mut [u32]) -> Result<Verified, MlDsaRejection> {
        frame!(isa, {
            let p = self.p;
            let hint = EncodedHint::new(p, self.signature.hint).ok_or(MlDsaRejection::Hint)?;
            let largest = largest_of_z(isa, p, self.signature.z);
            let c = Challenge::new(isa, p, self.signature.challenge)?;
            let mut hash = Shake256::new(isa);
            hash.absorb(self.mu);
            for r in 0..p.k {
                sum.fill(0);
                for s in 0..p.l {
                    let mut a = MatrixEntry { rho: self.key.rho, r, s }.stream(isa);
                    for (side, sum) in TransformHalf::BOTH.into_iter().zip(sum.chunks_exact_mut(N / 2)) {
                        self.column_into(isa, &c, s, side, half);
                        side.transform(isa, half);
                        add_product(isa, &mut a, half, sum)?;
                    }
                }
                leave(isa, sum);
                products::add_product(isa, &c, SmallPolynomial::t0_less_s2(p, &self.key, r), sum);
                for x in &mut *sum {
                    *x = reduce(x.cast_signed());
                }
                // This row is public, because every verifier computes it from the signature.
                ct::declassify_row("signature", sum);
                absorb_high(isa, p, sum, hint.row(r), &mut hash);
            }
            finish_and_decide(isa, p, largest, &mut hash, self.signature.challenge)
        })
    }

    /// Writes the residues for column `s` of `z - c s1`, in one half of a transform.
    #[inline(never)]
    fn column_into<S: Simd>(&self, isa: S, c: &Challenge, s: usize, side: TransformHalf, half: &mut [u32]) {
        frame!(isa, {
            let p = self.p;
            minus_half_product_into(isa, c, self.key.small(p, s), side, half);
            let z = PackedRow { bytes: self.signature.column(p.z_len(), s), bits: p.z_bits(), largest: p.gamma1 };
            side.add(isa, z, half);
        });
    }
}
