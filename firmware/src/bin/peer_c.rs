//! Measures memory and instructions for c-fn-dsa, and prints the same lines as the image `measure`.
//!
//! The scheme is the FN-DSA preview of 2024. Its private keys do not contain a public key hash.
#![no_std]
#![no_main]

use core::ffi::{c_char, c_int, c_uint, c_void};
use core::ptr;
use fndsa_firmware::board::{exit, fail, start_counter};
use fndsa_firmware::panic_fails;
use fndsa_firmware::peers::{MESSAGE, PeerOperations, measure_operations};
use fndsa_firmware::repeatable::RepeatableRng;

panic_fails!();

// These functions from fndsa.h accept a seed and work memory.
unsafe extern "C" {
    fn fndsa_keygen_seeded_temp(
        logn: c_uint,
        seed: *const c_void,
        seed_len: usize,
        sign_key: *mut c_void,
        vrfy_key: *mut c_void,
        tmp: *mut c_void,
        tmp_len: usize,
    ) -> c_int;
    fn fndsa_sign_seeded_temp(
        sign_key: *const c_void,
        sign_key_len: usize,
        ctx: *const c_void,
        ctx_len: usize,
        id: *const c_char,
        hv: *const c_void,
        hv_len: usize,
        seed: *const c_void,
        seed_len: usize,
        sig: *mut c_void,
        max_sig_len: usize,
        tmp: *mut c_void,
        tmp_len: usize,
    ) -> usize;
    fn fndsa_verify_temp(
        sig: *const c_void,
        sig_len: usize,
        vrfy_key: *const c_void,
        vrfy_key_len: usize,
        ctx: *const c_void,
        ctx_len: usize,
        id: *const c_char,
        hv: *const c_void,
        hv_len: usize,
        tmp: *mut c_void,
        tmp_len: usize,
    ) -> c_int;
}

/// Replaces the system's random generator, which does not exist on this machine. The functions
/// above do not call it.
#[unsafe(no_mangle)]
extern "C" fn fndsa_sysrng(_: *mut c_void, _: usize) -> c_int {
    0
}

/// The identifier of a message without a pre-hash.
const RAW: *const c_char = c"".as_ptr();
/// The work memory for signing at degree 1024, which is the largest.
const MAX_WORK_LEN: usize = work_lens(10)[1];

/// Returns the sizes of the work memory for key generation, signing and verification, in bytes,
/// with the formulas from fndsa.h.
const fn work_lens(logn: u32) -> [usize; 3] {
    let n = 1 << logn;
    [26 * n + 31, 59 * n + 31, 4 * n + 31]
}

/// c-fn-dsa at one degree, with its keys and its last signature.
struct CPeer<'a> {
    logn: u32,
    random: RepeatableRng,
    private: [u8; 2305],
    public: [u8; 1793],
    signature: [u8; 1280],
    memory: &'a mut [u8; MAX_WORK_LEN],
}

impl CPeer<'_> {
    /// Returns the lengths of the private key, the public key and the signature.
    fn lengths(&self) -> (usize, usize, usize) {
        if self.logn == 9 { (1281, 897, 666) } else { (2305, 1793, 1280) }
    }

    fn seed(&mut self) -> [u8; 40] {
        let mut seed = [0; 40];
        self.random.fill(&mut seed);
        seed
    }
}

impl PeerOperations for CPeer<'_> {
    fn keygen(&mut self) -> bool {
        let seed = self.seed();
        let [keygen_work, _, _] = self.work_lens();
        // SAFETY: the keys and the work memory have the lengths that fndsa.h requires, and do not
        // overlap.
        let result = unsafe {
            fndsa_keygen_seeded_temp(
                self.logn,
                seed.as_ptr().cast(),
                seed.len(),
                self.private.as_mut_ptr().cast(),
                self.public.as_mut_ptr().cast(),
                self.memory.as_mut_ptr().cast(),
                keygen_work,
            )
        };
        result == 1
    }

    fn sign(&mut self) -> bool {
        let seed = self.seed();
        let (private, _, signature) = self.lengths();
        let [_, sign_work, _] = self.work_lens();
        // SAFETY: each pointer has the length that follows it.
        let len = unsafe {
            fndsa_sign_seeded_temp(
                self.private.as_ptr().cast(),
                private,
                ptr::null(),
                0,
                RAW,
                MESSAGE.as_ptr().cast(),
                MESSAGE.len(),
                seed.as_ptr().cast(),
                seed.len(),
                self.signature.as_mut_ptr().cast(),
                signature,
                self.memory.as_mut_ptr().cast(),
                sign_work,
            )
        };
        len == signature
    }

    fn verify(&mut self) -> bool {
        let (_, public, signature) = self.lengths();
        let [_, _, verify_work] = self.work_lens();
        // SAFETY: each pointer has the length that follows it.
        let valid = unsafe {
            fndsa_verify_temp(
                self.signature.as_ptr().cast(),
                signature,
                self.public.as_ptr().cast(),
                public,
                ptr::null(),
                0,
                RAW,
                MESSAGE.as_ptr().cast(),
                MESSAGE.len(),
                self.memory.as_mut_ptr().cast(),
                verify_work,
            )
        };
        valid == 1
    }

    fn work_lens(&self) -> [usize; 3] {
        work_lens(self.logn)
    }
}

#[unsafe(no_mangle)]
extern "C" fn start() -> ! {
    start_counter();
    let mut memory = [0; MAX_WORK_LEN];
    for (name, logn) in [("FN-DSA-512", 9), ("FN-DSA-1024", 10)] {
        let mut peer = CPeer {
            logn,
            random: RepeatableRng::new(0x1234_5678_9abc_def1),
            private: [0; _],
            public: [0; _],
            signature: [0; _],
            memory: &mut memory,
        };
        if !measure_operations(name, &mut peer) {
            fail("an operation of c-fn-dsa");
        }
    }
    exit(true)
}
