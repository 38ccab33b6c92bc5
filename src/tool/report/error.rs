//! The catalogue of errors: what is said, the exit code, the reason code, and what to do.
//!
//! Messages and reason codes are a contract with scripts. Each error is one row here.

use super::Exit;
use super::causes::{
    Complaint, KeyPart, MAX_SIGNATURES, SmallFile, defect_hint, defect_reason, envelope_hint, flaw_hint, flaw_reason,
    key_hint, no_signature_hint, parts_reason, place_hint, role_hint, write_hint, write_reason,
};
use super::escape::{pasted, shown};
use super::failures::{io_hint, io_reason, io_text};
use super::keytext::Spilled;
use super::suffix::{is_key_name, signed_by_name};
use crate::tool::system;
use base64::DecodeError;
use fndsa::files::hex::HexError;
use fndsa::files::manifest::Flaw;
use fndsa::files::{Date, Defect, ForeignFormat, Kind, PrivateKeyError, WriteError};
use fndsa::{Algorithm, KeyError, Scheme, SignatureEncoding, VerifyError};
use std::borrow::Cow;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// Why something was not done. Paths are escaped when shown; no content of a key ever is.
#[derive(Debug, Error)]
pub enum Error {
    // The command line (2).
    #[error("{message}")]
    CommandLine { message: String, hint: String },
    #[error("{0}")]
    KeyText(Spilled),
    #[error("standard input is named more than once")]
    StdinTwice,
    #[error("{0}: can be read once, and is named more than once")]
    PipeTwice(String),
    #[error("{option} takes one FILE, {given} are given")]
    OneInput { option: &'static str, given: usize },
    #[error("{}: the output is also an input", shown(.0))]
    OutputIsInput(PathBuf),
    #[error("{}: this is the signature of a file that is to be signed, too", shown(.signature))]
    SignatureAsInput { signature: PathBuf, file: PathBuf },
    #[error("raw bytes are not written to a terminal")]
    RawToTerminal,
    #[error("--json and the result would both go to standard output")]
    JsonOnStdout,
    #[error("the verdict and the message would both go to standard output")]
    MessageOnStdout,
    #[error("--json and --format are two forms of one result")]
    JsonFormat,
    #[error("--json and --stream are two forms of the answers")]
    JsonStream,
    #[error("the table and a file of --export-json or --report would both go to standard output")]
    ExportOnStdout,
    #[error("{}", Complaint::ContextLen(*.0))]
    ContextLen(usize),
    #[error("--context-hex is not hexadecimal: {0}")]
    ContextHex(HexError),
    #[error("the variable {} is not set", shown(.0))]
    Unset(String),
    #[error("the variable {} is set but empty", shown(.0))]
    EmptyVariable(String),
    #[error("no {} is given", .0.name())]
    NoKey(Kind),
    #[error("a raw signature cannot stand beside others in one file")]
    AddRaw,
    #[error("a signature is added to a file, not to standard output")]
    AddToStdout,
    #[error("{}: a raw signature, which no other can be added to", shown(.0))]
    AddToRaw(PathBuf),
    #[error("{0} is for one private key, several are given")]
    OneKey(&'static str),
    #[error("--dual makes a pair of Ed25519 beside one of another algorithm, and -a ed25519 is that")]
    DualClassic,
    #[error("{} makes no signatures of envelopes", .0.title())]
    NoEnvelope(Scheme),
    #[error("the private key of {0} is given twice")]
    KeyTwice(String),
    #[error("{0} private keys, a file has at most {MAX_SIGNATURES} signatures")]
    TooManyKeys(usize),
    #[error("{required} keys must have signed, and {there} {} given", if *.there == 1 { "is" } else { "are" })]
    TooFewKeys { required: usize, there: usize },
    #[error("standard input has no signature file of its own")]
    StdinSignature,
    #[error("--prehashed needs the name of the hash")]
    NoPrehash,
    #[error("{}: not a name for key files", shown(.0))]
    KeyName(PathBuf),
    #[error("{}", Complaint::Toy(*.0))]
    ToyAlgorithm(Algorithm),
    #[error("{0} is for verification only")]
    VerifyOnly(Algorithm),
    #[error("{}", Complaint::NoContext(*.0))]
    NoContext(Scheme),
    #[error("{}", Complaint::NoPrehash(*.scheme, .hash))]
    NoSuchPrehash { scheme: Scheme, hash: &'static str },
    #[error("{}", Complaint::NoMu(*.0))]
    NoMu(Scheme),
    #[error("{hash} is too weak a pre-hash for {algorithm}: FIPS 204 requires {bits} bits")]
    WeakPrehash { algorithm: Algorithm, hash: &'static str, bits: usize },
    #[error("{} makes no deterministic signatures", .0.title())]
    NotDeterministic(Scheme),
    #[error("signatures of {} have no other encoding than padded", .0.title())]
    NoEncoding(Scheme),
    #[error("one --backend at a time, {0} are given")]
    Backends(usize),
    #[error("the variable FNDSA_BACKEND: {0}")]
    BackendVariable(String),
    #[error("{}: both keys would go there", shown(.0))]
    SameOutput(PathBuf),
    #[error("{}: two signatures would go there", shown(.0))]
    OutputTwice(PathBuf),
    #[error("{0}: no files are named there")]
    NoFiles(String),
    #[error("{}: no files are in it", shown(.0))]
    NoFilesBelow(PathBuf),
    #[error("{}: not a name for a manifest: {flaw}", shown(.name))]
    ManifestName { name: PathBuf, flaw: Flaw },
    #[error("{}: not a place for a manifest", shown(.0))]
    ManifestPlace(PathBuf),
    #[error("{0}: the file of the private key or of its password is also a message")]
    KeyAsMessage(String),
    #[error("{0}: no private key here is encrypted")]
    PasswordUnneeded(&'static str),
    #[error("{0}: no variable of that name is set")]
    UnsetPassword(&'static str),
    #[error("a password without --encrypt")]
    PasswordUnused,
    #[error("{0}")]
    Write(WriteError),
    #[error("--oid without a PKCS#8 or SPKI file")]
    OidUnused,
    #[error("--layout without a private key of Falcon in PKCS#8")]
    LayoutUnused,
    #[error("--private without a private key of ML-DSA in PKCS#8")]
    PrivateFormUnused,
    #[error("{from}: the {} of the key would be lost", .part.name())]
    KeyPartLost { from: String, part: KeyPart },
    #[error("{0}")]
    KeyPrehash(String),
    #[error("--encoding without a signature")]
    EncodingUnused,
    #[error("{from}: this is a signature of {found}, and none of {wanted} can be made of it")]
    SignatureScheme { from: String, found: String, wanted: Algorithm },
    #[error("{}: a link", shown(.path))]
    Link { path: PathBuf, target: PathBuf },
    #[error("{}: only a regular file can be changed in place", shown(.0))]
    InPlace(PathBuf),

    // Files that are not what they should be (3).
    #[error("{from}: {defect}")]
    Format { from: String, defect: Defect, wanted: Option<Kind> },
    #[error("{from}: {}", Complaint::Role { found: *.found, wanted: *.wanted })]
    Role { from: String, found: Kind, wanted: Kind },
    #[error("{}: this is a signature, not a file that was signed", shown(.0))]
    SignatureAsFile(PathBuf),
    #[error("{}: not a signature, but {} is one", shown(.named), shown(.signature))]
    Swapped { named: PathBuf, signature: PathBuf },
    #[error("{from}: {}", Complaint::Unrecognised(*.wanted, .what))]
    Unrecognised { from: String, wanted: Kind, what: Cow<'static, str> },
    #[error("{from}: {}", Complaint::Key(*.kind, .source))]
    Key { from: String, kind: Kind, source: KeyError },
    #[error("{from}: {}", Complaint::ManySignatures(*.count))]
    ManySignatures { from: String, count: usize },
    #[error("{from}: line {line}: {what}")]
    KeyTerm { from: String, line: usize, what: String },
    #[error("{from}: the same key as in {other}, with key lines that differ")]
    KeyTermsDiffer { from: String, other: String },
    #[error("{from}: the key is revoked: {why}")]
    KeyRevoked { from: String, why: String },
    #[error("{from}: the key was valid until {last}")]
    KeyExpired { from: String, last: Date },
    #[error("{0}: not a signed message of Falcon")]
    NotAttached(String),
    #[error("{from}: begins with {begin:?}, like the signed bytes of {of}")]
    Preimage { from: String, begin: &'static str, of: &'static str },
    #[error("{from}: not a DSSE envelope: {what}")]
    Envelope { from: String, what: String, format: Option<ForeignFormat> },
    #[error("{from}: not a valid signature: {source}")]
    Signature { from: String, source: VerifyError },
    #[error("{from}: {}", Complaint::Toy(*.algorithm))]
    Toy { from: String, algorithm: Algorithm },
    #[error("{from}: {}", Complaint::Large(*.file))]
    TooLarge { from: String, file: SmallFile },
    #[error("{from}: too large to be read whole (limit {mebibytes} MiB)")]
    ListTooLarge { from: String, mebibytes: usize },
    #[error("{from}: name {number} {what}")]
    NameList { from: String, number: usize, what: &'static str },
    #[error("{from}: {}", Complaint::Line { number: *.number, flaw: *.flaw })]
    ManifestLine { from: String, number: usize, flaw: Flaw },
    #[error("{}: {}", .0, Complaint::NoLine)]
    ManifestEmpty(String),
    #[error("not a request: {what}")]
    Request { what: String },
    #[error("a request has at most 16 MiB, this line has more")]
    LongRequest,
    #[error("{name}: not base64: {source}")]
    NotBase64 { name: &'static str, source: DecodeError },
    #[error("{from}: {}", Complaint::Digest { wanted: *.wanted, found: *.found })]
    Digest { from: String, wanted: usize, found: u64 },
    #[error("{from}: {}", Complaint::Algorithm(.found, *.wanted))]
    OtherAlgorithm { from: String, found: String, wanted: Algorithm },
    #[error("{from}: {}", Complaint::Content(*.kind, *.stated, .found))]
    OtherContent { from: String, kind: Kind, stated: Algorithm, found: String },
    #[error("{from}: the key cannot be one of {to}: {source}")]
    NotConvertible { from: String, to: Algorithm, source: KeyError },
    #[error("{from}: the signature does not fit into the {} encoding", .encoding.name())]
    TooLong { from: String, encoding: SignatureEncoding },
    #[error("{from}: {source}")]
    KeyParts { from: String, source: PrivateKeyError },
    #[error("{from}: has no password")]
    NotEncrypted { from: String },
    #[error("{from}: not a password: {why}")]
    PasswordUnusable { from: String, why: &'static str },
    #[error("{from}: not a result of `fndsa bench`: {what}")]
    Baseline { from: String, what: String },
    #[error("{from}: this machine is {here}, the baseline was measured on {there}")]
    BaselineMachine { from: String, there: String, here: String },
    #[error("{from}: none of what is to be measured was measured there")]
    BaselineRows { from: String },
    #[error("{one} and {other} have nothing in common")]
    DiffRows { one: String, other: String },

    // The system (4).
    #[error("{from}: {}", io_text(.source))]
    Io { from: String, source: io::Error },
    #[error("{}: no such file or directory", shown(.0))]
    NoSignature(PathBuf),
    #[error("{}: no such file or directory", shown(.0))]
    NoListSignature(PathBuf),
    #[error("{}: is a directory", shown(.0))]
    Directory(PathBuf),
    #[error("{from}: the password check needs {mebibytes} MiB of memory, which this process does not get")]
    NoMemory { from: String, mebibytes: u64 },
    #[error("{}: no file in this directory is named *.pub", shown(.0))]
    NoKeyFiles(PathBuf),
    #[error("{}: no such directory", shown(.0))]
    NoDirectory(PathBuf),
    #[error("{}: has a signature that says it is by the same key", shown(.0))]
    SignedAlready(PathBuf),
    #[error("{}: exists already", shown(.0))]
    Exists(PathBuf),
    #[error("{from}: changed while being read")]
    Changed { from: String },
    #[error("{from}: replaced or deleted while being read")]
    Replaced { from: String },
    #[error("{}: changed meanwhile; it is as the other has left it", shown(.0))]
    ChangedMeanwhile(PathBuf),
    #[error("{}: is a private key", shown(.0))]
    IsKey(PathBuf),
    #[error("{from}: leads out of {}, through a link", .directory.as_ref().map_or_else(|| "the current directory".to_owned(), shown))]
    LinkOutside { from: String, directory: Option<PathBuf> },
    #[error("{from}: {what}, not a regular file")]
    NotRegular { from: String, what: &'static str },
    #[error("{from}: {what}, not a regular file")]
    NotAFile { from: String, what: &'static str, hint: &'static str },
    #[error("{from}: no such file or directory")]
    ListedMissing { from: String },
    #[error("standard output: {}", io_text(.0))]
    Stdout(io::Error),

    // Passwords (5).
    #[error("{from}: the private key is encrypted, and no password is given")]
    PasswordNeeded { from: String },
    #[error("{from}: empty, and no password")]
    NoPassword { from: String },
    #[error("{from}: wrong password, or the file is damaged")]
    WrongPassword { from: String },
    #[error("no new password is given")]
    NewPasswordNeeded { options: &'static str },
    #[error("the two passwords differ")]
    PasswordsDiffer,

    // The tool (6).
    #[error("the self test failed: {failed} of {of} checks")]
    SelfTest { failed: usize, of: usize },
    #[error("{0}")]
    Tables(String),
    #[error("{0}")]
    Internal(String),
}

impl Error {
    /// Returns exit code, reason code and hint.
    pub(super) fn row(&self) -> (Exit, &'static str, Option<Cow<'static, str>>) {
        use Exit::{BadInput, Internal, Io, Locked, Pipe, Usage};
        let row = |exit, reason, hint: &'static str| {
            (exit, reason, if hint.is_empty() { None } else { Some(Cow::Borrowed(hint)) })
        };
        match self {
            Self::CommandLine { hint, .. } => (Usage, "usage", Some(Cow::Owned(hint.clone()))),
            Self::KeyText(spilled) => row(Usage, "key_as_name", spilled.hint),
            Self::StdinTwice => row(Usage, "stdin_twice", "it can be read once; give a file for the others"),
            Self::PipeTwice(_) => row(Usage, "pipe_twice", "copy the contents to a file and name that file"),
            Self::OneInput { .. } => row(Usage, "one_input_only", "give each FILE a command of its own"),
            Self::OutputIsInput(_) => row(Usage, "output_is_input", "give the output another name"),
            Self::SignatureAsInput { signature, file } => {
                let hint = format!("{} is the signature of {}: leave *.sig out", shown(signature), shown(file));
                (Usage, "output_is_input", Some(Cow::Owned(hint)))
            }
            Self::RawToTerminal => row(Usage, "raw_to_terminal", "write to a file with -o FILE, or use --format pem"),
            Self::JsonOnStdout => {
                row(Usage, "json_on_stdout", "write the result to a file with -o FILE, or leave out --json")
            }
            Self::MessageOnStdout => row(
                Usage,
                "message_on_stdout",
                "write the message to a file with -o FILE, or say nothing else with -qq",
            ),
            Self::JsonFormat => {
                row(Usage, "json_format", "leave one out; --export-json FILE gives the document as well")
            }
            Self::JsonStream => row(Usage, "json_format", "leave --json out; with --stream every answer is JSON"),
            Self::ExportOnStdout => {
                row(Usage, "export_on_stdout", "name a file; `--format json` prints the document alone")
            }
            Self::ContextLen(len) => {
                row(Usage, Complaint::ContextLen(*len).reason(), "put the hash of a long text into the context")
            }
            Self::ContextHex(_) => row(Usage, "context_not_hex", "two digits a byte, for example --context-hex 00ff"),
            Self::Unset(_) => row(Usage, "variable_not_set", system::WORDS.key_variable),
            Self::EmptyVariable(_) => {
                row(Usage, "variable_empty", "are secrets given to this job? They are not where a fork asks for it")
            }
            Self::NoKey(Kind::SigningKey) => row(Usage, "no_key", "name it with -k FILE, or in FNDSA_KEY"),
            Self::NoKey(_) => row(Usage, "no_key", "name it with -p FILE, or in FNDSA_PUBLIC_KEY"),
            Self::AddRaw => row(Usage, "add_raw", "leave out --add, or --format raw"),
            Self::AddToStdout => row(Usage, "add_to_stdout", "name the file with -o FILE"),
            Self::AddToRaw(_) => row(Usage, "add_raw", "make it PEM: `fndsa convert FILE --to pem`"),
            Self::OneKey(_) => row(Usage, "one_key_only", "give one --key"),
            Self::DualClassic => row(Usage, "dual_of_one", "name another algorithm, or leave -a out"),
            Self::NoEnvelope(_) => row(
                Usage,
                "no_envelope",
                "programs of in-toto expect a pure Ed25519 signature there, and this is Ed25519ph: sign with another key",
            ),
            Self::KeyTwice(_) => row(Usage, "key_twice", "one signature by a key is enough: give each --key once"),
            Self::TooManyKeys(_) => row(Usage, "too_many_keys", "sign several files, each with some of the keys"),
            Self::TooFewKeys { .. } => {
                row(Usage, "too_few_keys", "give every key that may sign; one in several forms counts once")
            }
            Self::StdinSignature => row(Usage, "no_signature_named", "name it with -s FILE"),
            Self::NoPrehash => row(Usage, "no_prehash_named", "name it, for example with --prehash sha512"),
            Self::KeyName(_) => {
                row(Usage, "bad_key_name", "`keygen NAME` makes NAME.key and NAME.pub; -o - writes to standard output")
            }
            Self::ToyAlgorithm(algorithm) => {
                row(Usage, Complaint::Toy(*algorithm).reason(), "for tests only: add --allow-weak")
            }
            Self::VerifyOnly(_) => {
                row(Usage, "verify_only", "its keys are those of Falcon: make them with -a falcon-512")
            }
            Self::NoContext(scheme) => {
                row(Usage, Complaint::NoContext(*scheme).reason(), "leave --context out; FN-DSA has contexts")
            }
            Self::NoSuchPrehash { scheme, hash } => {
                let hint = match scheme {
                    Scheme::FalconRs => "it has sha256 and sha512",
                    Scheme::Ed25519 => "it hashes each message with SHA-512 itself: leave it out",
                    _ => "it has those with digests of 256 bits and more",
                };
                row(Usage, Complaint::NoPrehash(*scheme, hash).reason(), hint)
            }
            Self::NoMu(scheme) => {
                row(Usage, Complaint::NoMu(*scheme).reason(), "only FN-DSA and ML-DSA hash the message to a mu first")
            }
            Self::WeakPrehash { .. } => row(
                Usage,
                "weak_prehash",
                "name a longer one, for example --prehash sha512; for tests: add --allow-weak",
            ),
            Self::NotDeterministic(_) => row(
                Usage,
                "not_deterministic",
                "leave --deterministic out: two signatures that differ by a rounding error would give the key away",
            ),
            Self::NoEncoding(_) => row(Usage, "no_such_encoding", "leave --encoding out; Falcon has several"),
            Self::OutputTwice(_) => row(Usage, "same_output", "name each file once"),
            Self::SameOutput(_) => row(Usage, "same_output", "give -o and -p different names"),
            Self::NoFiles(_) => row(Usage, "no_files", "was the program that made the list successful?"),
            Self::NoFilesBelow(_) => row(Usage, "no_files", "name the directory that the files of the list are in"),
            Self::ManifestName { flaw, .. } => row(Usage, flaw_reason(*flaw), flaw_hint(*flaw)),
            Self::ManifestPlace(_) => {
                row(Usage, "manifest_place", "name a file; its signature goes beside it, to MANIFEST.sig")
            }
            Self::BackendVariable(_) => row(Usage, "no_such_backend", "without it the fastest level runs"),
            Self::Backends(_) => row(Usage, "one_backend_only", "`fndsa bench` compares several"),
            Self::UnsetPassword(_) => row(Usage, "variable_not_set", system::WORDS.password_variable),
            Self::KeyAsMessage(_) => row(
                Usage,
                "key_as_message",
                "leave it out, or keep keys in another directory; to sign a copy of a key, name the copy",
            ),
            Self::PasswordUnneeded(_) => {
                row(Usage, "password_unused", "leave the option out; `fndsa passwd` gives a key a password")
            }
            Self::PasswordUnused => row(Usage, "password_unused", "add --encrypt, or leave the password out"),
            Self::Write(e) => row(Exit::of_writing(e), write_reason(e), write_hint(e)),
            Self::OidUnused => row(Usage, "oid_unused", "leave it out, or write --to pkcs8 or --to spki"),
            Self::LayoutUnused => row(Usage, "layout_unused", "leave it out; other keys have one layout"),
            Self::PrivateFormUnused => row(Usage, "private_form_unused", "leave it out; other keys have one form"),
            Self::KeyPartLost { part, .. } => row(Usage, part.reason(), part.hint()),
            Self::KeyPrehash(_) => row(Usage, "key_prehash", "give one such key alone, and leave --prehash out"),
            Self::EncodingUnused => row(Usage, "encoding_unused", "leave it out; keys have one encoding"),
            Self::SignatureScheme { .. } => {
                row(Usage, "signature_scheme", "sign again with the key of the other scheme")
            }
            Self::Link { target, .. } => {
                let hint = format!("name the file itself, {}, or write elsewhere with -o", shown(target));
                (Usage, "is_a_link", Some(Cow::Owned(hint)))
            }
            Self::InPlace(_) => row(Usage, "not_in_place", "write the result to a file with -o FILE"),

            Self::Format { defect, wanted, .. } => {
                (BadInput, defect_reason(defect), defect_hint(defect, *wanted).map(Cow::Borrowed))
            }
            Self::Role { found, wanted, .. } => {
                let complaint = Complaint::Role { found: *found, wanted: *wanted };
                (BadInput, complaint.reason(), role_hint(*found, *wanted).map(Cow::Borrowed))
            }
            Self::SignatureAsFile(path) => {
                let file = signed_by_name(path).map_or_else(|| "FILE".to_owned(), pasted);
                let hint = format!("name the file that it is for: {file}, or -s {} FILE", pasted(path));
                (BadInput, "wrong_kind", Some(Cow::Owned(hint)))
            }
            Self::Swapped { named, signature } => {
                let hint = format!("the two are swapped: -s {} {}", pasted(signature), pasted(named));
                (BadInput, "swapped", Some(Cow::Owned(hint)))
            }
            Self::Unrecognised { wanted, what, .. } => {
                (BadInput, Complaint::Unrecognised(*wanted, what).reason(), Some(Cow::Borrowed(place_hint(*wanted))))
            }
            Self::Key { kind, source, .. } => {
                (BadInput, Complaint::Key(*kind, source).reason(), key_hint(source).map(Cow::Borrowed))
            }
            Self::ManySignatures { .. } => row(BadInput, "too_many_signatures", "leave out those that nobody asks for"),
            Self::KeyTerm { .. } => row(
                BadInput,
                "key_terms",
                "begin a comment with `# `; docs/policies.md describes the lines before a trusted key",
            ),
            Self::KeyTermsDiffer { .. } => row(BadInput, "key_terms", "leave one of the two out"),
            Self::KeyRevoked { .. } => {
                row(BadInput, "key_revoked", "publish instructions for the key that replaces it")
            }
            Self::KeyExpired { .. } => {
                row(BadInput, "key_expired", "publish instructions for the key that replaces it")
            }
            Self::NotAttached(_) => row(
                BadInput,
                "no_signed_message",
                "without --attached, the message is in FILE and the signature in FILE.sig",
            ),
            Self::Preimage { .. } => row(
                BadInput,
                "preimage",
                "the author of the file could use its signature for that; sign the payload with --dsse TYPE, or an archive of the file",
            ),
            Self::Envelope { format, .. } => row(BadInput, "dsse_envelope", envelope_hint(*format)),
            Self::Signature { .. } => row(BadInput, "signature_malformed", "the file is damaged; copy it again"),
            Self::Toy { algorithm, .. } => {
                row(BadInput, Complaint::Toy(*algorithm).reason(), "for tests only: add --allow-weak")
            }
            Self::TooLarge { .. } => row(BadInput, "too_large", "is this the message instead of the key or signature?"),
            Self::ListTooLarge { .. } => {
                row(BadInput, "too_large", "is this another file? trusted keys may be in several files of a directory")
            }
            Self::NameList { .. } => row(BadInput, "name_list", "one name a line; names that end in NUL need -0"),
            Self::ManifestLine { number, flaw, .. } => {
                row(BadInput, Complaint::Line { number: *number, flaw: *flaw }.reason(), flaw_hint(*flaw))
            }
            Self::ManifestEmpty(_) => row(BadInput, Complaint::NoLine.reason(), "sign a list with at least one file"),
            Self::Request { .. } => row(
                BadInput,
                "bad_request",
                "a request is an object on one line, {\"id\": 1, \"path\": \"FILE\"} or with \"message_b64\" in place of \"path\"",
            ),
            Self::LongRequest => row(BadInput, "too_large", "write the message to a file and name that with \"path\""),
            Self::NotBase64 { .. } => {
                row(BadInput, "not_base64", "standard base64 (RFC 4648, section 4) with padding, without line ends")
            }
            Self::Digest { wanted, found, .. } => row(
                BadInput,
                Complaint::Digest { wanted: *wanted, found: *found }.reason(),
                "give the bytes, or their hexadecimal digits, and nothing else",
            ),
            Self::OtherAlgorithm { found, wanted, .. } => {
                row(BadInput, Complaint::Algorithm(found, *wanted).reason(), "leave --algorithm out, or name the other")
            }
            Self::OtherContent { kind, stated, found, .. } => row(
                BadInput,
                Complaint::Content(*kind, *stated, found).reason(),
                "it was put together wrongly; get the key from its owner again",
            ),
            Self::NotConvertible { .. } => row(
                BadInput,
                "key_not_convertible",
                "the bounds of FN-DSA are tighter, which few keys of Falcon exceed: make a new one with `fndsa keygen`",
            ),
            Self::TooLong { .. } => row(BadInput, "encoding_too_short", "it happens; use --encoding compressed or ct"),
            Self::KeyParts { source, .. } => {
                row(BadInput, parts_reason(source), "the file is damaged, or somebody joined parts of two keys")
            }
            Self::NotEncrypted { .. } => row(BadInput, "not_encrypted", "there is nothing to remove"),
            Self::PasswordUnusable { .. } => {
                row(BadInput, "password_unusable", "is this a file of passwords, its first line the one to use?")
            }
            Self::Baseline { .. } => {
                row(BadInput, "baseline_malformed", "write one with `fndsa bench --export-json FILE`")
            }
            Self::BaselineMachine { .. } => row(
                BadInput,
                "baseline_machine",
                "times of another CPU say nothing; measure a baseline on this one with --export-json",
            ),
            Self::BaselineRows { .. } => row(
                BadInput,
                "baseline_rows",
                "give the same operations, --algorithm, --backend, --message-size and --jobs as then",
            ),
            Self::DiffRows { .. } => row(
                BadInput,
                "diff_rows",
                "measure the same operations, algorithms and message sizes with as many --jobs",
            ),

            Self::Io { source, .. } => row(Io, io_reason(source), io_hint(source)),
            Self::NoSignature(path) => row(Io, "not_found", no_signature_hint(path)),
            Self::NoListSignature(_) => row(
                Io,
                "not_found",
                "the list has no signature in it, so its signature is expected there: get the signature, too, or name it with -s FILE",
            ),
            Self::Directory(path) => {
                let hint = format!("sign what is in it: fndsa sign -k KEY -M SHA256SUMS -r {}", pasted(path));
                (Io, "is_a_directory", Some(Cow::Owned(hint)))
            }
            Self::NoMemory { .. } => row(Io, "no_memory", system::WORDS.more_memory),
            Self::NoKeyFiles(_) => row(Io, "no_keys_there", "put public keys there, in files named NAME.pub"),
            Self::NoDirectory(_) => row(Io, "no_directory", system::WORDS.make_directory),
            Self::SignedAlready(_) => row(Io, "signed_already", "--force replaces that one"),
            Self::Exists(path) if is_key_name(path) => {
                row(Io, "exists", "choose another name; --force destroys the private key that is there")
            }
            Self::Exists(_) => row(Io, "exists", "--force replaces it"),
            Self::Changed { .. } | Self::Replaced { .. } => {
                row(Io, "changed_while_read", "try again when nothing writes to it")
            }
            Self::ChangedMeanwhile(_) => row(Io, "changed_meanwhile", "look at it, and try again"),
            Self::IsKey(_) => row(
                Io,
                "replaces_private_key",
                "--force replaces none; only `keygen` and `passwd` replace one: give the output another name",
            ),
            Self::LinkOutside { .. } => {
                row(Io, "link_outside", "a manifest is about files below one directory: put a copy there")
            }
            Self::NotRegular { .. } => row(Io, "not_a_regular_file", "a manifest lists regular files alone"),
            Self::NotAFile { hint, .. } => row(Io, "not_a_regular_file", hint),
            Self::ListedMissing { .. } => row(
                Io,
                "not_found",
                "names in a manifest are relative to the current directory, or to that of -C; --ignore-missing passes over missing files",
            ),
            Self::Stdout(e) if e.kind() == io::ErrorKind::BrokenPipe => row(Pipe, "closed_pipe", ""),
            Self::Stdout(e) => row(Io, io_reason(e), "what was to be printed is lost; files that were written stay"),

            Self::SelfTest { .. } => row(
                Internal,
                "self_test_failed",
                "make no keys and signatures on this machine; is the hardware faulty?",
            ),
            Self::PasswordNeeded { .. } => row(
                Locked,
                "password_needed",
                "give it with --password-file FILE or --password-env VAR, or in FNDSA_PASSWORD or FNDSA_PASSWORD_FILE",
            ),
            Self::NoPassword { .. } => row(
                Locked,
                "password_empty",
                "did the program that gives it fail, are secrets given to this job? An empty line is an empty password",
            ),
            Self::WrongPassword { .. } => row(Locked, "wrong_password", "blanks and capital letters count"),
            Self::NewPasswordNeeded { options } => {
                (Locked, "password_needed", Some(Cow::Owned(format!("give it with {options}"))))
            }
            Self::PasswordsDiffer => row(Locked, "passwords_differ", "type the same one twice"),

            Self::Tables(_) => row(
                Internal,
                "tables_damaged",
                "the program file is damaged, or the memory is faulty: install it again, or use another machine",
            ),
            Self::Internal(_) => row(Internal, "internal", ""),
        }
    }
}
