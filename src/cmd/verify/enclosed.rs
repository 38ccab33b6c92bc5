//! `verify --attached` and `verify --dsse`: files with their signatures in them. They are read whole, once: what was verified
//! is what is given out.

use super::Args;
use crate::tool::context::CommandContext;
use crate::tool::io::{Access, Destination, Force, InputSource, MemoryInput};
use crate::tool::message::envelope::{Envelope, MAX_ENVELOPE_MEBIBYTES, PayloadType, Unsealed};
use crate::tool::report::progress::Progress;
use crate::tool::report::{Entry, Error, Evidence};
use crate::tool::verify::lines::Lines;
use crate::tool::verify::verifier::{Verdict, Verifier};
use fndsa::files::attached::{Attached, split};
use serde_json::json;
use std::path::Path;

/// The largest signed message, in MiB.
const MAX_ATTACHED_MEBIBYTES: usize = 1024;

/// Returns where the message of a file goes.
pub fn output(args: &Args, path: &Path, context: &CommandContext) -> Result<Destination, Error> {
    // The verdict is there already; a NO would be taken for the message.
    if Destination::names_stdout(path) && (context.voice.json || context.voice.quiet < 2) {
        return Err(Error::MessageOnStdout);
    }
    Destination::new(path, Force::of(args.force), Access::Public)
}

/// Files with their signatures in them.
pub struct EnclosedCheck<'a> {
    /// The keys, and what all files share.
    pub verifier: &'a Verifier<'a>,
    /// The type of the payload that is wanted of envelopes; `None` for signed messages.
    pub payload_type: Option<&'a PayloadType>,
    /// Where the message goes.
    pub output: Option<&'a Destination>,
    /// How far it is.
    pub progress: &'a Progress,
}

impl EnclosedCheck<'_> {
    /// Verifies the files, one after another.
    ///
    /// # Errors
    /// A message cannot be written.
    pub fn run(&self, sources: &[InputSource], lines: &mut Lines<'_>) -> Result<(), Error> {
        let mut work = Vec::new();
        sources.iter().try_for_each(|source| match self.payload_type {
            Some(payload_type) => self.envelope(&mut work, source, payload_type, lines),
            None => self.signed_message(&mut work, source, lines),
        })
    }

    /// Verifies a signed message.
    fn signed_message(&self, work: &mut Vec<u8>, source: &InputSource, lines: &mut Lines<'_>) -> Result<(), Error> {
        let entry = self.verifier.form.describe(Entry::of(source.path()));
        let data = match source.read_list(MAX_ATTACHED_MEBIBYTES, self.progress) {
            Ok(data) => data,
            Err(e) => {
                lines.error(source, entry, &e);
                return Ok(());
            }
        };
        let Some(Attached { signature, message }) = split(&data) else {
            lines.error(source, entry, &Error::NotAttached(source.to_string()));
            return Ok(());
        };
        let mut input = MemoryInput::new(source, message);
        let checked = self.verifier.check_signatures(work, &signature.into(), &mut input);
        self.decided(source, entry, checked, message, lines)
    }

    /// Verifies an envelope.
    fn envelope(
        &self,
        work: &mut Vec<u8>,
        source: &InputSource,
        wanted: &PayloadType,
        lines: &mut Lines<'_>,
    ) -> Result<(), Error> {
        let entry = self.verifier.form.describe(Entry::of(source.path()));
        let entry = entry.set("payload_type", json!(wanted.to_string()));
        let data = source.read_list(MAX_ENVELOPE_MEBIBYTES, self.progress);
        let envelope = match data.and_then(|data| Envelope::read(data, source)) {
            Ok(envelope) => envelope,
            Err(e) => {
                lines.error(source, entry, &e);
                return Ok(());
            }
        };
        if let Some(no) = envelope.refuse(wanted) {
            lines.failed(source, entry, &no.into());
            return Ok(());
        }
        let Unsealed { signatures, signed, type_is_wanted } = match envelope.unseal(wanted) {
            Ok(unsealed) => unsealed,
            Err(e) => {
                lines.error(source, entry, &e);
                return Ok(());
            }
        };
        let mut input = MemoryInput::new(source, signed.as_bytes());
        let mut checked = self.verifier.check_signatures(work, &signatures, &mut input);
        if let Ok(Verdict::Yes(found)) = &mut checked {
            found.yes = Evidence::of_all(&[found.yes, type_is_wanted], 2);
            found.bytes = signed.payload().len() as u64;
        }
        self.decided(source, entry, checked, signed.payload(), lines)
    }

    /// Says the verdict on a file, and gives its message out if the verdict is YES.
    fn decided(
        &self,
        source: &InputSource,
        entry: Entry,
        checked: Result<Verdict, Error>,
        message: &[u8],
        lines: &mut Lines<'_>,
    ) -> Result<(), Error> {
        let found = checked.as_ref().ok().and_then(Verdict::found);
        let is_good = found.is_some_and(|found| found.yes.holds());
        lines.checked(source, None, entry, checked);
        match self.output {
            Some(output) if is_good => output.write(message),
            _ => Ok(()),
        }
    }
}
