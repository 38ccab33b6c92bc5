//! An image that must not panic: verification with constant keys for FN-DSA-1024 and for the two
//! larger parameter sets of ML-DSA. With several parameter sets, some lengths are variables, so the
//! compiler must prove more to remove the panics.
#![no_std]
#![no_main]

use core::hint::black_box;
use fndsa::Options;
use fndsa::no_alloc::{FnDsa1024Key, MlDsa65Key, MlDsa87Key, StaticAlgorithm, StaticVerifyingKey, Verified};
use fndsa_firmware::board::exit;
use fndsa_firmware::panic_does_not_link;

panic_does_not_link!();

static FN_DSA: FnDsa1024Key = FnDsa1024Key::new({
    let mut bytes = [0; 1793];
    (bytes[0], bytes[1792]) = (10, 1);
    bytes
});
static ML_DSA_65: MlDsa65Key = MlDsa65Key::new(*include_bytes!("../../data/boot-ml-dsa-65.pub"));
static ML_DSA_87: MlDsa87Key = MlDsa87Key::new(*include_bytes!("../../data/boot-ml-dsa-87.pub"));

/// Returns whether the signature is valid for a page.
#[inline(never)]
fn is_valid<A: StaticAlgorithm, const LEN: usize>(key: &StaticVerifyingKey<A, LEN>) -> bool {
    let [context, page, signature]: [&[u8]; 3] = black_box([&[]; 3]);
    let Ok(mut verifier) = key.verifier(Options::with_context(context).with_prehash(black_box(None))) else {
        return false;
    };
    verifier.update(page);
    let mut work = A::WORK;
    verifier.finish(signature, &mut work).is_ok_and(|verdict| verdict.value() == Verified::YES)
}

#[unsafe(no_mangle)]
extern "C" fn start() -> ! {
    exit(is_valid(&FN_DSA) | is_valid(&ML_DSA_65) | is_valid(&ML_DSA_87))
}
