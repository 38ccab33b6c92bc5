//! Reads and writes ML-DSA private keys inside the OCTET STRING `privateKey` of PKCS#8 (RFC 9881,
//! section 6).
//!
//! | form | content |
//! |---|---|
//! | seed | `[0]` with the seed, 32 bytes; the default for writing |
//! | expanded | OCTET STRING with the expanded key |
//! | both | SEQUENCE of two OCTET STRINGs, the seed and the expanded key |
//! | oqs | OCTET STRING with expanded and public key, from oqs-provider; `fndsa passwd` keeps it |
//! | bare-seed, bare-priv | seed or expanded key without a tag, from drafts of the RFC |
//!
//! The expanded key is the private key encoding in FIPS 204, and is computed from the seed. The tag
//! and the content's length determine the form in this table. The callers check that the seed and
//! the expanded key belong together. All data in this module is secret, except the public key.

use super::der::{element, items_of};
use super::layout::{KeyLayout, PrivateKeyContent};
use crate::api::SEED_LEN;
use alloc::vec::Vec;
use pkcs8::der::Tag;
use zeroize::Zeroizing;

/// Decodes the content of `privateKey`. `expanded_len` and `public_len` are the lengths in bytes of
/// the expanded form and of the public key. Returns `None` if the content does not have any form in
/// the table.
pub fn open(content: &[u8], expanded_len: usize, public_len: usize) -> Option<PrivateKeyContent> {
    match content.len() {
        SEED_LEN => return Some(PrivateKeyContent::new(KeyLayout::BareSeed, content)),
        len if len == expanded_len => return Some(PrivateKeyContent::new(KeyLayout::BarePriv, content)),
        _ => {}
    }
    match items_of(content)?[..] {
        [(Tag::ContextSpecific { number, constructed: false }, seed)]
            if number.value() == 0 && seed.len() == SEED_LEN =>
        {
            Some(PrivateKeyContent::new(KeyLayout::Seed, seed))
        }
        [(Tag::OctetString, expanded)] if expanded.len() == expanded_len => {
            Some(PrivateKeyContent::new(KeyLayout::Expanded, expanded))
        }
        [(Tag::OctetString, keys)] if keys.len() == expanded_len + public_len => {
            let (expanded, public) = keys.split_at(expanded_len);
            Some(PrivateKeyContent {
                public: Some(public.to_vec()),
                ..PrivateKeyContent::new(KeyLayout::Oqs, expanded)
            })
        }
        [(Tag::Sequence, both)] => match items_of(both)?[..] {
            [(Tag::OctetString, seed), (Tag::OctetString, expanded)]
                if seed.len() == SEED_LEN && expanded.len() == expanded_len =>
            {
                let expanded = Some(Zeroizing::new(expanded.to_vec()));
                Some(PrivateKeyContent { expanded, ..PrivateKeyContent::new(KeyLayout::Both, seed) })
            }
            _ => None,
        },
        _ => None,
    }
}

/// Encodes the content of `privateKey` in a layout. `bytes` is the first key in the layout: the
/// seed or the expanded key. `second` is the second key: the expanded key for `Both`, and the
/// public key for `Oqs`. All layouts except `Both` and `Oqs` ignore `second`.
pub fn wrap(layout: KeyLayout, bytes: &[u8], second: &[u8]) -> Zeroizing<Vec<u8>> {
    match layout {
        KeyLayout::Seed => element(0x80, &[bytes]),
        KeyLayout::Expanded => element(0x04, &[bytes]),
        KeyLayout::Oqs => element(0x04, &[bytes, second]),
        KeyLayout::Both => element(0x30, &[&element(0x04, &[bytes]), &element(0x04, &[second])]),
        _ => Zeroizing::new(bytes.to_vec()),
    }
}
