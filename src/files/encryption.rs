//! Opens private keys behind a password, and makes them: PBES2 (RFC 8018) in PKCS#8 EncryptedPrivateKeyInfo.
//!
//! Files that are written have scrypt with N = 2^14, r = 8, p = 8, AES-256 in CBC mode, and a salt and an IV of 16
//! random bytes. A guess takes 16 MiB and a third of a second. That is the work of N = 2^17 with p = 1, and stands in
//! the table that OWASP recommends for passwords; OpenSSL opens no file that asks for more than 32 MiB. What is read is
//! told in `locked`.
//!
//! CBC has no authentication. A wrong password or a changed file gives bytes that are no PKCS#8, or a
//! key that fails the full check that every private key goes through (its hash is part of it).
//!
//! Plaintext and derived key are wiped. Crate `pkcs5` leaves the key on the stack, and `scrypt` its last state on the
//! heap; [`wiped`] clears both. The 16 MiB of scrypt go back to the system as they are.

use super::WriteError;
use super::accept::Accept;
use super::defect::Defect;
use super::der::{element, sequence};
use super::encoding::Wrapping;
use super::locked::Locked;
use super::object::{Object, Structure};
use super::pkcs8::{Stored, read_container};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use pkcs8::der::Encode;
use pkcs8::pkcs5::pbes2::{Kdf, Parameters};
use pkcs8::pkcs5::{EncryptionScheme, scrypt};
use rand_core::TryCryptoRng;
use thiserror::Error;
use zeroize::{Zeroize, Zeroizing};

/// The logarithm of the cost N of files that are written, to base 2.
const LOG_N: u8 = 14;
const R: u32 = 8;
const P: u32 = 8;

/// Why a private key behind a password was not opened.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The password is wrong, or the file is damaged: of an encryption without authentication the two look alike.
    #[error("the password is wrong, or the file is damaged")]
    Password,
    /// The system does not give so many MiB of memory.
    #[error("there are no {0} MiB of memory")]
    Memory(u64),
    /// The password opens it, and what is inside is no private key that can be read.
    #[error("{0}")]
    Content(Defect),
}

/// Why no private key was put behind a password. `R` is the error of the random number generator.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LockError<R> {
    /// A private key does not have this form.
    #[error("{0}")]
    Form(WriteError),
    /// The random number generator failed.
    #[error("encryption failed: {0}")]
    Rng(R),
    /// The system does not give so many MiB of memory.
    #[error("there are no {0} MiB of memory")]
    Memory(u64),
    /// The encryption itself failed, which it does not for any key.
    #[error("encryption failed: {0}")]
    Internal(String),
}

impl Locked {
    /// Returns the PKCS#8 inside, if the password opens it. Whether it is one remains to be seen.
    fn open(&self, password: &[u8]) -> Result<Zeroizing<Vec<u8>>, OpenError> {
        if let Kdf::Scrypt(p) = &self.parameters.kdf {
            reserve(p.cost_parameter, u64::from(p.block_size)).map_err(OpenError::Memory)?;
        }
        let mut data = Zeroizing::new(self.data.clone());
        let len = wiped(&self.parameters.kdf, || {
            self.parameters.decrypt_in_place(password, &mut data).map(<[u8]>::len).map_err(|_| OpenError::Password)
        });
        data.truncate(len?);
        Ok(data)
    }

    /// Decrypts the private key with a password and reads it.
    ///
    /// # Errors
    /// The password is wrong, there is no memory to check it, or what it opens is no private key that can be read.
    pub fn unlock(&self, password: &[u8], accept: &Accept) -> Result<Object, OpenError> {
        let plain = self.open(password)?;
        let wrapping = if self.der { Wrapping::Der } else { Wrapping::Pem };
        let mut object = match read_container(Structure::Private, &plain, wrapping, accept) {
            Ok(Stored::Plain(object)) => object,
            // What a wrong password opens is noise.
            Err(defect) if sequence(&plain).is_some() => return Err(OpenError::Content(defect)),
            _ => return Err(OpenError::Password),
        };
        if let Some(container) = &mut object.container {
            container.encryption = Some(self.describe());
        }
        accept.admit(object).map_err(OpenError::Content)
    }
}

/// Checks that scrypt will get its `128 n r` bytes of memory: without them it aborts the process.
///
/// # Errors
/// There is not so much memory; the value is how many MiB are needed.
fn reserve(n: u64, r: u64) -> Result<(), u64> {
    let mebibytes = (128 * n * r).div_ceil(1 << 20);
    let bytes = usize::try_from(128 * n * r).map_err(|_| mebibytes)?;
    Vec::<u8>::new().try_reserve_exact(bytes).map_err(|_| mebibytes)
}

/// Bytes of a block of AES.
const BLOCK: usize = 16;
/// Bytes of stack that the crates use for a key and its cipher, and more.
const STACK: usize = 32 << 10;
/// Blocks of scrypt's state that are allocated and wiped: more than one derivation of a key frees, and than fit into
/// the gaps of the heap.
const FREED: usize = 32;

/// Runs `f`, which derives a key, and wipes what it leaves behind: the stack that it used, and the blocks of scrypt's
/// state. Whoever has that state can try passwords at the cost of one hash each. The blocks are reached by allocating
/// as many of their size: an allocator hands out freed blocks before it asks the system for more.
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

fn internal<R>(e: impl core::fmt::Display) -> LockError<R> {
    LockError::Internal(e.to_string())
}

/// Puts the PKCS#8 of a private key behind a password.
///
/// # Errors
/// There is no randomness or no memory.
pub(super) fn lock<G: TryCryptoRng>(
    der: &[u8],
    password: &[u8],
    rng: &mut G,
) -> Result<Zeroizing<Vec<u8>>, LockError<G::Error>> {
    reserve(1 << LOG_N, R.into()).map_err(LockError::Memory)?;
    let mut salt = [0; 16];
    let mut iv = [0; 16];
    rng.try_fill_bytes(&mut salt).and_then(|()| rng.try_fill_bytes(&mut iv)).map_err(LockError::Rng)?;
    let cost = scrypt::Params::new(LOG_N, R, P).map_err(internal)?;
    let parameters = Parameters::generate_scrypt_aes256cbc(cost, &salt, iv).map_err(internal)?;
    // Encrypted in place: a shorter buffer would move.
    let mut data = Zeroizing::new(Vec::with_capacity(der.len() + BLOCK));
    data.extend_from_slice(der);
    data.resize(der.len() + BLOCK, 0);
    let len = wiped(&parameters.kdf, || parameters.encrypt_in_place(password, &mut data, der.len()).map(<[u8]>::len));
    let len = len.map_err(internal)?;
    data.truncate(len);
    let scheme = EncryptionScheme::Pbes2(parameters).to_der().map_err(internal)?;
    Ok(element(0x30, &[&scheme, &element(0x04, &[&data])]))
}
