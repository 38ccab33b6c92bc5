//! Counts processor core cycles with Linux, for `fndsa bench`.
//!
//! The counter in [`cycles()`](super::cycles()) counts ticks of a constant reference clock, and is
//! only available on x86-64. But publications give results in core cycles. A program can read core
//! cycles only if the kernel permits this. The processor or the virtual machine must also provide a
//! counter for them. Cycles in the kernel are not counted.

use std::io;
#[cfg(target_os = "linux")]
use std::os::fd::OwnedFd;

/// A counter for the core cycles that a thread has used since it opened the counter.
#[derive(Debug)]
pub struct CoreCycles {
    #[cfg(target_os = "linux")]
    descriptor: OwnedFd,
}

/// The beginning of `struct perf_event_attr` in the kernel, with the fields that are known to all
/// kernel versions.
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
    /// `PERF_FORMAT_TOTAL_TIME_ENABLED` and `PERF_FORMAT_TOTAL_TIME_RUNNING`: each read also
    /// returns how long the counter was enabled, and how long it ran. If these times differ, the
    /// counter has missed some cycles.
    const BOTH_TIMES: u64 = 3;
    /// The bits `exclude_kernel` and `exclude_hv`.
    const USER_ONLY: u64 = 1 << 5 | 1 << 6;
    /// `PERF_FLAG_FD_CLOEXEC`.
    const CLOSE_ON_EXEC: libc::c_long = 8;

    /// Opens a counter for the event with this type (`kind`) and this number (`config`).
    fn of_event((kind, config): (u32, u64)) -> io::Result<Self> {
        use std::os::fd::FromRawFd;
        let attributes = EventAttributes {
            kind,
            size: size_of::<EventAttributes>() as u32,
            config,
            sample_period: 0,
            sample_kind: 0,
            read_format: Self::BOTH_TIMES,
            flags: Self::USER_ONLY,
            wakeup_events: 0,
            breakpoint_kind: 0,
            breakpoint_address: 0,
        };
        let (this_thread, any_core, no_group): (libc::c_long, libc::c_long, libc::c_long) = (0, -1, -1);
        let system_call = libc::SYS_perf_event_open;
        // SAFETY: the kernel reads `size` bytes, and does not keep a pointer.
        let descriptor = unsafe {
            libc::syscall(system_call, &raw const attributes, this_thread, any_core, no_group, Self::CLOSE_ON_EXEC)
        };
        // A C `long` has 32 bits on some targets and 64 bits on others.
        match i32::try_from(i128::from(descriptor)) {
            // SAFETY: the kernel just created the descriptor, and no other code uses it.
            Ok(descriptor) if descriptor >= 0 => Ok(Self { descriptor: unsafe { OwnedFd::from_raw_fd(descriptor) } }),
            _ => Err(io::Error::last_os_error()),
        }
    }

    /// Opens a counter for the calling thread.
    ///
    /// # Errors
    /// Fails if the system does not permit this counter, or if the machine has no such counter.
    pub fn of_this_thread() -> io::Result<Self> {
        Self::of_event(Self::EVENT)
    }

    /// Returns the number of cycles since the counter was opened. Returns `None` if this number is
    /// incomplete, because the kernel has temporarily used the processor's counter for another
    /// event.
    pub fn read(&self) -> Option<u64> {
        let mut bytes = [0; 24];
        let len = rustix::io::read(&self.descriptor, &mut bytes).ok()?;
        let words = bytes.as_chunks().0;
        let [count, enabled, running] = [0, 1, 2].map(|i| words.get(i).map(|word| u64::from_ne_bytes(*word)));
        if len == bytes.len() && enabled == running { count } else { None }
    }
}

#[cfg(not(target_os = "linux"))]
impl CoreCycles {
    /// Fails to open a counter for the calling thread, because this system does not support it.
    ///
    /// # Errors
    /// Always.
    pub fn of_this_thread() -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Returns `None`, because there is no counter.
    pub fn read(&self) -> Option<u64> {
        None
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    /// `PERF_TYPE_SOFTWARE` and `PERF_COUNT_SW_TASK_CLOCK`: the thread's time in nanoseconds,
    /// which does not need hardware support.
    const TASK_CLOCK: (u32, u64) = (1, 1);

    #[test]
    fn a_counter_advances_if_the_system_has_it() {
        for event in [TASK_CLOCK, CoreCycles::EVENT] {
            // A sandbox may forbid both events, and a virtual machine may not support the second
            // event.
            let Ok(counter) = CoreCycles::of_event(event) else { continue };
            let start = counter.read();
            let sum: u64 = (0..100_000).map(std::hint::black_box).sum();
            let end = counter.read();
            assert!(sum > 0 && start.zip(end).is_none_or(|(start, end)| start < end), "{start:?} {end:?}");
        }
    }

    #[test]
    fn an_unknown_event_is_an_error() {
        assert!(CoreCycles::of_event((u32::MAX, 0)).is_err());
    }

    #[test]
    fn the_attributes_have_the_length_of_the_first_version() {
        assert_eq!((size_of::<EventAttributes>(), std::mem::offset_of!(EventAttributes, flags)), (64, 40));
    }
}
