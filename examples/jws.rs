//! Signs a JSON Web Signature (JWS) with ML-DSA-65, in the compact form of RFC 7515, and verifies
//! it. RFC 9964 defines the algorithm name `ML-DSA-65` and the key type `AKP`.
//!
//! ```text
//! cargo run --release --example jws
//! ```
//!
//! ```toml
//! base64 = "0.22"
//! fndsa = "0.2"
//! getrandom = { version = "0.4", features = ["sys_rng"] }
//! serde_json = "1"
//! sha2 = "0.11"
//! ```

use base64::prelude::{BASE64_URL_SAFE_NO_PAD, Engine};
use fndsa::{Algorithm, Options, SigningKey, VerifyingKey};
use getrandom::SysRng;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::error::Error;

/// The only algorithm that this program signs with and accepts.
const ALGORITHM: Algorithm = Algorithm::ML_DSA_65;
/// The name of [`ALGORITHM`] in the header (`alg`) and in a public key.
const NAME: &str = "ML-DSA-65";
/// RFC 9964 signs with the empty context and without a pre-hash.
const OPTIONS: Options<'_> = Options::with_context(b"");

/// Returns a public key as a JSON Web Key.
pub fn jwk(public: &VerifyingKey) -> Value {
    json!({ "alg": NAME, "kty": "AKP", "pub": BASE64_URL_SAFE_NO_PAD.encode(public.as_bytes()) })
}

/// Reads a public key from a JSON Web Key.
pub fn read_jwk(jwk: &Value) -> Result<VerifyingKey, Box<dyn Error>> {
    if jwk["kty"] != "AKP" || jwk["alg"] != NAME {
        return Err("the key is not an ML-DSA-65 key".into());
    }
    let public = jwk["pub"].as_str().ok_or("the public key is missing")?;
    Ok(VerifyingKey::of_algorithm(ALGORITHM, &BASE64_URL_SAFE_NO_PAD.decode(public)?)?)
}

/// Returns the thumbprint of a public key (RFC 7638): the SHA-256 digest of the JSON Web Key, with
/// its members in alphabetical order and without blanks.
pub fn thumbprint(public: &VerifyingKey) -> String {
    let bytes = BASE64_URL_SAFE_NO_PAD.encode(public.as_bytes());
    let key = format!(r#"{{"alg":"{NAME}","kty":"AKP","pub":"{bytes}"}}"#);
    BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(key))
}

/// Signs a payload. The header contains the algorithm, and the thumbprint of the key as `kid`.
pub fn sign(key: &SigningKey, payload: &[u8]) -> Result<String, Box<dyn Error>> {
    let header = json!({ "alg": NAME, "kid": thumbprint(&key.verifying_key()) }).to_string();
    let [header, payload] = [header.as_bytes(), payload].map(|part| BASE64_URL_SAFE_NO_PAD.encode(part));
    let input = format!("{header}.{payload}");
    let signature = key.sign(OPTIONS, input.as_bytes(), &mut SysRng)?;
    Ok(format!("{input}.{}", BASE64_URL_SAFE_NO_PAD.encode(signature.as_bytes())))
}

/// Verifies a JWS, and returns its payload. The caller chooses the key: the header of a JWS is not
/// trustworthy before the signature is verified.
pub fn verify(public: &VerifyingKey, token: &str) -> Result<Vec<u8>, Box<dyn Error>> {
    let (input, signature) = token.rsplit_once('.').ok_or("the signature is missing")?;
    let (header, payload) = input.split_once('.').ok_or("the payload is missing")?;
    let header: Value = serde_json::from_slice(&BASE64_URL_SAFE_NO_PAD.decode(header)?)?;
    if header["alg"] != NAME {
        return Err("the algorithm is not ML-DSA-65".into());
    }
    // A header with `crit` requires extensions, and this program has no extensions.
    if !header["crit"].is_null() {
        return Err("the header requires an extension".into());
    }
    public.verify(OPTIONS, input.as_bytes(), BASE64_URL_SAFE_NO_PAD.decode(signature)?)?;
    // If a token contains more than two dots, the payload contains a dot and the decoder returns an
    // error.
    Ok(BASE64_URL_SAFE_NO_PAD.decode(payload)?)
}

/// Runs the example.
pub fn main() -> Result<(), Box<dyn Error>> {
    let key = SigningKey::generate(ALGORITHM, &mut SysRng)?;
    // The verifier gets the public key as JSON, from a place that it trusts.
    let public = jwk(&key.verifying_key());
    let public = read_jwk(&public)?;
    let payload = br#"{"iss":"joe","exp":1300819380}"#;
    let token = sign(&key, payload)?;
    assert_eq!(verify(&public, &token)?, payload);

    // A different key, a changed payload and a different algorithm are rejected.
    let other = SigningKey::generate(ALGORITHM, &mut SysRng)?;
    assert!(verify(&other.verifying_key(), &token).is_err());
    let parts: Vec<_> = token.split('.').collect();
    let payload = BASE64_URL_SAFE_NO_PAD.encode(br#"{"iss":"eve","exp":1300819380}"#);
    assert!(verify(&public, &[parts[0], &payload, parts[2]].join(".")).is_err());
    let header = BASE64_URL_SAFE_NO_PAD.encode(r#"{"alg":"none"}"#);
    assert!(verify(&public, &[&header, parts[1], ""].join(".")).is_err());
    println!("OK, {} bytes, kid {}", token.len(), thumbprint(&public));
    Ok(())
}
