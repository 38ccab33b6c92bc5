//! One book of laws for every level: an operation on vectors is the scalar operation in each lane.

use super::{Level, Order, Real, Simd, WithSimd};

/// Numbers from a small generator: edges first, then anything.
pub struct Numbers {
    edges: std::vec::IntoIter<u64>,
    state: u64,
}

impl Numbers {
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

/// Runs the laws on every level of this CPU.
pub fn on_every_level<W: WithSimd<Output = ()> + Copy>(laws: W) {
    for level in Level::available() {
        level.run(laws);
    }
}

#[derive(Clone, Copy)]
struct Words16;

impl WithSimd for Words16 {
    type Output = ();
    fn with<S: Simd>(self, isa: S) {
        let n = S::LANES_U16;
        let mut numbers = Numbers::new(&[0, 1, 12288, 12289, 0x7fff, 0x8000, 0xffff]);
        for round in 0..2000 {
            let a: Vec<u16> = (0..n).map(|_| numbers.next() as u16).collect();
            let b: Vec<u16> = (0..n).map(|_| numbers.next() as u16).collect();
            let check = |what: &str, v: S::U16, law: &dyn Fn(u16, u16) -> u16| {
                let mut out = vec![0; n];
                isa.store_u16(v, &mut out);
                let want: Vec<u16> = a.iter().zip(&b).map(|(a, b)| law(*a, *b)).collect();
                assert_eq!(out, want, "{what} on {}, round {round}", S::NAME);
            };
            let (x, y) = (isa.load_u16(&a), isa.load_u16(&b));
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
            check("mulhi, the same", isa.mulhi_same_i16(x, isa.splat_u16(b[0]), isa.splat_u16(0)), &|a, _| {
                high(a, b[0])
            });
            check("thirds", isa.thirds_i16(x), &|a, _| ((signed(a) * 3 + 0x4000) >> 15) as u16);
            check("max", isa.max_u16(x, y), &|a, b| a.max(b));
            check("and", isa.and_u16(x, y), &|a, b| a & b);
            check("or", isa.or_u16(x, y), &|a, b| a | b);
            check("xor", isa.xor_u16(x, y), &|a, b| a ^ b);
            check("shift up", isa.shl_u16(x, 7), &|a, _| a << 7);
            check("shift down", isa.shr_u16(x, 7), &|a, _| a >> 7);

            let mut kept = vec![0; n];
            let count = isa.keep_below_u16(x, b[0], &mut kept);
            kept.truncate(count);
            let want: Vec<u16> = a.iter().copied().filter(|a| *a < b[0]).collect();
            assert_eq!(kept, want, "keep below {} on {}", b[0], S::NAME);

            // All lanes at once pass 2^31 in the later rounds.
            let small = isa.shr_u16(x, 1);
            let (mut sum, mut want) = (isa.no_squares(), 0);
            for _ in 0..round % 40 {
                sum = isa.add_squares(sum, small);
                want += a.iter().map(|a| u64::from(u32::from(a >> 1).pow(2))).sum::<u64>();
            }
            let found = isa.total(sum);
            assert!(found == want || found.min(want) >= 1 << 31, "squares on {}: {found}, {want}", S::NAME);

            let bytes: Vec<u8> = (0..7 * 16).map(|_| numbers.next() as u8).collect();
            for order in [Order::Little, Order::Big] {
                let (mut found, mut want) = ([0; 64], [0; 64]);
                isa.unpack14(order, &bytes, &mut found);
                for (i, x) in want.iter_mut().enumerate() {
                    for bit in 14 * i..14 * i + 14 {
                        let (at, up) = match order {
                            Order::Little => (bit % 8, bit - 14 * i),
                            Order::Big => (7 - bit % 8, 13 - (bit - 14 * i)),
                        };
                        *x |= u16::from(bytes[bit / 8] >> at & 1) << up;
                    }
                }
                assert_eq!(found, want, "fields of 14 bits on {}, {order:?}", S::NAME);
            }
            let store = |(u, v): (S::U16, S::U16)| {
                let (mut u16s, mut v16s) = (vec![0; n], vec![0; n]);
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
                    assert_eq!(found, interleaved(d, &a, &b), "blocks of {d} on {}", S::NAME);
                }
            }
        }
    }
}

#[derive(Clone, Copy)]
struct Reals64;

impl WithSimd for Reals64 {
    type Output = ();
    fn with<S: Simd>(self, isa: S) {
        let n = S::LANES_F64;
        let edges = [0.0, 1.0, -1.0, 0.5, 1.5, 4503599627370497.5, -4503599627370497.5, 1e-12, -1e12];
        let mut numbers = Numbers::new(&edges.map(f64::to_bits));
        // The range of the scheme: 2^-40 to 2^40.
        let mut next = || {
            let x = numbers.next();
            let exponent = 983 + (x >> 52) % 80;
            if edges.iter().any(|e| e.to_bits() == x) { x } else { x & !(0x7ff << 52) | exponent << 52 }
        };
        for round in 0..2000 {
            let a: Vec<u64> = (0..n).map(|_| next()).collect();
            let b: Vec<u64> = (0..n).map(|_| next()).collect();
            let row = |bits: &[u64]| bits.iter().map(|b| S::Real::from_bits(*b)).collect::<Vec<_>>();
            let (a_row, b_row) = (row(&a), row(&b));
            let bits = |v: S::F64| {
                let mut out = vec![S::Real::ZERO; n];
                isa.store_f64(v, &mut out);
                out.iter().map(|x| x.to_bits()).collect::<Vec<_>>()
            };
            let check = |what: &str, v: S::F64, law: &dyn Fn(f64, f64) -> f64| {
                let want: Vec<u64> =
                    a.iter().zip(&b).map(|(a, b)| law(f64::from_bits(*a), f64::from_bits(*b)).to_bits()).collect();
                assert_eq!(bits(v), want, "{what} on {}, round {round}", S::NAME);
            };
            let (x, y) = (isa.load_f64(&a_row), isa.load_f64(&b_row));
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
            }
            for (d, (u, v)) in [
                (1, isa.interleave_f64::<1>(x, y)),
                (2, isa.interleave_f64::<2>(x, y)),
                (4, isa.interleave_f64::<4>(x, y)),
            ] {
                if d < n {
                    assert_eq!((bits(u), bits(v)), interleaved(d, &a, &b), "blocks of {d} on {}", S::NAME);
                }
            }
        }
    }
}

/// The law of `interleave`.
fn interleaved<T: Copy>(d: usize, a: &[T], b: &[T]) -> (Vec<T>, Vec<T>) {
    let pairs = || a.chunks(2 * d).zip(b.chunks(2 * d));
    (
        pairs().flat_map(|(a, b)| [&a[..d], &b[..d]].concat()).collect(),
        pairs().flat_map(|(a, b)| [&a[d..], &b[d..]].concat()).collect(),
    )
}

#[test]
fn words_of_16_bits() {
    on_every_level(Words16);
}

#[test]
fn reals_of_64_bits() {
    on_every_level(Reals64);
}
