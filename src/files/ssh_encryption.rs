//! Decrypts OpenSSH private keys. The function bcrypt derives the cipher's key and IV from the
//! password.
//!
//! The cipher is AES-256 in counter mode, which does not authenticate the encrypted part. Instead,
//! two equal check numbers at the start of this part show that the password is correct.
//! `ssh_private` detects changes to this part: it checks the structure, and compares the private
//! key with the public key. OpenSSH's other ciphers are not supported: they would make the program
//! larger, and `ssh-keygen` uses them only on request.
//!
//! bcrypt is not constant-time: by its definition, it reads tables at addresses that depend on the
//! password.

use super::encrypted_key::SshEncryption;
use super::ssh_private::CIPHER_BLOCK_LEN;
use aes::Aes256Enc;
use alloc::vec::Vec;
use bcrypt_pbkdf::bcrypt_pbkdf_with_memory;
use ctr::CtrCore;
use ctr::cipher::{Block, KeyIvInit, StreamCipherCore};
use ctr::flavors::Ctr128BE;
use zeroize::Zeroizing;

/// The length of an AES-256 key in bytes.
const KEY_LEN: usize = 32;
/// The number of bytes that bcrypt derives, for the key and the IV together.
const DERIVED_LEN: usize = KEY_LEN + CIPHER_BLOCK_LEN;
/// The length of the work memory for bcrypt, in bytes: [`DERIVED_LEN`] rounded up to a multiple of
/// 32.
const WORK_LEN: usize = 64;

/// Derives the key and decrypts `data`. If the password is wrong, the result is random bytes.
/// Returns `None` if the password is empty. The caller must wipe the stack memory that this
/// function used.
pub(super) fn decrypt(encryption: &SshEncryption, data: &[u8], password: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
    let mut work = Zeroizing::new([0; WORK_LEN]);
    let mut derived = Zeroizing::new([0; DERIVED_LEN]);
    bcrypt_pbkdf_with_memory(password, &encryption.salt, encryption.rounds, &mut derived[..], &mut work[..]).ok()?;
    let (key, iv) = derived.split_at(KEY_LEN);
    let mut cipher = CtrCore::<Aes256Enc, Ctr128BE>::new_from_slices(key, iv).ok()?;
    let mut part = Zeroizing::new(data.to_vec());
    // A file has at most some hundred blocks, so this loop decrypts single blocks. Code for several
    // blocks at once would make the program larger.
    for data in part.chunks_mut(CIPHER_BLOCK_LEN) {
        let mut block = Block::<Aes256Enc>::default();
        cipher.write_keystream_block(&mut block);
        for (byte, key) in data.iter_mut().zip(&block) {
            *byte ^= key;
        }
    }
    Some(part)
}
