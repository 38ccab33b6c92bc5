//! PKCS#8 EncryptedPrivateKeyInfo: private keys behind a password, by PBES2 (RFC 8018), as they are read.
//!
//! Read are scrypt or PBKDF2 with HMAC-SHA-2, and AES in CBC or GCM mode. What a file asks for is bounded before anything
//! is computed, so that nobody's file can hang a program or take all memory. To open one and to make one is for
//! `encryption`.

use super::defect::Defect;
use super::der::{element, items_of, sequence};
use super::object::Structure;
use super::oid::Oid;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use pkcs8::der::{Decode, Tag};
use pkcs8::pkcs5::EncryptionScheme;
use pkcs8::pkcs5::pbes2::{EncryptionScheme as Cipher, Kdf, Parameters, Pbkdf2Prf};

/// A file may ask for scrypt up to `N r p` = 2^23: eight times what is written, 1 GiB.
const SCRYPT_COST: u64 = 1 << 23;
/// A file may ask for so many iterations of PBKDF2, some seconds.
const ITERATIONS: u32 = 10_000_000;

const PBES2: &str = "1.2.840.113549.1.5.13";
const KDFS: [&str; 2] = ["1.3.6.1.4.1.11591.4.11", "1.2.840.113549.1.5.12"];

/// A private key behind a password. Whether it is one, nobody knows before it is opened.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Locked {
    pub(super) parameters: Parameters,
    #[cfg_attr(not(feature = "encryption"), expect(dead_code, reason = "who opens it reads it"))]
    pub(super) data: Vec<u8>,
    /// Whether the file was DER rather than PEM.
    pub der: bool,
}

impl Locked {
    /// Reads an EncryptedPrivateKeyInfo.
    ///
    /// # Errors
    /// It is damaged, encrypted in a way that is not read, or asks for too much.
    pub(super) fn read(der: &[u8], is_der: bool) -> Result<Self, Defect> {
        let damaged = || Defect::Container { what: Structure::Encrypted.name(), why: "the DER is damaged" };
        let items = sequence(der).ok_or_else(damaged)?;
        let [(Tag::Sequence, algorithm), (Tag::OctetString, data)] = items[..] else { return Err(damaged()) };
        if let Some(oid) = methods(algorithm).ok_or_else(damaged)? {
            return Err(Defect::Encryption(oid.to_string()));
        }
        let unreadable = || Defect::Encryption("its parameters are damaged or out of range".to_owned());
        let scheme = EncryptionScheme::from_der(&element(0x30, &[algorithm])).map_err(|_| unreadable())?;
        let EncryptionScheme::Pbes2(parameters) = scheme else { return Err(unreadable()) };
        let locked = Self { parameters, data: data.to_vec(), der: is_der };
        locked.bound()?;
        Ok(locked)
    }

    /// Refuses what costs too much, or cannot be.
    fn bound(&self) -> Result<(), Defect> {
        let cipher = self.parameters.encryption;
        if self.parameters.kdf.key_length().is_some_and(|len| usize::from(len) != cipher.key_size()) {
            return Err(Defect::Encryption("its key length is not that of the cipher".to_owned()));
        }
        match &self.parameters.kdf {
            Kdf::Scrypt(p) => {
                let (n, rp) = (p.cost_parameter, u64::from(p.block_size) * u64::from(p.parallelization));
                if n < 2 || !n.is_power_of_two() || rp == 0 {
                    return Err(Defect::Encryption(format!("{} cannot be", self.method())));
                }
                if n.checked_mul(rp).is_none_or(|cost| cost > SCRYPT_COST) {
                    return Err(Defect::Cost(format!("{} (N r p over {SCRYPT_COST})", self.method())));
                }
            }
            Kdf::Pbkdf2(p) if p.prf == Pbkdf2Prf::HmacWithSha1 => {
                return Err(Defect::Encryption("PBKDF2 with SHA-1".to_owned()));
            }
            Kdf::Pbkdf2(p) if p.iteration_count == 0 => {
                return Err(Defect::Encryption(format!("{} cannot be", self.method())));
            }
            Kdf::Pbkdf2(p) if p.iteration_count > ITERATIONS => {
                return Err(Defect::Cost(format!("{} (over {ITERATIONS})", self.method())));
            }
            Kdf::Pbkdf2(_) => {}
            _ => return Err(Defect::Encryption("its key derivation is not known".to_owned())),
        }
        Ok(())
    }

    /// The key derivation and what it costs.
    fn method(&self) -> String {
        match &self.parameters.kdf {
            Kdf::Scrypt(p) => format!("scrypt N={} r={} p={}", p.cost_parameter, p.block_size, p.parallelization),
            Kdf::Pbkdf2(p) => {
                let hash = match p.prf {
                    Pbkdf2Prf::HmacWithSha224 => "224",
                    Pbkdf2Prf::HmacWithSha256 => "256",
                    Pbkdf2Prf::HmacWithSha384 => "384",
                    Pbkdf2Prf::HmacWithSha512 => "512",
                    _ => "1",
                };
                format!("PBKDF2 with HMAC-SHA-{hash}, {} iterations", p.iteration_count)
            }
            _ => "unknown".to_owned(),
        }
    }

    /// Returns how it is encrypted, in words: key derivation, what that costs, cipher.
    pub fn describe(&self) -> String {
        let cipher = match self.parameters.encryption {
            Cipher::Aes128Cbc { .. } => "AES-128-CBC",
            Cipher::Aes192Cbc { .. } => "AES-192-CBC",
            Cipher::Aes256Cbc { .. } => "AES-256-CBC",
            Cipher::Aes128Gcm { .. } => "AES-128-GCM",
            Cipher::Aes256Gcm { .. } => "AES-256-GCM",
            _ => "unknown cipher",
        };
        format!("{}, {cipher}", self.method())
    }
}

/// The first method that is not read: scheme, key derivation; `Some(None)` if both are read, `None` if the DER is damaged. The cipher and the
/// hash are left to the decoder.
fn methods(algorithm: &[u8]) -> Option<Option<Oid>> {
    let of = |content| match items_of(content)?[..] {
        [(Tag::ObjectIdentifier, oid), ref parameters @ ..] => {
            Some((Oid::from_content(oid)?, parameters.first().map_or(&[][..], |item| item.1)))
        }
        _ => None,
    };
    let (scheme, parameters) = of(algorithm)?;
    if scheme.to_string() != PBES2 {
        return Some(Some(scheme));
    }
    let parameters = items_of(parameters)?;
    let [(Tag::Sequence, kdf), (Tag::Sequence, _)] = parameters[..] else { return None };
    let (kdf, _) = of(kdf)?;
    Some(if KDFS.contains(&kdf.to_string().as_str()) { None } else { Some(kdf) })
}
