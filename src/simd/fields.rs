//! Fields of 14 bits without vectors: what levels do that have nothing better.

/// As [`super::Simd::unpack14`].
#[inline(always)]
pub fn unpack14(big: bool, src: &[u8], out: &mut [u16]) {
    for (b, v) in src.chunks_exact(7).zip(out.chunks_exact_mut(4)) {
        let low = [b[0], b[1], b[2], b[3]];
        let high = [b[3], b[4], b[5], b[6]];
        // The first and the last 32 of 56 bits.
        let (x, y) = if big {
            let (x, y) = (u32::from_be_bytes(low), u32::from_be_bytes(high));
            (x >> 18 | (x >> 4) << 16, (y >> 14 & 0x3fff) | y << 16)
        } else {
            let (x, y) = (u32::from_le_bytes(low), u32::from_le_bytes(high));
            (x & 0x3fff | (x >> 14) << 16, y >> 4 & 0x3fff | (y >> 18) << 16)
        };
        let (x, y) = (x & 0x3fff_3fff, y & 0x3fff_3fff);
        v.copy_from_slice(&[x as u16, (x >> 16) as u16, y as u16, (y >> 16) as u16]);
    }
}
