//! Files of other programs, named so that the user sees what was mixed up.

use alloc::borrow::Cow;
use alloc::format;

/// Returns what a PEM label of another program stands for; `None` if the label is not known.
pub fn label(label: &str) -> Option<&'static str> {
    LABELS.iter().find(|(prefix, _)| label.starts_with(prefix)).map(|row| row.1)
}

/// Returns what a file of another program is, by its first bytes; `None` if they are not known. PEM files go by
/// [`label`], DER files by their elements.
pub fn name(data: &[u8]) -> Option<&'static str> {
    let data = data.strip_prefix(b"\xef\xbb\xbf").unwrap_or(data);
    STARTS.iter().find(|(start, _)| data.starts_with(start)).map(|row| row.1)
}

/// Describes a file that is no key and no signature of any program known here, by its size and the sort of its content.
/// The file may be secret all the same, so nothing of it is repeated.
pub fn content(data: &[u8], is_text: bool) -> Cow<'static, str> {
    let data = data.strip_prefix(b"\xef\xbb\xbf").unwrap_or(data);
    let known = CONTENTS
        .iter()
        .find(|(start, _)| data.get(..start.len()).is_some_and(|beginning| beginning.eq_ignore_ascii_case(start)));
    match (known, data.len()) {
        (Some((_, what)), _) => Cow::Borrowed(what),
        (None, 1) => Cow::Borrowed(if is_text { "a character" } else { "a byte" }),
        (None, len) => Cow::Owned(format!("{len} bytes of {}", if is_text { "text" } else { "binary data" })),
    }
}

/// Beginning of the label, description.
const LABELS: &[(&str, &str)] = &[
    ("OPENSSH PRIVATE KEY", "an OpenSSH private key"),
    ("SSH SIGNATURE", "an OpenSSH signature"),
    ("CERTIFICATE REQUEST", "a request for an X.509 certificate"),
    ("NEW CERTIFICATE REQUEST", "a request for an X.509 certificate"),
    ("CERTIFICATE", "an X.509 certificate"),
    ("X509 CERTIFICATE", "an X.509 certificate"),
    ("TRUSTED CERTIFICATE", "an X.509 certificate"),
    ("ATTRIBUTE CERTIFICATE", "an X.509 attribute certificate"),
    ("X509 CRL", "an X.509 revocation list"),
    ("RSA ", "an RSA key"),
    ("DSA ", "a DSA key"),
    ("DH PARAMETERS", "Diffie-Hellman parameters"),
    ("EC PARAMETERS", "elliptic-curve parameters"),
    ("EC ", "an elliptic-curve key"),
    ("PGP ", "an OpenPGP file"),
    ("AGE ENCRYPTED FILE", "a file encrypted with age"),
    ("ENCRYPTED SIGSTORE PRIVATE KEY", "a cosign private key"),
    ("ENCRYPTED COSIGN PRIVATE KEY", "a cosign private key"),
    ("PKCS7", "a PKCS#7 file"),
    ("CMS", "a CMS file"),
];

/// First bytes, description.
const STARTS: &[(&[u8], &str)] = &[
    (b"untrusted comment: signature from minisign", "a minisign signature"),
    (b"untrusted comment: signature from rsign", "a minisign signature"),
    (b"untrusted comment: signature", "a minisign or signify signature"),
    (b"untrusted comment: verify with ", "a signify signature"),
    (b"untrusted comment: minisign public key", "a minisign public key"),
    (b"untrusted comment: minisign encrypted secret key", "a minisign private key"),
    (b"untrusted comment: rsign encrypted secret key", "a minisign private key"),
    (b"untrusted comment:", "a minisign or signify file"),
    (b"AGE-SECRET-KEY-", "an age private key"),
    (b"# created: ", "an age key file"),
    (b"age-encryption.org/", "a file encrypted with age"),
    (b"age1", "an age public key"),
    (b"ssh-", "an OpenSSH public key"),
    (b"ecdsa-sha2-", "an OpenSSH public key"),
    (b"sk-ssh-", "an OpenSSH public key"),
    (b"sk-ecdsa-", "an OpenSSH public key"),
    (b"---- BEGIN SSH2 ", "an SSH public key"),
];

/// First bytes of what people name by mistake, description. None is the beginning of a raw key or signature, whose
/// first byte is 0x01 to 0x0a, 0x31 to 0x3a or 0x51 to 0x5a.
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
    fn files_of_others_have_their_names() {
        assert_eq!(label("OPENSSH PRIVATE KEY"), Some("an OpenSSH private key"));
        assert_eq!(label("FNDSA PRIVATE KEY"), None);
        assert_eq!(name(b"ssh-ed25519 AAAA"), Some("an OpenSSH public key"));
        assert_eq!(name(b"hello"), None);
    }

    #[test]
    fn other_content_is_named_and_not_repeated() {
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
