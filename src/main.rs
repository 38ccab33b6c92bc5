//! The command-line program. It parses the arguments, runs the command, and ends the process with
//! the exit code.
//!
//! - `lib`: the root of the library, and its documentation
//! - `main`: this file; it starts the command line and ends the process with the exit code
//! - `cmd`: the commands of the program
//! - `tool`: options, keys, signing, verification, files and messages of the program
//! - `verdict`: trusted keys, policies and rejections, as a part of the library
//! - `files`: PEM, PKCS#8, lists and other file contents, as a part of the library
//! - `api`: the public types of the library
//! - `engine`: the algorithms, as pure functions over slices
//! - `simd`: instruction sets, and nearly all `unsafe` code

mod cmd;
mod tool;

use std::io::Write;
use tool::report::{self, Exit};

// With musl's allocator, a short run would spend a quarter of its time on allocations.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

fn main() -> ! {
    report::end_at_a_panic(|| leave(Exit::Internal.code().into(), Exit::Internal.code().into()));
    let ending = cmd::main();
    // All output has already been written and flushed, so a failure can be ignored here.
    let _flushed = std::io::stdout().flush();
    leave(ending.code().into(), std::hint::black_box(ending).code().into())
}

/// Ends the process. The exit code is passed twice and combined with OR: if a fault clears one
/// copy, the result is still right. The exit code is not returned to Rust's runtime, because the
/// runtime would move a single copy between registers, where a fault could clear this copy.
#[inline(never)]
fn leave(code: i32, again: i32) -> ! {
    // A program that measures test coverage writes its data in the regular exit handler.
    #[cfg(coverage)]
    std::process::exit(code | again);
    #[cfg(not(coverage))]
    tool::system::end(code | again)
}
