//! Detects key text that was passed instead of a file name.
//!
//! A user or a CI script may pass a key instead of the name of its file, in `FNDSA_KEY`, in `-k` or
//! in a list of files. Messages must not repeat any byte of the key. Therefore, fndsa checks the
//! command line, and the variable that can replace `--level`, before it parses the arguments
//! (`options::key_text_arguments`). It checks variables that name a file, and lists of file names,
//! when it reads them. In addition, [`shown`](super::escape::shown) hides key text in all names
//! that messages contain. Passwords cannot be detected. If an option names the source of a
//! password, messages quote the value only if it is clearly a file name (`io::read::is_shown`).
//!
//! A value is key text if it meets one of these conditions:
//!
//! 1. The value contains `-----BEGIN`.
//! 2. A part between slashes has more than 255 bytes, which is too long for a file name.
//! 3. The value has 24 bytes or more, is not UTF-8, and contains a control character.
//! 4. The value consists only of 64 or more hexadecimal digits, and of blanks, line ends and
//!    colons.
//! 5. The value contains a sequence of base64 characters. The sequence contains a digit, and a
//!    character that is not hexadecimal. A sequence without `=` at the end has at least 64
//!    characters, and at least a quarter are upper case. A sequence with `=` at the end has at
//!    least 40 characters, and at least an eighth are upper case. (In random base64, 40 % are upper
//!    case.)
//!
//! If a value meets only conditions 3 to 5, fndsa still accepts the value as a file name if the
//! file exists, or if the value has a directory part that exists (`./` at the start is sufficient,
//! but `/` is not). Contexts and expected fingerprints are neither file names nor secrets, so fndsa
//! checks only condition 1 for these options.

use std::ffi::OsStr;
use std::fmt;
use std::path::Path;

/// The kind of key text that was passed instead of a file name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyTextKind {
    /// A private key in PEM, possibly in a single line.
    PrivateKey,
    /// PEM with contents that are not a private key.
    Pem,
    /// A text that is too long for a file name.
    Long,
    /// Bytes that are not a text.
    Bytes,
    /// Hexadecimal digits or base64.
    Digits,
}

/// The maximum length of a path component in bytes.
const NAME_MAX: usize = 255;
/// The minimum number of hexadecimal digits, or of base64 characters without padding, in key text:
/// a seed has 64 hexadecimal digits, and a PEM line has 64 characters.
const MIN_RUN_LEN: usize = 64;
/// The minimum length of padded base64 that can be a seed. A seed of 32 bytes has 43 characters and
/// the padding.
const MIN_PADDED_RUN_LEN: usize = 40;
/// The minimum length of key text without PEM, in bytes. A shorter value can be a file name.
const BYTES: usize = 24;

/// An option, variable or argument that contains key text.
#[derive(Debug)]
pub struct LeakedKeyText {
    /// The option's name or variable, or a description of the argument.
    pub location: String,
    /// The kind of key text.
    pub kind: KeyTextKind,
    /// A description of the value that the option, variable or argument should have.
    pub expected: &'static str,
    /// The next step for the user.
    pub hint: &'static str,
}

impl fmt::Display for LeakedKeyText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} contains {}, not {}", self.location, self.kind.words(), self.expected)
    }
}

impl KeyTextKind {
    /// Describes the value, for use after "contains" and "not shown:".
    pub fn words(self) -> &'static str {
        match self {
            Self::PrivateKey => "the text of a private key",
            Self::Pem => "the text of a PEM file",
            Self::Long => "a text longer than any file name",
            Self::Bytes => "bytes that look like a key",
            Self::Digits => "a text that looks like a key or a seed",
        }
    }

    /// Returns the hint for an argument or variable with this kind of key text. ` | ` separates
    /// alternative texts (see module `hint`).
    pub fn hint(self) -> &'static str {
        match self {
            Self::PrivateKey => {
                "put the private key into an environment variable, and name the variable with --key-env (sign and pubkey): all \
                 users of the machine can read arguments | put the private key into a file or an environment variable: all \
                 users of the machine can read arguments"
            }
            Self::Pem => "write the text to a file, and give the name of the file",
            Self::Long => {
                "check the file name; if the text is a private key from a variable, name the variable with --key-env"
            }
            Self::Bytes | Self::Digits => {
                "if the text is a file name, write ./NAME; if it is a private key from a variable, name the variable with --key-env"
            }
        }
    }
}

/// Returns the kind of key text that a value contains. Returns `None` if the value can be a file
/// name.
pub fn kind_of(value: &OsStr) -> Option<KeyTextKind> {
    let bytes = value.as_encoded_bytes();
    if let Some(pem) = pem(bytes) {
        return Some(pem);
    }
    if bytes.len() < BYTES {
        return None;
    }
    if bytes.split(|b| *b == b'/').any(|part| part.len() > NAME_MAX) {
        return Some(KeyTextKind::Long);
    }
    let kind = if is_digits(bytes) || base64_runs(bytes).any(is_random) {
        KeyTextKind::Digits
    } else if bytes.iter().any(u8::is_ascii_control) && std::str::from_utf8(bytes).is_err() {
        KeyTextKind::Bytes
    } else {
        return None;
    };
    if is_name(Path::new(value)) { None } else { Some(kind) }
}

/// Returns the kind of PEM that a value contains. The line ends can have any form, or be missing.
/// Returns `None` if the value contains no PEM.
pub fn pem(bytes: &[u8]) -> Option<KeyTextKind> {
    const BEGIN: &[u8] = b"-----BEGIN";
    const PRIVATE: &[u8] = b"PRIVATE KEY-----";
    if bytes.len() < BEGIN.len() || !bytes.windows(BEGIN.len()).any(|window| window == BEGIN) {
        return None;
    }
    let private = bytes.windows(PRIVATE.len()).any(|window| window == PRIVATE);
    Some(if private { KeyTextKind::PrivateKey } else { KeyTextKind::Pem })
}

/// Returns whether a value consists of enough hexadecimal digits for a seed, in the forms that
/// `xxd` and `openssl` print.
fn is_digits(bytes: &[u8]) -> bool {
    let digits = bytes.iter().filter(|b| b.is_ascii_hexdigit()).count();
    let blanks = bytes.iter().filter(|b| b.is_ascii_whitespace() || **b == b':').count();
    digits >= MIN_RUN_LEN && digits + blanks == bytes.len()
}

/// Finds the sequences of base64 characters, including their padding.
fn base64_runs(mut rest: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let from = rest.iter().position(is_base64)?;
        let run = &rest[from..];
        let len = run.iter().take_while(|b| is_base64(b)).count();
        let padding = run[len..].iter().take(2).take_while(|b| **b == b'=').count();
        rest = &run[len + padding..];
        Some(&run[..len + padding])
    })
}

fn is_base64(b: &u8) -> bool {
    b.is_ascii_alphanumeric() || *b == b'+' || *b == b'/'
}

/// Returns whether a sequence of base64 characters meets condition 5: it is long, contains a digit,
/// is not hexadecimal, and has the share of upper case letters that this condition requires.
fn is_random(run: &[u8]) -> bool {
    let (least, one_in) = if run.ends_with(b"=") { (MIN_PADDED_RUN_LEN, 8) } else { (MIN_RUN_LEN, 4) };
    run.len() >= least
        && run.iter().any(u8::is_ascii_digit)
        && one_in * run.iter().filter(|b| b.is_ascii_uppercase()).count() >= run.len()
        && !run.iter().all(u8::is_ascii_hexdigit)
}

/// Returns whether a file with this name exists, or whether the directory in the name exists.
fn is_name(path: &Path) -> bool {
    // The parent `/` is ignored, because base64 can start with a slash.
    let directory = path.parent().filter(|directory| !directory.as_os_str().is_empty() && *directory != Path::new("/"));
    directory.is_some_and(Path::is_dir) || path.symlink_metadata().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool::system::name_of;

    fn of(text: impl AsRef<[u8]>) -> Option<KeyTextKind> {
        kind_of(&name_of(text.as_ref()))
    }

    #[test]
    fn file_names_are_not_key_text() {
        for name in [
            "a",
            "release.key",
            "/home/alice/Projects/2026/ReleaseTools/dist/SomeProduct-1.2.3/linux/x86/app.tar.gz",
            "Users/Alice/Library/CloudStorage/Documents/Projects/Releases/Binaries/Product1/app",
            "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "sha256-e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855.tar.gz",
            "SHA256-E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855.tar.gz",
            "ReleaseSigningKeyOfTheAcmeCorporationForTheYear2026AndTheOneAfterIt",
            "./e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "../x\u{1b}[31m and quite a long text that is UTF-8",
        ] {
            assert_eq!(of(name), None, "{name}");
        }
        assert_eq!(of([b'x'; 255]), None);
        assert_eq!(of([0xe9; 60]), None, "Latin-1");
        assert_eq!(of([&[b'x'; 255][..], b"/", &[b'y'; 255]].concat()), None);
    }

    #[test]
    fn keys_are_recognized_as_key_text() {
        let seed = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        let line = "WQaDzcQ2fQh7lCk3Zr8Yy0Pp5uXoTnV1sJbGmEeA9wKdRiHtLfUxSgNvBqMj4O6a";
        for (text, wanted) in [
            ("-----BEGIN FNDSA PRIVATE KEY-----".to_owned(), KeyTextKind::PrivateKey),
            ("x -----BEGIN PUBLIC KEY----- AAAA".to_owned(), KeyTextKind::Pem),
            ("-----BEGIN".to_owned(), KeyTextKind::Pem),
            ("x".repeat(256), KeyTextKind::Long),
            (format!("a/{}", "x".repeat(256)), KeyTextKind::Long),
            (seed.to_owned(), KeyTextKind::Digits),
            (seed.to_uppercase(), KeyTextKind::Digits),
            (format!("{}\n{}\n", &seed[..60], &seed[60..]), KeyTextKind::Digits),
            (
                seed.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).unwrap()).collect::<Vec<_>>().join(":"),
                KeyTextKind::Digits,
            ),
            (line.to_owned(), KeyTextKind::Digits),
            (format!("/{line}"), KeyTextKind::Digits),
            (format!("{line}.sig"), KeyTextKind::Digits),
            (format!("{}=", &line[..43]), KeyTextKind::Digits),
            (format!("key={line}"), KeyTextKind::Digits),
        ] {
            assert_eq!(of(&text), Some(wanted), "{text}");
        }
        // On Windows, names are always text.
        #[cfg(unix)]
        assert_eq!(of([&[0x9d, 0x01][..], &[0xc3; 22]].concat()), Some(KeyTextKind::Bytes));
    }
}
