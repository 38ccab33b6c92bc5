//! `verify --stream`: reads requests from standard input, and writes a verdict for each request to
//! standard output.

use crate::tool::io::InputSource;
use crate::tool::keys::signature_file::Signatures;
use crate::tool::message::form::MessageForm;
use crate::tool::report::suffix::{SUFFIX, with_suffix};
use crate::tool::report::{Answer, Entry, Error, Report};
use crate::tool::stream::answers::{Answered, answer_all};
use crate::tool::stream::request::{Request, RequestKind, RequestMessage};
use crate::tool::trust::describe::describe_keys;
use crate::tool::verify::verifier::{Asked, Verdict, Verifier};
use std::num::NonZeroUsize;

/// Verifies requests until the input ends.
///
/// # Errors
/// There is no request, or standard input or output failed.
pub fn verify_stream(verifier: &Verifier<'_>, threads: NonZeroUsize, report: &mut Report) -> Result<Answer, Error> {
    answer_all(RequestKind::Verify, threads, report, |work, requests| verify_requests(verifier, work, requests))
}

/// Verifies requests that arrived at the same time.
fn verify_requests(verifier: &Verifier<'_>, work: &mut Vec<u8>, requests: Vec<(Entry, Request)>) -> Vec<Answered> {
    let (entries, requests): (Vec<_>, Vec<_>) = requests.into_iter().unzip();
    let forms: Vec<_> = requests.iter().map(|it| verifier.form.with_context(it.context.as_deref())).collect();
    let asked = requests.iter().zip(&forms).map(|(request, form)| asked(form, request)).collect();
    let verdicts = verifier.check_together(work, asked);
    let answered = entries.into_iter().zip(&forms).zip(verdicts);
    answered.map(|((entry, form), verdict)| answer(verifier, form.describe(entry), verdict)).collect()
}

/// Returns the signature and the message to verify for a request. The message is not read yet.
fn asked<'a>(form: &'a MessageForm, request: &'a Request) -> Result<Asked<'a>, Error> {
    let signatures = match (&request.subject, &request.signature) {
        (_, Some(signature)) => Signatures::read(signature, &"signature_b64")?,
        (RequestMessage::File(source), None) => {
            Signatures::load(&InputSource::File(with_suffix(source.path(), SUFFIX)), source)?
        }
        (RequestMessage::Bytes(_), None) => return Err(Error::Internal("a request without a signature".to_owned())),
    };
    Ok(Asked { form, signatures, input: request.subject.input() })
}

fn answer(verifier: &Verifier<'_>, entry: Entry, verdict: Result<Verdict, Error>) -> Answered {
    match verdict {
        Ok(Verdict::Yes(found)) => {
            let entry = describe_keys(entry, verifier.policy.keys, &found.keys).set("bytes", found.bytes.into());
            Answered::yes(entry, found.yes)
        }
        Ok(Verdict::No(refused)) => Answered::no(entry, &refused),
        Err(e) => Answered::error(entry, &e),
    }
}
