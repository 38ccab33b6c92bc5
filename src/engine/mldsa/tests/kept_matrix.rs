//! Inserts faults into the matrix A, in a signer that keeps A for all attempts.

use super::super::params::{MlDsaSet, N};
use super::super::sign::{MlDsaSignError, MuTask, sign_with};
use super::super::trace::FaultHooks;
use super::pair_of;
use crate::simd::{Level, Scratch, Simd, WithSimd};

/// Changes A after it was sampled, in a signer that keeps A. With A = 0, w would be 0, and the
/// verification of the new signature would only compare zeros. The signer still detects the fault,
/// because it also computes the key's t0 from A.
#[test]
fn a_changed_matrix_is_detected() {
    struct ChangedMatrix(fn(&mut [u32]));
    impl FaultHooks for ChangedMatrix {
        fn matrix(&self, matrix: &mut [u32]) {
            (self.0)(matrix);
        }
    }
    struct ChangedMatrixTest;
    impl WithSimd for ChangedMatrixTest {
        type Output = ();
        fn with<S: Simd>(self, isa: S) {
            let changes: [fn(&mut [u32]); 5] = [
                |matrix| matrix.fill(0),
                |matrix| matrix[..N].fill(0),
                |matrix| matrix[N..2 * N].fill(0),
                |matrix| matrix[0] ^= 1,
                |matrix| matrix[matrix.len() - 1] ^= 1,
            ];
            for set in MlDsaSet::ALL {
                let (_, expanded) = pair_of(isa, set, &[9; 32]);
                let task = MuTask { set, expanded: &expanded, mu: &[1; 64], rnd: &[0; 32] };
                let mut work = vec![0; set.sign_matrix_work_len()];
                for (i, change) in changes.into_iter().enumerate() {
                    let mut signature = vec![1; set.signature_len()];
                    let hooks = ChangedMatrix(change);
                    let signed = sign_with(isa, &task, &hooks, &mut signature, Scratch::new(&mut work));
                    assert_eq!(signed, Err(MlDsaSignError::Fault), "{set:?}, change {i}");
                    assert!(signature.iter().all(|byte| *byte == 0));
                }
            }
        }
    }
    // `sign_with` uses this signer only on levels without vectors.
    Level::EMULATED.run(ChangedMatrixTest);
}
