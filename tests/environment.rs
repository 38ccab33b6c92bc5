//! Tests that the caller's floating-point settings do not affect the library. The settings are the
//! rounding mode, the handling of subnormal numbers, and traps. With any settings, the library must
//! compute the same bytes, and must restore the settings.
#![cfg(any(target_arch = "x86_64", all(target_arch = "arm", target_abi = "eabihf")))]

mod common;

use common::library::levels;
use common::{assert_same, short};
use fndsa::Algorithm;
use fndsa::algorithm::Scheme;
use fndsa::message::Mu;
use fndsa::no_alloc::{Level, SigningKeyRef};
use fndsa::testing::FixedBytes;
use std::hint::black_box;

/// MXCSR, the control register for floating-point numbers on x86-64.
#[cfg(target_arch = "x86_64")]
mod register {
    use std::arch::asm;

    /// The default value: round to nearest, no traps.
    pub const DEFAULT: u32 = 0x1f80;
    /// The bits that record exceptions. They are not settings.
    pub const FLAGS: u32 = 0x3f;
    /// The position of the rounding mode.
    pub const ROUNDING: u32 = 13;
    /// The settings to test, as `(set_bits, mask)`: the register gets the value `(DEFAULT |
    /// rounding mode | set_bits) & mask`. Bit 15 is flush to zero, and bit 6 is denormals are zero.
    /// If the bits `0x1f80` are set, the traps are disabled, so a `mask` without these bits enables
    /// the traps.
    pub const SETTINGS: [(u32, u32); 4] = [(0, !0), (1 << 15, !0), (1 << 6, !0), (1 << 15 | 1 << 6, !0x1f80)];

    pub fn read() -> u32 {
        let mut x = 0u32;
        // SAFETY: the instruction only stores the register to `x`, a `u32` on the stack.
        unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut x, options(nostack)) };
        x
    }

    pub fn write(x: u32) {
        // SAFETY: `with_control` calls this function again to restore the default value. Between
        // the two calls, only `f` computes with floats, and `f` allows any settings.
        unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const x, options(nostack)) };
    }
}

/// FPSCR, the control register for floating-point numbers on 32-bit ARM.
#[cfg(target_arch = "arm")]
mod register {
    use std::arch::asm;

    /// The default value: round to nearest, no traps.
    pub const DEFAULT: u32 = 0;
    /// The bits that record exceptions and the result of a comparison. They are not settings.
    pub const FLAGS: u32 = 0xf800_009f;
    /// The position of the rounding mode.
    pub const ROUNDING: u32 = 22;
    /// The settings to test, as `(set_bits, mask)`: the register gets the value `(DEFAULT |
    /// rounding mode | set_bits) & mask`. Bit 24 is flush to zero, and bit 25 is default NaN. The
    /// emulator has no traps.
    pub const SETTINGS: [(u32, u32); 3] = [(0, !0), (1 << 24, !0), (1 << 24 | 1 << 25, !0)];

    pub fn read() -> u32 {
        let x;
        // SAFETY: the instruction only reads the register.
        unsafe { asm!("vmrs {}, fpscr", out(reg) x, options(nostack)) };
        x
    }

    pub fn write(x: u32) {
        // SAFETY: `with_control` calls this function again to restore the default value. Between
        // the two calls, only `f` computes with floats, and `f` allows any settings.
        unsafe { asm!("vmsr fpscr, {}", in(reg) x, options(nostack)) };
    }
}

/// Runs `f` with this value of the control register. Returns the result, and the register's value
/// after the call, without the flags. Then restores the default value.
#[inline(never)]
fn with_control<R>(control: u32, f: impl FnOnce() -> R) -> (R, u32) {
    register::write(control);
    let result = f();
    let control_after = register::read() & !register::FLAGS;
    register::write(register::DEFAULT);
    (result, control_after)
}

/// Generates a key pair. Returns several signatures, by the key and by the expanded key in turn,
/// and then the private key and the public key.
fn all_outputs(level: Level, algorithm: Algorithm) -> Vec<Vec<u8>> {
    let (mut sk, mut vk) = (vec![0; algorithm.signing_key_len()], vec![0; algorithm.verifying_key_len()]);
    let mut work =
        vec![0; algorithm.keygen_fast_work_len().max(algorithm.import_work_len()).max(algorithm.sign_work_len())];
    SigningKeyRef::generate(level, algorithm, &mut FixedBytes(&[5; 32]), &mut sk, &mut vk, &mut work).expect("a key");
    let key = fndsa::testing::signing_key(level, Scheme::FnDsa, &sk, &mut work).expect("a good key");
    let expanded = key.expand(level, &mut work).expect("enough memory");
    let public = fndsa::testing::verifying_key(Scheme::FnDsa, &vk).expect("a good key");
    let mut outputs = vec![];
    for i in 0..if short() { 2 } else { 10 } {
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
    for algorithm in [Algorithm::FN_DSA_512, Algorithm::FN_DSA_1024] {
        let expected = all_outputs(Level::detect(), algorithm);
        for level in levels() {
            for rounding in 0..4 {
                for (set_bits, mask) in register::SETTINGS {
                    let control = (register::DEFAULT | rounding << register::ROUNDING | set_bits) & mask;
                    let (found, control_after) = with_control(control, || all_outputs(level, algorithm));
                    assert_eq!(control_after, control, "{level}: the library did not restore the settings");
                    for (found, expected) in found.iter().zip(&expected) {
                        assert_same(found, expected, format_args!("{algorithm}, {level}, settings {control:#x}"));
                    }
                }
            }
        }
    }
}

/// Checks that the processor computes a different quotient if the rounding mode is not the default.
/// This shows that `with_control` changes the settings.
#[test]
fn the_test_changes_the_environment() {
    let third = |rounding: u32| {
        let control = register::DEFAULT | rounding << register::ROUNDING;
        let (third, _) = with_control(control, || black_box(black_box(1.0f64) / black_box(-3.0f64)));
        third.to_bits()
    };
    assert_eq!(third(0), (1.0f64 / -3.0).to_bits());
    assert!((1..4).any(|rounding| third(rounding) != third(0)));
}
