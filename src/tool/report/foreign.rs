//! Hints about files of other programs: the command of the program that the file belongs to. The
//! page in `web/` is built with this file.

use fndsa::files::{ForeignFormat, Kind};

/// Returns what to do about a file of another program. `wanted` is the kind of file that the
/// command expected; `None` if it takes any kind.
pub fn foreign_hint(format: ForeignFormat, wanted: Option<Kind>) -> &'static str {
    use ForeignFormat::{
        Age, Certificate, CertificateRequest, Cms, Cosign, DamagedDer, Envelope, Jwk, Jws, Minisign, OpenPgp, OpenSsh,
        Pkcs12, SignedMetadata, Signify, SigstoreBundle, X509,
    };
    use Kind::{Signature, SigningKey, VerifyingKey};
    match (format, wanted) {
        (DamagedDer, _) => "the file is damaged; copy it again",
        (Certificate, _) => "`openssl x509 -in FILE -out NEW.crt` writes it in the form that is read",
        (CertificateRequest, _) => "`openssl req -in FILE -pubkey -noout -out NAME.pub` gives the public key in it",
        (X509, _) => {
            "`openssl x509 -inform DER -in FILE -text` or `openssl req -inform DER -in FILE -text` shows the file; a \
             certificate or a public key is read"
        }
        (Pkcs12, Some(VerifyingKey)) => {
            "`openssl pkcs12 -in FILE -nokeys -clcerts -out NEW.crt` gives the certificate in it"
        }
        (Pkcs12, _) => "`openssl pkcs12 -in FILE -nodes -nocerts -out NAME.key` gives the private key in it",
        (Cms, Some(VerifyingKey)) => "`openssl pkcs7 -in FILE -print_certs -out NEW.crt` gives the certificates in it",
        (Cms, Some(SigningKey)) => NO_PRIVATE_KEY,
        (Cms, _) => "`openssl cms -verify` verifies a signature of CMS",
        (SigstoreBundle, _) => {
            "`jq .dsseEnvelope FILE >NEW.dsse` gives the envelope in it, which `fndsa verify --dsse TYPE NEW.dsse` reads"
        }
        (Envelope, _) => "an envelope has its signatures in it: `fndsa verify --dsse TYPE -p PUBLIC FILE` verifies it",
        (SignedMetadata, _) => {
            "`in-toto-verify` verifies it; newer versions of in-toto write DSSE envelopes, with `--use-dsse`"
        }
        (Jws, _) => "a program for JOSE verifies it",
        (Jwk, Some(VerifyingKey)) => "write the public key as SPKI in PEM, with the program that made it",
        (Jwk, _) => "write the key as PKCS#8 (private) or SPKI (public) in PEM, with the program that made it",
        (OpenSsh, Some(Signature)) => "`ssh-keygen -Y verify` verifies signatures of OpenSSH",
        (OpenSsh, Some(SigningKey)) => {
            "`ssh-keygen -Y sign` signs with keys of OpenSSH; `fndsa keygen NAME` makes a key for fndsa"
        }
        (OpenSsh, _) => "`ssh-keygen -Y sign` and `ssh-keygen -Y verify` take files of OpenSSH",
        (OpenPgp, Some(SigningKey)) => {
            "`gpg --sign` signs with keys of OpenPGP; `fndsa keygen NAME` makes a key for fndsa"
        }
        (OpenPgp, _) => "`gpg --verify` verifies signatures of OpenPGP, with keys from `gpg --import`",
        (Minisign, Some(SigningKey)) => {
            "`minisign -S` signs with keys of minisign; `fndsa keygen NAME` makes a key for fndsa"
        }
        (Minisign, _) => {
            "`minisign -V -p PUBLIC -m FILE` verifies signatures of minisign, `signify -V` those of signify"
        }
        (Signify, _) => "`signify -V -p PUBLIC -m FILE` verifies signatures of signify",
        (Cosign, Some(SigningKey)) => {
            "`cosign sign-blob --key FILE` signs with keys of cosign; `fndsa keygen NAME` makes a key for fndsa"
        }
        (Cosign, _) => "`cosign verify-blob` verifies signatures of cosign",
        (Age, Some(SigningKey)) => "age encrypts and does not sign; `fndsa keygen NAME` makes a key for signatures",
        (Age, _) => "age encrypts and does not sign",
        (_, Some(SigningKey)) => NO_PRIVATE_KEY,
        (_, Some(VerifyingKey)) => "the public key of the signer belongs here, usually NAME.pub",
        (_, Some(Signature)) => "a signature by `fndsa sign` belongs here, usually FILE.sig",
        (_, None) => "keys and signatures of FN-DSA, Falcon, ML-DSA and Ed25519 are read",
    }
}

const NO_PRIVATE_KEY: &str = "the private key belongs here, usually NAME.key; `fndsa keygen NAME` makes one";

#[cfg(test)]
mod tests {
    use super::*;

    /// Whoever verifies a file has no use for a new private key.
    #[test]
    fn only_a_signer_is_sent_to_keygen() {
        let formats = [
            ForeignFormat::OpenSsh,
            ForeignFormat::Minisign,
            ForeignFormat::OpenPgp,
            ForeignFormat::Age,
            ForeignFormat::Cosign,
            ForeignFormat::OtherAlgorithm,
            ForeignFormat::Other,
        ];
        for format in formats {
            for wanted in [None, Some(Kind::VerifyingKey), Some(Kind::Signature), Some(Kind::SigningKey)] {
                let makes_keys = foreign_hint(format, wanted).contains("fndsa keygen");
                assert_eq!(makes_keys, wanted == Some(Kind::SigningKey), "{format:?}, {wanted:?}");
            }
        }
    }
}
