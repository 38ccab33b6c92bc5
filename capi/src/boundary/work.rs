//! The work memory of a call: the caller's buffer, or memory that the library allocates.

use super::memory::{CallerMemory, enough};
use crate::code::CallError;
use crate::numbered::WorkLengths;
#[cfg(feature = "std")]
use zeroize::Zeroizing;

/// The work memory of a call. With the standard library, this type allocates the memory if the
/// caller passes a null pointer and the length 0. Allocated memory is wiped when it is freed.
pub struct WorkMemory {
    /// The caller's buffer.
    pub given: CallerMemory,
    #[cfg(feature = "std")]
    allocated: Zeroizing<Vec<u8>>,
}

impl WorkMemory {
    /// Creates work memory from the pointer and the length that the caller passed.
    pub fn new(at: *mut u8, len: usize) -> Self {
        Self {
            given: CallerMemory::new(at, len),
            #[cfg(feature = "std")]
            allocated: Zeroizing::new(Vec::new()),
        }
    }

    /// Checks that the caller's buffer is large enough, or allocates memory if there is no buffer.
    pub fn provide(&mut self, lengths: WorkLengths) -> Result<(), CallError> {
        #[cfg(feature = "std")]
        if self.given.at.is_null() && self.given.len == 0 {
            self.allocated.try_reserve_exact(lengths.fast).map_err(|_| CallError::Memory)?;
            self.allocated.resize(lengths.fast, 0);
            return Ok(());
        }
        enough(self.given.len, lengths.least)
    }

    /// Returns the memory, filled with zeros.
    ///
    /// # Safety
    /// The caller's buffer must meet the conditions of [`CallerMemory::zeroed`].
    pub unsafe fn zeroed(&mut self) -> &mut [u8] {
        #[cfg(feature = "std")]
        if !self.allocated.is_empty() {
            return &mut self.allocated;
        }
        // SAFETY: the caller promises that the buffer meets the conditions of
        // [`CallerMemory::zeroed`].
        unsafe { self.given.zeroed() }
    }
}
