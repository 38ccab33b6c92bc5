//! Fuzz target for SSH signatures: the content stays the same when a signature is read and written.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use fndsa::files::pem::PemBlock;
use fndsa::files::ssh::SshSignature;

/// Reads the content of a signature file without a panic. An accepted content has only one
/// encoding.
pub fn ssh(data: &[u8]) {
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
    // A file without a change of its form must also not panic.
    let _ = SshSignature::read(data);
}
