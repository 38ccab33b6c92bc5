//! Checks pointers and lengths that C passes, and makes slices from them.

use crate::code::CallError;
use core::ops::Range;

/// The address and length of a caller's memory, before any check.
#[derive(Clone, Copy)]
pub struct CallerMemory {
    /// A pointer to the first byte.
    pub at: *mut u8,
    /// The length in bytes.
    pub len: usize,
}

impl CallerMemory {
    /// Creates a description of the caller's memory from a pointer and a length.
    pub fn new(at: *const u8, len: usize) -> Self {
        Self { at: at.cast_mut(), len }
    }

    /// Returns the memory that a C value occupies.
    pub fn of<T>(at: *const T) -> Self {
        Self::new(at.cast(), size_of::<T>())
    }

    /// Returns the memory that a C value occupies, or memory of length 0 if the pointer is null.
    pub fn optional<T>(at: *const T) -> Self {
        if at.is_null() { Self::new(at.cast(), 0) } else { Self::of(at) }
    }

    /// Returns where this memory overlaps `other`: the number of bytes in this memory before the
    /// overlap, and the overlap's range in `other`. If there is no overlap, all numbers are 0.
    pub fn part_in(self, other: Self) -> (usize, Range<usize>) {
        if !self.overlaps(other) {
            return (0, 0..0);
        }
        let (start, other_start) = (self.at.addr(), other.at.addr());
        let overlap_start = start.max(other_start);
        let overlap_end = (start + self.len).min(other_start + other.len);
        (overlap_start - start, overlap_start - other_start..overlap_end - other_start)
    }

    /// Checks that the memory is not null, has at most `isize::MAX` bytes, and does not exceed the
    /// address space. Memory of length 0 may be null.
    pub fn check(self) -> Result<(), CallError> {
        if self.len == 0 {
            return Ok(());
        }
        if self.at.is_null() {
            return Err(CallError::Null);
        }
        let fits = isize::try_from(self.len).is_ok() && self.at.addr().checked_add(self.len).is_some();
        if fits { Ok(()) } else { Err(CallError::Length) }
    }

    /// Returns whether the two memories have a byte in common.
    pub fn overlaps(self, other: Self) -> bool {
        let start = self.at.addr();
        let other_start = other.at.addr();
        let is_apart = start >= other_start.saturating_add(other.len) || other_start >= start.saturating_add(self.len);
        self.len > 0 && other.len > 0 && !is_apart
    }

    /// Returns the memory as a slice.
    ///
    /// # Safety
    /// The memory was checked, and no code writes to this memory while the slice is in use.
    pub unsafe fn bytes<'a>(self) -> &'a [u8] {
        if self.len == 0 {
            return &[];
        }
        // SAFETY: the pointer is not null, there are at most isize::MAX bytes, and bytes need no
        // alignment. The caller promises that the memory was checked, and that no code writes to
        // it.
        unsafe { core::slice::from_raw_parts(self.at, self.len) }
    }

    /// Fills the memory with zeros, and returns it as a slice.
    ///
    /// # Safety
    /// The memory was checked, and no other code uses this memory while the slice is in use.
    pub unsafe fn zeroed<'a>(self) -> &'a mut [u8] {
        if self.len == 0 {
            return &mut [];
        }
        // SAFETY: the pointer and the length are valid, as in `bytes`. The caller promises that no
        // other code uses the memory. The first line initializes every byte.
        unsafe {
            self.at.write_bytes(0, self.len);
            core::slice::from_raw_parts_mut(self.at, self.len)
        }
    }
}

/// Memory of length 0. A function passes this value to shared code for an argument that the
/// function does not have.
pub const NO_MEMORY: CallerMemory = CallerMemory { at: core::ptr::null_mut(), len: 0 };

/// Checks all memory of a call. Inputs may overlap each other, but an output must not overlap any
/// other memory.
pub fn check(inputs: &[CallerMemory], outputs: &[CallerMemory]) -> Result<(), CallError> {
    inputs.iter().chain(outputs).try_for_each(|memory| memory.check())?;
    for (i, output) in outputs.iter().enumerate() {
        if inputs.iter().chain(outputs.iter().take(i)).any(|memory| output.overlaps(*memory)) {
            return Err(CallError::Overlap);
        }
    }
    Ok(())
}

/// All memory of a call, except the caller's length variable ([`LengthInOut`]).
pub struct CallBuffers<'m> {
    /// Memory that the call only reads.
    pub inputs: &'m [CallerMemory],
    /// An input that, unlike `inputs`, may overlap the first output, because the call can process
    /// it in place.
    pub in_place: CallerMemory,
    /// Memory that the call writes.
    pub outputs: &'m [CallerMemory],
}

impl CallBuffers<'_> {
    /// Checks the memory with the rules of [`check`]. `in_place` may overlap the first output.
    fn check(&self) -> Result<(), CallError> {
        check(self.inputs, self.outputs)?;
        check(&[self.in_place], self.outputs.get(1..).unwrap_or_default())
    }

    /// Returns whether `memory` overlaps any memory of the call.
    fn overlap(&self, memory: CallerMemory) -> bool {
        let mut all = self.inputs.iter().chain(self.outputs).chain(core::iter::once(&self.in_place));
        all.any(|other| other.check().is_ok() && memory.overlaps(*other))
    }
}

/// Checks that an output's length is exactly the length that the algorithm requires.
pub fn exactly(given: usize, needed: usize) -> Result<(), CallError> {
    if given == needed { Ok(()) } else { Err(CallError::Length) }
}

/// Checks that the work memory is large enough.
pub fn enough(given: usize, needed: usize) -> Result<(), CallError> {
    if given >= needed { Ok(()) } else { Err(CallError::Work) }
}

/// A length variable in the caller's memory. Before the call, it contains the size of an output
/// buffer. After the call, it contains the number of bytes that the call has written to this
/// buffer, or 0 if the call failed.
pub struct LengthInOut {
    at: *mut usize,
    /// The buffer size in bytes.
    pub buffer_len: usize,
}

impl LengthInOut {
    /// Reads the buffer size.
    ///
    /// # Safety
    /// The pointer must be null or point to a length. No other code may use this length variable
    /// while the returned value exists.
    pub unsafe fn read(at: *mut usize) -> Result<Self, CallError> {
        CallerMemory::of(at).check()?;
        // SAFETY: the caller promises that a length is at this address. This read needs no
        // alignment.
        Ok(Self { at, buffer_len: unsafe { at.read_unaligned() } })
    }

    /// Checks all memory of the call. If an overlap is not allowed, returns [`CallError::Overlap`]
    /// and writes to no memory, as the C header promises. In all other cases, also after a
    /// different error, sets the caller's length to 0.
    pub fn check_and_clear(&mut self, arguments: &CallBuffers<'_>) -> Result<(), CallError> {
        let checked = arguments.check();
        if arguments.overlap(CallerMemory::of(self.at)) || matches!(checked, Err(CallError::Overlap)) {
            return Err(CallError::Overlap);
        }
        self.write(0);
        checked
    }

    /// Sets the caller's length variable.
    pub fn write(&mut self, used: usize) {
        // SAFETY: the caller of `read` promises that the pointer is valid.
        unsafe { self.at.write_unaligned(used) }
    }
}
