//! Defines the functions `measure_begin` and `measure_end`, which an emulator finds by name
//! (`plugin.c`, `fuel.py`) to measure the code that runs between the calls.

#[cfg(not(target_family = "wasm"))]
mod marks {
    use std::hint::black_box;

    #[unsafe(no_mangle)]
    #[inline(never)]
    pub extern "C" fn measure_begin() {
        black_box(1);
    }

    #[unsafe(no_mangle)]
    #[inline(never)]
    pub extern "C" fn measure_end() {
        // Use a different type from `measure_begin`, because the compiler may merge functions with
        // identical code.
        black_box(2u64);
    }
}

/// In WebAssembly, the host provides these functions.
#[cfg(target_family = "wasm")]
mod marks {
    #[link(wasm_import_module = "env")]
    unsafe extern "C" {
        pub safe fn measure_begin();
        pub safe fn measure_end();
    }
}

/// Calls `measure_begin`, `work` and `measure_end`.
pub fn measured(work: impl FnOnce()) {
    marks::measure_begin();
    work();
    marks::measure_end();
}
