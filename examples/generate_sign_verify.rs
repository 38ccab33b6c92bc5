//! Generates a key pair, signs a message and verifies the signature, with owned keys.
//!
//! ```text
//! cargo run --release --example generate_sign_verify
//! ```

use fndsa::{Algorithm, Options, SigningKey, VerifyingKey};
use getrandom::SysRng;
use std::error::Error;

/// Runs the example.
pub fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::with_context(b"release v1");
    let message = b"the bytes of a release";

    // The signer makes a key pair, signs, and publishes the public key and the signature.
    let key = SigningKey::generate(Algorithm::ML_DSA_65, &mut SysRng)?;
    let signature = key.sign(options, message, &mut SysRng)?;
    let public = key.verifying_key().as_bytes().to_vec();
    println!("public key: {} bytes, signature: {} bytes", public.len(), signature.as_bytes().len());

    // The reader knows the algorithm and the context. Only `Ok` means that the signature is valid.
    let public = VerifyingKey::of_algorithm(Algorithm::ML_DSA_65, &public)?;
    public.verify(options, message, signature.as_bytes())?;
    println!("OK");

    // The signature is not valid for a different message or a different context.
    assert!(public.verify(options, b"other bytes", signature.as_bytes()).is_err());
    assert!(public.verify(Options::default(), message, signature.as_bytes()).is_err());
    Ok(())
}
