//! Generates valid and invalid test vectors for FN-DSA verifiers:
//! `tests/kat/fn_dsa_{512,1024}_verify_test.json`, in the layout of Wycheproof. This command writes
//! the files. Their contents are the same in each run:
//!
//! ```text
//! FNDSA_BLESS=1 cargo test --release --locked --all-features --test negatives
//! ```
//!
//! Without `FNDSA_BLESS`, the test checks that the files are up to date, and compares all verdicts
//! with the library on all levels, with crate `fn-dsa` 0.4.0 and with `tests/reference`.
//!
//! | file | content |
//! |---|---|
//! | `craft` | short lattice vectors with a chosen norm, coefficient or encoding |
//! | `cases` | the types for test vectors, and functions to sign |
//! | `signatures` | unusual signatures |
//! | `messages` | unusual messages, contexts, pre-hashes, `mu`, points |
//! | `keys` | the keys, and unusual public keys |
//! | `layout` | the files, and the meaning of all flags |
//!
//! `tests/reference` computes all signatures from published private keys, with random bytes that
//! depend only on the comment of the test vector.

#[path = "../schemes/bits.rs"]
#[allow(dead_code)] // this program does not use the functions that read
mod bits;
#[path = "../common/mod.rs"]
mod common;
#[path = "../common/peer.rs"]
mod peer;
#[path = "../reference/mod.rs"]
mod reference;

mod cases;
mod craft;
mod keys;
mod layout;
mod messages;
mod signatures;

use cases::{SignedData, VectorGroup, VectorMaker};
use common::library::{levels, mu, verify};
use common::{VectorCase, parallel, vector_file};
use fn_dsa::{HASH_ID_EXTMU, HASH_ID_RAW, HashIdentifier};
use fndsa::algorithm::Scheme;
use keys::DegreeKeys;
use messages::{HASHES, digest, oid};
use std::path::Path;
use std::process::Command;

/// The logarithms of the degrees 512 and 1024.
const DEGREES: [u32; 2] = [9, 10];

fn file_name(logn: u32) -> String {
    format!("fn_dsa_{}_verify_test.json", 1 << logn)
}

/// Returns the reason for the reference to reject a signature, or `None` if the reference accepts
/// the signature.
fn rejection_reason(vk: &[u8], signed: &SignedData, sig: &[u8]) -> Option<&'static str> {
    let hpk = reference::hash::h(&[vk]);
    let mu = match signed {
        SignedData::Mu(mu) => match mu.as_slice().try_into() {
            Ok(mu) => mu,
            Err(_) => return Some("mu has not 64 bytes"),
        },
        SignedData::Message { ctx, .. } if ctx.len() > 255 => return Some("the context is too long"),
        SignedData::Message { msg, ctx, prehash: None } => reference::hash::mu_pure(&hpk, ctx, msg),
        SignedData::Message { msg, ctx, prehash: Some(hash) } => {
            reference::hash::mu_prehashed(&hpk, ctx, oid(hash), &digest(hash, msg))
        }
    };
    reference::verify::verify(vk, &mu, sig).err()
}

/// Returns the test vectors that `add` creates with the first key.
fn vectors_for_first_key(keys: &DegreeKeys, add: impl FnOnce(&mut VectorMaker)) -> Vec<VectorGroup> {
    let mut maker = VectorMaker::new(&keys.main);
    add(&mut maker);
    vec![maker.group()]
}

/// The functions that create the test vectors for a degree, in the order of the file.
const CLASSES: [fn(&DegreeKeys) -> Vec<VectorGroup>; 13] = [
    |keys| vectors_for_first_key(keys, messages::add_good),
    |keys| vectors_for_first_key(keys, signatures::add_norms),
    |keys| vectors_for_first_key(keys, signatures::add_coefficients),
    |keys| vectors_for_first_key(keys, signatures::add_encodings),
    |keys| vectors_for_first_key(keys, signatures::add_frames),
    |keys| vectors_for_first_key(keys, signatures::add_changes),
    |keys| vectors_for_first_key(keys, messages::add_other_messages),
    |keys| vectors_for_first_key(keys, messages::add_other_prehashes),
    |keys| vectors_for_first_key(keys, |maker| messages::add_other_mus(maker, &keys.other)),
    |keys| vectors_for_first_key(keys, messages::add_points),
    |keys| vectors_for_first_key(keys, messages::add_other_schemes),
    keys::good_keys,
    keys::bad_keys,
];

/// Returns all groups of test vectors for each degree.
fn all_groups() -> Vec<Vec<VectorGroup>> {
    let keys = parallel(DEGREES.len(), |i| DegreeKeys::new(DEGREES[i]));
    let parts = parallel(DEGREES.len() * CLASSES.len(), |i| CLASSES[i % CLASSES.len()](&keys[i / CLASSES.len()]));
    let mut parts = parts.into_iter();
    DEGREES.map(|_| merge_groups(parts.by_ref().take(CLASSES.len()).flatten())).into()
}

/// Merges groups with the same public key. The keys are in the order in which their first groups
/// occur.
fn merge_groups(groups: impl Iterator<Item = VectorGroup>) -> Vec<VectorGroup> {
    let mut out: Vec<VectorGroup> = vec![];
    for group in groups {
        match out.iter_mut().find(|g| g.vk == group.vk) {
            Some(known) => known.vectors.extend(group.vectors),
            None => out.push(group),
        }
    }
    out
}

#[test]
fn the_files_equal_the_output_of_this_program() {
    for (logn, groups) in DEGREES.into_iter().zip(all_groups()) {
        let vectors: Vec<_> = groups.iter().flat_map(|g| g.vectors.iter().map(move |v| (&g.vk, v))).collect();
        parallel(vectors.len(), |i| {
            let (vk, v) = vectors[i];
            assert_eq!(rejection_reason(vk, &v.signed, &v.sig), v.rejection, "degree 2^{logn}: {}", v.comment);
        });
        let text = layout::file_text(1 << logn, &groups);
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kat").join(file_name(logn));
        if std::env::var_os("FNDSA_BLESS").is_some_and(|value| value == "1") {
            std::fs::write(&path, &text).expect("written");
        }
        let committed = std::fs::read(&path).unwrap_or_default();
        let what = "`FNDSA_BLESS=1 cargo test --all-features --test negatives` writes this file";
        common::assert_same(&committed, text.as_bytes(), format_args!("{}: {what}", path.display()));
    }
}

/// Checks the files against the JSON schema with Python's package `jsonschema`.
#[test]
fn the_files_follow_their_schema() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kat");
    // Returns whether a file matches the schema, and the messages, or `None` if `jsonschema` is not
    // installed.
    let validate = |file: &Path| {
        let schema = directory.join(layout::SCHEMA);
        let run = Command::new("jsonschema").arg("-i").args([file, &schema]).output().ok()?;
        Some((run.status.success(), String::from_utf8_lossy(&run.stderr).into_owned()))
    };
    for logn in DEGREES {
        let path = directory.join(file_name(logn));
        let Some((is_valid, messages)) = validate(&path) else {
            println!("skip: the schema of the vectors, there is no jsonschema (Debian: python3-jsonschema)");
            return;
        };
        assert!(is_valid, "{}: {messages}", path.display());
        let text = std::fs::read_to_string(&path).expect("a file");
        let changed = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(&changed, text.replacen("\"result\": \"invalid\"", "\"result\": \"wrong\"", 1))
            .expect("written");
        let (is_valid, messages) = validate(changed.path()).expect("jsonschema, which ran before");
        assert!(!is_valid && messages.contains("wrong"), "the wrong result is not reported: {messages}");
    }
}

/// Returns whether crate `fn-dsa` would panic with these inputs and must not be called by the test.
fn crate_panics(context: &[u8], mu: Option<&[u8]>) -> bool {
    context.len() > 255 || mu.is_some_and(|mu| mu.len() != 64)
}

/// Checks that the library, crate `fn-dsa` and the reference agree with the verdict of a test
/// vector.
fn check_verdicts(logn: u32, vk: &[u8], v: &VectorCase) {
    let what = format!("degree 2^{logn}, tcId {}: {}", v.int("tcId"), v.text("comment"));
    let accepted = match v.text("result") {
        "valid" => true,
        "invalid" => false,
        result => panic!("{what}: unknown result {result}"),
    };
    let (sig, hash) = (v.bytes("sig"), v.optional("preHash"));
    let given_mu = v.optional("mu").map(common::hex);
    let (ctx, msg) = if given_mu.is_some() { (vec![], vec![]) } else { (v.bytes("ctx"), v.bytes("msg")) };
    let (name, signed) = match (&given_mu, hash) {
        (Some(mu), _) => ("extmu", mu.clone()),
        (None, Some(hash)) => (hash, digest(hash, &msg)),
        (None, None) => ("raw", msg.clone()),
    };

    for level in levels() {
        let library_result =
            fndsa::testing::verifying_key(Scheme::FnDsa, vk).map_err(|e| e.to_string()).and_then(|key| {
                let mu = mu(level, &key.key_hash(level), name, &ctx, &signed)?;
                verify(level, Scheme::FnDsa, vk, &mu, &sig).map_err(|e| format!("{e:?}"))
            });
        assert_eq!(library_result.is_ok(), accepted, "{what}, {level}: {library_result:?}");
    }

    let peer_verdict = || {
        let identifier = hash.map(|hash| [&[6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2][..], &[oid(hash)]].concat());
        let identifier = identifier.as_deref().map(HashIdentifier);
        let without_prehash = if given_mu.is_some() { &HASH_ID_EXTMU } else { &HASH_ID_RAW };
        let id = identifier.as_ref().unwrap_or(without_prehash);
        let message = peer::PeerMessage { context: &ctx, id, hv: &signed };
        peer::verify(vk, &message, &sig)
    };
    if crate_panics(&ctx, given_mu.as_deref()) {
        assert!(!accepted, "{what}");
    } else {
        assert_eq!(peer_verdict(), accepted, "{what}: crate fn-dsa");
    }

    let prehash = hash.map(|hash| HASHES[HASHES.iter().position(|h| h.0 == hash).expect("a hash in `HASHES`")].0);
    let signed = given_mu.map_or(SignedData::Message { msg, ctx, prehash }, SignedData::Mu);
    let reason = rejection_reason(vk, &signed, &sig);
    assert_eq!(reason.is_none(), accepted, "{what}: the reference: {reason:?}");
}

#[test]
fn verdicts_of_the_library_and_two_other_programs_agree() {
    for logn in DEGREES {
        let file = vector_file(&file_name(logn));
        let groups = common::cases(&file, "testGroups");
        let keys: Vec<Vec<u8>> = groups.iter().map(|g| g.bytes("publicKey")).collect();
        let lists: Vec<Vec<VectorCase>> = groups.iter().map(|g| g.cases("tests")).collect();
        let tests: Vec<(&[u8], VectorCase)> =
            keys.iter().zip(&lists).flat_map(|(vk, list)| list.iter().map(move |v| (vk.as_slice(), *v))).collect();
        parallel(tests.len(), |i| {
            let (vk, v) = &tests[i];
            assert_eq!(v.int("tcId"), i as i64 + 1);
            check_verdicts(logn, vk, v);
        });

        let flags: std::collections::BTreeSet<&str> = tests.iter().flat_map(|(_, v)| v.texts("flags")).collect();
        let valid_count = tests.iter().filter(|(_, v)| v.text("result") == "valid").count();
        let file_case = VectorCase::whole(&file);
        assert_eq!(file_case.int("numberOfTests"), tests.len() as i64);
        assert!(
            tests.len() - valid_count >= 210 && valid_count >= 40,
            "{} tests, {valid_count} of them valid",
            tests.len()
        );
        let flags_with_note: Vec<&str> =
            file["notes"].as_object().expect("an object").keys().map(String::as_str).collect();
        assert!(
            flags.iter().all(|flag| flags_with_note.contains(flag)) && flags_with_note.len() == flags.len(),
            "the flags {flags:?}, and those with a note {flags_with_note:?}"
        );
    }
}
