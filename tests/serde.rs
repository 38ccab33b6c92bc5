//! Tests serialization with `serde`: the formats, round trips through JSON and CBOR, and the checks
//! when a value is read.

mod common;

use ciborium::Value as Cbor;
use common::library::{KeygenMemory, TestSigner, keygen, recode};
use common::{RandomStream, hex, to_hex};
use fndsa::algorithm::{Degree, PreHash, Scheme, SignatureEncoding};
use fndsa::error::{KeyError, MessageError, VerifyError};
use fndsa::message::{Context, KeyHash, Mu, OwnedOptions};
use fndsa::no_alloc::Level;
use fndsa::{Algorithm, Options, Signature, SigningKey, VerifyingKey};
use serde_json::{Value, from_value, json, to_value};
use std::fmt::Debug;

/// Checks that a value is the same after round trips through JSON and CBOR, and returns its JSON.
#[track_caller]
fn assert_round_trip<T>(value: &T) -> Value
where
    T: serde::Serialize + serde::de::DeserializeOwned + PartialEq + Debug,
{
    let text = serde_json::to_string(value).expect("JSON");
    assert_eq!(&serde_json::from_str::<T>(&text).expect("the written JSON"), value);
    // A value from a reader cannot borrow its bytes from the input.
    assert_eq!(&serde_json::from_reader::<_, T>(text.as_bytes()).expect("the written JSON"), value);
    let json = to_value(value).expect("JSON");
    assert_eq!(&from_value::<T>(json.clone()).expect("the written JSON"), value);
    assert_eq!(&from_cbor::<T>(&to_cbor(value)).expect("the written CBOR"), value);
    json
}

fn to_cbor(value: &impl serde::Serialize) -> Vec<u8> {
    let mut bytes = vec![];
    ciborium::into_writer(value, &mut bytes).expect("CBOR");
    bytes
}

fn from_cbor<T: serde::de::DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    ciborium::from_reader(bytes).map_err(|e| format!("{e:?}"))
}

/// Returns the error message for a JSON value that must be rejected.
#[track_caller]
fn json_error<T: serde::de::DeserializeOwned>(value: Value) -> String {
    match from_value::<T>(value) {
        Ok(_) => panic!("the JSON was accepted"),
        Err(e) => e.to_string(),
    }
}

#[test]
fn names_and_degrees_round_trip() {
    let names = Scheme::FALCON_FAMILY.map(|scheme| assert_round_trip(&scheme));
    assert_eq!(json!(names), json!(["fn-dsa", "fn-dsa-2024", "falcon", "falcon-rs"]));
    for algorithm in Algorithm::all() {
        assert_eq!(assert_round_trip(&algorithm), json!(algorithm.to_string().to_lowercase()));
    }
    assert_eq!(to_value(Algorithm::FALCON_512).expect("JSON"), "falcon-512");
    for encoding in Scheme::Falcon.encodings() {
        assert_eq!(assert_round_trip(encoding), encoding.name());
    }
    for hash in PreHash::all() {
        assert_eq!(assert_round_trip(&hash), hash.name());
    }
    for degree in [Degree::N512, Degree::N1024] {
        assert_eq!(assert_round_trip(&degree), degree.n());
    }
    assert_eq!(from_value::<Algorithm>(json!("FN-DSA-1024")).expect("any case"), Algorithm::FN_DSA_1024);
    for bad_value in [json!("falcon512"), json!(512), json!(null), json!("")] {
        assert!(json_error::<Algorithm>(bad_value.clone()).contains("the name of an algorithm"), "{bad_value}");
        assert!(json_error::<Scheme>(bad_value.clone()).contains("the name of a scheme"), "{bad_value}");
        assert!(json_error::<PreHash>(bad_value.clone()).contains("the name of a pre-hash"), "{bad_value}");
        assert!(json_error::<SignatureEncoding>(bad_value.clone()).contains("the name of an encoding"), "{bad_value}");
    }
    for bad_value in [
        json!(2),
        json!(4),
        json!(256),
        json!(2048),
        json!(511),
        json!(0),
        json!(-512),
        json!(512.5),
        json!("512"),
        json!(66048),
    ] {
        json_error::<Degree>(bad_value);
    }
}

#[test]
fn pre_hashes_and_contexts_round_trip() {
    let bytes = RandomStream::new("hashes", 0).bytes::<64>();
    assert_eq!(assert_round_trip(&Mu::from_bytes(bytes)), to_hex(&bytes));
    let mut vk = vec![0; 8];
    (vk[0], vk[1]) = (2, 1);
    let key = fndsa::testing::verifying_key(Scheme::FnDsa, &vk).expect("a good key").key_hash(Level::detect());
    assert_eq!(assert_round_trip::<KeyHash>(&key), to_hex(key.as_bytes()));
    assert_eq!(to_cbor(&key), [&[0x58, 64], &key.as_bytes()[..]].concat(), "CBOR contains bytes, not digits");
    for len in [0, 63, 65, 128] {
        let message = json_error::<Mu>(json!("0".repeat(2 * len)));
        assert!(message.contains("64 bytes"), "{message}");
    }
    for bad_value in ["0", "0g", "0:", "0/", "0@", "0`", " 00", "0x00", "\u{e9}", "00\n"] {
        let message = json_error::<Context>(json!(bad_value));
        assert!(message.contains("hexadecimal"), "{bad_value}: {message}");
    }
    assert_eq!(from_value::<Context>(json!("00fFaA9901")).expect("either case").as_bytes(), [0, 255, 170, 0x99, 1]);
    for len in [0, 1, 32, 33, 255] {
        let context = Context::new(&vec![7; len]).expect("not too long");
        assert_eq!(assert_round_trip(&context), "07".repeat(len));
    }
    assert_eq!(Context::new(&[7; 256]), Err(MessageError::ContextLen { found: 256 }));
    let message = json_error::<Context>(json!("07".repeat(256)));
    assert!(message.contains(&MessageError::ContextLen { found: 256 }.to_string()), "{message}");
    assert!(from_cbor::<Context>(&to_cbor(&Cbor::Bytes(vec![7; 256]))).is_err());
}

#[test]
fn options_round_trip() {
    let form = Options::with_context(b"v1").with_prehash(Some(PreHash::Sha512));
    let owned = OwnedOptions::try_from(form).expect("not too long");
    assert_eq!((owned.to_ref(), to_value(form).expect("JSON")), (form, assert_round_trip(&owned)));
    assert_eq!(assert_round_trip(&owned), json!({"context": "7631", "prehash": "sha512"}));
    assert_eq!(assert_round_trip(&OwnedOptions::default()), json!({"context": "", "prehash": null}));
    assert_eq!(from_value::<OwnedOptions>(json!({})).expect("all defaults"), OwnedOptions::default());
    assert_eq!(OwnedOptions::try_from(Options::with_context(&[0; 256])), Err(MessageError::ContextLen { found: 256 }));
    assert!(json_error::<OwnedOptions>(json!({"context": "", "hash": "sha512"})).contains("unknown field `hash`"));
    assert!(json_error::<OwnedOptions>(json!({"prehash": "md5"})).contains("the name of a pre-hash"));
    for (name, value) in [("context", "\"\""), ("prehash", "null")] {
        let duplicate = serde_json::from_str::<OwnedOptions>(&format!(r#"{{"{name}": {value}, "{name}": {value}}}"#));
        assert!(duplicate.unwrap_err().to_string().contains(&format!("duplicate field `{name}`")));
    }
}

/// Returns a key pair and a padded signature.
fn signed_sample(algorithm: Algorithm) -> (Vec<u8>, Vec<u8>, Vec<u8>) {
    let (sk, vk) = keygen(Level::detect(), algorithm, &[21; 32], KeygenMemory::Most);
    let random = RandomStream::new("serde", 0).bytes::<{ 28 * 40 }>();
    let signature =
        TestSigner::new(algorithm.scheme(), &sk).sign_message(Level::detect(), Options::default(), b"m", 27, &random);
    (sk, vk, signature.expect("a signature"))
}

#[test]
fn keys_and_signatures_round_trip() {
    let degrees = [Degree::N512, Degree::N1024];
    for (scheme, degree) in [Scheme::FnDsa, Scheme::FnDsa2024, Scheme::Falcon].map(|s| degrees.map(|d| (s, d))).concat()
    {
        let algorithm = Algorithm::at_degree(scheme, degree).expect("an algorithm");
        let name = algorithm.to_string().to_lowercase();
        let (sk, vk, signature) = signed_sample(algorithm);
        let form = |bytes: &[u8]| json!({"algorithm": name, "bytes": to_hex(bytes)});

        let public = VerifyingKey::from_bytes(scheme, &vk).expect("a good key");
        assert_eq!((public.algorithm(), public.as_bytes()), (algorithm, &vk[..]));
        assert_eq!((assert_round_trip(&public), to_value(public.to_ref()).expect("JSON")), (form(&vk), form(&vk)));
        for encoding in scheme.encodings() {
            let bytes = recode(scheme, &signature, *encoding).expect("an encoding");
            let owned = Signature::from_bytes(scheme, &bytes).expect("a signature");
            assert_eq!((owned.algorithm(), owned.encoding(), owned.as_bytes()), (algorithm, *encoding, &bytes[..]));
            assert_eq!(owned.to_ref(), fndsa::testing::signature(scheme, &bytes).expect("a signature"));
            assert_eq!(
                (assert_round_trip(&owned), to_value(owned.to_ref()).expect("JSON")),
                (form(&bytes), form(&bytes))
            );
        }

        let private = SigningKey::of_algorithm(algorithm, &sk).expect("a good key");
        assert_eq!((private.algorithm(), private.as_bytes()), (algorithm, &sk[..]));
        assert_eq!(private.key_hash(), public.to_ref().key_hash(Level::detect()));
        assert_eq!(to_value(&private).expect("JSON"), form(&sk));
        let cbor = to_cbor(&private);
        assert!(cbor.windows(sk.len()).any(|w| w == sk), "CBOR contains bytes, not digits");
        for reread in [from_value(form(&sk)).expect("a good key"), from_cbor::<SigningKey>(&cbor).expect("a good key")]
        {
            assert_eq!(
                (reread.algorithm(), reread.as_bytes(), reread.key_hash()),
                (algorithm, &sk[..], private.key_hash())
            );
            // The key can sign.
            let mut work = common::library::work(degree);
            let mut vk_again = vec![0; vk.len()];
            reread.to_ref().verifying_key_into(Level::detect(), &mut vk_again, &mut work).expect("a public key");
            assert_eq!(vk_again, vk);
        }
        let printed = format!("{private:?} {private:#?}");
        let digits = to_hex(&sk[1..17]);
        assert!(printed.contains("SigningKey") && !printed.contains(&digits[..8]) && printed.len() < 300, "{printed}");
    }
}

#[test]
fn invalid_json_is_rejected() {
    let algorithm = Algorithm::FALCON_512;
    let (sk, vk, signature) = signed_sample(algorithm);
    let form = |name: &str, bytes: &[u8]| json!({"algorithm": name, "bytes": to_hex(bytes)});
    let changed = |bytes: &[u8], at: usize| {
        let mut bytes = bytes.to_vec();
        bytes[at] ^= 1;
        bytes
    };
    let assert_message = |message: String, expected: &dyn ToString| assert_eq!(message, expected.to_string());
    // The order of the members does not matter.
    let text = format!(r#"{{"bytes": "{}", "algorithm": "Falcon-512"}}"#, to_hex(&vk));
    assert_eq!(serde_json::from_str::<VerifyingKey>(&text).expect("a good key").as_bytes(), vk);
    // The algorithm and the bytes can also be a sequence, because some formats have no member
    // names.
    let row = json!(["falcon-512", to_hex(&vk)]);
    assert_eq!(from_value::<VerifyingKey>(row).expect("a good key").as_bytes(), vk);
    assert!(json_error::<VerifyingKey>(json!(["falcon-512"])).contains("invalid length 1"));

    let too_large = [&[9][..], &[0xff; 896]].concat();
    assert_message(json_error::<VerifyingKey>(form("falcon-512", &too_large)), &KeyError::Coefficient);
    assert_message(
        json_error::<VerifyingKey>(form("falcon-512", &vk[..896])),
        &KeyError::Length { expected: 897, found: 896 },
    );
    assert_message(json_error::<VerifyingKey>(form("falcon-512", &[])), &KeyError::Header { found: None });
    assert_message(json_error::<Signature>(form("falcon-512", &changed(&signature, 665))), &VerifyError::Encoding);
    assert_message(json_error::<SigningKey>(form("falcon-512", &changed(&sk, 1000))), &KeyError::Equation);
    assert_message(json_error::<SigningKey>(form("falcon-rs-512", &sk)), &KeyError::VerifyOnly);
    // A toy algorithm can be serialized, but no type accepts the name of a toy when a value is
    // read.
    for toy in Algorithm::all_with_toys().filter(|algorithm| algorithm.is_toy()) {
        let (name, bytes) = (toy.to_string().to_lowercase(), vec![1; 8]);
        assert_eq!(to_value(toy).expect("JSON"), name.as_str(), "the name of a toy");
        assert!(json_error::<Algorithm>(json!(name)).contains("the name of an algorithm"), "{toy}");
        assert!(json_error::<VerifyingKey>(form(&name, &bytes)).contains("the name of an algorithm"), "{toy}");
        assert!(json_error::<SigningKey>(form(&name, &bytes)).contains("the name of an algorithm"), "{toy}");
        assert!(json_error::<Signature>(form(&name, &bytes)).contains("the name of an algorithm"), "{toy}");
    }
    // Read bytes that belong to a different degree or scheme than the algorithm name.
    let wrong_degree = "the bytes are of Falcon-512, not of Falcon-1024";
    assert_message(json_error::<VerifyingKey>(form("falcon-1024", &vk)), &wrong_degree);
    assert_message(json_error::<Signature>(form("falcon-1024", &signature)), &wrong_degree);
    assert_message(json_error::<SigningKey>(form("falcon-1024", &sk)), &wrong_degree);
    assert_message(
        json_error::<SigningKey>(form("fn-dsa-512", &sk)),
        &KeyError::Length { expected: 1345, found: 1281 },
    );

    assert!(json_error::<VerifyingKey>(json!({"algorithm": "falcon-512"})).contains("missing field `bytes`"));
    assert!(json_error::<VerifyingKey>(json!({"bytes": "00"})).contains("missing field `algorithm`"));
    assert!(json_error::<VerifyingKey>(json!({"scheme": "falcon"})).contains("unknown field `scheme`"));
    assert!(json_error::<VerifyingKey>(json!("00")).contains("an algorithm and bytes"));
    // If a private key contains a bad digit, the error does not quote digits of the key.
    let mut digits = to_hex(&sk);
    digits.replace_range(99..100, "x");
    let message = json_error::<SigningKey>(json!({"algorithm": "falcon-512", "bytes": digits}));
    assert!(message.len() < 100 && !message.contains(&digits[90..98]), "{message}");
    assert_eq!(hex(&to_hex(&sk)), sk);
}
