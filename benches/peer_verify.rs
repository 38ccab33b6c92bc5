//! A program that verifies a file with crate `fn-dsa` 0.4.0. benches/process.rs compares its time
//! with the time for `fndsa verify`.
//!
//! Usage: `peer_verify PUBLIC-KEY SIGNATURE FILE`, with raw files. Prints the verdict. Exit code: 0
//! for YES, 1 for NO, 2 for an error.

use fn_dsa::{DOMAIN_NONE, HASH_ID_RAW, VerifyingKey, VerifyingKeyStandard};
use std::process::ExitCode;

/// Reads the three files and returns the verdict.
fn verdict(arguments: &[String]) -> Result<bool, String> {
    let [key, signature, file] = arguments else {
        return Err("usage: peer_verify PUBLIC-KEY SIGNATURE FILE".to_owned());
    };
    let read = |path: &String| std::fs::read(path).map_err(|e| format!("{path}: {e}"));
    let decoded = VerifyingKeyStandard::decode(&read(key)?).ok_or_else(|| format!("{key}: no public key"))?;
    let good = decoded.verify(&read(signature)?, &DOMAIN_NONE, &HASH_ID_RAW, &read(file)?);
    println!("{file}: {}", if good { "OK" } else { "FAILED" });
    Ok(good)
}

fn main() -> ExitCode {
    match verdict(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(what) => {
            eprintln!("{what}");
            ExitCode::from(2)
        }
    }
}
