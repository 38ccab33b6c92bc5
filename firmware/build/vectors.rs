//! Writes published test vectors as Rust code and binary files. The module `vectors` includes these
//! files.
//!
//! - `signing_vectors`: keys and signatures, for the image `vectors_sign`
//! - `verifying_vectors`: verdicts (accepted or rejected), for the image `vectors_verify`
//!
//! If the board's flash memory is too small for the code and all vectors, the files contain the
//! first tests in each group.

#[path = "../../tests/common/digests.rs"]
mod digests;

use digests::hash_name;
use serde_json::Value;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// The directory with the test vectors.
const DIRECTORY: &str = "../tests/kat";
/// The maximum size of a vector's entry in a slice, in bytes, without its byte strings.
const ENTRY_LEN: usize = 64;
/// The flash memory in bytes that the vectors leave free for the code in `vectors_sign`.
const SIGNING_CODE_LEN: usize = 320 << 10;
/// The flash memory in bytes that the vectors leave free for the code in `vectors_verify`.
const VERIFYING_CODE_LEN: usize = 96 << 10;

/// A result. An error is a text for the user.
type Result<T> = std::result::Result<T, String>;

/// A test vector, ready to be written.
struct Test {
    /// The slice that contains the vector, by name.
    slice: &'static str,
    /// A Rust expression for the vector. Each `#` is replaced with the next field.
    expression: String,
    fields: Vec<Vec<u8>>,
    /// For a verdict: whether the signature is accepted.
    accepted: bool,
}

/// The signed data in a vector: a Rust expression with `#`, and the fields.
struct SignedData {
    expression: String,
    fields: Vec<Vec<u8>>,
}

/// Reads and writes test vectors.
pub struct VectorWriter {
    out: PathBuf,
    flash: usize,
    with_ml_dsa: bool,
}

impl VectorWriter {
    /// Returns a writer to the directory `out`. `flash` is the length of the flash memory in bytes.
    pub fn new(out: &Path, flash: usize, with_ml_dsa: bool) -> Self {
        println!("cargo::rerun-if-changed={DIRECTORY}");
        Self { out: out.to_owned(), flash, with_ml_dsa }
    }

    /// Writes the files for both images.
    pub fn write_all(&self) -> Result<()> {
        let (mut signing, mut verdicts) = (falcon_keys_and_signatures()?, vec![]);
        if self.with_ml_dsa {
            signing.extend(acvp_tests("keygen", 36, acvp_key)?);
            signing.extend(acvp_tests("siggen", 132, acvp_signature)?);
            verdicts.extend(acvp_tests("sigver", 90, acvp_verdict)?.into_iter().map(mix_verdicts));
        }
        verdicts.extend(falcon_verdicts("FN_DSA_512", "fn_dsa_512_verify_test.json", 380)?);
        verdicts.extend(falcon_verdicts("FN_DSA_1024", "fn_dsa_1024_verify_test.json", 387)?);
        let signing_slices = [("KEYS", "KeyVector"), ("SIGNATURES", "SignatureVector")];
        self.write("signing_vectors", SIGNING_CODE_LEN, &signing_slices, signing)?;
        self.write("verifying_vectors", VERIFYING_CODE_LEN, &[("VERDICTS", "VerdictVector")], verdicts)
    }

    /// Writes a Rust file with the given slices (name and type). Adds the first test in each group,
    /// then the second test in each group, and so on, as long as the memory is large enough.
    fn write(&self, name: &str, code_len: usize, slices: &[(&str, &str)], mut groups: Vec<Vec<Test>>) -> Result<()> {
        let (mut bytes, mut code) = (Vec::new(), vec![String::new(); slices.len()]);
        let (mut used, mut left_out) = (code_len, 0);
        groups.iter_mut().for_each(|group| group.reverse());
        while groups.iter().any(|group| !group.is_empty()) {
            for test in groups.iter_mut().filter_map(Vec::pop) {
                let test_len = ENTRY_LEN + test.fields.iter().map(Vec::len).sum::<usize>();
                if used + test_len > self.flash {
                    left_out += 1;
                    continue;
                }
                used += test_len;
                let mut parts = test.expression.split('#');
                let index = slices.iter().position(|it| it.0 == test.slice).ok_or("a slice without a name")?;
                code[index].push_str(parts.next().unwrap_or_default());
                for (field, rest) in test.fields.iter().zip(parts) {
                    let _no_error = write!(code[index], "super::part(&BYTES, {}, {}){rest}", bytes.len(), field.len());
                    bytes.extend_from_slice(field);
                }
                code[index].push_str(",\n");
            }
        }
        let mut text = format!(
            "static BYTES: [u8; {}] = *include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{name}.bin\"));\n\
             pub(super) const LEFT_OUT: usize = {left_out};\n",
            bytes.len()
        );
        for (slice, code) in slices.iter().zip(code) {
            let (name, kind) = slice;
            let _no_error = write!(
                text,
                "pub(super) static {name}: &[super::{kind}] = &[\n{code}];\n\
                 const _: () = assert!(size_of::<super::{kind}>() <= {ENTRY_LEN});\n"
            );
        }
        let write = |name: String, data: &[u8]| fs::write(self.out.join(name), data).map_err(|error| error.to_string());
        write(format!("{name}.bin"), &bytes)?;
        write(format!("{name}.rs"), text.as_bytes())
    }
}

/// Reads a JSON file with test vectors.
fn read_json(name: &str) -> Result<Value> {
    let path = format!("{DIRECTORY}/{name}");
    let text = fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
    serde_json::from_str(&text).map_err(|error| format!("{path}: {error}"))
}

/// Returns the elements in an array of a JSON object.
fn elements<'v>(object: &'v Value, key: &str) -> Result<&'v [Value]> {
    object[key].as_array().map(Vec::as_slice).ok_or_else(|| format!("a vector file has no array `{key}`"))
}

/// Returns a text in a JSON object.
fn text<'v>(object: &'v Value, key: &str) -> Result<&'v str> {
    object[key].as_str().ok_or_else(|| format!("a vector has no text `{key}`"))
}

/// Returns a number in a JSON object.
fn number(object: &Value, key: &str) -> Result<u64> {
    object[key].as_u64().ok_or_else(|| format!("a vector has no number `{key}`"))
}

/// Decodes hexadecimal digits in a JSON object.
fn bytes(object: &Value, key: &str) -> Result<Vec<u8>> {
    let digits = text(object, key)?;
    let decode = |at| digits.get(at..at + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok());
    (0..digits.len()).step_by(2).map(|at| decode(at).ok_or_else(|| format!("bad digits in `{key}`"))).collect()
}

/// Returns the published keys and signatures for FN-DSA-512 and FN-DSA-1024, in two groups for each
/// algorithm.
fn falcon_keys_and_signatures() -> Result<Vec<Vec<Test>>> {
    let file = read_json("kat-a.json")?;
    let mut groups = vec![];
    for (logn, algorithm) in [(9, "FN_DSA_512"), (10, "FN_DSA_1024")] {
        let (mut keys, mut signatures) = (vec![], vec![]);
        for vector in elements(&file, "vectors")?.iter().filter(|vector| vector["logn"] == logn) {
            let id = number(vector, "j")?;
            let fields = [bytes(vector, "keygen_seed")?, bytes(vector, "vk")?, bytes(vector, "sk")?];
            keys.push(key(algorithm, id, fields));
            let hash = Some(text(vector, "hash")?).filter(|hash| *hash != "raw").map(hash_name);
            let data = external_data(bytes(vector, "ctx")?, hash.as_deref(), bytes(vector, "hv")?);
            let [private, random] = [bytes(vector, "sk")?, bytes(vector, "sign_random")?];
            signatures.push(signature(algorithm, id, private, data, random, bytes(vector, "sig")?));
        }
        groups.extend([keys, signatures]);
    }
    with_count("kat-a.json", 40, groups)
}

/// Returns the verdicts for an FN-DSA algorithm, in a group for each public key.
fn falcon_verdicts(algorithm: &str, name: &str, count: usize) -> Result<Vec<Vec<Test>>> {
    let mut groups = vec![];
    for group in elements(&read_json(name)?, "testGroups")? {
        let mut tests = vec![];
        for test in elements(group, "tests")? {
            let data = if test["mu"].is_string() {
                mu(bytes(test, "mu")?)
            } else {
                let (mut message, mut hash) = (bytes(test, "msg")?, None);
                if test["preHash"].is_string() {
                    hash = Some(hash_name(text(test, "preHash")?));
                    message = digest(hash.as_deref().unwrap_or_default(), &message)?;
                }
                external_data(bytes(test, "ctx")?, hash.as_deref(), message)
            };
            let fields = [bytes(group, "publicKey")?, bytes(test, "sig")?];
            tests.push(verdict(algorithm, number(test, "tcId")?, data, fields, text(test, "result")? == "valid"));
        }
        groups.push(mix_verdicts(tests));
    }
    with_count(name, count, groups)
}

/// Converts the tests in an ACVP file (by NIST), group by group.
fn acvp_tests(name: &str, count: usize, convert: fn(&str, &Value, &Value) -> Result<Test>) -> Result<Vec<Vec<Test>>> {
    let file = read_json(&format!("ml-dsa/acvp-{name}.json"))?;
    let convert_group = |group: &Value| {
        let algorithm = text(group, "parameterSet")?.replace('-', "_");
        elements(group, "tests")?.iter().map(|test| convert(&algorithm, group, test)).collect()
    };
    let groups = elements(&file, "groups")?.iter().map(convert_group).collect::<Result<_>>()?;
    with_count(name, count, groups)
}

/// Converts an ACVP key.
fn acvp_key(algorithm: &str, _group: &Value, test: &Value) -> Result<Test> {
    Ok(key(algorithm, number(test, "tcId")?, [bytes(test, "seed")?, bytes(test, "pk")?, bytes(test, "sk")?]))
}

/// Converts an ACVP signature.
fn acvp_signature(algorithm: &str, group: &Value, test: &Value) -> Result<Test> {
    let private = bytes(test, if test["seed"].is_string() { "seed" } else { "sk" })?;
    let random = if group["deterministic"] == true { vec![0; 32] } else { bytes(test, "rnd")? };
    let data = acvp_data(group, test)?;
    Ok(signature(algorithm, number(test, "tcId")?, private, data, random, bytes(test, "signature")?))
}

/// Converts an ACVP verdict.
fn acvp_verdict(algorithm: &str, group: &Value, test: &Value) -> Result<Test> {
    let fields = [bytes(test, "pk")?, bytes(test, "signature")?];
    let accepted = test["testPassed"].as_bool().ok_or("a vector has no `testPassed`")?;
    Ok(verdict(algorithm, number(test, "tcId")?, acvp_data(group, test)?, fields, accepted))
}

/// Converts the signed data in an ACVP test.
fn acvp_data(group: &Value, test: &Value) -> Result<SignedData> {
    if test["mu"].is_string() {
        return Ok(mu(bytes(test, "mu")?));
    }
    let message = bytes(test, "message")?;
    if group["signatureInterface"] == "internal" {
        return Ok(SignedData { expression: "Internal(#)".into(), fields: vec![message] });
    }
    if group["preHash"] != "preHash" {
        return Ok(external_data(bytes(test, "context")?, None, message));
    }
    let hash = hash_name(text(test, "hashAlg")?);
    Ok(external_data(bytes(test, "context")?, Some(&hash), digest(&hash, &message)?))
}

/// Computes the digest of a message. `hash` is the name in the library.
fn digest(hash: &str, message: &[u8]) -> Result<Vec<u8>> {
    digests::digest(hash, message).ok_or_else(|| format!("no hash has the name {hash}"))
}

/// Checks that all tests of a file were read. Returns the tests.
fn with_count(name: &str, count: usize, groups: Vec<Vec<Test>>) -> Result<Vec<Vec<Test>>> {
    let found: usize = groups.iter().map(Vec::len).sum();
    if found == count { Ok(groups) } else { Err(format!("{name} has {found} tests instead of {count}")) }
}

/// Returns signed data that is a `mu`.
fn mu(mu: Vec<u8>) -> SignedData {
    SignedData { expression: "Mu(#)".into(), fields: vec![mu] }
}

/// Returns signed data that is a message with a context, or a digest if there is a pre-hash.
fn external_data(context: Vec<u8>, hash: Option<&str>, message: Vec<u8>) -> SignedData {
    let expression = format!("External {{ context: #, hash: {hash:?}, message: # }}");
    SignedData { expression, fields: vec![context, message] }
}

/// Returns a test for a key. The fields are its seed, its public key, and its private key.
fn key(algorithm: &str, id: u64, fields: [Vec<u8>; 3]) -> Test {
    let expression = format!(
        "super::KeyVector {{ algorithm: super::Algorithm::{algorithm}, id: {id}, seed: #, public: #, private: # }}"
    );
    Test { slice: "KEYS", expression, fields: fields.into(), accepted: true }
}

/// Returns a test for a signature.
fn signature(
    algorithm: &str,
    id: u64,
    private: Vec<u8>,
    data: SignedData,
    random: Vec<u8>,
    signature: Vec<u8>,
) -> Test {
    let expression = format!(
        "super::SignatureVector {{ algorithm: super::Algorithm::{algorithm}, id: {id}, private: #, \
         data: super::SignedData::{}, random: #, signature: # }}",
        data.expression
    );
    let fields = [vec![private], data.fields, vec![random, signature]].concat();
    Test { slice: "SIGNATURES", expression, fields, accepted: true }
}

/// Returns a test for a verdict. The fields are the public key and the signature.
fn verdict(algorithm: &str, id: u64, data: SignedData, fields: [Vec<u8>; 2], accepted: bool) -> Test {
    let expression = format!(
        "super::VerdictVector {{ algorithm: super::Algorithm::{algorithm}, id: {id}, accepted: {accepted}, \
         public: #, signature: #, data: super::SignedData::{} }}",
        data.expression
    );
    Test { slice: "VERDICTS", expression, fields: [fields.into(), data.fields].concat(), accepted }
}

/// Sorts tests so that accepted and rejected signatures alternate, as long as there are both.
fn mix_verdicts(tests: Vec<Test>) -> Vec<Test> {
    let mut counts = [0; 2];
    let mut numbered: Vec<_> = tests
        .into_iter()
        .map(|test| {
            let count = &mut counts[usize::from(test.accepted)];
            *count += 1;
            (*count, test)
        })
        .collect();
    numbered.sort_by_key(|(count, test)| (*count, !test.accepted));
    numbered.into_iter().map(|(_, test)| test).collect()
}
