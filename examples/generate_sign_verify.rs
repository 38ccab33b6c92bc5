//! Make a key pair, sign a message, verify it: the library with an allocator.
//!
//! ```text
//! cargo run --release --example generate_sign_verify
//! ```

use fndsa::{Algorithm, Form, OwnedSigningKey, OwnedVerifyingKey, Scheme};
use getrandom::SysRng;
use std::error::Error;

/// Runs the example.
pub fn main() -> Result<(), Box<dyn Error>> {
    // The signer's side.
    let key = OwnedSigningKey::generate(Algorithm::FN_DSA_512, &mut SysRng)?;
    let form = Form::with_context(b"release v1");
    let message = b"the bytes of a release";
    let signature = key.sign(form, message, &mut SysRng)?;

    // What is published.
    let public = key.verifying_key().as_bytes().to_vec();
    let signature = signature.as_bytes().to_vec();
    println!("public key: {} bytes, signature: {} bytes", public.len(), signature.len());

    // The reader's side. Only `Ok` means that the signature is valid.
    let public = OwnedVerifyingKey::from_bytes(Scheme::FnDsa, &public)?;
    public.verify(form, message, &signature)?;
    println!("OK");

    // Another message, or another context, is not what was signed.
    assert!(public.verify(form, b"other bytes", &signature).is_err());
    assert!(public.verify(Form::default(), message, &signature).is_err());
    Ok(())
}
