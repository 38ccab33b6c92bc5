//! The types for test vectors, and functions that make signatures for them. `signatures`,
//! `messages` and `keys` collect their vectors in a [`VectorMaker`].

use crate::craft::{CraftingKey, PinnedCoefficient, ShortVector, random_stream};
use crate::reference::codec::{compress, pack, signature_len};
use crate::reference::hash::{hash_to_point, mu_pure};

/// The reason that the reference implementation gives if the signature belongs to a different
/// message or key. A signature represents a short vector (s1, s2), but contains only s2. With a
/// different message or key, the reference implementation computes an s1 with a large coefficient.
pub const MISMATCH: &str = "a coefficient is too large";

/// The signed data.
#[derive(Clone)]
pub enum SignedData {
    /// A message. If a pre-hash is given, the verifier hashes the message first.
    Message { msg: Vec<u8>, ctx: Vec<u8>, prehash: Option<&'static str> },
    /// A mu (the 64-byte hash that is signed) instead of a message.
    Mu(Vec<u8>),
}

/// Returns a message without a pre-hash.
pub fn pure(msg: &[u8], ctx: &[u8]) -> SignedData {
    SignedData::Message { msg: msg.to_vec(), ctx: ctx.to_vec(), prehash: None }
}

/// Returns a message with a pre-hash.
pub fn prehashed(hash: &'static str, msg: &[u8], ctx: &[u8]) -> SignedData {
    SignedData::Message { msg: msg.to_vec(), ctx: ctx.to_vec(), prehash: Some(hash) }
}

/// A test vector.
pub struct NegativeVector {
    pub flags: Vec<&'static str>,
    pub comment: String,
    pub signed: SignedData,
    pub sig: Vec<u8>,
    /// The reason that the reference implementation gives when it rejects the signature. `None` if
    /// the signature is valid.
    pub rejection: Option<&'static str>,
}

/// The vectors for a public key.
pub struct VectorGroup {
    pub vk: Vec<u8>,
    pub vectors: Vec<NegativeVector>,
}

/// A signature before it is encoded.
pub struct UnencodedSignature {
    pub nonce: [u8; 40],
    pub s1: Vec<i64>,
    pub s2: Vec<i64>,
}

impl UnencodedSignature {
    /// Encodes the signature.
    pub fn sig(&self) -> Vec<u8> {
        encode_signature(&self.nonce, &self.s2)
    }

    /// Encodes the signature with `body` instead of the encoded s2.
    pub fn with_body(&self, body: &[u8]) -> Vec<u8> {
        [&[0x30 + self.s2.len().ilog2() as u8][..], &self.nonce, body].concat()
    }

    /// Encodes the signature with `bits` as the encoded s2. Appends zeros or drops bits, to get the
    /// right length.
    pub fn with_bits(&self, bits: &[bool]) -> Vec<u8> {
        self.with_body(&pack_bits(bits, signature_len(self.s2.len().ilog2()) - 41))
    }
}

/// Encodes a signature from a nonce and s2.
pub fn encode_signature(nonce: &[u8; 40], s2: &[i64]) -> Vec<u8> {
    let logn = s2.len().ilog2();
    let body = compress(s2, signature_len(logn) - 41).expect("s2 fits");
    [&[0x30 + logn as u8][..], nonce, &body].concat()
}

/// Packs bits into exactly `len` bytes, least significant bit first. Appends zeros or drops bits.
pub fn pack_bits(bits: &[bool], len: usize) -> Vec<u8> {
    let mut fields: Vec<i64> = bits.iter().map(|b| i64::from(*b)).collect();
    fields.resize(8 * len, 0);
    pack(&fields, 1)
}

/// Encodes a coefficient in s2: the sign, seven low bits, the high part as a run of zeros with this
/// length, and a one. Any magnitude is allowed, and also minus zero.
pub fn coefficient_bits(negative: bool, magnitude: i64) -> Vec<bool> {
    let low = (0..7).map(|i| magnitude >> i & 1 == 1);
    let zeros = (0..magnitude >> 7).map(|_| false);
    std::iter::once(negative).chain(low).chain(zeros).chain([true]).collect()
}

/// Returns the encoded bits of each coefficient in s2.
pub fn all_bits(s2: &[i64]) -> Vec<Vec<bool>> {
    s2.iter().map(|x| coefficient_bits(*x < 0, x.abs())).collect()
}

/// A key that signs, and the test vectors that were made with it.
pub struct VectorMaker<'k> {
    pub key: &'k CraftingKey,
    pub vectors: Vec<NegativeVector>,
}

impl<'k> VectorMaker<'k> {
    /// Creates an empty collection for a key.
    pub fn new(key: &'k CraftingKey) -> Self {
        Self { key, vectors: Vec::new() }
    }

    /// Returns the collected vectors.
    pub fn group(self) -> VectorGroup {
        VectorGroup { vk: self.key.vk.clone(), vectors: self.vectors }
    }

    /// Signs with different nonces until `shape` returns true for the short vector. The
    /// coefficients in `pins` start near their desired values. `point` computes the point (the
    /// hashed message) from a nonce. Panics if `shape` returns false 500 times.
    pub fn find_short_vector(
        &self,
        label: &str,
        point: impl Fn(&[u8; 40]) -> Vec<i64>,
        pins: &[PinnedCoefficient],
        shape: impl Fn(&mut ShortVector) -> bool,
    ) -> UnencodedSignature {
        for attempt in 0..500 {
            let mut random = random_stream(&format!("{} {label} {attempt}", self.key.n));
            let nonce = random.bytes();
            let mut vector = self.key.starting_vector(&point(&nonce), pins, random);
            if shape(&mut vector) {
                let [s1, s2] = vector.s;
                return UnencodedSignature { nonce, s1, s2 };
            }
        }
        panic!("{label}: no vector found");
    }

    /// Signs the point that `point` computes from a nonce.
    pub fn sign_point(&self, label: &str, point: impl Fn(&[u8; 40]) -> Vec<i64>) -> UnencodedSignature {
        self.find_short_vector(label, point, &[], |vector| vector.is_short() && is_encodable(vector))
    }

    /// Signs a mu.
    pub fn sign_mu(&self, label: &str, mu: &[u8; 64]) -> UnencodedSignature {
        self.sign_point(label, |nonce| hash_to_point(self.key.n, nonce, mu))
    }

    /// Signs a message without a pre-hash.
    pub fn sign(&self, label: &str, msg: &[u8], ctx: &[u8]) -> UnencodedSignature {
        self.sign_mu(label, &mu_pure(&self.key.hpk, ctx, msg))
    }

    /// Adds a vector that a verifier must accept.
    pub fn valid(&mut self, flags: &[&'static str], comment: &str, signed: SignedData, sig: Vec<u8>) {
        self.vectors.push(NegativeVector {
            flags: flags.to_vec(),
            comment: comment.into(),
            signed,
            sig,
            rejection: None,
        });
    }

    /// Adds a vector that a verifier must reject. `rejection` is the reason that the reference
    /// implementation must report.
    pub fn invalid(
        &mut self,
        flag: &'static str,
        comment: &str,
        signed: &SignedData,
        sig: impl Into<Vec<u8>>,
        rejection: &'static str,
    ) {
        let (signed, sig) = (signed.clone(), sig.into());
        self.vectors.push(NegativeVector {
            flags: vec![flag],
            comment: comment.into(),
            signed,
            sig,
            rejection: Some(rejection),
        });
    }
}

/// Returns whether s2 can be encoded.
pub fn is_encodable(vector: &ShortVector) -> bool {
    let s2 = &vector.s[1];
    compress(s2, signature_len(s2.len().ilog2()) - 41).is_some()
}
