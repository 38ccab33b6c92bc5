//! The verification of a signature before it leaves, without the public key: the expanded private key has no t1.
//!
//! As `t1 2^13 = A s1 + s2 - t0`, what a verifier computes as `w' = A z - c t1 2^13` is
//! `A (z - c s1) - c s2 + c t0`, row by row from the private key, with A drawn again. z, c~ and the hint are read from
//! the bytes of the signature, c is drawn from c~. So a fault in w, c, z, the hint or A gives another c~. One in the
//! private key does not, for that is on both sides: it has to be checked for itself, as on import.
//!
//! Whoever keeps A in place of its seed must not use that A here, for a wrong A would go unseen: it has to be bound to the
//! key by t0 and tr, as `quick` does.

use super::challenge::Challenge;
use super::codec::{Packed, SecretParts, SignatureParts};
use super::hint::EncodedHint;
use super::matrix::{Half, add_product, leave};
use super::params::{MAX_CHALLENGE_LEN, MU_LEN, N, Parameters};
use super::products::{self, Factor, minus_half_product_into};
use super::round::reduce;
use super::sample::Uniform;
use super::verify::{Unverified, absorb_high, decide, largest_of_z};
use crate::engine::hash::shake::Shake256;
use crate::engine::verdict::Verified;
use crate::simd::{Simd, ct, frame};

/// A finished signature, and what it was made from.
pub struct Finished<'a> {
    /// The numbers of the set.
    pub p: &'a Parameters,
    /// The private key.
    pub key: SecretParts<'a>,
    /// What was signed.
    pub mu: &'a [u8; MU_LEN],
    /// The signature.
    pub signature: SignatureParts<'a>,
}

impl Finished<'_> {
    /// Verifies the signature. `sum` has 256 values, `half` 128.
    ///
    /// # Errors
    /// It is none.
    #[inline(never)]
    pub fn verify<S: Simd>(&self, isa: S, sum: &mut [u32], half: &mut [u32]) -> Result<Verified, Unverified> {
        frame!(isa, {
            let p = self.p;
            let hint = EncodedHint::new(p, self.signature.hint).ok_or(Unverified::Hint)?;
            let largest = largest_of_z(isa, p, self.signature.z);
            let c = Challenge::new(isa, p, self.signature.challenge)?;
            let mut hash = Shake256::new(isa);
            hash.absorb(self.mu);
            for r in 0..p.k {
                sum.fill(0);
                for s in 0..p.l {
                    let mut a = Uniform::new(isa, self.key.rho, r, s);
                    for (side, sum) in Half::BOTH.into_iter().zip(sum.chunks_exact_mut(N / 2)) {
                        self.column_into(isa, &c, s, side, half);
                        side.transform(isa, half);
                        add_product(isa, &mut a, half, sum)?;
                    }
                }
                leave(isa, sum);
                products::add_product(isa, &c, Factor::t0_less_s2(p, &self.key, r), sum);
                for x in &mut *sum {
                    *x = reduce(x.cast_signed());
                }
                // It is what every verifier computes from the signature.
                ct::declassify_row("signature", sum);
                absorb_high(isa, p, sum, hint.row(r), &mut hash);
            }
            let mut found = [0; MAX_CHALLENGE_LEN];
            let found = &mut found[..p.challenge_len];
            hash.finish();
            hash.squeeze(found);
            decide(p, largest, found, self.signature.challenge)
        })
    }

    /// Writes the residues of `z - c s1`, column `s`, in one half of a transform.
    #[inline(never)]
    fn column_into<S: Simd>(&self, isa: S, c: &Challenge, s: usize, side: Half, half: &mut [u32]) {
        frame!(isa, {
            let p = self.p;
            minus_half_product_into(isa, c, self.key.small(p, s), side, half);
            let z = Packed { bytes: self.signature.column(p.z_len(), s), bits: p.z_bits(), top: p.gamma1 };
            side.add(isa, z, half);
        });
    }
}
