//! File name suffixes for signatures and envelopes.

use std::path::{Path, PathBuf};

/// The suffix for a signature file, after the signed file's name.
pub const SUFFIX: &str = ".sig";

/// The suffix for an envelope, after its payload's name.
pub const ENVELOPE_SUFFIX: &str = ".dsse";

/// The suffix for a JSON Web Signature, after the signed file's name.
pub const JWS_SUFFIX: &str = ".jws";

/// The suffix for a CMS signature, after the signed file's name.
pub const CMS_SUFFIX: &str = ".p7s";

/// The suffix for a CMS file with its message, after the name of the message.
pub const ATTACHED_SUFFIX: &str = ".p7m";

/// The suffixes for signature files.
pub const SIGNATURE_SUFFIXES: [&str; 3] = [SUFFIX, JWS_SUFFIX, CMS_SUFFIX];

/// The suffix for a signed kernel module, after the name of the module without a signature.
pub const MODULE_SUFFIX: &str = ".signed";

/// Returns the signed file's name for a signature file; `None` if the name has a different suffix.
pub fn signed_by_name(signature: &Path) -> Option<PathBuf> {
    let name = signature.file_name()?.to_str()?;
    let signed = SIGNATURE_SUFFIXES.iter().find_map(|suffix| name.strip_suffix(suffix));
    signed.filter(|signed| !signed.is_empty()).map(|signed| signature.with_file_name(signed))
}

/// Appends a suffix to a name. An existing suffix is kept.
pub fn with_suffix(name: &Path, suffix: &str) -> PathBuf {
    let mut name = name.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_signature_file_gives_the_name_of_its_file() {
        let signed = |name: &str| signed_by_name(Path::new(name)).map(|path| path.to_str().unwrap().replace('\\', "/"));
        assert_eq!(signed("a.sig"), Some("a".to_owned()));
        assert_eq!(signed("d/a.tgz.sig"), Some("d/a.tgz".to_owned()));
        assert_eq!(signed("a.jws"), Some("a".to_owned()));
        assert_eq!(signed("a.p7s"), Some("a".to_owned()));
        assert_eq!(signed("a"), None);
        assert_eq!(signed("d/.sig"), None);
    }
}
