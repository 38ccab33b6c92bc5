//! A level for version 1.0 of the vector extension, with vectors of 128 bits or more. It uses
//! assembly to process long rows, and a single lane (one number per operation) for all other
//! operations.

use super::{detect, fourier, ring};
use crate::simd::binary64::soft;
use crate::simd::lanes::{one_lane_f64, one_lane_i64, one_lane_level, one_lane_rows, one_lane_u16, one_lane_u32};
use crate::simd::{F64s, Frame, I64s, Real, RealRows, RingRoots, RingRow, Sealed, Simd, U16s, U32s};

/// The proof that this CPU supports the vector extension. If `FDIV` is true, binary64 numbers are
/// divided by the hardware, and otherwise by operations on integers.
#[derive(Clone, Copy, Debug)]
pub struct VectorExtension<const FDIV: bool>(());

/// The default level for a CPU with the extension. It divides by operations on integers, because
/// the time to divide binary64 numbers depends on the values on some processors.
pub type Rvv = VectorExtension<false>;
/// The level to use if a processor is known to divide in the same time for all values.
pub type RvvFdiv = VectorExtension<true>;

impl<const FDIV: bool> VectorExtension<FDIV> {
    /// Returns the proof if this CPU supports the extension.
    pub fn detect() -> Option<Self> {
        detect::has_vectors().then_some(Self(()))
    }
}

impl<const FDIV: bool> Sealed for VectorExtension<FDIV> {}

impl<const FDIV: bool> Frame for VectorExtension<FDIV> {}

impl<const FDIV: bool> Simd for VectorExtension<FDIV> {
    const NAME: &'static str = if FDIV { "rvv-fdiv" } else { "rvv" };
    one_lane_level!(Rvv, VectorExtension(()));
}

/// The minimum length of a row for which [`U16s::ring_row`] uses vectors.
const MIN_ROW_LEN: usize = 8;
/// The minimum `quarter` for which [`RealRows::split_row`], [`RealRows::merge_row`] and
/// [`RealRows::left_targets_row`] use vectors. A row of real and imaginary parts has `4 * quarter`
/// values.
const MIN_QUARTER: usize = 2;

impl<const FDIV: bool> U16s for VectorExtension<FDIV> {
    one_lane_u16!();
    const HAS_RING_ROWS: bool = true;

    #[inline(always)]
    fn ring_layers<const DISTANCES: usize>(self, a: &mut [u16], distance: usize, roots: &RingRoots) {
        let blocks = a.len() / (2 * distance);
        let (z, zq) = (roots.z, roots.zq);
        // A block needs one root for the longest distance, two roots for half of this distance, and
        // so on.
        assert!(blocks > 0 && a.len() == 2 * distance * blocks);
        assert!(z.len() >= blocks << DISTANCES && zq.len() >= blocks << DISTANCES);
        let row = a.as_mut_ptr();
        let (z, zq, q) = (z.as_ptr(), zq.as_ptr(), u64::from(roots.q));
        // SAFETY: `self` proves the extension; the row contains `blocks` blocks, and the tables
        // contain their roots.
        unsafe {
            match (DISTANCES, roots.is_inverse) {
                (1, false) => ring::forward_one(row, distance, z, zq, blocks, q),
                (1, true) => ring::backward_one(row, distance, z, zq, blocks, q),
                (2, false) => ring::forward_two(row, distance / 2, z, zq, blocks, q),
                (2, true) => ring::backward_two(row, distance / 2, z, zq, blocks, q),
                (_, false) => ring::forward_three(row, blocks, z, zq, q),
                (_, true) => ring::backward_three(row, blocks, z, zq, q),
            }
        }
    }

    #[inline(always)]
    fn ring_row(self, a: &mut [u16], row: RingRow<'_>, [q, qi]: [u16; 2]) -> bool {
        let len = a.len();
        if len < MIN_ROW_LEN {
            return false;
        }
        let at = a.as_mut_ptr();
        let signed = |x: u16| i64::from(x.cast_signed());
        let [q, qi] = [q.into(), qi.into()];
        // SAFETY: `self` proves the extension; the rows have `len` numbers.
        unsafe {
            match row {
                RingRow::Canonical => ring::canonical(at, len, q),
                RingRow::Scaled([z, zq]) => ring::scale(at, len, signed(z), signed(zq), q),
                RingRow::Times(b) => ring::multiply(at, b[..len].as_ptr(), len, q, qi),
                RingRow::TimesSigned(b) => ring::multiply_signed(at, b[..len].as_ptr(), len, q, qi),
                RingRow::Inverses { square_of_r } => ring::invert(at, len, square_of_r.into(), q, qi),
            }
        }
        true
    }
}

impl<const FDIV: bool> U32s for VectorExtension<FDIV> {
    one_lane_u32!();
}

impl<const FDIV: bool> I64s for VectorExtension<FDIV> {
    one_lane_i64!();
}

/// Returns the number of blocks in the rows `re` and `im` of real and imaginary parts, where a
/// block has `4 * quarter` complex numbers. Panics if the length of a row or table does not match.
#[inline(always)]
fn blocks(quarter: usize, [re, im]: [&[f64]; 2], [rre, rim]: [&[u64]; 2]) -> usize {
    let blocks = re.len() / (4 * quarter);
    assert!(re.len() == 4 * quarter * blocks && im.len() == re.len());
    assert!(rre.len() >= 4 * quarter && rim.len() >= 4 * quarter);
    blocks
}

impl<const FDIV: bool> RealRows for VectorExtension<FDIV> {
    one_lane_rows!(f64);

    #[inline(always)]
    fn merge_two_rows(self, quarter: usize, [re, im]: [&mut [f64]; 2], [rre, rim]: [&[u64]; 2]) -> bool {
        let blocks = blocks(quarter, [&*re, &*im], [rre, rim]);
        if blocks == 0 {
            return false;
        }
        let (re, im, rre, rim) = (re.as_mut_ptr(), im.as_mut_ptr(), rre.as_ptr(), rim.as_ptr());
        // SAFETY: `self` proves the extension; the rows have `blocks` blocks, and the tables
        // contain their roots.
        unsafe {
            if quarter == 1 {
                fourier::merge_adjacent(re, im, rre, rim, blocks);
            } else {
                fourier::merge_two(re, im, quarter, rre, rim, blocks);
            }
        }
        true
    }

    #[inline(always)]
    fn split_two_rows(self, quarter: usize, [re, im]: [&mut [f64]; 2], [rre, rim]: [&[u64]; 2]) -> bool {
        let blocks = blocks(quarter, [&*re, &*im], [rre, rim]);
        if blocks == 0 {
            return false;
        }
        let (re, im, rre, rim) = (re.as_mut_ptr(), im.as_mut_ptr(), rre.as_ptr(), rim.as_ptr());
        // SAFETY: `self` proves the extension; the rows and tables have the same lengths as in
        // `merge_two_rows`.
        unsafe {
            if quarter == 1 {
                fourier::split_adjacent(re, im, rre, rim, blocks);
            } else {
                fourier::split_two(re, im, quarter, rre, rim, blocks);
            }
        }
        true
    }

    #[inline(always)]
    fn split_row(self, t: &[f64], f: &mut [f64], [rre, rim]: [&[u64]; 2]) -> bool {
        let quarter = t.len() / 4;
        if quarter < MIN_QUARTER {
            return false;
        }
        assert!(t.len() == 4 * quarter && f.len() == t.len() && rre.len() >= quarter && rim.len() >= quarter);
        // SAFETY: `self` proves the extension; the rows have `4 * quarter` values, and the tables
        // have `quarter` values.
        unsafe { fourier::split(t.as_ptr(), f.as_mut_ptr(), quarter, rre.as_ptr(), rim.as_ptr()) };
        true
    }

    #[inline(always)]
    fn merge_row(self, f: &[f64], t: &mut [f64], [rre, rim]: [&[u64]; 2]) -> bool {
        let quarter = t.len() / 4;
        if quarter < MIN_QUARTER {
            return false;
        }
        assert!(t.len() == 4 * quarter && f.len() == t.len() && rre.len() >= quarter && rim.len() >= quarter);
        // SAFETY: `self` proves the extension, and the lengths were checked, as in `split_row`.
        unsafe { fourier::merge(t.as_mut_ptr(), f.as_ptr(), quarter, rre.as_ptr(), rim.as_ptr()) };
        true
    }

    #[inline(always)]
    fn left_targets_row(self, w: &mut [f64], l10: &[f64], t0: &[f64], t1: &mut [f64], [rre, rim]: [&[u64]; 2]) -> bool {
        let quarter = w.len() / 4;
        if quarter < MIN_QUARTER {
            return false;
        }
        assert!(w.len() == 4 * quarter && l10.len() == w.len() && t0.len() == w.len() && t1.len() == w.len());
        assert!(rre.len() >= quarter && rim.len() >= quarter);
        let (rre, rim) = (rre.as_ptr(), rim.as_ptr());
        // SAFETY: `self` proves the extension, and the lengths were checked, as in `split_row`.
        unsafe { fourier::left_targets(w.as_mut_ptr(), l10.as_ptr(), t0.as_ptr(), t1.as_mut_ptr(), quarter, rre, rim) };
        true
    }
}

impl<const FDIV: bool> F64s for VectorExtension<FDIV> {
    one_lane_f64!();

    #[inline(always)]
    fn quotient(self, a: f64, b: f64) -> f64 {
        if FDIV { a.divided_by(b) } else { soft::quotient(a, b) }
    }
    #[inline(always)]
    fn root(self, x: f64) -> f64 {
        if FDIV { Real::sqrt(x) } else { soft::root(x) }
    }
}
