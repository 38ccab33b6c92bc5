//! Detects files from programs other than fndsa, so that error messages can name the file's format.

use alloc::borrow::Cow;
use alloc::format;
use core::fmt;

/// The maximum number of header lines that [`is_mail`] reads.
const MAX_HEADER_LINES: usize = 200;

/// Returns whether a file is an e-mail with MIME parts: its header has the field `MIME-Version` or
/// `Content-Type`.
pub fn is_mail(data: &[u8]) -> bool {
    for line in data.split(|byte| *byte == b'\n').take(MAX_HEADER_LINES) {
        let line = line.trim_ascii_end();
        let name = line.split(|byte| *byte == b':').next().unwrap_or_default();
        if name.len() < line.len()
            && [&b"mime-version"[..], b"content-type"].iter().any(|field_name| name.eq_ignore_ascii_case(field_name))
        {
            return true;
        }
        // A line that begins with a blank continues the field before it.
        let is_field = name.len() < line.len() && name.iter().all(|byte| byte.is_ascii_graphic());
        if line.is_empty() || !(is_field || line.starts_with(b" ") || line.starts_with(b"\t")) {
            return false;
        }
    }
    false
}

/// A file in a format that usually belongs to a program other than fndsa.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForeignFile {
    name: Cow<'static, str>,
    /// The file's format, which shows which program can use the file.
    pub format: ForeignFormat,
}

/// The format of a file from another program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ForeignFormat {
    /// A private key or public key from OpenSSH.
    OpenSsh,
    /// A signature from OpenSSH.
    OpenSshSignature,
    /// A certificate with a PEM label other than `CERTIFICATE`, or in a form that only OpenSSL
    /// writes. The command `openssl x509` can read such a certificate.
    Certificate,
    /// A certificate request.
    CertificateRequest,
    /// A file in DER that contains a revocation list, or a certificate that this library cannot
    /// read.
    X509,
    /// A PKCS#12 file.
    Pkcs12,
    /// A PKCS#7 or CMS file.
    Cms,
    /// A file from OpenPGP.
    OpenPgp,
    /// A file from minisign.
    Minisign,
    /// A file from signify.
    Signify,
    /// A file from age, an encryption program.
    Age,
    /// A private key or a sigstore bundle without an envelope. The program cosign writes such
    /// files.
    Cosign,
    /// A JSON Web Key.
    Jwk,
    /// A JSON Web Signature.
    Jws,
    /// A bundle from sigstore.
    SigstoreBundle,
    /// A DSSE envelope.
    Envelope,
    /// Metadata from in-toto 0.9 or TUF: an object with `signed` and `signatures`.
    SignedMetadata,
    /// A key for an algorithm that this library does not implement.
    OtherAlgorithm,
    /// DER with damaged elements.
    DamagedDer,
    /// Any other format.
    Other,
}

impl ForeignFile {
    /// Creates a value from the format and the name, which includes the article.
    pub(super) fn new(name: impl Into<Cow<'static, str>>, format: ForeignFormat) -> Self {
        Self { name: name.into(), format }
    }

    /// Returns the format that belongs to a PEM label. The label belongs to the first row in
    /// `LABELS` that contains a prefix of the label. Returns `None` if the label is unknown.
    pub fn from_label(label: &str) -> Option<Self> {
        LABELS.iter().find(|row| label.starts_with(row.0)).map(|row| Self::new(row.1, row.2))
    }

    /// Detects the file's format from its first bytes, or from the member names in a JSON object.
    /// Returns `None` if the format is unknown. This function detects no PEM files, because
    /// [`Self::from_label`] detects these files. It detects no DER files, because only the elements
    /// in a DER file determine its format.
    pub fn from_content(data: &[u8]) -> Option<Self> {
        let data = data.strip_prefix(b"\xef\xbb\xbf").unwrap_or(data);
        let by_first_bytes = STARTS.iter().find(|row| data.starts_with(row.0)).map(|row| Self::new(row.1, row.2));
        ssh_key_with_type(data).or(by_first_bytes).or_else(|| json_format(data))
    }
}

impl fmt::Display for ForeignFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// Detects a public key of OpenSSH, and returns the format and the type. Returns `None` if the file
/// does not begin with a key type and a blank.
fn ssh_key_with_type(data: &[u8]) -> Option<ForeignFile> {
    const MAX_NAME_LEN: usize = 64;
    let end = data.iter().take(MAX_NAME_LEN + 1).position(|byte| *byte == b' ')?;
    let name = core::str::from_utf8(&data[..end]).ok()?;
    let is_name = name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-.@".contains(&byte));
    let is_type = STARTS.iter().any(|row| row.2 == ForeignFormat::OpenSsh && name.as_bytes().starts_with(row.0));
    let format = ForeignFormat::OpenSsh;
    (is_name && is_type).then(|| ForeignFile::new(format!("an OpenSSH public key of the type {name}"), format))
}

/// Detects a JSON format from the names of the members. Returns `None` if the names are unknown.
fn json_format(data: &[u8]) -> Option<ForeignFile> {
    if data.trim_ascii_start().first() != Some(&b'{') {
        return None;
    }
    for (names, description, format) in JSON {
        if names.iter().all(|name| data.windows(name.len()).any(|window| window == name.as_bytes())) {
            return Some(ForeignFile::new(*description, *format));
        }
    }
    None
}

/// Describes a file that is not a key or signature. The description is a known format, for example
/// a gzip archive, or the size and whether the file is text. The description never quotes the file,
/// because the file could be secret.
pub fn content(data: &[u8], is_text: bool) -> Cow<'static, str> {
    let data = data.strip_prefix(b"\xef\xbb\xbf").unwrap_or(data);
    let known_format = CONTENTS
        .iter()
        .find(|(start, _)| data.get(..start.len()).is_some_and(|beginning| beginning.eq_ignore_ascii_case(start)));
    match (known_format, data.len()) {
        (Some((_, what)), _) => Cow::Borrowed(what),
        (None, 1) => Cow::Borrowed(if is_text { "a character" } else { "a byte" }),
        (None, len) => Cow::Owned(format!("{len} bytes of {}", if is_text { "text" } else { "binary data" })),
    }
}

/// The PEM labels of files in a [`ForeignFormat`]. A row contains a label's prefix, the description
/// and the format.
const LABELS: &[(&str, &str, ForeignFormat)] = &[
    ("SSH SIGNATURE", "an OpenSSH signature", ForeignFormat::OpenSshSignature),
    ("CERTIFICATE REQUEST", "a request for an X.509 certificate", ForeignFormat::CertificateRequest),
    ("NEW CERTIFICATE REQUEST", "a request for an X.509 certificate", ForeignFormat::CertificateRequest),
    ("CERTIFICATE", "an X.509 certificate", ForeignFormat::Certificate),
    ("X509 CERTIFICATE", "an X.509 certificate with a label of its own", ForeignFormat::Certificate),
    ("TRUSTED CERTIFICATE", "an X.509 certificate in a form of OpenSSL", ForeignFormat::Certificate),
    ("ATTRIBUTE CERTIFICATE", "an X.509 attribute certificate", ForeignFormat::Other),
    ("X509 CRL", "an X.509 revocation list", ForeignFormat::Other),
    ("RSA ", "an RSA key", ForeignFormat::OtherAlgorithm),
    ("DSA ", "a DSA key", ForeignFormat::OtherAlgorithm),
    ("DH PARAMETERS", "Diffie-Hellman parameters", ForeignFormat::OtherAlgorithm),
    ("EC PARAMETERS", "elliptic-curve parameters", ForeignFormat::OtherAlgorithm),
    ("EC ", "an elliptic-curve key", ForeignFormat::OtherAlgorithm),
    ("PGP ", "an OpenPGP file", ForeignFormat::OpenPgp),
    ("AGE ENCRYPTED FILE", "a file encrypted with age", ForeignFormat::Age),
    ("ENCRYPTED SIGSTORE PRIVATE KEY", "a cosign private key", ForeignFormat::Cosign),
    ("ENCRYPTED COSIGN PRIVATE KEY", "a cosign private key", ForeignFormat::Cosign),
    ("PKCS7", "a PKCS#7 file", ForeignFormat::Cms),
    ("CMS", "a CMS file", ForeignFormat::Cms),
];

/// The first bytes of files in a [`ForeignFormat`], except PEM, DER and JSON. A row contains the
/// first bytes, the description and the format.
const STARTS: &[(&[u8], &str, ForeignFormat)] = &[
    (b"untrusted comment: signature from minisign", "a minisign signature", ForeignFormat::Minisign),
    (b"untrusted comment: signature from rsign", "a minisign signature", ForeignFormat::Minisign),
    (b"untrusted comment: signature", "a minisign or signify signature", ForeignFormat::Minisign),
    (b"untrusted comment: verify with ", "a signify signature", ForeignFormat::Signify),
    (b"untrusted comment: minisign public key", "a minisign public key", ForeignFormat::Minisign),
    (b"untrusted comment: minisign encrypted secret key", "a minisign private key", ForeignFormat::Minisign),
    (b"untrusted comment: rsign encrypted secret key", "a minisign private key", ForeignFormat::Minisign),
    (b"untrusted comment:", "a minisign or signify file", ForeignFormat::Minisign),
    (b"AGE-SECRET-KEY-", "an age private key", ForeignFormat::Age),
    (b"# created: ", "an age key file", ForeignFormat::Age),
    (b"age-encryption.org/", "a file encrypted with age", ForeignFormat::Age),
    (b"age1", "an age public key", ForeignFormat::Age),
    (b"ssh-", "an OpenSSH public key", ForeignFormat::OpenSsh),
    (b"ecdsa-sha2-", "an OpenSSH public key", ForeignFormat::OpenSsh),
    (b"sk-ssh-", "an OpenSSH public key", ForeignFormat::OpenSsh),
    (b"sk-ecdsa-", "an OpenSSH public key", ForeignFormat::OpenSsh),
    (b"---- BEGIN SSH2 ", "an SSH public key", ForeignFormat::OpenSsh),
    (b"eyJ", "a JSON Web Signature (JWS)", ForeignFormat::Jws),
];

/// The JSON formats. A row contains member names, the description and the format. A file has the
/// format in the first row for which all names occur in the file.
const JSON: &[(&[&str], &str, ForeignFormat)] = &[
    (&["\"kty\""], "a JSON Web Key (JWK)", ForeignFormat::Jwk),
    (&["\"dsseEnvelope\""], "a sigstore bundle", ForeignFormat::SigstoreBundle),
    (&["\"messageSignature\""], "a sigstore bundle without an envelope", ForeignFormat::Cosign),
    (&["\"payloadType\"", "\"signatures\""], "a DSSE envelope", ForeignFormat::Envelope),
    (&["\"payload\"", "\"protected\""], "a JSON Web Signature (JWS) in JSON", ForeignFormat::Jws),
    (&["\"protected\"", "\"signature\""], "a JSON Web Signature (JWS) in JSON", ForeignFormat::Jws),
    (&["\"signed\"", "\"signatures\""], "metadata of in-toto 0.9 or TUF", ForeignFormat::SignedMetadata),
];

/// The first bytes of files that users often pass by mistake, with descriptions. Raw keys and
/// signatures of the Falcon family start with the bytes 0x01 to 0x0a, 0x31 to 0x3a and 0x51 to
/// 0x5a, so no row may start with these bytes.
const CONTENTS: &[(&[u8], &str)] = &[
    (b"\x7fELF", "a program (ELF)"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"PK\x03\x04", "a zip archive"),
    (b"\xfd7zXZ\0", "an xz archive"),
    (b"(\xb5/\xfd", "a zstd archive"),
    (b"BZh", "a bzip2 archive"),
    (b"%PDF-", "a PDF document"),
    (b"\x89PNG", "a PNG image"),
    (b"#!", "a script"),
    (b"<!DOCTYPE html", "an HTML page"),
    (b"<html", "an HTML page"),
    (b"<?xml", "an XML document"),
    (b"version https://git-lfs", "a Git LFS pointer"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_other_programs_are_recognized() {
        let label = |label| ForeignFile::from_label(label).map(|file| file.to_string());
        let content = |data: &str| ForeignFile::from_content(data.as_bytes()).map(|file| file.format);
        assert_eq!(label("SSH SIGNATURE").as_deref(), Some("an OpenSSH signature"));
        assert_eq!(label("FNDSA PRIVATE KEY"), None);
        let name = |data: &[u8]| ForeignFile::from_content(data).map(|file| file.to_string());
        assert_eq!(name(b"ssh-rsa AAAA x").as_deref(), Some("an OpenSSH public key of the type ssh-rsa"));
        let key = "sk-ssh-ed25519@openssh.com AAAA";
        assert_eq!(name(key.as_bytes()).unwrap(), "an OpenSSH public key of the type sk-ssh-ed25519@openssh.com");
        assert_eq!(name(b"ssh-rsa").as_deref(), Some("an OpenSSH public key"));
        for (data, format) in [
            ("ssh-ed25519 AAAA", Some(ForeignFormat::OpenSsh)),
            ("ssh-\u{e4} AAAA", Some(ForeignFormat::OpenSsh)),
            ("hello", None),
            ("{}", None),
            ("\n { \"kty\": \"AKP\" }", Some(ForeignFormat::Jwk)),
            ("\"kty\"", None),
            (r#"{"dsseEnvelope":{"payloadType":"","signatures":[]}}"#, Some(ForeignFormat::SigstoreBundle)),
            (r#"{"payloadType":"","signatures":[]}"#, Some(ForeignFormat::Envelope)),
            (r#"{"signed":{},"signatures":[]}"#, Some(ForeignFormat::SignedMetadata)),
            (r#"{"payload":"","protected":""}"#, Some(ForeignFormat::Jws)),
            (r#"{"signatures":[{"protected":"","signature":""}]}"#, Some(ForeignFormat::Jws)),
        ] {
            assert_eq!(content(data), format, "{data}");
        }
    }

    #[test]
    fn other_content_is_classified_and_not_printed() {
        assert_eq!(content(b"hello\n", true), "6 bytes of text");
        assert_eq!(content(b"\0\xff", false), "2 bytes of binary data");
        assert_eq!(content(b"x", true), "a character");
        assert_eq!(content(b"<!doctype HTML>", true), "an HTML page");
        assert_eq!(content(b"\xef\xbb\xbf#!/bin/sh", true), "a script");
        for (start, _) in CONTENTS {
            let first = start[0];
            assert!(![0x00, 0x30, 0x50].contains(&(first & 0xf0)) || !(1..=10).contains(&(first & 0x0f)), "{first}");
        }
    }
}
