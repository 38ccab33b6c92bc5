//! Typed slices in the caller's work memory.
//!
//! An operation gets its work memory as a `&mut [u8]`. The API publishes the size that the
//! operation needs. [`Scratch`] starts at the memory's first multiple of [`SCRATCH_ALIGN`] bytes,
//! and returns slices from the front. If a callee takes its slices from a [`Scratch::fork`], their
//! memory is free again when the callee returns. A slice can contain old data: write to it before
//! you read from it.

use super::SoftF64;

/// The first slice's alignment, in bytes. For processors that may have vectors, this is 64, the
/// size of a cache line and of an AVX-512 vector. If it were 16, the FFT with AVX2 would be 1.7
/// times slower. For all other processors, it is 8, the alignment of the widest number. The
/// published sizes of work memory include this number of extra bytes, because the caller's slice
/// may not be aligned.
pub const SCRATCH_ALIGN: usize = align_of::<AlignmentMarker>();

/// A type without data, aligned to [`SCRATCH_ALIGN`] bytes.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(
    any(
        target_arch = "x86_64",
        target_arch = "aarch64",
        target_arch = "arm64ec",
        target_arch = "riscv64",
        target_feature = "sse2",
        target_feature = "simd128",
    ),
    repr(C, align(64))
)]
#[cfg_attr(
    not(any(
        target_arch = "x86_64",
        target_arch = "aarch64",
        target_arch = "arm64ec",
        target_arch = "riscv64",
        target_feature = "sse2",
        target_feature = "simd128",
    )),
    repr(C, align(8))
)]
pub struct AlignmentMarker;

/// A type for which any bit pattern is a valid value.
///
/// # Safety
/// Any initialized bytes must be a valid value, and the type must not have padding.
pub unsafe trait PlainData: Copy + 'static {}

/// Implements [`PlainData`] for number types.
macro_rules! plain {
    ($($t:ty),*) => {$(
        // SAFETY: any bit pattern is a value, and there is no padding.
        unsafe impl PlainData for $t {}
    )*};
}
plain!(u8, i8, u16, i16, u32, i32, u64, i64, f32, f64, SoftF64);

#[cfg(feature = "alloc")]
// SAFETY: any bit pattern is a valid `R`. The size of `R` is a multiple of 8 bytes, so the size of
// `[R; 8]` is a multiple of 64. An `EightReals<R>` is aligned to at most 64 bytes, so it has no
// padding after the array.
unsafe impl<R: super::RowValue> PlainData for super::EightReals<R> {}

/// The work memory that is still free.
pub struct Scratch<'a> {
    free: &'a mut [u8],
}

impl<'a> Scratch<'a> {
    /// Uses `memory` from the first address that is a multiple of [`SCRATCH_ALIGN`].
    pub fn new(memory: &'a mut [u8]) -> Self {
        let skip = memory.as_ptr().align_offset(SCRATCH_ALIGN).min(memory.len());
        Self { free: &mut memory[skip..] }
    }

    /// Uses the memory of `values` from its first byte, even if this byte is not aligned to
    /// [`SCRATCH_ALIGN`].
    pub fn within<T: PlainData>(values: &'a mut [T]) -> Self {
        Self { free: recast(values) }
    }

    /// Returns how many bytes are free.
    pub fn len(&self) -> usize {
        self.free.len()
    }

    /// Returns the next `n` values, in memory that is aligned for `T`.
    ///
    /// # Panics
    /// Panics if the memory is too small. Operations check the published size first, so this would
    /// be a bug in this crate.
    pub fn take<T: PlainData>(&mut self, n: usize) -> &'a mut [T] {
        let skip = self.free.as_ptr().align_offset(align_of::<T>());
        let free = core::mem::take(&mut self.free);
        // If the length overflows, it becomes `usize::MAX`. No memory is this long, so
        // `split_at_mut` panics.
        let (memory_of_values, rest) = free[skip..].split_at_mut(n.saturating_mul(size_of::<T>()));
        self.free = rest;
        // SAFETY: `memory_of_values` is borrowed exclusively for 'a, contains n * size_of::<T>()
        // initialized bytes, starts at a multiple of T's alignment, and any bytes are a valid
        // `T: PlainData`.
        unsafe { core::slice::from_raw_parts_mut(memory_of_values.as_mut_ptr().cast(), n) }
    }

    /// Returns the free memory, for a callee. When the fork is dropped, this memory is free again.
    pub fn fork(&mut self) -> Scratch<'_> {
        Scratch { free: self.free }
    }
}

/// A line of 64 bytes that starts at a multiple of 64. A boxed slice of lines can be used as work
/// memory on the heap. Such a slice starts at a multiple of [`SCRATCH_ALIGN`], so [`Scratch`] does
/// not skip any bytes.
#[cfg(feature = "alloc")]
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct MemoryLine([u8; LINE]);

/// The number of bytes in a [`MemoryLine`].
#[cfg(feature = "alloc")]
const LINE: usize = 64;

#[cfg(feature = "alloc")]
impl MemoryLine {
    /// Allocates at least `bytes` bytes, filled with zeros.
    pub fn boxed(bytes: usize) -> alloc::boxed::Box<[Self]> {
        alloc::vec![Self([0; LINE]); bytes.div_ceil(LINE)].into_boxed_slice()
    }

    /// Returns the bytes of all `lines`.
    pub fn bytes(lines: &[Self]) -> &[u8] {
        // SAFETY: a line consists of 64 bytes without padding.
        unsafe { core::slice::from_raw_parts(lines.as_ptr().cast(), size_of_val(lines)) }
    }

    /// Returns the bytes of all `lines`, for writing.
    pub fn bytes_mut(lines: &mut [Self]) -> &mut [u8] {
        // SAFETY: a line consists of 64 bytes without padding, and any bytes are a valid line.
        unsafe { core::slice::from_raw_parts_mut(lines.as_mut_ptr().cast(), size_of_val(lines)) }
    }
}

/// Returns the first `n` values in `memory`, and the rest of `memory`. Unlike [`Scratch::take`],
/// this function does not skip bytes, so `memory` must start at a multiple of the alignment of `T`.
///
/// # Panics
/// Panics if the memory is too short or not aligned, which would be a bug in this crate.
pub fn view<T: PlainData>(memory: &[u8], n: usize) -> (&[T], &[u8]) {
    let (memory_of_values, rest) = memory.split_at(n.saturating_mul(size_of::<T>()));
    // SAFETY: any bytes are valid values for a `PlainData` type.
    let (unaligned_prefix, values, _) = unsafe { memory_of_values.align_to::<T>() };
    assert!(unaligned_prefix.is_empty());
    (values, rest)
}

/// Returns `memory` as values of the type `U`. Bytes before the first aligned address, and bytes at
/// the end that do not fill a value, are not included.
pub fn recast<T: PlainData, U: PlainData>(memory: &mut [T]) -> &mut [U] {
    // SAFETY: both types are `PlainData`, so any bytes are valid values for both types.
    unsafe { memory.align_to_mut::<U>().1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A number of 8-byte values whose total size in bytes overflows.
    const TOO_MANY: usize = usize::MAX / 8 + 2;

    #[test]
    #[should_panic(expected = "mid > len")]
    fn a_slice_larger_than_any_memory_is_not_allocated() {
        Scratch::new(&mut [0u8; 400]).take::<u64>(TOO_MANY);
    }

    #[cfg(feature = "alloc")]
    #[test]
    #[should_panic(expected = "mid > len")]
    fn a_view_larger_than_any_memory_is_not_created() {
        view::<u64>(&[0u8; 400], TOO_MANY);
    }

    #[test]
    fn slices_are_aligned_and_disjoint_and_are_returned() {
        let mut memory = [0u8; 400];
        for off in 0..8 {
            let mut s = Scratch::new(&mut memory[off..]);
            assert!(s.len() >= 400 - off - (SCRATCH_ALIGN - 1));
            let a = s.take::<u8>(3);
            let free_len_in_fork = {
                let mut f = s.fork();
                let b = f.take::<u64>(4);
                b.fill(u64::MAX);
                f.len()
            };
            let b = s.take::<f64>(4);
            assert_eq!(free_len_in_fork, s.len());
            assert_eq!(a.as_ptr() as usize % SCRATCH_ALIGN, 0);
            assert_eq!(b.as_ptr() as usize % 8, 0);
            a.fill(1);
            b.fill(2.0);
            assert_eq!((a, b), (&mut [1u8; 3][..], &mut [2.0f64; 4][..]));
        }
    }
}
