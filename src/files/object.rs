//! Keys and signatures as stored in files: the raw encoding, the algorithms to which the encoding
//! can belong, and the additional data in a container (PKCS#8, SPKI or certificate).

use super::accept::ReadOptions;
use super::defect::Defect;
use super::encoding::FileEncoding;
use super::hex::from_hex;
use super::kind::{ANY, FALCON, FALCON_OR_PREVIEW, FN_DSA, ObjectKind, PossibleSchemes};
use super::layout::KeyLayout;
use super::oid::{IdentifiedAlgorithm, Oid};
use super::public_of_private;
use crate::api::{Algorithm, PreHash, SEED_LEN, Scheme};
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use zeroize::Zeroizing;

/// The data in a container, in addition to the key.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ContainerData {
    /// The structure of the container, which is never [`ContainerStructure::Encrypted`]. For a
    /// private key that was decrypted, this is the structure after the decryption.
    pub structure: ContainerStructure,
    /// The algorithm's OID.
    pub oid: Oid,
    /// The layout of the private key. For a public key, the layout is [`KeyLayout::Raw`].
    pub layout: KeyLayout,
    /// The encoded public key, if a private key file contains it. Only [`FileObject::private_key`]
    /// checks that this public key belongs to the private key.
    pub public: Option<Vec<u8>>,
    /// The attributes of a private key, as the content of a DER element. `None` if the key has no
    /// attributes.
    pub attributes: Option<Vec<u8>>,
    /// A description of the encryption, or `None` if the file was not encrypted.
    pub encryption: Option<String>,
    /// Whether the file is an authority's certificate. An authority's key signs
    /// certificates.
    pub is_authority: bool,
}

/// The structures that a container can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ContainerStructure {
    /// PKCS#8 PrivateKeyInfo or OneAsymmetricKey.
    Private,
    /// SubjectPublicKeyInfo.
    Public,
    /// PKCS#8 EncryptedPrivateKeyInfo.
    Encrypted,
    /// An X.509 certificate, which contains a public key.
    Certificate,
}

/// The PEM labels in RFC 7468, in the order of [`ContainerStructure`].
const LABELS: [(ContainerStructure, &str); 4] = [
    (ContainerStructure::Private, "PRIVATE KEY"),
    (ContainerStructure::Public, "PUBLIC KEY"),
    (ContainerStructure::Encrypted, "ENCRYPTED PRIVATE KEY"),
    (ContainerStructure::Certificate, "CERTIFICATE"),
];

impl ContainerStructure {
    /// Returns the structure with this PEM label, if there is one.
    pub(super) fn from_label(label: &str) -> Option<Self> {
        let (structure, _) = LABELS.iter().find(|row| row.1 == label)?;
        Some(*structure)
    }

    /// Returns the PEM label from RFC 7468.
    pub fn label(self) -> &'static str {
        LABELS[self as usize].1
    }

    /// Returns whether files with this structure contain only public data.
    pub(super) fn is_public(self) -> bool {
        matches!(self, Self::Public | Self::Certificate)
    }

    /// Returns the structure's name with an article, for example `an X.509 certificate`.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Private => "a PKCS#8 private key",
            Self::Public => "an X.509 (SPKI) public key",
            Self::Encrypted => "an encrypted PKCS#8 private key",
            Self::Certificate => "an X.509 certificate",
        }
    }

    /// Returns the defect for a damaged file with this structure.
    pub(super) fn damaged(self, why: &'static str) -> Defect {
        Defect::Container { what: self.name(), why }
    }
}

/// A private key, a public key or a signature, as read from a file. The length of its encoding was
/// checked. The methods [`Self::signing_key`], [`Self::verifying_key`] and [`Self::signature`]
/// check the rest of the content.
#[non_exhaustive]
pub struct FileObject {
    /// The kind: private key, public key or signature.
    pub kind: ObjectKind,
    /// The algorithms to which the bytes can belong. The first algorithm is used, unless the caller
    /// restricts the object with [`Self::narrow`].
    algorithms: Vec<Algorithm>,
    /// The file format.
    pub encoding: FileEncoding,
    /// The raw encoding. The bytes are secret if the object is a private key.
    pub bytes: Zeroizing<Vec<u8>>,
    /// The data in a PKCS#8, SPKI or X.509 container; `None` if the file has no container.
    pub container: Option<ContainerData>,
    /// The expanded form of an ML-DSA private key, if the file contains it next to the seed in
    /// `bytes`. It is the private key encoding in FIPS 204, and is computed from the seed. The
    /// expanded form is secret, and has not been compared with the seed.
    pub expanded: Option<Zeroizing<Vec<u8>>>,
    /// The signature note: the line before the PEM block of a signature, byte for byte. `None` if
    /// there is no such line, or if the line has more than [`MAX_NOTE`] bytes. The note is not
    /// authenticated.
    pub note: Option<Vec<u8>>,
    /// A description of the encryption, for a private key without a container (OpenSSH). `None` if
    /// the file was not encrypted.
    pub(super) password_encryption: Option<String>,
}

/// Returns whether a file is UTF-8 text without control characters, or UTF-16 text. Raw ML-DSA keys
/// and signatures start with random public bytes, which are almost never UTF-8. In such a file, the
/// check therefore almost always ends before it reads secret bytes.
pub(super) fn is_text(data: &[u8]) -> bool {
    let is_utf8 = match core::str::from_utf8(data) {
        Ok(text) => !text.chars().any(|c| c.is_control() && !c.is_whitespace()),
        Err(_) => false,
    };
    let is_wide = data.starts_with(b"\xff\xfe") || data.starts_with(b"\xfe\xff");
    is_utf8 || is_wide && data.chunks_exact(2).take(16).skip(1).all(|pair| pair.contains(&0))
}

/// Returns whether a file contains only the hexadecimal digits of an ML-DSA seed or an Ed25519 key,
/// with optional white space between the digits.
pub(super) fn is_seed_in_digits(data: &[u8]) -> bool {
    matches!(raw_or_digits(data, SEED_LEN), Ok(Some((FileEncoding::Hex, _))))
}

/// A raw key, and the format of its file: raw bytes or hexadecimal digits.
type RawKey = (FileEncoding, Zeroizing<Vec<u8>>);

/// Reads a key of `len` bytes. The file must contain these bytes, or `2 * len` hexadecimal digits
/// with optional white space between them. Returns `None` if the file has neither form.
///
/// # Errors
/// Fails if the file contains only hexadecimal digits and white space, and has up to `4 * len`
/// digits, but not `2 * len`.
fn raw_or_digits(data: &[u8], len: usize) -> Result<Option<RawKey>, Defect> {
    if data.len() == len {
        return Ok(Some((FileEncoding::Raw, Zeroizing::new(data.to_vec()))));
    }
    // A file with more than `8 * len` bytes can be a larger raw private key, so no branch may
    // depend on its bytes. In a shorter file, branches depend on the positions of white space,
    // which are public. If the file without white space does not have `2 * len` bytes, branches can
    // also depend on the position of the first byte that is not a digit.
    if data.len() > 8 * len {
        return Ok(None);
    }
    let mut digits = Zeroizing::new(Vec::with_capacity(data.len()));
    for byte in data {
        if !byte.is_ascii_whitespace() {
            digits.push(*byte);
        }
    }
    if digits.len() == 2 * len {
        let Ok(bytes) = from_hex(&digits) else { return Ok(None) };
        return Ok(Some((FileEncoding::Hex, Zeroizing::new(bytes))));
    }
    let are_digits = !digits.is_empty() && digits.len() <= 4 * len && digits.iter().all(u8::is_ascii_hexdigit);
    if are_digits { Err(Defect::Digits(digits.len())) } else { Ok(None) }
}

/// Returns whether a file starts like a key or certificate in DER: a SEQUENCE of at least 128
/// bytes. Its first element must be the version number 0 or 1, a SEQUENCE of at least 256 bytes, or
/// a SEQUENCE that starts with an OID.
fn begins_like_der(data: &[u8]) -> bool {
    let inner = match data {
        [0x30, 0x82, _, _, inner @ ..] | [0x30, 0x81, _, inner @ ..] => inner,
        _ => return false,
    };
    matches!(inner, [0x30, 0x82, ..] | [0x30, _, 0x06, ..] | [0x02, 0x01, 0x00 | 0x01, ..])
}

/// Returns the kind of object that has `len` bytes in the raw encoding of this algorithm: a private
/// key in the expanded form, a public key or a signature. The algorithm must not belong to the
/// Falcon family. Returns `None` if no such object has this length. Also returns `None` for seeds
/// and Ed25519 public keys, because their length does not identify them.
fn kind_of_length(algorithm: Algorithm, len: usize) -> Option<ObjectKind> {
    if algorithm.expanded_form_len() == Some(len) {
        Some(ObjectKind::SigningKey)
    } else if algorithm.verifying_key_len() == len && len != algorithm.signing_key_len() {
        // The Ed25519 public key is excluded, because an Ed25519 seed has the same length.
        Some(ObjectKind::VerifyingKey)
    } else if algorithm.signature_len() == len {
        Some(ObjectKind::Signature)
    } else {
        None
    }
}

/// Returns the kind and the algorithm for objects outside the Falcon family with a raw encoding
/// of `len` bytes. Returns `None` if there is no such object.
fn object_of_length(len: usize) -> Option<(ObjectKind, Algorithm)> {
    for algorithm in Algorithm::all() {
        if algorithm.degree().is_none()
            && let Some(kind) = kind_of_length(algorithm, len)
        {
            return Some((kind, algorithm));
        }
    }
    None
}

/// Returns whether the first byte and the length of `data` match an object of this kind in any
/// scheme of the Falcon family.
fn has_raw_form(kind: ObjectKind, data: &[u8]) -> bool {
    for scheme in ANY {
        for algorithm in Algorithm::of_scheme_with_toys(*scheme) {
            if kind.is_suggested_by(algorithm, data) && kind.fits(algorithm, data) {
                return true;
            }
        }
    }
    false
}

/// The maximum length in bytes of a signature note, which is the line before a signature block. A
/// longer line is not stored. The notes that `fndsa` writes are shorter.
pub const MAX_NOTE: usize = 1024;

impl FileObject {
    /// Creates an object from a raw encoding in one of the `schemes`. In the Falcon family, the
    /// first byte determines the degree. In the other schemes, the length determines the algorithm.
    ///
    /// # Errors
    /// Fails if `bytes` is empty, if no object of this kind and these schemes has this first byte,
    /// or if no such object has this length.
    pub fn new(
        kind: ObjectKind,
        schemes: PossibleSchemes,
        encoding: FileEncoding,
        bytes: Zeroizing<Vec<u8>>,
    ) -> Result<Self, Defect> {
        let Some(&first) = bytes.first() else { return Err(Defect::NoBody) };
        let mut all_algorithms = Vec::new();
        for scheme in schemes {
            all_algorithms.extend(Algorithm::of_scheme_with_toys(*scheme));
        }
        let mut algorithms = Vec::new();
        for algorithm in &all_algorithms {
            if kind.is_suggested_by(*algorithm, &bytes) {
                algorithms.push(*algorithm);
            }
        }
        let Some(&algorithm) = algorithms.first() else {
            // No algorithm matches. Only the Falcon family identifies the algorithm by the first
            // byte. If `schemes` contains a scheme outside this family, the error is therefore a
            // wrong length.
            all_algorithms.retain(|algorithm| algorithm.degree().is_none());
            let nearest = all_algorithms.into_iter().min_by_key(|algorithm| kind.len(*algorithm).abs_diff(bytes.len()));
            return Err(match nearest {
                Some(algorithm) => Defect::Length { expected: kind.len(algorithm), found: bytes.len() },
                None => Defect::FirstByte { kind, first },
            });
        };
        if !algorithms.iter().any(|algorithm| kind.fits(*algorithm, &bytes)) {
            let expected = kind.len(algorithm);
            let found = bytes.len();
            let has_several_lengths = kind == ObjectKind::Signature && algorithm.scheme().encodings().len() > 1;
            return Err(if has_several_lengths {
                Defect::SignatureLength { expected, found }
            } else {
                Defect::Length { expected, found }
            });
        }
        Ok(Self::without_container(kind, algorithms, encoding, bytes))
    }

    /// Creates an object without the data that only some files contain: a container, an expanded
    /// key, a note, and a description of the encryption.
    fn without_container(
        kind: ObjectKind,
        algorithms: Vec<Algorithm>,
        encoding: FileEncoding,
        bytes: Zeroizing<Vec<u8>>,
    ) -> Self {
        Self {
            kind,
            algorithms,
            encoding,
            bytes,
            container: None,
            expanded: None,
            note: None,
            password_encryption: None,
        }
    }

    /// Creates an object from a raw encoding for a known algorithm, after checking the length.
    ///
    /// # Errors
    /// Fails if `bytes` is empty or has the wrong length.
    pub(super) fn of_algorithm(
        kind: ObjectKind,
        algorithm: Algorithm,
        encoding: FileEncoding,
        bytes: Zeroizing<Vec<u8>>,
    ) -> Result<Self, Defect> {
        if bytes.is_empty() {
            return Err(Defect::NoBody);
        }
        if !kind.fits(algorithm, &bytes) {
            return Err(Defect::Length { expected: kind.len(algorithm), found: bytes.len() });
        }
        let algorithms = vec![algorithm];
        Ok(Self::without_container(kind, algorithms, encoding, bytes))
    }

    /// Reads a whole file as a raw encoding in a scheme outside the Falcon family. Only the length
    /// identifies such an encoding. The following files are read as a key only if `accept` requires
    /// the key's algorithm:
    ///
    /// - 32 bytes, or their hexadecimal digits: an ML-DSA seed or an Ed25519 key
    /// - 64 bytes: an Ed25519 seed with its public key; or, if `accept` also requires a private
    ///   key, the two seeds in a composite key (ML-DSA and Ed25519)
    ///
    /// If the file is not such a key, the function compares the file's length with the lengths of
    /// all raw encodings outside the Falcon family. Returns `None` if no encoding has this length,
    /// or if the file is text or starts like DER.
    ///
    /// # Errors
    /// Fails if the file can be an Ed25519 private key or public key, but `accept` does not require
    /// a kind; or if the file has the form of a key for the required algorithm, but has a defect.
    pub(super) fn of_length(data: &[u8], accept: &ReadOptions) -> Result<Option<Self>, Defect> {
        let len = data.len();
        if let Some(algorithm) = accept.algorithm
            && algorithm.degree().is_none()
            && let Some(object) = Self::of_required_algorithm(data, algorithm, accept.expected_kind)?
        {
            return Ok(Some(object));
        }
        let Some((kind, algorithm)) = object_of_length(len) else { return Ok(None) };
        // The length was checked first, because the following checks branch on the content, and a
        // raw seed of 32 bytes must not reach them. An expanded ML-DSA key starts with public
        // bytes.
        if is_text(data) || begins_like_der(data) {
            return Ok(None);
        }
        Ok(Self::of_algorithm(kind, algorithm, FileEncoding::Raw, Zeroizing::new(data.to_vec())).ok())
    }

    /// Reads a file as a raw ML-DSA seed, an Ed25519 key, or the two seeds of a composite key.
    /// `algorithm` is the required algorithm. Returns `None` if the file does not have the form of
    /// such a key. Also returns `None` for a composite algorithm if the caller does not require a
    /// private key.
    ///
    /// # Errors
    /// Returns the errors of [`Self::of_length`].
    fn of_required_algorithm(
        data: &[u8],
        algorithm: Algorithm,
        expected_kind: Option<ObjectKind>,
    ) -> Result<Option<Self>, Defect> {
        // The two seeds of a composite key have the length of an Ed25519 signature. Therefore, the
        // seeds are read only if the caller requires a private key.
        if algorithm.halves().is_some() && expected_kind != Some(ObjectKind::SigningKey) {
            return Ok(None);
        }
        let len = algorithm.signing_key_len();
        let is_ed25519 = algorithm.verifying_key_len() == len;
        if is_ed25519 && data.len() == 2 * len {
            return Self::of_seed_and_public(data, algorithm, expected_kind);
        }
        let Some((encoding, bytes)) = raw_or_digits(data, len)? else { return Ok(None) };
        let kind = match expected_kind {
            Some(ObjectKind::VerifyingKey) if is_ed25519 => ObjectKind::VerifyingKey,
            None if is_ed25519 => return Err(Defect::EitherKey),
            _ => ObjectKind::SigningKey,
        };
        Ok(Some(Self::of_algorithm(kind, algorithm, encoding, bytes)?))
    }

    /// Reads a file as an Ed25519 seed followed by its public key, which is the private key format
    /// of Go. An Ed25519 signature has the same length. Therefore, if the caller accepts any kind,
    /// the file is a private key only if the second half is the public key for the first half.
    /// Otherwise, the result is `None`. The result is also `None` if the caller requires a public
    /// key or a signature.
    ///
    /// # Errors
    /// Fails if the caller requires a private key, but the second half is not the public key for
    /// the first half.
    fn of_seed_and_public(
        data: &[u8],
        algorithm: Algorithm,
        expected_kind: Option<ObjectKind>,
    ) -> Result<Option<Self>, Defect> {
        if !matches!(expected_kind, None | Some(ObjectKind::SigningKey)) {
            return Ok(None);
        }
        let (seed, public) = data.split_at(algorithm.signing_key_len());
        let seed = Zeroizing::new(seed.to_vec());
        let object = Self::of_algorithm(ObjectKind::SigningKey, algorithm, FileEncoding::Raw, seed)?;
        let is_pair = public_of_private(&object).as_deref() == Some(public);
        match expected_kind {
            _ if is_pair => Ok(Some(object)),
            Some(_) => Err(Defect::PublicDiffers),
            None => Ok(None),
        }
    }

    /// Stores the line before the PEM block as the signature note, if this object is a signature
    /// and the line is not too long.
    pub(super) fn with_note(mut self, line: Option<&[u8]>) -> Self {
        self.note = match line {
            Some(line) if self.kind == ObjectKind::Signature && line.len() <= MAX_NOTE => Some(line.to_vec()),
            _ => None,
        };
        self
    }

    /// Creates an object from a raw encoding in an unknown scheme of the Falcon family. The
    /// function decodes the bytes to find the possible schemes.
    ///
    /// # Errors
    /// Returns the errors of [`FileObject::new`].
    pub fn detect(kind: ObjectKind, encoding: FileEncoding, bytes: Zeroizing<Vec<u8>>) -> Result<Self, Defect> {
        let mut object = Self::new(kind, ANY, encoding, bytes)?;
        let schemes = match (object.decodes_as(Scheme::FnDsa), object.decodes_as(Scheme::Falcon)) {
            (true, false) => FN_DSA,
            (false, true) if object.decodes_as(Scheme::FnDsa2024) => FALCON_OR_PREVIEW,
            // The signature has the compressed or the constant-time encoding, which FN-DSA-2024
            // does not have.
            (false, true) => FALCON,
            _ => ANY,
        };
        object.algorithms.retain(|algorithm| schemes.contains(&algorithm.scheme()));
        Ok(object)
    }

    /// Returns whether the length matches this scheme, and the bytes can be decoded in this scheme.
    fn decodes_as(&self, scheme: Scheme) -> bool {
        for algorithm in &self.algorithms {
            if algorithm.scheme() == scheme && self.kind.fits(*algorithm, &self.bytes) {
                return self.kind.decodes(scheme, &self.bytes);
            }
        }
        false
    }

    /// Reads a whole file as a raw encoding in the Falcon family. The first byte and the length
    /// determine the kind and the degree. Returns `None` if no kind has this first byte and this
    /// length. If the file can be decoded as a signature of `expected_algorithm`, the object has
    /// only this algorithm.
    pub(super) fn of_raw(data: &[u8], expected_algorithm: Option<Algorithm>) -> Result<Option<Self>, Defect> {
        for kind in ObjectKind::ALL {
            if has_raw_form(kind, data) {
                let bytes = Zeroizing::new(data.to_vec());
                let object = match expected_algorithm {
                    Some(expected_algorithm)
                        if kind == ObjectKind::Signature && kind.is_encoded(expected_algorithm, data) =>
                    {
                        Self::of_algorithm(kind, expected_algorithm, FileEncoding::Raw, bytes)?
                    }
                    _ => Self::detect(kind, FileEncoding::Raw, bytes)?,
                };
                return Ok(Some(object));
            }
        }
        Ok(None)
    }

    /// Splits a composite key into the ML-DSA key and the Ed25519 key, without containers. Returns
    /// `None` if this is not a composite key.
    pub fn halves(&self) -> Option<[Self; 2]> {
        let [first, second] = self.algorithm().halves()?;
        let len = match self.kind {
            ObjectKind::SigningKey => first.signing_key_len(),
            ObjectKind::VerifyingKey => first.verifying_key_len(),
            ObjectKind::Signature => return None,
        };
        let (first_bytes, second_bytes) = self.bytes.split_at_checked(len)?;
        let half = |algorithm, bytes: &[u8]| {
            Self::of_algorithm(self.kind, algorithm, FileEncoding::Raw, Zeroizing::new(bytes.to_vec())).ok()
        };
        Some([half(first, first_bytes)?, half(second, second_bytes)?])
    }

    /// Joins an ML-DSA key and an Ed25519 key to a composite key without a container. Returns
    /// `None` if there is no composite algorithm for these keys, if their kinds differ, or if the
    /// ML-DSA private key is not a seed.
    pub fn joined(lattice: &Self, classic: &Self) -> Option<Self> {
        let halves = Some([lattice.algorithm(), classic.algorithm()]);
        let algorithm = Algorithm::all().find(|algorithm| algorithm.halves() == halves)?;
        if lattice.kind != classic.kind || lattice.kind == ObjectKind::Signature {
            return None;
        }
        let mut bytes = Zeroizing::new(Vec::with_capacity(lattice.bytes.len() + classic.bytes.len()));
        bytes.extend_from_slice(&lattice.bytes);
        bytes.extend_from_slice(&classic.bytes);
        Self::of_algorithm(lattice.kind, algorithm, FileEncoding::Raw, bytes).ok()
    }

    /// Returns the algorithm that the library uses for this object: the first of
    /// [`Self::algorithms`].
    pub fn algorithm(&self) -> Algorithm {
        *self.algorithms.first().unwrap_or(&Algorithm::FN_DSA_512)
    }

    /// Returns whether this algorithm is among the object's possible algorithms.
    pub fn fits(&self, algorithm: Algorithm) -> bool {
        self.algorithms.contains(&algorithm)
    }

    /// Returns whether a possible algorithm has this scheme.
    pub(super) fn may_be(&self, scheme: Scheme) -> bool {
        self.algorithms.iter().any(|algorithm| algorithm.scheme() == scheme)
    }

    /// Returns the algorithms to which the bytes can belong. [`Self::algorithm`] is the first of
    /// them.
    pub fn algorithms(&self) -> &[Algorithm] {
        &self.algorithms
    }

    /// Returns the names of the possible algorithms that can sign, joined by ` or `. Returns `None`
    /// if both FN-DSA and Falcon are possible.
    pub fn names(&self) -> Option<String> {
        // If both schemes are possible, the file's contents do not determine the scheme.
        if self.may_be(Scheme::FnDsa) && self.may_be(Scheme::Falcon) {
            return None;
        }
        let mut names = Vec::new();
        for algorithm in &self.algorithms {
            if algorithm.scheme().can_sign() {
                names.push(algorithm.to_string());
            }
        }
        Some(names.join(" or "))
    }

    /// Restricts the object to this algorithm and returns true, if the algorithm is possible.
    /// Otherwise, returns false and leaves the object unchanged.
    pub fn narrow(&mut self, algorithm: Algorithm) -> bool {
        let is_possible = self.fits(algorithm);
        if is_possible {
            self.algorithms = vec![algorithm];
        }
        is_possible
    }

    /// Returns the OID in the container, if it identifies the object's algorithm. A program that
    /// writes the object to another file should keep this OID.
    pub fn oid(&self) -> Option<&Oid> {
        let oid = &self.container.as_ref()?.oid;
        if oid.algorithm() == Some(self.algorithm()) { Some(oid) } else { None }
    }

    /// Returns the pre-hash that the OID of a HashML-DSA key defines. Such a key must not sign
    /// messages with a different pre-hash or without a pre-hash. Returns `None` for all other keys.
    pub fn prehash(&self) -> Option<PreHash> {
        match self.container.as_ref()?.oid.identified_algorithm()? {
            IdentifiedAlgorithm::PreHashed(_, hash) => Some(hash),
            _ => None,
        }
    }

    /// Returns the attributes of a private key, as the content of a DER element. Returns `None` if
    /// the key has no attributes.
    pub fn attributes(&self) -> Option<&[u8]> {
        self.container.as_ref()?.attributes.as_deref()
    }

    /// Returns whether the object is in a container with this structure.
    pub fn is_in(&self, structure: ContainerStructure) -> bool {
        matches!(&self.container, Some(container) if container.structure == structure)
    }

    /// Returns whether the key was read from an authority's certificate.
    pub fn is_of_authority(&self) -> bool {
        matches!(&self.container, Some(container) if container.is_authority)
    }

    /// Returns a description of the encryption, or `None` if the file was not encrypted.
    pub fn encryption(&self) -> Option<&str> {
        match &self.container {
            Some(container) => container.encryption.as_deref(),
            None => self.password_encryption.as_deref(),
        }
    }
}
