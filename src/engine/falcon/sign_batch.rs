//! Signs several messages with an expanded key (a private key that is prepared for many
//! signatures): up to eight messages at a time, each in a lane.
//!
//! Hashes and generators run in the lanes of a Keccak permutation. The transform and the sampler
//! process eight numbers together ([`EightRows`]), one for each signature. The computations modulo
//! q process one signature after another, because the coefficients of a single signature fill the
//! vectors. Each signature has the bytes that [`sign`] would return for the same random bytes. If
//! the first attempt at a signature fails in its lane, [`sign`] makes this signature separately,
//! again from the first attempt and the first nonce. Each signature is verified from its bytes
//! before it is returned, as in [`sign`].
//!
//! For each signature, the secret values are the same as in [`sign`].
//!
//! [`sign`]: super::sign::sign

use super::expanded::{ExpandedFields, ExpandedPrivateKey};
use super::fft::{fft_with, ifft_with};
use super::modq;
use super::params::{NONCE_LEN, SIGN_SEED_LEN};
use super::point::{PointInput, PointSource, digests_of, hash_to_points_into};
use super::sampler::{Generator, SAMPLERS_LEN, SamplerBatch};
use super::scheme::FalconAlgorithm;
use super::sign::{
    AttemptSource, FalconSignError, LatticeKey, SigningTask, encode, keep_verified, short_vectors_of, sign,
    targets_into,
};
use super::tree::{ff_sampling_tree, tree_work_reals};
use super::verify::{FalconRejection, PublicFields, Verification};
use super::verify_batch::verify_together;
use crate::engine::hash::message::MU_LEN;
use crate::engine::hash::shake::{KECCAK_STATES, RATE, Shake256, many_states_are_faster};
use crate::engine::hash::sponges::{PaddedInput, hash_together, pad};
use crate::simd::{EightReals, EightRows, Real, RowValue, SCRATCH_ALIGN, Scratch, Simd, ct, frame};
use zeroize::{Zeroize, Zeroizing};

/// A message to sign in a batch, with random bytes for its signature.
#[derive(Clone, Copy)]
pub struct SigningItem<'w> {
    /// The message, with the nonces if they were chosen earlier.
    pub message: AttemptSource<'w>,
    /// The random bytes for each attempt's seed.
    pub random: &'w [u8; SIGN_SEED_LEN],
}

/// An expanded key that can sign in lanes.
pub trait BatchSigningKey: LatticeKey {
    /// Returns the key.
    fn expanded(&self) -> ExpandedPrivateKey<'_>;
    /// Computes the vectors for a lane, with [`short_vectors_of`]. Tests inject faults here.
    #[inline(always)]
    fn lane_vectors<S: Simd>(
        &self,
        isa: S,
        _lane: usize,
        algorithm: FalconAlgorithm,
        c: &[u16],
        rows: [&mut [u16]; 3],
        work: Scratch<'_>,
    ) -> bool {
        short_vectors_of(isa, self, algorithm, c, rows, work)
    }
}

impl BatchSigningKey for ExpandedPrivateKey<'_> {
    #[inline(always)]
    fn expanded(&self) -> ExpandedPrivateKey<'_> {
        *self
    }
}

/// Several signing operations with the same key.
pub struct BatchTask<'w, K> {
    /// The scheme and the degree.
    pub algorithm: FalconAlgorithm,
    /// The private key.
    pub key: &'w K,
    /// The items to sign, up to [`KECCAK_STATES`] items.
    pub items: &'w [SigningItem<'w>],
}

impl FalconAlgorithm {
    /// Returns how much work memory signing in lanes needs, in bytes.
    pub const fn sign_batch_work_len(self) -> usize {
        let n = self.degree().n();
        // The memory contains rows with eight reals for each value, the points, and the states and
        // the ring buffer for the generators.
        let lanes = 8 * KECCAK_STATES * tree_work_reals(self.degree().logn()) + 2 * KECCAK_STATES * n;
        lanes + SAMPLERS_LEN + 2 * SCRATCH_ALIGN
    }
}

/// Signs each item in the padded encoding, and writes the signatures in sequence to `signatures`.
/// Uses [`FalconAlgorithm::sign_batch_work_len`] bytes from `work`. `signatures` must have space
/// for a signature per item.
///
/// # Errors
/// Returns an error if a signature could not be made or does not verify. In this case, all
/// signatures are zeroed.
#[inline(always)]
pub fn sign_batch<S: Simd, K: BatchSigningKey>(
    isa: S,
    task: &BatchTask<'_, K>,
    signatures: &mut [u8],
    mut work: Scratch<'_>,
) -> Result<(), FalconSignError> {
    let &BatchTask { algorithm, key, items } = task;
    let mut was_made = Ok([false; KECCAK_STATES]);
    if isa.f32s().is_some() && many_states_are_faster::<S>(items.len()) {
        was_made = sign_lanes(isa, task, signatures, work.fork());
    }
    let mut result = was_made.map(|_| ());
    let signature_slots = signatures.chunks_exact_mut(algorithm.signature_len());
    for ((item, was_made), signature) in items.iter().zip(was_made.unwrap_or_default()).zip(signature_slots) {
        if !was_made && result.is_ok() {
            let &SigningItem { message, random } = item;
            let task = SigningTask { algorithm, key, message, random, generator: Generator::Shake256 };
            result = sign(isa, &task, signature, work.fork());
        }
    }
    if result.is_err() {
        signatures.fill(0);
    }
    result
}

/// The number of bytes that are hashed for a seed: the key's hash, mu (or the digest that replaces
/// mu), and the random bytes.
const SEED_INPUT: usize = 2 * SIGN_SEED_LEN + MU_LEN;
/// The length in bytes of the seed's input with its padding: two blocks.
const SEED_BLOCKS: usize = 2 * RATE;

/// Computes the seed for the first attempt at each item. `points` contains, for each item, the
/// input that is hashed to its point. This function has a separate stack frame, which is released
/// before the sampler runs.
#[inline(never)]
fn seeds_of<S: Simd, K: BatchSigningKey>(
    isa: S,
    task: &BatchTask<'_, K>,
    points: &[PointSource<'_>],
) -> Zeroizing<[[u8; SIGN_SEED_LEN]; KECCAK_STATES]> {
    frame!(isa, {
        let digests = digests_of(isa.integers(), points);
        let mut seeds = Zeroizing::new([[0; SIGN_SEED_LEN]; KECCAK_STATES]);
        let mut secret = [0; SIGN_SEED_LEN];
        task.key.secret_hash_into(&mut Shake256::new(isa.integers()), &mut secret);
        let mut inputs = [[0; SEED_BLOCKS]; KECCAK_STATES];
        for ((input, item), digest) in inputs.iter_mut().zip(task.items).zip(&digests) {
            let (secret_part, rest) = input.split_at_mut(SIGN_SEED_LEN);
            secret_part.copy_from_slice(&secret);
            rest[..MU_LEN].copy_from_slice(digest);
            rest[MU_LEN..][..SIGN_SEED_LEN].copy_from_slice(item.random);
            pad(input, SEED_INPUT);
        }
        let mut states = [[0; KECCAK_STATES]; 25];
        let mut hashed = seeds.iter_mut().zip(&inputs).map(|(hash, blocks)| PaddedInput { blocks, hash });
        let mut hashed: [PaddedInput<'_>; KECCAK_STATES] =
            core::array::from_fn(|_| hashed.next().expect("one seed for each Keccak state"));
        hash_together(isa.integers(), &mut states, &mut hashed[..task.items.len()]);
        ct::wipe(states.as_flattened_mut());
        secret.zeroize();
        inputs.zeroize();
        seeds
    })
}

/// The point for a lane that has no message.
const NO_POINT: PointSource<'static> = PointSource::Mu(&[0; MU_LEN]);

/// Makes an attempt at each signature, and returns which signatures were made.
///
/// # Errors
/// Returns an error if a signature does not verify.
#[inline(never)]
fn sign_lanes<S: Simd, K: BatchSigningKey>(
    isa: S,
    task: &BatchTask<'_, K>,
    signatures: &mut [u8],
    mut work: Scratch<'_>,
) -> Result<[bool; KECCAK_STATES], FalconSignError> {
    frame!(isa, {
        let &BatchTask { algorithm, key, items } = task;
        let eight_rows = EightRows(isa);
        let logn = algorithm.degree().logn();
        let n = algorithm.degree().n();
        let points = work.take::<u16>(KECCAK_STATES * n);
        let memory = work.take::<EightReals<S::Real>>(tree_work_reals(logn));
        // For each item, the input that is hashed to the point in the first attempt.
        let mut sources = [NO_POINT; KECCAK_STATES];
        for (point, item) in sources.iter_mut().zip(items) {
            // If a message has no attempt, sign all items separately, because `sign` then returns
            // the error.
            let Some((first, _)) = item.message.attempt(0) else { return Ok([false; KECCAK_STATES]) };
            *point = first;
        }
        let seeds = seeds_of(isa, task, &sources[..items.len()]);
        let mut samplers = SamplerBatch::new(isa, logn, &seeds[..items.len()], &mut work);
        let mut nonces = [[0; NONCE_LEN]; KECCAK_STATES];
        for (lane, (nonce, item)) in nonces.iter_mut().zip(items).enumerate() {
            let chosen_nonce = item.message.attempt(0).and_then(|(_, chosen_nonce)| chosen_nonce);
            *nonce = chosen_nonce.unwrap_or_else(|| ct::declassify("nonce", samplers.nonce(lane)));
        }
        let inputs: [PointInput<'_>; KECCAK_STATES] = core::array::from_fn(|lane| (&nonces[lane], sources[lane]));
        let points = &mut points[..items.len() * n];
        hash_to_points_into(isa.integers(), algorithm.scheme(), &inputs[..items.len()], points);

        sample(eight_rows, &key.expanded(), points, &mut samplers, memory);
        let (lower_memory, z) = memory.split_at_mut(memory.len() - 2 * n);
        let mut free = Scratch::within(lower_memory);
        let z0 = free.take::<u16>(KECCAK_STATES * n);
        let z1 = free.take::<u16>(KECCAK_STATES * n);
        residues_into(eight_rows, z, [z0, z1], free.fork());
        let h = free.take::<u16>(n);
        let mut written = [false; KECCAK_STATES];
        let rows = z0.chunks_exact_mut(n).zip(z1.chunks_exact_mut(n)).zip(points.chunks_exact(n));
        let signature_slots = signatures.chunks_exact_mut(algorithm.signature_len()).zip(rows);
        for (lane, (signature, ((s2, z1), c))) in signature_slots.enumerate() {
            written[lane] = samplers.is_complete(lane, logn)
                && key.lane_vectors(isa.integers(), lane, algorithm, c, [&mut *s2, z1, &mut *h], free.fork())
                && encode(algorithm, &nonces[lane], s2, signature).is_some();
        }
        ct::declassify_row("public key", h);
        let signature_slots = signatures.chunks_exact(algorithm.signature_len());
        let mut verifications = [const { None }; KECCAK_STATES];
        for ((verification, signature), ((_, point), written)) in
            verifications.iter_mut().zip(signature_slots).zip(inputs.iter().zip(written))
        {
            if written {
                *verification =
                    Some(Verification { algorithm, h: PublicFields::Montgomery(h), point: *point, signature });
            }
        }
        let mut verdicts = [Err(FalconRejection::Mismatch); KECCAK_STATES];
        verify_together(isa.integers(), &verifications, &mut verdicts, free);
        let signature_slots = signatures.chunks_exact_mut(algorithm.signature_len());
        for ((signature, verdict), written) in signature_slots.zip(verdicts).zip(written) {
            if written {
                keep_verified(verdict, signature)?;
            }
        }
        Ok(written)
    })
}

/// Samples a lattice point near each hashed message in `points`, and writes the transformed
/// `z0 | z1` to the end of `memory`.
#[inline(never)]
fn sample<S: Simd>(
    isa: EightRows<S>,
    key: &ExpandedPrivateKey<'_>,
    points: &[u16],
    samplers: &mut SamplerBatch<'_, S>,
    memory: &mut [EightReals<S::Real>],
) {
    frame!(isa, {
        let logn = key.degree().logn();
        let n = key.degree().n();
        let ExpandedFields { tree, b01, b11, .. } = key.fields::<S::Real>();
        let (lower_memory, t) = memory.split_at_mut(memory.len() - 2 * n);
        let (t0, t1) = t.split_at_mut(n);
        for (t, row) in [(&mut *t0, b11), (&mut *t1, b01)] {
            for (t, x) in t.iter_mut().zip(row) {
                *t = EightReals([*x; KECCAK_STATES]);
            }
        }
        let (c, rest) = lower_memory.split_at_mut(n);
        let places = Scratch::within(rest).take::<u16>(KECCAK_STATES * n).as_chunks_mut::<KECCAK_STATES>().0;
        places.fill([0; KECCAK_STATES]);
        for (lane, point) in points.chunks_exact(n).enumerate() {
            for (places, x) in places.iter_mut().zip(point) {
                places[lane] = *x;
            }
        }
        fft_with(
            isa,
            logn,
            places,
            c,
            #[inline(always)]
            |lanes: [u16; KECCAK_STATES]| {
                let mut reals = EightReals::ZERO;
                for (real, x) in reals.0.iter_mut().zip(lanes) {
                    *real = S::Real::from_i32(i32::from(x));
                }
                reals
            },
        );
        targets_into(isa, c, t1, t0);
        ff_sampling_tree(isa, samplers, logn, tree, memory);
    });
}

/// Computes the inverse transform of `z0 | z1`, and writes the values modulo q, in a row for each
/// signature. Uses `16n` bytes from `work`.
#[inline(never)]
fn residues_into<S: Simd>(
    isa: EightRows<S>,
    z: &mut [EightReals<S::Real>],
    out: [&mut [u16]; 2],
    mut work: Scratch<'_>,
) {
    frame!(isa, {
        let n = z.len() / 2;
        let places = work.take::<u16>(KECCAK_STATES * n).as_chunks_mut::<KECCAK_STATES>().0;
        for (z, out) in z.chunks_exact_mut(n).zip(out) {
            ifft_with(
                isa,
                z,
                places,
                #[inline(always)]
                |reals: EightReals<S::Real>| {
                    let mut lanes = [0; KECCAK_STATES];
                    for (lane, real) in lanes.iter_mut().zip(reals.0) {
                        *lane = modq::from_i32(real.round_i64() as i32);
                    }
                    lanes
                },
            );
            for (lane, row) in out.chunks_exact_mut(n).enumerate() {
                for (x, places) in row.iter_mut().zip(&*places) {
                    *x = places[lane];
                }
            }
        }
    });
}
