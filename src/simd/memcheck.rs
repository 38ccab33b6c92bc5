//! Requests to valgrind's memcheck, for builds with `--cfg fndsa_memcheck` (tests/ct). Elsewhere they do nothing, and
//! this module is not compiled into anything else.
//!
//! memcheck follows every bit that is undefined to branches and addresses. Secrets are declared undefined, so
//! its reports are where the program tells them. A request is a sequence of instructions that changes nothing, the
//! address of its arguments in rax.

const MEMCHECK: usize = (b'M' as usize) << 24 | (b'C' as usize) << 16;

fn request(code: usize, arguments: [usize; 2]) -> usize {
    let block = [code, arguments[0], arguments[1], 0, 0, 0];
    let mut result = 0;
    // SAFETY: four rotations that give rdi back as it was, and an exchange of rbx with itself. valgrind reads `block` and
    // sets rdx; that it changes what it knows of other memory is why memory is not promised untouched.
    unsafe {
        core::arch::asm!(
            "rol rdi, 3", "rol rdi, 13", "rol rdi, 61", "rol rdi, 51", "xchg rbx, rbx",
            in("rax") block.as_ptr(), inout("rdx") result, options(nostack),
        );
    }
    result
}

/// Declares the bytes undefined.
pub fn poison<T: ?Sized>(memory: &T) {
    request(MEMCHECK + 1, [(&raw const *memory).cast::<u8>() as usize, size_of_val(memory)]);
}

/// Declares the bytes defined.
pub fn unpoison<T: ?Sized>(memory: &mut T) {
    request(MEMCHECK + 2, [(&raw mut *memory).cast::<u8>() as usize, size_of_val(memory)]);
}

/// Errors reported so far.
pub fn errors() -> usize {
    request(0x1201, [0, 0])
}

/// Whether valgrind runs this program.
pub fn is_running() -> bool {
    request(0x1001, [0, 0]) != 0
}
