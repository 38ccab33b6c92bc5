//! The table of the program's errors.
//!
//! A row contains the variant, its fields, the exit code, the reason code, the message and the
//! hint. Scripts use the two codes. In a hint, ` | ` separates alternative texts (see [`Hint`]).

use super::Exit::{self, BadInput, Internal, Io, Locked, Pipe, Usage};
use super::Hint;
use super::error_row::{ErrorRow, errors};
use super::escape::{pasteable_name, shown};
use super::failures::{io_row, io_text, is_broken_pipe};
use super::file_hints;
use super::key_words::{key_exists_hint, too_few_hint, too_few_text};
use super::keytext::LeakedKeyText;
use super::suffix::signed_by_name;
use crate::tool::system;
use base64::DecodeError;
use fndsa::Algorithm;
use fndsa::algorithm::{Scheme, SignatureEncoding};
use fndsa::error::{KeyError, VerifyError};
use fndsa::files::cms::CmsDefect;
use fndsa::files::hex::HexError;
use fndsa::files::jws::JwsDefect;
use fndsa::files::manifest::ListDefect;
use fndsa::files::ssh::SshSignatureDefect;
use fndsa::files::x509::{X509Defect, X509Kind};
use fndsa::files::{Date, Defect, ForeignFormat, ObjectKind, PrivateKeyError, WriteError};
use fndsa::verdict::allowed_signers::SignerMismatch;
use fndsa::verdict::text::{
    InputDefect, KeyPart, MAX_SIGNATURES, SmallFile, defect_row, envelope_hint, label_hint, list_defect_row, parts_row,
    write_row,
};
use std::borrow::Cow;
use std::io;
use std::path::PathBuf;

errors! {
    // Errors in the command line (exit code 2).
    CommandLine { message: String, hint: String } => Usage, "usage";
        "{message}";
        hint.clone();
    KeyText(leaked: LeakedKeyText) => Usage, "key_as_name";
        "{leaked}";
        leaked.hint;
    StdinTwice => Usage, "stdin_twice";
        "standard input (`-`) is given for more than one input";
        "fndsa can read standard input only once: use files for the other inputs";
    PipeTwice(from: String) => Usage, "pipe_twice";
        "{from}: this pipe is given for more than one input, but fndsa can read a pipe only once";
        "copy the data to a file, and give the name of the file";
    MuInJson => Usage, "mu_in_json";
        "--print-mu=base64 and --print-mu=raw have no effect with --json";
        "leave the form out: the document contains the mu as hexadecimal digits in `mu_hex`";
    OneInput { option: &'static str, count: usize } => Usage, "one_input_only";
        "{option} takes only one FILE, but {count} files are given";
        "run the command once for each FILE";
    OutputIsInput(path: PathBuf) => Usage, "output_is_input";
        "{}: the output is also an input", shown(path);
        "choose another name for the output";
    SignatureAsInput { signature: PathBuf, file: PathBuf } => Usage, "output_is_input";
        "{}: this file is to be signed, but the new signature of {} would replace it", shown(signature), shown(file);
        "leave the *.sig files out of the files to sign";
    RawToTerminal => Usage, "raw_to_terminal";
        "fndsa does not print raw bytes on a terminal";
        "write the result to a file with -o FILE, or print it as text with --format pem | write the result to a file, or \
         choose the form pem";
    JsonOnStdout => Usage, "json_on_stdout";
        "the JSON document and the result cannot both go to standard output";
        "write the result to a file with -o FILE, or leave --json out | write the result to a file, or leave --json out";
    NoJson => Usage, "json_on_stdout";
        "this command prints text and has no JSON document";
        "leave --json out";
    MessageOnStdout => Usage, "message_on_stdout";
        "the verdict and the message cannot both go to standard output";
        "write the message to a file, or suppress the verdict with -qq | write the message to a file";
    JsonFormat => Usage, "json_format";
        "--json and --format both choose the form of the result";
        "leave --json or --format out; to write the JSON document to a file, add --export-json FILE | leave --json or \
         --format out";
    JsonStream => Usage, "json_format";
        "--json cannot be used with --stream";
        "leave --json out: with --stream, every answer is already a JSON document";
    ExportOnStdout => Usage, "export_on_stdout";
        "the table and the file of --export-json or --report cannot both go to standard output";
        "write the file to disk instead of standard output; to print only the JSON document, use --format json | write the \
         file to disk instead of standard output";
    ContextLen(len: usize) where defect = InputDefect::ContextLen(*len) => Usage, defect.reason();
        "{defect}";
        defect.hint();
    ContextHex(source: HexError) => Usage, "context_not_hex";
        "--context-hex is not hexadecimal: {source}";
        "write two hexadecimal digits for each byte, for example 00ff";
    Unset(variable: String) => Usage, "variable_not_set";
        "the variable {} is not set", shown(variable);
        system::SYSTEM_HINTS.key_variable;
    EmptyVariable(variable: String) => Usage, "variable_empty";
        "the variable {} is set but empty", shown(variable);
        "check that this CI job receives secrets: CI services do not give secrets to changes from a fork";
    QuotedVariable(variable: String) => Usage, "variable_quoted";
        "the variable {}: the text of the key is in quotation marks", shown(variable);
        "remove the quotation marks from the value of the variable";
    NameInVariable(variable: String) => Usage, "name_as_key";
        "the variable {} contains the name of a file, not the text of a key", shown(variable);
        [
            "give the file name with -k".to_owned(),
            "put the text of the file into the variable, not its name".to_owned(),
        ];
    NoKey(kind: ObjectKind) => Usage, "no_key";
        "no {} is given", kind.name();
        match kind {
            ObjectKind::SigningKey => "name the private key file with -k FILE, or in the variable FNDSA_KEY",
            _ => "name the public key file of the signer with -p FILE, or in the variable FNDSA_PUBLIC_KEY",
        };
    NoKeyForMu => Usage, "no_key";
        "no public key and no private key is given";
        "name the public key file with -p FILE, or the private key file with -k FILE";
    AddRaw => Usage, "add_raw";
        "a file with several signatures must be PEM, not raw";
        "leave out --add or --format raw: a raw file contains only one signature";
    AddToStdout => Usage, "add_to_stdout";
        "--add adds to a signature file, not to standard output";
        "name the signature file with -o FILE | name the signature file instead of standard output";
    AddToRaw(path: PathBuf) => Usage, "add_raw";
        "{}: this file is a raw signature, and a raw file can contain only one signature", shown(path);
        format!("convert the signature to PEM first: `fndsa convert {} --to pem -o NEW.sig`", pasteable_name(path));
    SchemeElsewhere(scheme: Scheme) => Usage, "no_signature_from_elsewhere";
        "--signature does not support {} signatures", scheme.title();
        "convert the signature to PEM with `fndsa convert SIGNATURE --to pem`, and verify it with `fndsa verify`";
    OneKey(operation: &'static str) => Usage, "one_key_only";
        "{operation} takes one private key, but several are given";
        "give only one private key";
    DualClassic => Usage, "dual_of_one";
        "--dual makes an Ed25519 key pair and a key pair of another algorithm, so -a cannot be ed25519 or end in -ed25519";
        "name another algorithm, or leave -a out";
    DsseFormScheme(scheme: Scheme) => Usage, "no_dsse_form";
        "the DSSE form tap21 is not defined for {} keys", scheme.title();
        "leave --dsse-form out: fndsa uses the form tap21 only for ML-DSA keys";
    DsseFormOptions => Usage, "no_dsse_form";
        "the DSSE form tap21 has no context and no pre-hash";
        "leave --context and --prehash out: only the form pae supports them";
    NoSshSignature { algorithm: Algorithm, kind: ObjectKind } where defect = InputDefect::NoSshSignature(*algorithm) => Usage, defect.reason();
        "{defect}";
        match kind {
            ObjectKind::SigningKey => "make a key with `fndsa keygen -a ml-dsa-44-ed25519 NAME`, or leave --ssh out",
            _ => defect.hint(),
        };
    NoJws { algorithm: Algorithm, kind: ObjectKind } where defect = InputDefect::NoJws(*algorithm) => Usage, defect.reason();
        "{defect}";
        match kind {
            ObjectKind::SigningKey => "make a key with `fndsa keygen -a ml-dsa-65 NAME`, or leave --jws out",
            _ => defect.hint(),
        };
    BoundPrehash { format: &'static str, reason: &'static str } => Usage, reason;
        "{format} has no pre-hash, and the key is bound to a pre-hash";
        "give a key that is not bound to a pre-hash";
    NoCms { algorithm: Algorithm, kind: ObjectKind } where defect = InputDefect::NoCms(*algorithm) => Usage, defect.reason();
        "{defect}";
        match kind {
            ObjectKind::SigningKey => "make a key with `fndsa keygen -a ml-dsa-65 NAME`, and a certificate for it",
            _ => defect.hint(),
        };
    CertificateNeeded => Usage, "no_certificate";
        "a CMS signature names the certificate of its key, and no certificate is given";
        file_hints::CERTIFICATE_NEEDED;
    NoCertificate { from: String, fingerprint: String } => Usage, "no_certificate";
        "{from} ({fingerprint}): no certificate of --cert is for this private key";
        "give also the certificate of this key";
    OtherCertificate { from: String, is_second: bool } => Usage, "no_certificate";
        "{from}: {}", if *is_second { "another certificate is for the same key" } else { "the certificate is not for one of the keys that sign" };
        if *is_second { "give one certificate for each key" } else { "give only the certificates of the keys that sign" };
    NoX509 { algorithm: Algorithm } => Usage, "no_x509";
        "X.509 has no signatures of {algorithm}, because no object identifier is assigned";
        "make a key of ML-DSA, Ed25519 or a composite, for example with `fndsa keygen -a ml-dsa-65 NAME`";
    KeyTwice(key: String) => Usage, "key_twice";
        "the private key of {key} is given twice";
        "give each private key once";
    TooManyKeys(count: usize) => Usage, "too_many_keys";
        "{count} private keys are given, but a file has at most {MAX_SIGNATURES} signatures";
        "sign with fewer keys";
    TooFewKeys { required: usize, available: usize, is_expected: bool } => Usage, "too_few_keys";
        "signatures by {required} keys are required, but only {available} {}", too_few_text(*available, *is_expected);
        too_few_hint(*is_expected);
    KeyAsFile(path: PathBuf) => Usage, "key_as_file";
        "{}: this is a public key, and it is given as a file to verify, not as a trusted key", shown(path);
        "without -p before its name, a public key is only a file to verify: write -p before the name to require its signature, \
         or verify the key with a separate command without --require all";
    StdinSignature => Usage, "no_signature_named";
        "standard input has no name, so its signature file is not known";
        "name the signature file with -s FILE";
    NoPrehash => Usage, "no_prehash_named";
        "--prehashed needs the name of the hash function";
        "name the hash, for example with --prehash sha512 | name the hash, for example sha512";
    KeyName(path: PathBuf) => Usage, "bad_key_name";
        "{}: a key pair cannot have this name", shown(path);
        "give the name of a file: `fndsa keygen NAME` writes NAME.key and NAME.pub; to write to standard output, use -o -";
    ToyAlgorithm(algorithm: Algorithm) where defect = InputDefect::Toy(*algorithm) => Usage, defect.reason();
        "{defect}";
        defect.hint();
    VerifyOnly(algorithm: Algorithm) => Usage, "verify_only";
        "{algorithm} is for verification only";
        "make a Falcon key with -a falcon-512: its public key also verifies signatures of this algorithm | choose the \
         algorithm falcon-512: its public keys also verify signatures of this algorithm";
    NoContext(scheme: Scheme) where defect = InputDefect::NoContext(*scheme) => Usage, defect.reason();
        "{defect}";
        defect.hint();
    NoSuchPrehash { scheme: Scheme, hash: &'static str }
        where defect = InputDefect::NoPrehash(*scheme, hash) => Usage, defect.reason();
        "{defect}";
        defect.hint();
    NoMu(scheme: Scheme) where defect = InputDefect::NoMu(*scheme) => Usage, defect.reason();
        "{defect}";
        defect.hint();
    WeakPrehash { algorithm: Algorithm, hash: &'static str, bits: usize } => Usage, "weak_prehash";
        "the pre-hash {hash} is too weak for {algorithm}: FIPS 204 requires {bits} bits";
        "choose a longer hash, for example sha512; for tests, add --allow-weak";
    NotDeterministic(scheme: Scheme) => Usage, "not_deterministic";
        "{} has no deterministic signatures", scheme.title();
        "leave --deterministic out: if two signatures of the same message differed by a rounding error, they would reveal \
         the private key";
    NoEncoding(scheme: Scheme) => Usage, "no_such_encoding";
        "signatures of {} have only the padded encoding", scheme.title();
        "leave --encoding out; only Falcon has several encodings";
    SeveralLevels(count: usize) => Usage, "one_backend_only";
        "this command takes one level, but {count} are given";
        "give only one level; `fndsa bench` compares several levels";
    LevelVariable(what: String) => Usage, "no_such_backend";
        "the variable FNDSA_BACKEND: {what}";
        "unset the variable FNDSA_BACKEND: without it, fndsa uses the fastest level";
    SameOutput(path: PathBuf) => Usage, "same_output";
        "{}: the private key and the public key would both go to this file", shown(path);
        "choose two different names";
    OutputTwice(path: PathBuf) => Usage, "same_output";
        "{}: two signatures would go to this file", shown(path);
        "name each file only once";
    NoFiles(from: String) => Usage, "no_files";
        "{from}: the input names no files";
        "check the program that writes the file names or requests: that program may have failed";
    NoFilesBelow(path: PathBuf) => Usage, "no_files";
        "{}: this directory has no files to list", shown(path);
        "name the directory that contains the files of the list";
    ManifestName { name: PathBuf, flaw: ListDefect } => Usage, list_defect_row(*flaw).0;
        "{}: this name cannot be in a list: {flaw}", shown(name);
        list_defect_row(*flaw).1;
    ManifestPlace(path: PathBuf) => Usage, "manifest_place";
        "{}: fndsa cannot write a list with this name", shown(path);
        "give a file name for the list, for example SHA256SUMS; fndsa writes the signature to SHA256SUMS.sig";
    KeyAsMessage(from: String) => Usage, "key_as_message";
        "{from}: this file is the private key or its password, and it is among the files to sign";
        "leave this file out, or move the keys to another directory; to sign a key on purpose, copy the key and sign the copy";
    KeyInList { from: String, path: PathBuf } => Usage, "key_as_message";
        "{from}: this file is a private key, and the list would be published with it";
        format!(
            "move the private key to another directory, or leave it out of the list; to sign with this key, give it with -k {}; \
             to publish a test key on purpose, put it into an archive",
            pasteable_name(path)
        );
    KeyAmongFiles { from: String, path: PathBuf } => Usage, "key_as_message";
        "{from}: this file is a private key, and it is given as a file to sign";
        [
            format!("to sign with this key, give it with -k {}; to sign a private key on purpose, give it as the only FILE", pasteable_name(path)),
            "to sign with this key also, repeat the option for a private key before its name; to sign a private key on purpose, \
             give it as the only FILE".to_owned(),
        ];
    PasswordUnneeded(option: &'static str) => Usage, "password_unused";
        "{option} is given, but no private key is encrypted";
        "leave the option out; `fndsa passwd FILE` encrypts a private key with a password";
    UnsetPassword(option: &'static str) => Usage, "variable_not_set";
        "{option}: no variable with the given name is set";
        system::SYSTEM_HINTS.password_variable;
    PasswordUnused => Usage, "password_unused";
        "a password is given, but --encrypt is not";
        "add --encrypt, or leave the password out";
    Write(source: WriteError) => Exit::of_writing(source), write_row(source).0;
        "{source}";
        write_row(source).1;
    OidUnused => Usage, "oid_unused";
        "--oid applies only to PKCS#8 and SPKI files";
        "leave --oid out, or choose the form pkcs8 for a private key and spki for a public key";
    LayoutUnused => Usage, "layout_unused";
        "--layout applies only to private keys of Falcon in PKCS#8";
        "leave --layout out";
    PrivateFormUnused => Usage, "private_form_unused";
        "--private applies only to private keys of ML-DSA in PKCS#8";
        "leave --private out";
    KeyPartLost { from: String, part: KeyPart } => Usage, part.reason();
        "{from}: {part}";
        part.hint();
    KeyPrehash(what: String) => Usage, "key_prehash";
        "{what}";
        "give only this private key, and leave --prehash out: the key itself names its pre-hash";
    EncodingUnused => Usage, "encoding_unused";
        "--encoding applies only to signatures";
        "leave --encoding out";
    SignatureScheme { from: String, found: String, wanted: Algorithm } => Usage, "signature_scheme";
        "{from}: this is a signature of {found}, which cannot be converted to a signature of {wanted}";
        "sign the file again with a key of the wanted algorithm";
    Link { path: PathBuf, target: PathBuf } => Usage, "is_a_link";
        "{}: this is a symbolic link", shown(path);
        format!("give the name of the real file, {}, or write to another file with -o FILE", shown(target));
    InPlace(path: PathBuf) => Usage, "not_in_place";
        "{}: only a regular file can be changed in place", shown(path);
        "write the result to a file with -o FILE";

    // Files with a defect or with the wrong contents (exit code 3).
    Format { from: String, defect: Defect, wanted: Option<ObjectKind> } => BadInput, defect_row(defect, *wanted).0;
        "{from}: {defect}";
        match defect {
            Defect::Label(label) => Hint::from(label_hint(label)),
            Defect::EncodedPem => Hint::from(file_hints::encoded_hint(defect_row(defect, *wanted).1)),
            _ => Hint::from(defect_row(defect, *wanted).1),
        };
    Role { from: String, found: ObjectKind, wanted: ObjectKind }
        where defect = InputDefect::Role { found: *found, wanted: *wanted } => BadInput, defect.reason();
        "{from}: {defect}";
        defect.hint();
    SignatureAsFile(path: PathBuf) => BadInput, "wrong_kind";
        "{}: this is a signature, not the file that was signed", shown(path);
        format!(
            "name the signed file instead: {}; if the signed file has another name, give that name and add -s {}",
            signed_by_name(path).map_or_else(|| "FILE".to_owned(), pasteable_name),
            pasteable_name(path)
        );
    Swapped { message: PathBuf, signature: PathBuf } => BadInput, "swapped";
        "{}: this is not a signature, but {} is a signature", shown(message), shown(signature);
        format!("swap the two names: {} is the file, and {} is the signature", shown(message), shown(signature));
    Unrecognised { from: String, wanted: ObjectKind, what: Cow<'static, str> }
        where defect = InputDefect::Unrecognised(*wanted, what) => BadInput, defect.reason();
        "{from}: {defect}";
        defect.hint();
    Key { from: String, kind: ObjectKind, source: KeyError } where defect = InputDefect::Key(*kind, source) => BadInput, defect.reason();
        "{from}: {defect}";
        defect.hint();
    ManySignatures { from: String, count: usize } where defect = InputDefect::ManySignatures(*count) => BadInput, defect.reason();
        "{from}: {defect}";
        defect.hint();
    KeyTerm { from: String, line: usize, what: String, hint: &'static str } => BadInput, "key_terms";
        "{from}: line {line}: {what}";
        *hint;
    AllowedSigners { from: String, line: usize, what: String } => BadInput, "allowed_signers";
        "{from}: line {line}: {what}";
        "correct the line; `man ssh-keygen` describes the file under ALLOWED SIGNERS";
    NotAllowedSigners { from: String, what: Cow<'static, str>, hint: &'static str } => BadInput, "allowed_signers";
        "{from}: this is {what}, not a file of allowed signers";
        *hint;
    NoAllowedSigner { from: String, signer: String, namespace: String, cause: SignerMismatch } => BadInput, "no_allowed_signer";
        "{from}: {}", cause.message(signer, namespace, |text| shown(text));
        file_hints::no_signer_hint(cause);
    KeyTermsDiffer { from: String, other: String } => BadInput, "key_terms";
        "{from}: this key is also in {other}, with different key lines";
        "remove the key from one of the two places, or give it the same key lines in both";
    HalfOfKey { half: String, composite: String } => BadInput, "half_of_key";
        "{half}: this key is a half of the composite key in {composite}, so they are not two keys";
        "remove one of the two keys";
    // Two errors of `inspect --markdown`. `verify` returns a NO with a `KeyRestriction` instead.
    KeyRevoked { from: String, reason: String } => BadInput, "key_revoked";
        "{from}: the key is revoked: {reason}";
        "publish instructions for the new key that replaces this key";
    KeyExpired { from: String, last: Date } => BadInput, "key_expired";
        "{from}: the key was valid until {last}";
        "publish instructions for the new key that replaces this key";
    NotAttached(from: String) => BadInput, "no_signed_message";
        "{from}: this is not a signed message of Falcon";
        "leave --attached out if the message is in FILE and the signature in FILE.sig";
    Preimage { from: String, begin: &'static str, format: &'static str, option: &'static str } => BadInput, "preimage";
        "{from}: the file begins with {begin:?}, so an attacker could use its signature in {format}";
        format!("the author of the file may plan this misuse: {option}put the file into an archive and sign the archive");
    Envelope { from: String, what: String, format: Option<ForeignFormat> } => BadInput, "dsse_envelope";
        "{from}: this is not a DSSE envelope: {what}";
        envelope_hint(*format);
    SignedStructure { from: String, part: String, misuse: &'static str } => BadInput, "preimage";
        "{from}: the file {part}, so an attacker could use its signature {misuse}";
        "the author of the file may plan this misuse: put the file into an archive and sign the archive";
    NoModuleSignature { from: String } => BadInput, "no_module_signature";
        "{from}: the file does not end with the signature of a kernel module";
        "give a module that `scripts/sign-file` or `fndsa sign --kernel-module` signed";
    NoModule { from: String, is_signed: bool } => BadInput, "no_module";
        "{from}: {}", if *is_signed { "the kernel module already contains a signature" } else { "this is not a kernel module" };
        if *is_signed { "give the module without its signature" } else { "give an uncompressed module (.ko): decompress a module that ends in .xz, .gz or .zst first" };
    Cms { from: String, source: CmsDefect } where defect = InputDefect::Cms(source) => BadInput, defect.reason();
        "{from}: {defect}";
        defect.hint();
    CertificateFile { from: String } => BadInput, "not_a_certificate";
        "{from}: this is a public key and not a certificate";
        "give a file with one X.509 certificate, for the private key; `fndsa request --self-signed DAYS` makes a certificate";
    Jws { from: String, source: JwsDefect } where defect = InputDefect::Jws(source) => BadInput, defect.reason();
        "{from}: {defect}";
        defect.hint();
    X509 { from: String, defect: X509Defect } => BadInput, "x509";
        "{from}: this X.509 certificate or request cannot be read: {defect}";
        "the file is damaged, or its program does not write strict DER: ask its owner for another file";
    SelfSignature { from: String, kind: X509Kind } => BadInput, "self_signature";
        "{from}: the signature of this {} is not valid for the key in it", kind.name();
        "the file was changed, or another key signed it: ask its owner for another file";
    SshSignature { from: String, source: SshSignatureDefect } where defect = InputDefect::SshSignature(source) => BadInput, defect.reason();
        "{from}: {defect}";
        defect.hint();
    OtherSignature { from: String, file: String, fingerprint: String, format: Option<&'static str> } => BadInput, "other_signature";
        "{from}: the key {fingerprint} has not made this signature for {file}";
        file_hints::other_signature_hint(*format);
    Signature { from: String, source: VerifyError } => BadInput, "signature_malformed";
        "{from}: this is not a valid signature: {source}";
        "the file is damaged: copy or download it again";
    Toy { from: String, algorithm: Algorithm } where defect = InputDefect::Toy(*algorithm) => BadInput, defect.reason();
        "{from}: {defect}";
        defect.hint();
    TooLarge { from: String, file: SmallFile } where defect = InputDefect::Large(*file) => BadInput, defect.reason();
        "{from}: {defect}";
        defect.hint();
    MessageTooLarge { from: String, mebibytes: usize } => BadInput, "too_large";
        "{from}: Ed25519 keeps a message in memory to sign it, and this message has more than {mebibytes} MiB";
        "add --prehash sha512 to `fndsa sign` and to `fndsa verify`";
    ListTooLarge { from: String, mebibytes: usize } => BadInput, "too_large";
        "{from}: the file is too large (limit {mebibytes} MiB)";
        "check the file name; if the file contains trusted keys, split it into several files in a directory";
    NameList { from: String, number: usize, what: &'static str } => BadInput, "name_list";
        "{from}: name {number} {what}";
        "write each file name on a separate line; if each name ends with a NUL byte, add -0 | end each file name with a NUL byte";
    ManifestLine { from: String, number: usize, flaw: ListDefect }
        where defect = InputDefect::Line { number: *number, flaw: *flaw } => BadInput, defect.reason();
        "{from}: {defect}";
        defect.hint();
    ManifestEmpty(from: String) where defect = InputDefect::NoLine => BadInput, defect.reason();
        "{from}: {defect}";
        defect.hint();
    Request { what: String } => BadInput, "bad_request";
        "this is not a valid request: {what}";
        "write each request as a JSON object on one line, for example {\"id\": 1, \"path\": \"FILE\"}; to send the message \
         itself, write it in base64 as \"message_b64\" instead of \"path\"";
    LongRequest => BadInput, "too_large";
        "the line is longer than 16 MiB, which is the limit of a request";
        "write the message to a file, and give the file name as \"path\"";
    NotBase64 { name: &'static str, source: DecodeError } => BadInput, "not_base64";
        "{name}: this is not base64: {source}";
        "use standard base64 (RFC 4648, section 4), with padding and without line ends";
    Digest { from: String, wanted: usize, found: u64 }
        where defect = InputDefect::Digest { wanted: *wanted, found: *found } => BadInput, defect.reason();
        "{from}: {defect}";
        defect.hint();
    OtherAlgorithm { from: String, found: String, wanted: Algorithm }
        where defect = InputDefect::Algorithm(found, *wanted) => BadInput, defect.reason();
        "{from}: {defect}";
        defect.hint();
    OtherContent { from: String, kind: ObjectKind, stated: Algorithm, found: String }
        where defect = InputDefect::Content(*kind, *stated, found) => BadInput, defect.reason();
        "{from}: {defect}";
        defect.hint();
    NotConvertible { from: String, to: Algorithm, source: KeyError } => BadInput, "key_not_convertible";
        "{from}: the key cannot be converted to {to}: {source}";
        "make a new key with `fndsa keygen`: this is one of the few Falcon keys with coefficients that are too large for FN-DSA";
    NoHalves { from: String, found: Algorithm } => BadInput, "no_halves";
        "{from}: this is not a composite key, but {found}";
        "--half is for keys of ml-dsa-44-ed25519 and ml-dsa-65-ed25519: leave it out";
    NotJoinable { first: String, second: String } => BadInput, "not_joinable";
        "{first} and {second} cannot be joined to a composite key";
        "give two private keys or two public keys: first an ML-DSA-44 or ML-DSA-65 key, which must be a seed if it is private, \
         and then an Ed25519 key";
    TooLong { from: String, encoding: SignatureEncoding } => BadInput, "encoding_too_short";
        "{from}: the signature does not fit into the {} encoding", encoding.name();
        "choose the encoding compressed or ct: a few signatures do not fit into the other encodings";
    KeyParts { from: String, source: PrivateKeyError } => BadInput, parts_row(source).0;
        "{from}: {source}";
        parts_row(source).1;
    NotEncrypted { from: String } => BadInput, "not_encrypted";
        "{from}: the private key has no password";
        "no change is necessary: the private key is not encrypted";
    SshPassword { from: String } => BadInput, "openssh_password";
        "{from}: fndsa does not change the password of an OpenSSH key";
        "use `ssh-keygen -p -f FILE`; or write the key with a password of fndsa: `fndsa convert FILE --to pkcs8 --encrypt -o NEW`";
    PasswordUnusable { from: String, defect: &'static str } => BadInput, "password_unusable";
        "{from}: fndsa cannot use this password: the password {defect}";
        "give a file with the password in its first line";
    Baseline { from: String, what: String } => BadInput, "baseline_malformed";
        "{from}: this is not a result of `fndsa bench`: {what}";
        "write a baseline with `fndsa bench --export-json FILE` | measure a baseline first";
    BaselineMachine { from: String, baseline_machine: String, this_machine: String } => BadInput, "baseline_machine";
        "{from}: this machine is {this_machine}, but the baseline was measured on {baseline_machine}";
        "measure a baseline on this machine with --export-json FILE | measure a baseline on this machine";
    BaselineRows { from: String } => BadInput, "baseline_rows";
        "{from}: the baseline has no result for the operations of this run";
        "measure the same operations, algorithms, levels, message sizes and jobs as in the baseline";
    DiffRows { first: String, second: String } => BadInput, "diff_rows";
        "{first} and {second} have no result in common";
        "measure the same operations, algorithms, message sizes and jobs both times";

    // Errors of the system (exit code 4).
    Io { from: String, source: io::Error } => Io, io_row(source).0;
        "{from}: {}", io_text(source);
        io_row(source).1;
    Hinted { error: Box<Error>, hint: String } => error.exit(), error.reason();
        "{error}";
        hint.clone();
    NoSignature(path: PathBuf) => Io, "not_found";
        "{}: no such file or directory", shown(path);
        file_hints::no_signature_hint(path);
    NothingToAddTo(path: PathBuf) => Io, "not_found";
        "{}: no such file or directory", shown(path);
        "leave --add out for the first signature: --add needs a signature file";
    NoSecretFile(option: &'static str) => Io, "not_found";
        "{option}: there is no file with the given name";
        "check the file name; fndsa does not print the name, because it may be the password itself";
    Directory(path: PathBuf) => Io, "is_a_directory";
        "{}: is a directory", shown(path);
        [
            format!("to sign all files in the directory as a list, use -M SHA256SUMS -r {}", pasteable_name(path)),
            format!("to list all files in the directory, use -r {}", pasteable_name(path)),
        ];
    NoMemory { from: String, mebibytes: u64 } => Io, "no_memory";
        "{from}: the password check needs {mebibytes} MiB of memory, and the system does not give it";
        system::SYSTEM_HINTS.more_memory;
    NoKeyFiles(path: PathBuf) => Io, "no_keys_there";
        "{}: the directory has no files named *.pub", shown(path);
        "put the public keys into this directory, in files named NAME.pub";
    UnreadKey { path: PathBuf, directory: PathBuf } => Io, "key_not_read";
        "{}: this file contains a public key, but fndsa reads only the files *.pub directly in {}", shown(path), shown(directory);
        "rename the file to NAME.pub and put it into the directory of trusted keys, or move it out of this directory";
    NoDirectory(path: PathBuf) => Io, "no_directory";
        "{}: no such directory", shown(path);
        system::SYSTEM_HINTS.make_directory;
    SignedAlready(path: PathBuf) => Io, "signed_already";
        "{}: the file has a signature by this key already, according to its signature note", shown(path);
        "to replace that signature, add --force";
    Exists(path: PathBuf) => Io, "exists";
        "{}: exists already", shown(path);
        "to replace the file, add --force";
    KeyExists { path: PathBuf, is_replaceable: bool } => Io, "exists";
        "{}: a private key exists already", shown(path);
        key_exists_hint(*is_replaceable);
    Changed { from: String } => Io, "changed_while_read";
        "{from}: changed while being read";
        "try again when no other program writes to the file";
    Replaced { from: String } => Io, "changed_while_read";
        "{from}: replaced or deleted while being read";
        "try again when no other program writes to the file";
    ChangedMeanwhile(path: PathBuf) => Io, "changed_meanwhile";
        "{}: another program changed the file meanwhile, and the file stays as that program left it", shown(path);
        "check the content of the file, and try again";
    IsKey(path: PathBuf) => Io, "replaces_private_key";
        "{}: this file is a private key, and it was not replaced", shown(path);
        "choose another name; only `fndsa keygen` and `fndsa passwd` replace a private key";
    IsPublicKey(path: PathBuf) => Io, "replaces_public_key";
        "{}: this file is a public key, and it was not replaced", shown(path);
        "choose another name; to replace the public key on purpose, delete the file first";
    IsNoSignature(path: PathBuf) => Io, "replaces_other_file";
        "{}: this file is not a signature, and it was not replaced", shown(path);
        "choose the name of a signature file, for example FILE.sig; to replace this file on purpose, delete the file first";
    IsNoList(path: PathBuf) => Io, "replaces_other_file";
        "{}: this file is not a list, and it was not replaced", shown(path);
        "give the name of the list before the names of the files, for example SHA256SUMS; to replace this file on purpose, \
         delete the file first";
    LinkOutside { from: String, directory: Option<PathBuf> } => Io, "link_outside";
        "{from}: a link leads out of {}", directory.as_ref().map_or_else(|| "the current directory".to_owned(), shown);
        "a list can name only files below one directory: put a copy of the linked file into that directory";
    NotRegular { from: String, what: &'static str } => Io, "not_a_regular_file";
        "{from}: this is {what}, not a regular file";
        "a list can name only regular files: leave this file out, or move it out of the directory";
    NotAFile { from: String, what: &'static str, hint: &'static str } => Io, "not_a_regular_file";
        "{from}: this is {what}, not a regular file";
        *hint;
    ListedMissing { from: String } => Io, "not_found";
        "{from}: no such file or directory";
        "names in a list are relative to the current directory: to use another directory, add -C DIR; to skip missing \
         files, add --ignore-missing | names in the list are relative to the given directory; to skip missing files, add \
         --ignore-missing";
    Stdout(source: io::Error) => if is_broken_pipe(source) { Pipe } else { Io },
        if is_broken_pipe(source) { "closed_pipe" } else { io_row(source).0 };
        "standard output: {}", io_text(source);
        if is_broken_pipe(source) { "" } else { "the printed output is incomplete, but all files that fndsa wrote are complete" };

    // Missing or wrong passwords (exit code 5).
    PasswordNeeded { file: String } => Locked, "password_needed";
        "{file}: the private key is encrypted, and no password is given";
        "give the password with --password-file FILE, or with --password-env VAR, or in the variable FNDSA_PASSWORD or \
         FNDSA_PASSWORD_FILE";
    NoPassword { from: String } => Locked, "password_empty";
        "{from}: the password is missing, because the input is empty";
        "check the program or the CI secret that provides the password; if the password is really empty, provide an empty line";
    WrongPassword { from: String, origin: String } => Locked, "wrong_password";
        "{from}: wrong password (from {origin}), or the file is damaged";
        "check the spaces and the capital letters of the password";
    NewPasswordNeeded { options: &'static str } => Locked, "password_needed";
        "no new password is given";
        format!("give the new password with {options}");
    EmptyPassword => Locked, "password_empty";
        "the new password is empty";
        "type a password; `fndsa keygen` without --encrypt makes a private key without a password, and `fndsa passwd --remove` \
         removes a password";
    PasswordsDiffer => Locked, "passwords_differ";
        "the two passwords differ";
        "type the same password twice";

    // Machine faults and bugs (exit code 6).
    SelfTest { failed: usize, total: usize } => Internal, "self_test_failed";
        "the self test failed: {failed} of {total} checks";
        "make no keys or signatures on this machine: its hardware may be faulty";
    Tables(what: String) => Internal, "tables_damaged";
        "{what}";
        "the program file is damaged, or the memory is faulty: install fndsa again, or use another machine";
    Internal(what: String) => Internal, "internal";
        "{what}";
        "try again; if it fails again, report the command and this message";
}
