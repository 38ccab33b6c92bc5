//! The transforms of a private key that signing needs: A, `t1 2^13`, s1, s2 and t0. A signer can
//! compute them for each signature, or compute them once and keep them for many signatures.
//!
//! # Faults
//!
//! [`KeyTransforms::new`] computes each row of `t = A s1 + s2` from the transforms. For an expanded
//! key, the computed t0 must match the t0 in the key. The function also writes the public key, and
//! the caller must compare the public key's hash with tr. An expanded key contains tr. For a seed,
//! tr was computed when the seed was loaded. These checks detect a fault in A, s1 or t1. For an
//! expanded key, they also detect a fault in s2.
//!
//! If the key is a seed and s2 is wrong, then t1 is often still correct, because s2 is small and t1
//! contains only the high parts of t. For example, with s2 = 0 the signatures would be valid, and
//! many such signatures would reveal s1. Therefore, s1 and s2 are sampled twice, and the checksums
//! of the transforms are compared.
//!
//! A fault can also change the transforms later, while they are kept:
//!
//! - If A, t1 or s1 changes, then a signature is not valid, because w' is `A z - c t1 2^13`, and z
//!   is `y + c s1`. The verification of each new signature detects this.
//! - If s2 or t0 changes, then a signature can be valid, because the hint hides small differences.
//!   For example, if s2 is replaced by zeros, then most signatures are valid, and many such
//!   signatures together reveal s2. Therefore, there is a checksum over s1, s2 and t0. The checksum
//!   is computed before s1 and s2 are used, and again after each signature or each batch of
//!   signatures ([`KeyTransforms::changes`]).
//! - If all transforms and the checksum are replaced by zeros, then the verification accepts the
//!   signature, because w' and w are both zero. The checksum of zeros is not zero, so the checksum
//!   detects this fault.
//!
//! All transforms except for A and t1 are secret.

use super::codec::{ExpandedKeyParts, flip, pack};
use super::expand::{SpongeMemory, bounded_into};
use super::keygen::KeySeeds;
use super::matrix::{forward_transform, inverse_transform};
use super::params::{D, K_LEN, N, Parameters, RHO_LEN, SECRET_SEED_LEN, T1_BITS, T1_LEN};
#[cfg(feature = "alloc")]
use super::params::{MlDsaSet, TR_LEN};
use super::public_transforms::PublicTransforms;
use super::round::power2round;
use super::rows::SecretPolynomials;
use super::sample::SqueezeLimitError;
use super::trace::{MlDsaSignError, declassified};
use crate::engine::hash::shake::KECCAK_STATES;
#[cfg(feature = "alloc")]
use crate::engine::hash::shake::shake256_into;
use crate::engine::primes::short::{self, ML_DSA_SHORT};
#[cfg(feature = "alloc")]
use crate::simd::{SCRATCH_ALIGN, Scratch};
use crate::simd::{Simd, align_stack_for, ct, frame};

/// The parts of a private key, which is an expanded key or a seed.
pub struct SignerKeyParts<'a> {
    /// The public seed for the matrix A.
    pub rho: [u8; RHO_LEN],
    /// s1 and s2, or the seed for them.
    pub secrets: SecretPolynomials<'a>,
    /// K, the secret input to the seed for y.
    pub key: &'a [u8; K_LEN],
}

impl<'a> SignerKeyParts<'a> {
    /// Returns the parts of an expanded key, and declassifies rho.
    pub fn of_expanded(key: ExpandedKeyParts<'a>) -> Self {
        let mut rho = *key.rho;
        ct::declassify_row("public key", &mut rho);
        Self { rho, secrets: SecretPolynomials::Packed(key), key: key.key }
    }

    /// Returns the parts of a key from the seeds that were computed from xi.
    pub fn of_seeds(seeds: &'a KeySeeds) -> Self {
        Self { rho: *seeds.rho(), secrets: SecretPolynomials::Seed(seeds.secret()), key: seeds.key() }
    }
}

/// The transforms of a private key. The values of A are residues in `[0, q)`, and the values of
/// `t1 2^13`, s1, s2 and t0 can be up to 18 q (see the table in `engine/primes/short.rs`).
#[derive(Clone, Copy)]
pub struct KeyTransforms<'w> {
    p: &'static Parameters,
    public: PublicTransforms<'w>,
    /// s1, s2 and t0.
    secrets: &'w [u32],
    /// The checksum of `secrets`.
    checksum: &'w [u32],
}

impl<'w> KeyTransforms<'w> {
    /// Returns the length of the transforms and the checksum for a parameter set, in 32-bit values.
    pub const fn len(p: &Parameters) -> usize {
        PublicTransforms::len(p) + Self::secrets_len(p) + TransformChecksum::LEN
    }

    /// Returns the length of the transforms of s1, s2 and t0, in 32-bit values.
    const fn secrets_len(p: &Parameters) -> usize {
        N * (p.l + 2 * p.k)
    }

    /// Computes the transforms of a key in `values`, which must have the length [`Self::len`].
    /// Writes the encoded public key to the beginning of `public`. The caller must compare the hash
    /// of the public key with tr.
    ///
    /// # Errors
    /// Returns `Fault` if t0 in an expanded key does not match the other parts, or if the second
    /// sample of s1 and s2 from a seed differs from the first sample. Returns `Limit` if sampling
    /// needs more bytes than FIPS 204, appendix C, allows.
    #[inline(never)]
    pub fn new<S: Simd>(
        isa: S,
        p: &'static Parameters,
        key: &SignerKeyParts<'_>,
        values: &'w mut [u32],
        public: &mut [u8],
        sponge_memory: &mut SpongeMemory<'_>,
    ) -> Result<Self, MlDsaSignError> {
        frame!(isa, {
            align_stack_for::<S::U32>();
            let (matrix, rest) = values.split_at_mut(N * p.k * p.l);
            let (t1_rows, rest) = rest.split_at_mut(N * p.k);
            let (small, rest) = rest.split_at_mut(N * (p.l + p.k));
            let (lower, checksum) = rest.split_at_mut(N * p.k);
            PublicTransforms::sample_matrix(isa, p, &key.rho, matrix, sponge_memory)?;
            let (mut sums, mut differs) =
                checked_small_into(isa, p, key.secrets, [small, lower], sponge_memory, |_| {})?;
            public[..RHO_LEN].copy_from_slice(&key.rho);
            let (s1, s2) = small.split_at(N * p.l);
            for (r, t) in lower.chunks_exact_mut(N).enumerate() {
                short::products_into(isa, &ML_DSA_SHORT, &matrix[N * p.l * r..N * p.l * (r + 1)], s1, t);
                short::add_products(isa, &ML_DSA_SHORT, &s2[N * r..N * (r + 1)], &ONES, t);
                inverse_transform(isa, t);
                let t1 = &mut public[RHO_LEN + T1_LEN * r..][..T1_LEN];
                differs |= split_row(isa, t, key.secrets, r, &mut t1_rows[N * r..N * (r + 1)], t1);
                forward_transform(isa, t);
            }
            if declassified(differs) {
                return Err(MlDsaSignError::Fault);
            }
            sums.include(isa, lower);
            sums.write(checksum);
            Self::of(p, values).ok_or(MlDsaSignError::Length)
        })
    }

    /// Returns the transforms in `values`, which [`Self::new`] must have written. Returns `None` if
    /// the number of values is wrong.
    pub fn of(p: &'static Parameters, values: &'w [u32]) -> Option<Self> {
        let (public, rest) = values.split_at_checked(PublicTransforms::len(p))?;
        let (secrets, checksum) = rest.split_at_checked(Self::secrets_len(p))?;
        (checksum.len() == TransformChecksum::LEN).then_some(())?;
        Some(Self { p, public: PublicTransforms::of(p, public)?, secrets, checksum })
    }

    /// Returns a value that is not 0 if the transforms for s1, s2 and t0 have changed since
    /// [`Self::new`].
    #[inline(always)]
    pub fn changes<S: Simd>(&self, isa: S) -> u32 {
        let mut sums = TransformChecksum::EMPTY;
        sums.include(isa, self.secrets);
        sums.differs(self.checksum)
    }

    /// Returns the transforms of the public key.
    #[inline(always)]
    pub const fn public(&self) -> &PublicTransforms<'w> {
        &self.public
    }

    /// Returns the transforms of all polynomials in s1.
    #[inline(always)]
    pub fn s1(&self) -> &'w [u32] {
        &self.secrets[..N * self.p.l]
    }

    /// Returns the transform of polynomial `r` in s2.
    #[inline(always)]
    pub fn s2(&self, r: usize) -> &'w [u32] {
        &self.secrets[N * (self.p.l + r)..][..N]
    }

    /// Returns the transform of polynomial `r` in t0.
    #[inline(always)]
    pub fn t0(&self, r: usize) -> &'w [u32] {
        self.s2(self.p.k + r)
    }
}

/// Functions that write the transforms of a key, for callers that keep them for many signatures.
#[cfg(feature = "alloc")]
impl KeyTransforms<'_> {
    /// Returns how much work memory [`Self::write`] needs, in bytes.
    pub const fn work_len(set: MlDsaSet) -> usize {
        SCRATCH_ALIGN + SpongeMemory::LEN + set.public_len()
    }

    /// Computes the transforms of a key in `values`, and compares the hash of the public key with
    /// `tr`. Also writes K, the secret input to the seed for y, to `key`. `form` is a seed or an
    /// expanded key. Allocates [`Self::work_len`] bytes in `work`. `values` must have the length
    /// [`Self::len`].
    ///
    /// # Errors
    /// Returns `Length` if `form` has the wrong length. Returns `Fault` if `tr` does not match the
    /// key, or if K was copied wrongly. Otherwise, fails as [`Self::new`] does.
    #[inline(always)]
    pub fn write<S: Simd>(
        isa: S,
        set: MlDsaSet,
        form: &[u8],
        tr: &[u8; TR_LEN],
        values: &mut [u32],
        key: &mut [u8; K_LEN],
        work: Scratch<'_>,
    ) -> Result<(), MlDsaSignError> {
        if let Ok(xi) = form.try_into() {
            let seeds = KeySeeds::new(isa, set, xi);
            *key = *seeds.key();
            write_parts(isa, set, &SignerKeyParts::of_seeds(&seeds), tr, values, work)?;
            return check_same_secret(key, KeySeeds::new(isa, set, xi).key());
        }
        let parts = ExpandedKeyParts::new(set, form).ok_or(MlDsaSignError::Length)?;
        *key = *parts.key;
        write_parts(isa, set, &SignerKeyParts::of_expanded(parts), tr, values, work)?;
        check_same_secret(key, parts.key)
    }
}

/// Checks that K was copied without a fault. If K was copied wrongly, for example as zeros, an
/// attacker may know the seed for y in a deterministic signature.
#[cfg(feature = "alloc")]
fn check_same_secret(key: &[u8; K_LEN], source: &[u8; K_LEN]) -> Result<(), MlDsaSignError> {
    let mut differs = 0;
    for (a, b) in key.iter().zip(source) {
        differs |= u32::from(a ^ b);
    }
    if declassified(differs) {
        return Err(MlDsaSignError::Fault);
    }
    Ok(())
}

/// Works like [`KeyTransforms::write`], with the parts of a key. Does not write K.
#[cfg(feature = "alloc")]
#[inline(never)]
fn write_parts<S: Simd>(
    isa: S,
    set: MlDsaSet,
    key: &SignerKeyParts<'_>,
    tr: &[u8; TR_LEN],
    values: &mut [u32],
    mut work: Scratch<'_>,
) -> Result<(), MlDsaSignError> {
    frame!(isa, {
        let mut sponge_memory = SpongeMemory::take(&mut work, SpongeMemory::LEN);
        let public = work.take::<u8>(set.public_len());
        KeyTransforms::new(isa, set.parameters(), key, values, public, &mut sponge_memory)?;
        let mut computed_hash = [0; TR_LEN];
        shake256_into(isa, &[public], &mut computed_hash);
        let mut differs = 0;
        for (a, b) in computed_hash.iter().zip(tr) {
            differs |= u32::from(a ^ b);
        }
        if declassified(differs) { Err(MlDsaSignError::Fault) } else { Ok(()) }
    })
}

/// Writes the transforms of s1 and s2.
///
/// # Errors
/// Fails if sampling from the seed needs more bytes than FIPS 204, appendix C, allows.
#[inline(always)]
fn small_into<S: Simd>(
    isa: S,
    p: &Parameters,
    secrets: SecretPolynomials<'_>,
    out: &mut [u32],
    sponge_memory: &mut SpongeMemory<'_>,
) -> Result<(), SqueezeLimitError> {
    match secrets {
        SecretPolynomials::Seed(seed) => {
            for (i, out) in out.chunks_mut(N * KECCAK_STATES).enumerate() {
                bounded_into(isa, p, seed, KECCAK_STATES * i, out, sponge_memory)?;
                flip(p.eta, out);
            }
        }
        SecretPolynomials::Packed(key) => {
            for (i, out) in out.chunks_exact_mut(N).enumerate() {
                key.small(p, i).piece(isa, 0, out);
            }
        }
    }
    for polynomial in out.chunks_exact_mut(N) {
        forward_transform(isa, polynomial);
    }
    Ok(())
}

/// Writes the transforms of s1 and s2 to `small`, and overwrites `spare`. Returns the checksum of
/// the transforms. Also returns a value that is not 0 if sampling from the seed a second time leads
/// to different transforms. In tests, `fault` changes the transforms after they were written.
///
/// # Errors
/// Fails if sampling from the seed needs more bytes than FIPS 204, appendix C, allows.
#[inline(always)]
fn checked_small_into<S: Simd>(
    isa: S,
    p: &Parameters,
    secrets: SecretPolynomials<'_>,
    [small, spare]: [&mut [u32]; 2],
    sponge_memory: &mut SpongeMemory<'_>,
    fault: impl FnOnce(&mut [u32]),
) -> Result<(TransformChecksum, u32), SqueezeLimitError> {
    small_into(isa, p, secrets, small, sponge_memory)?;
    fault(small);
    let mut sums = TransformChecksum::EMPTY;
    sums.include(isa, small);
    let differs = match secrets {
        SecretPolynomials::Seed(seed) => differences_when_sampled_again(isa, p, seed, &sums, spare, sponge_memory)?,
        SecretPolynomials::Packed(_) => 0,
    };
    Ok((sums, differs))
}

/// Samples s1 and s2 a second time. Returns a value that is not 0 if the checksum of their
/// transforms differs from `sums`. `memory` must have `N k` values, which are overwritten.
///
/// # Errors
/// Fails if sampling from the seed needs more bytes than FIPS 204, appendix C, allows.
#[inline(never)]
fn differences_when_sampled_again<S: Simd>(
    isa: S,
    p: &Parameters,
    seed: &[u8; SECRET_SEED_LEN],
    sums: &TransformChecksum,
    memory: &mut [u32],
    sponge_memory: &mut SpongeMemory<'_>,
) -> Result<u32, SqueezeLimitError> {
    frame!(isa, {
        let mut checksum_again = TransformChecksum::EMPTY;
        for first in (0..p.l + p.k).step_by(p.k) {
            let count = p.k.min(p.l + p.k - first);
            let out = &mut memory[..N * count];
            bounded_into(isa, p, seed, first, out, sponge_memory)?;
            flip(p.eta, out);
            for polynomial in out.chunks_exact_mut(N) {
                forward_transform(isa, polynomial);
            }
            checksum_again.include(isa, out);
        }
        let mut written = [0; TransformChecksum::LEN];
        checksum_again.write(&mut written);
        Ok(sums.differs(&written))
    })
}

/// A polynomial in which all values are 1. A Montgomery product with this polynomial only divides
/// by R, which is `2^32`.
static ONES: [u32; N] = [1; N];

/// Splits `t`, which is row `r` of t. Replaces the row by t0, writes the transform of `t1 2^13` to
/// `t1_row`, and writes the packed t1 to `packed`. If `secrets` is an expanded key, and t0 differs
/// from the t0 in this key, returns a value that is not 0.
#[inline(always)]
fn split_row<S: Simd>(
    isa: S,
    t: &mut [u32],
    secrets: SecretPolynomials<'_>,
    r: usize,
    t1_row: &mut [u32],
    packed: &mut [u8],
) -> u32 {
    let mut differs = 0;
    if let SecretPolynomials::Packed(key) = secrets {
        key.t0_row(r).piece(isa, 0, t1_row);
        for (t, lower) in t.iter().zip(&*t1_row) {
            differs |= power2round(*t).1.cast_unsigned() ^ lower;
        }
    }
    for (t, t1) in t.iter_mut().zip(&mut *t1_row) {
        let (high, low) = power2round(*t);
        (*t1, *t) = (high, low.cast_unsigned());
    }
    pack(isa, T1_BITS, t1_row, packed);
    ct::declassify_row("public key", packed);
    ct::declassify_row("public key", t1_row);
    for t1 in &mut *t1_row {
        *t1 <<= D;
    }
    short::ntt(isa, &ML_DSA_SHORT, t1_row);
    differs
}

/// A checksum of transforms: in each of 16 lanes, the sum of all values, and the sum of all partial
/// sums. A change of a single value always changes the checksum. If many values change randomly,
/// the probability that the checksum does not change is below `2^-32`. The checksum is not
/// cryptographic. The sums do not start at zero, so memory that is all zeros never has a correct
/// checksum.
struct TransformChecksum {
    sums: [u32; CHECKSUM_LANES],
    sums_of_sums: [u32; CHECKSUM_LANES],
}

/// The number of lanes in a [`TransformChecksum`]. There are several lanes so that the compiler can
/// use vectors.
const CHECKSUM_LANES: usize = 16;

/// The start value for each lane in `sums` ([`TransformChecksum`]): the first 32 bits in the
/// fraction of the golden ratio.
const CHECKSUM_START: u32 = 0x9e37_79b9;

impl TransformChecksum {
    /// The number of values that [`Self::write`] writes.
    const LEN: usize = 2 * CHECKSUM_LANES;
    /// The checksum before any value was included.
    const EMPTY: Self = Self { sums: [CHECKSUM_START; CHECKSUM_LANES], sums_of_sums: [0; CHECKSUM_LANES] };

    /// Includes the values of polynomials in the checksum.
    #[inline(never)]
    fn include<S: Simd>(&mut self, isa: S, values: &[u32]) {
        frame!(isa, {
            let Self { mut sums, mut sums_of_sums } = *self;
            for row in values.as_chunks::<CHECKSUM_LANES>().0 {
                for lane in 0..CHECKSUM_LANES {
                    sums[lane] = sums[lane].wrapping_add(row[lane]);
                    sums_of_sums[lane] = sums_of_sums[lane].wrapping_add(sums[lane]);
                }
            }
            *self = Self { sums, sums_of_sums };
        });
    }

    /// Writes the checksum.
    fn write(&self, out: &mut [u32]) {
        let (sums, sums_of_sums) = out.split_at_mut(CHECKSUM_LANES);
        sums.copy_from_slice(&self.sums);
        sums_of_sums.copy_from_slice(&self.sums_of_sums);
    }

    /// Returns a value that is not 0 if this checksum differs from `written`, the values that
    /// [`Self::write`] wrote.
    fn differs(&self, written: &[u32]) -> u32 {
        let mut differs = 0;
        for (a, b) in self.sums.iter().chain(&self.sums_of_sums).zip(written) {
            differs |= a ^ b;
        }
        differs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::mldsa::params::MlDsaSet;
    use crate::simd::{Level, WithSimd};

    /// Replaces a transform in s1 or s2 by zeros. If s2 is wrong, t1 is often still correct, but
    /// the second sample differs from the first.
    #[test]
    fn a_fault_in_a_sampled_polynomial_is_detected() {
        struct SamplingTest;
        impl WithSimd for SamplingTest {
            type Output = ();
            fn with<S: Simd>(self, isa: S) {
                for set in MlDsaSet::ALL {
                    let p = set.parameters();
                    let mut memory = vec![0; crate::simd::SCRATCH_ALIGN + SpongeMemory::LEN];
                    let mut small = vec![0; N * (p.l + p.k)];
                    let mut spare = vec![0; N * p.k];
                    let secrets = SecretPolynomials::Seed(&[7; SECRET_SEED_LEN]);
                    for row in 0..=p.l + p.k {
                        let mut work = Scratch::new(&mut memory);
                        let mut sponge_memory = SpongeMemory::take(&mut work, SpongeMemory::LEN);
                        let fault = |small: &mut [u32]| {
                            if let Some(row) = small.chunks_exact_mut(N).nth(row) {
                                row.fill(0);
                            }
                        };
                        let both = [&mut small[..], &mut spare[..]];
                        let (_, differs) =
                            checked_small_into(isa, p, secrets, both, &mut sponge_memory, fault).unwrap();
                        assert_eq!(differs == 0, row == p.l + p.k, "{set:?}, row {row}");
                    }
                }
            }
        }
        for level in Level::available() {
            level.run(SamplingTest);
        }
    }

    /// If all transforms are zero, then verification accepts each signature that is made with them.
    /// So the checksum must detect this fault, even if the stored checksum is also zero.
    #[test]
    fn the_checksum_of_zeros_is_not_zero() {
        struct ZerosTest;
        impl WithSimd for ZerosTest {
            type Output = ();
            fn with<S: Simd>(self, isa: S) {
                for set in MlDsaSet::ALL {
                    let p = set.parameters();
                    let zeros = vec![0; KeyTransforms::len(p)];
                    assert_ne!(KeyTransforms::of(p, &zeros).unwrap().changes(isa), 0, "{set:?}");
                }
            }
        }
        for level in Level::available() {
            level.run(ZerosTest);
        }
    }
}
