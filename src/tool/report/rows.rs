//! The rows of the catalogue of errors: exit code, reason code and hint. The messages are in `error`.
//!
//! A hint may have variants, with ` | ` between them: see [`Hint`].

use super::escape::{pasted, shown};
use super::failures::{io_hint, io_reason};
use super::suffix::signed_by_name;
use super::{Error, Exit, Hint};
use crate::tool::system;
use fndsa::Scheme;
use fndsa::files::{Defect, Kind};
use fndsa::verdict::text::{
    InputDefect, defect_hint, defect_reason, envelope_hint, flaw_hint, flaw_reason, key_hint, label_hint, parts_reason,
    place_hint, role_hint, write_hint, write_reason,
};
use std::io;
use std::path::Path;

/// Returns what to do if there is no file with the name of a signature.
fn no_signature_hint(path: &Path) -> &'static str {
    match path.file_stem().map(Path::new).and_then(Path::extension) {
        Some(extension) if extension == "dsse" => "a DSSE envelope contains its signatures: verify it with --dsse TYPE",
        _ => "get the signature file, or name it with -s FILE; if the file is in a signed list, verify it with -M LIST",
    }
}

impl Error {
    /// Returns exit code, reason code and hint.
    pub(super) fn row(&self) -> (Exit, &'static str, Option<Hint>) {
        use Exit::{BadInput, Internal, Io, Locked, Pipe, Usage};
        let row = |exit, reason, hint: &'static str| {
            (exit, reason, if hint.is_empty() { None } else { Some(Hint::from(hint)) })
        };
        match self {
            Self::CommandLine { hint, .. } => (Usage, "usage", Some(Hint::from(hint.clone()))),
            Self::KeyText(spilled) => row(Usage, "key_as_name", spilled.hint),
            Self::StdinTwice => row(Usage, "stdin_twice", "it can be read only once: use files for the other inputs"),
            Self::PipeTwice(_) => row(Usage, "pipe_twice", "copy the data to a file, and name the file"),
            Self::OneInput { .. } => row(Usage, "one_input_only", "run the command once for each FILE"),
            Self::OutputIsInput(_) => row(Usage, "output_is_input", "choose another name for the output"),
            Self::SignatureAsInput { .. } => row(Usage, "output_is_input", "leave the *.sig files out"),
            Self::RawToTerminal => row(
                Usage,
                "raw_to_terminal",
                "write to a file with -o FILE, or use --format pem | write to a file, or choose the form pem",
            ),
            Self::JsonOnStdout => row(
                Usage,
                "json_on_stdout",
                "write the result to a file with -o FILE, or leave --json out | write the result to a file, or leave \
                 --json out",
            ),
            Self::NoJson => row(Usage, "json_on_stdout", "leave --json out"),
            Self::MessageOnStdout => row(
                Usage,
                "message_on_stdout",
                "write the message to a file, or print no verdict with -qq | write the message to a file",
            ),
            Self::JsonFormat => row(
                Usage,
                "json_format",
                "leave --json or --format out, or write the document to a file with --export-json FILE | leave --json or \
                 --format out",
            ),
            Self::JsonStream => {
                row(Usage, "json_format", "leave --json out: with --stream every answer is a JSON document")
            }
            Self::ExportOnStdout => row(
                Usage,
                "export_on_stdout",
                "name a file, or print the JSON document alone with --format json | name a file",
            ),
            Self::ContextLen(len) => row(
                Usage,
                InputDefect::ContextLen(*len).reason(),
                "use a shorter context, for example the hash of the long text",
            ),
            Self::ContextHex(_) => row(Usage, "context_not_hex", "write two digits for each byte, for example 00ff"),
            Self::Unset(_) => row(Usage, "variable_not_set", system::WORDS.key_variable),
            Self::EmptyVariable(_) => row(
                Usage,
                "variable_empty",
                "check that this job gets secrets: CI services give none to a change that comes from a fork",
            ),
            Self::NoKey(Kind::SigningKey) => row(Usage, "no_key", "name it with -k FILE, or in FNDSA_KEY"),
            Self::NoKey(_) => {
                row(Usage, "no_key", "name the public key of the signer with -p FILE, or in FNDSA_PUBLIC_KEY")
            }
            Self::AddRaw => {
                row(Usage, "add_raw", "leave out --add or --format raw: a raw file contains only one signature")
            }
            Self::AddToStdout => row(
                Usage,
                "add_to_stdout",
                "name the signature file with -o FILE | name the signature file instead of standard output",
            ),
            Self::AddToRaw(path) => {
                let hint = format!("`fndsa convert {} --to pem -o NEW.sig` writes it as PEM", pasted(path));
                (Usage, "add_raw", Some(Hint::from(hint)))
            }
            Self::OneKey(_) => row(Usage, "one_key_only", "give only one private key"),
            Self::DualClassic => row(Usage, "dual_of_one", "name another algorithm, or leave -a out"),
            Self::NoEnvelope(_) => row(
                Usage,
                "no_envelope",
                "sign with a key of another algorithm: in-toto expects pure Ed25519 there, and fndsa signs with Ed25519ph",
            ),
            Self::KeyTwice(_) => row(Usage, "key_twice", "give each private key once"),
            Self::TooManyKeys(_) => row(Usage, "too_many_keys", "sign with fewer keys"),
            Self::TooFewKeys { .. } => {
                row(Usage, "too_few_keys", "give the public key of every signer; one key in several files counts once")
            }
            Self::StdinSignature => row(Usage, "no_signature_named", "name the signature file with -s FILE"),
            Self::NoPrehash => row(
                Usage,
                "no_prehash_named",
                "name the hash, for example with --prehash sha512 | name the hash, for example sha512",
            ),
            Self::KeyName(_) => row(
                Usage,
                "bad_key_name",
                "`fndsa keygen NAME` writes NAME.key and NAME.pub; to write to standard output, use -o -",
            ),
            Self::ToyAlgorithm(algorithm) => row(Usage, InputDefect::Toy(*algorithm).reason(), TOY),
            Self::VerifyOnly(_) => row(
                Usage,
                "verify_only",
                "make a key of Falcon with -a falcon-512: its public key verifies such signatures | choose falcon-512: its \
                 public key verifies such signatures",
            ),
            Self::NoContext(scheme) => row(
                Usage,
                InputDefect::NoContext(*scheme).reason(),
                "leave --context out; FN-DSA and ML-DSA have contexts",
            ),
            Self::NoSuchPrehash { scheme, hash } => {
                let hint = match scheme {
                    Scheme::FalconRs => "choose sha256 or sha512",
                    Scheme::Ed25519 => "leave --prehash out: Ed25519ph always hashes the message with SHA-512",
                    _ => "choose a hash whose digest has at least 256 bits",
                };
                row(Usage, InputDefect::NoPrehash(*scheme, hash).reason(), hint)
            }
            Self::NoMu(scheme) => {
                row(Usage, InputDefect::NoMu(*scheme).reason(), "use a key of FN-DSA or ML-DSA: only these sign a mu")
            }
            Self::WeakPrehash { .. } => {
                row(Usage, "weak_prehash", "choose a longer hash, for example sha512; for tests, add --allow-weak")
            }
            Self::NotDeterministic(_) => row(
                Usage,
                "not_deterministic",
                "leave --deterministic out: two signatures that differ by a rounding error would reveal the key",
            ),
            Self::NoEncoding(_) => {
                row(Usage, "no_such_encoding", "leave --encoding out; only Falcon has several encodings")
            }
            Self::OutputTwice(_) => row(Usage, "same_output", "name each file once"),
            Self::SameOutput(_) => row(Usage, "same_output", "choose two different names"),
            Self::NoFiles(_) => {
                row(Usage, "no_files", "check the program that writes the names or requests: it may have failed")
            }
            Self::NoFilesBelow(_) => row(Usage, "no_files", "name the directory that contains the files of the list"),
            Self::ManifestName { flaw, .. } => row(Usage, flaw_reason(*flaw), flaw_hint(*flaw)),
            Self::ManifestPlace(_) => row(
                Usage,
                "manifest_place",
                "name a file for the list, for example SHA256SUMS; its signature goes to SHA256SUMS.sig",
            ),
            Self::BackendVariable(_) => {
                row(Usage, "no_such_backend", "unset the variable: without it fndsa uses the fastest level")
            }
            Self::Backends(_) => row(Usage, "one_backend_only", "name one level; `fndsa bench` compares several"),
            Self::UnsetPassword(_) => row(Usage, "variable_not_set", system::WORDS.password_variable),
            Self::KeyAsMessage(_) => row(
                Usage,
                "key_as_message",
                "leave the file out, or keep keys in another directory; to sign a copy of a key, name the copy",
            ),
            Self::PasswordUnneeded(_) => row(
                Usage,
                "password_unused",
                "leave the option out; `fndsa passwd FILE` encrypts a private key with a password",
            ),
            Self::PasswordUnused => row(Usage, "password_unused", "add --encrypt, or leave the password out"),
            Self::Write(e) => row(Exit::of_writing(e), write_reason(e), write_hint(e)),
            Self::OidUnused => row(
                Usage,
                "oid_unused",
                "leave --oid out, or choose the form pkcs8 for a private key and spki for a public key",
            ),
            Self::LayoutUnused => row(Usage, "layout_unused", "leave --layout out"),
            Self::PrivateFormUnused => row(Usage, "private_form_unused", "leave --private out"),
            Self::KeyPartLost { part, .. } => row(Usage, part.reason(), part.hint()),
            Self::KeyPrehash(_) => row(
                Usage,
                "key_prehash",
                "give such a key alone, and leave --prehash out, because the key names its hash",
            ),
            Self::EncodingUnused => row(Usage, "encoding_unused", "leave --encoding out"),
            Self::SignatureScheme { .. } => {
                row(Usage, "signature_scheme", "sign again with the key of the other scheme")
            }
            Self::Link { target, .. } => {
                let hint =
                    format!("give the name of the real file, {}, or write to another file with -o FILE", shown(target));
                (Usage, "is_a_link", Some(Hint::from(hint)))
            }
            Self::InPlace(_) => row(Usage, "not_in_place", "write the result to a file with -o FILE"),

            Self::Format { defect: Defect::Label(label), .. } => {
                (BadInput, "unknown_label", Some(Hint::from(label_hint(label))))
            }
            Self::Format { defect, wanted, .. } => {
                (BadInput, defect_reason(defect), defect_hint(defect, *wanted).map(Hint::from))
            }
            Self::Role { found, wanted, .. } => {
                let complaint = InputDefect::Role { found: *found, wanted: *wanted };
                (BadInput, complaint.reason(), role_hint(*found, *wanted).map(Hint::from))
            }
            Self::SignatureAsFile(path) => {
                let file = signed_by_name(path).map_or_else(|| "FILE".to_owned(), pasted);
                let hint = format!(
                    "name the signed file instead: {file}; if the file has another name, add -s {}",
                    pasted(path)
                );
                (BadInput, "wrong_kind", Some(Hint::from(hint)))
            }
            Self::Swapped { named, signature } => {
                let hint = format!(
                    "swap the two names: {} is the file, and {} is the signature",
                    shown(named),
                    shown(signature)
                );
                (BadInput, "swapped", Some(Hint::from(hint)))
            }
            Self::Unrecognised { wanted, what, .. } => {
                (BadInput, InputDefect::Unrecognised(*wanted, what).reason(), Some(Hint::from(place_hint(*wanted))))
            }
            Self::Key { kind, source, .. } => {
                (BadInput, InputDefect::Key(*kind, source).reason(), key_hint(source).map(Hint::from))
            }
            Self::ManySignatures { .. } => {
                row(BadInput, "too_many_signatures", "remove the signatures that no verifier needs")
            }
            Self::KeyTerm { .. } => row(
                BadInput,
                "key_terms",
                "begin a comment with `# `; docs/policies.md describes the lines before a trusted key",
            ),
            Self::KeyTermsDiffer { .. } => row(BadInput, "key_terms", "remove one of the two"),
            Self::KeyRevoked { .. } => {
                row(BadInput, "key_revoked", "publish instructions for the key that replaces it")
            }
            Self::KeyExpired { .. } => {
                row(BadInput, "key_expired", "publish instructions for the key that replaces it")
            }
            Self::NotAttached(_) => row(
                BadInput,
                "no_signed_message",
                "leave --attached out if the message is in FILE and the signature in FILE.sig",
            ),
            Self::Preimage { .. } => row(
                BadInput,
                "preimage",
                "sign the payload with --dsse TYPE, or an archive of the file: the author of the file may plan such a use",
            ),
            Self::Envelope { format, .. } => row(BadInput, "dsse_envelope", envelope_hint(*format)),
            Self::Signature { .. } => row(BadInput, "signature_malformed", "the file is damaged: copy it again"),
            Self::Toy { algorithm, .. } => row(BadInput, InputDefect::Toy(*algorithm).reason(), TOY),
            Self::TooLarge { .. } => {
                row(BadInput, "too_large", "name the key or the signature here; this file may be the message")
            }
            Self::ListTooLarge { .. } => row(
                BadInput,
                "too_large",
                "check that this is the right file; if it contains trusted keys, divide it into several files in a directory",
            ),
            Self::NameList { .. } => row(
                BadInput,
                "name_list",
                "write one name on each line; if the names end in NUL, add -0 | end each name in NUL",
            ),
            Self::ManifestLine { number, flaw, .. } => {
                row(BadInput, InputDefect::Line { number: *number, flaw: *flaw }.reason(), flaw_hint(*flaw))
            }
            Self::ManifestEmpty(_) => row(BadInput, InputDefect::NoLine.reason(), "sign a list with at least one file"),
            Self::Request { .. } => row(
                BadInput,
                "bad_request",
                "write each request as an object on one line: {\"id\": 1, \"path\": \"FILE\"}, with \"message_b64\" instead of \"path\" \
                 for bytes",
            ),
            Self::LongRequest => {
                row(BadInput, "too_large", "write the message to a file, and name the file with \"path\"")
            }
            Self::NotBase64 { .. } => row(
                BadInput,
                "not_base64",
                "use standard base64 (RFC 4648, section 4), with padding and without line ends",
            ),
            Self::Digest { wanted, found, .. } => row(
                BadInput,
                InputDefect::Digest { wanted: *wanted, found: *found }.reason(),
                "give the bytes or their hexadecimal digits, and nothing else",
            ),
            Self::OtherAlgorithm { found, wanted, .. } => row(
                BadInput,
                InputDefect::Algorithm(found, *wanted).reason(),
                "leave --algorithm out, or name the algorithm of the file",
            ),
            Self::OtherContent { kind, stated, found, .. } => row(
                BadInput,
                InputDefect::Content(*kind, *stated, found).reason(),
                "the file was put together wrongly: get the key from its owner again",
            ),
            Self::NotConvertible { .. } => row(
                BadInput,
                "key_not_convertible",
                "make a new key with `fndsa keygen`: this is one of the few Falcon keys with coefficients that are too large for FN-DSA",
            ),
            Self::TooLong { .. } => row(
                BadInput,
                "encoding_too_short",
                "choose the encoding compressed or ct: a few signatures do not fit into the others",
            ),
            Self::KeyParts { source, .. } => row(BadInput, parts_reason(source), JOINED),
            Self::NotEncrypted { .. } => row(BadInput, "not_encrypted", "there is nothing to remove"),
            Self::PasswordUnusable { .. } => {
                row(BadInput, "password_unusable", "give a file that has the password in its first line")
            }
            Self::Baseline { .. } => row(
                BadInput,
                "baseline_malformed",
                "write a baseline with `fndsa bench --export-json FILE` | measure a baseline first",
            ),
            Self::BaselineMachine { .. } => row(
                BadInput,
                "baseline_machine",
                "measure a baseline on this machine with --export-json FILE | measure a baseline on this machine",
            ),
            Self::BaselineRows { .. } => row(
                BadInput,
                "baseline_rows",
                "measure the same operations, algorithms, levels, message sizes and jobs as in the baseline",
            ),
            Self::DiffRows { .. } => {
                row(BadInput, "diff_rows", "measure the same operations, algorithms, message sizes and jobs both times")
            }

            Self::Io { source, .. } => row(Io, io_reason(source), io_hint(source)),
            Self::NothingToAddTo(_) => {
                row(Io, "not_found", "leave --add out for the first signature: --add needs a signature file")
            }
            Self::NoSecretFile(_) => row(
                Io,
                "not_found",
                "check the file name; it is not repeated here, because it may be the password itself",
            ),
            Self::NoSignature(path) => row(Io, "not_found", no_signature_hint(path)),
            Self::Directory(path) => {
                let directory = pasted(path);
                let hint = Hint::from(format!("sign all files in it as a list: -M SHA256SUMS -r {directory}"))
                    .or(format!("list all files in it with -r {directory}"));
                (Io, "is_a_directory", Some(hint))
            }
            Self::NoMemory { .. } => row(Io, "no_memory", system::WORDS.more_memory),
            Self::NoKeyFiles(_) => row(Io, "no_keys_there", "put public keys there, in files named NAME.pub"),
            Self::NoDirectory(_) => row(Io, "no_directory", system::WORDS.make_directory),
            Self::SignedAlready(_) => row(Io, "signed_already", "--force replaces that signature"),
            Self::KeyExists { is_replaceable: true, .. } => {
                row(Io, "exists", "choose another name; --force destroys the old key")
            }
            Self::KeyExists { .. } => row(Io, "exists", "choose another name: this command replaces no private key"),
            Self::Exists(_) => row(Io, "exists", "--force replaces it"),
            Self::Changed { .. } | Self::Replaced { .. } => {
                row(Io, "changed_while_read", "try again when no program writes to it")
            }
            Self::ChangedMeanwhile(_) => row(Io, "changed_meanwhile", "check the file, and try again"),
            Self::IsKey(_) => row(
                Io,
                "replaces_private_key",
                "choose another name; only `fndsa keygen` and `fndsa passwd` replace a private key",
            ),
            Self::LinkOutside { .. } => {
                row(Io, "link_outside", "a list names files below one directory: put a copy of the file there")
            }
            Self::NotRegular { .. } => {
                row(Io, "not_a_regular_file", "a list names regular files only: move it elsewhere")
            }
            Self::NotAFile { hint, .. } => row(Io, "not_a_regular_file", hint),
            Self::ListedMissing { .. } => row(
                Io,
                "not_found",
                "names in a list are relative to the current directory: give another directory with -C DIR; skip missing files with \
                 --ignore-missing | names in the list are relative to the given directory; skip missing files with --ignore-missing",
            ),
            Self::Stdout(e) if e.kind() == io::ErrorKind::BrokenPipe => row(Pipe, "closed_pipe", ""),
            Self::Stdout(e) => row(Io, io_reason(e), "the output is lost; files that were written are complete"),

            Self::SelfTest { .. } => row(
                Internal,
                "self_test_failed",
                "do not make keys or signatures on this machine: its hardware may be faulty",
            ),
            Self::PasswordNeeded { .. } => row(
                Locked,
                "password_needed",
                "give it with --password-file FILE, or with --password-env VAR, or in FNDSA_PASSWORD or FNDSA_PASSWORD_FILE",
            ),
            Self::NoPassword { .. } => row(
                Locked,
                "password_empty",
                "check the program or the CI secret that gives the password; an empty line is an empty password",
            ),
            Self::WrongPassword { .. } => row(Locked, "wrong_password", "check blanks and capital letters"),
            Self::NewPasswordNeeded { options } => {
                (Locked, "password_needed", Some(Hint::from(format!("give it with {options}"))))
            }
            Self::PasswordsDiffer => row(Locked, "passwords_differ", "type the same password twice"),

            Self::Tables(_) => row(
                Internal,
                "tables_damaged",
                "the program file is damaged, or the memory is faulty: install fndsa again, or use another machine",
            ),
            Self::Internal(_) => {
                row(Internal, "internal", "try again; if it fails again, report the command and this message")
            }
        }
    }
}

const TOY: &str = "for tests only: add --allow-weak";
/// The hint for a private key whose parts do not belong together.
const JOINED: &str = "the file is damaged, or it was joined from parts of two keys: restore it from a copy";
