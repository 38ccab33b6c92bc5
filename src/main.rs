//! The command-line tool: parse, run, report, exit code.

mod cmd;
#[path = "simd/descriptors.rs"]
mod descriptors;
/// The bodies of the fuzz targets, on their corpus and on changes of it.
#[cfg(all(test, feature = "testing"))]
#[path = "../fuzz/src/targets/mod.rs"]
mod targets;

use cmd::report::{self, Ending, Exit};
use std::process::ExitCode;

#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

fn main() -> ExitCode {
    report::install_panic_hook();
    let panicked = |_| Ending::without_answer(Exit::Internal);
    let ending = std::panic::catch_unwind(cmd::main).unwrap_or_else(panicked);
    ExitCode::from(ending.code())
}
