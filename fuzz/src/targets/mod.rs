//! The functions for the fuzz targets, which the files in `fuzz_targets` call. A function can be
//! called with any bytes, and should panic only if the library or the program violates a guarantee.
//! Many functions check a round trip: an accepted input is written or converted to a different
//! form, and reading or converting the result should restore the input.
//!
//! `cargo test` in the package also runs these functions on the corpus, as unit tests of the
//! program (`src/cmd/tests.rs`), so they are not in `fuzz_targets`. The functions use the library's
//! public interface and the feature `testing`. The functions `arguments` and `dsse` also use
//! modules of the program.

mod allowed_signers;
mod arguments;
mod batch;
mod cms;
#[path = "../../../tests/common/mod.rs"]
pub mod common;
#[cfg(test)]
mod corpus;
mod dsse;
mod files;
mod jose;
mod keys;
mod mldsa;
mod signing;
mod ssh;
mod x509;

pub use allowed_signers::allowed_signers;
pub use arguments::arguments;
pub use batch::batch;
pub use cms::cms;
pub use dsse::dsse;
pub use files::{armor, manifest, object};
pub use jose::jose;
pub use keys::{private_key, public_key, signature};
pub use mldsa::mldsa;
pub use signing::{levels, sign_verify, verify};
pub use ssh::ssh;
pub use x509::x509;

/// The unread part of an input. At the end, numbers are read as zero, and `take` returns fewer
/// bytes than requested.
struct FuzzInput<'a>(&'a [u8]);

impl<'a> FuzzInput<'a> {
    /// Returns the next byte.
    fn byte(&mut self) -> u8 {
        self.take(1).first().copied().unwrap_or(0)
    }

    /// Returns the next two bytes as a number.
    fn u16(&mut self) -> usize {
        usize::from(self.byte()) << 8 | usize::from(self.byte())
    }

    /// Returns the next `len` bytes, or fewer at the end.
    fn take(&mut self, len: usize) -> &'a [u8] {
        let (first, rest) = self.0.split_at(len.min(self.0.len()));
        self.0 = rest;
        first
    }

    /// Returns the element of `list` that the next byte selects.
    fn one_of<T: Clone>(&mut self, list: &[T]) -> T {
        list[usize::from(self.byte()) % list.len()].clone()
    }

    /// Applies an edit to `bytes`. The next 4 input bytes define the edit: the operation in a byte,
    /// an offset in two bytes, and a value in a byte. An edit can flip bits, replace, insert or
    /// remove a byte, truncate the bytes, or append up to 63 bytes.
    fn edit(&mut self, bytes: &mut Vec<u8>) {
        let (what, at, value) = (self.byte() % 6, self.u16(), self.byte());
        let len = bytes.len();
        match what {
            0 if len > 0 => bytes[at % len] ^= value,
            1 if len > 0 => bytes[at % len] = value,
            2 => bytes.insert(at % (len + 1), value),
            3 if len > 0 => drop(bytes.remove(at % len)),
            4 => bytes.truncate(at % (len + 1)),
            _ => bytes.extend(vec![value; at % 64]),
        }
    }
}
