//! The memory for an operation: its stack, which is filled with a pattern and checked after the
//! call, and its work memory.

use super::measure::TimedWork;
use super::work::{BenchKeys, BenchOperation};
use crate::tool::report::Error;
use fndsa::{PAINTED, stack_depth};

/// The number of calls to measure. The maximum stack use is reported, because calls use different
/// random bytes.
const CALLS: usize = 5;

/// The memory that is used by a call, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryUse {
    /// The maximum stack use, including the stack frame of the library function.
    pub stack: usize,
    /// The work memory for the operation in this measurement: the size for the fastest operation.
    pub work: usize,
    /// The minimum work memory for this operation, as documented by the library.
    pub least_work: usize,
}

impl MemoryUse {
    /// Measures an operation on a separate thread.
    ///
    /// # Errors
    /// A call failed, or the system could not start a thread.
    pub fn of(keys: &BenchKeys, op: BenchOperation) -> Result<Self, Error> {
        let [least_work, work] = op.work_lens(keys.algorithm);
        let stack = std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().stack_size(8 * PAINTED);
            let thread = thread.spawn_scoped(scope, || deepest(keys, op)).map_err(|e| Error::io("threads", e))?;
            thread.join().unwrap_or_else(|_| Err(Error::Internal("a thread ended early".to_owned())))
        })?;
        Ok(Self { stack, work, least_work })
    }
}

/// Returns the maximum stack use over several calls on this thread.
fn deepest(keys: &BenchKeys, op: BenchOperation) -> Result<usize, Error> {
    let mut deepest = 0;
    for mut operation in keys.operation(op, 1) {
        // The first call may initialize values that are used by later calls.
        operation.once(0)?;
        for turn in 0..CALLS {
            let mut done = Ok(());
            deepest = deepest.max(stack_depth(|| done = operation.once(turn)));
            done?;
        }
    }
    Ok(deepest)
}
