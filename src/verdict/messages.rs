//! Messages, reason codes and hints about keys, signature files and lists: files of the wrong type,
//! files with a defect, rejected keys, and invalid lines in lists. A hint can have variants, which
//! are separated by ` | `. The command-line program shows the first variant that does not suggest
//! an option that the user has given (`src/tool/report/hint.rs`).

use super::distance::distance;
use super::foreign::foreign_hint;
use super::format_hints::{cms_hint, jws_hint, no_cms_reason, ssh_signature_hint};
use super::message_enum::message_enum;
use crate::api::{Algorithm, KeyError, Scheme};
use crate::files::cms::CmsDefect;
use crate::files::jws::JwsDefect;
use crate::files::manifest::ListDefect;
use crate::files::ssh::SshSignatureDefect;
use crate::files::{Defect, FileEncoding, ForeignFormat, MAX_NOTE, ObjectKind, PrivateKeyError, WriteError, pem};
use crate::files::{jwk, tuf_key};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::sync::atomic::{AtomicUsize, Ordering};

/// Returns the hint for a file of type `found` if the command requires a file of type `wanted`. The
/// hint is empty if the types are equal.
fn wrong_kind_hint(found: ObjectKind, wanted: ObjectKind) -> &'static str {
    match (found, wanted) {
        (ObjectKind::SigningKey, ObjectKind::VerifyingKey) => {
            "keep the private key secret, and give the public key here; `fndsa pubkey FILE -o NAME.pub` writes the public key"
        }
        (ObjectKind::VerifyingKey, ObjectKind::SigningKey) => "give the private key of this key pair, usually NAME.key",
        (ObjectKind::Signature, ObjectKind::SigningKey) => "give a private key here, usually NAME.key",
        (ObjectKind::Signature, ObjectKind::VerifyingKey) => {
            "give the public key here, usually NAME.pub; give the signature with -s FILE"
        }
        (ObjectKind::SigningKey | ObjectKind::VerifyingKey, ObjectKind::Signature) => {
            "give the signature here, usually FILE.sig; give the public key with -p FILE"
        }
        _ => "",
    }
}

/// Returns the hint for a file that is neither a key nor a signature. `wanted` is the type that the
/// command requires.
fn unreadable_file_hint(wanted: ObjectKind) -> &'static str {
    match wanted {
        ObjectKind::SigningKey => "give a private key here, usually NAME.key; `fndsa keygen NAME` makes a key pair",
        ObjectKind::VerifyingKey => "give a public key here, usually NAME.pub",
        ObjectKind::Signature => "give a signature here, usually FILE.sig",
    }
}

/// Returns a hint that names the usual file formats for a private key, a public key or a signature.
fn form_hint(kind: ObjectKind) -> &'static str {
    match kind {
        ObjectKind::SigningKey => {
            "choose the form pem, raw or pkcs8 for a private key; `fndsa pubkey FILE --format spki` writes the public key"
        }
        ObjectKind::VerifyingKey => "choose the form pem, raw or spki for a public key",
        ObjectKind::Signature => "choose the form pem or raw for a signature",
    }
}

// The functions `*_row` return the reason code and the hint for an error. The message of such an
// error is defined in `files` or `api`. The hint is empty if the message needs no explanation. The
// web page has its own hints. Therefore, `key_row`, `defect_row` and `list_defect_row` are inlined,
// so that the compiler removes their unused hints from the page's program.

/// Returns the reason code and the hint for a key or signature that cannot be written in the chosen
/// file format.
pub fn write_row(e: &WriteError) -> (&'static str, &'static str) {
    match e {
        WriteError::Form { kind, .. } => ("no_such_form", form_hint(*kind)),
        WriteError::NoDigits => ("no_such_form", "choose another form, for example pkcs8"),
        WriteError::NoRaw(_) | WriteError::NoJwk(_) | WriteError::NoSshName(_) => {
            ("no_such_form", "choose another form: pem, spki for a public key, or pkcs8 for a private key")
        }
        WriteError::NoTufName(_) => ("no_such_form", "choose another form, for example spki"),
        WriteError::NotEncryptable(FileEncoding::Ssh) => (
            "not_encryptable",
            "leave --encrypt out, and set a password with `ssh-keygen -p -f FILE`; or choose the form pkcs8 | choose the form pkcs8",
        ),
        WriteError::NotEncryptable(_) => {
            ("not_encryptable", "choose the form pkcs8: only a PKCS#8 file can be encrypted")
        }
        WriteError::NoOid(_) => (
            "no_oid",
            "this form needs an OID for the algorithm: give the OID with --oid, or choose another form | this form needs an OID \
             for the algorithm: choose another form",
        ),
        WriteError::OidAlgorithm { .. } => {
            ("oid_algorithm", "leave --oid out: the given OID belongs to another algorithm")
        }
        WriteError::FixedOid(_) => ("oid_algorithm", "leave --oid out: fndsa writes the standard OID of the algorithm"),
        WriteError::Bytes { .. } | WriteError::OtherExpanded | WriteError::Unreadable { .. } => {
            ("internal", "fndsa wrote nothing, because it found an internal error: report the command and this message")
        }
        WriteError::NoSeed(_) => (
            "no_seed",
            "write only the expanded key, with --private expanded, or ask the person who made the key for the seed | write only \
             the expanded key (the form expanded), or ask the person who made the key for the seed",
        ),
        _ => ("no_such_form", ""),
    }
}

/// Returns the reason code and the hint for a rejected key.
#[inline(always)]
fn key_row(e: &KeyError) -> (&'static str, &'static str) {
    match e {
        KeyError::Header { .. } => ("key_header", ""),
        KeyError::Length { .. } => ("key_length", ""),
        KeyError::Coefficient => ("key_coefficient", DAMAGED_KEY),
        KeyError::ZeroKey => ("key_zero", DAMAGED_KEY),
        KeyError::NotInvertible => ("key_not_invertible", DAMAGED_KEY),
        KeyError::Equation => ("key_equation", DAMAGED_KEY),
        KeyError::Norm | KeyError::OrthogonalNorm => ("key_norm", DAMAGED_KEY),
        KeyError::KeyHash => ("key_hash", DAMAGED_KEY),
        KeyError::PublicPart => ("key_public_part", DAMAGED_KEY),
        _ => ("key_refused", DAMAGED_KEY),
    }
}

const DAMAGED_KEY: &str = "the key file is damaged, or a faulty program made it: restore the file from a backup";

/// Returns the reason code and the hint for a private key file if its parts belong to different
/// keys.
pub fn parts_row(e: &PrivateKeyError) -> (&'static str, &'static str) {
    match e {
        PrivateKeyError::SeedDiffers => ("key_seed", TWO_KEYS),
        _ => ("public_key_differs", TWO_KEYS),
    }
}

const TWO_KEYS: &str =
    "the file is damaged, or it contains parts of two different keys: restore the file from a backup";

message_enum! {
    /// A part of a key file that a conversion would lose, because the new file format cannot store
    /// it.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum KeyPart {
        /// Attributes of the private key in PKCS#8.
        Attributes => "attributes_lost";
            "the new form cannot store the attributes of the key";
            "to keep the attributes, choose the form pkcs8; to remove the attributes, add --drop-attributes";
        /// The pre-hash, which the object identifier of a HashML-DSA key defines.
        PreHash => "prehash_lost";
            "the new form cannot store the pre-hash of the key";
            "choose the form pkcs8 for a private key or spki for a public key: these forms store the pre-hash";
    }
}

impl KeyPart {
    /// Returns a hint that explains how to keep this part, or how to remove it.
    pub fn hint(&self) -> &'static str {
        self.row_hint()
    }
}

impl fmt::Display for KeyPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_message(f)
    }
}

/// Returns the reason code for a file that cannot be decoded as a key or signature.
pub fn defect_reason(defect: &Defect) -> &'static str {
    defect_row(defect, None).0
}

/// Returns the reason code and the hint for a file that cannot be decoded as a key or signature.
/// `wanted` is the type of file that the command expected, or `None` if the command accepts every
/// type. For an unknown PEM label, use [`label_hint`] instead, because its hint depends on the
/// label.
#[inline(always)]
pub fn defect_row(defect: &Defect, wanted: Option<ObjectKind>) -> (&'static str, &'static str) {
    match defect {
        Defect::Empty if matches!(wanted, Some(ObjectKind::VerifyingKey | ObjectKind::Signature)) => {
            ("empty", DOWNLOAD_AGAIN)
        }
        Defect::Empty => (
            "empty",
            "the program that wrote the file may have failed: write the file again, or restore it from a backup",
        ),
        Defect::Foreign(foreign) => ("foreign_file", foreign_hint(foreign.format, wanted)),
        Defect::SignedMessage(_) => {
            ("signed_message", "verify this file with --attached: `fndsa verify --attached -p PUBLIC FILE`")
        }
        Defect::Unknown(_) => {
            ("not_recognised", "check the file name: neither `fndsa keygen` nor `fndsa sign` made this file")
        }
        Defect::Seed => (
            "not_recognised",
            "the file does not name its algorithm: for a seed, add -a ml-dsa-44, -a ml-dsa-65 or -a ml-dsa-87; for an Ed25519 \
             key, add -a ed25519 | the file does not name its algorithm: a seed belongs to ml-dsa-44, ml-dsa-65 or ml-dsa-87, \
             and a key to ed25519",
        ),
        Defect::EitherKey => (
            "not_recognised",
            "if the file is a private key, convert it with `fndsa convert FILE -a ed25519 --to pkcs8 -o OUT`; if it is a public \
             key, convert it with `fndsa convert FILE -a ed25519 --to spki -o OUT` | choose the form pkcs8 if the file is a \
             private key, and the form spki if it is a public key",
        ),
        Defect::PublicDiffers => ("public_key_differs", TWO_KEYS),
        Defect::Utf16 => ("utf16", "save the file as UTF-8 or ASCII: `>` in PowerShell writes UTF-16"),
        Defect::RawLength { .. }
        | Defect::Length { .. }
        | Defect::SignatureLength { .. }
        | Defect::DerLength { .. } => ("wrong_length", INCOMPLETE),
        Defect::Digits(_) => {
            ("wrong_length", "compare the digits with the original key; spaces and line ends do not matter")
        }
        Defect::Blocks(_) => (
            "several_blocks",
            "if the blocks are public keys, give the file with --trusted-keys FILE; if they are private keys or signatures, \
             write each block to a separate file | write each key or signature to a separate file",
        ),
        Defect::SshLines if wanted == Some(ObjectKind::VerifyingKey) => (
            "several_blocks",
            "write each key to a separate file NAME.pub, and give their directory with --trusted-keys DIR | write each key to a \
             separate file NAME.pub, and give their directory",
        ),
        Defect::SshLines => ("several_blocks", "write each key to a separate file"),
        Defect::Nul => ("nul_byte", DAMAGED_FILE),
        Defect::Indented(_) => ("indented", "remove the spaces at the beginning of each line"),
        Defect::Begin => ("begin_line", DAMAGED_FILE),
        Defect::OneLine => (
            "begin_line",
            "get the file again, and keep its line ends: a shell removes the line ends of a variable that is not in quotation marks",
        ),
        Defect::BeforeBegin(_) => {
            ("begin_line", "remove the added characters, for example `> `, from the beginning of each line")
        }
        Defect::EncodedPem => ("not_recognised", "decode the file with a base64 decoder"),
        Defect::NoEnd => ("no_end_line", INCOMPLETE),
        Defect::Cut(_) => ("cut_mid_line", INCOMPLETE),
        Defect::End => ("end_line", DAMAGED_FILE),
        Defect::Labels { .. } => ("labels_differ", DAMAGED_FILE),
        Defect::Header(_) => {
            ("pem_header", "remove the header lines after the BEGIN line, and the empty line after the headers")
        }
        Defect::TraditionalEncryption(_) => ("traditional_encryption", ENCRYPT_AGAIN),
        Defect::Character(_) => ("not_base64", DAMAGED_FILE),
        Defect::Base64 => ("base64_not_canonical", DAMAGED_FILE),
        Defect::NoBody => ("empty_block", INCOMPLETE),
        Defect::Label(_) => ("unknown_label", LABELS),
        Defect::FirstByte { .. } => ("first_byte", DAMAGED_FILE),
        Defect::Container { why: tuf_key::RESTRICTED, .. } => ("container", WITHOUT_MEMBER),
        Defect::Container { .. } => (
            "container",
            "the file is damaged, or fndsa does not support its layout; docs/scheme.md, section 7, lists the supported layouts",
        ),
        Defect::Jwk(jwk::IS_SET) => (
            "jwk",
            "write each key of the set to a separate file, for example the first key with `jq '.keys[0]' FILE >NEW.jwk`",
        ),
        Defect::Jwk(jwk::RESTRICTED) => ("jwk", WITHOUT_MEMBER),
        Defect::Jwk(_) => ("jwk", "correct the file, or ask its owner for a JSON Web Key without this defect"),
        Defect::UnknownOid { .. } => (
            "unknown_oid",
            "if the file is a key of FN-DSA or Falcon, name its algorithm: `fndsa convert FILE --algorithm NAME --to pem -o \
             OUT` | if the file is a key of FN-DSA or Falcon, name its algorithm with --algorithm NAME | check that the file is \
             a key of the named algorithm",
        ),
        Defect::Encryption(_) => ("unknown_encryption", ENCRYPT_AGAIN),
        Defect::SshEncryption(_) => {
            ("unknown_encryption", "encrypt the key again with `ssh-keygen -p -Z aes256-ctr -f FILE`")
        }
        Defect::EncryptionParameters(_) => (
            "unknown_encryption",
            "the file is damaged, or a faulty program encrypted it: restore the file from a backup",
        ),
        Defect::Cost(_) => (
            "encryption_cost",
            "encrypt the key again with the program that made the file, and choose a lower cost there",
        ),
        _ => ("not_recognised", DAMAGED_FILE),
    }
}

/// The hint for an empty public key, signature or list. A user has usually downloaded such a file,
/// and so cannot create it again.
pub const DOWNLOAD_AGAIN: &str = "download the file again, and check the command that provides the file";

const DAMAGED_FILE: &str = "the file is damaged: copy or download it again";
/// The hint for a JSON file with a member that restricts the use of a key.
const WITHOUT_MEMBER: &str = "write the key without this member to another file, for example with `jq 'del(.\"MEMBER\")' FILE >NEW`; for a \
                              public key, write the restriction as a key line before the key, for example \
                              `not-after: YYYY-MM-DD`, and the key as PEM";
const INCOMPLETE: &str = "the file is incomplete, or it has extra bytes: copy or download it again";
const ENCRYPT_AGAIN: &str = "encrypt the key again with `openssl pkcs8 -topk8 -in FILE -v2 aes-256-cbc -v2prf hmacWithSHA256 -out NEW`; \
                             fndsa reads PBES2 with scrypt or PBKDF2 (HMAC-SHA-2) and AES";

/// The PEM labels that fndsa can read.
const LABELS: &str = "fndsa reads the labels PRIVATE KEY, ENCRYPTED PRIVATE KEY, PUBLIC KEY, CERTIFICATE, MLDSA SIGNATURE, \
                      ED25519 SIGNATURE and MLDSAED25519 SIGNATURE; after the word FNDSA, FNDSA2024 or FALCON it reads PRIVATE KEY, PUBLIC KEY and SIGNATURE";

/// Returns the hint for an unknown PEM label. If a known label is similar, the hint suggests it.
pub fn label_hint(label: &str) -> String {
    // Keys outside the Falcon family are always in containers with these labels.
    let mut all = Vec::from(["PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "PUBLIC KEY", "CERTIFICATE"].map(str::to_owned));
    for scheme in Scheme::ALL {
        all.push(ObjectKind::Signature.label(scheme));
        if Algorithm::FN_DSA_512.with_scheme(scheme).is_some() {
            all.extend([ObjectKind::SigningKey, ObjectKind::VerifyingKey].map(|kind| kind.label(scheme)));
        }
    }
    let nearest = all.into_iter().map(|known| (distance(label, &known), known)).min();
    match nearest {
        Some((1..=MAX_WRONG_LETTERS, known)) => {
            format!("the label should probably be {known}: correct the BEGIN and END lines, or get the file again")
        }
        _ => LABELS.to_owned(),
    }
}

/// The maximum edit distance between an unknown label and a suggested label.
const MAX_WRONG_LETTERS: usize = 2;

/// Returns the hint for a file that is not a DSSE envelope. `format` is the detected format if
/// fndsa recognizes a file of a different program, otherwise `None`.
pub fn envelope_hint(format: Option<ForeignFormat>) -> &'static str {
    format.map_or(
        "give a DSSE envelope here, usually FILE.dsse; `fndsa sign --dsse TYPE FILE` makes an envelope",
        |format| foreign_hint(format, Some(ObjectKind::Signature)),
    )
}

/// Returns the reason code and the hint for a name or line that is not allowed in a list.
#[inline(always)]
pub fn list_defect_row(flaw: ListDefect) -> (&'static str, &'static str) {
    match flaw {
        ListDefect::NoName | ListDefect::Nul | ListDefect::Directory => (
            "manifest_name",
            "give the names of files; to list all files of a directory, add -r DIR | give the names of files",
        ),
        ListDefect::NameLen => ("manifest_name", "the line is damaged, or the file is not a list: get the list again"),
        ListDefect::Stdin => ("manifest_name", "if the name of the file is `-`, write ./-"),
        ListDefect::Device | ListDefect::Colon | ListDefect::Ending | ListDefect::NotUtf8 => {
            ("manifest_name", "rename the file: Windows does not allow this name")
        }
        ListDefect::Absolute | ListDefect::Parent => (
            "manifest_name_outside",
            "a list can name only files below one directory: run fndsa in a directory that contains all the files",
        ),
        ListDefect::Duplicate => (
            "manifest_duplicate",
            "name each file only once; `./a` and `a` name the same file, and so do `d//a` and `d/a`",
        ),
        ListDefect::Reserved => (
            "manifest_best_before",
            "rename the file; to set the last day of the list, use --best-before DATE | rename the file",
        ),
        ListDefect::BestBefore | ListDefect::BestBeforeDigest | ListDefect::SecondBestBefore => (
            "manifest_best_before",
            "ask the signer for a list that `fndsa sign -M LIST --best-before DATE` wrote: such a list has only one BEST-BEFORE \
             entry, with a valid date and the checksum of an empty file",
        ),
        ListDefect::Tag | ListDefect::OtherHash(_) => (
            "manifest_line",
            "make the list again with `sha256sum FILE` or `sha256sum --tag FILE`: fndsa reads only SHA-256 checksums",
        ),
        ListDefect::OpenPgp => (
            "manifest_line",
            "check the OpenPGP signature with `gpg --verify LIST`; `gpg --decrypt LIST` also prints the list without the signature",
        ),
        ListDefect::MixedSeparators => {
            ("manifest_line", "write each line as `sha256sum` does: the checksum, two spaces and the file name")
        }
        ListDefect::ByteOrderMark => (
            "manifest_line",
            "save the list as UTF-8 without the byte-order mark, and sign it again: other tools cannot read the mark either",
        ),
        _ => (
            "manifest_line",
            "check that this file is a list of checksums: `fndsa sign -M LIST` and `sha256sum` write such lists | check that \
             this file is a list of checksums: `sha256sum` and fndsa write such lists",
        ),
    }
}

/// The note that fndsa prints for each public key that it reads from a certificate.
pub const CERTIFICATE_NOTE: &str =
    "only the public key of a certificate is used; its signature, chain and dates are not checked";

/// The maximum number of blocks in a signature file. If a file has more blocks, fndsa reports an
/// error and decodes none of them.
pub const MAX_SIGNATURES: usize = 64;

/// A type of file with a size limit, because fndsa reads the whole file into memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SmallFile {
    /// A file with a key or a context, or a block in a larger file.
    Key,
    /// A signature file.
    Signatures,
    /// A file with several keys.
    Keys,
}

impl SmallFile {
    /// Returns the size limit in bytes.
    pub fn limit(self) -> usize {
        match self {
            Self::Key => 64 << 10,
            Self::Signatures => signature_file_limit(),
            // A file of 32 MiB can contain 9,000 keys in PEM of the largest type, ML-DSA-87.
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

/// Returns the maximum size of a signature file in bytes: [`MAX_SIGNATURES`] blocks with the
/// longest signature, and before every block the longest note that the reader stores. `sign` never
/// writes a larger file.
fn signature_file_limit() -> usize {
    // The first call computes the limit. Before the first call, the value is 0.
    static LIMIT: AtomicUsize = AtomicUsize::new(0);
    let known = LIMIT.load(Ordering::Relaxed);
    if known != 0 {
        return known;
    }
    let line = format!("{}\n", "x".repeat(MAX_NOTE));
    let block = |algorithm: Algorithm| {
        let encodings = algorithm.scheme().encodings().iter();
        let len = encodings.map(|encoding| algorithm.encoded_signature_len(*encoding)).max().unwrap_or_default();
        let len = len.max(algorithm.signature_len());
        pem::pem_len(&ObjectKind::Signature.label(algorithm.scheme()), &line, len)
    };
    let limit = MAX_SIGNATURES * Algorithm::all().map(block).max().unwrap_or_default();
    LIMIT.store(limit, Ordering::Relaxed);
    limit
}

message_enum! {
    /// A defect in a file or in an argument. The message does not include the file name.
    #[derive(Clone, Debug)]
    pub enum InputDefect<'a> {
        /// The key or signature has the wrong type.
        Role {
            /// The file's type.
            found: ObjectKind,
            /// The type that the command requires.
            wanted: ObjectKind,
        } => "wrong_kind";
            "this is a {}, not a {}", found.name(), wanted.name();
            wrong_kind_hint(*found, *wanted);
        /// The file does not contain the required object, for example a public key. The text
        /// describes the contents of the file.
        Unrecognised(wanted: ObjectKind, what: &'a str) => "not_recognised";
            "this is not a {}, but {what}", wanted.name();
            unreadable_file_hint(*wanted);
        /// The key is not valid.
        Key(kind: ObjectKind, source: &'a KeyError) => key_row(source).0;
            "this is not a valid {}: {source}", kind.name();
            key_row(source).1;
        /// The file names the algorithm `stated`, but contains an object for the algorithm that
        /// `found` describes.
        Content(kind: ObjectKind, stated: Algorithm, found: &'a str) => "other_content";
            "the file names the algorithm {stated}, but the {} in the file is {found}", kind.name();
            "the file is inconsistent: get the key from its owner again";
        /// The key or signature is for the algorithm that `found` describes, but the command
        /// requires the algorithm `wanted`.
        Algorithm(found: &'a str, wanted: Algorithm) => "other_algorithm";
            "this is {found}, not {wanted}";
            "leave --algorithm out, or name the algorithm of the file";
        /// The algorithm is for tests only.
        Toy(algorithm: Algorithm) => "toy_degree";
            "{algorithm} is a toy algorithm without any security";
            "choose another algorithm; only for tests, add --allow-weak";
        /// The file is larger than the limit for its type.
        Large(file: SmallFile) => "too_large";
            "the file is too large: a {} has at most {} KiB", file.name(), file.limit() >> 10;
            "check the file name: this file may be the message, but a key, signature or context belongs here";
        /// The file contains more than [`MAX_SIGNATURES`] signatures. The value is the number of
        /// signatures.
        ManySignatures(count: usize) => "too_many_signatures";
            "the file has {count} signatures, and at most {MAX_SIGNATURES} are allowed";
            "remove the signatures that no verifier needs";
        /// The file is not a CMS signature that this library can verify.
        Cms(source: &'a CmsDefect) => "cms";
            "this is not a CMS signature that fndsa can verify: {source}";
            cms_hint(source);
        /// The file is not a JSON Web Signature that this library can verify.
        Jws(source: &'a JwsDefect) => "jws";
            "this is not a JSON Web Signature that fndsa can verify: {source}";
            jws_hint(source);
        /// The file is not an SSH signature that this library can verify.
        SshSignature(source: &'a SshSignatureDefect) => "ssh_signature";
            "this is not an SSH signature that fndsa can verify: {source}";
            ssh_signature_hint(source);
        /// SSH has no signatures with this algorithm.
        NoSshSignature(algorithm: Algorithm) => "no_ssh_signature";
            "SSH has no signatures of {algorithm}, only of ed25519 and ml-dsa-44-ed25519";
            "give the signer's public key of one of these algorithms, or leave --ssh out";
        /// JOSE has no signatures with this algorithm.
        NoJws(algorithm: Algorithm) => "no_jws";
            "JOSE has no signatures of {algorithm}, only of ML-DSA and Ed25519";
            "give the signer's public key of one of these algorithms, or leave --jws out";
        /// CMS has no signatures with this algorithm.
        NoCms(algorithm: Algorithm) => "no_cms";
            "CMS has no signatures of {algorithm}, only of ML-DSA and Ed25519{}", no_cms_reason(*algorithm);
            "give the signer's public key or certificate of one of these algorithms";
        /// The scheme does not support a context.
        NoContext(scheme: Scheme) => "no_context";
            "signatures of {} have no context", scheme.title();
            "leave --context out, or use a key of FN-DSA or ML-DSA, which support contexts";
        /// The scheme does not support the pre-hash with this name.
        NoPrehash(scheme: Scheme, hash: &'a str) => "no_such_prehash";
            "{} does not support the pre-hash {hash}", scheme.title();
            match scheme {
                Scheme::FalconRs => "choose the pre-hash sha256 or sha512",
                #[cfg(feature = "ed25519")]
                Scheme::Ed25519 => "choose the pre-hash sha512, or leave --prehash out",
                #[cfg(feature = "ed25519")]
                Scheme::MlDsaEd25519 => "leave --prehash out: these algorithms always hash the message with SHA-512",
                _ => "choose a hash whose digest has at least 256 bits",
            };
        /// The scheme does not support an external mu.
        NoMu(scheme: Scheme) => "no_mu";
            "{} does not support an external mu", scheme.title();
            "use a key of FN-DSA or ML-DSA: only these schemes sign an external mu";
        /// The digest, mu or seed in the file has the wrong length.
        Digest {
            /// The required length in bytes.
            wanted: usize,
            /// The file length in bytes.
            found: u64,
        } => "digest_length";
            "{wanted} bytes or {} hexadecimal digits are needed, but the input has {found} bytes", 2 * wanted;
            "give a file that contains only these bytes or their hexadecimal digits";
        /// The context is too long. The value is its length in bytes.
        ContextLen(len: usize) => "context_too_long";
            "a context has at most 255 bytes, and this context has {len}";
            "use a shorter context, for example the hash of the long text";
        /// A line in a list has a defect.
        Line {
            /// The line number, from 1.
            number: usize,
            /// The defect.
            flaw: ListDefect,
        } => list_defect_row(*flaw).0;
            "line {number}: {flaw}";
            list_defect_row(*flaw).1;
        /// The list contains no files.
        NoLine => "manifest_empty";
            "the list has no entries";
            "sign a list with at least one file";
    }
}

impl InputDefect<'_> {
    /// Returns the most likely next step, or an empty text.
    pub fn hint(&self) -> &'static str {
        self.row_hint()
    }
}

impl core::error::Error for InputDefect<'_> {}

impl fmt::Display for InputDefect<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_message(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejected_keys_have_reasons() {
        let damaged = "the key file is damaged, or a faulty program made it: restore the file from a backup";
        for (error, reason, hint) in [
            (KeyError::Header { found: Some(0) }, "key_header", ""),
            (KeyError::Length { expected: 1281, found: 0 }, "key_length", ""),
            (KeyError::Coefficient, "key_coefficient", damaged),
            (KeyError::ZeroKey, "key_zero", damaged),
            (KeyError::NotInvertible, "key_not_invertible", damaged),
            (KeyError::Equation, "key_equation", damaged),
            (KeyError::Norm, "key_norm", damaged),
            (KeyError::OrthogonalNorm, "key_norm", damaged),
            (KeyError::KeyHash, "key_hash", damaged),
            (KeyError::VerifyOnly, "key_refused", damaged),
        ] {
            assert_eq!(key_row(&error), (reason, hint), "{error}");
        }
    }
}
