//! Creates a self-signed X.509 certificate for an ML-DSA key with the crate `x509-cert`, and prints
//! the certificate in PEM.
//!
//! The features `signature` and `pkcs8` implement the traits that `x509-cert` expects:
//!
//! ```toml
//! fndsa = { version = "0.2", features = ["signature", "pkcs8"] }
//! getrandom = { version = "0.4", features = ["sys_rng"] }
//! x509-cert = { version = "0.3", features = ["builder", "pem"] }
//! ```

use fndsa::{Algorithm, Signature, SigningKey};
use getrandom::SysRng;
use std::error::Error;
use std::str::FromStr;
use std::time::Duration;
use x509_cert::builder::profile::cabf::Root;
use x509_cert::builder::{Builder, CertificateBuilder};
use x509_cert::der::EncodePem;
use x509_cert::der::pem::LineEnding;
use x509_cert::name::Name;
use x509_cert::serial_number::SerialNumber;
use x509_cert::spki::SubjectPublicKeyInfo;
use x509_cert::time::Validity;

/// The certificate's validity period, 365 days.
const LIFETIME: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// Returns a certificate in PEM.
pub fn certificate(key: &SigningKey, name: &str) -> Result<String, Box<dyn Error>> {
    let profile = Root::new(false, Name::from_str(name)?)?;
    let public = SubjectPublicKeyInfo::from_key(&key.verifying_key())?;
    let builder = CertificateBuilder::new(profile, SerialNumber::from(1_u32), Validity::from_now(LIFETIME)?, public)?;
    let certificate = builder.build::<_, Signature>(key)?;
    Ok(certificate.to_pem(LineEnding::LF)?)
}

/// Runs the example.
pub fn main() -> Result<(), Box<dyn Error>> {
    let key = SigningKey::generate(Algorithm::ML_DSA_65, &mut SysRng)?;
    print!("{}", certificate(&key, "CN=Example release key,O=Example,C=DE")?);
    Ok(())
}
