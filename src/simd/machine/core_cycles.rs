//! The cycles of the core, as Linux counts them for `fndsa bench`.
//!
//! The counter of [`cycles`](super::cycles) runs at the reference clock, on x86-64 alone. Published work counts cycles of the core,
//! which a program cannot read by itself: the kernel has to let it, and the processor, or the virtual machine, to have such counters.
//! Only what runs outside of the kernel is counted.

use std::io;
#[cfg(target_os = "linux")]
use std::os::fd::OwnedFd;

/// A counter of the cycles that the core spends on the thread that has opened it.
#[derive(Debug)]
pub struct CoreCycles {
    #[cfg(target_os = "linux")]
    descriptor: OwnedFd,
}

/// The beginning of the kernel's `struct perf_event_attr`, as much as each version of it knows.
#[cfg(target_os = "linux")]
#[repr(C)]
struct EventAttributes {
    kind: u32,
    size: u32,
    config: u64,
    sample_period: u64,
    sample_kind: u64,
    read_format: u64,
    flags: u64,
    wakeup_events: u32,
    breakpoint_kind: u32,
    breakpoint_address: u64,
}

#[cfg(target_os = "linux")]
impl CoreCycles {
    /// `PERF_TYPE_HARDWARE` and `PERF_COUNT_HW_CPU_CYCLES`.
    const EVENT: (u32, u64) = (0, 0);
    /// `PERF_FORMAT_TOTAL_TIME_ENABLED` and `PERF_FORMAT_TOTAL_TIME_RUNNING`.
    const BOTH_TIMES: u64 = 3;
    /// The bits `exclude_kernel` and `exclude_hv`.
    const USER_ALONE: u64 = 1 << 5 | 1 << 6;
    /// `PERF_FLAG_FD_CLOEXEC`.
    const CLOSE_ON_EXEC: libc::c_long = 8;

    fn of_event((kind, config): (u32, u64)) -> io::Result<Self> {
        use std::os::fd::FromRawFd;
        let attributes = EventAttributes {
            kind,
            size: size_of::<EventAttributes>() as u32,
            config,
            sample_period: 0,
            sample_kind: 0,
            read_format: Self::BOTH_TIMES,
            flags: Self::USER_ALONE,
            wakeup_events: 0,
            breakpoint_kind: 0,
            breakpoint_address: 0,
        };
        let (this_thread, any_core, no_group): (libc::c_long, libc::c_long, libc::c_long) = (0, -1, -1);
        let number = libc::SYS_perf_event_open;
        // SAFETY: the kernel reads as many bytes of the attributes as their `size` says, and keeps no pointer.
        let descriptor = unsafe {
            libc::syscall(number, &raw const attributes, this_thread, any_core, no_group, Self::CLOSE_ON_EXEC)
        };
        // A C `long` has 32 bits here and 64 there.
        match i32::try_from(i128::from(descriptor)) {
            // SAFETY: the kernel has just made the descriptor, and nobody else knows it.
            Ok(descriptor) if descriptor >= 0 => Ok(Self { descriptor: unsafe { OwnedFd::from_raw_fd(descriptor) } }),
            _ => Err(io::Error::last_os_error()),
        }
    }

    /// Opens a counter of the calling thread.
    ///
    /// # Errors
    /// The system does not allow it, or there is no such counter.
    pub fn of_this_thread() -> io::Result<Self> {
        Self::of_event(Self::EVENT)
    }

    /// Returns the cycles until now; `None` if the counter was taken away for a while, because others want it, too.
    pub fn read(&self) -> Option<u64> {
        let mut answer = [0; 24];
        let len = rustix::io::read(&self.descriptor, &mut answer).ok()?;
        let words = answer.as_chunks().0;
        let [count, enabled, running] = [0, 1, 2].map(|i| words.get(i).map(|word| u64::from_ne_bytes(*word)));
        if len == answer.len() && enabled == running { count } else { None }
    }
}

#[cfg(not(target_os = "linux"))]
impl CoreCycles {
    /// Opens a counter of the calling thread, which this system has not.
    ///
    /// # Errors
    /// Always.
    pub fn of_this_thread() -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Returns the cycles until now: there are none to return.
    pub fn read(&self) -> Option<u64> {
        None
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    /// `PERF_TYPE_SOFTWARE` and `PERF_COUNT_SW_TASK_CLOCK`: the nanoseconds of the thread, which no hardware has to count.
    const TASK_CLOCK: (u32, u64) = (1, 1);

    #[test]
    fn a_counter_goes_on_where_the_system_has_it() {
        for event in [TASK_CLOCK, CoreCycles::EVENT] {
            // A sandbox may refuse both, a virtual machine the second.
            let Ok(counter) = CoreCycles::of_event(event) else { continue };
            let start = counter.read();
            let sum: u64 = (0..100_000).map(std::hint::black_box).sum();
            let end = counter.read();
            assert!(sum > 0 && start.zip(end).is_none_or(|(start, end)| start < end), "{start:?} {end:?}");
        }
    }

    #[test]
    fn no_such_event_is_an_error() {
        assert!(CoreCycles::of_event((u32::MAX, 0)).is_err());
    }

    #[test]
    fn the_attributes_have_the_length_of_the_first_version() {
        assert_eq!((size_of::<EventAttributes>(), std::mem::offset_of!(EventAttributes, flags)), (64, 40));
    }
}
