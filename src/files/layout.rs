//! How programs lay out a private key of Falcon inside the OCTET STRING `privateKey` of PKCS#8. Module `seed` has the forms of
//! ML-DSA.
//!
//! | layout | content |
//! |---|---|
//! | raw | the private key as it is; keys of FN-DSA have no other layout |
//! | oqs-provider | OCTET STRING of private key and public key; without the latter too |
//! | octets | OCTET STRING of the private key: Ed25519, as RFC 8410 has it |
//! | BouncyCastle | SEQUENCE of INTEGER 0, OCTET STRING f, g, F, and a SEQUENCE of OCTET STRING h, or without it |
//!
//! BouncyCastle leaves out the first bytes of the keys. The first byte of the content tells the layouts apart: no key
//! begins like DER. Whether the lengths are those of a key, and the public key that of the private key, is checked by
//! the callers. Everything here is secret but the public key.

use super::der::{element, items_of, sequence};
use crate::api::{Algorithm, Degree, Scheme};
use alloc::vec::Vec;
use pkcs8::der::Tag;
use zeroize::Zeroizing;

/// How a private key stands in PKCS#8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Layout {
    /// The private key as it is.
    Raw,
    /// As oqs-provider writes it: the public key behind the private one.
    Oqs,
    /// Ed25519: an OCTET STRING of the private key.
    Octets,
    /// As BouncyCastle writes it: each polynomial for itself.
    BouncyCastle,
    /// ML-DSA: the seed alone.
    Seed,
    /// ML-DSA: the expanded key alone.
    Expanded,
    /// ML-DSA: seed and expanded key.
    Both,
    /// ML-DSA: the seed without a tag, which no standard has.
    BareSeed,
    /// ML-DSA: the expanded key without a tag, which no standard has.
    BarePriv,
}

/// The keys in a `privateKey`.
pub(super) struct Opened {
    /// The layout.
    pub layout: Layout,
    /// The private key, as raw encoding.
    pub bytes: Zeroizing<Vec<u8>>,
    /// The public key beside it, as raw encoding.
    pub public: Option<Vec<u8>>,
    /// The expanded form of a private key of ML-DSA beside its seed.
    pub expanded: Option<Zeroizing<Vec<u8>>>,
}

impl Opened {
    /// Takes the private key `bytes` with nothing beside it.
    pub fn new(layout: Layout, bytes: &[u8]) -> Self {
        Self { layout, bytes: Zeroizing::new(bytes.to_vec()), public: None, expanded: None }
    }
}

impl Layout {
    /// Returns the layout that private keys of a scheme are written in where no other is asked for.
    pub fn of(scheme: Scheme) -> Self {
        match scheme {
            Scheme::Falcon => Self::Oqs,
            Scheme::MlDsa => Self::Seed,
            #[cfg(feature = "ed25519")]
            Scheme::Ed25519 => Self::Octets,
            _ => Self::Raw,
        }
    }

    /// Returns whether private keys of a scheme have this layout.
    pub(super) fn is_of(self, scheme: Scheme) -> bool {
        match self {
            Self::Raw => Scheme::FALCON_FAMILY.contains(&scheme),
            Self::Oqs => matches!(scheme, Scheme::Falcon | Scheme::MlDsa),
            Self::BouncyCastle => scheme == Scheme::Falcon,
            Self::Octets => Self::of(scheme) == self,
            Self::Seed | Self::Expanded | Self::Both | Self::BareSeed | Self::BarePriv => scheme == Scheme::MlDsa,
        }
    }

    /// Returns its name: `raw`, `oqs`, `octets`, `bouncycastle`; in ML-DSA `seed`, `expanded`, `both`, `bare-seed` or `bare-priv`.
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

    /// Reads the content of a `privateKey` in any layout; `None` if it begins like DER and is none of them.
    pub(super) fn open(content: &[u8]) -> Option<Opened> {
        match content.first() {
            Some(0x04) => open_oqs(content),
            Some(0x30) => open_bouncy_castle(content),
            _ => Some(Opened::new(Self::Raw, content)),
        }
    }

    /// Reads the content of a `privateKey` that is an OCTET STRING of the private key; `None` if it is something else.
    pub(super) fn open_octets(content: &[u8]) -> Option<Opened> {
        match items_of(content)?[..] {
            [(Tag::OctetString, key)] => Some(Opened::new(Self::Octets, key)),
            _ => None,
        }
    }

    /// Returns the content of `privateKey` for a key, with the public key where it is given and the layout has a place
    /// for it.
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
            // Keys of ML-DSA do not come here.
            _ => Zeroizing::new(bytes.to_vec()),
        }
    }
}

fn open_oqs(content: &[u8]) -> Option<Opened> {
    let items = items_of(content)?;
    let [(Tag::OctetString, keys)] = items[..] else { return None };
    let both = Algorithm::of_scheme_with_toys(Scheme::Falcon).find_map(|algorithm| {
        let (private, public) = keys.split_at_checked(algorithm.signing_key_len())?;
        (public.len() == algorithm.verifying_key_len()).then_some((private, Some(public.to_vec())))
    });
    let (private, public) = both.unwrap_or((keys, None));
    Some(Opened { public, ..Opened::new(Layout::Oqs, private) })
}

fn open_bouncy_castle(content: &[u8]) -> Option<Opened> {
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
    Some(Opened { layout: Layout::BouncyCastle, bytes, public, expanded: None })
}
