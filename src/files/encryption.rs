//! Encrypts and decrypts private keys with a password: PBES2 (RFC 8018) in PKCS#8
//! EncryptedPrivateKeyInfo. Also decrypts OpenSSH private keys, with the module `ssh_encryption`.
//!
//! New files use scrypt (N = 2^14, r = 8, p = 8), AES-256 in CBC mode, and 16 random bytes each for
//! the salt and the IV. To test a password, an attacker needs 16 MiB of memory and a third of a
//! second. These parameters need as much computation as N = 2^17, r = 8, p = 1, which OWASP
//! recommends for passwords. A larger N would need more memory, and OpenSSL does not open files
//! that need more than 32 MiB. The module `encrypted_key` describes the files that can be read.
//!
//! CBC mode does not detect changes. If the password is wrong or the file was changed, the
//! decrypted data is not PKCS#8, or it contains a private key that fails the full check.
//!
//! The plaintext and the derived key are wiped. The crate `pkcs5` leaves the derived key on the
//! stack, and the crate `scrypt` leaves its last state on the heap, so [`run_and_wipe`] wipes both.
//! The 16 MiB of memory that scrypt uses are returned to the system without being wiped.

use super::WriteError;
use super::accept::ReadOptions;
use super::defect::Defect;
use super::der::{element, sequence};
use super::encoding::ContainerEncoding;
use super::encrypted_key::{EncryptedPrivateKey, KeyEncryption, SshEncryption};
use super::object::{ContainerStructure, FileObject};
use super::pkcs8::{FileContent, read_container};
use super::ssh_encryption;
use super::ssh_private::{CIPHER_BLOCK_LEN, checks_agree, private_key};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use pkcs8::der::Encode;
use pkcs8::pkcs5::pbes2::{Kdf, Parameters};
use pkcs8::pkcs5::{EncryptionScheme, scrypt};
use rand_core::TryCryptoRng;
use thiserror::Error;
use zeroize::{Zeroize, Zeroizing};

/// The base-2 logarithm of the scrypt parameter N in new files.
const LOG_N: u8 = 14;
/// The scrypt parameter r in new files.
const R: u32 = 8;
/// The scrypt parameter p in new files.
const P: u32 = 8;

/// The reason why an encrypted private key cannot be decrypted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DecryptError {
    /// The password is wrong, or the file is damaged. This library cannot distinguish the two
    /// cases.
    #[error("the password is wrong, or the file is damaged")]
    Password,
    /// There is not enough memory. The value is the required memory in MiB.
    #[error("there are no {0} MiB of memory")]
    Memory(u64),
    /// The password is correct, but the decrypted private key cannot be read, or [`ReadOptions`] do
    /// not allow the algorithm.
    #[error("{0}")]
    Content(Defect),
}

/// The reason why a private key cannot be encrypted. `R` is the error of the random number
/// generator.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EncryptError<R> {
    /// A file with these options cannot contain this private key in encrypted form.
    #[error("{0}")]
    Form(WriteError),
    /// The random number generator failed.
    #[error("encryption failed: {0}")]
    Rng(R),
    /// There is not enough memory. The value is the required memory in MiB.
    #[error("there are no {0} MiB of memory")]
    Memory(u64),
    /// The encryption failed, which should not happen for any key.
    #[error("encryption failed: {0}")]
    Internal(String),
}

impl EncryptedPrivateKey {
    /// Decrypts the private key with a password and reads it.
    ///
    /// # Errors
    /// Fails if the password is wrong, if there is not enough memory to derive the key, or if the
    /// decrypted private key cannot be read.
    pub fn unlock(&self, password: &[u8], accept: &ReadOptions) -> Result<FileObject, DecryptError> {
        let object = match &self.encryption {
            KeyEncryption::Pbes2(parameters) => self.unlock_pkcs8(parameters, password, accept)?,
            KeyEncryption::OpenSsh(encryption) => {
                let mut object = unlock_ssh(encryption, &self.data, password)?;
                object.password_encryption = Some(self.describe());
                object
            }
        };
        accept.admit(object).map_err(DecryptError::Content)
    }

    /// Decrypts and reads a PKCS#8 file.
    fn unlock_pkcs8(
        &self,
        parameters: &Parameters,
        password: &[u8],
        accept: &ReadOptions,
    ) -> Result<FileObject, DecryptError> {
        let decrypted = decrypt(parameters, &self.data, password)?;
        let wrapping = if self.der { ContainerEncoding::Der } else { ContainerEncoding::Pem };
        let mut object = match read_container(ContainerStructure::Private, &decrypted, wrapping, accept) {
            Ok(FileContent::Plain(object)) => object,
            // If the password is wrong, the decrypted bytes are random and almost never a SEQUENCE.
            Err(defect) if sequence(&decrypted).is_some() => return Err(DecryptError::Content(defect)),
            _ => return Err(DecryptError::Password),
        };
        if let Some(container) = &mut object.container {
            container.encryption = Some(self.describe());
        }
        Ok(object)
    }
}

/// Decrypts and reads the private part of an OpenSSH file.
fn unlock_ssh(encryption: &SshEncryption, data: &[u8], password: &[u8]) -> Result<FileObject, DecryptError> {
    let part =
        run_and_wipe(None, || ssh_encryption::decrypt(encryption, data, password)).ok_or(DecryptError::Password)?;
    if !checks_agree(&part) {
        return Err(DecryptError::Password);
    }
    private_key(&part, &encryption.key, CIPHER_BLOCK_LEN).map_err(DecryptError::Content)
}

/// Decrypts the data of a PKCS#8 file. If the password is wrong, the result can be random bytes.
fn decrypt(parameters: &Parameters, data: &[u8], password: &[u8]) -> Result<Zeroizing<Vec<u8>>, DecryptError> {
    if let Kdf::Scrypt(p) = &parameters.kdf {
        reserve(p.cost_parameter, u64::from(p.block_size)).map_err(DecryptError::Memory)?;
    }
    let mut data = Zeroizing::new(data.to_vec());
    let len =
        run_and_wipe(state_len(&parameters.kdf), || parameters.decrypt_in_place(password, &mut data).map(<[u8]>::len));
    let Ok(len) = len else { return Err(DecryptError::Password) };
    data.truncate(len);
    Ok(data)
}

/// Checks that scrypt can allocate `128 n r` bytes. This check is necessary because a failed
/// allocation in scrypt would abort the process.
///
/// # Errors
/// Fails if there is not enough memory. The error is the required memory in MiB.
fn reserve(n: u64, r: u64) -> Result<(), u64> {
    let mebibytes = (128 * n * r).div_ceil(1 << 20);
    let Ok(bytes) = usize::try_from(128 * n * r) else { return Err(mebibytes) };
    Vec::<u8>::new().try_reserve_exact(bytes).map_err(|_| mebibytes)
}

/// The number of bytes in an AES block.
const BLOCK: usize = 16;
/// An upper bound, in bytes, for the stack memory that the key derivation and the cipher use.
const STACK: usize = 32 << 10;
/// The number of heap blocks that [`run_and_wipe`] allocates and wipes, each as large as the state
/// of scrypt. The heap usually has fewer free blocks with this size. Therefore, the allocated
/// blocks include the blocks that the key derivation has freed.
const BLOCKS_TO_WIPE: usize = 32;

/// Runs `f`, which derives a key, and then wipes the stack that `f` used, and the freed heap blocks
/// with the state of scrypt. An attacker who reads this state could test each password with a
/// single hash. To wipe the freed blocks, this function allocates blocks of the same size: an
/// allocator reuses freed blocks before it requests memory from the system.
///
/// `state_len` is the state's length in bytes, or `None` if `f` does not use scrypt.
fn run_and_wipe<T>(state_len: Option<usize>, f: impl FnOnce() -> T) -> T {
    #[inline(never)]
    fn in_new_frame<T>(f: impl FnOnce() -> T) -> T {
        f()
    }
    #[inline(never)]
    fn wipe_stack() {
        Zeroizing::new([0_u8; STACK]).zeroize();
    }
    let result = in_new_frame(f);
    wipe_stack();
    // The allocator returns blocks of more than 128 KiB to the system, so only blocks of up to this
    // length are wiped. All 32 blocks are allocated before any block is freed. Otherwise, the
    // allocator could use the same memory for each block.
    if let Some(len) = state_len
        && len <= 128 << 10
    {
        drop((0..BLOCKS_TO_WIPE).map(|_| Zeroizing::new([0xff_u8].repeat(len))).collect::<Vec<_>>());
    }
    result
}

/// Returns the number of bytes that scrypt leaves on the heap. Returns `None` for other key
/// derivations.
fn state_len(kdf: &Kdf) -> Option<usize> {
    match kdf {
        Kdf::Scrypt(p) => Some(128 * usize::from(p.block_size) * usize::from(p.parallelization)),
        _ => None,
    }
}

fn internal<R>(e: impl core::fmt::Display) -> EncryptError<R> {
    EncryptError::Internal(e.to_string())
}

/// Encrypts a private key in PKCS#8 with a password.
///
/// # Errors
/// Fails if the random number generator fails, or if there is not enough memory.
pub(super) fn lock<G: TryCryptoRng + ?Sized>(
    der: &[u8],
    password: &[u8],
    rng: &mut G,
) -> Result<Zeroizing<Vec<u8>>, EncryptError<G::Error>> {
    reserve(1 << LOG_N, R.into()).map_err(EncryptError::Memory)?;
    let mut salt = [0; 16];
    let mut iv = [0; 16];
    rng.try_fill_bytes(&mut salt).and_then(|()| rng.try_fill_bytes(&mut iv)).map_err(EncryptError::Rng)?;
    let cost = scrypt::Params::new(LOG_N, R, P).map_err(internal)?;
    let parameters = Parameters::generate_scrypt_aes256cbc(cost, &salt, iv).map_err(internal)?;
    // The data is encrypted in place, and the padding needs up to one additional block. With a
    // shorter buffer, the data would be moved to a larger buffer, and a copy would remain in
    // memory.
    let mut data = Zeroizing::new(Vec::with_capacity(der.len() + BLOCK));
    data.extend_from_slice(der);
    data.resize(der.len() + BLOCK, 0);
    let state_len = state_len(&parameters.kdf);
    let len = run_and_wipe(state_len, || parameters.encrypt_in_place(password, &mut data, der.len()).map(<[u8]>::len));
    let len = len.map_err(internal)?;
    data.truncate(len);
    let scheme = EncryptionScheme::Pbes2(parameters).to_der().map_err(internal)?;
    Ok(element(0x30, &[&scheme, &element(0x04, &[&data])]))
}
