//! Tests that the random bytes of a caller's generator do not remain on the stack or in the
//! caller's memory if the generator panics. (This test is not in tests/memory.rs. A second
//! generator type there would change the machine code, and so the measured stack.)

use fndsa::Algorithm;
use fndsa::message::Mu;
use fndsa::no_alloc::{Level, SigningKeyRef};
use fndsa::testing::FixedBytes;
use rand_core::{TryCryptoRng, TryRng};
use std::convert::Infallible;
use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The number of stack bytes to search.
const SEARCHED_BYTES: usize = 256 * 1024;

/// A generator that writes only a part of the requested bytes, and panics.
struct PanickingRng;

/// Returns the bytes that the generator writes.
fn generator_bytes() -> [u8; 40] {
    std::array::from_fn(|i| (i as u8).wrapping_mul(89) ^ 0x5a)
}

impl TryRng for PanickingRng {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        panic!("no number")
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        panic!("no number")
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        let written_len = out.len() - 4;
        // Write byte by byte, so that the generator itself leaves no copy on the stack.
        for (i, x) in out[..written_len].iter_mut().enumerate() {
            *x = black_box((i as u8).wrapping_mul(89) ^ 0x5a);
        }
        panic!("in the middle")
    }
}

impl TryCryptoRng for PanickingRng {}

/// Runs `f`, which panics, in a new thread. Returns how many 16-byte sequences of the generator's
/// output remain on the stack.
fn secrets_left_by(f: impl FnOnce() + Send) -> usize {
    /// Copies the bytes of the stack at addresses below the caller's frame.
    #[inline(never)]
    fn copy_stack_below(out: &mut [u8]) {
        let frame_byte = 0u8;
        let top = black_box(&raw const frame_byte) as usize - 256;
        for (i, out) in out.iter_mut().enumerate() {
            // SAFETY: the byte is in the thread's stack, which has 4 MiB and is initialized, and no
            // frame at a lower address is in use.
            *out = unsafe { ((top - SEARCHED_BYTES + i) as *const u8).read_volatile() };
        }
    }
    /// Reserves 1,024 bytes on the stack, and calls `f`. So the frames of `f` are so deep in the
    /// stack that a later call of `copy_stack_below` does not overwrite them.
    #[inline(never)]
    fn call_deeper(f: impl FnOnce()) {
        let frame_space = black_box([0u8; 1024]);
        f();
        black_box(&frame_space);
    }
    let mut stack = vec![0; SEARCHED_BYTES];
    let run = || {
        assert!(catch_unwind(AssertUnwindSafe(|| call_deeper(f))).is_err());
        copy_stack_below(&mut stack);
    };
    std::thread::scope(|s| {
        std::thread::Builder::new().stack_size(4 << 20).spawn_scoped(s, run).unwrap().join().unwrap();
    });
    stack.windows(16).filter(|bytes| generator_bytes().windows(16).any(|window| window == *bytes)).count()
}

/// Gets random bytes after `frames` nested calls, and does not wipe them. The search must find
/// these bytes.
#[inline(never)]
fn leave_random_bytes(frames: usize) {
    let mut random = [0; 200];
    if frames == 0 {
        let _never = PanickingRng.try_fill_bytes(black_box(&mut random));
    } else {
        leave_random_bytes(frames - 1);
    }
    black_box(&random);
}

#[test]
fn a_panic_in_the_generator_wipes_the_output() {
    let algorithm = Algorithm::FN_DSA_512;
    let mu = Mu::from_bytes([3; 64]);
    assert!(secrets_left_by(|| leave_random_bytes(3)) > 0, "the test does not find bytes that are not wiped");
    for level in Level::available() {
        let mut work = vec![0; algorithm.keygen_fast_work_len()];
        let (mut sk, mut vk) = (vec![0; algorithm.signing_key_len()], vec![0; algorithm.verifying_key_len()]);
        let secrets_left = secrets_left_by(|| {
            let _never = SigningKeyRef::generate(level, algorithm, &mut PanickingRng, &mut sk, &mut vk, &mut work);
        });
        assert_eq!(secrets_left, 0, "{level}: key generation leaves a part of the seed on the stack");
        let is_wiped = [&sk, &work].iter().all(|buffer| buffer.iter().all(|x| *x == 0));
        assert!(is_wiped, "{level}: key generation does not wipe the caller's memory");

        let rng = &mut FixedBytes(&[7; 32]);
        let key = SigningKeyRef::generate(level, algorithm, rng, &mut sk, &mut vk, &mut work).unwrap();
        let mut work = vec![0; algorithm.sign_work_len()];
        let mut signature = vec![0; algorithm.signature_len()];
        let secrets_left = secrets_left_by(|| {
            let _never = key.sign(level, &mu, &mut PanickingRng, &mut signature, &mut work);
        });
        assert_eq!(secrets_left, 0, "{level}: signing leaves random bytes on the stack");
        let expanded = key.expand(level, &mut work).unwrap();
        let secrets_left = secrets_left_by(|| {
            let _never = expanded.sign(&mu, &mut PanickingRng, &mut signature, &mut work);
        });
        assert_eq!(secrets_left, 0, "{level}: signing with an expanded key leaves random bytes on the stack");
        let is_wiped = [&signature, &work].iter().all(|buffer| buffer.iter().all(|x| *x == 0));
        assert!(is_wiped, "{level}: signing does not wipe the caller's memory");
    }
}
