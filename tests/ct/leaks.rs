//! Leaks that tests/ct/shifts must find on each target. Each function contains a branch, or an
//! instruction or call with a run time that depends on an operand.

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
