//! Tests for faults in a basis.

use super::*;
use crate::Algorithm;
use crate::engine::falcon::codec::private_parts;
use crate::engine::falcon::scheme::FalconScheme;
use crate::no_alloc::SigningKeyRef;
use crate::simd::{Level, WithSimd};
use crate::testing::{FixedBytes, FlashMemory};

/// A test that injects faults into the four rows and then updates the hash. Therefore, only two
/// checks can detect the faults: the check for the range of the numbers, and the check of the NTRU
/// equation.
struct BasisFaults<'k>(EncodedPrivateKey<'k>);

impl WithSimd for BasisFaults<'_> {
    type Output = usize;
    fn with<S: Simd>(self, isa: S) -> usize {
        let key = self.0;
        let n = key.degree.n();
        let len = KeyWithBasis::len(key.degree);
        let mut work = vec![0; 32 * n];
        let mut good_basis = vec![];
        let write = &mut |part: &[u8]| good_basis.extend_from_slice(part);
        assert_eq!(KeyWithBasis::write(isa, key, write, Scratch::new(&mut work)), Ok(()));
        let mut flash = FlashMemory::new(len);
        let memory = flash.bytes_mut();
        let mut detected = 0;
        for i in 0..1000 {
            memory.copy_from_slice(&good_basis);
            // Choose a number in any row, and a bit among its upper 26 bits: the sign, the
            // exponent, or the upper 14 bits of the fraction.
            let (word, bit) = (i * 8191 % (4 * n), 63 - i % 26);
            memory[8 * word + bit / 8] ^= 1 << (bit % 8);
            let (values, hash) = memory.split_last_chunk_mut().expect("a hash");
            *hash = digest_continued(FORMAT, values).to_ne_bytes();
            detected += usize::from(KeyWithBasis::open(isa, key, memory).is_none());
        }
        detected
    }
}

#[test]
fn the_ntru_equation_detects_a_fault_in_a_basis() {
    let fn_dsa = Algorithm::FN_DSA_512;
    let (mut private, mut public) = (vec![0; fn_dsa.signing_key_len()], vec![0; fn_dsa.verifying_key_len()]);
    let mut work = vec![0; fn_dsa.keygen_fast_work_len()];
    let rng = &mut FixedBytes(&[7; 32]);
    SigningKeyRef::generate(Level::detect(), fn_dsa, rng, &mut private, &mut public, &mut work).expect("a key");
    let algorithm = FalconAlgorithm::new(FalconScheme::FnDsa, Degree::N512);
    for level in Level::available() {
        let key = EncodedPrivateKey { degree: Degree::N512, parts: private_parts(algorithm, &private) };
        assert_eq!(level.run(BasisFaults(key)), 1000, "{level}");
    }
}
