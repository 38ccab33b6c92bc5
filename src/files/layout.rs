//! Layouts of Falcon private keys inside the OCTET STRING `privateKey` of PKCS#8. Module `seed`
//! describes the layouts for ML-DSA.
//!
//! | layout | content |
//! |---|---|
//! | raw | the private key as it is; FN-DSA keys only have this layout |
//! | oqs-provider | OCTET STRING with private key and public key; the public key is optional |
//! | octets | OCTET STRING with the private key: Ed25519, as specified in RFC 8410 |
//! | BouncyCastle | SEQUENCE: INTEGER 0; OCTET STRING f, g, F; optional: SEQUENCE(OCTET STRING h) |
//!
//! BouncyCastle omits the first byte in each key. The layouts can be distinguished by the first
//! byte of the content, because no key starts like DER. The callers check the key lengths, and
//! check that the public key belongs to the private key. All data in this module is secret, except
//! the public key.

use super::der::{element, items_of, sequence};
use crate::api::{Algorithm, Degree, Scheme};
use alloc::vec::Vec;
use pkcs8::der::Tag;
use zeroize::Zeroizing;

/// The layout of a private key in PKCS#8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyLayout {
    /// The private key as it is.
    Raw,
    /// The layout from oqs-provider: the public key follows the private key.
    Oqs,
    /// Ed25519: an OCTET STRING with the private key.
    Octets,
    /// The layout from BouncyCastle: each polynomial is a separate element.
    BouncyCastle,
    /// ML-DSA: the seed alone.
    Seed,
    /// ML-DSA: the expanded key alone.
    Expanded,
    /// ML-DSA: seed and expanded key.
    Both,
    /// ML-DSA: the seed without a tag, which is not in any standard.
    BareSeed,
    /// ML-DSA: the expanded key without a tag, which is not in any standard.
    BarePriv,
}

/// The keys in a `privateKey`.
pub(super) struct PrivateKeyContent {
    pub layout: KeyLayout,
    /// The private key in raw encoding.
    pub bytes: Zeroizing<Vec<u8>>,
    /// The public key in raw encoding, if it follows the private key.
    pub public: Option<Vec<u8>>,
    /// An ML-DSA private key in expanded form, if it follows the seed.
    pub expanded: Option<Zeroizing<Vec<u8>>>,
}

impl PrivateKeyContent {
    /// Creates a value with the private key `bytes`, without other keys.
    pub fn new(layout: KeyLayout, bytes: &[u8]) -> Self {
        Self { layout, bytes: Zeroizing::new(bytes.to_vec()), public: None, expanded: None }
    }
}

impl KeyLayout {
    /// Returns the default layout for private keys in a scheme.
    pub fn of(scheme: Scheme) -> Self {
        match scheme {
            Scheme::Falcon => Self::Oqs,
            Scheme::MlDsa => Self::Seed,
            #[cfg(feature = "ed25519")]
            Scheme::Ed25519 => Self::Octets,
            _ => Self::Raw,
        }
    }

    /// Returns whether a scheme's private keys can have this layout.
    pub(super) fn is_of(self, scheme: Scheme) -> bool {
        match self {
            Self::Raw => Scheme::FALCON_FAMILY.contains(&scheme),
            Self::Oqs => matches!(scheme, Scheme::Falcon | Scheme::MlDsa),
            Self::BouncyCastle => scheme == Scheme::Falcon,
            Self::Octets => Self::of(scheme) == self,
            Self::Seed | Self::Expanded | Self::Both | Self::BareSeed | Self::BarePriv => scheme == Scheme::MlDsa,
        }
    }

    /// Returns the layout's name: `raw`, `oqs`, `octets` or `bouncycastle`; for ML-DSA, `seed`,
    /// `expanded`, `both`, `bare-seed` or `bare-priv`.
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

    /// Reads the content of `privateKey` in any layout; `None` if it starts like DER, but does not
    /// have such a layout.
    pub(super) fn open(content: &[u8]) -> Option<PrivateKeyContent> {
        match content.first() {
            Some(0x04) => open_oqs(content),
            Some(0x30) => open_bouncy_castle(content),
            _ => Some(PrivateKeyContent::new(Self::Raw, content)),
        }
    }

    /// Reads the content of `privateKey` if it is an OCTET STRING with the private key, or returns
    /// `None`.
    pub(super) fn open_octets(content: &[u8]) -> Option<PrivateKeyContent> {
        match items_of(content)?[..] {
            [(Tag::OctetString, key)] => Some(PrivateKeyContent::new(Self::Octets, key)),
            _ => None,
        }
    }

    /// Returns the content of `privateKey` for a key. The public key is included if it is given and
    /// the layout supports it.
    pub(super) fn wrap(self, algorithm: Algorithm, bytes: &[u8], public: Option<&[u8]>) -> Zeroizing<Vec<u8>> {
        match self {
            Self::Oqs => element(0x04, &[bytes, public.unwrap_or_default()]),
            Self::Octets => element(0x04, &[bytes]),
            Self::BouncyCastle => {
                let (_, body) = bytes.split_at(1.min(bytes.len()));
                let (fg, big_f) = body.split_at(body.len().saturating_sub(algorithm.degree().map_or(0, Degree::n)));
                let (f, g) = fg.split_at(fg.len() / 2);
                let [f, g, big_f] = [f, g, big_f].map(|part| element(0x04, &[part]));
                let h = public.and_then(|public| Some(element(0x30, &[&element(0x04, &[public.get(1..)?])])));
                element(0x30, &[&[0x02, 1, 0], &f, &g, &big_f, h.as_ref().map_or(&[], |h| h)])
            }
            // This function is not called for ML-DSA keys.
            _ => Zeroizing::new(bytes.to_vec()),
        }
    }
}

fn open_oqs(content: &[u8]) -> Option<PrivateKeyContent> {
    let items = items_of(content)?;
    let [(Tag::OctetString, keys)] = items[..] else { return None };
    let both = Algorithm::of_scheme_with_toys(Scheme::Falcon).find_map(|algorithm| {
        let (private, public) = keys.split_at_checked(algorithm.signing_key_len())?;
        (public.len() == algorithm.verifying_key_len()).then_some((private, Some(public.to_vec())))
    });
    let (private, public) = both.unwrap_or((keys, None));
    Some(PrivateKeyContent { public, ..PrivateKeyContent::new(KeyLayout::Oqs, private) })
}

fn open_bouncy_castle(content: &[u8]) -> Option<PrivateKeyContent> {
    let items = sequence(content)?;
    let [(Tag::Integer, [0]), (Tag::OctetString, f), (Tag::OctetString, g), (Tag::OctetString, big_f), ref rest @ ..] =
        items[..]
    else {
        return None;
    };
    let degree = Degree::all().find(|degree| degree.n() == big_f.len()).filter(|_| f.len() == g.len())?;
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
    [f, g, big_f].iter().for_each(|part| bytes.extend_from_slice(part));
    Some(PrivateKeyContent { layout: KeyLayout::BouncyCastle, bytes, public, expanded: None })
}
