//! Tests that the caller's floating-point settings do not affect the library. The settings are the
//! rounding mode, the handling of subnormal numbers, and traps. With any settings, the library must
//! compute the same bytes, and must restore the settings.
#![cfg(target_arch = "x86_64")]

mod common;

use common::assert_same;
use common::library::levels;
use fndsa::Algorithm;
use fndsa::algorithm::Scheme;
use fndsa::message::Mu;
use fndsa::no_alloc::{Level, SigningKeyRef};
use fndsa::testing::FixedBytes;
use std::arch::asm;

/// The default value of MXCSR, the control register for floating-point numbers on x86-64: round to
/// nearest, no traps.
const DEFAULT: u32 = 0x1f80;
/// The bits of MXCSR that record exceptions. They are not settings.
const FLAGS: u32 = 0x3f;

/// Returns the register MXCSR.
fn mxcsr() -> u32 {
    let mut x = 0u32;
    // SAFETY: the instruction only stores the register to `x`, a `u32` on the stack.
    unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut x, options(nostack)) };
    x
}

/// Sets the register MXCSR.
fn set_mxcsr(x: u32) {
    // SAFETY: between two calls, only the library computes with floats, and it sets MXCSR itself.
    unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const x, options(nostack)) };
}

/// Runs `f` with this MXCSR value. Returns the result, and the MXCSR value after the call
/// without its flags.
#[inline(never)]
fn with_mxcsr<R>(control: u32, f: impl FnOnce() -> R) -> (R, u32) {
    set_mxcsr(control);
    let result = f();
    let mxcsr_after = mxcsr() & !FLAGS;
    set_mxcsr(DEFAULT);
    (result, mxcsr_after)
}

/// Generates a key pair, and returns signatures by the key and by the expanded key, the private key
/// and the public key.
fn all_outputs(level: Level, algorithm: Algorithm) -> Vec<Vec<u8>> {
    let (mut sk, mut vk) = (vec![0; algorithm.signing_key_len()], vec![0; algorithm.verifying_key_len()]);
    let mut work =
        vec![0; algorithm.keygen_fast_work_len().max(algorithm.import_work_len()).max(algorithm.sign_work_len())];
    SigningKeyRef::generate(level, algorithm, &mut FixedBytes(&[5; 32]), &mut sk, &mut vk, &mut work).expect("a key");
    let key = fndsa::testing::signing_key(level, Scheme::FnDsa, &sk, &mut work).expect("a good key");
    let expanded = key.expand(level, &mut work).expect("enough memory");
    let public = fndsa::testing::verifying_key(Scheme::FnDsa, &vk).expect("a good key");
    let mut outputs = vec![];
    for i in 0..10 {
        let (mu, mut signature) = (Mu::from_bytes([i; 64]), vec![0; algorithm.signature_len()]);
        key.sign(level, &mu, &mut FixedBytes(&[i; 40]), &mut signature, &mut work).expect("a signature");
        public.verify(level, &mu, &signature, &mut work).expect("a valid signature");
        outputs.push(signature.clone());
        expanded.sign(&mu, &mut FixedBytes(&[i; 40]), &mut signature, &mut work).expect("a signature");
        outputs.push(signature);
    }
    outputs.extend([sk, vk]);
    outputs
}

#[test]
fn the_environment_does_not_change_the_results() {
    let (flush, denormals_are_zero, unmasked) = (1 << 15, 1 << 6, !0x1f80);
    for algorithm in [Algorithm::FN_DSA_512, Algorithm::FN_DSA_1024] {
        let expected = all_outputs(Level::detect(), algorithm);
        for level in levels() {
            for rounding in 0..4 {
                for (set_bits, mask) in
                    [(0, !0), (flush, !0), (denormals_are_zero, !0), (flush | denormals_are_zero, unmasked)]
                {
                    let control = (DEFAULT | rounding << 13 | set_bits) & mask;
                    let (found, mxcsr_after) = with_mxcsr(control, || all_outputs(level, algorithm));
                    assert_eq!(mxcsr_after, control, "{level}: the library did not restore MXCSR");
                    for (found, expected) in found.iter().zip(&expected) {
                        assert_same(found, expected, format_args!("{algorithm}, {level}, MXCSR {control:#x}"));
                    }
                }
            }
        }
    }
}

/// With another rounding mode, the processor computes a different quotient. So the settings in the
/// tests above have an effect.
#[test]
fn the_test_changes_the_environment() {
    let (third, _) = with_mxcsr(DEFAULT | 1 << 13, || std::hint::black_box(1.0f64) / std::hint::black_box(-3.0f64));
    assert_ne!(third.to_bits(), (1.0f64 / -3.0).to_bits());
}
