//! The CPU's counter of time, for `fndsa bench`.

/// The value of the counter now; `None` where this kind of CPU has none that programs can read.
///
/// On x86-64 it is the time-stamp counter. It runs at the CPU's reference clock, whatever clock the core runs at.
#[inline(always)]
pub fn cycles() -> Option<u64> {
    #[cfg(target_arch = "x86_64")]
    {
        // SAFETY: every x86-64 CPU has the instruction. It reads a register and touches no memory. A system
        // that forbids it ends the program with a signal, which is no undefined behaviour.
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
    fn the_counter_goes_on_where_there_is_one() {
        let start = cycles();
        assert_eq!(start.is_some(), cfg!(target_arch = "x86_64"));
        if let Some(start) = start {
            while cycles().is_some_and(|now| now <= start) {}
        }
    }
}
