//! Fuzz target for CMS signatures and signed kernel modules.

use fndsa::files::cms::CmsFile;
use fndsa::files::kernel_module::SignedModule;
use fndsa::files::pem::pem;

/// Reads a file as a CMS signature and as a signed kernel module. If a CMS file is accepted, checks
/// that each signature has the length that its algorithm requires, and that the bytes of the
/// attributes are in the file.
pub fn cms(data: &[u8]) {
    let read = CmsFile::read(data);
    if let Some(signed) = SignedModule::split(data) {
        assert!(signed.to_file() == data);
    }
    let file = match read {
        Ok(file) => file,
        Err(defect) => return assert!(defect.to_string().bytes().all(|b| b == b' ' || b.is_ascii_graphic())),
    };
    assert!(CmsFile::is_signed_data(data) && !file.signatures.is_empty());
    for signature in &file.signatures {
        assert_eq!(signature.signature.len(), signature.algorithm.signature_len());
    }
    if let Some(attributes) = &file.attributes {
        assert_eq!(attributes.digest.len(), attributes.hash.digest_len());
        let set = [&attributes.prefix[..], &attributes.digest, &attributes.suffix].concat();
        assert!(fndsa::files::cms::begins_like_attributes(&set));
        assert!(data.windows(set.len()).any(|part| part[1..] == set[1..]) || data.starts_with(b"-"));
    }
    // Reading these bytes from a PEM file should return an equal value.
    if !data.starts_with(b"-") {
        assert_eq!(CmsFile::read(&pem("CMS", "", data)), Ok(file));
    }
}
