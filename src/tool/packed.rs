//! Decompresses the texts that the build script compresses: the manual pages, the completion
//! scripts and the messages for `fndsa bench`.

use super::report::Error;
use miniz_oxide::inflate::decompress_to_vec_with_limit;

/// The maximum length of a decompressed text in bytes.
const MAX_TEXT: usize = 1 << 20;

/// A compressed text, which the macro [`packed!`] creates.
pub struct PackedText(pub &'static [u8]);

impl PackedText {
    /// Returns the decompressed text.
    ///
    /// # Errors
    /// Fails if the compressed text is damaged.
    pub fn bytes(&self) -> Result<Vec<u8>, Error> {
        decompress_to_vec_with_limit(self.0, MAX_TEXT).map_err(|e| Error::Internal(e.to_string()))
    }
}

/// Includes a file from `man`, `completions` or `src/cmd/bench/cctv`. The build script compresses
/// these files.
macro_rules! packed {
    ($file:expr) => {
        $crate::tool::packed::PackedText(include_bytes!(concat!(env!("OUT_DIR"), "/", $file, ".z")))
    };
}
pub(crate) use packed;
