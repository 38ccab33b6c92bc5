//! Signing of mu (FIPS 204, algorithm 7), in attempts, from an expanded private key.
//!
//! Nothing is kept that can be made again: A is drawn anew for each attempt, y for each use of it. What has to be kept is
//! w; it lies where the signature gets z ([`Store`]). So the caller's signature has secrets in it while the operation
//! works, and is all zeros when it fails. More memory keeps the challenge's transform, which makes products faster, or
//! everything ([`super::quick`]).
//!
//! # Faults
//!
//! A signature with two challenges for one y gives the key away, and so does one whose y is known. A signature that
//! verifies can be both, so beside its verification ([`recheck`]):
//!
//! - t0 and tr of the private key have to follow from its rho, s1 and s2 still, when all is done;
//! - the seed of y is computed again from key, randomness and mu when all is done, and compared;
//! - y is drawn two or three times (for w, for the norm of z, for z), and checksums of its uses are compared: a y that was
//!   skipped, repeated or cut in one of them is seen;
//! - a y in which all coefficients of a polynomial are below half of gamma1 is none that was drawn: that happens with
//!   probability `2^-256`, and with a stream that was not written always.
//!
//! # Secrets
//!
//! All is secret but what is told: whether an attempt is rejected, and by which polynomial; c~ of an attempt, a hash of
//! a w1 that is not sent; z and the hint of the attempt that is accepted. The rest of a polynomial is looked at before it
//! is told that it is too large.

use super::challenge::Challenge;
use super::codec::{PIECE, SecretParts, SignatureParts, flip, pack};
use super::expand::Room;
use super::hint::HintBits;
use super::import;
use super::matrix::{enter, leave};
use super::params::{MAX_ATTEMPTS, MU_LEN, N, Parameters, RND_LEN, SECRET_SEED_LEN, Set};
use super::products::{Factor, Products};
use super::quick::Quick;
use super::recheck::Finished;
use super::round::{Reach, decompose, make_hint};
use super::sample::{Mask, Uniform};
use super::store::Store;
pub use super::trace::Unsigned;
use super::trace::{Between, Nothing, Trace, Use, is_told};
use super::transforms::Transforms;
use super::verify::absorb_high;
use crate::engine::hash::shake::{Shake256, shake256_into};
use crate::engine::primes::prime::ML_DSA;
use crate::engine::verdict::Verified;
use crate::simd::{SCRATCH_ALIGN, Scratch, Simd, ct, frame, recast};
use zeroize::Zeroize;

/// A signature of mu to be made.
#[derive(Clone, Copy)]
pub struct MuTask<'a> {
    /// The parameter set.
    pub set: Set,
    /// The expanded private key, checked on import.
    pub expanded: &'a [u8],
    /// The hash of tr and the message.
    pub mu: &'a [u8; MU_LEN],
    /// Random bytes, or zeros for a deterministic signature.
    pub rnd: &'a [u8; RND_LEN],
}

/// Signs, and verifies the signature. Range: `signature` has the length of the set. Takes [`Set::sign_work_len`] bytes of
/// `work`, or more.
///
/// # Errors
/// There is no signature; it is all zeros then.
#[inline(always)]
pub fn sign<S: Simd>(isa: S, task: &MuTask<'_>, signature: &mut [u8], work: Scratch<'_>) -> Result<(), Unsigned> {
    sign_with(isa, task, &Nothing, signature, work)
}

/// [`sign`] with the transforms of the key: [`Set::transforms_len`] values that [`Transforms::new`] wrote. Takes
/// [`Set::sign_kept_work_len`] bytes of `work`.
///
/// # Errors
/// There is no signature; it is all zeros then.
#[cfg(feature = "alloc")]
#[inline(always)]
pub fn sign_kept<S: Simd>(
    isa: S,
    task: &MuTask<'_>,
    transforms: &[u32],
    signature: &mut [u8],
    work: Scratch<'_>,
) -> Result<(), Unsigned> {
    let transforms = Transforms::of(task.set, transforms);
    let p = task.set.parameters();
    guarded(
        isa,
        task,
        &Nothing,
        signature,
        #[inline(always)]
        |key, seed, signature| {
            Quick { p, key, transforms, mu: task.mu, seed, between: &Nothing }.run(isa, signature, work)
        },
    )
}

/// [`sign`], with something that happens between the steps.
#[inline(always)]
pub fn sign_with<S: Simd, B: Between>(
    isa: S,
    task: &MuTask<'_>,
    between: &B,
    signature: &mut [u8],
    mut work: Scratch<'_>,
) -> Result<(), Unsigned> {
    let set = task.set;
    let p = set.parameters();
    guarded(
        isa,
        task,
        between,
        signature,
        #[inline(always)]
        |key, seed, signature| {
            if work.len() >= set.sign_fast_work_len() - SCRATCH_ALIGN {
                let values = work.take(Transforms::len(p));
                let transforms = Transforms::new(isa, set, &key, values, &mut Room::take(&mut work.fork(), Room::LEN))?;
                return Quick { p, key, transforms, mu: task.mu, seed, between }.run(isa, signature, work);
            }
            let memory = work.take::<u32>(N + Store::back_len(p) / 4);
            let transformed = work.take(if work.len() >= 4 * N { N } else { 0 });
            Attempts::new(task, key, seed, between, signature, memory).run(isa, transformed)?;
            import::check(isa, set, task.expanded, Scratch::within(memory)).map_err(|_| Unsigned::Fault)?;
            Ok(())
        },
    )
}

/// Makes a signature by `sign` from the key and the seed of y. The seed is computed again when all is done, and compared;
/// where there is no signature, there are zeros.
#[inline(always)]
fn guarded<S: Simd, B: Between>(
    isa: S,
    task: &MuTask<'_>,
    between: &B,
    signature: &mut [u8],
    sign: impl FnOnce(SecretParts<'_>, &[u8; SECRET_SEED_LEN], &mut [u8]) -> Result<(), Unsigned>,
) -> Result<(), Unsigned> {
    let mut result = Err(Unsigned::Length);
    if let Some(key) = SecretParts::new(task.set, task.expanded) {
        let mut rho = *key.rho;
        ct::declassify_row("public key", &mut rho);
        let key = SecretParts { rho: &rho, ..key };
        let mut seed = [0; SECRET_SEED_LEN];
        let mut again = [0; SECRET_SEED_LEN];
        shake256_into(isa, &[key.key, task.rnd, task.mu], &mut seed);
        between.seed(&mut seed);
        result = sign(key, &seed, &mut *signature);
        shake256_into(isa, &[key.key, task.rnd, task.mu], &mut again);
        let mut differs = 0;
        for (a, b) in seed.iter().zip(again) {
            differs |= u32::from(a ^ b);
        }
        if is_told(differs) {
            result = Err(Unsigned::Fault);
        }
        seed.zeroize();
        again.zeroize();
    }
    if result.is_err() {
        signature.fill(0);
    }
    result
}

/// The attempts at one signature.
struct Attempts<'a, B> {
    p: &'static Parameters,
    key: SecretParts<'a>,
    mu: &'a [u8; MU_LEN],
    /// The seed of y.
    seed: &'a [u8; SECRET_SEED_LEN],
    /// The number of the first polynomial of y.
    kappa: u16,
    between: &'a B,
    /// The place of c~ in the signature.
    challenge: &'a mut [u8],
    /// w, in the place of z among others.
    store: Store<'a>,
    /// The place of the hint in the signature.
    hint: &'a mut [u8],
    /// A polynomial.
    polynomial: &'a mut [u32],
}

impl<'a, B: Between> Attempts<'a, B> {
    /// Splits signature and memory: a polynomial, and what the store takes beside the signature.
    #[inline(always)]
    fn new(
        task: &MuTask<'a>,
        key: SecretParts<'a>,
        seed: &'a [u8; SECRET_SEED_LEN],
        between: &'a B,
        signature: &'a mut [u8],
        memory: &'a mut [u32],
    ) -> Self {
        let p = task.set.parameters();
        let (challenge, rest) = signature.split_at_mut(p.challenge_len);
        let (front, hint) = rest.split_at_mut(p.l * p.z_len());
        let (polynomial, back) = memory.split_at_mut(N);
        let store = Store { front, back: recast(back) };
        Self { p, key, mu: task.mu, seed, kappa: 0, between, challenge, store, hint, polynomial }
    }

    /// Makes attempts until one is accepted, and verifies what it made. `transformed`: memory for the transform of the
    /// challenge, or none.
    #[inline(never)]
    fn run<S: Simd>(&mut self, isa: S, transformed: &mut [u32]) -> Result<(), Unsigned> {
        frame!(isa, {
            for attempt in 0..MAX_ATTEMPTS {
                self.kappa = attempt * self.p.l as u16;
                let trace = self.commit(isa)?;
                self.hash(isa);
                let challenge = Challenge::new(isa, self.p, self.challenge)?;
                if !transformed.is_empty() {
                    challenge.transform_into(isa, ML_DSA.one, transformed);
                }
                if self.respond(isa, &trace, &Products { challenge, transformed })? {
                    return self.verify(isa);
                }
            }
            Err(Unsigned::Limit)
        })
    }

    /// Computes w, still in the transform's domain.
    #[inline(never)]
    fn commit<S: Simd>(&mut self, isa: S) -> Result<Trace, Unsigned> {
        frame!(isa, {
            let mut trace = Trace::new(Use::Commitment, self.p);
            self.store.clear();
            for s in 0..self.p.l {
                self.polynomial.fill(0);
                self.add_mask(isa, s, &mut trace);
                enter(isa, self.polynomial);
                for r in 0..self.p.k {
                    self.store.add_product(isa, Uniform::new(isa, self.key.rho, r, s), self.polynomial, r)?;
                }
            }
            Ok(trace)
        })
    }

    /// Adds column `s` of y to the polynomial, and looks whether the sum reaches the bound of z.
    #[inline(never)]
    fn add_mask<S: Simd>(&mut self, isa: S, s: usize, trace: &mut Trace) -> Reach {
        frame!(isa, {
            let mut mask = Mask::new(isa, self.p, self.seed, self.kappa + s as u16);
            let mut y = [0; PIECE];
            let mut reach = Reach::of(self.p.z_bound());
            for piece in self.polynomial.chunks_exact_mut(PIECE) {
                mask.next_into(&mut y);
                self.between.mask(trace.of, s, &mut y);
                trace.see(&y);
                for (x, y) in piece.iter_mut().zip(y) {
                    *x = x.wrapping_add(y);
                    reach.see(x.cast_signed());
                }
            }
            trace.end(self.p);
            reach
        })
    }

    /// Takes w out of the transform's domain, and computes c~.
    #[inline(never)]
    fn hash<S: Simd>(&mut self, isa: S) {
        frame!(isa, {
            let mut hash = Shake256::new(isa);
            hash.absorb(self.mu);
            for r in 0..self.p.k {
                for (i, piece) in self.polynomial.chunks_exact_mut(PIECE).enumerate() {
                    self.store.load(r, i, piece);
                }
                leave(isa, self.polynomial);
                self.between.row(r, self.polynomial);
                for (i, piece) in self.polynomial.chunks_exact(PIECE).enumerate() {
                    self.store.store(r, i, piece);
                }
                absorb_high(isa, self.p, self.polynomial, &[], &mut hash);
            }
            hash.finish();
            hash.squeeze(self.challenge);
            ct::declassify_row("challenge", self.challenge);
            self.between.challenge(self.challenge);
        });
    }

    /// Computes z and the hint, and writes them over w if they are good; else returns `false`.
    #[inline(never)]
    fn respond<S: Simd>(&mut self, isa: S, trace: &Trace, products: &Products<'_>) -> Result<bool, Unsigned> {
        frame!(isa, {
            let mut bits = HintBits::EMPTY;
            let is_good = self.low_parts_are_short(isa, products)
                && self.z_is_short(isa, trace, products)?
                && self.hint_is_short(isa, products, &mut bits);
            if is_good {
                ct::declassify_row("signature", bits.bits_mut());
                self.write_z(isa, trace, products)?;
                bits.encode_into(self.p, self.hint).ok_or(Unsigned::Fault)?;
                self.between.hint(self.hint);
            }
            Ok(is_good)
        })
    }

    /// Computes a product with the challenge.
    #[inline(always)]
    fn multiply<S: Simd>(&mut self, isa: S, products: &Products<'_>, factor: Factor<'_>) {
        products.product_into(isa, factor, self.polynomial);
        self.between.product(self.polynomial);
    }

    /// Returns whether the low parts of `w - c s2` are below their bound.
    #[inline(never)]
    fn low_parts_are_short<S: Simd>(&mut self, isa: S, products: &Products<'_>) -> bool {
        frame!(isa, {
            for r in 0..self.p.k {
                self.multiply(isa, products, Factor::s2(self.p, &self.key, r));
                let mut reach = Reach::of(self.p.r0_bound());
                let mut w = [0; PIECE];
                for (i, product) in self.polynomial.chunks_exact(PIECE).enumerate() {
                    self.store.load(r, i, &mut w);
                    for (w, product) in w.iter().zip(product) {
                        let (_, w0) = decompose(self.p.gamma2, *w);
                        reach.see(w0.wrapping_sub(product.cast_signed()));
                    }
                }
                if is_told(reach.bit()) {
                    return false;
                }
            }
            true
        })
    }

    /// Returns whether the coefficients of `z = y + c s1` are below their bound.
    #[inline(never)]
    fn z_is_short<S: Simd>(&mut self, isa: S, trace: &Trace, products: &Products<'_>) -> Result<bool, Unsigned> {
        frame!(isa, {
            let mut again = Trace::new(Use::Norm, self.p);
            for s in 0..self.p.l {
                self.multiply(isa, products, Factor::s1(self.p, &self.key, s));
                let reach = self.add_mask(isa, s, &mut again);
                if is_told(reach.bit()) {
                    return Ok(false);
                }
            }
            if is_told(again.differs(trace)) { Err(Unsigned::Fault) } else { Ok(true) }
        })
    }

    /// Computes the hint, and returns whether `c t0` is below its bound and the hint has no more ones than it may.
    #[inline(never)]
    fn hint_is_short<S: Simd>(&mut self, isa: S, products: &Products<'_>, bits: &mut HintBits) -> bool {
        frame!(isa, {
            for r in 0..self.p.k {
                if self.p.t0_can_be_long() {
                    self.multiply(isa, products, Factor::t0(&self.key, r));
                    let mut reach = Reach::of(self.p.gamma2);
                    for x in &*self.polynomial {
                        reach.see(x.cast_signed());
                    }
                    if is_told(reach.bit()) {
                        return false;
                    }
                }
                self.multiply(isa, products, Factor::t0_less_s2(self.p, &self.key, r));
                let mut w = [0; PIECE];
                for (i, product) in self.polynomial.chunks_exact(PIECE).enumerate() {
                    self.store.load(r, i, &mut w);
                    for (w, product) in w.iter_mut().zip(product) {
                        let (w1, w0) = decompose(self.p.gamma2, *w);
                        *w = make_hint(self.p.gamma2, w1, w0.wrapping_add(product.cast_signed()));
                    }
                    bits.set(r, i, &w);
                }
            }
            !is_told((self.p.omega as u32).wrapping_sub(bits.ones()) >> 31)
        })
    }

    /// Computes z once more, and writes it over w.
    #[inline(never)]
    fn write_z<S: Simd>(&mut self, isa: S, trace: &Trace, products: &Products<'_>) -> Result<(), Unsigned> {
        frame!(isa, {
            let mut again = Trace::new(Use::Response, self.p);
            for s in 0..self.p.l {
                self.multiply(isa, products, Factor::s1(self.p, &self.key, s));
                self.add_mask(isa, s, &mut again);
                flip(self.p.gamma1, self.polynomial);
                ct::declassify_row("signature", self.polynomial);
                let z = &mut self.store.front[self.p.z_len() * s..self.p.z_len() * (s + 1)];
                pack(isa, self.p.z_bits(), self.polynomial, z);
                self.between.response(z);
            }
            if is_told(again.differs(trace)) { Err(Unsigned::Fault) } else { Ok(()) }
        })
    }

    /// Verifies the signature.
    #[inline(always)]
    fn verify<S: Simd>(&mut self, isa: S) -> Result<(), Unsigned> {
        let signature = SignatureParts { challenge: self.challenge, z: self.store.front, hint: self.hint };
        let finished = Finished { p: self.p, key: self.key, mu: self.mu, signature };
        let half = &mut recast(self.store.back)[..N / 2];
        let verdict = finished.verify(isa, self.polynomial, half)?;
        if verdict.value() == Verified::YES { Ok(()) } else { Err(Unsigned::Fault) }
    }
}
