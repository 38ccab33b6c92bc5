//! Functions that call crate `fn-dsa` 0.4.0, the oracle for FN-DSA, with fixed random bytes. The
//! crate uses AVX2 if the CPU supports it.
#![allow(dead_code)] // each test file uses only a part

use fn_dsa::{
    CryptoRng, DomainContext, HASH_ID_EXTMU, HashIdentifier, KeyPairGenerator, KeyPairGeneratorStandard,
    KeyPairGeneratorWeak, RngCore, RngError, SigningKey, SigningKeyStandard, SigningKeyWeak, VerifyingKey,
    VerifyingKeyStandard, VerifyingKeyWeak, sign_key_size, signature_size, vrfy_key_size,
};

/// A generator for the crate's version of `rand_core`. It returns the given bytes in order, and
/// panics if the crate requests more bytes.
pub struct PeerReplayRng<'a>(pub &'a [u8]);

impl RngCore for PeerReplayRng<'_> {
    fn next_u32(&mut self) -> u32 {
        let mut b = [0; 4];
        self.fill_bytes(&mut b);
        u32::from_le_bytes(b)
    }

    fn next_u64(&mut self) -> u64 {
        let mut b = [0; 8];
        self.fill_bytes(&mut b);
        u64::from_le_bytes(b)
    }

    fn fill_bytes(&mut self, out: &mut [u8]) {
        let (first, rest) = self.0.split_at(out.len());
        out.copy_from_slice(first);
        self.0 = rest;
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), RngError> {
        self.fill_bytes(out);
        Ok(())
    }
}

impl CryptoRng for PeerReplayRng<'_> {}

/// Returns whether the header of a key is for a degree below 512. The lowest four bits are the
/// degree's logarithm.
fn is_toy(header: u8) -> bool {
    header & 15 < 9
}

/// Generates a key pair from a seed: (private, public).
pub fn keygen(logn: u32, seed: &[u8; 32]) -> (Vec<u8>, Vec<u8>) {
    let (mut sk, mut vk) = (vec![0; sign_key_size(logn)], vec![0; vrfy_key_size(logn)]);
    if logn < 9 {
        KeyPairGeneratorWeak::default().keygen(logn, &mut PeerReplayRng(seed), &mut sk, &mut vk);
    } else {
        KeyPairGeneratorStandard::default().keygen(logn, &mut PeerReplayRng(seed), &mut sk, &mut vk);
    }
    (sk, vk)
}

/// A message to sign, in the form that the crate expects.
pub struct PeerMessage<'a> {
    pub context: &'a [u8],
    /// The identifier of the pre-hash, or `HASH_ID_RAW` for a message, or `HASH_ID_EXTMU` for a mu.
    pub id: &'a HashIdentifier<'a>,
    /// The digest, the message or the mu.
    pub hv: &'a [u8],
}

impl<'a> PeerMessage<'a> {
    /// Creates a message from a mu.
    pub fn from_mu(mu: &'a [u8; 64]) -> Self {
        Self { context: &[], id: &HASH_ID_EXTMU, hv: mu }
    }
}

/// Loads the key and signs. The crate reads the 40 random bytes once for all attempts. Panics if
/// the key cannot be decoded.
pub fn sign(sk: &[u8], message: &PeerMessage, random: &[u8; 40]) -> Vec<u8> {
    fn with<K: SigningKey>(sk: &[u8], m: &PeerMessage, random: &[u8; 40]) -> Vec<u8> {
        let mut key = K::decode(sk).expect("a good key");
        let mut signature = vec![0; signature_size(key.get_logn())];
        key.sign(&mut PeerReplayRng(random), &DomainContext(m.context), m.id, m.hv, &mut signature)
            .expect("a signature");
        signature
    }
    if is_toy(sk[0]) {
        with::<SigningKeyWeak>(sk, message, random)
    } else {
        with::<SigningKeyStandard>(sk, message, random)
    }
}

/// Loads the key and verifies. Returns false if the key cannot be decoded.
pub fn verify(vk: &[u8], message: &PeerMessage, signature: &[u8]) -> bool {
    fn with<K: VerifyingKey>(vk: &[u8], m: &PeerMessage, signature: &[u8]) -> bool {
        K::decode(vk).is_some_and(|key| key.verify(signature, &DomainContext(m.context), m.id, m.hv))
    }
    if vk.first().is_none_or(|header| is_toy(*header)) {
        with::<VerifyingKeyWeak>(vk, message, signature)
    } else {
        with::<VerifyingKeyStandard>(vk, message, signature)
    }
}
