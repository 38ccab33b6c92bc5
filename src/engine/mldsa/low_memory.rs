//! Attempts at a signature with little memory. An attempt is one try, which the signer accepts or
//! rejects.
//!
//! This code does not keep a value if it can compute the value again: it samples A again for each
//! attempt, and it samples y again for each use. Only w must be kept. w is stored in the bytes
//! where the signature will contain z, and in additional memory ([`CommitmentRows`]). With more
//! memory, [`super::sign`] calls the code in [`super::matrix_signer`] instead, which keeps A, w, y
//! and z.
//!
//! [`super::sign`] describes which values are secret, and which faults can be detected.

use super::challenge::Challenge;
use super::codec::{ExpandedKeyParts, PIECE, SignatureParts, flip, pack};
use super::hint::HintBits;
use super::matrix::{MatrixEntry, forward_transform, inverse_transform};
use super::params::{MAX_ATTEMPTS, MU_LEN, N, Parameters, SECRET_SEED_LEN};
use super::products::{ChallengeProducts, SmallPolynomial};
use super::recheck::{FinishedSignature, RECHECK_WORK};
use super::round::{BoundCheck, decompose, make_hint};
use super::sample::MaskStream;
use super::store::{CommitmentRows, KeptRows};
use super::trace::{FaultHooks, MaskChecksum, MaskUse, MlDsaSignError, declassified};
use super::verify::absorb_high;
use crate::engine::hash::shake::Shake256;
use crate::engine::primes::prime::ML_DSA;
use crate::engine::verdict::Verified;
use crate::simd::{Simd, ct, frame, recast};

/// The input to the attempts at a signature.
pub struct LowMemorySigner<'a, B> {
    /// The parameter set.
    pub p: &'static Parameters,
    /// The private key.
    pub key: ExpandedKeyParts<'a>,
    /// The value mu, which will be signed.
    pub mu: &'a [u8; MU_LEN],
    /// The seed for y.
    pub seed: &'a [u8; SECRET_SEED_LEN],
    /// The hooks for fault tests, which are called between the steps.
    pub hooks: &'a B,
}

impl<B: FaultHooks> LowMemorySigner<'_, B> {
    /// Makes attempts until an attempt is accepted, writes the signature, and verifies it. `memory`
    /// must have space for a polynomial and for the part of w that does not fit in the signature.
    /// `transformed` is memory for the transformed challenge, or it is empty.
    ///
    /// # Errors
    /// Returns `Limit` if all attempts were rejected, or if sampling exceeds a limit. Returns
    /// `Fault` if a check detects a fault. After an error, `signature` can contain secrets, and the
    /// caller must clear it.
    #[inline(always)]
    pub fn run<S: Simd>(
        &self,
        isa: S,
        signature: &mut [u8],
        memory: &mut [u32],
        transformed: &mut [u32],
    ) -> Result<(), MlDsaSignError> {
        let p = self.p;
        let (challenge, rest) = signature.split_at_mut(p.challenge_len);
        let (z_bytes, hint) = rest.split_at_mut(p.l * p.z_len());
        let (polynomial, extra_bytes) = memory.split_at_mut(N);
        let store = CommitmentRows { z_bytes, extra_bytes: recast(extra_bytes) };
        let mut attempts = LowMemoryAttempts { signer: self, kappa: 0, challenge, store, hint, polynomial };
        attempts.run(isa, transformed)?;
        self.check(isa, signature, memory, None)
    }

    /// Verifies the new signature, and checks the key ([`FinishedSignature::verify`]). `memory` has
    /// at least [`RECHECK_WORK`] values. `kept` contains A, if the signer has kept A.
    ///
    /// # Errors
    /// Fails if a fault was detected, or if sampling exceeds a limit.
    #[inline(always)]
    pub fn check<S: Simd>(
        &self,
        isa: S,
        signature: &[u8],
        memory: &mut [u32],
        kept: Option<KeptRows<'_>>,
    ) -> Result<(), MlDsaSignError> {
        let &Self { p, key, mu, .. } = self;
        let (challenge, rest) = signature.split_at(p.challenge_len);
        let (z, hint) = rest.split_at(p.l * p.z_len());
        let signature = SignatureParts { challenge, z, hint };
        let verdict = FinishedSignature { p, key, mu, signature }.verify(isa, &mut memory[..RECHECK_WORK], kept)?;
        if verdict.value() == Verified::YES { Ok(()) } else { Err(MlDsaSignError::Fault) }
    }

    /// Includes a piece from polynomial `s` of y in the checksum `trace`.
    #[inline(always)]
    fn include_mask(&self, s: usize, trace: &mut MaskChecksum, y: &mut [u32; PIECE]) {
        self.hooks.mask(trace.mask_use, s, y);
        trace.include(y);
    }
}

/// The state for the attempts at a signature.
struct LowMemoryAttempts<'a, B> {
    signer: &'a LowMemorySigner<'a, B>,
    /// The number of the first polynomial in y for this attempt.
    kappa: u16,
    /// The bytes for c~, the hash from which the challenge is sampled, in the signature.
    challenge: &'a mut [u8],
    /// w, which uses the bytes for z and additional memory.
    store: CommitmentRows<'a>,
    /// The bytes for the hint in the signature.
    hint: &'a mut [u8],
    /// The memory for a polynomial.
    polynomial: &'a mut [u32],
}

impl<B: FaultHooks> LowMemoryAttempts<'_, B> {
    /// Makes attempts until an attempt is accepted.
    #[inline(never)]
    fn run<S: Simd>(&mut self, isa: S, transformed: &mut [u32]) -> Result<(), MlDsaSignError> {
        frame!(isa, {
            for attempt in 0..MAX_ATTEMPTS {
                self.kappa = attempt * self.signer.p.l as u16;
                let trace = self.commit(isa)?;
                self.hash(isa);
                let challenge = Challenge::new(isa, self.signer.p, self.challenge)?;
                // On levels (instruction sets) that have assembly for rows (arrays of values),
                // products do not use the transform.
                if !transformed.is_empty() && !S::HAS_SHORT_ROWS {
                    challenge.transform_into(isa, ML_DSA.one, transformed);
                }
                if self.respond(isa, &trace, &ChallengeProducts { challenge, transformed })? {
                    return Ok(());
                }
            }
            Err(MlDsaSignError::Limit)
        })
    }

    /// Samples y, and computes the transform of `w = A y`. Returns the checksum of y.
    ///
    /// # Errors
    /// Fails if sampling A exceeds the limit in FIPS 204, appendix C.
    #[inline(never)]
    fn commit<S: Simd>(&mut self, isa: S) -> Result<MaskChecksum, MlDsaSignError> {
        frame!(isa, {
            let mut trace = MaskChecksum::new(MaskUse::Commitment, self.signer.p);
            self.store.clear();
            for s in 0..self.signer.p.l {
                self.write_mask(isa, s, &mut trace);
                forward_transform(isa, self.polynomial);
                for r in 0..self.signer.p.k {
                    self.store.add_product(isa, MatrixEntry { rho: self.signer.key.rho, r, s }, self.polynomial, r)?;
                }
            }
            Ok(trace)
        })
    }

    /// Samples polynomial `s` of y, writes it to `self.polynomial`, and includes it in the checksum
    /// `trace`.
    #[inline(never)]
    fn write_mask<S: Simd>(&mut self, isa: S, s: usize, trace: &mut MaskChecksum) {
        frame!(isa, {
            let mut mask = MaskStream::empty(isa, self.signer.p);
            mask.start(self.signer.seed, self.kappa + s as u16);
            for y in self.polynomial.as_chunks_mut::<PIECE>().0 {
                mask.next_into(y);
                self.signer.include_mask(s, trace, y);
            }
            trace.end(self.signer.p);
        });
    }

    /// Computes polynomial `s` of `z = y + c s1`, and checks whether any coefficient reaches the
    /// bound. If `mask_use` is [`MaskUse::Response`], also declassifies the polynomial and writes
    /// it to the signature.
    #[inline(never)]
    fn compute_z<S: Simd>(
        &mut self,
        isa: S,
        s: usize,
        trace: &mut MaskChecksum,
        products: &ChallengeProducts<'_>,
        mask_use: MaskUse,
    ) -> BoundCheck {
        frame!(isa, {
            let p = self.signer.p;
            let factor = SmallPolynomial::s1(p, &self.signer.key, s);
            self.multiply(isa, products, factor);
            let mut mask = MaskStream::empty(isa, p);
            mask.start(self.signer.seed, self.kappa + s as u16);
            let mut piece = [0; PIECE];
            let mut bounds = BoundCheck::of(p.z_bound());
            for first in (0..N).step_by(PIECE) {
                mask.next_into(&mut piece);
                self.signer.include_mask(s, trace, &mut piece);
                products.add_piece(isa, &factor, self.polynomial, first, &mut piece);
                for x in &piece {
                    bounds.include(x.cast_signed());
                }
                if matches!(mask_use, MaskUse::Response) {
                    flip(p.gamma1, &mut piece);
                    ct::declassify_row("signature", &mut piece);
                    let z = &mut self.store.z_bytes[p.z_len() * s + first / 8 * p.z_bits()..];
                    pack(isa, p.z_bits(), &piece, &mut z[..PIECE / 8 * p.z_bits()]);
                }
            }
            trace.end(p);
            bounds
        })
    }

    /// Computes w from its transform, and computes c~, which is the hash of mu and w1.
    #[inline(never)]
    fn hash<S: Simd>(&mut self, isa: S) {
        frame!(isa, {
            let mut hash = Shake256::new(isa);
            hash.absorb(self.signer.mu);
            for r in 0..self.signer.p.k {
                let row = &mut *self.polynomial;
                self.store.load_row(r, row);
                inverse_transform(isa, row);
                self.signer.hooks.row(r, row);
                absorb_high(isa, self.signer.p, row, &[], &mut hash);
                self.store.store_row(r, self.polynomial);
            }
            hash.finish();
            hash.squeeze(self.challenge);
            ct::declassify_row("challenge", self.challenge);
            self.signer.hooks.challenge(self.challenge);
        });
    }

    /// Computes z and the hint, and returns whether the attempt is accepted. If it is accepted,
    /// also writes z and the hint to the signature, where z replaces w.
    ///
    /// # Errors
    /// Fails if the checksums of y differ, or if the hint cannot be encoded. Only a fault can cause
    /// this.
    #[inline(never)]
    fn respond<S: Simd>(
        &mut self,
        isa: S,
        trace: &MaskChecksum,
        products: &ChallengeProducts<'_>,
    ) -> Result<bool, MlDsaSignError> {
        frame!(isa, {
            let mut bits = HintBits::EMPTY;
            let is_good = self.low_parts_are_short(isa, products)
                && self.z_is_short(isa, trace, products)?
                && self.hint_is_valid(isa, products, &mut bits);
            if is_good {
                ct::declassify_row("signature", bits.bits_mut());
                self.write_z(isa, trace, products)?;
                bits.encode_into(self.signer.p, self.hint).ok_or(MlDsaSignError::Fault)?;
                self.signer.hooks.hint(self.hint);
            }
            Ok(is_good)
        })
    }

    /// Prepares the product of `factor` and the challenge in `self.polynomial`, for
    /// [`ChallengeProducts::add_piece`].
    #[inline(always)]
    fn multiply<S: Simd>(&mut self, isa: S, products: &ChallengeProducts<'_>, factor: SmallPolynomial<'_>) {
        products.start(isa, factor, self.polynomial);
        self.signer.hooks.product(self.polynomial);
    }

    /// Returns whether all low parts in `w - c s2` are below the bound in magnitude.
    #[inline(never)]
    fn low_parts_are_short<S: Simd>(&mut self, isa: S, products: &ChallengeProducts<'_>) -> bool {
        frame!(isa, {
            for r in 0..self.signer.p.k {
                let factor = SmallPolynomial::s2(self.signer.p, &self.signer.key, r);
                self.multiply(isa, products, factor);
                let mut bounds = BoundCheck::of(self.signer.p.r0_bound());
                let mut piece = [0; PIECE];
                for i in 0..N / PIECE {
                    self.store.load(r, i, &mut piece);
                    // This loop writes `-w0`, and the next call adds `c s2`. The check needs only
                    // the magnitude of the low part `w0 - c s2`, and the sum has the same
                    // magnitude.
                    for w in &mut piece {
                        let (_, w0) = decompose(self.signer.p.gamma2, *w);
                        *w = w0.wrapping_neg().cast_unsigned();
                    }
                    products.add_piece(isa, &factor, self.polynomial, PIECE * i, &mut piece);
                    for x in &piece {
                        bounds.include(x.cast_signed());
                    }
                }
                if declassified(bounds.bit()) {
                    return false;
                }
            }
            true
        })
    }

    /// Returns whether all coefficients in `z = y + c s1` are below the bound in magnitude.
    ///
    /// # Errors
    /// Fails if all coefficients are below the bound, but the checksum of y differs from `trace`.
    #[inline(never)]
    fn z_is_short<S: Simd>(
        &mut self,
        isa: S,
        trace: &MaskChecksum,
        products: &ChallengeProducts<'_>,
    ) -> Result<bool, MlDsaSignError> {
        frame!(isa, {
            let mut checksum_again = MaskChecksum::new(MaskUse::Norm, self.signer.p);
            for s in 0..self.signer.p.l {
                let bounds = self.compute_z(isa, s, &mut checksum_again, products, MaskUse::Norm);
                if declassified(bounds.bit()) {
                    return Ok(false);
                }
            }
            if declassified(checksum_again.differs(trace)) { Err(MlDsaSignError::Fault) } else { Ok(true) }
        })
    }

    /// Computes the hint. Returns true if all coefficients in `c t0` are below gamma2 in magnitude,
    /// and if at most omega bits in the hint are 1.
    #[inline(never)]
    fn hint_is_valid<S: Simd>(&mut self, isa: S, products: &ChallengeProducts<'_>, bits: &mut HintBits) -> bool {
        frame!(isa, {
            for r in 0..self.signer.p.k {
                // In all other parameter sets, the coefficients in `c t0` cannot reach gamma2.
                if self.signer.p.t0_can_be_long() {
                    let factor = SmallPolynomial::t0(&self.signer.key, r);
                    self.multiply(isa, products, factor);
                    let mut bounds = BoundCheck::of(self.signer.p.gamma2);
                    for first in (0..N).step_by(PIECE) {
                        let mut piece = [0; PIECE];
                        products.add_piece(isa, &factor, self.polynomial, first, &mut piece);
                        for x in &piece {
                            bounds.include(x.cast_signed());
                        }
                    }
                    if declassified(bounds.bit()) {
                        return false;
                    }
                }
                self.write_hint_row(isa, r, products, bits);
            }
            // The subtraction sets the top bit if more than omega bits are 1.
            !declassified((self.signer.p.omega as u32).wrapping_sub(bits.ones()) >> 31)
        })
    }

    /// Computes row `r` of the hint.
    #[inline(never)]
    fn write_hint_row<S: Simd>(&mut self, isa: S, r: usize, products: &ChallengeProducts<'_>, bits: &mut HintBits) {
        frame!(isa, {
            // The hint needs `r0 + c t0`, where r0 is the low part of `w - c s2`. This sum is equal
            // to `w0 + c (t0 - s2)`, where w0 is the low part of w.
            let factor = SmallPolynomial::t0_less_s2(self.signer.p, &self.signer.key, r);
            self.multiply(isa, products, factor);
            let mut w = [0; PIECE];
            for i in 0..N / PIECE {
                let mut product = [0; PIECE];
                products.add_piece(isa, &factor, self.polynomial, PIECE * i, &mut product);
                self.store.load(r, i, &mut w);
                for (w, product) in w.iter_mut().zip(product) {
                    let (w1, w0) = decompose(self.signer.p.gamma2, *w);
                    *w = make_hint(self.signer.p.gamma2, w1, w0.wrapping_add(product.cast_signed()));
                }
                bits.set(r, i, &w);
            }
        });
    }

    /// Computes z a second time, and writes z to the signature, where z replaces w.
    ///
    /// # Errors
    /// Fails if the checksum of y differs from `trace`.
    #[inline(never)]
    fn write_z<S: Simd>(
        &mut self,
        isa: S,
        trace: &MaskChecksum,
        products: &ChallengeProducts<'_>,
    ) -> Result<(), MlDsaSignError> {
        frame!(isa, {
            let mut checksum_again = MaskChecksum::new(MaskUse::Response, self.signer.p);
            for s in 0..self.signer.p.l {
                self.compute_z(isa, s, &mut checksum_again, products, MaskUse::Response);
                let z_len = self.signer.p.z_len();
                self.signer.hooks.response(&mut self.store.z_bytes[z_len * s..z_len * (s + 1)]);
            }
            if declassified(checksum_again.differs(trace)) { Err(MlDsaSignError::Fault) } else { Ok(()) }
        })
    }
}
