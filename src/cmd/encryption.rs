//! PKCS#8 EncryptedPrivateKeyInfo: private keys behind a password, by PBES2 (RFC 8018).
//!
//! Written: scrypt with N = 2^14, r = 8, p = 8 (16 MiB and a third of a second a guess: the work of N = 2^17 with p = 1, and
//! in the table that OWASP recommends for passwords; OpenSSL opens no file that asks for more than 32 MiB), AES-256 in CBC mode, salt and IV of 16 random bytes. Read: scrypt or
//! PBKDF2 with HMAC-SHA-2, AES in CBC or GCM mode. What a file asks for is bounded before anything is
//! computed, so that nobody's file can hang the program or take all memory.
//!
//! CBC has no authentication. A wrong password or a changed file gives bytes that are no PKCS#8, or a
//! key that fails the full check that every private key goes through (its hash is part of it).
//!
//! What is decrypted is wiped, and the key derived from the password: crate `pkcs5` leaves it on the stack, and
//! `scrypt` its last state to the allocator, both of which [`wiped`] takes back. The 16 MiB of scrypt go back to the
//! system as they are.

use super::der::{element, items_of, sequence};
use super::object::{Defect, Structure};
use super::oid::Oid;
use super::random::SystemRng;
use super::report::Error;
use pkcs8::der::{Decode, Encode, Tag};
use pkcs8::pkcs5::pbes2::{EncryptionScheme as Cipher, Kdf, Parameters, Pbkdf2Prf};
use pkcs8::pkcs5::{self, EncryptionScheme, scrypt};
use rand_core::TryRng;
use zeroize::{Zeroize, Zeroizing};

/// log2 of the cost of what is written.
const LOG_N: u8 = 14;
const R: u32 = 8;
const P: u32 = 8;

/// A file may ask for scrypt up to `N r p` = 2^23: eight times what is written, 1 GiB.
const SCRYPT_COST: u64 = 1 << 23;
/// A file may ask for so many iterations of PBKDF2, some seconds.
const ITERATIONS: u32 = 10_000_000;

const PBES2: &str = "1.2.840.113549.1.5.13";
const KDFS: [&str; 2] = ["1.3.6.1.4.1.11591.4.11", "1.2.840.113549.1.5.12"];

/// An encrypted private key.
#[derive(Clone, Debug)]
pub struct Locked {
    parameters: Parameters,
    data: Vec<u8>,
    /// Whether it was DER rather than PEM.
    pub der: bool,
}

/// Why it was not opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The password is wrong, or the file is damaged.
    Password,
    /// The system does not give so many MiB of memory.
    Memory(u64),
}

impl Locked {
    /// Reads an EncryptedPrivateKeyInfo.
    ///
    /// # Errors
    /// It is damaged, encrypted in a way that is not read, or asks for too much.
    pub fn read(der: &[u8], is_der: bool) -> Result<Self, Defect> {
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

    /// How it is encrypted, in words.
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

    /// The PKCS#8 inside, if the password opens it. Whether it is one remains to be seen.
    ///
    /// # Errors
    /// It stays closed.
    pub fn open(&self, password: &[u8]) -> Result<Zeroizing<Vec<u8>>, Refused> {
        if let Kdf::Scrypt(p) = &self.parameters.kdf {
            reserve(p.cost_parameter, u64::from(p.block_size))?;
        }
        let mut data = Zeroizing::new(self.data.clone());
        let len = wiped(&self.parameters.kdf, || {
            self.parameters.decrypt_in_place(password, &mut data).map(<[u8]>::len).map_err(|_| Refused::Password)
        });
        data.truncate(len?);
        Ok(data)
    }
}

/// The first method that is not read: scheme, key derivation; nothing if both are. The cipher and the
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

/// Whether scrypt will get its memory: it would not say so, it would abort.
fn reserve(n: u64, r: u64) -> Result<(), Refused> {
    let refused = Refused::Memory((128 * n * r).div_ceil(1 << 20));
    let bytes = usize::try_from(128 * n * r).map_err(|_| refused)?;
    Vec::<u8>::new().try_reserve_exact(bytes).map_err(|_| refused)
}

/// Bytes of a block of AES.
const BLOCK: usize = 16;
/// Bytes of stack that the crates use for a key and its cipher, and more.
const STACK: usize = 32 << 10;
/// More blocks than come back from deriving a key, and than fit into the gaps that are there.
const FREED: usize = 32;

/// Runs `f`, which derives a key, and wipes what it leaves behind: the stack that it used, and the blocks of scrypt's
/// state. Whoever has that state can try passwords at the cost of one hash each. An allocator gives what came back to it
/// before it asks the system for more.
fn wiped<T>(kdf: &Kdf, f: impl FnOnce() -> T) -> T {
    #[inline(never)]
    fn apart<T>(f: impl FnOnce() -> T) -> T {
        f()
    }
    #[inline(never)]
    fn wipe_stack() {
        Zeroizing::new([0_u8; STACK]).zeroize();
    }
    let done = apart(f);
    wipe_stack();
    if let Kdf::Scrypt(p) = kdf {
        let len = 128 * usize::from(p.block_size) * usize::from(p.parallelization);
        // Larger ones went back to the system. All are held until the last is there.
        if len <= 128 << 10 {
            drop((0..FREED).map(|_| Zeroizing::new([0xff_u8].repeat(len))).collect::<Vec<_>>());
        }
    }
    done
}

/// The EncryptedPrivateKeyInfo of a PKCS#8 private key.
///
/// # Errors
/// There is no randomness or no memory.
pub fn lock(der: &[u8], password: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
    let internal = |e: &dyn std::fmt::Display| Error::Internal(format!("encryption failed: {e}"));
    let mebibytes = ((128 * u64::from(R)) << LOG_N).div_ceil(1 << 20);
    reserve(1 << LOG_N, R.into()).map_err(|_| Error::NoMemory { from: "the new password".to_owned(), mebibytes })?;
    let (mut salt, mut iv) = ([0; 16], [0; 16]);
    SystemRng.try_fill_bytes(&mut salt).and_then(|()| SystemRng.try_fill_bytes(&mut iv)).map_err(|e| internal(&e))?;
    let cost = scrypt::Params::new(LOG_N, R, P).map_err(|e| internal(&e))?;
    let pkcs5 = |e: pkcs5::Error| internal(&e);
    let parameters = Parameters::generate_scrypt_aes256cbc(cost, &salt, iv).map_err(pkcs5)?;
    // Encrypted in place: a shorter buffer would move.
    let mut data = Zeroizing::new(Vec::with_capacity(der.len() + BLOCK));
    data.extend_from_slice(der);
    data.resize(der.len() + BLOCK, 0);
    let encrypt = || parameters.encrypt_in_place(password, &mut data, der.len()).map(<[u8]>::len);
    let len = wiped(&parameters.kdf, encrypt).map_err(pkcs5)?;
    data.truncate(len);
    let scheme = EncryptionScheme::Pbes2(parameters).to_der().map_err(|e| internal(&e))?;
    Ok(element(0x30, &[&scheme, &element(0x04, &[&data])]))
}
