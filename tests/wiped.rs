//! No piece of memory that is given back holds a private key: the allocator looks at each.

mod common;

use common::library::{Memory, keygen};
use fndsa::{Algorithm, KeyError, Level, OwnedSigningKey};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Sixteen bytes of the key that is looked for, and how often they were seen.
static WANTED: Mutex<Option<[u8; 16]>> = Mutex::new(None);
static SEEN: AtomicUsize = AtomicUsize::new(0);

struct Watch;

// SAFETY: all is the system's; memory is read before it goes back.
unsafe impl GlobalAlloc for Watch {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // Zeroed, so that all of it may be read.
        // SAFETY: as the caller's.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // Nobody allocates while holding the lock.
        if let Ok(Some(wanted)) = WANTED.try_lock().as_deref() {
            // SAFETY: the block is still the caller's, of this size and initialised by `alloc`.
            let bytes = unsafe { std::slice::from_raw_parts(memory, layout.size()) };
            let found = bytes.windows(wanted.len()).any(|piece| piece == wanted);
            SEEN.fetch_add(usize::from(found), Ordering::Relaxed);
        }
        // SAFETY: as the caller's.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static WATCH: Watch = Watch;

/// How many blocks with the key in them `f` gives back.
fn leaks(sk: &[u8], f: impl FnOnce()) -> usize {
    *WANTED.lock().unwrap() = sk[600..616].try_into().ok();
    let before = SEEN.load(Ordering::Relaxed);
    f();
    *WANTED.lock().unwrap() = None;
    SEEN.load(Ordering::Relaxed) - before
}

#[test]
fn owned_keys_are_wiped() {
    for algorithm in [Algorithm::FN_DSA_512, Algorithm::FALCON_512] {
        let (sk, _) = keygen(Level::detect(), algorithm, &[3; 32], Memory::Most);
        assert_eq!(leaks(&sk, || drop(sk.clone())), 1, "the allocator sees what it should");
        let load = |scheme, bytes: &[u8]| OwnedSigningKey::from_bytes(Level::detect(), scheme, bytes);
        let dropped = leaks(&sk, || {
            let key = load(algorithm.scheme, &sk).expect("a good key");
            drop(OwnedSigningKey::from(&key.borrowed()));
        });
        assert_eq!(dropped, 0, "{algorithm}");

        // Refused keys are as secret as good ones.
        let mut bad = sk.clone();
        bad[1000] ^= 1;
        assert_eq!(leaks(&sk, || assert!(matches!(load(algorithm.scheme, &bad), Err(KeyError::Equation)))), 0);

        let name = algorithm.to_string();
        let read = |bytes: Vec<u8>| {
            let mut encoded = vec![];
            let text = |text: &str| ciborium::Value::Text(text.into());
            let fields = vec![(text("algorithm"), text(&name)), (text("bytes"), ciborium::Value::Bytes(bytes))];
            ciborium::into_writer(&ciborium::Value::Map(fields), &mut encoded).expect("CBOR");
            encoded
        };
        let digits = format!(r#"{{"algorithm": "{algorithm}", "bytes": "{}"}}"#, common::to_hex(&sk));
        assert_eq!(leaks(&sk, || drop(serde_json::from_str::<OwnedSigningKey>(&digits).expect("a good key"))), 0);
        let digits = digits.replace(&name, "fn-dsa-1024");
        assert_eq!(leaks(&sk, || assert!(serde_json::from_str::<OwnedSigningKey>(&digits).is_err())), 0);
        let encoded = read(sk.clone());
        assert_eq!(leaks(&sk, || drop(ciborium::from_reader::<OwnedSigningKey, _>(&encoded[..]).expect("a key"))), 0);
        let encoded = read(bad.clone());
        assert_eq!(leaks(&sk, || assert!(ciborium::from_reader::<OwnedSigningKey, _>(&encoded[..]).is_err())), 0);
    }
}
