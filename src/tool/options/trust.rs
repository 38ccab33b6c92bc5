//! The options that say which public keys count.

use crate::tool::context::CommandContext;
use crate::tool::io::{InputSource, file_variable};
use crate::tool::report::progress::Progress;
use crate::tool::report::{Error, Report};
use crate::tool::work::loader::{CERTIFICATE_NOTE, Loader};
use crate::tool::work::public::{PublicKey, TrustedKey};
use fndsa::files::hex::from_hex;
use fndsa::files::{Accept, Kind, Object, Structure, pem};
use std::path::PathBuf;

/// The largest file of trusted keys, in MiB: more than ten thousand keys with text around them.
const MAX_MEBIBYTES: usize = 32;

/// The public keys on the command line.
#[derive(clap::Args, Debug)]
pub struct TrustArgs {
    /// Public key, or an X.509 certificate with one; any of several may match [env: FNDSA_PUBLIC_KEY]
    #[arg(short, long = "public-key", alias = "pubkey", value_name = "FILE")]
    public_keys: Vec<PathBuf>,
    /// File with any number of public keys and certificates in PEM and any text around them; any may match
    #[arg(long, value_name = "FILE", conflicts_with = "public_keys")]
    trusted_keys: Option<PathBuf>,
    /// Accept only the key with this fingerprint, of several any
    #[arg(long = "expect-key", value_name = "sha256:HEX", value_parser = parse_fingerprint)]
    expected_keys: Vec<String>,
}

/// Parses a fingerprint, and returns it as it is printed: in lower case.
fn parse_fingerprint(text: &str) -> Result<String, &'static str> {
    let digits = text.strip_prefix("sha256:").ok_or("a fingerprint is sha256: and 64 hexadecimal digits")?;
    match from_hex(digits.as_bytes()) {
        Ok(bytes) if bytes.len() == 32 => Ok(text.to_ascii_lowercase()),
        _ => Err("a fingerprint is sha256: and 64 hexadecimal digits"),
    }
}

impl TrustArgs {
    /// Returns where the keys come from: options before the environment.
    ///
    /// # Errors
    /// No key is given.
    pub fn sources(&self) -> Result<Vec<InputSource>, Error> {
        let mut paths: Vec<_> = self.public_keys.iter().chain(&self.trusted_keys).cloned().collect();
        if paths.is_empty() {
            paths.extend(file_variable("FNDSA_PUBLIC_KEY", "write the public key to a file and name that")?);
        }
        if paths.is_empty() {
            return Err(Error::NoKey(Kind::VerifyingKey));
        }
        Ok(paths.iter().map(|path| InputSource::from_arg(path)).collect())
    }

    /// Reads and checks all keys; one that is given several times counts once.
    ///
    /// # Errors
    /// One of the files holds no valid public key.
    pub fn load(
        &self,
        sources: &[InputSource],
        accept: Accept,
        context: &CommandContext,
        report: &mut Report,
    ) -> Result<Vec<TrustedKey>, Error> {
        let level = context.level()?;
        let loader = Loader::new(accept, context.weak);
        let mut keys: Vec<TrustedKey> = Vec::new();
        let mut certificates = false;
        let mut add = |object: &Object, from: &str| {
            certificates |= object.is_in(Structure::Certificate);
            let public = PublicKey::check(object, from)?;
            let known = |key: &TrustedKey| {
                key.public.fingerprint == public.fingerprint && key.algorithm() == public.key.algorithm()
            };
            if !keys.iter().any(known) {
                let expected = self.expected_keys.is_empty() || self.expected_keys.contains(&public.fingerprint);
                keys.push(TrustedKey::new(public, level, from, expected));
            }
            Ok(())
        };
        for source in sources {
            if self.trusted_keys.is_some() {
                let data = source.read_list(MAX_MEBIBYTES, &Progress::none())?;
                let parts = pem::parts(&data);
                for (i, part) in parts.iter().enumerate() {
                    // Lines are counted from the BEGIN line of the block.
                    let from = if parts.len() > 1 { format!("{source}, key {}", i + 1) } else { source.to_string() };
                    add(&loader.part(part, &from, Kind::VerifyingKey)?, &from)?;
                }
            } else {
                add(&loader.only(source, Kind::VerifyingKey)?, &source.to_string())?;
            }
        }
        if certificates {
            report.note(&format!("note: {}", CERTIFICATE_NOTE));
            report.add_warning(CERTIFICATE_NOTE);
        }
        Ok(keys)
    }
}
