//! Reads and writes the files of the command-line tool: keys and signatures in PEM.
//!
//! ```text
//! cargo run --release --features files --example read_pem
//! ```

use fndsa::files::{Format, ObjectKind, ReadOptions, read, write};
use fndsa::{Algorithm, Options, SigningKey};
use getrandom::SysRng;
use std::error::Error;

/// Runs the example.
pub fn main() -> Result<(), Box<dyn Error>> {
    let algorithm = Algorithm::ML_DSA_65;
    let message = b"the bytes of a release";

    // The signer makes the contents of the files that `fndsa keygen` and `fndsa sign` write. The
    // contents are wiped when you drop them.
    let key = SigningKey::generate(algorithm, &mut SysRng)?;
    let signature = key.sign(Options::default(), message, &mut SysRng)?;
    let private = write(ObjectKind::SigningKey, algorithm, Format::Pem, "", key.as_bytes())?;
    let public = write(ObjectKind::VerifyingKey, algorithm, Format::Pem, "", key.verifying_key().as_bytes())?;
    let signature = write(ObjectKind::Signature, algorithm, Format::Pem, "a note for people", signature.as_bytes())?;

    // The reader requires the algorithm, and accepts every file format that `fndsa` reads.
    let accept = ReadOptions::default().with_algorithm(Some(algorithm));
    let public = read(&public, &accept)?.plain()?.verifying_key()?;
    let signature = read(&signature, &accept)?.plain()?.signature()?;
    public.verify(Options::default(), message, &signature)?;
    println!("{algorithm}: OK");

    // The signer parses the private key. `signing_key` checks this key in full.
    let key = read(&private, &accept)?.plain()?.signing_key()?;
    assert_eq!(key.verifying_key(), public);
    Ok(())
}
