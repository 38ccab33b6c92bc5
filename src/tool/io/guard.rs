//! Detects keys, signatures and lists in existing files, so that a command does not replace or
//! publish a file by mistake. `destination` calls these functions before it replaces a file, and
//! `sign` calls them before it signs a file.

use super::read::InputSource;
use crate::tool::report::{Error, keytext};
use crate::tool::system::FileInfo;
use fndsa::files;
use fndsa::files::cms::CmsFile;
use fndsa::files::jws::JwsSignature;
use fndsa::files::kernel_module::SignedModule;
use fndsa::files::ssh::SshSignature;
use fndsa::files::{Defect, FileContent, FileEncoding, ForeignFormat, ObjectKind, ReadOptions, pem};
use fndsa::no_alloc::Level;
use std::hint::black_box;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use zeroize::Zeroizing;

/// The end of the BEGIN line in a PEM file with a private key. The line has this end in the files
/// of all programs, for example in `-----BEGIN RSA PRIVATE KEY-----`.
const LABEL_END: &[u8] = b"PRIVATE KEY-----";
/// The file name extensions of signature files and envelopes.
const SIGNATURE_ENDINGS: [&str; 5] = ["sig", "dsse", "jws", "p7s", "p7m"];
/// The number of bytes at the start of a file that are read to detect a list or an envelope.
const LIST_START: u64 = 64 << 10;
/// The minimum number of hexadecimal digits at the start of a list entry: the length of an MD5
/// checksum.
const MIN_DIGITS: usize = 32;

fn any_key() -> ReadOptions {
    ReadOptions::default().with_any_oid(true).with_allow_hash_ml_dsa(true)
}

/// Returns the contents of a regular file that may be a key. Returns `None` if the path is a link,
/// or if the file cannot be read or is larger than a key can be.
fn content(path: &Path) -> Option<Zeroizing<Vec<u8>>> {
    ExistingFile::read(path, &FileInfo::at_name(path).ok()?).content
}

/// An existing file that an output may replace. The file is read only once.
pub(super) struct ExistingFile {
    /// The contents. `None` if this is not a regular file, or if the file cannot be read or is
    /// larger than a key can be.
    content: Option<Zeroizing<Vec<u8>>>,
}

impl ExistingFile {
    /// Reads a file. `info` is the metadata of the path itself: for a link, the metadata of the
    /// link.
    pub(super) fn read(path: &Path, info: &FileInfo) -> Self {
        let content = if info.is_file() { InputSource::File(path.to_owned()).read_small().ok() } else { None };
        Self { content }
    }

    /// Returns whether the file could be a private key (see [`is_private_key`]).
    pub(super) fn is_private_key(&self) -> bool {
        let Some(data) = &self.content else { return false };
        may_be_private_key(data) || matches!(restored_key(data), Some(key) if may_be_private_key(&key))
    }

    /// Returns whether the file begins with a public key (see [`is_public_key`]).
    pub(super) fn is_public_key(&self) -> bool {
        let Some(data) = &self.content else { return false };
        let parts = pem::parts(data);
        let Some(first) = parts.first() else { return false };
        match files::read(first, &any_key().with_allow_toys(true)) {
            Ok(FileContent::Plain(object)) => {
                object.kind == ObjectKind::VerifyingKey && object.encoding != FileEncoding::Raw
            }
            _ => false,
        }
    }
}

/// Returns whether a path names a regular file that could be a private key. This is the case if the
/// file contains a key in any format of this program, the base64 encoding of such a key, or the end
/// of a private key's BEGIN line (`PRIVATE KEY-----`). Returns false if the file cannot be read or
/// is larger than a key can be.
pub fn is_private_key(path: &Path) -> bool {
    ExistingFile { content: content(path) }.is_private_key()
}

/// Returns the key file that a text contains. The text is a key file in base64, or a PEM file with
/// changed line ends. `--key-env` accepts both. Unlike `--key-env`, this function also accepts
/// base64 in the alphabet for URLs, without padding, and with line ends at any position. Returns
/// `None` if the data has none of these forms.
///
/// The data may contain a secret. Therefore, branches depend only on whether all characters are
/// base64, and not on the value of any character.
pub fn restored_key(data: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
    if keytext::pem(data).is_some() {
        return pem::restored(data);
    }
    let is_base64 = data.iter().fold(true, |all, byte| all & is_base64_or_blank(*byte));
    if !black_box(is_base64) {
        return None;
    }
    let mut base64 = Zeroizing::new(Vec::with_capacity(data.len() + 3));
    for byte in data {
        if !byte.is_ascii_whitespace() {
            base64.push(in_standard_alphabet(*byte));
        }
    }
    while !base64.len().is_multiple_of(4) {
        base64.push(b'=');
    }
    pem::restored(&base64)
}

/// Returns whether a byte is white space or a base64 character, in the standard alphabet or in the
/// alphabet for URLs.
fn is_base64_or_blank(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        | byte.is_ascii_whitespace()
        | (byte == b'+')
        | (byte == b'/')
        | (byte == b'=')
        | (byte == b'-')
        | (byte == b'_')
}

/// Converts a character of the base64 alphabet for URLs to the standard alphabet, without a branch.
fn in_standard_alphabet(byte: u8) -> u8 {
    let is_minus = black_box(u8::from(byte == b'-'));
    let is_underscore = black_box(u8::from(byte == b'_'));
    byte ^ (is_minus.wrapping_neg() & (b'-' ^ b'+')) ^ (is_underscore.wrapping_neg() & (b'_' ^ b'/'))
}

/// Returns whether data could be a private key (see [`is_private_key`]).
fn may_be_private_key(data: &[u8]) -> bool {
    // The file may contain a secret, so the time must not depend on its bytes. Therefore, the loop
    // compares all bytes at all positions, and the parser does not branch on the bytes of a key.
    let mut has_label = false;
    for window in data.windows(LABEL_END.len()) {
        let mut differs = 0;
        for (i, byte) in LABEL_END.iter().enumerate() {
            differs |= byte ^ window[i];
        }
        has_label |= black_box(differs) == 0;
    }
    if has_label {
        return true;
    }
    match files::read(data, &any_key().with_allow_toys(true)) {
        Ok(FileContent::Plain(object)) => object.kind == ObjectKind::SigningKey,
        Ok(FileContent::Locked(_)) => true,
        Err(_) => false,
    }
}

/// Returns whether a path names a regular file that is an encrypted private key.
pub fn is_encrypted_key(path: &Path) -> bool {
    let Some(data) = content(path) else { return false };
    matches!(files::read(&data, &any_key()), Ok(FileContent::Locked(_)))
}

/// Returns whether a path names a regular file with contents for which `condition` returns true.
pub fn has_content(path: &Path, condition: impl FnOnce(&[u8]) -> bool) -> bool {
    matches!(content(path), Some(data) if condition(&data))
}

/// Returns whether data is certainly a private key. [`is_private_key`] also returns true for data
/// that only looks like a private key. This function returns true for a key that this program can
/// use, and for a PEM file from any program that contains a private key and ends with a block. A
/// text that only mentions keys, such as a manual, is not a private key. A raw key must be valid,
/// because its length and its first byte alone do not distinguish it from other binary files. For
/// the base64 encoding of a key, the function returns false: pass the result of [`restored_key`]
/// instead.
pub fn contains_private_key(data: &[u8]) -> bool {
    match files::read(data, &any_key()) {
        Ok(FileContent::Plain(object)) if object.kind == ObjectKind::SigningKey => {
            object.encoding != FileEncoding::Raw || object.private_key(Level::detect()).is_ok()
        }
        Ok(FileContent::Plain(_)) => false,
        Ok(FileContent::Locked(_)) => true,
        Err(_) => ends_with_block(data) && pem::lines(data).any(|line| begins_private_key(line.text)),
    }
}

fn begins_private_key(line: &[u8]) -> bool {
    line.starts_with(b"-----BEGIN ") && line.trim_ascii_end().ends_with(LABEL_END)
}

/// Returns whether the last line is the END line of a PEM block.
fn ends_with_block(data: &[u8]) -> bool {
    let text = data.trim_ascii_end();
    let last_line = text.rsplit(|b| *b == b'\n' || *b == b'\r').next().unwrap_or_default();
    text.ends_with(b"-----") && last_line.starts_with(b"-----END ")
}

/// Returns whether a path names a regular file that begins with a public key. Raw keys are not
/// detected, because their length alone does not distinguish them from other binary files.
pub fn is_public_key(path: &Path) -> bool {
    ExistingFile { content: content(path) }.is_public_key()
}

/// Checks that a signature may replace a file. At least one of these conditions must hold:
/// - The file is missing, empty or not a regular file.
/// - The file contains a signature, an envelope or a signed kernel module.
/// - The file has the extension of a signature file.
///
/// Otherwise, the file could be a file that the user wants to sign.
///
/// # Errors
/// Fails if none of these conditions holds.
pub fn check_signature(path: &Path) -> Result<(), Error> {
    let ending = path.extension().unwrap_or_default();
    if SIGNATURE_ENDINGS.iter().any(|usual| ending == *usual) || is_empty_or_special(path) {
        return Ok(());
    }
    // An envelope or a kernel module can be larger than a signature file. Its first or last bytes
    // are sufficient to detect it.
    let is_signature = match InputSource::File(path.to_owned()).read_signatures() {
        Ok(data) => matches!(pem::parts(&data).first(), Some(first) if is_signature(first)),
        Err(_) => is_envelope_start(&start_of(path)),
    };
    let is_signature = is_signature || SignedModule::has_signature(&end_of(path));
    if is_signature { Ok(()) } else { Err(Error::IsNoSignature(path.to_owned())) }
}

fn is_signature(data: &[u8]) -> bool {
    if SshSignature::has_label(data) || JwsSignature::read(data).is_ok() || CmsFile::is_signed_data(data) {
        return true;
    }
    match files::read(data, &any_key().with_allow_toys(true)) {
        Ok(FileContent::Plain(object)) => object.kind == ObjectKind::Signature,
        Err(Defect::Foreign(foreign)) => foreign.format == ForeignFormat::Envelope,
        _ => is_envelope_start(data),
    }
}

/// Returns whether a file begins like an envelope in JSON.
fn is_envelope_start(data: &[u8]) -> bool {
    let inner = data.trim_ascii_start().strip_prefix(b"{").unwrap_or_default().trim_ascii_start();
    inner.starts_with(b"\"payload") || inner.starts_with(b"\"signatures\"")
}

/// Checks that a list may replace a file. The file must be missing, empty, a list, or not a regular
/// file. Otherwise, the file could be a file that the user wants to list.
///
/// # Errors
/// Fails if the file is none of these.
pub fn check_list(path: &Path) -> Result<(), Error> {
    if is_empty_or_special(path) || begins_like_list(&start_of(path)) {
        return Ok(());
    }
    Err(Error::IsNoList(path.to_owned()))
}

/// Returns whether the first line that is neither empty nor a comment begins with a checksum.
fn begins_like_list(start: &[u8]) -> bool {
    for line in pem::lines(start) {
        if line.text.is_empty() || line.text.starts_with(b"#") {
            continue;
        }
        let text = line.text.strip_prefix(b"\\").unwrap_or(line.text);
        let digits = text.iter().take_while(|b| b.is_ascii_hexdigit()).count();
        return digits >= MIN_DIGITS && text.get(digits) == Some(&b' ');
    }
    false
}

fn is_empty_or_special(path: &Path) -> bool {
    match std::fs::symlink_metadata(path) {
        Ok(meta) => !meta.is_file() || meta.len() == 0,
        Err(_) => true,
    }
}

/// Returns the first bytes of a file, or no bytes if the file cannot be read.
fn start_of(path: &Path) -> Zeroizing<Vec<u8>> {
    let mut start = Zeroizing::new(Vec::with_capacity(LIST_START as usize));
    if let Ok((file, _)) = InputSource::File(path.to_owned()).open_finite()
        && file.take(LIST_START).read_to_end(&mut start).is_err()
    {
        start.clear();
    }
    start
}

/// Returns the last bytes of a file, or no bytes if the file is too short or cannot be read.
fn end_of(path: &Path) -> Zeroizing<Vec<u8>> {
    let mut end = Zeroizing::new(Vec::with_capacity(SignedModule::END_LEN));
    if let Ok((mut file, _)) = InputSource::File(path.to_owned()).open_finite()
        && file.seek(SeekFrom::End(-(SignedModule::END_LEN as i64))).is_ok()
        && file.take(SignedModule::END_LEN as u64).read_to_end(&mut end).is_err()
    {
        end.clear();
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_mentions_a_key_is_not_a_private_key() {
        let block = "-----BEGIN EC PRIVATE KEY-----\nMHcCAQEE\n-----END EC PRIVATE KEY-----\n";
        let ssh = block.replace("EC", "OPENSSH");
        let certificate = block.replace("EC PRIVATE KEY", "CERTIFICATE");
        for key in [block, &ssh, &format!("{certificate}{block}"), &format!("{block}{certificate}\n\n")] {
            assert!(contains_private_key(key.as_bytes()), "{key}");
        }
        for text in [&certificate, &format!("```\n{block}```\n"), &block.replace("-----END", "-----"), "", "a"] {
            assert!(!contains_private_key(text.as_bytes()), "{text}");
        }
        // These files have the length and the first byte of a raw private key, but are not valid
        // keys.
        for (first, len) in [(b'Y', 1281), (b'Z', 2305), (0, 2560), (0, 4032), (0, 4896)] {
            let mut data = vec![0; len];
            data[0] = first;
            assert!(!contains_private_key(&data), "{len}");
        }
    }

    #[test]
    fn the_first_line_identifies_a_list() {
        let digits = "0a".repeat(32);
        let lines = [format!("{digits}  a\n"), format!("# x\n\n\\{digits} *a\n"), format!("{digits}{digits}  a")];
        for list in &lines {
            assert!(begins_like_list(list.as_bytes()), "{list}");
        }
        for text in ["", "# only a comment\n", "notes\n", &digits, "\x1f\u{8b}\n", &format!("notes\n{digits}  a\n")] {
            assert!(!begins_like_list(text.as_bytes()), "{text:?}");
        }
    }

    #[test]
    fn the_first_member_identifies_an_envelope() {
        for envelope in ["{\"payload\":\"", "\n{ \"payloadType\"", "{\"signatures\":["] {
            assert!(is_envelope_start(envelope.as_bytes()), "{envelope}");
        }
        for text in ["", "{", "{\"a\":1,\"payload\":\"", "\"payload\""] {
            assert!(!is_envelope_start(text.as_bytes()), "{text}");
        }
    }
}
