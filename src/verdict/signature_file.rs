//! Reads the blocks in a signature file. The file usually contains one signature, or several PEM
//! blocks if several keys have signed.
//!
//! The verdict depends neither on the order of the blocks nor on the text between them. The
//! verifier's policy defines how many signatures must be valid, and the file cannot change this
//! number.

use super::messages::{InputDefect, MAX_SIGNATURES};
use crate::files::{FileObject, pem};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// A block in a signature file.
pub enum SignatureBlock {
    /// A signature.
    Known(Box<FileObject>),
    /// A block from another program or for an unknown algorithm. The value describes the block.
    /// Such a block does not change the verdict.
    Unknown(String),
}

/// The reason why a file is not a signature file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SignatureFileError<E> {
    /// The file contains more blocks than [`MAX_SIGNATURES`]. The value is the number of blocks.
    TooMany(usize),
    /// A block is damaged, or the file contains only blocks that are not signatures. The value is
    /// the error from the [`BlockReader`].
    Block(E),
}

impl<E: fmt::Display> fmt::Display for SignatureFileError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooMany(count) => write!(f, "{}", InputDefect::ManySignatures(*count)),
            Self::Block(e) => write!(f, "{e}"),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> core::error::Error for SignatureFileError<E> {}

/// A reader for signature blocks.
pub trait BlockReader {
    /// The reason why a block is not a signature.
    type Error;

    /// Reads a block. `part` is the block's text and the text before it. `number` is the block's
    /// number, counted from 1, and `count` is the number of blocks in the file.
    ///
    /// # Errors
    /// Fails if the block is not a signature with a known algorithm.
    fn read(&self, part: &[u8], number: usize, count: usize) -> Result<FileObject, Self::Error>;

    /// Describes a block of another program or of an unknown algorithm, which is allowed next to a
    /// signature. `error` is the error of [`Self::read`] for the block. Returns `None` if the error
    /// has a different cause, for example a damaged signature.
    fn unknown(&self, error: &Self::Error) -> Option<String>;
}

/// The blocks in a signature file. An element contains the bytes of a block and of the text before
/// the block, and the decoded block.
pub type SignatureBlocks<'d> = Vec<(&'d [u8], SignatureBlock)>;

/// Returns the decoded signatures, and drops the blocks of other programs.
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
/// Fails if the file contains too many blocks, a block is damaged, or the file contains no
/// signature.
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
