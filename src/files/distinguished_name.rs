//! Parses and prints distinguished names as text (RFC 4514), and reads them from X.509 documents in
//! DER.
//!
//! RFC 4514 requires that the attributes in the text are in the reverse order of the DER encoding.
//! For example, the first attribute in the text `CN=Release,O=Example` is the last attribute in
//! DER.

use super::der::{DerItem, element, items_of};
use super::hex::hex;
use super::oid::Oid;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;
use pkcs8::der::asn1::AnyRef;
use pkcs8::der::{Encode, Tag};
use thiserror::Error;

/// A type of attribute that can occur in the text of a name.
struct AttributeType {
    name: &'static str,
    /// The OID in DER, without its tag.
    oid: &'static [u8],
    /// The string type of the value in new names.
    tag: Tag,
    /// The maximum number of characters in a value. The values are from RFC 5280, appendix A, which
    /// has no limits for STREET, UID and DC.
    max_len: usize,
    /// Whether a name can contain several attributes of this type.
    repeats: bool,
}

/// Creates a row of [`TYPES`] for an attribute that occurs at most once in a name.
const fn single_attribute(name: &'static str, oid: &'static [u8], tag: Tag, max_len: usize) -> AttributeType {
    AttributeType { name, oid, tag, max_len, repeats: false }
}

/// The attribute types that can occur in the text of a name. RFC 5280 requires PrintableString for
/// countries and serial numbers, and IA5String for domain components and e-mail addresses.
const TYPES: &[AttributeType] = &[
    single_attribute("CN", &[0x55, 4, 3], Tag::Utf8String, 64),
    single_attribute("C", &[0x55, 4, 6], Tag::PrintableString, 2),
    single_attribute("L", &[0x55, 4, 7], Tag::Utf8String, 128),
    single_attribute("ST", &[0x55, 4, 8], Tag::Utf8String, 128),
    single_attribute("STREET", &[0x55, 4, 9], Tag::Utf8String, 128),
    single_attribute("O", &[0x55, 4, 10], Tag::Utf8String, 64),
    AttributeType { repeats: true, ..single_attribute("OU", &[0x55, 4, 11], Tag::Utf8String, 64) },
    single_attribute("serialNumber", &[0x55, 4, 5], Tag::PrintableString, 64),
    single_attribute("UID", &[0x09, 0x92, 0x26, 0x89, 0x93, 0xf2, 0x2c, 0x64, 1, 1], Tag::Utf8String, 256),
    AttributeType {
        repeats: true,
        ..single_attribute("DC", &[0x09, 0x92, 0x26, 0x89, 0x93, 0xf2, 0x2c, 0x64, 1, 25], Tag::Ia5String, 63)
    },
    single_attribute("emailAddress", &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 1], Tag::Ia5String, 255),
];

/// The names of the attribute types, to use in messages.
const TYPE_NAMES: &str = "CN, O, OU, C, L, ST, STREET, DC, UID, emailAddress and serialNumber";

/// The reason why a text is not a distinguished name that this library can write.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NameDefect {
    /// A part of the text has no equals sign.
    #[error(
        "the part {0:?} has no equals sign: a name has the form CN=Name,O=Organization; write a comma in a value as \\,"
    )]
    Form(String),
    /// The text has the form that OpenSSL uses, for example `/CN=Name`.
    #[error("write CN=Name,O=Organization, not the form /O=Organization/CN=Name of OpenSSL")]
    Slash,
    /// A value contains a slash and then an attribute, as in the form that OpenSSL uses.
    #[error(
        "a value contains /{0}=, which is the form of OpenSSL: write a comma before {0}; if the slash belongs to the value, write \\2F"
    )]
    SlashInValue(&'static str),
    /// A value contains a blank and then an attribute, so a comma is probably missing.
    #[error(
        "a value contains {0}= after a blank: write a comma before {0}; if the text belongs to the value, write \\20 for the blank"
    )]
    CommaMissing(&'static str),
    /// The attribute type is unknown.
    #[error(
        "the attribute type {0:?} is unknown; the attribute types are {TYPE_NAMES}, without a blank after the name"
    )]
    Type(String),
    /// The attribute has no value.
    #[error("{0} has no value")]
    Empty(&'static str),
    /// The attribute occurs twice.
    #[error("{0} occurs twice")]
    Twice(&'static str),
    /// The value is too long.
    #[error("{name} has more than {max_len} characters")]
    Length {
        /// The attribute type.
        name: &'static str,
        /// The maximum number of characters.
        max_len: usize,
    },
    /// The value contains a special character without a backslash before it.
    #[error("write a backslash before the character {0} in a value")]
    Special(char),
    /// The text after a backslash is neither a special character nor two hexadecimal digits.
    #[error("after a backslash, write one of , + \" \\ < > ; = # or a blank, or two hexadecimal digits")]
    Escape,
    /// The value begins or ends with a blank.
    #[error("a value begins or ends with a blank: leave the blank out, or write a backslash before it")]
    Blank,
    /// The value contains a control character, or bytes that are not UTF-8.
    #[error("a value contains a control character, or bytes that are not UTF-8")]
    Character,
    /// The country code does not consist of two capital letters.
    #[error("C is a country code of two capital letters, for example C=DE")]
    Country,
    /// The value contains a character that the string type of the attribute does not allow.
    #[error("{0} contains a character that is not allowed in this attribute")]
    StringType(&'static str),
}

/// A distinguished name. The default value is the empty name, which a certificate request can have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DistinguishedName {
    /// The content of the RDNSequence in DER.
    content: Vec<u8>,
}

impl DistinguishedName {
    /// Reads the content of an RDNSequence. The content must be strict DER: each set is sorted and
    /// contains at least one attribute, and each string contains only characters that the string's
    /// type allows. Returns `None` in all other cases.
    pub(super) fn read(content: &[u8]) -> Option<Self> {
        for (tag, set) in items_of(content)? {
            if tag != Tag::Set || attributes(set)?.is_empty() || !is_sorted(set) {
                return None;
            }
        }
        Some(Self { content: content.to_owned() })
    }

    /// Encodes the name in DER.
    pub(super) fn to_der(&self) -> Vec<u8> {
        element(0x30, &[&self.content]).to_vec()
    }

    /// Returns whether the name has no attributes.
    pub fn is_empty(&self) -> bool {
        self.content.is_empty()
    }
}

/// An attribute of a name that was read from DER.
struct NameAttribute<'a> {
    oid: Oid,
    value: DerItem<'a>,
}

impl NameAttribute<'_> {
    /// Returns the attribute as text.
    fn text(&self) -> Option<String> {
        let known_type = TYPES.iter().find(|row| row.oid == self.oid.content());
        if let (Some(row), Some(text)) = (known_type, utf8_text(self.value)) {
            return Some(format!("{}={}", row.name, escape_value(text)));
        }
        let name = match known_type {
            Some(row) => row.name.to_owned(),
            None => self.oid.to_string(),
        };
        Some(format!("{name}=#{}", hex(&encode_element(self.value)?)))
    }
}

/// Encodes an element in DER.
fn encode_element((tag, content): DerItem<'_>) -> Option<Vec<u8>> {
    AnyRef::new(tag, content).ok()?.to_der().ok()
}

/// Returns a string's text if its type allows only UTF-8 or ASCII characters. Otherwise, returns
/// `None`.
fn utf8_text((tag, content): DerItem<'_>) -> Option<&str> {
    let of_utf8 = matches!(tag, Tag::Utf8String | Tag::PrintableString | Tag::Ia5String);
    if of_utf8 { core::str::from_utf8(content).ok() } else { None }
}

/// Decodes the attributes in a SET. Returns `None` if an attribute is damaged.
fn attributes(set: &[u8]) -> Option<Vec<NameAttribute<'_>>> {
    let mut attributes = Vec::new();
    for (tag, attribute) in items_of(set)? {
        let [(Tag::ObjectIdentifier, oid), value] = items_of(attribute)?[..] else { return None };
        let is_valid_string = match value.0 {
            Tag::Utf8String => core::str::from_utf8(value.1).is_ok(),
            Tag::PrintableString => value.1.iter().all(is_printable),
            Tag::Ia5String => value.1.is_ascii(),
            tag => !tag.is_constructed(),
        };
        if tag != Tag::Sequence || !is_valid_string {
            return None;
        }
        attributes.push(NameAttribute { oid: Oid::from_content(oid)?, value });
    }
    Some(attributes)
}

/// Returns whether the elements of a SET OF are sorted as DER requires, without duplicates.
pub(super) fn is_sorted(set: &[u8]) -> bool {
    let mut elements = Vec::new();
    for item in items_of(set).unwrap_or_default() {
        let Some(element) = encode_element(item) else { return false };
        elements.push(element);
    }
    elements.is_sorted_by(|first, second| first < second)
}

/// Returns whether PrintableString allows this character.
fn is_printable(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || b" '()+,-./:=?".contains(byte)
}

/// Escapes the text of a value (RFC 4514, section 2.4). Control characters, and blanks at the
/// beginning and at the end, are written as hexadecimal digits.
fn escape_value(text: &str) -> String {
    let mut escaped = String::new();
    let last_index = text.len().saturating_sub(1);
    for (index, c) in text.char_indices() {
        match c {
            ',' | '+' | '"' | '\\' | '<' | '>' | ';' => escaped.extend(['\\', c]),
            '#' if index == 0 => escaped.push_str("\\#"),
            ' ' if index == 0 || index == last_index => escaped.push_str("\\20"),
            c if c.is_control() => {
                for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                    escaped.push_str(&format!("\\{byte:02x}"));
                }
            }
            c => escaped.push(c),
        }
    }
    escaped
}

impl fmt::Display for DistinguishedName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sets = items_of(&self.content).unwrap_or_default();
        for (i, (_, set)) in sets.iter().rev().enumerate() {
            let attributes = attributes(set).unwrap_or_default();
            let mut texts = Vec::new();
            for attribute in &attributes {
                texts.extend(attribute.text());
            }
            write!(f, "{}{}", if i == 0 { "" } else { "," }, texts.join("+"))?;
        }
        Ok(())
    }
}

impl FromStr for DistinguishedName {
    type Err = NameDefect;

    /// Parses a name in the form of RFC 4514. The attribute types must be known, and each
    /// comma-separated part must contain exactly one attribute. Blanks before an attribute type are
    /// ignored.
    fn from_str(text: &str) -> Result<Self, NameDefect> {
        let mut seen_names: Vec<&str> = Vec::new();
        let mut attribute_sets = Vec::new();
        let mut rest = Some(text);
        while let Some(text) = rest {
            if text.starts_with('/') {
                return Err(NameDefect::Slash);
            }
            let part = text.split(',').next().unwrap_or_default();
            if !part.contains('=') {
                return Err(NameDefect::Form(part.to_owned()));
            }
            let (name, text) = text.split_once('=').unwrap_or_default();
            let name = name.trim_start_matches(' ');
            let Some(attribute_type) = TYPES.iter().find(|row| row.name.eq_ignore_ascii_case(name)) else {
                return Err(NameDefect::Type(name.to_owned()));
            };
            if seen_names.contains(&attribute_type.name) && !attribute_type.repeats {
                return Err(NameDefect::Twice(attribute_type.name));
            }
            seen_names.push(attribute_type.name);
            let value;
            (value, rest) = split_value(text)?;
            attribute_sets.push(attribute_type.attribute(&value)?);
        }
        Ok(Self { content: attribute_sets.into_iter().rev().flatten().collect() })
    }
}

impl DistinguishedName {
    /// Parses a name that a user typed. A value must not contain an attribute after a slash, such
    /// as `/O=`, or after a blank, such as ` O=`, because the user probably meant two attributes.
    /// In names from files, values can contain such text.
    ///
    /// # Errors
    /// Fails if the text is not a distinguished name, or if a value contains such an attribute.
    pub fn of_user(text: &str) -> Result<Self, NameDefect> {
        let name: Self = text.parse()?;
        for part in text.split('/').skip(1) {
            if let Some(attribute_type) = type_before_equals(part) {
                return Err(NameDefect::SlashInValue(attribute_type));
            }
        }
        for (position, _) in text.match_indices(' ') {
            let before = text[..position].trim_end_matches(' ');
            // After a comma, blanks can precede the next attribute. If the comma is escaped, the
            // comma and the blanks after it are a part of the value.
            let is_in_value = !before.is_empty() && (!before.ends_with(',') || before.ends_with("\\,"));
            if is_in_value && let Some(attribute_type) = type_before_equals(&text[position + 1..]) {
                return Err(NameDefect::CommaMissing(attribute_type));
            }
        }
        Ok(name)
    }
}

/// Returns the attribute type if `text` begins with a known attribute type and an equals sign.
/// Otherwise, returns `None`.
fn type_before_equals(text: &str) -> Option<&'static str> {
    let (type_name, _) = text.split_once('=')?;
    let row = TYPES.iter().find(|row| row.name.eq_ignore_ascii_case(type_name))?;
    Some(row.name)
}

impl AttributeType {
    /// Checks a value, and returns the DER encoding of a SET. The SET contains a single attribute,
    /// with this type and value.
    fn attribute(&self, value: &str) -> Result<Vec<u8>, NameDefect> {
        if value.is_empty() {
            return Err(NameDefect::Empty(self.name));
        }
        let is_country = self.name == "C";
        if is_country && !(value.len() == 2 && value.bytes().all(|byte| byte.is_ascii_uppercase())) {
            return Err(NameDefect::Country);
        }
        if value.chars().any(char::is_control) {
            return Err(NameDefect::Character);
        }
        if value.chars().count() > self.max_len {
            return Err(NameDefect::Length { name: self.name, max_len: self.max_len });
        }
        let (tag, has_valid_characters) = match self.tag {
            Tag::PrintableString => (0x13, value.bytes().all(|byte| is_printable(&byte))),
            Tag::Ia5String => (0x16, value.is_ascii()),
            _ => (0x0c, true),
        };
        if !has_valid_characters {
            return Err(NameDefect::StringType(self.name));
        }
        let type_and_value = element(0x30, &[&element(0x06, &[self.oid]), &element(tag, &[value.as_bytes()])]);
        Ok(element(0x31, &[&type_and_value]).to_vec())
    }
}

/// Splits off the value at the start of `text`, the part of a name after an equals sign. Returns
/// the value without escapes, and the text after the comma that ends the value. After the last
/// value, this text is `None`.
fn split_value(text: &str) -> Result<(String, Option<&str>), NameDefect> {
    let mut bytes = Vec::new();
    let mut chars = text.char_indices();
    let mut rest = None;
    let mut ends_with_blank = text.starts_with(' ');
    while let Some((index, c)) = chars.next() {
        match c {
            ',' => {
                rest = Some(&text[index + 1..]);
                break;
            }
            '\\' => {
                bytes.push(read_escape(&mut chars)?);
                ends_with_blank = false;
            }
            '"' | '+' | ';' | '<' | '>' => return Err(NameDefect::Special(c)),
            '#' if index == 0 => return Err(NameDefect::Special(c)),
            ' ' if index == 0 => return Err(NameDefect::Blank),
            c => {
                bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                ends_with_blank = c == ' ';
            }
        }
    }
    if ends_with_blank {
        return Err(NameDefect::Blank);
    }
    match String::from_utf8(bytes) {
        Ok(value) => Ok((value, rest)),
        Err(_) => Err(NameDefect::Character),
    }
}

/// Reads the characters after a backslash, and returns the byte that they encode.
fn read_escape(chars: &mut impl Iterator<Item = (usize, char)>) -> Result<u8, NameDefect> {
    let first = chars.next().ok_or(NameDefect::Escape)?.1;
    if " \"#+,;<=>\\".contains(first) {
        return Ok(first as u8);
    }
    let second = chars.next().ok_or(NameDefect::Escape)?.1;
    match (first.to_digit(16), second.to_digit(16)) {
        (Some(high), Some(low)) => Ok((high << 4 | low) as u8),
        _ => Err(NameDefect::Escape),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    fn name(text: &str) -> Result<DistinguishedName, NameDefect> {
        text.parse()
    }

    #[test]
    fn names_round_trip() {
        for text in [
            "CN=Release",
            "CN=Release,O=Example,C=DE",
            "CN=a,OU=b,OU=c,DC=example,DC=org",
            r#"CN=\#1\, \+ \"quoted\" \\ \<x\>\;,O=a=b"#,
            r"CN=\20a\20",
            "emailAddress=a@example.org,CN=Ü 名",
            "UID=u,STREET=s,L=l,ST=st,serialNumber=1-2",
        ] {
            let parsed = name(text).unwrap();
            assert_eq!(parsed.to_string(), text);
            assert_eq!(DistinguishedName::read(&parsed.content), Some(parsed));
        }
        assert_eq!(name(r"cn=\c3\9c, o=x").unwrap().to_string(), "CN=Ü,O=x");
        assert!(DistinguishedName::read(&[]).unwrap().is_empty());
    }

    /// The expected bytes are the output of `openssl req -utf8 -subj /C=DE/O=Example/CN=Release`.
    #[test]
    fn the_last_attribute_is_first_in_der() {
        let expected = "310b3009060355040613024445\
                        3110300e060355040a0c074578616d706c65\
                        3110300e06035504030c0752656c65617365";
        assert_eq!(hex(&name("CN=Release,O=Example,C=DE").unwrap().content), expected);
    }

    #[test]
    fn wrong_text_is_rejected() {
        let long = format!("CN={}", "x".repeat(65));
        for (text, defect) in [
            ("", NameDefect::Form(String::new())),
            ("Release", NameDefect::Form("Release".to_owned())),
            ("CN=a,", NameDefect::Form(String::new())),
            ("CN=Smith, John", NameDefect::Form(" John".to_owned())),
            ("O=Example, Inc.,CN=x", NameDefect::Form(" Inc.".to_owned())),
            ("/CN=a/O=b", NameDefect::Slash),
            ("X=a", NameDefect::Type("X".to_owned())),
            ("2.5.4.3=a", NameDefect::Type("2.5.4.3".to_owned())),
            ("CN =a", NameDefect::Type("CN ".to_owned())),
            ("CN=", NameDefect::Empty("CN")),
            ("CN=,O=x", NameDefect::Empty("CN")),
            ("CN=a,O=x,cn=b", NameDefect::Twice("CN")),
            (&long, NameDefect::Length { name: "CN", max_len: 64 }),
            ("CN=a+O=b", NameDefect::Special('+')),
            ("CN=a;O=b", NameDefect::Special(';')),
            ("CN=\"a\"", NameDefect::Special('"')),
            ("CN=#0401", NameDefect::Special('#')),
            (r"CN=a\", NameDefect::Escape),
            (r"CN=\a", NameDefect::Escape),
            (r"CN=\xx", NameDefect::Escape),
            ("CN= a", NameDefect::Blank),
            ("CN=a ,O=b", NameDefect::Blank),
            ("CN=a ", NameDefect::Blank),
            (r"CN=a\\ ", NameDefect::Blank),
            (r"CN=\ff", NameDefect::Character),
            (r"CN=a\0ab", NameDefect::Character),
            ("CN=a\u{9b}b", NameDefect::Character),
            ("C=Germany", NameDefect::Country),
            ("C=de", NameDefect::Country),
            ("emailAddress=ü@example.org", NameDefect::StringType("emailAddress")),
            ("serialNumber=a@b", NameDefect::StringType("serialNumber")),
        ] {
            assert_eq!(name(text), Err(defect), "{text:?}");
        }
    }

    #[test]
    fn damaged_names_are_rejected() {
        let attribute = |oid: &[u8], tag, value: &[u8]| element(0x30, &[&element(6, &[oid]), &element(tag, &[value])]);
        let a = attribute(&[0x55, 4, 3], 12, b"a");
        let b = attribute(&[0x55, 4, 10], 12, b"b");
        let read = |parts: &[&[u8]]| DistinguishedName::read(&element(0x31, parts)).map(|name| name.to_string());
        assert_eq!(read(&[&a, &b]).as_deref(), Some("CN=a+O=b"));
        for parts in [&[&b[..], &a][..], &[&a, &a], &[], &[b"\x30\0"], &[b"\x31\0"], &[&a[2..]]] {
            assert_eq!(read(parts), None, "{parts:x?}");
        }
        for (tag, value) in [(12, &b"\xff"[..]), (0x13, b"a@b"), (0x16, b"\xe4"), (0x30, b"")] {
            assert_eq!(read(&[&attribute(&[0x55, 4, 3], tag, value)]), None, "{tag}");
        }
        assert_eq!(read(&[&attribute(&[0x55, 4, 3, 0x80], 12, b"a")]), None);
        // Strings and attributes of unknown types are printed as hexadecimal DER.
        assert_eq!(read(&[&attribute(&[0x55, 4, 3], 0x14, b"a")]).as_deref(), Some("CN=#140161"));
        assert_eq!(read(&[&attribute(&[0x55, 4, 65], 12, b"a")]).as_deref(), Some("2.5.4.65=#0c0161"));
        assert_eq!(read(&[&attribute(&[0x55, 4, 3], 12, b" \x1b,")]).as_deref(), Some(r"CN=\20\1b\,"));
    }
}
