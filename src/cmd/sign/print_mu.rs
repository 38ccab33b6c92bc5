//! `sign --print-mu`: what a signer elsewhere, a card or a server, is given to sign.

use crate::tool::io::{FileInput, InputSource};
use crate::tool::message::form::MessageForm;
use crate::tool::options::jobs::Jobs;
use crate::tool::report::progress::Progress;
use crate::tool::report::{Entry, Error, Report, write_stdout};
use crate::tool::run::ordered::in_order;
use fndsa::files::hex::hex;
use fndsa::files::manifest::write_line;
use fndsa::{Algorithm, KeyHash, Level};
use serde_json::json;
use std::ops::ControlFlow;

/// What stands on the line of a mu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MuLine {
    /// The mu alone, which `sign --mu -` takes as it is.
    Alone,
    /// The mu, and the name of the file after it.
    Named,
}

/// Hashes messages to the mu that a key signs.
pub struct MuMaker {
    level: Level,
    algorithm: Algorithm,
    key: KeyHash,
    form: MessageForm,
}

impl MuMaker {
    /// Prepares for messages of one form and a key of `algorithm`, of which the hash of the public key is enough.
    ///
    /// # Errors
    /// The scheme has no mu, or no messages of that form.
    pub fn new(level: Level, algorithm: Algorithm, key: KeyHash, form: MessageForm) -> Result<Self, Error> {
        let scheme = algorithm.scheme();
        if !scheme.has_mu() {
            return Err(Error::NoMu(scheme));
        }
        form.check(algorithm)?;
        Ok(Self { level, algorithm, key, form })
    }

    /// Prints one line for each file, in order. A file that cannot be read is reported and passed over.
    ///
    /// # Errors
    /// Standard output cannot be written.
    pub fn print(
        &self,
        sources: &[InputSource],
        kind: MuLine,
        jobs: Jobs,
        progress: &Progress,
        report: &mut Report,
    ) -> Result<(), Error> {
        let threads = jobs.threads(sources.len());
        let of_thread = if threads.get() > 1 { Progress::none() } else { progress.clone() };
        let work = |(): &mut (), i: usize| {
            let source: &InputSource = &sources[i];
            self.form.mu(self.level, self.algorithm, &self.key, &mut FileInput::new(source, &of_thread))
        };
        let mut bar = progress.steps("hashing", sources.len() as u64);
        let mut result = Ok(());
        in_order(
            threads,
            sources.len(),
            || (),
            work,
            |i, read| {
                bar.at(i as u64 + 1);
                let path = sources[i].path();
                bar.pause(|| match read {
                    Ok((mu, bytes)) => {
                        let entry = self.form.describe(Entry::of(path)).set("mu_hex", json!(hex(mu.as_bytes())));
                        report.push(entry.set("bytes", bytes.into()).ok());
                        if !report.voice.json {
                            let mut line = Vec::new();
                            match kind {
                                MuLine::Alone => line.extend_from_slice(format!("{}\n", hex(mu.as_bytes())).as_bytes()),
                                MuLine::Named => {
                                    write_line(&mut line, mu.as_bytes(), path.as_os_str().as_encoded_bytes())
                                }
                            }
                            result = write_stdout(&line);
                        }
                    }
                    Err(e) => report.file_error(Entry::of(path), &e),
                });
                if result.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
        result
    }
}
