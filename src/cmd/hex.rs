//! Bytes in hexadecimal.

use zeroize::Zeroizing;

/// Lower-case hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    let digit = |nibble: u8| char::from(if nibble < 10 { b'0' + nibble } else { b'a' - 10 + nibble });
    bytes.iter().flat_map(|b| [digit(b >> 4), digit(b & 15)]).collect()
}

/// The bytes of hexadecimal digits.
///
/// # Errors
/// What is wrong with the text.
pub fn from_hex(text: &[u8]) -> Result<Vec<u8>, &'static str> {
    if !text.len().is_multiple_of(2) {
        return Err("the number of digits is odd");
    }
    let digit = |c: u8| (c as char).to_digit(16).ok_or("a character is not a digit").map(|d| d as u8);
    text.chunks_exact(2).map(|pair| Ok(digit(pair[0])? << 4 | digit(pair[1])?)).collect()
}

/// A value of `len` bytes that is given raw, or in hexadecimal with or without a line end.
pub fn exactly(data: &[u8], len: usize) -> Option<Zeroizing<Vec<u8>>> {
    if data.len() == len {
        return Some(Zeroizing::new(data.to_vec()));
    }
    let digits = data.strip_suffix(b"\r\n").or_else(|| data.strip_suffix(b"\n")).unwrap_or(data);
    from_hex(digits).ok().map(Zeroizing::new).filter(|value| value.len() == len)
}
