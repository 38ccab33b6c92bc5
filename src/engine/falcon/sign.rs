//! Signing (specification 2.5, 4.5): finds a lattice point near the hashed message with
//! `ff_sampling`. The private key can be an encoded key, a key with a basis in read-only memory
//! (`basis`), or an expanded key (`expanded`).
//!
//! The signer makes a signature in attempts. Each attempt has a fresh nonce and a fresh generator.
//! The generator's input is a seed and the attempt's number. The seed is a hash over the private
//! key, mu (the message's hash) and 40 random bytes. The seed repeats only if all three repeat.
//!
//! If the scheme has a mu, the nonce is the generator's first output. In a scheme without mu, the
//! caller chooses a nonce for each attempt, and hashes the nonce and then the message before the
//! signer starts. In such a scheme, the seed depends on the first output bytes of this hash instead
//! of mu.
//!
//! The finished signature is verified from its bytes before it is returned. If there was a fault in
//! the computation, the signature is withheld. The signer checks the verdict twice: with a
//! comparison, and with a mask that needs no branch.
//!
//! | value | range |
//! |---|---|
//! | samples z0, z1 | `\|z\| < 2^20` |
//! | s1, s2 | magnitude below q/2, so that residues determine them; the scheme has smaller bounds |
//!
//! Secret values: the key, the seed, the generator's output except a nonce, and s2 in a rejected
//! attempt. The number of attempts is public.

use super::codec::{PrivateKeyParts, unpack_mod_q};
use super::fft::{fft, ifft_rounded, mul_scaled_into, neg_into};
use super::import::quotient_into;
use super::modq::{self, InverseScale};
use super::params::{Degree, FG_BITS, MAX_SIGN_ATTEMPTS, NONCE_LEN, NORM_BOUND, SIGN_SEED_LEN};
use super::point::{HashedPoint, PointSource, hash_to_point_with};
use super::sampler::{Generator, Sampler};
use super::scheme::{FalconAlgorithm, FalconScheme, SignatureEncoding};
use super::signature::{header, write_body};
use super::tree::{dynamic_reals, ff_sampling, gram_into};
use super::verify::{FalconRejection, PublicFields, Verification, verify_with};
use crate::engine::hash::message::MU_LEN;
use crate::engine::hash::shake::{Shake256, Sponge};
use crate::engine::verdict::Verified;
use crate::simd::{Real, RealRows, Scratch, Simd, ct, frame, recast};
use zeroize::Zeroize;

/// The reason why there is no signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FalconSignError {
    /// No attempt was accepted.
    Attempts,
    /// A signature was accepted but does not verify.
    SelfCheck,
}

/// The input of one attempt if the scheme has no mu: a nonce, and a hash of the nonce and the
/// message.
pub struct Attempt {
    /// The nonce.
    pub(crate) nonce: [u8; NONCE_LEN],
    /// A sponge that has absorbed the nonce and all the data after it, up to the end of the
    /// message.
    pub(crate) sponge: Sponge,
}

impl Attempt {
    /// An attempt with a nonce of zero and an empty sponge, to be overwritten.
    pub const EMPTY: Self = Self { nonce: [0; NONCE_LEN], sponge: Sponge::EMPTY };
    /// The number of attempts that is enough for any good key, if the message is hashed again with
    /// a new nonce for each attempt. If all of them fail, the signer assumes that the private key
    /// is bad. An attempt fails with probability at most 1/820 at the standard's degrees, and at
    /// most 0.3 at toy degrees, which are only for tests.
    pub const ENOUGH: usize = 64;
    /// The maximum number of attempts for a stream: a message that can be read only once. The
    /// probability that all attempts fail is below 2^-38 at degree 1024, and up to 1/123 at toy
    /// degrees.
    pub const OF_STREAM: usize = 4;
}

/// The hashed message, and the source for the nonces.
#[derive(Clone, Copy)]
pub enum AttemptSource<'a> {
    /// The message's hash. The generator makes a nonce for each attempt.
    Mu(&'a [u8; MU_LEN]),
    /// Nonces that were chosen earlier, each with a hash over the nonce and the message. Each nonce
    /// is used at most once.
    Attempts(&'a [Attempt]),
}

impl<'a> AttemptSource<'a> {
    /// Returns the point's source for attempt number `counter`, and the nonce if the nonce was
    /// chosen earlier. Returns `None` if no attempt is left.
    pub(super) fn attempt(self, counter: u8) -> Option<(PointSource<'a>, Option<[u8; NONCE_LEN]>)> {
        match self {
            _ if counter == MAX_SIGN_ATTEMPTS => None,
            AttemptSource::Mu(mu) => Some((PointSource::Mu(mu), None)),
            AttemptSource::Attempts(attempts) => {
                let attempt = attempts.get(usize::from(counter))?;
                Some((PointSource::Absorbed(&attempt.sponge), Some(attempt.nonce)))
            }
        }
    }
}

/// The signer rejects the vectors s1 and s2 if their squared norm is below the norm bound divided
/// by this number. This limit is 0.3025 times the mean squared norm for Gaussian vectors. A squared
/// norm below the limit shows a fault: at degree 512, the squared norm of a Gaussian vector is
/// below the limit with a probability of at most `2^-368`. If a fault replaced each sample by its
/// centre's floor, the squared norm would be about a sixth of the mean, and signatures would reveal
/// the private key.
const MIN_NORM_DIVISOR: u64 = 4;

/// `1/q` as a binary64 number.
pub(super) const INV_Q: u64 = 0x3f15_54e3_9097_a782;

/// A private key in a form with which the signer can sample lattice points.
pub trait LatticeKey {
    /// True for an expanded key. On small machines, signing with an expanded key needs more stack
    /// than signing with an encoded key, because the sampler for an expanded key is recursive.
    const IS_EXPANDED: bool = false;
    /// Returns how many reals of memory [`LatticeKey::sample`] needs.
    fn sample_reals(&self) -> usize;
    /// Samples a lattice point near c, the polynomial that `point` describes. The lattice point is
    /// given by two polynomials, the samples z0 and z1. Writes `z0 | z1` to the end of `memory`, in
    /// the form that [`LatticeKey::vectors`] reads. The default implementation of `vectors` reads
    /// transformed samples.
    fn sample<S: Simd>(&self, isa: S, point: &HashedPoint<'_>, sampler: &mut Sampler<S>, memory: &mut [S::Real]);
    /// Writes f, F and the public key h, in the transform's domain modulo q. h is in Montgomery
    /// form.
    fn rows_into<S: Simd>(&self, isa: S, f: &mut [u16], big_f: &mut [u16], h: &mut [u16]);
    /// Writes the private key's hash, which is part of each signature's seed. `sponge` must be
    /// empty, and can be changed.
    fn secret_hash_into<S: Simd>(&self, sponge: &mut Shake256<S>, hash: &mut [u8; SIGN_SEED_LEN]);
    /// Computes an attempt's vectors s1 and s2 from the lattice point, with [`short_vectors`], and
    /// returns s2 and h. Returns `None` if the attempt must be rejected. Tests inject faults here.
    #[inline(always)]
    fn vectors<'w, S: Simd>(
        &self,
        isa: S,
        algorithm: FalconAlgorithm,
        c: &[u16],
        z: &mut [S::Real],
        work: &mut Scratch<'w>,
    ) -> Option<AcceptedRows<'w>> {
        short_vectors(isa, self, algorithm, c, z, work)
    }
}

/// A private key that was prepared earlier for many signatures. The key's memory may have changed
/// since then.
pub trait PreparedLatticeKey: LatticeKey {
    /// Returns whether the key's memory is unchanged. If a bit has changed, signatures may still
    /// verify, but their distribution reveals information about the key.
    fn is_intact(&self) -> bool;
    /// Returns how much work memory a signature needs, in bytes.
    fn work_len(algorithm: FalconAlgorithm) -> usize;
}

/// The polynomials s2 and h in an accepted attempt, modulo q.
pub struct AcceptedRows<'w> {
    /// s2, with coefficients in `[0, q)`.
    pub s2: &'w mut [u16],
    /// h, in the form that [`LatticeKey::rows_into`] returns.
    pub h: &'w mut [u16],
}

/// An encoded private key. For each signature, the signer unpacks this key, and computes the tree
/// while it samples.
#[derive(Clone, Copy)]
pub struct EncodedPrivateKey<'a> {
    /// The degree.
    pub degree: Degree,
    /// The parts of the encoded key: f, g and F as packed coefficients.
    pub parts: PrivateKeyParts<'a>,
}

impl EncodedPrivateKey<'_> {
    /// Writes the transformed basis `b00 b01 / b10 b11 = g -f / G -F`, n reals each. Returns three
    /// intermediate results: f, F and h in the transform's domain modulo q. Here, h is not in
    /// Montgomery form. `tmp` must have `4n` values.
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

    /// Writes the root's Gram matrix and targets, in the layout that [`ff_sampling`] reads.
    ///
    /// `memory` has `7n` reals. The caller must have written the transformed c to the part 4..5 (in
    /// units of n reals). This function writes the other parts:
    ///
    /// | part | content |
    /// |---|---|
    /// | 0..2 | residues, and then the Gram matrix |
    /// | 2..3 | b00 |
    /// | 3..4 | b10 |
    /// | 5..6 | b11, and then t0 |
    /// | 6..7 | b01, and then t1 |
    #[inline(never)]
    fn root_into<S: Simd>(&self, isa: S, memory: &mut [S::Real]) {
        frame!(isa, {
            let n = self.degree.n();
            let (gram, rest) = memory.split_at_mut(2 * n);
            let (b00, rest) = rest.split_at_mut(n);
            let (b10, rest) = rest.split_at_mut(n);
            let (c, rest) = rest.split_at_mut(n);
            let (b11, b01) = rest.split_at_mut(n);
            let _recomputed_later = self.basis_into(isa, [&mut *b00, &mut *b01, &mut *b10, &mut *b11], recast(gram));
            gram_into(isa, [&*b00, &*b01, &*b10, &*b11], gram);
            targets_into(isa, c, b01, b11);
        });
    }
}

/// Writes the coefficients of `G = F g / f` modulo q to `out`. Transforms f and F in place, and
/// replaces g by the transformed `h = g / f`. Each slice has n residues.
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
        modq::intt(integers, logn, out, InverseScale::R);
    });
}

/// Writes the targets for the transformed c: `t1 = c b01 (-1/q)` to b01, and `t0 = c b11 (1/q)` to
/// b11.
#[inline(never)]
pub(super) fn targets_into<S: RealRows>(isa: S, c: &[S::Real], b01: &mut [S::Real], b11: &mut [S::Real]) {
    frame!(isa, {
        let inv_q = S::Key::from_bits(INV_Q);
        mul_scaled_into(isa, b01, c, -inv_q);
        mul_scaled_into(isa, b11, c, inv_q);
    });
}

impl LatticeKey for EncodedPrivateKey<'_> {
    fn sample_reals(&self) -> usize {
        dynamic_reals(self.degree.logn())
    }

    #[inline(always)]
    fn sample<S: Simd>(&self, isa: S, point: &HashedPoint<'_>, sampler: &mut Sampler<S>, memory: &mut [S::Real]) {
        let logn = self.degree.logn();
        let n = self.degree.n();
        let (row, rest) = memory.split_at_mut(4 * n);
        fft(isa, logn, point.coefficients(isa, &mut recast(row)[..n]), &mut rest[..n], i32::from);
        self.root_into(isa, memory);
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

/// A signing operation with all inputs.
pub struct SigningTask<'w, L> {
    /// The scheme and the degree.
    pub algorithm: FalconAlgorithm,
    /// The private key.
    pub key: &'w L,
    /// The message, with the nonces if they were chosen earlier.
    pub message: AttemptSource<'w>,
    /// The random bytes for each attempt's seed.
    pub random: &'w [u8; SIGN_SEED_LEN],
    /// The generator for the sampler's random bytes.
    pub generator: Generator,
}

/// Signs a message in the padded encoding. `signature` must have the length for the degree. Uses
/// [`LatticeKey::sample_reals`] reals from `work`, and `2n` bytes more to store c. If `work` does
/// not have these `2n` bytes, c is computed from the message each time it is needed.
///
/// # Errors
/// Returns an error if all attempts failed, or if the signature does not verify. In both cases,
/// `signature` is zeroed.
#[inline(always)]
pub fn sign<S: Simd, L: LatticeKey>(
    isa: S,
    task: &SigningTask<'_, L>,
    signature: &mut [u8],
    mut work: Scratch<'_>,
) -> Result<(), FalconSignError> {
    let &SigningTask { algorithm, key, message, .. } = task;
    let n = algorithm.degree().n();
    let stores_c = work.len() >= size_of::<u16>() * n + size_of::<S::Real>() * key.sample_reals();
    let c = work.take::<u16>(if stores_c { n } else { 0 });
    let memory = work.take::<S::Real>(key.sample_reals());
    let mut result = Err(FalconSignError::Attempts);
    let mut counter = 0;
    while let Some((point, nonce)) = message.attempt(counter) {
        let attempt = (point, nonce, counter);
        counter += 1;
        let Some(nonce) = sample_attempt(isa, task, attempt, c, memory) else { continue };
        let (lower_memory, z) = memory.split_at_mut(memory.len() - 2 * n);
        let mut free = Scratch::within(lower_memory);
        let row = free.take::<u16>(if stores_c { 0 } else { n });
        let hashed = HashedPoint { scheme: algorithm.scheme(), nonce: &nonce, source: point, stored: c };
        let c = hashed.coefficients(isa, row);
        let Some(AcceptedRows { s2, h }) = key.vectors(isa, algorithm, c, z, &mut free) else { continue };
        ct::declassify_row("public key", h);
        if encode(algorithm, &nonce, s2, signature).is_none() {
            continue;
        }
        let verification = Verification { algorithm, h: PublicFields::Montgomery(h), point, signature };
        let verdict = verify_with(isa.integers(), &verification, free, s2);
        result = keep_verified(verdict, signature);
        break;
    }
    if result.is_err() {
        signature.fill(0);
    }
    result
}

/// Starts the sampler for an attempt, and samples a lattice point near the point c with
/// [`LatticeKey::sample`]. If `c` is not empty, hashes the message to c first. Returns the nonce,
/// or `None` if the sampler failed. This function has a separate stack frame, so the sampler is no
/// longer on the stack when the signature is verified.
#[inline(never)]
fn sample_attempt<S: Simd, L: LatticeKey>(
    isa: S,
    task: &SigningTask<'_, L>,
    (point, nonce, counter): (PointSource<'_>, Option<[u8; NONCE_LEN]>, u8),
    c: &mut [u16],
    memory: &mut [S::Real],
) -> Option<[u8; NONCE_LEN]> {
    frame!(isa, {
        let logn = task.algorithm.degree().logn();
        let mut sampler = Sampler::empty(isa, logn);
        start_sampler(isa, task, point, counter, &mut sampler);
        let nonce = nonce.unwrap_or_else(|| ct::declassify("nonce", sampler.nonce()));
        let scheme = task.algorithm.scheme();
        if !c.is_empty() {
            point_into(isa, scheme, &nonce, point, c, &mut sampler);
        }
        let hashed = HashedPoint { scheme, nonce: &nonce, source: point, stored: c };
        task.key.sample(isa, &hashed, &mut sampler, memory);
        sampler.is_complete(logn).then_some(nonce)
    })
}

/// Starts the sampler for attempt `counter`. The seed is also computed with the sampler's sponge,
/// so the stack needs no second sponge. This function's stack frame is released before the sampler
/// draws samples.
#[inline(never)]
fn start_sampler<S: Simd, L: LatticeKey>(
    isa: S,
    task: &SigningTask<'_, L>,
    point: PointSource<'_>,
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

/// Declassifies s2 modulo q, and writes a signature in the padded encoding. Returns `None` if the
/// coefficients do not fit.
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

/// Keeps the finished signature if the verdict is YES, and zeroes it otherwise.
///
/// # Errors
/// Returns an error if the signature does not verify.
#[inline(always)]
pub(super) fn keep_verified(
    verdict: Result<Verified, FalconRejection>,
    signature: &mut [u8],
) -> Result<(), FalconSignError> {
    let verdict = verdict.map_or(0, Verified::value);
    let result = if verdict == Verified::YES { Ok(()) } else { Err(FalconSignError::SelfCheck) };
    // Check the verdict again, without a comparison that a fault could skip.
    let keep_mask = !ct::mask_nonzero(u64::from(verdict ^ Verified::YES)) as u8;
    signature.iter_mut().for_each(|byte| *byte &= keep_mask);
    result
}

/// Hashes the nonce and the message to c. Some levels (instruction sets) permute two Keccak states
/// in the same time as a single state. On these levels, each permutation for c also permutes the
/// sampler's state, as long as the sampler's buffer has space. So the sampler's first blocks take
/// no additional time.
#[inline(never)]
fn point_into<S: Simd>(
    isa: S,
    scheme: FalconScheme,
    nonce: &[u8; NONCE_LEN],
    point: PointSource<'_>,
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

/// Computes `s2 = z0 f + z1 F` and `s1 = c - s2 h`, and returns s2 and h. Returns `None` if s1 and
/// s2 are too long or [too short](MIN_NORM_DIVISOR), or if a coefficient exceeds a bound of the
/// scheme. `z` contains the transformed `z0 | z1`, and is overwritten.
#[inline(never)]
pub fn short_vectors<'w, S: Simd, L: LatticeKey + ?Sized>(
    isa: S,
    key: &L,
    algorithm: FalconAlgorithm,
    c: &[u16],
    z: &mut [S::Real],
    work: &mut Scratch<'w>,
) -> Option<AcceptedRows<'w>> {
    frame!(isa, {
        let n = algorithm.degree().n();
        let s2 = work.take::<u16>(n);
        let h = work.take::<u16>(n);
        let mut work = work.fork();
        let z1 = work.take::<u16>(n);
        let (z, rest) = z.split_at_mut(n);
        ifft_rounded(isa, z, s2, modq::from_i32);
        ifft_rounded(isa, rest, z1, modq::from_i32);
        short_vectors_of(isa.integers(), key, algorithm, c, [&mut *s2, z1, &mut *h], work)
            .then_some(AcceptedRows { s2, h })
    })
}

/// Computes [`short_vectors`] from z0 and z1 modulo q. Before the call, `s2` must contain z0, and
/// `a` must contain z1. Replaces z0 by s2, overwrites `a`, and writes h. Returns false if
/// [`short_vectors`] returns `None`. Uses `4n` bytes from `work`.
#[inline(never)]
pub(super) fn short_vectors_of<S: Simd, L: LatticeKey + ?Sized>(
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
        // A Montgomery product is divided by R (see `modq`), so `s2` now contains the transformed
        // s2, divided by R. The product with h is not divided by R again, because h is in
        // Montgomery form (multiplied by R). Both inverse transforms multiply by R.
        a.copy_from_slice(s2);
        modq::mul_into(isa, a, h);
        modq::intt(isa, logn, a, InverseScale::R);
        modq::intt(isa, logn, s2, InverseScale::R);

        f.fill(0);
        let s1_size = modq::difference(isa, c, a);
        let s2_size = modq::difference(isa, s2, f);
        let out_of_bounds =
            rules.s1_bound.wrapping_sub(s1_size.largest.into()) | rules.s2_bound.wrapping_sub(s2_size.largest.into());
        let norm = s1_size.norm + s2_size.norm;
        let bound = u64::from(NORM_BOUND[logn as usize]);
        let min_norm = if algorithm.is_toy() { 0 } else { bound / MIN_NORM_DIVISOR };
        let wrong_length = (bound.wrapping_sub(norm) | norm.wrapping_sub(min_norm)) >> 63;
        let restart = ct::declassify("restart", ct::barrier_u64(wrong_length | u64::from(out_of_bounds >> 31)));
        restart == 0
    })
}
