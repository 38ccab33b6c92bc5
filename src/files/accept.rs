//! What a reader of files accepts beyond the files that name an algorithm of this library.

use super::kind::Kind;
use super::oid::Oid;
use crate::api::Algorithm;

/// Identifiers that a container may have although they are not known, and the algorithm that a reader wants. By default
/// a container names an algorithm of this library.
#[derive(Clone, Debug, Default)]
pub struct Accept {
    /// An identifier that is taken for one of this library; the content tells the algorithm.
    pub oid: Option<Oid>,
    /// Whether every identifier that is not known is taken for one of this library.
    pub any_oid: bool,
    /// The algorithm that the caller requires: a file of another algorithm is rejected, and an object that may be of several
    /// algorithms becomes an object of this algorithm. A raw seed of ML-DSA is read only if this names its algorithm.
    pub algorithm: Option<Algorithm>,
    /// Accepts keys and signatures of a [toy](Algorithm::is_toy), for tests.
    pub allow_toys: bool,
    /// The kind of a raw key whose length does not tell it: a key of Ed25519 with 32 bytes, and
    /// with 64 bytes, where the length is that of a signature. `None` if any kind is wanted.
    pub kind: Option<Kind>,
    /// Whether keys of HashML-DSA are read. Their identifier names a pre-hash, which whoever reads
    /// them must bind to the key: [`Object::prehash`](super::Object::prehash).
    pub prehashed: bool,
}
