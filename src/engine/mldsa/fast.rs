//! Attempts at a signature with all values in memory: the transforms of the key, y and w. An
//! attempt is one try, which the signer accepts or rejects. [`super::sign`] uses this file if there
//! is enough work memory. `sign_batch` calls the same functions for the steps of an attempt. The
//! signature is identical, bit for bit, to the signature that `low_memory` computes.
//!
//! While the code hashes w1 in a lane, the other lanes are free on levels (instruction sets) that
//! permute four states at once. The code uses the free lanes to sample y for the next attempts
//! ([`super::masks`]). A later attempt then finds most polynomials of y in memory.
//!
//! If an attempt is accepted, the code verifies the signature like any verifier, with the
//! transforms of A and t1: it computes `w' = A z - c t1 2^13`. It also checks that the transforms
//! of s1, s2 and t0 have not changed, and that the public key has the hash tr, if this was not
//! checked before. It samples y again, and compares it with the y that the attempt used.
//! [`super::sign`] and [`super::transforms`] explain which faults these checks detect.
//!
//! All values are secret, except for the values that [`super::sign`] declassifies.

use super::challenge::Challenge;
use super::codec::{PIECE, SignatureParts, flip, pack};
use super::expand::SpongeMemory;
use super::hint::{EncodedHint, HintBits};
use super::masks::{MaskQueue, masks_into};
use super::matrix::{forward_transform, inverse_transform, inverse_transform_whole};
use super::params::{MAX_ATTEMPTS, MAX_CHALLENGE_LEN, MU_LEN, N, Parameters, Q, SECRET_SEED_LEN, TR_LEN};
use super::public_transforms::{CommitmentMemory, ParsedSignature, commitment_len, high_len};
use super::round::{BoundCheck, centered, decompose, make_hint};
use super::trace::{FaultHooks, MaskSampledCheck, MaskUse, MlDsaSignError, declassified};
use super::transforms::KeyTransforms;
use super::verify::{MlDsaRejection, decide, write_high};
use crate::engine::hash::sponges::{PaddedInput, pad, padded_len};
use crate::engine::primes::prime::ML_DSA;
use crate::engine::primes::short::{self, ML_DSA_SHORT};
use crate::engine::verdict::Verified;
use crate::simd::{Scratch, Simd, align_stack_for, ct, frame};

/// The memory for the attempts, in addition to the transforms. The fields' comments describe
/// their contents during an attempt. The verification of the new signature overwrites z, w, c,
/// product and commitment.
pub struct AttemptMemory<'w> {
    /// y, the secret mask.
    pub y: &'w mut [u32],
    /// The transformed y, and later z.
    pub z: &'w mut [u32],
    /// `w = A y`. The check of the low parts replaces each coefficient by two numbers: the high
    /// part of w in the top 8 bits, and the low part of `w - c s2` in the other 24 bits.
    pub w: &'w mut [u32],
    /// The transformed challenge, times `R = 2^32`.
    pub c: &'w mut [u32],
    /// The memory for a product with the challenge, or for the unpacked high parts of a row.
    pub product: &'w mut [u32],
    /// mu and w1, with the padding of SHAKE256. w1 consists of w's high parts.
    pub commitment: &'w mut [u8],
    /// The memory to sample y, and to hash w1 and the public key. Before the attempts,
    /// [`KeyTransforms::new`] uses this memory.
    pub sponge_memory: SpongeMemory<'w>,
}

impl<'w> AttemptMemory<'w> {
    /// Allocates [`work_len`] bytes in `work`.
    #[inline(always)]
    pub fn take(p: &Parameters, work: &mut Scratch<'w>) -> Self {
        Self {
            y: work.take(N * p.l),
            z: work.take(N * p.l),
            w: work.take(N * p.k),
            c: work.take(N),
            product: work.take(N),
            sponge_memory: SpongeMemory::take(work, SpongeMemory::LEN_WITH_MASKS),
            commitment: work.take(padded_len(commitment_len(p))),
        }
    }
}

/// A public key that [`KeyTransforms::new`] has computed. The signer must still compare its hash
/// with tr. An expanded key contains tr. For a seed, tr was computed when the seed was loaded.
#[derive(Clone, Copy)]
pub struct UncheckedPublicKey<'a> {
    /// The encoded public key, with the padding of SHAKE256.
    pub padded: &'a [u8],
    /// tr, the hash that the public key must have.
    pub tr: &'a [u8; TR_LEN],
}

/// The input to the attempts at a signature.
pub struct FastSigner<'a, B> {
    /// The numbers in the parameter set.
    pub p: &'static Parameters,
    /// The private key's transforms.
    pub transforms: KeyTransforms<'a>,
    /// The public key, if its hash was not compared with tr yet.
    pub unchecked: Option<UncheckedPublicKey<'a>>,
    /// The value mu, which will be signed.
    pub mu: &'a [u8; MU_LEN],
    /// The seed for y.
    pub seed: &'a [u8; SECRET_SEED_LEN],
    /// The hooks for fault tests, which are called between the steps.
    pub hooks: &'a B,
}

/// Returns the length in bytes that [`AttemptMemory::take`] allocates.
pub const fn work_len(p: &Parameters) -> usize {
    4 * N * (2 * p.l + p.k + 2) + padded_len(commitment_len(p)) + SpongeMemory::LEN_WITH_MASKS
}

impl<B: FaultHooks> FastSigner<'_, B> {
    /// Makes attempts until an attempt is accepted, verifies the signature, and checks for faults.
    /// `signature` must have the length for the parameter set. If this function fails, then the
    /// caller must clear `signature`, because it can contain secrets.
    ///
    /// # Errors
    /// Returns `Limit` if [`MAX_ATTEMPTS`] attempts were rejected, or if sampling a challenge
    /// exceeds a limit. Returns `Fault` if a check detects a fault.
    #[inline(never)]
    pub fn run<S: Simd>(
        &self,
        isa: S,
        signature: &mut [u8],
        memory: &mut AttemptMemory<'_>,
    ) -> Result<(), MlDsaSignError> {
        frame!(isa, {
            align_stack_for::<S::U32>();
            let kappa = self.attempts(isa, signature, memory)?;
            let verdict = self.check(isa, signature, kappa, memory)?;
            if verdict.value() == Verified::YES { Ok(()) } else { Err(MlDsaSignError::Fault) }
        })
    }

    /// Makes attempts until an attempt is accepted. Returns kappa for this attempt: the number of
    /// the first polynomial in y.
    #[inline(always)]
    fn attempts<S: Simd>(
        &self,
        isa: S,
        signature: &mut [u8],
        memory: &mut AttemptMemory<'_>,
    ) -> Result<u16, MlDsaSignError> {
        let p = self.p;
        let (challenge, rest) = signature.split_at_mut(p.challenge_len);
        let (z_bytes, hint) = rest.split_at_mut(p.l * p.z_len());
        let mut queue = MaskQueue::new(0);
        for attempt in 0..MAX_ATTEMPTS {
            let kappa = attempt * p.l as u16;
            let end = kappa + p.l as u16;
            queue.sample(isa, self.seed, kappa..end, &mut memory.sponge_memory, &mut []);
            self.read_masks(isa, MaskUse::Commitment, kappa, memory.y, &memory.sponge_memory)?;
            self.commit(isa, memory);
            let hash = PaddedInput { blocks: memory.commitment, hash: &mut *challenge };
            queue.sample(isa, self.seed, end..end, &mut memory.sponge_memory, &mut [hash]);
            ct::declassify_row("challenge", challenge);
            self.hooks.challenge(challenge);
            Challenge::sample_transform_into(isa, p, challenge, ML_DSA.one, memory.c)?;
            if self.answer(isa, [&mut *z_bytes, &mut *hint], memory)? {
                return Ok(kappa);
            }
        }
        Err(MlDsaSignError::Limit)
    }

    /// Computes z and the hint from the transformed challenge `memory.c`, and returns whether the
    /// attempt is accepted. If it is accepted, also writes the encoded z and the encoded hint.
    ///
    /// # Errors
    /// Fails if the hint cannot be encoded, which only a fault can cause.
    #[inline(never)]
    pub fn answer<S: Simd>(
        &self,
        isa: S,
        [z_bytes, hint]: [&mut [u8]; 2],
        memory: &mut AttemptMemory<'_>,
    ) -> Result<bool, MlDsaSignError> {
        frame!(isa, {
            align_stack_for::<S::U32>();
            let mut bits = HintBits::EMPTY;
            let is_good = self.low_parts_are_short(isa, memory)
                && self.z_is_short(isa, memory)
                && self.hint_is_valid(isa, memory, &mut bits);
            if is_good {
                self.write_z(isa, memory.z, z_bytes);
                ct::declassify_row("signature", bits.bits_mut());
                bits.encode_into(self.p, hint).ok_or(MlDsaSignError::Fault)?;
                self.hooks.hint(hint);
            }
            Ok(is_good)
        })
    }

    /// Declassifies z, and writes it to `z_bytes` in packed form.
    #[inline(always)]
    fn write_z<S: Simd>(&self, isa: S, z: &mut [u32], z_bytes: &mut [u8]) {
        for (z, z_bytes) in z.chunks_exact_mut(N).zip(z_bytes.chunks_exact_mut(self.p.z_len())) {
            flip(self.p.gamma1, z);
            ct::declassify_row("signature", z);
            pack(isa, self.p.z_bits(), z, z_bytes);
            self.hooks.response(z_bytes);
        }
    }

    /// Unpacks y, whose polynomials have the numbers from `kappa` on. Returns an error if a
    /// polynomial was not sampled ([`MaskSampledCheck`]).
    #[inline(always)]
    fn read_masks<S: Simd>(
        &self,
        isa: S,
        mask_use: MaskUse,
        kappa: u16,
        y: &mut [u32],
        sponge_memory: &SpongeMemory<'_>,
    ) -> Result<(), MlDsaSignError> {
        masks_into(isa, self.p, kappa, sponge_memory, y);
        let mut sampled = MaskSampledCheck::new(self.p);
        for (s, y) in y.chunks_exact_mut(N).enumerate() {
            for piece in y.as_chunks_mut::<PIECE>().0 {
                self.hooks.mask(mask_use, s, piece);
            }
            sampled.include(y);
            sampled.end(self.p);
        }
        if declassified(sampled.not_sampled()) { Err(MlDsaSignError::Fault) } else { Ok(()) }
    }

    /// Computes w. Writes mu and w1, whose hash is c~, to `memory.commitment`.
    #[inline(never)]
    pub fn commit<S: Simd>(&self, isa: S, memory: &mut AttemptMemory<'_>) {
        frame!(isa, {
            align_stack_for::<S::U32>();
            let p = self.p;
            for (y, z) in memory.y.chunks_exact(N).zip(memory.z.chunks_exact_mut(N)) {
                z.copy_from_slice(y);
                forward_transform(isa, z);
            }
            let (mu, high) = memory.commitment.split_at_mut(MU_LEN);
            mu.copy_from_slice(self.mu);
            for ((r, w), high) in memory.w.chunks_exact_mut(N).enumerate().zip(high.chunks_exact_mut(high_len(p))) {
                short::products_into(isa, &ML_DSA_SHORT, self.transforms.public().row(r), memory.z, w);
                inverse_transform(isa, w);
                self.hooks.row(r, w);
                write_high(isa, p, w, &[], memory.product, high);
            }
            pad(memory.commitment, commitment_len(p));
        });
    }

    /// Multiplies the transforms of a polynomial in the key (`factor`) and of the challenge (`c`).
    /// Writes the product's coefficients, in `[0, q)`.
    #[inline(always)]
    fn multiply<S: Simd>(&self, isa: S, factor: &[u32], c: &[u32], product: &mut [u32]) {
        short::products_into(isa, &ML_DSA_SHORT, factor, c, product);
        inverse_transform_whole(isa, product);
        self.hooks.product(product);
    }

    /// Returns whether all low parts of `w - c s2` are below the bound in magnitude. Replaces each
    /// value in w by the high part of w and the low part of `w - c s2`.
    #[inline(always)]
    fn low_parts_are_short<S: Simd>(&self, isa: S, memory: &mut AttemptMemory<'_>) -> bool {
        for (r, w) in memory.w.chunks_exact_mut(N).enumerate() {
            self.multiply(isa, self.transforms.s2(r), memory.c, memory.product);
            // `reach` detects a low part that is not below the bound.
            let mut reach = BoundCheck::of(self.p.r0_bound());
            for (w, product) in w.iter_mut().zip(&*memory.product) {
                let (w1, w0) = decompose(self.p.gamma2, *w);
                let r0 = w0.wrapping_sub(centered(*product));
                reach.include(r0);
                *w = (w1 << 24) | (r0.cast_unsigned() & 0xff_ffff);
            }
            if declassified(reach.bit()) {
                return false;
            }
        }
        true
    }

    /// Computes `z = y + c s1`, and returns whether all coefficients are below the bound in
    /// magnitude.
    #[inline(always)]
    fn z_is_short<S: Simd>(&self, isa: S, memory: &mut AttemptMemory<'_>) -> bool {
        let rows = memory.y.chunks_exact(N).zip(memory.z.chunks_exact_mut(N));
        for ((y, z), s1) in rows.zip(self.transforms.s1().chunks_exact(N)) {
            self.multiply(isa, s1, memory.c, z);
            let mut reach = BoundCheck::of(self.p.z_bound());
            for (z, y) in z.iter_mut().zip(y) {
                *z = centered(*z).cast_unsigned().wrapping_add(*y);
                reach.include(z.cast_signed());
            }
            if declassified(reach.bit()) {
                return false;
            }
        }
        true
    }

    /// Computes the hint. Returns true if all coefficients in `c t0` are below gamma2 in magnitude,
    /// and if at most omega bits in the hint are 1.
    #[inline(always)]
    fn hint_is_valid<S: Simd>(&self, isa: S, memory: &mut AttemptMemory<'_>, bits: &mut HintBits) -> bool {
        let gamma2 = self.p.gamma2;
        for (r, w) in memory.w.chunks_exact(N).enumerate() {
            self.multiply(isa, self.transforms.t0(r), memory.c, memory.product);
            // `reach` detects a coefficient in `c t0` that is not below gamma2.
            let mut reach = BoundCheck::of(gamma2);
            let pieces = memory.product.as_chunks_mut::<PIECE>().0.iter_mut().zip(w.as_chunks::<PIECE>().0);
            for (i, (piece, w)) in pieces.enumerate() {
                for (x, w) in piece.iter_mut().zip(w) {
                    let product = centered(*x);
                    reach.include(product);
                    let r0 = (*w << 8).cast_signed() >> 8;
                    *x = make_hint(gamma2, *w >> 24, r0.wrapping_add(product));
                }
                bits.set(r, i, piece);
            }
            if declassified(reach.bit()) {
                return false;
            }
        }
        // The subtraction sets the top bit if more than omega bits are 1.
        !declassified((self.p.omega as u32).wrapping_sub(bits.ones()) >> 31)
    }

    /// Computes w' from the signature, as a verifier does. Writes mu and w1', whose hash must be
    /// c~, to `memory.commitment`. Returns the largest magnitude of a coefficient in z.
    ///
    /// # Errors
    /// Fails if the hint or z is not valid, or if sampling the challenge exceeds a limit. A fault
    /// is the cause, because the signer has computed these values.
    #[inline(always)]
    pub fn commit_as_verifier<S: Simd>(
        &self,
        isa: S,
        signature: &[u8],
        memory: &mut AttemptMemory<'_>,
    ) -> Result<u32, MlDsaSignError> {
        let p = self.p;
        let (challenge, rest) = signature.split_at(p.challenge_len);
        let (z, hint) = rest.split_at(p.l * p.z_len());
        let parts = SignatureParts { challenge, z, hint };
        let parsed = ParsedSignature { parts, hint: EncodedHint::new(p, hint).ok_or(MlDsaRejection::Hint)? };
        Challenge::sample_transform_into(isa, p, challenge, Q - 1, memory.c)?;
        let mut verifier = CommitmentMemory {
            z: memory.z,
            minus_c: memory.c,
            row: &mut memory.w[..N],
            fields: memory.product,
            hashed: memory.commitment,
        };
        Ok(self.transforms.public().commitment_into(isa, self.mu, &parsed, &mut verifier)?)
    }

    /// Verifies the signature like any verifier, and makes three more checks:
    ///
    /// - The transforms of s1, s2 and t0 have not changed.
    /// - The hash of the public key is tr, if this was not checked before.
    /// - A second sample of y, from number `kappa` on, is equal to the y of the attempt.
    #[inline(always)]
    fn check<S: Simd>(
        &self,
        isa: S,
        signature: &[u8],
        kappa: u16,
        memory: &mut AttemptMemory<'_>,
    ) -> Result<Verified, MlDsaSignError> {
        let p = self.p;
        let challenge = &signature[..p.challenge_len];
        let largest = self.commit_as_verifier(isa, signature, memory)?;
        let mut differs = self.transforms.changes(isa);
        let (mut tr, mut computed) = ([0; TR_LEN], [0; MAX_CHALLENGE_LEN]);
        let computed = &mut computed[..p.challenge_len];
        let public = self.unchecked.map_or(&[][..], |key| key.padded);
        let mut inputs = [
            PaddedInput { blocks: public, hash: &mut tr },
            PaddedInput { blocks: memory.commitment, hash: &mut *computed },
        ];
        // If the public key was already compared with tr, its hash is not computed again.
        let skipped = usize::from(self.unchecked.is_none());
        let masks = kappa..kappa + p.l as u16;
        MaskQueue::new(kappa).sample(isa, self.seed, masks, &mut memory.sponge_memory, &mut inputs[skipped..]);
        self.read_masks(isa, MaskUse::Response, kappa, memory.z, &memory.sponge_memory)?;
        for (y, y_again) in memory.y.iter().zip(&*memory.z) {
            differs |= y ^ y_again;
        }
        if let Some(key) = self.unchecked {
            for (a, b) in tr.iter().zip(key.tr) {
                differs |= u32::from(a ^ b);
            }
        }
        if declassified(differs) {
            return Err(MlDsaSignError::Fault);
        }
        Ok(decide(p, largest, computed, challenge)?)
    }
}
