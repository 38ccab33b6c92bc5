//! Reads and writes the signature at the end of a Linux kernel module. The kernel's program
//! `scripts/sign-file` writes the same format.
//!
//! ```text
//! module || CMS in DER || struct module_signature || "~Module signature appended~\n"
//! ```
//!
//! `struct module_signature` has 12 bytes. Its first five bytes are the algorithm, the hash, the
//! signature's type, the length of the signer's name, and the length of the key identifier. The
//! type is 2 for CMS, and the four remaining values are 0. Three padding bytes follow, and then the
//! length of the CMS structure, in four bytes in big-endian order.

use alloc::vec::Vec;

/// The bytes at the end of a signed module.
const MAGIC: &[u8; 28] = b"~Module signature appended~\n";
/// The fixed part of `struct module_signature`, before the length field.
const SIGNATURE_HEADER: [u8; 8] = [0, 0, 2, 0, 0, 0, 0, 0];
/// The first bytes of an ELF file, and therefore of an uncompressed module.
const ELF: &[u8; 4] = b"\x7fELF";

/// A module and its signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignedModule<'d> {
    /// The module without the signature.
    pub module: &'d [u8],
    /// The signature, which is a CMS structure in DER.
    pub signature: &'d [u8],
}

impl<'d> SignedModule<'d> {
    /// The number of bytes at the end of a file that [`Self::has_signature`] reads.
    pub const END_LEN: usize = MAGIC.len();

    /// Returns whether a file ends like a signed module.
    pub fn has_signature(data: &[u8]) -> bool {
        data.ends_with(MAGIC)
    }

    /// Returns whether a file starts like an ELF file. An uncompressed module is an ELF file.
    pub fn starts_like_module(data: &[u8]) -> bool {
        data.starts_with(ELF)
    }

    /// Splits a signed module. Returns `None` if the file does not end with a complete signature.
    pub fn split(data: &'d [u8]) -> Option<Self> {
        let data = data.strip_suffix(MAGIC)?;
        let (data, len) = data.split_last_chunk::<4>()?;
        let data = data.strip_suffix(&SIGNATURE_HEADER)?;
        let len = usize::try_from(u32::from_be_bytes(*len)).ok()?;
        let (module, signature) = data.split_at_checked(data.len().checked_sub(len)?)?;
        Some(Self { module, signature })
    }

    /// Returns the file with the module and its signature. The signature must be shorter than 4
    /// GiB.
    pub fn to_file(&self) -> Vec<u8> {
        let len = (self.signature.len() as u32).to_be_bytes();
        [self.module, self.signature, &SIGNATURE_HEADER, &len, MAGIC].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signed_module_is_split() {
        let signed = SignedModule { module: b"\x7fELF module", signature: b"signature" };
        let file = signed.to_file();
        assert_eq!(SignedModule::split(&file), Some(signed));
        assert!(SignedModule::has_signature(&file) && SignedModule::starts_like_module(&file));
        let end = file.len() - MAGIC.len();
        assert_eq!(file[end - 12..end], [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 9]);
        for (position, value) in [(end - 12, 1), (end - 10, 1), (end - 5, 1), (end - 4, 1), (end, b'-')] {
            let mut changed = file.clone();
            changed[position] = value;
            assert_eq!(SignedModule::split(&changed), None, "{position}");
        }
        assert_eq!(SignedModule::split(&file[..end]), None);
        assert_eq!(SignedModule::split(&file[end..]), None);
    }
}
