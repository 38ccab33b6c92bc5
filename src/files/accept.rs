//! Options for readers: algorithms and OIDs to accept.

use super::kind::ObjectKind;
use super::oid::Oid;
use crate::api::Algorithm;

/// Options for reading files: the required algorithm, and exceptions to the default rules. By
/// default, the OID in a container must identify an algorithm of this library.
///
/// ```
/// use fndsa::Algorithm;
/// use fndsa::files::ReadOptions;
///
/// let options = ReadOptions::default().with_algorithm(Some(Algorithm::ML_DSA_65));
/// assert!(!options.allow_toys);
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
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
    /// pre-hash in [`FileObject::prehash`](super::FileObject::prehash).
    pub prehashed: bool,
}

/// Defines a method `with_FIELD` for each field of an options struct.
macro_rules! setters {
    ($($method:ident: $field:ident: $type:ty),+ $(,)?) => {$(
        #[doc = concat!("Returns the options with another value of [`Self::", stringify!($field), "`].")]
        #[must_use]
        pub fn $method(mut self, $field: $type) -> Self {
            self.$field = $field;
            self
        }
    )+};
}
pub(super) use setters;

impl ReadOptions {
    setters! {
        with_oid: oid: Option<Oid>,
        with_any_oid: any_oid: bool,
        with_algorithm: algorithm: Option<Algorithm>,
        with_allow_toys: allow_toys: bool,
        with_kind: kind: Option<ObjectKind>,
        with_prehashed: prehashed: bool,
    }
}
