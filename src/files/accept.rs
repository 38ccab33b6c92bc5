//! Options for readers: algorithms and OIDs to accept.

use super::kind::ObjectKind;
use super::oid::Oid;
use crate::api::Algorithm;

/// Options for reading files: the required algorithm, and exceptions to the default rules. By
/// default, the OID in a container must identify an algorithm of this library.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// An unknown OID to accept. The content then determines the algorithm.
    pub oid: Option<Oid>,
    /// Whether to accept all unknown OIDs.
    pub any_oid: bool,
    /// The required algorithm. A file with a different algorithm is rejected. If an object can have
    /// several algorithms, it is restricted to this algorithm. You must set it to read a raw ML-DSA
    /// seed.
    pub algorithm: Option<Algorithm>,
    /// Whether to accept [toys](Algorithm::is_toy), which are only for tests.
    pub allow_toys: bool,
    /// The expected kind, for raw Ed25519 keys with an ambiguous length: 32 bytes can be a private
    /// or public key, and 64 bytes can be a signature. `None` to accept any kind.
    pub kind: Option<ObjectKind>,
    /// Whether to accept HashML-DSA keys. If you accept these keys, you must only use them with the
    /// pre-hash in [`Object::prehash`](super::FileObject::prehash).
    pub prehashed: bool,
}
