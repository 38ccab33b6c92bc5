//! Hints about files from programs other than fndsa. Most hints name the command that reads or
//! converts the file.

use crate::files::{ForeignFormat, ObjectKind};

/// Returns the hint for a file that another program wrote. `wanted` is the type of file that the
/// command expected, or `None` if the command accepts every type.
pub fn foreign_hint(format: ForeignFormat, wanted: Option<ObjectKind>) -> &'static str {
    use ForeignFormat::{
        Age, Certificate, CertificateRequest, Cms, Cosign, DamagedDer, Envelope, Jwk, Jws, Minisign, OpenPgp, OpenSsh,
        OpenSshSignature, OtherAlgorithm, Pkcs12, SignedMetadata, Signify, SigstoreBundle, X509,
    };
    use ObjectKind::{Signature, SigningKey, VerifyingKey};
    match (format, wanted) {
        (DamagedDer, _) => "the file is damaged: copy or download it again",
        (Certificate, _) => "convert the certificate with `openssl x509 -in FILE -out NEW.crt`",
        (CertificateRequest, _) => {
            "extract the public key of the request with `openssl req -in FILE -pubkey -noout -out NAME.pub`"
        }
        (X509, _) => {
            "give a certificate or a public key; `openssl x509 -inform DER -in FILE -text` or `openssl req -inform DER -in FILE \
             -text` shows the content of this file"
        }
        (Pkcs12, Some(VerifyingKey)) => {
            "extract the certificate from the file with `openssl pkcs12 -in FILE -nokeys -clcerts -out NEW.crt`"
        }
        (Pkcs12, _) => {
            "extract the private key from the file with `openssl pkcs12 -in FILE -nodes -nocerts -out NAME.key`"
        }
        (Cms, Some(VerifyingKey)) => {
            "extract the certificates from a file in DER with `openssl pkcs7 -inform DER -in FILE -print_certs -out NEW.crt`; write a \
             PEM file in DER first, with `openssl cms -cmsout -inform PEM -in FILE -outform DER -out NEW.p7s`"
        }
        (Cms, Some(SigningKey)) => NO_PRIVATE_KEY,
        (Cms, Some(Signature)) => {
            "to verify a CMS signature, add --cms | verify a CMS signature with `fndsa verify --cms` or `openssl cms -verify`"
        }
        (Cms, _) => "verify a CMS signature with `fndsa verify --cms` or `openssl cms -verify`",
        (SigstoreBundle, None) => {
            "extract the envelope with `jq .dsseEnvelope FILE >NEW.dsse`; then `fndsa verify --dsse TYPE -p PUBLIC NEW.dsse` verifies \
             the envelope"
        }
        (SigstoreBundle, _) => {
            "extract the envelope with `jq .dsseEnvelope FILE >NEW.dsse`, and verify NEW.dsse with --dsse TYPE | extract the envelope \
             with `jq .dsseEnvelope FILE >NEW.dsse`"
        }
        (Envelope, None) => {
            "a DSSE envelope contains its own signatures: `fndsa verify --dsse TYPE -p PUBLIC FILE` verifies the envelope"
        }
        (Envelope, Some(VerifyingKey)) => {
            "give the public key here, usually NAME.pub; a DSSE envelope contains its own signatures: verify the envelope with \
             --dsse TYPE | give the public key here, usually NAME.pub"
        }
        (Envelope, _) => {
            "a DSSE envelope contains its own signatures: verify the envelope with --dsse TYPE | a DSSE envelope contains its \
             own signatures"
        }
        (SignedMetadata, _) => {
            "verify this file with `in-toto-verify`; newer versions of in-toto write DSSE envelopes with `--use-dsse`"
        }
        (Jws, Some(Signature) | None) => {
            "to verify the JSON Web Signature of a separate file, add --jws; verify others with a program for JOSE"
        }
        (Jws, Some(VerifyingKey)) => {
            "give the public key here, usually NAME.pub; give the JSON Web Signature of a separate file with -s FILE and --jws | \
             give the public key here, usually NAME.pub; give the signature with -s FILE"
        }
        (Jws, Some(SigningKey)) => "give a private key here, usually NAME.key",
        (Jwk, Some(Signature)) => "give the signature file: a JSON Web Key is a key",
        (Jwk, _) => "give a file with exactly one JSON Web Key of ML-DSA or Ed25519",
        (OpenSshSignature, Some(Signature)) => {
            "to verify an OpenSSH signature, give its namespace with --ssh, for example --ssh file | verify an OpenSSH signature with \
             `ssh-keygen -Y verify`"
        }
        (OpenSsh, Some(SigningKey)) => {
            "sign with `ssh-keygen -Y sign`, or make a key for fndsa with `fndsa keygen NAME`"
        }
        (OpenSsh, Some(Signature)) => "give a signature here, usually FILE.sig: this file is a key",
        (OpenSsh, Some(VerifyingKey)) => {
            "give a key of the type ssh-ed25519 or ssh-mldsa44-ed25519: fndsa supports only these types of OpenSSH; \
             `ssh-keygen -Y verify` verifies signatures of other types"
        }
        (OpenSsh, None) => "fndsa supports only the types ssh-ed25519 and ssh-mldsa44-ed25519 of OpenSSH",
        (OpenSshSignature, Some(VerifyingKey)) => {
            "give the public key here, usually NAME.pub; give the signature with -s FILE and --ssh NAMESPACE | give the public key \
             here, usually NAME.pub; give the signature with -s FILE"
        }
        (OpenSshSignature, Some(SigningKey)) => "give a private key here, usually NAME.key",
        (OpenSshSignature, None) => {
            "`fndsa verify --ssh NAMESPACE -p PUBLIC -s SIGNATURE FILE` verifies an OpenSSH signature"
        }
        (OpenPgp, Some(SigningKey)) => "sign with `gpg --sign`, or make a key for fndsa with `fndsa keygen NAME`",
        (OpenPgp, _) => {
            "import the public key with `gpg --import`, and verify the OpenPGP signature with `gpg --verify`"
        }
        (Minisign, Some(SigningKey)) => "sign with `minisign -S`, or make a key for fndsa with `fndsa keygen NAME`",
        (Minisign, _) => {
            "verify a minisign signature with `minisign -V -p PUBLIC -m FILE`, and a signify signature with `signify -V`"
        }
        (Signify, _) => "verify a signify signature with `signify -V -p PUBLIC -m FILE`",
        (Cosign, Some(SigningKey)) => {
            "sign with `cosign sign-blob --key FILE`, or make a key for fndsa with `fndsa keygen NAME`"
        }
        (Cosign, _) => "verify a cosign signature with `cosign verify-blob`",
        (Age, Some(SigningKey)) => {
            "make a signing key with `fndsa keygen NAME`: keys of the program age encrypt files and cannot sign"
        }
        (Age, _) => "give a key or signature of fndsa: the program age only encrypts files and makes no signatures",
        (OtherAlgorithm, Some(SigningKey)) => {
            "make a key with `fndsa keygen NAME`: fndsa does not support the algorithm of this key"
        }
        (OtherAlgorithm, Some(VerifyingKey)) => {
            "give a public key of FN-DSA, Falcon, ML-DSA or Ed25519: fndsa does not support the algorithm of this key"
        }
        (_, Some(SigningKey)) => NO_PRIVATE_KEY,
        (_, Some(VerifyingKey)) => "give the public key of the signer here, usually NAME.pub",
        (_, Some(Signature)) => "give a signature of `fndsa sign` here, usually FILE.sig",
        (_, None) => "fndsa reads keys and signatures of FN-DSA, Falcon, ML-DSA and Ed25519",
    }
}

const NO_PRIVATE_KEY: &str = "give the private key here, usually NAME.key; `fndsa keygen NAME` makes a key pair";

#[cfg(test)]
mod tests {
    use super::*;

    /// Only a user who wants to sign gets the hint to generate a key, because a new key does not
    /// help to verify a file.
    #[test]
    fn keygen_is_suggested_only_for_signing() {
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
            for wanted in
                [None, Some(ObjectKind::VerifyingKey), Some(ObjectKind::Signature), Some(ObjectKind::SigningKey)]
            {
                let makes_keys = foreign_hint(format, wanted).contains("fndsa keygen");
                assert_eq!(makes_keys, wanted == Some(ObjectKind::SigningKey), "{format:?}, {wanted:?}");
            }
        }
    }
}
