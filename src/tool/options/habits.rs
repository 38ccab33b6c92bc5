//! Tips for users of other tools. If clap rejects an option, a command or an algorithm, and a
//! different tool accepts this name, the tip states what to use in fndsa.

use super::single_dash::{ANY, AUTHORITY, DAYS, SUBJECT, openssl_tip};
use crate::tool::report::Hint;
use crate::tool::report::escape::{LineEnds, cleaned};
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use fndsa::verdict::text::distance;
use std::ffi::OsString;

/// The tips for options. Each row contains a command of fndsa, options of other tools, and the tip.
/// Some options of other tools need no row, because they are hidden aliases in fndsa, for example
/// `verify --pubkey`.
const HABITS: &[(&str, &[&str], &str)] = &[
    ("verify", &["-k", "--key", "--keyring", "--cert"], "did you mean -p, --public-key FILE?"),
    ("verify", &["-m", "--message", "--in"], "name the file without an option"),
    ("verify", &["-x"], "did you mean -s, --signature FILE?"),
    ("verify", &["-P"], "did you mean --expect-key sha256:HEX, the fingerprint of the key in -p FILE?"),
    ("sign", &["-s", "--privkey", "--private-key", "--private", "--seckey"], "did you mean -k, --key FILE?"),
    ("sign", &["-m", "--message", "--in"], "name the file without an option"),
    ("sign", &["-x", "--out", "--sig"], "did you mean -o, --output FILE?"),
    ("sign", &["-t", "-n"], "did you mean -c, --context TEXT? The verifier must give the same context"),
    ("keygen", &["-s", "-k", "--key"], "did you mean -o, --output FILE, or NAME for both files?"),
    ("pubkey", &["-s", "--private-key", "--privkey", "--private", "--seckey"], "did you mean -k, --key FILE?"),
    ("sign", &["-K", "-u"], "did you mean -k, --key FILE?"),
    ("sign", &["-i", "--input"], "name the file without an option"),
    ("verify", &["-K"], "did you mean -p, --public-key FILE?"),
    ("verify", &["-i", "--input"], "name the file without an option"),
    ("verify", &["--fingerprint", "-f"], "did you mean --expect-key sha256:HEX?"),
    ("keygen", &["-t", "--type"], "did you mean -a, --algorithm NAME?"),
    ("convert", &["--format", "-t", "-F"], "did you mean --to FORMAT, for example --to pem?"),
    (
        "keygen",
        &["--expires", "--expire", "--expiry", "--not-after"],
        "write the key line `not-after: YYYY-MM-DD` before the key in the file of trusted keys (docs/policies.md)",
    ),
    ("sign", &["--expires", "--expire", "--expiry"], "did you mean --best-before YYYY-MM-DD? It needs --list FILE"),
    ("verify", &["-r", "--recursive"], "to verify all files of a directory, verify their list with -M LIST -C DIR"),
    ("sign", &["--detached"], "leave it out: without --attached, fndsa always writes the signature to a separate file"),
    ("verify", &["--detached"], "leave it out: without --attached, the signature is always in a separate file"),
    ("sign", &["--namespace"], NAMESPACE),
    ("verify", &["--namespace"], NAMESPACE),
    ("verify", &["--CAfile", "--cafile", "--ca-file", "--ca"], AUTHORITY),
    ("verify", &["--signer-cert", "--certificate"], "did you mean -p, --public-key FILE? FILE can be a certificate"),
    ("request", &["--days"], DAYS),
    ("keygen", &["--days"], "`fndsa request --self-signed DAYS` makes a certificate for a private key"),
    ("request", &["--subj"], SUBJECT),
    (
        "request",
        &["-p", "--public-key", "--pubkey"],
        "give the private key of this key pair with -k FILE: only the owner of the private key can sign the request",
    ),
    (ANY, &["--fingerprint"], "`fndsa inspect FILE` prints the fingerprint of a key"),
    (ANY, &["--list-algorithms", "--algorithms"], ALGORITHMS),
    (
        ANY,
        &["--password", "--passphrase", "--pass"],
        "give the password with --password-file FILE, or with --password-env VARIABLE: other users can see a password on a command line",
    ),
];

const NAMESPACE: &str = "did you mean --ssh NAMESPACE?";
const ALGORITHMS: &str = "`fndsa help algorithms` lists the algorithms";

/// The tips for commands of other tools. Each row contains commands and the tip.
const COMMANDS: &[(&[&str], &str)] = &[
    (&["list", "list-algorithms"], ALGORITHMS),
    (&["version"], "`fndsa --version` prints the version"),
    (&["check", "info", "show", "fingerprint"], "`fndsa inspect FILE` describes a key or signature"),
    (&["rotate", "revoke"], "docs/rotation.md describes how to replace and to revoke a key"),
    (&["export"], "`fndsa pubkey -k FILE` prints the public key; `fndsa convert FILE` changes the format of a key"),
    (&["trust", "import"], "`fndsa verify -p FILE` trusts a public key, and `--trusted-keys FILE` several public keys"),
    (&["generate", "genkey", "gen-key", "generate-key-pair"], "`fndsa keygen NAME` makes a key pair"),
];

/// The tips for algorithm names that other tools use. Each row contains names and the tip.
const ALGORITHM_NAMES: &[(&[&str], &str)] = &[
    (&["dilithium2", "mldsa44", "ml_dsa_44"], "the standard name of Dilithium2 is ml-dsa-44: use this name"),
    (&["dilithium3", "mldsa65", "ml_dsa_65"], "the standard name of Dilithium3 is ml-dsa-65: use this name"),
    (
        &["dilithium", "ml-dsa", "mldsa", "ml_dsa"],
        "choose one of ml-dsa-44, ml-dsa-65 and ml-dsa-87; ml-dsa-65 is the usual choice",
    ),
    (&["dilithium5", "mldsa87", "ml_dsa_87"], "the standard name of Dilithium5 is ml-dsa-87: use this name"),
    (&["fndsa512"], "did you mean fn-dsa-512?"),
    (&["fndsa", "fn-dsa", "fn_dsa"], "choose one of fn-dsa-512 and fn-dsa-1024"),
    (&["falcon"], "did you mean falcon-512 (Falcon of round 3) or fn-dsa-512?"),
    (&["eddsa", "ed25519ctx"], "did you mean ed25519?"),
    (&["ed25519ph"], "did you mean ed25519? Add --prehash sha512 to `fndsa sign` and `fndsa verify`"),
    (
        &["slh-dsa", "sphincs", "sphincs+", "rsa", "ecdsa", "p256", "ed448"],
        "fndsa does not support this algorithm: use ml-dsa-65 or ed25519",
    ),
];

/// Returns the value that clap stored for `kind` in an error, for example the invalid argument.
fn error_detail(e: &clap::Error, kind: ContextKind) -> Option<&str> {
    match e.get(kind) {
        Some(ContextValue::String(text)) => Some(text),
        _ => None,
    }
}

/// Returns the tip in the row of `table` that contains the name `given`.
fn tip_for_name(table: &[(&[&str], &'static str)], given: &str) -> Option<&'static str> {
    table.iter().find(|(names, _)| names.contains(&given)).map(|(_, tip_for_error)| *tip_for_error)
}

/// Returns the tip for an error: what to use in fndsa instead of the option, command or algorithm
/// that the user typed.
fn tip_for_error(e: &clap::Error, command: &str) -> Option<&'static str> {
    match e.kind() {
        ErrorKind::UnknownArgument => {
            let given = error_detail(e, ContextKind::InvalidArg)?.split('=').next()?;
            if let Some(tip_for_error) = openssl_tip(command, given) {
                return Some(tip_for_error);
            }
            for (of, names, tip_for_error) in HABITS {
                if (*of == command || *of == ANY) && names.contains(&given) {
                    return Some(tip_for_error);
                }
            }
            None
        }
        ErrorKind::ArgumentConflict => {
            const NAME: &str = "--trusted-keys";
            let is_given = error_detail(e, ContextKind::InvalidArg).is_some_and(|arg| arg.contains(NAME));
            if is_given && error_detail(e, ContextKind::PriorArg).is_none_or(|arg| arg.contains(NAME)) {
                Some("join the key files into one file, or put the key files into one directory as *.pub")
            } else {
                conflicts_with_strict(e).or_else(|| conflicts_with_format(e, command))
            }
        }
        ErrorKind::MissingRequiredArgument if command == "convert" => {
            Some("name the output file with -o OUT, or use -o - for standard output")
        }
        ErrorKind::MissingRequiredArgument if is_missing(e, "<FILE>...") => tip_for_missing_file(e),
        ErrorKind::InvalidSubcommand => tip_for_name(COMMANDS, error_detail(e, ContextKind::InvalidSubcommand)?),
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => {
            let is_algorithm = error_detail(e, ContextKind::InvalidArg)?.contains("--algorithm");
            let given = error_detail(e, ContextKind::InvalidValue).filter(|_| is_algorithm)?.to_lowercase();
            Some(tip_for_name(ALGORITHM_NAMES, &given).unwrap_or(ALGORITHMS))
        }
        _ => None,
    }
}

/// Returns whether clap reports that this argument is missing.
fn is_missing(e: &clap::Error, argument: &str) -> bool {
    matches!(e.get(ContextKind::InvalidArg), Some(ContextValue::Strings(missing)) if missing.iter().any(|name| name == argument))
}

/// Returns the tip if FILE is missing after `--ssh NAMESPACE` or `--dsse TYPE`: the user may have
/// given FILE as the value of the option. The tip does not suggest the option, because it is
/// already given.
fn tip_for_missing_file(e: &clap::Error) -> Option<&'static str> {
    let Some(ContextValue::StyledStr(usage)) = e.get(ContextKind::Usage) else { return None };
    let usage = usage.to_string();
    if usage.contains("--ssh <") {
        Some(
            "the word after the option for SSH signatures is the namespace, for example file: write FILE after the namespace",
        )
    } else if usage.contains("--dsse <") {
        Some(
            "the word after the option for envelopes is the type of the payload, for example text/plain: write FILE after the type",
        )
    } else {
        None
    }
}

/// The options for signatures that other programs can read.
const FORMATS: [&str; 6] = ["--dsse", "--ssh", "--jws", "--cms", "--cms-direct", "--kernel-module"];

/// The tips for options that conflict with an option in [`FORMATS`]. A tip suggests neither option,
/// because both are on the command line.
const WITH_FORMATS: [(&str, &str); 14] = [
    ("--list", LIST_OF_FORMAT),
    ("--recursive", LIST_OF_FORMAT),
    (
        "--format",
        "leave --format out: it is for signature files of fndsa, and the other option determines the format of the file",
    ),
    (
        "--add",
        "leave --add out: only signature files of fndsa can be extended; to sign with several keys, give all keys at once",
    ),
    ("--context", NO_OPTIONS),
    ("--context-hex", NO_OPTIONS),
    ("--context-file", NO_OPTIONS),
    ("--prehash", NO_OPTIONS),
    (
        "--prehashed",
        "leave --prehashed out, and give the message as FILE: the signatures also cover other bytes than its digest",
    ),
    (
        "--mu",
        "leave --mu out: sign the mu without an option for the format, and then give the raw signature with --signature and -p",
    ),
    ("--encoding", "leave --encoding out: only Falcon signatures have several encodings"),
    ("--explain", "leave --explain out: signatures in this format have no context and no pre-hash to try"),
    ("--stream", "leave --stream out, and give the message as FILE: requests are only for signatures of fndsa"),
    ("--attached", "leave --attached out: only CMS files with --cms or --cms-direct can contain the message"),
];

const LIST_OF_FORMAT: &str = "leave --list out: a signature in this format is for one file; to sign a list, write the list first, and \
     give the list as FILE";
const NO_OPTIONS: &str = "leave the context and the pre-hash out: signatures in this format have none";

/// The tips for `verify` that replace or extend [`WITH_FORMATS`].
const WITH_FORMATS_TO_VERIFY: [(&str, &str); 3] = [
    (
        "--list",
        "leave --list out, and give the list as FILE: a signature in this format is for one file; then compare the files with the \
         list, for example with `sha256sum -c LIST`",
    ),
    ("--mu", "leave --mu out, and give the message as FILE: the signatures also cover other bytes than the message"),
    ("--signature", "leave --signature out: FILE itself contains the signatures"),
];

/// The tips for options that conflict with `--print-mu`.
const WITH_PRINTED_MU: [(&str, &str); 4] = [
    ("--format", "leave --format out: write raw, hex or base64 after an equals sign, as in --print-mu=raw"),
    (
        "--cert",
        "leave --cert out: the mu does not depend on the certificate, and the command with the signature needs it",
    ),
    ("--attached", "leave --attached out: the mu is the same, and the command with the signature writes the message"),
    ("--inline", "leave --inline out: the mu is the same, and the command with the signature writes the list"),
];

/// Returns the tip if `--print-mu` or an option in [`FORMATS`] conflicts with another option.
fn conflicts_with_format(e: &clap::Error, command: &str) -> Option<&'static str> {
    let names = conflicting_names(e);
    if contains_option(&names, "--print-mu") {
        return tip_for_conflict(&WITH_PRINTED_MU, &names);
    }
    match FORMATS.iter().filter(|name| contains_option(&names, name)).count() {
        0 => None,
        1 if command == "verify" => {
            tip_for_conflict(&WITH_FORMATS_TO_VERIFY, &names).or_else(|| tip_for_conflict(&WITH_FORMATS, &names))
        }
        1 => tip_for_conflict(&WITH_FORMATS, &names),
        _ => Some("a file has one format: run the command once for each format"),
    }
}

/// Returns whether `names` contains an option. In `names`, an option can have a value, as in
/// `--dsse <TYPE>`.
fn contains_option(names: &str, option: &str) -> bool {
    names.split([' ', '[']).any(|name| name == option)
}

/// Returns the tip of the first table row with an option in `names`.
fn tip_for_conflict(table: &[(&str, &'static str)], names: &str) -> Option<&'static str> {
    table.iter().find(|(option, _)| contains_option(names, option)).map(|(_, tip)| *tip)
}

/// Returns the names of the arguments that conflict with each other.
fn conflicting_names(e: &clap::Error) -> String {
    let mut names = Vec::new();
    for kind in [ContextKind::InvalidArg, ContextKind::PriorArg] {
        match e.get(kind) {
            Some(ContextValue::String(text)) => names.push(text),
            Some(ContextValue::Strings(texts)) => names.extend(texts),
            _ => {}
        }
    }
    names.iter().map(|name| name.as_str()).collect::<Vec<_>>().join(" ")
}

/// Returns the tip if `verify --strict` is given together with FILEs.
fn conflicts_with_strict(e: &clap::Error) -> Option<&'static str> {
    let names = conflicting_names(e);
    if names.contains("--strict") && (names.contains("FILE") || names.contains("--files-from")) {
        return Some("--strict verifies all files of a list: leave the FILEs out; name the list with --list LIST");
    }
    None
}

/// Returns the tip for a long option that is written with a single dash.
fn tip_for_two_dashes(e: &clap::Error) -> Option<Hint> {
    let given = error_detail(e, ContextKind::InvalidArg)?;
    let option = error_detail(e, ContextKind::SuggestedArg)?;
    if e.kind() != ErrorKind::UnknownArgument || given.starts_with("--") {
        return None;
    }
    Some(Hint::from(format!("long options have two dashes; did you mean {option}?")))
}

/// Removes clap's suggestions that are not similar to the word that the user typed. clap compares
/// only the letters that two words share, and would suggest `bench` for `nosuch`.
fn remove_far_suggestions(e: &mut clap::Error) {
    for (given, suggestion) in [
        (ContextKind::InvalidSubcommand, ContextKind::SuggestedSubcommand),
        (ContextKind::InvalidArg, ContextKind::SuggestedArg),
        (ContextKind::InvalidValue, ContextKind::SuggestedValue),
    ] {
        let Some(word) = error_detail(e, given).map(str::to_owned) else { continue };
        let mut names = match e.remove(suggestion) {
            Some(ContextValue::String(name)) if is_near(&word, &name) => {
                e.insert(suggestion, ContextValue::String(name));
                continue;
            }
            Some(ContextValue::Strings(names)) => names,
            _ => continue,
        };
        names.retain(|name| is_near(&word, name));
        if !names.is_empty() {
            e.insert(suggestion, ContextValue::Strings(names));
        }
    }
}

/// Returns whether a word can be a misspelling or the beginning of a name. At most half of the
/// letters may be added, removed or changed. Dashes at the start and a value after `=` are ignored.
fn is_near(word: &str, name: &str) -> bool {
    let word = word.split('=').next().unwrap_or_default().trim_start_matches('-');
    let name = name.trim_start_matches('-');
    name.starts_with(word) || 2 * distance(word, name) <= word.len().max(name.len())
}

/// Replaces clap's tips in an error by the tip from this module, if there is one. For an unknown
/// option, clap suggests passing it as a value after `--`. This function always removes this
/// suggestion, because it never explains the mistake.
pub fn tip(mut e: clap::Error, command: &str) -> clap::Error {
    remove_far_suggestions(&mut e);
    if e.kind() == ErrorKind::UnknownArgument {
        e.remove(ContextKind::Suggested);
    }
    // The argument of `man` is a command name. Command names have few letters in common, so clap's
    // suggestion is probably not the intended name.
    if command == "man" {
        e.remove(ContextKind::SuggestedValue);
    }
    let tip = match tip_for_error(&e, command) {
        Some(tip) => Some(Hint::from(tip)),
        None => tip_for_two_dashes(&e),
    };
    // A tip must not suggest an option that the user has already given.
    if let Some(suggested) = error_detail(&e, ContextKind::SuggestedArg)
        && Hint::from(suggested.to_owned()).text().is_none()
    {
        e.remove(ContextKind::SuggestedArg);
    }
    if let Some(tip) = tip
        && let Some(tip) = tip.text()
    {
        e.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(tip)]));
        for other in [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::SuggestedValue] {
            e.remove(other);
        }
    }
    e
}

/// Escapes, in an error message, the words that the user typed. Keeps the message's line ends.
pub fn escaped(mut e: clap::Error) -> clap::Error {
    let context: Vec<_> = e.context().map(|(kind, value)| (kind, value.clone())).collect();
    for (kind, value) in context {
        let value = match value {
            ContextValue::String(text) => ContextValue::String(escaped_word(&text)),
            ContextValue::Strings(texts) => {
                ContextValue::Strings(texts.iter().map(|text| escaped_word(text)).collect())
            }
            value => value,
        };
        e.insert(kind, value);
    }
    e
}

/// Escapes a word. The function appends a character before the call of `cleaned`, and removes it
/// afterwards. Otherwise, `cleaned` would remove blanks and line ends at the end of the word,
/// although they may have caused the error.
fn escaped_word(word: &str) -> String {
    let mut escaped = cleaned(&format!("{word}|"), LineEnds::Foreign);
    escaped.pop();
    escaped
}

/// Counts `--quiet` and `-q` in arguments that clap cannot parse. The result is the quiet level for
/// the error message.
pub fn times_quiet(arguments: &[OsString]) -> usize {
    let mut times = 0;
    for argument in arguments.iter().filter_map(|argument| argument.to_str()) {
        if argument == "--quiet" {
            times += 1;
        } else if !argument.starts_with("--")
            && let Some(flags) = argument.strip_prefix('-')
        {
            times += flags.chars().take_while(|c| "qvf0".contains(*c)).filter(|c| *c == 'q').count();
        }
    }
    times
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_similar_names_are_suggested() {
        for (word, name) in
            [("sgin", "sign"), ("verfy", "verify"), ("--publickey=a", "--public-key"), ("--pub", "--public-key")]
        {
            assert!(is_near(word, name), "{word}");
        }
        for (word, name) in [("nosuch", "bench"), ("check", "bench"), ("--nosuch=quiet", "--quiet"), ("x", "sign")] {
            assert!(!is_near(word, name), "{word}");
        }
    }

    #[test]
    fn quiet_is_counted_only_in_flags() {
        for (line, times) in [
            ("-qq sign", 2),
            ("-q sign -q", 2),
            ("--quiet -vqf", 2),
            ("sign -kqq", 0),
            ("--quietly -xq q qq", 0),
            ("-", 0),
        ] {
            let arguments: Vec<_> = line.split(' ').map(OsString::from).collect();
            assert_eq!(times_quiet(&arguments), times, "{line}");
        }
    }
}
