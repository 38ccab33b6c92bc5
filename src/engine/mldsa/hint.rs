//! The hint in a signature (FIPS 204, algorithms 20 and 21). The encoding contains the positions
//! where the hint is 1, row by row. It then contains a number for each row: the count of positions
//! in this row and all earlier rows.
//!
//! The parser, which verifiers call, accepts a single encoding for each hint. It requires that the
//! positions in a row ascend, that the counts do not descend, and that unused bytes are zero. A
//! signer stores the hint as bits ([`HintBits`]), because the hint is secret until the attempt is
//! accepted.

use super::codec::PIECE;
use super::params::{MAX_K, N, Parameters};

/// An encoded hint that has passed all checks.
#[derive(Clone, Copy)]
pub struct EncodedHint<'a> {
    /// The positions where the hint is 1.
    places: &'a [u8],
    /// Entry `r` is the number of positions in all rows up to and including row `r`.
    ends: &'a [u8],
}

impl<'a> EncodedHint<'a> {
    /// Parses an encoded hint. Returns `None` if the encoding is not valid. `bytes` must have the
    /// length `omega + k`.
    pub fn new(p: &Parameters, bytes: &'a [u8]) -> Option<Self> {
        let (places, ends) = bytes.split_at_checked(p.omega)?;
        let hint = Self { places, ends };
        let mut first = 0;
        for &end in ends {
            let end = usize::from(end);
            let row = places.get(first..end)?;
            if row.windows(2).any(|pair| pair[0] >= pair[1]) {
                return None;
            }
            first = end;
        }
        places.get(first..)?.iter().all(|place| *place == 0).then_some(hint)
    }

    /// Returns the positions where row `r` is 1, in ascending order.
    pub fn row(&self, r: usize) -> &'a [u8] {
        let end = |row: usize| self.ends.get(row).map_or(0, |end| usize::from(*end));
        // `new` has checked that these positions exist. `get` cannot panic, and boot loaders must
        // not contain the code for a panic.
        self.places.get(end(r.wrapping_sub(1))..end(r)).unwrap_or_default()
    }
}

/// A hint as bits. A word contains the bits for a piece, which has [`PIECE`] coefficients. `ones`
/// is the number of bits that are 1.
pub struct HintBits {
    bits: [u32; MAX_K * N / PIECE],
    ones: u32,
}

impl HintBits {
    /// A hint in which all bits are 0.
    pub const EMPTY: Self = Self { bits: [0; MAX_K * N / PIECE], ones: 0 };

    /// Stores the bits for piece `i` in row `r`. The caller must store a piece only once, because
    /// each call adds to the number of ones. Each coefficient in `piece` must be 0 or 1. The bits
    /// may be secret.
    #[inline(always)]
    pub fn set(&mut self, r: usize, i: usize, piece: &[u32; PIECE]) {
        let (mut word, mut ones) = (0, 0);
        for (j, bit) in piece.iter().enumerate() {
            word |= bit << j;
            ones += bit;
        }
        self.bits[r * (N / PIECE) + i] = word;
        self.ones += ones;
    }

    /// Returns how many bits are 1.
    pub fn ones(&self) -> u32 {
        self.ones
    }

    /// Returns the bits. The caller can declassify or wipe them.
    pub fn bits_mut(&mut self) -> &mut [u32] {
        &mut self.bits
    }

    /// Writes the encoding to `out`, which must have `omega + k` bytes. Returns `None` if more than
    /// omega bits are 1. A signer rejects such an attempt before this call, so `None` means that a
    /// fault occurred. The time depends on the bits, so the caller must declassify them first.
    pub fn encode_into(&self, p: &Parameters, out: &mut [u8]) -> Option<()> {
        let (places, ends) = out.split_at_mut(p.omega);
        places.fill(0);
        let mut used_count = 0;
        for (row, end) in self.bits.chunks(N / PIECE).zip(ends) {
            for (i, word) in row.iter().enumerate() {
                let mut remaining_bits = *word;
                while remaining_bits != 0 {
                    *places.get_mut(used_count)? = (PIECE * i) as u8 + remaining_bits.trailing_zeros() as u8;
                    used_count += 1;
                    remaining_bits &= remaining_bits - 1;
                }
            }
            *end = used_count as u8;
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::mldsa::params::MlDsaSet;

    #[test]
    fn hints_round_trip() {
        for set in MlDsaSet::ALL {
            let p = set.parameters();
            let mut bits = HintBits::EMPTY;
            let places: Vec<(usize, usize)> = (0..p.omega).map(|i| (i * p.k / p.omega, (3 * i + 1) % 256)).collect();
            for (i, &(r, j)) in places.iter().enumerate() {
                assert_eq!(bits.ones(), i as u32);
                let earlier = |at: usize| places[..=i].contains(&(r, at));
                let piece: [u32; PIECE] = core::array::from_fn(|i| u32::from(earlier(j / PIECE * PIECE + i)));
                bits.ones -= piece.iter().sum::<u32>() - 1;
                bits.set(r, j / PIECE, &piece);
            }
            let mut bytes = vec![7; p.omega + p.k];
            bits.encode_into(p, &mut bytes).unwrap();
            let hint = EncodedHint::new(p, &bytes).unwrap();
            for r in 0..p.k {
                let mut expected: Vec<u8> =
                    places.iter().filter(|place| place.0 == r).map(|place| place.1 as u8).collect();
                expected.sort_unstable();
                assert_eq!(hint.row(r), expected, "row {r}");
            }
            // The encoding has space for omega positions, so one more position does not fit.
            bits.set(0, 7, &core::array::from_fn(|i| u32::from(i == 31)));
            assert_eq!(bits.encode_into(p, &mut bytes), None);
            assert!(bits.bits_mut().iter().any(|word| *word != 0));
        }
    }

    /// Parses hints with each defect that the parser must detect. CVE-2026-24850 is about a parser
    /// that accepted a repeated position, which is the second defect here.
    #[test]
    fn malformed_hints_are_rejected() {
        let p = MlDsaSet::S44.parameters();
        let is_accepted = |places: &[u8], ends: [u8; 4]| {
            let mut bytes = vec![0; p.omega + p.k];
            bytes[..places.len()].copy_from_slice(places);
            bytes[p.omega..].copy_from_slice(&ends);
            EncodedHint::new(p, &bytes).is_some()
        };
        assert!(is_accepted(&[], [0; 4]));
        assert!(is_accepted(&[1, 2, 2], [2, 2, 2, 3]) && is_accepted(&[5, 9, 0, 255], [2, 4, 4, 4]));
        assert!(!is_accepted(&[2, 1], [2, 2, 2, 2]), "the positions in a row descend");
        assert!(!is_accepted(&[2, 2], [2, 2, 2, 2]), "a position occurs twice in a row");
        assert!(!is_accepted(&[1, 2], [2, 1, 2, 2]), "the ends of the rows descend");
        assert!(!is_accepted(&[1, 2], [1, 1, 1, 1]), "a byte after the last row is not zero");
        let all: Vec<u8> = (0..80).collect();
        assert!(is_accepted(&all, [80; 4]));
        assert!(!is_accepted(&all, [81; 4]) && !is_accepted(&all, [80, 80, 80, 255]), "an end is above omega");
    }
}
