//! Reads compressed coefficients in two steps (specification 2.3.3). The first step finds where
//! each coefficient starts, in sequence, with a few operations on a word. The second step decodes
//! the coefficients with vectors. The first step can run while a Keccak permutation uses the vector
//! registers.
//!
//! A window contains the 16 bits from a coefficient's start: the sign, the magnitude's low 7 bits,
//! and the first 8 bits from the unary part. The unary part encodes the magnitude's high bits. If
//! the unary part does not end in the window, the coefficient's magnitude is 1024 or more, or the
//! encoding is not valid. In this case, the reader in `codec` must decode the signature.
//!
//! There is no secret data in this file.

use super::modq::{is_short, largest_lane};
use super::scheme::BitOrder;
#[cfg(feature = "alloc")]
use crate::engine::hash::shake::{KeccakStates, keccak_f_many, keccak_f_many_with};
use crate::engine::hash::shake::{ROUNDS, keccak_f, keccak_f_with};
use crate::simd::{Simd, frame};

/// How many windows a 64-bit word always contains, if the first window starts in the
/// word's first byte.
const WINDOWS_PER_STEP: usize = 3;

/// A scanner that finds each compressed coefficient's window in a signature.
pub struct CoefficientScanner<'w, 'a> {
    src: &'a [u8],
    order: BitOrder,
    /// The position of the next window in `src`, in bits.
    at: usize,
    /// The elements for the windows that were not found yet.
    out: &'w mut [u16],
}

impl<'w, 'a> CoefficientScanner<'w, 'a> {
    /// Returns a scanner that starts at the first bit of `src` and finds a window for each element
    /// of `out`. Returns `None` if `src` is too short to be read as words.
    pub fn new(order: BitOrder, src: &'a [u8], out: &'w mut [u16]) -> Option<Self> {
        (src.len() >= 8).then_some(Self { src, order, at: 0, out })
    }

    /// Permutes `state` (Keccak-f\[1600\]), and finds windows at the same time. If the fields are
    /// big-endian, or if only a few windows remain to be found, only permutes `state`.
    #[inline(never)]
    pub fn permute_and_scan<S: Simd>(&mut self, isa: S, state: &mut [u64; 25]) {
        frame!(isa, {
            // Do not scan big-endian fields during the permutation: reversing their bits would
            // take as much time as the scan saves.
            if self.order == BitOrder::Big || self.out.len() < WINDOWS_PER_STEP * ROUNDS {
                return keccak_f(isa, state);
            }
            let src = self.src;
            let mut at = self.at;
            let mut found_windows = 0;
            let out = core::mem::take(&mut self.out);
            let mut steps = out.as_chunks_mut::<WINDOWS_PER_STEP>().0.iter_mut();
            keccak_f_with(
                isa,
                state,
                #[inline(always)]
                |_| {
                    // This closure runs before each round. It must not contain any call, because
                    // even a rare call would force the state out of the registers. `finish` reads
                    // the last bytes.
                    let bytes = src.get(at / 8..).and_then(<[u8]>::first_chunk);
                    if let (Some(bytes), Some(step)) = (bytes, steps.next()) {
                        at = find_windows(u64::from_le_bytes(*bytes), at % 8, at, step);
                        found_windows += WINDOWS_PER_STEP;
                    }
                },
            );
            (self.at, self.out) = (at, &mut out[found_windows..]);
        });
    }

    /// Returns whether another step is possible during a permutation. This is the case if `out` has
    /// space for the step's windows, and the scanner has not reached the last bytes, which
    /// [`CoefficientScanner::finish`] reads.
    #[cfg(feature = "alloc")]
    fn has_steps(&self) -> bool {
        self.out.len() >= WINDOWS_PER_STEP && self.at / 8 + 8 <= self.src.len()
    }

    /// Finds all remaining windows, and returns the bytes after the last coefficient. The returned
    /// value is only valid if each window contains the end of its unary part.
    pub fn finish(mut self) -> TrailingBytes {
        for step in self.out.chunks_mut(WINDOWS_PER_STEP) {
            let (bytes, first) = bytes_at(self.src, self.at);
            let word = match self.order {
                BitOrder::Little => word::<false>(bytes),
                BitOrder::Big => word::<true>(bytes),
            };
            self.at = find_windows(word, first, self.at, step);
        }
        TrailingBytes::of(self.order, self.src, self.at)
    }
}

/// Checks that `n` compressed coefficients have valid encodings with magnitudes up to `bound`.
/// Returns the bytes after the coefficients, or `None` if a coefficient is not valid. This function
/// needs no memory for the coefficients. `src` must have at least 8 bytes, and `bound` must be
/// below 2048.
#[inline(never)]
pub fn check_coefficients<S: Simd>(isa: S, order: BitOrder, src: &[u8], n: usize, bound: u32) -> Option<TrailingBytes> {
    frame!(isa, {
        let at = match order {
            BitOrder::Little => end_of_valid::<false>(src, n, bound),
            BitOrder::Big => end_of_valid::<true>(src, n, bound),
        };
        Some(TrailingBytes::of(order, src, at?))
    })
}

/// The number of coefficients that nearly always fit into [`WORD_BITS`] bits.
const GROUP: usize = 4;
/// The minimum number of bits from a position in a 64-bit word's first byte to the word's end. A
/// valid coefficient has at most 24 bits, so it does not continue after the word.
const WORD_BITS: usize = 57;

/// Returns the position after the last of `n` coefficients, in bits, or `None` if a coefficient is
/// not valid.
#[inline(always)]
fn end_of_valid<const BIG: bool>(src: &[u8], n: usize, bound: u32) -> Option<usize> {
    let mut at = 0;
    let mut remaining = n;
    while remaining > 0 {
        let (bytes, first) = bytes_at(src, at);
        // With big-endian fields, the first bit is in the highest position, so the bits do not have
        // to be reversed.
        let bits = if BIG { u64::from_be_bytes(bytes) << first } else { u64::from_le_bytes(bytes) >> first };
        let group = if remaining < GROUP { None } else { len_of_valid::<BIG, GROUP>(bits, bound) };
        match group {
            Some(len) if len <= WORD_BITS => (at, remaining) = (at + len, remaining - GROUP),
            // The group is not complete, not valid, or may continue after the word. So read only
            // its first coefficient.
            _ => (at, remaining) = (at + len_of_valid::<BIG, 1>(bits, bound)?, remaining - 1),
        }
    }
    Some(at)
}

/// Returns the length in bits of the first `COUNT` coefficients in a word. Returns `None` if a
/// coefficient is not valid or not complete.
#[inline(always)]
fn len_of_valid<const BIG: bool, const COUNT: usize>(mut bits: u64, bound: u32) -> Option<usize> {
    let mut len = 0;
    let mut is_valid = true;
    for _ in 0..COUNT {
        let (sign, low, zeros) = if BIG {
            (bits >> 63, bits >> 56 & 0x7f, (bits << 8).leading_zeros())
        } else {
            (bits & 1, bits >> 1 & 0x7f, (bits >> 8).trailing_zeros())
        };
        // If the 1 bit is missing, `zeros` is 64, and the magnitude is above the bound.
        let magnitude = zeros << 7 | low as u32;
        is_valid &= (magnitude <= bound) & ((magnitude != 0) | (sign == 0));
        bits = if BIG { (bits << 9).wrapping_shl(zeros) } else { (bits >> 9).wrapping_shr(zeros) };
        len += 9 + zeros as usize;
    }
    is_valid.then_some(len)
}

/// Returns the eight bytes of `src` that contain bit `at`, and the position of this bit in them.
/// The position is below 8, except in the last eight bytes of `src`. If `at` is the end of `src`,
/// the bytes are zero and the position is 0. `src` must have at least 8 bytes.
#[inline(always)]
fn bytes_at(src: &[u8], at: usize) -> ([u8; 8], usize) {
    let byte = (at / 8).min(src.len() - 8);
    let first = at - 8 * byte;
    if first < 64 { (src[byte..].first_chunk().copied().unwrap_or_default(), first) } else { ([0; 8], 0) }
}

/// Returns the bits of eight bytes, with the first bit in the lowest position.
#[inline(always)]
fn word<const BIG: bool>(bytes: [u8; 8]) -> u64 {
    if BIG { u64::from_be_bytes(bytes).reverse_bits() } else { u64::from_le_bytes(bytes) }
}

/// The number of scanners that run together. Each step of a scanner needs the position from the
/// scanner's previous step. While a step waits for this position, the processor can execute steps
/// for other scanners.
#[cfg(feature = "alloc")]
pub const SCANNERS: usize = 4;

/// Permutes the first `count` of eight states. At the same time, finds windows for the scanners in
/// one group: the first group in which at least one scanner can continue. In a group, an unused
/// scanner is `None`. All scanners have the same bit order.
#[cfg(feature = "alloc")]
#[inline(never)]
pub fn permute_many_and_scan<S: Simd>(
    isa: S,
    states: &mut KeccakStates,
    count: usize,
    groups: &mut [[Option<CoefficientScanner<'_, '_>>; SCANNERS]],
) {
    frame!(isa, {
        let unfinished = groups.iter_mut().find(|group| group.iter().flatten().any(CoefficientScanner::has_steps));
        let Some(scanners) = unfinished else { return keccak_f_many(isa, states, count) };
        if scanners.iter().flatten().any(|scanner| scanner.order == BitOrder::Big) {
            permute_and_step::<S, true>(isa, states, count, scanners);
        } else {
            permute_and_step::<S, false>(isa, states, count, scanners);
        }
    });
}

/// Permutes the first `count` states, and makes some steps for each scanner in each round.
#[cfg(feature = "alloc")]
#[inline(always)]
fn permute_and_step<S: Simd, const BIG: bool>(
    isa: S,
    states: &mut KeccakStates,
    count: usize,
    scanners: &mut [Option<CoefficientScanner<'_, '_>>; SCANNERS],
) {
    /// The number of steps for each scanner in a permutation round.
    const STEPS: usize = 2;
    let mut scanner_states = scanners.each_mut().map(|scanner| match scanner {
        Some(scanner) => {
            ScannerState { src: scanner.src, at: scanner.at, places: core::mem::take(&mut scanner.out), found_count: 0 }
        }
        None => ScannerState { src: &[], at: 0, places: &mut [], found_count: 0 },
    });
    keccak_f_many_with(
        isa,
        states,
        count,
        #[inline(always)]
        |_| {
            for _ in 0..STEPS {
                for scanner in &mut scanner_states {
                    scanner.find_windows::<BIG>();
                }
            }
        },
    );
    for (scanner, state) in scanners.iter_mut().zip(scanner_states) {
        if let Some(scanner) = scanner {
            (scanner.at, scanner.out) = (state.at, &mut state.places[state.found_count..]);
        }
    }
}

/// A scanner's state while the scanners in a group run together. The compiler can keep these fields
/// in registers.
#[cfg(feature = "alloc")]
struct ScannerState<'w, 'a> {
    src: &'a [u8],
    at: usize,
    places: &'w mut [u16],
    /// The number of windows that have been found.
    found_count: usize,
}

#[cfg(feature = "alloc")]
impl ScannerState<'_, '_> {
    /// Finds the windows for a step, if `places` has space for them and the scanner is not at the
    /// last bytes.
    #[inline(always)]
    fn find_windows<const BIG: bool>(&mut self) {
        // As in `CoefficientScanner::permute_and_scan`, this function must not contain any call.
        let bytes = self.src.get(self.at / 8..).and_then(<[u8]>::first_chunk);
        let places = self.places.get_mut(self.found_count..).and_then(<[u16]>::first_chunk_mut::<WINDOWS_PER_STEP>);
        if let (Some(bytes), Some(places)) = (bytes, places) {
            self.at = find_windows(word::<BIG>(*bytes), self.at % 8, self.at, places);
            self.found_count += WINDOWS_PER_STEP;
        }
    }
}

/// The bytes after the last coefficient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrailingBytes {
    /// All bytes are zero. The value is the number of bytes.
    Zeros(usize),
    /// A bit after the last coefficient is set. No encoding allows this.
    Set,
}

impl TrailingBytes {
    /// Classifies the bytes after the last coefficient, which ends before bit `at`.
    fn of(order: BitOrder, src: &[u8], at: usize) -> Self {
        let rest = src.get(at.div_ceil(8)..).unwrap_or(&[]);
        let used_bits = at % 8;
        let partial = if used_bits == 0 { 0 } else { src.get(at / 8).copied().unwrap_or(0) };
        let zero = order.byte(partial) >> used_bits == 0 && rest.iter().all(|&b| b == 0);
        if zero { Self::Zeros(rest.len()) } else { Self::Set }
    }
}

/// Writes a window to each element of `out`, which has at most [`WINDOWS_PER_STEP`] elements. The
/// first window starts at bit `first` of `word`, which is bit `at` in the input. Returns the
/// position after the last window. If the unary part does not end in a window, the next windows are
/// not valid.
#[inline(always)]
fn find_windows(word: u64, first: usize, at: usize, out: &mut [u16]) -> usize {
    let mut bits = word >> first;
    let mut at = at;
    for window in out {
        *window = bits as u16;
        let zeros = (bits >> 8).trailing_zeros();
        bits = (bits >> 9).wrapping_shr(zeros);
        at += 9 + zeros as usize;
    }
    at
}

/// The result of decoding a signature's windows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecodeOutcome {
    /// The coefficients are valid; the value is the sum of their squares.
    Good(u64),
    /// In a window, the unary part does not end: the reader in `codec` must decode the signature.
    Long,
    /// A magnitude is above the bound, or a coefficient is minus zero.
    Bad,
}

/// Converts windows to coefficients in two's complement. `bound` is the largest valid magnitude.
#[inline(never)]
pub fn decode_into<S: Simd>(isa: S, order: BitOrder, windows: &mut [u16], bound: u32) -> DecodeOutcome {
    if is_short::<S>(windows.len()) {
        return decode_into(isa.half(), order, windows, bound);
    }
    frame!(isa, {
        match order {
            BitOrder::Little => decode::<S, false>(isa, windows, bound),
            BitOrder::Big => decode::<S, true>(isa, windows, bound),
        }
    })
}

/// Reverses the 7 bits in each lane. Range: lanes below `2^7`.
#[inline(always)]
fn reverse7<S: Simd>(isa: S, x: S::U16) -> S::U16 {
    // Swap bit 0 with bit 6, bit 1 with bit 5, and bit 2 with bit 4.
    let inner = isa.and_u16(x, isa.splat_u16(0b001_0100));
    let outer_bits = isa.or_u16(isa.shl_u16(x, 6), isa.shr_u16(x, 6));
    let middle_bits = isa.or_u16(isa.shl_u16(x, 4), isa.shr_u16(x, 4));
    let outer_bits = isa.and_u16(outer_bits, isa.splat_u16(0b100_0001));
    let middle_bits = isa.and_u16(middle_bits, isa.splat_u16(0b010_0010));
    let inner_bits = isa.or_u16(isa.shl_u16(inner, 2), isa.shr_u16(inner, 2));
    let inner_bits = isa.and_u16(inner_bits, isa.splat_u16(0b001_0100));
    isa.or_u16(isa.or_u16(outer_bits, middle_bits), isa.or_u16(inner_bits, isa.and_u16(x, isa.splat_u16(0b000_1000))))
}

/// Implements [`decode_into`] for big-endian or little-endian order.
#[inline(always)]
fn decode<S: Simd, const BIG: bool>(isa: S, windows: &mut [u16], bound: u32) -> DecodeOutcome {
    let mut norm = isa.no_squares();
    let mut largest = isa.splat_u16(0);
    // Bit 15 of each lane is a flag. In `too_long`, it is set if the unary part does not end in a
    // window (0 - 1 wraps). In `minus_zero`, it is set if a coefficient is minus zero (magnitude 0
    // minus sign 1 wraps).
    let mut too_long = isa.splat_u16(0);
    let mut minus_zero = isa.splat_u16(0);
    for window in windows.chunks_exact_mut(S::LANES_U16) {
        let w = isa.load_u16(window);
        let sign = isa.and_u16(w, isa.splat_u16(1));
        let low = isa.and_u16(isa.shr_u16(w, 1), isa.splat_u16(0x7f));
        let low = if BIG { reverse7(isa, low) } else { low };
        let unary = isa.shr_u16(w, 8);
        too_long = isa.or_u16(too_long, isa.sub_u16(unary, isa.splat_u16(1)));
        // `end` contains only the lowest 1 bit. The position of this bit, 0 to 7, is the number of
        // zeros. This number is computed as `count_1 + count_2 + count_4`. Each mask selects the
        // positions to which this count contributes: for example, 4 contributes to the positions 4
        // to 7.
        let end = isa.and_u16(unary, isa.sub_u16(isa.splat_u16(0), unary));
        let count_1 = isa.min_u16(isa.and_u16(end, isa.splat_u16(0xaa)), isa.splat_u16(1));
        let count_2 = isa.min_u16(isa.and_u16(end, isa.splat_u16(0xcc)), isa.splat_u16(2));
        let count_4 = isa.min_u16(isa.and_u16(end, isa.splat_u16(0xf0)), isa.splat_u16(4));
        let zeros = isa.add_u16(isa.add_u16(count_1, count_2), count_4);
        let magnitude = isa.or_u16(low, isa.shl_u16(zeros, 7));
        largest = isa.max_u16(largest, magnitude);
        minus_zero = isa.or_u16(minus_zero, isa.sub_u16(magnitude, sign));
        norm = isa.add_squares(norm, magnitude);
        let minus = isa.sub_u16(isa.splat_u16(0), sign);
        isa.store_u16(isa.sub_u16(isa.xor_u16(magnitude, minus), minus), window);
    }
    if any_lane(isa, too_long) >> 15 == 1 {
        DecodeOutcome::Long
    } else if u32::from(largest_lane(isa, largest)) > bound || any_lane(isa, minus_zero) >> 15 == 1 {
        DecodeOutcome::Bad
    } else {
        DecodeOutcome::Good(isa.total(norm))
    }
}

/// Returns the bitwise or of all lanes.
#[inline(always)]
fn any_lane<S: Simd>(isa: S, v: S::U16) -> u16 {
    let mut lanes = [0; 32];
    isa.store_u16(v, &mut lanes);
    lanes.into_iter().fold(0, |any, x| any | x)
}

#[cfg(test)]
mod tests {
    use super::super::codec::{CoefficientReader, CompressedReader, compress};
    use super::*;
    use crate::simd::{Level, WithSimd};

    /// Decodes coefficients from their windows, and returns the coefficients and the number of
    /// bytes after the coefficients. Returns an error if a coefficient is not valid, if a bit after
    /// the coefficients is set, or if only the reader in `codec` can decode the bytes.
    fn decode_by_windows(
        level: Level,
        order: BitOrder,
        bytes: &[u8],
        bound: u32,
        n: usize,
    ) -> Result<(Vec<i32>, usize), DecodeOutcome> {
        struct WindowDecoding<'w>(BitOrder, &'w mut [u16], u32);
        impl WithSimd for WindowDecoding<'_> {
            type Output = DecodeOutcome;
            fn with<S: Simd>(self, isa: S) -> DecodeOutcome {
                decode_into(isa, self.0, self.1, self.2)
            }
        }
        let mut row = vec![0; n];
        let Some(scanner) = CoefficientScanner::new(order, bytes, &mut row) else { return Err(DecodeOutcome::Long) };
        let rest = scanner.finish();
        let decoded = level.run(WindowDecoding(order, &mut row, bound));
        let DecodeOutcome::Good(norm) = decoded else { return Err(decoded) };
        let values: Vec<i32> = row.iter().map(|x| i32::from(x.cast_signed())).collect();
        assert_eq!(values.iter().map(|x| u64::from(x.unsigned_abs().pow(2))).sum::<u64>(), norm);
        let TrailingBytes::Zeros(rest) = rest else { return Err(DecodeOutcome::Bad) };
        Ok((values, rest))
    }

    /// The arguments for [`check_coefficients`].
    struct CoefficientCheck<'a>(BitOrder, &'a [u8], usize, u32);

    impl WithSimd for CoefficientCheck<'_> {
        type Output = Option<TrailingBytes>;
        fn with<S: Simd>(self, isa: S) -> Option<TrailingBytes> {
            check_coefficients(isa, self.0, self.1, self.2, self.3)
        }
    }

    /// Decodes as `decode_by_windows` does, but in sequence, with the reader in `codec`.
    fn decode_by_reader(order: BitOrder, bytes: &[u8], bound: u32, n: usize) -> Option<(Vec<i32>, usize)> {
        fn read_all(mut reader: impl CoefficientReader, n: usize) -> Option<(Vec<i32>, usize)> {
            let values = (0..n).map(|_| reader.next()).collect::<Option<Vec<_>>>()?;
            Some((values, reader.trailing_len()?))
        }
        match order {
            BitOrder::Little => read_all(CompressedReader::<false>::new(bytes, bound), n),
            BitOrder::Big => read_all(CompressedReader::<true>::new(bytes, bound), n),
        }
    }

    #[test]
    fn the_scanner_agrees_with_the_decoder() {
        let mut state = 1u64;
        let mut random = move |below: u64| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            (state >> 33) % below
        };
        let (mut good, mut bad, mut long) = (0, 0, 0);
        for (order, bound) in
            [(BitOrder::Little, 840), (BitOrder::Big, 2047), (BitOrder::Big, 840), (BitOrder::Little, 2047)]
        {
            for level in Level::available() {
                for turn in 0..300 {
                    let n = [4, 8, 32, 64][turn % 4];
                    // Large coefficients are rare, except in some turns. Some inputs have a flipped
                    // bit, some inputs are truncated, and some inputs are valid.
                    let is_large = turn % 7 == 0;
                    let values: Vec<i32> = (0..n)
                        .map(|_| {
                            let limit = if is_large || random(100) == 0 { u64::from(bound) + 1 } else { 400 };
                            let x = random(limit) as i32;
                            if random(2) == 0 { x } else { -x }
                        })
                        .collect();
                    let mut bytes = vec![0; 3 * n];
                    let used_len = compress(order, values.into_iter(), bound, &mut bytes).unwrap();
                    bytes.truncate(used_len + random(3) as usize);
                    match random(4) {
                        0 => bytes.truncate(used_len - 1),
                        1 | 2 => bytes[random(used_len as u64) as usize] ^= 1 << random(8),
                        _ => (),
                    }
                    let expected = decode_by_reader(order, &bytes, bound, n);
                    if bytes.len() >= 8 {
                        let rest = match level.run(CoefficientCheck(order, &bytes, n, bound)) {
                            Some(TrailingBytes::Zeros(rest)) => Some(rest),
                            Some(TrailingBytes::Set) | None => None,
                        };
                        assert_eq!(rest, expected.as_ref().map(|(_, rest)| *rest), "{order:?}, turn {turn}");
                    }
                    match decode_by_windows(level, order, &bytes, bound, n) {
                        Ok(decoded) => {
                            good += 1;
                            assert_eq!(Some(decoded), expected, "{level}, turn {turn}");
                        }
                        // If the bound is below 1024, a window in which the unary part does not end
                        // is an error.
                        Err(DecodeOutcome::Long) if bound == 2047 || bytes.len() < 8 => long += 1,
                        Err(_) => {
                            bad += 1;
                            assert_eq!(expected, None, "{level}, turn {turn}");
                        }
                    }
                }
            }
        }
        assert!(good > 1000 && bad > 200 && long > 50, "too few cases: {good} good, {bad} bad, {long} long");
    }
}
