//! Measures memory and instructions for an implementation in C. Prints the lines of the image
//! `measure`, without the number of permutations. `firmware/peers/peer.h` describes the interface.
#![no_std]
#![no_main]

use core::ffi::{CStr, c_char, c_int};
use core::slice;
use fndsa_firmware::board::{exit, fail, start_counter};
use fndsa_firmware::panic_fails;
use fndsa_firmware::peers::{MESSAGE, PeerOperations, measure_operations};
use fndsa_firmware::repeatable::RepeatableRng;

panic_fails!();

/// A signing or a verification: work memory, message and its length.
type MessageOperation = unsafe extern "C" fn(*mut u8, *const u8, usize) -> c_int;

/// The structure `peer_algorithm` of peer.h.
#[repr(C)]
struct PeerAlgorithm {
    name: *const c_char,
    work_lens: [usize; 3],
    keygen: Option<unsafe extern "C" fn(*mut u8) -> c_int>,
    sign: Option<MessageOperation>,
    verify: Option<MessageOperation>,
}

unsafe extern "C" {
    /// The algorithms. The last entry has no name and ends the array.
    #[link_name = "peer_algorithms"]
    static PEER_ALGORITHMS: [PeerAlgorithm; 0];
}

/// The generator for [`peer_random`]. Only one thread exists.
static mut RANDOM: RepeatableRng = RepeatableRng::new(0x1234_5678_9abc_def1);

/// Fills `out` with random bytes.
///
/// # Safety
///
/// `out` must point to `len` writable bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn peer_random(out: *mut u8, len: usize) {
    let random = &raw mut RANDOM;
    // SAFETY: the caller guarantees that `out` has `len` bytes, and no other code uses the
    // generator at the same time.
    let (random, out) = unsafe { (&mut *random, slice::from_raw_parts_mut(out, len)) };
    random.fill(out);
}

/// Work memory, aligned to 8 bytes. Signing of c-fn-dsa at degree 1024 uses the most.
#[repr(align(8))]
struct PeerMemory([u8; 61 << 10]);

/// An algorithm in C and the work memory for it.
struct CPeer<'a> {
    algorithm: &'a PeerAlgorithm,
    memory: &'a mut PeerMemory,
}

impl CPeer<'_> {
    fn message_operation(&mut self, operation: Option<MessageOperation>) -> bool {
        // SAFETY: the work memory has the length that the algorithm requires.
        operation.is_some_and(|run| unsafe { run(self.memory.0.as_mut_ptr(), MESSAGE.as_ptr(), MESSAGE.len()) } == 1)
    }
}

impl PeerOperations for CPeer<'_> {
    fn keygen(&mut self) -> bool {
        // SAFETY: the work memory has the length that the algorithm requires.
        self.algorithm.keygen.is_some_and(|run| unsafe { run(self.memory.0.as_mut_ptr()) } == 1)
    }

    fn sign(&mut self) -> bool {
        self.message_operation(self.algorithm.sign)
    }

    fn verify(&mut self) -> bool {
        self.message_operation(self.algorithm.verify)
    }

    fn work_lens(&self) -> [usize; 3] {
        self.algorithm.work_lens
    }
}

#[unsafe(no_mangle)]
extern "C" fn start() -> ! {
    start_counter();
    let mut memory = PeerMemory([0; _]);
    let mut at = (&raw const PEER_ALGORITHMS).cast::<PeerAlgorithm>();
    loop {
        // SAFETY: the list ends with an entry without a name, and `at` is not after this entry.
        let algorithm = unsafe { &*at };
        if algorithm.name.is_null() {
            exit(true);
        }
        // SAFETY: the name is a C string.
        let Ok(name) = unsafe { CStr::from_ptr(algorithm.name) }.to_str() else { fail("the name of a peer") };
        if algorithm.work_lens.iter().any(|len| *len > memory.0.len()) {
            fail("a peer needs more work memory than the image has");
        }
        if !measure_operations(name, &mut CPeer { algorithm, memory: &mut memory }) {
            fail("an operation of a peer");
        }
        // SAFETY: the entry has a name, so there is another entry.
        at = unsafe { at.add(1) };
    }
}
