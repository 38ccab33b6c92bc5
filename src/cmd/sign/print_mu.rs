//! `sign --print-mu`: what a signer elsewhere, a card or a server, is given to sign.

use crate::tool::io::{FileInput, Source};
use crate::tool::options::jobs::Jobs;
use crate::tool::report::progress::Progress;
use crate::tool::report::{Entry, Error, Report, write_stdout};
use crate::tool::work::message::MessageForm;
use crate::tool::work::ordered::in_order;
use fndsa::files::hex::hex;
use fndsa::files::manifest::write_line;
use fndsa::{KeyHash, Level};
use serde_json::json;
use std::ops::ControlFlow;
use std::os::unix::ffi::OsStrExt;

/// Prints one line for each file: the mu alone for `one`, which `sign --mu -` takes as it is, else
/// with the name after it.
///
/// # Errors
/// Standard output cannot be written.
pub fn print(
    level: Level,
    key: &KeyHash,
    form: &MessageForm,
    sources: &[Source],
    one: bool,
    jobs: Jobs,
    progress: &Progress,
    report: &mut Report,
) -> Result<(), Error> {
    let threads = jobs.threads(sources.len());
    let of_thread = if threads.get() > 1 { Progress::none() } else { progress.clone() };
    let work = |(): &mut (), i: usize| {
        let source: &Source = &sources[i];
        form.mu(level, key, &mut FileInput::new(source, &of_thread))
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
                    let entry = form.describe(Entry::of(path)).set("mu_hex", json!(hex(mu.as_bytes())));
                    report.push(entry.set("bytes", bytes.into()).ok());
                    if !report.voice.json {
                        let mut line = Vec::new();
                        match one {
                            true => line.extend_from_slice(format!("{}\n", hex(mu.as_bytes())).as_bytes()),
                            false => write_line(&mut line, mu.as_bytes(), path.as_os_str().as_bytes()),
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
