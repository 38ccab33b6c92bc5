//! Tests that operations succeed, and that verification fails with wrong keys, changed signatures
//! and too little memory. Guard bytes around all buffers detect writes outside the buffers. For
//! algorithms with small keys, the test runs with each buffer at each address modulo 8. Also checks
//! that signing wipes secrets in the work memory and on the stack.
//!
//! This image runs in QEMU (`firmware/run`) or on a board (`docs/boards.md`). The start code in
//! `board` calls `start`.
#![no_std]
#![no_main]

use core::hint::black_box;
use fndsa::algorithm::{KEY_HASH_LEN, Scheme};
use fndsa::no_alloc::{MessageToVerify, SigningKeyRef, VerifyingKeyRef};
use fndsa::{Algorithm, Options};
use fndsa_firmware::board::{self, exit, fail, measure, stack_has};
use fndsa_firmware::repeatable::RepeatableRng;
use fndsa_firmware::{ALGORITHMS, MAX_LENGTHS, panic_fails, say};

panic_fails!();

const GUARD: u8 = 0xc5;
/// The minimum number of guard bytes on each side of a buffer.
const GUARD_LEN: usize = 16;
/// The possible buffer offsets: `0..OFFSETS`.
const OFFSETS: usize = 8;
const MESSAGE: &[u8] = b"a message";

/// A buffer between guard bytes.
struct GuardedBuffer<'m> {
    memory: &'m mut [u8],
    start: usize,
    len: usize,
}

impl<'m> GuardedBuffer<'m> {
    /// Takes a part from the start of `memory`, and fills it with guard bytes. The buffer with
    /// `len` bytes starts at byte `GUARD_LEN + offset` in the part.
    fn new(memory: &mut &'m mut [u8], offset: usize, len: usize) -> Self {
        let whole_memory = core::mem::take(memory);
        let (buffer, remaining_memory) = whole_memory.split_at_mut(len + 2 * GUARD_LEN + OFFSETS);
        *memory = remaining_memory;
        buffer.fill(GUARD);
        Self { memory: buffer, start: GUARD_LEN + offset, len }
    }

    /// Returns the buffer without the guard bytes.
    fn bytes(&mut self) -> &mut [u8] {
        &mut self.memory[self.start..][..self.len]
    }

    /// Fails if a byte outside the buffer was changed.
    fn check(&self, what: &str) {
        let (before_buffer, after_start) = self.memory.split_at(self.start);
        if before_buffer.iter().chain(&after_start[self.len..]).any(|byte| *byte != GUARD) {
            fail(what);
        }
    }
}

/// Returns whether a public key accepts a signature.
fn verifies(algorithm: Algorithm, public: &[u8], message: &[u8], signature: &[u8], work: &mut [u8]) -> bool {
    let message = MessageToVerify::message(Options::default(), message);
    VerifyingKeyRef::of_algorithm(algorithm, public)
        .is_ok_and(|key| key.verify(board::level(), message, signature, work).is_ok())
}

/// Tests all operations of an algorithm. The start of each buffer is moved by `offset` times an odd
/// factor, modulo [`OFFSETS`].
#[inline(never)]
fn check(algorithm: Algorithm, offset: usize, memory: &mut [u8]) {
    let mut memory = memory;
    let level = board::level();
    let mut rng = RepeatableRng::new(1 + offset as u64);
    let mut private = GuardedBuffer::new(&mut memory, offset, algorithm.signing_key_len());
    let mut public = GuardedBuffer::new(&mut memory, (3 * offset) % OFFSETS, algorithm.verifying_key_len());
    let mut other_public = GuardedBuffer::new(&mut memory, offset, algorithm.verifying_key_len());
    let mut signature = GuardedBuffer::new(&mut memory, (5 * offset) % OFFSETS, algorithm.signature_len());
    let mut work = GuardedBuffer::new(&mut memory, (7 * offset) % OFFSETS, algorithm.keygen_work_len());
    for public in [&mut other_public, &mut public] {
        let result = SigningKeyRef::generate(level, algorithm, &mut rng, private.bytes(), public.bytes(), work.bytes());
        if result.is_err() {
            fail("key generation");
        }
    }
    work.check("key generation wrote outside its work memory");
    let mut work = GuardedBuffer { len: algorithm.sign_work_len(), ..work };
    // If signing needs more work memory than key generation, signing gets a new buffer. This is the
    // case for all algorithms in `ALGORITHMS`.
    if work.start + work.len + GUARD_LEN > work.memory.len() {
        work = GuardedBuffer::new(&mut memory, offset, algorithm.sign_work_len());
    }
    work.memory.fill(GUARD);
    let mut sign = || {
        let Ok(key) = SigningKeyRef::of_algorithm(level, algorithm, private.bytes(), work.bytes()) else {
            fail("loading")
        };
        let result = key.sign_message(level, Options::default(), MESSAGE, &mut rng, signature.bytes(), work.bytes());
        if result.is_err() {
            fail("signing");
        }
    };
    measure(&mut sign).check_wiped("loading and signing");
    let secret = secret_part(algorithm, private.bytes());
    let is_in_work = work
        .bytes()
        .windows(8)
        .any(|window| has_different_bytes(window) && secret.windows(8).any(|secret_window| secret_window == window));
    if is_in_work || stack_has(secret) {
        fail("a part of the private key is still in memory");
    }
    leave_copy_on_stack(secret);
    if !stack_has(secret) {
        fail("the search does not find a copy of the private key on the stack");
    }
    work.check("signing wrote outside its work memory");
    for (guarded, what) in [
        (&private, "something was written outside the private key"),
        (&public, "something was written outside the public key"),
        (&other_public, "something was written outside the other public key"),
        (&signature, "something was written outside the signature"),
    ] {
        guarded.check(what);
    }

    let (public, signature) = (public.bytes(), signature.bytes());
    work.len = algorithm.verify_work_len();
    work.memory.fill(GUARD);
    if !verifies(algorithm, public, MESSAGE, signature, work.bytes()) {
        fail("a valid signature is rejected");
    }
    work.check("verification wrote outside its work memory");
    if verifies(algorithm, other_public.bytes(), MESSAGE, signature, work.bytes()) {
        fail("a signature verifies with another key");
    }
    if verifies(algorithm, public, b"another message", signature, work.bytes()) {
        fail("a signature verifies for another message");
    }
    if verifies(algorithm, public, MESSAGE, &signature[..signature.len() - 1], work.bytes()) {
        fail("a signature without its last byte verifies");
    }
    if verifies(algorithm, public, MESSAGE, signature, &mut work.bytes()[1..]) {
        fail("a signature verifies in too little memory");
    }
    for at in (0..signature.len()).step_by(signature.len() / 7) {
        signature[at] ^= 1 << (at % 8);
        if verifies(algorithm, public, MESSAGE, signature, work.bytes()) {
            fail("a changed signature verifies");
        }
        signature[at] ^= 1 << (at % 8);
    }
    if !verifies(algorithm, public, MESSAGE, signature, work.bytes()) {
        fail("a valid signature is rejected the second time");
    }
}

/// Returns the secret bytes of a private key. A key of ML-DSA is a seed, which is secret as a
/// whole. In other keys, the algorithm byte at the start is public, and so is the hash of the
/// public key at the end of an FN-DSA key.
fn secret_part(algorithm: Algorithm, private: &[u8]) -> &[u8] {
    match algorithm.scheme() {
        Scheme::MlDsa => private,
        Scheme::FnDsa => &private[1..private.len() - KEY_HASH_LEN],
        _ => &private[1..],
    }
}

/// Leaves a copy of a secret on the stack, to test that [`stack_has`] finds it.
#[inline(never)]
fn leave_copy_on_stack(secret: &[u8]) {
    let mut copy = [0; MAX_LENGTHS.private];
    copy[..secret.len()].copy_from_slice(secret);
    black_box(&copy);
}

/// Returns whether at least two bytes differ. Equal bytes do not show that a secret is there,
/// because fill values and padding consist of equal bytes.
fn has_different_bytes(window: &[u8]) -> bool {
    window.iter().any(|byte| *byte != window[0])
}

#[unsafe(no_mangle)]
extern "C" fn start() -> ! {
    const BUFFERS: usize = 6;
    let mut memory = [0; 2 * MAX_LENGTHS.work
        + MAX_LENGTHS.private
        + 2 * MAX_LENGTHS.public
        + MAX_LENGTHS.signature
        + BUFFERS * (2 * GUARD_LEN + OFFSETS)];
    for algorithm in ALGORITHMS {
        // Test large keys at a single alignment.
        let offsets = if algorithm.verifying_key_len() < 1000 { 0..OFFSETS } else { 3..4 };
        let count = offsets.len();
        offsets.for_each(|offset| check(algorithm, offset, &mut memory));
        say!("{algorithm}: {count} alignments");
    }
    exit(true)
}
