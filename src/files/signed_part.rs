//! Detects a message that is the signed part of an X.509 document.
//!
//! A certificate's signature covers only the field tbsCertificate, without a prefix. If an attacker
//! supplies such a field as a file to sign, the field and the file's signature are a valid
//! certificate. Certificate requests, revocation lists and OCSP responses also have such a field.
//!
//! Some verifiers also accept BER, for example OpenSSL: indefinite lengths, lengths that are not as
//! short as possible, constructed strings, and tags in the long form. Therefore, this module
//! accepts all these forms.

use alloc::vec::Vec;
use zeroize::Zeroizing;

/// The maximum number of bytes that the detector keeps. If a message is longer, the detector keeps
/// its first bytes, and reports a signed part if a signed part can start with these bytes.
const MAX_KEPT: usize = 1 << 16;

/// The tag for a SEQUENCE.
const SEQUENCE: u8 = 0x30;
/// In a tag path (see [`FieldRule`]), this value means that the element has no content.
const NO_CONTENT: u8 = 0;

/// A rule for a field. The field must match one of the tag paths. A tag path starts with the
/// field's tag. Each further tag belongs to the first element inside the previous element.
struct FieldRule {
    is_optional: bool,
    tag_paths: &'static [&'static [u8]],
}

const fn required(tag_paths: &'static [&'static [u8]]) -> FieldRule {
    FieldRule { is_optional: false, tag_paths }
}

const fn optional(tag_paths: &'static [&'static [u8]]) -> FieldRule {
    FieldRule { is_optional: true, tag_paths }
}

const INTEGER: &[&[u8]] = &[&[0x02]];
/// The version in a certificate or an OCSP response, in a context-specific tag.
const VERSION: &[&[u8]] = &[&[0xa0, 0x02]];
/// AlgorithmIdentifier, which begins with an OID.
const ALGORITHM: &[&[u8]] = &[&[SEQUENCE, 0x06]];
/// Name, which is a SEQUENCE of SETs. The SEQUENCE can be empty.
const NAME: &[&[u8]] = &[&[SEQUENCE, 0x31], &[SEQUENCE, NO_CONTENT]];
/// UTCTime or GeneralizedTime.
const TIME: &[&[u8]] = &[&[0x17], &[0x18]];
/// Validity, which is a SEQUENCE that begins with a time.
const VALIDITY: &[&[u8]] = &[&[SEQUENCE, 0x17], &[SEQUENCE, 0x18]];
/// SubjectPublicKeyInfo, which begins with an AlgorithmIdentifier.
const PUBLIC_KEY: &[&[u8]] = &[&[SEQUENCE, SEQUENCE, 0x06]];
/// ResponderID, which is a name or a key's hash.
const RESPONDER: &[&[u8]] = &[&[0xa1, SEQUENCE], &[0xa2, 0x04]];
/// The responses, which are a SEQUENCE of SEQUENCEs. The outer SEQUENCE can be empty.
const RESPONSES: &[&[u8]] = &[&[SEQUENCE, SEQUENCE], &[SEQUENCE, NO_CONTENT]];

/// The document types, with the rules for the first fields in the signed part. Any further fields
/// are accepted.
const DOCUMENTS: [(&str, &[FieldRule]); 4] = [
    // TBSCertificate in RFC 5280, section 4.1.
    (
        "an X.509 certificate",
        &[
            optional(VERSION),
            required(INTEGER),
            required(ALGORITHM),
            required(NAME),
            required(VALIDITY),
            required(NAME),
            required(PUBLIC_KEY),
        ],
    ),
    // CertificationRequestInfo in RFC 2986, section 4.1.
    ("a certificate request", &[required(INTEGER), required(NAME), required(PUBLIC_KEY)]),
    // TBSCertList in RFC 5280, section 5.1.
    ("a certificate revocation list", &[optional(INTEGER), required(ALGORITHM), required(NAME), required(TIME)]),
    // ResponseData in RFC 6960, section 4.2.1.
    ("an OCSP response", &[optional(VERSION), required(RESPONDER), required(&[&[0x18]]), required(RESPONSES)]),
];

/// A detector for a message that is the signed part of a certificate, a certificate request, a
/// revocation list or an OCSP response. The detector gets the message in pieces, and keeps at most
/// 64 KiB.
///
/// ```
/// use fndsa::files::x509::SignedPartDetector;
///
/// let mut detector = SignedPartDetector::new();
/// detector.update(b"0\x82\x01\x11 this is not a certificate");
/// assert_eq!(detector.finish(), None);
/// ```
#[derive(Default)]
pub struct SignedPartDetector {
    /// The message's first bytes, up to [`MAX_KEPT`]; empty if the message does not start like a
    /// SEQUENCE. They are wiped on drop, because a file to sign can contain a secret by mistake.
    head: Zeroizing<Vec<u8>>,
    message_len: u64,
}

impl SignedPartDetector {
    /// Creates a detector for a message.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the message's next piece.
    pub fn update(&mut self, piece: &[u8]) {
        if self.message_len == 0 {
            // The buffer must not grow, because its old memory would not be wiped.
            self.head = Zeroizing::new(Vec::new());
            // The tag for a SEQUENCE, in the short or in the long form.
            if matches!(piece.first(), Some(0x30 | 0x3f)) {
                self.head = Zeroizing::new(Vec::with_capacity(MAX_KEPT));
            }
        }
        self.message_len += piece.len() as u64;
        let kept_len = piece.len().min(self.head.capacity().min(MAX_KEPT) - self.head.len());
        self.head.extend_from_slice(&piece[..kept_len]);
    }

    /// Ends the message. If the message is the signed part of an X.509 document, returns the type
    /// of the document, for example "an X.509 certificate".
    pub fn finish(&self) -> Option<&'static str> {
        let is_cut = self.head.len() as u64 != self.message_len;
        let mut message = PartialReader { data: &self.head, is_cut };
        let ElementStart::Found { tag: SEQUENCE, content, end } = message.next() else { return None };
        let is_whole = match end {
            Some(end) => end == self.message_len,
            // The element's end is not among the kept bytes.
            None => is_cut,
        };
        if !is_whole {
            return None;
        }
        let (document, _) = DOCUMENTS.iter().find(|(_, rules)| content.matches(rules))?;
        Some(document)
    }
}

impl FieldRule {
    /// Returns whether a field matches this rule. If the field's content was cut off, only the kept
    /// bytes are compared.
    fn accepts(&self, tag: u8, content: PartialReader<'_>) -> bool {
        self.tag_paths.iter().any(|path| matches_path(tag, content, path))
    }
}

/// Returns whether an element matches `path`: the first tag in `path` must be the tag of the
/// element, and the first inner element must match the rest of `path`.
fn matches_path(tag: u8, mut content: PartialReader<'_>, path: &[u8]) -> bool {
    let [first, inner @ ..] = path else { return true };
    if tag != *first {
        return false;
    }
    if inner.is_empty() {
        return true;
    }
    match content.next() {
        ElementStart::Found { tag, content, .. } => matches_path(tag, content, inner),
        ElementStart::End => *inner == [NO_CONTENT],
        ElementStart::Unknown => true,
        ElementStart::Invalid => false,
    }
}

/// A reader for consecutive BER elements. If `is_cut` is true, only the first bytes of the elements
/// are known.
#[derive(Clone, Copy)]
struct PartialReader<'d> {
    data: &'d [u8],
    /// Whether further bytes follow that were not kept.
    is_cut: bool,
}

/// The next element in a [`PartialReader`].
enum ElementStart<'d> {
    /// An element. `end` is its length in bytes, including the header, or `None` if this length is
    /// unknown.
    Found { tag: u8, content: PartialReader<'d>, end: Option<u64> },
    /// There are no further elements.
    End,
    /// The kept bytes end before the next element.
    Unknown,
    /// The bytes are not an element.
    Invalid,
}

impl<'d> PartialReader<'d> {
    /// Reads the next element.
    fn next(&mut self) -> ElementStart<'d> {
        match self.data {
            [] if self.is_cut => return ElementStart::Unknown,
            // There are no more bytes, or this is the end marker for an indefinite length.
            [] | [0, 0, ..] => return ElementStart::End,
            _ => {}
        }
        let ElementHeader { tag, len, header_len } = match ElementHeader::read(self.data) {
            Ok(header) => header,
            Err(HeaderError::Incomplete) if self.is_cut => return ElementStart::Unknown,
            Err(_) => return ElementStart::Invalid,
        };
        let inner = &self.data[header_len..];
        let (known_len, end) = match len {
            Some(len) => (usize::try_from(len).ok(), (header_len as u64).checked_add(len)),
            None => {
                let len = indefinite_len(inner);
                (len, len.map(|len| (header_len + len) as u64))
            }
        };
        if let Some((content, rest)) = known_len.and_then(|len| inner.split_at_checked(len)) {
            self.data = rest;
            return ElementStart::Found { tag, content: Self { data: content, is_cut: false }, end };
        }
        if !self.is_cut {
            return ElementStart::Invalid;
        }
        self.data = &[];
        ElementStart::Found { tag, content: Self { data: inner, is_cut: true }, end }
    }

    /// Returns whether the first elements match the rules. If the kept bytes end before the last
    /// rule, only the rules for the kept elements are checked.
    fn matches(mut self, rules: &[FieldRule]) -> bool {
        let mut field = self.next();
        for rule in rules {
            match field {
                ElementStart::Unknown => return true,
                ElementStart::Found { tag, content, .. } if rule.accepts(tag, content) => field = self.next(),
                ElementStart::Found { .. } | ElementStart::End if rule.is_optional => {}
                _ => return false,
            }
        }
        true
    }
}

/// An element's tag and length.
struct ElementHeader {
    /// The identifier octet. A tag in the long form is converted to the short form, and a string in
    /// the constructed form has the tag for the primitive form.
    tag: u8,
    /// The content's length in bytes. `None` if the length is indefinite.
    len: Option<u64>,
    /// The header's length in bytes.
    header_len: usize,
}

/// The reason why a header cannot be read.
enum HeaderError {
    /// The header continues after the end of the bytes.
    Incomplete,
    /// The bytes are not a header.
    Invalid,
}

impl ElementHeader {
    /// Reads the header at the start of `data`. This function accepts zeros at the start of a long
    /// tag or length, because OpenSSL accepts them.
    ///
    /// # Errors
    /// Fails if the header is not complete or not valid.
    fn read(data: &[u8]) -> Result<Self, HeaderError> {
        let (first, mut rest) = data.split_first().ok_or(HeaderError::Incomplete)?;
        let mut number = u32::from(first & 0x1f);
        if number == 0x1f {
            number = 0;
            loop {
                let (byte, after) = rest.split_first().ok_or(HeaderError::Incomplete)?;
                rest = after;
                number = number.checked_mul(0x80).ok_or(HeaderError::Invalid)? | u32::from(byte & 0x7f);
                if byte & 0x80 == 0 {
                    break;
                }
            }
        }
        // In BER, a string can be constructed. The constructed bit of a string is dropped, so that
        // the tag is the same as for a primitive string.
        let is_universal = first & 0xc0 == 0;
        let is_string = is_universal && !matches!(number, 0x10 | 0x11);
        let class = if is_string { 0 } else { first & 0xe0 };
        // Tag numbers above 31 become 31, because the documents do not contain such tags.
        let tag = class | number.min(0x1f) as u8;
        let (first, mut rest) = rest.split_first().ok_or(HeaderError::Incomplete)?;
        let len = match first {
            0..=0x7f => Some(u64::from(*first)),
            0x80 => None,
            _ => {
                let parts = rest.split_at_checked(usize::from(first & 0x7f));
                let (bytes, after) = parts.ok_or(HeaderError::Incomplete)?;
                rest = after;
                let mut len = 0_u64;
                for byte in bytes {
                    len = len.checked_mul(0x100).ok_or(HeaderError::Invalid)? | u64::from(*byte);
                }
                Some(len)
            }
        };
        if tag == 0 {
            return Err(HeaderError::Invalid);
        }
        Ok(Self { tag, len, header_len: data.len() - rest.len() })
    }
}

/// Returns the number of content bytes, including the end marker, in an element with an indefinite
/// length. Returns `None` if the end marker is not in `content`.
fn indefinite_len(content: &[u8]) -> Option<usize> {
    let mut rest = content;
    let mut open_count = 1_u32;
    loop {
        if let Some(after) = rest.strip_prefix(&[0, 0]) {
            rest = after;
            open_count -= 1;
            if open_count == 0 {
                return Some(content.len() - rest.len());
            }
            continue;
        }
        let header = ElementHeader::read(rest).ok()?;
        let skipped_len = match header.len {
            Some(len) => usize::try_from(len).ok()?,
            None => {
                open_count += 1;
                0
            }
        };
        rest = rest[header.header_len..].get(skipped_len..)?;
    }
}

#[cfg(test)]
mod tests {
    use super::super::der::element;
    use super::*;

    const OID: &[u8] = &[0x06, 1, 0x2a];
    const SERIAL: &[u8] = &[0x02, 1, 1];
    const TIME_FIELD: &[u8] = b"\x17\x0d261130000000Z";

    fn sequence_of(fields: &[&[u8]]) -> Vec<u8> {
        element(SEQUENCE, fields).to_vec()
    }

    /// Returns a name with an attribute that has `len` bytes.
    fn name(len: usize) -> Vec<u8> {
        let attribute = sequence_of(&[OID, &element(0x0c, &[&alloc::vec![b'a'; len]])]);
        sequence_of(&[&element(0x31, &[&attribute])])
    }

    /// Returns the fields of a TBSCertificate. The two names have an attribute of `len` bytes.
    fn certificate_fields(len: usize) -> Vec<Vec<u8>> {
        let algorithm = sequence_of(&[OID]);
        let key = sequence_of(&[&algorithm, &[0x03, 2, 0, 1]]);
        let validity = sequence_of(&[TIME_FIELD, TIME_FIELD]);
        alloc::vec![alloc::vec![0xa0, 3, 2, 1, 2], SERIAL.to_vec(), algorithm, name(len), validity, name(len), key]
    }

    fn detect(pieces: &[&[u8]]) -> Option<&'static str> {
        let mut detector = SignedPartDetector::new();
        for piece in pieces {
            detector.update(piece);
        }
        detector.finish()
    }

    fn detect_fields(fields: &[Vec<u8>]) -> Option<&'static str> {
        detect(&[&sequence_of(&fields.iter().map(Vec::as_slice).collect::<Vec<_>>())])
    }

    #[test]
    fn every_field_of_a_certificate_is_necessary() {
        const FOUND: Option<&str> = Some("an X.509 certificate");
        let fields = certificate_fields(5);
        assert_eq!(detect_fields(&fields), FOUND);
        for i in 0..fields.len() {
            let mut others = fields.clone();
            others.remove(i);
            // The version is optional.
            assert_eq!(detect_fields(&others), if i == 0 { FOUND } else { None }, "{i}");
            others.insert(i, b"\x04\x01a".to_vec());
            assert_eq!(detect_fields(&others), None, "{i}");
            others[i] = Vec::from(b"0\x03\x04\x01a");
            assert_eq!(detect_fields(&others), None, "{i}");
        }
        let mut further = fields;
        further.push(b"\xa3\x05inner".to_vec());
        assert_eq!(detect_fields(&further), FOUND);
    }

    /// Tests that the result does not depend on the pieces, and that a message with an additional
    /// or a missing byte is not a signed part.
    #[test]
    fn the_element_is_the_whole_message() {
        for len in [5, 200, MAX_KEPT - 1, MAX_KEPT, 3 * MAX_KEPT] {
            let part = sequence_of(&certificate_fields(len).iter().map(Vec::as_slice).collect::<Vec<_>>());
            for at in [0, 1, 2, 9, part.len() - 1, part.len()] {
                let (first, second) = part.split_at(at);
                assert!(detect(&[first, second]).is_some(), "{len} {at}");
                assert_eq!(detect(&[first, second, b"\n"]), None, "{len} {at}");
            }
            assert_eq!(detect(&[&part[..part.len() - 1]]), None, "{len}");
        }
    }

    #[test]
    fn a_cut_message_must_begin_like_a_document() {
        let long = alloc::vec![0; 2 * MAX_KEPT];
        let list = [&sequence_of(&[OID])[..], &name(5), TIME_FIELD, &element(SEQUENCE, &[&long])];
        assert_eq!(detect(&[&sequence_of(&list)]), Some("a certificate revocation list"));
        assert_eq!(detect(&[&sequence_of(&[list[0], list[1], &element(SEQUENCE, &[&long])])]), None);
        // The indefinite length has no end among the kept bytes.
        assert!(detect(&[&[&[SEQUENCE, 0x80][..], &list.concat(), &[0, 0]].concat()]).is_some());
        assert_eq!(detect(&[&[&[SEQUENCE, 0x80][..], list[0], list[1], &element(SEQUENCE, &[&long])].concat()]), None);
    }

    /// Tests a tag that has zeros at its start, and continues after the end of the kept bytes.
    #[test]
    fn a_long_header_at_the_end_of_the_kept_bytes_is_accepted() {
        let mut fields = certificate_fields(5);
        fields[3] = name(MAX_KEPT - 200);
        for zero_count in [0, 100, 200, 2000] {
            let header = [&[0x3f][..], &[0x80].repeat(zero_count), &[0x10]].concat();
            let padded = [&header[..], &fields[4][1..]].concat();
            let mut with_padding = fields.clone();
            with_padding[4] = padded;
            assert_eq!(detect_fields(&with_padding), Some("an X.509 certificate"), "{zero_count}");
        }
    }

    #[test]
    fn damaged_elements_are_not_detected() {
        for message in [
            &[][..],
            b"0",
            b"0\x80",
            b"0\x80\0",
            b"0\x80\0\0",
            b"0\0",
            b"0\x81",
            b"0\xff\x01",
            b"0\x89\x01\0\0\0\0\0\0\0\0",
            b"0\x88\xff\xff\xff\xff\xff\xff\xff\xff",
            b"?\x90\x80\x80\x80\x80\x80\x80\x10\0",
            b"0\x02\x02\x05",
            b"0 is the first character of this text",
        ] {
            assert_eq!(detect(&[message]), None, "{message:?}");
        }
        // The last field is longer than its SEQUENCE.
        let mut fields = certificate_fields(5);
        fields[6][1] += 1;
        assert_eq!(detect_fields(&fields), None);
        // Nested indefinite lengths do not exhaust the stack.
        assert_eq!(detect(&[&[SEQUENCE, 0x80].repeat(MAX_KEPT)]), None);
    }
}
