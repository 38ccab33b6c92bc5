//! Signs files, and verifies each signature before it is written.
//!
//! - `output_format`: the format of the files that contain the signatures
//! - `certificate_use`: warnings about certificates that other programs may reject
//! - `signing_keys`: the public parts of the keys that sign
//! - `signer`: signs files with one or several private keys
//! - `key_signer`: signs with a single private key, and verifies the encoded signature
//! - `deterministic`: fixed bytes instead of random bytes, for tests and benchmarks

mod certificate_use;
pub mod deterministic;
pub mod key_signer;
pub mod output_format;
pub mod signer;
pub mod signing_keys;
