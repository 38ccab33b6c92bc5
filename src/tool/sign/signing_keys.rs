//! The public parts of the signing keys, to determine whether they can be used to sign in a format.

use crate::tool::keys::loader::LoadedPrivateKey;
use crate::tool::message::form::MessageForm;
use fndsa::Algorithm;
use fndsa::algorithm::Scheme;
use fndsa::verdict::PublicKey;

/// The public part of a signing key.
pub struct PublicPart<'a> {
    /// The key's algorithm.
    pub algorithm: Algorithm,
    /// The encoded public key.
    pub public: &'a [u8],
    /// The public key's fingerprint.
    pub fingerprint: &'a str,
    /// The key file's name in messages.
    pub from: &'a str,
}

/// The signing keys, and the options for the messages.
pub struct SigningKeys<'a> {
    /// The context, the pre-hash and the kind of input.
    pub form: &'a MessageForm,
    /// The public parts of the keys.
    pub keys: Vec<PublicPart<'a>>,
}

impl<'a> SigningKeys<'a> {
    /// Returns the public parts of private keys.
    pub fn of_private(private: &'a [LoadedPrivateKey<'a>], form: &'a MessageForm) -> Self {
        let mut keys = Vec::with_capacity(private.len());
        for LoadedPrivateKey { key, public, fingerprint, from } in private {
            keys.push(PublicPart { algorithm: key.algorithm(), public, fingerprint, from });
        }
        Self { form, keys }
    }

    /// Returns the public part of a key for which the private key is in a different program. `from`
    /// is the public key file's name in messages.
    pub fn of_public(public: &'a PublicKey, from: &'a str, form: &'a MessageForm) -> Self {
        let key = public.key.to_ref();
        let fingerprint = &public.fingerprint;
        Self { form, keys: vec![PublicPart { algorithm: key.algorithm(), public: key.as_bytes(), fingerprint, from }] }
    }

    /// Returns the keys' algorithms.
    pub fn algorithms(&self) -> impl Iterator<Item = Algorithm> {
        self.keys.iter().map(|key| key.algorithm)
    }

    /// Returns the keys' schemes.
    pub fn schemes(&self) -> impl Iterator<Item = Scheme> {
        self.algorithms().map(Algorithm::scheme)
    }
}
