//! Decrypts private keys of OpenSSH: bcrypt derives a key and an IV from the password.
//!
//! The cipher is AES-256 in counter mode, so nothing authenticates the encrypted part. Two equal
//! check numbers at its start show that the password is right. Then the strict reader of
//! `ssh_private`, and the comparison with the public key, find changes. The other ciphers of
//! OpenSSH would make the program larger, and `ssh-keygen` uses them only on request.
//!
//! bcrypt looks up tables at addresses that depend on the password. This is a part of its
//! definition. The derived key, the decrypted part and the used stack are wiped.

use super::encryption::{DecryptError, wiped};
use super::object::FileObject;
use super::ssh_private::{CIPHER_BLOCK_LEN, SshEncryption, checks_agree, private_key};
use aes::Aes256Enc;
use bcrypt_pbkdf::bcrypt_pbkdf_with_memory;
use ctr::CtrCore;
use ctr::cipher::{Block, KeyIvInit, StreamCipherCore};
use ctr::flavors::Ctr128BE;
use zeroize::Zeroizing;

/// The length of an AES-256 key in bytes.
const KEY_LEN: usize = 32;
/// The number of bytes that bcrypt derives: a key and an IV.
const DERIVED_LEN: usize = KEY_LEN + CIPHER_BLOCK_LEN;
/// The work memory of bcrypt: [`DERIVED_LEN`], rounded up to a multiple of 32.
const WORK_LEN: usize = 64;

/// Decrypts and reads the private part `data`.
///
/// # Errors
/// The password is wrong, or the decrypted private key cannot be read.
pub(super) fn unlock(encryption: &SshEncryption, data: &[u8], password: &[u8]) -> Result<FileObject, DecryptError> {
    let mut part = Zeroizing::new(data.to_vec());
    wiped(None, || decrypt(encryption, &mut part, password)).ok_or(DecryptError::Password)?;
    if !checks_agree(&part) {
        return Err(DecryptError::Password);
    }
    private_key(&part, &encryption.key, CIPHER_BLOCK_LEN).map_err(DecryptError::Content)
}

/// Derives the key and decrypts `part`. `None` if the password is empty.
fn decrypt(encryption: &SshEncryption, part: &mut [u8], password: &[u8]) -> Option<()> {
    let mut work = Zeroizing::new([0; WORK_LEN]);
    let mut derived = Zeroizing::new([0; DERIVED_LEN]);
    bcrypt_pbkdf_with_memory(password, &encryption.salt, encryption.rounds, &mut derived[..], &mut work[..]).ok()?;
    let (key, iv) = derived.split_at(KEY_LEN);
    let mut cipher = CtrCore::<Aes256Enc, Ctr128BE>::new_from_slices(key, iv).ok()?;
    // A file has at most some hundred blocks, so the code for several blocks at once, which is
    // larger, is not used.
    for data in part.chunks_mut(CIPHER_BLOCK_LEN) {
        let mut block = Block::<Aes256Enc>::default();
        cipher.write_keystream_block(&mut block);
        for (byte, key) in data.iter_mut().zip(&block) {
            *byte ^= key;
        }
    }
    Some(())
}
