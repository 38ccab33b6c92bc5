//! A round of Keccak for states in vectors. A vector contains a 64-bit word from each of several
//! states, and all these words have the same index. FIPS 202 calls such a word a lane.
//!
//! On a level (an instruction set) without an instruction for `!b & c`, the code keeps six lanes
//! inverted, as the Keccak team proposes. So the step chi needs only 5 NOTs in each round instead
//! of 25.
//!
//! All data may be secret. The time does not depend on the data.

use super::keccak::MOVES;
use crate::simd::U64s;

/// The lanes that are inverted between rounds, on levels with [`U64s::STORES_INVERTED_WORDS`].
const INVERTED: [usize; 6] = [1, 2, 8, 12, 17, 20];

/// Flags for the lanes. A flag is true if the lane is in [`INVERTED`].
const IS_INVERTED: [bool; 25] = {
    let mut flags = [false; 25];
    let mut i = 0;
    while i < INVERTED.len() {
        flags[INVERTED[i]] = true;
        i += 1;
    }
    flags
};

/// Returns whether the parity in column `x` is inverted.
const fn column_is_inverted(x: usize) -> bool {
    let mut odd = false;
    let mut y = 0;
    while y < 5 {
        odd ^= IS_INVERTED[x % 5 + 5 * y];
        y += 1;
    }
    odd
}

/// Flags for the lanes after theta, rho and pi. Entry `to` is true if the lane at position `to` is
/// inverted, which means that its complement is stored.
const IS_INVERTED_AFTER_MOVES: [bool; 25] = {
    let mut flags = [false; 25];
    let mut to = 0;
    while to < 25 {
        let from = MOVES[to].0;
        flags[to] = IS_INVERTED[from] ^ column_is_inverted(from + 4) ^ column_is_inverted(from + 1);
        to += 1;
    }
    flags
};

/// Returns the parity in column `x`.
#[inline(always)]
fn column<B: U64s>(bits: B, a: &[B::U64; 25], x: usize) -> B::U64 {
    bits.xor3_u64(bits.xor3_u64(a[x], a[x + 5], a[x + 10]), a[x + 15], a[x + 20])
}

/// Returns the lane at position `to` after the steps theta, rho and pi. Theta adds `d[x]` to each
/// lane in column `x`.
///
/// `d[x]` is the sum of a column parity and a rotated column parity. On levels with an instruction
/// that adds three lanes, the code could add both parities to a lane without computing `d[x]`. But
/// this takes longer, because ten vectors with parities would have to stay in registers, instead of
/// five vectors with `d[x]`.
#[inline(always)]
fn moved_lane<B: U64s>(bits: B, a: &[B::U64; 25], d: &[B::U64; 5], to: usize) -> B::U64 {
    let (from, turn) = MOVES[to];
    let x = from % 5;
    if B::HAS_XAR {
        return bits.xar_u64(a[from], d[x], turn);
    }
    let lane = bits.xor_u64(a[from], d[x]);
    if turn == 0 { lane } else { bits.rotate_u64(lane, turn) }
}

/// Returns lane `x` in row `y` after chi. `b` is this row before chi.
#[inline(always)]
fn chi<B: U64s>(bits: B, b: &[B::U64; 5], y: usize, x: usize) -> B::U64 {
    let x1 = (x + 1) % 5;
    let x2 = (x + 2) % 5;
    let row = 5 * y;
    let inverted = IS_INVERTED_AFTER_MOVES;
    bits.chi_u64(b[x], b[x1], b[x2], [inverted[x + row], inverted[x1 + row], inverted[x2 + row], IS_INVERTED[x + row]])
}

/// Returns an array with the values of an expression for the constants 0 to 4. This is a macro,
/// because the compiler might compile a closure without the level's instructions.
macro_rules! five {
    (|$i:ident| $f:expr) => {
        [five!($i = 0, $f), five!($i = 1, $f), five!($i = 2, $f), five!($i = 3, $f), five!($i = 4, $f)]
    };
    ($i:ident = $value:expr, $f:expr) => {{
        const $i: usize = $value;
        $f
    }};
}

/// Computes a round with the round constant `rc`. Lane `(x, y)` in FIPS 202 has the number
/// `x + 5y`.
#[inline(always)]
pub fn round<B: U64s>(bits: B, a: &[B::U64; 25], rc: u64) -> [B::U64; 25] {
    let c = five!(|X| column(bits, a, X));
    let d = if B::HAS_XAR {
        five!(|X| bits.rax1_u64(c[(X + 4) % 5], c[(X + 1) % 5]))
    } else {
        // If the code computes all rotations first, the compiler needs less stack on levels with
        // one lane.
        let rotated = five!(|X| bits.rotate_u64(c[(X + 1) % 5], 1));
        five!(|X| bits.xor_u64(c[(X + 4) % 5], rotated[X]))
    };
    let o = five!(|Y| {
        let b = five!(|X| moved_lane(bits, a, &d, X + 5 * Y));
        five!(|X| chi(bits, &b, Y, X))
    });
    let first = bits.xor_u64(o[0][0], bits.splat_u64(rc));
    [
        first, o[0][1], o[0][2], o[0][3], o[0][4], //
        o[1][0], o[1][1], o[1][2], o[1][3], o[1][4], //
        o[2][0], o[2][1], o[2][2], o[2][3], o[2][4], //
        o[3][0], o[3][1], o[3][2], o[3][3], o[3][4], //
        o[4][0], o[4][1], o[4][2], o[4][3], o[4][4],
    ]
}

/// Inverts the lanes in [`INVERTED`], on levels with [`U64s::STORES_INVERTED_WORDS`]. A second call
/// restores them.
#[inline(always)]
pub fn invert<B: U64s>(bits: B, a: &mut [B::U64; 25]) {
    if B::STORES_INVERTED_WORDS {
        for i in INVERTED {
            a[i] = bits.xor_u64(a[i], bits.splat_u64(u64::MAX));
        }
    }
}
