//! Reads and writes OpenSSH private keys (PROTOCOL.key).
//!
//! ```text
//! key file:     PEM "OPENSSH PRIVATE KEY":
//!     "openssh-key-v1", NUL, string cipher, string kdf, string kdf options, uint32 1,
//!     string public key, string private part
//! kdf options:  string salt, uint32 rounds; empty if the file has no password
//! public key:   string name, string public key
//! private part: uint32 check, uint32 check, string name, string public key, string private key,
//!     string comment, and padding to whole blocks: bytes 1, 2, 3 ...
//! ```
//!
//! The reader reports an error if bytes follow the last element of a structure, or if a public key
//! in the file does not belong to the private key. The reader ignores the comment. The module
//! `ssh_encryption` decrypts the private part.

use super::WriteError;
use super::defect::Defect;
use super::encoding::FileEncoding;
use super::encrypted_key::{EncryptedPrivateKey, KeyEncryption, SshEncryption, SshPublicKey};
use super::foreign::{ForeignFile, ForeignFormat};
use super::kind::ObjectKind;
use super::object::FileObject;
use super::pkcs8::FileContent;
use super::public_of_private;
use super::ssh::{NAMES, ssh_name, strings};
use crate::api::Algorithm;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use pem_rfc7468::LineEnding;
use zeroize::Zeroizing;

/// The PEM label of a private key file.
pub const PRIVATE_KEY_LABEL: &str = "OPENSSH PRIVATE KEY";
/// The content's first bytes.
const BEGIN: &[u8] = b"openssh-key-v1\0";
/// The name of the cipher and of the key derivation in a file without a password.
const NONE: &[u8] = b"none";
/// The name of the key derivation in a file with a password.
const BCRYPT: &[u8] = b"bcrypt";
/// The maximum number of bcrypt rounds. 2,000 rounds take about 15 seconds. By default,
/// `ssh-keygen` uses 16 to 32 rounds.
const MAX_ROUNDS: u32 = 2_000;
/// The maximum salt length in bytes. OpenSSH writes 16 bytes.
const MAX_SALT_LEN: usize = 64;
/// The number of base64 characters in a line that OpenSSH writes.
const LINE_LEN: usize = 70;
/// The block length for the padding in a file without a password, in bytes.
const PLAIN_BLOCK_LEN: usize = 8;
/// The number of bytes that encode a string's length.
const LENGTH_BYTES: usize = 4;

/// The only supported cipher, which `ssh-keygen` uses by default.
const CIPHER: &[u8] = b"aes256-ctr";
/// The block length of [`CIPHER`] in bytes.
pub(super) const CIPHER_BLOCK_LEN: usize = 16;
/// The ciphers of OpenSSH that this library does not support.
const OTHER_CIPHERS: [&str; 9] = [
    "3des-cbc",
    "aes128-cbc",
    "aes192-cbc",
    "aes256-cbc",
    "aes128-ctr",
    "aes192-ctr",
    "aes128-gcm@openssh.com",
    "aes256-gcm@openssh.com",
    "chacha20-poly1305@openssh.com",
];

fn damaged(why: &'static str) -> Defect {
    Defect::Container { what: "an OpenSSH private key", why }
}

fn cut_off_defect() -> Defect {
    damaged("bytes are missing or added")
}

/// Splits off a number, which has four bytes in big-endian order.
fn take_number(rest: &mut &[u8]) -> Option<u32> {
    let (bytes, after) = rest.split_first_chunk::<LENGTH_BYTES>()?;
    *rest = after;
    Some(u32::from_be_bytes(*bytes))
}

/// Splits off a string: its length in four bytes, and then its bytes.
fn take_string<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let len = usize::try_from(take_number(rest)?).ok()?;
    let (bytes, after) = rest.split_at_checked(len)?;
    *rest = after;
    Some(bytes)
}

/// Splits off a string, as [`take_string`] does.
///
/// # Errors
/// Fails if the string is incomplete.
fn required_string<'a>(rest: &mut &'a [u8]) -> Result<&'a [u8], Defect> {
    match take_string(rest) {
        Some(string) => Ok(string),
        None => Err(cut_off_defect()),
    }
}

/// Reads a private key file's contents.
///
/// # Errors
/// Fails if the content is damaged, if the key type or the encryption is not supported, or if the
/// cost of the encryption is too high.
pub(super) fn read(data: &[u8]) -> Result<FileContent, Defect> {
    let mut rest = data.strip_prefix(BEGIN).ok_or(damaged("the content does not begin with openssh-key-v1"))?;
    let cipher = required_string(&mut rest)?;
    let derivation = required_string(&mut rest)?;
    let options = required_string(&mut rest)?;
    match take_number(&mut rest) {
        Some(1) => {}
        Some(_) => return Err(damaged("the file does not contain exactly one key")),
        None => return Err(cut_off_defect()),
    }
    let key = public_key(required_string(&mut rest)?)?;
    let part = required_string(&mut rest)?;
    if (cipher == NONE) != (derivation == NONE) {
        return Err(damaged("only one of the cipher and the key derivation is missing"));
    }
    if cipher == NONE {
        if !options.is_empty() || !rest.is_empty() {
            return Err(cut_off_defect());
        }
        if !checks_agree(part) {
            return Err(damaged("its two check numbers differ"));
        }
        return Ok(FileContent::Plain(private_key(part, &key, PLAIN_BLOCK_LEN)?));
    }
    if cipher != CIPHER {
        // The message quotes only the names of known ciphers, and no other bytes from the file.
        let candidate = OTHER_CIPHERS.into_iter().find(|candidate| candidate.as_bytes() == cipher);
        return Err(Defect::SshEncryption(candidate.unwrap_or("an unknown cipher")));
    }
    if derivation != BCRYPT {
        return Err(Defect::SshEncryption("an unknown key derivation"));
    }
    let (salt, rounds) = bcrypt_options(options)?;
    if !rest.is_empty() {
        return Err(cut_off_defect());
    }
    if part.is_empty() || !part.len().is_multiple_of(CIPHER_BLOCK_LEN) {
        return Err(damaged("the encrypted part is not a whole number of blocks"));
    }
    let encryption = SshEncryption { salt, rounds, key };
    Ok(FileContent::Locked(EncryptedPrivateKey {
        encryption: KeyEncryption::OpenSsh(encryption),
        data: part.to_vec(),
        der: false,
    }))
}

/// Reads the salt and the number of rounds for bcrypt, and checks their limits.
fn bcrypt_options(mut options: &[u8]) -> Result<(Vec<u8>, u32), Defect> {
    const WHY: &str = "the options of bcrypt are damaged";
    let salt = take_string(&mut options).ok_or(damaged(WHY))?;
    let rounds = take_number(&mut options).ok_or(damaged(WHY))?;
    if !options.is_empty() {
        return Err(damaged(WHY));
    }
    if !(1..=MAX_SALT_LEN).contains(&salt.len()) {
        return Err(Defect::EncryptionParameters(format!("bcrypt with a salt of {} bytes", salt.len())));
    }
    if rounds == 0 {
        return Err(Defect::EncryptionParameters("bcrypt, 0 rounds cannot be".to_owned()));
    }
    if rounds > MAX_ROUNDS {
        return Err(Defect::Cost(format!("bcrypt, {rounds} rounds (over {MAX_ROUNDS})")));
    }
    Ok((salt.to_vec(), rounds))
}

/// Reads the public key, which precedes the private part.
fn public_key(mut data: &[u8]) -> Result<SshPublicKey, Defect> {
    const WHY: &str = "the public key is damaged";
    let name = take_string(&mut data).ok_or(damaged(WHY))?;
    let Some((algorithm, _)) = NAMES.iter().find(|row| row.1.as_bytes() == name) else {
        return Err(Defect::Foreign(ForeignFile::new(OTHER_TYPE, ForeignFormat::OpenSsh)));
    };
    let public = take_string(&mut data).ok_or(damaged(WHY))?;
    if !data.is_empty() || !ObjectKind::VerifyingKey.is_encoding(*algorithm, public) {
        return Err(damaged(WHY));
    }
    Ok(SshPublicKey { algorithm: *algorithm, public: public.to_vec() })
}

const OTHER_TYPE: &str = "an OpenSSH private key of a type other than ssh-ed25519 and ssh-mldsa44-ed25519";

/// Returns whether the two check numbers at the start of a decrypted private part are equal. The
/// numbers are random and do not depend on the key. If the password was wrong, the two decrypted
/// numbers almost always differ.
pub(super) fn checks_agree(mut part: &[u8]) -> bool {
    let first_check = take_number(&mut part);
    let second_check = take_number(&mut part);
    first_check.is_some() && first_check == second_check
}

/// Reads the private key in a decrypted private part. Only the private key is secret: the positions
/// of the elements, the names, the public keys, the comment and the padding are public.
///
/// # Errors
/// Fails if the private part is damaged, or if the private key does not belong to `key`.
pub(super) fn private_key(part: &[u8], key: &SshPublicKey, block_len: usize) -> Result<FileObject, Defect> {
    if !part.len().is_multiple_of(block_len) {
        return Err(cut_off_defect());
    }
    let SshPublicKey { algorithm, public } = key;
    let Some(mut rest) = part.get(2 * LENGTH_BYTES..) else { return Err(cut_off_defect()) };
    let name = required_string(&mut rest)?;
    let embedded_public = required_string(&mut rest)?;
    let secret = required_string(&mut rest)?;
    let _comment = required_string(&mut rest)?;
    let is_padding = rest.len() < block_len && rest.iter().zip(1..).all(|(byte, expected)| *byte == expected);
    if !is_padding {
        return Err(damaged("the padding is wrong"));
    }
    if ssh_name(*algorithm).map(str::as_bytes) != Some(name) || embedded_public != public {
        return Err(damaged("the two public keys in the file differ"));
    }
    let mut bytes = Zeroizing::new(secret.to_vec());
    if has_public_half(*algorithm) {
        let Some((seed, embedded_public_half)) = secret.split_at_checked(algorithm.signing_key_len()) else {
            return Err(cut_off_defect());
        };
        if embedded_public_half != public {
            return Err(Defect::PublicDiffers);
        }
        bytes = Zeroizing::new(seed.to_vec());
    }
    let object = FileObject::of_algorithm(ObjectKind::SigningKey, *algorithm, FileEncoding::Ssh, bytes)?;
    match public_of_private(&object) {
        Some(own) if own == *public => Ok(object),
        _ => Err(Defect::PublicDiffers),
    }
}

/// Returns whether OpenSSH stores the public key after the private key, in the same string. OpenSSH
/// does this for Ed25519 keys, but stores a composite key (ML-DSA-44 with Ed25519) as two seeds
/// without a public key.
fn has_public_half(algorithm: Algorithm) -> bool {
    algorithm.halves().is_none()
}

/// Encodes a private key file without a password and without a comment. The two check numbers are
/// zero, because their only purpose is to detect a wrong password.
///
/// # Errors
/// Fails if SSH has no name for the algorithm, or the key is not valid.
pub(super) fn private_key_file(algorithm: Algorithm, bytes: &[u8]) -> Result<Zeroizing<Vec<u8>>, WriteError> {
    let kind = ObjectKind::SigningKey;
    let bytes_error = WriteError::Bytes { kind, algorithm };
    let name = ssh_name(algorithm).ok_or(WriteError::NoSshName(algorithm))?.as_bytes();
    let secret = Zeroizing::new(bytes.to_vec());
    let Ok(object) = FileObject::of_algorithm(kind, algorithm, FileEncoding::Ssh, secret) else {
        return Err(bytes_error);
    };
    let public = public_of_private(&object).ok_or(bytes_error)?;
    let public_half = if has_public_half(algorithm) { &public[..] } else { &[] };
    // The buffers have their final capacity, because a buffer that grows would leave a copy of the
    // key.
    let len = 2 * LENGTH_BYTES + 4 * LENGTH_BYTES + name.len() + public.len() + bytes.len() + public_half.len();
    let len = len.next_multiple_of(PLAIN_BLOCK_LEN);
    let mut part = Zeroizing::new(Vec::with_capacity(len));
    part.extend_from_slice(&[0; 2 * LENGTH_BYTES]);
    part.extend(strings(&[name, &public]));
    part.extend_from_slice(&((bytes.len() + public_half.len()) as u32).to_be_bytes());
    part.extend_from_slice(bytes);
    part.extend_from_slice(public_half);
    part.extend(strings(&[b""]));
    let padding = len - part.len();
    part.extend((1..).take(padding));
    let encryption_header = strings(&[NONE, NONE, b""]);
    let key = strings(&[&strings(&[name, &public])]);
    let mut data =
        Zeroizing::new(Vec::with_capacity(BEGIN.len() + encryption_header.len() + key.len() + 2 * LENGTH_BYTES + len));
    data.extend_from_slice(BEGIN);
    data.extend_from_slice(&encryption_header);
    data.extend_from_slice(&1_u32.to_be_bytes());
    data.extend_from_slice(&key);
    data.extend_from_slice(&(len as u32).to_be_bytes());
    data.extend_from_slice(&part);
    pem_lines(&data).ok_or(bytes_error)
}

/// Encodes the contents of a private key file as PEM in constant time. Returns `None` if the file
/// would need half the address space or more.
fn pem_lines(data: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
    let end = LineEnding::LF;
    let len = pem_rfc7468::encapsulated_len_wrapped(PRIVATE_KEY_LABEL, LINE_LEN, end, data.len()).ok()?;
    let mut file = Zeroizing::new(vec![0; len]);
    let mut encoder = pem_rfc7468::Encoder::new_wrapped(PRIVATE_KEY_LABEL, LINE_LEN, end, &mut file).ok()?;
    encoder.encode(data).ok()?;
    let file_len = encoder.finish().ok()?;
    file.truncate(file_len);
    Some(file)
}

#[cfg(all(test, feature = "ed25519"))]
mod tests {
    use super::*;
    use crate::files::pem::PemBlock;
    use crate::files::{ReadOptions, WriteOptions, read as read_file};

    const ED25519: &[u8] = include_bytes!("../../tests/kat/ssh/id_ed25519");
    const COMPOSITE: &[u8] = include_bytes!("../../tests/kat/ssh/id_mldsa44-ed25519");
    const ENCRYPTED: &[u8] = include_bytes!("../../tests/kat/ssh/id_locked_ed25519");

    fn content(file: &[u8]) -> Vec<u8> {
        PemBlock::find(file).unwrap().unwrap().payload().unwrap().to_vec()
    }

    /// Replaces the last occurrence of `from` in a file's content by `to`.
    fn replaced(file: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
        let content = content(file);
        let at = content.windows(from.len()).rposition(|window| window == from).unwrap();
        [&content[..at], to, &content[at + from.len()..]].concat()
    }

    fn defect(content: &[u8]) -> String {
        read(content).err().unwrap().to_string()
    }

    /// Returns the lengths of the first four lines.
    fn line_lens(file: &[u8]) -> Vec<usize> {
        file.split(|b| *b == b'\n').map(<[u8]>::len).take(4).collect()
    }

    /// Tests that fndsa and OpenSSH write the same bytes, except for the check numbers and the
    /// comment.
    #[test]
    fn a_file_has_the_same_bytes_as_in_openssh() {
        for (file, comment) in [(ED25519, &b"shared ed25519"[..]), (COMPOSITE, b"shared mldsa44-ed25519")] {
            let object = read_file(file, &ReadOptions::default()).unwrap().plain().unwrap();
            let options = WriteOptions::plain(FileEncoding::Ssh);
            let written = options.write(ObjectKind::SigningKey, object.algorithm(), "", &object.bytes).unwrap();
            let ours = content(&written);
            let theirs = content(file);
            // The private part is the last string of the file.
            let public_len = public_of_private(&object).unwrap().len();
            let name_len = ssh_name(object.algorithm()).unwrap().len();
            let start = BEGIN.len()
                + 3 * LENGTH_BYTES
                + 8
                + LENGTH_BYTES
                + LENGTH_BYTES
                + 2 * LENGTH_BYTES
                + name_len
                + public_len;
            assert_eq!(ours[..start], theirs[..start]);
            let ours = &ours[start + LENGTH_BYTES..];
            let theirs = &theirs[start + LENGTH_BYTES..];
            let end = theirs.windows(comment.len()).position(|window| window == comment).unwrap() - LENGTH_BYTES;
            assert_eq!(ours[2 * LENGTH_BYTES..end], theirs[2 * LENGTH_BYTES..end]);
            assert_eq!(ours[end..][..LENGTH_BYTES], [0; LENGTH_BYTES]);
            assert!(ours[end + LENGTH_BYTES..].iter().zip(1..).all(|(byte, expected)| *byte == expected));
            assert_eq!(line_lens(&written), line_lens(file));
        }
    }

    #[test]
    fn a_changed_structure_is_rejected() {
        let name = b"\0\0\0\x0bssh-ed25519";
        let cut_off_defect = "bytes are missing or added";
        for (content, message) in [
            (replaced(ED25519, b"openssh-key-v1", b"openssh-key-v2"), "does not begin with openssh-key-v1"),
            (replaced(ED25519, b"none\0\0\0\0\0\0\0\x01", b"none\0\0\0\0\0\0\0\x02"), "exactly one key"),
            (replaced(ED25519, b"none\0\0\0\0\0", b"none\0\0\0\x01x\0"), cut_off_defect),
            (replaced(ED25519, b"\x04none\0\0\0\x04none", b"\x04none\0\0\0\x06bcrypt"), "only one of the cipher"),
            (replaced(ED25519, b"\0\0\0\x0eshared", b"\0\0\0\x0dshared"), "the padding is wrong"),
            (
                replaced(ED25519, b"\x01\x02\x03\x04\x05\x06\x07", b"\x01\x02\x03\x04\x05\x06\x08"),
                "the padding is wrong",
            ),
            (replaced(ED25519, b"\x44\x15\x3a\x8c\x44", b"\x44\x15\x3b\x8c\x44"), "its two check numbers differ"),
            (replaced(ED25519, name, b"\0\0\0\x0bssh-ed25518"), "the two public keys in the file differ"),
            (replaced(COMPOSITE, b"\x00\x05\x40\x16", b"\x00\x05\x40\x17"), "the two public keys in the file differ"),
            ([&content(ED25519)[..], b"x"].concat(), cut_off_defect),
            (content(ED25519)[..200].to_vec(), cut_off_defect),
            (replaced(ENCRYPTED, b"aes256-ctr", b"aes256-cbc"), "this encryption of OpenSSH: aes256-cbc"),
            (replaced(ENCRYPTED, b"aes256-ctr", b"aes256-xyz"), "this encryption of OpenSSH: an unknown cipher"),
            (replaced(ENCRYPTED, b"bcrypt", b"scrypt"), "an unknown key derivation"),
            (replaced(ENCRYPTED, b"\0\0\0\x20\0\0\0\x01", b"\0\0\0\0\0\0\0\x01"), "0 rounds cannot be"),
            (replaced(ENCRYPTED, b"\0\0\0\x20\0\0\0\x01", b"\0\0\x07\xd1\0\0\0\x01"), "2001 rounds (over 2000)"),
            (replaced(ENCRYPTED, b"\0\0\0\x18\0\0\0\x10", b"\0\0\0\x18\0\0\0\x0f"), "the options of bcrypt"),
            ([&content(ENCRYPTED)[..], b"x"].concat(), cut_off_defect),
        ] {
            assert!(defect(&content).contains(message), "{message}: {}", defect(&content));
        }
        // The first of the two public keys is outside the private part.
        let outer = content(ED25519).windows(name.len()).position(|window| window == name).unwrap();
        let mut other_type = content(ED25519);
        other_type[outer + name.len() - 1] ^= 1;
        assert!(defect(&other_type).contains("a type other than ssh-ed25519"));
    }

    /// Tests that a private key is rejected if it does not belong to the public keys. In a
    /// composite key, a change to either half is sufficient.
    #[test]
    fn a_private_key_belongs_to_its_public_key() {
        for (file, seed, positions) in
            [(ED25519, b"\xa7\xf1\xef", &[0, 31, 32, 63][..]), (COMPOSITE, b"\xe6\x45\xc9", &[0, 31, 32, 63])]
        {
            let at = content(file).windows(3).position(|window| window == seed).unwrap();
            for position in positions {
                let mut changed = content(file);
                changed[at + position] ^= 0x10;
                assert_eq!(read(&changed).err(), Some(Defect::PublicDiffers), "{position}");
            }
            assert!(read(&content(file)).is_ok());
        }
    }
}
