//! The names of files that belong together: with an ending, and back.

use std::path::{Path, PathBuf};

/// The ending that the name of a signature has, after that of its file.
pub const SUFFIX: &str = ".sig";

/// The ending that the name of an envelope has, after that of its payload.
pub const ENVELOPE_SUFFIX: &str = ".dsse";

/// Returns the file that a signature is for, by its name; `None` if the name does not end so.
pub fn signed_by_name(signature: &Path) -> Option<PathBuf> {
    let name = signature.file_name()?.to_str()?.strip_suffix(SUFFIX).filter(|name| !name.is_empty())?;
    Some(signature.with_file_name(name))
}

/// Adds an ending to a name, never in place of one.
pub fn with_suffix(name: &Path, suffix: &str) -> PathBuf {
    let mut name = name.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_for_the_file_of_its_name() {
        let signed = |name: &str| signed_by_name(Path::new(name)).map(|path| path.to_str().unwrap().replace('\\', "/"));
        assert_eq!(signed("a.sig"), Some("a".to_owned()));
        assert_eq!(signed("d/a.tgz.sig"), Some("d/a.tgz".to_owned()));
        assert_eq!(signed("a"), None);
        assert_eq!(signed("d/.sig"), None);
    }
}
