//! Texts that the program contains in compressed form: the manual pages and the completions.

use super::report::Error;
use miniz_oxide::inflate::decompress_to_vec_with_limit;

/// The largest length of a text, in bytes.
const MAX_TEXT: usize = 1 << 20;

/// A compressed text, which the macro [`packed!`] includes.
pub struct PackedText(pub &'static [u8]);

impl PackedText {
    /// Returns the bytes of the text.
    ///
    /// # Errors
    /// Returns an error if the text cannot be decompressed: the program is damaged.
    pub fn bytes(&self) -> Result<Vec<u8>, Error> {
        decompress_to_vec_with_limit(self.0, MAX_TEXT).map_err(|e| Error::Internal(e.to_string()))
    }
}

/// Includes a file of `man` or `completions`, which the build script compresses.
macro_rules! packed {
    ($file:expr) => {
        $crate::tool::packed::PackedText(include_bytes!(concat!(env!("OUT_DIR"), "/", $file, ".z")))
    };
}
pub(crate) use packed;
