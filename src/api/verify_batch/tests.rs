//! Tests that verifying a batch returns the same verdicts as verifying the items individually.

use super::*;
use crate::api::{
    Algorithm, Degree, HashedMessage, Level, MessageDigest, Mu, PreHash, Scheme, SignatureRef, SigningKey,
    VerifyingHasher, VerifyingKey,
};
use crate::testing::FixedBytes;

/// A key with signatures in all encodings of the scheme. An element contains the message, the
/// options and the signature.
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
    // SHA-256 is too weak for ML-DSA-65 and ML-DSA-87.
    let prehash = if scheme == Scheme::MlDsa { PreHash::Sha512 } else { PreHash::Sha256 };
    let options = |i: usize| match i {
        1 if scheme.has_context() => Options::with_context(b"context"),
        2 if scheme.has_context() => Options { context: b"c", prehash: Some(prehash), ..Options::default() },
        _ => Options::default(),
    };
    let signatures = (0..4).flat_map(|i| {
        let len = match options(i).prehash {
            Some(hash) => hash.digest_len(),
            None if i == 3 => 1000,
            None => 32,
        };
        let message = vec![i as u8; len];
        let rng = &mut FixedBytes(&[number + i as u8; 400]);
        let signature = match options(i).prehash {
            None => key.sign(options(i), &message, rng).unwrap(),
            Some(hash) => key.sign_digest(options(i), &MessageDigest::new(hash, &message).unwrap(), rng).unwrap(),
        };
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
    /// A bit of the signature is flipped. The value is the position of the bit from the beginning.
    Bit(usize),
    /// Three bytes are zero, so that a coefficient of z in an ML-DSA signature exceeds the bound.
    Zeros(usize),
    /// A bit in the last byte is flipped, so that the hint in an ML-DSA signature is invalid.
    LastByte,
    Cut,
    Long,
    Empty,
    Message,
    Key,
    Context,
    Digest,
    OtherHashed,
}

const WRONG: [ItemTampering; 18] = [
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
    ItemTampering::Zeros(100),
    ItemTampering::LastByte,
];

/// The form of the message in an item.
enum ItemMessage {
    NotHashed,
    Digest(MessageDigest),
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
    /// Returns the signature with number `which` by the key with number `key`, with the defect
    /// `wrong`. Every third message is passed as a hash.
    fn new(all: &[SignedMessages], key: usize, which: usize, wrong: ItemTampering) -> Self {
        let SignedMessages { public, signatures } = &all[key];
        let (mut message, mut options, mut signature) = signatures[which % signatures.len()].clone();
        let mut key = key;
        let level = Level::detect();
        let hashed = |signature: &[u8], message: &[u8]| {
            let hash = public.key_hash();
            let mut builder = VerifyingHasher::start(level, public.algorithm(), &hash, options, signature).ok()?;
            builder.update(message);
            Some(ItemMessage::Hashed(Box::new(builder.finish())))
        };
        let mut given = if which % 3 == 1 { hashed(&signature, &message) } else { None };
        match wrong {
            ItemTampering::Nothing => (),
            ItemTampering::Bit(bit) => signature[bit / 8] ^= 1 << (bit % 8),
            ItemTampering::Zeros(from) => {
                let from = from.min(signature.len() - 3);
                signature[from..from + 3].fill(0);
            }
            ItemTampering::LastByte => *signature.last_mut().unwrap() ^= 0x80,
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
                let is_other = options.prehash != Some(PreHash::Sha512);
                options.prehash = Some(if is_other { PreHash::Sha512 } else { PreHash::Sha3_512 });
                given = Some(ItemMessage::NotHashed);
            }
            ItemTampering::OtherHashed => {
                let mut other = signature.clone();
                other[9] ^= 1;
                given = hashed(&other, &message);
            }
        }
        let whole = || match options.prehash {
            None => ItemMessage::NotHashed,
            Some(hash) => ItemMessage::Digest(MessageDigest::new(hash, &message).unwrap()),
        };
        Self { given: given.unwrap_or_else(whole), key, options, message, signature }
    }

    fn item<'a>(&'a self, keys: &'a [Box<ExpandedVerifyingKey>]) -> BatchItem<'a> {
        let message = match &self.given {
            ItemMessage::NotHashed => MessageToVerify::message(self.options, &self.message),
            ItemMessage::Digest(digest) => MessageToVerify::digest(self.options, digest).unwrap(),
            ItemMessage::Hashed(hashed) => (&**hashed).into(),
        };
        BatchItem { key: &keys[self.key], message, signature: &self.signature }
    }
}

/// Returns the verdicts for a batch, and compares them with the verdicts for individual items.
fn both(items: &[BatchItem<'_>], what: &str) -> Vec<Result<(), VerifyError>> {
    let lens = items.iter().map(|item| item.key.algorithm().verify_batch_work_len());
    let mut work = vec![0x5a; lens.max().unwrap_or(0)];
    // The function must overwrite any previous verdicts.
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
        Algorithm::ML_DSA_87,
        toy,
        Algorithm::FN_DSA_2024_512,
    ];
    algorithms.into_iter().map(signed).collect()
}

#[test]
fn a_batch_has_the_verdicts_of_single_calls() {
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
                // Use small key numbers more often, to get full groups.
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
        // Use keys for different levels (instruction sets) in a batch.
        let mixed: Vec<_> = cases.iter().enumerate().map(|(i, case)| case.item(&keys[i % levels.len()])).collect();
        both(&mixed, "several levels");
    }
    assert!(good > 300 * levels.len() && bad > 300 * levels.len(), "{good} {bad}");
}

#[test]
fn an_error_in_one_lane_does_not_affect_the_others() {
    let all = pool();
    for level in Level::available() {
        let keys: Vec<_> = all.iter().map(|it| it.public.to_ref().expand(level)).collect();
        for key in 0..all.len() {
            for wrong in WRONG {
                for lane in 0..KECCAK_STATES {
                    let of = |i| if i == lane { wrong } else { ItemTampering::Nothing };
                    let cases: Vec<_> = (0..KECCAK_STATES).map(|i| BatchCase::new(&all, key, i, of(i))).collect();
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

/// Verifies a batch of eight signatures by different keys, and then batches in which an item has
/// the key of the next item.
#[test]
fn a_batch_may_have_many_keys_of_one_algorithm() {
    for algorithm in [Algorithm::FN_DSA_512, Algorithm::FALCON_512, Algorithm::ML_DSA_44, Algorithm::ML_DSA_65] {
        let all: Vec<_> = (1..=KECCAK_STATES as u8).map(|number| signed_with(algorithm, number)).collect();
        for level in Level::available() {
            let keys: Vec<_> = all.iter().map(|it| it.public.to_ref().expand(level)).collect();
            let cases: Vec<_> =
                (0..KECCAK_STATES).map(|key| BatchCase::new(&all, key, key, ItemTampering::Nothing)).collect();
            let mut items: Vec<_> = cases.iter().map(|case| case.item(&keys)).collect();
            assert_eq!(both(&items, level.name()), [Ok(()); KECCAK_STATES], "{algorithm}, {level}");
            for lane in 0..KECCAK_STATES {
                let good = items[lane];
                items[lane].key = &keys[(lane + 1) % KECCAK_STATES];
                let verdicts = both(&items, level.name());
                assert!(verdicts.iter().enumerate().all(|(i, verdict)| verdict.is_ok() == (i != lane)), "{algorithm}");
                items[lane] = good;
            }
        }
    }
}

#[test]
fn wrong_lengths_are_errors_and_the_verdicts_are_no() {
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
fn a_key_verifies_many_mus() {
    let all = [signed(Algorithm::FN_DSA_1024)];
    let key = all[0].public.to_ref().expand(Level::detect());
    let mus: Vec<_> = (all[0].signatures.iter())
        .map(|(message, options, signature)| {
            let mut builder =
                VerifyingHasher::start(key.level(), key.algorithm(), &key.key_hash(), *options, signature).unwrap();
            builder.update(message);
            Mu::from_bytes(*MessageToVerify::from(&builder.finish()).mu().unwrap())
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
