//! Verifies many signatures at once. The verdicts are the same as from individual verifications.
//! This is faster if the level has vectors with lanes for several signatures.

use super::expanded::ExpandedVerifyingKey;
use super::message::UnhashedMessage;
use super::verifying::{confirm, refused_by};
use super::{BatchError, KeyHash, MessageToVerify, Options, VerifyError, enough_work};
use crate::engine::falcon::params::NONCE_LEN;
use crate::engine::falcon::point::PointSource;
use crate::engine::falcon::scheme::FalconAlgorithm;
use crate::engine::falcon::signature::SplitSignature;
use crate::engine::falcon::verify::{FalconRejection, PublicFields, Verification};
use crate::engine::falcon::verify_batch::verify_together;
use crate::engine::hash::message::{HashingRules, MU_LEN, MessagePrefix, message_start, outputs_into};
use crate::engine::hash::shake::{MANY, Shake256, Sponge};
use crate::engine::hash::together::absorb_together;
use crate::engine::verdict::Verified;
use crate::simd::{Scratch, Simd, on_level};

/// A signature in a batch, with its key and its message.
#[derive(Clone, Copy)]
pub struct BatchItem<'a> {
    /// The public key.
    pub key: &'a ExpandedVerifyingKey,
    /// The message. A message in memory ([`MessageToVerify::message`]) is hashed together with
    /// other messages, which is fastest.
    pub message: MessageToVerify<'a>,
    /// The signature.
    pub signature: &'a [u8],
}

/// Verifies many signatures, for any keys. Each element in `verdicts` is set to the result of
/// [`ExpandedVerifyingKey::verify`] for the item at the same position. Returns `Ok` if all
/// signatures are valid, or if there are no items.
///
/// `work` needs at least the largest [`Algorithm::verify_batch_work_len`] of all items, in bytes.
/// In the Falcon family, up to eight items for the same algorithm and level are verified together,
/// if they are in the same window of 64 items. All other items, such as in ML-DSA, are verified
/// individually.
///
/// ```
/// use fndsa::batch::{BatchItem, verify_batch};
/// use fndsa::error::{BatchError, VerifyError};
/// use fndsa::no_alloc::{Level, MessageToVerify};
/// use fndsa::{Algorithm, Options, SigningKey};
/// # use getrandom::SysRng;
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
/// Returns an error if a signature is not valid. The verdicts contain the reasons. If a length is
/// wrong, no signature is verified, and all verdicts are NO.
///
/// [`Algorithm::verify_batch_work_len`]: super::Algorithm::verify_batch_work_len
pub fn verify_batch(
    items: &[BatchItem<'_>],
    verdicts: &mut [Result<(), VerifyError>],
    work: &mut [u8],
) -> Result<(), BatchError> {
    verify_all(items, verdicts, work, confirm)
}

/// Verifies many signatures, as [`verify_batch`] does. For each valid signature, the verdict is a
/// value, as from [`ExpandedVerifyingKey::verified`].
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

/// Verifies all items. `taken` converts a value from the engine to a verdict.
fn verify_all<T>(
    items: &[BatchItem<'_>],
    verdicts: &mut [Result<T, VerifyError>],
    work: &mut [u8],
    taken: impl Fn(Verified) -> Result<T, VerifyError>,
) -> Result<(), BatchError> {
    verdicts.iter_mut().for_each(|verdict| *verdict = Err(VerifyError::Mismatch));
    if verdicts.len() != items.len() {
        return Err(BatchError::Verdicts { needed: items.len(), given: verdicts.len() });
    }
    let needed = items.iter().map(|item| item.key.algorithm().verify_batch_work_len()).max();
    enough_work(work.len(), needed.unwrap_or(0)).map_err(BatchError::Work)?;
    for (items, verdicts) in items.chunks(ItemWindow::LEN).zip(verdicts.chunks_mut(ItemWindow::LEN)) {
        let mut window = ItemWindow { items, left: u64::MAX >> (ItemWindow::LEN - items.len()) };
        while let Some((group, count)) = window.next_group() {
            let mut answers = [Err(VerifyError::Mismatch); MANY];
            verify_group(items, &group[..count], &mut answers, work);
            for (number, answer) in group[..count].iter().zip(answers) {
                verdicts[*number] = answer.and_then(&taken);
            }
        }
    }
    refusals(verdicts)
}

/// Returns an error if any verdict is an error.
pub(super) fn refusals<T>(verdicts: &[Result<T, VerifyError>]) -> Result<(), BatchError> {
    let count = verdicts.iter().filter(|verdict| verdict.is_err()).count();
    let first = verdicts.iter().position(Result::is_err);
    first.map_or(Ok(()), |first| Err(BatchError::Refused { count, first }))
}

impl ExpandedVerifyingKey {
    /// Verifies many signatures with this key. An item is a message or a `mu`, with a signature.
    ///
    /// ```
    /// use fndsa::error::VerifyError;
    /// use fndsa::no_alloc::{Level, MessageToVerify};
    /// use fndsa::{Algorithm, Options, SigningKey};
    /// # use getrandom::SysRng;
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
    /// A bit for each item that is not in a group yet.
    left: u64,
}

impl ItemWindow<'_, '_> {
    /// The largest number of items.
    pub(super) const LEN: usize = u64::BITS as usize;

    /// Removes up to [`MANY`] items for the same algorithm and level, and returns their positions
    /// and number. Returns `None` when all items are in a group.
    fn next_group(&mut self) -> Option<([usize; MANY], usize)> {
        let first = self.items.get(self.left.trailing_zeros() as usize)?.key;
        let (mut group, mut count) = ([0; MANY], 0);
        for (i, item) in self.items.iter().enumerate() {
            let is_left = self.left >> i & 1 == 1;
            if is_left && item.key.algorithm() == first.algorithm() && item.key.level() == first.level() {
                group[count] = i;
                count += 1;
                self.left &= !(1 << i);
                if count == MANY {
                    break;
                }
            }
        }
        Some((group, count))
    }
}

/// An item that passed the checks before hashing, so that it can be verified with other items.
struct BatchCandidate<'a> {
    /// The position in the group.
    place: usize,
    h: PublicFields<'a>,
    key_hash: KeyHash,
    nonce: &'a [u8; NONCE_LEN],
    /// The point, or the message that has to be hashed to the point.
    message: Result<PointSource<'a>, UnhashedMessage<'a>>,
    signature: &'a [u8],
}

impl<'a> BatchCandidate<'a> {
    /// Returns the item at this position in a group, if it is a candidate.
    fn new(place: usize, item: &BatchItem<'a>) -> Option<Self> {
        let BatchItem { key, message, signature } = *item;
        let (algorithm, h) = key.prepared()?;
        let nonce = SplitSignature::new(algorithm, signature).ok()?.nonce;
        let message = match message.in_memory() {
            Some(message) => message.check(key.algorithm()).map(|()| Err(message)).ok()?,
            None => Ok(message.point(key.scheme(), signature)?),
        };
        Some(Self { place, h, key_hash: key.bound_hash(), nonce, message, signature })
    }

    /// Returns a sponge and the message to absorb. `None` if the message was already hashed.
    #[inline(always)]
    fn begun<S: Simd>(&self, isa: S, hashing: &HashingRules) -> Option<(Shake256<S>, &'a [u8])> {
        let UnhashedMessage { options: Options { context, prehash, .. }, bytes } = self.message.err()?;
        let front = MessagePrefix { nonce: self.nonce, key_hash: self.key_hash.as_bytes(), prehash, context };
        Some((message_start(isa, hashing, front), bytes))
    }
}

/// Writes the results for the items at these positions, in order. All items are for the same
/// algorithm and level. Range: at most [`MANY`] positions, and the work memory was checked.
fn verify_group(
    items: &[BatchItem<'_>],
    group: &[usize],
    answers: &mut [Result<Verified, VerifyError>; MANY],
    work: &mut [u8],
) {
    let mut found = group.iter().enumerate().filter_map(|(place, &number)| {
        let candidate = BatchCandidate::new(place, &items[number]);
        if candidate.is_none() {
            // Items that are not candidates, such as malformed items, are verified alone.
            let BatchItem { key, message, signature } = items[number];
            answers[place] = key.verified(message, signature, work);
        }
        candidate
    });
    let candidates: [_; MANY] = core::array::from_fn(|_| found.next());
    let first = candidates[0].as_ref().map(|first| items[group[first.place]].key);
    let Some((level, (algorithm, _))) = first.and_then(|key| Some((key.level(), key.prepared()?))) else { return };
    let mut verdicts = [Err(FalconRejection::Norm); MANY];
    on_level!(level, |isa = integers| verify_candidates(isa, algorithm, &candidates, &mut verdicts, Scratch::new(work)));
    for (candidate, verdict) in candidates.iter().flatten().zip(verdicts) {
        answers[candidate.place] = verdict.map_err(|refused| refused_by(refused, algorithm, candidate.signature));
    }
}

/// Hashes the messages of the candidates, and verifies the signatures.
#[inline(always)]
fn verify_candidates<S: Simd>(
    isa: S,
    algorithm: FalconAlgorithm,
    candidates: &[Option<BatchCandidate<'_>>; MANY],
    answers: &mut [Result<Verified, FalconRejection>; MANY],
    work: Scratch<'_>,
) {
    let hashing = &algorithm.scheme().rules().hashing;
    let mut sponges = [const { None }; MANY];
    let mut messages: [&[u8]; MANY] = [&[]; MANY];
    for (lane, candidate) in candidates.iter().enumerate() {
        let Some(candidate) = candidate else { continue };
        if let Some((sponge, message)) = candidate.begun(isa, hashing) {
            sponges[lane] = Some(sponge);
            messages[lane] = message;
        }
    }
    absorb_together(isa, &mut sponges, messages);
    let mut mus = [[0; MU_LEN]; MANY];
    let mut absorbed = [const { Sponge::EMPTY }; MANY];
    if hashing.through_mu {
        outputs_into(isa, sponges, &mut mus);
    } else {
        for (place, sponge) in absorbed.iter_mut().zip(sponges) {
            *place = sponge.map_or(Sponge::EMPTY, Shake256::suspend);
        }
    }
    let claims: [_; MANY] = core::array::from_fn(|lane| {
        let candidate = candidates[lane].as_ref()?;
        let hashed =
            if hashing.through_mu { PointSource::Mu(&mus[lane]) } else { PointSource::Absorbed(&absorbed[lane]) };
        let point = candidate.message.unwrap_or(hashed);
        Some(Verification { algorithm, h: candidate.h, point, signature: candidate.signature })
    });
    verify_together(isa, &claims, answers, work);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::{
        Algorithm, Degree, HashedMessage, Level, Mu, PreHash, Scheme, SignatureRef, SigningKey, VerifyingHasher,
        VerifyingKey,
    };
    use crate::testing::FixedBytes;

    /// A key with signatures in all encodings of its scheme, each with its message and options.
    struct SignedMessages {
        public: VerifyingKey,
        signatures: Vec<(Vec<u8>, Options<'static>, Vec<u8>)>,
    }

    fn signed(algorithm: Algorithm) -> SignedMessages {
        signed_with(algorithm, algorithm.id() as u8)
    }

    fn signed_with(algorithm: Algorithm, number: u8) -> SignedMessages {
        let key = SigningKey::generate(algorithm, &mut FixedBytes(&[number; 32])).unwrap();
        let scheme = algorithm.scheme();
        let options = |i: usize| match i {
            1 if scheme.has_context() => Options::with_context(b"context"),
            2 if scheme.has_context() => {
                Options { context: b"c", prehash: Some(PreHash::Sha256), ..Options::default() }
            }
            _ => Options::default(),
        };
        let signatures = (0..4).flat_map(|i| {
            let message = vec![i as u8; if i == 3 { 1000 } else { 32 }];
            let signature = key.sign(options(i), &message, &mut FixedBytes(&[number + i as u8; 400])).unwrap();
            let encodings = scheme.encodings().iter().filter_map(move |encoding| {
                let mut out = vec![0; algorithm.encoded_signature_len(*encoding)];
                let signature = SignatureRef::of_algorithm(algorithm, signature.as_bytes()).unwrap();
                let len = signature.recode_into(*encoding, &mut out)?;
                out.truncate(len);
                Some((message.clone(), options(i), out))
            });
            encodings.collect::<Vec<_>>()
        });
        SignedMessages { public: key.verifying_key(), signatures: signatures.collect() }
    }

    /// The defect in an item.
    #[derive(Clone, Copy, Debug, PartialEq)]
    enum ItemTampering {
        Nothing,
        /// A bit in the signature, counted from the beginning.
        Bit(usize),
        Cut,
        Long,
        Empty,
        Message,
        Key,
        Context,
        Digest,
        OtherHashed,
    }

    const WRONG: [ItemTampering; 16] = [
        ItemTampering::Nothing,
        ItemTampering::Bit(3),
        ItemTampering::Nothing,
        ItemTampering::Bit(8 * 5),
        ItemTampering::Nothing,
        ItemTampering::Bit(8 * 41 + 7),
        ItemTampering::Message,
        ItemTampering::Nothing,
        ItemTampering::Bit(8 * 46),
        ItemTampering::Cut,
        ItemTampering::Key,
        ItemTampering::Long,
        ItemTampering::Context,
        ItemTampering::Empty,
        ItemTampering::Digest,
        ItemTampering::OtherHashed,
    ];

    /// The way to pass the message of an item.
    enum ItemMessage {
        Whole,
        Hashed(Box<HashedMessage>),
    }

    struct BatchCase {
        key: usize,
        options: Options<'static>,
        message: Vec<u8>,
        given: ItemMessage,
        signature: Vec<u8>,
    }

    impl BatchCase {
        /// Returns signature `which` for key `key`, with a defect. Every third message is hashed.
        fn new(all: &[SignedMessages], key: usize, which: usize, wrong: ItemTampering) -> Self {
            let SignedMessages { public, signatures } = &all[key];
            let (mut message, mut options, mut signature) = signatures[which % signatures.len()].clone();
            let mut key = key;
            let level = Level::detect();
            let hashed = |signature: &[u8], message: &[u8]| {
                let hash = public.key_hash();
                let mut builder = VerifyingHasher::new(level, public.algorithm(), &hash, options, signature).ok()?;
                builder.update(message);
                builder.finish().ok().map(|hashed| ItemMessage::Hashed(Box::new(hashed)))
            };
            let mut given = if which % 3 == 1 { hashed(&signature, &message) } else { None };
            match wrong {
                ItemTampering::Nothing => (),
                ItemTampering::Bit(bit) => signature[bit / 8] ^= 1 << (bit % 8),
                ItemTampering::Cut => drop(signature.pop()),
                ItemTampering::Long => signature.push(0),
                ItemTampering::Empty => signature.clear(),
                ItemTampering::Message => {
                    message[7] ^= 1;
                    given = None;
                }
                ItemTampering::Key => key = (key + 1) % all.len(),
                ItemTampering::Context => {
                    options.context = b"other";
                    given = None;
                }
                ItemTampering::Digest => {
                    options.prehash = Some(PreHash::Sha512);
                    given = None;
                }
                ItemTampering::OtherHashed => {
                    let mut other = signature.clone();
                    other[9] ^= 1;
                    given = hashed(&other, &message);
                }
            }
            Self { key, options, message, given: given.unwrap_or(ItemMessage::Whole), signature }
        }

        fn item<'a>(&'a self, keys: &'a [Box<ExpandedVerifyingKey>]) -> BatchItem<'a> {
            let message = match &self.given {
                ItemMessage::Whole => MessageToVerify::message(self.options, &self.message),
                ItemMessage::Hashed(hashed) => (&**hashed).into(),
            };
            BatchItem { key: &keys[self.key], message, signature: &self.signature }
        }
    }

    /// Returns the verdicts of a batch, which must be the same as for individual items.
    fn both(items: &[BatchItem<'_>], what: &str) -> Vec<Result<(), VerifyError>> {
        let lens = items.iter().map(|item| item.key.algorithm().verify_batch_work_len());
        let mut work = vec![0x5a; lens.max().unwrap_or(0)];
        // The function must overwrite all previous verdicts.
        let mut verdicts = vec![Ok(()); items.len()];
        let all = verify_batch(items, &mut verdicts, &mut work);
        let mut values = vec![Err(VerifyError::Encoding); items.len()];
        assert_eq!(verified_batch(items, &mut values, &mut work), all);
        let confirmed: Vec<_> = values.iter().map(|value| value.and_then(confirm)).collect();
        assert_eq!(confirmed, verdicts);
        for (i, (item, verdict)) in items.iter().zip(&verdicts).enumerate() {
            let alone = item.key.verify(item.message, item.signature, &mut work);
            assert_eq!(*verdict, alone, "{what}: {} {i} of {}", item.key.algorithm(), items.len());
        }
        let first = verdicts.iter().position(Result::is_err);
        let count = verdicts.iter().filter(|verdict| verdict.is_err()).count();
        assert_eq!(all, first.map_or(Ok(()), |first| Err(BatchError::Refused { count, first })));
        verdicts
    }

    fn pool() -> Vec<SignedMessages> {
        let toy = Algorithm::at_degree(Scheme::FnDsa, Degree::from_logn(4).unwrap()).unwrap();
        let algorithms = [
            Algorithm::FN_DSA_512,
            Algorithm::FALCON_512,
            Algorithm::FN_DSA_1024,
            Algorithm::ML_DSA_44,
            Algorithm::FALCON_1024,
            toy,
            Algorithm::FN_DSA_2024_512,
        ];
        algorithms.into_iter().map(signed).collect()
    }

    #[test]
    fn a_batch_is_the_loop() {
        let all = pool();
        let mut state = 1u64;
        let mut random = move |below: usize| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            (state >> 33) as usize % below
        };
        let levels: Vec<_> = Level::available().collect();
        let expand = |level: Level| all.iter().map(move |it| it.public.to_ref().expand(level)).collect::<Vec<_>>();
        let keys: Vec<Vec<_>> = levels.iter().map(|level| expand(*level)).collect();
        let (mut good, mut bad) = (0, 0);
        for count in [0, 1, 2, 3, 7, 8, 9, 63, 64, 65, 1000] {
            let cases: Vec<_> = (0..count)
                .map(|_| {
                    // Small key numbers are more frequent, so that some groups are full.
                    let key = random(all.len()).min(random(all.len()));
                    BatchCase::new(&all, key, random(12), WRONG[random(WRONG.len())])
                })
                .collect();
            for (level, keys) in levels.iter().zip(&keys) {
                let items: Vec<_> = cases.iter().map(|case| case.item(keys)).collect();
                let verdicts = both(&items, level.name());
                good += verdicts.iter().filter(|verdict| verdict.is_ok()).count();
                bad += verdicts.iter().filter(|verdict| verdict.is_err()).count();
            }
            // Keys at several levels.
            let mixed: Vec<_> = cases.iter().enumerate().map(|(i, case)| case.item(&keys[i % levels.len()])).collect();
            both(&mixed, "several levels");
        }
        assert!(good > 300 * levels.len() && bad > 300 * levels.len(), "{good} {bad}");
    }

    #[test]
    fn what_is_wrong_in_one_lane_is_wrong_there_alone() {
        let all = pool();
        for level in Level::available() {
            let keys: Vec<_> = all.iter().map(|it| it.public.to_ref().expand(level)).collect();
            for key in 0..all.len() {
                for wrong in WRONG {
                    for lane in 0..MANY {
                        let of = |i| if i == lane { wrong } else { ItemTampering::Nothing };
                        let cases: Vec<_> = (0..MANY).map(|i| BatchCase::new(&all, key, i, of(i))).collect();
                        let items: Vec<_> = cases.iter().map(|case| case.item(&keys)).collect();
                        let verdicts = both(&items, level.name());
                        for (i, verdict) in verdicts.iter().enumerate() {
                            if i != lane || wrong == ItemTampering::Nothing {
                                assert_eq!(*verdict, Ok(()), "{level}: {wrong:?} in {lane}, not in {i}");
                            }
                        }
                    }
                }
            }
        }
    }

    /// Verifies eight keys with a signature each. Then one item gets the key of its neighbour.
    #[test]
    fn a_batch_with_many_keys_of_one_algorithm() {
        for algorithm in [Algorithm::FN_DSA_512, Algorithm::FALCON_512] {
            let all: Vec<_> = (1..=MANY as u8).map(|number| signed_with(algorithm, number)).collect();
            for level in Level::available() {
                let keys: Vec<_> = all.iter().map(|it| it.public.to_ref().expand(level)).collect();
                let cases: Vec<_> =
                    (0..MANY).map(|key| BatchCase::new(&all, key, key, ItemTampering::Nothing)).collect();
                let mut items: Vec<_> = cases.iter().map(|case| case.item(&keys)).collect();
                assert_eq!(both(&items, level.name()), [Ok(()); MANY], "{algorithm}, {level}");
                for lane in 0..MANY {
                    let good = items[lane];
                    items[lane].key = &keys[(lane + 1) % MANY];
                    let verdicts = both(&items, level.name());
                    assert!(
                        verdicts.iter().enumerate().all(|(i, verdict)| verdict.is_ok() == (i != lane)),
                        "{algorithm}"
                    );
                    items[lane] = good;
                }
            }
        }
    }

    #[test]
    fn wrong_lengths_are_errors_and_verdicts_no() {
        let all = [signed(Algorithm::FN_DSA_512)];
        let keys = [all[0].public.to_ref().expand(Level::detect())];
        let case = BatchCase::new(&all, 0, 0, ItemTampering::Nothing);
        let items = [case.item(&keys); 3];
        let needed = Algorithm::FN_DSA_512.verify_batch_work_len();
        let mut verdicts = [Ok(()); 4];
        let mut work = vec![0; needed];
        for given in [2, 4] {
            verdicts.fill(Ok(()));
            let refused = verify_batch(&items, &mut verdicts[..given], &mut work);
            assert_eq!(refused, Err(BatchError::Verdicts { needed: 3, given }));
            assert!(verdicts[..given].iter().all(Result::is_err));
        }
        verdicts.fill(Ok(()));
        let refused = verify_batch(&items, &mut verdicts[..3], &mut work[1..]);
        assert_eq!(refused, Err(BatchError::Work(crate::api::BufferLen { needed, given: needed - 1 })));
        assert!(verdicts[..3].iter().all(Result::is_err));
        assert_eq!(verify_batch(&items, &mut verdicts[..3], &mut work), Ok(()));
        assert_eq!(verify_batch(&[], &mut [], &mut []), Ok(()));
    }

    #[test]
    fn one_key_and_mus() {
        let all = [signed(Algorithm::FN_DSA_1024)];
        let key = all[0].public.to_ref().expand(Level::detect());
        let mus: Vec<_> = (all[0].signatures.iter())
            .map(|(message, options, signature)| {
                let mut builder =
                    VerifyingHasher::new(key.level(), key.algorithm(), &key.key_hash(), *options, signature).unwrap();
                builder.update(message);
                Mu::from_bytes(*MessageToVerify::from(&builder.finish().unwrap()).mu().unwrap())
            })
            .collect();
        let mut items: Vec<(MessageToVerify<'_>, &[u8])> =
            mus.iter().zip(&all[0].signatures).map(|(mu, signed)| (mu.into(), &signed.2[..])).collect();
        let mut work = vec![0; key.algorithm().verify_batch_work_len()];
        let mut verdicts = vec![Err(VerifyError::Mismatch); items.len()];
        assert_eq!(key.verify_batch(&items, &mut verdicts, &mut work), Ok(()));
        let other = Mu::from_bytes([0; MU_LEN]);
        items[2].0 = (&other).into();
        let refused = key.verify_batch(&items, &mut verdicts, &mut work);
        assert_eq!(refused, Err(BatchError::Refused { count: 1, first: 2 }));
        assert_eq!(verdicts, [Ok(()), Ok(()), Err(VerifyError::Mismatch), Ok(())]);
    }
}
