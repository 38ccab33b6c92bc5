//! Signs and verifies a file of any size in constant memory.
//!
//! ```text
//! cargo run --release --example stream_a_file
//! ```

use fndsa::{Algorithm, Options, SigningKey};
use getrandom::SysRng;
use std::error::Error;
use std::fs::File;
use std::io;
use std::path::Path;

/// The signatures have no context and no pre-hash.
const FORM: Options<'_> = Options::with_context(b"");

/// Runs the example.
pub fn main() -> Result<(), Box<dyn Error>> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    // FN-DSA hashes the message once. Falcon hashes a nonce before the message, and an attempt to
    // sign may fail and need another nonce. The message cannot be read again, so the signer hashes
    // it with several nonces at the same time.
    for algorithm in [Algorithm::FN_DSA_512, Algorithm::FALCON_1024] {
        let key = SigningKey::generate(algorithm, &mut SysRng)?;

        let mut signer = key.signer(FORM, &mut SysRng)?;
        let bytes = io::copy(&mut File::open(&file)?, &mut signer)?;
        let signature = signer.finish(&mut SysRng)?;

        let public = key.verifying_key();
        let mut verifier = public.verifier(FORM, signature.as_bytes())?;
        io::copy(&mut File::open(&file)?, &mut verifier)?;
        verifier.finish()?;
        println!("{algorithm}: OK, {bytes} bytes");
    }
    Ok(())
}
