//! Reads the auxiliary vector, a list in which Linux describes the CPU to a process. The code does
//! not need a C library.

use core::arch::asm;

/// The number of the system call `openat`.
const OPENAT: usize = 56;
/// The number of the system call `close`.
const CLOSE: usize = 57;
/// The number of the system call `read`.
const READ: usize = 63;
/// The number that means the current directory. The kernel ignores this number if the path is
/// absolute.
const AT_FDCWD: usize = -100isize as usize;
/// The number that precedes the word with the CPU extensions in the auxiliary vector.
const AT_HWCAP: usize = 16;

/// Makes a system call with up to five arguments. Returns the kernel's result, or `None` if
/// the result is an error code (from -4095 to -1).
///
/// # Safety
/// The arguments must be valid for the call.
pub unsafe fn call(number: usize, arguments: [usize; 5]) -> Option<usize> {
    let result: isize;
    #[cfg(target_arch = "aarch64")]
    // SAFETY: the kernel changes x0 and the memory that the caller passes to it.
    unsafe {
        asm!(
            "svc 0",
            in("x8") number,
            inlateout("x0") arguments[0] => result,
            in("x1") arguments[1],
            in("x2") arguments[2],
            in("x3") arguments[3],
            in("x4") arguments[4],
            options(nostack),
        );
    }
    #[cfg(target_arch = "riscv64")]
    // SAFETY: the kernel changes a0 and the memory that the caller passes to it; the code does not
    // depend on the content of vector registers.
    unsafe {
        asm!(
            "ecall",
            in("a7") number,
            inlateout("a0") arguments[0] => result,
            in("a1") arguments[1],
            in("a2") arguments[2],
            in("a3") arguments[3],
            in("a4") arguments[4],
            options(nostack),
        );
    }
    usize::try_from(result).ok()
}

/// Returns the word in the auxiliary vector that contains a bit for each CPU extension. Returns
/// `None` if the vector cannot be read, for example because there is no `/proc`.
pub fn hwcap() -> Option<usize> {
    // Miri does not support system calls in assembly.
    if cfg!(miri) {
        return None;
    }
    let path = c"/proc/self/auxv";
    // The vector consists of pairs with a number and a value. A typical vector has about 20 pairs.
    let mut pairs = [[0usize; 2]; 64];
    // SAFETY: the path is terminated by a zero byte, and the kernel writes at most as many bytes as
    // `pairs` has.
    let len = unsafe {
        let file = call(OPENAT, [AT_FDCWD, path.as_ptr() as usize, 0, 0, 0])?;
        let len = call(READ, [file, pairs.as_mut_ptr() as usize, size_of_val(&pairs), 0, 0]);
        call(CLOSE, [file, 0, 0, 0, 0]);
        len?
    };
    let pair_count = len / size_of::<[usize; 2]>();
    pairs[..pair_count].iter().find(|pair| pair[0] == AT_HWCAP).map(|pair| pair[1])
}
