//! A key or signature as a file holds it: the encoding, what it may be of, and what its container says.

use super::accept::Accept;
use super::defect::Defect;
use super::encoding::Encoding;
use super::hex::from_hex;
use super::kind::{ANY, FALCON, FALCON_OR_PREVIEW, FN_DSA, Kind, Schemes};
use super::layout::Layout;
use super::oid::{Named, Oid};
use crate::api::{Algorithm, Level, PreHash, Scheme};
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use zeroize::Zeroizing;

/// What a container says beside the key.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Container {
    /// The structure of the file; of an encrypted private key the one that was inside.
    pub structure: Structure,
    /// The identifier of the algorithm.
    pub oid: Oid,
    /// How the private key is laid out.
    pub layout: Layout,
    /// The encoding of the public key that stands in a private key file. Nobody has compared it with the private key.
    pub public: Option<Vec<u8>>,
    /// The content of the attributes of a private key, as DER; `None` if it has no attributes.
    pub attributes: Option<Vec<u8>>,
    /// How the file was encrypted, in words; `None` if it was not.
    pub encryption: Option<String>,
    /// Whether the file is the certificate of an authority, so that its key signs certificates.
    pub is_authority: bool,
}

/// The structure of a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Structure {
    /// PKCS#8 PrivateKeyInfo or OneAsymmetricKey.
    Private,
    /// SubjectPublicKeyInfo.
    Public,
    /// PKCS#8 EncryptedPrivateKeyInfo.
    Encrypted,
    /// An X.509 certificate, for the public key in it.
    Certificate,
}

/// The PEM labels, RFC 7468.
const LABELS: [(Structure, &str); 4] = [
    (Structure::Private, "PRIVATE KEY"),
    (Structure::Public, "PUBLIC KEY"),
    (Structure::Encrypted, "ENCRYPTED PRIVATE KEY"),
    (Structure::Certificate, "CERTIFICATE"),
];

impl Structure {
    /// Returns the structure with this PEM label, if there is one.
    pub(super) fn of_label(label: &str) -> Option<Self> {
        LABELS.iter().find(|row| row.1 == label).map(|row| row.0)
    }

    /// Returns the PEM label, which is that of RFC 7468.
    pub fn label(self) -> &'static str {
        LABELS[self as usize].1
    }

    /// Returns whether it holds nothing secret.
    pub(super) fn is_public(self) -> bool {
        matches!(self, Self::Public | Self::Certificate)
    }

    /// Returns what people call it, with its article.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Private => "a PKCS#8 private key",
            Self::Public => "an X.509 (SPKI) public key",
            Self::Encrypted => "an encrypted PKCS#8 private key",
            Self::Certificate => "an X.509 certificate",
        }
    }

    /// Returns the defect of a file of this structure that cannot be read.
    pub(super) fn damaged(self, why: &'static str) -> Defect {
        Defect::Container { what: self.name(), why }
    }
}

/// A key or signature whose kind and length are right; its content is not checked yet:
/// [`Self::signing_key`], [`Self::verifying_key`] and [`Self::signature`] check it.
#[non_exhaustive]
pub struct Object {
    /// Whether it is a private key, a public key or a signature.
    pub kind: Kind,
    /// The algorithms that it may be of, the one that it is taken for first.
    algorithms: Vec<Algorithm>,
    /// How the file holds it.
    pub encoding: Encoding,
    /// The raw encoding. It is secret if this is a private key.
    pub bytes: Zeroizing<Vec<u8>>,
    /// What PKCS#8, SPKI or a certificate says beside the key; `None` where the file has no container.
    pub container: Option<Container>,
    /// The expanded form of a private key of ML-DSA, where the file has that beside the seed, which is in `bytes`. It is
    /// secret. Nobody has compared the two.
    pub expanded: Option<Zeroizing<Vec<u8>>>,
    /// The line before the PEM block of a signature, byte for byte, if it is not longer than 1024 bytes. Nothing of it
    /// is proven.
    pub note: Option<Vec<u8>>,
}

/// Returns whether a file is text, in UTF-8 or in UTF-16. Of a raw encoding of ML-DSA a look at its first bytes, which are public,
/// tells that it is none.
pub(super) fn is_text(data: &[u8]) -> bool {
    let is_utf8 = core::str::from_utf8(data).is_ok_and(|s| !s.chars().any(|c| c.is_control() && !c.is_whitespace()));
    let is_wide = data.starts_with(b"\xff\xfe") || data.starts_with(b"\xfe\xff");
    is_utf8 || is_wide && data.chunks_exact(2).take(16).skip(1).all(|pair| pair.contains(&0))
}

/// The bytes of a raw key, and whether the file has them as bytes or as digits.
type RawKey = (Encoding, Zeroizing<Vec<u8>>);

/// Returns the bytes of a file that is `len` bytes, or twice as many hexadecimal digits with white
/// space between them, and which of the two forms it has. `None` if it is neither.
///
/// # Errors
/// The file is hexadecimal digits alone, and their number is another.
fn raw_or_digits(data: &[u8], len: usize) -> Result<Option<RawKey>, Defect> {
    if data.len() == len {
        return Ok(Some((Encoding::Raw, Zeroizing::new(data.to_vec()))));
    }
    // Longer files may be raw private keys of other forms, on whose bytes no branch may depend. The
    // places of white space between digits are no secret.
    if data.len() > 8 * len {
        return Ok(None);
    }
    let mut digits = Zeroizing::new(Vec::with_capacity(data.len()));
    digits.extend(data.iter().filter(|byte| !byte.is_ascii_whitespace()));
    if digits.len() == 2 * len {
        return Ok(from_hex(&digits).ok().map(|bytes| (Encoding::Hex, Zeroizing::new(bytes))));
    }
    let are_digits = !digits.is_empty() && digits.len() <= 4 * len && digits.iter().all(u8::is_ascii_hexdigit);
    if are_digits { Err(Defect::Digits(digits.len())) } else { Ok(None) }
}

/// Returns whether a file begins like a key or certificate in DER: a long SEQUENCE that begins with another one or with
/// the version 0 or 1.
fn begins_like_der(data: &[u8]) -> bool {
    let inner = match data {
        [0x30, 0x82, _, _, inner @ ..] | [0x30, 0x81, _, inner @ ..] => inner,
        _ => return false,
    };
    matches!(inner, [0x30, 0x82, ..] | [0x30, _, 0x06, ..] | [0x02, 0x01, 0x00 | 0x01, ..])
}

/// Returns the kind of a raw encoding of `len` bytes of ML-DSA or Ed25519; `None` if there is no such encoding.
fn kind_of_length(algorithm: Algorithm, len: usize) -> Option<Kind> {
    if algorithm.expanded_form_len() == Some(len) {
        Some(Kind::SigningKey)
    } else if algorithm.verifying_key_len() == len && len != algorithm.signing_key_len() {
        // A raw key of Ed25519 is as long as a seed.
        Some(Kind::VerifyingKey)
    } else if algorithm.signature_len() == len {
        Some(Kind::Signature)
    } else {
        None
    }
}

/// The longest line before the block of a signature that is kept, in bytes. Lines that this program
/// writes are shorter.
pub const MAX_NOTE: usize = 1024;

impl Object {
    /// Takes the raw encoding `bytes` for one of the `schemes`. The first byte tells the degree, in ML-DSA the length the algorithm.
    ///
    /// # Errors
    /// There is no byte, no key or signature of this kind has such a first byte, or the length is none of any of the
    /// schemes.
    pub fn new(kind: Kind, schemes: Schemes, encoding: Encoding, bytes: Zeroizing<Vec<u8>>) -> Result<Self, Defect> {
        let Some(&first) = bytes.first() else { return Err(Defect::NoBody) };
        let mut every = Vec::new();
        for scheme in schemes {
            every.extend(Algorithm::of_scheme_with_toys(*scheme));
        }
        let algorithms: Vec<_> = every.iter().copied().filter(|algorithm| kind.says(*algorithm, &bytes)).collect();
        let Some(&algorithm) = algorithms.first() else {
            // An algorithm without a first byte is told by its length, so the length is wrong.
            every.retain(|algorithm| algorithm.degree().is_none());
            let nearest = every.into_iter().min_by_key(|algorithm| kind.len(*algorithm).abs_diff(bytes.len()));
            return Err(match nearest {
                Some(algorithm) => Defect::Length { expected: kind.len(algorithm), found: bytes.len() },
                None => Defect::FirstByte { kind, first },
            });
        };
        if !algorithms.iter().any(|algorithm| kind.fits(*algorithm, &bytes)) {
            let expected = kind.len(algorithm);
            let found = bytes.len();
            let several = kind == Kind::Signature && algorithm.scheme().encodings().len() > 1;
            return Err(if several {
                Defect::SignatureLength { expected, found }
            } else {
                Defect::Length { expected, found }
            });
        }
        Ok(Self { kind, algorithms, encoding, bytes, container: None, expanded: None, note: None })
    }

    /// Takes the raw encoding `bytes` for one of an algorithm whose encodings are told by their lengths.
    ///
    /// # Errors
    /// The length is another.
    pub(super) fn of_algorithm(
        kind: Kind,
        algorithm: Algorithm,
        encoding: Encoding,
        bytes: Zeroizing<Vec<u8>>,
    ) -> Result<Self, Defect> {
        if bytes.is_empty() {
            return Err(Defect::NoBody);
        }
        if !kind.fits(algorithm, &bytes) {
            return Err(Defect::Length { expected: kind.len(algorithm), found: bytes.len() });
        }
        let algorithms = vec![algorithm];
        Ok(Self { kind, algorithms, encoding, bytes, container: None, expanded: None, note: None })
    }

    /// Takes a whole file for a raw encoding of ML-DSA or Ed25519, which has no mark but its
    /// length. If the reader names the algorithm, that is asked first: 32 bytes are a seed of
    /// ML-DSA or a key of Ed25519, also as hexadecimal digits, and 64 bytes may be a seed of
    /// Ed25519 and its public key. `None` if the length is another, or the file is a text or begins
    /// like DER.
    ///
    /// # Errors
    /// The file can be a key of the algorithm named, and it does not say which, or has a defect.
    pub(super) fn of_length(data: &[u8], accept: &Accept) -> Result<Option<Self>, Defect> {
        let len = data.len();
        if let Some(algorithm) = accept.algorithm.filter(|algorithm| algorithm.degree().is_none())
            && let Some(object) = Self::of_named(data, algorithm, accept.kind)?
        {
            return Ok(Some(object));
        }
        let mut of_length = Algorithm::all().filter(|algorithm| algorithm.degree().is_none());
        let Some((kind, algorithm)) =
            of_length.find_map(|algorithm| Some((kind_of_length(algorithm, len)?, algorithm)))
        else {
            return Ok(None);
        };
        // The length comes first: the bytes of other private keys are not looked at.
        if is_text(data) || begins_like_der(data) {
            return Ok(None);
        }
        Ok(Self::of_algorithm(kind, algorithm, Encoding::Raw, Zeroizing::new(data.to_vec())).ok())
    }

    /// Takes a whole file for a raw private key, or a raw key of Ed25519, of the algorithm that the
    /// reader names.
    fn of_named(data: &[u8], algorithm: Algorithm, wanted: Option<Kind>) -> Result<Option<Self>, Defect> {
        let is_classic = algorithm.expanded_form_len().is_none();
        let len = algorithm.signing_key_len();
        if is_classic && data.len() == len + algorithm.verifying_key_len() {
            return Self::of_seed_and_public(data, algorithm, wanted);
        }
        let (encoding, bytes) = match raw_or_digits(data, len)? {
            Some(found) => found,
            None => return Ok(None),
        };
        let kind = match wanted {
            Some(Kind::VerifyingKey) if is_classic => Kind::VerifyingKey,
            None if is_classic => return Err(Defect::EitherKey),
            _ => Kind::SigningKey,
        };
        Self::of_algorithm(kind, algorithm, encoding, bytes).map(Some)
    }

    /// Takes a file for a seed of Ed25519 and its public key, as Go writes private keys. A
    /// signature has the same length, so the public key decides if the reader wants any kind.
    /// `None` if the file is something else.
    fn of_seed_and_public(data: &[u8], algorithm: Algorithm, wanted: Option<Kind>) -> Result<Option<Self>, Defect> {
        if wanted.is_some_and(|wanted| wanted != Kind::SigningKey) {
            return Ok(None);
        }
        let (seed, public) = data.split_at(algorithm.signing_key_len());
        let seed = Zeroizing::new(seed.to_vec());
        let object = Self::of_algorithm(Kind::SigningKey, algorithm, Encoding::Raw, seed)?;
        let is_pair = object.private_key(Level::detect()).is_ok_and(|key| key.public == public);
        match wanted {
            _ if is_pair => Ok(Some(object)),
            Some(_) => Err(Defect::PublicDiffers),
            None => Ok(None),
        }
    }

    /// Keeps the line that stands before the block, if this is a signature.
    pub(super) fn noted(mut self, line: Option<&[u8]>) -> Self {
        let line = line.filter(|line| self.kind == Kind::Signature && line.len() <= MAX_NOTE);
        self.note = line.map(<[u8]>::to_vec);
        self
    }

    /// Takes the raw encoding `bytes` for one of any scheme: the content tells which, as far as it can.
    ///
    /// # Errors
    /// Those of [`Object::new`].
    pub fn detect(kind: Kind, encoding: Encoding, bytes: Zeroizing<Vec<u8>>) -> Result<Self, Defect> {
        let mut object = Self::new(kind, ANY, encoding, bytes)?;
        let is = [Scheme::FnDsa, Scheme::Falcon, Scheme::FnDsa2024].map(|scheme| object.decodes_as(scheme));
        let schemes = match (is[0], is[1], is[2]) {
            (true, false, _) => FN_DSA,
            (false, true, true) => FALCON_OR_PREVIEW,
            // Signatures of these lengths are of Falcon alone.
            (false, true, false) => FALCON,
            _ => ANY,
        };
        object.algorithms.retain(|algorithm| schemes.contains(&algorithm.scheme()));
        Ok(object)
    }

    /// Returns whether the bytes are an encoding of a scheme.
    fn decodes_as(&self, scheme: Scheme) -> bool {
        let mut of_scheme = self.algorithms.iter().filter(|algorithm| algorithm.scheme() == scheme);
        of_scheme.any(|algorithm| self.kind.fits(*algorithm, &self.bytes)) && self.kind.decodes(scheme, &self.bytes)
    }

    /// Takes a whole file for a raw encoding: kind and degree come from first byte and length. `None` if no kind has
    /// them.
    pub(super) fn of_raw(data: &[u8]) -> Result<Option<Self>, Defect> {
        for kind in Kind::ALL {
            let mut every = ANY.iter().flat_map(|scheme| Algorithm::of_scheme_with_toys(*scheme));
            if every.any(|algorithm| kind.says(algorithm, data) && kind.fits(algorithm, data)) {
                return Self::detect(kind, Encoding::Raw, Zeroizing::new(data.to_vec())).map(Some);
            }
        }
        Ok(None)
    }

    /// Returns the algorithm that the object is taken for, the first of those that it may be of.
    pub fn algorithm(&self) -> Algorithm {
        *self.algorithms.first().unwrap_or(&Algorithm::FN_DSA_512)
    }

    /// Returns whether the object may be of this algorithm.
    pub fn fits(&self, algorithm: Algorithm) -> bool {
        self.algorithms.contains(&algorithm)
    }

    /// Returns whether the object may be of a scheme.
    pub(super) fn may_be(&self, scheme: Scheme) -> bool {
        self.algorithms.iter().any(|algorithm| algorithm.scheme() == scheme)
    }

    /// Returns the algorithms that the object may be of, the one that it is taken for first.
    pub fn algorithms(&self) -> &[Algorithm] {
        &self.algorithms
    }

    /// Returns the algorithms that the object may be of, in words. `None` if the content fits no scheme.
    pub fn names(&self) -> Option<String> {
        let names = self.algorithms.iter().filter(|algorithm| algorithm.scheme().can_sign());
        let names: Vec<_> = names.map(Algorithm::to_string).collect();
        // What could be of both is of neither.
        let is_told = !(self.may_be(Scheme::FnDsa) && self.may_be(Scheme::Falcon));
        is_told.then(|| names.join(" or "))
    }

    /// Takes the object for one of this algorithm from now on, and returns whether it can be one. If not, nothing
    /// changes.
    pub fn narrow(&mut self, algorithm: Algorithm) -> bool {
        let fits = self.fits(algorithm);
        if fits {
            self.algorithms = vec![algorithm];
        }
        fits
    }

    /// Returns the identifier in the container, if it stands for the algorithm of the object: a file that is written
    /// anew keeps that identifier.
    pub fn oid(&self) -> Option<&Oid> {
        let oid = &self.container.as_ref()?.oid;
        if oid.algorithm() == Some(self.algorithm()) { Some(oid) } else { None }
    }

    /// Returns the pre-hash that the key is for: the identifier of a key of HashML-DSA names it,
    /// and the key signs no message in another form. `None` if the key is for messages in any form.
    pub fn prehash(&self) -> Option<PreHash> {
        match self.container.as_ref()?.oid.named()? {
            Named::PreHashed(_, hash) => Some(hash),
            _ => None,
        }
    }

    /// Returns the content of the attributes of a private key, as DER; `None` if it has no
    /// attributes.
    pub fn attributes(&self) -> Option<&[u8]> {
        self.container.as_ref()?.attributes.as_deref()
    }

    /// Returns whether the object is in a container of that structure.
    pub fn is_in(&self, structure: Structure) -> bool {
        self.container.as_ref().is_some_and(|container| container.structure == structure)
    }

    /// Returns whether the object is in the certificate of an authority.
    pub fn is_of_authority(&self) -> bool {
        self.container.as_ref().is_some_and(|container| container.is_authority)
    }

    /// Returns how the file was encrypted, in words; `None` if it was not.
    pub fn encryption(&self) -> Option<&str> {
        self.container.as_ref()?.encryption.as_deref()
    }
}
