//! Typed slices out of the caller's work memory.
//!
//! An operation gets one `&mut [u8]` of a published size. [`Scratch`] starts it at a multiple of
//! [`SCRATCH_ALIGN`] bytes and hands out slices from the front; what a callee takes from a
//! [`Scratch::fork`] is free again when the callee returns. Contents are whatever was left there:
//! take, then write, then read.

use super::SoftF64;

/// Alignment of the first slice, in bytes. On processors that may have vectors, a cache line, and one AVX-512 vector. (At 16 bytes the
/// AVX2 transform is 1.7 times slower.) On others, that of the widest number. Published sizes include this much for the caller's slice
/// not being aligned.
pub const SCRATCH_ALIGN: usize = align_of::<Aligned>();

/// Nothing, aligned as [`SCRATCH_ALIGN`] says.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(
    any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64", target_feature = "simd128"),
    repr(C, align(64))
)]
#[cfg_attr(
    not(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64", target_feature = "simd128")),
    repr(C, align(8))
)]
pub struct Aligned;

/// Types for which every bit pattern is a value.
///
/// # Safety
/// Any initialized bytes must be a valid value, and the type must have no padding.
pub unsafe trait Plain: Copy + 'static {}

macro_rules! plain {
    ($($t:ty),*) => {$(
        // SAFETY: every bit pattern is a value and there is no padding.
        unsafe impl Plain for $t {}
    )*};
}
plain!(u8, i8, u16, i16, u32, i32, u64, i64, f32, f64, SoftF64);

#[cfg(feature = "alloc")]
// SAFETY: every bit pattern of a number is a value; all numbers have 8 bytes or a multiple, so eight of them fill the
// alignment without padding.
unsafe impl<R: super::Number> Plain for super::EightReals<R> {}

/// Work memory that is not yet handed out.
pub struct Scratch<'a> {
    free: &'a mut [u8],
}

impl<'a> Scratch<'a> {
    /// All of `memory` from the first multiple of [`SCRATCH_ALIGN`].
    pub fn new(memory: &'a mut [u8]) -> Self {
        let skip = memory.as_ptr().align_offset(SCRATCH_ALIGN).min(memory.len());
        Self { free: &mut memory[skip..] }
    }

    /// All of `values` as bytes: memory handed out before, cut again.
    pub fn within<T: Plain>(values: &'a mut [T]) -> Self {
        Self { free: recast(values) }
    }

    /// The number of bytes that are left.
    pub fn len(&self) -> usize {
        self.free.len()
    }

    /// The next `n` values, in memory aligned for `T`.
    ///
    /// # Panics
    /// When the memory is too small: operations check the published size first, so that is a bug
    /// in this crate.
    pub fn take<T: Plain>(&mut self, n: usize) -> &'a mut [T] {
        let skip = self.free.as_ptr().align_offset(align_of::<T>());
        let free = core::mem::take(&mut self.free);
        // A length that does not fit saturates: no memory is as long.
        let (taken, rest) = free[skip..].split_at_mut(n.saturating_mul(size_of::<T>()));
        self.free = rest;
        // SAFETY: `taken` is exclusively ours for 'a, holds n * size_of::<T>() initialized bytes,
        // starts at a multiple of T's alignment, and any bytes are a valid `T: Plain`.
        unsafe { core::slice::from_raw_parts_mut(taken.as_mut_ptr().cast(), n) }
    }

    /// The rest of the memory for a callee; it is free again when the fork is gone.
    pub fn fork(&mut self) -> Scratch<'_> {
        Scratch { free: self.free }
    }
}

/// A line of memory, so that boxed memory starts where [`Scratch`] wants it.
#[cfg(feature = "alloc")]
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct Line([u8; LINE]);

/// Bytes of a [`Line`].
#[cfg(feature = "alloc")]
const LINE: usize = 64;

#[cfg(feature = "alloc")]
impl Line {
    /// Zeroed memory of at least `bytes` bytes.
    pub fn boxed(bytes: usize) -> alloc::boxed::Box<[Self]> {
        alloc::vec![Self([0; LINE]); bytes.div_ceil(LINE)].into_boxed_slice()
    }

    /// The bytes of some lines.
    pub fn bytes(lines: &[Self]) -> &[u8] {
        // SAFETY: a line is 64 bytes without padding.
        unsafe { core::slice::from_raw_parts(lines.as_ptr().cast(), size_of_val(lines)) }
    }

    /// The bytes of some lines.
    pub fn bytes_mut(lines: &mut [Self]) -> &mut [u8] {
        // SAFETY: a line is 64 bytes without padding, and any bytes are one.
        unsafe { core::slice::from_raw_parts_mut(lines.as_mut_ptr().cast(), size_of_val(lines)) }
    }
}

/// The first `n` values of `memory`, and what follows them. Values come aligned if `memory` was cut
/// by [`Scratch::take`] in the same order.
///
/// # Panics
/// When the memory is too short or not aligned: a bug in this crate.
pub fn view<T: Plain>(memory: &[u8], n: usize) -> (&[T], &[u8]) {
    let (taken, rest) = memory.split_at(n.saturating_mul(size_of::<T>()));
    // SAFETY: any bytes are valid values of a `Plain` type.
    let (before, values, _) = unsafe { taken.align_to::<T>() };
    assert!(before.is_empty());
    (values, rest)
}

/// The memory of some values as values of another type; what does not fill a value is left out.
pub fn recast<T: Plain, U: Plain>(memory: &mut [T]) -> &mut [U] {
    // SAFETY: both types are `Plain`: any bytes are valid values of either.
    unsafe { memory.align_to_mut::<U>().1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A number of values whose product with the size of one, 8 bytes, wraps.
    const TOO_MANY: usize = usize::MAX / 8 + 2;

    #[test]
    #[should_panic(expected = "mid > len")]
    fn more_values_than_any_memory_has_are_not_taken() {
        Scratch::new(&mut [0u8; 400]).take::<u64>(TOO_MANY);
    }

    #[cfg(feature = "alloc")]
    #[test]
    #[should_panic(expected = "mid > len")]
    fn more_values_than_any_memory_has_are_not_viewed() {
        view::<u64>(&[0u8; 400], TOO_MANY);
    }

    #[test]
    fn slices_are_aligned_disjoint_and_given_back() {
        let mut memory = [0u8; 400];
        for off in 0..8 {
            let mut s = Scratch::new(&mut memory[off..]);
            assert!(s.len() >= 400 - off - (SCRATCH_ALIGN - 1));
            let a = s.take::<u8>(3);
            let before = {
                let mut f = s.fork();
                let b = f.take::<u64>(4);
                b.fill(u64::MAX);
                f.len()
            };
            let b = s.take::<f64>(4);
            assert_eq!(before, s.len());
            assert_eq!(a.as_ptr() as usize % SCRATCH_ALIGN, 0);
            assert_eq!(b.as_ptr() as usize % 8, 0);
            a.fill(1);
            b.fill(2.0);
            assert_eq!((a, b), (&mut [1u8; 3][..], &mut [2.0f64; 4][..]));
        }
    }
}
