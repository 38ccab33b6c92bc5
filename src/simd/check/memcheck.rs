//! What tests/ct tells valgrind's memcheck, or MemorySanitizer: for builds with `--cfg fndsa_memcheck`, the latter with
//! `--cfg fndsa_msan` too. Other builds do not have this module.
//!
//! Both follow every bit that is undefined to branches and addresses. Secrets are declared undefined, so their reports
//! are where the program tells one.

#[cfg(not(fndsa_msan))]
mod tool {
    const MEMCHECK: usize = (b'M' as usize) << 24 | (b'C' as usize) << 16;

    /// Makes a request to valgrind, by instructions that change nothing, and returns its answer; 0 without valgrind.
    fn request(code: usize, arguments: [usize; 2]) -> usize {
        let block = [code, arguments[0], arguments[1], 0, 0, 0];
        let mut result = 0;
        // SAFETY: four rotations that give rdi back as it was, and an exchange of rbx with itself. valgrind reads
        // `block` and sets rdx; it changes what it knows of other memory, which is why memory is not promised
        // untouched.
        #[cfg(target_arch = "x86_64")]
        unsafe {
            core::arch::asm!(
                "rol rdi, 3", "rol rdi, 13", "rol rdi, 61", "rol rdi, 51", "xchg rbx, rbx",
                in("rax") block.as_ptr(), inout("rdx") result, options(nostack),
            );
        }
        // SAFETY: four rotations that give edi back as it was, and an exchange of ebx with itself; else as above.
        #[cfg(target_arch = "x86")]
        unsafe {
            core::arch::asm!(
                "rol edi, 3", "rol edi, 13", "rol edi, 29", "rol edi, 19", "xchg ebx, ebx",
                in("eax") block.as_ptr(), inout("edx") result, options(nostack),
            );
        }
        result
    }

    pub fn set_undefined(memory: *mut u8, len: usize) {
        request(MEMCHECK + 1, [memory as usize, len]);
    }

    pub fn set_defined(memory: *mut u8, len: usize) {
        request(MEMCHECK + 2, [memory as usize, len]);
    }

    pub fn errors() -> Option<usize> {
        let is_running = request(0x1001, [0, 0]) != 0;
        is_running.then(|| request(0x1201, [0, 0]))
    }
}

#[cfg(fndsa_msan)]
mod tool {
    unsafe extern "C" {
        fn __msan_poison(memory: *const u8, len: usize);
        fn __msan_unpoison(memory: *const u8, len: usize);
    }

    pub fn set_undefined(memory: *mut u8, len: usize) {
        // SAFETY: the sanitizer's own notes change, not the memory.
        unsafe { __msan_poison(memory, len) };
    }

    pub fn set_defined(memory: *mut u8, len: usize) {
        // SAFETY: the sanitizer's own notes change, not the memory.
        unsafe { __msan_unpoison(memory, len) };
    }

    /// Always zero: MemorySanitizer writes its reports, and does not count them.
    pub fn errors() -> Option<usize> {
        Some(0)
    }
}

/// Declares the bytes undefined. They are borrowed as if they were written: otherwise the compiler may go on with a
/// copy that it read before.
pub fn poison<T: ?Sized>(memory: &mut T) {
    tool::set_undefined((&raw mut *memory).cast(), size_of_val(memory));
}

/// Declares the bytes defined.
pub fn unpoison<T: ?Sized>(memory: &mut T) {
    tool::set_defined((&raw mut *memory).cast(), size_of_val(memory));
}

/// Declares the `len` bytes from an address on defined.
pub fn unpoison_at(address: usize, len: usize) {
    tool::set_defined(address as *mut u8, len);
}

/// Errors reported so far, if the tool counts them. `None`: no tool runs this program.
pub fn errors() -> Option<usize> {
    tool::errors()
}
