//! The defects that a list of checksums can have.

use thiserror::Error;

/// A defect in a name or in a line of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ListDefect {
    /// The name is empty.
    #[error("the name is empty")]
    NoName,
    /// The name is longer than 64 KiB, so no system can open a file with this name.
    #[error("the name is longer than any file name (64 KiB)")]
    NameLen,
    /// The name contains a NUL byte.
    #[error("the name has a NUL byte")]
    Nul,
    /// The name is `-`, which means standard input. For a file with this name, write `./-`.
    #[error("the name `-` means standard input")]
    Stdin,
    /// The name starts with `/`.
    #[error("the name is absolute")]
    Absolute,
    /// A component in the name is `..`.
    #[error("the name contains `..`")]
    Parent,
    /// The last component of the name is empty or `.`.
    #[error("the name is the name of a directory")]
    Directory,
    /// The list already contains the name, possibly in a different spelling.
    #[error("the file is named twice")]
    Duplicate,
    /// The list starts with a UTF-8 byte order mark.
    #[error("the list begins with a byte-order mark")]
    ByteOrderMark,
    /// The line is not an entry, and no other variant describes the defect.
    #[error("the line is not 64 hexadecimal digits, two spaces and a file name")]
    Line,
    /// The checksum has the length of a checksum from a hash function other than SHA-256, for
    /// example SHA-512. The value is the number of digits.
    #[error("the checksum has {0} hexadecimal digits{name}, but a SHA-256 checksum has 64", name = hash_name(*.0))]
    OtherHash(usize),
    /// The line is in BSD format, `NAME (FILE) = DIGITS`, but `NAME` is not `SHA256`.
    #[error("the checksum is not a SHA-256 checksum")]
    Tag,
    /// The line is the first line of an OpenPGP signed message.
    #[error("the list is inside an OpenPGP signature")]
    OpenPgp,
    /// The number of characters between the checksum and the name (one or two) is not the same as
    /// in the previous lines.
    #[error("the number of spaces before the name differs from the previous lines")]
    MixedSeparators,
    /// Windows reserves the name for a device. The name can have an extension, for example
    /// `con.txt`.
    #[error("the name is reserved for a device on Windows")]
    Device,
    /// The name contains a colon, which separates a drive or a stream from a file name on Windows.
    #[error("the name contains `:`, which on Windows is a drive or a stream")]
    Colon,
    /// A component in the name ends with a space or a dot, which Windows removes.
    #[error("the name ends with a space or a dot, which Windows removes")]
    Ending,
    /// The name is not UTF-8, but names on Windows must be text.
    #[error("the name is not UTF-8")]
    NotUtf8,
    /// The line starts with a backslash, so the name is escaped. However, a backslash in the name
    /// is not followed by a backslash, `n` or `r`.
    #[error("a backslash in the name must be followed by a backslash, `n` or `r`")]
    Escape,
    /// The file cannot be in a list, because its name starts with `BEST-BEFORE-`.
    #[error("the name is reserved for BEST-BEFORE entries")]
    Reserved,
    /// The text after `BEST-BEFORE-` is not a date.
    #[error("the BEST-BEFORE entry has no day of the form YYYY-MM-DD")]
    BestBefore,
    /// The checksum in a date entry (an entry with the name `BEST-BEFORE-` and a date) is not the
    /// checksum of an empty file.
    #[error("the BEST-BEFORE entry does not have the checksum of an empty file")]
    BestBeforeDigest,
    /// The list already contains a date entry.
    #[error("this is a second BEST-BEFORE entry")]
    SecondBestBefore,
}

/// Returns the names, in parentheses, of the hash functions with checksums of this many digits. The
/// result is empty if there is no such hash function.
pub(super) const fn hash_name(digit_count: usize) -> &'static str {
    match digit_count {
        32 => " (MD5)",
        40 => " (SHA-1)",
        56 => " (SHA-224)",
        96 => " (SHA-384)",
        128 => " (SHA-512 or BLAKE2b)",
        _ => "",
    }
}
