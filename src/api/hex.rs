//! Converts bytes to and from hexadecimal digits. The bytes may be secret, so the code does not use
//! them in a branch or as an index.

use crate::simd::ct;

/// Returns 1 if `value < bound`, and 0 otherwise. A barrier hides the result from the compiler,
/// which would otherwise generate a branch. Both arguments must be below 2^31.
fn below(value: u32, bound: u32) -> u32 {
    ct::barrier_u32(value.wrapping_sub(bound) >> 31)
}

fn digit(nibble: u8) -> u8 {
    let nibble = u32::from(nibble);
    // In ASCII, the letters do not directly follow the decimal digits. So if the digit is a letter,
    // the code adds the distance between `9` and `a`.
    (u32::from(b'0') + nibble + below(9, nibble) * u32::from(b'a' - b'0' - 10)) as u8
}

/// Returns the value of a digit in upper or lower case. If the byte is not a digit, this function
/// sets a bit in `invalid_bits`, and the returned value has no meaning.
fn nibble(digit: u8, invalid_bits: &mut u32) -> u8 {
    let offset_from = |first: u8, digit: u8| u32::from(digit.wrapping_sub(first));
    let decimal = offset_from(b'0', digit);
    let letter = offset_from(b'a', digit | 0x20);
    let is_decimal = below(decimal, 10);
    let is_letter = below(letter, 6);
    *invalid_bits |= 1 ^ is_decimal ^ is_letter;
    (is_decimal * decimal + is_letter * (letter + 10)) as u8
}

/// Writes the digits of `bytes` in lower case. `digits` must have two elements for each byte.
pub fn encode(bytes: &[u8], digits: &mut [u8]) {
    for (pair, byte) in digits.as_chunks_mut().0.iter_mut().zip(bytes) {
        *pair = [digit(byte >> 4), digit(byte & 15)];
    }
}

/// Parses digits in upper or lower case. Returns false if there are not exactly two digits for each
/// byte. If the result is false, `bytes` can contain any values.
pub fn decode(digits: &[u8], bytes: &mut [u8]) -> bool {
    let (pairs, rest) = digits.as_chunks();
    let mut invalid_bits = 0;
    for (byte, &[high, low]) in bytes.iter_mut().zip(pairs) {
        *byte = nibble(high, &mut invalid_bits) << 4 | nibble(low, &mut invalid_bits);
    }
    ct::declassify("hexadecimal digits", invalid_bits == 0) && rest.is_empty() && pairs.len() == bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_two_digits_and_other_text_is_rejected() {
        let bytes: Vec<u8> = (0..=255).collect();
        let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let mut encoded = vec![0; 512];
        encode(&bytes, &mut encoded);
        assert_eq!(encoded, digits.as_bytes());
        for text in [digits.to_lowercase(), digits.to_uppercase()] {
            let mut decoded = vec![0; 256];
            assert!(decode(text.as_bytes(), &mut decoded));
            assert_eq!(decoded, bytes);
        }
        for c in 0..=255 {
            let expected = char::from(c).to_digit(16).filter(|_| c.is_ascii());
            for text in [[c, b'0'], [b'0', c]] {
                let mut byte = [0];
                assert_eq!(decode(&text, &mut byte), expected.is_some(), "{c}");
                if let Some(value) = expected {
                    assert_eq!(u32::from(byte[0]), if text[0] == c { value << 4 } else { value });
                }
            }
        }
        assert!(!decode(b"000", &mut [0]) && !decode(b"00", &mut [0; 2]) && !decode(b"0000", &mut [0]));
        assert!(decode(b"", &mut []));
    }
}
