//! PKCS#8 EncryptedPrivateKeyInfo: private keys behind a password, by PBES2 (RFC 8018), as they are read.
//!
//! Files may have scrypt or PBKDF2 with HMAC-SHA-2, and AES in CBC or GCM mode. What a file asks for is bounded before
//! anything is computed, so that nobody's file can hang a program or take all memory. Module `encryption` opens such
//! files and makes them.

use super::defect::Defect;
use super::der::{element, items_of, sequence};
use super::encoding::Wrapping;
use super::object::Structure;
use super::oid::Oid;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use pkcs8::der::{Decode, Tag};
use pkcs8::pkcs5::EncryptionScheme;
use pkcs8::pkcs5::pbes2::{EncryptionScheme as Cipher, Kdf, Parameters, Pbkdf2Prf};

/// The largest `N r p` of scrypt that a file may ask for: eight times that of files that are written, and at most 1 GiB
/// of memory.
const SCRYPT_COST: u64 = 1 << 23;
/// The most iterations of PBKDF2 that a file may ask for: some seconds.
const ITERATIONS: u32 = 10_000_000;

const PBES2: &str = "1.2.840.113549.1.5.13";
const KDFS: [&str; 2] = ["1.3.6.1.4.1.11591.4.11", "1.2.840.113549.1.5.12"];

/// A private key behind a password. That there is a private key inside is known only when it has been opened.
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
    /// The DER is damaged, the encryption is none that is read, or the file asks for too much.
    pub(super) fn read(der: &[u8], wrapping: Wrapping) -> Result<Self, Defect> {
        let damaged = || Defect::Container { what: Structure::Encrypted.name(), why: "the DER is damaged" };
        let items = sequence(der).ok_or_else(damaged)?;
        let [(Tag::Sequence, algorithm), (Tag::OctetString, data)] = items[..] else { return Err(damaged()) };
        match Methods::of(algorithm) {
            Methods::Supported => {}
            Methods::Unsupported(oid) => return Err(Defect::Encryption(oid.to_string())),
            Methods::Damaged => return Err(damaged()),
        }
        let unreadable = || Defect::Encryption("its parameters are damaged or out of range".to_owned());
        let scheme = EncryptionScheme::from_der(&element(0x30, &[algorithm])).map_err(|_| unreadable())?;
        let EncryptionScheme::Pbes2(parameters) = scheme else { return Err(unreadable()) };
        let locked = Self { parameters, data: data.to_vec(), der: wrapping == Wrapping::Der };
        locked.bound()?;
        Ok(locked)
    }

    /// Refuses parameters that cost too much, or that no encryption can have.
    fn bound(&self) -> Result<(), Defect> {
        let cipher = self.parameters.encryption;
        if self.parameters.kdf.key_length().is_some_and(|len| usize::from(len) != cipher.key_size()) {
            return Err(Defect::Encryption("its key length is not that of the cipher".to_owned()));
        }
        match &self.parameters.kdf {
            Kdf::Scrypt(p) => {
                let n = p.cost_parameter;
                let rp = u64::from(p.block_size) * u64::from(p.parallelization);
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

    /// Returns the key derivation and its cost, in words.
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

/// What an AlgorithmIdentifier says of the encryption. The cipher and the hash are left to the decoder.
enum Methods {
    /// The scheme is PBES2, and its key derivation is scrypt or PBKDF2.
    Supported,
    /// The first method that this library does not have: the scheme, or else the key derivation.
    Unsupported(Oid),
    /// The DER is damaged.
    Damaged,
}

impl Methods {
    /// Looks at the content of an AlgorithmIdentifier.
    fn of(algorithm: &[u8]) -> Self {
        let Some((scheme, parameters)) = method(algorithm) else { return Self::Damaged };
        if scheme.to_string() != PBES2 {
            return Self::Unsupported(scheme);
        }
        let parameters = items_of(parameters);
        let Some([(Tag::Sequence, kdf), (Tag::Sequence, _)]) = parameters.as_deref() else { return Self::Damaged };
        match method(kdf) {
            Some((kdf, _)) if KDFS.contains(&kdf.to_string().as_str()) => Self::Supported,
            Some((kdf, _)) => Self::Unsupported(kdf),
            None => Self::Damaged,
        }
    }
}

/// Splits the content of an AlgorithmIdentifier into the identifier and the content of its parameters, which is empty
/// where there are none. Returns `None` if the DER is damaged.
fn method(algorithm: &[u8]) -> Option<(Oid, &[u8])> {
    match items_of(algorithm)?[..] {
        [(Tag::ObjectIdentifier, oid), ref parameters @ ..] => {
            Some((Oid::from_content(oid)?, parameters.first().map_or(&[][..], |item| item.1)))
        }
        _ => None,
    }
}
