//! Reads and writes checksum lists with an inline signature. The signature is in comment lines at
//! the end of the list. Programs like `sha256sum` ignore these lines.
//!
//! The comment lines contain a signature file with one or several blocks, with `# ` before each
//! line. The signatures cover all bytes before the comment lines. Each signature must consist of a
//! signature note (a line that does not start with `-----`), and a block exactly as [`super::pem`]
//! writes it. The note's text is not checked here. No text may follow the last block.
//!
//! A line that starts with `# -----BEGIN ` shows that the list contains a signature. The lines from
//! the note before this line to the end of the list must have the described form. Otherwise, the
//! list is rejected, because an attacker could add text after the signed bytes that looks signed.

use super::pem::{PemBlock, pem};
use alloc::vec::Vec;
use thiserror::Error;
use zeroize::Zeroizing;

/// The prefix of each signature line.
const MARK: &[u8] = b"# ";
/// The start of a block's BEGIN line, with the prefix.
const MARKED_BEGIN: &[u8] = b"# -----BEGIN ";
const END: &[u8] = b"-----END ";
const DASHES: &[u8] = b"-----";

/// A list and its inline signature.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SignedList<'a> {
    /// The signed bytes, which are all bytes before the signature.
    pub list: &'a [u8],
    /// The signature file's contents.
    pub signature: Vec<u8>,
}

/// The error for an inline signature that does not have the required form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the signature at the end of the list does not have the form that fndsa writes")]
pub struct InlineDefect;

/// Appends a signature file's lines to a list, as comments. The list must end with LF.
pub fn append(list: &mut Vec<u8>, signature: &[u8]) {
    for line in signature.split_inclusive(|b| *b == b'\n') {
        list.extend_from_slice(MARK);
        list.extend_from_slice(line);
    }
}

/// Splits a file into the list and its inline signature. Returns `None` if no line starts with
/// `# -----BEGIN `.
///
/// # Errors
/// Fails if the lines from the first signature note to the end are not notes and PEM blocks in
/// canonical form. A block's label and contents are not checked here.
pub fn split(data: &[u8]) -> Result<Option<SignedList<'_>>, InlineDefect> {
    let mut previous_line_start = None;
    let mut line_start = 0;
    for line in data.split_inclusive(|b| *b == b'\n') {
        if line.starts_with(MARKED_BEGIN) {
            // The line before the block is the signature note.
            let (list, part) = data.split_at(previous_line_start.ok_or(InlineDefect)?);
            let mut signature = Vec::with_capacity(part.len());
            for line in part.split_inclusive(|b| *b == b'\n') {
                signature.extend_from_slice(line.strip_prefix(MARK).ok_or(InlineDefect)?);
            }
            return if is_canonical(&signature) { Ok(Some(SignedList { list, signature })) } else { Err(InlineDefect) };
        }
        previous_line_start = Some(line_start);
        line_start += line.len();
    }
    Ok(None)
}

/// Returns whether a signature file contains only signature notes and blocks, in turn: a note of
/// one line, and then a block exactly as [`pem`] writes it.
fn is_canonical(mut file: &[u8]) -> bool {
    while !file.is_empty() {
        let Some((note, block, rest)) = split_first_block(file) else { return false };
        let Some(written_block) = decode_and_encode(block) else { return false };
        if note.starts_with(DASHES) || written_block[..] != *block {
            return false;
        }
        file = rest;
    }
    true
}

/// Splits a signature file into its first line, the following lines up to the next END line, and
/// the remaining bytes. Returns `None` if there is no END line.
fn split_first_block(file: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let mut lines = file.split_inclusive(|b| *b == b'\n');
    let note = lines.next()?;
    let mut end = note.len();
    for line in lines {
        end += line.len();
        if line.starts_with(END) {
            return Some((note, &file[note.len()..end], &file[end..]));
        }
    }
    None
}

/// Decodes a PEM block and encodes the result. Returns `None` if the block is damaged.
fn decode_and_encode(block: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
    let pem_block = PemBlock::find(block).ok()??;
    let payload = pem_block.payload().ok()?;
    Some(pem(pem_block.label, "", &payload))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;
    use alloc::{format, vec};

    const LIST: &str = "# of a release\n0000  a\n";

    /// Creates a signature file with a note and a block.
    fn file(note: &str, bytes: &[u8]) -> Vec<u8> {
        pem("FNDSA SIGNATURE", &format!("{note}\n"), bytes).to_vec()
    }

    /// Returns [`LIST`] with these signature files as its inline signature.
    fn with(files: &[Vec<u8>]) -> String {
        let mut list = LIST.as_bytes().to_vec();
        append(&mut list, &files.concat());
        String::from_utf8(list).unwrap()
    }

    #[test]
    fn appended_signatures_are_read_back() {
        let (first_signature, second_signature) = (file("by somebody", &[7; 100]), file("by another", &[8; 49]));
        for files in [
            vec![first_signature.clone()],
            vec![first_signature.clone(), second_signature.clone()],
            vec![second_signature, first_signature.clone(), first_signature],
        ] {
            let all = with(&files);
            let found = split(all.as_bytes()).unwrap().unwrap();
            assert_eq!((found.list, found.signature), (LIST.as_bytes(), files.concat()));
            assert!(all.lines().skip(2).all(|line| line.starts_with("# ")));
        }
        assert_eq!(split(LIST.as_bytes()), Ok(None));
        assert_eq!(split(b""), Ok(None));
        assert_eq!(split(b"#-----BEGIN FNDSA SIGNATURE-----\n# see -----BEGIN\n"), Ok(None));
    }

    #[test]
    fn other_layouts_of_inline_signatures_are_rejected() {
        let good = with(&[file("by somebody", &[7; 100])]);
        assert!(split(good.as_bytes()).is_ok());
        let signature_lines = &good[LIST.len()..];
        let block = &signature_lines[signature_lines.find("# -----BEGIN").unwrap()..];
        for bad in [
            // Text before the signature, after it, and between its lines.
            format!("{good}\n"),
            format!("{good}#\n"),
            format!("{good}# \n"),
            format!("{good}# more\n"),
            format!("{good}0000  b\n"),
            format!("{good}{block}"),
            block.to_owned(),
            format!("0000  a\n{block}"),
            good.replacen("-----\n", "-----\n# \n", 1),
            good.replacen("-----\n", "-----\n0000  b\n", 1),
            good.replacen("-----\n", "-----\n# A: B\n# \n", 1),
            // Line ends, blanks and line widths that [`append`] does not write.
            good.replace('\n', "\r\n"),
            good.trim_end().to_owned(),
            good.replace("Bw", "Bw "),
            good.replacen("# Bwc", "#  Bwc", 1),
            good.replacen("# Bwc", "#Bwc", 1),
            good.replacen("# Bwc", "# B\n# wc", 1),
            good.replacen("# -----END", "#-----END", 1),
            good.replacen("# -----END", "# -----BEGIN", 1),
            good.replacen("FNDSA", "FNDSA ", 1),
            // Blocks that are not canonical, damaged or incomplete.
            good.replace("==", ""),
            good.replace("cHBwcH", "cHB*cH"),
            good.split("# -----END").next().unwrap().to_owned(),
            good.replace("END FNDSA", "END FALCON"),
        ] {
            assert_ne!(bad, good);
            assert_eq!(split(bad.as_bytes()), Err(InlineDefect), "{bad}");
        }
        // A change to the list does not affect the signature's form, so `split` accepts it.
        let other = good.replace("0000", "0001");
        assert_eq!(split(other.as_bytes()).unwrap().unwrap().list, LIST.replace("0000", "0001").as_bytes());
    }
}
