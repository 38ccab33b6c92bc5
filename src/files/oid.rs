//! Object identifiers (OIDs), and the algorithms that they identify. An OID is a sequence of
//! numbers, which are called arcs. In this module, arcs can have any size.
//!
//! FN-DSA has no assigned OIDs yet. The two FN-DSA OIDs in this file have the form 2.25.UUID,
//! because such OIDs are unique without a registration. Their last arc has up to 128 bits. This
//! file implements the encoding, because the crate `const-oid` supports only arcs of up to 32 bits.

use crate::api::{Algorithm, PreHash};
use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;
use thiserror::Error;

/// The last arc in the OID of FN-DSA-512.
const FN_DSA_512: u128 = 26821571210238037450600707390410676305;
/// The last arc in the OID of FN-DSA-1024.
const FN_DSA_1024: u128 = 42830876229410118957710580448761848954;

/// The maximum length of an encoded OID, in bytes. All OIDs in use are shorter. Without a limit, a
/// long OID could block the program, because its conversion to text takes quadratic time.
const MAX_LEN: usize = 64;

/// An object identifier, stored as the content of its DER encoding: at most 64 bytes, without tag
/// and length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Oid(Vec<u8>);

/// The algorithm that an OID identifies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum IdentifiedAlgorithm {
    /// An algorithm of this library.
    Supported(Algorithm),
    /// HashML-DSA: ML-DSA with a pre-hash. The values are the ML-DSA algorithm, and the only
    /// pre-hash with which the key may sign.
    PreHashed(Algorithm, PreHash),
    /// An algorithm that this library does not implement. The value is its name.
    Unsupported(&'static str),
}

/// The reason why a text is not an OID.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum OidError {
    /// The text does not consist of decimal numbers that are separated by dots, or a number has a
    /// leading zero.
    #[error("an OID is decimal numbers with dots between them, for example 1.3.6.1.4.1.99999.1")]
    Text,
    /// The first number is greater than 2.
    #[error("an OID begins with 0, 1 or 2")]
    Root,
    /// The first number is 0 or 1, and the second number is 40 or more.
    #[error("after 0 and 1, the second number of an OID is less than 40")]
    Second,
    /// The encoding has more than 64 bytes, or a number has more than 192 digits.
    #[error("the OID is too long")]
    Long,
}

/// The OIDs for keys that this library does not implement, with the name of the algorithm.
const UNSUPPORTED: &[(&str, &str)] = &[
    ("1.2.840.113549.1.1.1", "RSA"),
    ("1.2.840.113549.1.1.10", "RSA-PSS"),
    ("1.2.840.113549.1.3.1", "Diffie-Hellman"),
    ("1.2.840.113549.1.9.16.3.17", "HSS/LMS"),
    ("1.2.840.10040.4.1", "DSA"),
    ("1.2.840.10045.2.1", "elliptic curves (ECDSA, ECDH)"),
    ("1.2.840.10046.2.1", "Diffie-Hellman"),
    ("1.3.101.110", "X25519"),
    ("1.3.101.111", "X448"),
    #[cfg(not(feature = "ed25519"))]
    ("1.3.101.112", "Ed25519"),
    ("1.3.101.113", "Ed448"),
    #[cfg(not(feature = "ed25519"))]
    ("1.3.6.1.5.5.7.6.39", "ML-DSA-44 with Ed25519"),
    #[cfg(not(feature = "ed25519"))]
    ("1.3.6.1.5.5.7.6.48", "ML-DSA-65 with Ed25519"),
    ("2.16.840.1.101.3.4.3.20", "SLH-DSA-SHA2-128s"),
    ("2.16.840.1.101.3.4.3.21", "SLH-DSA-SHA2-128f"),
    ("2.16.840.1.101.3.4.3.22", "SLH-DSA-SHA2-192s"),
    ("2.16.840.1.101.3.4.3.23", "SLH-DSA-SHA2-192f"),
    ("2.16.840.1.101.3.4.3.24", "SLH-DSA-SHA2-256s"),
    ("2.16.840.1.101.3.4.3.25", "SLH-DSA-SHA2-256f"),
    ("2.16.840.1.101.3.4.3.26", "SLH-DSA-SHAKE-128s"),
    ("2.16.840.1.101.3.4.3.27", "SLH-DSA-SHAKE-128f"),
    ("2.16.840.1.101.3.4.3.28", "SLH-DSA-SHAKE-192s"),
    ("2.16.840.1.101.3.4.3.29", "SLH-DSA-SHAKE-192f"),
    ("2.16.840.1.101.3.4.3.30", "SLH-DSA-SHAKE-256s"),
    ("2.16.840.1.101.3.4.3.31", "SLH-DSA-SHAKE-256f"),
    ("2.16.840.1.101.3.4.4.1", "ML-KEM-512"),
    ("2.16.840.1.101.3.4.4.2", "ML-KEM-768"),
    ("2.16.840.1.101.3.4.4.3", "ML-KEM-1024"),
    ("1.2.156.10197.1.301", "SM2"),
    ("1.3.9999.3.12", "Falcon-512 with P-256 (hybrid)"),
    ("1.3.9999.3.13", "Falcon-512 with RSA-3072 (hybrid)"),
    ("1.3.9999.3.15", "Falcon-1024 with P-521 (hybrid)"),
    ("1.3.9999.3.17", "Falcon-512 with P-256 (hybrid)"),
    ("1.3.9999.3.18", "Falcon-512 with RSA-3072 (hybrid)"),
    ("1.3.9999.3.20", "Falcon-1024 with P-521 (hybrid)"),
];

/// The OIDs of the supported algorithms, except FN-DSA. If an algorithm has several rows, this
/// library writes the OID in the first of these rows. The Falcon OIDs are from Open Quantum Safe,
/// with three rows for each degree: the OID that this library writes, the OID for padded
/// signatures, and an old OID. NIST has assigned the ML-DSA OIDs, and RFC 8410 the Ed25519 OID. The
/// OIDs for composites are registered for draft-ietf-lamps-pq-composite-sigs-19.
const SUPPORTED: &[(&str, Algorithm)] = &[
    ("1.3.9999.3.11", Algorithm::FALCON_512),
    ("1.3.9999.3.16", Algorithm::FALCON_512),
    ("1.3.9999.3.6", Algorithm::FALCON_512),
    ("1.3.9999.3.14", Algorithm::FALCON_1024),
    ("1.3.9999.3.19", Algorithm::FALCON_1024),
    ("1.3.9999.3.9", Algorithm::FALCON_1024),
    ("2.16.840.1.101.3.4.3.17", Algorithm::ML_DSA_44),
    ("2.16.840.1.101.3.4.3.18", Algorithm::ML_DSA_65),
    ("2.16.840.1.101.3.4.3.19", Algorithm::ML_DSA_87),
    #[cfg(feature = "ed25519")]
    ("1.3.101.112", Algorithm::ED25519),
    #[cfg(feature = "ed25519")]
    ("1.3.6.1.5.5.7.6.39", Algorithm::ML_DSA_44_ED25519),
    #[cfg(feature = "ed25519")]
    ("1.3.6.1.5.5.7.6.48", Algorithm::ML_DSA_65_ED25519),
];

/// The OIDs that NIST has assigned to HashML-DSA keys, with the algorithm and the pre-hash.
const PRE_HASHED: &[(&str, Algorithm, PreHash)] = &[
    ("2.16.840.1.101.3.4.3.32", Algorithm::ML_DSA_44, PreHash::Sha512),
    ("2.16.840.1.101.3.4.3.33", Algorithm::ML_DSA_65, PreHash::Sha512),
    ("2.16.840.1.101.3.4.3.34", Algorithm::ML_DSA_87, PreHash::Sha512),
];

/// Encodes the OID 2.25.`uuid`. `uuid` must have 120 to 126 bits, so that the last arc has exactly
/// 18 bytes with 7 bits each.
const fn uuid_content(uuid: u128) -> [u8; 19] {
    assert!(uuid >> 126 == 0 && uuid >> 119 != 0);
    let mut content = [0; 19];
    content[0] = 2 * 40 + 25;
    let mut i = 1;
    while i < 19 {
        let digit = (uuid >> (7 * (18 - i))) as u8 & 0x7f;
        content[i] = if i < 18 { digit | 0x80 } else { digit };
        i += 1;
    }
    content
}

impl Oid {
    /// Returns the OID that this library writes for an algorithm. Returns `None` if the algorithm
    /// has no OID. For example, toys (algorithms that are only for tests) and the FN-DSA preview
    /// have no OIDs.
    pub fn of(algorithm: Algorithm) -> Option<Self> {
        const CONTENTS: [[u8; 19]; 2] = [uuid_content(FN_DSA_512), uuid_content(FN_DSA_1024)];
        match algorithm {
            Algorithm::FN_DSA_512 => Some(Self(CONTENTS[0].to_vec())),
            Algorithm::FN_DSA_1024 => Some(Self(CONTENTS[1].to_vec())),
            _ => {
                let (text, _) = SUPPORTED.iter().find(|row| row.1 == algorithm)?;
                text.parse().ok()
            }
        }
    }

    /// Creates an OID from the content of its DER encoding. Returns `None` if `content` is empty,
    /// is truncated, is not the shortest encoding, or has more than 64 bytes.
    pub fn from_content(content: &[u8]) -> Option<Self> {
        let mut starts_number = true;
        for byte in content {
            if starts_number && *byte == 0x80 {
                return None;
            }
            starts_number = byte & 0x80 == 0;
        }
        let ends_with_number = starts_number && !content.is_empty();
        if ends_with_number && content.len() <= MAX_LEN { Some(Self(content.to_vec())) } else { None }
    }

    /// Returns the content of the DER encoding.
    pub fn content(&self) -> &[u8] {
        &self.0
    }

    /// Returns the supported algorithm that the OID identifies. For a HashML-DSA OID, the result is
    /// the ML-DSA algorithm. Returns `None` if the OID is unknown, or if its algorithm is not
    /// supported.
    pub(super) fn algorithm(&self) -> Option<Algorithm> {
        match self.identified_algorithm() {
            Some(IdentifiedAlgorithm::Supported(algorithm) | IdentifiedAlgorithm::PreHashed(algorithm, _)) => {
                Some(algorithm)
            }
            _ => None,
        }
    }

    /// Returns the algorithm that the OID identifies, or `None` if the OID is unknown.
    pub fn identified_algorithm(&self) -> Option<IdentifiedAlgorithm> {
        for algorithm in [Algorithm::FN_DSA_512, Algorithm::FN_DSA_1024] {
            if Self::of(algorithm).as_ref() == Some(self) {
                return Some(IdentifiedAlgorithm::Supported(algorithm));
            }
        }
        let text = self.to_string();
        if let Some(row) = SUPPORTED.iter().find(|row| row.0 == text) {
            return Some(IdentifiedAlgorithm::Supported(row.1));
        }
        if let Some(row) = PRE_HASHED.iter().find(|row| row.0 == text) {
            return Some(IdentifiedAlgorithm::PreHashed(row.1, row.2));
        }
        let (_, name) = UNSUPPORTED.iter().find(|row| row.0 == text)?;
        Some(IdentifiedAlgorithm::Unsupported(name))
    }
}

/// Computes `digits * factor + add` in place. `digits` are the digits of a number in base `base`,
/// with the least significant digit first.
fn multiply_add(digits: &mut Vec<u8>, base: u16, factor: u16, add: u16) {
    let mut carry = add;
    for digit in digits.iter_mut() {
        let value = u16::from(*digit) * factor + carry;
        *digit = (value % base) as u8;
        carry = value / base;
    }
    while carry > 0 {
        digits.push((carry % base) as u8);
        carry /= base;
    }
}

/// Parses a decimal number, and returns its digits in base 128, with the least significant digit
/// first.
fn parse_arc(text: &str) -> Result<Vec<u8>, OidError> {
    let has_leading_zero = text.starts_with('0') && text != "0";
    let are_digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if has_leading_zero || !are_digits {
        return Err(OidError::Text);
    }
    if text.len() > 3 * MAX_LEN {
        return Err(OidError::Long);
    }
    let mut number = Vec::new();
    for digit in text.bytes() {
        multiply_add(&mut number, 128, 10, u16::from(digit - b'0'));
    }
    Ok(number)
}

impl FromStr for Oid {
    type Err = OidError;

    /// Parses two or more decimal numbers that are separated by dots.
    fn from_str(text: &str) -> Result<Self, OidError> {
        let mut arcs = text.split('.').map(parse_arc);
        let root = match arcs.next().ok_or(OidError::Text)??[..] {
            [] => 0,
            [root @ 1..=2] => u16::from(root),
            _ => return Err(OidError::Root),
        };
        let mut first_number = arcs.next().ok_or(OidError::Text)??;
        if root < 2 && (first_number.len() > 1 || matches!(first_number.first(), Some(40..))) {
            return Err(OidError::Second);
        }
        multiply_add(&mut first_number, 128, 1, 40 * root);
        let mut content = Vec::new();
        for arc in core::iter::once(Ok(first_number)).chain(arcs) {
            let mut arc = arc?;
            if arc.is_empty() {
                arc.push(0);
            }
            let last_group = arc[0];
            for digit in arc[1..].iter().rev() {
                content.push(digit | 0x80);
            }
            content.push(last_group);
        }
        if content.len() > MAX_LEN { Err(OidError::Long) } else { Ok(Self(content)) }
    }
}

impl fmt::Display for Oid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, arc) in self.0.split_inclusive(|byte| byte & 0x80 == 0).enumerate() {
            let mut arc: Vec<u8> = arc.iter().map(|byte| byte & 0x7f).collect();
            if i == 0 {
                let root = if arc.len() > 1 { 2 } else { (arc[0] / 40).min(2) };
                write!(f, "{root}")?;
                // The encoding joins the first two arcs to a single number, `40 * root + second`.
                let mut borrow = 40 * root;
                for digit in arc.iter_mut().rev() {
                    if *digit >= borrow {
                        *digit -= borrow;
                        borrow = 0;
                    } else {
                        *digit = *digit + 128 - borrow;
                        borrow = 1;
                    }
                }
            }
            let mut decimal = Vec::new();
            for digit in arc {
                multiply_add(&mut decimal, 10, 128, u16::from(digit));
            }
            write!(f, ".")?;
            if decimal.is_empty() {
                write!(f, "0")?;
            }
            for digit in decimal.iter().rev() {
                write!(f, "{digit}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oids_of_fn_dsa_match_the_documentation() {
        for (algorithm, text) in [
            (Algorithm::FN_DSA_512, format!("2.25.{FN_DSA_512}")),
            (Algorithm::FN_DSA_1024, format!("2.25.{FN_DSA_1024}")),
        ] {
            let oid = Oid::of(algorithm).unwrap();
            assert_eq!(oid.to_string(), text);
            assert_eq!(text.parse(), Ok(oid.clone()));
            assert_eq!(oid.identified_algorithm(), Some(IdentifiedAlgorithm::Supported(algorithm)));
            assert_eq!(Oid::from_content(oid.content()), Some(oid));
            let page = include_str!("../../docs/scheme.md");
            assert!(page.contains(&text), "{text}");
        }
    }

    #[test]
    fn the_text_and_the_bytes_of_an_oid_agree() {
        // The rows are from X.690 (8.19.5), from X.660, and from `openssl asn1parse -genstr
        // OID:...`.
        for (text, content) in [
            ("2.999.3", &[0x88, 0x37, 3][..]),
            ("1.2.840.113549", &[42, 0x86, 0x48, 0x86, 0xf7, 0x0d]),
            ("0.0", &[0]),
            ("1.39.0", &[79, 0]),
            ("2.47", &[127]),
            ("2.48", &[0x81, 0]),
            ("2.5.4.3", &[85, 4, 3]),
        ] {
            let oid: Oid = text.parse().unwrap();
            assert_eq!((oid.content(), oid.to_string().as_str()), (content, text));
        }
        for (text, _) in UNSUPPORTED {
            let oid: Oid = text.parse().unwrap();
            assert_eq!(oid.to_string(), *text);
            assert!(matches!(oid.identified_algorithm(), Some(IdentifiedAlgorithm::Unsupported(_))));
        }
        for (text, algorithm) in SUPPORTED {
            assert_eq!(
                text.parse::<Oid>().unwrap().identified_algorithm(),
                Some(IdentifiedAlgorithm::Supported(*algorithm))
            );
        }
        assert_eq!(Oid::of(Algorithm::FALCON_512), "1.3.9999.3.11".parse().ok());
    }

    #[test]
    fn text_that_is_not_an_oid_is_rejected() {
        let long = format!("1.2.{}", "9".repeat(500));
        let many = "1.2".to_owned() + &".1".repeat(100);
        for text in [
            "", "1", "1.", ".1", "3.1", "1.40", "0.128", "1.2.x", "1.2.-1", "1.02", "01.2", "1 .2", "1.2.+3", &long,
            &many,
        ] {
            assert!(text.parse::<Oid>().is_err(), "{text}");
        }
        for content in [&[][..], &[0x81], &[42, 0x80, 1], &[0x80, 1], &[1; 65]] {
            assert_eq!(Oid::from_content(content), None);
        }
    }
}
