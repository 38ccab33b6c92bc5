//! Fuzz target for certificates and certificate requests.

use fndsa::files::ReadOptions;
use fndsa::files::x509::{DistinguishedName, X509Document};
use fndsa::no_alloc::Level;
use fndsa::verdict::{SelfSignature, document_key};

/// Reads the bytes as a certificate or a request, and as the text of a name. The name in an
/// accepted document should be free of control characters, and an accepted name should be restored
/// by a round trip through its text.
pub fn x509(data: &[u8]) {
    if let Ok(Some(document)) = X509Document::read(data) {
        assert!(!document.subject.to_string().chars().any(char::is_control));
        if let Ok(key) = document_key(&document, &ReadOptions::default()) {
            let _ = SelfSignature::check(&document, &key, Level::detect());
        }
    }
    let Ok(name) = String::from_utf8_lossy(data).parse::<DistinguishedName>() else { return };
    assert_eq!(name.to_string().parse(), Ok(name));
}
