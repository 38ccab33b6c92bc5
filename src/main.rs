//! The command-line tool: parse, run, report, exit code.

mod cmd;

use cmd::report::{self, Exit};
use std::process::ExitCode;

#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

fn main() -> ExitCode {
    report::install_panic_hook();
    let exit = std::panic::catch_unwind(cmd::main).unwrap_or(Exit::Internal);
    ExitCode::from(exit.code())
}
