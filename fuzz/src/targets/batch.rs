//! Fuzz target that compares the verification of many signatures in a batch and one by one.

use super::FuzzInput;
use super::common::library::{levels, recode};
use super::signing::{MESSAGE, SCHEMES, context_of, good_signature, real_keys};
use fndsa::Options;
use fndsa::algorithm::Scheme;
use fndsa::batch::{BatchItem, verify_batch};
use fndsa::error::{BatchError, VerifyError};
use fndsa::message::MuBuilder;
use fndsa::no_alloc::MessageToVerify;

/// The maximum number of items. It is more than 64, because `verify_batch` searches 64 items at a
/// time for signatures that can be verified together.
const MAX_ITEMS: usize = 80;

/// A batch item, before its key is decoded and expanded.
struct RawBatchItem {
    scheme: Scheme,
    public: Vec<u8>,
    message: Vec<u8>,
    signature: Vec<u8>,
    is_hashed_first: bool,
}

impl RawBatchItem {
    /// Reads an item from the input. Returns `None` if the signature is too long for the encoding.
    ///
    /// Layout:
    ///
    /// - the scheme, the encoding and the kind (0 to 5), in a byte each
    /// - a length, in two bytes
    /// - the number of changes (0 to 3), in a byte
    /// - 5 bytes for each change: the first byte selects the key or the signature, and the other
    ///   four bytes define the edit ([`FuzzInput::edit`])
    ///
    /// Kinds 0 to 2 use the signed message. Kinds 3 to 5 repeat or truncate this message to the
    /// length from the input. Kinds 2 and 5 pass the hash `mu` instead of the message, if the
    /// scheme has a `mu`.
    fn read(input: &mut FuzzInput<'_>) -> Option<Self> {
        let scheme = input.one_of(&SCHEMES);
        let encoding = input.one_of(scheme.encodings());
        let (kind, len) = (input.byte() % 6, input.u16() % 1500);
        let (mut public, message) = match kind {
            0..3 => (real_keys(scheme).1.clone(), MESSAGE.to_vec()),
            _ => (real_keys(scheme).1.clone(), MESSAGE.iter().copied().cycle().take(len).collect()),
        };
        let mut signature = recode(scheme, good_signature(scheme), encoding)?;
        for _ in 0..input.byte() % 4 {
            match input.byte() % 8 {
                0 => input.edit(&mut public),
                _ => input.edit(&mut signature),
            }
        }
        Some(Self { scheme, public, message, signature, is_hashed_first: kind % 3 == 2 && scheme.has_mu() })
    }
}

/// Returns the number of rejected items.
fn count_rejected(batch: Result<(), BatchError>) -> usize {
    match batch {
        Ok(()) => 0,
        Err(BatchError::Refused { count, .. }) => count,
        Err(other) => panic!("{other}"),
    }
}

/// Verifies items in a batch and then one by one. The verdicts should be equal.
///
/// Layout: the level (instruction set) in a byte, and then the items, as [`RawBatchItem::read`]
/// describes.
pub fn batch(data: &[u8]) {
    let mut input = FuzzInput(data);
    let level = input.one_of(&levels());
    let mut raw_items = Vec::new();
    while !input.0.is_empty() && raw_items.len() < MAX_ITEMS {
        raw_items.extend(RawBatchItem::read(&mut input));
    }
    let keys: Vec<_> = raw_items
        .iter()
        .filter_map(|it| Some((it, fndsa::testing::verifying_key(it.scheme, &it.public).ok()?.expand(level))))
        .collect();
    let mus: Vec<_> = keys
        .iter()
        .map(|(it, key)| {
            let mut mu = MuBuilder::pure(level, &key.key_hash(), context_of(it.scheme)).expect("a context");
            mu.update(&it.message);
            mu.finish()
        })
        .collect();
    let items: Vec<_> = keys
        .iter()
        .zip(&mus)
        .map(|((it, key), mu)| {
            let form = Options::with_context(context_of(it.scheme));
            let message = if it.is_hashed_first { mu.into() } else { MessageToVerify::message(form, &it.message) };
            BatchItem { key, message, signature: &it.signature }
        })
        .collect();
    let mut verdicts = vec![Ok(()); items.len()];
    let work_len = items.iter().map(|item| item.key.algorithm().verify_batch_work_len()).max();
    let mut work = vec![0; work_len.unwrap_or(0)];
    let rejected = count_rejected(verify_batch(&items, &mut verdicts, &mut work));
    assert_eq!(rejected, verdicts.iter().filter(|verdict| verdict.is_err()).count());
    for (number, (item, verdict)) in items.iter().zip(verdicts).enumerate() {
        let single_verdict: Result<(), VerifyError> = item.key.verify(item.message, item.signature, &mut work);
        assert_eq!(verdict, single_verdict, "item {number} of {} on {level}", items.len());
    }
}
