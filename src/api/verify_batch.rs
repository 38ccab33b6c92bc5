//! Verifies many signatures at once. The verdicts are the same as from individual verifications. A
//! batch is faster if the level (the instruction set) has vectors with lanes for several
//! signatures.

use super::algorithm::{Algorithm, FamilyAlgorithm};
use super::expanded_verifying::{BatchKey, ExpandedVerifyingKey};
use super::message::UnhashedMessage;
use super::mldsa::{check_signature_len, signature_error};
use super::verifying::{confirm, falcon_error};
use super::{BatchError, KeyHash, MessageToVerify, Options, VerifyError, check_work_len};
use crate::engine::falcon::params::NONCE_LEN;
use crate::engine::falcon::point::PointSource;
use crate::engine::falcon::signature::SplitSignature;
use crate::engine::falcon::verify::{FalconRejection, Verification};
use crate::engine::hash::message::{HashingRules, MU_LEN, MessagePrefix, message_start, outputs_into};
use crate::engine::hash::shake::{KECCAK_STATES, Shake256, Sponge};
use crate::engine::hash::together::absorb_together;
use crate::engine::mldsa::kept_verification::KeptVerification;
use crate::engine::mldsa::verify::MlDsaRejection;
use crate::engine::verdict::Verified;
use crate::engine::{falcon, mldsa};
use crate::simd::{Scratch, Simd, on_level};

/// A signature in a batch, with its key and its message.
#[derive(Clone, Copy)]
pub struct BatchItem<'a> {
    /// The public key.
    pub key: &'a ExpandedVerifyingKey,
    /// The message. A message in memory ([`MessageToVerify::message`]) is hashed together with the
    /// messages of other items, which is fastest.
    pub message: MessageToVerify<'a>,
    /// The signature.
    pub signature: &'a [u8],
}

/// Verifies many signatures, for any keys. Sets each element in `verdicts` to the value that
/// [`ExpandedVerifyingKey::verify`] returns for the item at the same position. Returns `Ok` if all
/// signatures are valid, or if there are no items.
///
/// `work` needs at least the largest [`Algorithm::verify_batch_work_len`] of all items, in bytes.
/// In the Falcon family and in ML-DSA, up to eight items for the same algorithm and level are
/// verified together. To find them, this function searches 64 consecutive items at a time. All
/// other items, for example for Ed25519, are verified individually.
///
/// ```
/// use fndsa::batch::{BatchItem, verify_batch};
/// use fndsa::error::{BatchError, VerifyError};
/// use fndsa::no_alloc::{Level, MessageToVerify};
/// use fndsa::{Algorithm, Options, SigningKey};
/// use getrandom::SysRng;
///
/// let key = SigningKey::generate(Algorithm::FN_DSA_512, &mut SysRng)?;
/// let messages = [b"one", b"two", b"six"];
/// let signatures: Result<Vec<_>, _> =
///     messages.iter().map(|message| key.sign(Options::default(), *message, &mut SysRng)).collect();
/// let signatures = signatures?;
///
/// let public = key.verifying_key().to_ref().expand(Level::detect());
/// let item = |message: &'static [u8], signature| BatchItem {
///     key: &public,
///     message: MessageToVerify::message(Options::default(), message),
///     signature,
/// };
/// let mut items: Vec<_> = messages.iter().zip(&signatures).map(|(m, s)| item(*m, s.as_bytes())).collect();
/// let mut verdicts = [Err(VerifyError::Mismatch); 3];
/// let mut work = vec![0; public.algorithm().verify_batch_work_len()];
/// verify_batch(&items, &mut verdicts, &mut work)?;
///
/// items[1].message = MessageToVerify::message(Options::default(), b"tow");
/// let refused = verify_batch(&items, &mut verdicts, &mut work);
/// assert_eq!(refused, Err(BatchError::Refused { count: 1, first: 1 }));
/// assert_eq!(verdicts, [Ok(()), Err(VerifyError::Mismatch), Ok(())]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error if a signature is not valid. The verdicts contain the reasons. If `verdicts` or
/// `work` has the wrong length, no signature is verified, and all verdicts are NO.
///
/// [`Algorithm::verify_batch_work_len`]: super::Algorithm::verify_batch_work_len
pub fn verify_batch(
    items: &[BatchItem<'_>],
    verdicts: &mut [Result<(), VerifyError>],
    work: &mut [u8],
) -> Result<(), BatchError> {
    verify_all(items, verdicts, work, confirm)
}

/// Verifies many signatures, as [`verify_batch`] does. The verdict on a valid signature is the
/// [`Verified`] that [`ExpandedVerifyingKey::verified`] returns.
///
/// # Errors
/// Returns the errors of [`verify_batch`].
pub fn verified_batch(
    items: &[BatchItem<'_>],
    verdicts: &mut [Result<Verified, VerifyError>],
    work: &mut [u8],
) -> Result<(), BatchError> {
    verify_all(items, verdicts, work, Ok)
}

/// Verifies all items. `accept` converts the engine's [`Verified`] to the value for `verdicts`.
fn verify_all<T>(
    items: &[BatchItem<'_>],
    verdicts: &mut [Result<T, VerifyError>],
    work: &mut [u8],
    accept: impl Fn(Verified) -> Result<T, VerifyError>,
) -> Result<(), BatchError> {
    verdicts.iter_mut().for_each(|verdict| *verdict = Err(VerifyError::Mismatch));
    if verdicts.len() != items.len() {
        return Err(BatchError::Verdicts { needed: items.len(), given: verdicts.len() });
    }
    let needed = items.iter().map(|item| item.key.algorithm().verify_batch_work_len()).max();
    check_work_len(work.len(), needed.unwrap_or(0)).map_err(BatchError::Work)?;
    for (items, verdicts) in items.chunks(ItemWindow::LEN).zip(verdicts.chunks_mut(ItemWindow::LEN)) {
        let mut window = ItemWindow { items, remaining: u64::MAX >> (ItemWindow::LEN - items.len()) };
        while let Some((group, count)) = window.next_group() {
            let mut answers = [Err(VerifyError::Mismatch); KECCAK_STATES];
            verify_group(items, &group[..count], &mut answers, work);
            for (number, answer) in group[..count].iter().zip(answers) {
                verdicts[*number] = answer.and_then(&accept);
            }
        }
    }
    check_verdicts(verdicts)
}

/// Returns an error if any verdict is an error.
pub(super) fn check_verdicts<T>(verdicts: &[Result<T, VerifyError>]) -> Result<(), BatchError> {
    let count = verdicts.iter().filter(|verdict| verdict.is_err()).count();
    let first = verdicts.iter().position(Result::is_err);
    first.map_or(Ok(()), |first| Err(BatchError::Refused { count, first }))
}

impl ExpandedVerifyingKey {
    /// Verifies many signatures with this key, as [`verify_batch`] does. An item is a message or a
    /// `mu`, with a signature.
    ///
    /// ```
    /// use fndsa::error::VerifyError;
    /// use fndsa::no_alloc::{Level, MessageToVerify};
    /// use fndsa::{Algorithm, Options, SigningKey};
    /// use getrandom::SysRng;
    ///
    /// let key = SigningKey::generate(Algorithm::FALCON_512, &mut SysRng)?;
    /// let signature = key.sign(Options::default(), b"a message", &mut SysRng)?;
    /// let public = key.verifying_key().to_ref().expand(Level::detect());
    ///
    /// let items = [(MessageToVerify::message(Options::default(), b"a message"), signature.as_bytes()); 5];
    /// let mut verdicts = [Err(VerifyError::Mismatch); 5];
    /// let mut work = vec![0; public.algorithm().verify_batch_work_len()];
    /// public.verify_batch(&items, &mut verdicts, &mut work)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns the errors of [`verify_batch`].
    pub fn verify_batch(
        &self,
        items: &[(MessageToVerify<'_>, &[u8])],
        verdicts: &mut [Result<(), VerifyError>],
        work: &mut [u8],
    ) -> Result<(), BatchError> {
        let items: alloc::vec::Vec<_> =
            items.iter().map(|&(message, signature)| BatchItem { key: self, message, signature }).collect();
        verify_batch(&items, verdicts, work)
    }
}

/// Consecutive items, among which this type finds items that can be verified together.
pub(super) struct ItemWindow<'w, 'a> {
    items: &'w [BatchItem<'a>],
    /// A bit for each item, which is set if the item is not in a group yet.
    remaining: u64,
}

impl ItemWindow<'_, '_> {
    /// The largest number of items in a window.
    pub(super) const LEN: usize = u64::BITS as usize;

    /// Removes up to [`KECCAK_STATES`] items for the same algorithm and level, and returns their
    /// positions and number. Returns `None` if no items remain.
    fn next_group(&mut self) -> Option<([usize; KECCAK_STATES], usize)> {
        let first = self.items.get(self.remaining.trailing_zeros() as usize)?.key;
        let (mut group, mut count) = ([0; KECCAK_STATES], 0);
        for (i, item) in self.items.iter().enumerate() {
            let is_remaining = self.remaining >> i & 1 == 1;
            if is_remaining && item.key.algorithm() == first.algorithm() && item.key.level() == first.level() {
                group[count] = i;
                count += 1;
                self.remaining &= !(1 << i);
                if count == KECCAK_STATES {
                    break;
                }
            }
        }
        Some((group, count))
    }
}

/// An item that has passed the checks before hashing, and can be verified together with other
/// items.
struct BatchCandidate<'a> {
    /// The item's position in the group.
    group_position: usize,
    key: BatchKey<'a>,
    key_hash: KeyHash,
    /// The nonce in the signature, or zeros if the algorithm has none.
    nonce: &'a [u8; NONCE_LEN],
    /// `Ok` contains a hashed message, from which the engine computes the point. `Err` contains a
    /// message in memory, which is not hashed yet.
    message: Result<PointSource<'a>, UnhashedMessage<'a>>,
    signature: &'a [u8],
}

impl<'a> BatchCandidate<'a> {
    /// Returns the candidate for an item. `group_position` is the item's position in the group.
    /// Returns `None` if the scheme is Ed25519 or a composite, if the signature or the options are
    /// malformed, or if the message was hashed for a different scheme or nonce.
    fn new(group_position: usize, item: &BatchItem<'a>) -> Option<Self> {
        let BatchItem { key, message, signature } = *item;
        let batch_key = key.batch_key()?;
        let nonce = match batch_key {
            BatchKey::Falcon(algorithm, _) => SplitSignature::new(algorithm, signature).ok()?.nonce,
            BatchKey::MlDsa(set, _) => {
                check_signature_len(set, signature).ok()?;
                &[0; NONCE_LEN]
            }
        };
        let message = match message.in_memory() {
            Some(message) => message.check(key.algorithm()).map(|()| Err(message)).ok()?,
            None => Ok(message.point(key.scheme(), signature)?),
        };
        Some(Self { group_position, key: batch_key, key_hash: key.bound_hash(), nonce, message, signature })
    }

    /// Returns two values: a sponge (a SHAKE256 state) that has absorbed the data before the
    /// message, and the message. Returns `None` if the message was already hashed.
    #[inline(always)]
    fn sponge_with_prefix<S: Simd>(&self, isa: S, hashing: &HashingRules) -> Option<(Shake256<S>, &'a [u8])> {
        let UnhashedMessage { options: Options { context, prehash, .. }, bytes, .. } = self.message.err()?;
        let prefix = MessagePrefix { nonce: self.nonce, key_hash: self.key_hash.as_bytes(), prehash, context };
        Some((message_start(isa, hashing, prefix), bytes))
    }
}

/// Verifies the items at the positions in `group`, and writes the results to `answers` in the order
/// of `group`. All these items are for the same algorithm and level. `group` has at most
/// [`KECCAK_STATES`] positions. The caller has checked the work memory's length.
fn verify_group(
    items: &[BatchItem<'_>],
    group: &[usize],
    answers: &mut [Result<Verified, VerifyError>; KECCAK_STATES],
    work: &mut [u8],
) {
    let mut found = group.iter().enumerate().filter_map(|(group_position, &number)| {
        let candidate = BatchCandidate::new(group_position, &items[number]);
        if candidate.is_none() {
            // Items that are not candidates, such as malformed items, are verified alone.
            let BatchItem { key, message, signature } = items[number];
            answers[group_position] = key.verified(message, signature, work);
        }
        candidate
    });
    let candidates: [_; KECCAK_STATES] = core::array::from_fn(|_| found.next());
    let first = candidates[0].as_ref().map(|first| items[group[first.group_position]].key);
    let Some(first) = first else { return };
    let mut verdicts = [Err(VerifyError::Mismatch); KECCAK_STATES];
    on_level!(first.level(), |isa = integers| {
        verify_candidates(isa, first.algorithm(), &candidates, &mut verdicts, Scratch::new(work));
    });
    for (candidate, verdict) in candidates.iter().flatten().zip(verdicts) {
        answers[candidate.group_position] = verdict;
    }
}

/// Hashes the candidates' messages, and verifies the signatures.
#[inline(always)]
fn verify_candidates<S: Simd>(
    isa: S,
    algorithm: Algorithm,
    candidates: &[Option<BatchCandidate<'_>>; KECCAK_STATES],
    answers: &mut [Result<Verified, VerifyError>; KECCAK_STATES],
    work: Scratch<'_>,
) {
    let hashing = algorithm.scheme().hashing();
    let mut sponges = [const { None }; KECCAK_STATES];
    let mut messages: [&[u8]; KECCAK_STATES] = [&[]; KECCAK_STATES];
    for (lane, candidate) in candidates.iter().enumerate() {
        let Some(candidate) = candidate else { continue };
        if let Some((sponge, message)) = candidate.sponge_with_prefix(isa, hashing) {
            sponges[lane] = Some(sponge);
            messages[lane] = message;
        }
    }
    absorb_together(isa, &mut sponges, messages);
    let mut mus = [[0; MU_LEN]; KECCAK_STATES];
    let mut absorbed = [const { Sponge::EMPTY }; KECCAK_STATES];
    if hashing.through_mu {
        outputs_into(isa, sponges, &mut mus);
    } else {
        for (absorbed_sponge, sponge) in absorbed.iter_mut().zip(sponges) {
            *absorbed_sponge = sponge.map_or(Sponge::EMPTY, Shake256::suspend);
        }
    }
    let points: [_; KECCAK_STATES] = core::array::from_fn(|lane| {
        let hashed =
            if hashing.through_mu { PointSource::Mu(&mus[lane]) } else { PointSource::Absorbed(&absorbed[lane]) };
        Some(candidates[lane].as_ref()?.message.unwrap_or(hashed))
    });
    verify_hashed(isa, algorithm, candidates, &points, answers, work);
}

/// Verifies the signatures. For ML-DSA, each point must be a mu.
#[inline(always)]
fn verify_hashed<S: Simd>(
    isa: S,
    algorithm: Algorithm,
    candidates: &[Option<BatchCandidate<'_>>; KECCAK_STATES],
    points: &[Option<PointSource<'_>>; KECCAK_STATES],
    answers: &mut [Result<Verified, VerifyError>; KECCAK_STATES],
    work: Scratch<'_>,
) {
    let mut of_falcon = [const { None }; KECCAK_STATES];
    let mut of_ml_dsa = [const { None }; KECCAK_STATES];
    for (lane, (candidate, point)) in candidates.iter().zip(points).enumerate() {
        let (Some(BatchCandidate { key, signature, .. }), Some(point)) = (candidate, *point) else { continue };
        match (*key, point) {
            (BatchKey::Falcon(algorithm, h), point) => {
                of_falcon[lane] = Some(Verification { algorithm, h, point, signature });
            }
            (BatchKey::MlDsa(_, key), PointSource::Mu(mu)) => of_ml_dsa[lane] = Some(key.verification(mu, signature)),
            (BatchKey::MlDsa(..), PointSource::Absorbed(_)) => (),
        }
    }
    match algorithm.family() {
        FamilyAlgorithm::Falcon(algorithm) => {
            let mut verdicts = [Err(FalconRejection::Mismatch); KECCAK_STATES];
            falcon::verify_batch::verify_together(isa, &of_falcon, &mut verdicts, work);
            for ((answer, verdict), verification) in answers.iter_mut().zip(verdicts).zip(of_falcon) {
                let Some(Verification { signature, .. }) = verification else { continue };
                *answer = verdict.map_err(|refused| falcon_error(refused, algorithm, signature));
            }
        }
        FamilyAlgorithm::MlDsa(set) => {
            let mut verdicts = [Err(MlDsaRejection::Challenge); KECCAK_STATES];
            mldsa::verify_batch::verify_together(isa, &of_ml_dsa, &mut verdicts, work);
            for ((answer, verdict), verification) in answers.iter_mut().zip(verdicts).zip(of_ml_dsa) {
                let Some(KeptVerification { signature, .. }) = verification else { continue };
                *answer = verdict.map_err(|rejection| signature_error(rejection, set, signature));
            }
        }
        #[cfg(feature = "ed25519")]
        FamilyAlgorithm::Ed25519 | FamilyAlgorithm::Composite(_) => (),
    }
}

#[cfg(test)]
mod tests;
