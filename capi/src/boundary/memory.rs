//! Memory of the caller: checks of pointers and lengths, and the slices that are made of them.

use crate::code::Refusal;
use core::ops::Range;

/// Memory of the caller by its first byte and its length, not yet looked at.
#[derive(Clone, Copy)]
pub struct CallerMemory {
    /// The first byte.
    pub at: *mut u8,
    /// Bytes.
    pub len: usize,
}

impl CallerMemory {
    pub fn new(at: *const u8, len: usize) -> Self {
        Self { at: at.cast_mut(), len }
    }

    /// A value of C.
    pub fn of<T>(at: *const T) -> Self {
        Self::new(at.cast(), size_of::<T>())
    }

    /// A value of C whose pointer may be null: there are no bytes then.
    pub fn optional<T>(at: *const T) -> Self {
        if at.is_null() { Self::new(at.cast(), 0) } else { Self::of(at) }
    }

    /// Returns the part of this memory that lies in `other`: the bytes of this memory before the part, and the range in `other`.
    pub fn part_in(self, other: Self) -> (usize, Range<usize>) {
        if !self.overlaps(other) {
            return (0, 0..0);
        }
        let (start, other_start) = (self.at.addr(), other.at.addr());
        let from = start.max(other_start);
        let to = (start + self.len).min(other_start + other.len);
        (from - start, from - other_start..to - other_start)
    }

    /// Checks that there is memory where a length says so, and that it ends.
    pub fn check(self) -> Result<(), Refusal> {
        if self.len == 0 {
            return Ok(());
        }
        if self.at.is_null() {
            return Err(Refusal::Null);
        }
        let ends = isize::try_from(self.len).is_ok() && self.at.addr().checked_add(self.len).is_some();
        if ends { Ok(()) } else { Err(Refusal::Length) }
    }

    /// Whether a byte is in both.
    pub fn overlaps(self, other: Self) -> bool {
        let start = self.at.addr();
        let other_start = other.at.addr();
        let apart = start >= other_start.saturating_add(other.len) || other_start >= start.saturating_add(self.len);
        self.len > 0 && other.len > 0 && !apart
    }

    /// The bytes.
    ///
    /// # Safety
    /// The memory was checked, and nothing writes to it as long as the slice is in use.
    pub unsafe fn bytes<'a>(self) -> &'a [u8] {
        if self.len == 0 {
            return &[];
        }
        // SAFETY: not null, at most isize::MAX bytes, and bytes need no alignment; the caller's promise for the rest.
        unsafe { core::slice::from_raw_parts(self.at, self.len) }
    }

    /// The bytes, for an output, set to zeros.
    ///
    /// # Safety
    /// The memory was checked, and nothing else reads it or writes to it as long as the slice is in use.
    pub unsafe fn zeroed<'a>(self) -> &'a mut [u8] {
        if self.len == 0 {
            return &mut [];
        }
        // SAFETY: as above, and after the first line every byte is initialized.
        unsafe {
            self.at.write_bytes(0, self.len);
            core::slice::from_raw_parts_mut(self.at, self.len)
        }
    }
}

/// Checks all memory of a call: inputs may overlap each other, and an output overlaps nothing.
pub fn check(inputs: &[CallerMemory], outputs: &[CallerMemory]) -> Result<(), Refusal> {
    inputs.iter().chain(outputs).try_for_each(|memory| memory.check())?;
    for (i, output) in outputs.iter().enumerate() {
        if inputs.iter().chain(&outputs[..i]).any(|memory| output.overlaps(*memory)) {
            return Err(Refusal::Overlap);
        }
    }
    Ok(())
}

/// All memory of a call except a length that is an output.
pub struct Arguments<'m> {
    /// Memory that is only read.
    pub inputs: &'m [CallerMemory],
    /// An input that may overlap the first output.
    pub in_place: CallerMemory,
    /// Memory that is written to.
    pub outputs: &'m [CallerMemory],
}

impl Arguments<'_> {
    /// Checks the memory by the rules of [`check`].
    fn check(&self) -> Result<(), Refusal> {
        check(self.inputs, self.outputs)?;
        check(&[self.in_place], self.outputs.get(1..).unwrap_or_default())
    }

    /// Whether any memory of the call overlaps `memory`.
    fn overlap(&self, memory: CallerMemory) -> bool {
        let mut all = self.inputs.iter().chain(self.outputs).chain(core::iter::once(&self.in_place));
        all.any(|other| other.check().is_ok() && memory.overlaps(*other))
    }
}

/// Checks that an output has the length that the algorithm wants.
pub fn exactly(given: usize, needed: usize) -> Result<(), Refusal> {
    if given == needed { Ok(()) } else { Err(Refusal::Length) }
}

/// Checks the length of the work memory.
pub fn enough(given: usize, needed: usize) -> Result<(), Refusal> {
    if given >= needed { Ok(()) } else { Err(Refusal::Work) }
}

/// A length of C that says how much room there is, and then how much of it is used: 0 unless the call succeeds.
pub struct LengthInOut {
    at: *mut usize,
    /// How much room there was.
    pub room: usize,
}

impl LengthInOut {
    /// Reads the room.
    ///
    /// # Safety
    /// The pointer is null or points to a length, which nobody else uses as long as this lives.
    pub unsafe fn read(at: *mut usize) -> Result<Self, Refusal> {
        CallerMemory::of(at).check()?;
        // SAFETY: the caller's promise; it may stand at any address.
        Ok(Self { at, room: unsafe { at.read_unaligned() } })
    }

    /// Checks all memory of the call, and writes 0 to the length. If any two overlap that may not, nothing is written.
    pub fn begin(&mut self, arguments: &Arguments<'_>) -> Result<(), Refusal> {
        let checked = arguments.check();
        if arguments.overlap(CallerMemory::of(self.at)) || matches!(checked, Err(Refusal::Overlap)) {
            return Err(Refusal::Overlap);
        }
        self.write(0);
        checked
    }

    pub fn write(&mut self, used: usize) {
        // SAFETY: the promise to `read`.
        unsafe { self.at.write_unaligned(used) }
    }
}
