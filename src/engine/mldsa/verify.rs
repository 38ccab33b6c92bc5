//! Verifies a signature for mu, which is the hash of tr (the public key's hash) and the message
//! (FIPS 204, algorithm 8). The code computes w' (the verifier's w) row by row. For each row, it
//! adds products of polynomials in A and z to a sum ([`super::sums`]). With the least memory, it
//! needs only half a polynomial of z at a time, and three bytes for each value in the sum. In
//! addition, two sponges and the challenge are on the stack. With more memory, it transforms z only
//! once, and samples A in batches ([`super::batches`]).
//!
//! The API calls [`verify`], and boot loaders call `verify_streaming`. Signers and the verifiers in
//! `kept_verification` and `verify_batch` use the functions for w1 and for the verdict.
//!
//! All values in this file are public.

use super::batches::MatrixRows;
use super::challenge::Challenge;
use super::codec::{MAX_PIECE_LEN, PIECE, PublicKeyParts, SignatureParts, flip, pack, unpack};
use super::hint::EncodedHint;
#[cfg(feature = "ml-dsa")]
use super::matrix::add_column;
use super::matrix::{MatrixEntry, QUARTER, TransformQuarter, forward_transform, inverse_transform};
use super::params::{D, MAX_CHALLENGE_LEN, MU_LEN, MlDsaSet, N, Parameters, Q, T1_BITS, T1_LEN};
use super::round::{high, larger_vartime, magnitude, reduce, use_hint};
use super::sample::SqueezeLimitError;
use super::sums::{RowSum, multiply_add_packed};
use crate::engine::hash::shake::Shake256;
use crate::engine::primes::prime::ML_DSA;
use crate::engine::primes::short::{self, ML_DSA_SHORT};
use crate::engine::verdict::Verified;
use crate::simd::{SCRATCH_ALIGN, Scratch, ShortRow, Simd, ct, frame};

/// The reason why a signature was rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MlDsaRejection {
    /// The public key or the signature has the wrong length for the parameter set.
    Length,
    /// The encoding of the hint is not valid.
    Hint,
    /// A coefficient in z is too large.
    Norm,
    /// The challenge is wrong, because the key, the message and the signature do not match.
    Challenge,
    /// Sampling from a seed needs more bytes than FIPS 204, appendix C, allows. This can only
    /// happen if the machine made a fault, or if somebody has searched for a seed that needs so
    /// many bytes.
    Limit,
}

impl From<SqueezeLimitError> for MlDsaRejection {
    fn from(SqueezeLimitError: SqueezeLimitError) -> Self {
        Self::Limit
    }
}

/// The input to a verification. The verification decides whether the private key that belongs to
/// `public` has made `signature` for mu.
pub struct MuVerification<'a> {
    /// The parameter set.
    pub set: MlDsaSet,
    /// The encoded public key.
    pub public: &'a [u8],
    /// mu, the hash of tr (the public key's hash) and the message.
    pub mu: &'a [u8; MU_LEN],
    /// The encoded signature.
    pub signature: &'a [u8],
}

/// Makes the checks that need only the bytes of a signature: the length, the hint, and the norm of
/// z.
///
/// # Errors
/// If a check fails, no key can verify the signature, and this function returns the reason.
#[inline(always)]
pub fn check_encoding<S: Simd>(isa: S, set: MlDsaSet, signature: &[u8]) -> Result<(), MlDsaRejection> {
    let p = set.parameters();
    let parts = SignatureParts::new(set, signature).ok_or(MlDsaRejection::Length)?;
    EncodedHint::new(p, parts.hint).ok_or(MlDsaRejection::Hint)?;
    if largest_of_z(isa, p, parts.z) < p.z_bound() { Ok(()) } else { Err(MlDsaRejection::Norm) }
}

/// The parts of a public key and of a signature that has passed all checks of its encoding.
struct EncodedParts<'a> {
    p: &'static Parameters,
    key: PublicKeyParts<'a>,
    parts: SignatureParts<'a>,
    hint: EncodedHint<'a>,
    /// The largest magnitude of a coefficient in z.
    largest: u32,
}

impl<'a> EncodedParts<'a> {
    /// Splits a public key and a signature, and checks the encoding of the signature.
    ///
    /// # Errors
    /// Returns the reason why the signature was rejected.
    #[inline(always)]
    fn new<S: Simd>(isa: S, set: MlDsaSet, public: &'a [u8], signature: &'a [u8]) -> Result<Self, MlDsaRejection> {
        let p = set.parameters();
        let key = PublicKeyParts::new(set, public).ok_or(MlDsaRejection::Length)?;
        let parts = SignatureParts::new(set, signature).ok_or(MlDsaRejection::Length)?;
        let hint = EncodedHint::new(p, parts.hint).ok_or(MlDsaRejection::Hint)?;
        let largest = largest_of_z(isa, p, parts.z);
        if largest >= p.z_bound() {
            return Err(MlDsaRejection::Norm);
        }
        Ok(Self { p, key, parts, hint, largest })
    }
}

/// Verifies a signature for mu. `work` must have at least [`MlDsaSet::verify_work_len`] bytes. With
/// [`MlDsaSet::verify_fast_work_len`] bytes, the verification is faster.
///
/// # Errors
/// Returns the reason why the signature was rejected.
#[inline(never)]
pub fn verify<S: Simd>(isa: S, task: &MuVerification<'_>, work: Scratch<'_>) -> Result<Verified, MlDsaRejection> {
    frame!(isa, {
        let &MuVerification { set, public, mu, signature } = task;
        let EncodedParts { p, key, parts, hint, largest } = EncodedParts::new(isa, set, public, signature)?;
        let c = Challenge::new(isa, p, parts.challenge)?;
        let mut hash = Shake256::new(isa);
        hash.absorb(mu);
        let hasher = CommitmentHasher { p, key, parts, hint, c: &c };
        if work.len() >= set.verify_fast_work_len() - SCRATCH_ALIGN {
            hasher.absorb_rows_of_batches(isa, &mut hash, work)?;
        } else {
            hasher.absorb_rows(isa, &mut hash, work)?;
        }
        finish_and_decide(isa, p, largest, &mut hash, parts.challenge)
    })
}

/// The number of values in the work memory for [`verify_streaming`].
#[cfg(feature = "ml-dsa")]
pub const STREAMING_WORK: usize = N + N / 2;

/// Verifies a signature with little code and memory, for boot loaders. `message` is a sponge that
/// must have absorbed the input for mu. This function finishes mu, and then uses the same sponge to
/// hash mu and w1'. If the parameter set is a constant, the compiler removes the code for other
/// parameter sets.
///
/// # Errors
/// Returns the reason why the signature was rejected.
#[cfg(feature = "ml-dsa")]
#[inline(always)]
pub fn verify_streaming<S: Simd>(
    isa: S,
    set: MlDsaSet,
    public: &[u8],
    message: &mut Shake256<S>,
    signature: &[u8],
    work: &mut [u32; STREAMING_WORK],
) -> Result<Verified, MlDsaRejection> {
    let EncodedParts { p, key, parts, hint, largest } = EncodedParts::new(isa, set, public, signature)?;
    let mut mu = [0; MU_LEN];
    message.finish();
    message.squeeze(&mut mu);
    message.clear();
    message.absorb(&mu);
    let c = Challenge::new(isa, p, parts.challenge)?;
    let (sum, half) = work.split_at_mut(N);
    CommitmentHasher { p, key, parts, hint, c: &c }.absorb_rows_here(isa, message, sum, half)?;
    finish_and_decide_here(p, largest, message, parts.challenge)
}

/// The input to compute w' row by row, and to hash the high parts in each row.
struct CommitmentHasher<'a> {
    p: &'static Parameters,
    key: PublicKeyParts<'a>,
    parts: SignatureParts<'a>,
    hint: EncodedHint<'a>,
    c: &'a Challenge,
}

impl CommitmentHasher<'_> {
    /// Absorbs the high parts in all rows of w', with as little memory as possible.
    #[inline(never)]
    fn absorb_rows<S: Simd>(
        &self,
        isa: S,
        hash: &mut Shake256<S>,
        mut work: Scratch<'_>,
    ) -> Result<(), SqueezeLimitError> {
        frame!(isa, {
            let p = self.p;
            let mut sum = RowSum::take(&mut work);
            for r in 0..p.k {
                sum.clear();
                for s in 0..p.l {
                    let entry = MatrixEntry { rho: self.key.rho, r, s };
                    sum.add_column(isa, entry, self.parts.packed_z(p, s))?;
                }
                if S::HAS_SHORT_ROWS {
                    let (sums, half) = sum.parts();
                    subtract_transformed_key(isa, self.c, self.key.row(r), sums, half);
                }
                let (row, _) = sum.finish(isa);
                if !S::HAS_SHORT_ROWS {
                    subtract_key(isa, self.c, self.key.row(r), row);
                }
                absorb_high(isa, p, row, self.hint.row(r), hash);
            }
            Ok(())
        })
    }

    /// Works like [`Self::absorb_rows`] for boot loaders. `sum` has 256 values, and `half` has 128.
    #[cfg(feature = "ml-dsa")]
    #[inline(always)]
    fn absorb_rows_here<S: Simd>(
        &self,
        isa: S,
        hash: &mut Shake256<S>,
        sum: &mut [u32],
        half: &mut [u32],
    ) -> Result<(), SqueezeLimitError> {
        let p = self.p;
        for r in 0..p.k {
            sum.fill(0);
            for s in 0..p.l {
                let entry = MatrixEntry { rho: self.key.rho, r, s };
                add_column(isa, entry, self.parts.packed_z(p, s), sum, half)?;
            }
            inverse_transform(isa, sum);
            subtract_key(isa, self.c, self.key.row(r), sum);
            absorb_high(isa, p, sum, self.hint.row(r), hash);
        }
        Ok(())
    }

    /// Works like [`Self::absorb_rows`], with more memory: z and the challenge are transformed only
    /// once, and A is sampled in batches.
    #[inline(never)]
    fn absorb_rows_of_batches<S: Simd>(
        &self,
        isa: S,
        hash: &mut Shake256<S>,
        mut work: Scratch<'_>,
    ) -> Result<(), SqueezeLimitError> {
        frame!(isa, {
            let p = self.p;
            let sum = work.take::<u32>(N);
            let z = work.take::<u32>(N * p.l);
            let minus_c = work.take::<u32>(N);
            for (s, z) in z.chunks_exact_mut(N).enumerate() {
                self.parts.packed_z(p, s).piece(isa, 0, z);
                forward_transform(isa, z);
            }
            self.c.transform_into(isa, Q - 1, minus_c);
            let mut rows = MatrixRows::new(p, self.key.rho, &mut work);
            for r in 0..p.k {
                unpack(isa, T1_BITS, self.key.row(r), sum);
                for x in &mut *sum {
                    *x <<= D;
                }
                short::ntt(isa, &ML_DSA_SHORT, sum);
                short::mul_into(isa, &ML_DSA_SHORT, sum, minus_c);
                rows.add_row(isa, z, sum)?;
                inverse_transform(isa, sum);
                absorb_high(isa, p, sum, self.hint.row(r), hash);
            }
            Ok(())
        })
    }
}

/// Finishes the hash of mu and w1' to compute c~, and decides whether the signature is valid
/// ([`decide`]).
#[inline(never)]
pub fn finish_and_decide<S: Simd>(
    isa: S,
    p: &Parameters,
    largest: u32,
    hash: &mut Shake256<S>,
    challenge: &[u8],
) -> Result<Verified, MlDsaRejection> {
    frame!(isa, finish_and_decide_here(p, largest, hash, challenge))
}

/// Implements [`finish_and_decide`]. The code is inlined into the caller, for boot loaders.
#[inline(always)]
fn finish_and_decide_here<S: Simd>(
    p: &Parameters,
    largest: u32,
    hash: &mut Shake256<S>,
    challenge: &[u8],
) -> Result<Verified, MlDsaRejection> {
    let mut computed = [0; MAX_CHALLENGE_LEN];
    let computed = &mut computed[..p.challenge_len];
    hash.finish();
    hash.squeeze(computed);
    decide(p, largest, computed, challenge)
}

/// Decides whether a signature is valid, from the largest magnitude in z, the computed c~, and the
/// c~ in the signature (`challenge`). Two checks make the same decision in different ways, and the
/// verdict YES is the sum of the two results. A fault in a single check cannot change a rejection
/// to YES.
///
/// # Errors
/// Returns [`MlDsaRejection::Challenge`] if z is too large, if c~ differs, or if the two checks do
/// not agree.
#[inline(always)]
pub fn decide(p: &Parameters, largest: u32, computed: &[u8], challenge: &[u8]) -> Result<Verified, MlDsaRejection> {
    let comparison = if largest < p.z_bound() && computed == challenge { Verified::CHECK_RESULTS[0] } else { 0 };
    // The second check has no branch. If `largest` is too large, the subtraction borrows and sets
    // the top bit.
    let mut differences = (p.z_bound() - 1).wrapping_sub(ct::barrier_u32(largest)) >> 31;
    for (a, b) in computed.iter().zip(challenge) {
        differences |= ct::barrier_u32(u32::from(a ^ b));
    }
    let masked = Verified::CHECK_RESULTS[1] & !ct::mask_nonzero(u64::from(differences)) as u32;
    let verified = Verified::from_checks(comparison, masked);
    if verified.value() == Verified::YES { Ok(verified) } else { Err(MlDsaRejection::Challenge) }
}

/// Returns the largest magnitude of any coefficient in z, which is packed.
#[inline(always)]
pub fn largest_of_z<S: Simd>(isa: S, p: &Parameters, z: &[u8]) -> u32 {
    // In a boot loader, the code is inlined, so the compiler knows the parameters.
    if S::COMPACT { largest_of_z_here(isa, p, z) } else { largest_of_z_in_frame(isa, p, z) }
}

/// Implements [`largest_of_z`] without inlining, so that all callers share the same code.
#[inline(never)]
fn largest_of_z_in_frame<S: Simd>(isa: S, p: &Parameters, z: &[u8]) -> u32 {
    frame!(isa, largest_of_z_here(isa, p, z))
}

/// Implements [`largest_of_z`]. The code is inlined into the caller.
#[inline(always)]
fn largest_of_z_here<S: Simd>(isa: S, p: &Parameters, z: &[u8]) -> u32 {
    let mut largest = 0;
    let mut fields = [0; PIECE];
    for bytes in z.chunks_exact(PIECE / 8 * p.z_bits()) {
        unpack(isa, p.z_bits(), bytes, &mut fields);
        flip(p.gamma1, &mut fields);
        largest = larger_vartime(largest, largest_magnitude(&fields));
    }
    largest
}

/// Returns the largest magnitude of any value. A negative value `x` is stored as `2^32 - |x|`.
#[inline(always)]
pub fn largest_magnitude(values: &[u32]) -> u32 {
    let mut largest = 0;
    for x in values {
        largest = larger_vartime(largest, magnitude(x.cast_signed()));
    }
    largest
}

/// Subtracts `c t1 2^13` from a row of residues, and reduces the row to residues. t1 is packed.
#[inline(never)]
pub fn subtract_key<S: Simd>(isa: S, c: &Challenge, t1: &[u8], row: &mut [u32]) {
    frame!(isa, {
        let mut piece = [0; PIECE];
        for (i, bytes) in t1.chunks_exact(PIECE / 8 * T1_BITS).enumerate() {
            unpack(isa, T1_BITS, bytes, &mut piece);
            for x in &mut piece {
                *x = (*x << D).wrapping_neg();
            }
            // Each of the tau summands is below 2^23 in magnitude, and tau is at most 60. So the
            // sum is below 2^29 in magnitude, which is in the range of `reduce`.
            c.add_product(PIECE * i, &piece, row);
        }
        for x in row {
            *x = reduce(x.cast_signed());
        }
    });
}

/// Subtracts `c t1 2^13` from `sums`, a row's transform. Both `sums` and `t1` are packed. `half`
/// must have space for 128 values. On levels (instruction sets) that have assembly for rows (arrays
/// of values), this function takes less time than [`subtract_key`].
#[inline(never)]
pub fn subtract_transformed_key<S: Simd>(isa: S, c: &Challenge, t1: &[u8], sums: &mut [u8], half: &mut [u32]) {
    frame!(isa, {
        let (key, minus_c) = half.split_at_mut(QUARTER);
        for (quarter, sums) in TransformQuarter::ALL.into_iter().zip(sums.chunks_exact_mut(3 * QUARTER)) {
            let root = quarter.root();
            write_key_quarter(isa, root, t1, key);
            quarter.transform(isa, key);
            c.minus_quarter_into(root, minus_c);
            quarter.transform(isa, minus_c);
            // Both factors are below 18 q, so their product is below 2^32 q.
            multiply_add_packed(isa, key, minus_c, sums);
        }
    });
}

/// Writes the residue of `t1 2^13` modulo `X^64 - root`, by Horner's rule.
#[inline(always)]
fn write_key_quarter<S: Simd>(isa: S, root: u32, t1: &[u8], key: &mut [u32]) {
    if S::HAS_SHORT_ROWS {
        return isa.short_row(key, ShortRow::FoldQuarter { fields: t1, root });
    }
    let mut fields = [0; 8];
    key.fill(0);
    for t1 in t1.chunks_exact(T1_LEN / 4).rev() {
        for (bytes, key) in t1.chunks_exact(T1_BITS).zip(key.as_chunks_mut::<8>().0) {
            unpack(isa, T1_BITS, bytes, &mut fields);
            for (x, field) in key.iter_mut().zip(fields) {
                *x = ML_DSA.add(ML_DSA.mul(*x, root), field << D);
            }
        }
    }
}

/// Absorbs the encoding of w1 for a row (algorithm 28): the high parts of the row, after the hint
/// was applied at the positions `places`.
#[inline(always)]
pub fn absorb_high<S: Simd>(isa: S, p: &Parameters, row: &[u32], places: &[u8], hash: &mut Shake256<S>) {
    if S::COMPACT {
        // In a boot loader, the code is inlined, so the compiler knows the parameters.
        absorb_high_here(isa, p, row, places, hash);
    } else {
        absorb_high_in_frame(isa, p, row, places, hash);
    }
}

/// Implements [`absorb_high`] without inlining, so that all callers share the same code.
#[inline(never)]
fn absorb_high_in_frame<S: Simd>(isa: S, p: &Parameters, row: &[u32], places: &[u8], hash: &mut Shake256<S>) {
    frame!(isa, absorb_high_here(isa, p, row, places, hash));
}

/// Implements [`absorb_high`]. The code is inlined into the caller.
#[inline(always)]
fn absorb_high_here<S: Simd>(isa: S, p: &Parameters, row: &[u32], places: &[u8], hash: &mut Shake256<S>) {
    let mut fields = [0; PIECE];
    let mut bytes = [0; MAX_PIECE_LEN];
    let bytes = &mut bytes[..PIECE / 8 * p.w1_bits()];
    for first in (0..N).step_by(PIECE) {
        high_into(p, row, first, places, &mut fields);
        pack(isa, p.w1_bits(), &fields, bytes);
        hash.absorb(bytes);
    }
}

/// Writes the bytes that [`absorb_high`] would absorb for a row. `fields` must have space for a
/// row.
#[inline(never)]
pub fn write_high<S: Simd>(isa: S, p: &Parameters, row: &[u32], places: &[u8], fields: &mut [u32], out: &mut [u8]) {
    frame!(isa, {
        high_into(p, row, 0, places, fields);
        pack(isa, p.w1_bits(), fields, out);
    });
}

/// Writes the high parts of a row from coefficient `first` on. The hint is applied at the positions
/// `places` in the row.
#[inline(always)]
fn high_into(p: &Parameters, row: &[u32], first: usize, places: &[u8], fields: &mut [u32]) {
    for (field, x) in fields.iter_mut().zip(&row[first..]) {
        *field = high(p.gamma2, *x);
    }
    for place in places {
        let place = usize::from(*place);
        if let Some(field) = place.checked_sub(first).and_then(|at| fields.get_mut(at)) {
            *field = use_hint(p.gamma2, 1, row[place]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::sums::store_packed;
    use super::*;
    use crate::simd::WithSimd;
    use crate::simd::check::laws::on_every_level;

    #[test]
    fn both_checks_agree_at_the_bounds() {
        for set in MlDsaSet::ALL {
            let p = set.parameters();
            let challenge = vec![0x5a; p.challenge_len];
            for largest in [0, p.z_bound() - 1, p.z_bound(), p.gamma1] {
                for place in 0..=p.challenge_len {
                    let mut computed = challenge.clone();
                    computed.get_mut(place).into_iter().for_each(|byte| *byte ^= 0x80 >> (place % 8));
                    let is_good = largest < p.z_bound() && place == p.challenge_len;
                    let verdict = decide(p, largest, &computed, &challenge);
                    assert_eq!(verdict.map(Verified::value).ok(), is_good.then_some(Verified::YES));
                }
            }
        }
    }

    /// Compares both functions that subtract the key. Levels that have assembly for rows use
    /// [`subtract_transformed_key`].
    #[test]
    fn keys_are_subtracted_before_and_after_the_transform() {
        #[derive(Clone, Copy)]
        struct KeySubtractionTest;
        impl WithSimd for KeySubtractionTest {
            type Output = ();
            fn with<S: Simd>(self, isa: S) {
                for set in MlDsaSet::ALL {
                    let p = set.parameters();
                    let c = Challenge::new(isa, p, &[7; MAX_CHALLENGE_LEN][..p.challenge_len]).unwrap();
                    // With the factor 0, all bytes are 255, so t1 has the largest values.
                    for factor in [0x9d, 0] {
                        let t1: Vec<u8> = (0..T1_LEN).map(|i| !((factor * i) as u8)).collect();
                        let mut expected: Vec<u32> = (0..N as u32).map(|i| 32_000 * i + 5).collect();
                        let mut memory = [9; RowSum::LEN];
                        let mut sum = RowSum::take(&mut Scratch::within(&mut memory));
                        store_packed(&expected, sum.parts().0);
                        inverse_transform(isa, &mut expected);
                        subtract_key(isa, &c, &t1, &mut expected);
                        let (sums, half) = sum.parts();
                        subtract_transformed_key(isa, &c, &t1, sums, half);
                        assert_eq!(sum.finish(isa).0, expected, "{set:?} {}", S::NAME);
                    }
                }
            }
        }
        on_every_level(KeySubtractionTest);
    }

    /// Makes a single coefficient as large as possible, at each position in z.
    #[test]
    fn the_largest_coefficient_of_z_is_found_at_every_position() {
        #[derive(Clone, Copy)]
        struct LargestCoefficientTest;
        impl WithSimd for LargestCoefficientTest {
            type Output = ();
            fn with<S: Simd>(self, isa: S) {
                for set in MlDsaSet::ALL {
                    let p = set.parameters();
                    for place in 0..p.l * N {
                        let mut fields = vec![p.gamma1; p.l * N];
                        let (field, largest) =
                            if place % 2 == 0 { (0, p.gamma1) } else { (2 * p.gamma1 - 1, p.gamma1 - 1) };
                        fields[place] = field;
                        let mut z = vec![0; p.l * p.z_len()];
                        pack(isa, p.z_bits(), &fields, &mut z);
                        assert_eq!(largest_of_z(isa, p, &z), largest, "{set:?} {place} {}", S::NAME);
                    }
                }
            }
        }
        on_every_level(LargestCoefficientTest);
    }
}
