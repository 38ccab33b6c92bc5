//! A key or signature as a file holds it: the encoding, what it may be of, and what its container says.

use super::defect::Defect;
use super::encoding::Encoding;
use super::kind::{ANY, FALCON, FALCON_OR_PREVIEW, FN_DSA, Kind, Schemes};
use super::layout::Layout;
use super::oid::{Named, Oid};
use crate::{Algorithm, Degree, Scheme};
use alloc::string::{String, ToString};
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
    /// How the file was encrypted, in words; `None` if it was not.
    pub encryption: Option<String>,
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
/// [`SigningKey::from_bytes`](crate::SigningKey::from_bytes) and its neighbours do that.
#[non_exhaustive]
pub struct Object {
    /// Whether it is a private key, a public key or a signature.
    pub kind: Kind,
    /// The degree, from the first byte.
    degree: Degree,
    /// The schemes that it may be of.
    schemes: Schemes,
    /// How the file holds it.
    pub encoding: Encoding,
    /// The raw encoding. It is secret if this is a private key.
    pub bytes: Zeroizing<Vec<u8>>,
    /// What PKCS#8, SPKI or a certificate says beside the key; `None` where the file has no container.
    pub container: Option<Container>,
    /// The line before the PEM block of a signature, byte for byte, if it is not longer than 1024 bytes. Nothing of it
    /// is proven.
    pub note: Option<Vec<u8>>,
}

/// The longest line that is kept, in bytes. Lines that this program writes are shorter.
const MAX_NOTE: usize = 1024;

impl Object {
    /// Takes the raw encoding `bytes` for one of the `schemes`. The degree comes from the first byte.
    ///
    /// # Errors
    /// There is no byte, no key or signature of this kind has such a first byte, or the length is none of any of the
    /// schemes.
    pub fn new(kind: Kind, schemes: Schemes, encoding: Encoding, bytes: Zeroizing<Vec<u8>>) -> Result<Self, Defect> {
        let Some(&first) = bytes.first() else { return Err(Defect::NoBody) };
        let degree = kind.degree(first).ok_or(Defect::FirstByte { kind, first })?;
        let of = |scheme: &Scheme| Algorithm::new(*scheme, degree);
        if !schemes.iter().any(|scheme| kind.fits(of(scheme), &bytes)) {
            let algorithm = of(schemes.first().unwrap_or(&Scheme::FnDsa));
            let expected = kind.len(algorithm);
            let found = bytes.len();
            let several = kind == Kind::Signature && algorithm.scheme().encodings().len() > 1;
            return Err(if several {
                Defect::SignatureLength { expected, found }
            } else {
                Defect::Length { expected, found }
            });
        }
        Ok(Self { kind, degree, schemes, encoding, bytes, container: None, note: None })
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
        let is = |scheme: Scheme| {
            kind.fits(Algorithm::new(scheme, object.degree), &object.bytes) && kind.decodes(scheme, &object.bytes)
        };
        object.schemes = match (is(Scheme::FnDsa), is(Scheme::Falcon), is(Scheme::FnDsa2024)) {
            (true, false, _) => FN_DSA,
            (false, true, true) => FALCON_OR_PREVIEW,
            // Signatures of these lengths are of Falcon alone.
            (false, true, false) => FALCON,
            _ => ANY,
        };
        Ok(object)
    }

    /// Takes a whole file for a raw encoding: kind and degree come from first byte and length. `None` if no kind has
    /// them.
    pub(super) fn of_raw(data: &[u8]) -> Result<Option<Self>, Defect> {
        let Some(&first) = data.first() else { return Ok(None) };
        let fits = |kind: &Kind| {
            let degree = kind.degree(first);
            degree.is_some_and(|degree| ANY.iter().any(|s| kind.fits(Algorithm::new(*s, degree), data)))
        };
        let kind = Kind::ALL.into_iter().find(fits);
        kind.map(|kind| Self::detect(kind, Encoding::Raw, Zeroizing::new(data.to_vec()))).transpose()
    }

    /// Returns the algorithm that the object is taken for, the first of those that it may be of.
    pub fn algorithm(&self) -> Algorithm {
        Algorithm::new(*self.schemes.first().unwrap_or(&Scheme::FnDsa), self.degree)
    }

    /// Returns whether the object may be of this algorithm.
    pub fn fits(&self, algorithm: Algorithm) -> bool {
        self.degree == algorithm.degree() && self.may_be(algorithm.scheme())
    }

    /// Returns whether the object may be of a scheme.
    pub(super) fn may_be(&self, scheme: Scheme) -> bool {
        self.schemes.contains(&scheme)
    }

    /// Returns the schemes that the object may be of.
    pub fn schemes(&self) -> Schemes {
        self.schemes
    }

    /// Returns the algorithms that the object may be of, in words. `None` if the content fits no scheme.
    pub fn names(&self) -> Option<String> {
        let names = self.schemes.iter().filter(|scheme| scheme.can_sign());
        let names: Vec<_> = names.map(|scheme| Algorithm::new(*scheme, self.degree).to_string()).collect();
        (self.schemes != ANY).then(|| names.join(" or "))
    }

    /// Takes the object for one of this algorithm from now on, and returns whether it can be one. If not, nothing
    /// changes.
    pub fn narrow(&mut self, algorithm: Algorithm) -> bool {
        let one = Scheme::ALL.iter().position(|scheme| *scheme == algorithm.scheme());
        match one.and_then(|i| Scheme::ALL.get(i..=i)) {
            Some(one) if self.fits(algorithm) => {
                self.schemes = one;
                true
            }
            _ => false,
        }
    }

    /// Returns the identifier in the container, if it stands for the algorithm of the object: a file that is written
    /// anew keeps that identifier.
    pub fn oid(&self) -> Option<&Oid> {
        let own = |oid: &&Oid| oid.named() == Some(Named::Own(self.algorithm()));
        self.container.as_ref().map(|container| &container.oid).filter(own)
    }

    /// Returns whether the object is in a container of that structure.
    pub fn is_in(&self, structure: Structure) -> bool {
        self.container.as_ref().is_some_and(|container| container.structure == structure)
    }

    /// Returns how the file was encrypted, in words; `None` if it was not.
    pub fn encryption(&self) -> Option<&str> {
        self.container.as_ref()?.encryption.as_deref()
    }
}
