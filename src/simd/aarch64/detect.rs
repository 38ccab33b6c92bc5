//! What this CPU offers beside NEON.

/// Whether the CPU has the instructions for SHA-3: EOR3, RAX1, XAR and BCAX.
#[cfg(feature = "std")]
pub fn has_sha3() -> bool {
    std::arch::is_aarch64_feature_detected!("sha3")
}

/// Whether the CPU has the instructions for SHA-3: EOR3, RAX1, XAR and BCAX. Elsewhere than on Linux the target tells:
/// those of Apple have them.
#[cfg(not(feature = "std"))]
pub fn has_sha3() -> bool {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    return cfg!(target_feature = "sha3") || linux::has_sha3();
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    cfg!(target_feature = "sha3")
}

/// The auxiliary vector of the process, without a C library. The register that has the answer, `ID_AA64ISAR0_EL1`,
/// may not be read by programs under kernels before 4.11.
#[cfg(all(any(target_os = "linux", target_os = "android"), any(feature = "testing", not(feature = "std"))))]
mod linux {
    use core::arch::asm;
    use core::sync::atomic::{AtomicU8, Ordering};

    const OPENAT: usize = 56;
    const CLOSE: usize = 57;
    const READ: usize = 63;
    /// The current directory, which an absolute path does not need.
    const AT_FDCWD: usize = -100isize as usize;
    const AT_HWCAP: usize = 16;
    /// SHA-3, and SHA-512, which the compiler takes for a part of it.
    const HWCAP: usize = 1 << 17 | 1 << 21;

    /// The answer, plus one; zero before it is known.
    static FOUND: AtomicU8 = AtomicU8::new(0);

    /// Whether the kernel says that the CPU has the instructions.
    pub fn has_sha3() -> bool {
        let known = FOUND.load(Ordering::Relaxed);
        if known != 0 {
            return known == 2;
        }
        let has = hwcap().is_some_and(|bits| bits & HWCAP == HWCAP);
        FOUND.store(1 + u8::from(has), Ordering::Relaxed);
        has
    }

    /// A system call of three or four arguments. Returns a number of the kernel, which is an error from -4095 to -1.
    ///
    /// # Safety
    /// The arguments must be those of the call.
    unsafe fn call(number: usize, arguments: [usize; 4]) -> Option<usize> {
        let result: isize;
        // SAFETY: the kernel changes x0 and the memory that the caller names.
        unsafe {
            asm!(
                "svc 0",
                in("x8") number,
                inlateout("x0") arguments[0] => result,
                in("x1") arguments[1],
                in("x2") arguments[2],
                in("x3") arguments[3],
                options(nostack),
            );
        }
        usize::try_from(result).ok()
    }

    /// The word of the auxiliary vector that has a bit for each of the CPU's extensions. `None` without a `/proc`.
    fn hwcap() -> Option<usize> {
        let path = c"/proc/self/auxv";
        // Pairs of a number and a value; there are some 20.
        let mut pairs = [[0usize; 2]; 64];
        // SAFETY: the path ends with a zero, and the kernel writes at most as many bytes as `pairs` has.
        let len = unsafe {
            let file = call(OPENAT, [AT_FDCWD, path.as_ptr() as usize, 0, 0])?;
            let len = call(READ, [file, pairs.as_mut_ptr() as usize, size_of_val(&pairs), 0]);
            call(CLOSE, [file, 0, 0, 0]);
            len?
        };
        let whole = len / size_of::<[usize; 2]>();
        pairs[..whole].iter().find(|pair| pair[0] == AT_HWCAP).map(|pair| pair[1])
    }
}

/// Checks that the kernel says what the standard library says, the first time and again. Panics if not.
#[cfg(all(any(target_os = "linux", target_os = "android"), feature = "testing", feature = "std"))]
pub fn check() {
    assert_eq!(linux::has_sha3(), has_sha3(), "the auxiliary vector");
    assert_eq!(linux::has_sha3(), has_sha3(), "the auxiliary vector, asked again");
}
