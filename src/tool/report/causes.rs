//! What is said of files and of what they hold: words, reason codes and hints for a role, a form, a defect, a refused key and a
//! line of a list. The page in `web/` says the same, and is built with this file.

use super::foreign::foreign_hint;
use fndsa::files::manifest::Flaw;
use fndsa::files::{Defect, ForeignFormat, Kind, MAX_NOTE, PrivateKeyError, WriteError, pem};
use fndsa::{Algorithm, KeyError, Scheme};
use std::fmt;
use std::path::Path;
use std::sync::OnceLock;

/// Returns what to do when one kind of file stands where another belongs.
pub fn role_hint(found: Kind, wanted: Kind) -> Option<&'static str> {
    Some(match (found, wanted) {
        (Kind::SigningKey, Kind::VerifyingKey) => {
            "keep it secret; `fndsa pubkey -k FILE` gives the public key that belongs here"
        }
        (Kind::VerifyingKey, Kind::SigningKey) => "the private key of the pair belongs here, usually NAME.key",
        (Kind::Signature, Kind::SigningKey) => "the private key belongs here, usually NAME.key",
        (Kind::Signature, Kind::VerifyingKey) => {
            "the public key belongs here, usually NAME.pub; a signature goes to -s"
        }
        (Kind::SigningKey | Kind::VerifyingKey, Kind::Signature) => {
            "the signature belongs here, usually FILE.sig; a public key goes to -p"
        }
        _ => return None,
    })
}

/// Returns what belongs in a place where something else was found.
pub fn place_hint(wanted: Kind) -> &'static str {
    match wanted {
        Kind::SigningKey => "a private key belongs here, usually NAME.key; `fndsa keygen NAME` makes one",
        Kind::VerifyingKey => "a public key belongs here, usually NAME.pub",
        Kind::Signature => "a signature belongs here, usually FILE.sig",
    }
}

/// Returns what forms there are of a kind.
fn form_hint(kind: Kind) -> &'static str {
    match kind {
        Kind::SigningKey => {
            "a private key is pem, raw or pkcs8; `fndsa pubkey -k FILE --format spki` gives its public key"
        }
        Kind::VerifyingKey => "a public key is pem, raw or spki",
        Kind::Signature => "a signature is pem or raw",
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
        WriteError::NotEncryptable(_) => "an encrypted private key is PKCS#8",
        WriteError::NoDigits => "use --to pkcs8",
        WriteError::NoOid(_) => "name one with --oid, or use another form",
        WriteError::OidAlgorithm { .. } | WriteError::FixedOid(_) => "leave --oid out: the OID of the key is known",
        WriteError::Bytes { .. } | WriteError::OtherExpanded | WriteError::Unreadable { .. } => {
            "nothing is lost: report the command that led to this"
        }
        WriteError::NoSeed(_) => "write it with --private expanded; only who made the key may still have its seed",
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
            Self::Attributes => "--to pkcs8 keeps them; --drop-attributes leaves them out",
            Self::PreHash => "pkcs8 and spki keep it",
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
        _ => Some("the file is damaged or was made by a faulty program; restore it from a copy"),
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
        Defect::Empty => "was the program that wrote it stopped? restore it from a copy",
        Defect::Foreign(foreign) => foreign_hint(foreign.format, wanted),
        Defect::SignedMessage(_) => "`fndsa verify --attached -p PUBLIC FILE` reads it",
        Defect::Seed => {
            "the file does not name its algorithm: add -a ml-dsa-44, ml-dsa-65 or ml-dsa-87 for a seed, -a ed25519 for a key"
        }
        Defect::EitherKey => {
            "`fndsa convert FILE -a ed25519 --to pkcs8 -o OUT` takes it for a private key, with --to spki for a public key"
        }
        Defect::Digits(_) => "compare the digits with the original; blanks and line ends between them are ignored",
        Defect::PublicDiffers => "the file is damaged, or somebody joined parts of two keys",
        Defect::Unknown(_) => "keys are made by `fndsa keygen NAME`, signatures by `fndsa sign`",
        Defect::Utf16 => "save it as UTF-8 or ASCII; PowerShell's > writes UTF-16",
        Defect::RawLength { .. }
        | Defect::Length { .. }
        | Defect::SignatureLength { .. }
        | Defect::DerLength { .. }
        | Defect::NoEnd
        | Defect::Cut(_)
        | Defect::NoBody => "the file is incomplete or has something added; copy it again",
        Defect::Blocks(_) => {
            "several public keys are for `verify --trusted-keys`, several signatures for `verify`; else one a file"
        }
        Defect::Indented(_) => "remove the blanks before the lines of the block",
        Defect::Label(_) => {
            "PRIVATE KEY, PUBLIC KEY and SIGNATURE are read with FNDSA, FNDSA2024 or FALCON before them, SIGNATURE with MLDSA, too; \
             and PRIVATE KEY, ENCRYPTED PRIVATE KEY, PUBLIC KEY and CERTIFICATE alone"
        }
        Defect::UnknownOid { .. } => {
            "if it is a key of FN-DSA or Falcon, `fndsa convert FILE --algorithm NAME --to pem -o OUT` takes it out"
        }
        Defect::Container { .. } => {
            "it is damaged, or laid out by another program in another way; docs/scheme.md, section 7, says which is read"
        }
        Defect::Encryption(_) | Defect::TraditionalEncryption(_) => {
            "encrypt it again: `openssl pkcs8 -topk8 -in FILE -v2 aes-256-cbc -v2prf hmacWithSHA256 -out NEW`; PBES2 with \
             scrypt or PBKDF2 (HMAC-SHA-2) and AES is read"
        }
        Defect::EncryptionParameters(_) => {
            "the file is damaged, or the program that made it is faulty; restore it from a copy"
        }
        Defect::Header(_) => "remove the header lines, up to the empty line after them",
        Defect::Cost(_) => "encrypt the key again with the program that made it, at a lower cost",
        _ => "the file is damaged; copy it again",
    })
}

/// Returns what to do about a file that is no DSSE envelope. `format` is the format of another
/// program, if it is known.
pub fn envelope_hint(format: Option<ForeignFormat>) -> &'static str {
    format.map_or("`fndsa sign --dsse TYPE` makes one", |format| foreign_hint(format, Some(Kind::Signature)))
}

/// Returns what to do if there is no file with the name of a signature.
pub fn no_signature_hint(path: &Path) -> &'static str {
    match path.file_stem().map(Path::new).and_then(Path::extension) {
        Some(extension) if extension == "dsse" => "an envelope has its signatures in it: verify it with --dsse TYPE",
        _ => "name the signature with -s FILE; of a file in a signed list, name the list with -M LIST",
    }
}

/// Returns the reason code of a name or line that no manifest has.
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

/// Returns what to do about a name or line that no manifest has.
pub fn flaw_hint(flaw: Flaw) -> &'static str {
    match flaw {
        Flaw::Absolute | Flaw::Parent => {
            "names are below the current directory, or that of -C: change to one that is above all files"
        }
        Flaw::Stdin => "a file of that name is ./-",
        Flaw::Duplicate => "name every file once; `./a` and `d//a` are other spellings of `a` and `d/a`",
        Flaw::NoName | Flaw::Nul | Flaw::Directory => "name files; `fndsa sign -M LIST -r DIR` takes a whole directory",
        Flaw::Device | Flaw::Colon | Flaw::Ending | Flaw::NotUtf8 => "rename the file; Windows cannot have it so",
        Flaw::Reserved => "give the file another name; `fndsa sign -M LIST --best-before DATE` writes such an entry",
        Flaw::BestBefore | Flaw::BestBeforeDigest | Flaw::SecondBestBefore => {
            "a list has one such entry at most, for a day of the calendar, with the checksum of an empty file: \
             `fndsa sign -M LIST --best-before DATE` writes it"
        }
        Flaw::NameLen => "the line is damaged, or the file is not a list: get the list again",
        Flaw::Tag => {
            "fndsa reads SHA-256 only: `sha256sum FILE` and `sha256sum --tag FILE` write lines that fndsa reads"
        }
        Flaw::OpenPgp => {
            "`gpg --verify LIST` checks the OpenPGP signature; `gpg --decrypt LIST` also prints the list without it"
        }
        Flaw::Blanks => "write each line as `sha256sum` does: the digits, two blanks and the name",
        Flaw::ByteOrderMark => "save the list as UTF-8 without one and sign it again; other tools stumble over it, too",
        _ => "a manifest is made by `fndsa sign -M`, or by `sha256sum` and `fndsa sign`",
    }
}

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
            Self::Key => "key, signature or context",
            Self::Signatures => "file of signatures",
            Self::Keys => "file of keys",
        }
    }
}

/// Returns the size of the largest file of signatures that `sign` writes: [`MAX_SIGNATURES`] blocks
/// of the longest signature, each after the longest line that the reader keeps.
fn signature_file_limit() -> usize {
    static LIMIT: OnceLock<usize> = OnceLock::new();
    *LIMIT.get_or_init(|| {
        let line = "x".repeat(MAX_NOTE);
        let block = |algorithm: Algorithm| {
            let encodings = algorithm.scheme().encodings().iter();
            let len = encodings.map(|encoding| algorithm.encoded_signature_len(*encoding)).max().unwrap_or_default();
            let len = len.max(algorithm.signature_len());
            pem::pem(&Kind::Signature.label(algorithm.scheme()), &format!("{line}\n"), &vec![0; len]).len()
        };
        MAX_SIGNATURES * Algorithm::all().map(block).max().unwrap_or_default()
    })
}

/// Why a file or a value cannot be used, without the name of the file.
pub enum Complaint<'a> {
    /// The key or signature is of another kind.
    Role { found: Kind, wanted: Kind },
    /// The file is none of the kind, but what the text says.
    Unrecognised(Kind, &'a str),
    /// The key is refused.
    Key(Kind, &'a KeyError),
    /// The file says the one algorithm, and its content is of the other.
    Content(Kind, Algorithm, &'a str),
    /// The key is of the first algorithm, and the second is asked for.
    Algorithm(&'a str, Algorithm),
    /// The algorithm is for tests.
    Toy(Algorithm),
    /// The file is larger than any file of its kind.
    Large(SmallFile),
    /// There are that many signatures in one file.
    ManySignatures(usize),
    /// The scheme has no context.
    NoContext(Scheme),
    /// The scheme does not have the pre-hash of that name.
    NoPrehash(Scheme, &'a str),
    /// The scheme has no mu.
    NoMu(Scheme),
    /// The file is no digest, mu or seed of the right length.
    Digest { wanted: usize, found: u64 },
    /// The context is too long.
    ContextLen(usize),
    /// A line of a list is none.
    Line { number: usize, flaw: Flaw },
    /// A list names no file.
    NoLine,
}

impl Complaint<'_> {
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
impl fmt::Display for Complaint<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Role { found, wanted } => write!(f, "this is a {}, not a {}", found.name(), wanted.name()),
            Self::Unrecognised(wanted, what) => write!(f, "not a {}, but {what}", wanted.name()),
            Self::Key(kind, source) => write!(f, "not a valid {}: {source}", kind.name()),
            Self::Content(kind, stated, found) => {
                write!(f, "the file says {stated}, the {} in it is {found}", kind.name())
            }
            Self::Algorithm(found, wanted) => write!(f, "this is {found}, not {wanted}"),
            Self::Toy(algorithm) => write!(f, "{algorithm} is a toy without any security"),
            Self::Large(file) => write!(f, "larger than any {} ({} KiB)", file.name(), file.limit() >> 10),
            Self::ManySignatures(count) => write!(f, "{count} signatures, a file has at most {MAX_SIGNATURES}"),
            Self::NoContext(scheme) => write!(f, "signatures of {} have no context", scheme.title()),
            Self::NoPrehash(scheme, hash) => write!(f, "{} does not know the pre-hash {hash}", scheme.title()),
            Self::NoMu(scheme) => write!(f, "{} has no mu", scheme.title()),
            Self::Digest { wanted, found } => {
                write!(f, "{wanted} bytes expected (or {} hexadecimal digits), {found} found", 2 * wanted)
            }
            Self::ContextLen(len) => write!(f, "a context has at most 255 bytes, this one has {len}"),
            Self::Line { number, flaw } => write!(f, "line {number}: {flaw}"),
            Self::NoLine => f.write_str("the manifest lists no file"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refused_keys_have_their_reasons() {
        let damaged = "the file is damaged or was made by a faulty program; restore it from a copy";
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
