//! PEM: base64 between BEGIN and END lines, RFC 7468.
//!
//! The reader is tolerant of transport and strict about content. It accepts all kinds of line ends,
//! a byte order mark, text around the block, blank lines, trailing blanks and any line width. For
//! all other deviations, it returns a defect. `pem-rfc7468` decodes the base64 in constant time:
//! this module converts the block to canonical form without examining its base64 characters. If the
//! decoder rejects the block, this module examines the characters to find the defect. If the label
//! of a block is for public data, `base64` decodes the block, with a fifth of the instructions
//! (measured by callgrind, for 4,001 keys). If `base64` rejects the block, `pem-rfc7468` decides.

use super::defect::Defect;
use alloc::borrow::ToOwned;
use alloc::vec;
use alloc::vec::Vec;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use pem_rfc7468::LineEnding;
use zeroize::Zeroizing;

/// Splits a file into parts with one PEM block each. A part starts after the END line of the
/// previous block and ends with the END line of its block; the last part ends at the end of the
/// file. So each part can be read as a file, and the text before a block is in the part of this
/// block. A file with fewer than two BEGIN lines is one part.
pub fn parts(data: &[u8]) -> Vec<&[u8]> {
    if !may_have_a_block(data) {
        return vec![data];
    }
    let mut parts = Vec::new();
    let mut start = 0;
    // State of the current block: whether it has begun, whether its END line was seen, and the
    // start of the line after the END line.
    let mut begun = false;
    let mut ended = false;
    let mut end = None;
    for line in lines(data) {
        let at = line.text.as_ptr().addr() - data.as_ptr().addr();
        if ended && end.is_none() {
            end = Some(at);
        }
        if line.text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line.text).starts_with(BEGIN) {
            if begun {
                // A block without an END line ends at the next BEGIN line.
                let cut = end.take().unwrap_or(at);
                parts.push(&data[start..cut]);
                start = cut;
            }
            begun = true;
            ended = false;
        } else if begun && line.text.starts_with(END) {
            ended = true;
        }
    }
    parts.push(&data[start..]);
    parts
}

/// Restores a PEM file from a text that was changed by a secret store: some services turn line ends
/// into blanks or `\n`, and some users store base64 of the entire file. `None` if `text` does not
/// have such a form.
///
/// This function only examines line ends and the text around the block, and base64 is decoded in
/// constant time.
pub fn restored(text: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
    if !may_have_a_block(text) {
        let text = without_blanks(text.trim_ascii());
        return PemBlock { label: "FILE", note: None, body: lines(&text).collect() }.payload().ok();
    }
    let mut spelled = Zeroizing::new(Vec::with_capacity(text.len()));
    let mut rest = text;
    while let Some(at) = find(rest, b"\\n") {
        spelled.extend_from_slice(rest[..at].strip_suffix(b"\\r").unwrap_or(&rest[..at]));
        spelled.push(b'\n');
        rest = &rest[at + 2..];
    }
    spelled.extend_from_slice(rest);
    let begin = find(&spelled, BEGIN)?;
    let body = begin + BEGIN.len() + find(&spelled[begin + BEGIN.len()..], DASHES)? + DASHES.len();
    let end = body + find(&spelled[body..], END)?;
    let after = end + END.len() + find(&spelled[end + END.len()..], DASHES)? + DASHES.len();
    // A text with two blocks is not restored.
    if may_have_a_block(&spelled[after..]) {
        return None;
    }
    if spelled.len() == text.len() && spelled[body..end].contains(&b'\n') {
        return None;
    }
    let mut out = Zeroizing::new(Vec::with_capacity(spelled.len() + 4));
    for part in [&spelled[..begin], &spelled[begin..body]] {
        out.extend_from_slice(part);
        out.push(b'\n');
    }
    out.extend_from_slice(&without_blanks(spelled[body..end].trim_ascii()));
    out.push(b'\n');
    out.extend_from_slice(&spelled[end..]);
    Some(out)
}

/// Replaces blanks by line ends.
fn without_blanks(text: &[u8]) -> Zeroizing<Vec<u8>> {
    let mut text = Zeroizing::new(text.to_vec());
    text.iter_mut().filter(|b| **b == b' ').for_each(|b| *b = b'\n');
    text
}

/// Finds a pattern. Range: its first byte does not occur in base64, so no branch depends on the
/// base64 characters in `text`.
fn find(text: &[u8], pattern: &[u8]) -> Option<usize> {
    text.windows(pattern.len()).position(|place| place == pattern)
}

/// Writes a PEM block with `label`, lines of 64 characters and LF, after the text `before`. The
/// result can be a private key, so it is wiped on drop.
///
/// # Panics
/// `label` contains a character that is not allowed in labels, or `bytes` is as large as half of
/// the address space.
pub fn pem(label: &str, before: &str, bytes: &[u8]) -> Zeroizing<Vec<u8>> {
    let mut out = Zeroizing::new(Vec::with_capacity(before.len() + 2 * bytes.len() + 128));
    out.extend_from_slice(before.as_bytes());
    let block = pem_rfc7468::encode_string(label, LineEnding::LF, bytes).expect("a label and a length that fit");
    out.extend_from_slice(Zeroizing::new(block).as_bytes());
    out
}

const BEGIN: &[u8; 11] = b"-----BEGIN ";
const END: &[u8] = b"-----END ";
const DASHES: &[u8] = b"-----";

/// Returns whether `data` contains a BEGIN line. All positions in a group are examined, because the
/// file can be a raw private key, and then no branch may depend on its bytes.
fn may_have_a_block(data: &[u8]) -> bool {
    for from in (0..data.len()).step_by(PLACES) {
        let mut found = false;
        for place in data[from..].array_windows().take(PLACES) {
            found |= place == BEGIN;
        }
        if found {
            return true;
        }
    }
    false
}

/// Number of positions in a group. A text file has its BEGIN line in the first few hundred bytes.
const PLACES: usize = 128;

/// A line in a text.
pub struct PemLine<'a> {
    /// The line number, from 1.
    pub number: usize,
    /// The line without its end.
    pub text: &'a [u8],
    /// Whether a line end follows.
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
        rest = after.strip_prefix(b"\r\n").or_else(|| after.get(1..)).unwrap_or_default();
        Some(PemLine { number, text, ended: len.is_some() })
    })
}

/// Returns where the first line ends, or `None` without a line end.
fn line_end(text: &[u8]) -> Option<usize> {
    // The compiler turns each group into one vector comparison.
    let (groups, _) = text.as_chunks::<16>();
    let from = 16 * groups.iter().take_while(|group| !has_line_end(group)).count();
    text[from..].iter().position(ends_a_line).map(|at| from + at)
}

fn ends_a_line(b: &u8) -> bool {
    *b == b'\n' || *b == b'\r'
}

fn has_line_end(group: &[u8; 16]) -> bool {
    group.iter().fold(false, |found, b| found | ends_a_line(b))
}

/// The only PEM block in a file, before it is decoded.
pub struct PemBlock<'a> {
    /// The label of the BEGIN line.
    pub label: &'a str,
    /// The line before the block, without its end; `None` if the file starts with the block.
    pub note: Option<&'a [u8]>,
    body: Vec<PemLine<'a>>,
}

impl<'a> PemBlock<'a> {
    /// Finds the block in a file; `None` if the file has no BEGIN line.
    ///
    /// # Errors
    /// There are several blocks, or a line in the block is damaged. The base64 is not checked yet.
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
                    let indented = lines(data).find(|line| line.text.trim_ascii_start().starts_with(BEGIN));
                    return indented.map_or(Ok(None), |line| Err(Defect::Indented(line.number)));
                }
            }
        };
        let found = Self::from_begin(begin.text, note, &mut rest);
        // After a complete block, only the rest of the file can contain another BEGIN line.
        let begins = match found {
            Ok(_) => 1 + rest.filter(PemLine::is_begin).count(),
            Err(_) => lines(data).filter(PemLine::is_begin).count(),
        };
        if data.contains(&0) {
            return Err(Defect::Nul);
        }
        if begins > 1 {
            return Err(Defect::Blocks(begins));
        }
        found.map(Some)
    }

    /// Collects the lines after a BEGIN line, up to the END line.
    fn from_begin(
        begin: &'a [u8],
        note: Option<&'a [u8]>,
        lines: &mut impl Iterator<Item = PemLine<'a>>,
    ) -> Result<Self, Defect> {
        let label = label(begin, BEGIN).ok_or(Defect::Begin)?;
        let mut body: Vec<PemLine<'_>> = Vec::new();
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

    /// Decodes the base64 in a block with a label for public data. Branches and addresses depend on
    /// the content.
    ///
    /// # Errors
    /// The errors of [`Self::payload`].
    pub fn public_payload(&self) -> Result<Zeroizing<Vec<u8>>, Defect> {
        match STANDARD.decode(&self.joined()[..]) {
            Ok(bytes) if !bytes.is_empty() => Ok(Zeroizing::new(bytes)),
            _ => self.payload(),
        }
    }

    /// Decodes the base64 in the block, in constant time unless the block is damaged.
    ///
    /// # Errors
    /// The block is empty, has characters that are not base64, or is not canonical.
    pub fn payload(&self) -> Result<Zeroizing<Vec<u8>>, Defect> {
        let text = self.canonical();
        // Wiped even if the text is damaged.
        let mut bytes = Zeroizing::new(Vec::new());
        let decoded =
            pem_rfc7468::Decoder::new(&text).and_then(|mut text| text.decode_to_end(&mut bytes).map(<[u8]>::len));
        match decoded {
            Ok(0) => Err(Defect::NoBody),
            Ok(_) => Ok(bytes),
            Err(_) => Err(self.defect()),
        }
    }

    /// Returns the characters in the block without line ends.
    fn joined(&self) -> Zeroizing<Vec<u8>> {
        let size = self.body.iter().map(|line| line.text.len()).sum();
        let mut joined = Zeroizing::new(Vec::with_capacity(size));
        for line in &self.body {
            joined.extend_from_slice(line.text.trim_ascii_end());
        }
        joined
    }

    /// Returns the block with lines of 64 characters that end with LF.
    fn canonical(&self) -> Zeroizing<Vec<u8>> {
        let joined = self.joined();
        let size = joined.len();
        let mut text = Zeroizing::new(Vec::with_capacity(size + size / 64 + 2 * self.label.len() + 64));
        for (word, lines) in [(&BEGIN[..], &joined[..]), (END, &[])] {
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
            if text.first().is_some_and(|b| *b == b' ' || *b == b'\t') {
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

/// Returns the label in a BEGIN or END line, or `None` if the line is damaged.
fn label<'a>(line: &'a [u8], word: &[u8]) -> Option<&'a str> {
    let label = line.strip_prefix(word)?.trim_ascii_end().strip_suffix(DASHES)?;
    let is_known = label.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b' ' | b'-' | b'#'));
    if label.is_empty() || !is_known { None } else { core::str::from_utf8(label).ok() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_before_a_block_is_in_its_part() {
        let block = |label: &str| format!("-----BEGIN {label}-----\nAAAA\n-----END {label}-----\n");
        let [a, b, c] = ["A", "B", "C"].map(block);
        let file = format!("of a\n{a}of b\n\nof b, too\n{b}{c}the end");
        let wanted = [format!("of a\n{a}"), format!("of b\n\nof b, too\n{b}"), format!("{c}the end")];
        assert_eq!(parts(file.as_bytes()), wanted.each_ref().map(String::as_bytes));
        // A block that is cut returns its error, and the block after it is complete.
        let file = format!("-----BEGIN A-----\nAAAA\n{b}");
        assert_eq!(parts(file.as_bytes()), [&b"-----BEGIN A-----\nAAAA\n"[..], b.as_bytes()]);
        for one in [a.as_str(), "", "no block", "-----END A-----\n", "x\n-----END A-----\n-----BEGIN A-----\n"] {
            assert_eq!(parts(one.as_bytes()), [one.as_bytes()], "{one:?}");
        }
    }
    /// Both decoders return the same result for random blocks.
    #[test]
    fn the_fast_decoder_refuses_what_the_other_refuses() {
        let some = [b'A', b'Q', b'g', b'/', b'+', b'z', b'=', b'=', b'\n', b' ', b'\r', b'-', b'_', b'\x0b', b'\xff'];
        let mut state = 1u32;
        let mut next = |below: usize| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as usize % below
        };
        let (mut good, mut bad) = (0, 0);
        for i in 0..100_000 {
            // Small alphabets produce valid base64, and short texts test the padding.
            let of = [6, 8, some.len()][i % 3];
            let body: Vec<u8> = (0..next(12)).map(|_| some[next(of)]).collect();
            let file = [b"-----BEGIN A-----\n", &body[..], b"\n-----END A-----\n"].concat();
            let Ok(Some(block)) = PemBlock::find(&file) else { continue };
            let fast = block.public_payload();
            assert_eq!(fast, block.payload(), "{:?}", String::from_utf8_lossy(&body));
            *if fast.is_ok() { &mut good } else { &mut bad } += 1;
        }
        assert!(good > 1_000 && bad > 1_000, "{good} {bad}");
    }

    #[test]
    fn a_line_ends_wherever_it_ends() {
        for len in 0..70 {
            for (end, after) in [("\n", "x"), ("\r\n", "x\n"), ("\r", "xy"), ("\n", ""), ("", "")] {
                let text = format!("{}{end}{after}", "-".repeat(len));
                let found: Vec<_> =
                    lines(text.as_bytes()).map(|line| (line.number, line.text.len(), line.ended)).collect();
                let first = (1, len, !end.is_empty());
                let second = (2, after.trim_end().len(), after.ends_with('\n'));
                let wanted = [first, second];
                let wanted = if after.is_empty() { &wanted[..1] } else { &wanted };
                assert_eq!(found, if text.is_empty() { &[] } else { wanted }, "{text:?}");
            }
        }
    }

    /// A BEGIN line is found at all positions, also across two groups.
    #[test]
    fn a_begin_is_found_anywhere() {
        for at in 0..3 * PLACES {
            let file = [&vec![b'x'; at][..], &BEGIN[..]].concat();
            assert!(may_have_a_block(&file), "{at}");
            assert!(!may_have_a_block(&file[..file.len() - 1]), "{at}");
        }
    }
}
