//! What the plugin of an emulator watches: the time between two functions that it knows by their names (`plugin.c`).

use std::hint::black_box;

#[unsafe(no_mangle)]
#[inline(never)]
extern "C" fn measure_begin() {
    black_box(1);
}

#[unsafe(no_mangle)]
#[inline(never)]
extern "C" fn measure_end() {
    // Another value, so that the two are not made one function.
    black_box(2u64);
}

/// Does the work between the two.
pub fn measured(work: impl FnOnce()) {
    measure_begin();
    work();
    measure_end();
}
