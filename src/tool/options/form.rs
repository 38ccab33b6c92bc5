//! Parsers for options that take the name of a format, for example `convert --to pem`.

use crate::tool::message::dsse::DsseForm;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use fndsa::files::{FileEncoding, Format, IdentifiedAlgorithm, KeyLayout, Oid};

/// A value of an option, its name, and its description in the help.
struct OptionValue<T>(T, &'static str, &'static str);

const FORMATS: [OptionValue<Format>; 2] = [
    OptionValue(Format::Pem, "pem", "Base64 between BEGIN and END lines"),
    OptionValue(Format::Raw, "raw", "The bytes of the signature, without PEM"),
];

const ENCODINGS: [OptionValue<FileEncoding>; 10] = [
    OptionValue(FileEncoding::Pem, "pem", "Base64 between BEGIN and END lines; ML-DSA keys are PKCS#8 and SPKI"),
    OptionValue(FileEncoding::Raw, "raw", "The bytes of the key or signature, without PEM"),
    OptionValue(
        FileEncoding::Hex,
        "hex",
        "The seed of an ML-DSA or Ed25519 key as 64 hexadecimal digits, for a copy on paper; two seeds for a composite",
    ),
    OptionValue(FileEncoding::Pkcs8, "pkcs8", "A private key as PKCS#8 in PEM"),
    OptionValue(FileEncoding::Pkcs8Der, "pkcs8-der", "A private key as PKCS#8 in DER"),
    OptionValue(FileEncoding::Spki, "spki", "A public key as X.509 SubjectPublicKeyInfo in PEM"),
    OptionValue(FileEncoding::SpkiDer, "spki-der", "A public key as X.509 SubjectPublicKeyInfo in DER"),
    OptionValue(FileEncoding::Jwk, "jwk", "An ML-DSA or Ed25519 key as JSON Web Key, for programs of JOSE"),
    OptionValue(FileEncoding::TufKey, "tuf-key", "An ML-DSA or Ed25519 public key as JSON, for TUF and in-toto"),
    OptionValue(
        FileEncoding::Ssh,
        "ssh",
        "A key of ed25519 or ml-dsa-44-ed25519 as OpenSSH writes it; a private key without a password",
    ),
];

const LAYOUTS: [OptionValue<KeyLayout>; 2] = [
    OptionValue(KeyLayout::Oqs, "oqs", "The layout of oqs-provider: the public key follows the private key"),
    OptionValue(KeyLayout::BouncyCastle, "bouncycastle", "The layout of BouncyCastle: each polynomial is a field"),
];

const PRIVATE_FORMS: [OptionValue<KeyLayout>; 3] = [
    OptionValue(KeyLayout::Seed, "seed", "Only the seed (32 bytes), as FIPS 204 and RFC 9881 recommend"),
    OptionValue(KeyLayout::Expanded, "expanded", "Only the expanded key, for programs that cannot read a seed"),
    OptionValue(KeyLayout::Both, "both", "The seed and the expanded key"),
];

/// The encoding in which a mu is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MuForm {
    /// Hexadecimal digits in a line, followed by the file name if there are several files.
    Hex,
    /// Base64 in a line.
    Base64,
    /// The mu as 64 bytes.
    Raw,
}

const MU_FORMS: [OptionValue<MuForm>; 3] = [
    OptionValue(MuForm::Hex, "hex", "Hexadecimal digits"),
    OptionValue(MuForm::Base64, "base64", "Base64, for JSON interfaces"),
    OptionValue(MuForm::Raw, "raw", "The 64 bytes"),
];

const DSSE_FORMS: [OptionValue<DsseForm>; 2] = [
    OptionValue(DsseForm::Pae, DsseForm::Pae.name(), "The pre-authentication encoding, as sigstore signs it"),
    OptionValue(DsseForm::Tap21, DsseForm::Tap21.name(), "The form of in-toto and TUF for ML-DSA keys (TAP 21)"),
];

/// The file format of a certificate or a certificate request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DocumentForm {
    /// Base64 between BEGIN and END lines.
    Pem,
    /// The DER bytes, without PEM.
    Der,
}

const DOCUMENT_FORMS: [OptionValue<DocumentForm>; 2] = [
    OptionValue(DocumentForm::Pem, "pem", "Base64 between BEGIN and END lines"),
    OptionValue(DocumentForm::Der, "der", "DER, without PEM"),
];

/// Returns the parser for the `values` that `is_accepted` accepts.
fn one_of<T: Copy + Send + Sync + 'static>(
    values: &'static [OptionValue<T>],
    is_accepted: impl Fn(T) -> bool,
) -> impl TypedValueParser<Value = T> {
    let offered = values.iter().filter(|value| is_accepted(value.0));
    PossibleValuesParser::new(offered.map(|value| PossibleValue::new(value.1).help(value.2)))
        .try_map(|name| value_of(values, &name))
}

/// Returns the value with this name.
fn value_of<T: Copy>(values: &[OptionValue<T>], name: &str) -> Result<T, &'static str> {
    for value in values {
        if value.1 == name {
            return Ok(value.0);
        }
    }
    Err("no such form")
}

/// Returns the parser for a signature format.
pub fn any_format() -> impl TypedValueParser<Value = Format> {
    one_of(&FORMATS, |_| true)
}

/// Returns the parser for the format of a certificate or a certificate request.
pub fn document_form() -> impl TypedValueParser<Value = DocumentForm> {
    one_of(&DOCUMENT_FORMS, |_| true)
}

/// Returns the parser for the file format of a key or signature (`convert --to`).
pub fn any_encoding() -> impl TypedValueParser<Value = FileEncoding> {
    one_of(&ENCODINGS, |_| true)
}

/// Returns the parser for one of these `encodings`.
pub fn encoding_among(encodings: &[FileEncoding]) -> impl TypedValueParser<Value = FileEncoding> {
    one_of(&ENCODINGS, |encoding| encodings.contains(&encoding))
}

/// Returns the parser for the layout of a Falcon private key.
pub fn any_layout() -> impl TypedValueParser<Value = KeyLayout> {
    one_of(&LAYOUTS, |_| true)
}

/// Returns the parser for `--private`: a seed, an expanded key, or both.
pub fn any_private_form() -> impl TypedValueParser<Value = KeyLayout> {
    one_of(&PRIVATE_FORMS, |_| true)
}

/// Returns the parser for the encoding in which `sign` prints mu (the hash that an ML-DSA signature
/// covers).
pub fn any_mu_form() -> impl TypedValueParser<Value = MuForm> {
    one_of(&MU_FORMS, |_| true)
}

/// Returns the names of the encodings in which a mu is printed.
pub fn mu_form_names() -> impl Iterator<Item = &'static str> {
    MU_FORMS.iter().map(|form| form.1)
}

/// Returns the parser for `--dsse-form`: the encoding that signatures in DSSE envelopes cover.
pub fn any_dsse_form() -> impl TypedValueParser<Value = DsseForm> {
    one_of(&DSSE_FORMS, |_| true)
}

/// Parses the object identifier that the user chose for a key. Identifiers of HashML-DSA, and of
/// algorithms that fndsa does not implement, are errors.
///
/// # Errors
/// Fails if the text is not an object identifier, or if the identifier belongs to a rejected
/// algorithm.
pub fn free_oid(text: &str) -> Result<Oid, String> {
    let oid = match text.parse::<Oid>() {
        Ok(oid) => oid,
        Err(e) => return Err(e.to_string()),
    };
    match oid.identified_algorithm() {
        Some(IdentifiedAlgorithm::PreHashed(algorithm, _)) => Err(format!("this OID belongs to Hash{algorithm}")),
        Some(IdentifiedAlgorithm::Unsupported(name)) => Err(format!("this OID belongs to {name}")),
        _ => Ok(oid),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fndsa::Algorithm;

    #[test]
    fn an_oid_of_another_algorithm_is_rejected() {
        assert_eq!(free_oid("1.2.840.113549.1.1.1"), Err("this OID belongs to RSA".to_owned()));
        assert_eq!(free_oid("1.3.9999.3.11").ok(), Oid::of(Algorithm::FALCON_512));
        assert_eq!(free_oid("1.3.6.1.4.1.99999.1").map(|oid| oid.identified_algorithm()), Ok(None));
        assert!(free_oid("3.1").is_err_and(|why| why.contains("begins with 0, 1 or 2")));
    }
}
