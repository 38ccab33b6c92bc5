//! The library's API with vectors instead of buffers, and chosen random bytes.

use fndsa::testing::FixedBytes;
use fndsa::{
    Algorithm, Degree, KeyError, KeyHash, Level, Mu, MuBuilder, PreHash, Scheme, SigningKey, VerifyError, VerifyingKey,
};

pub fn levels() -> Vec<Level> {
    Level::available().collect()
}

pub fn degree(logn: usize) -> Degree {
    Degree::from_logn(logn as u32).expect("a degree")
}

/// FN-DSA at a degree.
pub fn fn_dsa(degree: Degree) -> Algorithm {
    Algorithm::new(Scheme::FnDsa, degree)
}

/// Which work memory key generation gets.
#[derive(Clone, Copy, Debug)]
pub enum Memory {
    Least,
    Most,
}

/// The key pair of a seed: (private, public).
pub fn keygen(level: Level, degree: Degree, seed: &[u8; 32], memory: Memory) -> (Vec<u8>, Vec<u8>) {
    let (mut sk, mut vk) = (vec![0; fn_dsa(degree).signing_key_len()], vec![0; fn_dsa(degree).verifying_key_len()]);
    let len = match memory {
        Memory::Least => degree.keygen_work_len(),
        Memory::Most => degree.keygen_fast_work_len(),
    };
    let (mut work, mut rng) = (vec![0; len], FixedBytes(seed));
    SigningKey::generate(level, fn_dsa(degree), &mut rng, &mut sk, &mut vk, &mut work).expect("a key");
    (sk, vk)
}

/// Work memory for any operation of the degree but key generation.
pub fn work(degree: Degree) -> Vec<u8> {
    vec![0; degree.sign_work_len().max(degree.import_work_len())]
}

/// The verdict on an encoded private key.
pub fn import(sk: &[u8]) -> Result<(), KeyError> {
    SigningKey::from_bytes(Level::detect(), Scheme::FnDsa, sk, &mut work(Degree::N1024)).map(drop)
}

/// A private key and what it needs, for several operations.
pub struct Signer {
    pub sk: Vec<u8>,
    pub degree: Degree,
    work: Vec<u8>,
}

impl Signer {
    pub fn new(sk: &[u8]) -> Self {
        let mut work = work(Degree::N1024);
        let degree =
            SigningKey::from_bytes(Level::detect(), Scheme::FnDsa, sk, &mut work).expect("a good key").degree();
        Self { sk: sk.to_vec(), degree, work }
    }

    pub fn key_hash(&mut self) -> KeyHash {
        SigningKey::from_bytes(Level::detect(), Scheme::FnDsa, &self.sk, &mut self.work).expect("a good key").key_hash()
    }

    pub fn verifying_key(&mut self) -> Vec<u8> {
        let mut vk = vec![0; fn_dsa(self.degree).verifying_key_len()];
        let key = SigningKey::from_bytes(Level::detect(), Scheme::FnDsa, &self.sk, &mut self.work).expect("a good key");
        key.verifying_key_into(Level::detect(), &mut vk, &mut self.work).expect("a public key");
        vk
    }

    /// Loads the key and signs.
    pub fn sign(&mut self, level: Level, mu: &Mu, random: &[u8; 40]) -> Vec<u8> {
        let mut signature = vec![0; self.degree.signature_len()];
        let key = SigningKey::from_bytes(Level::detect(), Scheme::FnDsa, &self.sk, &mut self.work).expect("a good key");
        key.sign(level, mu, &mut FixedBytes(random), &mut signature, &mut self.work).expect("a signature");
        signature
    }
}

/// Why a signature or its key is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    Key(KeyError),
    Signature(VerifyError),
}

/// Loads the key and verifies.
pub fn verify(level: Level, vk: &[u8], mu: &Mu, signature: &[u8]) -> Result<(), Refused> {
    let key = VerifyingKey::from_bytes(Scheme::FnDsa, vk).map_err(Refused::Key)?;
    let mut work = vec![0; key.algorithm().verify_work_len()];
    key.verify(level, mu, signature, &mut work).map_err(Refused::Signature)
}

/// The pre-hash that the vectors call by this name.
pub fn prehash(name: &str) -> PreHash {
    let plain = |s: &str| s.to_ascii_lowercase().replace(['-', '/'], "");
    PreHash::all().find(|p| plain(p.name()) == plain(name)).unwrap_or_else(|| panic!("no hash {name}"))
}

/// The `mu` of a vector: `hash` is `raw`, `extmu` or a pre-hash, `hv` what is signed.
pub fn mu(key: &KeyHash, hash: &str, context: &[u8], hv: &[u8]) -> Result<Mu, String> {
    match hash {
        "raw" => {
            let mut b = MuBuilder::pure(Level::detect(), key, context).map_err(|e| e.to_string())?;
            // in two pieces, as a stream comes
            let (first, second) = hv.split_at(hv.len() / 3);
            b.update(first);
            b.update(second);
            Ok(b.finish())
        }
        "extmu" => hv.try_into().map(Mu::from_bytes).map_err(|_| format!("{} bytes of mu", hv.len())),
        hash => Mu::prehashed(Level::detect(), key, context, prehash(hash), hv).map_err(|e| e.to_string()),
    }
}
