//! Files of other programs, named so that the user sees what was mixed up.

/// What a PEM label of another program stands for.
pub fn label(label: &str) -> Option<&'static str> {
    LABELS.iter().find(|(prefix, _)| label.starts_with(prefix)).map(|row| row.1)
}

/// What a file of another program is, by its first bytes. PEM files go by [`label`].
pub fn name(data: &[u8]) -> Option<&'static str> {
    let data = data.strip_prefix(b"\xef\xbb\xbf").unwrap_or(data);
    STARTS.iter().find(|(start, _)| data.starts_with(start)).map(|row| row.1).or_else(|| der(data))
}

/// Beginning of the label, description.
const LABELS: [(&str, &str); 15] = [
    ("FALCON ", "a Falcon (round 3) file, which this version does not read"),
    ("FNDSA2024 ", "a file of the FN-DSA preview of 2024, which this version does not read"),
    ("OPENSSH PRIVATE KEY", "an OpenSSH private key"),
    ("SSH SIGNATURE", "an OpenSSH signature"),
    ("ENCRYPTED PRIVATE KEY", "an encrypted PKCS#8 private key, which this version does not read"),
    ("PRIVATE KEY", "a PKCS#8 private key, which this version does not read"),
    ("PUBLIC KEY", "an X.509 (SPKI) public key, which this version does not read"),
    ("CERTIFICATE", "an X.509 certificate or a request for one"),
    ("X509 CRL", "an X.509 revocation list"),
    ("RSA ", "an RSA key"),
    ("EC ", "an elliptic-curve key"),
    ("PGP ", "an OpenPGP file"),
    ("AGE ENCRYPTED FILE", "a file encrypted with age"),
    ("PKCS7", "a PKCS#7 file"),
    ("CMS", "a CMS file"),
];

/// First bytes, description.
const STARTS: [(&[u8], &str); 11] = [
    (b"untrusted comment: signature", "a minisign or signify signature"),
    (b"untrusted comment: minisign public key", "a minisign public key"),
    (b"untrusted comment: minisign encrypted secret key", "a minisign private key"),
    (b"untrusted comment:", "a minisign or signify file"),
    (b"AGE-SECRET-KEY-", "an age private key"),
    (b"# created: ", "an age key file"),
    (b"age-encryption.org/", "a file encrypted with age"),
    (b"age1", "an age public key"),
    (b"ssh-", "an OpenSSH public key"),
    (b"ecdsa-sha2-", "an OpenSSH public key"),
    (b"sk-", "an OpenSSH public key"),
];

/// A DER sequence as long as the file: X.509 or PKCS#8 by what comes first in it.
fn der(data: &[u8]) -> Option<&'static str> {
    let (inner, len) = match *data {
        [0x30, len @ ..=0x7f, ..] => (&data[2..], usize::from(len)),
        [0x30, 0x81, len, ..] => (&data[3..], usize::from(len)),
        [0x30, 0x82, a, b, ..] => (&data[4..], usize::from(a) << 8 | usize::from(b)),
        _ => return None,
    };
    (inner.len() == len && len > 4).then_some(match *inner {
        [0x02, 0x01, 0..=1, 0x30, ..] => "a PKCS#8 private key in DER, which this version does not read",
        [0x30, ..] => "an X.509 (SPKI) public key or a certificate in DER, which this version does not read",
        _ => "a DER file of another program",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_others_have_their_names() {
        assert_eq!(label("OPENSSH PRIVATE KEY"), Some("an OpenSSH private key"));
        assert_eq!(label("FNDSA PRIVATE KEY"), None);
        assert_eq!(name(b"ssh-ed25519 AAAA"), Some("an OpenSSH public key"));
        assert_eq!(name(b"hello"), None);
        assert!(name(&[0x30, 6, 2, 1, 0, 0x30, 1, 0]).is_some_and(|s| s.contains("PKCS#8")));
        assert_eq!(name(&[0x30, 0x82]), None);
    }
}
