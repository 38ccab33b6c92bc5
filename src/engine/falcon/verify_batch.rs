//! Verifies several signatures together. The messages are hashed to points in vector lanes. While
//! vector instructions compute the Keccak permutations, scalar instructions find where each
//! coefficient starts in several encoded s2. The next steps are the same as for a single signature
//! (`verify`): decoding, the product with the public key h, and the bounds.
//!
//! Each signature has a separate verdict, which does not depend on the other signatures. Before the
//! first step, all verdicts are errors. If a vector has space for only a single Keccak state, or if
//! there are too few signatures, the signatures are verified in sequence.
//!
//! There is no secret data in this file.

use super::coefficient_scanner::{CoefficientScanner, SCANNERS, permute_many_and_scan};
use super::params::NONCE_LEN;
use super::point::{PointInput, PointSource, hash_to_points_with};
use super::signature::SplitSignature;
use super::verify::{FalconRejection, UndecodedSignature, Verification, conclude, verify};
use crate::engine::hash::message::MU_LEN;
use crate::engine::hash::shake::{KECCAK_STATES, many_states_are_faster};
use crate::engine::verdict::Verified;
use crate::simd::{Scratch, Simd, frame};

/// The input for a lane that has no signature.
const NO_INPUT: PointInput<'static> = (&[0; NONCE_LEN], PointSource::Mu(&[0; MU_LEN]));

/// Verifies at most [`KECCAK_STATES`] signatures for the same algorithm. The public keys must not
/// be packed ([`PublicFields`](super::verify::PublicFields)). For each signature, writes the
/// verdict that [`verify`] would return. For each `None` in `tasks`, writes
/// [`FalconRejection::Mismatch`]. Uses [`FalconAlgorithm::verify_batch_work_len`] bytes from
/// `work`. The API calls this function for expanded public keys, and `sign_batch` calls it for the
/// signatures that it has made.
///
/// [`FalconAlgorithm::verify_batch_work_len`]:
/// super::scheme::FalconAlgorithm::verify_batch_work_len
#[inline(never)]
pub fn verify_together<S: Simd>(
    isa: S,
    tasks: &[Option<Verification<'_>>; KECCAK_STATES],
    verdicts: &mut [Result<Verified, FalconRejection>; KECCAK_STATES],
    mut work: Scratch<'_>,
) {
    *verdicts = [Err(FalconRejection::Mismatch); KECCAK_STATES];
    let present = tasks.iter().zip(&mut *verdicts).filter_map(|(task, verdict)| Some((task.as_ref()?, verdict)));
    let Some(Verification { algorithm, .. }) = tasks.iter().flatten().next() else { return };
    if !many_states_are_faster::<S>(tasks.iter().flatten().count()) {
        for (task, verdict) in present {
            *verdict = verify(isa, task, work.fork());
        }
        return;
    }
    frame!(isa, {
        let n = algorithm.degree().n();
        let rows = work.take::<u16>(n * KECCAK_STATES);
        let c = work.take::<u16>(n * KECCAK_STATES);

        // Pack the well-formed signatures into the first lanes.
        let mut well_formed =
            present.filter_map(|(task, verdict)| match SplitSignature::new(*algorithm, task.signature) {
                Ok(parts) => Some((task, parts, verdict)),
                Err(malformed) => {
                    *verdict = Err(FalconRejection::Malformed(malformed));
                    None
                }
            });
        let lanes: [_; KECCAK_STATES] = core::array::from_fn(|_| well_formed.next());
        let count = lanes.iter().flatten().count();
        let mut inputs = [NO_INPUT; KECCAK_STATES];
        for (input, (task, parts, _)) in inputs.iter_mut().zip(lanes.iter().flatten()) {
            *input = (parts.nonce, task.point);
        }

        let mut places = rows.chunks_exact_mut(n);
        let mut scanners = lanes.each_ref().map(|lane| {
            let (row, (_, parts, _)) = places.next().zip(lane.as_ref())?;
            parts.scanner(row)
        });
        hash_to_points_with(
            isa,
            algorithm.scheme(),
            &inputs[..count],
            &mut c[..n * count],
            #[inline(always)]
            |states| permute_many_and_scan(isa, states, count, scanners.as_chunks_mut::<SCANNERS>().0),
        );
        let trailing_bytes = scanners.map(|scanner| scanner.map(CoefficientScanner::finish));

        let rows = rows.chunks_exact_mut(n).zip(c.chunks_exact(n));
        for (((task, parts, verdict), trailing), (a, c)) in lanes.into_iter().flatten().zip(trailing_bytes).zip(rows) {
            *verdict = conclude(isa, task, UndecodedSignature { parts, trailing, a }, c, work.fork());
        }
    });
}
