//! Extends a short hardware counter to 64 bits.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// A hardware counter with up to 32 bits, which a program reads at least once between two
/// overflows. A Cortex-M0 has no atomic additions, so only one thread may use the counter.
#[derive(Debug)]
pub struct TickCounter {
    bits: u32,
    /// The hardware counter at the last call.
    last: AtomicU32,
    overflows: AtomicU32,
}

impl TickCounter {
    /// Creates a counter for hardware with `bits` bits that counts from 0 upwards.
    pub const fn new(bits: u32) -> Self {
        Self { bits, last: AtomicU32::new(0), overflows: AtomicU32::new(0) }
    }

    /// Returns the ticks since the start, if the hardware counter is `now`.
    pub fn extend(&self, now: u32) -> u64 {
        let mut overflows = self.overflows.load(Relaxed);
        if now < self.last.load(Relaxed) {
            overflows += 1;
            self.overflows.store(overflows, Relaxed);
        }
        self.last.store(now, Relaxed);
        u64::from(overflows) << self.bits | u64::from(now)
    }
}
