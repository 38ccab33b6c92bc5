//! Compares the library's binary64 operations, which use only integer instructions, with the
//! compiler's binary64 operations, bit for bit. The operands are special values, such as 0, 1 and
//! 2^53 - 1, with many exponents, and random numbers. Many random numbers have few significant
//! bits, because ties and cancellations are rare with other numbers. This image also prints a line
//! `operation count` for each operation and for a Keccak permutation, which `firmware/run` reads.
#![no_std]
#![no_main]

use core::hint::black_box;
use fndsa::testing::emulated::{from_i32, keccak_f, product, quotient, sum, sum_and_difference};
use fndsa_firmware::board::{exit, fail, instructions, start_counter};
use fndsa_firmware::operands::{OperandGenerator, SIGN};
use fndsa_firmware::{panic_fails, say};

panic_fails!();

/// The number of pairs for each exponent range, and the number of random integers for `from_i32`.
const PAIRS: usize = match option_env!("FNDSA_LONG") {
    Some(_) => 150_000,
    None => 15_000,
};

/// Fails if the bits `found` are not the bits of `expected`.
fn compare_result(operation: &str, [a, b]: [u64; 2], found: u64, expected: f64) {
    if found != expected.to_bits() {
        say!("{operation} of {a:016x} and {b:016x}: {found:016x} instead of {:016x}", expected.to_bits());
        fail("a result differs from the compiler's result");
    }
}

/// Compares all operations on two binary64 numbers, which are given as bits.
fn compare(a: u64, b: u64) {
    let (x, y) = (f64::from_bits(a), f64::from_bits(b));
    compare_result("sum", [a, b], sum(a, b), x + y);
    compare_result("sum", [a, b ^ SIGN], sum(a, b ^ SIGN), x - y);
    let (sum_of_both, difference_of_both) = sum_and_difference(a, b);
    compare_result("sum with the difference", [a, b], sum_of_both, x + y);
    compare_result("difference with the sum", [a, b], difference_of_both, x - y);
    compare_result("product", [a, b], product(a, b), x * y);
    if y != 0.0 {
        compare_result("quotient", [a, b], quotient(a, b), x / y);
    }
}

/// Prints the mean count for a call of an operation: instructions in an emulator, or cycles on
/// hardware. The count includes the loop and the call, which the line `nothing` measures alone.
fn count(operation: &str, run: &mut dyn FnMut()) {
    const CALLS: u64 = 10_000;
    let start_count = instructions();
    for _ in 0..CALLS {
        run();
    }
    say!("{operation} {}", (instructions() - start_count) / CALLS);
}

#[unsafe(no_mangle)]
extern "C" fn start() -> ! {
    start_counter();
    let largest = 9_007_199_254_740_991.0;
    let edges = [0.0, 1.0, 0.5, 1.5, 3.0, largest, 1.0 + f64::EPSILON, 1.0 - f64::EPSILON / 2.0, 2.0 - f64::EPSILON];
    for (x, y) in edges.iter().flat_map(|x| edges.iter().map(move |y| (*x, *y))) {
        for shift in 0..120 {
            let power = f64::from_bits((1023 + shift) << 52);
            for (a, b) in [(x, y * power), (x * power, y), (x / power, -y), (-x, -y / power)] {
                compare(a.to_bits(), b.to_bits());
            }
        }
    }
    let mut operands = OperandGenerator::START;
    for spread in [0, 1, 3, 30, 60, 120, 230] {
        for _ in 0..PAIRS {
            let (a, b) = (operands.binary64(spread), operands.binary64(spread));
            // Compare `a` with another random number, with itself, with the next larger magnitude,
            // and with a zero of either sign.
            for b in [b, a, a + 1, 0, SIGN] {
                compare(a, b);
                compare(b, a);
            }
        }
    }
    for _ in 0..PAIRS {
        let x = operands.word() as i32 >> (operands.word() % 32);
        compare_result("from_i32", [x as u64, 0], from_i32(x), f64::from(x));
    }
    for x in [0, 1, -1, i32::MAX, i32::MIN] {
        compare_result("from_i32", [x as u64, 0], from_i32(x), f64::from(x));
    }
    let (a, b) = (operands.binary64(20), operands.binary64(20));
    count("nothing", &mut || {
        black_box(black_box(a) ^ black_box(b));
    });
    count("sum", &mut || {
        black_box(sum(black_box(a), black_box(b)));
    });
    count("sum_and_difference", &mut || {
        black_box(sum_and_difference(black_box(a), black_box(b)));
    });
    count("product", &mut || {
        black_box(product(black_box(a), black_box(b)));
    });
    count("quotient", &mut || {
        black_box(quotient(black_box(a), black_box(b)));
    });
    count("from_i32", &mut || {
        black_box(from_i32(black_box(a as i32)));
    });
    let mut state = [0; 25];
    count("keccak_f", &mut || keccak_f(black_box(&mut state)));
    exit(true)
}
