//! Measures memory and instructions for crate `fn-dsa`. Prints the lines of the image `measure`,
//! without the number of permutations.
//!
//! The crate `fn-dsa` does not use work memory from the caller, so `work` is always 0.
#![no_std]
#![no_main]

use core::alloc::{GlobalAlloc, Layout};
use core::marker::PhantomData;
use core::ptr;
use fn_dsa::{
    CryptoRng, DOMAIN_NONE, FN_DSA_LOGN_512, FN_DSA_LOGN_1024, HASH_ID_RAW, KeyPairGenerator, KeyPairGenerator512,
    KeyPairGenerator1024, RngCore, RngError, SigningKey, SigningKey512, SigningKey1024, VerifyingKey, VerifyingKey512,
    VerifyingKey1024, sign_key_size, signature_size, vrfy_key_size,
};
use fndsa_firmware::board::{exit, fail, start_counter};
use fndsa_firmware::panic_fails;
use fndsa_firmware::peers::{MESSAGE, PeerOperations, measure_operations};
use fndsa_firmware::repeatable::RepeatableRng;

panic_fails!();

/// An allocator without memory. A dependency must be linked with an allocator, but the operations
/// do not allocate.
struct NullAllocator;

// SAFETY: this allocator only returns null, which means that there is no memory.
unsafe impl GlobalAlloc for NullAllocator {
    unsafe fn alloc(&self, _: Layout) -> *mut u8 {
        ptr::null_mut()
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

#[global_allocator]
static ALLOCATOR: NullAllocator = NullAllocator;

/// The generator [`RepeatableRng`] for the version of `rand_core` that the crate uses.
struct RustPeerRng(RepeatableRng);

impl RngCore for RustPeerRng {
    fn next_u32(&mut self) -> u32 {
        let mut bytes = [0; 4];
        self.fill_bytes(&mut bytes);
        u32::from_le_bytes(bytes)
    }

    fn next_u64(&mut self) -> u64 {
        let mut bytes = [0; 8];
        self.fill_bytes(&mut bytes);
        u64::from_le_bytes(bytes)
    }

    fn fill_bytes(&mut self, out: &mut [u8]) {
        self.0.fill(out);
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), RngError> {
        self.fill_bytes(out);
        Ok(())
    }
}

impl CryptoRng for RustPeerRng {}

/// Crate `fn-dsa` at one degree, with the types for that degree, its keys and its last signature.
struct RustPeer<K, S, V> {
    types: PhantomData<(K, S, V)>,
    logn: u32,
    random: RustPeerRng,
    private: [u8; sign_key_size(FN_DSA_LOGN_1024)],
    public: [u8; vrfy_key_size(FN_DSA_LOGN_1024)],
    signature: [u8; signature_size(FN_DSA_LOGN_1024)],
}

impl<K: KeyPairGenerator, S: SigningKey, V: VerifyingKey> PeerOperations for RustPeer<K, S, V> {
    fn keygen(&mut self) -> bool {
        let private = &mut self.private[..sign_key_size(self.logn)];
        let public = &mut self.public[..vrfy_key_size(self.logn)];
        K::default().keygen(self.logn, &mut self.random, private, public);
        true
    }

    fn sign(&mut self) -> bool {
        let signature = &mut self.signature[..signature_size(self.logn)];
        S::decode(&self.private[..sign_key_size(self.logn)])
            .is_some_and(|mut key| key.sign(&mut self.random, &DOMAIN_NONE, &HASH_ID_RAW, MESSAGE, signature).is_some())
    }

    fn verify(&mut self) -> bool {
        V::decode(&self.public[..vrfy_key_size(self.logn)]).is_some_and(|key| {
            key.verify(&self.signature[..signature_size(self.logn)], &DOMAIN_NONE, &HASH_ID_RAW, MESSAGE)
        })
    }

    fn work_lens(&self) -> [usize; 3] {
        [0; 3]
    }
}

#[inline(never)]
fn measure_degree<K: KeyPairGenerator, S: SigningKey, V: VerifyingKey>(name: &str, logn: u32) {
    let mut peer = RustPeer {
        types: PhantomData::<(K, S, V)>,
        logn,
        random: RustPeerRng(RepeatableRng::new(0x1234_5678_9abc_def1)),
        private: [0; _],
        public: [0; _],
        signature: [0; _],
    };
    if !measure_operations(name, &mut peer) {
        fail("an operation of crate fn-dsa");
    }
}

#[unsafe(no_mangle)]
extern "C" fn start() -> ! {
    start_counter();
    measure_degree::<KeyPairGenerator512, SigningKey512, VerifyingKey512>("FN-DSA-512", FN_DSA_LOGN_512);
    measure_degree::<KeyPairGenerator1024, SigningKey1024, VerifyingKey1024>("FN-DSA-1024", FN_DSA_LOGN_1024);
    exit(true)
}
