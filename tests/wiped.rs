//! Tests that the library wipes private keys before it frees memory. The allocator of this test
//! searches each freed block for a part of the key. Also tests that an operation leaves only zeros
//! in the work memory, which the caller provides.

mod common;

use common::library::{KeygenMemory, keygen};
use fndsa::error::KeyError;
use fndsa::message::Mu;
use fndsa::no_alloc::{Level, SigningKeyRef};
use fndsa::testing::FixedBytes;
use fndsa::{Algorithm, Error, SigningKey};
use sha3::Shake256;
use sha3::digest::{ExtendableOutput, Update, XofReader};
use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, RwLock};

/// The sixteen bytes of a secret that the allocator searches for in freed blocks.
static SECRET: RwLock<Option<[u8; 16]>> = RwLock::new(None);
static LEAK_COUNT: AtomicUsize = AtomicUsize::new(0);

/// An allocator that increments [`LEAK_COUNT`] if a freed block contains [`SECRET`].
struct WatchingAllocator;

// SAFETY: all calls go to the system allocator, which fulfils the trait's conditions. `dealloc`
// reads a block only before it frees the block.
unsafe impl GlobalAlloc for WatchingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // The memory is zeroed, because `dealloc` reads all bytes of the block, also bytes that the
        // caller did not write. SAFETY: the caller guarantees a layout with a nonzero size, which
        // is also the condition for `alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // Several threads may read `SECRET` at the same time. `try_read` fails only while `SECRET`
        // is written, and the tested code does not run at that time.
        if let Ok(Some(secret_bytes)) = SECRET.try_read().as_deref() {
            // SAFETY: the block still belongs to the caller, has this size, and was initialized by
            // `alloc`.
            let bytes = unsafe { std::slice::from_raw_parts(memory, layout.size()) };
            let found = bytes.windows(secret_bytes.len()).any(|piece| piece == secret_bytes);
            LEAK_COUNT.fetch_add(usize::from(found), Ordering::Relaxed);
        }
        // SAFETY: the caller guarantees that `alloc` returned this block with this layout, and that
        // it is freed only once.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static WATCH: WatchingAllocator = WatchingAllocator;

/// Counts the blocks that are freed during `f` and contain bytes 600 to 615 of the key.
fn count_key_leaks(sk: &[u8], f: impl FnOnce()) -> usize {
    count_leaks(sk[600..616].try_into().unwrap(), f)
}

/// Counts the blocks that are freed during `f` and contain these bytes.
fn count_leaks(bytes: [u8; 16], f: impl FnOnce()) -> usize {
    // Only a single call searches at a time. Other tests in this process may free blocks during the
    // search, but their blocks do not contain these bytes.
    static SEARCH_LOCK: Mutex<()> = Mutex::new(());
    let _one = SEARCH_LOCK.lock().unwrap_or_else(PoisonError::into_inner);
    *SECRET.write().unwrap() = Some(bytes);
    let leaks_before = LEAK_COUNT.load(Ordering::Relaxed);
    f();
    *SECRET.write().unwrap() = None;
    LEAK_COUNT.load(Ordering::Relaxed) - leaks_before
}

/// Returns the first `LEN` bytes of the SHAKE256 output for the parts.
fn shake256<const LEN: usize>(parts: &[&[u8]]) -> [u8; LEN] {
    let (mut hash, mut out) = (Shake256::default(), [0; LEN]);
    parts.iter().for_each(|part| hash.update(part));
    hash.finalize_xof().read(&mut out);
    out
}

#[test]
fn dropped_keys_are_wiped() {
    for algorithm in [Algorithm::FN_DSA_512, Algorithm::FALCON_512] {
        let (sk, _) = keygen(Level::detect(), algorithm, &[3; 32], KeygenMemory::Most);
        assert_eq!(count_key_leaks(&sk, || drop(sk.clone())), 1, "the allocator does not find a key that is not wiped");
        let load = |bytes: &[u8]| SigningKey::of_algorithm(algorithm, bytes);
        let leaks = count_key_leaks(&sk, || {
            let key = load(&sk).expect("a good key");
            drop(SigningKey::from(&key.to_ref()));
        });
        assert_eq!(leaks, 0, "{algorithm}");

        // A rejected key is also wiped, because it may be a good key with a few wrong bits.
        let mut bad_key = sk.clone();
        bad_key[1000] ^= 1;
        assert_eq!(count_key_leaks(&sk, || assert!(matches!(load(&bad_key), Err(Error::Key(KeyError::Equation))))), 0);

        let name = algorithm.to_string();
        let to_cbor = |bytes: Vec<u8>| {
            let mut encoded = vec![];
            let text = |text: &str| ciborium::Value::Text(text.into());
            let fields = vec![(text("algorithm"), text(&name)), (text("bytes"), ciborium::Value::Bytes(bytes))];
            ciborium::into_writer(&ciborium::Value::Map(fields), &mut encoded).expect("CBOR");
            encoded
        };
        let digits = format!(r#"{{"algorithm": "{algorithm}", "bytes": "{}"}}"#, common::to_hex(&sk));
        assert_eq!(count_key_leaks(&sk, || drop(serde_json::from_str::<SigningKey>(&digits).expect("a good key"))), 0);
        let digits = digits.replace(&name, "fn-dsa-1024");
        assert_eq!(count_key_leaks(&sk, || assert!(serde_json::from_str::<SigningKey>(&digits).is_err())), 0);
        let encoded = to_cbor(sk.clone());
        assert_eq!(
            count_key_leaks(&sk, || drop(ciborium::from_reader::<SigningKey, _>(&encoded[..]).expect("a key"))),
            0
        );
        let encoded = to_cbor(bad_key.clone());
        assert_eq!(count_key_leaks(&sk, || assert!(ciborium::from_reader::<SigningKey, _>(&encoded[..]).is_err())), 0);
    }
}

/// Checks that operations on a private key wipe the work memory, on all levels: key generation,
/// loading, the public key, conversion, expansion, and signing a mu.
#[test]
fn work_memory_is_wiped() {
    for (algorithm, level) in [Algorithm::FN_DSA_512, Algorithm::FALCON_512]
        .into_iter()
        .flat_map(|algorithm| Level::available().map(move |level| (algorithm, level)))
    {
        let (scheme, rng) = (algorithm.scheme(), &mut FixedBytes(&[5; 32]));
        let (mut sk, mut vk) = (vec![0; algorithm.signing_key_len()], vec![0; algorithm.verifying_key_len()]);
        let mut work =
            vec![0xa5; algorithm.sign_work_len().max(algorithm.import_work_len()).max(algorithm.keygen_work_len())];
        let check = |what: &str, work: &mut [u8]| {
            assert!(work.iter().all(|byte| *byte == 0), "{what}, {algorithm}, {level}: the work memory is not wiped");
            work.fill(0xa5);
        };
        SigningKeyRef::generate(level, algorithm, rng, &mut sk, &mut vk, &mut work).expect("a key");
        check("generate", &mut work);
        let key = fndsa::testing::signing_key(level, scheme, &sk, &mut work).expect("a good key");
        check("from_bytes", &mut work);
        key.verifying_key_into(level, &mut vk, &mut work).expect("its public key");
        check("verifying_key_into", &mut work);
        let other_algorithm =
            if algorithm == Algorithm::FN_DSA_512 { Algorithm::FALCON_512 } else { Algorithm::FN_DSA_512 };
        let mut converted = vec![0; other_algorithm.signing_key_len()];
        key.convert_into(level, other_algorithm.scheme(), &mut converted, &mut work).expect("the converted key");
        check("convert_into", &mut work);
        let expanded = key.expand(level, &mut work).expect("enough memory");
        check("expand", &mut work);
        if scheme.has_mu() {
            let (mu, mut signature) = (Mu::from_bytes([3; 64]), vec![0; algorithm.signature_len()]);
            key.sign(level, &mu, &mut FixedBytes(&[9; 40]), &mut signature, &mut work).expect("a signature");
            check("sign", &mut work);
            expanded.sign(&mu, &mut FixedBytes(&[9; 40]), &mut signature, &mut work).expect("a signature");
            check("sign with the expanded key", &mut work);
        }
    }
}

/// Checks that dropped expanded keys and random generators are wiped. An expanded key contains a
/// hash of the private key, and the faster generator contains the state of eight SHAKE256 streams.
#[test]
fn expanded_keys_and_generators_are_wiped() {
    let (algorithm, level) = (Algorithm::FN_DSA_512, Level::detect());
    let (sk, _) = keygen(level, algorithm, &[3; 32], KeygenMemory::Most);
    let mut work = vec![0; algorithm.sign_work_len().max(algorithm.import_work_len())];
    let key = fndsa::testing::signing_key(level, algorithm.scheme(), &sk, &mut work).expect("a good key");
    // f and g have 6 bits for each coefficient at degree 512.
    let secret: [u8; 40] = shake256(&[&sk[1..1 + 2 * 512 * 6 / 8]]);
    let secret_start = *secret.first_chunk().expect("16 bytes");
    let leaks = count_leaks(secret_start, || drop(black_box(secret.to_vec())));
    assert_eq!(leaks, 1, "the allocator does not find a secret that is not wiped");
    let mut work = vec![0; algorithm.sign_work_len()];
    assert_eq!(count_leaks(secret_start, || drop(key.expand(level, &mut work).expect("enough memory"))), 0);

    let (mu, random) = ([3; 64], [9; 40]);
    let expanded = key.expand(level, &mut work).expect("enough memory");
    let seed: [u8; 40] = shake256(&[&secret, &mu, &random]);
    // In the generator's memory, the first word of the current block of stream 0 is followed by the
    // first word of the current block of stream 1. The test does not know how many blocks signing
    // used, so it searches for the first words in each of 64 blocks.
    let streams = [0, 1].map(|lane| shake256::<{ 136 * 64 }>(&[&seed, &[0], &[lane], b"fndsa eight streams"]));
    let [words_0, words_1] = streams.each_ref().map(|stream| stream.chunks(136).map(|block| &block[..8]));
    let mut signature = vec![0; algorithm.signature_len()];
    for (word_0, word_1) in words_0.zip(words_1) {
        let leaks = count_leaks([word_0, word_1].concat().try_into().expect("two words"), || {
            let (mu, rng) = (Mu::from_bytes(mu), &mut FixedBytes(&random));
            expanded.sign_fast_rng(&mu, rng, &mut signature, &mut work).expect("a signature");
        });
        assert_eq!(leaks, 0);
    }
}
