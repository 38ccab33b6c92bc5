//! Defines the functions `measure_begin` and `measure_end`. An emulator measures the code that runs
//! between their calls. The emulator finds them by their names (`plugin.c`, `fuel.py`).

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
        // The type differs from the type in `measure_begin`, because the compiler may merge
        // functions with the same code.
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
