//! `verify --stream`: reads requests from standard input, and writes a verdict for each request to
//! standard output.

use crate::tool::io::InputSource;
use crate::tool::keys::signature_file::LoadedSignatures;
use crate::tool::message::form::MessageForm;
use crate::tool::report::suffix::{SUFFIX, with_suffix};
use crate::tool::report::{Error, Report, ResultEntry, SuccessToken};
use crate::tool::stream::answers::{RequestAnswer, answer_all};
use crate::tool::stream::request::{Request, RequestKind, RequestMessage};
use crate::tool::trust::describe::describe_keys;
use crate::tool::verify::verifier::{Verdict, VerificationJob, Verifier};
use std::num::NonZeroUsize;

/// Verifies requests until the input ends.
///
/// # Errors
/// Fails if there is no request, or if standard input or standard output fails.
pub fn verify_stream(
    verifier: &Verifier<'_>,
    threads: NonZeroUsize,
    report: &mut Report,
) -> Result<SuccessToken, Error> {
    answer_all(RequestKind::Verify, threads, report, &|work, requests| verify_requests(verifier, work, requests))
}

/// Verifies a group of requests that arrived at the same time.
fn verify_requests(
    verifier: &Verifier<'_>,
    work: &mut Vec<u8>,
    requests: Vec<(ResultEntry, Request)>,
) -> Vec<RequestAnswer> {
    let (entries, requests): (Vec<_>, Vec<_>) = requests.into_iter().unzip();
    let forms: Vec<_> = requests.iter().map(|it| verifier.form.with_context(it.context.as_deref())).collect();
    let mut jobs = Vec::with_capacity(requests.len());
    for (request, form) in requests.iter().zip(&forms) {
        jobs.push(decode_job(form, request));
    }
    let verdicts = verifier.check_together(work, jobs);
    let mut answers = Vec::with_capacity(requests.len());
    for ((entry, form), verdict) in entries.into_iter().zip(&forms).zip(verdicts) {
        answers.push(answer(verifier, form.describe(entry), verdict));
    }
    answers
}

/// Decodes the signatures in a request. The message is not read yet.
fn decode_job<'a>(form: &'a MessageForm, request: &'a Request) -> Result<VerificationJob<'a>, Error> {
    let signatures = match (&request.subject, &request.signature) {
        (_, Some(signature)) => LoadedSignatures::read(signature, &"signature_b64")?,
        (RequestMessage::File(source), None) => {
            LoadedSignatures::load(&InputSource::File(with_suffix(source.path(), SUFFIX)), source)?
        }
        (RequestMessage::Bytes(_), None) => return Err(Error::Internal("a request without a signature".to_owned())),
    };
    Ok(VerificationJob { form, signatures, input: request.subject.input() })
}

fn answer(verifier: &Verifier<'_>, entry: ResultEntry, verdict: Result<Verdict, Error>) -> RequestAnswer {
    match verdict {
        Ok(Verdict::Yes(found)) => {
            let entry = describe_keys(entry, verifier.policy.keys, &found.keys, &[]).set("bytes", found.bytes.into());
            RequestAnswer::yes(entry, found.evidence)
        }
        Ok(Verdict::No(refused)) => RequestAnswer::no(entry, &refused),
        Err(e) => RequestAnswer::error(entry, &e),
    }
}
