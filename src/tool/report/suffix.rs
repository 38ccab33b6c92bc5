//! File name suffixes for signatures and envelopes.

use std::path::{Path, PathBuf};

/// The suffix of a signature file, which follows the name of the signed file.
pub const SUFFIX: &str = ".sig";

/// The suffix of an envelope, which follows the name of the payload.
pub const ENVELOPE_SUFFIX: &str = ".dsse";

/// The suffix of a JSON Web Signature, which follows the name of the signed file.
pub const JWS_SUFFIX: &str = ".jws";

/// The suffix of a CMS signature, which follows the name of the signed file.
pub const CMS_SUFFIX: &str = ".p7s";

/// The suffix of a CMS file with its message, which follows the message's name.
pub const ATTACHED_SUFFIX: &str = ".p7m";

/// The suffixes of signature files, which do not contain the message.
pub const SIGNATURE_SUFFIXES: [&str; 3] = [SUFFIX, JWS_SUFFIX, CMS_SUFFIX];

/// The suffix of a signed kernel module, which follows the name of the unsigned module.
pub const MODULE_SUFFIX: &str = ".signed";

/// Returns the name of the signed file for the name of a signature file. Returns `None` if the name
/// does not end with one of [`SIGNATURE_SUFFIXES`].
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
