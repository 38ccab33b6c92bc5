//! Tests operations that must succeed and operations that must fail: guards around all buffers, at
//! all alignments; wrong keys, changed signatures and too little memory; and secrets that must not
//! remain in memory.
#![no_std]
#![no_main]

use core::hint::black_box;
use fndsa::algorithm::{KEY_HASH_LEN, Scheme};
use fndsa::no_alloc::{Level, MessageToVerify, SigningKeyRef, VerifyingKeyRef};
use fndsa::{Algorithm, Options};
use fndsa_firmware::board::{exit, fail, measure, stack_has};
use fndsa_firmware::repeatable::RepeatableRng;
use fndsa_firmware::{ALGORITHMS, MOST, panic_fails, say};

panic_fails!();

const GUARD: u8 = 0xc5;
/// The number of guard bytes on each side of a buffer.
const GUARDED: usize = 16;
/// The possible buffer offsets: `0..MOVES`.
const MOVES: usize = 8;
const MESSAGE: &[u8] = b"a message";

/// A buffer between guard bytes.
struct GuardedBuffer<'m> {
    memory: &'m mut [u8],
    start: usize,
    len: usize,
}

impl<'m> GuardedBuffer<'m> {
    /// Creates a buffer of `len` bytes at the start of `memory`, moved by `offset` bytes, and
    /// removes this part from `memory`.
    fn new(memory: &mut &'m mut [u8], offset: usize, len: usize) -> Self {
        let taken = core::mem::take(memory);
        let (front, rest) = taken.split_at_mut(len + 2 * GUARDED + MOVES);
        *memory = rest;
        front.fill(GUARD);
        Self { memory: front, start: GUARDED + offset, len }
    }

    fn bytes(&mut self) -> &mut [u8] {
        &mut self.memory[self.start..][..self.len]
    }

    /// Fails if a byte outside the buffer was changed.
    fn check(&self, what: &str) {
        let (front, rest) = self.memory.split_at(self.start);
        if front.iter().chain(&rest[self.len..]).any(|byte| *byte != GUARD) {
            fail(what);
        }
    }
}

fn verifies(algorithm: Algorithm, public: &[u8], message: &[u8], signature: &[u8], work: &mut [u8]) -> bool {
    let message = MessageToVerify::message(Options::default(), message);
    VerifyingKeyRef::of_algorithm(algorithm, public)
        .is_ok_and(|key| key.verify(Level::detect(), message, signature, work).is_ok())
}

#[inline(never)]
fn check(algorithm: Algorithm, offset: usize, memory: &mut [u8]) {
    let mut memory = memory;
    let level = Level::detect();
    let mut rng = RepeatableRng::new(1 + offset as u64);
    let mut private = GuardedBuffer::new(&mut memory, offset, algorithm.signing_key_len());
    let mut public = GuardedBuffer::new(&mut memory, (3 * offset) % MOVES, algorithm.verifying_key_len());
    let mut other = GuardedBuffer::new(&mut memory, offset, algorithm.verifying_key_len());
    let mut signature = GuardedBuffer::new(&mut memory, (5 * offset) % MOVES, algorithm.signature_len());
    let mut work = GuardedBuffer::new(&mut memory, (7 * offset) % MOVES, algorithm.keygen_work_len());
    for public in [&mut other, &mut public] {
        let made = SigningKeyRef::generate(level, algorithm, &mut rng, private.bytes(), public.bytes(), work.bytes());
        if made.is_err() {
            fail("key generation");
        }
    }
    work.check("key generation wrote beside its work memory");
    let mut work = GuardedBuffer { len: algorithm.sign_work_len(), ..work };
    if work.start + work.len + GUARDED > work.memory.len() {
        work = GuardedBuffer::new(&mut memory, offset, algorithm.sign_work_len());
    }
    work.memory.fill(GUARD);
    let mut sign = || {
        let Ok(key) = SigningKeyRef::of_algorithm(level, algorithm, private.bytes(), work.bytes()) else {
            fail("loading")
        };
        let made = key.sign_message(level, Options::default(), MESSAGE, &mut rng, signature.bytes(), work.bytes());
        if made.is_err() {
            fail("signing");
        }
    };
    measure(&mut sign).check_wiped("loading and signing");
    let secret = secret_part(algorithm, private.bytes());
    let in_work = work.bytes().windows(8).any(|it| is_telling(it) && secret.windows(8).any(|secret| secret == it));
    if in_work || stack_has(secret) {
        fail("a part of the private key was left behind");
    }
    leave_behind(secret);
    if !stack_has(secret) {
        fail("the search does not find what was left behind");
    }
    work.check("signing wrote beside its work memory");
    for (guarded, what) in [
        (&private, "something was written beside the private key"),
        (&public, "something was written beside the public key"),
        (&other, "something was written beside the other public key"),
        (&signature, "something was written beside the signature"),
    ] {
        guarded.check(what);
    }

    let (public, signature) = (public.bytes(), signature.bytes());
    work.len = algorithm.verify_work_len();
    work.memory.fill(GUARD);
    if !verifies(algorithm, public, MESSAGE, signature, work.bytes()) {
        fail("a good signature is refused");
    }
    work.check("verification wrote beside its work memory");
    if verifies(algorithm, other.bytes(), MESSAGE, signature, work.bytes()) {
        fail("a signature verifies with another key");
    }
    if verifies(algorithm, public, b"another message", signature, work.bytes()) {
        fail("a signature verifies for another message");
    }
    if verifies(algorithm, public, MESSAGE, &signature[..signature.len() - 1], work.bytes()) {
        fail("a signature verifies that was cut");
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
        fail("a good signature is refused the second time");
    }
}

/// Returns a private key's secret part. The algorithm byte at the start is not secret, and for
/// FN-DSA, the public key hash at the end is not secret.
fn secret_part(algorithm: Algorithm, private: &[u8]) -> &[u8] {
    match algorithm.scheme() {
        Scheme::MlDsa => private,
        Scheme::FnDsa => &private[1..private.len() - KEY_HASH_LEN],
        _ => &private[1..],
    }
}

/// Leaves a copy of a secret on the stack.
#[inline(never)]
fn leave_behind(secret: &[u8]) {
    let mut copy = [0; MOST.private];
    copy[..secret.len()].copy_from_slice(secret);
    black_box(&copy);
}

/// Returns whether the bytes are not all equal. Fill values and padding consist of equal bytes.
fn is_telling(window: &[u8]) -> bool {
    window.iter().any(|byte| *byte != window[0])
}

#[unsafe(no_mangle)]
extern "C" fn start() -> ! {
    const BUFFERS: usize = 6;
    let mut memory =
        [0; 2 * MOST.work + MOST.private + 2 * MOST.public + MOST.signature + BUFFERS * (2 * GUARDED + MOVES)];
    for algorithm in ALGORITHMS {
        // Test large keys at a single alignment.
        let moves = if algorithm.verifying_key_len() < 1000 { 0..MOVES } else { 3..4 };
        let count = moves.len();
        moves.for_each(|offset| check(algorithm, offset, &mut memory));
        say!("{algorithm}: {count} alignments");
    }
    exit(true)
}
