//! ML-DSA vectors as documents for ACVP, which is NIST's protocol for validating implementations.
//! The tests of many implementations read NIST's sample files, so they can also read these
//! documents. A document belongs to a mode, for example `sigGen`, and contains prompts (the inputs)
//! and results, like NIST's files with the name `internalProjection.json`.
//!
//! With `--check`, each test in a file is compared with the expected test that has the same number.
//! The file can be a complete document, or it can contain only the results, as an implementation
//! under test returns them.

use super::{TestVector, VectorList, is_deterministic};
use crate::tool::io::InputSource;
use crate::tool::report::json::json_text;
use crate::tool::report::progress::ProgressDisplay;
use crate::tool::report::{Error, Evidence, EvidenceSum, Report, SuccessToken};
use fndsa::Options;
use fndsa::files::hex::hex;
use fndsa::no_alloc::VerifyingKeyRef;
use serde_json::{Map, Value, json};

/// The subject of a test vector document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum AcvpMode {
    /// Key pairs from seeds
    #[value(name = "keyGen", alias = "keygen")]
    KeyGen,
    /// Signatures, deterministic and randomized
    #[value(name = "sigGen", alias = "siggen")]
    SigGen,
    /// Verdicts on signatures; most of the signatures are changed
    #[value(name = "sigVer", alias = "sigver")]
    SigVer,
}

/// The maximum size in MiB for a file that is compared.
const MAX_VECTORS_MEBIBYTES: usize = 64;

/// A test group: its JSON members, and a function that returns whether the vector with this number
/// belongs to the group.
type TestGroup = (Value, fn(u32) -> bool);

impl AcvpMode {
    /// Returns the mode's name in ACVP.
    const fn name(self) -> &'static str {
        match self {
            Self::KeyGen => "keyGen",
            Self::SigGen => "sigGen",
            Self::SigVer => "sigVer",
        }
    }

    /// Returns the members in a test that are results and not prompts.
    const fn results(self) -> &'static [&'static str] {
        match self {
            Self::KeyGen => &["pk", "sk"],
            Self::SigGen => &["signature"],
            Self::SigVer => &["testPassed"],
        }
    }

    /// Returns the document's groups.
    fn groups(self, set: &str) -> Vec<TestGroup> {
        let first = json!({ "tgId": 1, "testType": "AFT", "parameterSet": set });
        let second = json!({ "tgId": 2, "testType": "AFT", "parameterSet": set });
        let external = json!({ "signatureInterface": "external", "preHash": "pure", "externalMu": false });
        match self {
            Self::KeyGen => vec![(first, |_| true)],
            Self::SigGen => {
                let deterministic = merged_objects(first, json!({ "deterministic": true }));
                let randomized = merged_objects(second, json!({ "deterministic": false }));
                vec![
                    (merged_objects(deterministic, external.clone()), is_deterministic),
                    (merged_objects(randomized, external), |index| !is_deterministic(index)),
                ]
            }
            Self::SigVer => vec![(merged_objects(first, external), |_| true)],
        }
    }

    /// Returns the test that contains a vector.
    fn test(self, list: &VectorList, vector: &TestVector) -> Result<Value, Error> {
        let TestVector { index, seed, message, context, random, public, private, signature, .. } = vector;
        let head = json!({ "tcId": index + 1, "deferred": false });
        let rest = match self {
            Self::KeyGen => json!({ "seed": hex(seed), "pk": hex(public), "sk": hex(private) }),
            Self::SigGen => {
                let test = json!({
                    "pk": hex(public), "sk": hex(private), "message": hex(message), "context": hex(context),
                    "hashAlg": "none", "signature": hex(signature),
                });
                if is_deterministic(*index) { test } else { merged_objects(test, json!({ "rnd": hex(random) })) }
            }
            Self::SigVer => {
                let SigVerCase { reason, message, signature } = SigVerCase::of(vector);
                let form = Options::with_context(context);
                json!({
                    "testPassed": list.accepts(public, form, &message, &signature)?, "reason": reason,
                    "pk": hex(public), "message": hex(&message), "context": hex(context),
                    "hashAlg": "none", "signature": hex(&signature),
                })
            }
        };
        Ok(merged_objects(head, rest))
    }
}

/// Returns an object with the members of both objects.
fn merged_objects(mut a: Value, mut b: Value) -> Value {
    if let (Some(a), Some(b)) = (a.as_object_mut(), b.as_object_mut()) {
        a.append(b);
    }
    a
}

/// The input for a verifier. Every fifth case is an unchanged vector, and all other cases contain a
/// change. The names of the changes are the same as in NIST's documents.
struct SigVerCase {
    reason: &'static str,
    message: Vec<u8>,
    signature: Vec<u8>,
}

impl SigVerCase {
    fn of(vector: &TestVector) -> Self {
        let (mut message, mut signature) = (vector.message.clone(), vector.signature.clone());
        let len = signature.len();
        let reason = match vector.index % 5 {
            0 => "valid signature and message - signature should verify successfully",
            1 => {
                message.push(0);
                "modified message"
            }
            2 => {
                signature[0] ^= 1;
                "modified signature - commitment"
            }
            3 => {
                signature[len / 2] ^= 1;
                "modified signature - z"
            }
            _ => {
                signature[len - 1] ^= 1;
                "modified signature - hint"
            }
        };
        Self { reason, message, signature }
    }
}

impl VectorList {
    fn accepts(&self, public: &[u8], form: Options<'_>, message: &[u8], signature: &[u8]) -> Result<bool, Error> {
        let key = VerifyingKeyRef::of_algorithm(self.algorithm, public).map_err(|e| Error::Internal(e.to_string()))?;
        let mut work = vec![0; self.algorithm.verify_fast_work_len()];
        Ok(key.verify_message(self.level, form, message, signature, &mut work).is_ok())
    }
}

/// Prints a document, or compares a file with this document.
///
/// # Errors
/// Fails if the algorithm is not ML-DSA, if `--json` is given, or if the file cannot be read.
pub fn run(
    mode: AcvpMode,
    list: &VectorList,
    source: Option<InputSource>,
    progress: &ProgressDisplay,
    report: &mut Report,
) -> Result<SuccessToken, Error> {
    if list.algorithm.degree().is_some() {
        return Err(Error::CommandLine {
            message: format!("--acvp does not apply to {}", list.algorithm),
            hint: "choose ml-dsa-44, ml-dsa-65 or ml-dsa-87: NIST has no such documents for other algorithms yet"
                .to_owned(),
        });
    }
    match source {
        Some(source) => check(mode, list, &source, progress, report),
        None if report.output.json => Err(Error::CommandLine {
            message: "--json cannot be used with --acvp, which prints a document of NIST".to_owned(),
            hint: "leave --json or --acvp out".to_owned(),
        }),
        None => print_document(mode, list, report),
    }
}

/// Prints the document. Each test is on a separate line, because there may be a million tests.
fn print_document(mode: AcvpMode, list: &VectorList, report: &Report) -> Result<SuccessToken, Error> {
    let set = list.algorithm.to_string();
    let head =
        json!({ "vsId": 0, "algorithm": "ML-DSA", "mode": mode.name(), "revision": "FIPS204", "isSample": true });
    report.line(&format!("{}, \"testGroups\": [", without_closing_brace(&head)))?;
    let groups = mode.groups(&set);
    for (i, (group, is_member)) in groups.iter().enumerate() {
        report.line(&format!("{}, \"tests\": [", without_closing_brace(group)))?;
        let members: Vec<_> = (0..list.count).filter(|index| is_member(*index)).collect();
        for index in &members {
            let test = mode.test(list, &list.vector(*index)?)?;
            let comma = if members.last() == Some(index) { "" } else { "," };
            report.line(&format!("{test}{comma}"))?;
        }
        report.line(if i + 1 == groups.len() { "]}" } else { "]}," })?;
    }
    report.line("]}")?;
    Ok(().into())
}

/// Returns an object as JSON text without its closing brace, so that the caller can add a member.
fn without_closing_brace(object: &Value) -> String {
    let mut text = object.to_string();
    text.pop();
    text
}

/// Compares a file with the expected tests. The returned [`SuccessToken`] allows exit code 0 only
/// if the file contains all expected results and no further test. Members that are not results must
/// be as expected or missing. The member `reason` is ignored, and lower and upper case are equal.
fn check(
    mode: AcvpMode,
    list: &VectorList,
    source: &InputSource,
    progress: &ProgressDisplay,
    report: &mut Report,
) -> Result<SuccessToken, Error> {
    let mut equal = EvidenceSum::default();
    let difference = first_difference(mode, list, &source.read_limited(MAX_VECTORS_MEBIBYTES, progress)?, &mut equal)?;
    list.verdict(source, difference, equal.answer(list.count as usize * mode.results().len()), report)
}

/// Returns the first difference in a file as text. Returns `None` if there is no difference.
fn first_difference(
    mode: AcvpMode,
    list: &VectorList,
    file: &[u8],
    equal: &mut EvidenceSum,
) -> Result<Option<String>, Error> {
    let Ok(document) = serde_json::from_slice::<Value>(file) else { return Ok(Some("it is not JSON".to_owned())) };
    let Some(groups) = groups_of(&document) else { return Ok(Some("it has no testGroups".to_owned())) };
    let mut results = Map::new();
    for group in groups {
        let set = &group["parameterSet"];
        if !set.is_null() && *set != list.algorithm.to_string() {
            return Ok(Some(format!("it contains a group of {set}")));
        }
        for test in group["tests"].as_array().into_iter().flatten() {
            let number = test["tcId"].to_string();
            if results.insert(number.clone(), test.clone()).is_some() {
                return Ok(Some(format!("test {number} appears twice")));
            }
        }
    }
    for index in 0..list.count {
        let expected = mode.test(list, &list.vector(index)?)?;
        let number = expected["tcId"].to_string();
        let Some(test) = results.remove(&number) else { return Ok(Some(format!("test {number} is missing"))) };
        for (name, value) in expected.as_object().into_iter().flatten() {
            let is_result = mode.results().contains(&name.as_str());
            let given_value = test.get(name);
            if given_value.is_none() && !is_result || name == "reason" {
                continue;
            }
            let evidence =
                Evidence::of_equal(lower_case_text(Some(value)).as_bytes(), lower_case_text(given_value).as_bytes());
            if is_result {
                equal.add(evidence);
            }
            if !evidence.holds() {
                return Ok(Some(format!("test {number} differs: {name}")));
            }
        }
    }
    if !results.is_empty() {
        return Ok(Some(format!("more than {} tests", list.count)));
    }
    Ok(None)
}

/// Finds the groups in a document. In files for NIST, an array contains the document and its
/// version.
fn groups_of(document: &Value) -> Option<&Vec<Value>> {
    let parts = match document {
        Value::Array(parts) => &parts[..],
        _ => std::slice::from_ref(document),
    };
    for part in parts {
        if let Some(groups) = part["testGroups"].as_array() {
            return Some(groups);
        }
    }
    None
}

/// Returns a value as text in lower case.
fn lower_case_text(value: Option<&Value>) -> String {
    match value {
        Some(value) => json_text(value).to_ascii_lowercase(),
        None => String::new(),
    }
}
