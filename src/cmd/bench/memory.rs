//! Measures the memory for an operation. To measure the stack use, the stack is filled with a
//! pattern before the call, and searched for changed bytes after the call.

use super::measure::{TimedWork, join_thread};
use super::work::{BenchKeys, BenchOperation};
use crate::tool::report::Error;
use fndsa::{PAINTED, stack_depth};

/// The number of calls to measure. The calls use different messages, and usually different random
/// bytes, so they can need stacks of different sizes. The result is the maximum.
const CALLS: usize = 5;

/// The memory that is used by a call, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryUse {
    /// The maximum stack use, including the stack frame of the library function.
    pub stack: usize,
    /// The work memory that this measurement uses: the size with which the operation is fastest.
    pub work: usize,
    /// The minimum work memory for this operation, as documented by the library.
    pub least_work: usize,
}

impl MemoryUse {
    /// Measures an operation on a separate thread.
    ///
    /// # Errors
    /// Fails if a call fails, or the system cannot start a thread.
    pub fn of(keys: &BenchKeys, op: BenchOperation) -> Result<Self, Error> {
        let [least_work, work] = op.work_lens(keys.algorithm);
        let stack = std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().stack_size(8 * PAINTED);
            match thread.spawn_scoped(scope, || max_stack_use(keys, op)) {
                Ok(thread) => join_thread(thread),
                Err(e) => Err(Error::io("threads", e)),
            }
        })?;
        Ok(Self { stack, work, least_work })
    }
}

/// Returns the maximum stack use over several calls on this thread.
fn max_stack_use(keys: &BenchKeys, op: BenchOperation) -> Result<usize, Error> {
    let mut max_stack_use = 0;
    for mut operation in keys.operation(op, 1) {
        // The first call is not measured, because it may initialize values that later calls use.
        operation.run_once(0)?;
        for turn in 0..CALLS {
            let mut done = Ok(());
            max_stack_use = max_stack_use.max(stack_depth(|| done = operation.run_once(turn)));
            done?;
        }
    }
    Ok(max_stack_use)
}
