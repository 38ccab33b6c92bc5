//! Bytes in hexadecimal. No branch and no index depends on them, for they may be secret.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use thiserror::Error;
use zeroize::Zeroizing;

/// Why a text is not hexadecimal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum HexError {
    /// A byte has two digits.
    #[error("the number of digits is odd")]
    Odd,
    /// The digits are 0 to 9 and a to f, of either case.
    #[error("a character is not a digit")]
    Digit,
}

/// Returns the digits of `bytes`, in lower case.
pub fn hex(bytes: &[u8]) -> String {
    let mut digits = vec![0; 2 * bytes.len()];
    crate::hex::encode(bytes, &mut digits);
    String::from_utf8(digits).unwrap_or_default()
}

/// Returns the bytes of hexadecimal digits of either case. They are wiped if the text is not good.
///
/// # Errors
/// The text is not hexadecimal.
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

/// Returns a value of `len` bytes that is given raw, or in hexadecimal with or without a line end; `None` if `data` is
/// neither.
pub fn exactly(data: &[u8], len: usize) -> Option<Zeroizing<Vec<u8>>> {
    if data.len() == len {
        return Some(Zeroizing::new(data.to_vec()));
    }
    let digits = data.strip_suffix(b"\r\n").or_else(|| data.strip_suffix(b"\n")).unwrap_or(data);
    from_hex(digits).ok().map(Zeroizing::new).filter(|value| value.len() == len)
}
