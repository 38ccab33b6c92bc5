//! Tests `verify_in_memory` with signature files from other programs: SSH signatures from
//! `ssh-keygen`, JSON Web Signatures from jwcrypto, RFC 8037 and RFC 9964, and CMS files from
//! BouncyCastle and OpenSSL. `cases.py` has more cases. `capi/test` and `python/test` use these
//! cases.

use fndsa::Options;
use fndsa::algorithm::PreHash;
use fndsa::files::Date;
use fndsa::files::cms::CmsFile;
use fndsa::files::cms_writer::SignerCertificate;
use fndsa::message::MessageDigest;
use fndsa::no_alloc::Level;
use fndsa::verdict::allowed_signers::SignerName;
use fndsa::verdict::cms_envelope::CmsWriter;
use fndsa::verdict::envelope::{CoveredBytes, EnvelopeWriter, NewSignature};
use fndsa::verdict::{
    DecisionOutcome, Policy, RequiredKeys, SignatureFileData, SignatureFormat, TrustedKey, VerdictInput,
    read_allowed_signers, read_trusted_keys, verify_in_memory,
};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Reads a file in tests/kat.
fn vector(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kat").join(name);
    fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn ssh(namespace: &str) -> SignatureFormat {
    SignatureFormat::Ssh(namespace.parse().expect("a namespace"))
}

/// Reads trusted keys in any format.
fn keys(data: &[u8]) -> Vec<TrustedKey> {
    read_trusted_keys(data, &[], Level::detect()).expect("a key")
}

fn today() -> Date {
    "2026-11-29".parse().expect("a day")
}

/// Returns the verdict on `data`, a signature file: `yes`, the reason code of a NO, or the text of
/// an error.
fn verdict_on<'m>(
    keys: &[TrustedKey],
    format: &SignatureFormat,
    data: &[u8],
    message: impl Into<VerdictInput<'m>>,
    options: Options<'_>,
) -> String {
    let policy = Policy::new(keys, &[], RequiredKeys::Number(1));
    match verify_in_memory(&policy, SignatureFileData::new(format, data), message, options, Level::detect(), &today()) {
        Ok(outcome @ DecisionOutcome::Accepted { .. }) if outcome.is_accepted() => "yes".to_owned(),
        Ok(DecisionOutcome::Accepted { .. }) => "no evidence".to_owned(),
        Ok(DecisionOutcome::Rejected { rejection, .. }) => rejection.reason().to_owned(),
        Err(e) => e.to_string(),
    }
}

/// A signature file from another program, with the key and the message.
struct ForeignCase {
    format: SignatureFormat,
    keys: Vec<u8>,
    message: Vec<u8>,
    signature: Vec<u8>,
}

impl ForeignCase {
    /// Returns the verdict on a message. The only trusted key is the case's key.
    fn verdict(&self, message: &[u8]) -> String {
        verdict_on(&keys(&self.keys), &self.format, &self.signature, message, Options::default())
    }
}

/// Returns a case for each format, algorithm and program.
fn cases() -> Vec<ForeignCase> {
    let mut cases = Vec::new();
    for key in ["ed25519", "mldsa44-ed25519"] {
        for (namespace, hash) in [("file", ""), ("git", "-sha256")] {
            cases.push(ForeignCase {
                format: ssh(namespace),
                keys: vector(&format!("ssh/id_{key}.pub")),
                message: vector("ssh/msg.txt"),
                signature: vector(&format!("ssh/msg.{key}.{namespace}{hash}.sshsig")),
            });
        }
    }
    for (key, forms) in [("ed25519", &["attrs"][..]), ("mldsa44", &["attrs", "direct"]), ("mldsa87", &["direct"])] {
        for form in forms {
            cases.push(ForeignCase {
                format: SignatureFormat::Cms,
                keys: vector(&format!("cms/{key}.crt.der")),
                message: vector("cms/msg.txt"),
                signature: vector(&format!("cms/{key}.{form}.detached.p7s")),
            });
        }
    }
    for name in ["rfc9964-ml-dsa-44", "rfc9964-ml-dsa-65", "rfc9964-ml-dsa-87", "rfc8037"] {
        cases.push(jose_case(name));
    }
    // Signatures from jwcrypto cover the message itself, and not its base64url text.
    let file: Value = serde_json::from_slice(&vector("jose/jwcrypto-detached.json")).expect("JSON");
    for signed in file["signatures"].as_array().expect("a list") {
        cases.push(ForeignCase {
            format: SignatureFormat::Jws,
            keys: signed["key"].to_string().into_bytes(),
            message: file["message"].as_str().expect("a text").as_bytes().to_vec(),
            signature: signed["jws"].as_str().expect("a text").as_bytes().to_vec(),
        });
    }
    cases
}

/// Returns the example in an RFC about JSON Web Signatures. The signature covers the message in
/// base64url.
fn jose_case(name: &str) -> ForeignCase {
    let file: Value = serde_json::from_slice(&vector(&format!("jose/{name}.json"))).expect("JSON");
    let mut key = if name == "rfc8037" { file["private"].clone() } else { file["jwk"].clone() };
    for private in ["priv", "d"] {
        key.as_object_mut().expect("a key").remove(private);
    }
    let parts: Vec<_> = file["jws"].as_str().expect("a signature").split('.').collect();
    let message = {
        use base64::Engine;
        base64::engine::general_purpose::URL_SAFE_NO_PAD.decode(parts[1]).expect("a message")
    };
    ForeignCase {
        format: SignatureFormat::Jws,
        keys: key.to_string().into_bytes(),
        message,
        signature: format!("{}..{}", parts[0], parts[2]).into_bytes(),
    }
}

#[test]
fn signatures_of_other_programs_are_valid_only_for_their_message() {
    let cases = cases();
    assert_eq!(cases.len(), 14);
    for case in &cases {
        assert_eq!(case.verdict(&case.message), "yes", "{:?}", case.format);
        let mut changed = case.message.clone();
        changed[0] ^= 1;
        for message in [&changed[..], &case.message[1..], b""] {
            assert_eq!(case.verdict(message), "signature_mismatch", "{:?}", case.format);
        }
    }
}

#[test]
fn a_signature_in_another_format_is_an_error() {
    let cases = cases();
    for case in &cases {
        for format in [SignatureFormat::Fndsa, ssh("file"), SignatureFormat::Jws, SignatureFormat::Cms] {
            let is_same = matches!(
                (&format, &case.format),
                (SignatureFormat::Ssh(_), SignatureFormat::Ssh(_))
                    | (SignatureFormat::Jws, SignatureFormat::Jws)
                    | (SignatureFormat::Cms, SignatureFormat::Cms)
            );
            if is_same {
                continue;
            }
            let verdict =
                verdict_on(&keys(&case.keys), &format, &case.signature, &case.message[..], Options::default());
            let expected = match format {
                // Some keys in `cases` belong to algorithms that SSH, JOSE or CMS does not support.
                SignatureFormat::Ssh(_) => &["SSH has no signatures of ", "this is not an SSH signature"][..],
                SignatureFormat::Jws => &["JOSE has no signatures of ", "this is not a JSON Web Signature"],
                SignatureFormat::Cms => &["CMS has no signatures of ", "this is not a CMS signature"],
                SignatureFormat::Fndsa => &["this is ", "SSH", "a CMS", "a JSON Web", "the file"],
                other => panic!("{other:?} needs its texts"),
            };
            assert!(expected.iter().any(|text| verdict.contains(text)), "{format:?}: {verdict}");
        }
    }
}

#[test]
fn an_ssh_signature_is_valid_only_for_its_namespace_and_key() {
    let case = &cases()[0];
    let verdict = |keys: &[TrustedKey], format: &SignatureFormat| {
        verdict_on(keys, format, &case.signature, &case.message[..], Options::default())
    };
    let own = keys(&case.keys);
    for namespace in ["git", "File", "file2", "fil"] {
        assert_eq!(verdict(&own, &ssh(namespace)), "ssh_namespace");
    }
    assert_eq!(verdict(&keys(&vector("ssh/id_round_ed25519.pub")), &ssh("file")), "other_signer");
    assert_eq!(verdict(&keys(&vector("ssh/id_mldsa44-ed25519.pub")), &ssh("file")), "algorithm_mismatch");
    assert_eq!(verdict(&[], &ssh("file")), "algorithm_mismatch");
    // An Ed25519 key can verify signatures in each of these formats, even if the key's file has a
    // different format. So the verdict is about the signer or the signature, not about the format.
    let jose = jose_case("rfc8037");
    let jose_keys = keys(&jose.keys);
    assert_eq!(verdict(&jose_keys, &ssh("file")), "other_signer");
    assert_eq!(
        verdict_on(&own, &jose.format, &jose.signature, &jose.message[..], Options::default()),
        "signature_mismatch"
    );
    let cms = &cases()[4];
    assert_eq!(
        verdict_on(&own, &cms.format, &cms.signature, &cms.message[..], Options::default()),
        "signature_mismatch"
    );
}

#[test]
fn options_that_a_format_does_not_have_are_errors() {
    let digest = MessageDigest::of(PreHash::Sha512, b"").expect("a digest");
    for case in &cases() {
        let keys = keys(&case.keys);
        let verdict =
            |message: VerdictInput<'_>, options| verdict_on(&keys, &case.format, &case.signature, message, options);
        let message = VerdictInput::Message(&case.message);
        let no_context = format!("{} have no context: leave the context out", case.format.title());
        assert_eq!(verdict(message, Options::with_context(b"release")), no_context);
        let no_prehash = format!("{} have no pre-hash", case.format.title());
        for (message, options) in [
            (message, Options::default().with_prehash(Some(PreHash::Sha512))),
            (message, Options::default().with_weak_prehash(true)),
            (VerdictInput::Digest(&digest), Options::default()),
            (VerdictInput::Digest(&digest), Options::default().with_prehash(Some(PreHash::Sha512))),
        ] {
            let verdict = verdict(message, options);
            assert!(verdict.starts_with(&no_prehash), "{verdict}");
        }
    }
}

/// In a CMS file with attributes, the signature covers the attributes. So the signature is also
/// valid for a message that consists of these attribute bytes. An attacker could put the signature
/// into a CMS file without attributes, for this message. The verifier must reject such a file.
#[test]
fn attributes_are_no_message() {
    let certificate = vector("cms/mldsa44.crt.der");
    let file = CmsFile::read(&vector("cms/mldsa44.attrs.detached.p7s")).expect("a CMS file");
    let attributes = file.attributes.expect("attributes");
    let message = [attributes.prefix, attributes.digest, attributes.suffix].concat();
    let signer = SignerCertificate::read(&certificate).expect("a certificate");
    let public = keys(&certificate).remove(0).public;
    let contents = &file.signatures[0].signature[..];
    let (algorithm, bytes, fingerprint) = (public.key.algorithm(), public.key.as_bytes(), &public.fingerprint);
    let signature = NewSignature::new(algorithm, bytes, fingerprint, contents);
    let mut writer = CmsWriter::new(vec![signer]);
    writer.has_attributes = false;
    let forged = writer.write(&CoveredBytes::WithoutAttributes, &[signature]);
    // The signature itself is valid for these bytes.
    let plain = verdict_on(&keys(&certificate), SignatureFormat::FNDSA, contents, &message[..], Options::default());
    assert_eq!(plain, "yes");
    let verdict = verdict_on(&keys(&certificate), &SignatureFormat::Cms, &forged, &message[..], Options::default());
    assert_eq!(verdict, "signature_mismatch");
}

#[test]
fn key_lines_and_required_keys_apply_to_all_formats() {
    for case in &cases() {
        let own = keys(&case.keys);
        let policy = Policy::new(&own, &[], RequiredKeys::Number(2));
        let file = SignatureFileData::new(&case.format, &case.signature);
        let verdict = verify_in_memory(&policy, file, &case.message[..], Options::default(), Level::detect(), &today());
        let error = verdict.err().map(|e| e.to_string()).unwrap_or_default();
        assert!(error.contains("requires signatures by 2 different keys"), "{error}");
        // If an expected key is not among the trusted keys, the verdict is NO.
        let expected = [format!("sha256:{}", "0".repeat(64))];
        let strict = read_trusted_keys(&case.keys, &expected, Level::detect()).expect("a key");
        let policy = Policy::new(&strict, &expected, RequiredKeys::Number(1));
        let verdict = verify_in_memory(&policy, file, &case.message[..], Options::default(), Level::detect(), &today());
        let reason = match verdict {
            Ok(DecisionOutcome::Rejected { rejection, .. }) => rejection.reason(),
            _ => "",
        };
        assert_eq!(reason, "unexpected_key");
    }
}

#[test]
fn allowed_signers_are_trusted_for_their_namespaces() {
    let case = &cases()[0];
    let key = String::from_utf8(case.keys.clone()).expect("text");
    let read = |file: &str, signer: &str, namespace: &str| {
        let signer: SignerName = signer.parse().expect("a name");
        let namespace = namespace.parse().expect("a namespace");
        read_allowed_signers(file.as_bytes(), &signer, &namespace, &[], Level::detect())
    };
    let verdict = |file: &str| match read(file, "alice@example.com", "file") {
        Ok(keys) => verdict_on(&keys, &case.format, &case.signature, &case.message[..], Options::default()),
        Err(e) => e.to_string(),
    };
    assert_eq!(verdict(&format!("alice@example.com {key}")), "yes");
    assert_eq!(verdict(&format!("*@example.com namespaces=\"file,git\" {key}")), "yes");
    assert_eq!(verdict(&format!("alice@example.com valid-before=\"20260101Z\" {key}")), "key_expired");
    assert_eq!(verdict(&format!("alice@example.com valid-after=\"20270101Z\" {key}")), "key_not_yet_valid");
    assert_eq!(
        verdict(&format!("alice@example.com namespaces=\"git\" {key}")),
        "the lines of the signer alice@example.com do not allow the namespace file"
    );
    assert_eq!(verdict(&format!("bob@example.com {key}")), "no line names the signer alice@example.com");
    assert!(verdict(&format!("\nalice@example.com unknown {key}")).starts_with("line 2: "));
    assert!(verdict(&format!("alice@example.com cert-authority {key}")).contains("cert-authority is not supported"));
    let keys = read(&format!("alice@example.com {key}"), "alice@example.com", "file").expect("a key");
    assert_eq!(keys[0].terms.name.as_deref(), Some("alice@example.com"));
    // A signer's name must not be able to add a key line such as `revoked:`.
    for name in ["", "a b", "a\nrevoked: x", "a,b", "\"a\"", &"a".repeat(201)] {
        assert!(name.parse::<SignerName>().is_err(), "{name:?}");
    }
}
