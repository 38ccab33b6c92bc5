//! Start inputs for the fuzz targets. `examples/seeds.rs` writes these inputs to files. Most inputs
//! are valid, but some contain a defect. There are three kinds:
//!
//! - keys, signatures and files that the library creates from fixed seeds
//! - files from `tests/kat`
//! - texts in this file

use crate::targets::common::RandomStream;
use crate::targets::common::library::{KeygenMemory, TestSigner, degree, keygen, recode};
use fndsa::algorithm::Scheme;
use fndsa::files::hex::from_hex;
use fndsa::files::inline::append;
use fndsa::files::kernel_module::SignedModule;
use fndsa::files::manifest::{write_best_before, write_line};
use fndsa::files::pem::{PemBlock, pem};
use fndsa::files::{FileEncoding, Format, KeyLayout, ObjectKind, WriteOptions, write};
use fndsa::no_alloc::{Level, SigningKeyRef};
use fndsa::testing::FixedBytes;
use fndsa::{Algorithm, Options};
use pkcs8::EncryptedPrivateKeyInfoRef;
use pkcs8::der::{Encode, asn1::OctetStringRef};
use pkcs8::pkcs5::{EncryptionScheme, pbes2::Parameters, scrypt};

/// A start input: the target, the file name and the contents.
type CorpusSeed = (&'static str, String, Vec<u8>);

/// A key pair, and a signature for the message `m`.
struct SignedSample {
    algorithm: Algorithm,
    sk: Vec<u8>,
    vk: Vec<u8>,
    signature: Vec<u8>,
}

impl SignedSample {
    /// Generates a key pair of degree 2^`logn` from a fixed seed, and signs the message `m`.
    fn new(scheme: Scheme, logn: usize) -> Self {
        let algorithm = Algorithm::at_degree(scheme, degree(logn)).expect("the scheme has an algorithm of this degree");
        let (sk, vk) = keygen(Level::detect(), algorithm, &[logn as u8; 32], KeygenMemory::Most);
        let random = RandomStream::new(&algorithm.to_string(), 0).bytes::<{ 80 * 27 }>();
        let signature =
            TestSigner::new(scheme, &sk).sign_message(Level::detect(), Options::default(), b"m", 27, &random);
        Self { algorithm, sk, vk, signature: signature.expect("a signature") }
    }
}

/// Returns all start inputs. The target `x509` is not included, because all files in its corpus are
/// from other programs or from fuzzing.
pub fn all() -> Vec<CorpusSeed> {
    let mut seeds = Vec::new();
    for scheme in Scheme::FALCON_FAMILY.into_iter().filter(|scheme| scheme.can_sign()) {
        for logn in [2, 4, 6, 9] {
            let sample = SignedSample::new(scheme, logn);
            add_encodings(&sample, &mut seeds);
            add_files(&sample, &mut seeds);
            seeds.push(("verify", sample.algorithm.to_string(), verify_input(&sample)));
        }
    }
    add_published(&mut seeds);
    add_encrypted(&mut seeds);
    add_envelopes_and_signers(&mut seeds);
    // Add inputs in the layouts that the targets' comments define.
    for i in 0..8u8 {
        let changed = [&[0x80 + i % 3, i / 3][..], &[3, 0, i, 7, 1 << (i % 8)].repeat(usize::from(i))].concat();
        seeds.push(("verify", format!("changed-{i}"), changed));
    }
    for i in 0..16u8 {
        let seed = if i % 2 == 0 { vec![i, 0, 1, 2, 3, 4, 5, 6, 7, i] } else { vec![i, 1] };
        let changes = [i % 2, 0, 0, 9, 1].repeat(usize::from(i % 4));
        seeds.push(("levels", format!("degree-{i}"), [&[i, i, i % 3][..], &seed, &[5], b"hello", &changes].concat()));
        let input = [&[i, i % 3][..], &[i; 2], &[i / 3 % 2 * 5], b"hello world"].concat();
        seeds.push(("sign_verify", format!("degree-{i}"), input));
    }
    for i in 0..12u8 {
        let item = |lane: u8| {
            let changes = [3, 0, lane, 7, 1 << (lane % 8)].repeat(usize::from((i ^ lane).is_multiple_of(4)));
            let lengths = [[0, 0], [lane % 2, 20 * i], [i % 4, 99]];
            [
                &[lane * (i % 3), lane / 3 * (i % 2), i % 3 + lane % 2 * 3][..],
                &lengths[usize::from(i % 3)],
                &[changes.len() as u8 / 5],
                &changes,
            ]
            .concat()
        };
        let items: Vec<u8> = (0..[1, 7, 8, 9, 20, 3][usize::from(i % 6)]).flat_map(item).collect();
        seeds.push(("batch", format!("items-{i}"), [&[i][..], &items].concat()));
    }
    add_ml_dsa(&mut seeds);
    add_manifests(&mut seeds);
    add_arguments(&mut seeds);
    seeds
}

/// Adds two kinds of inputs for the target `mldsa`:
///
/// - a private key, a public key, a signature, or a public key with a signature and a message
/// - instructions: the target signs a message, and changes parts of the key, the context, the
///   message or the signature
fn add_ml_dsa(seeds: &mut Vec<CorpusSeed>) {
    let level = Level::detect();
    for (i, algorithm) in (0..).zip(Algorithm::of_scheme(Scheme::MlDsa)) {
        let seed = [i; 32];
        let mut work = vec![0; algorithm.sign_work_len().max(algorithm.import_work_len())];
        let key = SigningKeyRef::from_seed(level, algorithm, &seed, &mut work).expect("a key");
        let mut form = vec![0; algorithm.expanded_form_len().expect("ML-DSA has an expanded form")];
        key.expanded_form_into(level, &mut form, &mut work).expect("memory");
        let mut public = vec![0; algorithm.verifying_key_len()];
        key.verifying_key_into(level, &mut public, &mut work).expect("a public key");
        let mut signature = vec![0; algorithm.signature_len()];
        let options = Options::default();
        let rng = &mut FixedBytes(&seed);
        key.sign_message(level, options, b"m", rng, &mut signature, &mut work).expect("a signature");
        let inputs = [("key", form), ("pub", public.clone()), ("sig", signature.clone())];
        for (suffix, bytes) in inputs.into_iter().chain([("all", [&public[..], &signature, b"m"].concat())]) {
            seeds.push(("mldsa", format!("{algorithm}.{suffix}"), [&[i][..], &bytes].concat()));
        }
        for change in 0..6u8 {
            let prehash = if change % 3 == 2 { change } else { 200 };
            let changes = [change, 0, 7 * change, 99, 1 << change].repeat(usize::from(change > 1));
            let start = [0x80 + i, change, i + change, prehash, 2, b'c', b'x', 5];
            seeds.push(("mldsa", format!("{algorithm}-{change}"), [&start[..], b"hello", &changes].concat()));
        }
    }
}

/// Adds the encoded keys, and the signature in all encodings.
fn add_encodings(sample: &SignedSample, seeds: &mut Vec<CorpusSeed>) {
    let name = sample.algorithm.to_string();
    seeds.push(("private_key", name.clone(), sample.sk.clone()));
    seeds.push(("public_key", name.clone(), sample.vk.clone()));
    for encoding in sample.algorithm.scheme().encodings() {
        if let Some(signature) = recode(sample.algorithm.scheme(), &sample.signature, *encoding) {
            seeds.push(("signature", format!("{name}-{}", encoding.name()), signature));
        }
    }
}

/// Returns an input for `verify` in the layout of `verify_given`, with an empty context and no
/// pre-hash.
fn verify_input(sample: &SignedSample) -> Vec<u8> {
    let scheme = Scheme::FALCON_FAMILY
        .iter()
        .position(|scheme| *scheme == sample.algorithm.scheme())
        .expect("the scheme is in the family") as u8;
    let len = (sample.signature.len() as u16).to_be_bytes();
    [&[scheme, 0][..], &len, &sample.vk, &sample.signature, b"m"].concat()
}

/// Adds the private key, the public key and the signature in PEM files, as raw bytes (not for toy
/// algorithms), and in PKCS#8 or SubjectPublicKeyInfo if the algorithm has an object identifier.
/// For Falcon, also adds the private key in all PKCS#8 layouts.
fn add_files(sample: &SignedSample, seeds: &mut Vec<CorpusSeed>) {
    let (scheme, name) = (sample.algorithm.scheme(), sample.algorithm.to_string());
    let kinds = [
        (ObjectKind::SigningKey, "key", &sample.sk),
        (ObjectKind::VerifyingKey, "pub", &sample.vk),
        (ObjectKind::Signature, "sig", &sample.signature),
    ];
    for (kind, suffix, bytes) in kinds {
        let file = write(kind, sample.algorithm, Format::Pem, "a note", bytes).expect("a file").to_vec();
        if !sample.algorithm.is_toy() {
            seeds.push(("object", format!("{name}.{suffix}.raw"), bytes.clone()));
        } else {
            seeds.push(("armor", format!("{name}.{suffix}"), file.clone()));
        }
        seeds.push(("object", format!("{name}.{suffix}"), file));
        for encoding in [FileEncoding::Pkcs8, FileEncoding::Pkcs8Der, FileEncoding::Spki, FileEncoding::SpkiDer] {
            if let Ok(file) = WriteOptions::plain(encoding).write(kind, sample.algorithm, "", bytes) {
                seeds.push(("object", format!("{name}.{suffix}.{encoding:?}").to_lowercase(), file.to_vec()));
            }
        }
        if kind == ObjectKind::SigningKey && scheme == Scheme::Falcon {
            for layout in [KeyLayout::Raw, KeyLayout::Oqs, KeyLayout::BouncyCastle] {
                let options =
                    WriteOptions::plain(FileEncoding::Pkcs8Der).with_layout(Some(layout)).with_public(Some(&sample.vk));
                if let Ok(file) = options.write(kind, sample.algorithm, "", bytes) {
                    seeds.push(("object", format!("{name}.{}", layout.name()), file.to_vec()));
                }
            }
        }
    }
}

/// Adds keys, signatures and certificates that were written by other programs, and texts in these
/// formats.
fn add_published(seeds: &mut Vec<CorpusSeed>) {
    let payload =
        |text: &str| PemBlock::find(text.as_bytes()).expect("PEM").expect("a block").payload().expect("base64");
    let certificate = include_str!("../../tests/kat/oqs-provider/falcon512.crt.pem");
    seeds.push(("object", "certificate".into(), certificate.into()));
    seeds.push(("object", "certificate.der".into(), payload(certificate).to_vec()));
    let vectors: serde_json::Value =
        serde_json::from_str(include_str!("../../tests/kat/bouncycastle/bcprov-1.86-falcon512.json")).expect("JSON");
    for field in ["pkcs8", "spki"] {
        if let Some(text) = vectors[0][field].as_str() {
            let der = from_hex(text.as_bytes()).expect("hexadecimal");
            seeds.push(("object", format!("bouncycastle.{field}"), der.to_vec()));
        }
    }
    for (name, key) in [
        ("mldsa44", include_str!("../../tests/kat/securesystemslib/dsse-mldsa44.tuf-key.json")),
        ("ed25519", include_str!("../../tests/kat/securesystemslib/dsse-ed25519.tuf-key.json")),
    ] {
        seeds.push(("object", format!("securesystemslib.{name}"), key.into()));
    }
    for (name, text) in [
        ("ed25519", include_str!("../../tests/kat/ssh/msg.ed25519.file.sshsig")),
        ("mldsa44-ed25519", include_str!("../../tests/kat/ssh/msg.mldsa44-ed25519.git-sha256.sshsig")),
    ] {
        let content = payload(text).to_vec();
        for len in [6, 10, content.len() - 1] {
            seeds.push(("ssh", format!("{name}.{len}"), content[..len].to_vec()));
        }
        seeds.push(("ssh", format!("{name}.longer"), [&content[..], b"x"].concat()));
        seeds.push(("ssh", format!("{name}.version"), [b"SSHSIG\0\0\0\x02", &content[10..]].concat()));
        seeds.push(("ssh", name.into(), content));
    }
    for (name, text) in [
        ("header", r#"{"alg":"EdDSA","b64":false,"crit":["b64"]}"#),
        ("header.kid", r#"{"alg":"ML-DSA-44","kid":"a\u00e9","typ":"JOSE"}"#),
        ("header.key", r#"{"alg":"EdDSA","jwk":{"kty":"OKP","crv":"Ed25519","x":""}}"#),
        ("header.crit", r#"{"alg":"EdDSA","b64":true,"crit":["b64","exp"],"exp":1}"#),
        ("set", r#"{"keys":[{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}"#),
        (
            "private",
            r#"{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
                "d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A"}"#,
        ),
        (
            "public",
            r#"{"crv":"Ed25519","kty":"OKP","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo","use":"sig",
                "key_ops":["verify"],"alg":"Ed25519"}"#,
        ),
        (
            "signature",
            "eyJhbGciOiJFZERTQSJ9..hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg",
        ),
        ("signature.payload", "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZQ.hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4g"),
    ] {
        seeds.push(("jose", name.into(), text.into()));
    }
    for (name, file) in [
        ("detached", &include_bytes!("../../tests/kat/cms/ed25519.attrs.detached.p7s")[..]),
        ("attached", include_bytes!("../../tests/kat/cms/ed25519.attrs.attached.p7s")),
        ("direct", include_bytes!("../../tests/kat/cms/mldsa44.direct.attached.p7s")),
    ] {
        seeds.push(("cms", name.into(), file.into()));
        let module = SignedModule { module: b"\x7fELF", signature: file };
        seeds.push(("cms", format!("{name}.ko"), module.to_file()));
    }
    for (name, text) in [
        ("id_ed25519", include_str!("../../tests/kat/ssh/id_ed25519")),
        ("id_mldsa44-ed25519", include_str!("../../tests/kat/ssh/id_mldsa44-ed25519")),
        ("id_round_ed25519", include_str!("../../tests/kat/ssh/id_round_ed25519")),
        ("id_round_mldsa44-ed25519", include_str!("../../tests/kat/ssh/id_round_mldsa44-ed25519")),
    ] {
        let content = payload(text).to_vec();
        seeds.push(("ssh", format!("{name}.shorter"), content[..content.len() - 1].to_vec()));
        seeds.push(("ssh", format!("{name}.longer"), [&content[..], b"x"].concat()));
        seeds.push(("object", format!("openssh.{name}"), text.into()));
        seeds.push(("ssh", name.into(), content));
    }
    for (name, key) in [
        ("ed25519", include_str!("../../tests/kat/ssh/id_ed25519.pub")),
        ("mldsa44-ed25519", include_str!("../../tests/kat/ssh/id_mldsa44-ed25519.pub")),
    ] {
        seeds.push(("object", format!("openssh.{name}"), key.into()));
    }
    for (name, text) in [
        ("crlf", "text\r\n-----BEGIN FNDSA PUBLIC KEY-----\r\nAAEC\r\n-----END FNDSA PUBLIC KEY-----\r\n"),
        ("two", "-----BEGIN A-----\nAA==\n-----END A-----\n\n-----BEGIN B-----\nAAA=\n-----END B-----\n"),
        ("wide", "\u{feff}-----BEGIN X Y-----  \nAAEC AwQF\nAAECAwQFAAECAwQFAAECAwQF  \n-----END X Y-----"),
        ("header", "-----BEGIN X-----\nProc-Type: 4,ENCRYPTED\n\nAAEC\n-----END X-----\n"),
        ("indented", " -----BEGIN X-----\n AAEC\n -----END X-----\n"),
    ] {
        seeds.push(("armor", name.into(), text.into()));
        seeds.push(("object", format!("pem-{name}"), text.into()));
    }
}

/// Adds DSSE envelopes and allowed-signers files.
fn add_envelopes_and_signers(seeds: &mut Vec<CorpusSeed>) {
    let envelope = include_str!("../../tests/kat/securesystemslib/dsse-ed25519.json");
    for (name, text) in [
        ("ed25519", envelope.to_owned()),
        ("all", include_str!("../../tests/kat/securesystemslib/dsse-all.json").into()),
        ("short", r#"{"payload":"aGk=","payloadType":"t","signatures":[{"keyid":"k","sig":"AA=="}]}"#.into()),
        ("no-padding", r#"{"signatures":[{"sig":"AA"}],"payloadType":"t","payload":"_-8"}"#.into()),
        ("twice", r#"{"payload":"","payload":"","payloadType":"t","signatures":[{"sig":"AA=="}]}"#.into()),
        ("key-ids", r#"{"payload":"","payloadType":"\u0074","signatures":[{"keyid":{"a":[1]},"sig":""},{"sig":"","keyid":null}]}"#.into()),
        ("none", r#"{"payload":"","payloadType":"t","signatures":[]}"#.into()),
        ("array", r#"["","t",[{"sig":"AA=="}]]"#.into()),
        ("bom", format!("\u{feff}{envelope}")),
    ] {
        seeds.push(("dsse", name.into(), text.into_bytes()));
    }
    let key = include_str!("../../tests/kat/ssh/id_ed25519.pub").trim();
    let composite = include_str!("../../tests/kat/ssh/id_mldsa44-ed25519.pub").trim();
    for (name, text) in [
        ("one", format!("me {key}\n")),
        ("composite", format!("me {composite}\nyou {key}\n")),
        (
            "options",
            format!("you,m* namespaces=\"git,file\",valid-after=\"20200101\",valid-before=\"20990101Z\" {key}"),
        ),
        ("not", format!("!me,* {key}\n* {key}\n")),
        ("quotes", format!("\"a b,me\" NAMESPACES=\"!x,*\" {key}")),
        ("authority", format!("me cert-authority {key}\n")),
        ("rsa", format!("# comment\r\n\r\nme ssh-rsa AAAA\r\nme {key}\r\n")),
        ("periods", format!("me valid-before=\"202001010000\" {key}\nme {key}\n")),
        ("twice", format!("me namespaces=\"a\",namespaces=\"b\" {key}\n")),
    ] {
        seeds.push(("allowed_signers", name.into(), text.into_bytes()));
    }
}

/// Adds private keys that are encrypted with the password `hello`, with a low cost of key
/// derivation.
fn add_encrypted(seeds: &mut Vec<CorpusSeed>) {
    let sample = SignedSample::new(Scheme::FnDsa, 9);
    let der = WriteOptions::plain(FileEncoding::Pkcs8Der)
        .write(ObjectKind::SigningKey, sample.algorithm, "", &sample.sk)
        .expect("a file");
    let low_cost = scrypt::Params::new(1, 1, 1).expect("a cost");
    let (salt, iv) = ([7; 16], [9; 16]);
    let encryptions = [
        ("scrypt", Parameters::generate_scrypt_aes256cbc(low_cost, &salt, iv)),
        ("scrypt-128", Parameters::generate_scrypt_aes128cbc(low_cost, &salt, iv)),
        ("pbkdf2", Parameters::generate_pbkdf2_sha256_aes256cbc(1, &salt, iv)),
        ("pbkdf2-128", Parameters::generate_pbkdf2_sha256_aes128cbc(1, &salt, iv)),
    ];
    for (name, parameters) in encryptions {
        let parameters = parameters.expect("parameters");
        let data = parameters.encrypt("hello", &der).expect("the encryption succeeds");
        let file = EncryptedPrivateKeyInfoRef {
            encryption_algorithm: EncryptionScheme::Pbes2(parameters),
            encrypted_data: OctetStringRef::new(&data).expect("a short key"),
        };
        let file = file.to_der().expect("DER");
        seeds.push(("object", format!("encrypted-{name}.pem"), pem("ENCRYPTED PRIVATE KEY", "", &file).to_vec()));
        seeds.push(("object", format!("encrypted-{name}"), file));
    }
}

/// Adds lists, single list lines, and a list with an inline signature.
fn add_manifests(seeds: &mut Vec<CorpusSeed>) {
    let names: [&[u8]; 8] = [b"a", b" ", b"-x", b"two\nlines", b"back\\slash\r", b"\xff", b"d/\\n", b"./-"];
    let mut list = Vec::new();
    for (i, name) in names.iter().enumerate() {
        write_line(&mut list, &[i as u8 * 0x1f; 32], name);
        seeds.push(("manifest", format!("lines-{}", i + 1), list.clone()));
    }
    let digits = "0aB".repeat(22);
    for (i, line) in [" *n", "  ..", "  /n", "  -", "  a/../n", " n", "  a..b/...", "  a\n"].iter().enumerate() {
        seeds.push(("manifest", format!("line-{i}"), format!("{}{line}", &digits[..64]).into_bytes()));
    }
    let mut list = b"# of a release\n".to_vec();
    write_best_before(&mut list, "2096-02-29".parse().expect("a day"));
    write_line(&mut list, &[0x1f; 32], b"a");
    seeds.push(("manifest", "day".into(), list.clone()));
    append(&mut list, &pem("FNDSA SIGNATURE", "by somebody\n", &[0x39; 50]));
    seeds.push(("manifest", "inline".into(), list));
    seeds.push(("manifest", "tag".into(), format!("SHA256 (n) = {digits}\n").into_bytes()));
    seeds.push(("manifest", "empty".into(), Vec::new()));
}

/// Adds the command lines in `arguments.txt`.
fn add_arguments(seeds: &mut Vec<CorpusSeed>) {
    let lines = include_str!("arguments.txt").lines();
    for (i, line) in lines.enumerate() {
        seeds.push(("arguments", format!("line-{i:02}"), line.replace(' ', "\0").into_bytes()));
    }
}
