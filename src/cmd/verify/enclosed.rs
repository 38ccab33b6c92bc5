//! `verify --attached`, `verify --dsse` and `verify --kernel-module`: verifies files that contain
//! their signatures. Each file is read into memory only once, so the message that `--output` writes
//! is the message that was verified.
//!
//! `plan` calls [`output`] before it loads the keys, and then calls [`EnclosedCheck::run`].

use super::Args;
use crate::tool::context::CommandContext;
use crate::tool::io::{Destination, InputSource, NewFileAccess, OverwriteRule};
use crate::tool::message::dsse::{DsseFormat, MAX_ENVELOPE_MEBIBYTES, PayloadType};
use crate::tool::message::envelope::{EnvelopeOpening, explain_other_format, open};
use crate::tool::report::progress::ProgressDisplay;
use crate::tool::report::{Error, ResultEntry};
use crate::tool::verify::certificates::{MESSAGE_CHANGED, MessageComparison, explain_cms};
use crate::tool::verify::lines::VerdictPrinter;
use crate::tool::verify::verifier::{DetailedRejection, Verdict, Verifier};
use fndsa::verdict::Rejection;
use fndsa::verdict::cms_envelope::{CmsFormat, ModuleFormat};
use fndsa::verdict::envelope::{Envelope, SignedMessage};
use serde_json::json;
use std::path::Path;

/// Checks the path after `--output`, to which the verified message will be written.
///
/// # Errors
/// Fails if the file cannot be written, or if verdicts or a JSON document would also be written to
/// standard output.
pub fn output(args: &Args, path: &Path, context: &CommandContext) -> Result<Destination, Error> {
    // Standard output must contain only the message. Without `-qq`, it also contains verdicts, and
    // a program could use the text of a NO as the message.
    if Destination::names_stdout(path) && (context.output.json || context.output.quiet < 2) {
        return Err(Error::MessageOnStdout);
    }
    Destination::new(path, OverwriteRule::of(args.force), NewFileAccess::Public)
}

/// The format of files that contain their signatures.
pub enum EnclosingFormat<'a> {
    /// `--attached`: signed messages.
    Attached,
    /// `--dsse TYPE`: envelopes with payloads of this type.
    Dsse(&'a PayloadType),
    /// `--cms --attached`: CMS files that contain the message.
    Cms,
    /// `--kernel-module`: Linux kernel modules.
    KernelModule,
}

impl<'a> EnclosingFormat<'a> {
    /// Returns the format that the options select.
    pub fn new(args: &'a Args) -> Self {
        match &args.dsse {
            Some(payload_type) => Self::Dsse(payload_type),
            None if args.kernel_module => Self::KernelModule,
            None if args.cms => Self::Cms,
            None => Self::Attached,
        }
    }

    /// Returns the reader of this format.
    fn format(&self) -> Box<dyn Envelope + 'a> {
        match self {
            Self::Attached => Box::new(SignedMessage),
            Self::Dsse(payload_type) => Box::new(DsseFormat { payload_type }),
            Self::Cms => Box::new(CmsFormat::ENCLOSED),
            Self::KernelModule => Box::new(ModuleFormat),
        }
    }

    /// Returns the maximum file size in MiB.
    fn limit(&self) -> usize {
        match self {
            Self::Attached | Self::Cms | Self::KernelModule => 1024,
            Self::Dsse(_) => MAX_ENVELOPE_MEBIBYTES,
        }
    }

    /// Returns the error for a file that contains no signature in this format.
    fn no_signature_error(&self, source: &InputSource) -> Error {
        match self {
            Self::KernelModule => Error::NoModuleSignature { from: source.to_string() },
            _ => Error::NotAttached(source.to_string()),
        }
    }

    /// Adds the payload type to a result, if the files are DSSE envelopes.
    fn describe(&self, entry: ResultEntry) -> ResultEntry {
        match self {
            Self::Attached | Self::Cms | Self::KernelModule => entry,
            Self::Dsse(payload_type) => entry.set("payload_type", json!(payload_type.to_string())),
        }
    }
}

/// A verifier for files that contain their signatures.
pub struct EnclosedCheck<'a> {
    /// The verifier, with the trusted keys and the options that are common to all files.
    pub verifier: &'a Verifier<'a>,
    /// The format of the files.
    pub enclosing: &'a EnclosingFormat<'a>,
    /// The output to which the verified message is written.
    pub output: Option<&'a Destination>,
    /// The display for progress bars.
    pub progress: &'a ProgressDisplay,
    /// The sources from which the trusted keys were read.
    pub keys: &'a [InputSource],
}

impl EnclosedCheck<'_> {
    /// Verifies all files in order, and prints a verdict or an error for each file.
    ///
    /// # Errors
    /// Fails if a message cannot be written.
    pub fn run(&self, sources: &[InputSource], lines: &mut VerdictPrinter<'_>) -> Result<(), Error> {
        let mut work = Vec::new();
        for source in sources {
            self.file(&mut work, source, lines)?;
        }
        Ok(())
    }

    /// Verifies a file. `work` is a buffer that all files share.
    fn file(&self, work: &mut Vec<u8>, source: &InputSource, lines: &mut VerdictPrinter<'_>) -> Result<(), Error> {
        let entry = self.enclosing.describe(self.verifier.form.describe(ResultEntry::of(source.path())));
        let format = self.enclosing.format();
        let data = match source.read_limited(self.enclosing.limit(), self.progress) {
            Ok(data) => data,
            Err(e) => {
                lines.error(source, entry, &source.explain_missing(e, &[]));
                return Ok(());
            }
        };
        let (signatures, contents) = match open(&*format, &data, source) {
            Ok(EnvelopeOpening::Signed { signatures, contents }) => (signatures, contents),
            Ok(EnvelopeOpening::Unsigned) => {
                lines.error(source, entry, &explain_other_format(self.enclosing.no_signature_error(source), &data));
                return Ok(());
            }
            Ok(EnvelopeOpening::Rejected(rejection)) => {
                // In CMS, the signed attributes contain the digest of the message. If this digest
                // differs from the digest of the message, the message was changed.
                let is_cms = matches!(self.enclosing, EnclosingFormat::Cms | EnclosingFormat::KernelModule);
                let is_changed = is_cms && matches!(rejection, Rejection::Mismatch { .. });
                let hint = if is_changed { Some(MESSAGE_CHANGED.to_owned()) } else { None };
                lines.failed(source, entry, &DetailedRejection::hinting(rejection, hint));
                return Ok(());
            }
            // The module ends with a signature that cannot be used, so a hint about other formats
            // would be wrong.
            Err(e) if matches!(self.enclosing, EnclosingFormat::KernelModule) => {
                lines.error(source, entry, &e);
                return Ok(());
            }
            Err(e) => {
                lines.error(source, entry, &explain_other_format(e, &data));
                return Ok(());
            }
        };
        let mut checked = self.verifier.check_envelope(work, &signatures, &contents, source);
        if let (EnclosingFormat::Cms | EnclosingFormat::KernelModule, Ok(verdict)) = (self.enclosing, &mut checked) {
            explain_cms(verdict, &data, self.keys, MessageComparison::of_enclosed(&data));
        }
        let (_, message) = contents.covered.enclosed().unwrap_or_default();
        self.report_verdict(source, entry, checked, message, lines)
    }

    /// Reports the verdict for a file. If the verdict is YES, also writes the message to the
    /// output.
    fn report_verdict(
        &self,
        source: &InputSource,
        entry: ResultEntry,
        checked: Result<Verdict, Error>,
        message: &[u8],
        lines: &mut VerdictPrinter<'_>,
    ) -> Result<(), Error> {
        let accepted = checked.as_ref().ok().and_then(Verdict::accepted);
        let is_good = accepted.is_some_and(|accepted| accepted.evidence.holds());
        lines.checked(source, None, entry, checked);
        match self.output {
            Some(output) if is_good => output.write(message),
            _ => Ok(()),
        }
    }
}
