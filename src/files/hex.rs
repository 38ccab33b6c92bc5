//! Encodes and decodes hexadecimal digits in constant time: the bytes can be secret, so no branch
//! and no index depends on the bytes.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use thiserror::Error;
use zeroize::Zeroizing;

/// The reason why a text is not hexadecimal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum HexError {
    /// The number of digits is odd, but each byte needs two digits.
    #[error("the number of digits is odd")]
    Odd,
    /// A character is not one of the digits 0 to 9, a to f, and A to F.
    #[error("a character is not a digit")]
    Digit,
}

/// Encodes `bytes` as hexadecimal digits in lower case.
pub fn hex(bytes: &[u8]) -> String {
    let mut digits = vec![0; 2 * bytes.len()];
    crate::hex::encode(bytes, &mut digits);
    String::from_utf8(digits).unwrap_or_default()
}

/// Decodes hexadecimal digits in lower or upper case. If the text is not hexadecimal, the bytes
/// that were already decoded are wiped.
///
/// # Errors
/// Fails if the text is not hexadecimal.
pub fn from_hex(text: &[u8]) -> Result<Vec<u8>, HexError> {
    if !text.len().is_multiple_of(2) {
        return Err(HexError::Odd);
    }
    let mut bytes = Zeroizing::new(vec![0; text.len() / 2]);
    if !crate::hex::decode(text, &mut bytes) {
        return Err(HexError::Digit);
    }
    Ok(core::mem::take(&mut *bytes))
}

/// Reads `data`, which must consist of `len` raw bytes or their hexadecimal digits. A line end can
/// follow the digits. Returns `None` in all other cases.
pub fn exactly(data: &[u8], len: usize) -> Option<Zeroizing<Vec<u8>>> {
    if data.len() == len {
        return Some(Zeroizing::new(data.to_vec()));
    }
    let digits = match data {
        [digits @ .., b'\r', b'\n'] | [digits @ .., b'\n'] => digits,
        _ => data,
    };
    let value = Zeroizing::new(from_hex(digits).ok()?);
    if value.len() == len { Some(value) } else { None }
}
