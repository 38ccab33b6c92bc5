//! Reads and writes PEM: base64 between BEGIN and END lines (RFC 7468).
//!
//! The reader accepts changes that mail programs and editors make to text: all kinds of line ends,
//! a byte order mark, text around the block, blank lines, trailing blanks and any line width. It
//! reports a defect for all other deviations from the standard.
//!
//! A block can contain a private key. Therefore, this module converts the block to canonical form
//! without examining the base64 characters, and the crate `pem-rfc7468` decodes the base64 in
//! constant time. This module examines the characters only to find the defect in a block that the
//! crate rejected. If the label is for public data, the crate `base64` decodes the block, because
//! `base64` needs only a fifth as many instructions as `pem-rfc7468` (measured with callgrind, for
//! 4,001 keys). If `base64` rejects a block, `pem-rfc7468` decodes the block again, and its result
//! is used.

use super::defect::Defect;
use super::object::is_seed_in_digits;
use alloc::borrow::ToOwned;
use alloc::vec;
use alloc::vec::Vec;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use pem_rfc7468::LineEnding;
use zeroize::Zeroizing;

/// Splits a file into parts that contain one PEM block each. A part consists of the text before a
/// block and the block itself, so each part can be read as a file. The last part also contains the
/// text after its block. A file with fewer than two BEGIN lines is a single part.
pub fn parts(data: &[u8]) -> Vec<&[u8]> {
    if !may_have_a_block(data) {
        return vec![data];
    }
    let mut parts = Vec::new();
    let mut start = 0;
    // Whether the BEGIN line and the END line of the current block were read.
    let mut has_begin_line = false;
    let mut has_end_line = false;
    // The position after the END line of the current block.
    let mut end = None;
    for line in lines(data) {
        let line_start = line.text.as_ptr().addr() - data.as_ptr().addr();
        if has_end_line && end.is_none() {
            end = Some(line_start);
        }
        if line.text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line.text).starts_with(BEGIN) {
            if has_begin_line {
                // A block without an END line ends at the next BEGIN line.
                let block_end = end.take().unwrap_or(line_start);
                parts.push(&data[start..block_end]);
                start = block_end;
            }
            has_begin_line = true;
            has_end_line = false;
        } else if has_begin_line && line.text.starts_with(END) {
            has_end_line = true;
        }
    }
    parts.push(&data[start..]);
    parts
}

/// Restores a PEM file that was stored in a service for secrets. Some services replace the line
/// ends by blanks or by the two characters `\n`, and some users store the base64 encoding of the
/// whole file. Returns `None` if `text` has none of these forms.
///
/// No branch depends on the base64 characters: the function searches only for line ends and for the
/// text around the block, and decodes base64 in constant time.
pub fn restored(text: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
    // The hexadecimal digits of a seed are also valid base64, but they are not a PEM file.
    if is_seed_in_digits(text) {
        return None;
    }
    if !may_have_a_block(text) {
        let text = blanks_to_line_ends(text.trim_ascii());
        return PemBlock { label: "FILE", note: None, body: lines(&text).collect() }.payload().ok();
    }
    let mut with_line_ends = Zeroizing::new(Vec::with_capacity(text.len()));
    let mut rest = text;
    while let Some(index) = find(rest, b"\\n") {
        with_line_ends.extend_from_slice(rest[..index].strip_suffix(b"\\r").unwrap_or(&rest[..index]));
        with_line_ends.push(b'\n');
        rest = &rest[index + 2..];
    }
    with_line_ends.extend_from_slice(rest);
    let begin = find(&with_line_ends, BEGIN)?;
    let body = begin + BEGIN.len() + find(&with_line_ends[begin + BEGIN.len()..], DASHES)? + DASHES.len();
    let end = body + find(&with_line_ends[body..], END)?;
    let block_end = end + END.len() + find(&with_line_ends[end + END.len()..], DASHES)? + DASHES.len();
    // A text with two blocks is not restored.
    if may_have_a_block(&with_line_ends[block_end..]) {
        return None;
    }
    if with_line_ends.len() == text.len() && with_line_ends[body..end].contains(&b'\n') {
        return None;
    }
    let mut restored = Zeroizing::new(Vec::with_capacity(with_line_ends.len() + 4));
    for part in [&with_line_ends[..begin], &with_line_ends[begin..body]] {
        restored.extend_from_slice(part);
        restored.push(b'\n');
    }
    restored.extend_from_slice(&blanks_to_line_ends(with_line_ends[body..end].trim_ascii()));
    restored.push(b'\n');
    restored.extend_from_slice(&with_line_ends[end..]);
    Some(restored)
}

/// Returns a copy of `text` in which each space is replaced by a line end.
fn blanks_to_line_ends(text: &[u8]) -> Zeroizing<Vec<u8>> {
    let mut text = Zeroizing::new(text.to_vec());
    for byte in text.iter_mut() {
        if *byte == b' ' {
            *byte = b'\n';
        }
    }
    text
}

/// Returns the position of a pattern. The first byte of `pattern` must not occur in base64, so that
/// no branch depends on the base64 characters in `text`.
fn find(text: &[u8], pattern: &[u8]) -> Option<usize> {
    text.windows(pattern.len()).position(|window| window == pattern)
}

/// Encodes a PEM block with lines of 64 characters that end with LF, and writes the text `before`
/// in front of the block. The result is wiped on drop, because it can be a private key.
///
/// # Panics
/// Panics if `label` contains a character that is not allowed in labels, or if `bytes` takes half
/// of the address space or more.
pub fn pem(label: &str, before: &str, bytes: &[u8]) -> Zeroizing<Vec<u8>> {
    let mut file = Zeroizing::new(Vec::with_capacity(pem_len(label, before, bytes.len())));
    file.extend_from_slice(before.as_bytes());
    let block = pem_rfc7468::encode_string(label, LineEnding::LF, bytes).expect("a label and a length that fit");
    file.extend_from_slice(Zeroizing::new(block).as_bytes());
    file
}

/// Returns the length of the result of [`pem`] for `len` bytes, without encoding any bytes.
pub fn pem_len(label: &str, before: &str, len: usize) -> usize {
    let first_and_last_line = BEGIN.len() + END.len() + 2 * (label.len() + DASHES.len() + 1);
    let base64_len = 4 * len.div_ceil(3);
    // If there are no bytes, the block contains an empty line.
    let line_count = base64_len.div_ceil(64).max(1);
    before.len() + first_and_last_line + base64_len + line_count
}

const BEGIN: &[u8; 11] = b"-----BEGIN ";
const END: &[u8] = b"-----END ";
const DASHES: &[u8] = b"-----";
/// The length of a full line in a PEM file, with its line end.
const LINE_LEN: usize = 65;

/// Returns whether `data` contains the start of a BEGIN line, at any position. The file can be a
/// raw private key, so no branch may depend on its bytes. The function therefore compares a whole
/// group, [`POSITION_COUNT`] adjacent positions, with `BEGIN` before it branches. All groups have
/// the same length, so the compiler can use vector instructions. The last group overlaps the group
/// before it.
fn may_have_a_block(data: &[u8]) -> bool {
    let Some(last_group) = data.last_chunk() else {
        return data.windows(BEGIN.len()).fold(false, |found, window| found | is_equal(window, BEGIN));
    };
    let mut rest = data;
    while let Some(group) = rest.first_chunk::<GROUP_LEN>() {
        if begins_at_any(group) {
            return true;
        }
        rest = &rest[POSITION_COUNT..];
    }
    begins_at_any(last_group)
}

/// Compares two texts of the same length. No branch depends on a single byte, because the texts can
/// be secret.
fn is_equal(text: &[u8], other: &[u8]) -> bool {
    text.iter().zip(other).fold(0, |differences, (byte, other)| differences | (byte ^ other)) == 0
}

/// Returns whether a BEGIN line starts at any position in a group.
fn begins_at_any(group: &[u8; GROUP_LEN]) -> bool {
    let mut differences = [0; POSITION_COUNT];
    for (offset, expected) in BEGIN.iter().enumerate() {
        for (difference, byte) in differences.iter_mut().zip(&group[offset..offset + POSITION_COUNT]) {
            *difference |= byte ^ expected;
        }
    }
    differences.iter().fold(false, |found, difference| found | (*difference == 0))
}

/// The number of adjacent positions in a group. [`begins_at_any`] compares them together. The
/// search ends after the group that contains the BEGIN line. This line is usually in the first few
/// hundred bytes.
const POSITION_COUNT: usize = 128;
/// The number of bytes in a group. `BEGIN` can start at the last position, so the group contains
/// the `BEGIN.len() - 1` bytes after this position.
const GROUP_LEN: usize = POSITION_COUNT + BEGIN.len() - 1;

/// A line in a text file.
#[non_exhaustive]
pub struct PemLine<'a> {
    /// The line number, from 1.
    pub number: usize,
    /// The line without the line end.
    pub text: &'a [u8],
    /// Whether the line has a line end. Only the last line can be without a line end.
    pub ended: bool,
}

impl PemLine<'_> {
    fn is_begin(&self) -> bool {
        self.text.starts_with(BEGIN)
    }
}

/// Splits a text into lines that end with LF, CR LF or CR.
pub fn lines(mut rest: &[u8]) -> impl Iterator<Item = PemLine<'_>> {
    let mut number = 0;
    core::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        number += 1;
        let len = line_end(rest);
        let text = &rest[..len.unwrap_or(rest.len())];
        let after = &rest[text.len()..];
        rest = match after {
            [b'\r', b'\n', next @ ..] | [_, next @ ..] => next,
            [] => &[],
        };
        Some(PemLine { number, text, ended: len.is_some() })
    })
}

/// Returns the position of the first line end, or `None` if there is no line end.
fn line_end(text: &[u8]) -> Option<usize> {
    // The compiler can compare the 16 bytes of a group with a single vector instruction.
    let (groups, _) = text.as_chunks::<16>();
    let mut from = 0;
    for group in groups {
        if has_line_end(group) {
            break;
        }
        from += 16;
    }
    let at = text[from..].iter().position(ends_a_line)?;
    Some(from + at)
}

fn ends_a_line(b: &u8) -> bool {
    *b == b'\n' || *b == b'\r'
}

fn has_line_end(group: &[u8; 16]) -> bool {
    group.iter().fold(false, |has_end, b| has_end | ends_a_line(b))
}

/// The only PEM block in a file. The base64 is not decoded yet.
pub struct PemBlock<'a> {
    /// The label of the BEGIN line.
    pub label: &'a str,
    /// The line before the block, without the line end. `None` if the block is at the start of the
    /// file.
    pub note: Option<&'a [u8]>,
    body: Vec<PemLine<'a>>,
}

impl<'a> PemBlock<'a> {
    /// Finds the only block in a file. Returns `None` if the file has no BEGIN line.
    ///
    /// # Errors
    /// Fails if the file contains several blocks or a NUL byte. Also fails if the END line is
    /// missing, if the BEGIN or END line is damaged, or if blanks precede the dashes of a line. The
    /// base64 is not checked.
    pub fn find(data: &'a [u8]) -> Result<Option<Self>, Defect> {
        if !may_have_a_block(data) {
            return Ok(None);
        }
        let data = data.strip_prefix(b"\xef\xbb\xbf").unwrap_or(data);
        let mut rest = lines(data);
        let mut note = None;
        let begin = loop {
            match rest.next() {
                Some(line) if line.is_begin() => break line,
                Some(line) => note = Some(line.text),
                None => {
                    return match lines(data).find(|line| line.text.trim_ascii_start().starts_with(BEGIN)) {
                        Some(indented) => Err(Defect::Indented(indented.number)),
                        None => Ok(None),
                    };
                }
            }
        };
        let found = Self::from_begin(begin.text, note, data.len() / LINE_LEN, &mut rest);
        // If the block is complete, it contains no second BEGIN line, so only the text after the
        // block is searched for further BEGIN lines.
        let begins = match found {
            Ok(_) => 1 + rest.filter(PemLine::is_begin).count(),
            Err(_) => lines(data).filter(PemLine::is_begin).count(),
        };
        // The compiler can use vector instructions for this loop.
        if data.iter().fold(false, |found, byte| found | (*byte == 0)) {
            return Err(Defect::Nul);
        }
        if begins > 1 {
            return Err(Defect::Blocks(begins));
        }
        Ok(Some(found?))
    }

    /// Collects the lines after a BEGIN line, up to the END line. `usual_line_count` is the number
    /// of lines for which memory is reserved.
    fn from_begin(
        begin: &'a [u8],
        note: Option<&'a [u8]>,
        usual_line_count: usize,
        lines: &mut impl Iterator<Item = PemLine<'a>>,
    ) -> Result<Self, Defect> {
        if find(begin, END).is_some() {
            return Err(Defect::OneLine);
        }
        let label = label(begin, BEGIN).ok_or(Defect::Begin)?;
        let mut body: Vec<PemLine<'_>> = Vec::with_capacity(usual_line_count);
        for line in lines {
            if line.text.starts_with(DASHES) {
                let Some(end) = self::label(line.text, END) else {
                    return Err(if line.ended { Defect::End } else { Defect::Cut(line.number) });
                };
                if end != label {
                    return Err(Defect::Labels { begin: label.to_owned(), end: end.to_owned() });
                }
                return Ok(Self { label, note, body });
            }
            if line.text.trim_ascii_start().starts_with(DASHES) {
                return Err(Defect::Indented(line.number));
            }
            body.push(line);
        }
        match body.last() {
            Some(line) if !line.ended => Err(Defect::Cut(line.number)),
            _ => Err(Defect::NoEnd),
        }
    }

    /// Decodes the base64 in the block, faster than [`Self::payload`]. The block must contain
    /// public data, because branches and addresses depend on the content.
    ///
    /// # Errors
    /// Returns the errors of [`Self::payload`].
    pub fn public_payload(&self) -> Result<Zeroizing<Vec<u8>>, Defect> {
        // The text is public, so it is not wiped.
        let mut text = Vec::new();
        self.add_base64_text(&mut text);
        match STANDARD.decode(text) {
            Ok(bytes) if !bytes.is_empty() => Ok(Zeroizing::new(bytes)),
            _ => self.payload(),
        }
    }

    /// Decodes the base64 in the block. The decoding is constant-time, unless the block is damaged.
    ///
    /// # Errors
    /// Fails if the block is empty, contains a character that is not base64, or is not canonical.
    pub fn payload(&self) -> Result<Zeroizing<Vec<u8>>, Defect> {
        let text = self.canonical();
        // This buffer is wiped on drop, also if the decoder fails in the middle of the text.
        let mut bytes = Zeroizing::new(Vec::new());
        let Ok(mut decoder) = pem_rfc7468::Decoder::new(&text) else { return Err(self.defect()) };
        match decoder.decode_to_end(&mut bytes) {
            Ok([]) => Err(Defect::NoBody),
            Ok(_) => Ok(bytes),
            Err(_) => Err(self.defect()),
        }
    }

    /// Adds the characters of all lines in the block to `text`, without line ends and trailing
    /// blanks. `text` must be empty, because moving its characters to a larger buffer would leave a
    /// copy that is not wiped.
    fn add_base64_text(&self, text: &mut Vec<u8>) {
        text.reserve_exact(self.body.iter().map(|line| line.text.len()).sum());
        for line in &self.body {
            text.extend_from_slice(line.text.trim_ascii_end());
        }
    }

    /// Returns the block in canonical form: lines of 64 characters that end with LF.
    fn canonical(&self) -> Zeroizing<Vec<u8>> {
        let mut base64_text = Zeroizing::new(Vec::new());
        self.add_base64_text(&mut base64_text);
        let size = base64_text.len();
        let mut text = Zeroizing::new(Vec::with_capacity(size + size / 64 + 2 * self.label.len() + 64));
        for (word, lines) in [(&BEGIN[..], &base64_text[..]), (END, &[])] {
            text.extend_from_slice(word);
            text.extend_from_slice(self.label.as_bytes());
            text.extend_from_slice(DASHES);
            text.push(b'\n');
            for line in lines.chunks(64) {
                text.extend_from_slice(line);
                text.push(b'\n');
            }
        }
        text
    }

    /// Returns the reason why the decoder rejected the block.
    fn defect(&self) -> Defect {
        let mut empty = true;
        for line in &self.body {
            let text = line.text.trim_ascii_end();
            empty &= text.is_empty();
            if matches!(text.first(), Some(b' ' | b'\t')) {
                return Defect::Indented(line.number);
            }
            if text.contains(&b':') {
                let is_encrypted = text.starts_with(b"Proc-Type:") || text.starts_with(b"DEK-Info:");
                return if is_encrypted {
                    Defect::TraditionalEncryption(line.number)
                } else {
                    Defect::Header(line.number)
                };
            }
            if !text.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'=')) {
                return Defect::Character(line.number);
            }
        }
        if empty { Defect::NoBody } else { Defect::Base64 }
    }
}

/// Returns the reason why a text contains a PEM block that cannot be used: the block does not start
/// on a new line, or the whole text is encoded in base64. Returns `None` if the text contains no
/// PEM block, or only a PEM block in a JSON string. Call this function only if [`PemBlock::find`]
/// found no block.
pub(super) fn unusable_block(text: &[u8]) -> Option<Defect> {
    let text = text.trim_ascii_start();
    if BASE64_BEGINNINGS.iter().any(|start| text.starts_with(start)) {
        return Some(Defect::EncodedPem);
    }
    for line in lines(text) {
        if let Some(begin) = find(line.text, BEGIN) {
            let is_in_json = begin > 1 && line.text[begin - 1] == b'"';
            if is_in_json {
                return None;
            }
            let is_one_line = find(line.text, END).is_some();
            return Some(if is_one_line { Defect::OneLine } else { Defect::BeforeBegin(line.number) });
        }
    }
    None
}

/// The base64 encoding of the two usual beginnings of PEM files: `-----BEGIN`, and `fndsa ` for a
/// note.
const BASE64_BEGINNINGS: [&[u8]; 2] = [b"LS0tLS1CRUdJT", b"Zm5kc2Eg"];

/// Returns the label in a BEGIN or END line, or `None` if the line is damaged.
fn label<'a>(line: &'a [u8], marker: &[u8]) -> Option<&'a str> {
    let label = line.strip_prefix(marker)?.trim_ascii_end().strip_suffix(DASHES)?;
    let is_known = label.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b' ' | b'-' | b'#'));
    if label.is_empty() || !is_known { None } else { core::str::from_utf8(label).ok() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_before_a_block_belongs_to_its_part() {
        let block = |label: &str| format!("-----BEGIN {label}-----\nAAAA\n-----END {label}-----\n");
        let [a, b, c] = ["A", "B", "C"].map(block);
        let file = format!("of a\n{a}of b\n\nof b, too\n{b}{c}the end");
        let expected = [format!("of a\n{a}"), format!("of b\n\nof b, too\n{b}"), format!("{c}the end")];
        assert_eq!(parts(file.as_bytes()), expected.each_ref().map(String::as_bytes));
        // A block without an END line is a separate part, so that the next block is not damaged.
        let file = format!("-----BEGIN A-----\nAAAA\n{b}");
        assert_eq!(parts(file.as_bytes()), [&b"-----BEGIN A-----\nAAAA\n"[..], b.as_bytes()]);
        for text in [a.as_str(), "", "no block", "-----END A-----\n", "x\n-----END A-----\n-----BEGIN A-----\n"] {
            assert_eq!(parts(text.as_bytes()), [text.as_bytes()], "{text:?}");
        }
    }
    /// Tests that the computed length is the length of the text, with all paddings and lines.
    #[test]
    fn the_length_is_known_before_the_text_is_written() {
        for (len, label, before) in (0..200).flat_map(|len| [(len, "A", ""), (len, "PUBLIC KEY", "note\n")]) {
            assert_eq!(pem_len(label, before, len), pem(label, before, &vec![7; len]).len(), "{len} {label}");
        }
    }

    /// Tests that both decoders return the same result for random blocks, both valid and damaged.
    #[test]
    fn both_base64_decoders_reject_the_same_input() {
        let alphabet =
            [b'A', b'Q', b'g', b'/', b'+', b'z', b'=', b'=', b'\n', b' ', b'\r', b'-', b'_', b'\x0b', b'\xff'];
        let mut state = 1u32;
        let mut next = |below: usize| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as usize % below
        };
        let (mut good, mut bad) = (0, 0);
        for i in 0..100_000 {
            // With a small alphabet, the text is often valid base64, and short texts test the
            // padding.
            let alphabet_len = [6, 8, alphabet.len()][i % 3];
            let body: Vec<u8> = (0..next(12)).map(|_| alphabet[next(alphabet_len)]).collect();
            let file = [b"-----BEGIN A-----\n", &body[..], b"\n-----END A-----\n"].concat();
            let Ok(Some(block)) = PemBlock::find(&file) else { continue };
            let fast = block.public_payload();
            assert_eq!(fast, block.payload(), "{:?}", String::from_utf8_lossy(&body));
            *if fast.is_ok() { &mut good } else { &mut bad } += 1;
        }
        assert!(good > 1_000 && bad > 1_000, "{good} {bad}");
    }

    #[test]
    fn every_kind_of_line_end_is_accepted() {
        for len in 0..70 {
            for (end, after) in [("\n", "x"), ("\r\n", "x\n"), ("\r", "xy"), ("\n", ""), ("", "")] {
                let text = format!("{}{end}{after}", "-".repeat(len));
                let found: Vec<_> =
                    lines(text.as_bytes()).map(|line| (line.number, line.text.len(), line.ended)).collect();
                let first = (1, len, !end.is_empty());
                let second = (2, after.trim_end().len(), after.ends_with('\n'));
                let expected = [first, second];
                let expected = if after.is_empty() { &expected[..1] } else { &expected };
                assert_eq!(found, if text.is_empty() { &[] } else { expected }, "{text:?}");
            }
        }
    }

    /// Tests that a BEGIN line is found at all positions, also if it is in two groups.
    #[test]
    fn a_begin_line_is_found_at_every_position() {
        for at in 0..3 * GROUP_LEN {
            let file = [&vec![b'x'; at][..], &BEGIN[..]].concat();
            assert!(may_have_a_block(&file), "{at}");
            assert!(!may_have_a_block(&file[..file.len() - 1]), "{at}");
        }
    }
}
