//! Key and signature files: PEM, the raw encoding or DER, told apart by content.
//!
//! The reader is tolerant of transport and strict about content. It takes any line ends, a byte
//! order mark, text around the block, blank lines, trailing blanks and any line width; it refuses
//! everything else with the defect named. Base64 is decoded by `pem-rfc7468` in constant time: the
//! block is brought into canonical form without looking at its characters, and only when the
//! decoder has refused it is it looked at, to say why.

use super::container::{Accept, Container, Encoding, Stored, Structure, read_der};
use super::foreign;
use fndsa::Degree;
use pem_rfc7468::LineEnding;
use std::borrow::Cow;
use thiserror::Error;
use zeroize::Zeroizing;

/// What a file holds. One row each in [`KINDS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A private key.
    SigningKey,
    /// A public key.
    VerifyingKey,
    /// A signature.
    Signature,
}

/// Name, PEM label, upper half of the first byte, length at a degree.
struct Row {
    kind: Kind,
    name: &'static str,
    label: &'static str,
    header: u8,
    len: fn(Degree) -> usize,
}

const KINDS: [Row; 3] = [
    Row {
        kind: Kind::SigningKey,
        name: "private key",
        label: "FNDSA PRIVATE KEY",
        header: 0x50,
        len: Degree::signing_key_len,
    },
    Row {
        kind: Kind::VerifyingKey,
        name: "public key",
        label: "FNDSA PUBLIC KEY",
        header: 0x00,
        len: Degree::verifying_key_len,
    },
    Row {
        kind: Kind::Signature,
        name: "signature",
        label: "FNDSA SIGNATURE",
        header: 0x30,
        len: Degree::signature_len,
    },
];

impl Kind {
    fn row(self) -> &'static Row {
        &KINDS[self as usize]
    }

    /// In words.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The PEM label.
    pub fn label(self) -> &'static str {
        self.row().label
    }

    /// The degree that the first byte names, if it is one of this kind.
    fn degree(self, first: u8) -> Option<Degree> {
        (first & 0xf0 == self.row().header).then(|| Degree::from_logn(u32::from(first & 0x0f))).flatten()
    }

    /// Bytes of the encoding.
    pub fn len(self, degree: Degree) -> usize {
        (self.row().len)(degree)
    }
}

/// The forms without a container, which every kind has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Base64 between BEGIN and END lines
    Pem,
    /// The bytes of the encoding
    Raw,
}

/// A key or signature whose kind and length are right; its content is not checked yet.
pub struct Object {
    /// What it is.
    pub kind: Kind,
    /// Its degree, from the first byte.
    pub degree: Degree,
    /// How it was stored.
    pub encoding: Encoding,
    /// The encoding. Secret for a private key.
    pub bytes: Zeroizing<Vec<u8>>,
    /// What PKCS#8 or SPKI said beside it.
    pub container: Option<Container>,
}

impl Object {
    /// The degree comes from the first byte.
    ///
    /// # Errors
    /// No such first byte, or the length is wrong.
    pub fn new(kind: Kind, encoding: Encoding, bytes: Zeroizing<Vec<u8>>) -> Result<Self, Defect> {
        let Some(first) = bytes.first() else { return Err(Defect::NoBody) };
        let degree = kind.degree(*first).ok_or(Defect::FirstByte { kind, first: *first })?;
        let (expected, found) = (kind.len(degree), bytes.len());
        if expected != found {
            return Err(Defect::Length { expected, found });
        }
        Ok(Self { kind, degree, encoding, bytes, container: None })
    }

    /// How it was encrypted.
    pub fn encryption(&self) -> Option<&str> {
        self.container.as_ref()?.encryption.as_deref()
    }
}

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Defect {
    #[error("the file is empty")]
    Empty,
    #[error("this is {0}")]
    Foreign(Cow<'static, str>),
    #[error("not a key or signature of FN-DSA")]
    Unknown,
    #[error("UTF-16 text")]
    Utf16,
    #[error("raw {} of {degree_n}: {expected} bytes expected, {found} found", .kind.name())]
    RawLength { kind: Kind, degree_n: usize, expected: usize, found: usize },
    #[error("contains {0} PEM blocks")]
    Blocks(usize),
    #[error("contains a NUL byte")]
    Nul,
    #[error("line {0} is indented")]
    Indented(usize),
    #[error("the BEGIN line is damaged")]
    Begin,
    #[error("no END line")]
    NoEnd,
    #[error("cut in the middle of line {0}")]
    Cut(usize),
    #[error("the END line is damaged")]
    End,
    #[error("BEGIN says {begin}, END says {end}")]
    Labels { begin: String, end: String },
    #[error("line {0} is a header (RFC 1421), which no file of this tool has")]
    Header(usize),
    #[error("line {0} has a character that is not base64")]
    Character(usize),
    #[error("non-canonical base64")]
    Base64,
    #[error("the block is empty")]
    NoBody,
    #[error("the PEM label {0} is not known")]
    Label(String),
    #[error("the first byte is 0x{first:02x}, which no {} has", .kind.name())]
    FirstByte { kind: Kind, first: u8 },
    #[error("{expected} bytes expected, {found} found")]
    Length { expected: usize, found: usize },
    #[error("DER: {expected} bytes expected, {found} found")]
    DerLength { expected: usize, found: usize },
    #[error("not {what} of FN-DSA: {why}")]
    Container { what: &'static str, why: &'static str },
    #[error("this is {what} with the OID {oid}, which is not known")]
    UnknownOid { what: &'static str, oid: String },
    #[error("encrypted in a way that is not read: {0}")]
    Encryption(String),
    #[error("the password check costs more than a file may ask for: {0}")]
    Cost(String),
}

impl Defect {
    /// The code for scripts.
    pub fn reason(&self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Foreign(_) => "foreign_file",
            Self::Unknown => "not_recognised",
            Self::Utf16 => "utf16",
            Self::RawLength { .. } | Self::Length { .. } | Self::DerLength { .. } => "wrong_length",
            Self::Blocks(_) => "several_blocks",
            Self::Nul => "nul_byte",
            Self::Indented(_) => "indented",
            Self::Begin => "begin_line",
            Self::NoEnd => "no_end_line",
            Self::Cut(_) => "cut_mid_line",
            Self::End => "end_line",
            Self::Labels { .. } => "labels_differ",
            Self::Header(_) => "pem_header",
            Self::Character(_) => "not_base64",
            Self::Base64 => "base64_not_canonical",
            Self::NoBody => "empty_block",
            Self::Label(_) => "unknown_label",
            Self::FirstByte { .. } => "first_byte",
            Self::Container { .. } => "container",
            Self::UnknownOid { .. } => "unknown_oid",
            Self::Encryption(_) => "unknown_encryption",
            Self::Cost(_) => "encryption_cost",
        }
    }

    /// What to do.
    pub fn hint(&self) -> Option<&'static str> {
        Some(match self {
            Self::Empty => "was the program that wrote it stopped? restore it from a copy",
            Self::Foreign(_) => "make FN-DSA keys with `fndsa keygen NAME`",
            Self::Unknown => "`fndsa inspect FILE` names what it finds",
            Self::Utf16 => "save it as UTF-8 or ASCII; PowerShell's > writes UTF-16",
            Self::RawLength { .. }
            | Self::Length { .. }
            | Self::DerLength { .. }
            | Self::NoEnd
            | Self::Cut(_)
            | Self::NoBody => "the file is incomplete or has something added; copy it again",
            Self::Blocks(_) => "several public keys in one file are for `verify --trusted-keys FILE`; else one a file",
            Self::Indented(_) => "remove the blanks before the lines of the block",
            Self::Label(_) => {
                "this version reads FNDSA PRIVATE KEY, FNDSA PUBLIC KEY, FNDSA SIGNATURE, PRIVATE KEY, \
                 ENCRYPTED PRIVATE KEY and PUBLIC KEY"
            }
            Self::UnknownOid { .. } => {
                "if it is a key of FN-DSA, `fndsa convert FILE --algorithm fn-dsa-512 --to pem -o OUT` takes it out"
            }
            Self::Container { .. } => {
                "it is damaged, or laid out by another program in another way; docs/scheme.md, section 7, says which is read"
            }
            Self::Encryption(_) => "this version reads PBES2 with scrypt or PBKDF2 (HMAC-SHA-2) and AES",
            Self::Cost(_) => "encrypt the key again with the program that made it, at a lower cost",
            _ => "the file is damaged; copy it again",
        })
    }
}

/// Reads a file of any kind; a private key may still need its password.
///
/// # Errors
/// The defect.
pub fn read(data: &[u8], accept: &Accept) -> Result<Stored, Defect> {
    if data.is_empty() {
        return Err(Defect::Empty);
    }
    if data.starts_with(b"\xff\xfe") || data.starts_with(b"\xfe\xff") {
        return Err(Defect::Utf16);
    }
    match Block::find(data)? {
        Some(block) => block.decode(accept),
        None => read_der(data, accept).unwrap_or_else(|| read_raw(data).map(Stored::Plain)),
    }
}

/// The parts of a file with any number of PEM blocks, each from one BEGIN line to before the next:
/// what [`read`] takes. A file without a BEGIN line is one part.
pub fn parts(data: &[u8]) -> Vec<&[u8]> {
    let starts: Vec<_> = lines(data)
        .filter(|line| line.text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line.text).starts_with(BEGIN))
        .map(|line| line.text.as_ptr().addr() - data.as_ptr().addr())
        .collect();
    let ends = starts.iter().skip(1).copied().chain([data.len()]);
    if starts.is_empty() { vec![data] } else { starts.iter().zip(ends).map(|(from, to)| &data[*from..to]).collect() }
}

/// Writes the encoding `bytes`; `note` is the line before a PEM block, for people only.
pub fn write(kind: Kind, format: Format, note: &str, bytes: &[u8]) -> Zeroizing<Vec<u8>> {
    match format {
        Format::Raw => Zeroizing::new(bytes.to_vec()),
        Format::Pem => pem(kind.label(), &format!("{note}\n"), bytes),
    }
}

/// A PEM block with a text before it.
pub fn pem(label: &str, before: &str, bytes: &[u8]) -> Zeroizing<Vec<u8>> {
    let mut out = Zeroizing::new(Vec::with_capacity(before.len() + 2 * bytes.len() + 128));
    out.extend_from_slice(before.as_bytes());
    let block = pem_rfc7468::encode_string(label, LineEnding::LF, bytes).expect("lengths fit");
    out.extend_from_slice(Zeroizing::new(block).as_bytes());
    out
}

/// The raw encoding: first byte and length.
fn read_raw(data: &[u8]) -> Result<Object, Defect> {
    let candidates = || KINDS.iter().filter_map(|row| Some((row.kind, row.kind.degree(data[0])?)));
    if let Some((kind, degree)) = candidates().find(|(kind, degree)| kind.len(*degree) == data.len()) {
        let bytes = Zeroizing::new(data.to_vec());
        return Ok(Object { kind, degree, encoding: Encoding::Raw, bytes, container: None });
    }
    if let Some(what) = foreign::name(data) {
        return Err(Defect::Foreign(what.into()));
    }
    let text = std::str::from_utf8(data).is_ok_and(|s| !s.chars().any(|c| c.is_control() && !c.is_whitespace()));
    match candidates().next() {
        Some((kind, degree)) if !text => {
            Err(Defect::RawLength { kind, degree_n: degree.n(), expected: kind.len(degree), found: data.len() })
        }
        _ => Err(Defect::Unknown),
    }
}

const BEGIN: &[u8] = b"-----BEGIN ";
const END: &[u8] = b"-----END ";
const DASHES: &[u8] = b"-----";

/// A line without its end: number from 1, content, whether an end follows.
struct Line<'a> {
    number: usize,
    text: &'a [u8],
    ended: bool,
}

/// Lines that end in LF, CR LF or CR.
fn lines(mut rest: &[u8]) -> impl Iterator<Item = Line<'_>> {
    let mut number = 0;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        number += 1;
        let len = rest.iter().position(|b| *b == b'\n' || *b == b'\r');
        let text = &rest[..len.unwrap_or(rest.len())];
        let after = &rest[text.len()..];
        rest = after.strip_prefix(b"\r\n").or_else(|| after.get(1..)).unwrap_or_default();
        Some(Line { number, text, ended: len.is_some() })
    })
}

/// The one PEM block of a file.
struct Block<'a> {
    label: &'a str,
    body: Vec<Line<'a>>,
}

impl<'a> Block<'a> {
    /// The block, if the file has a BEGIN line.
    fn find(data: &'a [u8]) -> Result<Option<Self>, Defect> {
        let data = data.strip_prefix(b"\xef\xbb\xbf").unwrap_or(data);
        let begins = lines(data).filter(|line| line.text.starts_with(BEGIN)).count();
        if begins == 0 {
            let indented = lines(data).find(|line| line.text.trim_ascii_start().starts_with(BEGIN));
            return indented.map_or(Ok(None), |line| Err(Defect::Indented(line.number)));
        }
        if data.contains(&0) {
            return Err(Defect::Nul);
        }
        if begins > 1 {
            return Err(Defect::Blocks(begins));
        }
        let mut lines = lines(data).skip_while(|line| !line.text.starts_with(BEGIN));
        let label = lines.next().and_then(|line| label(line.text, BEGIN)).ok_or(Defect::Begin)?;
        let mut body = Vec::new();
        for line in lines {
            if line.text.starts_with(DASHES) {
                let Some(end) = self::label(line.text, END) else {
                    return Err(if line.ended { Defect::End } else { Defect::Cut(line.number) });
                };
                if end != label {
                    return Err(Defect::Labels { begin: label.to_owned(), end: end.to_owned() });
                }
                return Ok(Some(Self { label, body }));
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

    /// What it holds, by its label.
    fn decode(&self, accept: &Accept) -> Result<Stored, Defect> {
        if let Some(structure) = Structure::of_label(self.label) {
            return structure.read(&self.payload()?, false, accept);
        }
        let Some(row) = KINDS.iter().find(|row| row.label == self.label) else {
            let foreign = foreign::label(self.label).map(|what| Defect::Foreign(what.into()));
            return Err(foreign.unwrap_or_else(|| Defect::Label(self.label.to_owned())));
        };
        Object::new(row.kind, Encoding::Pem, self.payload()?).map(Stored::Plain)
    }

    /// The bytes in base64.
    fn payload(&self) -> Result<Zeroizing<Vec<u8>>, Defect> {
        let text = self.canonical();
        match pem_rfc7468::decode_vec(&text) {
            Ok((_, bytes)) if bytes.is_empty() => Err(Defect::NoBody),
            Ok((_, bytes)) => Ok(Zeroizing::new(bytes)),
            Err(_) => Err(self.defect()),
        }
    }

    /// The block with lines of 64 characters and LF.
    fn canonical(&self) -> Zeroizing<Vec<u8>> {
        let size = self.body.iter().map(|line| line.text.len()).sum();
        let mut joined = Zeroizing::new(Vec::with_capacity(size));
        for line in &self.body {
            joined.extend_from_slice(line.text.trim_ascii_end());
        }
        let mut text = Zeroizing::new(Vec::with_capacity(size + size / 64 + 2 * self.label.len() + 64));
        for (word, lines) in [(BEGIN, &joined[..]), (END, &[])] {
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

    /// Why the decoder refused it.
    fn defect(&self) -> Defect {
        let base64 = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'=');
        let mut empty = true;
        for line in &self.body {
            let text = line.text.trim_ascii_end();
            empty &= text.is_empty();
            if text.first().is_some_and(|b| *b == b' ' || *b == b'\t') {
                return Defect::Indented(line.number);
            }
            if text.contains(&b':') {
                return Defect::Header(line.number);
            }
            if !text.iter().all(base64) {
                return Defect::Character(line.number);
            }
        }
        if empty { Defect::NoBody } else { Defect::Base64 }
    }
}

/// The label of a BEGIN or END line.
fn label<'a>(line: &'a [u8], word: &[u8]) -> Option<&'a str> {
    let label = line.strip_prefix(word)?.trim_ascii_end().strip_suffix(DASHES)?;
    let known = |b: &u8| b.is_ascii_alphanumeric() || *b == b' ' || *b == b'-' || *b == b'#';
    if label.is_empty() || !label.iter().all(known) { None } else { std::str::from_utf8(label).ok() }
}
