//! The catalogue of errors: each error and its message. Exit codes, reason codes and hints are in `rows`.
//!
//! Reason codes and exit codes are a contract with scripts. Each error is one variant here and one row there.

use super::escape::shown;
use super::failures::io_text;
use super::keytext::Spilled;
use base64::DecodeError;
use fndsa::files::hex::HexError;
use fndsa::files::manifest::Flaw;
use fndsa::files::{Date, Defect, ForeignFormat, Kind, PrivateKeyError, WriteError};
use fndsa::verdict::text::{InputDefect, KeyPart, MAX_SIGNATURES, SmallFile};
use fndsa::{Algorithm, KeyError, Scheme, SignatureEncoding, VerifyError};
use std::borrow::Cow;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// An error of a command. Paths are escaped when shown, and no content of a key is ever shown.
#[derive(Debug, Error)]
pub enum Error {
    // The command line (2).
    #[error("{message}")]
    CommandLine { message: String, hint: String },
    #[error("{0}")]
    KeyText(Spilled),
    #[error("standard input (`-`) is given for more than one input")]
    StdinTwice,
    #[error("{0}: this pipe is given for more than one input, but fndsa can read a pipe only once")]
    PipeTwice(String),
    #[error("{option} takes only one FILE, but {given} files are given")]
    OneInput { option: &'static str, given: usize },
    #[error("{}: the output is also an input", shown(.0))]
    OutputIsInput(PathBuf),
    #[error("{}: this file is to be signed, but the new signature of {} would replace it", shown(.signature), shown(.file))]
    SignatureAsInput { signature: PathBuf, file: PathBuf },
    #[error("fndsa does not print raw bytes on a terminal")]
    RawToTerminal,
    #[error("the JSON document and the result cannot both go to standard output")]
    JsonOnStdout,
    #[error("this command prints text and has no JSON document")]
    NoJson,
    #[error("the verdict and the message cannot both go to standard output")]
    MessageOnStdout,
    #[error("--json and --format both choose the form of the result")]
    JsonFormat,
    #[error("--json cannot be used with --stream")]
    JsonStream,
    #[error("the table and the file of --export-json or --report cannot both go to standard output")]
    ExportOnStdout,
    #[error("{}", InputDefect::ContextLen(*.0))]
    ContextLen(usize),
    #[error("--context-hex is not hexadecimal: {0}")]
    ContextHex(HexError),
    #[error("the variable {} is not set", shown(.0))]
    Unset(String),
    #[error("the variable {} is set but empty", shown(.0))]
    EmptyVariable(String),
    #[error("no {} is given", .0.name())]
    NoKey(Kind),
    #[error("a file with several signatures must be PEM, not raw")]
    AddRaw,
    #[error("--add adds to a signature file, not to standard output")]
    AddToStdout,
    #[error("{}: this file is a raw signature, and a raw file can contain only one signature", shown(.0))]
    AddToRaw(PathBuf),
    #[error("{0} takes one private key, but several are given")]
    OneKey(&'static str),
    #[error("--dual makes an Ed25519 key pair and a key pair of another algorithm, so -a cannot be ed25519")]
    DualClassic,
    #[error("{} keys cannot sign DSSE envelopes", .0.title())]
    NoEnvelope(Scheme),
    #[error("the private key of {0} is given twice")]
    KeyTwice(String),
    #[error("{0} private keys are given, but a file has at most {MAX_SIGNATURES} signatures")]
    TooManyKeys(usize),
    #[error("signatures by {required} keys are required, but only {there} {} given", if *.there == 1 { "key is" } else { "keys are" })]
    TooFewKeys { required: usize, there: usize },
    #[error("standard input has no name, so its signature file is not known")]
    StdinSignature,
    #[error("--prehashed needs the name of the hash function")]
    NoPrehash,
    #[error("{}: a key pair cannot have this name", shown(.0))]
    KeyName(PathBuf),
    #[error("{}", InputDefect::Toy(*.0))]
    ToyAlgorithm(Algorithm),
    #[error("{0} is for verification only")]
    VerifyOnly(Algorithm),
    #[error("{}", InputDefect::NoContext(*.0))]
    NoContext(Scheme),
    #[error("{}", InputDefect::NoPrehash(*.scheme, .hash))]
    NoSuchPrehash { scheme: Scheme, hash: &'static str },
    #[error("{}", InputDefect::NoMu(*.0))]
    NoMu(Scheme),
    #[error("the pre-hash {hash} is too weak for {algorithm}: FIPS 204 requires {bits} bits")]
    WeakPrehash { algorithm: Algorithm, hash: &'static str, bits: usize },
    #[error("{} has no deterministic signatures", .0.title())]
    NotDeterministic(Scheme),
    #[error("signatures of {} have only the padded encoding", .0.title())]
    NoEncoding(Scheme),
    #[error("this command takes one level, but {0} are given")]
    Backends(usize),
    #[error("the variable FNDSA_BACKEND: {0}")]
    BackendVariable(String),
    #[error("{}: the private key and the public key would both go to this file", shown(.0))]
    SameOutput(PathBuf),
    #[error("{}: two signatures would go to this file", shown(.0))]
    OutputTwice(PathBuf),
    #[error("{0}: the input names no files")]
    NoFiles(String),
    #[error("{}: this directory has no files to list", shown(.0))]
    NoFilesBelow(PathBuf),
    #[error("{}: this name cannot be in a list: {flaw}", shown(.name))]
    ManifestName { name: PathBuf, flaw: Flaw },
    #[error("{}: fndsa cannot write a list with this name", shown(.0))]
    ManifestPlace(PathBuf),
    #[error("{0}: this file is the private key or its password, and it is among the files to sign")]
    KeyAsMessage(String),
    #[error("{0} is given, but no private key is encrypted")]
    PasswordUnneeded(&'static str),
    #[error("{0}: no variable with the given name is set")]
    UnsetPassword(&'static str),
    #[error("a password is given, but --encrypt is not")]
    PasswordUnused,
    #[error("{0}")]
    Write(WriteError),
    #[error("--oid applies only to PKCS#8 and SPKI files")]
    OidUnused,
    #[error("--layout applies only to private keys of Falcon in PKCS#8")]
    LayoutUnused,
    #[error("--private applies only to private keys of ML-DSA in PKCS#8")]
    PrivateFormUnused,
    #[error("{from}: the new form cannot store the {} of the key", .part.name())]
    KeyPartLost { from: String, part: KeyPart },
    #[error("{0}")]
    KeyPrehash(String),
    #[error("--encoding applies only to signatures")]
    EncodingUnused,
    #[error("{from}: this is a signature of {found}, which cannot be converted to a signature of {wanted}")]
    SignatureScheme { from: String, found: String, wanted: Algorithm },
    #[error("{}: this is a symbolic link", shown(.path))]
    Link { path: PathBuf, target: PathBuf },
    #[error("{}: only a regular file can be changed in place", shown(.0))]
    InPlace(PathBuf),

    // Files that are not what they should be (3).
    #[error("{from}: {defect}")]
    Format { from: String, defect: Defect, wanted: Option<Kind> },
    #[error("{from}: {}", InputDefect::Role { found: *.found, wanted: *.wanted })]
    Role { from: String, found: Kind, wanted: Kind },
    #[error("{}: this is a signature, not the file that was signed", shown(.0))]
    SignatureAsFile(PathBuf),
    #[error("{}: this is not a signature, but {} is a signature", shown(.named), shown(.signature))]
    Swapped { named: PathBuf, signature: PathBuf },
    #[error("{from}: {}", InputDefect::Unrecognised(*.wanted, .what))]
    Unrecognised { from: String, wanted: Kind, what: Cow<'static, str> },
    #[error("{from}: {}", InputDefect::Key(*.kind, .source))]
    Key { from: String, kind: Kind, source: KeyError },
    #[error("{from}: {}", InputDefect::ManySignatures(*.count))]
    ManySignatures { from: String, count: usize },
    #[error("{from}: line {line}: {what}")]
    KeyTerm { from: String, line: usize, what: String },
    #[error("{from}: this key is also in {other}, with different key lines")]
    KeyTermsDiffer { from: String, other: String },
    #[error("{from}: the key is revoked: {why}")]
    KeyRevoked { from: String, why: String },
    #[error("{from}: the key was valid until {last}")]
    KeyExpired { from: String, last: Date },
    #[error("{0}: this is not a signed message of Falcon")]
    NotAttached(String),
    #[error("{from}: the file begins with {begin:?}, so an attacker could use its signature in {of}")]
    Preimage { from: String, begin: &'static str, of: &'static str },
    #[error("{from}: this is not a DSSE envelope: {what}")]
    Envelope { from: String, what: String, format: Option<ForeignFormat> },
    #[error("{from}: this is not a valid signature: {source}")]
    Signature { from: String, source: VerifyError },
    #[error("{from}: {}", InputDefect::Toy(*.algorithm))]
    Toy { from: String, algorithm: Algorithm },
    #[error("{from}: {}", InputDefect::Large(*.file))]
    TooLarge { from: String, file: SmallFile },
    #[error("{from}: the file is too large (limit {mebibytes} MiB)")]
    ListTooLarge { from: String, mebibytes: usize },
    #[error("{from}: name {number} {what}")]
    NameList { from: String, number: usize, what: &'static str },
    #[error("{from}: {}", InputDefect::Line { number: *.number, flaw: *.flaw })]
    ManifestLine { from: String, number: usize, flaw: Flaw },
    #[error("{}: {}", .0, InputDefect::NoLine)]
    ManifestEmpty(String),
    #[error("this is not a valid request: {what}")]
    Request { what: String },
    #[error("the line is longer than 16 MiB, which is the limit of a request")]
    LongRequest,
    #[error("{name}: this is not base64: {source}")]
    NotBase64 { name: &'static str, source: DecodeError },
    #[error("{from}: {}", InputDefect::Digest { wanted: *.wanted, found: *.found })]
    Digest { from: String, wanted: usize, found: u64 },
    #[error("{from}: {}", InputDefect::Algorithm(.found, *.wanted))]
    OtherAlgorithm { from: String, found: String, wanted: Algorithm },
    #[error("{from}: {}", InputDefect::Content(*.kind, *.stated, .found))]
    OtherContent { from: String, kind: Kind, stated: Algorithm, found: String },
    #[error("{from}: the key cannot be converted to {to}: {source}")]
    NotConvertible { from: String, to: Algorithm, source: KeyError },
    #[error("{from}: the signature does not fit into the {} encoding", .encoding.name())]
    TooLong { from: String, encoding: SignatureEncoding },
    #[error("{from}: {source}")]
    KeyParts { from: String, source: PrivateKeyError },
    #[error("{from}: the private key has no password")]
    NotEncrypted { from: String },
    #[error("{from}: fndsa cannot use this password: the password {why}")]
    PasswordUnusable { from: String, why: &'static str },
    #[error("{from}: this is not a result of `fndsa bench`: {what}")]
    Baseline { from: String, what: String },
    #[error("{from}: this machine is {here}, but the baseline was measured on {there}")]
    BaselineMachine { from: String, there: String, here: String },
    #[error("{from}: the baseline has no result for the operations of this run")]
    BaselineRows { from: String },
    #[error("{one} and {other} have no result in common")]
    DiffRows { one: String, other: String },

    // The system (4).
    #[error("{from}: {}", io_text(.source))]
    Io { from: String, source: io::Error },
    #[error("{}: no such file or directory", shown(.0))]
    NoSignature(PathBuf),
    #[error("{}: no such file or directory", shown(.0))]
    NothingToAddTo(PathBuf),
    #[error("{0}: there is no file with the given name")]
    NoSecretFile(&'static str),
    #[error("{}: is a directory", shown(.0))]
    Directory(PathBuf),
    #[error("{from}: the password check needs {mebibytes} MiB of memory, and the system does not give it")]
    NoMemory { from: String, mebibytes: u64 },
    #[error("{}: the directory has no files named *.pub", shown(.0))]
    NoKeyFiles(PathBuf),
    #[error("{}: no such directory", shown(.0))]
    NoDirectory(PathBuf),
    #[error("{}: the file has a signature by this key already, according to its signature note", shown(.0))]
    SignedAlready(PathBuf),
    #[error("{}: exists already", shown(.0))]
    Exists(PathBuf),
    #[error("{}: a private key exists already", shown(.path))]
    KeyExists { path: PathBuf, is_replaceable: bool },
    #[error("{from}: changed while being read")]
    Changed { from: String },
    #[error("{from}: replaced or deleted while being read")]
    Replaced { from: String },
    #[error("{}: another program changed the file meanwhile, and the file stays as that program left it", shown(.0))]
    ChangedMeanwhile(PathBuf),
    #[error("{}: this file is a private key, and it was not replaced", shown(.0))]
    IsKey(PathBuf),
    #[error("{from}: a link leads out of {}", .directory.as_ref().map_or_else(|| "the current directory".to_owned(), shown))]
    LinkOutside { from: String, directory: Option<PathBuf> },
    #[error("{from}: this is {what}, not a regular file")]
    NotRegular { from: String, what: &'static str },
    #[error("{from}: this is {what}, not a regular file")]
    NotAFile { from: String, what: &'static str, hint: &'static str },
    #[error("{from}: no such file or directory")]
    ListedMissing { from: String },
    #[error("standard output: {}", io_text(.0))]
    Stdout(io::Error),

    // Passwords (5).
    #[error("{from}: the private key is encrypted, and no password is given")]
    PasswordNeeded { from: String },
    #[error("{from}: the password is missing, because the input is empty")]
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
