//! Lane indices to shuffle blocks of lanes, for `avx512`.

/// Lane indices for blocks of `D` lanes, where `D` is a power of two up to 8. The indices for
/// `repeat_u32` and `repeat_back_u32` select lanes of a single vector. All other indices select
/// lanes of two vectors: index 16 is the first lane of the second vector.
pub struct BlockShuffle<const D: usize>;

impl<const D: usize> BlockShuffle<D> {
    /// The lanes in blocks at even positions, for `unzip_u32`.
    pub const EVEN: [u32; 16] = Self::unzipped(0);
    /// The lanes in blocks at odd positions, for `unzip_u32`.
    pub const ODD: [u32; 16] = Self::unzipped(1);
    /// The lanes of the first result of `zip_u32`.
    pub const LOW: [u32; 16] = Self::zipped(0);
    /// The lanes of the second result of `zip_u32`.
    pub const HIGH: [u32; 16] = Self::zipped(16);
    /// The lanes for `halve_blocks_u32`.
    pub const HALVED: [[u32; 16]; 2] = Self::resized(if D > 1 { D / 2 } else { 1 });
    /// The lanes for `double_blocks_u32`.
    pub const DOUBLED: [[u32; 16]; 2] = Self::resized(2 * D);
    /// Each lane `D` times, for `repeat_u32`.
    pub const REPEATED: [u32; 16] = Self::repeated(false);
    /// Each lane `D` times, in reverse order, for `repeat_back_u32`.
    pub const REPEATED_BACK: [u32; 16] = Self::repeated(true);

    /// Returns the lanes in blocks at even positions (`odd` is 0) or at odd positions (`odd` is 1).
    const fn unzipped(odd: usize) -> [u32; 16] {
        let mut lanes = [0; 16];
        let mut i = 0;
        while i < 16 {
            lanes[i] = ((2 * (i / D) + odd) * D + i % D) as u32;
            i += 1;
        }
        lanes
    }

    /// Returns the indices that zip blocks of `D` lanes, and then unzip blocks of `len` lanes.
    const fn resized(len: usize) -> [[u32; 16]; 2] {
        let zipped = [Self::LOW, Self::HIGH];
        let mut lanes = [[0; 16]; 2];
        let mut i = 0;
        while i < 32 {
            let from = (2 * (i % 16 / len) + i / 16) * len + i % len;
            lanes[i / 16][i % 16] = zipped[from / 16][from % 16];
            i += 1;
        }
        lanes
    }

    /// Returns 16 lanes of the two zipped vectors, from lane `first` on.
    const fn zipped(first: usize) -> [u32; 16] {
        let mut lanes = [0; 16];
        let mut i = 0;
        while i < 16 {
            let block = (first + i) / D;
            lanes[i] = (16 * (block % 2) + block / 2 * D + i % D) as u32;
            i += 1;
        }
        lanes
    }

    /// Returns each lane `D` times, in reverse order if `is_reversed` is true.
    const fn repeated(is_reversed: bool) -> [u32; 16] {
        let mut lanes = [0; 16];
        let mut i = 0;
        while i < 16 {
            lanes[i] = (if is_reversed { 15 - i } else { i } / D) as u32;
            i += 1;
        }
        lanes
    }
}
