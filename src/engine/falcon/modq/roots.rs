//! Tables of roots for the transform modulo q.
//!
//! A layer of the transform combines values at a fixed distance. There are three kinds of tables:
//!
//! - [`FORWARD`], [`FORWARD_2`], [`BACKWARD`] and so on: each root is repeated D times, where D is
//!   the number in the name. If a layer has a distance D that is shorter than a vector, a vector
//!   from the table for D contains a root for each lane. Longer distances use the tables without a
//!   number (D = 1), and so does the assembly on RISC-V, which transforms complete rows (a row is
//!   an array with the n coefficients).
//! - The short table, in [`RepeatedRoots::in_short_table`]: each forward root once. In a program
//!   with small code, this is the only table. Other programs use this table on levels (instruction
//!   sets) that transform complete rows in assembly, for polynomials that are too short for the
//!   assembly.
//! - [`WORDS`]: the forward roots for the assembly on ARMv7E-M.

use super::{Q, Q_INV, Q16, R, ROOT, pow};
use crate::engine::falcon::params::MAX_LOGN;
use crate::simd::word_root;

/// A table's length: the largest degree.
const TABLE_LEN: usize = 1 << MAX_LOGN;

/// A table of roots. `z` contains the roots in Montgomery form, between `-q/2` and `q/2`. `zq`
/// contains the same roots times `q^-1 mod 2^16`.
pub struct NttRoots {
    pub z: [u16; TABLE_LEN],
    pub zq: [u16; TABLE_LEN],
}

impl NttRoots {
    /// Returns a table with `root^rev10(k)` in entries `k D` to `k D + D - 1`, where D is
    /// `distance`.
    const fn new(root: u32, distance: usize) -> Self {
        let mut roots = Self { z: [0; TABLE_LEN], zq: [0; TABLE_LEN] };
        let mut k = 0;
        while k < TABLE_LEN {
            let power = (k / distance).reverse_bits() >> (usize::BITS - MAX_LOGN);
            let z = (pow(root, power as u32) * R % Q) as u16;
            let z = if z > Q16 / 2 { z.wrapping_sub(Q16) } else { z };
            (roots.z[k], roots.zq[k]) = (z, z.wrapping_mul(Q_INV));
            k += 1;
        }
        roots
    }
}

/// The number `1/ROOT mod q`; [`ROOT`] has the order 2048.
const INVERSE: u32 = pow(ROOT, 2047);

/// The forward roots as 32-bit words, for Plantard's multiplication (see [`word_root`]).
pub static WORDS: [u32; TABLE_LEN] = {
    let roots = NttRoots::new(ROOT, 1).z;
    let mut words = [0; TABLE_LEN];
    let mut k = 0;
    while k < TABLE_LEN {
        words[k] = word_root(roots[k], Q16);
        k += 1;
    }
    words
};

/// The roots for a direction (forward or backward). Each root is repeated `distance` times.
#[derive(Clone, Copy)]
pub struct RepeatedRoots {
    pub table: &'static NttRoots,
    backward: bool,
    distance: usize,
}

impl RepeatedRoots {
    /// Returns the root `z` that entry `k` of `table` contains, computed from the short table. The
    /// short table contains only forward roots, each once. `k` must not be zero.
    ///
    /// In the short table, the entries `2^l` to `2^(l+1) - 1` belong to a layer. This layer's
    /// backward roots are its forward roots in reverse order, with the opposite sign.
    #[inline(always)]
    pub fn in_short_table(self, k: usize) -> u16 {
        static SHORT: [u16; TABLE_LEN] = NttRoots::new(ROOT, 1).z;
        let k = k / self.distance;
        let at = if self.backward { k ^ ((1 << (k | 1).ilog2()) - 1) } else { k };
        // Without the remainder, the machine code would contain a panic.
        let z = SHORT[at % TABLE_LEN];
        if self.backward { z.wrapping_neg() } else { z }
    }
}

/// Defines each table with its root, its direction (true: backward) and its distance.
macro_rules! roots {
    ($($name:ident = $root:expr, $backward:expr, $distance:expr;)+) => {$(
        pub const $name: RepeatedRoots = {
            static TABLE_OF: NttRoots = NttRoots::new($root, $distance);
            RepeatedRoots { table: &TABLE_OF, backward: $backward, distance: $distance }
        };
    )+};
}
roots! {
    FORWARD = ROOT, false, 1;
    FORWARD_2 = ROOT, false, 2;
    FORWARD_4 = ROOT, false, 4;
    FORWARD_8 = ROOT, false, 8;
    FORWARD_16 = ROOT, false, 16;
    BACKWARD = INVERSE, true, 1;
    BACKWARD_2 = INVERSE, true, 2;
    BACKWARD_4 = INVERSE, true, 4;
    BACKWARD_8 = INVERSE, true, 8;
    BACKWARD_16 = INVERSE, true, 16;
}
