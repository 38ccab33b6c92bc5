//! Bytes in hexadecimal.

use zeroize::Zeroizing;

/// Lower-case hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    let mut digits = vec![0; 2 * bytes.len()];
    fndsa::hex::encode(bytes, &mut digits);
    String::from_utf8(digits).unwrap_or_default()
}

/// The bytes of hexadecimal digits. They may be secret, and are wiped if they are not good.
///
/// # Errors
/// What is wrong with the text.
pub fn from_hex(text: &[u8]) -> Result<Vec<u8>, &'static str> {
    if !text.len().is_multiple_of(2) {
        return Err("the number of digits is odd");
    }
    let mut bytes = Zeroizing::new(vec![0; text.len() / 2]);
    if !fndsa::hex::decode(text, &mut bytes) {
        return Err("a character is not a digit");
    }
    Ok(std::mem::take(&mut *bytes))
}

/// A value of `len` bytes that is given raw, or in hexadecimal with or without a line end.
pub fn exactly(data: &[u8], len: usize) -> Option<Zeroizing<Vec<u8>>> {
    if data.len() == len {
        return Some(Zeroizing::new(data.to_vec()));
    }
    let digits = data.strip_suffix(b"\r\n").or_else(|| data.strip_suffix(b"\n")).unwrap_or(data);
    from_hex(digits).ok().map(Zeroizing::new).filter(|value| value.len() == len)
}
