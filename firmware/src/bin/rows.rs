//! Compares Keccak with the crate `keccak`. If the build has operations on rows, which are in
//! assembly (feature `armv7e-m`), this image also compares these operations with integer arithmetic
//! that uses remainders. A row is an array with residues modulo q (12289) or modulo the prime in
//! ML-DSA. The operands are random, or are the edges of each range.
#![no_std]
#![no_main]

use fndsa::testing::emulated::{
    HAS_RING_ROWS, HAS_SHORT_ROWS, RingRow, ShortRow, add_sampled, keccak_f, keccak_f_128, keep_sampled, ring_layers,
    ring_row, short_row, word_root,
};
use fndsa_firmware::board::{exit, fail, start_counter};
use fndsa_firmware::operands::OperandGenerator;
use fndsa_firmware::{panic_fails, say};
use keccak::Keccak;

panic_fails!();

/// The modulus q in FN-DSA and Falcon.
const Q: i32 = 12289;
/// The largest magnitude of a signed residue.
const HALF: i32 = Q / 2;
/// The modulus in ML-DSA.
const ML_DSA_Q: i64 = 8_380_417;
/// The maximum row length.
const MAX_ROW_LEN: usize = 1024;
/// The approximate number of operands for each kind of row, and of lanes in all Keccak states.
const OPERANDS: usize = 1_000_000;

/// Returns `x mod q` in `[0, q)`.
fn residue(x: i32) -> i32 {
    x.rem_euclid(Q)
}

/// Returns `x y mod q`.
fn times(x: i32, y: i32) -> i32 {
    residue(residue(x) * residue(y))
}

/// Returns `2^-16 mod q`.
fn inverse_of_r() -> i32 {
    // 2^-1 is (q + 1) / 2.
    (0..16).fold(1, |power, _| times(power, (Q + 1) / 2))
}

/// Returns the signed number with these 16 bits.
fn signed(x: u16) -> i32 {
    x.cast_signed().into()
}

/// Returns the lower 16 bits.
fn bits(x: i32) -> u16 {
    x as u16
}

/// Tests `DISTANCES` consecutive layers of the transform, or of its inverse if `is_inverse` is
/// true. The layer with the longest distance has `blocks` blocks. Residues in the input are at most
/// `input_bound` in magnitude, and residues in the output at most `output_bound`. The row (the
/// transformed array) starts at `offset` in the memory, so that the tests also cover addresses that
/// are not a multiple of 4.
fn layers<const DISTANCES: usize>(
    operands: &mut OperandGenerator,
    [distance, blocks, offset]: [usize; 3],
    is_inverse: bool,
    [input_bound, output_bound]: [i32; 2],
) {
    let len = 2 * distance * blocks;
    let (mut memory, mut want) = ([0; MAX_ROW_LEN + 1], [0; MAX_ROW_LEN]);
    let (mut z, mut words) = ([0; 2 * MAX_ROW_LEN], [0; 2 * MAX_ROW_LEN]);
    // `z` and `words` contain the roots for the forward direction. The other direction uses the
    // same roots of each layer in reverse order, with the opposite sign.
    for at in 0..blocks << DISTANCES {
        let root = operands.number(HALF);
        z[at] = times(root, inverse_of_r());
        words[at] = word_root(bits(root), Q as u16);
    }
    let found = &mut memory[offset..][..len];
    for (found, want) in found.iter_mut().zip(&mut want) {
        *want = operands.number(input_bound);
        *found = bits(*want);
    }
    ring_layers::<DISTANCES>(found, distance, &words[..blocks << DISTANCES], is_inverse);
    for layer in 0..DISTANCES {
        let layer = if is_inverse { DISTANCES - 1 - layer } else { layer };
        let (distance, first) = (distance >> layer, blocks << layer);
        for (k, block) in want[..len].chunks_exact_mut(2 * distance).enumerate() {
            let z = if is_inverse { Q - z[2 * first - 1 - k] } else { z[first + k] };
            let (low, high) = block.split_at_mut(distance);
            for (x, y) in low.iter_mut().zip(high) {
                if is_inverse {
                    (*x, *y) = (residue(*x + *y), times(*x - *y, z));
                } else {
                    let y_z = times(*y, z);
                    (*x, *y) = (residue(*x + y_z), residue(*x - y_z));
                }
            }
        }
    }
    for (at, (found, want)) in found.iter().zip(&want).enumerate() {
        if residue(signed(*found)) != *want || signed(*found).abs() > output_bound {
            say!(
                "{DISTANCES} layers from distance {distance}, inverse: {is_inverse}, index {at}: {} instead of {want} modulo q",
                signed(*found)
            );
            fail("a result is wrong or out of range");
        }
    }
    let wrote_outside = memory[..offset].iter().chain(&memory[offset + len..]).any(|x| *x != 0);
    if wrote_outside {
        fail("layers wrote outside the row");
    }
}

/// A row's numbers, in memory that is longer than the row. The rest of the memory is zero.
struct OffsetRow {
    memory: [u16; MAX_ROW_LEN + 1],
    offset: usize,
    len: usize,
}

impl OffsetRow {
    fn new(offset: usize, len: usize, mut number: impl FnMut() -> i32) -> Self {
        let mut it = Self { memory: [0; MAX_ROW_LEN + 1], offset, len };
        it.numbers_mut().fill_with(|| bits(number()));
        it
    }

    fn numbers(&self) -> &[u16] {
        &self.memory[self.offset..][..self.len]
    }

    fn numbers_mut(&mut self) -> &mut [u16] {
        &mut self.memory[self.offset..][..self.len]
    }

    /// Runs the operation `row` on a copy of the row. Each result must be in `least..=most`, and be
    /// congruent to the result of `want` for the original number and its index.
    fn compare(&self, what: &str, row: RingRow<'_>, [least, most]: [i32; 2], want: impl Fn(i32, usize) -> i32) {
        let mut found = Self { memory: self.memory, ..*self };
        if !ring_row(found.numbers_mut(), row) {
            fail("the build does not support a row operation");
        }
        for (at, (found, x)) in found.numbers().iter().zip(self.numbers()).enumerate() {
            let (found, want) = (signed(*found), want(signed(*x), at));
            if residue(found) != want || found < least || found > most {
                say!("{what} of {}: {found} instead of {want} modulo q", signed(*x));
                fail("a result is wrong or out of range");
            }
        }
        let mut outside = found.memory[..self.offset].iter().chain(&found.memory[self.offset + self.len..]);
        if outside.any(|x| *x != 0) {
            fail("an operation wrote outside its row");
        }
    }
}

/// Tests all operations on rows modulo q.
fn ring_rows(operands: &mut OperandGenerator) {
    let r = inverse_of_r();
    for (distance, blocks) in [(512, 1), (32, 1), (8, 5), (2, 3)] {
        for round in 0..OPERANDS / (8 * distance * blocks) {
            let shape = [distance, blocks, round % 2];
            layers::<1>(operands, shape, false, [2 * Q, Q + HALF]);
            layers::<1>(operands, shape, true, [HALF, HALF]);
        }
    }
    for (distance, blocks) in [(512, 1), (256, 1), (64, 4), (16, 16), (16, 3)] {
        for round in 0..OPERANDS / (10 * distance * blocks) {
            let shape = [distance, blocks, round % 2];
            layers::<2>(operands, shape, false, [2 * Q, 2 * Q]);
            layers::<2>(operands, shape, true, [HALF, HALF]);
        }
    }
    for blocks in [128, 64, 8, 3, 1] {
        for round in 0..OPERANDS / (40 * blocks) {
            let shape = [4, blocks, round % 2];
            layers::<3>(operands, shape, false, [2 * Q, 2 * Q]);
            layers::<3>(operands, shape, true, [Q, HALF]);
        }
    }
    let row = RingRow::Canonical;
    // Multiply each 16-bit number by the edge values and by random roots.
    for round in 0..(OPERANDS >> 16).max(6) {
        let root = if round < 5 { [HALF, -HALF, 0, 1, -1][round] } else { operands.number(HALF) };
        for chunk in 0..(1 << 16) / MAX_ROW_LEN {
            let mut next_number = (chunk * MAX_ROW_LEN) as i32;
            let it = OffsetRow::new(round % 2, MAX_ROW_LEN, || {
                next_number += 1;
                next_number - 1
            });
            let z = bits(root);
            it.compare("a product with a root", RingRow::Scaled([z, z.wrapping_mul(53249)]), [0, Q - 1], |x, _| {
                times(times(x, root), r)
            });
            if round == 0 {
                it.compare("the residue", row, [0, Q - 1], |x, _| residue(x));
            }
        }
    }
    for len in [MAX_ROW_LEN, 512, 64, 10, 2] {
        for round in 0..OPERANDS / (5 * len) {
            let y = OffsetRow::new(round / 2 % 2, len, || residue(operands.number(HALF)));
            let product = |x: i32, at: usize| times(times(x, signed(y.numbers()[at])), r);
            let it = OffsetRow::new(round % 2, len, || residue(operands.number(HALF)));
            it.compare("a product", RingRow::Times(y.numbers()), [0, Q - 1], product);
            let it = OffsetRow::new(round % 2, len, || operands.number(2 * Q));
            it.compare("a signed product", RingRow::TimesSigned(y.numbers()), [-Q, Q], product);
        }
    }
}

/// Returns `a b / 2^32` modulo the prime in ML-DSA.
fn short_product(a: i64, b: i64) -> i64 {
    // 2^-32 modulo the prime.
    const INVERSE_OF_R: i64 = 8_265_825;
    (a.rem_euclid(ML_DSA_Q) * b.rem_euclid(ML_DSA_Q) % ML_DSA_Q) * INVERSE_OF_R % ML_DSA_Q
}

/// Returns a number from `least` to `most`.
fn number_between(operands: &mut OperandGenerator, [least, most]: [i64; 2]) -> i64 {
    let half = (most - least) / 2;
    let from_middle = operands.number(half as i32);
    // `half` is rounded down, so the sum may not reach `most`. The largest offset gives `most`.
    if i64::from(from_middle) == half { most } else { least + half + i64::from(from_middle) }
}

/// Checks that the numbers in the row `found` are congruent to those in `want` and below `most`.
fn compare_short(what: &str, found: &[u32], want: &[i64], most: i64) {
    for (at, (found, want)) in found.iter().zip(want).enumerate() {
        let found = i64::from(*found);
        if found.rem_euclid(ML_DSA_Q) != want.rem_euclid(ML_DSA_Q) || found >= most {
            say!("{what}, index {at}: {found} instead of {want} modulo the prime");
            fail("a result is wrong or out of range");
        }
    }
}

/// Tests transforms of `len` values. The first layer uses the root at index `first`, as in a half
/// or a quarter of a longer transform.
fn short_transforms(operands: &mut OperandGenerator, len: usize, first: usize, roots: &[u32; 256]) {
    let (mut found, mut want) = ([0; 256], [0; 256]);
    for (found, want) in found.iter_mut().zip(&mut want).take(len) {
        *want = number_between(operands, [1 - ML_DSA_Q, 2 * ML_DSA_Q - 1]);
        *found = *want as u32;
    }
    short_row(&mut found[..len], ShortRow::Forward { roots, first });
    let mut blocks = 1;
    while blocks < len {
        for (k, block) in want[..len].chunks_exact_mut(len / blocks).enumerate() {
            let (low, high) = block.split_at_mut(len / blocks / 2);
            for (x, y) in low.iter_mut().zip(high) {
                let z = short_product(*y, roots[first * blocks + k].into());
                (*x, *y) = (*x + z, *x - z);
            }
        }
        blocks *= 2;
    }
    compare_short("a transform", &found[..len], &want, 18 * ML_DSA_Q);
    if found[len..].iter().any(|x| *x != 0) {
        fail("a transform wrote outside the row");
    }
}

/// Tests a complete inverse transform.
fn short_inverse(operands: &mut OperandGenerator, roots: &[u32; 256]) {
    let (mut found, mut want) = ([0; 256], [0; 256]);
    for (found, want) in found.iter_mut().zip(&mut want) {
        *want = number_between(operands, [0, 2 * ML_DSA_Q - 1]);
        *found = *want as u32;
    }
    let scale = number_between(operands, [0, ML_DSA_Q - 1]);
    short_row(&mut found, ShortRow::Backward { roots, scale: scale as u32 });
    let mut blocks = 128;
    while blocks > 0 {
        for (k, block) in want.chunks_exact_mut(256 / blocks).enumerate() {
            let (low, high) = block.split_at_mut(128 / blocks);
            for (x, y) in low.iter_mut().zip(high) {
                // The roots are used from the last root to the first, with the opposite sign.
                (*x, *y) = (*x + *y, short_product(*y - *x, roots[2 * blocks - 1 - k].into()));
            }
        }
        blocks /= 2;
    }
    for x in &mut want {
        *x = short_product(*x, scale);
    }
    compare_short("an inverse transform", &found, &want, ML_DSA_Q);
}

/// Tests products, and sums with products. One factor is below 18 times the prime in ML-DSA, and
/// the other factor is below the prime.
fn short_products(operands: &mut OperandGenerator, len: usize) {
    let (mut x, mut y, mut z) = ([0; 256], [0; 256], [0; 256]);
    let (mut product, mut sum) = ([0; 256], [0; 256]);
    for i in 0..len {
        x[i] = number_between(operands, [0, 2 * ML_DSA_Q - 1]) as u32;
        y[i] = number_between(operands, [0, ML_DSA_Q - 1]) as u32;
        z[i] = number_between(operands, [0, 18 * ML_DSA_Q - 1]) as u32;
        product[i] = short_product(y[i].into(), z[i].into());
        sum[i] = i64::from(x[i]) + product[i];
    }
    short_row(&mut x[..len], ShortRow::AddTimes(&y[..len], &z[..len]));
    compare_short("a sum with a product", &x, &sum, 2 * ML_DSA_Q);
    short_row(&mut z[..len], ShortRow::Times(&y[..len]));
    compare_short("a product modulo the prime in ML-DSA", &z, &product, 2 * ML_DSA_Q);
}

/// Tests sums of products of the rows' parts. All factors in the first round are as large as
/// possible.
fn short_sums(operands: &mut OperandGenerator, round: usize) {
    for parts in [4, 5, 7] {
        let (mut y, mut z) = ([0; 7 * 256], [0; 7 * 256]);
        let (mut found, mut sums) = ([0; 257], [0; 256]);
        for i in 0..256 * parts {
            y[i] = number_between(operands, [0, ML_DSA_Q - 1]) as u32;
            z[i] = number_between(operands, [0, 18 * ML_DSA_Q - 1]) as u32;
            if round == 0 {
                (y[i], z[i]) = (ML_DSA_Q as u32 - 1, 18 * ML_DSA_Q as u32 - 1);
            }
            sums[i % 256] += short_product(y[i].into(), z[i].into());
        }
        short_row(&mut found[..256], ShortRow::SumTimes(&y[..256 * parts], &z[..256 * parts]));
        compare_short("a sum of products", &found[..256], &sums, 2 * ML_DSA_Q);
        if found[256] != 0 {
            fail("a sum of products is outside the row");
        }
    }
}

/// Tests the parts of residues. In the first rounds, the residues are near the edges of all parts.
fn decomposed_rows(operands: &mut OperandGenerator, round: usize) {
    for parts in [44, 16] {
        let gamma2 = (ML_DSA_Q - 1) / parts / 2;
        let (mut found, mut numbers) = ([0; 256], [0; 256]);
        for (i, x) in numbers.iter_mut().enumerate() {
            *x = number_between(operands, [0, ML_DSA_Q - 1]);
            if round < 3 {
                let edge = i as i64 % parts * 2 * gamma2 + (round as i64 - 1) * gamma2;
                *x = (edge + i as i64 / parts % 5 - 2).rem_euclid(ML_DSA_Q);
            }
            found[i] = *x as u32;
        }
        short_row(&mut found, ShortRow::Decompose { gamma2: gamma2 as u32 });
        for (found, x) in found.iter().zip(numbers) {
            let mut low = x % (2 * gamma2);
            low -= if low > gamma2 { 2 * gamma2 } else { 0 };
            // If `x - low` is the prime minus 1, the high part is 0, and the low part is one less.
            let (high, low) = if x - low == ML_DSA_Q - 1 { (0, low - 1) } else { ((x - low) / (2 * gamma2), low) };
            if *found != (high as u32) << 24 | ((-low) as u32 & 0xff_ffff) {
                say!("{found:x} instead of the parts of {x}: {high} and {low}");
                fail("a part of a residue is wrong");
            }
        }
    }
}

/// Writes a number's `width` bits at a bit position in zeroed memory, the lowest bit first.
fn write_bits(memory: &mut [u8], first: usize, width: usize, number: u32) {
    for bit in 0..width {
        memory[(first + bit) / 8] |= ((number >> bit & 1) as u8) << ((first + bit) % 8);
    }
}

/// Checks that the numbers in the row `found` are congruent to the numbers in `want` and in the
/// range for a transform's input.
fn compare_folded(what: &str, found: &[u32], want: &[i64]) {
    for (at, (found, want)) in found.iter().zip(want).enumerate() {
        let found = i64::from(found.cast_signed());
        if found.rem_euclid(ML_DSA_Q) != want.rem_euclid(ML_DSA_Q) || found <= -ML_DSA_Q || found >= 2 * ML_DSA_Q {
            say!("{what}, index {at}: {found} instead of {want} modulo the prime");
            fail("a result is wrong or out of range");
        }
    }
}

/// Tests the rows that contain the residues of a packed polynomial: a half or a quarter of the
/// coefficients, folded with a root. If `round % 8` is 1, all fields are zero. If `round % 8` is 2,
/// all fields are as large as possible.
fn folded_rows(operands: &mut OperandGenerator, round: usize, root: u32) {
    let mut field = |width: usize| match round % 8 {
        1 => 0,
        2 => (1 << width) - 1,
        _ => operands.word() as u32 & ((1 << width) - 1),
    };
    // In four consecutive rounds, the fields begin at four consecutive addresses, so the tests
    // cover all alignments of a word.
    let offset = round % 4;
    for (width, largest) in [(3, 2), (4, 4), (18, 1 << 17), (20, 1 << 19)] {
        let (mut memory, mut fields, mut found) = ([0; 643], [0; 256], [0; 129]);
        let (mut want, len) = ([0; 128], 32 * width);
        for (i, x) in fields.iter_mut().enumerate() {
            *x = field(width);
            write_bits(&mut memory[offset..], width * i, width, *x);
        }
        for (i, want) in want.iter_mut().enumerate() {
            let [low, high] = [fields[i], fields[i + 128]].map(|x| i64::from(largest) - i64::from(x));
            *want = low + short_product(high, root.into());
        }
        let row = ShortRow::FoldHalf { fields: &memory[offset..][..len], largest, root };
        short_row(&mut found[..128], row);
        compare_folded("a half of a packed polynomial", &found, &want);
        if found[128] != 0 {
            fail("a residue is outside the row");
        }
    }
    for (width, largest) in [(3, 2), (4, 4), (18, 1 << 17), (20, 1 << 19)] {
        let (mut memory, mut found, mut want) = ([0; 643], [0; 65], [0; 64]);
        for i in (0..256).rev() {
            let x = field(width);
            write_bits(&mut memory[offset..], width * i, width, x);
            want[i % 64] = short_product(want[i % 64], root.into()) + i64::from(largest) - i64::from(x);
        }
        let row = ShortRow::FoldSignedQuarter { fields: &memory[offset..][..32 * width], largest, root };
        short_row(&mut found[..64], row);
        compare_folded("a quarter of a packed polynomial with signs", &found, &want);
        if found[64] != 0 {
            fail("a residue is outside the row");
        }
    }
    let (mut memory, mut found, mut want) = ([0; 323], [0; 65], [0; 64]);
    for i in (0..256).rev() {
        let x = field(10);
        write_bits(&mut memory[offset..], 10 * i, 10, x);
        want[i % 64] = short_product(want[i % 64], root.into()) + (i64::from(x) << 13);
    }
    short_row(&mut found[..64], ShortRow::FoldQuarter { fields: &memory[offset..][..320], root });
    compare_folded("a quarter of a packed polynomial", &found, &want);
    if found[64] != 0 {
        fail("a residue is outside the row");
    }
}

/// Tests [`add_sampled`], which samples coefficients and adds their products with `v` to the sums.
/// Many candidates are near the prime, so that some are dropped.
fn sampled_products(operands: &mut OperandGenerator, round: usize) {
    let (mut src, mut v, mut sums) = ([0; 171], [0; 64], [0; 195]);
    for candidate in src.as_chunks_mut::<3>().0 {
        let x = match operands.number(3) {
            0 => number_between(operands, [ML_DSA_Q - 1, ML_DSA_Q + 1]),
            _ => number_between(operands, [0, (1 << 24) - 1]),
        };
        candidate.copy_from_slice(&(x as u32).to_le_bytes()[..3]);
    }
    let (count, len, offset) = (1 + round % 56, 1 + round / 3 % 64, round % 2);
    let mut want = [0; 64];
    for i in 0..len {
        let sum = number_between(operands, [0, 2 * ML_DSA_Q - 1]);
        want[i] = sum;
        sums[offset + 3 * i..][..3].copy_from_slice(&(sum as u32).to_le_bytes()[..3]);
        v[i] = number_between(operands, [0, 20 * ML_DSA_Q]) as u32;
    }
    let (mut candidates, mut products) = (0, 0);
    while candidates < count && products < len {
        let [a, b, c] = src.as_chunks::<3>().0[candidates];
        let x = i64::from(u32::from_le_bytes([a, b, c & 0x7f, 0]));
        candidates += 1;
        if x < ML_DSA_Q {
            want[products] += short_product(x, v[products].into());
            products += 1;
        }
    }
    let used = add_sampled(&src, count, &v[..len], &mut sums[offset..][..3 * len]);
    if (used.candidates, used.products) != (candidates, products) {
        say!("{used:?} instead of {candidates} candidates and {products} products");
        fail("sampling used another part of its input");
    }
    let mut found = [0; 64];
    for (found, [a, b, c]) in found.iter_mut().zip(sums[offset..][..3 * len].as_chunks::<3>().0) {
        *found = u32::from_le_bytes([*a, *b, *c, 0]);
    }
    compare_short("a sum with sampled products", &found[..len], &want, 2 * ML_DSA_Q);
    if sums[..offset].iter().chain(&sums[offset + 3 * len..]).any(|x| *x != 0) {
        fail("a sum is outside its memory");
    }
    let mut kept = [u32::MAX; 65];
    if keep_sampled(&src, count, &mut kept[..len]) != used {
        fail("sampling without products used another part of its input");
    }
    let all = src.as_chunks::<3>().0[..candidates].iter().map(|[a, b, c]| u32::from_le_bytes([*a, *b, c & 0x7f, 0]));
    let residues = all.filter(|x| i64::from(*x) < ML_DSA_Q);
    if !residues.eq(kept[..products].iter().copied()) || kept[products..].iter().any(|x| *x != u32::MAX) {
        fail("a sampled residue is wrong or outside its memory");
    }
}

/// Tests sums of parts of a row, with signed elements that have `width` bits.
fn sparse_sums(operands: &mut OperandGenerator, round: usize) {
    for (width, len, max_terms) in [(8, 32, 63), (16, 16, 7)] {
        let (mut bytes, mut halfwords, mut found, mut want) = ([0; 512], [0; 512], [0; 33], [0; 32]);
        let largest = ((1 << (width - 1)) - 1) / max_terms as i64;
        for (byte, halfword) in bytes.iter_mut().zip(&mut halfwords) {
            let x = match round % 8 {
                0 => largest,
                1 => -largest,
                _ => number_between(operands, [-largest, largest]),
            };
            (*byte, *halfword) = (x as u8, x as u16);
        }
        let mut places = [0; 63];
        places.fill_with(|| number_between(operands, [0, 255]) as u8);
        let count = (round / 2 + 1) % (max_terms + 1);
        let positive = operands.word() as usize % (count + 1);
        let first = 256 + len * (round % (256 / len));
        for i in 0..len {
            found[i] = operands.word() as u32;
            want[i] = found[i];
            for (number, place) in places[..count].iter().enumerate() {
                let at = first + i - usize::from(*place);
                let x = if width == 8 { i32::from(bytes[at] as i8) } else { i32::from(halfwords[at] as i16) };
                let x = if number < positive { x } else { -x };
                want[i] = want[i].wrapping_add(x.cast_unsigned());
            }
        }
        let places = &places[..count];
        let row = match width {
            8 => ShortRow::AddBytes { src: &bytes, first, places, positive },
            _ => ShortRow::AddHalfwords { src: &halfwords, first, places, positive },
        };
        short_row(&mut found[..len], row);
        if found[..len] != want[..len] || found[len] != 0 {
            say!("elements with {width} bits, {count} places from {first}, {positive} are positive");
            fail("a sum of parts is wrong");
        }
    }
}

/// Tests all operations on rows modulo the prime in ML-DSA.
fn short_rows(operands: &mut OperandGenerator) {
    for round in 0..OPERANDS / 1000 {
        // In one of eight rounds, all roots are the prime minus 1, the largest value.
        let mut roots = [0; 256];
        roots.fill_with(|| match round % 8 {
            0 => ML_DSA_Q as u32 - 1,
            _ => number_between(operands, [0, ML_DSA_Q - 1]) as u32,
        });
        for (len, first) in [(256, 1), (128, 2), (128, 3), (64, 4 + round % 4)] {
            short_transforms(operands, len, first, &roots);
        }
        short_inverse(operands, &roots);
        sparse_sums(operands, round);
        for len in [256, 32, 2] {
            short_products(operands, len);
        }
        short_sums(operands, round);
        decomposed_rows(operands, round);
        folded_rows(operands, round, roots[1]);
    }
    for round in 0..OPERANDS / 32 {
        sampled_products(operands, round);
    }
}

/// Compares Keccak permutations with the crate `keccak`, for blocks with `WORDS` words.
fn permutations<const WORDS: usize>(operands: &mut OperandGenerator, permute: fn(&mut [u64; 25])) {
    let peer_keccak = Keccak::new();
    // The library may store the words after a block in a different form than the crate. The second
    // permutation reads these words, so it tests them.
    let compare = |blocks: [[u64; WORDS]; 2]| {
        let mut state = [0; 25];
        let mut want = [0; 25];
        for block in blocks {
            for (at, word) in block.iter().enumerate() {
                state[at] ^= word;
                want[at] ^= word;
            }
            permute(&mut state);
            peer_keccak.with_f1600(|permute| permute(&mut want));
            if state[..WORDS] != want[..WORDS] {
                fail("the permutation differs from the permutation of the crate keccak");
            }
        }
    };
    compare([[0; WORDS]; 2]);
    compare([[u64::MAX; WORDS]; 2]);
    for bit in 0..64 * WORDS {
        let mut block = [0; WORDS];
        block[bit / 64] = 1 << (bit % 64);
        compare([block, block.map(|word| !word)]);
        compare([block.map(|word| !word), block]);
    }
    for _ in 0..OPERANDS / (2 * WORDS) {
        compare(core::array::from_fn(|_| core::array::from_fn(|_| operands.word())));
    }
}

#[unsafe(no_mangle)]
extern "C" fn start() -> ! {
    start_counter();
    let mut operands = OperandGenerator::START;
    permutations::<17>(&mut operands, keccak_f);
    permutations::<21>(&mut operands, keccak_f_128);
    if HAS_RING_ROWS != cfg!(feature = "armv7e-m") || HAS_SHORT_ROWS != cfg!(feature = "armv7e-m") {
        fail("the build must support rows exactly if it has the feature armv7e-m");
    }
    if HAS_RING_ROWS {
        ring_rows(&mut operands);
        short_rows(&mut operands);
    }
    exit(true)
}
