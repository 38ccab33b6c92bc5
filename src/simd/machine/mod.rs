//! Information about the machine: CPU features, counters, the stack, the rounding mode and the
//! state of the process at its start.
//!
//! - `auxv`: the CPU features that Linux reports
//! - `environment`: the rounding mode of the CPU
//! - `cycles`: the time counter of the CPU
//! - `core_cycles`: the cycle counter of the core, if Linux permits it
//! - `depth`: the stack depth
//! - `descriptors`: the standard descriptors at program start, and ignored signals

#[cfg(all(
    any(target_os = "linux", target_os = "android"),
    any(
        target_arch = "riscv64",
        all(
            any(feature = "testing", not(feature = "std")),
            target_arch = "aarch64",
            target_endian = "little",
            target_feature = "neon",
        ),
    ),
))]
pub mod auxv;
#[cfg(feature = "cli")]
mod core_cycles;
#[cfg(feature = "bench")]
mod cycles;
#[cfg(feature = "bench")]
mod depth;
#[cfg(all(feature = "cli", unix))]
pub mod descriptors;
mod environment;

#[cfg(feature = "cli")]
pub use core_cycles::CoreCycles;
#[cfg(feature = "bench")]
pub use cycles::cycles;
#[cfg(feature = "bench")]
pub use depth::{PAINTED, stack_depth};
pub use environment::with_default;
