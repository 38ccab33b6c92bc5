//! Writes a private key, a public key and a signature as JSON, and reads them again.
//!
//! ```text
//! cargo run --release --features serde --example keys_as_json
//! ```
//!
//! The feature `serde` implements `Serialize` and `Deserialize` for keys, signatures and names. Any
//! format of serde can be used instead of JSON:
//!
//! ```toml
//! fndsa = { version = "0.2", features = ["serde"] }
//! serde_json = "1"
//! ```

use fndsa::{Algorithm, Options, Signature, SigningKey, VerifyingKey};
use getrandom::SysRng;
use serde_json::{Value, from_str, json, to_string};
use std::error::Error;

/// Runs the example.
pub fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::with_context(b"orders");
    let order = b"ten boxes of paper";

    // The text contains the private key. Keep the text secret, and wipe the text after use.
    let private = to_string(&SigningKey::generate(Algorithm::ML_DSA_65, &mut SysRng)?)?;

    // The signer reads the private key. The library checks the key in full while serde reads it.
    let key: SigningKey = from_str(&private)?;
    let public = to_string(&key.verifying_key())?;
    let signature = to_string(&key.sign(options, order, &mut SysRng)?)?;

    // The document has two members: the algorithm, and the bytes as hexadecimal digits.
    let document: Value = from_str(&public)?;
    assert_eq!(document["algorithm"], "ml-dsa-65");
    assert_eq!(document["bytes"].as_str().map(str::len), Some(2 * 1952));

    // The JSON text can contain a key for any algorithm, so the reader checks the algorithm.
    let public: VerifyingKey = from_str(&public)?;
    let signature: Signature = from_str(&signature)?;
    assert_eq!(public.algorithm(), Algorithm::ML_DSA_65);
    public.verify(options, order, &signature)?;
    assert!(public.verify(options, b"one box of paper", &signature).is_err());

    // A key with a wrong length is rejected.
    let short = json!({ "algorithm": "ml-dsa-65", "bytes": "00" });
    assert!(serde_json::from_value::<VerifyingKey>(short).is_err());
    println!("OK");
    Ok(())
}
