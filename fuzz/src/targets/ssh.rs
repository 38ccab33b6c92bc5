//! Fuzz target that reads SSH signatures and OpenSSH private keys, and checks that a round trip
//! restores them.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use fndsa::files::pem::PemBlock;
use fndsa::files::ssh::SshSignature;
use fndsa::files::{
    EncryptedPrivateKey, FileContent, FileEncoding, FileObject, ObjectKind, ReadOptions, WriteOptions, read,
};

/// Reads the bytes as the content of an SSH signature file and of a private key file. An accepted
/// signature should be encoded to the same bytes.
pub fn ssh(data: &[u8]) {
    private_key(data);
    let file = format!("-----BEGIN SSH SIGNATURE-----\n{}\n-----END SSH SIGNATURE-----\n", STANDARD.encode(data));
    match SshSignature::read(file.as_bytes()) {
        Ok(signature) => {
            let written = signature.to_file().expect("a name");
            let block = PemBlock::find(&written).expect("PEM").expect("a block");
            assert!(block.payload().expect("base64")[..] == *data);
            assert_eq!(SshSignature::read(&written), Ok(signature));
        }
        Err(defect) => assert!(defect.to_string().bytes().all(|b| b == b' ' || b.is_ascii_graphic())),
    }
    // Reading the bytes as a complete file should not panic either.
    let _ = SshSignature::read(data);
}

/// Reads the bytes as the content of an OpenSSH private key file.
fn private_key(data: &[u8]) {
    let base64 = STANDARD.encode(data);
    let file = format!("-----BEGIN OPENSSH PRIVATE KEY-----\n{base64}\n-----END OPENSSH PRIVATE KEY-----\n");
    match read(file.as_bytes(), &ReadOptions::default()) {
        Ok(FileContent::Plain(object)) => check_private_key(&object),
        Ok(FileContent::Locked(locked)) => unlock(&locked),
        Err(defect) => assert!(defect.to_string().bytes().all(|b| b == b' ' || b.is_ascii_graphic())),
    }
}

/// Checks that the key is valid, and that it is restored by a round trip.
fn check_private_key(object: &FileObject) {
    assert_eq!((object.kind, object.encoding), (ObjectKind::SigningKey, FileEncoding::Ssh));
    assert!(object.signing_key().is_ok());
    let algorithm = object.algorithm();
    let options = WriteOptions::plain(FileEncoding::Ssh);
    let written = options.write(object.kind, algorithm, "", &object.bytes).expect("a file");
    let reread = read(&written, &ReadOptions::default()).and_then(FileContent::plain).expect("a key");
    assert!(reread.bytes == object.bytes && reread.algorithm() == algorithm);
}

/// Decrypts a private key if the decryption takes only one round of key derivation, and checks that
/// the key belongs to the public key in the file.
fn unlock(locked: &EncryptedPrivateKey) {
    assert_eq!(locked.encoding(), FileEncoding::Ssh);
    let (algorithm, public) = locked.public_key().expect("a public key");
    if locked.describe().starts_with("bcrypt, 1 rounds, ")
        && let Ok(object) = locked.unlock(b"pass phrase", &ReadOptions::default())
    {
        assert!(object.algorithm() == algorithm && object.encryption().is_some());
        check_private_key(&object);
        let key = object.signing_key().expect("a key");
        assert!(key.verifying_key().as_bytes() == public);
    }
}
