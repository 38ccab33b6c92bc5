//! Reads the time counter of the CPU, for `fndsa bench`.

/// Returns the current value of the counter, or `None` if programs cannot read a counter on this
/// type of CPU.
///
/// On x86-64, this is the time-stamp counter. It counts ticks of the CPU's reference clock, which
/// has a constant frequency. The core's frequency can change.
#[inline(always)]
pub fn cycles() -> Option<u64> {
    #[cfg(target_arch = "x86_64")]
    {
        // SAFETY: all x86-64 CPUs have the instruction. It reads a register and does not access
        // memory. A system that forbids it terminates the program with a signal, which is not
        // undefined behaviour.
        Some(unsafe { core::arch::x86_64::_rdtsc() })
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_counter_advances_if_it_exists() {
        let start = cycles();
        assert_eq!(start.is_some(), cfg!(target_arch = "x86_64"));
        if let Some(start) = start {
            while cycles().is_some_and(|now| now <= start) {}
        }
    }
}
