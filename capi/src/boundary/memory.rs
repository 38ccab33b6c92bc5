//! Memory of the caller: checks of pointers and lengths, and the slices that are made of them.

use crate::code::Refusal;

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
    /// Reads the room and writes 0, unless that would be in one of the inputs.
    ///
    /// # Safety
    /// The pointer is null or points to a length, which nobody else uses as long as this lives.
    pub unsafe fn read(at: *mut usize, inputs: &[CallerMemory]) -> Result<Self, Refusal> {
        let memory = CallerMemory::of(at);
        memory.check()?;
        if inputs.iter().any(|input| input.check().is_ok() && memory.overlaps(*input)) {
            return Err(Refusal::Overlap);
        }
        // SAFETY: the caller's promise; it may stand at any address.
        let room = unsafe { at.read_unaligned() };
        let mut length = Self { at, room };
        length.write(0);
        Ok(length)
    }

    pub fn memory(&self) -> CallerMemory {
        CallerMemory::of(self.at)
    }

    pub fn write(&mut self, used: usize) {
        // SAFETY: the promise to `read`.
        unsafe { self.at.write_unaligned(used) }
    }
}
