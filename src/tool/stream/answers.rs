//! Implements `--stream`: reads requests from standard input, one in each line, and writes the
//! answers to standard output in the same order.

use super::request::{ParsedRequest, Request, RequestKind};
use crate::tool::io::requests::{ReaderThread, RequestLine, RequestLines};
use crate::tool::report::json::json_text;
use crate::tool::report::{Error, Evidence, EvidenceSum, Exit, Report, ResultEntry, SuccessToken, write_stdout};
use crate::tool::run::ordered::{for_each_ordered, map_ok_together};
use crate::tool::verify::verifier::DetailedRejection;
use serde_json::json;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

/// The maximum number of groups whose answers are complete, but wait for an earlier group's
/// answers.
const WAITING: usize = 64;

/// The answer to a request, as text.
pub struct RequestAnswer {
    /// A JSON document with a line end.
    text: String,
    exit: Exit,
    evidence: Option<Evidence>,
}

impl RequestAnswer {
    /// Creates the answer for a YES or a signature.
    pub fn yes(entry: ResultEntry, evidence: Evidence) -> Self {
        if evidence.holds() {
            Self::of(entry.ok(), Exit::Ok, Some(evidence))
        } else {
            Self::error(entry, &Error::Internal("a verdict without evidence".to_owned()))
        }
    }

    /// Creates the answer for a NO.
    pub fn no(entry: ResultEntry, details: &DetailedRejection) -> Self {
        Self::of(details.entry(entry), Exit::Negative, None)
    }

    /// Creates the answer for an error.
    pub fn error(entry: ResultEntry, e: &Error) -> Self {
        Self::of(entry.error(e), e.exit(), None)
    }

    fn of(entry: ResultEntry, exit: Exit, evidence: Option<Evidence>) -> Self {
        let value = entry.set("exit_code", json!(exit.code())).into_value();
        Self { text: json_text(&value) + "\n", exit, evidence }
    }
}

/// A function that answers a group of requests. Its first argument is a buffer that later calls on
/// the same thread reuse. The [`ResultEntry`] next to a request contains the first members of its
/// answer.
pub type GroupAnswer<'a> = dyn Fn(&mut Vec<u8>, Vec<(ResultEntry, Request)>) -> Vec<RequestAnswer> + Sync + 'a;

/// Answers all requests on at most `threads` threads. Returns a token that allows exit code 0 only
/// if all answers are YES or signatures. `answer` gets a group of at most eight requests, and must
/// return an answer for each request, in order. The answers for a group are printed after the
/// answers for all earlier groups.
///
/// # Errors
/// Fails if there are no requests, if standard input cannot be read, or if standard output cannot
/// be written.
pub fn answer_all(
    kind: RequestKind,
    threads: NonZeroUsize,
    report: &mut Report,
    answer: &GroupAnswer<'_>,
) -> Result<SuccessToken, Error> {
    let reader = if threads == NonZeroUsize::MIN { ReaderThread::Caller } else { ReaderThread::Thread };
    let (lines, stop) = RequestLines::of_stdin(reader)?;
    let mut request_count = 0;
    let mut good = EvidenceSum::default();
    let mut result = Ok(());
    for_each_ordered(
        threads,
        WAITING,
        lines,
        Vec::new,
        |work, group: Result<Vec<RequestLine>, Error>| {
            let group = group?;
            Ok((group.len(), group_of(kind, group, |requests| answer(work, requests))))
        },
        |answers| {
            result = match answers {
                Ok((lines, answers)) => {
                    request_count += lines;
                    print(&answers, &mut good, report)
                }
                Err(e) => Err(e),
            };
            if result.is_ok() {
                return ControlFlow::Continue(());
            }
            stop.stop();
            ControlFlow::Break(())
        },
    );
    result?;
    if request_count == 0 {
        return Err(Error::NoFiles("standard input".to_owned()));
    }
    let answer = good.answer(request_count);
    if report.exit() == Exit::Ok && answer.exit() != Exit::Ok {
        return Err(Error::Internal(format!("the number of answers is not {request_count}")));
    }
    Ok(answer)
}

/// Prints answers, and adds the evidence for each YES or signature to `good`.
fn print(answers: &[RequestAnswer], good: &mut EvidenceSum, report: &mut Report) -> Result<(), Error> {
    let mut text = String::new();
    for answer in answers {
        report.add_exit(answer.exit);
        if let Some(evidence) = answer.evidence {
            good.add(evidence);
        }
        text += &answer.text;
    }
    write_stdout(text.as_bytes())
}

/// Answers a group of lines. Calls `answer` once, with all valid requests, and answers each line
/// that is not a valid request with an error.
fn group_of(
    kind: RequestKind,
    lines: Vec<RequestLine>,
    answer: impl FnOnce(Vec<(ResultEntry, Request)>) -> Vec<RequestAnswer>,
) -> Vec<RequestAnswer> {
    let mut requests = Vec::with_capacity(lines.len());
    for line in lines {
        let ParsedRequest { entry, request } = ParsedRequest::of(line, kind);
        requests.push(match request {
            Ok(request) => Ok((entry, request)),
            Err(e) => Err(RequestAnswer::error(entry, &e)),
        });
    }
    let mut answers = Vec::with_capacity(requests.len());
    for Ok(answered) | Err(answered) in map_ok_together(requests, answer) {
        answers.push(answered);
    }
    answers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_answer_is_an_error() {
        let lines = |count| (1..=count).map(|number| RequestLine { number, text: Some(b"{\"path\":\"a\"}".to_vec()) });
        let error = |(entry, _)| RequestAnswer::error(entry, &Error::StdinTwice);
        let answers = |answer: fn((ResultEntry, Request)) -> RequestAnswer, skip| {
            let answer = move |all: Vec<(ResultEntry, Request)>| all.into_iter().skip(skip).map(answer).collect();
            group_of(RequestKind::Sign, lines(3).collect(), answer).len()
        };
        assert_eq!((answers(error, 0), answers(error, 1)), (3, 2));
    }
}
