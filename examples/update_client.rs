//! Verifies an update as clients of The Update Framework (TUF) do. The list of the files must have
//! valid signatures by two of three trusted keys, and must not be out of date. Each downloaded file
//! must match its checksum in the list.
//!
//! ```text
//! cargo run --release --features verdict --example update_client
//! ```

use fndsa::algorithm::PreHash;
use fndsa::files::manifest::{ChecksumList, parse, write_best_before, write_line};
use fndsa::files::{Date, Format, ObjectKind, write};
use fndsa::message::MessageDigest;
use fndsa::no_alloc::Level;
use fndsa::verdict::{ListOutcome, Policy, RequiredKeys, TrustedKey, read_trusted_keys, verify_list_in_memory};
use fndsa::{Algorithm, Options, SigningKey};
use getrandom::SysRng;
use std::error::Error;

/// The number of different keys that must have signed the list.
const REQUIRED: RequiredKeys = RequiredKeys::Number(2);
/// The context binds the signatures to this purpose.
const CONTEXT: &[u8] = b"example updates";
/// The name of the file in the update.
const NAME: &[u8] = b"app.tar.gz";

/// Returns the SHA-256 checksum of a file.
fn checksum(contents: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    Ok(MessageDigest::of(PreHash::Sha256, contents)?.as_bytes().to_vec())
}

/// Returns the contents of a list with a file and the last day on which clients accept the list.
fn new_list(contents: &[u8], last_day: Date) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut list = Vec::new();
    write_line(&mut list, &checksum(contents)?, NAME);
    write_best_before(&mut list, last_day);
    Ok(list)
}

/// Signs a list with several keys, and returns the contents of the signature file.
fn sign_list(keys: &[&SigningKey], list: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut file = Vec::new();
    for key in keys {
        let signature = key.sign(Options::with_context(CONTEXT), list, &mut SysRng)?;
        let block = write(ObjectKind::Signature, key.algorithm(), Format::Pem, "", signature.as_bytes())?;
        file.extend_from_slice(&block);
    }
    Ok(file)
}

/// Verifies the signatures and the last day of a list. Only then returns the contents of the list.
fn verified_list<'a>(
    trusted: &[TrustedKey],
    list: &'a [u8],
    signatures: &[u8],
    today: &Date,
) -> Result<ChecksumList<'a>, Box<dyn Error>> {
    let policy = Policy::new(trusted, &[], REQUIRED);
    match verify_list_in_memory(&policy, list, Some(signatures), CONTEXT, parse, today)? {
        ListOutcome::Accepted { evidence, list, .. } if evidence.holds() => Ok(list),
        ListOutcome::Accepted { .. } => Err("the machine computed wrongly".into()),
        ListOutcome::Rejected { rejection, keys } => Err(policy.message(&rejection, &keys).into()),
    }
}

/// Succeeds if a file matches its checksum in the list.
fn check_file(list: &ChecksumList<'_>, name: &[u8], contents: &[u8]) -> Result<(), Box<dyn Error>> {
    let entry = list.files.iter().find(|entry| entry.name == name).ok_or("the file is not in the list")?;
    if entry.digest() == checksum(contents)? { Ok(()) } else { Err("the file does not match its checksum".into()) }
}

/// Runs the example.
pub fn main() -> Result<(), Box<dyn Error>> {
    // The project makes three keys, and publishes the public keys with names.
    let algorithms = [Algorithm::ML_DSA_65, Algorithm::ML_DSA_87, Algorithm::FN_DSA_512];
    let mut keys = Vec::new();
    let mut root = Vec::new();
    for (name, algorithm) in ["first", "second", "third"].into_iter().zip(algorithms) {
        let key = SigningKey::generate(algorithm, &mut SysRng)?;
        let public = key.verifying_key();
        root.extend_from_slice(format!("name: {name}\n").as_bytes());
        root.extend_from_slice(&write(ObjectKind::VerifyingKey, algorithm, Format::Pem, "", public.as_bytes())?);
        keys.push(key);
    }

    // Two of the three owners sign the list of an update.
    let update = b"the bytes of the update";
    let list = new_list(update, "2030-06-30".parse()?)?;
    let signatures = sign_list(&[&keys[0], &keys[2]], &list)?;

    // The client has the trusted keys, and downloads the list, the signatures and the file. To use
    // the clock of the machine, pass `VerificationDay(None)` instead of a date.
    let trusted = read_trusted_keys(&root, &[], Level::detect())?;
    let today = "2030-01-31".parse()?;
    let verified = verified_list(&trusted, &list, &signatures, &today)?;
    check_file(&verified, NAME, update)?;
    println!("OK, accept the list until {:?}", verified.best_before.map(|day| day.to_string()));

    // The client rejects another file, a changed list, an old list, and a list with two signatures
    // by the same key.
    assert!(check_file(&verified, NAME, b"other bytes").is_err());
    let changed = new_list(b"other bytes", "2030-06-30".parse()?)?;
    let twice = sign_list(&[&keys[0], &keys[0]], &list)?;
    for (list, signatures, today) in
        [(&changed, &signatures, "2030-01-31"), (&list, &signatures, "2030-07-01"), (&list, &twice, "2030-01-31")]
    {
        let Err(reason) = verified_list(&trusted, list, signatures, &today.parse()?) else {
            return Err("the list is accepted".into());
        };
        println!("NO: {reason}");
    }
    Ok(())
}
