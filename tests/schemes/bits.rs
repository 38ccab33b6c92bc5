//! Writes and reads bit fields, bit by bit. The first bit is the most significant bit of the first
//! byte.

/// A sequence of bits.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Bits(pub Vec<bool>);

impl Bits {
    /// Adds the lowest `count` bits of `value`, most significant bit first. Negative numbers are in
    /// two's complement.
    pub fn field(mut self, value: i64, count: u32) -> Self {
        self.0.extend((0..count).rev().map(|i| value >> i & 1 == 1));
        self
    }

    /// Adds several fields with `count` bits each.
    pub fn fields(self, values: &[i64], count: u32) -> Self {
        values.iter().fold(self, |bits, &value| bits.field(value, count))
    }

    /// Adds a coefficient in the compressed encoding: the sign, the 7 low bits of the magnitude,
    /// the remaining bits of the magnitude as a run of zeros with this length, and a one.
    pub fn compressed(self, negative: bool, magnitude: i64) -> Self {
        let bits = self.field(i64::from(negative), 1).field(magnitude & 127, 7);
        bits.field(1, (magnitude >> 7) as u32 + 1)
    }

    /// Converts the bits to bytes. Unused bits in the last byte are zero.
    pub fn bytes(&self) -> Vec<u8> {
        let byte = |bits: &[bool]| bits.iter().enumerate().fold(0, |byte, (i, &bit)| byte | u8::from(bit) << (7 - i));
        self.0.chunks(8).map(byte).collect()
    }
}

/// Decodes signed fields with `count` bits each.
pub fn read_fields(bytes: &[u8], count: u32) -> Vec<i64> {
    let bits: Vec<bool> = bytes.iter().flat_map(|byte| (0..8).rev().map(move |i| byte >> i & 1 == 1)).collect();
    let value = |bits: &[bool]| bits.iter().fold(0, |v, &bit| v << 1 | i64::from(bit)) - (i64::from(bits[0]) << count);
    bits.chunks_exact(count as usize).map(value).collect()
}

/// Encodes compressed coefficients.
pub fn compressed(coefficients: &[i64]) -> Vec<u8> {
    coefficients.iter().fold(Bits::default(), |bits, &x| bits.compressed(x < 0, x.abs())).bytes()
}
