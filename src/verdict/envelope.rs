//! The interface for envelopes: file formats that contain signatures.
//!
//! An implementation of [`Envelope`] reads a file, and returns its signatures and the bytes that
//! the signatures cover. The verdict is computed from these two results in the same way for all
//! formats. To add a format, implement [`Envelope`] for a new type. If fndsa should also write the
//! format, implement [`EnvelopeWriter`].

use super::covered_bytes::framed;
pub use super::covered_bytes::{CoveredBytes, EnclosedMessage, OtherForm};
use super::evidence::Evidence;
use super::fingerprint::fingerprint;
use super::messages::InputDefect;
use super::rejection::Rejection;
use super::signature_note::are_exact_notes;
use super::trusted_key::TrustedKey;
use crate::api::{Algorithm, Scheme};
use crate::files::attached::{FalconSignedMessage, split};
use crate::files::cms::CmsDefect;
use crate::files::inline::{self, SignedList};
use crate::files::jws::JwsDefect;
use crate::files::ssh::SshSignatureDefect;
use crate::files::{FileObject, ForeignFormat};
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// The unverified signatures in an opened envelope.
#[non_exhaustive]
pub enum EnvelopeSignatures<'d> {
    /// The contents of a signature file: signature blocks with their signature notes.
    File(Cow<'d, [u8]>),
    /// Signatures in raw encoding.
    Raw(Vec<RawSignature>),
    /// A decoded signature.
    Decoded(Box<FileObject>),
}

/// A signature in raw encoding, with the key identifier next to it.
#[non_exhaustive]
pub struct RawSignature {
    /// The key identifier, or `None` if the envelope contains no key identifier. The key identifier
    /// is not authenticated, so it must not influence the verdict.
    pub key_id: Option<String>,
    /// The signature in raw encoding.
    pub bytes: Vec<u8>,
}

impl RawSignature {
    /// Creates a signature from its key identifier and its bytes.
    pub const fn new(key_id: Option<String>, bytes: Vec<u8>) -> Self {
        Self { key_id, bytes }
    }
}

impl AsRef<[u8]> for RawSignature {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// An opened envelope, which is not verified yet.
pub struct OpenedEnvelope<'d> {
    /// The signatures.
    pub signatures: EnvelopeSignatures<'d>,
    /// The contents.
    pub contents: EnvelopeContents<'d>,
}

impl<'d> OpenedEnvelope<'d> {
    /// Creates an opened envelope for a format that has no conditions and does not show signature
    /// notes.
    pub fn new(signatures: EnvelopeSignatures<'d>, covered: CoveredBytes<'d>) -> Self {
        let conditions = Vec::new();
        Self { signatures, contents: EnvelopeContents { covered, conditions, shows_notes: false, signer: None } }
    }
}

/// The contents of an envelope, except for the signatures.
#[non_exhaustive]
pub struct EnvelopeContents<'d> {
    /// The bytes that are covered by the signatures.
    pub covered: CoveredBytes<'d>,
    /// The evidence from checks that must succeed in addition to the verification of the
    /// signatures, for example the comparison of the payload type with the expected type.
    pub conditions: Vec<Evidence>,
    /// Whether people who read the file see the signature notes, as in a list with inline
    /// signatures. If readers see the notes, an attacker could add a text for the readers to a
    /// note. Therefore, every note must be byte for byte as `fndsa sign` writes it
    /// ([`Self::check_notes`]).
    pub shows_notes: bool,
    /// The public key in the file, if the format contains a key. Other programs verify the
    /// signature with this key. fndsa accepts only signatures by this key, and only if the key is
    /// also a trusted key.
    pub signer: Option<EnvelopeSigner>,
}

/// The public key in an envelope. This key is not trusted.
#[non_exhaustive]
pub struct EnvelopeSigner {
    /// The key's algorithm.
    pub algorithm: Algorithm,
    /// The key in raw encoding.
    pub public: Vec<u8>,
}

impl EnvelopeSigner {
    /// Compares the key in the envelope with a trusted key. The evidence holds only if they are
    /// equal.
    pub fn is(&self, key: &TrustedKey) -> Evidence {
        self.has(key.algorithm(), key.public.key.as_bytes())
    }

    /// Returns the key's algorithm and fingerprint, as text for a message.
    pub fn description(&self) -> String {
        format!("{} {}", self.algorithm, fingerprint(&self.public))
    }

    /// Compares the key in the envelope with a public key in raw encoding. The evidence holds only
    /// if the algorithms and the bytes are equal.
    fn has(&self, algorithm: Algorithm, public: &[u8]) -> Evidence {
        let same_algorithm = Evidence::of_equal(&self.algorithm.id().to_le_bytes(), &algorithm.id().to_le_bytes());
        Evidence::of_all(&[same_algorithm, Evidence::of_equal(&self.public, public)], 2)
    }
}

impl EnvelopeContents<'_> {
    /// Checks the signature notes if readers of the format see them. `signatures` are the decoded
    /// signatures, and `notes` are the notes that `fndsa sign` writes for the keys that have
    /// signed.
    ///
    /// # Errors
    /// Fails if a note is not byte for byte as `fndsa sign` writes it, if a note is repeated, or if
    /// one of the `notes` is missing.
    pub fn check_notes(&self, signatures: &[FileObject], notes: impl Iterator<Item = String>) -> Result<(), Rejection> {
        if self.shows_notes && !are_exact_notes(signatures, notes) {
            return Err(Rejection::InlineForm);
        }
        Ok(())
    }

    /// Returns evidence that holds only if `evidence` and all `conditions` hold.
    pub fn confirm(&self, evidence: Evidence) -> Evidence {
        let mut all = self.conditions.clone();
        all.push(evidence);
        Evidence::of_all(&all, self.conditions.len() + 1)
    }
}

/// The reason why an envelope cannot be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EnvelopeError {
    /// The verdict is NO, and does not depend on the signatures in the envelope.
    Rejected(Rejection),
    /// The envelope contains this number of signatures, which is more than
    /// [`MAX_SIGNATURES`](super::text::MAX_SIGNATURES).
    TooMany(usize),
    /// The file is not a CMS signature.
    Cms(CmsDefect),
    /// The file is not a JSON Web Signature.
    Jws(JwsDefect),
    /// The file is not an SSH signature.
    SshSignature(SshSignatureDefect),
    /// The file is not an envelope in the expected format.
    Damaged {
        /// The description of the problem.
        what: String,
        /// The detected format if fndsa recognizes a file of a different program, otherwise `None`.
        format: Option<ForeignFormat>,
    },
}

impl EnvelopeError {
    /// Returns the defect, which has a reason code, a message and a hint. Returns `None` for
    /// [`Self::Rejected`] and [`Self::Damaged`].
    pub fn defect(&self) -> Option<InputDefect<'_>> {
        match self {
            Self::TooMany(count) => Some(InputDefect::ManySignatures(*count)),
            Self::Cms(defect) => Some(InputDefect::Cms(defect)),
            Self::Jws(defect) => Some(InputDefect::Jws(defect)),
            Self::SshSignature(defect) => Some(InputDefect::SshSignature(defect)),
            Self::Rejected(_) | Self::Damaged { .. } => None,
        }
    }
}

impl fmt::Display for EnvelopeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self, self.defect()) {
            (_, Some(defect)) => write!(f, "{defect}"),
            (Self::Rejected(rejection), None) => f.write_str(&rejection.words()),
            (Self::Damaged { what, .. }, None) => f.write_str(what),
            (_, None) => f.write_str("the file cannot be read"),
        }
    }
}

impl core::error::Error for EnvelopeError {}

/// A file format that contains signatures.
pub trait Envelope {
    /// Opens an envelope. Returns `None` if the file does not contain a signature in this format.
    ///
    /// # Errors
    /// Fails if the file is damaged or contains too many signatures. Also fails if the file must be
    /// rejected (verdict NO) although its signatures may be valid, for example because the
    /// namespace is wrong.
    fn open<'d>(&self, data: &'d [u8]) -> Result<Option<OpenedEnvelope<'d>>, EnvelopeError>;

    /// Returns whether the format is defined for signatures of an algorithm.
    fn supports(&self, _algorithm: Algorithm) -> bool {
        true
    }

    /// Returns whether signatures in the format can have a context and a pre-hash. A format that
    /// defines the signed bytes itself does not have these options.
    fn has_options(&self) -> bool {
        true
    }

    /// Returns the hint to print if the signatures match the message only after its line ends are
    /// changed (LF to CR LF, or CR LF to LF). Some programs change line ends before they sign.
    /// Returns `None` if programs that write this format do not change the message.
    fn line_ends_hint(&self) -> Option<&'static str> {
        None
    }
}

/// A new signature for an envelope.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct NewSignature<'a> {
    /// The key's algorithm.
    pub algorithm: Algorithm,
    /// The public key's encoding.
    pub public: &'a [u8],
    /// The key's fingerprint.
    pub fingerprint: &'a str,
    /// The signature as it is stored in the envelope: raw, or as a PEM block with its note.
    pub contents: &'a [u8],
}

impl<'a> NewSignature<'a> {
    /// Creates the value from its fields.
    pub const fn new(algorithm: Algorithm, public: &'a [u8], fingerprint: &'a str, contents: &'a [u8]) -> Self {
        Self { algorithm, public, fingerprint, contents }
    }
}

/// A file format that contains signatures, and that fndsa can write.
pub trait EnvelopeWriter: Envelope {
    /// Returns the bytes that signatures of this message will cover.
    fn cover(&self, message: Vec<u8>) -> CoveredBytes<'static>;

    /// Returns the bytes that the signatures will cover if the message stays in a separate file.
    /// Returns `None` if the envelope contains the message.
    fn separate(&self) -> Option<CoveredBytes<'static>> {
        None
    }

    /// Returns the name of the message encoding that new signatures in a scheme will cover. Returns
    /// `None` if the format has only one encoding.
    fn form(&self, _scheme: Scheme) -> Option<&'static str> {
        None
    }

    /// Encodes an envelope.
    fn write(&self, covered: &CoveredBytes<'_>, signatures: &[NewSignature<'_>]) -> Vec<u8>;

    /// Encodes an envelope, and opens the result to check it. Returns the file and evidence. The
    /// evidence holds only if `signatures` is not empty, and if the file can be opened and contains
    /// the bytes in `covered` and all `signatures`.
    fn seal(&self, covered: &CoveredBytes<'_>, signatures: &[NewSignature<'_>]) -> (Vec<u8>, Evidence) {
        let mut sorted = signatures.to_vec();
        self.sort(&mut sorted);
        let file = self.write(covered, &sorted);
        let evidence = match self.open(&file) {
            Ok(Some(opened)) if !sorted.is_empty() => compare_with_written(&opened, covered, &sorted),
            _ => Evidence::of_equal(b"opened", b""),
        };
        (file, evidence)
    }

    /// Sorts signatures into the order that the format requires.
    fn sort(&self, _signatures: &mut [NewSignature<'_>]) {}
}

/// Compares an opened envelope with the data that was written to it. The evidence holds only if all
/// parts are equal and the conditions of the envelope hold.
fn compare_with_written(
    opened: &OpenedEnvelope<'_>,
    covered: &CoveredBytes<'_>,
    signatures: &[NewSignature<'_>],
) -> Evidence {
    let written: Vec<_> = signatures.iter().map(|signature| signature.contents).collect();
    let same_signatures = match &opened.signatures {
        EnvelopeSignatures::File(file) => Evidence::of_equal(file, &written.concat()),
        EnvelopeSignatures::Raw(raw_signatures) => Evidence::of_equal(&framed(raw_signatures), &framed(&written)),
        EnvelopeSignatures::Decoded(_) => Evidence::of_equal(b"decoded", b""),
    };
    let (signed, message) = opened.contents.covered.enclosed().unwrap_or_default();
    let (to_sign, to_write) = covered.enclosed().unwrap_or_default();
    let same_forms = Evidence::of_equal(&framed(opened.contents.covered.others()), &framed(covered.others()));
    // The digests are compared only if the format stores the file's digest.
    let has_digest = matches!(opened.contents.covered, CoveredBytes::SeparateDigest { digest: Some(_), .. });
    let same_parts =
        Evidence::of_equal(&opened.contents.covered.description(has_digest), &covered.description(has_digest));
    let same_signer = match &opened.contents.signer {
        None => Evidence::of_equal(b"", b""),
        Some(signer) => {
            let same_keys: Vec<_> =
                signatures.iter().map(|signature| signer.has(signature.algorithm, signature.public)).collect();
            Evidence::of_all(&same_keys, 1)
        }
    };
    let mut all = opened.contents.conditions.clone();
    all.extend([
        same_signatures,
        Evidence::of_equal(signed, to_sign),
        Evidence::of_equal(message, to_write),
        same_forms,
        same_parts,
        same_signer,
    ]);
    Evidence::of_all(&all, opened.contents.conditions.len() + 6)
}

/// The format of signature files, which do not contain the message.
pub struct DetachedSignatures;

impl Envelope for DetachedSignatures {
    fn open<'d>(&self, data: &'d [u8]) -> Result<Option<OpenedEnvelope<'d>>, EnvelopeError> {
        let signatures = EnvelopeSignatures::File(Cow::Borrowed(data));
        Ok(Some(OpenedEnvelope::new(signatures, CoveredBytes::SeparateFile)))
    }
}

impl EnvelopeWriter for DetachedSignatures {
    fn cover(&self, _: Vec<u8>) -> CoveredBytes<'static> {
        CoveredBytes::SeparateFile
    }

    fn separate(&self) -> Option<CoveredBytes<'static>> {
        Some(CoveredBytes::SeparateFile)
    }

    fn write(&self, _: &CoveredBytes<'_>, signatures: &[NewSignature<'_>]) -> Vec<u8> {
        let blocks: Vec<_> = signatures.iter().map(|signature| signature.contents).collect();
        blocks.concat()
    }
}

/// The format of checksum lists with signatures in comment lines at the end.
pub struct InlineList;

impl Envelope for InlineList {
    fn open<'d>(&self, data: &'d [u8]) -> Result<Option<OpenedEnvelope<'d>>, EnvelopeError> {
        let found = inline::split(data).map_err(|_| EnvelopeError::Rejected(Rejection::InlineForm))?;
        let Some(SignedList { list, signature }) = found else { return Ok(None) };
        let signatures = EnvelopeSignatures::File(Cow::Owned(signature));
        let mut opened = OpenedEnvelope::new(signatures, CoveredBytes::message(list));
        opened.contents.shows_notes = true;
        Ok(Some(opened))
    }
}

impl EnvelopeWriter for InlineList {
    fn cover(&self, message: Vec<u8>) -> CoveredBytes<'static> {
        CoveredBytes::message(message)
    }

    fn write(&self, covered: &CoveredBytes<'_>, signatures: &[NewSignature<'_>]) -> Vec<u8> {
        let (list, _) = covered.enclosed().unwrap_or_default();
        let mut file = list.to_vec();
        for signature in signatures {
            inline::append(&mut file, signature.contents);
        }
        file
    }
}

/// The format in which PQClean and other Falcon programs write a signature and its message to a
/// single file. fndsa can read this format, but cannot write it.
pub struct SignedMessage;

impl Envelope for SignedMessage {
    fn open<'d>(&self, data: &'d [u8]) -> Result<Option<OpenedEnvelope<'d>>, EnvelopeError> {
        let Some(FalconSignedMessage { signature, message }) = split(data) else { return Ok(None) };
        let signature = EnvelopeSignatures::Decoded(Box::new(signature));
        Ok(Some(OpenedEnvelope::new(signature, CoveredBytes::message(message))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::pem::pem;
    use alloc::{format, vec};

    const LIST: &[u8] = b"0000  a\n";

    fn block(byte: u8) -> Vec<u8> {
        pem("FNDSA SIGNATURE", "by somebody\n", &[byte; 100]).to_vec()
    }

    fn new_signature(contents: &[u8]) -> NewSignature<'_> {
        NewSignature { algorithm: Algorithm::FN_DSA_512, public: b"", fingerprint: "", contents }
    }

    fn new_signatures(contents: &[Vec<u8>]) -> Vec<NewSignature<'_>> {
        contents.iter().map(|contents| new_signature(contents)).collect()
    }

    #[test]
    fn a_written_envelope_opens_to_the_same_contents() {
        let blocks = [block(1), block(2)];
        for writer in [&InlineList as &dyn EnvelopeWriter, &DetachedSignatures] {
            for count in 1..=blocks.len() {
                let signatures = new_signatures(&blocks[..count]);
                let (file, evidence) = writer.seal(&writer.cover(LIST.to_vec()), &signatures);
                assert!(evidence.holds());
                let opened = writer.open(&file).ok().flatten().unwrap();
                let EnvelopeSignatures::File(contents) = &opened.signatures else { panic!("not a signature file") };
                assert_eq!(contents[..], blocks[..count].concat());
                assert!(opened.contents.covered.enclosed().is_none_or(|both| both == (LIST, LIST)));
                assert_eq!(opened.contents.covered.enclosed().is_some(), opened.contents.shows_notes);
            }
        }
    }

    #[test]
    fn an_envelope_without_a_signature_gives_no_evidence() {
        for writer in [&InlineList as &dyn EnvelopeWriter, &DetachedSignatures] {
            assert!(!writer.seal(&writer.cover(LIST.to_vec()), &[]).1.holds());
        }
    }

    #[test]
    fn a_difference_gives_no_evidence() {
        let blocks = [block(1), block(2)];
        let signatures = new_signatures(&blocks);
        let covered = InlineList.cover(LIST.to_vec());
        let file = InlineList.write(&covered, &signatures);
        let opened = InlineList.open(&file).ok().flatten().unwrap();
        assert!(compare_with_written(&opened, &covered, &signatures).holds());
        for other in [&signatures[..1], &signatures[1..], &new_signatures(&[block(2), block(1)])[..]] {
            assert!(!compare_with_written(&opened, &covered, other).holds());
        }
        assert!(!compare_with_written(&opened, &CoveredBytes::message(&b"0000  b\n"[..]), &signatures).holds());
        assert!(!compare_with_written(&opened, &CoveredBytes::SeparateFile, &signatures).holds());
        // Signature lines can only be appended if the last line of the list has a line end.
        assert!(!InlineList.seal(&InlineList.cover(b"0000  a".to_vec()), &signatures).1.holds());
    }

    #[test]
    fn evidence_includes_conditions_and_notes() {
        let (yes, no) = (Evidence::of_equal(b"", b""), Evidence::of_equal(b"a", b"b"));
        let file = format!("{}# {}", "0000  a\n", "-----BEGIN FNDSA SIGNATURE-----\n");
        assert!(matches!(InlineList.open(file.as_bytes()), Err(EnvelopeError::Rejected(Rejection::InlineForm))));
        let contents = |conditions, shows_notes| EnvelopeContents {
            covered: CoveredBytes::SeparateFile,
            conditions,
            shows_notes,
            signer: None,
        };
        assert!(contents(vec![], false).confirm(yes).holds() && contents(vec![yes], true).confirm(yes).holds());
        assert!(!contents(vec![yes, no], false).confirm(yes).holds() && !contents(vec![], false).confirm(no).holds());
        let note = || core::iter::once("fndsa signature".into());
        assert!(matches!(contents(vec![], true).check_notes(&[], note()), Err(Rejection::InlineForm)));
        assert!(contents(vec![], false).check_notes(&[], note()).is_ok());
    }
}
