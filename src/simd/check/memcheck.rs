//! Requests from tests/ct to memcheck (valgrind) or MemorySanitizer, for builds with
//! `--cfg fndsa_memcheck`. MemorySanitizer also needs `--cfg fndsa_msan`. Other builds do not
//! contain this module.
//!
//! Both tools report a branch or an address that depends on undefined bits. The tests declare
//! secrets as undefined, so the tools report code that reveals a secret.

#[cfg(not(fndsa_msan))]
mod tool {
    /// The number of valgrind's first request for memcheck. The next two requests are
    /// `MAKE_MEM_UNDEFINED` and `MAKE_MEM_DEFINED`.
    const MEMCHECK: usize = (b'M' as usize) << 24 | (b'C' as usize) << 16;

    /// Makes a request to valgrind, with instructions that do not change anything. Returns
    /// valgrind's answer, or 0 if the program does not run in valgrind.
    fn request(code: usize, arguments: [usize; 2]) -> usize {
        let block = [code, arguments[0], arguments[1], 0, 0, 0];
        let mut result = 0;
        // SAFETY: the four rotations together restore rdi, and the last instruction exchanges rbx
        // with itself. valgrind reads `block`, sets rdx, and changes its records about other
        // memory. Therefore, the options do not contain `nomem` or `readonly`.
        #[cfg(target_arch = "x86_64")]
        unsafe {
            core::arch::asm!(
                "rol rdi, 3", "rol rdi, 13", "rol rdi, 61", "rol rdi, 51", "xchg rbx, rbx",
                in("rax") block.as_ptr(), inout("rdx") result, options(nostack),
            );
        }
        // SAFETY: the four rotations together restore edi, and the last instruction exchanges ebx
        // with itself. valgrind reads `block`, sets edx, and changes its records about other
        // memory.
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
        /// Valgrind's requests for the state of the process.
        const RUNNING_ON_VALGRIND: usize = 0x1001;
        const COUNT_ERRORS: usize = 0x1201;
        let is_running = request(RUNNING_ON_VALGRIND, [0, 0]) != 0;
        is_running.then(|| request(COUNT_ERRORS, [0, 0]))
    }
}

#[cfg(fndsa_msan)]
mod tool {
    unsafe extern "C" {
        fn __msan_poison(memory: *const u8, len: usize);
        fn __msan_unpoison(memory: *const u8, len: usize);
    }

    pub fn set_undefined(memory: *mut u8, len: usize) {
        // SAFETY: the sanitizer changes its information about the memory, but not the memory.
        unsafe { __msan_poison(memory, len) };
    }

    pub fn set_defined(memory: *mut u8, len: usize) {
        // SAFETY: the sanitizer changes its information about the memory, but not the memory.
        unsafe { __msan_unpoison(memory, len) };
    }

    /// Returns `Some(0)`, because MemorySanitizer writes reports but does not count them.
    pub fn errors() -> Option<usize> {
        Some(0)
    }
}

/// Declares bytes as undefined. Because the borrow is mutable, the compiler must read the bytes
/// from memory again. Otherwise, it could use a copy in a register, which still counts as defined.
pub fn poison<T: ?Sized>(memory: &mut T) {
    tool::set_undefined((&raw mut *memory).cast(), size_of_val(memory));
}

/// Declares bytes as defined.
pub fn unpoison<T: ?Sized>(memory: &mut T) {
    tool::set_defined((&raw mut *memory).cast(), size_of_val(memory));
}

/// Declares the `len` bytes that start at `address` as defined.
pub fn unpoison_at(address: usize, len: usize) {
    tool::set_defined(address as *mut u8, len);
}

/// Returns how many errors the tool has reported, or `None` without a tool. With MemorySanitizer,
/// which does not count errors, the number is 0.
pub fn errors() -> Option<usize> {
    tool::errors()
}
