//! SHAKE256 (FIPS 202) as a stream: absorb, then squeeze any number of bytes.
//!
//! The permutation is in-place on 25 lanes with the lane-complementing of the Keccak team (six
//! lanes are kept inverted, so that chi needs 5 NOTs a round and not 25).
//!
//! Everything that passes through may be secret; time depends on lengths alone.

use crate::simd::Simd;
use zeroize::Zeroize;

/// Bytes a permutation absorbs or yields.
pub const RATE: usize = 136;

/// Round constants, from the degree-8 LFSR of FIPS 202, section 3.2.5.
const ROUND_CONSTANTS: [u64; 24] = {
    let mut table = [0u64; 24];
    let mut lfsr = 1u8;
    let mut round = 0;
    while round < 24 {
        let mut j = 0;
        while j < 7 {
            if lfsr & 1 == 1 {
                table[round] |= 1 << ((1 << j) - 1);
            }
            let carry = lfsr >> 7;
            lfsr = (lfsr << 1) ^ (carry * 0x71);
            j += 1;
        }
        round += 1;
    }
    table
};

/// Lanes that stand inverted while rounds run.
const INVERTED: [usize; 6] = [1, 2, 8, 12, 17, 20];

/// One call to Keccak-f[1600].
#[inline(never)]
pub fn keccak_f<S: Simd>(isa: S, state: &mut [u64; 25]) {
    isa.enter(
        #[inline(always)]
        || rounds(state),
    );
}

/// `a` without its lane complements: theta, rho, pi, chi, iota, twenty-four times.
#[inline(always)]
fn rounds(state: &mut [u64; 25]) {
    for i in INVERTED {
        state[i] = !state[i];
    }
    let mut a = *state;
    // Two rounds a turn: the second writes where the first read.
    for [even, odd] in ROUND_CONSTANTS.as_chunks().0 {
        let b = round(&a, *even);
        a = round(&b, *odd);
    }
    *state = a;
    for i in INVERTED {
        state[i] = !state[i];
    }
}

/// One round; lane `x + 5y` as in FIPS 202, lanes in `INVERTED` complemented before and after.
#[inline(always)]
fn round(a: &[u64; 25], rc: u64) -> [u64; 25] {
    let c0 = a[0] ^ a[5] ^ a[10] ^ a[15] ^ a[20];
    let c1 = a[1] ^ a[6] ^ a[11] ^ a[16] ^ a[21];
    let c2 = a[2] ^ a[7] ^ a[12] ^ a[17] ^ a[22];
    let c3 = a[3] ^ a[8] ^ a[13] ^ a[18] ^ a[23];
    let c4 = a[4] ^ a[9] ^ a[14] ^ a[19] ^ a[24];
    let d0 = c4 ^ c1.rotate_left(1);
    let d1 = c0 ^ c2.rotate_left(1);
    let d2 = c1 ^ c3.rotate_left(1);
    let d3 = c2 ^ c4.rotate_left(1);
    let d4 = c3 ^ c0.rotate_left(1);

    let mut o = [0u64; 25];
    // Row y = 0.
    let b0 = a[0] ^ d0;
    let b1 = (a[6] ^ d1).rotate_left(44);
    let b2 = (a[12] ^ d2).rotate_left(43);
    let b3 = (a[18] ^ d3).rotate_left(21);
    let b4 = (a[24] ^ d4).rotate_left(14);
    o[0] = b0 ^ (b1 | b2) ^ rc;
    o[1] = b1 ^ (!b2 | b3);
    o[2] = b2 ^ (b3 & b4);
    o[3] = b3 ^ (b4 | b0);
    o[4] = b4 ^ (b0 & b1);
    // Row y = 1.
    let b0 = (a[3] ^ d3).rotate_left(28);
    let b1 = (a[9] ^ d4).rotate_left(20);
    let b2 = (a[10] ^ d0).rotate_left(3);
    let b3 = (a[16] ^ d1).rotate_left(45);
    let b4 = (a[22] ^ d2).rotate_left(61);
    o[5] = b0 ^ (b1 | b2);
    o[6] = b1 ^ (b2 & b3);
    o[7] = b2 ^ (b3 | !b4);
    o[8] = b3 ^ (b4 | b0);
    o[9] = b4 ^ (b0 & b1);
    // Row y = 2.
    let b0 = (a[1] ^ d1).rotate_left(1);
    let b1 = (a[7] ^ d2).rotate_left(6);
    let b2 = (a[13] ^ d3).rotate_left(25);
    let b3 = (a[19] ^ d4).rotate_left(8);
    let b4 = (a[20] ^ d0).rotate_left(18);
    o[10] = b0 ^ (b1 | b2);
    o[11] = b1 ^ (b2 & b3);
    o[12] = b2 ^ (!b3 & b4);
    o[13] = !b3 ^ (b4 | b0);
    o[14] = b4 ^ (b0 & b1);
    // Row y = 3.
    let b0 = (a[4] ^ d4).rotate_left(27);
    let b1 = (a[5] ^ d0).rotate_left(36);
    let b2 = (a[11] ^ d1).rotate_left(10);
    let b3 = (a[17] ^ d2).rotate_left(15);
    let b4 = (a[23] ^ d3).rotate_left(56);
    o[15] = b0 ^ (b1 & b2);
    o[16] = b1 ^ (b2 | b3);
    o[17] = b2 ^ (!b3 | b4);
    o[18] = !b3 ^ (b4 & b0);
    o[19] = b4 ^ (b0 | b1);
    // Row y = 4.
    let b0 = (a[2] ^ d2).rotate_left(62);
    let b1 = (a[8] ^ d3).rotate_left(55);
    let b2 = (a[14] ^ d4).rotate_left(39);
    let b3 = (a[15] ^ d0).rotate_left(41);
    let b4 = (a[21] ^ d1).rotate_left(2);
    o[20] = b0 ^ (!b1 & b2);
    o[21] = !b1 ^ (b2 | b3);
    o[22] = b2 ^ (b3 & b4);
    o[23] = b3 ^ (b4 | b0);
    o[24] = b4 ^ (b0 & b1);
    o
}

/// The state of a sponge, apart from the level that works on it.
#[derive(Clone)]
pub struct Sponge {
    state: [u64; 25],
    /// Bytes of the block absorbed so far, or squeezed so far.
    at: usize,
}

impl Sponge {
    /// The empty sponge.
    pub const EMPTY: Self = Self { state: [0; 25], at: 0 };
}

impl Drop for Sponge {
    fn drop(&mut self) {
        self.state.zeroize();
    }
}

/// SHAKE256, absorbing until [`Shake256::finish`], squeezing from then on.
#[derive(Clone)]
pub struct Shake256<S: Simd> {
    isa: S,
    sponge: Sponge,
}

impl<S: Simd> Shake256<S> {
    /// The empty sponge.
    #[inline(always)]
    pub fn new(isa: S) -> Self {
        Self { isa, sponge: Sponge::EMPTY }
    }

    /// Goes on where [`Shake256::suspend`] stopped, on this or another level.
    #[inline(always)]
    pub fn resume(isa: S, sponge: Sponge) -> Self {
        Self { isa, sponge }
    }

    /// The state, for later.
    #[inline(always)]
    pub fn suspend(self) -> Sponge {
        self.sponge
    }

    /// More input.
    pub fn absorb(&mut self, mut data: &[u8]) {
        while !data.is_empty() {
            if self.sponge.at == RATE {
                keccak_f(self.isa, &mut self.sponge.state);
                self.sponge.at = 0;
            }
            if self.sponge.at.is_multiple_of(8) && data.len() >= 8 {
                let lanes = (data.len() / 8).min((RATE - self.sponge.at) / 8);
                let (now, later) = data.split_at(8 * lanes);
                let (words, _) = now.as_chunks::<8>();
                for (lane, word) in self.sponge.state[self.sponge.at / 8..].iter_mut().zip(words) {
                    *lane ^= u64::from_le_bytes(*word);
                }
                self.sponge.at += 8 * lanes;
                data = later;
            } else {
                self.sponge.state[self.sponge.at / 8] ^= u64::from(data[0]) << (8 * (self.sponge.at % 8));
                self.sponge.at += 1;
                data = &data[1..];
            }
        }
    }

    /// Ends the input. The next bytes squeezed are the first of the output.
    pub fn finish(&mut self) {
        if self.sponge.at == RATE {
            keccak_f(self.isa, &mut self.sponge.state);
            self.sponge.at = 0;
        }
        self.sponge.state[self.sponge.at / 8] ^= 0x1f << (8 * (self.sponge.at % 8));
        self.sponge.state[RATE / 8 - 1] ^= 1 << 63;
        self.sponge.at = RATE;
    }

    /// The next bytes of output.
    pub fn squeeze(&mut self, out: &mut [u8]) {
        let mut out = out;
        while !out.is_empty() {
            if self.sponge.at == RATE {
                keccak_f(self.isa, &mut self.sponge.state);
                self.sponge.at = 0;
            }
            if self.sponge.at.is_multiple_of(8) && out.len() >= 8 {
                let lanes = (out.len() / 8).min((RATE - self.sponge.at) / 8);
                let (now, later) = out.split_at_mut(8 * lanes);
                let (words, _) = now.as_chunks_mut::<8>();
                for (lane, word) in self.sponge.state[self.sponge.at / 8..].iter().zip(words) {
                    *word = lane.to_le_bytes();
                }
                self.sponge.at += 8 * lanes;
                out = later;
            } else {
                out[0] = (self.sponge.state[self.sponge.at / 8] >> (8 * (self.sponge.at % 8))) as u8;
                self.sponge.at += 1;
                out = &mut out[1..];
            }
        }
    }

    /// The next block of output as little-endian 64-bit lanes. Range: whole blocks were squeezed
    /// before.
    #[inline(always)]
    pub fn squeeze_block(&mut self) -> [u64; RATE / 8] {
        debug_assert!(self.sponge.at == RATE);
        keccak_f(self.isa, &mut self.sponge.state);
        let mut block = [0; RATE / 8];
        block.copy_from_slice(&self.sponge.state[..RATE / 8]);
        block
    }
}

/// The first bytes of SHAKE256 over the concatenation of `parts`.
#[inline(never)]
pub fn shake256_into<S: Simd>(isa: S, parts: &[&[u8]], out: &mut [u8]) {
    isa.enter(
        #[inline(always)]
        || {
            let mut h = Shake256::new(isa);
            for part in parts {
                h.absorb(part);
            }
            h.finish();
            h.squeeze(out);
        },
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Emulated;
    use sha3::{
        Shake256 as Oracle,
        digest::{ExtendableOutput, Update, XofReader},
    };

    #[test]
    fn equals_the_sha3_crate_for_every_length_and_cut() {
        let data: Vec<u8> = (0..700u32).map(|i| ((i * i) >> 3) as u8).collect();
        for len in (0..300).chain([407, 408, 409, 543, 544, 545, 700]) {
            let mut oracle = Oracle::default();
            oracle.update(&data[..len]);
            let mut want = [0u8; 500];
            oracle.finalize_xof().read(&mut want);
            for cut in [1, 3, 7, 8, 64, 135, 136, 137, 500] {
                let mut h = Shake256::new(Emulated);
                data[..len].chunks(cut).for_each(|part| h.absorb(part));
                h.finish();
                let mut got = [0u8; 500];
                got.chunks_mut(cut).for_each(|part| h.squeeze(part));
                assert_eq!(got, want, "length {len}, pieces of {cut}");
            }
            let mut h = Shake256::new(Emulated);
            h.absorb(&data[..len]);
            h.finish();
            for block in want.chunks_exact(RATE) {
                let lanes = block.as_chunks::<8>().0;
                assert!(h.squeeze_block().iter().zip(lanes).all(|(a, b)| a.to_le_bytes() == *b));
            }
        }
    }
}
