//! The memory of an operation: its stack, painted and looked at, and the work memory that it is
//! given.

use super::measure::Work;
use super::work::{BenchKeys, Op};
use crate::tool::report::Error;
use fndsa::{PAINTED, stack_depth};

/// The number of calls of which the deepest use of the stack counts: they differ in random bytes.
const CALLS: usize = 5;

/// Bytes of memory that one call takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryUse {
    /// The deepest use of the stack, with the frame of the library's function.
    pub stack: usize,
    /// Work memory that the operation is given here: as much as makes it fastest.
    pub work: usize,
    /// The least work memory that the library publishes for it.
    pub least_work: usize,
}

impl MemoryUse {
    /// Measures an operation, on a thread of its own.
    ///
    /// # Errors
    /// A call failed, or the system gives no thread.
    pub fn of(keys: &BenchKeys, op: Op) -> Result<Self, Error> {
        let [least_work, work] = op.work_lens(keys.algorithm);
        let stack = std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().stack_size(8 * PAINTED);
            let thread = thread.spawn_scoped(scope, || deepest(keys, op)).map_err(|e| Error::io("threads", e))?;
            thread.join().unwrap_or_else(|_| Err(Error::Internal("a thread ended early".to_owned())))
        })?;
        Ok(Self { stack, work, least_work })
    }
}

/// Returns the deepest use of the stack over several calls on this thread.
fn deepest(keys: &BenchKeys, op: Op) -> Result<usize, Error> {
    let mut deepest = 0;
    for mut operation in keys.operation(op, 1) {
        // The first call may initialize something that later calls use.
        operation.once(0)?;
        for turn in 0..CALLS {
            let mut done = Ok(());
            deepest = deepest.max(stack_depth(|| done = operation.once(turn)));
            done?;
        }
    }
    Ok(deepest)
}
