//! The text of a key where a name belongs.
//!
//! A secret of a CI service ends up in `FNDSA_KEY`, `-k` or a list of files as easily as the name of its file. No byte
//! of it may come back in a message. So the command line is looked at before anybody reads it (`options::spilled`), a
//! variable and a list that name files when they are read, and [`shown`](super::escape::shown), through which every
//! name goes, does not show a value that came another way. A password looks like anything: the options that name its
//! source are never repeated with their value.
//!
//! A value is taken for such a text if it
//!
//! 1. contains `-----BEGIN`,
//! 2. has a part between slashes of more than 255 bytes, which no file can have,
//! 3. has 24 bytes or more, is not UTF-8 and has a control character,
//! 4. is 64 hexadecimal digits or more and nothing else, blanks, line ends and colons aside,
//! 5. has a run of 64 characters of base64 or more, a quarter of them capital letters at least, or of 40 that `=` ends,
//!    an eighth of them, with a digit and not all hexadecimal digits. (Of random base64, 40 in 100 are capital letters.)
//!
//! A value that fits one of the last three may still be a name: it is one if there is such a file, or if it names a
//! directory that is there (`./` before it is enough). A context and a fingerprint are no names and no secrets; of them
//! only 1 counts.

use std::ffi::OsStr;
use std::fmt;
use std::path::Path;

/// The kinds of key text that are mistaken for a file name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Looks {
    /// PEM of a private key, on one line too.
    PrivateKey,
    /// Other PEM.
    Pem,
    /// Longer than a file name can be.
    Long,
    /// Bytes that are no text.
    Bytes,
    /// Hexadecimal digits or base64.
    Digits,
}

/// The longest part of a path, in bytes.
const NAME_MAX: usize = 255;
/// The digits of a seed, and the characters of a line of PEM.
const RUN: usize = 64;
/// The fewest characters of base64 with padding that are taken for a seed, which has 43 without it.
const PADDED_RUN: usize = 40;
/// The fewest random bytes that may be a seed.
const BYTES: usize = 24;

/// A place that holds the text of a key.
#[derive(Debug)]
pub struct Spilled {
    /// An option, a variable, or an argument.
    pub place: String,
    /// What the place holds.
    pub looks: Looks,
    /// What belongs in the place.
    pub takes: &'static str,
    /// What to do.
    pub hint: &'static str,
}

impl fmt::Display for Spilled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} contains {}, not {}", self.place, self.looks.words(), self.takes)
    }
}

impl Looks {
    /// Returns in words what the value is, for use after "holds" and "is".
    pub fn words(self) -> &'static str {
        match self {
            Self::PrivateKey => "the text of a private key",
            Self::Pem => "the text of a PEM file",
            Self::Long => "a text longer than any file name",
            Self::Bytes => "bytes that look like a key",
            Self::Digits => "a text that looks like a key or a seed",
        }
    }

    /// Returns what to do where an argument or a variable holds such a value.
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

/// Returns what a value is that is not a name; `None` for a name.
pub fn looks(value: &OsStr) -> Option<Looks> {
    let bytes = value.as_encoded_bytes();
    if let Some(pem) = pem(bytes) {
        return Some(pem);
    }
    if bytes.len() < BYTES {
        return None;
    }
    if bytes.split(|b| *b == b'/').any(|part| part.len() > NAME_MAX) {
        return Some(Looks::Long);
    }
    let looks = if is_digits(bytes) || base64_runs(bytes).any(is_random) {
        Looks::Digits
    } else if bytes.iter().any(u8::is_ascii_control) && std::str::from_utf8(bytes).is_err() {
        Looks::Bytes
    } else {
        return None;
    };
    if is_name(Path::new(value)) { None } else { Some(looks) }
}

/// Returns what a value is that holds PEM, whatever became of its line ends; `None` for any other.
pub fn pem(bytes: &[u8]) -> Option<Looks> {
    const BEGIN: &[u8] = b"-----BEGIN";
    const PRIVATE: &[u8] = b"PRIVATE KEY-----";
    if bytes.len() < BEGIN.len() || !bytes.windows(BEGIN.len()).any(|place| place == BEGIN) {
        return None;
    }
    let private = bytes.windows(PRIVATE.len()).any(|place| place == PRIVATE);
    Some(if private { Looks::PrivateKey } else { Looks::Pem })
}

/// Returns whether a value is hexadecimal digits as `xxd` and `openssl` write them, and long enough for a seed.
fn is_digits(bytes: &[u8]) -> bool {
    let digits = bytes.iter().filter(|b| b.is_ascii_hexdigit()).count();
    let blanks = bytes.iter().filter(|b| b.is_ascii_whitespace() || **b == b':').count();
    digits >= RUN && digits + blanks == bytes.len()
}

/// Finds the runs of characters of base64, each with the padding after it.
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

/// Returns whether a run is long, and mixed as no words are.
fn is_random(run: &[u8]) -> bool {
    let (least, one_in) = if run.ends_with(b"=") { (PADDED_RUN, 8) } else { (RUN, 4) };
    run.len() >= least
        && run.iter().any(u8::is_ascii_digit)
        && one_in * run.iter().filter(|b| b.is_ascii_uppercase()).count() >= run.len()
        && !run.iter().all(u8::is_ascii_hexdigit)
}

/// Returns whether a file has this name, or could get it.
fn is_name(path: &Path) -> bool {
    // Base64 may begin with a slash.
    let directory = path.parent().filter(|it| !it.as_os_str().is_empty() && *it != Path::new("/"));
    directory.is_some_and(Path::is_dir) || path.symlink_metadata().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool::system::name_of;

    fn of(text: impl AsRef<[u8]>) -> Option<Looks> {
        looks(&name_of(text.as_ref()))
    }

    #[test]
    fn names_are_names() {
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
    fn keys_are_none() {
        let seed = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        let line = "WQaDzcQ2fQh7lCk3Zr8Yy0Pp5uXoTnV1sJbGmEeA9wKdRiHtLfUxSgNvBqMj4O6a";
        for (text, wanted) in [
            ("-----BEGIN FNDSA PRIVATE KEY-----".to_owned(), Looks::PrivateKey),
            ("x -----BEGIN PUBLIC KEY----- AAAA".to_owned(), Looks::Pem),
            ("-----BEGIN".to_owned(), Looks::Pem),
            ("x".repeat(256), Looks::Long),
            (format!("a/{}", "x".repeat(256)), Looks::Long),
            (seed.to_owned(), Looks::Digits),
            (seed.to_uppercase(), Looks::Digits),
            (format!("{}\n{}\n", &seed[..60], &seed[60..]), Looks::Digits),
            (
                seed.as_bytes().chunks(2).map(|two| std::str::from_utf8(two).unwrap()).collect::<Vec<_>>().join(":"),
                Looks::Digits,
            ),
            (line.to_owned(), Looks::Digits),
            (format!("/{line}"), Looks::Digits),
            (format!("{line}.sig"), Looks::Digits),
            (format!("{}=", &line[..43]), Looks::Digits),
            (format!("key={line}"), Looks::Digits),
        ] {
            assert_eq!(of(&text), Some(wanted), "{text}");
        }
        // On Windows a name is text.
        #[cfg(unix)]
        assert_eq!(of([&[0x9d, 0x01][..], &[0xc3; 22]].concat()), Some(Looks::Bytes));
    }
}
