//! Two independent implementations of ML-DSA: the crates `ml-dsa` (RustCrypto) and
//! `libcrux-ml-dsa`. `main.rs`, `peers` and `negatives` compare the library, the vectors and these
//! implementations.

use ml_dsa::{
    EncodedSignature, EncodedVerifyingKey, ExpandedSigningKey, MlDsa44, MlDsa65, MlDsa87, MlDsaParams, Signature,
    VerifyingKey,
};

/// Computes the expanded private key and the public key from a seed.
type KeygenFunction = fn(&[u8; 32]) -> (Vec<u8>, Vec<u8>);
/// Computes a signature from the seed, the message, the context and 32 random bytes. `None` if the
/// context is too long, or if libcrux returns another error.
type SignFunction = fn(&[u8; 32], &[u8], &[u8], &[u8; 32]) -> Option<Vec<u8>>;
/// Verifies a signature. The arguments are the public key, message, context and signature.
type VerifyFunction = fn(&[u8], &[u8], &[u8], &[u8]) -> bool;

/// An independent implementation's functions for a single parameter set.
pub struct Oracle {
    /// The crate's name.
    pub name: &'static str,
    /// Generates keys.
    pub keygen: KeygenFunction,
    /// Signs.
    pub sign: SignFunction,
    /// Verifies.
    pub verify: VerifyFunction,
}

/// The implementations of ML-DSA-44, ML-DSA-65 and ML-DSA-87.
pub const ORACLES: [[Oracle; 2]; 3] = [
    [rust_crypto::<MlDsa44>(), libcrux44::ORACLE],
    [rust_crypto::<MlDsa65>(), libcrux65::ORACLE],
    [rust_crypto::<MlDsa87>(), libcrux87::ORACLE],
];

/// Returns the crate `ml-dsa`'s functions for a parameter set.
const fn rust_crypto<P: MlDsaParams>() -> Oracle {
    Oracle { name: "ml-dsa", keygen: keygen::<P>, sign: sign::<P>, verify: verify::<P> }
}

#[expect(deprecated, reason = "the tests also compare the expanded form")]
fn keygen<P: MlDsaParams>(seed: &[u8; 32]) -> (Vec<u8>, Vec<u8>) {
    let key = ExpandedSigningKey::<P>::from_seed(&(*seed).into());
    (key.to_expanded().to_vec(), key.verifying_key().encode().to_vec())
}

fn sign<P: MlDsaParams>(seed: &[u8; 32], message: &[u8], context: &[u8], random: &[u8; 32]) -> Option<Vec<u8>> {
    let context_header = [0, u8::try_from(context.len()).ok()?];
    let key = ExpandedSigningKey::<P>::from_seed(&(*seed).into());
    Some(key.sign_internal(&[&context_header, context, message], &(*random).into()).encode().to_vec())
}

fn verify<P: MlDsaParams>(public: &[u8], message: &[u8], context: &[u8], signature: &[u8]) -> bool {
    let Ok(public) = EncodedVerifyingKey::<P>::try_from(public) else { return false };
    let Ok(signature) = EncodedSignature::<P>::try_from(signature) else { return false };
    let key = VerifyingKey::<P>::decode(&public);
    Signature::<P>::decode(&signature).is_some_and(|signature| key.verify_with_context(message, context, &signature))
}

/// Defines the oracle for a parameter set in a module of libcrux.
macro_rules! libcrux {
    ($name:ident, $module:ident) => {
        mod $name {
            use super::Oracle;
            use libcrux_ml_dsa::$module::{self as it, generate_key_pair};
            use libcrux_ml_dsa::{MLDSASignature, MLDSAVerificationKey};

            pub const ORACLE: Oracle = Oracle { name: "libcrux-ml-dsa", keygen, sign, verify };

            fn keygen(seed: &[u8; 32]) -> (Vec<u8>, Vec<u8>) {
                let pair = generate_key_pair(*seed);
                (pair.signing_key.as_slice().to_vec(), pair.verification_key.as_slice().to_vec())
            }

            fn sign(seed: &[u8; 32], message: &[u8], context: &[u8], random: &[u8; 32]) -> Option<Vec<u8>> {
                let pair = generate_key_pair(*seed);
                Some(it::sign(&pair.signing_key, message, context, *random).ok()?.as_slice().to_vec())
            }

            fn verify(public: &[u8], message: &[u8], context: &[u8], signature: &[u8]) -> bool {
                let Ok(public) = public.try_into() else { return false };
                let Ok(signature) = signature.try_into() else { return false };
                let (public, signature) = (MLDSAVerificationKey::new(public), MLDSASignature::new(signature));
                it::verify(&public, message, context, &signature).is_ok()
            }
        }
    };
}
libcrux!(libcrux44, ml_dsa_44);
libcrux!(libcrux65, ml_dsa_65);
libcrux!(libcrux87, ml_dsa_87);
