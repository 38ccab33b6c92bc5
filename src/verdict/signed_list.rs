//! Verifies a signed list of checksums in memory: the signatures first, and then the contents and
//! the last day on which to accept the list.

use super::decision::DecisionOutcome;
use super::envelope::{Envelope, EnvelopeError, EnvelopeSignatures, InlineList, OpenedEnvelope};
use super::evidence::Evidence;
use super::in_memory::{VerdictError, verify_in_memory};
use super::key_terms::DateSource;
use super::memory_files::{FileDefect, read_signatures};
use super::messages::InputDefect;
use super::policy::Policy;
use super::rejection::Rejection;
use super::signature_note::{NoteForm, line};
use crate::api::{Level, Options};
use crate::files::manifest::{ChecksumList, ListDefect};
use crate::files::{Defect, is_utf16};
use alloc::vec::Vec;
use core::fmt;

/// A function that parses a list. The rules for file names depend on the system, so the caller
/// passes `files::manifest::parse` or `files::windows::parse`.
pub type ListParser = for<'a> fn(&'a [u8]) -> Result<ChecksumList<'a>, (usize, ListDefect)>;

/// A defect in the contents of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ListContentDefect {
    /// The list is UTF-16 text.
    Utf16,
    /// A line has a defect.
    Line {
        /// The line number, from 1.
        number: usize,
        /// The line's defect.
        defect: ListDefect,
    },
    /// The list contains no files.
    Empty,
}

impl fmt::Display for ListContentDefect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Utf16 => write!(f, "{}", Defect::Utf16),
            Self::Line { number, defect } => write!(f, "{}", InputDefect::Line { number, flaw: defect }),
            Self::Empty => write!(f, "{}", InputDefect::NoLine),
        }
    }
}

impl core::error::Error for ListContentDefect {}

/// The reason why a list has no verdict.
#[derive(Debug)]
#[non_exhaustive]
pub enum ListError<E> {
    /// The list contains no signature, and no signature file was given.
    Unsigned,
    /// There is no verdict on the signatures.
    Verdict(VerdictError<E>),
    /// The signatures are valid, but the contents of the list have a defect.
    Content(ListContentDefect),
    /// The current date is unknown.
    Clock(E),
}

impl<E: fmt::Display> fmt::Display for ListError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsigned => f.write_str("the list contains no signature, and there is no signature file"),
            Self::Verdict(e) => write!(f, "{e}"),
            Self::Content(defect) => write!(f, "{defect}"),
            Self::Clock(e) => write!(f, "{e}"),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> core::error::Error for ListError<E> {}

impl<E> From<VerdictError<E>> for ListError<E> {
    fn from(e: VerdictError<E>) -> Self {
        Self::Verdict(e)
    }
}

/// The verdict on a list.
pub enum ListOutcome<'d> {
    /// The verdict is YES, if [`Evidence::holds`] returns true for `evidence`.
    Accepted {
        /// The indices of the keys that have signed.
        keys: Vec<usize>,
        /// The evidence for the YES.
        evidence: Evidence,
        /// The contents of the list.
        list: ChecksumList<'d>,
    },
    /// The verdict is NO.
    Rejected {
        /// The reason for the verdict NO.
        rejection: Rejection,
        /// The indices of the keys that have signed.
        keys: Vec<usize>,
    },
}

/// Parses a list. The caller must have verified the list's signature first.
///
/// # Errors
/// Fails if the contents of the list have a defect.
pub fn parse_list(list: &[u8], parse: ListParser) -> Result<ChecksumList<'_>, ListContentDefect> {
    if is_utf16(list) {
        return Err(ListContentDefect::Utf16);
    }
    let listed = parse(list).map_err(|(number, defect)| ListContentDefect::Line { number, defect })?;
    if listed.files.is_empty() { Err(ListContentDefect::Empty) } else { Ok(listed) }
}

/// Returns a rejection if the list's last day is before the current date. The current date is read
/// only if the list has a last day.
///
/// # Errors
/// Fails if the current date is unknown.
pub fn expiry<C: DateSource>(list: &ChecksumList<'_>, dates: &C) -> Result<Option<Rejection>, C::Error> {
    let Some(best_before) = list.best_before else { return Ok(None) };
    let today = dates.today()?;
    Ok((today > best_before).then_some(Rejection::Expired { best_before, today }))
}

/// Verifies a list as `fndsa verify -M` does, but does not verify the listed files. The signatures
/// in `signature_file` must cover the whole list. Without `signature_file`, the list must contain
/// its signatures. The list's contents are parsed only if the signatures are valid.
///
/// # Errors
/// Fails if there is no verdict.
pub fn verify_list_in_memory<'d, C: DateSource>(
    policy: &Policy<'_>,
    list: &'d [u8],
    signature_file: Option<&[u8]>,
    context: &[u8],
    parse: ListParser,
    dates: &C,
) -> Result<ListOutcome<'d>, ListError<C::Error>> {
    let level = Level::detect();
    let options = Options::with_context(context);
    let (signed, outcome) = match signature_file {
        Some(file) => (list, verify_in_memory(policy, file, list, options, level, dates)?),
        None => verify_inline(policy, list, options, level, dates)?,
    };
    match outcome {
        DecisionOutcome::Rejected { rejection, keys, .. } => Ok(ListOutcome::Rejected { rejection, keys }),
        DecisionOutcome::Accepted { keys, evidence } => {
            let list = parse_list(signed, parse).map_err(ListError::Content)?;
            match expiry(&list, dates).map_err(ListError::Clock)? {
                Some(rejection) => Ok(ListOutcome::Rejected { rejection, keys }),
                None => Ok(ListOutcome::Accepted { keys, evidence, list }),
            }
        }
    }
}

/// Returns the outcome NO for a list without an accepted signature.
fn rejected(rejection: Rejection) -> DecisionOutcome {
    DecisionOutcome::Rejected { rejection, keys: Vec::new(), restricted: None, unmatched: None }
}

/// Verifies the inline signatures of a list. Returns the signed bytes of the list, and the outcome.
fn verify_inline<'d, C: DateSource>(
    policy: &Policy<'_>,
    list: &'d [u8],
    options: Options<'_>,
    level: Level,
    dates: &C,
) -> Result<(&'d [u8], DecisionOutcome), ListError<C::Error>> {
    let OpenedEnvelope { signatures, contents } = match InlineList.open(list) {
        Ok(Some(opened)) => opened,
        Ok(None) => return Err(ListError::Unsigned),
        Err(EnvelopeError::Rejected(rejection)) => return Ok((list, rejected(rejection))),
        Err(e) => return Err(VerdictError::Signatures(FileDefect::new(e)).into()),
    };
    let EnvelopeSignatures::File(file) = signatures else { return Ok((list, rejected(Rejection::InlineForm))) };
    let Some((covered, _)) = contents.covered.enclosed() else { return Ok((list, rejected(Rejection::InlineForm))) };
    let outcome = verify_in_memory(policy, &file[..], covered, options, level, dates)?;
    let DecisionOutcome::Accepted { keys, evidence } = outcome else { return Ok((list, outcome)) };
    let signatures = read_signatures(&file).map_err(VerdictError::Signatures)?;
    let form = NoteForm::Form { context: options.context.to_vec(), prehash: None };
    let notes = keys.iter().map(|key| {
        let key = &policy.keys[*key];
        line(key.algorithm(), &key.public.fingerprint, &form)
    });
    if let Err(rejection) = contents.check_notes(&signatures, notes) {
        return Ok((list, rejected(rejection)));
    }
    let evidence = contents.confirm(evidence);
    // The covered bytes are the beginning of the file.
    Ok((list.get(..covered.len()).unwrap_or_default(), DecisionOutcome::Accepted { keys, evidence }))
}

#[cfg(all(test, feature = "std", feature = "ed25519"))]
mod tests {
    use super::*;
    use crate::files::manifest::parse;
    use crate::files::{Date, FileEncoding, ObjectKind, WriteOptions, inline};
    use crate::verdict::{RequiredKeys, TrustedKey, fingerprint, read_trusted_keys};
    use crate::{Algorithm, SigningKey};
    use alloc::format;
    use alloc::string::String;
    use getrandom::SysRng;

    const ED25519: Algorithm = Algorithm::ED25519;

    /// A key pair that signs lists, with the file of trusted keys that contains its public key.
    struct ListSigner {
        key: SigningKey,
        trusted: Vec<TrustedKey>,
    }

    impl ListSigner {
        fn new() -> Self {
            let key = SigningKey::generate(ED25519, &mut SysRng).unwrap();
            let style = WriteOptions::plain(FileEncoding::Pem);
            let public = style.write(ObjectKind::VerifyingKey, ED25519, "", key.verifying_key().as_bytes()).unwrap();
            Self { key, trusted: read_trusted_keys(&public, &[], Level::detect()).unwrap() }
        }

        /// Returns a signature file for a list.
        fn sign(&self, list: &str) -> Vec<u8> {
            let signature = self.key.sign(Options::default(), list.as_bytes(), &mut SysRng).unwrap();
            let form = NoteForm::Form { context: Vec::new(), prehash: None };
            let note = line(ED25519, &fingerprint(self.key.verifying_key().as_bytes()), &form);
            let style = WriteOptions::plain(FileEncoding::Pem);
            style.write(ObjectKind::Signature, ED25519, &note, signature.as_bytes()).unwrap().to_vec()
        }

        /// Returns the result for a list: the number of files, or the reason code of a rejection or
        /// error.
        fn verdict(&self, list: &[u8], signatures: Option<&[u8]>) -> String {
            let policy = Policy::new(&self.trusted, &[], RequiredKeys::All);
            let today: Date = "2026-12-31".parse().unwrap();
            match verify_list_in_memory(&policy, list, signatures, b"", parse, &today) {
                Ok(ListOutcome::Accepted { keys, evidence, list }) => {
                    assert!(evidence.holds() && keys == [0]);
                    format!("{}", list.files.len())
                }
                Ok(ListOutcome::Rejected { rejection, .. }) => rejection.reason().into(),
                Err(ListError::Clock(e)) => match e {},
                Err(e) => format!("{e}"),
            }
        }
    }

    #[test]
    fn signatures_of_a_list_are_inline_or_in_a_file() {
        let signer = ListSigner::new();
        let list = format!("{}  a\n", "0".repeat(64));
        let file = signer.sign(&list);
        let mut inline_list = list.clone().into_bytes();
        inline::append(&mut inline_list, &file);
        assert_eq!(signer.verdict(list.as_bytes(), Some(&file)), "1");
        assert_eq!(signer.verdict(&inline_list, None), "1");
        assert_eq!(signer.verdict(&inline_list, Some(&file)), "signature_mismatch");
        let unsigned = "the list contains no signature, and there is no signature file";
        assert_eq!(signer.verdict(list.as_bytes(), None), unsigned);
        assert_eq!(signer.verdict(&[&inline_list[..], b"# more\n"].concat(), None), "inline_form");
        inline_list[0] = b'1';
        assert_eq!(signer.verdict(&inline_list, None), "signature_mismatch");
        assert_eq!(ListSigner::new().verdict(list.as_bytes(), Some(&file)), "signature_mismatch");
        // The second signature has the same key, and therefore the same note as the first
        // signature.
        let mut duplicate = list.clone().into_bytes();
        inline::append(&mut duplicate, &[&file[..], &file].concat());
        assert_eq!(signer.verdict(&duplicate, None), "inline_form");
        let many = file.repeat(65);
        assert!(signer.verdict(list.as_bytes(), Some(&many)).contains("65 signatures"));
    }

    #[test]
    fn contents_of_a_signed_list_are_checked() {
        let signer = ListSigner::new();
        let entry = format!("{}  a\n", "0".repeat(64));
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        for (list, verdict) in [
            (entry.repeat(2), "line 2: the file is named twice"),
            (String::new(), "the list has no entries"),
            (format!("{entry}{empty}  BEST-BEFORE-2026-12-31\n"), "1"),
            (format!("{entry}{empty}  BEST-BEFORE-2026-12-30\n"), "expired"),
        ] {
            assert_eq!(signer.verdict(list.as_bytes(), Some(&signer.sign(&list))), verdict, "{list}");
        }
    }
}
