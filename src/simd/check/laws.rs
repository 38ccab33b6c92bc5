//! Laws, which are conditions that the operations of all levels (instruction sets) must satisfy.
//! For example, an operation on vectors must compute the scalar operation in each lane.
//!
//! - `rows`: laws for rows (whole arrays)

mod rows;

use crate::simd::{BitOrder, F32s, Level, Real, RowValue, Simd, U64s, WithSimd};
use rows::{FourierRows, KeccakRounds, RingRows};

/// A small generator, which first returns the given edge cases, and then pseudorandom numbers.
pub struct TestNumbers {
    edges: std::vec::IntoIter<u64>,
    state: u64,
}

impl TestNumbers {
    pub fn new(edges: &[u64]) -> Self {
        Self { edges: Vec::from(edges).into_iter(), state: 0x9e37_79b9_7f4a_7c15 }
    }
    pub fn next(&mut self) -> u64 {
        self.edges.next().unwrap_or_else(|| {
            self.state ^= self.state << 13;
            self.state ^= self.state >> 7;
            self.state ^= self.state << 17;
            self.state.wrapping_mul(0x2545_f491_4f6c_dd1d)
        })
    }
}

/// Returns true if long tests are enabled.
#[cfg(test)]
pub fn runs_long_tests() -> bool {
    std::env::var_os("FNDSA_LONG").is_some()
}

/// Checks the laws on all levels that this CPU supports.
pub fn on_every_level<W: WithSimd<Output = ()> + Copy>(laws: W) {
    for level in Level::available() {
        level.run(laws);
    }
}

#[derive(Clone, Copy)]
struct Word16Laws;

impl WithSimd for Word16Laws {
    type Output = ();
    fn with<S: Simd>(self, isa: S) {
        let n = S::LANES_U16;
        let mut numbers = TestNumbers::new(&[0, 1, 12288, 12289, 0x7fff, 0x8000, 0xffff]);
        for round in 0..2000 {
            let a: Vec<u16> = (0..n).map(|_| numbers.next() as u16).collect();
            let b: Vec<u16> = (0..n).map(|_| numbers.next() as u16).collect();
            let check = |name: &str, v: S::U16, law: &dyn Fn(u16, u16) -> u16| {
                let mut out = vec![0; n];
                isa.store_u16(v, &mut out);
                let expected: Vec<u16> = a.iter().zip(&b).map(|(a, b)| law(*a, *b)).collect();
                assert_eq!(out, expected, "{name} on {}, round {round}", S::NAME);
            };
            let x = isa.load_u16(&a);
            let y = isa.load_u16(&b);
            check("load", x, &|a, _| a);
            check("splat", isa.splat_u16(b[0]), &|_, _| b[0]);
            check("add", isa.add_u16(x, y), &u16::wrapping_add);
            check("sub", isa.sub_u16(x, y), &u16::wrapping_sub);
            check("min", isa.min_u16(x, y), &|a, b| a.min(b));
            check("mullo", isa.mullo_u16(x, y), &u16::wrapping_mul);
            check("mulhi", isa.mulhi_u16(x, y), &|a, b| ((u32::from(a) * u32::from(b)) >> 16) as u16);
            let signed = |a: u16| i32::from(a.cast_signed());
            let high = |a: u16, b: u16| ((signed(a) * signed(b)) >> 16) as u16;
            check("mulhi, signed", isa.mulhi_i16(x, y), &high);
            check("mulhi by one factor", isa.mulhi_same_i16(x, isa.splat_u16(b[0]), isa.splat_u16(0)), &|a, _| {
                high(a, b[0])
            });
            // `m` is `a z / q mod 2^16`, because 53249 is `1/q mod 2^16`. So the low half of
            // `a z - m q` is zero.
            let z = (b[0].cast_signed() >> 1).max(1 - (1 << 14)).cast_unsigned();
            let q = 12289;
            let m = isa.mullo_u16(x, isa.splat_u16(z.wrapping_mul(53249)));
            let product = isa.montgomery_i16(x, isa.splat_u16(z), m, isa.splat_u16(q), isa.splat_u16(0));
            check("montgomery", product, &|a, _| {
                let m = a.wrapping_mul(z.wrapping_mul(53249));
                let difference = signed(a) * signed(z) - signed(m) * signed(q);
                assert_eq!(difference & 0xffff, 0);
                (difference >> 16) as u16
            });
            check("thirds", isa.thirds_i16(x), &|a, _| ((signed(a) * 3 + 0x4000) >> 15) as u16);
            // Numbers in the range of `wrap_u16`, from -q to q - 1.
            let signed_residue = |a: u16| (signed(a).rem_euclid(2 * i32::from(q)) - i32::from(q)) as u16;
            let wrapped: Vec<u16> = a.iter().map(|a| signed_residue(*a)).collect();
            check("wrap", isa.wrap_u16(isa.load_u16(&wrapped), isa.splat_u16(q)), &|a, _| {
                signed(signed_residue(a)).rem_euclid(q.into()) as u16
            });
            check("max", isa.max_u16(x, y), &|a, b| a.max(b));
            check("and", isa.and_u16(x, y), &|a, b| a & b);
            check("or", isa.or_u16(x, y), &|a, b| a | b);
            check("xor", isa.xor_u16(x, y), &|a, b| a ^ b);
            check("shift up", isa.shl_u16(x, 7), &|a, _| a << 7);
            check("shift down", isa.shr_u16(x, 7), &|a, _| a >> 7);

            let mut kept_values = vec![0; n];
            let count = isa.keep_below_u16(x, b[0], &mut kept_values);
            kept_values.truncate(count);
            let expected: Vec<u16> = a.iter().copied().filter(|a| *a < b[0]).collect();
            assert_eq!(kept_values, expected, "keep below {} on {}", b[0], S::NAME);

            // The sum of up to 39 squares in a lane can be below or above 2^31.
            let small = isa.shr_u16(x, 1);
            let mut sum = isa.no_squares();
            let mut expected = 0;
            for _ in 0..round % 40 {
                sum = isa.add_squares(sum, small);
                expected += a.iter().map(|a| u64::from(u32::from(a >> 1).pow(2))).sum::<u64>();
            }
            let found = isa.total(sum);
            assert!(found == expected || found.min(expected) >= 1 << 31, "squares on {}: {found}, {expected}", S::NAME);

            let bytes: Vec<u8> = (0..7 * 16).map(|_| numbers.next() as u8).collect();
            for order in [BitOrder::Little, BitOrder::Big] {
                let mut found = [0; 64];
                let mut expected = [0; 64];
                isa.unpack14(order, &bytes, &mut found);
                for (i, x) in expected.iter_mut().enumerate() {
                    for bit in 14 * i..14 * i + 14 {
                        let (at, target_bit) = match order {
                            BitOrder::Little => (bit % 8, bit - 14 * i),
                            BitOrder::Big => (7 - bit % 8, 13 - (bit - 14 * i)),
                        };
                        *x |= u16::from(bytes[bit / 8] >> at & 1) << target_bit;
                    }
                }
                assert_eq!(found, expected, "fields of 14 bits on {}, {order:?}", S::NAME);
            }
            let store = |(u, v): (S::U16, S::U16)| {
                let mut u16s = vec![0; n];
                let mut v16s = vec![0; n];
                isa.store_u16(u, &mut u16s);
                isa.store_u16(v, &mut v16s);
                (u16s, v16s)
            };
            for (d, found) in [
                (1, store(isa.interleave_u16::<1>(x, y))),
                (2, store(isa.interleave_u16::<2>(x, y))),
                (4, store(isa.interleave_u16::<4>(x, y))),
                (8, store(isa.interleave_u16::<8>(x, y))),
                (16, store(isa.interleave_u16::<16>(x, y))),
            ] {
                if d < n {
                    assert_eq!(found, expected_interleave(d, &a, &b), "blocks of {d} on {}", S::NAME);
                }
            }
        }
    }
}

#[derive(Clone, Copy)]
struct Real64Laws;

impl WithSimd for Real64Laws {
    type Output = ();
    fn with<S: Simd>(self, isa: S) {
        // x87 uses more bits than binary64, so the processor is not a reference for the level
        // `emulated`.
        if cfg!(all(target_arch = "x86", not(target_feature = "sse2"))) {
            return;
        }
        let n = S::LANES_F64;
        let edges = [0.0, 1.0, -1.0, 0.5, 1.5, 4503599627370497.5, -4503599627370497.5, 1e-12, -1e12];
        let mut numbers = TestNumbers::new(&edges.map(f64::to_bits));
        // The numbers in FN-DSA have magnitudes from 2^-40 to 2^40.
        let mut next = || {
            let x = numbers.next();
            let exponent = 983 + (x >> 52) % 80;
            if edges.iter().any(|e| e.to_bits() == x) { x } else { x & !(0x7ff << 52) | exponent << 52 }
        };
        for round in 0..2000 {
            let a: Vec<u64> = (0..n).map(|_| next()).collect();
            let b: Vec<u64> = (0..n).map(|_| next()).collect();
            let row = |bits: &[u64]| bits.iter().map(|b| S::Real::from_bits(*b)).collect::<Vec<_>>();
            let a_row = row(&a);
            let b_row = row(&b);
            let bits = |v: S::F64| {
                let mut out = vec![S::Real::ZERO; n];
                isa.store_f64(v, &mut out);
                out.iter().map(|x| x.to_bits()).collect::<Vec<_>>()
            };
            let check = |name: &str, v: S::F64, law: &dyn Fn(f64, f64) -> f64| {
                let expected: Vec<u64> =
                    a.iter().zip(&b).map(|(a, b)| law(f64::from_bits(*a), f64::from_bits(*b)).to_bits()).collect();
                assert_eq!(bits(v), expected, "{name} on {}, round {round}", S::NAME);
            };
            let x = isa.load_f64(&a_row);
            let y = isa.load_f64(&b_row);
            check("load", x, &|a, _| a);
            check("load_bits", isa.load_bits(&b), &|_, b| b);
            check("splat", isa.splat_f64(b_row[0]), &|_, _| f64::from_bits(b[0]));
            check("add", isa.add_f64(x, y), &|a, b| a + b);
            check("sub", isa.sub_f64(x, y), &|a, b| a - b);
            check("mul", isa.mul_f64(x, y), &|a, b| a * b);
            check("neg", isa.neg_f64(x), &|a, _| -a);
            check("half", isa.half_f64(x), &|a, _| a * 0.5);
            if b.iter().all(|b| b << 1 != 0) {
                check("div", isa.div_f64(x, y), &|a, b| a / b);
                check("quotient", isa.splat_f64(isa.quotient(a_row[0], b_row[0])), &|_, _| {
                    f64::from_bits(a[0]) / f64::from_bits(b[0])
                });
            }
            let root = isa.root(S::Real::from_bits(a[0] & u64::MAX >> 1));
            check("root", isa.splat_f64(root), &|_, _| f64::from_bits(a[0]).abs().sqrt());
            for (d, (u, v)) in [
                (1, isa.interleave_f64::<1>(x, y)),
                (2, isa.interleave_f64::<2>(x, y)),
                (4, isa.interleave_f64::<4>(x, y)),
            ] {
                if d < n {
                    assert_eq!((bits(u), bits(v)), expected_interleave(d, &a, &b), "blocks of {d} on {}", S::NAME);
                }
            }
        }
    }
}

/// Laws for moduli of 2 to 31 bits.
#[derive(Clone, Copy)]
struct Residue32Laws;

impl WithSimd for Residue32Laws {
    type Output = ();
    fn with<S: Simd>(self, isa: S) {
        let n = S::LANES_U32;
        let mut numbers = TestNumbers::new(&[0, 1, 2_147_473_408, 2_147_473_409, 0x7fff_ffff, 0xffff_ffff]);
        for round in 0..2000 {
            let p: u32 = [2_147_473_409, 1_073_754_113, 12_289, 3][round % 4];
            // -1/p modulo 2^32, with Newton's iteration.
            let p0i = (0..5).fold(p, |y, _| y.wrapping_mul(2u32.wrapping_sub(p.wrapping_mul(y)))).wrapping_neg();
            assert_eq!(p.wrapping_mul(p0i), u32::MAX);
            let x: Vec<u32> = (0..n).map(|_| numbers.next() as u32).collect();
            let a: Vec<u32> = (0..n).map(|_| numbers.next() as u32 % p).collect();
            let b: Vec<u32> = (0..n).map(|_| numbers.next() as u32 % p).collect();
            let row = |v: S::U32| {
                let mut out = vec![0; n];
                isa.store_u32(v, &mut out);
                out
            };
            let check = |name: &str, v: S::U32, law: &dyn Fn(u64, u64) -> u64| {
                let expected: Vec<u32> = a.iter().zip(&b).map(|(a, b)| law((*a).into(), (*b).into()) as u32).collect();
                assert_eq!(row(v), expected, "{name} modulo {p} on {}, round {round}", S::NAME);
            };
            let [modulus, inverse] = [p, p0i].map(|x| isa.splat_u32(x));
            let q = u64::from(p);
            let [u, v, numbers_u32] = [&a, &b, &x].map(|row| isa.load_u32(row));
            check("splat", modulus, &|_, _| q);
            check("add", isa.add_mod_u32(u, v, modulus), &|a, b| (a + b) % q);
            check("sub", isa.sub_mod_u32(u, v, modulus), &|a, b| (a + q - b) % q);
            let double: Vec<u32> = a.iter().zip(&b).map(|(a, b)| a + b).collect();
            check("below", isa.below_u32(isa.load_u32(&double), modulus), &|a, b| (a + b) % q);
            let wrapping = |v: S::U32, law: fn(u32, u32) -> u32| {
                assert!(row(v).iter().zip(&x).zip(&b).all(|((z, x), b)| *z == law(*x, *b)), "on {}", S::NAME);
            };
            wrapping(isa.add_u32(numbers_u32, v), u32::wrapping_add);
            wrapping(isa.sub_u32(numbers_u32, v), u32::wrapping_sub);
            let products = |name: &str, v: S::U32, limit: u64, terms: u128| {
                for (i, z) in row(v).into_iter().enumerate() {
                    let expected = terms * u128::from(x[i]) * u128::from(b[i]) % u128::from(q);
                    let shifted = (u128::from(z) << 32) % u128::from(q);
                    assert!(u64::from(z) < limit && shifted == expected, "{name} modulo {p} on {}", S::NAME);
                }
            };
            products("montgomery", isa.montgomery_u32(numbers_u32, v, modulus, inverse), q, 1);
            products("product", isa.product_u32(numbers_u32, v, modulus, inverse), 2 * q, 1);
            let ratios = isa.load_u32(&b.iter().map(|b| ((u64::from(*b) << 32) / q) as u32).collect::<Vec<_>>());
            let rests: Vec<u32> = b.iter().map(|b| (u128::from(*b) << 64).div_ceil(q.into()) as u32).collect();
            let long = row(isa.times_long_u32(numbers_u32, isa.load_u32(&rests), ratios, modulus));
            for (i, z) in row(isa.times_u32(numbers_u32, v, ratios, modulus)).into_iter().enumerate() {
                let expected = u64::from(x[i]) * u64::from(b[i]) % q;
                let is_congruent = u64::from(z) % q == expected && u64::from(long[i]) == expected;
                assert!(u64::from(z) < 2 * q && is_congruent, "times modulo {p} on {}", S::NAME);
            }
            let each = isa.times_each_u32([numbers_u32, u], [v; 2], [ratios; 2], modulus).map(row);
            assert_eq!(each, [numbers_u32, u].map(|a| row(isa.times_u32(a, v, ratios, modulus))), "{}", S::NAME);
            let sum = isa.add_product(isa.no_products(), numbers_u32, v);
            products("a product", isa.sum_of_products(sum, modulus, inverse), 2 * q, 1);
            // For the smaller moduli, a sum of three products with factors below p is less than
            // 2^32 p.
            if q < 1 << 30 {
                let sum = isa.add_product(isa.add_product(isa.add_product(isa.no_products(), u, v), u, v), v, v);
                for (i, z) in row(isa.sum_of_products(sum, modulus, inverse)).into_iter().enumerate() {
                    let expected = (2 * u128::from(a[i]) + u128::from(b[i])) * u128::from(b[i]) % u128::from(q);
                    let shifted = (u128::from(z) << 32) % u128::from(q);
                    assert!(u64::from(z) < 2 * q && shifted == expected, "products modulo {p} on {}", S::NAME);
                }
            }

            let below = isa.lanes_below_u32(u, b[0]);
            let expected = a.iter().enumerate().fold(0, |bits, (i, a)| bits | u32::from(*a < b[0]) << i);
            assert_eq!(below, expected, "lanes below {} on {}", b[0], S::NAME);
            let mut kept_values = vec![0; n];
            let count = isa.keep_lanes_u32(v, below, &mut kept_values);
            let expected: Vec<u32> = (0..n).filter(|i| below >> i & 1 == 1).map(|i| b[i]).collect();
            assert_eq!(kept_values[..count], expected, "lanes {below:b} on {}", S::NAME);

            let bytes: Vec<u8> = (0..3 * n).map(|_| numbers.next() as u8).collect();
            // In three out of four rounds, the limit is within the range of the numbers. In every
            // fourth round, it can be so large that a signed comparison would treat it as negative.
            let limit = (numbers.next() as u32) >> [9, 9, 9, 0][round % 4];
            let count = isa.keep_below_u23(&bytes, limit, &mut kept_values);
            kept_values.truncate(count);
            let numbers23 = bytes.as_chunks().0.iter().map(|[a, b, c]| u32::from_le_bytes([*a, *b, c & 0x7f, 0]));
            let expected: Vec<u32> = numbers23.filter(|x| *x < limit).collect();
            assert_eq!(kept_values, expected, "keep below {limit} on {}", S::NAME);
            macro_rules! blocks {
                ($($d:literal)*) => {$(
                    if $d < n {
                        let (even, odd) = isa.unzip_u32::<$d>(u, v);
                        assert_eq!((row(even), row(odd)), expected_unzip($d, &a, &b), "blocks of {} on {}", $d, S::NAME);
                        let (first, second) = isa.zip_u32::<$d>(even, odd);
                        assert_eq!((row(first), row(second)), (a.clone(), b.clone()), "blocks of {} on {}", $d, S::NAME);
                        let (even, odd) = isa.double_blocks_u32::<$d>(even, odd);
                        let expected = if 2 * $d < n { expected_unzip(2 * $d, &a, &b) } else { (a.clone(), b.clone()) };
                        assert_eq!((row(even), row(odd)), expected, "blocks of {} on {}", 2 * $d, S::NAME);
                        if $d > 1 {
                            let (even, odd) = isa.unzip_u32::<$d>(u, v);
                            let (even, odd) = isa.halve_blocks_u32::<$d>(even, odd);
                            let expected = expected_unzip($d / 2, &a, &b);
                            assert_eq!((row(even), row(odd)), expected, "blocks of {} on {}", $d / 2, S::NAME);
                        }
                        let expected: Vec<u32> = (0..n).map(|i| x[i / $d]).collect();
                        assert_eq!(row(isa.repeat_u32::<$d>(&x)), expected, "each value {} times on {}", $d, S::NAME);
                        let expected: Vec<u32> = (0..n).map(|i| x[(n - 1 - i) / $d]).collect();
                        assert_eq!(row(isa.repeat_back_u32::<$d>(&x)), expected, "each value {} times, in reverse order, on {}", $d, S::NAME);
                    }
                )*};
            }
            blocks!(1 2 4 8);

            let bytes: Vec<u8> = (0..40 * 25).map(|_| numbers.next() as u8).collect();
            macro_rules! fields {
                ($($bits:literal)*) => {$(
                    let len = 8 * (round % 40);
                    let mut found = vec![0; len];
                    isa.unpack_u32::<$bits>(&bytes[..len / 8 * $bits], &mut found);
                    for (i, x) in found.iter().enumerate() {
                        let bit = |at: usize| u32::from(bytes[at / 8] >> (at % 8) & 1);
                        let expected = (0..$bits).map(|up| bit($bits * i + up) << up).sum::<u32>();
                        assert_eq!(*x, expected, "field {i} of {len} of {} bits on {}", $bits, S::NAME);
                    }
                    // The bits above a field must not change the result.
                    found.iter_mut().for_each(|x| *x |= (numbers.next() as u32) << $bits);
                    let mut packed = vec![0x55; len / 8 * $bits];
                    isa.pack_u32::<$bits>(&found, &mut packed);
                    assert_eq!(packed, bytes[..packed.len()], "{len} fields of {} bits on {}", $bits, S::NAME);
                )*};
            }
            if round < 80 {
                fields!(3 4 6 10 13 18 20 25);
            }
        }
    }
}

#[derive(Clone, Copy)]
struct FixedPointLaws;

impl WithSimd for FixedPointLaws {
    type Output = ();
    fn with<S: Simd>(self, isa: S) {
        let n = S::LANES_I64;
        let mut numbers = TestNumbers::new(&[0, 1, 1 << 32, u64::MAX, 1 << 63, (1 << 63) - 1, u64::MAX << 32]);
        for round in 0..2000 {
            let a: Vec<i64> = (0..n).map(|_| numbers.next().cast_signed()).collect();
            let b: Vec<i64> = (0..n).map(|_| numbers.next().cast_signed()).collect();
            let row = |v: S::I64| {
                let mut out = vec![0; n];
                isa.store_i64(v, &mut out);
                out
            };
            let check = |name: &str, v: S::I64, law: &dyn Fn(i64, i64) -> i64| {
                let expected: Vec<i64> = a.iter().zip(&b).map(|(a, b)| law(*a, *b)).collect();
                assert_eq!(row(v), expected, "{name} on {}, round {round}", S::NAME);
            };
            let x = isa.load_i64(&a);
            let y = isa.load_i64(&b);
            check("add", isa.add_i64(x, y), &i64::wrapping_add);
            check("sub", isa.sub_i64(x, y), &i64::wrapping_sub);
            check("half", isa.half_i64(x), &|a, _| a.wrapping_add(1) >> 1);
            check("mul", isa.mul_fixed(x, y), &|a, b| ((i128::from(a) * i128::from(b)) >> 32) as i64);
            macro_rules! blocks {
                ($($d:literal)*) => {$(
                    if $d < n {
                        let (even, odd) = isa.unzip_i64::<$d>(x, y);
                        assert_eq!((row(even), row(odd)), expected_unzip($d, &a, &b), "blocks of {} on {}", $d, S::NAME);
                        let (first, second) = isa.zip_i64::<$d>(even, odd);
                        assert_eq!((row(first), row(second)), (a.clone(), b.clone()), "blocks of {} on {}", $d, S::NAME);
                    }
                )*};
            }
            blocks!(1 2 4);
        }
    }
}

#[derive(Clone, Copy)]
struct Word64Laws;

impl Word64Laws {
    fn check_states<B: U64s>(bits: B, level: &str) {
        let n = B::LANES_U64;
        assert!(8 % n == 0, "{n} lanes do not divide eight states");
        let mut numbers = TestNumbers::new(&[0, 1, u64::MAX, 1 << 63]);
        for _ in 0..500 {
            let mut next = || (0..n).map(|_| numbers.next()).collect::<Vec<u64>>();
            let (a, b, c) = (next(), next(), next());
            let check = |name: &str, v: B::U64, law: &dyn Fn(u64, u64, u64) -> u64| {
                let mut out = vec![0; n];
                bits.store_u64(v, &mut out);
                let expected: Vec<u64> = (0..n).map(|i| law(a[i], b[i], c[i])).collect();
                assert_eq!(out, expected, "{name} of {n} states on {level}");
            };
            let x = bits.load_u64(&a);
            let y = bits.load_u64(&b);
            let z = bits.load_u64(&c);
            check("load", x, &|a, _, _| a);
            check("splat", bits.splat_u64(a[0]), &|_, _, _| a[0]);
            check("xor", bits.xor_u64(x, y), &|a, b, _| a ^ b);
            check("xor3", bits.xor3_u64(x, y, z), &|a, b, c| a ^ b ^ c);
            check("rax1", bits.rax1_u64(x, y), &|a, b, _| a ^ b.rotate_left(1));
            for by in [1, 8, 36, 56, 63] {
                check("rotate", bits.rotate_u64(x, by), &|a, _, _| a.rotate_left(by));
                check("xar", bits.xar_u64(x, y, by), &|a, b, _| (a ^ b).rotate_left(by));
            }
            check("xar by 0", bits.xar_u64(x, y, 0), &|a, b, _| a ^ b);
            for flags in 0..if B::STORES_INVERTED_WORDS { 16 } else { 1 } {
                let inverted = [1, 2, 4, 8].map(|flag| flags & flag != 0);
                let [ia, ib, ic, io] = inverted.map(|flag| if flag { u64::MAX } else { 0 });
                check("chi", bits.chi_u64(x, y, z, inverted), &|a, b, c| a ^ ia ^ (!(b ^ ib) & (c ^ ic)) ^ io);
            }
        }
    }
}

impl WithSimd for Word64Laws {
    type Output = ();
    fn with<S: Simd>(self, isa: S) {
        Self::check_states(isa.one_state(), S::NAME);
        Self::check_states(isa.two_states(), S::NAME);
        Self::check_states(isa.four_states(), S::NAME);
        Self::check_states(isa.many_states(), S::NAME);
        assert_eq!(<S::OneState as U64s>::LANES_U64, 1);
        assert!(<S::TwoStates as U64s>::LANES_U64 <= 2);
    }
}

#[derive(Clone, Copy)]
struct Real32Laws;

impl Real32Laws {
    fn check_lanes<L: F32s>(lanes: L, level: &str) {
        let n = L::LANES_F32;
        let mut numbers = TestNumbers::new(&[0, u64::MAX]);
        for _ in 0..2000 {
            let bytes: Vec<u8> = (0..11 * n + 5).map(|_| numbers.next() as u8).collect();
            let row = |v: L::F32| {
                let mut out = vec![0.0; n];
                lanes.store_f32(v, &mut out);
                out
            };
            let integers =
                |v: L::I32| row(lanes.cast_f32(v)).iter().map(|x| x.to_bits().cast_signed()).collect::<Vec<_>>();
            let words = lanes.words_every_11_bytes(&bytes);
            let [a, b, c] = [0, 4, 8].map(|at| {
                let word = |i: usize| *bytes[11 * i + at..].first_chunk().unwrap();
                (0..n).map(|i| i32::from_le_bytes(word(i))).collect::<Vec<_>>()
            });
            let check = |name: &str, v: L::I32, law: &dyn Fn(i32, i32, i32) -> i32| {
                let expected: Vec<i32> = (0..n).map(|i| law(a[i], b[i], c[i])).collect();
                assert_eq!(integers(v), expected, "{name} on {level}");
            };
            let [x, y, z] = words;
            check("the first word", x, &|a, _, _| a);
            check("the second word", y, &|_, b, _| b);
            check("the third word", z, &|_, _, c| c);
            check("splat", lanes.splat_i32(a[0]), &|_, _, _| a[0]);
            check("add", lanes.add_i32(x, y), &|a, b, _| a.wrapping_add(b));
            check("sub", lanes.sub_i32(x, y), &|a, b, _| a.wrapping_sub(b));
            check("and", lanes.and_i32(x, y), &|a, b, _| a & b);
            check("or", lanes.or_i32(x, y), &|a, b, _| a | b);
            check("xor", lanes.xor_i32(x, y), &|a, b, _| a ^ b);
            check("shift up", lanes.shl_i32::<9>(x), &|a, _, _| a << 9);
            check("shift down", lanes.shr_i32::<9>(x), &|a, _, _| (a.cast_unsigned() >> 9).cast_signed());
            check("less", lanes.less_i32(x, y), &|a, b, _| -i32::from(a < b));
            check("count less", lanes.count_less_i32(z, x, y), &|a, b, c| c.wrapping_add((a < b).into()));
            if L::HAS_LOOKUP {
                let table: [i32; 16] = core::array::from_fn(|_| numbers.next() as i32);
                let index = lanes.and_i32(x, lanes.splat_i32(15));
                check("lookup_i32", lanes.lookup_i32(&table, index), &|a, _, _| table[(a & 15) as usize]);
                let table: [u8; 128] = core::array::from_fn(|_| numbers.next() as u8);
                let positions: Vec<i32> = a.iter().map(|a| a.rem_euclid(80)).collect();
                let index: Vec<f32> =
                    positions.iter().map(|position| f32::from_bits(position.cast_unsigned())).collect();
                let found = integers(lanes.lookup_u8(&table, lanes.cast_i32(lanes.load_f32(&index))));
                let expected: Vec<i32> = positions.iter().map(|position| table[*position as usize].into()).collect();
                assert_eq!(found, expected, "lookup_u8 on {level}");
            }

            // Numbers as in the sampler: `1 <= |x| < 2^23`.
            let small = lanes.shr_i32::<9>(x);
            let found = row(lanes.to_f32(small));
            let expected: Vec<f32> = a.iter().map(|a| (a.cast_unsigned() >> 9) as f32).collect();
            assert_eq!(found, expected, "to_f32 on {level}");
            let f: Vec<f32> = a.iter().map(|a| ((a >> 9) | 1) as f32).collect();
            let g: Vec<f32> = b.iter().map(|b| ((b >> 9) | 1) as f32 / 4096.0).collect();
            let check = |name: &str, v: L::F32, law: &dyn Fn(f32, f32) -> f32| {
                let expected: Vec<u32> = f.iter().zip(&g).map(|(f, g)| law(*f, *g).to_bits()).collect();
                let found: Vec<u32> = row(v).iter().map(|x| x.to_bits()).collect();
                assert_eq!(found, expected, "{name} on {level}");
            };
            let u = lanes.load_f32(&f);
            let v = lanes.load_f32(&g);
            check("load", u, &|f, _| f);
            check("splat", lanes.splat_f32(g[0]), &|_, _| g[0]);
            check("add", lanes.add_f32(u, v), &|f, g| f + g);
            check("sub", lanes.sub_f32(u, v), &|f, g| f - g);
            check("mul", lanes.mul_f32(u, v), &|f, g| f * g);
            check("bits", lanes.cast_f32(lanes.cast_i32(u)), &|f, _| f);
            for (x, f) in row(lanes.reciprocal_f32(u)).iter().zip(&f) {
                assert!((f64::from(*x) * f64::from(*f) - 1.0).abs() <= 1.0 / 2048.0, "1 / {f} on {level}: {x}");
            }
            let expected: u32 = (0..n).map(|i| u32::from(f[i] <= g[i]) << i).sum();
            assert_eq!(lanes.le_f32(u, v), expected, "le_f32 on {level}");
            assert_eq!(lanes.le_f32(u, u), u32::MAX >> (32 - n), "le_f32 of equal numbers on {level}");
            for x in f.iter().zip(&g).map(|(f, g)| f64::from(*f) + f64::from(*g) / 2048.0) {
                assert_eq!(lanes.floor(x), x.floor(), "floor of {x} on {level}");
            }
        }
    }
}

impl WithSimd for Real32Laws {
    type Output = ();
    fn with<S: Simd>(self, isa: S) {
        if let Some(lanes) = isa.f32s() {
            Self::check_lanes(lanes, S::NAME);
            Self::check_lanes(lanes.up_to_eight(), S::NAME);
            assert!(<<S::F32s as F32s>::UpToEight as F32s>::LANES_F32 <= 8);
        }
    }
}

/// Returns the expected result of `unzip` for blocks of `d` elements.
fn expected_unzip<T: Copy>(d: usize, a: &[T], b: &[T]) -> (Vec<T>, Vec<T>) {
    let all = [a, b].concat();
    let every_second_block = |first: usize| all.chunks(d).skip(first).step_by(2).flatten().copied().collect();
    (every_second_block(0), every_second_block(1))
}

/// Returns the expected result of `interleave` for blocks of `d` elements.
fn expected_interleave<T: Copy>(d: usize, a: &[T], b: &[T]) -> (Vec<T>, Vec<T>) {
    let pairs = || a.chunks(2 * d).zip(b.chunks(2 * d));
    (
        pairs().flat_map(|(a, b)| [&a[..d], &b[..d]].concat()).collect(),
        pairs().flat_map(|(a, b)| [&a[d..], &b[d..]].concat()).collect(),
    )
}

/// Defines the function `all`, which checks all laws, and a test for each law.
macro_rules! laws {
    ($($name:ident: $law:expr;)+) => {
        /// Checks all laws on all levels that this CPU supports. Panics if a law is broken.
        #[cfg(all(feature = "testing", feature = "std"))]
        pub fn all() {
            $( on_every_level($law); )+
            #[cfg(all(
                any(target_os = "linux", target_os = "android"),
                target_arch = "aarch64",
                target_endian = "little",
                target_feature = "neon",
            ))]
            crate::simd::aarch64::detect::check();
        }

        $(
            #[test]
            fn $name() {
                on_every_level($law);
            }
        )+
    };
}
laws! {
    words_of_16_bits: Word16Laws;
    reals_of_64_bits: Real64Laws;
    residues_of_32_bits: Residue32Laws;
    fixed_point_of_64_bits: FixedPointLaws;
    words_of_64_bits: Word64Laws;
    reals_of_32_bits: Real32Laws;
    rows_modulo_q: RingRows;
    rows_of_reals: FourierRows;
    rounds_of_keccak: KeccakRounds;
}
