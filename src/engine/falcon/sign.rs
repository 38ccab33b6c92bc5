//! Signing (specification 2.5, 4.5): a lattice point near the hashed message, by `ff_sampling`, from an
//! encoded key or an expanded one.
//!
//! A signature is made in attempts, each with a fresh nonce and a fresh generator. The generator is
//! SHAKE256 of seed and counter; the seed hashes the private key, mu and 40 random bytes, so that
//! repeated random bytes alone do not repeat a seed. The nonce is the beginning of that stream. In
//! schemes without mu the message is hashed behind the nonce: there the caller chooses the nonces
//! and hashes the message with each, and the first output of that hash stands for mu in the seed.
//!
//! The finished signature is verified from its bytes before it leaves; a fault in the computation
//! withholds it. The verdict is looked at twice, in two ways.
//!
//! | value | range |
//! |---|---|
//! | z0, z1 | `\|z\| < 2^20` |
//! | s1, s2 | below q/2, so known from their residues; accepted up to the scheme's bounds |
//!
//! Secret: the key, the seed, the generator's output behind the nonce, s2 of a rejected attempt. Public: the number of
//! attempts.

use super::codec::{PrivateParts, unpack_mod_q};
use super::fft::{fft, ifft_rounded, mul_scaled_into, neg_into};
use super::import::quotient_into;
use super::modq::{self, Scale};
use super::params::{Degree, FG_BITS, MAX_SIGN_ATTEMPTS, NONCE_LEN, NORM_BOUND, SIGN_SEED_LEN};
use super::point::{Point, hash_to_point_with};
use super::sampler::{Generator, Sampler};
use super::scheme::{FalconAlgorithm, FalconScheme, SignatureEncoding};
use super::signature::{header, write_body};
use super::tree::{dynamic_reals, ff_sampling, gram_into};
use super::verify::{Claim, PublicFields, Refusal, verify_with};
use crate::engine::hash::message::MU_LEN;
use crate::engine::hash::shake::{Shake256, Sponge};
use crate::engine::verdict::Verified;
use crate::simd::{Real, RealRows, Scratch, Simd, ct, frame, recast};
use zeroize::Zeroize;

/// Why there is no signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// No attempt was accepted.
    Attempts,
    /// An accepted signature does not verify.
    SelfCheck,
}

/// One nonce with the message hashed behind it: one attempt at a signature of a scheme without mu.
pub struct Attempt {
    /// The nonce.
    pub(crate) nonce: [u8; NONCE_LEN],
    /// A sponge that has absorbed the nonce and all that stands behind it, up to the end of the message.
    pub(crate) sponge: Sponge,
}

impl Attempt {
    /// Memory for an attempt: nonce and sponge are still to come.
    pub const EMPTY: Self = Self { nonce: [0; NONCE_LEN], sponge: Sponge::EMPTY };
    /// The number of attempts at one signature, each with the message hashed anew, after which the private key is
    /// presumed bad. One attempt fails with probability 1/820 or less, at toy degrees with up to 0.3.
    pub const ENOUGH: usize = 64;
    /// The number of attempts at one signature of a message that is read once. All of them fail with probability below
    /// 2^-38 at degree 1024, at toy degrees with up to 1/123.
    pub const OF_STREAM: usize = 4;
}

/// What is signed, and where the nonces come from.
#[derive(Clone, Copy)]
pub enum AttemptSource<'a> {
    /// The hash of the message. The generator makes a nonce for each attempt.
    Mu(&'a [u8; MU_LEN]),
    /// Nonces that were chosen before, with the message hashed behind each of them. Each is used at most once.
    Attempts(&'a [Attempt]),
}

impl<'a> AttemptSource<'a> {
    /// Returns the point of attempt `counter`, and its nonce if that was chosen before; `None` when there are no more
    /// attempts.
    pub(super) fn attempt(self, counter: u8) -> Option<(Point<'a>, Option<[u8; NONCE_LEN]>)> {
        match self {
            _ if counter == MAX_SIGN_ATTEMPTS => None,
            AttemptSource::Mu(mu) => Some((Point::Mu(mu), None)),
            AttemptSource::Attempts(attempts) => {
                let attempt = attempts.get(usize::from(counter))?;
                Some((Point::Absorbed(&attempt.sponge), Some(attempt.nonce)))
            }
        }
    }
}

/// The divisor of the norm's bound that gives the least norm of a signature; a shorter vector is no Gaussian one. The
/// squared norm of a Gaussian vector is below 0.31 of its mean with probability `2^-368` at degree 512. Rounding to the
/// plane below in place of sampling gives a sixth of the mean, and gives the private key away.
const LEAST_NORM: u64 = 4;

/// `1/q` as a binary64.
pub(super) const INV_Q: u64 = 0x3f15_54e3_9097_a782;

/// A private key in a form that can sample.
pub trait Lattice {
    /// Whether it is an expanded key, with which the stack is deeper on small machines.
    const IS_EXPANDED: bool = false;
    /// Returns the number of reals of memory that [`Lattice::sample`] needs.
    fn sample_reals(&self) -> usize;
    /// Writes into `memory` what [`Lattice::sample`] needs of the key, before there is a sampler on the stack.
    fn prepare<S: Simd>(&self, isa: S, memory: &mut [S::Real]);
    /// Samples a lattice point near c in memory that was prepared: leaves `z0 | z1`, transformed, at the back of it.
    fn sample<S: Simd>(&self, isa: S, c: &[u16], sampler: &mut Sampler<S>, memory: &mut [S::Real]);
    /// Writes f, F and h in the transform's domain modulo q, h in Montgomery form.
    fn rows_into<S: Simd>(&self, isa: S, f: &mut [u16], big_f: &mut [u16], h: &mut [u16]);
    /// Writes the hash of the private key, which enters the seed of each signature. `sponge` is empty, and may be used.
    fn secret_hash_into<S: Simd>(&self, sponge: &mut Shake256<S>, hash: &mut [u8; SIGN_SEED_LEN]);
    /// Computes the vectors of an attempt from its lattice point, by [`short_vectors`]. Tests plant faults here.
    #[inline(always)]
    fn vectors<'w, S: Simd>(
        &self,
        isa: S,
        algorithm: FalconAlgorithm,
        c: &[u16],
        z: &mut [S::Real],
        work: &mut Scratch<'w>,
    ) -> Option<Vectors<'w>> {
        short_vectors(isa, self, algorithm, c, z, work)
    }
}

/// A private key in a form that was prepared before, and whose memory may have changed since.
pub trait PreparedLattice: Lattice {
    /// Returns whether the memory is as it was made. A changed bit makes signatures that verify, and whose distribution depends on
    /// the key.
    fn is_intact(&self) -> bool;
    /// Returns the bytes of work memory for a signature.
    fn work_len(algorithm: FalconAlgorithm) -> usize;
}

/// The rows of an accepted attempt, modulo q.
pub struct Vectors<'w> {
    /// s2, its coefficients in `[0, q)`.
    pub s2: &'w mut [u16],
    /// h, as [`Lattice::rows_into`] gives it.
    pub h: &'w mut [u16],
}

/// The private key as it is encoded: each signature unpacks it and computes the tree on the way.
#[derive(Clone, Copy)]
pub struct Encoded<'a> {
    /// The degree.
    pub degree: Degree,
    /// The packed coefficients.
    pub parts: PrivateParts<'a>,
}

impl Encoded<'_> {
    /// Writes the transformed basis `b00 b01 / b10 b11 = g -f / G -F`, n reals each, and returns what it made on the way:
    /// f, F and h in the transform's domain modulo q. `tmp`: `4n` values.
    #[inline(never)]
    pub(super) fn basis_into<'t, S: Simd>(
        &self,
        isa: S,
        [b00, b01, b10, b11]: [&mut [S::Real]; 4],
        tmp: &'t mut [u16],
    ) -> [&'t mut [u16]; 3] {
        frame!(isa, {
            let logn = self.degree.logn();
            let n = self.degree.n();
            let order = self.parts.order;
            let bits = FG_BITS[logn as usize];
            let (f, tmp) = tmp.split_at_mut(n);
            let (g, tmp) = tmp.split_at_mut(n);
            let (big_f, tmp) = tmp.split_at_mut(n);
            let row = &mut tmp[..n];
            unpack_mod_q(order, self.parts.f, bits, f);
            unpack_mod_q(order, self.parts.g, bits, g);
            unpack_mod_q(order, self.parts.big_f, 8, big_f);
            fft(isa, logn, g, b00, modq::centered);
            fft(isa, logn, f, b01, modq::centered);
            fft(isa, logn, big_f, b11, modq::centered);
            neg_into(isa, b01);
            neg_into(isa, b11);
            big_g_into(isa, logn, [&mut *f, &mut *g, &mut *big_f], row);
            fft(isa, logn, row, b10, modq::centered);
            [f, big_f, g]
        })
    }
}

/// Writes `G = F g / f` modulo q. f, g and F, n residues each, are transformed, and h takes the place of g.
#[inline(never)]
pub(super) fn big_g_into<S: Simd>(isa: S, logn: u32, [f, g, big_f]: [&mut [u16]; 3], out: &mut [u16]) {
    frame!(isa, {
        let integers = isa.integers();
        for row in [&mut *f, &mut *g, &mut *big_f] {
            modq::ntt(integers, logn, row);
        }
        out.copy_from_slice(f);
        let _checked_on_import = quotient_into(integers, out, g);
        out.copy_from_slice(big_f);
        modq::mul_into(integers, out, g);
        modq::intt(integers, logn, out, Scale::R);
    });
}

/// Writes the targets of the coefficients c, `t1 = c b01 (-1/q)` in place of b01 and `t0 = c b11 (1/q)` in place of b11.
/// `tmp`: n reals.
#[inline(never)]
pub(super) fn targets_into<S: Simd>(
    isa: S,
    logn: u32,
    c: &[u16],
    b01: &mut [S::Real],
    b11: &mut [S::Real],
    tmp: &mut [S::Real],
) {
    frame!(isa, {
        fft(isa, logn, c, tmp, i32::from);
        targets_of(isa, tmp, b01, b11);
    });
}

/// [`targets_into`] of c transformed.
#[inline(never)]
pub(super) fn targets_of<S: RealRows>(isa: S, c: &[S::Real], b01: &mut [S::Real], b11: &mut [S::Real]) {
    frame!(isa, {
        let inv_q = S::Key::from_bits(INV_Q);
        mul_scaled_into(isa, b01, c, -inv_q);
        mul_scaled_into(isa, b11, c, inv_q);
    });
}

impl Lattice for Encoded<'_> {
    fn sample_reals(&self) -> usize {
        dynamic_reals(self.degree.logn())
    }

    /// Memory, in units of n reals: Gram 0..2, b00 2..3, b10 3..4, residues and then c 4..5,
    /// b11 and then t0 5..6, b01 and then t1 6..7.
    #[inline(never)]
    fn prepare<S: Simd>(&self, isa: S, memory: &mut [S::Real]) {
        frame!(isa, {
            let n = self.degree.n();
            let (gram, rest) = memory.split_at_mut(2 * n);
            let (b00, rest) = rest.split_at_mut(n);
            let (b10, rest) = rest.split_at_mut(n);
            let (tmp, rest) = rest.split_at_mut(n);
            let (b11, b01) = rest.split_at_mut(n);
            let _made_again_later = self.basis_into(isa, [&mut *b00, &mut *b01, &mut *b10, &mut *b11], recast(tmp));
            gram_into(isa, [b00, b01, b10, b11], gram);
        });
    }

    #[inline(always)]
    fn sample<S: Simd>(&self, isa: S, c: &[u16], sampler: &mut Sampler<S>, memory: &mut [S::Real]) {
        let logn = self.degree.logn();
        let n = self.degree.n();
        let (tmp, targets) = memory[4 * n..].split_at_mut(n);
        let (b11, b01) = targets.split_at_mut(n);
        targets_into(isa, logn, c, b01, b11, tmp);
        ff_sampling(isa, sampler, logn, memory);
    }

    #[inline(never)]
    fn rows_into<S: Simd>(&self, isa: S, f: &mut [u16], big_f: &mut [u16], h: &mut [u16]) {
        frame!(isa, {
            let logn = self.degree.logn();
            let order = self.parts.order;
            let bits = FG_BITS[logn as usize];
            unpack_mod_q(order, self.parts.f, bits, big_f);
            unpack_mod_q(order, self.parts.g, bits, h);
            modq::ntt(isa, logn, big_f);
            modq::ntt(isa, logn, h);
            f.copy_from_slice(big_f);
            let _checked_on_import = quotient_into(isa, big_f, h);
            modq::to_montgomery(isa, h);
            unpack_mod_q(order, self.parts.big_f, 8, big_f);
            modq::ntt(isa, logn, big_f);
        });
    }

    #[inline(always)]
    fn secret_hash_into<S: Simd>(&self, sponge: &mut Shake256<S>, hash: &mut [u8; SIGN_SEED_LEN]) {
        sponge.absorb(self.parts.fg);
        sponge.finish();
        sponge.squeeze(hash);
    }
}

/// A signature to be made.
pub struct SigningTask<'w, L> {
    /// The scheme and the degree.
    pub algorithm: FalconAlgorithm,
    /// The private key.
    pub key: &'w L,
    /// The message, with its nonces if these were chosen before.
    pub message: AttemptSource<'w>,
    /// The random bytes that enter the seed of each attempt.
    pub random: &'w [u8; SIGN_SEED_LEN],
    /// The generator of the sampler's random bytes.
    pub generator: Generator,
}

/// Signs, in the padded encoding. Range: `signature` has the degree's length. Takes `2n` bytes of `work` and
/// [`Lattice::sample_reals`].
///
/// # Errors
/// All attempts failed, or the signature does not verify; it is all zeros then.
#[inline(always)]
pub fn sign<S: Simd, L: Lattice>(
    isa: S,
    task: &SigningTask<'_, L>,
    signature: &mut [u8],
    mut work: Scratch<'_>,
) -> Result<(), Failure> {
    let &SigningTask { algorithm, key, message, .. } = task;
    let n = algorithm.degree().n();
    let c = work.take::<u16>(n);
    let memory = work.take::<S::Real>(key.sample_reals());
    let mut result = Err(Failure::Attempts);
    let mut counter = 0;
    while let Some((point, nonce)) = message.attempt(counter) {
        let attempt = (point, nonce, counter);
        counter += 1;
        key.prepare(isa, memory);
        let Some(nonce) = sample_attempt(isa, task, attempt, c, memory) else { continue };
        let (front, z) = memory.split_at_mut(memory.len() - 2 * n);
        let mut free = Scratch::within(front);
        let Some(Vectors { s2, h }) = key.vectors(isa, algorithm, c, z, &mut free) else { continue };
        ct::declassify_row("public key", h);
        if encode(algorithm, &nonce, s2, signature).is_none() {
            continue;
        }
        let claim = Claim { algorithm, h: PublicFields::Montgomery(h), point, signature };
        let verdict = verify_with(isa.integers(), &claim, free, s2);
        result = keep_verified(verdict, signature);
        break;
    }
    if result.is_err() {
        signature.fill(0);
    }
    result
}

/// Hashes to the point c of an attempt, and samples a lattice point near it as [`Lattice::sample`] does; the sampler is gone from the
/// stack when its signature is verified. Returns the nonce; `None` if the attempt is void.
#[inline(never)]
fn sample_attempt<S: Simd, L: Lattice>(
    isa: S,
    task: &SigningTask<'_, L>,
    (point, nonce, counter): (Point<'_>, Option<[u8; NONCE_LEN]>, u8),
    c: &mut [u16],
    memory: &mut [S::Real],
) -> Option<[u8; NONCE_LEN]> {
    frame!(isa, {
        let logn = task.algorithm.degree().logn();
        let mut sampler = Sampler::empty(isa, logn);
        start(isa, task, point, counter, &mut sampler);
        let nonce = nonce.unwrap_or_else(|| ct::declassify("nonce", sampler.nonce()));
        point_into(isa, task.algorithm.scheme(), &nonce, point, c, &mut sampler);
        task.key.sample(isa, c, &mut sampler, memory);
        sampler.is_complete(logn).then_some(nonce)
    })
}

/// Starts the sampler of attempt `counter`. Its sponge hashes the seed, too, and what that is made of, in a stack frame that is gone
/// before samples are drawn.
#[inline(never)]
fn start<S: Simd, L: Lattice>(
    isa: S,
    task: &SigningTask<'_, L>,
    point: Point<'_>,
    counter: u8,
    sampler: &mut Sampler<S>,
) {
    frame!(isa, {
        let mut seed = [0; SIGN_SEED_LEN];
        if let Some(sponge) = sampler.sponge() {
            let mut digest = [0; MU_LEN];
            point.digest_into(sponge, &mut digest);
            sponge.clear();
            task.key.secret_hash_into(sponge, &mut seed);
            sponge.clear();
            for part in [&seed[..], &digest, task.random] {
                sponge.absorb(part);
            }
            sponge.finish();
            sponge.squeeze(&mut seed);
        }
        sampler.start(task.generator, &[&seed, &[counter]]);
        seed.zeroize();
    });
}

/// Writes a signature in the padded encoding, from s2 modulo q, which is told. `None` if the coefficients do not fit.
#[inline(always)]
pub(super) fn encode(
    algorithm: FalconAlgorithm,
    nonce: &[u8; NONCE_LEN],
    s2: &mut [u16],
    signature: &mut [u8],
) -> Option<()> {
    ct::declassify_row("signature", s2);
    let (head, body) = signature.split_at_mut(1 + NONCE_LEN);
    head[0] = header(algorithm, SignatureEncoding::Padded);
    head[1..].copy_from_slice(nonce);
    let coefficients = s2.iter().map(|&x| modq::centered(x));
    write_body(algorithm, SignatureEncoding::Padded, coefficients, body).map(|_| ())
}

/// Keeps a finished signature by the verdict on it.
///
/// # Errors
/// It does not verify; no bit is left of it.
#[inline(always)]
pub(super) fn keep_verified(verdict: Result<Verified, Refusal>, signature: &mut [u8]) -> Result<(), Failure> {
    let verdict = verdict.map_or(0, Verified::value);
    let result = if verdict == Verified::YES { Ok(()) } else { Err(Failure::SelfCheck) };
    // The verdict once more, without a comparison that could be skipped.
    let keep = !ct::mask_nonzero(u64::from(verdict ^ Verified::YES)) as u8;
    signature.iter_mut().for_each(|byte| *byte &= keep);
    result
}

/// Hashes the nonce and the message to c. On levels that permute two Keccak states in the time of one, the second state
/// is the sampler's, whose first blocks are made beside c.
#[inline(never)]
fn point_into<S: Simd>(
    isa: S,
    scheme: FalconScheme,
    nonce: &[u8; NONCE_LEN],
    point: Point<'_>,
    c: &mut [u16],
    sampler: &mut Sampler<S>,
) {
    frame!(isa, {
        hash_to_point_with(
            isa,
            scheme,
            nonce,
            point,
            c,
            #[inline(always)]
            |state| sampler.permute_with(state),
        );
    });
}

/// Computes `s2 = z0 f + z1 F` and `s1 = c - s2 h`. `None` if they are too long, or [too short](LEAST_NORM). `z` is
/// `z0 | z1`, transformed, and destroyed.
#[inline(never)]
pub fn short_vectors<'w, S: Simd, L: Lattice + ?Sized>(
    isa: S,
    key: &L,
    algorithm: FalconAlgorithm,
    c: &[u16],
    z: &mut [S::Real],
    work: &mut Scratch<'w>,
) -> Option<Vectors<'w>> {
    frame!(isa, {
        let n = algorithm.degree().n();
        let s2 = work.take::<u16>(n);
        let h = work.take::<u16>(n);
        let mut work = work.fork();
        let z1 = work.take::<u16>(n);
        let (z, rest) = z.split_at_mut(n);
        ifft_rounded(isa, z, s2, modq::from_i32);
        ifft_rounded(isa, rest, z1, modq::from_i32);
        short_vectors_of(isa.integers(), key, algorithm, c, [&mut *s2, z1, &mut *h], work).then_some(Vectors { s2, h })
    })
}

/// [`short_vectors`] of z0 and z1 modulo q: s2 takes the place of z0, z1 is destroyed, h is written. Returns whether they
/// are neither too long nor too short. Takes `4n` bytes of `work`.
#[inline(never)]
pub(super) fn short_vectors_of<S: Simd, L: Lattice + ?Sized>(
    isa: S,
    key: &L,
    algorithm: FalconAlgorithm,
    c: &[u16],
    [s2, a, h]: [&mut [u16]; 3],
    mut work: Scratch<'_>,
) -> bool {
    frame!(isa, {
        let rules = algorithm.scheme().rules();
        let logn = algorithm.degree().logn();
        let n = algorithm.degree().n();
        let f = work.take::<u16>(n);
        let big_f = work.take::<u16>(n);
        key.rows_into(isa, f, big_f, h);
        for (z, row) in [(&mut *s2, &*f), (&mut *a, &*big_f)] {
            modq::ntt(isa, logn, z);
            modq::mul_into(isa, z, row);
        }
        modq::add_into(isa, s2, a);
        // Transformed, s2 lacks a factor R, and so does its product with h, which has one.
        a.copy_from_slice(s2);
        modq::mul_into(isa, a, h);
        modq::intt(isa, logn, a, Scale::R);
        modq::intt(isa, logn, s2, Scale::R);

        f.fill(0);
        let s1_size = modq::difference(isa, c, a);
        let s2_size = modq::difference(isa, s2, f);
        let over =
            rules.s1_bound.wrapping_sub(s1_size.largest.into()) | rules.s2_bound.wrapping_sub(s2_size.largest.into());
        let norm = s1_size.norm + s2_size.norm;
        let bound = u64::from(NORM_BOUND[logn as usize]);
        let least = if algorithm.is_toy() { 0 } else { bound / LEAST_NORM };
        let long = (bound.wrapping_sub(norm) | norm.wrapping_sub(least)) >> 63;
        let restart = ct::declassify("restart", ct::barrier_u64(long | u64::from(over >> 31)));
        restart == 0
    })
}
