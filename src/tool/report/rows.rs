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
        Some(extension) if extension == "dsse" => {
            "a DSSE envelope contains its own signatures: verify the envelope with --dsse TYPE"
        }
        _ => {
            "put the signature file next to the signed file, or name it with -s FILE; if a signed list contains the file, \
             verify it with -M LIST"
        }
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
            Self::StdinTwice => {
                row(Usage, "stdin_twice", "fndsa can read standard input only once: use files for the other inputs")
            }
            Self::PipeTwice(_) => row(Usage, "pipe_twice", "copy the data to a file, and give the name of the file"),
            Self::OneInput { .. } => row(Usage, "one_input_only", "run the command once for each FILE"),
            Self::OutputIsInput(_) => row(Usage, "output_is_input", "choose another name for the output"),
            Self::SignatureAsInput { .. } => {
                row(Usage, "output_is_input", "leave the *.sig files out of the files to sign")
            }
            Self::RawToTerminal => row(
                Usage,
                "raw_to_terminal",
                "write the result to a file with -o FILE, or print it as text with --format pem | write the result to a file, \
                 or choose the form pem",
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
                "write the message to a file, or suppress the verdict with -qq | write the message to a file",
            ),
            Self::JsonFormat => row(
                Usage,
                "json_format",
                "leave --json or --format out; to write the JSON document to a file, add --export-json FILE | leave --json or \
                 --format out",
            ),
            Self::JsonStream => {
                row(Usage, "json_format", "leave --json out: with --stream, every answer is already a JSON document")
            }
            Self::ExportOnStdout => row(
                Usage,
                "export_on_stdout",
                "write the file to disk instead of standard output; to print only the JSON document, use --format json | write \
                 the file to disk instead of standard output",
            ),
            Self::ContextLen(len) => row(
                Usage,
                InputDefect::ContextLen(*len).reason(),
                "use a shorter context, for example the hash of the long text",
            ),
            Self::ContextHex(_) => {
                row(Usage, "context_not_hex", "write two hexadecimal digits for each byte, for example 00ff")
            }
            Self::Unset(_) => row(Usage, "variable_not_set", system::WORDS.key_variable),
            Self::EmptyVariable(_) => row(
                Usage,
                "variable_empty",
                "check that this CI job receives secrets: CI services do not give secrets to changes from a fork",
            ),
            Self::NoKey(Kind::SigningKey) => {
                row(Usage, "no_key", "name the private key file with -k FILE, or in the variable FNDSA_KEY")
            }
            Self::NoKey(_) => row(
                Usage,
                "no_key",
                "name the public key file of the signer with -p FILE, or in the variable FNDSA_PUBLIC_KEY",
            ),
            Self::AddRaw => {
                row(Usage, "add_raw", "leave out --add or --format raw: a raw file contains only one signature")
            }
            Self::AddToStdout => row(
                Usage,
                "add_to_stdout",
                "name the signature file with -o FILE | name the signature file instead of standard output",
            ),
            Self::AddToRaw(path) => {
                let hint =
                    format!("convert the signature to PEM first: `fndsa convert {} --to pem -o NEW.sig`", pasted(path));
                (Usage, "add_raw", Some(Hint::from(hint)))
            }
            Self::OneKey(_) => row(Usage, "one_key_only", "give only one private key"),
            Self::DualClassic => row(Usage, "dual_of_one", "name another algorithm, or leave -a out"),
            Self::NoEnvelope(_) => row(
                Usage,
                "no_envelope",
                "sign with a key of another algorithm: in-toto expects pure Ed25519 signatures in envelopes, but fndsa makes \
                 Ed25519ph signatures",
            ),
            Self::KeyTwice(_) => row(Usage, "key_twice", "give each private key once"),
            Self::TooManyKeys(_) => row(Usage, "too_many_keys", "sign with fewer keys"),
            Self::TooFewKeys { .. } => row(
                Usage,
                "too_few_keys",
                "give the public keys of more signers; a key that is in several files counts only once",
            ),
            Self::StdinSignature => row(Usage, "no_signature_named", "name the signature file with -s FILE"),
            Self::NoPrehash => row(
                Usage,
                "no_prehash_named",
                "name the hash, for example with --prehash sha512 | name the hash, for example sha512",
            ),
            Self::KeyName(_) => row(
                Usage,
                "bad_key_name",
                "give the name of a file: `fndsa keygen NAME` writes NAME.key and NAME.pub; to write to standard output, use -o -",
            ),
            Self::ToyAlgorithm(algorithm) => row(Usage, InputDefect::Toy(*algorithm).reason(), TOY),
            Self::VerifyOnly(_) => row(
                Usage,
                "verify_only",
                "make a Falcon key with -a falcon-512: its public key also verifies signatures of this algorithm | choose the \
                 algorithm falcon-512: its public keys also verify signatures of this algorithm",
            ),
            Self::NoContext(scheme) => row(
                Usage,
                InputDefect::NoContext(*scheme).reason(),
                "leave --context out, or use a key of FN-DSA or ML-DSA, which support contexts",
            ),
            Self::NoSuchPrehash { scheme, hash } => {
                let hint = match scheme {
                    Scheme::FalconRs => "choose the pre-hash sha256 or sha512",
                    Scheme::Ed25519 => "leave --prehash out: Ed25519ph always hashes the message with SHA-512",
                    _ => "choose a hash whose digest has at least 256 bits",
                };
                row(Usage, InputDefect::NoPrehash(*scheme, hash).reason(), hint)
            }
            Self::NoMu(scheme) => row(
                Usage,
                InputDefect::NoMu(*scheme).reason(),
                "use a key of FN-DSA or ML-DSA: only these schemes sign an external mu",
            ),
            Self::WeakPrehash { .. } => {
                row(Usage, "weak_prehash", "choose a longer hash, for example sha512; for tests, add --allow-weak")
            }
            Self::NotDeterministic(_) => row(
                Usage,
                "not_deterministic",
                "leave --deterministic out: if two signatures of the same message differed by a rounding error, they would \
                 reveal the private key",
            ),
            Self::NoEncoding(_) => {
                row(Usage, "no_such_encoding", "leave --encoding out; only Falcon has several encodings")
            }
            Self::OutputTwice(_) => row(Usage, "same_output", "name each file only once"),
            Self::SameOutput(_) => row(Usage, "same_output", "choose two different names"),
            Self::NoFiles(_) => row(
                Usage,
                "no_files",
                "check the program that writes the file names or requests: that program may have failed",
            ),
            Self::NoFilesBelow(_) => row(Usage, "no_files", "name the directory that contains the files of the list"),
            Self::ManifestName { flaw, .. } => row(Usage, flaw_reason(*flaw), flaw_hint(*flaw)),
            Self::ManifestPlace(_) => row(
                Usage,
                "manifest_place",
                "give a file name for the list, for example SHA256SUMS; fndsa writes the signature to SHA256SUMS.sig",
            ),
            Self::BackendVariable(_) => row(
                Usage,
                "no_such_backend",
                "unset the variable FNDSA_BACKEND: without it, fndsa uses the fastest level",
            ),
            Self::Backends(_) => {
                row(Usage, "one_backend_only", "give only one level; `fndsa bench` compares several levels")
            }
            Self::UnsetPassword(_) => row(Usage, "variable_not_set", system::WORDS.password_variable),
            Self::KeyAsMessage(_) => row(
                Usage,
                "key_as_message",
                "leave this file out, or move the keys to another directory; to sign a key on purpose, copy the key and sign the copy",
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
                "give only this private key, and leave --prehash out: the key itself names its pre-hash",
            ),
            Self::EncodingUnused => row(Usage, "encoding_unused", "leave --encoding out"),
            Self::SignatureScheme { .. } => {
                row(Usage, "signature_scheme", "sign the file again with a key of the wanted algorithm")
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
                    "name the signed file instead: {file}; if the signed file has another name, give that name and add -s {}",
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
                "if the line is a comment, begin it with `# `; docs/policies.md explains the key lines, for example \
                 `not-after:` and `revoked:`",
            ),
            Self::KeyTermsDiffer { .. } => row(
                BadInput,
                "key_terms",
                "remove the key from one of the two places, or give it the same key lines in both",
            ),
            Self::KeyRevoked { .. } => {
                row(BadInput, "key_revoked", "publish instructions for the new key that replaces this key")
            }
            Self::KeyExpired { .. } => {
                row(BadInput, "key_expired", "publish instructions for the new key that replaces this key")
            }
            Self::NotAttached(_) => row(
                BadInput,
                "no_signed_message",
                "leave --attached out if the message is in FILE and the signature in FILE.sig",
            ),
            Self::Preimage { .. } => row(
                BadInput,
                "preimage",
                "the author of the file may plan this misuse: sign the payload with --dsse TYPE, or put the file into an \
                 archive and sign the archive",
            ),
            Self::Envelope { format, .. } => row(BadInput, "dsse_envelope", envelope_hint(*format)),
            Self::Signature { .. } => {
                row(BadInput, "signature_malformed", "the file is damaged: copy or download it again")
            }
            Self::Toy { algorithm, .. } => row(BadInput, InputDefect::Toy(*algorithm).reason(), TOY),
            Self::TooLarge { .. } => row(
                BadInput,
                "too_large",
                "check the file name: this file may be the message, but a key, signature or context \
                                            belongs here",
            ),
            Self::ListTooLarge { .. } => row(
                BadInput,
                "too_large",
                "check the file name; if the file contains trusted keys, split it into several files in a directory",
            ),
            Self::NameList { .. } => row(
                BadInput,
                "name_list",
                "write each file name on a separate line; if each name ends with a NUL byte, add -0 | end each file name with a NUL byte",
            ),
            Self::ManifestLine { number, flaw, .. } => {
                row(BadInput, InputDefect::Line { number: *number, flaw: *flaw }.reason(), flaw_hint(*flaw))
            }
            Self::ManifestEmpty(_) => row(BadInput, InputDefect::NoLine.reason(), "sign a list with at least one file"),
            Self::Request { .. } => row(
                BadInput,
                "bad_request",
                "write each request as a JSON object on one line, for example {\"id\": 1, \"path\": \"FILE\"}; to send the \
                 message itself, write it in base64 as \"message_b64\" instead of \"path\"",
            ),
            Self::LongRequest => {
                row(BadInput, "too_large", "write the message to a file, and give the file name as \"path\"")
            }
            Self::NotBase64 { .. } => row(
                BadInput,
                "not_base64",
                "use standard base64 (RFC 4648, section 4), with padding and without line ends",
            ),
            Self::Digest { wanted, found, .. } => row(
                BadInput,
                InputDefect::Digest { wanted: *wanted, found: *found }.reason(),
                "give a file that contains only these bytes or their hexadecimal digits",
            ),
            Self::OtherAlgorithm { found, wanted, .. } => row(
                BadInput,
                InputDefect::Algorithm(found, *wanted).reason(),
                "leave --algorithm out, or name the algorithm of the file",
            ),
            Self::OtherContent { kind, stated, found, .. } => row(
                BadInput,
                InputDefect::Content(*kind, *stated, found).reason(),
                "the file is inconsistent: get the key from its owner again",
            ),
            Self::NotConvertible { .. } => row(
                BadInput,
                "key_not_convertible",
                "make a new key with `fndsa keygen`: this is one of the few Falcon keys with coefficients that are too large for FN-DSA",
            ),
            Self::TooLong { .. } => row(
                BadInput,
                "encoding_too_short",
                "choose the encoding compressed or ct: a few signatures do not fit into the other encodings",
            ),
            Self::KeyParts { source, .. } => row(BadInput, parts_reason(source), JOINED),
            Self::NotEncrypted { .. } => {
                row(BadInput, "not_encrypted", "no change is necessary: the private key is not encrypted")
            }
            Self::PasswordUnusable { .. } => {
                row(BadInput, "password_unusable", "give a file with the password in its first line")
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
                "check the file name; fndsa does not print the name, because it may be the password itself",
            ),
            Self::NoSignature(path) => row(Io, "not_found", no_signature_hint(path)),
            Self::Directory(path) => {
                let directory = pasted(path);
                let hint = Hint::from(format!(
                    "to sign all files in the directory as a list, use -M SHA256SUMS -r {directory}"
                ))
                .or(format!("to list all files in the directory, use -r {directory}"));
                (Io, "is_a_directory", Some(hint))
            }
            Self::NoMemory { .. } => row(Io, "no_memory", system::WORDS.more_memory),
            Self::NoKeyFiles(_) => {
                row(Io, "no_keys_there", "put the public keys into this directory, in files named NAME.pub")
            }
            Self::NoDirectory(_) => row(Io, "no_directory", system::WORDS.make_directory),
            Self::SignedAlready(_) => row(Io, "signed_already", "to replace that signature, add --force"),
            Self::KeyExists { is_replaceable: true, .. } => {
                row(Io, "exists", "choose another name; with --force, fndsa would destroy the old private key")
            }
            Self::KeyExists { .. } => {
                row(Io, "exists", "choose another name: this command never replaces a private key")
            }
            Self::Exists(_) => row(Io, "exists", "to replace the file, add --force"),
            Self::Changed { .. } | Self::Replaced { .. } => {
                row(Io, "changed_while_read", "try again when no other program writes to the file")
            }
            Self::ChangedMeanwhile(_) => row(Io, "changed_meanwhile", "check the content of the file, and try again"),
            Self::IsKey(_) => row(
                Io,
                "replaces_private_key",
                "choose another name; only `fndsa keygen` and `fndsa passwd` replace a private key",
            ),
            Self::LinkOutside { .. } => row(
                Io,
                "link_outside",
                "a list can name only files below one directory: put a copy of the linked file into \
                                         that directory",
            ),
            Self::NotRegular { .. } => row(
                Io,
                "not_a_regular_file",
                "a list can name only regular files: leave this file out, or move it out of the directory",
            ),
            Self::NotAFile { hint, .. } => row(Io, "not_a_regular_file", hint),
            Self::ListedMissing { .. } => row(
                Io,
                "not_found",
                "names in a list are relative to the current directory: to use another directory, add -C DIR; to skip missing \
                 files, add --ignore-missing | names in the list are relative to the given directory; to skip missing files, \
                 add --ignore-missing",
            ),
            Self::Stdout(e) if e.kind() == io::ErrorKind::BrokenPipe => row(Pipe, "closed_pipe", ""),
            Self::Stdout(e) => {
                row(Io, io_reason(e), "the printed output is incomplete, but all files that fndsa wrote are complete")
            }

            Self::SelfTest { .. } => row(
                Internal,
                "self_test_failed",
                "make no keys or signatures on this machine: its hardware may be faulty",
            ),
            Self::PasswordNeeded { .. } => row(
                Locked,
                "password_needed",
                "give the password with --password-file FILE, or with --password-env VAR, or in the variable FNDSA_PASSWORD or \
                 FNDSA_PASSWORD_FILE",
            ),
            Self::NoPassword { .. } => row(
                Locked,
                "password_empty",
                "check the program or the CI secret that provides the password; if the password is really empty, provide an empty line",
            ),
            Self::WrongPassword { .. } => {
                row(Locked, "wrong_password", "check the spaces and the capital letters of the password")
            }
            Self::NewPasswordNeeded { options } => {
                (Locked, "password_needed", Some(Hint::from(format!("give the new password with {options}"))))
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

const TOY: &str = "choose another algorithm; only for tests, add --allow-weak";
/// The hint for a private key whose parts do not belong together.
const JOINED: &str = "the file is damaged, or it contains parts of two different keys: restore the file from a backup";
