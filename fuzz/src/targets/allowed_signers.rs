//! Fuzz target for allowed-signers files.

use fndsa::no_alloc::Level;
use fndsa::verdict::allowed_signers::{SignerName, has_signers, trusted_keys};
use fndsa::verdict::read_trusted_keys;
use fndsa::verdict::ssh_envelope::SshNamespace;

/// Reads an allowed-signers file for the signer `me`. All keys in the result should have this
/// name.
pub fn allowed_signers(data: &[u8]) {
    let signer: SignerName = "me".parse().expect("a name");
    let namespace: SshNamespace = "file".parse().expect("a namespace");
    let keys = match trusted_keys(data, &signer, &namespace) {
        Ok(keys) => keys,
        Err(e) => {
            let message = e.message(&signer, &namespace);
            return assert!(!message.chars().any(char::is_control), "{message}");
        }
    };
    assert!(has_signers(data));
    // Comments should not change the keys.
    assert_eq!(trusted_keys(&[b"# x\n", data, b"\n#"].concat(), &signer, &namespace), Ok(keys.clone()));
    // `read_trusted_keys` fails if two lines define different periods for a key.
    let Ok(read) = read_trusted_keys(&keys, &[], Level::detect()) else { return };
    assert!(!read.is_empty());
    for key in &read {
        assert_eq!(key.terms.name.as_deref(), Some("me"));
    }
}
