//! Options for reading files: the algorithms, OIDs and object kinds (private key, public key,
//! signature) that a reader accepts.

use super::kind::ObjectKind;
use super::oid::Oid;
use crate::api::Algorithm;

/// Options for reading files: the required algorithm, and exceptions to the default rules. By
/// default, the OID in a container (PKCS#8, SPKI or certificate) must identify an algorithm of this
/// library. Toys, which are algorithms for tests, and HashML-DSA keys are rejected by default.
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
    /// An unknown OID that is accepted. If a container has this OID, the reader detects the
    /// algorithm from the content of the container.
    pub oid: Option<Oid>,
    /// Whether all unknown OIDs are accepted, and not only the OID in `oid`.
    pub any_oid: bool,
    /// The required algorithm. A file for any algorithm except this algorithm is rejected. If the
    /// bytes in a file can belong to several algorithms, they are read as a key or signature for
    /// the required algorithm. You must set this field to read an ML-DSA seed, an Ed25519 key, or
    /// the seeds of a composite key (ML-DSA with Ed25519), if the file contains raw bytes or
    /// hexadecimal digits.
    pub algorithm: Option<Algorithm>,
    /// Whether [toys](Algorithm::is_toy) are accepted: algorithms that are only for tests.
    pub allow_toys: bool,
    /// The expected kind of object. [`read`](super::read) returns objects of every kind, and uses
    /// this field only if a file can be read in several ways. A raw Ed25519 file with 32 bytes can
    /// be a public key or a private key, and a raw file with 64 bytes can be a signature or the two
    /// seeds of a composite key. If this field is [`ObjectKind::Signature`], JSON files and OpenSSH
    /// public key files are not read as keys.
    pub expected_kind: Option<ObjectKind>,
    /// Whether HashML-DSA keys are accepted. Such a key must only be used with the pre-hash that
    /// [`FileObject::prehash`](super::FileObject::prehash) returns.
    pub allow_hash_ml_dsa: bool,
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
        with_expected_kind: expected_kind: Option<ObjectKind>,
        with_allow_hash_ml_dsa: allow_hash_ml_dsa: bool,
    }
}
