//! Encrypted private keys, and the reader for PKCS#8 EncryptedPrivateKeyInfo with PBES2 (RFC 8018).
//!
//! The supported key derivations are scrypt and PBKDF2 with HMAC-SHA-2. The supported ciphers are
//! AES in CBC mode, and AES-128 and AES-256 in GCM mode. The reader limits the cost of the key
//! derivation, so that a malicious file cannot make a program hang or use all memory. The module
//! `encryption` decrypts and writes these files. The module `ssh_private` reads OpenSSH files.

use super::defect::Defect;
use super::der::{element, items_of, sequence};
use super::encoding::{ContainerEncoding, FileEncoding};
use super::object::ContainerStructure;
use super::oid::Oid;
use crate::api::Algorithm;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use pkcs8::der::{Decode, Tag};
use pkcs8::pkcs5::EncryptionScheme;
use pkcs8::pkcs5::pbes2::{EncryptionScheme as Cipher, Kdf, Parameters, Pbkdf2Prf};

/// The maximum of `N r p` in scrypt: eight times the value in new files (N = 2^14, r = 8, p = 8).
/// This maximum also limits scrypt's memory, `128 N r` bytes, to 1 GiB.
const MAX_SCRYPT_COST: u64 = 1 << 23;
/// The maximum number of PBKDF2 iterations. 10,000,000 iterations take some seconds.
const MAX_PBKDF2_ITERATIONS: u32 = 10_000_000;

/// The OID of PBES2.
const PBES2: &str = "1.2.840.113549.1.5.13";
/// The OIDs of scrypt and PBKDF2.
const KDFS: [&str; 2] = ["1.3.6.1.4.1.11591.4.11", "1.2.840.113549.1.5.12"];
/// The OID of HMAC-SHA-1, which PBKDF2 uses if the parameters do not name a hash function.
const HMAC_SHA_1: &str = "1.2.840.113549.2.7";
/// The OIDs of HMAC-SHA-224, HMAC-SHA-256, HMAC-SHA-384 and HMAC-SHA-512.
const HMACS: [&str; 4] = ["1.2.840.113549.2.8", "1.2.840.113549.2.9", "1.2.840.113549.2.10", "1.2.840.113549.2.11"];
/// The OIDs of AES-128, AES-192 and AES-256 in CBC mode, and of AES-128 and AES-256 in GCM mode.
const CIPHERS: [&str; 5] = [
    "2.16.840.1.101.3.4.1.2",
    "2.16.840.1.101.3.4.1.22",
    "2.16.840.1.101.3.4.1.42",
    "2.16.840.1.101.3.4.1.6",
    "2.16.840.1.101.3.4.1.46",
];
/// The OIDs of encryption methods that this library does not support, with their names in OpenSSL.
const NAMES: &[(&str, &str)] = &[
    ("1.2.840.113549.1.5.1", "PBE-MD2-DES"),
    ("1.2.840.113549.1.5.3", "PBE-MD5-DES"),
    ("1.2.840.113549.1.5.6", "PBE-MD5-RC2-64"),
    ("1.2.840.113549.1.5.10", "PBE-SHA1-DES"),
    ("1.2.840.113549.1.5.11", "PBE-SHA1-RC2-64"),
    ("1.2.840.113549.1.12.1.1", "PBE-SHA1-RC4-128"),
    ("1.2.840.113549.1.12.1.2", "PBE-SHA1-RC4-40"),
    ("1.2.840.113549.1.12.1.3", "PBE-SHA1-3DES"),
    ("1.2.840.113549.1.12.1.4", "PBE-SHA1-2DES"),
    ("1.2.840.113549.1.12.1.5", "PBE-SHA1-RC2-128"),
    ("1.2.840.113549.1.12.1.6", "PBE-SHA1-RC2-40"),
    ("1.2.840.113549.2.6", "HMAC-MD5"),
    (HMAC_SHA_1, "HMAC-SHA-1"),
    ("1.3.6.1.5.5.8.1.1", "HMAC-MD5"),
    ("1.3.6.1.5.5.8.1.2", "HMAC-SHA-1"),
    ("1.2.840.113549.2.12", "HMAC-SHA-512/224"),
    ("1.2.840.113549.2.13", "HMAC-SHA-512/256"),
    ("2.16.840.1.101.3.4.2.13", "HMAC-SHA3-224"),
    ("2.16.840.1.101.3.4.2.14", "HMAC-SHA3-256"),
    ("2.16.840.1.101.3.4.2.15", "HMAC-SHA3-384"),
    ("2.16.840.1.101.3.4.2.16", "HMAC-SHA3-512"),
    ("1.2.156.10197.1.401.2", "HMAC-SM3"),
    ("1.3.14.3.2.7", "DES-CBC"),
    ("1.2.840.113549.3.2", "RC2-CBC"),
    ("1.2.840.113549.3.4", "RC4"),
    ("1.2.840.113549.3.7", "DES-EDE3-CBC"),
    ("2.16.840.1.101.3.4.1.1", "AES-128-ECB"),
    ("2.16.840.1.101.3.4.1.3", "AES-128-OFB"),
    ("2.16.840.1.101.3.4.1.4", "AES-128-CFB"),
    ("2.16.840.1.101.3.4.1.21", "AES-192-ECB"),
    ("2.16.840.1.101.3.4.1.23", "AES-192-OFB"),
    ("2.16.840.1.101.3.4.1.24", "AES-192-CFB"),
    ("2.16.840.1.101.3.4.1.26", "AES-192-GCM"),
    ("2.16.840.1.101.3.4.1.41", "AES-256-ECB"),
    ("2.16.840.1.101.3.4.1.43", "AES-256-OFB"),
    ("2.16.840.1.101.3.4.1.44", "AES-256-CFB"),
    ("1.2.156.10197.1.104.2", "SM4-CBC"),
    ("1.2.156.10197.1.104.8", "SM4-GCM"),
    ("1.2.392.200011.61.1.1.1.4", "CAMELLIA-256-CBC"),
    ("1.2.392.200011.61.1.1.1.2", "CAMELLIA-128-CBC"),
    ("1.2.410.200046.1.1.14", "ARIA-256-CBC"),
    ("1.2.643.2.2.21", "GOST 28147-89"),
];

/// The public key in an OpenSSH private key file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SshPublicKey {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The public key in raw encoding.
    pub public: Vec<u8>,
}

/// The encryption of an OpenSSH private key file, and the public key, which is not encrypted.
#[derive(Clone, Debug)]
pub(super) struct SshEncryption {
    /// The salt for the key derivation.
    #[cfg_attr(not(feature = "encryption"), expect(dead_code, reason = "only decryption reads the field"))]
    pub salt: Vec<u8>,
    /// The number of rounds, which determines the cost of the key derivation.
    pub rounds: u32,
    /// The public key.
    pub key: SshPublicKey,
}

impl SshEncryption {
    /// Returns the key derivation, the cost and the cipher, as text.
    fn describe(&self) -> String {
        format!("bcrypt, {} rounds, AES-256-CTR", self.rounds)
    }
}

/// How a private key is encrypted.
#[derive(Clone, Debug)]
pub(super) enum KeyEncryption {
    /// PBES2 in PKCS#8.
    Pbes2(Parameters),
    /// OpenSSH's encryption.
    OpenSsh(SshEncryption),
}

/// An encrypted private key. In PKCS#8, the key's algorithm is unknown until the key is decrypted.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct EncryptedPrivateKey {
    pub(super) encryption: KeyEncryption,
    #[cfg_attr(not(feature = "encryption"), expect(dead_code, reason = "only decryption reads the field"))]
    pub(super) data: Vec<u8>,
    /// True if the file was in DER, and false if it was in PEM.
    pub der: bool,
}

impl EncryptedPrivateKey {
    /// Reads an EncryptedPrivateKeyInfo.
    ///
    /// Fails if the DER is damaged, or if the encryption is not supported. Also fails if the
    /// encryption's parameters are damaged or out of range, or if the key derivation costs too
    /// much.
    pub(super) fn read(der: &[u8], wrapping: ContainerEncoding) -> Result<Self, Defect> {
        let damaged = Defect::Container { what: ContainerStructure::Encrypted.name(), why: "the DER is damaged" };
        let items = sequence(der).unwrap_or_default();
        let [(Tag::Sequence, algorithm), (Tag::OctetString, data)] = items[..] else { return Err(damaged) };
        match PasswordEncryption::of(algorithm) {
            PasswordEncryption::Supported => {}
            PasswordEncryption::Unsupported(encryption_name) => return Err(Defect::Encryption(encryption_name)),
            PasswordEncryption::Damaged => return Err(damaged),
        }
        let Ok(EncryptionScheme::Pbes2(parameters)) = EncryptionScheme::from_der(&element(0x30, &[algorithm])) else {
            return Err(Defect::EncryptionParameters("its parameters are damaged or out of range".to_owned()));
        };
        check_parameters(&parameters)?;
        let encryption = KeyEncryption::Pbes2(parameters);
        Ok(Self { encryption, data: data.to_vec(), der: wrapping == ContainerEncoding::Der })
    }

    /// Returns the file's format: PKCS#8 in PEM or DER, or OpenSSH.
    pub fn encoding(&self) -> FileEncoding {
        match self.encryption {
            KeyEncryption::OpenSsh(_) => FileEncoding::Ssh,
            KeyEncryption::Pbes2(_) if self.der => FileEncoding::Pkcs8Der,
            KeyEncryption::Pbes2(_) => FileEncoding::Pkcs8,
        }
    }

    /// Returns the algorithm and the raw public key in an OpenSSH file. They are not encrypted, and
    /// not authenticated until the private key is decrypted and compared with the public key.
    /// Returns `None` for PKCS#8.
    pub fn public_key(&self) -> Option<(Algorithm, &[u8])> {
        match &self.encryption {
            KeyEncryption::OpenSsh(encryption) => Some((encryption.key.algorithm, &encryption.key.public)),
            KeyEncryption::Pbes2(_) => None,
        }
    }

    /// Returns the key derivation, the cost and the cipher, as text.
    pub fn describe(&self) -> String {
        match &self.encryption {
            KeyEncryption::OpenSsh(encryption) => encryption.describe(),
            KeyEncryption::Pbes2(parameters) => describe(parameters),
        }
    }
}

/// Checks the key derivation's parameters: the key length, the HMAC, and the values that determine
/// the cost.
fn check_parameters(parameters: &Parameters) -> Result<(), Defect> {
    let cipher = parameters.encryption;
    if let Some(len) = parameters.kdf.key_length()
        && usize::from(len) != cipher.key_size()
    {
        return Err(Defect::EncryptionParameters("its key length is not that of the cipher".to_owned()));
    }
    match &parameters.kdf {
        Kdf::Scrypt(p) => {
            let n = p.cost_parameter;
            let rp = u64::from(p.block_size) * u64::from(p.parallelization);
            if n < 2 || !n.is_power_of_two() || rp == 0 {
                return Err(Defect::EncryptionParameters(format!("{} cannot be", kdf_name(parameters))));
            }
            match n.checked_mul(rp) {
                Some(cost) if cost <= MAX_SCRYPT_COST => {}
                _ => return Err(Defect::Cost(format!("{} (N r p over {MAX_SCRYPT_COST})", kdf_name(parameters)))),
            }
        }
        Kdf::Pbkdf2(p) if p.prf == Pbkdf2Prf::HmacWithSha1 => {
            return Err(Defect::Encryption(format!("PBKDF2 with {}", method_name(HMAC_SHA_1))));
        }
        Kdf::Pbkdf2(p) if p.iteration_count == 0 => {
            return Err(Defect::EncryptionParameters(format!("{} cannot be", kdf_name(parameters))));
        }
        Kdf::Pbkdf2(p) if p.iteration_count > MAX_PBKDF2_ITERATIONS => {
            return Err(Defect::Cost(format!("{} (over {MAX_PBKDF2_ITERATIONS})", kdf_name(parameters))));
        }
        Kdf::Pbkdf2(_) => {}
        _ => return Err(Defect::Encryption("its key derivation is not known".to_owned())),
    }
    Ok(())
}

/// Returns the key derivation and the cost, as text.
fn kdf_name(parameters: &Parameters) -> String {
    match &parameters.kdf {
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

/// Returns the key derivation, the cost and the cipher, as text.
fn describe(parameters: &Parameters) -> String {
    let cipher = match parameters.encryption {
        Cipher::Aes128Cbc { .. } => "AES-128-CBC",
        Cipher::Aes192Cbc { .. } => "AES-192-CBC",
        Cipher::Aes256Cbc { .. } => "AES-256-CBC",
        Cipher::Aes128Gcm { .. } => "AES-128-GCM",
        Cipher::Aes256Gcm { .. } => "AES-256-GCM",
        _ => "unknown cipher",
    };
    format!("{}, {cipher}", kdf_name(parameters))
}

/// The result of checking the encryption methods in an AlgorithmIdentifier.
enum PasswordEncryption {
    /// The scheme is PBES2, and its key derivation and cipher are supported. The HMAC is supported,
    /// or it is HMAC-SHA-1. `check_parameters` rejects HMAC-SHA-1 later: it is PBKDF2's default,
    /// which a file can omit, so this check cannot always see it.
    Supported,
    /// This library does not support one of the methods. The value is the name and the OID of the
    /// first unsupported method.
    Unsupported(String),
    /// The DER is damaged.
    Damaged,
}

impl PasswordEncryption {
    /// Checks the methods in the content of an AlgorithmIdentifier.
    fn of(algorithm: &[u8]) -> Self {
        let Some((scheme, parameters)) = oid_and_parameters(algorithm) else { return Self::Damaged };
        if scheme.to_string() != PBES2 {
            return Self::Unsupported(method_name(&scheme.to_string()));
        }
        let parameters = items_of(parameters);
        let Some([(Tag::Sequence, kdf), (Tag::Sequence, cipher)]) = parameters.as_deref() else { return Self::Damaged };
        let (Some((kdf, parameters)), Some((cipher, _))) = (oid_and_parameters(kdf), oid_and_parameters(cipher)) else {
            return Self::Damaged;
        };
        let [kdf, cipher] = [kdf, cipher].map(|oid| oid.to_string());
        if !KDFS.contains(&kdf.as_str()) {
            return Self::Unsupported(method_name(&kdf));
        }
        if let Some(hash) = hmac_of_parameters(parameters)
            && hash != HMAC_SHA_1
            && !HMACS.contains(&hash.as_str())
        {
            return Self::Unsupported(format!("PBKDF2 with {}", method_name(&hash)));
        }
        if CIPHERS.contains(&cipher.as_str()) { Self::Supported } else { Self::Unsupported(method_name(&cipher)) }
    }
}

/// Returns the OID of the HMAC in the parameters of PBKDF2. Returns `None` for scrypt. Also returns
/// `None` if the parameters of PBKDF2 do not name an HMAC. In this case, PBKDF2 uses HMAC-SHA-1,
/// which `check_parameters` rejects.
fn hmac_of_parameters(parameters: &[u8]) -> Option<String> {
    let items = items_of(parameters)?;
    let Some((Tag::Sequence, hash)) = items.last() else { return None };
    let (oid, _) = oid_and_parameters(hash)?;
    Some(oid.to_string())
}

/// Returns a method's name and its OID. If the name is unknown, returns only the OID.
fn method_name(oid: &str) -> String {
    match NAMES.iter().find(|row| row.0 == oid) {
        Some((_, name)) => format!("{name} ({oid})"),
        None => oid.to_owned(),
    }
}

/// Splits the content of an AlgorithmIdentifier into the OID and the content of the parameters,
/// which is empty if there are no parameters. Returns `None` if the DER is damaged.
fn oid_and_parameters(algorithm: &[u8]) -> Option<(Oid, &[u8])> {
    match items_of(algorithm)?[..] {
        [(Tag::ObjectIdentifier, oid), ref parameters @ ..] => {
            let parameters = match parameters.first() {
                Some((_, content)) => content,
                None => &[][..],
            };
            Some((Oid::from_content(oid)?, parameters))
        }
        _ => None,
    }
}
