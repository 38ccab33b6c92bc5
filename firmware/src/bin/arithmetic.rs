//! Compares the library's binary64 operations, which use only integer instructions, with the
//! compiler's binary64 operations, bit for bit. The operands are special values with many
//! exponents, such as 0, 1 and 2^53 - 1, and random numbers. Many random numbers have few
//! significant bits, because ties and cancellations are otherwise rare. The operations on rows
//! (arrays) with complex numbers, which are in assembly (feature `armv7e-m`), are compared in the
//! same way. This image also prints a line `operation count` for each operation and for a Keccak
//! permutation, which `firmware/run` reads.
#![no_std]
#![no_main]

use core::hint::black_box;
use fndsa::testing::emulated::{
    count_larger, from_i32, horner_of_high_products, keccak_f, left_targets_row, merge_row, merge_two_rows, product,
    quotient, split_row, split_two_rows, sum, sum_and_difference,
};
use fndsa_firmware::board::{counter_value, exit, fail, start_counter};
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

/// A complex number as a real part and an imaginary part.
type ComplexNumber = [f64; 2];

/// A quarter of a row contains at most this many complex numbers.
const MAX_QUARTER: usize = 5;
/// A row contains at most this many real numbers.
const MAX_ROW_LEN: usize = 8 * MAX_QUARTER;

/// Returns `a + b k`, where k is 1 or -1.
fn add_times([a, b]: ComplexNumber, [c, d]: ComplexNumber, k: f64) -> ComplexNumber {
    [a + c * k, b + d * k]
}

/// Returns `a b`.
fn complex_product([a, b]: ComplexNumber, [c, d]: ComplexNumber) -> ComplexNumber {
    [a * c - b * d, a * d + b * c]
}

/// Returns `(x + w y, x - w y)`.
fn merged(x: ComplexNumber, y: ComplexNumber, w: ComplexNumber) -> [ComplexNumber; 2] {
    let product = complex_product(y, w);
    [add_times(x, product, 1.0), add_times(x, product, -1.0)]
}

/// Returns `((x + y) k, (x - y) conj(w) k)`, where k is 1 or 1/2.
fn split(x: ComplexNumber, y: ComplexNumber, w: ComplexNumber, k: f64) -> [ComplexNumber; 2] {
    let [a, b] = add_times(x, y, -1.0);
    let [c, d] = w;
    [add_times(x, y, 1.0), [a * c + b * d, b * c - a * d]].map(|z| z.map(|x| x * k))
}

/// The layout of a row, which is an array of complex numbers. The row consists of blocks with
/// `part` complex numbers. Each block has first all real parts and then all imaginary parts.
#[derive(Clone, Copy)]
struct RowLayout {
    /// The number of complex numbers in a block.
    part: usize,
}

impl RowLayout {
    /// Returns number `i`.
    fn number(self, row: &[u64], i: usize) -> ComplexNumber {
        self.places(i).map(|at| f64::from_bits(row[at]))
    }

    /// Writes number `i`.
    fn write(self, row: &mut [u64], i: usize, number: ComplexNumber) {
        for (at, x) in self.places(i).into_iter().zip(number) {
            row[at] = x.to_bits();
        }
    }

    /// Returns the positions of the real and the imaginary part of number `i`.
    fn places(self, i: usize) -> [usize; 2] {
        let re = i / self.part * 2 * self.part + i % self.part;
        [re, re + self.part]
    }
}

/// The bits in the fraction field.
const FRACTION: u64 = (1 << 52) - 1;

/// Sets the fraction in some numbers to 1 + 2^-52 or 1.5 + 2^-52. Their product is slightly above
/// the middle between two numbers.
fn with_edges(operands: &mut OperandGenerator, number: u64) -> u64 {
    match operands.word() % 8 {
        0 => number & !FRACTION | 1,
        1 => number & !FRACTION | 1 << 51 | 1,
        _ => number,
    }
}

/// Returns a row with `len` random numbers. An eighth are zeros, positive or negative.
fn random_row(operands: &mut OperandGenerator, len: usize, spread: u64) -> [u64; MAX_ROW_LEN] {
    let mut row = [0; MAX_ROW_LEN];
    for x in &mut row[..len] {
        let number = operands.binary64(spread);
        let number = with_edges(operands, number);
        *x = if operands.word().is_multiple_of(8) { number & SIGN } else { number };
    }
    row
}

/// Returns the parts of random roots. Their magnitude is between `2^-31` and 1.
fn random_roots(operands: &mut OperandGenerator) -> [u64; MAX_ROW_LEN] {
    let mut roots = [0; MAX_ROW_LEN];
    for x in &mut roots {
        let exponent = 1022 - operands.word() % 31;
        let number = operands.binary64(0) & (SIGN | FRACTION) | exponent << 52;
        *x = with_edges(operands, number);
    }
    roots
}

/// Fails if the two rows differ.
fn compare_rows(operation: &str, quarter: usize, found: &[u64], expected: &[u64]) {
    if found != expected {
        say!("{operation} with quarters of {quarter} numbers: {found:x?} instead of {expected:x?}");
        fail("a row differs from the compiler's result");
    }
}

/// Tests two layers of the transform or its inverse, on a block.
fn compare_layers(operands: &mut OperandGenerator, quarter: usize, spread: u64, is_inverse: bool) {
    let half_len = 4 * quarter;
    let mut found = random_row(operands, 2 * half_len, spread);
    let mut expected = found;
    let (re, im) = (random_roots(operands), random_roots(operands));
    let (found_re, found_im) = found[..2 * half_len].split_at_mut(half_len);
    let rows = [found_re, found_im];
    let (operation, is_done) = match is_inverse {
        true => ("two inverse layers", split_two_rows(quarter, rows, [&re, &im])),
        false => ("two layers", merge_two_rows(quarter, rows, [&re, &im])),
    };
    if !is_done {
        return;
    }
    let layout = RowLayout { part: half_len };
    for half in if is_inverse { [2 * quarter, quarter] } else { [quarter, 2 * quarter] } {
        for i in (0..half_len).filter(|i| i % (2 * half) < half) {
            let (x, y) = (layout.number(&expected, i), layout.number(&expected, i + half));
            let w = [re, im].map(|part| f64::from_bits(part[half + i % (2 * half)]));
            let [u, v] = if is_inverse { split(x, y, w, 1.0) } else { merged(x, y, w) };
            layout.write(&mut expected, i, u);
            layout.write(&mut expected, i + half, v);
        }
    }
    compare_rows(operation, quarter, &found, &expected);
}

/// Tests the operations on the rows in a tree node.
fn compare_node_rows(operands: &mut OperandGenerator, quarter: usize, spread: u64) {
    let len = 4 * quarter;
    let (whole, halves) = (RowLayout { part: 2 * quarter }, RowLayout { part: quarter });
    let [mut w, mut l10, mut t0, mut t1] = [(); 4].map(|()| random_row(operands, len, spread));
    let (re, im) = (random_roots(operands), random_roots(operands));
    let roots: [&[u64]; 2] = [&re, &im];
    let root = |i: usize| [re, im].map(|part| f64::from_bits(part[i]));
    let [mut merged_row, mut split_t1, mut targets, mut new_t1] = [[0; MAX_ROW_LEN]; 4];
    for i in 0..quarter {
        let pair = merged(halves.number(&w, i), halves.number(&w, i + quarter), root(i));
        let mut sums = pair;
        for (sum, at) in sums.iter_mut().zip([i, i + quarter]) {
            whole.write(&mut merged_row, at, *sum);
            let difference = add_times(whole.number(&t1, at), *sum, -1.0);
            whole.write(&mut new_t1, at, *sum);
            let product = complex_product(difference, whole.number(&l10, at));
            *sum = add_times(whole.number(&t0, at), product, 1.0);
        }
        let rows = [(&mut targets, sums), (&mut split_t1, [i, i + quarter].map(|at| whole.number(&t1, at)))];
        for (row, [x, y]) in rows {
            let [u, v] = split(x, y, root(i), 0.5);
            halves.write(row, i, u);
            halves.write(row, i + quarter, v);
        }
    }
    let mut found = [0; MAX_ROW_LEN];
    if merge_row(&mut w[..len], &mut found[..len], roots) {
        compare_rows("merge_row", quarter, &found, &merged_row);
    }
    if split_row(&mut t1[..len], &mut found[..len], roots) {
        compare_rows("split_row", quarter, &found, &split_t1);
    }
    if left_targets_row([&mut w[..len], &mut l10[..len], &mut t0[..len], &mut t1[..len]], roots) {
        compare_rows("left_targets_row", quarter, &w, &targets);
        compare_rows("left_targets_row, t1", quarter, &t1, &new_t1);
    }
}

/// Tests the integer computations in the sampler: counting the table entries above a number, and
/// evaluating a polynomial. Many table entries are near the number.
fn compare_sampler(operands: &mut OperandGenerator) {
    let mut random = || u128::from(operands.word()) << 32 | u128::from(operands.word() as u32);
    let v = random() >> (random() % 96);
    let mut table = [0; 18];
    for entry in &mut table {
        let distance = random() >> (random() % 96);
        *entry = match random() % 4 {
            0 => v.saturating_sub(distance),
            1 => (v + distance) & ((1 << 96) - 1),
            2 => v,
            _ => distance,
        };
    }
    let expected = table.iter().filter(|entry| **entry > v).count();
    if count_larger(v, &table).is_some_and(|count| count as usize != expected) {
        say!("{v:x} and {table:x?}");
        fail("the count of larger entries is wrong");
    }
    let high_product = |a: u64, b: u64| ((u128::from(a) * u128::from(b)) >> 64) as u64;
    let [x, scale] = [operands.word(), operands.word()];
    let mut coefficients = [0; 13];
    coefficients.fill_with(|| operands.word() >> (operands.word() % 64));
    let mut value = coefficients[0];
    for coefficient in &coefficients[1..] {
        value = coefficient.wrapping_sub(high_product(value, x));
    }
    if horner_of_high_products(x, scale, &coefficients).is_some_and(|found| found != high_product(value, scale)) {
        say!("{x:x}, {scale:x} and {coefficients:x?}");
        fail("the value of a polynomial is wrong");
    }
}

/// Prints the mean count for a call of an operation: instructions in an emulator, or cycles on
/// hardware. The count includes the loop and the call, which the line `nothing` measures alone.
fn count(operation: &str, run: &mut dyn FnMut()) {
    const CALLS: u64 = 10_000;
    let start_count = counter_value();
    for _ in 0..CALLS {
        run();
    }
    say!("{operation} {}", (counter_value() - start_count) / CALLS);
}

#[unsafe(no_mangle)]
extern "C" fn start() -> ! {
    start_counter();
    let largest = 9_007_199_254_740_991.0;
    let above_half = 1.5 + f64::EPSILON;
    let around_one = [1.0 + f64::EPSILON, 1.0 - f64::EPSILON / 2.0];
    let edges = [0.0, 1.0, 0.5, 1.5, 3.0, largest, around_one[0], around_one[1], above_half, 2.0 - f64::EPSILON];
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
            // and with both zeros.
            for b in [b, a, a + 1, 0, SIGN] {
                compare(a, b);
                compare(b, a);
            }
        }
    }
    for round in 0..PAIRS / 10 {
        let (quarter, spread) = (1 + round % MAX_QUARTER, [0, 3, 30, 100][round / MAX_QUARTER % 4]);
        compare_layers(&mut operands, quarter, spread, false);
        compare_layers(&mut operands, quarter, spread, true);
        compare_node_rows(&mut operands, quarter, spread);
        compare_sampler(&mut operands);
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
