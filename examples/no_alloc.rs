//! Generates a key pair, signs and verifies without an allocator. All buffers are arrays with
//! constant lengths. On a microcontroller, put these arrays into static memory, and use a hardware
//! random generator instead of the operating system.
//!
//! ```text
//! cargo run --release --no-default-features --features sign,falcon,ml-dsa --example no_alloc
//! ```

use fndsa::Algorithm;
use fndsa::error::VerifyError;
use fndsa::message::MuBuilder;
use fndsa::no_alloc::{Level, SigningKeyRef, VerifyingKeyRef};
use getrandom::SysRng;
use rand_core::TryCryptoRng;
use std::error::Error;

const ALGORITHM: Algorithm = Algorithm::FN_DSA_512;
/// Key generation needs less work memory than signing.
const WORK: usize = ALGORITHM.sign_work_len();

/// A device's keys and work memory.
struct Device {
    private: [u8; ALGORITHM.signing_key_len()],
    public: [u8; ALGORITHM.verifying_key_len()],
    work: [u8; WORK],
}

impl Device {
    /// Generates the device's key pair.
    fn provision<R: TryCryptoRng>(&mut self, rng: &mut R) -> Result<(), &'static str> {
        let Self { private, public, work } = self;
        SigningKeyRef::generate(Level::detect(), ALGORITHM, rng, private, public, work)
            .map_err(|_| "no key was made")?;
        Ok(())
    }

    /// Signs a message that arrives in pieces.
    fn sign<R: TryCryptoRng>(
        &mut self,
        pieces: &[&[u8]],
        rng: &mut R,
    ) -> Result<[u8; ALGORITHM.signature_len()], &'static str> {
        let level = Level::detect();
        let key = SigningKeyRef::of_algorithm(level, ALGORITHM, &self.private, &mut self.work)
            .map_err(|_| "the stored key is damaged")?;
        let mut mu = MuBuilder::pure(level, &key.key_hash(), b"device").map_err(|_| "the context is too long")?;
        pieces.iter().for_each(|piece| mu.update(piece));
        let mut signature = [0; ALGORITHM.signature_len()];
        key.sign(level, &mu.finish(), rng, &mut signature, &mut self.work).map_err(|_| "nothing was signed")?;
        Ok(signature)
    }
}

/// Verifies a signature with a public key, and with the work memory for one verification.
fn verify(public: &[u8], pieces: &[&[u8]], signature: &[u8]) -> Result<(), VerifyError> {
    let level = Level::detect();
    let mut work = [0; ALGORITHM.verify_work_len()];
    let public = VerifyingKeyRef::of_algorithm(ALGORITHM, public)?;
    let mut mu = MuBuilder::pure(level, &public.key_hash(level), b"device")?;
    pieces.iter().for_each(|piece| mu.update(piece));
    public.verify(level, &mu.finish(), signature, &mut work)
}

/// Runs the example.
pub fn main() -> Result<(), Box<dyn Error>> {
    let mut device = Device {
        private: [0; ALGORITHM.signing_key_len()],
        public: [0; ALGORITHM.verifying_key_len()],
        work: [0; WORK],
    };
    device.provision(&mut SysRng)?;
    let signature = device.sign(&[b"temperature ", b"21.5"], &mut SysRng)?;
    verify(&device.public, &[b"temperature 21.5"], &signature)?;
    assert!(verify(&device.public, &[b"temperature 99.9"], &signature).is_err());
    println!("OK, with {WORK} bytes of work memory");
    Ok(())
}
