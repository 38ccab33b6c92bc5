//! `sign --stream`: reads requests from standard input, and writes a signature for each request to
//! standard output.

use crate::tool::io::Input;
use crate::tool::keys::protected_files::ProtectedFiles;
use crate::tool::keys::swapped_files;
use crate::tool::report::{Error, Report, ResultEntry, SuccessToken};
use crate::tool::sign::key_signer::SignatureContents;
use crate::tool::sign::signer::Signer;
use crate::tool::stream::answers::{RequestAnswer, answer_all};
use crate::tool::stream::request::{Request, RequestKind};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use fndsa::verdict::envelope::DetachedSignatures;
use serde_json::json;
use std::num::NonZeroUsize;

/// Answers requests until the input ends. Rejects requests for a key file or password file in
/// `protected`. If a request does not contain a context, the signature has the context that
/// `signer` was created with.
///
/// # Errors
/// Fails if the input does not contain any request, or if standard input or standard output fails.
pub fn sign_stream(
    signer: &Signer<'_>,
    protected: &ProtectedFiles,
    threads: NonZeroUsize,
    report: &mut Report,
) -> Result<SuccessToken, Error> {
    answer_all(RequestKind::Sign, threads, report, &|work, requests| sign_requests(signer, protected, work, requests))
}

/// Encodes a signature file's contents in base64, for an answer.
fn encoded(signed: Result<SignatureContents, Error>) -> Result<(String, SignatureContents), Error> {
    let signed = signed?;
    Ok((STANDARD.encode(signed.file()?), signed))
}

/// Signs a group of requests that arrived at the same time.
fn sign_requests(
    signer: &Signer<'_>,
    protected: &ProtectedFiles,
    work: &mut Vec<u8>,
    requests: Vec<(ResultEntry, Request)>,
) -> Vec<RequestAnswer> {
    let (entries, requests): (Vec<_>, Vec<_>) = requests.into_iter().unzip();
    let forms: Vec<_> = requests.iter().map(|request| signer.form().with_context(request.context.as_deref())).collect();
    let mut refusals = Vec::with_capacity(requests.len());
    let mut inputs = Vec::with_capacity(requests.len());
    for request in &requests {
        let refusal = request.subject.source().and_then(|source| protected.refuse(source).err());
        inputs.push(if refusal.is_none() { Some(request.subject.input()) } else { None });
        refusals.push(refusal);
    }
    let mut messages = Vec::with_capacity(requests.len());
    for (form, input) in forms.iter().zip(&mut inputs) {
        if let Some(input) = input {
            messages.push((&**form, &mut **input as &mut dyn Input));
        }
    }
    let mut results = signer.sign_together(work, &mut messages).into_iter();
    let mut answers = Vec::with_capacity(requests.len());
    for (((entry, form), request), refusal) in entries.into_iter().zip(&forms).zip(&requests).zip(refusals) {
        let entry = form.describe(signer.describe_keys(entry, &DetachedSignatures));
        let signed = match refusal {
            Some(refusal) => Err(refusal),
            None => results.next().unwrap_or_else(|| Err(Error::Internal("no result for a request".to_owned()))),
        };
        answers.push(match encoded(signed) {
            Ok((signature, signed)) => {
                let entry = entry.set("bytes", signed.bytes.into()).set("signature_b64", json!(signature));
                RequestAnswer::yes(entry, signed.evidence())
            }
            Err(e) => RequestAnswer::error(entry, &specific_error(e, request)),
        });
    }
    answers
}

/// Returns a more specific error for the request's message, if there is one.
fn specific_error(e: Error, request: &Request) -> Error {
    if let Some(source) = request.subject.source() { swapped_files::explain_input_error(e, source) } else { e }
}
