//! Independent implementations of Falcon round 3, FN-DSA-2024 and falcon-rs, for `tests/peers.rs`.

use crate::common::RandomStream;
use crate::programs;
use falcon::falcon as reference;
use falcon::prelude::{DomainSeparation, FnDsaKeyPair, FnDsaSignature, PreHashAlgorithm};
use falcon::shake::InnerShake256Context;
use fn_dsa_2024::{
    CryptoRng, DomainContext, HASH_ID_ORIGINAL_FALCON, HashIdentifier, KeyPairGenerator, KeyPairGeneratorStandard,
    RngCore, RngError, SigningKey, SigningKeyStandard, VerifyingKey, VerifyingKeyStandard, sign_key_size,
    signature_size, vrfy_key_size,
};

/// The encoding of a Falcon round 3 signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FalconForm {
    Compressed,
    Padded,
    ConstantTime,
    /// The NIST submission's format, which contains the signature and the message: length, nonce,
    /// message, and the signature without its nonce.
    Attached,
    /// PQClean's format, in which the message follows a padded signature.
    AttachedPadded,
}

impl FalconForm {
    pub fn name(self) -> &'static str {
        match self {
            Self::Compressed => "compressed",
            Self::Padded => "padded",
            Self::ConstantTime => "ct",
            Self::Attached => "attached",
            Self::AttachedPadded => "attached-padded",
        }
    }

    /// Returns the form for the signature alone, without the message.
    pub fn detached(self) -> Self {
        match self {
            Self::Attached => Self::Compressed,
            Self::AttachedPadded => Self::Padded,
            form => form,
        }
    }
}

/// An independent implementation of Falcon round 3. `random` provides the random bytes, if the
/// implementation accepts them from its caller.
pub trait FalconPeer: Sync {
    fn name(&self) -> &'static str;
    /// Returns the forms that the implementation can write and read.
    fn forms(&self) -> &'static [FalconForm];
    /// Generates a key pair: (private, public).
    fn keygen(&self, logn: u32, random: &mut RandomStream) -> (Vec<u8>, Vec<u8>);
    /// Signs a message in this form.
    fn sign(&self, form: FalconForm, sk: &[u8], message: &[u8], random: &mut RandomStream) -> Vec<u8>;
    /// Returns whether a public key accepts a signature in this form.
    fn verify(&self, form: FalconForm, vk: &[u8], message: &[u8], signature: &[u8]) -> bool;
}

/// Returns all independent implementations of Falcon round 3 on this machine.
pub fn falcon_peers() -> Vec<&'static dyn FalconPeer> {
    let mut peers: Vec<&dyn FalconPeer> = vec![&Pqclean, &FalconRsRound3, &FnDsaCrateRound3];
    peers.extend([programs::noble(), programs::bouncycastle()].into_iter().flatten().map(|it| it as &dyn FalconPeer));
    peers
}

/// The C code of PQClean, from crate `pqcrypto-falcon`.
pub struct Pqclean;

/// Calls a function in PQClean's module for a form and a degree. The lowest four bits of the header
/// are the degree's logarithm.
macro_rules! pqclean {
    ($header:expr, $form:expr, $function:ident($($argument:expr),*)) => {
        match ($header & 15 == 10, $form.detached() == FalconForm::Padded) {
            (false, false) => pqclean::falcon512::$function($($argument),*),
            (false, true) => pqclean::falconpadded512::$function($($argument),*),
            (true, false) => pqclean::falcon1024::$function($($argument),*),
            (true, true) => pqclean::falconpadded1024::$function($($argument),*),
        }
    };
}

mod pqclean {
    macro_rules! modules {
        ($($module:ident)*) => {
            $(pub mod $module {
                use crate::peers::FalconForm;
                use pqcrypto_falcon::$module::*;
                use pqcrypto_traits::sign::{DetachedSignature as _, PublicKey as _, SecretKey as _, SignedMessage as _};

                pub fn keygen() -> (Vec<u8>, Vec<u8>) {
                    let (vk, sk) = keypair();
                    (sk.as_bytes().to_vec(), vk.as_bytes().to_vec())
                }

                /// Signs a message. For the attached forms, returns a signed message.
                pub fn write(form: FalconForm, sk: &[u8], message: &[u8]) -> Vec<u8> {
                    let sk = SecretKey::from_bytes(sk).expect("a private key");
                    if form.detached() == form {
                        detached_sign(message, &sk).as_bytes().to_vec()
                    } else {
                        sign(message, &sk).as_bytes().to_vec()
                    }
                }

                /// Verifies a signature, or a signed message for the attached forms.
                pub fn read(form: FalconForm, vk: &[u8], message: &[u8], signature: &[u8]) -> bool {
                    let Ok(vk) = PublicKey::from_bytes(vk) else { return false };
                    if form.detached() != form {
                        let signed = SignedMessage::from_bytes(signature).expect("any bytes");
                        return open(&signed, &vk).is_ok_and(|it| it == message);
                    }
                    let signature = DetachedSignature::from_bytes(signature);
                    signature.is_ok_and(|it| verify_detached_signature(&it, message, &vk).is_ok())
                }
            })*
        };
    }
    modules!(falcon512 falcon1024 falconpadded512 falconpadded1024);
}

impl FalconPeer for Pqclean {
    fn name(&self) -> &'static str {
        "PQClean"
    }

    fn forms(&self) -> &'static [FalconForm] {
        &[FalconForm::Compressed, FalconForm::Padded, FalconForm::Attached, FalconForm::AttachedPadded]
    }

    fn keygen(&self, logn: u32, _: &mut RandomStream) -> (Vec<u8>, Vec<u8>) {
        pqclean!(logn, FalconForm::Compressed, keygen())
    }

    fn sign(&self, form: FalconForm, sk: &[u8], message: &[u8], _: &mut RandomStream) -> Vec<u8> {
        pqclean!(sk[0], form, write(form, sk, message))
    }

    fn verify(&self, form: FalconForm, vk: &[u8], message: &[u8], signature: &[u8]) -> bool {
        pqclean!(vk[0], form, read(form, vk, message, signature))
    }
}

/// Falcon round 3 in crate `falcon-rs`, a Rust translation of the reference code.
pub struct FalconRsRound3;

/// Creates the random generator of crate `falcon-rs` with a seed from `random`.
fn seeded(random: &mut RandomStream) -> InnerShake256Context {
    let mut rng = InnerShake256Context::new();
    reference::shake256_init_prng_from_seed(&mut rng, &random.bytes::<48>());
    rng
}

/// Returns the constant of crate `falcon-rs` for a form.
fn form_constant(form: FalconForm) -> i32 {
    match form {
        FalconForm::Compressed => reference::FALCON_SIG_COMPRESSED,
        FalconForm::Padded => reference::FALCON_SIG_PADDED,
        FalconForm::ConstantTime => reference::FALCON_SIG_CT,
        _ => panic!("falcon-rs has no {form:?}"),
    }
}

impl FalconPeer for FalconRsRound3 {
    fn name(&self) -> &'static str {
        "falcon-rs"
    }

    fn forms(&self) -> &'static [FalconForm] {
        &[FalconForm::Compressed, FalconForm::Padded, FalconForm::ConstantTime]
    }

    fn keygen(&self, logn: u32, random: &mut RandomStream) -> (Vec<u8>, Vec<u8>) {
        let (mut sk, mut vk) =
            (vec![0; reference::falcon_privkey_size(logn)], vec![0; reference::falcon_pubkey_size(logn)]);
        let mut work = vec![0; reference::falcon_tmpsize_keygen(logn)];
        let result = reference::falcon_keygen_make(&mut seeded(random), logn, &mut sk, Some(&mut vk), &mut work);
        assert_eq!(result, 0, "the error code of key generation");
        (sk, vk)
    }

    fn sign(&self, form: FalconForm, sk: &[u8], message: &[u8], random: &mut RandomStream) -> Vec<u8> {
        let mut len = reference::falcon_sig_ct_size(u32::from(sk[0] & 15));
        let (mut signature, mut work) = (vec![0; len], vec![0; reference::falcon_tmpsize_signdyn(10)]);
        let (rng, form) = (&mut seeded(random), form_constant(form));
        let result = reference::falcon_sign_dyn(rng, &mut signature, &mut len, form, sk, message, &mut work);
        assert_eq!(result, 0, "the error code of signing");
        signature.truncate(len);
        signature
    }

    fn verify(&self, form: FalconForm, vk: &[u8], message: &[u8], signature: &[u8]) -> bool {
        let mut work = vec![0; reference::falcon_tmpsize_verify(10)];
        reference::falcon_verify(signature, form_constant(form), vk, message, &mut work) == 0
    }
}

impl FalconRsRound3 {
    /// Verifies a signature in any form. The header and the length determine the form.
    pub fn verify_any(&self, vk: &[u8], message: &[u8], signature: &[u8]) -> bool {
        let mut work = vec![0; reference::falcon_tmpsize_verify(10)];
        // 0 is the constant for any form.
        reference::falcon_verify(signature, 0, vk, message, &mut work) == 0
    }
}

/// Functions for the scheme `falcon-rs`, which the crate of this name calls FN-DSA.
pub mod falcon_rs_scheme {
    use super::*;

    /// Returns the domain separation: a context, and a pre-hash if `hash` names it.
    fn domain<'a>(context: &'a [u8], hash: Option<&str>) -> DomainSeparation<'a> {
        match hash {
            None if context.is_empty() => DomainSeparation::None,
            None => DomainSeparation::Context(context),
            Some("SHA-256") => DomainSeparation::Prehashed { alg: PreHashAlgorithm::Sha256, context },
            Some("SHA-512") => DomainSeparation::Prehashed { alg: PreHashAlgorithm::Sha512, context },
            Some(hash) => panic!("falcon-rs has no {hash}"),
        }
    }

    /// Signs in the constant-time encoding.
    pub fn sign(sk: &[u8], context: &[u8], hash: Option<&str>, message: &[u8], random: &mut RandomStream) -> Vec<u8> {
        let key = FnDsaKeyPair::from_private_key(sk).expect("a private key");
        let signature = key.sign_deterministic(message, &random.bytes::<48>(), &domain(context, hash));
        signature.expect("a signature").into_bytes()
    }

    pub fn verify(vk: &[u8], context: &[u8], hash: Option<&str>, message: &[u8], signature: &[u8]) -> bool {
        FnDsaSignature::verify(signature, vk, message, &domain(context, hash)).is_ok()
    }
}

impl RngCore for RandomStream {
    fn next_u32(&mut self) -> u32 {
        u32::from_le_bytes(self.bytes())
    }

    fn next_u64(&mut self) -> u64 {
        self.u64()
    }

    fn fill_bytes(&mut self, out: &mut [u8]) {
        self.fill(out);
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), RngError> {
        self.fill(out);
        Ok(())
    }
}

impl CryptoRng for RandomStream {}

/// Functions for the scheme `fn-dsa-2024`, with the portable code of crate `fn-dsa` 0.3.0.
pub mod fn_dsa_2024_peer {
    use super::*;

    /// Generates a key pair: (private, public).
    pub fn keygen(logn: u32, random: &mut RandomStream) -> (Vec<u8>, Vec<u8>) {
        let (mut sk, mut vk) = (vec![0; sign_key_size(logn)], vec![0; vrfy_key_size(logn)]);
        KeyPairGeneratorStandard::default().keygen(logn, random, &mut sk, &mut vk);
        (sk, vk)
    }

    /// Signs a message. If `id` is a hash, `hv` is the digest of the message.
    pub fn sign(sk: &[u8], context: &[u8], id: &HashIdentifier, hv: &[u8], random: &mut RandomStream) -> Vec<u8> {
        let mut key = SigningKeyStandard::decode(sk).expect("a private key");
        let mut signature = vec![0; signature_size(key.get_logn())];
        key.sign(random, &DomainContext(context), id, hv, &mut signature);
        signature
    }

    pub fn verify(vk: &[u8], context: &[u8], id: &HashIdentifier, hv: &[u8], signature: &[u8]) -> bool {
        VerifyingKeyStandard::decode(vk).is_some_and(|key| key.verify(signature, &DomainContext(context), id, hv))
    }
}

/// Falcon round 3 in crate `fn-dsa` 0.3.0, which also implements FN-DSA-2024.
pub struct FnDsaCrateRound3;

impl FalconPeer for FnDsaCrateRound3 {
    fn name(&self) -> &'static str {
        "fn-dsa 0.3"
    }

    fn forms(&self) -> &'static [FalconForm] {
        &[FalconForm::Padded]
    }

    fn keygen(&self, logn: u32, random: &mut RandomStream) -> (Vec<u8>, Vec<u8>) {
        fn_dsa_2024_peer::keygen(logn, random)
    }

    fn sign(&self, _: FalconForm, sk: &[u8], message: &[u8], random: &mut RandomStream) -> Vec<u8> {
        fn_dsa_2024_peer::sign(sk, b"", &HASH_ID_ORIGINAL_FALCON, message, random)
    }

    fn verify(&self, _: FalconForm, vk: &[u8], message: &[u8], signature: &[u8]) -> bool {
        fn_dsa_2024_peer::verify(vk, b"", &HASH_ID_ORIGINAL_FALCON, message, signature)
    }
}
