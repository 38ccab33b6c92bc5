//! Messages, reason codes and hints about files: the kind, the form or a defect of a file, a rejected key, a line of a list.

use super::distance::distance;
use super::foreign::foreign_hint;
use crate::files::manifest::Flaw;
use crate::files::{Defect, ForeignFormat, Kind, MAX_NOTE, PrivateKeyError, WriteError, pem};
use crate::{Algorithm, KeyError, Scheme};
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::{format, vec};
use core::fmt;
use core::sync::atomic::{AtomicUsize, Ordering};

/// Returns the hint for a file of one kind in the place of another kind.
pub fn role_hint(found: Kind, wanted: Kind) -> Option<&'static str> {
    Some(match (found, wanted) {
        (Kind::SigningKey, Kind::VerifyingKey) => {
            "keep the private key secret, and give the public key here; `fndsa pubkey FILE -o NAME.pub` writes the public key"
        }
        (Kind::VerifyingKey, Kind::SigningKey) => "give the private key of this key pair, usually NAME.key",
        (Kind::Signature, Kind::SigningKey) => "give a private key here, usually NAME.key",
        (Kind::Signature, Kind::VerifyingKey) => {
            "give the public key here, usually NAME.pub; give the signature with -s FILE"
        }
        (Kind::SigningKey | Kind::VerifyingKey, Kind::Signature) => {
            "give the signature here, usually FILE.sig; give the public key with -p FILE"
        }
        _ => return None,
    })
}

/// Returns the hint for a file that is neither a key nor a signature.
pub fn place_hint(wanted: Kind) -> &'static str {
    match wanted {
        Kind::SigningKey => "give a private key here, usually NAME.key; `fndsa keygen NAME` makes a key pair",
        Kind::VerifyingKey => "give a public key here, usually NAME.pub",
        Kind::Signature => "give a signature here, usually FILE.sig",
    }
}

/// Returns what forms there are of a kind.
fn form_hint(kind: Kind) -> &'static str {
    match kind {
        Kind::SigningKey => {
            "choose the form pem, raw or pkcs8 for a private key; `fndsa pubkey FILE --format spki` writes the public key"
        }
        Kind::VerifyingKey => "choose the form pem, raw or spki for a public key",
        Kind::Signature => "choose the form pem or raw for a signature",
    }
}

/// Returns the reason code of a form that a key or signature cannot be written in.
pub fn write_reason(e: &WriteError) -> &'static str {
    match e {
        WriteError::Bytes { .. } | WriteError::OtherExpanded | WriteError::Unreadable { .. } => "internal",
        WriteError::NotEncryptable(_) => "not_encryptable",
        WriteError::NoOid(_) => "no_oid",
        WriteError::OidAlgorithm { .. } | WriteError::FixedOid(_) => "oid_algorithm",
        WriteError::NoSeed(_) => "no_seed",
        _ => "no_such_form",
    }
}

/// Returns what to do about a form that a key or signature cannot be written in.
pub fn write_hint(e: &WriteError) -> &'static str {
    match e {
        WriteError::Form { kind, .. } => form_hint(*kind),
        WriteError::NotEncryptable(_) => "choose the form pkcs8: only a PKCS#8 file can be encrypted",
        WriteError::NoDigits => "choose another form, for example pkcs8",
        WriteError::NoOid(_) => {
            "this form needs an OID for the algorithm: give the OID with --oid, or choose another form | \
                                 this form needs an OID for the algorithm: choose another form"
        }
        WriteError::OidAlgorithm { .. } => "leave --oid out: the given OID belongs to another algorithm",
        WriteError::FixedOid(_) => "leave --oid out: fndsa writes the standard OID of the algorithm",
        WriteError::Bytes { .. } | WriteError::OtherExpanded | WriteError::Unreadable { .. } => {
            "fndsa wrote nothing, because it found an internal error: report the command and this message"
        }
        WriteError::NoSeed(_) => {
            "write only the expanded key, with --private expanded, or ask the person who made the key for the seed | write only \
             the expanded key (the form expanded), or ask the person who made the key for the seed"
        }
        _ => "",
    }
}

/// Returns the reason code of a refused key.
pub fn key_reason(e: &KeyError) -> &'static str {
    match e {
        KeyError::Header { .. } => "key_header",
        KeyError::Length { .. } => "key_length",
        KeyError::Coefficient => "key_coefficient",
        KeyError::ZeroKey => "key_zero",
        KeyError::NotInvertible => "key_not_invertible",
        KeyError::Equation => "key_equation",
        KeyError::Norm | KeyError::OrthogonalNorm => "key_norm",
        KeyError::KeyHash => "key_hash",
        KeyError::PublicPart => "key_public_part",
        _ => "key_refused",
    }
}

/// A part of a key file for which some forms have no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyPart {
    /// The attributes of a private key in PKCS#8.
    Attributes,
    /// The pre-hash that the identifier of a key of HashML-DSA names.
    PreHash,
}

impl KeyPart {
    /// Returns its name in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Attributes => "attributes",
            Self::PreHash => "pre-hash",
        }
    }

    /// Returns the reason code of a form that has no place for it.
    pub fn reason(self) -> &'static str {
        match self {
            Self::Attributes => "attributes_lost",
            Self::PreHash => "prehash_lost",
        }
    }

    /// Returns what to do about a form that has no place for it.
    pub fn hint(self) -> &'static str {
        match self {
            Self::Attributes => {
                "to keep the attributes, choose the form pkcs8; to remove the attributes, add --drop-attributes"
            }
            Self::PreHash => {
                "choose the form pkcs8 for a private key or spki for a public key: these forms store the pre-hash"
            }
        }
    }
}

/// Returns the reason code of a private key whose parts do not belong together.
pub fn parts_reason(e: &PrivateKeyError) -> &'static str {
    match e {
        PrivateKeyError::SeedDiffers => "key_seed",
        _ => "public_key_differs",
    }
}

/// Returns what to do about a refused key; `None` where the text says it all.
pub fn key_hint(e: &KeyError) -> Option<&'static str> {
    match e {
        KeyError::Header { .. } | KeyError::Length { .. } => None,
        _ => Some("the key file is damaged, or a faulty program made it: restore the file from a backup"),
    }
}

/// Returns the reason code of a file that is no key or signature.
pub fn defect_reason(defect: &Defect) -> &'static str {
    match defect {
        Defect::Empty => "empty",
        Defect::Foreign(_) => "foreign_file",
        Defect::SignedMessage(_) => "signed_message",
        Defect::Unknown(_) | Defect::Seed | Defect::EitherKey => "not_recognised",
        Defect::PublicDiffers => "public_key_differs",
        Defect::Utf16 => "utf16",
        Defect::RawLength { .. }
        | Defect::Length { .. }
        | Defect::SignatureLength { .. }
        | Defect::DerLength { .. }
        | Defect::Digits(_) => "wrong_length",
        Defect::Blocks(_) => "several_blocks",
        Defect::Nul => "nul_byte",
        Defect::Indented(_) => "indented",
        Defect::Begin => "begin_line",
        Defect::NoEnd => "no_end_line",
        Defect::Cut(_) => "cut_mid_line",
        Defect::End => "end_line",
        Defect::Labels { .. } => "labels_differ",
        Defect::Header(_) => "pem_header",
        Defect::TraditionalEncryption(_) => "traditional_encryption",
        Defect::Character(_) => "not_base64",
        Defect::Base64 => "base64_not_canonical",
        Defect::NoBody => "empty_block",
        Defect::Label(_) => "unknown_label",
        Defect::FirstByte { .. } => "first_byte",
        Defect::Container { .. } => "container",
        Defect::UnknownOid { .. } => "unknown_oid",
        Defect::Encryption(_) | Defect::EncryptionParameters(_) => "unknown_encryption",
        Defect::Cost(_) => "encryption_cost",
        _ => "not_recognised",
    }
}

/// Returns what to do about a file that is no key or signature. `wanted` is the kind of file that
/// the command expected; `None` if it takes any kind.
pub fn defect_hint(defect: &Defect, wanted: Option<Kind>) -> Option<&'static str> {
    Some(match defect {
        Defect::Empty => {
            "the program that wrote the file may have failed: write the file again, or restore it from a backup"
        }
        Defect::Foreign(foreign) => foreign_hint(foreign.format, wanted),
        Defect::SignedMessage(_) => "verify this file with --attached: `fndsa verify --attached -p PUBLIC FILE`",
        Defect::Seed => {
            "the file does not name its algorithm: for a seed, add -a ml-dsa-44, -a ml-dsa-65 or -a ml-dsa-87; for an Ed25519 \
             key, add -a ed25519 | the file does not name its algorithm: a seed belongs to ml-dsa-44, ml-dsa-65 or ml-dsa-87, \
             and a key to ed25519"
        }
        Defect::EitherKey => {
            "if the file is a private key, convert it with `fndsa convert FILE -a ed25519 --to pkcs8 -o OUT`; if it is a public \
             key, convert it with `fndsa convert FILE -a ed25519 --to spki -o OUT` | choose the form pkcs8 if the file is a \
             private key, and the form spki if it is a public key"
        }
        Defect::Digits(_) => "compare the digits with the original key; spaces and line ends do not matter",
        Defect::PublicDiffers => {
            "the file is damaged, or it contains parts of two different keys: restore the file from a backup"
        }
        Defect::Unknown(_) => "check the file name: neither `fndsa keygen` nor `fndsa sign` made this file",
        Defect::Utf16 => "save the file as UTF-8 or ASCII: `>` in PowerShell writes UTF-16",
        Defect::RawLength { .. }
        | Defect::Length { .. }
        | Defect::SignatureLength { .. }
        | Defect::DerLength { .. }
        | Defect::NoEnd
        | Defect::Cut(_)
        | Defect::NoBody => "the file is incomplete, or it has extra bytes: copy or download it again",
        Defect::Blocks(_) => {
            "if the blocks are public keys, give the file with --trusted-keys FILE; if they are private keys or signatures, \
             write each block to a separate file | write each key or signature to a separate file"
        }
        Defect::Indented(_) => "remove the spaces at the beginning of each line",
        Defect::Label(_) => LABELS,
        Defect::UnknownOid { .. } => {
            "if the file is a key of FN-DSA or Falcon, name its algorithm: `fndsa convert FILE --algorithm NAME --to pem -o \
             OUT` | if the file is a key of FN-DSA or Falcon, name its algorithm with --algorithm NAME | check that the file is \
             a key of the named algorithm"
        }
        Defect::Container { .. } => {
            "the file is damaged, or fndsa does not support its layout; docs/scheme.md, section 7, lists the supported layouts"
        }
        Defect::Encryption(_) | Defect::TraditionalEncryption(_) => {
            "encrypt the key again with `openssl pkcs8 -topk8 -in FILE -v2 aes-256-cbc -v2prf hmacWithSHA256 -out NEW`; fndsa \
             reads PBES2 with scrypt or PBKDF2 (HMAC-SHA-2) and AES"
        }
        Defect::EncryptionParameters(_) => {
            "the file is damaged, or a faulty program encrypted it: restore the file from a backup"
        }
        Defect::Header(_) => "remove the header lines after the BEGIN line, and the empty line after the headers",
        Defect::Cost(_) => "encrypt the key again with the program that made the file, and choose a lower cost there",
        _ => "the file is damaged: copy or download it again",
    })
}

/// The labels that are read.
const LABELS: &str = "fndsa reads the labels PRIVATE KEY, ENCRYPTED PRIVATE KEY, PUBLIC KEY, CERTIFICATE, MLDSA SIGNATURE and \
                      ED25519 SIGNATURE; after the word FNDSA, FNDSA2024 or FALCON it reads PRIVATE KEY, PUBLIC KEY and SIGNATURE";

/// Returns the hint for a PEM label that is not known: the label that was probably meant.
pub fn label_hint(label: &str) -> String {
    // Keys of ML-DSA and Ed25519 have labels without a prefix.
    let has_keys = |scheme: &Scheme| Algorithm::FN_DSA_512.with_scheme(*scheme).is_some();
    let keys = |kind: Kind| Scheme::ALL.into_iter().filter(has_keys).map(move |scheme| kind.label(scheme));
    let signatures = Scheme::ALL.into_iter().map(|scheme| Kind::Signature.label(scheme));
    let others = ["PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "PUBLIC KEY", "CERTIFICATE"].map(str::to_owned);
    let all = [Kind::SigningKey, Kind::VerifyingKey].into_iter().flat_map(keys).chain(signatures).chain(others);
    let nearest = all.map(|known| (distance(label, &known), known)).min();
    match nearest {
        Some((1..=MISTYPED, known)) => {
            format!("the label should probably be {known}: correct the BEGIN and END lines, or get the file again")
        }
        _ => LABELS.to_owned(),
    }
}

/// The most letters in which a label differs from the label that is meant.
const MISTYPED: usize = 2;

/// Returns what to do about a file that is no DSSE envelope. `format` is the format of another
/// program, if it is known.
pub fn envelope_hint(format: Option<ForeignFormat>) -> &'static str {
    format.map_or(
        "give a DSSE envelope here, usually FILE.dsse; `fndsa sign --dsse TYPE FILE` makes an envelope",
        |format| foreign_hint(format, Some(Kind::Signature)),
    )
}

/// Returns the reason code of a name or line that a list cannot have.
pub fn flaw_reason(flaw: Flaw) -> &'static str {
    match flaw {
        Flaw::NoName | Flaw::NameLen | Flaw::Nul | Flaw::Stdin | Flaw::Directory => "manifest_name",
        Flaw::Device | Flaw::Colon | Flaw::Ending | Flaw::NotUtf8 => "manifest_name",
        Flaw::Absolute | Flaw::Parent => "manifest_name_outside",
        Flaw::Duplicate => "manifest_duplicate",
        Flaw::Reserved | Flaw::BestBefore | Flaw::BestBeforeDigest | Flaw::SecondBestBefore => "manifest_best_before",
        _ => "manifest_line",
    }
}

/// Returns the hint for a name or line that a list cannot have.
pub fn flaw_hint(flaw: Flaw) -> &'static str {
    match flaw {
        Flaw::Absolute | Flaw::Parent => {
            "a list can name only files below one directory: run fndsa in a directory that contains all the files"
        }
        Flaw::Stdin => "if the name of the file is `-`, write ./-",
        Flaw::Duplicate => "name each file only once; `./a` and `a` name the same file, and so do `d//a` and `d/a`",
        Flaw::NoName | Flaw::Nul | Flaw::Directory => {
            "give the names of files; to list all files of a directory, add -r DIR | \
                                                       give the names of files"
        }
        Flaw::Device | Flaw::Colon | Flaw::Ending | Flaw::NotUtf8 => {
            "rename the file: Windows does not allow this name"
        }
        Flaw::Reserved => "rename the file; to set the last day of the list, use --best-before DATE | rename the file",
        Flaw::BestBefore | Flaw::BestBeforeDigest | Flaw::SecondBestBefore => {
            "ask the signer for a list that `fndsa sign -M LIST --best-before DATE` wrote: such a list has only one BEST-BEFORE \
             entry, with a valid date and the checksum of an empty file"
        }
        Flaw::NameLen => "the line is damaged, or the file is not a list: get the list again",
        Flaw::Tag => {
            "make the list again with `sha256sum FILE` or `sha256sum --tag FILE`: fndsa reads only SHA-256 checksums"
        }
        Flaw::OpenPgp => {
            "check the OpenPGP signature with `gpg --verify LIST`; `gpg --decrypt LIST` also prints the list without the signature"
        }
        Flaw::Blanks => "write each line as `sha256sum` does: the checksum, two spaces and the file name",
        Flaw::ByteOrderMark => {
            "save the list as UTF-8 without the byte-order mark, and sign it again: other tools cannot read the mark either"
        }
        _ => {
            "check that this file is a list of checksums: `fndsa sign -M LIST` and `sha256sum` write such lists | check that \
             this file is a list of checksums: `sha256sum` and fndsa write such lists"
        }
    }
}

/// The note about each public key that comes from a certificate.
pub const CERTIFICATE_NOTE: &str =
    "only the public key of a certificate is used; its signature, chain and dates are not checked";

/// The most blocks in one file of signatures. A file with more is refused before any of them is looked at.
pub const MAX_SIGNATURES: usize = 64;

/// A file that is read whole into memory, and whose size has a limit for that reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SmallFile {
    /// A key, a context, or a block of a file.
    Key,
    /// A file of signatures.
    Signatures,
    /// A file of several keys.
    Keys,
}

impl SmallFile {
    /// Returns the largest size in bytes.
    pub fn limit(self) -> usize {
        match self {
            Self::Key => 64 << 10,
            Self::Signatures => signature_file_limit(),
            // More than ten thousand keys with text around them.
            Self::Keys => 32 << 20,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Key => "key, signature or context file",
            Self::Signatures => "signature file",
            Self::Keys => "file with several keys",
        }
    }
}

/// Returns the size of the largest file of signatures that `sign` writes: [`MAX_SIGNATURES`] blocks
/// of the longest signature, each after the longest line that the reader keeps.
fn signature_file_limit() -> usize {
    // Computed once: 0 before that.
    static LIMIT: AtomicUsize = AtomicUsize::new(0);
    let known = LIMIT.load(Ordering::Relaxed);
    if known != 0 {
        return known;
    }
    let line = "x".repeat(MAX_NOTE);
    let block = |algorithm: Algorithm| {
        let encodings = algorithm.scheme().encodings().iter();
        let len = encodings.map(|encoding| algorithm.encoded_signature_len(*encoding)).max().unwrap_or_default();
        let len = len.max(algorithm.signature_len());
        pem::pem(&Kind::Signature.label(algorithm.scheme()), &format!("{line}\n"), &vec![0; len]).len()
    };
    let limit = MAX_SIGNATURES * Algorithm::all().map(block).max().unwrap_or_default();
    LIMIT.store(limit, Ordering::Relaxed);
    limit
}

/// A defect of a file or of a value, without the name of the file.
pub enum InputDefect<'a> {
    /// The key or signature is of another kind.
    Role {
        /// The kind of the file.
        found: Kind,
        /// The kind that the command needs.
        wanted: Kind,
    },
    /// The file is not of this kind, but of the kind in the text.
    Unrecognised(Kind, &'a str),
    /// The key is not valid.
    Key(Kind, &'a KeyError),
    /// The file names the algorithm, and its contents are of the algorithm in the text.
    Content(Kind, Algorithm, &'a str),
    /// The key is of the algorithm in the text, and the command needs the other algorithm.
    Algorithm(&'a str, Algorithm),
    /// The algorithm is for tests.
    Toy(Algorithm),
    /// The file is larger than any file of its kind.
    Large(SmallFile),
    /// The file has this number of signatures.
    ManySignatures(usize),
    /// The scheme has no context.
    NoContext(Scheme),
    /// The scheme does not have the pre-hash of this name.
    NoPrehash(Scheme, &'a str),
    /// The scheme has no mu.
    NoMu(Scheme),
    /// The file is not a digest, mu or seed of the right length.
    Digest {
        /// The right length in bytes.
        wanted: usize,
        /// The length of the file in bytes.
        found: u64,
    },
    /// The context is too long.
    ContextLen(usize),
    /// A line of a list has a defect.
    Line {
        /// The number of the line, from 1.
        number: usize,
        /// The defect.
        flaw: Flaw,
    },
    /// A list names no file.
    NoLine,
}

impl InputDefect<'_> {
    /// Returns the code for scripts.
    pub fn reason(&self) -> &'static str {
        match self {
            Self::Role { .. } => "wrong_kind",
            Self::Unrecognised(_, _) => "not_recognised",
            Self::Key(_, source) => key_reason(source),
            Self::Content(_, _, _) => "other_content",
            Self::Algorithm(_, _) => "other_algorithm",
            Self::Toy(_) => "toy_degree",
            Self::Large(_) => "too_large",
            Self::ManySignatures(_) => "too_many_signatures",
            Self::NoContext(_) => "no_context",
            Self::NoPrehash(_, _) => "no_such_prehash",
            Self::NoMu(_) => "no_mu",
            Self::Digest { .. } => "digest_length",
            Self::ContextLen(_) => "context_too_long",
            Self::Line { flaw, .. } => flaw_reason(*flaw),
            Self::NoLine => "manifest_empty",
        }
    }
}

/// The words.
impl fmt::Display for InputDefect<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Role { found, wanted } => write!(f, "this is a {}, not a {}", found.name(), wanted.name()),
            Self::Unrecognised(wanted, what) => write!(f, "this is not a {}, but {what}", wanted.name()),
            Self::Key(kind, source) => write!(f, "this is not a valid {}: {source}", kind.name()),
            Self::Content(kind, stated, found) => {
                write!(f, "the file names the algorithm {stated}, but the {} in the file is {found}", kind.name())
            }
            Self::Algorithm(found, wanted) => write!(f, "this is {found}, not {wanted}"),
            Self::Toy(algorithm) => write!(f, "{algorithm} is a toy algorithm without any security"),
            Self::Large(file) => {
                write!(f, "the file is too large: a {} has at most {} KiB", file.name(), file.limit() >> 10)
            }
            Self::ManySignatures(count) => {
                write!(f, "the file has {count} signatures, and at most {MAX_SIGNATURES} are allowed")
            }
            Self::NoContext(scheme) => write!(f, "signatures of {} have no context", scheme.title()),
            Self::NoPrehash(scheme, hash) => write!(f, "{} does not support the pre-hash {hash}", scheme.title()),
            Self::NoMu(scheme) => write!(f, "{} does not support an external mu", scheme.title()),
            Self::Digest { wanted, found } => {
                write!(
                    f,
                    "{wanted} bytes or {} hexadecimal digits are needed, but the input has {found} bytes",
                    2 * wanted
                )
            }
            Self::ContextLen(len) => write!(f, "a context has at most 255 bytes, and this context has {len}"),
            Self::Line { number, flaw } => write!(f, "line {number}: {flaw}"),
            Self::NoLine => f.write_str("the list has no entries"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refused_keys_have_their_reasons() {
        let damaged = "the key file is damaged, or a faulty program made it: restore the file from a backup";
        for (error, reason, hint) in [
            (KeyError::Header { found: Some(0) }, "key_header", None),
            (KeyError::Length { expected: 1281, found: 0 }, "key_length", None),
            (KeyError::Coefficient, "key_coefficient", Some(damaged)),
            (KeyError::ZeroKey, "key_zero", Some(damaged)),
            (KeyError::NotInvertible, "key_not_invertible", Some(damaged)),
            (KeyError::Equation, "key_equation", Some(damaged)),
            (KeyError::Norm, "key_norm", Some(damaged)),
            (KeyError::OrthogonalNorm, "key_norm", Some(damaged)),
            (KeyError::KeyHash, "key_hash", Some(damaged)),
            (KeyError::VerifyOnly, "key_refused", Some(damaged)),
        ] {
            assert_eq!((key_reason(&error), key_hint(&error)), (reason, hint), "{error}");
        }
    }
}
