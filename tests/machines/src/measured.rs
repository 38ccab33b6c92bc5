//! What an emulator watches: the time between two functions that it knows by their names (`plugin.c`, `fuel.py`).

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
        // Another value, so that the two are not made one function.
        black_box(2u64);
    }
}

/// Of WebAssembly they are functions of whoever runs it.
#[cfg(target_family = "wasm")]
mod marks {
    #[link(wasm_import_module = "env")]
    unsafe extern "C" {
        pub safe fn measure_begin();
        pub safe fn measure_end();
    }
}

/// Does the work between the two.
pub fn measured(work: impl FnOnce()) {
    marks::measure_begin();
    work();
    marks::measure_end();
}
