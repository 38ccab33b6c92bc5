//! Attempts at a signature with the transforms of the key at hand, y and w kept: the fast way, for which memory is no
//! matter. y is drawn once an attempt, and the y of the signature once more, which has to be the one that was used. The signature is that of `sign` in the least memory, bit for bit.
//!
//! When an attempt is accepted, one more pass over A, which is made again from rho, is both a check of the private key and
//! the verification: a row of `t = A s1 + s2` has to give the t0 of the key, and all rows its tr; with t1, the other part
//! of that row, `w' = A z - c t1 2^13` is what every verifier computes.
//!
//! All is secret but what [`super::sign`] tells.

use super::batches::{Batches, enter, leave, leave_whole};
use super::challenge::Challenge;
use super::codec::{PIECE, SecretParts, SignatureParts, flip, pack};
use super::expand::{Room, masks_into};
use super::hint::{Hint, HintBits};
use super::matrix::add_small;
use super::params::{
    D, MAX_ATTEMPTS, MAX_CHALLENGE_LEN, MU_LEN, N, Parameters, RHO_LEN, SECRET_SEED_LEN, T0_BITS, TR_LEN,
};
use super::round::{Reach, centered, decompose, make_hint, power2round};
use super::rows::Cut;
use super::trace::{Between, Trace, Unsigned, Use, is_told};
use super::transforms::Transforms;
use super::verify::{Unverified, absorb_high, decide, largest_of_z};
use crate::engine::hash::shake::Shake256;
use crate::engine::primes::{prime::ML_DSA, short};
use crate::engine::verdict::Verified;
use crate::simd::{Scratch, Simd, ct, frame};

/// Memory of the attempts beside the transforms.
struct Memory<'w> {
    /// y.
    y: &'w mut [u32],
    /// The transform of y, then z.
    z: &'w mut [u32],
    /// w.
    w: &'w mut [u32],
    /// The transform of the challenge, times R.
    c: &'w mut [u32],
    /// A product.
    product: &'w mut [u32],
}

/// The attempts at one signature.
pub struct Quick<'a, B> {
    /// The numbers of the set.
    pub p: &'static Parameters,
    /// The private key, and its transforms.
    pub key: SecretParts<'a>,
    /// What is computed from it.
    pub transforms: Transforms<'a>,
    /// What is signed.
    pub mu: &'a [u8; MU_LEN],
    /// The seed of y.
    pub seed: &'a [u8; SECRET_SEED_LEN],
    /// What happens between the steps.
    pub between: &'a B,
}

/// Returns the bytes of work memory of [`Quick::run`].
pub const fn work_len(p: &Parameters) -> usize {
    let attempt = 4 * N * (2 * p.l + p.k + 2) + Room::LEN_WITH_MASKS;
    let check = 4 * N * (p.l + 3) + Batches::LEN;
    if attempt > check { attempt } else { check }
}

impl<B: Between> Quick<'_, B> {
    /// Makes attempts until one is accepted, verifies what it made, and checks the key. Range: `signature` has the length
    /// of the set, and is to be cleared when there is an error.
    ///
    /// # Errors
    /// There is no signature.
    #[inline(never)]
    pub fn run<S: Simd>(&self, isa: S, signature: &mut [u8], mut work: Scratch<'_>) -> Result<(), Unsigned> {
        frame!(isa, {
            self.attempts(isa, signature, work.fork())?;
            let verdict = self.check(isa, signature, work)?;
            if verdict.value() == Verified::YES { Ok(()) } else { Err(Unsigned::Fault) }
        })
    }

    /// Makes attempts until one is accepted.
    #[inline(always)]
    fn attempts<S: Simd>(&self, isa: S, signature: &mut [u8], mut work: Scratch<'_>) -> Result<(), Unsigned> {
        let p = self.p;
        let (challenge, rest) = signature.split_at_mut(p.challenge_len);
        let (front, hint) = rest.split_at_mut(p.l * p.z_len());
        let mut memory = Memory {
            y: work.take(N * p.l),
            z: work.take(N * p.l),
            w: work.take(N * p.k),
            c: work.take(N),
            product: work.take(N),
        };
        let mut room = Room::take(&mut work, Room::LEN_WITH_MASKS);
        for attempt in 0..MAX_ATTEMPTS {
            let kappa = attempt * p.l as u16;
            self.draw(isa, kappa, Use::Commitment, memory.y, &mut room)?;
            self.commit(isa, &mut memory, challenge);
            Challenge::new(isa, p, challenge)?.short_into(isa, ML_DSA.one, memory.c);
            let mut bits = HintBits::EMPTY;
            let is_good = self.low_parts_are_short(isa, &mut memory)
                && self.z_is_short(isa, &mut memory)
                && self.hint_is_short(isa, &mut memory, &mut bits);
            if !is_good {
                continue;
            }
            self.write_z(isa, memory.z, front);
            ct::declassify_row("signature", bits.bits_mut());
            bits.encode_into(p, hint).ok_or(Unsigned::Fault)?;
            self.between.hint(hint);
            self.draw(isa, kappa, Use::Response, memory.z, &mut room)?;
            let differs = memory.y.iter().zip(&*memory.z).fold(0, |differs, (y, again)| differs | (y ^ again));
            return if is_told(differs) { Err(Unsigned::Fault) } else { Ok(()) };
        }
        Err(Unsigned::Limit)
    }

    /// Writes z, packed.
    #[inline(always)]
    fn write_z<S: Simd>(&self, isa: S, z: &mut [u32], front: &mut [u8]) {
        for (z, front) in z.chunks_exact_mut(N).zip(front.chunks_exact_mut(self.p.z_len())) {
            flip(self.p.gamma1, z);
            ct::declassify_row("signature", z);
            pack(isa, self.p.z_bits(), z, front);
            self.between.response(front);
        }
    }

    /// Draws y, and looks whether it is one that was drawn.
    #[inline(always)]
    fn draw<S: Simd>(&self, isa: S, kappa: u16, of: Use, y: &mut [u32], room: &mut Room<'_>) -> Result<(), Unsigned> {
        masks_into(isa, self.p, self.seed, kappa, y, room);
        let mut trace = Trace::new(of, self.p);
        for (s, y) in y.chunks_exact_mut(N).enumerate() {
            for piece in y.as_chunks_mut::<PIECE>().0 {
                self.between.mask(trace.of, s, piece);
                trace.see(piece);
            }
            trace.end(self.p);
        }
        if is_told(trace.differs(&trace)) { Err(Unsigned::Fault) } else { Ok(()) }
    }

    /// Computes w, and c~ from its high parts.
    #[inline(always)]
    fn commit<S: Simd>(&self, isa: S, memory: &mut Memory<'_>, challenge: &mut [u8]) {
        let p = self.p;
        for (y, z) in memory.y.chunks_exact(N).zip(memory.z.chunks_exact_mut(N)) {
            z.copy_from_slice(y);
            enter(isa, z);
        }
        let mut hash = Shake256::new(isa);
        hash.absorb(self.mu);
        for (r, w) in memory.w.chunks_exact_mut(N).enumerate() {
            w.fill(0);
            short::add_products(isa, &ML_DSA, self.transforms.row(r), memory.z, w);
            leave(isa, w);
            self.between.row(r, w);
            absorb_high(isa, p, w, &[], &mut hash);
        }
        hash.finish();
        hash.squeeze(challenge);
        ct::declassify_row("challenge", challenge);
        self.between.challenge(challenge);
    }

    /// Computes the product of the challenge and a polynomial of the key, centered.
    #[inline(always)]
    fn multiply<S: Simd>(&self, isa: S, factor: &[u32], c: &[u32], product: &mut [u32]) {
        product.copy_from_slice(factor);
        short::mul_into(isa, &ML_DSA, product, c);
        leave_whole(isa, product);
        for x in &mut *product {
            *x = centered(*x).cast_unsigned();
        }
        self.between.product(product);
    }

    /// Returns whether the low parts of `w - c s2` are below their bound.
    #[inline(always)]
    fn low_parts_are_short<S: Simd>(&self, isa: S, memory: &mut Memory<'_>) -> bool {
        for (r, w) in memory.w.chunks_exact(N).enumerate() {
            self.multiply(isa, self.transforms.s2(r), memory.c, memory.product);
            let mut reach = Reach::of(self.p.r0_bound());
            for (w, product) in w.iter().zip(&*memory.product) {
                let (_, w0) = decompose(self.p.gamma2, *w);
                reach.see(w0.wrapping_sub(product.cast_signed()));
            }
            if is_told(reach.bit()) {
                return false;
            }
        }
        true
    }

    /// Computes `z = y + c s1`, and returns whether its coefficients are below their bound.
    #[inline(always)]
    fn z_is_short<S: Simd>(&self, isa: S, memory: &mut Memory<'_>) -> bool {
        let rows = memory.y.chunks_exact(N).zip(memory.z.chunks_exact_mut(N));
        for ((y, z), s1) in rows.zip(self.transforms.s1().chunks_exact(N)) {
            self.multiply(isa, s1, memory.c, z);
            let mut reach = Reach::of(self.p.z_bound());
            for (z, y) in z.iter_mut().zip(y) {
                *z = z.wrapping_add(*y);
                reach.see(z.cast_signed());
            }
            if is_told(reach.bit()) {
                return false;
            }
        }
        true
    }

    /// Computes the hint, and returns whether `c t0` is below its bound and the hint has no more ones than it may.
    #[inline(always)]
    fn hint_is_short<S: Simd>(&self, isa: S, memory: &mut Memory<'_>, bits: &mut HintBits) -> bool {
        let gamma2 = self.p.gamma2;
        for (r, w) in memory.w.chunks_exact_mut(N).enumerate() {
            self.multiply(isa, self.transforms.s2(r), memory.c, memory.product);
            for (w, product) in w.iter_mut().zip(&*memory.product) {
                // The low part of w - c s2 beside w1, which is above it.
                let (w1, w0) = decompose(gamma2, *w);
                *w = (w1 << 24) | (w0.wrapping_sub(product.cast_signed()).cast_unsigned() & 0xff_ffff);
            }
            self.multiply(isa, self.transforms.t0(r), memory.c, memory.product);
            let mut reach = Reach::of(gamma2);
            for (j, (w, product)) in w.iter().zip(&*memory.product).enumerate() {
                let product = product.cast_signed();
                reach.see(product);
                let r0 = (*w << 8).cast_signed() >> 8;
                bits.set(r, j, make_hint(gamma2, *w >> 24, r0.wrapping_add(product)));
            }
            if is_told(reach.bit()) {
                return false;
            }
        }
        !is_told((self.p.omega as u32).wrapping_sub(bits.ones()) >> 31)
    }

    /// Verifies the signature, and checks that t0 and tr of the key follow from the rest of it.
    #[inline(always)]
    fn check<S: Simd>(&self, isa: S, signature: &[u8], mut work: Scratch<'_>) -> Result<Verified, Unsigned> {
        let p = self.p;
        let (challenge, rest) = signature.split_at(p.challenge_len);
        let (z, hint) = rest.split_at(p.l * p.z_len());
        let parts = SignatureParts { challenge, z, hint };
        let hint = Hint::new(p, hint).ok_or(Unverified::Hint)?;
        let largest = largest_of_z(isa, p, z);
        let minus_c = work.take::<u32>(N);
        let t = work.take::<u32>(N);
        let w = work.take::<u32>(N);
        let z = work.take::<u32>(N * p.l);
        Challenge::new(isa, p, challenge)?.short_into(isa, ML_DSA.p - 1, minus_c);
        for (s, z) in z.chunks_exact_mut(N).enumerate() {
            parts.packed_z(p, s).piece(isa, 0, z);
            enter(isa, z);
        }
        let mut rho = *self.key.rho;
        ct::declassify_row("public key", &mut rho);
        let mut rows = Batches::new(p, &rho, &mut work);
        let mut public = PublicHash::new(isa, &rho);
        let mut hash = Shake256::new(isa);
        hash.absorb(self.mu);
        for r in 0..p.k {
            t.fill(0);
            w.fill(0);
            rows.add_row(isa, &mut [(self.transforms.s1(), t), (z, w)])?;
            leave(isa, t);
            add_small(isa, self.key.small(p, p.l + r), t);
            public.absorb(isa, t, self.key.lower(r).bytes);
            short::ntt(isa, &ML_DSA, t);
            short::add_products(isa, &ML_DSA, minus_c, t, w);
            leave(isa, w);
            // It is what every verifier computes from the signature.
            ct::declassify_row("signature", w);
            absorb_high(isa, p, w, hint.row(r), &mut hash);
        }
        if is_told(public.differs(self.key.tr)) {
            return Err(Unsigned::Fault);
        }
        let mut found = [0; MAX_CHALLENGE_LEN];
        let found = &mut found[..p.challenge_len];
        hash.finish();
        hash.squeeze(found);
        Ok(decide(p, largest, found, challenge)?)
    }
}

/// The hash of a public key that is computed row by row.
struct PublicHash<S: Simd> {
    hash: Shake256<S>,
    /// Not 0 if a row had another t0.
    differs: u32,
}

impl<S: Simd> PublicHash<S> {
    /// Begins with rho.
    #[inline(always)]
    fn new(isa: S, rho: &[u8; RHO_LEN]) -> Self {
        let mut hash = Shake256::new(isa);
        hash.absorb(rho);
        Self { hash, differs: 0 }
    }

    /// Absorbs the upper part of a row of t, which becomes `t1 2^13`, and compares the lower one with a packed row.
    #[inline(always)]
    fn absorb(&mut self, isa: S, t: &mut [u32], lower: &[u8]) {
        for (t, lower) in t.chunks_exact_mut(PIECE).zip(lower.chunks_exact(PIECE / 8 * T0_BITS)) {
            let cut = Cut::new(isa, t);
            for (a, b) in lower.iter().zip(cut.t0) {
                self.differs |= u32::from(a ^ b);
            }
            self.hash.absorb(&cut.t1);
            for t in t {
                *t = power2round(*t).0 << D;
            }
        }
    }

    /// Returns what is not 0 if a row differed, or the hash is not `tr`.
    #[inline(always)]
    fn differs(mut self, tr: &[u8; TR_LEN]) -> u32 {
        let mut found = [0; TR_LEN];
        self.hash.finish();
        self.hash.squeeze(&mut found);
        for (a, b) in found.iter().zip(tr) {
            self.differs |= u32::from(a ^ b);
        }
        self.differs
    }
}
