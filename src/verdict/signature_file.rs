//! The blocks of a signature file: usually one signature, or several PEM blocks after one another, of several keys.
//!
//! The order of the blocks and the text between them have no meaning. The verifier's policy decides how many of the signatures must be
//! valid, never the file.

use super::messages::MAX_SIGNATURES;
use crate::files::{Object, pem};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

/// A block of a signature file.
pub enum SignatureBlock {
    /// A signature.
    Known(Box<Object>),
    /// A block of another program or of an unknown algorithm, in words. It has no effect on the verdict.
    Unknown(String),
}

/// The reason why a file is not a signature file.
pub enum SignatureFileError<E> {
    /// The file has this number of blocks, which is more than [`MAX_SIGNATURES`].
    TooMany(usize),
    /// A block is damaged, or no block is a signature.
    Block(E),
}

/// A reader of one block.
pub trait BlockReader {
    /// The reason why a block is not a signature.
    type Error;

    /// Reads the block that is `number` of `count` blocks, from 1, with the text before it.
    ///
    /// # Errors
    /// The block is not a signature of a known algorithm.
    fn read(&self, part: &[u8], number: usize, count: usize) -> Result<Object, Self::Error>;

    /// Describes a block that the file may have in addition to a signature: of another program, or of an unknown algorithm. `None` for any
    /// other error.
    fn unknown(&self, error: &Self::Error) -> Option<String>;
}

/// The blocks of a signature file, each with its bytes and the text before it.
pub type SignatureBlocks<'d> = Vec<(&'d [u8], SignatureBlock)>;

/// Reads the blocks of a signature file, each with the text before it. At least one of them is a signature.
///
/// # Errors
/// There are too many blocks, no block is a signature, or one block is damaged.
pub fn blocks<'d, R: BlockReader>(
    data: &'d [u8],
    reader: &R,
) -> Result<SignatureBlocks<'d>, SignatureFileError<R::Error>> {
    let parts = pem::parts(data);
    let count = parts.len();
    if count > MAX_SIGNATURES {
        return Err(SignatureFileError::TooMany(count));
    }
    let mut found = Vec::with_capacity(count);
    let mut first = None;
    let mut is_signed = false;
    for (number, part) in (1..).zip(parts) {
        match reader.read(part, number, count) {
            Ok(object) => {
                is_signed = true;
                found.push((part, SignatureBlock::Known(Box::new(object))));
            }
            Err(error) => {
                let Some(what) = reader.unknown(&error) else { return Err(SignatureFileError::Block(error)) };
                first.get_or_insert(error);
                found.push((part, SignatureBlock::Unknown(what)));
            }
        }
    }
    match first {
        Some(error) if !is_signed => Err(SignatureFileError::Block(error)),
        _ => Ok(found),
    }
}
