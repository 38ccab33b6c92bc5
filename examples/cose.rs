//! Signs a COSE message (COSE_Sign1 of RFC 9052) with ML-DSA-65, and verifies it. RFC 9964 defines
//! the algorithm and the key type `AKP`. The crate `coset` reads and writes the messages.
//!
//! ```text
//! cargo run --release --example cose
//! ```
//!
//! ```toml
//! coset = "0.4"
//! fndsa = "0.2"
//! getrandom = { version = "0.4", features = ["sys_rng"] }
//! ```

use coset::cbor::Value;
use coset::{CborSerializable, CoseKey, CoseKeyBuilder, CoseSign1, CoseSign1Builder, HeaderBuilder, Label};
use coset::{KeyType, MlDsaVariant, RegisteredLabelWithPrivate, TaggedCborSerializable, iana};
use fndsa::{Algorithm, Options, SigningKey, VerifyingKey};
use getrandom::SysRng;
use std::error::Error;

/// The only algorithm that this program signs with and accepts.
const ALGORITHM: Algorithm = Algorithm::ML_DSA_65;
/// The number of [`ALGORITHM`] in COSE (-49).
const NUMBER: iana::Algorithm = iana::Algorithm::ML_DSA_65;
/// RFC 9964 signs with the empty context and without a pre-hash.
const OPTIONS: Options<'_> = Options::with_context(b"");
/// COSE can sign additional data that the message does not contain. This program has none.
const EXTERNAL_DATA: &[u8] = b"";

/// Returns whether an `alg` field names [`ALGORITHM`].
fn is_ours(field: &Option<coset::Algorithm>) -> bool {
    *field == Some(RegisteredLabelWithPrivate::Assigned(NUMBER))
}

/// Returns a public key as a COSE_Key.
pub fn cose_key(public: &VerifyingKey) -> Result<Vec<u8>, Box<dyn Error>> {
    let key = CoseKeyBuilder::new_mldsa_pub_key(MlDsaVariant::MlDsa65, public.as_bytes().to_vec());
    Ok(key.build().to_vec().map_err(|error| error.to_string())?)
}

/// Reads a public key from a COSE_Key.
pub fn read_cose_key(bytes: &[u8]) -> Result<VerifyingKey, Box<dyn Error>> {
    let key = CoseKey::from_slice(bytes).map_err(|error| error.to_string())?;
    if key.kty != KeyType::Assigned(iana::KeyType::AKP) || !is_ours(&key.alg) {
        return Err("the key is not an ML-DSA-65 key".into());
    }
    let label = Label::Int(iana::AkpKeyParameter::Pub as i64);
    let public = key.params.iter().find(|(name, _)| *name == label);
    let Some((_, Value::Bytes(public))) = public else { return Err("the public key is missing".into()) };
    Ok(VerifyingKey::of_algorithm(ALGORITHM, public)?)
}

/// Signs a payload. The protected header contains the algorithm.
pub fn sign(key: &SigningKey, payload: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    let header = HeaderBuilder::new().algorithm(NUMBER).build();
    let message = CoseSign1Builder::new().protected(header).payload(payload.to_vec());
    let message = message.try_create_signature(EXTERNAL_DATA, |data| {
        key.sign(OPTIONS, data, &mut SysRng).map(|signature| signature.as_bytes().to_vec())
    })?;
    Ok(message.build().to_tagged_vec().map_err(|error| error.to_string())?)
}

/// Verifies a COSE message, and returns its payload. The caller chooses the key: the headers of a
/// message are not trustworthy before the signature is verified.
pub fn verify(public: &VerifyingKey, message: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    let message = CoseSign1::from_tagged_slice(message).map_err(|error| error.to_string())?;
    if !is_ours(&message.protected.header.alg) {
        return Err("the algorithm is not ML-DSA-65".into());
    }
    // A header with `crit` requires extensions, and this program has no extensions.
    if !message.protected.header.crit.is_empty() {
        return Err("the header requires an extension".into());
    }
    if message.payload.is_none() {
        return Err("the payload is missing".into());
    }
    message.verify_signature(EXTERNAL_DATA, |signature, data| public.verify(OPTIONS, data, signature))?;
    message.payload.ok_or_else(|| "the payload is missing".into())
}

/// Runs the example.
pub fn main() -> Result<(), Box<dyn Error>> {
    let key = SigningKey::generate(ALGORITHM, &mut SysRng)?;
    // The verifier gets the public key as a COSE_Key, from a place that it trusts.
    let public = read_cose_key(&cose_key(&key.verifying_key())?)?;
    let payload = b"21.5 degrees";
    let message = sign(&key, payload)?;
    assert_eq!(verify(&public, &message)?, payload);

    // A different key and a changed payload are rejected.
    let other = SigningKey::generate(ALGORITHM, &mut SysRng)?;
    assert!(verify(&other.verifying_key(), &message).is_err());
    let at = message.windows(payload.len()).position(|part| part == payload).ok_or("no payload")?;
    let mut changed = message.clone();
    changed[at] = b'9';
    assert!(verify(&public, &changed).is_err());
    println!("OK, {} bytes", message.len());
    Ok(())
}
