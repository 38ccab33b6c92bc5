//! Verifies a new signature before it is returned, and checks the private key, with little memory.
//!
//! The expanded private key does not contain t1. The code here computes `t = A s1 + s2` from the
//! private key. It compares t0 and the public key's hash with the t0 and the tr in the key. For
//! each row of t, the code also computes the row of `w' = A z - c t1 2^13` with the same index, as
//! every verifier does. The code computes both rows together, so it samples A only once. It reads
//! z, c~ and the hint from the signature bytes, and samples c from c~. The comparisons detect these
//! faults:
//!
//! - A fault in w, c, z or the hint changes the c~ that is computed from w'.
//! - A fault in the private key or in A changes the computed t0 or the computed hash.
//!
//! If the signer has kept A, the code computes both t and w' from the kept A, and transforms z, s1
//! and c only once. A fault in the kept A then changes the computed t0.
//!
//! s1, s2, t and t0 are secret. t1 is public.

use super::challenge::Challenge;
use super::codec::{ExpandedKeyParts, PIECE, SignatureParts, unpack};
use super::hint::EncodedHint;
use super::import::check_field_bounds;
use super::matrix::{MatrixEntry, QUARTER, TransformQuarter, add_small, forward_transform, inverse_transform};
use super::params::{D, MU_LEN, N, Parameters, Q, RHO_LEN, T0_BITS, T1_BITS, T1_LEN, TR_LEN};
use super::rows::Power2RoundPiece;
use super::sample::{SqueezeLimitError, UniformStream};
use super::store::KeptRows;
use super::sums::{PACKED, VALUE_LEN, add_product_packed, finish_row};
use super::trace::{MlDsaSignError, declassified};
use super::verify::{absorb_high, finish_and_decide, largest_of_z, subtract_key, subtract_transformed_key};
use crate::engine::hash::shake::Shake256;
use crate::engine::primes::short::{self, ML_DSA_SHORT};
use crate::engine::verdict::Verified;
use crate::simd::{Simd, ct, frame, recast};

/// The length of the work memory, in 32-bit values: a packed row of w' and a row of t.
pub const RECHECK_WORK: usize = PACKED + N;
/// The number of 32-bit values in a packed t1 row.
const T1_VALUES: usize = T1_LEN / 4;

/// A finished signature, with the values that it was computed from.
pub struct FinishedSignature<'a> {
    /// The numbers in the parameter set.
    pub p: &'a Parameters,
    /// The private key.
    pub key: ExpandedKeyParts<'a>,
    /// The value mu that was signed.
    pub mu: &'a [u8; MU_LEN],
    /// The signature.
    pub signature: SignatureParts<'a>,
}

/// The sponges that hash the rows of w' and t, and the result of the checks of the private key.
struct RowHashes<S: Simd> {
    /// The sponge that hashes mu and w1', the high parts of w'.
    commitment: Shake256<S>,
    /// The sponge that hashes the public key.
    public: Shake256<S>,
    /// A value that is not 0 if t0 differs from the t0 in the key, or if s1 or s2 is out of range.
    differs: u32,
}

impl FinishedSignature<'_> {
    /// Verifies the signature, and checks the private key as an import does. `memory` must have
    /// [`RECHECK_WORK`] values. If A was kept, the function transforms z and s1 only once, to the
    /// memory for z and y in `kept`.
    ///
    /// # Errors
    /// Fails if the signature is not valid, if s1 or s2 is out of range, if t0 or tr does not match
    /// the other parts of the key, or if sampling exceeds a limit.
    #[inline(never)]
    pub fn verify<S: Simd>(
        &self,
        isa: S,
        memory: &mut [u32],
        mut kept: Option<KeptRows<'_>>,
    ) -> Result<Verified, MlDsaSignError> {
        frame!(isa, {
            let p = self.p;
            let hint = EncodedHint::new(p, self.signature.hint).ok_or(MlDsaSignError::Fault)?;
            let largest = largest_of_z(isa, p, self.signature.z);
            let c = Challenge::new(isa, p, self.signature.challenge)?;
            let mut rho: [u8; RHO_LEN] = *self.key.rho;
            ct::declassify_row("public key", &mut rho);
            let mut hashes = RowHashes {
                commitment: Shake256::new(isa),
                public: Shake256::new(isa),
                differs: self.range_defect(isa),
            };
            hashes.commitment.absorb(self.mu);
            hashes.public.absorb(&rho);
            if let Some(kept) = &mut kept {
                self.transform_columns(isa, kept);
                c.transform_into(isa, Q - 1, &mut kept.factors[..N]);
            }
            for r in 0..p.k {
                if let Some(kept) = &mut kept {
                    let t = &mut memory[PACKED..];
                    kept.row_products_into(isa, r, t);
                    inverse_transform(isa, t);
                    self.split_row(isa, r, t, &mut hashes);
                    let t1 = &mut t[N - T1_VALUES..];
                    self.finish_kept_commitment(isa, t1, hint.row(r), kept, &mut hashes.commitment);
                } else {
                    memory[..2 * PACKED].fill(0);
                    for s in 0..p.l {
                        self.add_column(isa, MatrixEntry { rho: &rho, r, s }, memory)?;
                    }
                    finish_row(isa, &mut memory[PACKED..]);
                    self.split_row(isa, r, &mut memory[PACKED..], &mut hashes);
                    self.finish_commitment(isa, &c, hint.row(r), memory, &mut hashes.commitment);
                }
            }
            let key_differs = declassified(hashes.differs | self.hash_difference(&mut hashes.public));
            if key_differs {
                return Err(MlDsaSignError::Fault);
            }
            Ok(finish_and_decide(isa, p, largest, &mut hashes.commitment, self.signature.challenge)?)
        })
    }

    /// Returns 1 if a coefficient in s1 or s2 is out of range, or else 0.
    #[inline(always)]
    fn range_defect<S: Simd>(&self, isa: S) -> u32 {
        check_field_bounds(isa, self.p, self.key.s).bit()
    }

    /// Writes the transforms of z and s1 to `kept`.
    #[inline(never)]
    fn transform_columns<S: Simd>(&self, isa: S, kept: &mut KeptRows<'_>) {
        frame!(isa, {
            let p = self.p;
            for (s, (z, s1)) in kept.columns.chunks_exact_mut(N).zip(kept.y.chunks_exact_mut(N)).enumerate() {
                self.signature.packed_z(p, s).piece(isa, 0, z);
                forward_transform(isa, z);
                self.key.small(p, s).piece(isa, 0, s1);
                forward_transform(isa, s1);
            }
        });
    }

    /// Multiplies a polynomial in A by the polynomials of z and s1 with the index `entry.s`. Adds
    /// the products to the packed rows of w' and t.
    #[inline(never)]
    fn add_column<S: Simd>(&self, isa: S, entry: MatrixEntry<'_>, memory: &mut [u32]) -> Result<(), SqueezeLimitError> {
        frame!(isa, {
            let p = self.p;
            let mut a = UniformStream::empty(isa);
            entry.start(&mut a);
            let (sums, s1) = memory.split_at_mut(2 * PACKED);
            let (commitment, t) = sums.split_at_mut(PACKED);
            let commitment = recast(commitment).chunks_exact_mut(VALUE_LEN * QUARTER);
            let t = recast(t).chunks_exact_mut(VALUE_LEN * QUARTER);
            let mut z = [0; QUARTER];
            for (quarter, (commitment, t)) in TransformQuarter::ALL.into_iter().zip(commitment.zip(t)) {
                quarter.write(isa, self.key.small(p, entry.s), s1);
                quarter.transform(isa, s1);
                quarter.write(isa, self.signature.packed_z(p, entry.s), &mut z);
                quarter.transform(isa, &mut z);
                add_product_packed(isa, &mut a, [s1, &z], [t, commitment])?;
            }
            Ok(())
        })
    }

    /// Adds row `r` of s2 to `t`, which must contain row `r` of `A s1`, with `N` values. Splits the
    /// sum, which is row `r` of t: compares its t0 with the key, and absorbs its t1. Writes the
    /// packed t1 to the end of `t`.
    #[inline(never)]
    fn split_row<S: Simd>(&self, isa: S, r: usize, t: &mut [u32], hashes: &mut RowHashes<S>) {
        frame!(isa, {
            add_small(isa, self.key.small(self.p, self.p.l + r), t);
            let t0 = self.key.t0_row(r).bytes.chunks_exact(PIECE / 8 * T0_BITS);
            for (i, t0) in t0.enumerate() {
                let piece = Power2RoundPiece::new(isa, &t[PIECE * i..PIECE * (i + 1)]);
                for (a, b) in t0.iter().zip(piece.t0) {
                    hashes.differs |= u32::from(a ^ b);
                }
                hashes.public.absorb(&piece.t1);
                // The packed bytes overwrite only values that have already been split.
                let packed: &mut [u8] = recast(&mut *t);
                packed[piece.t1.len() * i..][..piece.t1.len()].copy_from_slice(&piece.t1);
            }
            t.copy_within(..T1_VALUES, N - T1_VALUES);
        });
    }

    /// Computes a row of w' from the packed transform of `A z` at the start of `memory` and from
    /// the packed t1 at the end of `memory`. Absorbs the high parts of the row, after the hint was
    /// applied at the positions `places`.
    #[inline(always)]
    fn finish_commitment<S: Simd>(
        &self,
        isa: S,
        c: &Challenge,
        places: &[u8],
        memory: &mut [u32],
        hash: &mut Shake256<S>,
    ) {
        let (memory, t1) = memory.split_at_mut(RECHECK_WORK - T1_VALUES);
        let t1: &[u8] = recast(t1);
        if S::HAS_SHORT_ROWS {
            let (sums, half) = memory.split_at_mut(PACKED);
            subtract_transformed_key(isa, c, t1, recast(sums), &mut half[..N / 2]);
        }
        let row = &mut memory[..N];
        finish_row(isa, row);
        if !S::HAS_SHORT_ROWS {
            subtract_key(isa, c, t1, row);
        }
        absorb_high(isa, self.p, row, places, hash);
    }

    /// Works like [`Self::finish_commitment`], with the transforms in `kept`: the row of `A z` is
    /// the first row of `kept.w`, and `-c` is at the start of `kept.factors`. `t1` is packed.
    #[inline(never)]
    fn finish_kept_commitment<S: Simd>(
        &self,
        isa: S,
        t1: &mut [u32],
        places: &[u8],
        kept: &mut KeptRows<'_>,
        hash: &mut Shake256<S>,
    ) {
        frame!(isa, {
            let (row, key) = kept.w[..2 * N].split_at_mut(N);
            unpack(isa, T1_BITS, recast(t1), key);
            for x in &mut *key {
                *x <<= D;
            }
            short::ntt(isa, &ML_DSA_SHORT, key);
            // Both factors are below 18 q, so their product is below 2^32 q.
            short::add_products(isa, &ML_DSA_SHORT, key, &kept.factors[..N], row);
            inverse_transform(isa, row);
            absorb_high(isa, self.p, row, places, hash);
        });
    }

    /// Returns a value that is not 0 if the public key's hash differs from tr.
    #[inline(always)]
    fn hash_difference<S: Simd>(&self, hash: &mut Shake256<S>) -> u32 {
        let mut tr = [0; TR_LEN];
        hash.finish();
        hash.squeeze(&mut tr);
        let mut differs = 0;
        for (a, b) in tr.iter().zip(self.key.tr) {
            differs |= u32::from(a ^ b);
        }
        differs
    }
}
