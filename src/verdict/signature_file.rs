//! Reads the blocks in a signature file. The file usually contains one signature, or several PEM
//! blocks if several keys have signed.
//!
//! The verdict does not depend on the order of the blocks and on the text between them. The
//! verifier's policy defines how many signatures must be valid, and the file cannot change this
//! number.

use super::messages::MAX_SIGNATURES;
use crate::files::{FileObject, pem};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

/// A block in a signature file.
pub enum SignatureBlock {
    /// A signature.
    Known(Box<FileObject>),
    /// A block from a different program or for an unknown algorithm. The value describes the block.
    /// Such a block does not change the verdict.
    Unknown(String),
}

/// The reason why a file is not a signature file.
#[non_exhaustive]
pub enum SignatureFileError<E> {
    /// The file contains this number of blocks, which is more than [`MAX_SIGNATURES`].
    TooMany(usize),
    /// A block is damaged, or the file contains only blocks that are not signatures. The value is
    /// the error of the reader.
    Block(E),
}

/// A reader for signature blocks.
pub trait BlockReader {
    /// The reason why a block is not a signature.
    type Error;

    /// Reads block number `number`, counted from 1, of `count` blocks. `part` includes the text
    /// before the block.
    ///
    /// # Errors
    /// The block is not a signature with a known algorithm.
    fn read(&self, part: &[u8], number: usize, count: usize) -> Result<FileObject, Self::Error>;

    /// Describes the block for which [`Self::read`] returned `error`, if the block belongs to a
    /// different program or to an unknown algorithm. Such a block is allowed next to a signature.
    /// `None` for any other error.
    fn unknown(&self, error: &Self::Error) -> Option<String>;
}

/// The blocks in a signature file. Each element contains the bytes of a block, including the text
/// before it, and the decoded block.
pub type SignatureBlocks<'d> = Vec<(&'d [u8], SignatureBlock)>;

/// Returns the signatures in the blocks, without the blocks of other programs.
pub fn known_signatures(blocks: SignatureBlocks<'_>) -> Vec<FileObject> {
    let mut signatures = Vec::with_capacity(blocks.len());
    for (_, block) in blocks {
        if let SignatureBlock::Known(object) = block {
            signatures.push(*object);
        }
    }
    signatures
}

/// Reads the blocks in a signature file. The result contains at least one signature.
///
/// # Errors
/// The file contains too many blocks, a block is damaged, or the file contains no signature.
pub fn blocks<'d, R: BlockReader>(
    data: &'d [u8],
    reader: &R,
) -> Result<SignatureBlocks<'d>, SignatureFileError<R::Error>> {
    let parts = pem::parts(data);
    let count = parts.len();
    if count > MAX_SIGNATURES {
        return Err(SignatureFileError::TooMany(count));
    }
    let mut signature_blocks = Vec::with_capacity(count);
    let mut first = None;
    let mut is_signed = false;
    for (number, part) in (1..).zip(parts) {
        match reader.read(part, number, count) {
            Ok(object) => {
                is_signed = true;
                signature_blocks.push((part, SignatureBlock::Known(Box::new(object))));
            }
            Err(error) => {
                let Some(what) = reader.unknown(&error) else { return Err(SignatureFileError::Block(error)) };
                first.get_or_insert(error);
                signature_blocks.push((part, SignatureBlock::Unknown(what)));
            }
        }
    }
    match first {
        Some(error) if !is_signed => Err(SignatureFileError::Block(error)),
        _ => Ok(signature_blocks),
    }
}
