//! Read the files that the command line writes, and write such files: keys and signatures in PEM.
//!
//! ```text
//! cargo run --release --no-default-features --features files --example read_pem
//! ```

use fndsa::files::{Accept, Format, Kind, Object, Stored, read, write};
use fndsa::{Algorithm, Form, OwnedSigningKey, OwnedVerifyingKey};
use getrandom::SysRng;
use std::error::Error;

/// Runs the example.
pub fn main() -> Result<(), Box<dyn Error>> {
    let message = b"the bytes of a release";

    // What `fndsa keygen` and `fndsa sign` leave: a private key, a public key and a signature, each in a file. A file with a secret
    // in it is wiped when it is dropped.
    let key = OwnedSigningKey::generate(Algorithm::FN_DSA_512, &mut SysRng)?;
    let scheme = key.algorithm().scheme();
    let signature = key.sign(Form::default(), message, &mut SysRng)?;
    let private = write(Kind::SigningKey, scheme, Format::Pem, "a note for people", key.as_bytes());
    let public = write(Kind::VerifyingKey, scheme, Format::Pem, "", key.verifying_key().as_bytes());
    let signature = write(Kind::Signature, scheme, Format::Pem, "", signature.as_bytes());
    println!("{}", String::from_utf8_lossy(&signature));

    // Anybody's side: the content says what each file is, in whatever form it came.
    let public = plain(&public, Kind::VerifyingKey)?;
    let signature = plain(&signature, Kind::Signature)?;
    let public = OwnedVerifyingKey::from_bytes(public.algorithm().scheme(), &public.bytes)?;
    public.verify(Form::default(), message, &*signature.bytes)?;
    println!("{}: OK", public.algorithm());

    // The signer's side. The key is checked in full.
    let private = plain(&private, Kind::SigningKey)?;
    let private = OwnedSigningKey::from_bytes(private.algorithm().scheme(), &private.bytes)?;
    assert_eq!(private.verifying_key(), public);
    assert!(plain(b"no key", Kind::SigningKey).is_err());
    Ok(())
}

/// What a file of this kind holds, if it is not encrypted.
fn plain(file: &[u8], kind: Kind) -> Result<Object, Box<dyn Error>> {
    match read(file, &Accept::default()).map_err(|defect| defect.to_string())? {
        Stored::Plain(object) if object.kind == kind => Ok(object),
        Stored::Plain(_) => Err("the file holds something else".into()),
        _ => Err("the private key has a password: feature `encryption` opens it".into()),
    }
}
