//! The memory of an operation: its stack, painted and looked at, and the work memory that it is given.

use super::measure::Work;
use super::work::{BenchKeys, Op};
use crate::tool::report::Error;
use fndsa::{PAINTED, stack_depth};

/// Calls over which the deepest use of the stack is taken: they differ by random bytes.
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
    /// The names of its figures in documents.
    pub const MEMBERS: [&'static str; 3] = ["stack_bytes", "work_bytes", "least_work_bytes"];
    /// The names of its figures in tables.
    pub const WORDS: [&'static str; 3] = ["stack", "work", "least work"];

    /// Measures an operation, on a thread of its own.
    ///
    /// # Errors
    /// A call failed, or the system gives no thread.
    pub fn of(keys: &BenchKeys, op: Op) -> Result<Self, Error> {
        let [least_work, work] = op.work_lens(keys.algorithm);
        let run = || {
            let mut deepest = 0;
            for mut operation in keys.operation(op, 1) {
                // The first call may do what no other does.
                operation.once(0)?;
                for turn in 0..CALLS {
                    let mut done = Ok(());
                    deepest = deepest.max(stack_depth(|| done = operation.once(turn)));
                    done?;
                }
            }
            Ok(deepest)
        };
        let deepest = std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().stack_size(8 * PAINTED).spawn_scoped(scope, run);
            let thread = thread.map_err(|e| Error::io("threads", e))?;
            thread.join().unwrap_or_else(|_| Err(Error::Internal("a thread ended early".to_owned())))
        });
        Ok(Self { stack: deepest?, work, least_work })
    }

    /// Returns the figures, in the order of their names.
    pub const fn figures(self) -> [usize; 3] {
        [self.stack, self.work, self.least_work]
    }
}
