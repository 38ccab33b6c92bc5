//! tmp
use crate::simd::{Scratch, Simd};
pub struct Exhausted;
pub fn keygen<S: Simd>(
    _: S,
    _: u32,
    _: &[u8; 32],
    _: &mut [i8],
    _: &mut [i8],
    _: &mut [i8],
    _: Scratch<'_>,
) -> Result<(), Exhausted> {
    Err(Exhausted)
}
pub fn equation_holds<S: Simd>(_: S, _: u32, _: &[i8], _: &[i8], _: &[i8], _: &[i8], _: Scratch<'_>) -> bool {
    true
}
pub fn ortho_norm_is_small<S: Simd>(_: S, _: u32, _: &[i8], _: &[i8], _: Scratch<'_>) -> bool {
    true
}
