//! The names and object identifiers of the hash functions that can be applied to a message before
//! it is signed (specification 3.4; FIPS 204, algorithm 4).

/// The length in bytes of the longest digest.
pub const MAX_DIGEST_LEN: usize = 64;

/// A hash function that is applied to a message before the message is signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PreHash {
    /// SHA-256.
    Sha256,
    /// SHA-384.
    Sha384,
    /// SHA-512.
    Sha512,
    /// SHA-512/256.
    Sha512_256,
    /// SHA3-256.
    Sha3_256,
    /// SHA3-384.
    Sha3_384,
    /// SHA3-512.
    Sha3_512,
    /// SHAKE128 with 32 bytes of output.
    Shake128,
    /// SHAKE256 with 64 bytes of output.
    Shake256,
    /// SHA-224. Only ML-DSA supports SHA-224, SHA-512/224 and SHA3-224. All three are weaker than
    /// every parameter set, so the caller must allow a weak pre-hash.
    Sha224,
    /// SHA-512/224.
    Sha512_224,
    /// SHA3-224.
    Sha3_224,
}

/// All pre-hashes, in the order of the variants. A row contains the pre-hash, its name, the last
/// byte of its object identifier, and the digest length in bytes.
const PREHASHES: [(PreHash, &str, u8, usize); 12] = [
    (PreHash::Sha256, "sha256", 0x01, 32),
    (PreHash::Sha384, "sha384", 0x02, 48),
    (PreHash::Sha512, "sha512", 0x03, 64),
    (PreHash::Sha512_256, "sha512-256", 0x06, 32),
    (PreHash::Sha3_256, "sha3-256", 0x08, 32),
    (PreHash::Sha3_384, "sha3-384", 0x09, 48),
    (PreHash::Sha3_512, "sha3-512", 0x0a, 64),
    (PreHash::Shake128, "shake128", 0x0b, 32),
    (PreHash::Shake256, "shake256", 0x0c, 64),
    (PreHash::Sha224, "sha224", 0x04, 28),
    (PreHash::Sha512_224, "sha512-224", 0x05, 28),
    (PreHash::Sha3_224, "sha3-224", 0x07, 28),
];

// `PreHash::row` uses the variant's number as an index.
const _: () = {
    let mut i = 0;
    while i < PREHASHES.len() {
        assert!(PREHASHES[i].0 as usize == i && PREHASHES[i].3 <= MAX_DIGEST_LEN);
        i += 1;
    }
};

impl PreHash {
    /// Returns all pre-hashes, in the order of the variants.
    pub fn all() -> impl Iterator<Item = Self> {
        PREHASHES.iter().map(|row| row.0)
    }

    fn row(self) -> &'static (PreHash, &'static str, u8, usize) {
        &PREHASHES[self as usize]
    }

    /// Returns the name in lower case, for example `sha512`.
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// Returns the digest length in bytes.
    pub fn digest_len(self) -> usize {
        self.row().3
    }

    /// Returns the object identifier in DER, with its tag and length: `2.16.840.1.101.3.4.2.x`.
    pub fn oid(self) -> [u8; 11] {
        [0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, self.row().2]
    }
}
