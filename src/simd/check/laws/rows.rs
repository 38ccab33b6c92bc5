//! Laws for operations on complete rows (arrays): an operation must compute the same result as a
//! loop over the numbers, for any length and any remainder after the last whole vector.

use super::TestNumbers;
use crate::simd::{Real, RingRoots, RingRow, Simd, U64s, WithSimd, keccak_constant};

/// The modulus for the rows.
const Q: u16 = 12289;
/// `1/q mod 2^16`.
const Q_INV: u16 = 53249;

/// Returns `2^-16 mod q`.
fn inverse_of_r() -> i64 {
    (1..i64::from(Q)).find(|x| (x << 16) % i64::from(Q) == 1).expect("2^16 has an inverse, because q is odd")
}

/// Returns `x mod q` in `[0, q)`.
fn residue(x: i64) -> u16 {
    x.rem_euclid(Q.into()) as u16
}

/// Returns the signed number with these bits.
fn signed(x: u16) -> i64 {
    x.cast_signed().into()
}

/// Returns random signed numbers with magnitudes up to `q thousandths / 1000`.
fn numbers(generator: &mut TestNumbers, len: usize, thousandths: u64) -> Vec<u16> {
    let bound = u64::from(Q) * thousandths / 1000;
    (0..len).map(|_| (generator.next() % (2 * bound + 1)).wrapping_sub(bound) as u16).collect()
}

/// Laws for rows modulo q.
#[derive(Clone, Copy)]
pub struct RingRows;

impl RingRows {
    /// Checks `DISTANCES` layers on a row with `blocks` blocks. `distance` is the longest distance
    /// between two values that a layer combines.
    fn layers<S: Simd, const DISTANCES: usize>(
        isa: S,
        generator: &mut TestNumbers,
        distance: usize,
        blocks: usize,
        is_inverse: bool,
    ) {
        let z = numbers(generator, blocks << DISTANCES, 499);
        let zq: Vec<u16> = z.iter().map(|z| z.wrapping_mul(Q_INV)).collect();
        // The ranges for one, two and three layers, as documented in `modq::ntt`.
        let (input_bound, output_bound) = match (DISTANCES, is_inverse) {
            (2, true) => (700, 700),
            (_, true) => (1000, 700),
            (2, false) => (2000, 2000),
            (_, false) => (2000, 1360),
        };
        let mut found = numbers(generator, 2 * distance * blocks, input_bound);
        let mut expected: Vec<i64> = found.iter().map(|x| signed(*x)).collect();
        // `words` is empty, because only the assembly for ARMv7E-M uses it. The tests in firmware/
        // check this assembly.
        isa.ring_layers::<DISTANCES>(&mut found, distance, &RingRoots { z: &z, zq: &zq, words: &[], q: Q, is_inverse });
        for layer in 0..DISTANCES {
            let layer = if is_inverse { DISTANCES - 1 - layer } else { layer };
            let distance = distance >> layer;
            let first = blocks << layer;
            for (k, block) in expected.chunks_exact_mut(2 * distance).enumerate() {
                let z = signed(z[first + k]) * inverse_of_r();
                let (low, high) = block.split_at_mut(distance);
                for (x, y) in low.iter_mut().zip(high) {
                    let q = i64::from(Q);
                    (*x, *y) =
                        if is_inverse { (*x + *y, (*x - *y) * z % q) } else { (*x + *y * z % q, *x - *y * z % q) };
                }
            }
        }
        let case =
            format!("{DISTANCES} layers from {distance} on, {blocks} blocks, inverse: {is_inverse}, {}", S::NAME);
        for (found, expected) in found.iter().zip(expected) {
            assert_eq!(residue(signed(*found)), residue(expected), "{case}");
            assert!(signed(*found).abs() <= i64::from(Q) * output_bound / 1000, "{case}: {}", signed(*found));
        }
    }
}

impl WithSimd for RingRows {
    type Output = ();
    fn with<S: Simd>(self, isa: S) {
        let mut generator = TestNumbers::new(&[]);
        if S::HAS_RING_ROWS {
            for is_inverse in [false, true] {
                for blocks in 1..=5 {
                    for half in [1, 7, 8, 31, 32, 33, 256] {
                        Self::layers::<S, 1>(isa, &mut generator, half, blocks, is_inverse);
                        Self::layers::<S, 2>(isa, &mut generator, 2 * half, blocks, is_inverse);
                    }
                }
                for blocks in [1, 2, 7, 8, 9, 15, 16, 17, 64, 65, 128] {
                    Self::layers::<S, 3>(isa, &mut generator, 4, blocks, is_inverse);
                }
            }
        }
        for len in (1..80).chain([255, 256, 1024]) {
            let signed_numbers = numbers(&mut generator, len, 2000);
            let mut x: Vec<u16> = signed_numbers.iter().map(|x| residue(signed(*x))).collect();
            // The row must also contain zero and the largest number.
            (x[len / 2], x[len - 1]) = (0, Q - 1);
            let y: Vec<u16> = numbers(&mut generator, len, 2000).iter().map(|x| residue(signed(*x))).collect();
            let [z] = numbers(&mut generator, 1, 499)[..] else { continue };
            let r = inverse_of_r();
            let check = |case: &str, row: RingRow<'_>, x: &[u16], law: &dyn Fn(usize) -> u16| {
                let mut found = x.to_vec();
                if isa.ring_row(&mut found, row, [Q, Q_INV]) {
                    let expected: Vec<u16> = (0..len).map(law).collect();
                    let is_signed = matches!(row, RingRow::TimesSigned(_));
                    let in_range = |x: &u16| if is_signed { signed(*x).unsigned_abs() <= Q.into() } else { *x < Q };
                    assert!(found.iter().all(in_range), "{case}, {len} numbers, {}", S::NAME);
                    let found: Vec<u16> = found.iter().map(|x| residue(signed(*x))).collect();
                    assert_eq!(found, expected, "{case}, {len} numbers, {}", S::NAME);
                } else {
                    assert!(!S::HAS_RING_ROWS || len < 8, "{case}, {len} numbers, {}", S::NAME);
                }
            };
            check("canonical", RingRow::Canonical, &signed_numbers, &|i| residue(signed(signed_numbers[i])));
            let scaled = RingRow::Scaled([z, z.wrapping_mul(Q_INV)]);
            check("scaled", scaled, &signed_numbers, &|i| residue(signed(signed_numbers[i]) * signed(z) * r));
            check("times", RingRow::Times(&y), &x, &|i| residue(signed(x[i]) * signed(y[i]) * r));
            check("times, signed", RingRow::TimesSigned(&y), &signed_numbers, &|i| {
                residue(signed(signed_numbers[i]) * signed(y[i]) * r)
            });
            let square_of_r = residue(1 << 32);
            let mut inverses = x.clone();
            if isa.ring_row(&mut inverses, RingRow::Inverses { square_of_r }, [Q, Q_INV]) {
                for (inverse, x) in inverses.iter().zip(&x) {
                    let expected = if *x == 0 { 0 } else { 1 };
                    assert_eq!(residue(signed(*inverse) * signed(*x) * r), expected, "the inverse of {x}, {}", S::NAME);
                    assert!(*inverse < Q && (*x != 0 || *inverse == 0), "the inverse of {x}, {}", S::NAME);
                }
            }
        }
    }
}

/// Laws for rows with binary64 numbers.
#[derive(Clone, Copy)]
pub struct FourierRows;

/// The real part and the imaginary part of a complex number.
type ComplexPair = (f64, f64);

fn add(a: ComplexPair, b: ComplexPair) -> ComplexPair {
    (a.0 + b.0, a.1 + b.1)
}

fn sub(a: ComplexPair, b: ComplexPair) -> ComplexPair {
    (a.0 - b.0, a.1 - b.1)
}

fn mul(a: ComplexPair, b: ComplexPair) -> ComplexPair {
    (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
}

/// Returns `x + y w` and `x - y w`.
fn merged(x: ComplexPair, y: ComplexPair, w: ComplexPair) -> (ComplexPair, ComplexPair) {
    let y = mul(y, w);
    (add(x, y), sub(x, y))
}

/// Returns `a + b` and `(a - b) conj(w)`.
fn split_pair(a: ComplexPair, b: ComplexPair, w: ComplexPair) -> (ComplexPair, ComplexPair) {
    let d = sub(a, b);
    (add(a, b), (d.0 * w.0 + d.1 * w.1, d.1 * w.0 - d.0 * w.1))
}

/// Returns numbers for which operations usually have to round.
fn reals(generator: &mut TestNumbers, len: usize) -> Vec<f64> {
    (0..len).map(|_| (generator.next() as i32) as f64 / 3000.0).collect()
}

/// Returns the complex numbers in a row with all real parts first.
fn complex(row: &[f64]) -> Vec<ComplexPair> {
    let (re, im) = row.split_at(row.len() / 2);
    re.iter().copied().zip(im.iter().copied()).collect()
}

/// Returns the bits for a row with complex numbers, with all real parts first.
fn bits_of(row: &[ComplexPair]) -> Vec<u64> {
    row.iter().map(|x| x.0.to_bits()).chain(row.iter().map(|x| x.1.to_bits())).collect()
}

/// Converts a row to the number type of a level (an instruction set).
fn row_of<S: Simd>(row: &[f64]) -> Vec<S::Real> {
    row.iter().map(|x| S::Real::from_bits(x.to_bits())).collect()
}

/// Returns the binary64 bit patterns for a row.
fn bits<S: Simd>(row: &[S::Real]) -> Vec<u64> {
    row.iter().map(|x| x.to_bits()).collect()
}

/// Returns a row's two halves, f0 and f1, as complex numbers. Each half is a polynomial.
fn halves(f: &[f64]) -> [Vec<ComplexPair>; 2] {
    let (f0, f1) = f.split_at(f.len() / 2);
    [complex(f0), complex(f1)]
}

/// Returns the bits for two halves, as [`bits_of`] does for each half.
fn bits_of_halves(f: &[Vec<ComplexPair>; 2]) -> Vec<u64> {
    f.iter().flat_map(|half| bits_of(half)).collect()
}

impl WithSimd for FourierRows {
    type Output = ();
    fn with<S: Simd>(self, isa: S) {
        let mut generator = TestNumbers::new(&[]);
        for quarter in (1..20).chain([64]) {
            // A layer with the distance `half` uses the roots from index `half` on. The operations
            // that split or merge a whole row use the roots from index 0 on.
            let roots = reals(&mut generator, 8 * quarter);
            let table: Vec<u64> = roots.iter().map(|x| x.to_bits()).collect();
            let (table, complex_roots) = (table.split_at(4 * quarter), complex(&roots));
            let table = [table.0, table.1];
            for blocks in 1..4 {
                for is_inverse in [false, true] {
                    let values = reals(&mut generator, 8 * quarter * blocks);
                    let mut found = row_of::<S>(&values);
                    let (re, im) = found.split_at_mut(4 * quarter * blocks);
                    let is_supported = if is_inverse {
                        isa.split_two_rows(quarter, [re, im], table)
                    } else {
                        isa.merge_two_rows(quarter, [re, im], table)
                    };
                    if !is_supported {
                        continue;
                    }
                    let mut expected = complex(&values);
                    for half in if is_inverse { [2 * quarter, quarter] } else { [quarter, 2 * quarter] } {
                        for block in expected.chunks_exact_mut(2 * half) {
                            let (x, y) = block.split_at_mut(half);
                            for (i, (x, y)) in x.iter_mut().zip(y).enumerate() {
                                let w = complex_roots[half + i];
                                (*x, *y) = if is_inverse { split_pair(*x, *y, w) } else { merged(*x, *y, w) };
                            }
                        }
                    }
                    let case =
                        format!("layers with quarter {quarter}, {blocks} blocks, inverse: {is_inverse}, {}", S::NAME);
                    assert_eq!(bits::<S>(&found), bits_of(&expected), "{case}");
                }
            }

            let row = reals(&mut generator, 4 * quarter);
            let mut found = row_of::<S>(&row);
            if isa.split_row(&row_of::<S>(&row), &mut found, table) {
                let t = complex(&row);
                let mut expected = [vec![], vec![]];
                for i in 0..quarter {
                    let (a, b) = split_pair(t[i], t[i + quarter], complex_roots[i]);
                    expected[0].push((a.0 * 0.5, a.1 * 0.5));
                    expected[1].push((b.0 * 0.5, b.1 * 0.5));
                }
                assert_eq!(bits::<S>(&found), bits_of_halves(&expected), "split_row, quarter {quarter}, {}", S::NAME);
            }
            if isa.merge_row(&row_of::<S>(&row), &mut found, table) {
                let [f0, f1] = halves(&row);
                let pairs: Vec<_> = (0..quarter).map(|i| merged(f0[i], f1[i], complex_roots[i])).collect();
                let expected: Vec<_> = pairs.iter().map(|pair| pair.0).chain(pairs.iter().map(|pair| pair.1)).collect();
                assert_eq!(bits::<S>(&found), bits_of(&expected), "merge_row, quarter {quarter}, {}", S::NAME);
            }
            let [l10, t0, t1] = core::array::from_fn(|_| reals(&mut generator, 4 * quarter));
            let mut w = row_of::<S>(&row);
            found = row_of::<S>(&t1);
            if isa.left_targets_row(&mut w, &row_of::<S>(&l10), &row_of::<S>(&t0), &mut found, table) {
                let [f0, f1] = halves(&row);
                let [l10, t0, mut t1] = [complex(&l10), complex(&t0), complex(&t1)];
                let mut expected = [vec![], vec![]];
                for i in 0..quarter {
                    let (u, v) = merged(f0[i], f1[i], complex_roots[i]);
                    let [a, b] = [(u, i), (v, i + quarter)].map(|(z, i)| {
                        let difference = sub(t1[i], z);
                        t1[i] = z;
                        add(t0[i], mul(difference, l10[i]))
                    });
                    let (a, b) = split_pair(a, b, complex_roots[i]);
                    expected[0].push((a.0 * 0.5, a.1 * 0.5));
                    expected[1].push((b.0 * 0.5, b.1 * 0.5));
                }
                assert_eq!(
                    bits::<S>(&w),
                    bits_of_halves(&expected),
                    "left_targets_row: w, quarter {quarter}, {}",
                    S::NAME
                );
                assert_eq!(bits::<S>(&found), bits_of(&t1), "left_targets_row: t1, quarter {quarter}, {}", S::NAME);
            }
        }
    }
}

/// Laws for the Keccak rounds.
#[derive(Clone, Copy)]
pub struct KeccakRounds;

/// Computes a Keccak round, as in FIPS 202 (3.2). Word `(x, y)` is number `x + 5y`.
fn keccak_round(a: &mut [u64; 25], constant: u64) {
    let parity: [u64; 5] = core::array::from_fn(|x| (0..5).fold(0, |sum, y| sum ^ a[x + 5 * y]));
    for (i, word) in a.iter_mut().enumerate() {
        *word ^= parity[(i + 4) % 5] ^ parity[(i + 1) % 5].rotate_left(1);
    }
    let after_theta = *a;
    let (mut x, mut y) = (1, 0);
    for t in 0..24 {
        let word = after_theta[x + 5 * y];
        (x, y) = (y, (2 * x + 3 * y) % 5);
        a[x + 5 * y] = word.rotate_left((t + 1) * (t + 2) / 2 % 64);
    }
    let after_pi = *a;
    for (i, word) in a.iter_mut().enumerate() {
        let row = i / 5 * 5;
        *word ^= !after_pi[row + (i + 1) % 5] & after_pi[row + (i + 2) % 5];
    }
    a[0] ^= constant;
}

impl WithSimd for KeccakRounds {
    type Output = ();
    fn with<S: Simd>(self, isa: S) {
        let mut generator = TestNumbers::new(&[]);
        for (rounds, block_words) in (1..=24).flat_map(|rounds| [17, 21].map(|words| (rounds, words))) {
            let constants: Vec<u64> = (0..rounds).map(|_| generator.next()).collect();
            let own_constants: Vec<u64> = constants.iter().map(|constant| keccak_constant(*constant)).collect();
            let mut found = [0; 25];
            let mut expected = [0; 25];
            // The test makes two calls, because the first call may leave the words from number
            // `block_words` on in the level's own form.
            for _ in 0..2 {
                for (x, y) in found.iter_mut().zip(&mut expected).take(block_words) {
                    let word = generator.next();
                    (*x, *y) = (*x ^ word, *y ^ word);
                }
                if isa.one_state().keccak_rounds(&mut found, &own_constants, block_words) {
                    constants.iter().for_each(|constant| keccak_round(&mut expected, *constant));
                }
                let found = &found[..block_words];
                let expected = &expected[..block_words];
                assert_eq!(found, expected, "{rounds} rounds of Keccak, {}", S::NAME);
            }
        }
    }
}
