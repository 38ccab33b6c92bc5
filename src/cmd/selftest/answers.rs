//! Known answers from published test vectors. For FN-DSA, ML-DSA and Ed25519, fndsa must generate
//! exactly the published keys and signatures. For the other schemes, fndsa imports published keys
//! and verifies published signatures. fndsa cannot generate these signatures again, because their
//! random bytes are not published or come from a generator that fndsa does not have. Therefore, the
//! test compares a signature that fndsa generates for such a scheme only with the signature that
//! the first level (instruction set) generates.

use super::checks::{CanaryBuffer, CheckResult, ContextMessage, GuardedKeys, check_signature, check_valid};
use crate::tool::keys::loader::AllowWeak;
use crate::tool::keys::loader::ObjectLoader;
use crate::tool::sign::deterministic::{DeterministicRng, SeededStream};
use fndsa::Algorithm;
use fndsa::algorithm::Scheme;
use fndsa::files::hex::{from_hex, hex};
use fndsa::files::{ObjectKind, ReadOptions};
use fndsa::no_alloc::Level;
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

/// The known answer for an algorithm.
#[derive(Clone, Copy)]
pub struct KnownAnswer {
    /// The algorithm that the answer belongs to.
    pub algorithm: Algorithm,
    keygen: KeygenAnswer,
    signing: SigningAnswer,
}

/// The known answer for key generation in hexadecimal digits: the seed, and the SHA-256 digests of
/// both keys.
///
/// - Falcon and FN-DSA: the published vector 0 for this degree (`tests/kat/kat-a.json`). The
///   digests belong to the FN-DSA keys, because a seed gives the same keys in all schemes of this
///   family.
/// - ML-DSA: the key in the first vectors of Wycheproof.
/// - Ed25519: the key in RFC 8032, 7.1, test "SHA(abc)".
/// - Composites: the keys from BouncyCastle (`tests/kat/composite`).
#[derive(Clone, Copy)]
struct KeygenAnswer {
    seed: &'static str,
    private: &'static str,
    public: &'static str,
}

/// The known answer for a signature.
#[derive(Clone, Copy)]
enum SigningAnswer {
    /// The random bytes with which the published signature is generated, and the SHA-256 digest of
    /// this signature, in hexadecimal digits.
    Bytes { random: &'static str, message: ContextMessage<'static>, signature: &'static str },
    /// A private key and its signature in PEM (in the folder `answers` next to this file), and the
    /// SHA-256 digest of the public key.
    Files { private: &'static str, public: &'static str, message: ContextMessage<'static>, signature: &'static str },
}

/// The message in the vectors of the crate `fn-dsa`.
const MESSAGE: ContextMessage<'static> = ContextMessage { context: b"domain", bytes: b"message" };
/// The message in the ML-DSA vector 3 of Wycheproof, which is signed deterministically.
const HELLO: ContextMessage<'static> = ContextMessage { context: b"Context", bytes: b"Hello world" };
/// The message in the test vectors of the draft for composites.
const FOX: ContextMessage<'static> = ContextMessage {
    context: b"The lethargic, colorless dog sat beneath the energetic, stationary fox.",
    bytes: b"The quick brown fox jumps over the lazy dog.",
};
/// The random bytes for a deterministic ML-DSA signature.
const NONE: &str = "0000000000000000000000000000000000000000000000000000000000000000";
/// The message in the vector 0 of Falcon.
const NIST_MESSAGE: ContextMessage<'static> = ContextMessage {
    context: b"",
    bytes: b"\xd8\x1c\x4d\x8d\x73\x4f\xcb\xfb\xea\xde\x3d\x3f\x8a\x03\x9f\xaa\x2a\x2c\x99\x57\xe8\x35\xad\x55\
             \xb2\x2e\x75\xbf\x57\xbb\x55\x6a\xc8",
};

const KEYGEN_512: KeygenAnswer = KeygenAnswer {
    seed: "ba6629737ffef577ecf257c874316e1a07677f35994cf0918c1a827247ac5ecd",
    private: "f83a3050837107b1ef81cdacafe6a7c55a71d17af2a8005be82b506306b34da1",
    public: "910740576872e54e2cbf67c77e0f578c1096120d19077496ce0968ed29958602",
};

const KEYGEN_1024: KeygenAnswer = KeygenAnswer {
    seed: "8a713d8f2af954193f65a5624843ae205a2911b8ffd372e3f600480496532b25",
    private: "ed24f039822504cace19ead1c6922f3dcfae516d4e2278fb9a35edda5666afef",
    public: "b1738039dc08926f92bd87b2e4cfad9f68b5cc075da25ffdad695b78454e8246",
};

/// Returns the known answer for ML-DSA key generation from the seed 2a 2a .. 2a, which is also the
/// private key. `public` is the public key's digest.
const fn ml_dsa(public: &'static str) -> KeygenAnswer {
    KeygenAnswer {
        seed: "2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a",
        private: "544e62cee8033709e389e5b2755343d0d0fa8c4850215cfb6331717e80d1aea3",
        public,
    }
}

macro_rules! files {
    ($name:literal, $message:expr, $public:literal) => {
        SigningAnswer::Files {
            private: include_str!(concat!("answers/", $name, ".key")),
            public: $public,
            message: $message,
            signature: include_str!(concat!("answers/", $name, ".sig")),
        }
    };
}

/// All known answers, in the order of `options::algorithm::all`.
pub const ANSWERS: [KnownAnswer; 12] = [
    KnownAnswer {
        algorithm: Algorithm::FN_DSA_512,
        keygen: KEYGEN_512,
        signing: SigningAnswer::Bytes {
            message: MESSAGE,
            random: "39d5f58db10116ec91d36b2860321b9b29b1aba12520e92e2ff09e20475986ab2dc63918bff4f749",
            signature: "3e5a64b307df2aaca5be7acc7a3f3267b6108c7c3d2b5cbba5e9621398056390",
        },
    },
    KnownAnswer {
        algorithm: Algorithm::FN_DSA_1024,
        keygen: KEYGEN_1024,
        signing: SigningAnswer::Bytes {
            message: MESSAGE,
            random: "660af134d7dc79dfb26947be77268e8918f18ae9ef4ae2c0693a5da31f41cdb676e57b99dfcb99b4",
            signature: "98c65944c4f87360fb2bad6d52f51a01bc7177ee73b1080864583ac677b37578",
        },
    },
    KnownAnswer {
        algorithm: Algorithm::FN_DSA_2024_512,
        keygen: KEYGEN_512,
        signing: files!("fn-dsa-2024-512", MESSAGE, "fff01614ff7b0d9b963f0b994867e0cba29c167a06e52acb447b67416bec1213"),
    },
    KnownAnswer {
        algorithm: Algorithm::FN_DSA_2024_1024,
        keygen: KEYGEN_1024,
        signing: files!(
            "fn-dsa-2024-1024",
            MESSAGE,
            "d2c80614599869faa47ae46c980152cd97198fc409d1f979821d90e6f6aa08f9"
        ),
    },
    KnownAnswer {
        algorithm: Algorithm::FALCON_512,
        keygen: KEYGEN_512,
        signing: files!("falcon-512", NIST_MESSAGE, "e74cb05c857846d8c768a2d3a2461d589482e770461fdbbe9e2e9dc6415e2daf"),
    },
    KnownAnswer {
        algorithm: Algorithm::FALCON_1024,
        keygen: KEYGEN_1024,
        signing: files!(
            "falcon-1024",
            NIST_MESSAGE,
            "f392083048bb1bc08d77ef3782dd114154480adebbf5ee0c3853816cba0a7341"
        ),
    },
    KnownAnswer {
        algorithm: Algorithm::ML_DSA_44,
        keygen: ml_dsa("d87f8ca136ac1aa55e2d6c4521680efb3a378cbb9bc0bfb446e9c60893931ea3"),
        signing: SigningAnswer::Bytes {
            message: HELLO,
            random: NONE,
            signature: "17749906eeb78bc6c57e549c237b4d2a27a011edac02bd1ad7e6534795e8ceff",
        },
    },
    KnownAnswer {
        algorithm: Algorithm::ML_DSA_65,
        keygen: ml_dsa("b7acce2ddb11f8cc1aa46e2bafac6eacfa2b732ef192bd636ad8d3a56d649c66"),
        signing: SigningAnswer::Bytes {
            message: HELLO,
            random: NONE,
            signature: "c32dd9c1fdb53c049ebb75d98604d27593e32f5da2b1201c9289692de6ebea2e",
        },
    },
    KnownAnswer {
        algorithm: Algorithm::ML_DSA_87,
        keygen: ml_dsa("d43128fa8a8c785c1d44c9e7db538dbf9dd88fe6c8ad911a344bcec1017c6d54"),
        signing: SigningAnswer::Bytes {
            message: HELLO,
            random: NONE,
            signature: "94d379ab53588db6ecd6789dacb30795d1a1e227775f23b4c401149604376ea2",
        },
    },
    KnownAnswer {
        algorithm: Algorithm::ED25519,
        keygen: KeygenAnswer {
            seed: "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
            private: "918a483206abfc9207f58443b4403c208a687265175377ea43db32a0def92492",
            public: "5f9b247e2a654719f198e4f241d6b0df9a1a937a13ef5ef899f64d9285fce224",
        },
        signing: SigningAnswer::Bytes {
            message: ContextMessage { context: b"", bytes: &ED25519_MESSAGE },
            random: "",
            signature: "47ccd9e150f464270419b7adb4691e64ecbc77d38ed5df44a23a2f24874d5161",
        },
    },
    KnownAnswer {
        algorithm: Algorithm::ML_DSA_44_ED25519,
        keygen: KeygenAnswer {
            seed: "d1a9e3bfe38fe663bad389bf321757b581ffdd7752afcac62ce170c7eefc27a8\
                   ca147fc89854fb3e77513d61214422937f70a2bf057e97aef85afbd4c8e29853",
            private: "9573ec0389b469b1f70d64918b32b309da9e202d18988428f1b1ebcfad5544e4",
            public: "202290881417b9591efa18eee3eb5ceac5b071b1eb30b41621bec1119407bd25",
        },
        signing: files!("ml-dsa-44-ed25519", FOX, "aae6461ff512086b9908abcd71c671bbe54085efdaafcb02608346862392e15b"),
    },
    KnownAnswer {
        algorithm: Algorithm::ML_DSA_65_ED25519,
        keygen: KeygenAnswer {
            seed: "c4675ec759307271fbe9e01dfe53c7d2501181acd88e6591db4ffa2d46520d1b\
                   507742b9f56817cd8f9b0cd6be4a18e06769fb7e2d7afffface7df3927117cf7",
            private: "d5e92a273bcb87749b136d9faf3144cf0de057e3d3177736dc8eac8c40659f17",
            public: "68f7bad340cb316ea814c430d567a23b1142357a037c23a8e77f7b303aa44d60",
        },
        signing: files!("ml-dsa-65-ed25519", FOX, "10775911b6c3c2dbf3c98485be51c5cc2c1b9ca5d2047a7faedab1d6cd573c27"),
    },
];

/// The message of the test "SHA(abc)" in RFC 8032, section 7.1.
const ED25519_MESSAGE: [u8; 64] = [
    0xdd, 0xaf, 0x35, 0xa1, 0x93, 0x61, 0x7a, 0xba, 0xcc, 0x41, 0x73, 0x49, 0xae, 0x20, 0x41, 0x31, 0x12, 0xe6, 0xfa,
    0x4e, 0x89, 0xa9, 0x7e, 0xa2, 0x0a, 0x9e, 0xee, 0xe6, 0x4b, 0x55, 0xd3, 0x9a, 0x21, 0x92, 0x99, 0x2a, 0x27, 0x4f,
    0xc1, 0xa8, 0x36, 0xba, 0x3c, 0x23, 0xa3, 0xfe, 0xeb, 0xbd, 0x45, 0x4d, 0x44, 0x23, 0x64, 0x3c, 0xe8, 0x0e, 0x2a,
    0x9a, 0xc9, 0x4f, 0xa5, 0x4c, 0xa4, 0x9f,
];

/// Checks that an output's digest is the known digest.
fn check_digest(what: &str, bytes: &[u8], digest: &str) -> CheckResult {
    let found = hex(&Sha256::digest(bytes));
    if found == digest { Ok(()) } else { Err(format!("SHA-256 of the {what} is {found}, not {digest}")) }
}

/// Decodes a PEM text with a key or signature for this algorithm.
fn content(algorithm: Algorithm, kind: ObjectKind, pem: &str) -> Result<Zeroizing<Vec<u8>>, String> {
    let accept = ReadOptions::default().with_algorithm(Some(algorithm));
    let from = format!("the known {}", kind.name());
    match ObjectLoader::new(accept, AllowWeak(false)).part(pem.as_bytes(), &from, kind) {
        Ok(object) => Ok(object.bytes),
        Err(e) => Err(e.to_string()),
    }
}

/// A test that checks a known answer on a level (an instruction set). The checks run in order, and
/// later checks use the keys and the signature of earlier checks.
pub struct KnownAnswerTest<'a> {
    level: Level,
    answer: KnownAnswer,
    /// The key pair that signs.
    keys: Option<GuardedKeys>,
    /// A second key pair, with which the signature must not be valid.
    other: Option<GuardedKeys>,
    signed: Option<CanaryBuffer>,
    /// The signature that the first level generated, if the generated signature cannot be compared
    /// with the published signature.
    first: &'a mut Option<Vec<u8>>,
}

/// A check with its name.
type NamedCheck<'a> = (&'static str, fn(&mut KnownAnswerTest<'a>) -> CheckResult);

const NO_KEYS: &str = "there are no keys";

impl<'a> KnownAnswerTest<'a> {
    /// The checks, in order.
    pub const CHECKS: [NamedCheck<'a>; 3] = [("keygen", Self::keygen), ("sign", Self::sign), ("verify", Self::verify)];

    /// Creates the state before the first check. `first` stores the signature that the first level
    /// generates for this algorithm.
    pub fn new(level: Level, answer: KnownAnswer, first: &'a mut Option<Vec<u8>>) -> Self {
        Self { level, answer, keys: None, other: None, signed: None, first }
    }

    fn keygen(&mut self) -> CheckResult {
        let level = self.level;
        let KnownAnswer { algorithm, keygen, signing } = self.answer;
        let seed = from_hex(keygen.seed.as_bytes()).map_err(|e| e.to_string())?;
        let keys = GuardedKeys::generate(level, algorithm, &mut DeterministicRng(&seed[..]))?;
        let keys = match signing {
            SigningAnswer::Bytes { .. } => self.keys.insert(keys),
            SigningAnswer::Files { .. } => self.other.insert(keys),
        };
        let converted;
        let keys = match algorithm.with_scheme(Scheme::FnDsa) {
            Some(other) if other != algorithm => {
                converted = keys.convert(level, Scheme::FnDsa)?;
                &converted
            }
            _ => keys,
        };
        check_digest("private key", keys.private.bytes(), keygen.private)?;
        check_digest("public key", keys.public.bytes(), keygen.public)
    }

    fn sign(&mut self) -> CheckResult {
        let level = self.level;
        let KnownAnswer { algorithm, signing, .. } = self.answer;
        match signing {
            SigningAnswer::Bytes { random, message, signature } => {
                let random = from_hex(random.as_bytes()).map_err(|e| e.to_string())?;
                let keys = self.keys.as_ref().ok_or(NO_KEYS)?;
                let signed = keys.sign(level, message, &mut DeterministicRng(&random[..]))?;
                check_digest("signature", self.signed.insert(signed).bytes(), signature)
            }
            SigningAnswer::Files { private, public, message, .. } => {
                let private = content(algorithm, ObjectKind::SigningKey, private)?;
                let published = GuardedKeys::import(level, algorithm, &private)?;
                let keys = self.keys.insert(published);
                check_digest("public key", keys.public.bytes(), public)?;
                let name = algorithm.to_string();
                let mut rng = DeterministicRng(SeededStream::of(&[b"fndsa-selftest-sign", name.as_bytes()]));
                let signed = keys.sign(level, message, &mut rng)?;
                let signed = signed.bytes();
                check_valid(level, keys, message, signed)?;
                let first = self.first.get_or_insert_with(|| signed.to_vec());
                if first == signed { Ok(()) } else { Err("the bytes differ from the other levels".to_owned()) }
            }
        }
    }

    /// Verifies the published signature. If the answer contains only a digest, verifies the
    /// generated signature, which must have this digest.
    fn verify(&mut self) -> CheckResult {
        let level = self.level;
        let KnownAnswer { algorithm, signing, .. } = self.answer;
        let keys = self.keys.as_ref().ok_or(NO_KEYS)?;
        let other = match self.other.take() {
            Some(other) => other,
            None => GuardedKeys::generate(level, algorithm, &mut DeterministicRng(SeededStream::of(&[b"other"])))?,
        };
        match signing {
            SigningAnswer::Bytes { message, signature, .. } => {
                let signed = self.signed.as_ref().ok_or("there is no signature")?.bytes();
                check_digest("signature", signed, signature)?;
                check_signature(level, keys, &other, message, signed, 1000)
            }
            SigningAnswer::Files { message, signature, .. } => {
                let signature = content(algorithm, ObjectKind::Signature, signature)?;
                check_signature(level, keys, &other, message, &signature, 1000)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool::options::algorithm;
    use fndsa::algorithm::Degree;
    use serde_json::Value;

    fn outcomes(answer: KnownAnswer) -> Vec<CheckResult> {
        let mut first = None;
        let mut known = KnownAnswerTest::new(Level::detect(), answer, &mut first);
        KnownAnswerTest::CHECKS.iter().map(|(_, run)| run(&mut known)).collect()
    }

    fn failed(answer: KnownAnswer) -> Vec<bool> {
        outcomes(answer).iter().map(Result::is_err).collect()
    }

    /// Returns the vector 0 for a degree from a file with the vectors of the crate `fn-dsa`.
    fn vector(file: &str, degree: Degree) -> Value {
        let file: Value = serde_json::from_str(file).unwrap();
        let vectors = file["vectors"].as_array().unwrap();
        vectors.iter().find(|v| v["logn"] == degree.logn() && v["j"] == 0).unwrap().clone()
    }

    fn bytes(value: &Value) -> Vec<u8> {
        from_hex(value.as_str().unwrap().as_bytes()).unwrap()
    }

    /// Checks that the published files are equal to a known answer.
    fn assert_equal_files(answer: KnownAnswer, sk: &[u8], vk: &[u8], of: ContextMessage<'_>, sig: &[u8]) {
        let SigningAnswer::Files { private, public, message, signature } = answer.signing else { panic!("no files") };
        let algorithm = answer.algorithm;
        assert_eq!(content(algorithm, ObjectKind::SigningKey, private).unwrap()[..], *sk, "{algorithm}");
        assert_eq!(content(algorithm, ObjectKind::Signature, signature).unwrap()[..], *sig, "{algorithm}");
        assert_eq!(check_digest("public key", vk, public), Ok(()), "{algorithm}");
        assert_eq!((message.context, message.bytes), (of.context, of.bytes), "{algorithm}");
    }

    #[test]
    fn every_algorithm_has_answers() {
        assert!(algorithm::all().eq(ANSWERS.map(|answer| answer.algorithm)));
    }

    #[test]
    fn answers_of_fn_dsa_equal_the_published_answers() {
        for KnownAnswer { algorithm, keygen, signing } in ANSWERS {
            let Some(degree) = algorithm.degree() else { continue };
            let v = vector(include_str!("../../../tests/kat/kat-a.json"), degree);
            assert_eq!(v["keygen_seed"], keygen.seed);
            assert_eq!(check_digest("private key", &bytes(&v["sk"]), keygen.private), Ok(()));
            assert_eq!(check_digest("public key", &bytes(&v["vk"]), keygen.public), Ok(()));
            if let SigningAnswer::Bytes { random, signature, .. } = signing {
                assert_eq!(v["sign_random"], random);
                assert_eq!((&v["ctx"], &v["message"]), (&hex(MESSAGE.context).into(), &hex(MESSAGE.bytes).into()));
                assert_eq!(v["hash"], "raw");
                assert_eq!(check_digest("signature", &bytes(&v["sig"]), signature), Ok(()));
            }
        }
    }

    #[test]
    fn answers_of_ml_dsa_equal_the_published_answers() {
        for (algorithm, file) in [
            (Algorithm::ML_DSA_44, include_str!("../../../tests/kat/ml-dsa/wycheproof-44-sign-seed.json")),
            (Algorithm::ML_DSA_65, include_str!("../../../tests/kat/ml-dsa/wycheproof-65-sign-seed.json")),
            (Algorithm::ML_DSA_87, include_str!("../../../tests/kat/ml-dsa/wycheproof-87-sign-seed.json")),
        ] {
            let answer = ANSWERS.into_iter().find(|answer| answer.algorithm == algorithm).unwrap();
            let file: Value = serde_json::from_str(file).unwrap();
            let group = &file["groups"][0];
            let test = group["tests"].as_array().unwrap().iter().find(|test| test["tcId"] == 3).unwrap();
            assert_eq!(group["privateSeed"], answer.keygen.seed);
            assert_eq!(check_digest("private key", &bytes(&group["privateSeed"]), answer.keygen.private), Ok(()));
            assert_eq!(check_digest("public key", &bytes(&group["publicKey"]), answer.keygen.public), Ok(()));
            let SigningAnswer::Bytes { random, message, signature } = answer.signing else { panic!("no bytes") };
            assert_eq!((random, test.get("rnd")), (NONE, None));
            assert_eq!((bytes(&test["ctx"]), bytes(&test["msg"])), (message.context.to_vec(), message.bytes.to_vec()));
            assert_eq!(check_digest("signature", &bytes(&test["sig"]), signature), Ok(()));
        }
    }

    #[test]
    fn answers_of_the_preview_equal_the_published_answers() {
        for answer in ANSWERS.into_iter().filter(|answer| answer.algorithm.scheme() == Scheme::FnDsa2024) {
            let v = vector(include_str!("../../../tests/kat/kat-b.json"), answer.algorithm.degree().unwrap());
            assert_eq!(v["hash"], "raw");
            let context = bytes(&v["ctx"]);
            let message = bytes(&v["message"]);
            let message = ContextMessage { context: &context, bytes: &message };
            assert_equal_files(answer, &bytes(&v["sk"]), &bytes(&v["vk"]), message, &bytes(&v["sig"]));
        }
    }

    #[test]
    fn answers_of_falcon_equal_the_published_answers() {
        for answer in ANSWERS.into_iter().filter(|answer| answer.algorithm.scheme() == Scheme::Falcon) {
            let file = match answer.algorithm.degree().unwrap() {
                Degree::N512 => include_str!("../../../tests/kat/nist-round3/falcon512-KAT.rsp"),
                _ => include_str!("../../../tests/kat/nist-round3/falcon1024-KAT.rsp"),
            };
            // The first vector in the file has the number 0.
            let value = |name: &str| file.lines().find_map(|line| line.strip_prefix(&format!("{name} = "))).unwrap();
            let bytes = |name| from_hex(value(name).as_bytes()).unwrap();
            assert_eq!(value("count"), "0");
            let message = bytes("msg");
            let signed = bytes("sm");
            // The format has four fields: the length of the signature without its nonce, the nonce,
            // the message, and the signature.
            let (nonce, rest) = signed[2..].split_at(40);
            let signature = rest.strip_prefix(&message[..]).unwrap();
            assert_eq!(usize::from(signed[0]) * 256 + usize::from(signed[1]), signature.len());
            let signature = [&[signature[0] + 0x10], nonce, &signature[1..]].concat();
            let message = ContextMessage { context: b"", bytes: &message };
            assert_equal_files(answer, &bytes("sk"), &bytes("pk"), message, &signature);
        }
    }

    #[test]
    fn a_wrong_answer_of_fn_dsa_fails_its_check_and_dependent_checks() {
        let good = ANSWERS[0];
        let outcomes_of = |keygen| failed(KnownAnswer { keygen, ..good });
        let signed = |random, signature| {
            failed(KnownAnswer { signing: SigningAnswer::Bytes { random, message: MESSAGE, signature }, ..good })
        };
        let SigningAnswer::Bytes { random, signature, .. } = good.signing else { panic!("files") };
        assert_eq!(failed(good), [false, false, false]);
        let wrong_answer = KeygenAnswer { private: good.keygen.public, ..good.keygen };
        assert_eq!(outcomes_of(wrong_answer), [true, false, false]);
        assert_eq!(outcomes_of(KeygenAnswer { public: good.keygen.private, ..good.keygen }), [true, false, false]);
        assert_eq!(outcomes_of(KeygenAnswer { seed: good.keygen.public, ..good.keygen }), [true, true, true]);
        assert_eq!(signed(random, good.keygen.private), [false, true, true]);
        assert_eq!(signed(good.keygen.seed, signature), [false, true, true], "32 bytes where 40 are needed");
        assert!(
            outcomes(KnownAnswer { keygen: wrong_answer, ..good })[0].as_ref().unwrap_err().contains("private key")
        );
    }

    #[test]
    fn a_wrong_answer_of_another_scheme_fails_its_check() {
        for scheme in [Scheme::FnDsa2024, Scheme::Falcon] {
            let answer_of = |scheme, degree| {
                let algorithm = Algorithm::at_degree(scheme, degree).unwrap();
                ANSWERS.into_iter().find(|answer| answer.algorithm == algorithm).unwrap()
            };
            let good = answer_of(scheme, Degree::N512);
            let large = answer_of(scheme, Degree::N1024);
            assert_eq!(failed(good), [false, false, false], "{scheme:?}");
            assert_eq!(failed(KnownAnswer { keygen: large.keygen, ..good }), [true, false, false], "{scheme:?}");
            let SigningAnswer::Files { private, public, message, signature } = good.signing else { panic!("no files") };
            let files = |private, public, message, signature| {
                failed(KnownAnswer { signing: SigningAnswer::Files { private, public, message, signature }, ..good })
            };
            let SigningAnswer::Files { private: large_private, signature: large_signature, .. } = large.signing else {
                panic!("no files")
            };
            assert_eq!(files(large_private, public, message, signature), [false, true, true], "{scheme:?}");
            assert_eq!(files(private, good.keygen.public, message, signature), [false, true, false], "{scheme:?}");
            assert_eq!(files(private, public, message, large_signature), [false, false, true], "{scheme:?}");
            let other = ContextMessage { bytes: b"another", ..message };
            assert_eq!(files(private, public, other, signature), [false, false, true], "{scheme:?}");
            let other = ContextMessage { context: b"another", ..message };
            let sign = !scheme.has_context();
            assert_eq!(files(private, public, other, signature), [false, sign, true], "{scheme:?}");
            // The published signature with a changed character in the middle of its base64.
            let mut changed: Vec<_> = signature.chars().collect();
            let middle = changed.len() / 2;
            let at = (middle..).find(|at| !matches!(changed[*at], '\n' | '+' | '/' | 'A')).unwrap();
            changed[at] = 'A';
            let changed: &'static str = changed.into_iter().collect::<String>().leak();
            assert_eq!(files(private, public, message, changed), [false, false, true], "{scheme:?}");
            // The published keys and signatures, read as keys and signatures of a scheme to which
            // they do not belong.
            let relabelled = if scheme == Scheme::Falcon { Scheme::FnDsa2024 } else { Scheme::Falcon };
            let relabelled_answer =
                KnownAnswer { algorithm: Algorithm::at_degree(relabelled, Degree::N512).unwrap(), ..good };
            assert_eq!(failed(relabelled_answer), [false, true, true], "{scheme:?}");
        }
    }

    #[test]
    fn signatures_that_differ_between_levels_fail() {
        for answer in ANSWERS.into_iter().filter(|answer| answer.algorithm.degree() == Some(Degree::N512)) {
            let mut first = None;
            let sign = |level, first: &mut Option<Vec<u8>>| {
                let mut known = KnownAnswerTest::new(level, answer, first);
                KnownAnswerTest::CHECKS.map(|(_, run)| run(&mut known))[1].clone()
            };
            assert_eq!(sign(Level::detect(), &mut first), Ok(()));
            assert_eq!(sign(Level::EMULATED, &mut first), Ok(()));
            if let Some(first) = &mut first {
                first[100] ^= 1;
                let differs = sign(Level::EMULATED, &mut Some(first.clone()));
                assert_eq!(differs, Err("the bytes differ from the other levels".to_owned()));
            } else {
                assert_eq!(answer.algorithm.scheme(), Scheme::FnDsa, "whose bytes are known");
            }
        }
    }
}
