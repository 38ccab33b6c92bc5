//! Attempts at a signature with A, y, z and w in memory ([`KeptRows`]). [`super::sign`] uses this
//! file if the work memory is too short for [`super::fast`]. An attempt is one try, which the
//! signer accepts or rejects. This signer does not keep the key's transforms. If the level
//! (instruction set) has assembly for rows (arrays of values), a product with the challenge is a
//! sum over the coefficients of the challenge. On other levels, the code transforms the challenge
//! and the polynomial of the key. The signature is identical, bit for bit, to the signature that
//! `low_memory` computes.
//!
//! If an attempt is accepted, the code samples y again, and compares it with the y that the attempt
//! used. Then it verifies the signature ([`super::recheck`]).
//!
//! All values are secret, except for the values that [`super::sign`] declassifies.

use super::challenge::Challenge;
use super::codec::{MAX_PIECE_LEN, PIECE, flip, pack};
use super::hint::HintBits;
use super::low_memory::LowMemorySigner;
use super::matrix::{forward_transform, inverse_transform};
use super::params::{MAX_ATTEMPTS, N};
use super::products::{ChallengeProducts, EXTENDED_LEN, SmallPolynomial};
use super::round::{BoundCheck, decompose, make_hint};
use super::sample::MaskStream;
use super::store::KeptRows;
use super::trace::{FaultHooks, MaskSampledCheck, MaskUse, MlDsaSignError, declassified};
use crate::engine::hash::shake::Shake256;
use crate::engine::primes::prime::ML_DSA;
use crate::simd::{ShortRow, Simd, ct, frame};

impl<B: FaultHooks> LowMemorySigner<'_, B> {
    /// Works like [`Self::run`], with memory for A, y, z and w in `kept`. `memory` must have
    /// [`super::recheck::RECHECK_WORK`] values.
    ///
    /// # Errors
    /// Returns `Limit` if all attempts were rejected, or if sampling exceeds a limit. Returns
    /// `Fault` if a check detects a fault. After an error, `signature` can contain secrets, and the
    /// caller must clear it.
    #[inline(never)]
    pub fn run_with_matrix<S: Simd>(
        &self,
        isa: S,
        signature: &mut [u8],
        memory: &mut [u32],
        mut kept: KeptRows<'_>,
    ) -> Result<(), MlDsaSignError> {
        frame!(isa, {
            let polynomial = &mut memory[..N];
            MatrixAttempts { signer: self, kappa: 0, kept: kept.reborrow(), polynomial }.run(isa, signature)?;
            self.check(isa, signature, memory, Some(kept))
        })
    }
}

/// The state for the attempts at a signature.
struct MatrixAttempts<'a, B> {
    signer: &'a LowMemorySigner<'a, B>,
    /// The number of the first polynomial in y for this attempt.
    kappa: u16,
    /// A, y, z and w. After [`Self::hash`], each value in w contains the two parts of a coefficient
    /// ([`join_parts`]).
    kept: KeptRows<'a>,
    /// The memory for a product with the challenge, or for an extended polynomial of t0.
    polynomial: &'a mut [u32],
}

/// Joins two numbers in 32 bits: the high part of a coefficient in the top 8 bits, and a signed
/// number in the other 24 bits. [`signed_part`] returns the signed number.
#[inline(always)]
fn join_parts(high: u32, number: u32) -> u32 {
    (high << 24) | (number & 0xff_ffff)
}

/// Returns the signed number in a value from [`join_parts`].
#[inline(always)]
fn signed_part(value: u32) -> i32 {
    (value << 8).cast_signed() >> 8
}

/// Replaces each residue of w by its high part and its negated low part ([`join_parts`]).
#[inline(always)]
fn split_row<S: Simd>(isa: S, gamma2: u32, row: &mut [u32]) {
    if S::HAS_SHORT_ROWS {
        return isa.short_row(row, ShortRow::Decompose { gamma2 });
    }
    for w in row {
        let (w1, w0) = decompose(gamma2, *w);
        *w = join_parts(w1, w0.wrapping_neg().cast_unsigned());
    }
}

/// Absorbs the encoding of the high parts in a row from [`split_row`].
#[inline(always)]
fn absorb_split<S: Simd>(isa: S, w1_bits: usize, row: &[u32], hash: &mut Shake256<S>) {
    let mut fields = [0; PIECE];
    let mut bytes = [0; MAX_PIECE_LEN];
    let bytes = &mut bytes[..PIECE / 8 * w1_bits];
    for piece in row.as_chunks::<PIECE>().0 {
        for (field, w) in fields.iter_mut().zip(piece) {
            *field = w >> 24;
        }
        pack(isa, w1_bits, &fields, bytes);
        hash.absorb(bytes);
    }
}

impl<B: FaultHooks> MatrixAttempts<'_, B> {
    /// Makes attempts until an attempt is accepted, and writes the signature. Then samples y again,
    /// and compares both samples.
    #[inline(never)]
    fn run<S: Simd>(&mut self, isa: S, signature: &mut [u8]) -> Result<(), MlDsaSignError> {
        frame!(isa, {
            let p = self.signer.p;
            let (challenge_bytes, rest) = signature.split_at_mut(p.challenge_len);
            let (z_bytes, hint) = rest.split_at_mut(p.l * p.z_len());
            self.kept.sample_matrix(isa, p, self.signer.key.rho)?;
            self.signer.hooks.matrix(self.kept.matrix);
            if S::HAS_SHORT_ROWS {
                self.extend_key(isa);
            }
            for attempt in 0..MAX_ATTEMPTS {
                self.kappa = attempt * p.l as u16;
                self.commit(isa);
                self.hash(isa, challenge_bytes);
                let challenge = Challenge::new(isa, p, challenge_bytes)?;
                if self.respond(isa, challenge, z_bytes, hint)? {
                    return self.compare_masks(isa);
                }
            }
            Err(MlDsaSignError::Limit)
        })
    }

    /// Writes the extended polynomials in s1 and s2 to `kept.factors`. On levels that have assembly
    /// for rows, the products need these polynomials.
    #[inline(always)]
    fn extend_key<S: Simd>(&mut self, isa: S) {
        let LowMemorySigner { p, key, .. } = self.signer;
        for (i, memory) in self.kept.factors.chunks_exact_mut(EXTENDED_LEN).enumerate() {
            SmallPolynomial::s1(p, key, i).extend_into(isa, memory);
        }
    }

    /// Samples y, and computes the transform of `w = A y`.
    #[inline(never)]
    fn commit<S: Simd>(&mut self, isa: S) {
        frame!(isa, {
            for s in 0..self.signer.p.l {
                self.sample_mask(isa, s);
                let column = &mut self.kept.columns[N * s..N * (s + 1)];
                column.copy_from_slice(&self.kept.y[N * s..N * (s + 1)]);
                forward_transform(isa, column);
            }
            self.kept.multiply(isa);
        });
    }

    /// Samples polynomial `s` of y.
    #[inline(never)]
    fn sample_mask<S: Simd>(&mut self, isa: S, s: usize) {
        frame!(isa, {
            let mut mask = MaskStream::empty(isa, self.signer.p);
            mask.start(self.signer.seed, self.kappa + s as u16);
            for y in self.kept.y[N * s..N * (s + 1)].as_chunks_mut::<PIECE>().0 {
                mask.next_into(y);
                self.signer.hooks.mask(MaskUse::Commitment, s, y);
            }
        });
    }

    /// Computes w from its transform, and computes c~, which is the hash of mu and w1.
    #[inline(never)]
    fn hash<S: Simd>(&mut self, isa: S, challenge: &mut [u8]) {
        frame!(isa, {
            let p = self.signer.p;
            let mut hash = Shake256::new(isa);
            hash.absorb(self.signer.mu);
            for (r, row) in self.kept.w.chunks_exact_mut(N).enumerate() {
                inverse_transform(isa, row);
                self.signer.hooks.row(r, row);
                split_row(isa, p.gamma2, row);
                absorb_split(isa, p.w1_bits(), row, &mut hash);
            }
            hash.finish();
            hash.squeeze(challenge);
            ct::declassify_row("challenge", challenge);
            self.signer.hooks.challenge(challenge);
        });
    }

    /// Computes z and the hint, and returns whether the attempt is accepted. If it is accepted,
    /// also writes z and the hint in packed form.
    ///
    /// # Errors
    /// Fails if the hint cannot be encoded, which only a fault can cause.
    #[inline(never)]
    fn respond<S: Simd>(
        &mut self,
        isa: S,
        challenge: Challenge,
        z_bytes: &mut [u8],
        hint: &mut [u8],
    ) -> Result<bool, MlDsaSignError> {
        frame!(isa, {
            let signer = self.signer;
            let KeptRows { w, y, columns, factors, .. } = self.kept.reborrow();
            // Without assembly for rows, products use the transformed challenge.
            let (transformed, factors) = factors.split_at_mut(if S::HAS_SHORT_ROWS { 0 } else { N });
            if !S::HAS_SHORT_ROWS {
                challenge.transform_into(isa, ML_DSA.one, transformed);
            }
            let products = ChallengeProducts { challenge, transformed };
            let product_memory = ProductMemory { factors, polynomial: &mut *self.polynomial };
            let mut response = MatrixResponse { signer, products, product_memory, w, y, z: columns };
            let mut bits = HintBits::EMPTY;
            let is_good =
                response.low_parts_are_short(isa) && response.z_is_short(isa) && response.hint_is_valid(isa, &mut bits);
            if is_good {
                self.write_z(isa, z_bytes);
                ct::declassify_row("signature", bits.bits_mut());
                bits.encode_into(signer.p, hint).ok_or(MlDsaSignError::Fault)?;
                signer.hooks.hint(hint);
            }
            Ok(is_good)
        })
    }

    /// Declassifies z, and writes it to `z_bytes` in packed form.
    #[inline(always)]
    fn write_z<S: Simd>(&mut self, isa: S, z_bytes: &mut [u8]) {
        let p = self.signer.p;
        for (z, z_bytes) in self.kept.columns.chunks_exact_mut(N).zip(z_bytes.chunks_exact_mut(p.z_len())) {
            flip(p.gamma1, z);
            ct::declassify_row("signature", z);
            pack(isa, p.z_bits(), z, z_bytes);
            self.signer.hooks.response(z_bytes);
        }
    }

    /// Samples y again. Compares it with the y that the attempt used, and checks that each
    /// polynomial was sampled.
    ///
    /// # Errors
    /// Fails if a coefficient differs, or if a polynomial was not sampled.
    #[inline(never)]
    fn compare_masks<S: Simd>(&mut self, isa: S) -> Result<(), MlDsaSignError> {
        frame!(isa, {
            let p = self.signer.p;
            let mut sampled = MaskSampledCheck::new(p);
            let mut differs = 0;
            for (s, y) in self.kept.y.chunks_exact(N).enumerate() {
                differs |= self.mask_difference(isa, s, y, &mut sampled);
            }
            if declassified(differs | sampled.not_sampled()) { Err(MlDsaSignError::Fault) } else { Ok(()) }
        })
    }
}

impl<B: FaultHooks> MatrixAttempts<'_, B> {
    /// Samples polynomial `s` of y again, and includes the second sample in `sampled`. Returns a
    /// value that is not 0 if the second sample differs from `y`.
    #[inline(always)]
    fn mask_difference<S: Simd>(&self, isa: S, s: usize, y: &[u32], sampled: &mut MaskSampledCheck) -> u32 {
        let p = self.signer.p;
        let mut mask = MaskStream::empty(isa, p);
        mask.start(self.signer.seed, self.kappa + s as u16);
        let mut differs = 0;
        let mut piece = [0; PIECE];
        for y in y.as_chunks::<PIECE>().0 {
            mask.next_into(&mut piece);
            self.signer.hooks.mask(MaskUse::Response, s, &mut piece);
            sampled.include(&piece);
            for (y, y_again) in y.iter().zip(&piece) {
                differs |= y ^ y_again;
            }
        }
        sampled.end(p);
        differs
    }
}

/// The memory for products with the challenge.
struct ProductMemory<'a> {
    /// The extended polynomials of s1 and s2, if the level has assembly for rows.
    factors: &'a mut [u32],
    /// The memory for a product, or for an extended polynomial.
    polynomial: &'a mut [u32],
}

impl ProductMemory<'_> {
    /// Prepares the product of the challenge and `factor`, a polynomial of s1 or s2. `index` is the
    /// index of the polynomial, where s2 follows s1. Returns the memory for
    /// [`ChallengeProducts::add_piece`].
    #[inline(always)]
    fn small<S: Simd>(
        &mut self,
        isa: S,
        products: &ChallengeProducts<'_>,
        factor: SmallPolynomial<'_>,
        index: usize,
    ) -> &mut [u32] {
        if S::HAS_SHORT_ROWS {
            return &mut self.factors[EXTENDED_LEN * index..EXTENDED_LEN * (index + 1)];
        }
        products.start(isa, factor, self.polynomial);
        self.polynomial
    }
}

/// A product with the challenge, with the memory that [`ChallengeProducts::add_piece`] needs.
struct ReadyProduct<'a> {
    products: &'a ChallengeProducts<'a>,
    factor: SmallPolynomial<'a>,
    memory: &'a mut [u32],
}

impl ReadyProduct<'_> {
    /// Adds the product's coefficients from index `PIECE i` on to `out`.
    #[inline(always)]
    fn add_piece<S: Simd>(&mut self, isa: S, i: usize, out: &mut [u32; PIECE]) {
        self.products.add_piece(isa, &self.factor, self.memory, PIECE * i, out);
    }

    /// Adds the product to the signed parts of a row from [`split_row`]. Returns 1 if a sum reaches
    /// the bound, or else 0.
    #[inline(always)]
    fn add_to_low_parts<S: Simd>(mut self, isa: S, mut bounds: BoundCheck, row: &mut [u32]) -> u32 {
        for (i, w) in row.as_chunks_mut::<PIECE>().0.iter_mut().enumerate() {
            let mut piece = [0; PIECE];
            for (x, w) in piece.iter_mut().zip(&*w) {
                *x = signed_part(*w).cast_unsigned();
            }
            self.add_piece(isa, i, &mut piece);
            for (w, x) in w.iter_mut().zip(piece) {
                bounds.include(x.cast_signed());
                *w = join_parts(*w >> 24, x);
            }
        }
        bounds.bit()
    }

    /// Adds the product to a polynomial of y, which is then a polynomial of z. Returns 1 if a sum
    /// reaches the bound, or else 0.
    #[inline(always)]
    fn add_to_column<S: Simd>(mut self, isa: S, mut bounds: BoundCheck, column: &mut [u32]) -> u32 {
        for (i, z) in column.as_chunks_mut::<PIECE>().0.iter_mut().enumerate() {
            self.add_piece(isa, i, z);
            for x in &*z {
                bounds.include(x.cast_signed());
            }
        }
        bounds.bit()
    }

    /// Computes row `r` of the hint from the product `c t0` and a row of w. Returns 1 if a
    /// coefficient of the product reaches gamma2, or else 0.
    #[inline(always)]
    fn set_hint_row<S: Simd>(mut self, isa: S, gamma2: u32, (r, row): (usize, &[u32]), bits: &mut HintBits) -> u32 {
        let mut bounds = BoundCheck::of(gamma2);
        for (i, w) in row.as_chunks::<PIECE>().0.iter().enumerate() {
            let mut piece = [0; PIECE];
            self.add_piece(isa, i, &mut piece);
            for (x, w) in piece.iter_mut().zip(w) {
                let product = x.cast_signed();
                bounds.include(product);
                *x = make_hint(gamma2, *w >> 24, product.wrapping_sub(signed_part(*w)));
            }
            bits.set(r, i, &piece);
        }
        bounds.bit()
    }
}

/// The computation of z and of the hint for a challenge.
struct MatrixResponse<'a, B> {
    signer: &'a LowMemorySigner<'a, B>,
    products: ChallengeProducts<'a>,
    product_memory: ProductMemory<'a>,
    /// The high parts of w, joined to the negated low parts. [`Self::low_parts_are_short`] replaces
    /// the negated low parts of w by the negated low parts of `w - c s2`.
    w: &'a mut [u32],
    y: &'a mut [u32],
    z: &'a mut [u32],
}

impl<B: FaultHooks> MatrixResponse<'_, B> {
    /// Returns whether all low parts of `w - c s2` are below the bound in magnitude. Replaces the
    /// negated low parts of w by the negated low parts of `w - c s2`.
    #[inline(always)]
    fn low_parts_are_short<S: Simd>(&mut self, isa: S) -> bool {
        let LowMemorySigner { p, key, hooks, .. } = self.signer;
        for (r, w) in self.w.chunks_exact_mut(N).enumerate() {
            let factor = SmallPolynomial::s2(p, key, r);
            let product = self.product_memory.small(isa, &self.products, factor, p.l + r);
            hooks.product(product);
            let product = ReadyProduct { products: &self.products, factor, memory: product };
            if declassified(product.add_to_low_parts(isa, BoundCheck::of(p.r0_bound()), w)) {
                return false;
            }
        }
        true
    }

    /// Computes `z = y + c s1`, and returns whether all coefficients are below the bound in
    /// magnitude.
    #[inline(always)]
    fn z_is_short<S: Simd>(&mut self, isa: S) -> bool {
        let LowMemorySigner { p, key, hooks, .. } = self.signer;
        for (s, (y, z)) in self.y.chunks_exact_mut(N).zip(self.z.chunks_exact_mut(N)).enumerate() {
            let factor = SmallPolynomial::s1(p, key, s);
            let product = self.product_memory.small(isa, &self.products, factor, s);
            hooks.product(product);
            for piece in y.as_chunks_mut::<PIECE>().0 {
                hooks.mask(MaskUse::Norm, s, piece);
            }
            z.copy_from_slice(y);
            let product = ReadyProduct { products: &self.products, factor, memory: product };
            if declassified(product.add_to_column(isa, BoundCheck::of(p.z_bound()), z)) {
                return false;
            }
        }
        true
    }

    /// Computes the hint. Returns true if all coefficients in `c t0` are below gamma2 in magnitude,
    /// and if at most omega bits in the hint are 1.
    #[inline(always)]
    fn hint_is_valid<S: Simd>(&mut self, isa: S, bits: &mut HintBits) -> bool {
        let LowMemorySigner { p, key, hooks, .. } = self.signer;
        let memory = &mut *self.product_memory.polynomial;
        for (r, w) in self.w.chunks_exact(N).enumerate() {
            let factor = SmallPolynomial::t0(key, r);
            self.products.start(isa, factor, memory);
            hooks.product(memory);
            let product = ReadyProduct { products: &self.products, factor, memory: &mut *memory };
            if declassified(product.set_hint_row(isa, p.gamma2, (r, w), bits)) {
                return false;
            }
        }
        !declassified((p.omega as u32).wrapping_sub(bits.ones()) >> 31)
    }
}
