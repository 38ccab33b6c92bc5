//! Functions with leaks, as controls: tests/ct/shifts must report these functions on each target.
//! In the machine code of each function, an operand decides a branch, or affects the run time of an
//! instruction or a call.

#![no_std]

macro_rules! leaks {
    ($($name:ident: $t:ty = |$x:ident, $y:ident| $result:expr;)+) => {$(
        #[unsafe(no_mangle)]
        pub extern "C" fn $name($x: $t, $y: $t) -> $t {
            $result
        }
    )+};
}
leaks! {
    shift_left: u64 = |x, y| x << (y & 63);
    shift_right: u64 = |x, y| x >> (y & 63);
    shift_signed: i64 = |x, y| x >> (y & 63);
    division: u32 = |x, y| x / (y | 1);
    long_division: u64 = |x, y| x / (y | 1);
}
