//! Reads and writes the layouts of private keys inside the OCTET STRING `privateKey` of PKCS#8, for
//! all schemes except ML-DSA. Module `seed` does this for ML-DSA.
//!
//! | layout | content |
//! |---|---|
//! | raw | the private key as it is; FN-DSA keys and composites only have this layout |
//! | oqs-provider | OCTET STRING with private key and public key; the public key is optional |
//! | octets | OCTET STRING with the private key: Ed25519, as specified in RFC 8410 |
//! | BouncyCastle | SEQUENCE: INTEGER 0; OCTET STRING f, g, F; optional: SEQUENCE(OCTET STRING h) |
//!
//! BouncyCastle omits the first byte of both keys. For Falcon and for unknown algorithms, the first
//! byte of the content distinguishes the layouts, because no raw Falcon key starts with the tag of
//! an OCTET STRING or a SEQUENCE. The callers check that the keys have the correct lengths and that
//! the public key belongs to the private key. All data in this module is secret, except the public
//! key.

use super::der::{element, items_of, sequence};
use crate::api::{Algorithm, Degree, Scheme};
use alloc::vec::Vec;
use pkcs8::der::Tag;
use zeroize::Zeroizing;

/// The layout of the element `privateKey` in PKCS#8. Different programs use different layouts for a
/// private key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyLayout {
    /// The raw private key without a tag.
    Raw,
    /// The layout of oqs-provider: an OCTET STRING with the private key, and usually the public key
    /// after it. For ML-DSA, the private key is in expanded form.
    Oqs,
    /// An OCTET STRING with the private key, which is the layout for Ed25519.
    Octets,
    /// The layout of BouncyCastle, in which f, g and F are separate elements.
    BouncyCastle,
    /// The seed of an ML-DSA key.
    Seed,
    /// The expanded form of an ML-DSA key.
    Expanded,
    /// The seed and the expanded form of an ML-DSA key.
    Both,
    /// The seed of an ML-DSA key, without a tag. This layout is not in any standard.
    BareSeed,
    /// The expanded form of an ML-DSA key, without a tag. This layout is not in any standard.
    BarePriv,
}

/// The keys that the element `privateKey` contains.
pub(super) struct PrivateKeyContent {
    pub layout: KeyLayout,
    /// The private key in raw encoding.
    pub bytes: Zeroizing<Vec<u8>>,
    /// The public key in raw encoding, if the layout contains it.
    pub public: Option<Vec<u8>>,
    /// The expanded form of an ML-DSA private key, if the layout contains it after the seed.
    pub expanded: Option<Zeroizing<Vec<u8>>>,
}

impl PrivateKeyContent {
    /// Creates a value that contains only a copy of the private key `bytes`.
    pub fn new(layout: KeyLayout, bytes: &[u8]) -> Self {
        Self { layout, bytes: Zeroizing::new(bytes.to_vec()), public: None, expanded: None }
    }
}

impl KeyLayout {
    /// Returns the default layout of new private key files in a scheme.
    pub fn of(scheme: Scheme) -> Self {
        match scheme {
            Scheme::Falcon => Self::Oqs,
            Scheme::MlDsa => Self::Seed,
            #[cfg(feature = "ed25519")]
            Scheme::Ed25519 => Self::Octets,
            _ => Self::Raw,
        }
    }

    /// Returns whether private keys in a scheme can have this layout.
    pub(super) fn is_of(self, scheme: Scheme) -> bool {
        match self {
            Self::Raw => scheme == Scheme::Falcon || Self::of(scheme) == self,
            Self::Oqs => matches!(scheme, Scheme::Falcon | Scheme::MlDsa),
            Self::BouncyCastle => scheme == Scheme::Falcon,
            Self::Octets => Self::of(scheme) == self,
            Self::Seed | Self::Expanded | Self::Both | Self::BareSeed | Self::BarePriv => scheme == Scheme::MlDsa,
        }
    }

    /// Returns the name of the layout: `raw`, `oqs`, `octets` or `bouncycastle`. The layouts that
    /// only ML-DSA keys have are `seed`, `expanded`, `both`, `bare-seed` and `bare-priv`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Raw => "raw",
            Self::Oqs => "oqs",
            Self::Octets => "octets",
            Self::BouncyCastle => "bouncycastle",
            Self::Seed => "seed",
            Self::Expanded => "expanded",
            Self::Both => "both",
            Self::BareSeed => "bare-seed",
            Self::BarePriv => "bare-priv",
        }
    }

    /// Decodes the content of `privateKey` for Falcon or for an unknown algorithm. Returns `None`
    /// if the content starts like an OCTET STRING or SEQUENCE, but is not in the layout of
    /// oqs-provider or BouncyCastle.
    pub(super) fn open(content: &[u8]) -> Option<PrivateKeyContent> {
        match content.first() {
            Some(0x04) => open_oqs(content),
            Some(0x30) => open_bouncy_castle(content),
            _ => Some(PrivateKeyContent::new(Self::Raw, content)),
        }
    }

    /// Decodes the content of `privateKey` for Ed25519. Returns `None` if it is not an OCTET
    /// STRING.
    pub(super) fn open_octets(content: &[u8]) -> Option<PrivateKeyContent> {
        match items_of(content)?[..] {
            [(Tag::OctetString, key)] => Some(PrivateKeyContent::new(Self::Octets, key)),
            _ => None,
        }
    }

    /// Encodes the content of `privateKey` for a key. The result contains the public key if
    /// `public` is given and the layout can contain it.
    pub(super) fn wrap(self, algorithm: Algorithm, bytes: &[u8], public: Option<&[u8]>) -> Zeroizing<Vec<u8>> {
        match self {
            Self::Oqs => element(0x04, &[bytes, public.unwrap_or_default()]),
            Self::Octets => element(0x04, &[bytes]),
            Self::BouncyCastle => {
                let (_, body) = bytes.split_at(1.min(bytes.len()));
                let big_f_len = match algorithm.degree() {
                    Some(degree) => degree.n(),
                    None => 0,
                };
                let (fg, big_f) = body.split_at(body.len().saturating_sub(big_f_len));
                let (f, g) = fg.split_at(fg.len() / 2);
                let [f, g, big_f] = [f, g, big_f].map(|part| element(0x04, &[part]));
                let h = match public {
                    Some([_, h @ ..]) => element(0x30, &[&element(0x04, &[h])]),
                    _ => Zeroizing::default(),
                };
                element(0x30, &[&[0x02, 1, 0], &f, &g, &big_f, &h])
            }
            // Here, the layout is always `Raw`: all further layouts are for ML-DSA keys, and the
            // caller does not call this function for ML-DSA keys.
            _ => Zeroizing::new(bytes.to_vec()),
        }
    }
}

/// Decodes the layout of oqs-provider. Returns `None` if the content is not an OCTET STRING.
fn open_oqs(content: &[u8]) -> Option<PrivateKeyContent> {
    let items = items_of(content)?;
    let [(Tag::OctetString, keys)] = items[..] else { return None };
    for algorithm in Algorithm::of_scheme_with_toys(Scheme::Falcon) {
        if let Some((private, public)) = keys.split_at_checked(algorithm.signing_key_len())
            && public.len() == algorithm.verifying_key_len()
        {
            let public = Some(public.to_vec());
            return Some(PrivateKeyContent { public, ..PrivateKeyContent::new(KeyLayout::Oqs, private) });
        }
    }
    Some(PrivateKeyContent { public: None, ..PrivateKeyContent::new(KeyLayout::Oqs, keys) })
}

/// Decodes the layout of BouncyCastle, and adds the first bytes that BouncyCastle omits. Returns
/// `None` if the content does not have this layout, or if the lengths do not match a degree.
fn open_bouncy_castle(content: &[u8]) -> Option<PrivateKeyContent> {
    let items = sequence(content)?;
    let [(Tag::Integer, [0]), (Tag::OctetString, f), (Tag::OctetString, g), (Tag::OctetString, big_f), ref rest @ ..] =
        items[..]
    else {
        return None;
    };
    let degree = Degree::all().find(|degree| degree.n() == big_f.len())?;
    if f.len() != g.len() {
        return None;
    }
    let public = match *rest {
        [] => None,
        [(Tag::Sequence, public)] => {
            let items = items_of(public)?;
            let [(Tag::OctetString, h)] = items[..] else { return None };
            Some([&[degree.logn() as u8], h].concat())
        }
        _ => return None,
    };
    let mut bytes = Zeroizing::new(Vec::with_capacity(1 + f.len() + g.len() + big_f.len()));
    bytes.push(0x50 | degree.logn() as u8);
    for part in [f, g, big_f] {
        bytes.extend_from_slice(part);
    }
    Some(PrivateKeyContent { layout: KeyLayout::BouncyCastle, bytes, public, expanded: None })
}
