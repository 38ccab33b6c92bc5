//! Compares the library and the command line with independent programs. In this file, all
//! implementations of Falcon round 3 sign and verify for each other, and FN-DSA-2024, falcon-rs and
//! FN-DSA are each compared with a crate. The submodules exchange files with other programs:
//!
//! - `mldsa`: keys and signatures of ML-DSA
//! - `certificates`, `cms`, `dsse`, `jose`, `ssh`: files in these formats
//! - `tokens`: the tokens of `examples/jws.rs` and `examples/cose.rs`

#[cfg(all(feature = "cli", feature = "signature", feature = "pkcs8"))]
#[path = "peers/certificates.rs"]
mod certificates;
#[cfg(feature = "cli")]
#[path = "peers/cms.rs"]
mod cms;
mod common;
#[cfg(feature = "cli")]
#[path = "peers/dsse.rs"]
mod dsse;
#[cfg(feature = "cli")]
#[path = "peers/jose.rs"]
mod jose;
#[cfg(feature = "cli")]
#[path = "peers/mldsa.rs"]
mod mldsa;
#[cfg(feature = "cli")]
#[path = "common/mldsa_programs.rs"]
mod mldsa_programs;
#[path = "common/peer.rs"]
mod peer;
#[path = "common/peers.rs"]
mod peers;
#[path = "common/programs.rs"]
mod programs;
#[path = "common/schemes.rs"]
mod schemes;
#[cfg(feature = "cli")]
#[path = "peers/ssh.rs"]
mod ssh;
#[cfg(feature = "cli")]
#[path = "peers/tokens.rs"]
mod tokens;

use common::library::prehash;
use common::{RandomStream, assert_same, hex, parallel, to_hex};
use fn_dsa_2024::{
    HASH_ID_RAW, HASH_ID_SHA3_256, HASH_ID_SHA3_384, HASH_ID_SHA3_512, HASH_ID_SHA256, HASH_ID_SHA384, HASH_ID_SHA512,
    HASH_ID_SHA512_256, HASH_ID_SHAKE128, HASH_ID_SHAKE256, HashIdentifier,
};
use fndsa::algorithm::{Scheme, SignatureEncoding};
use peers::{FalconForm, FalconPeer, FalconRsRound3, Pqclean, falcon_peers, falcon_rs_scheme, fn_dsa_2024_peer};
use schemes::{FndsaLibrary, PLAIN, SignatureOptions, convert, encoding, recode};
use sha2::{Digest, Sha256, Sha512};

/// Returns up to `limit` random bytes.
fn some_bytes(limit: usize, random: &mut RandomStream) -> Vec<u8> {
    let mut bytes = vec![0; random.below(limit + 1)];
    random.fill(&mut bytes);
    bytes
}

/// Returns the bytes with a single bit changed.
fn flip_bit(bytes: &[u8], random: &mut RandomStream) -> Vec<u8> {
    let (mut bytes, bit) = (bytes.to_vec(), random.below(8 * bytes.len()));
    bytes[bit / 8] ^= 1 << (bit % 8);
    bytes
}

/// Flips one of the upper 11 bits of a coefficient in a public key. After a change of the lower 3
/// bits, the s1 that a verifier computes could still be short enough.
fn flip_high_bit_of_public_key(vk: &[u8], random: &mut RandomStream) -> Vec<u8> {
    let coefficients = (vk.len() - 1) * 8 / 14;
    let (mut vk, bit) = (vk.to_vec(), 8 + 14 * random.below(coefficients) + random.below(11));
    vk[bit / 8] ^= 0x80 >> (bit % 8);
    vk
}

/// A function that returns whether a signature is valid. The arguments are the public key, the
/// message and the signature.
type AcceptanceFunction<'a> = dyn Fn(&[u8], &[u8], &[u8]) -> bool + 'a;

/// Checks that `verify` accepts a signature, and rejects it after one bit was flipped in the key,
/// the message or the signature. If the message is empty, the check appends a byte instead.
#[track_caller]
fn assert_accepts(
    verify: &AcceptanceFunction,
    [vk, message, signature]: [&[u8]; 3],
    random: &mut RandomStream,
    what: std::fmt::Arguments,
) {
    let other_message = if message.is_empty() { b"!".to_vec() } else { flip_bit(message, random) };
    let (other_vk, other_signature) = (flip_high_bit_of_public_key(vk, random), flip_bit(signature, random));
    for (change, accepted, [vk, message, signature]) in [
        ("the valid signature", true, [vk, message, signature]),
        ("a changed signature", false, [vk, message, &other_signature]),
        ("the signature for a changed message", false, [vk, &other_message, signature]),
        ("the signature for a changed key", false, [&other_vk, message, signature]),
    ] {
        if verify(vk, message, signature) != accepted {
            let verdict = if accepted { "rejected" } else { "accepted" };
            let [vk, message, signature] = [vk, message, signature].map(to_hex);
            panic!("{what}: {change} is {verdict}\npublic key {vk}\nmessage {message}\nsignature {signature}");
        }
    }
}

/// Returns all implementations of Falcon: the peers, which are independent of the library, and the
/// library.
fn all_falcons() -> Vec<&'static dyn FalconPeer> {
    falcon_peers().into_iter().chain([&FndsaLibrary as &dyn FalconPeer]).collect()
}

/// Compares all implementations of Falcon. Each implementation generates `keys_each` keys. With
/// every key, all implementations sign in all signature forms that they can write. All
/// implementations that can read a form verify the signatures in this form.
fn compare_falcon_peers(logn: u32, keys_each: usize) {
    let all = all_falcons();
    let signature_counts = parallel(all.len() * keys_each, |i| {
        let mut random = RandomStream::new("all agree on Falcon", (logn as usize) << 32 | i);
        let maker = all[i % all.len()];
        let (sk, vk) = maker.keygen(logn, &mut random);
        let our_public = schemes::public(Scheme::Falcon, &sk, &mut random);
        assert_same(&our_public.expect("a good key"), &vk, format_args!("public key of {}", maker.name()));
        let changed = flip_bit(&sk, &mut random);
        let read = schemes::public(Scheme::Falcon, &changed, &mut random);
        assert!(read.is_err(), "a changed private key of {}: {}", maker.name(), to_hex(&changed));

        let mut count = 0;
        for (signer, form) in all.iter().flat_map(|signer| signer.forms().iter().map(move |form| (signer, *form))) {
            let message = some_bytes(300, &mut random);
            let signature = signer.sign(form, &sk, &message, &mut random);
            for peer in all.iter().filter(|peer| peer.forms().contains(&form)) {
                let verify = |vk: &[u8], message: &[u8], signature: &[u8]| peer.verify(form, vk, message, signature);
                let (maker, signer, peer) = (maker.name(), signer.name(), peer.name());
                let what = format_args!("{form:?} by {signer} with a key of {maker}, verified by {peer}");
                assert_accepts(&verify, [&vk, &message, &signature], &mut random, what);
                count += 1;
            }
        }
        count
    });
    let verified = signature_counts.iter().sum::<usize>();
    println!("degree 2^{logn}: {} implementations of Falcon, {verified} signatures verified", all.len());
}

#[test]
fn all_programs_agree_on_falcon_512() {
    compare_falcon_peers(9, 3);
}

#[test]
fn all_programs_agree_on_falcon_1024() {
    compare_falcon_peers(10, 1);
}

#[test]
fn signatures_of_other_programs_verify_in_another_encoding() {
    let forms = [FalconForm::Compressed, FalconForm::Padded, FalconForm::ConstantTime];
    for (i, peer) in falcon_peers().into_iter().enumerate() {
        let mut random = RandomStream::new("other encodings", i);
        let (sk, vk) = FalconRsRound3.keygen(9, &mut random);
        for form in peer.forms().iter().filter(|form| forms.contains(form)) {
            let message = some_bytes(300, &mut random);
            let signature = peer.sign(*form, &sk, &message, &mut random);
            for new_form in forms {
                // About one in several thousand compressed signatures is too long for the padded
                // encoding.
                let Some(recoded) = recode(Scheme::Falcon, &signature, encoding(new_form)) else { continue };
                let what = format!("{form:?} of {} as {new_form:?}", peer.name());
                assert!(FalconRsRound3.verify(new_form, &vk, &message, &recoded), "{what}");
                let recoded_back = recode(Scheme::Falcon, &recoded, encoding(*form)).expect("the original encoding");
                assert_same(&recoded_back, &signature, what);
            }
        }
    }
}

const MUTATIONS: [&str; 8] = [
    "nothing changed",
    "zeros appended, up to the padded length",
    "one bit",
    "one of the last bits",
    "a byte near the end",
    "another length",
    "another header",
    "two bytes swapped",
];

/// Returns the length of a padded signature. The degree is in the header of `bytes`, a signature in
/// any encoding.
fn padded_len(bytes: &[u8]) -> usize {
    if bytes[0] & 15 == 10 { 1280 } else { 666 }
}

/// Returns the signature after a change. `kind` is from [`MUTATIONS`].
fn mutate_signature(signature: &[u8], kind: &str, random: &mut RandomStream) -> Vec<u8> {
    let (mut signature, len) = (signature.to_vec(), signature.len());
    let padded = padded_len(&signature);
    match kind {
        "nothing changed" => {}
        "zeros appended, up to the padded length" => signature.resize(padded.max(len), 0),
        "one bit" => return flip_bit(&signature, random),
        "one of the last bits" => {
            let bit = 8 * len - 1 - random.below(40);
            signature[bit / 8] ^= 1 << (bit % 8);
        }
        "a byte near the end" => signature[len - 1 - random.below(5)] = random.below(256) as u8,
        "another length" => signature.resize([0, 1, 40, 41, len - 1, len + 1, padded + 1, 809][random.below(8)], 0),
        "another header" => signature[0] = random.below(256) as u8,
        "two bytes swapped" => signature.swap(random.below(len), random.below(len)),
        _ => unreachable!("{kind}"),
    }
    signature
}

#[test]
fn verdicts_on_thousands_of_mutated_signatures_agree() {
    let forms = [FalconForm::Compressed, FalconForm::Padded, FalconForm::ConstantTime];
    let accepted_counts = parallel(20, |i| {
        let mut random = RandomStream::new("mutated", i);
        let (sk, vk) = FalconRsRound3.keygen(if i % 5 == 4 { 10 } else { 9 }, &mut random);
        let mut accepted = [0; MUTATIONS.len()];
        for form in forms {
            let message = some_bytes(100, &mut random);
            let good = FalconRsRound3.sign(form, &sk, &message, &mut random);
            for (k, kind) in MUTATIONS.iter().enumerate().cycle().take(20 * MUTATIONS.len()) {
                let signature = mutate_signature(&good, kind, &mut random);
                let falcon_rs_verdict = FalconRsRound3.verify_any(&vk, &message, &signature);
                let pqclean_verdict = Pqclean.verify(FalconForm::Compressed, &vk, &message, &signature);
                let our_verdict = schemes::verify(Scheme::Falcon, &vk, PLAIN, &message, &signature);
                let what = format!("{form:?}, {kind}: {our_verdict:?} for {}", to_hex(&signature));
                assert_eq!(our_verdict.is_ok(), falcon_rs_verdict, "falcon-rs, {what}");
                // PQClean accepts padded signatures as compressed signatures, and rejects
                // constant-time signatures.
                let pqclean_must_accept = our_verdict.as_ref().is_ok_and(|encoding| *encoding != SignatureEncoding::Ct);
                assert_eq!(pqclean_must_accept, pqclean_verdict, "PQClean, {what}");
                accepted[k] += usize::from(falcon_rs_verdict);
            }
        }
        accepted
    });
    for (k, kind) in MUTATIONS.iter().enumerate() {
        println!("{kind}: {} of {} accepted", accepted_counts.iter().map(|it| it[k]).sum::<usize>(), 20 * 3 * 20);
    }
}

/// The pre-hashes, with their identifiers in crate fn-dsa 0.3, which implements FN-DSA-2024.
const FN_DSA_2024_HASHES: [(&str, &HashIdentifier); 9] = [
    ("SHA-256", &HASH_ID_SHA256),
    ("SHA-384", &HASH_ID_SHA384),
    ("SHA-512", &HASH_ID_SHA512),
    ("SHA-512/256", &HASH_ID_SHA512_256),
    ("SHA3-256", &HASH_ID_SHA3_256),
    ("SHA3-384", &HASH_ID_SHA3_384),
    ("SHA3-512", &HASH_ID_SHA3_512),
    ("SHAKE128", &HASH_ID_SHAKE128),
    ("SHAKE256", &HASH_ID_SHAKE256),
];

/// Compares the library with crate fn-dsa 0.3. Both sign with all keys, with contexts and all
/// pre-hashes, and verify each other's signatures.
fn compare_fn_dsa_2024_peers(logn: u32, keys: usize) {
    let scheme = Scheme::FnDsa2024;
    parallel(keys, |i| {
        let mut random = RandomStream::new("preview", (logn as usize) << 32 | i);
        let (sk, vk) = match i % 2 {
            0 => fn_dsa_2024_peer::keygen(logn, &mut random),
            _ => schemes::keygen(scheme, logn, &mut random),
        };
        assert_same(&schemes::public(scheme, &sk, &mut random).expect("a good key"), &vk, "public key");
        let raw = (None, &HASH_ID_RAW);
        for (name, id) in [raw, raw].into_iter().chain(FN_DSA_2024_HASHES.map(|(name, id)| (Some(name), id))) {
            let context = some_bytes(255, &mut random);
            let prehash = name.map(prehash);
            let options = SignatureOptions::with_context(&context).with_prehash(prehash).with_weak_prehash(true);
            let mut message = some_bytes(300, &mut random);
            message.resize(prehash.map_or(message.len(), |hash| hash.digest_len()), 1);
            let our_signature = schemes::sign(scheme, &sk, options, &message, &mut random);
            let peer_signature = fn_dsa_2024_peer::sign(&sk, &context, id, &message, &mut random);
            let peer = |vk: &[u8], m: &[u8], s: &[u8]| fn_dsa_2024_peer::verify(vk, &context, id, m, s);
            let library = |vk: &[u8], m: &[u8], s: &[u8]| schemes::verify(scheme, vk, options, m, s).is_ok();
            for (signer, signature) in [("the library", &our_signature), ("fn-dsa 0.3", &peer_signature)] {
                for (reader, verify) in [("the library", &library as &AcceptanceFunction), ("fn-dsa 0.3", &peer)] {
                    let what = format_args!("key {i}, {name:?} by {signer}, verified by {reader}");
                    assert_accepts(verify, [&vk, &message, signature], &mut random, what);
                }
            }
            let wrong_context = if context.is_empty() { b"!" } else { &context[1..] };
            assert!(
                !fn_dsa_2024_peer::verify(&vk, wrong_context, id, &message, &our_signature),
                "a wrong context is accepted"
            );
        }
    });
}

#[test]
fn fn_dsa_2024_agrees_with_crate_fn_dsa_0_3() {
    compare_fn_dsa_2024_peers(9, 12);
    compare_fn_dsa_2024_peers(10, 4);
}

#[test]
fn signatures_of_falcon_rs_verify() {
    let scheme = Scheme::FalconRs;
    parallel(10, |i| {
        let logn = if i % 5 == 4 { 10 } else { 9 };
        let mut random = RandomStream::new("falcon-rs", i);
        let maker: &dyn FalconPeer = if i % 2 == 0 { &FalconRsRound3 } else { &FndsaLibrary };
        let (sk, vk) = maker.keygen(logn, &mut random);
        for name in [None, None, Some("SHA-256"), Some("SHA-512")] {
            let context = some_bytes(if i == 0 { 0 } else { 255 }, &mut random);
            let message = some_bytes(300, &mut random);
            let signature = falcon_rs_scheme::sign(&sk, &context, name, &message, &mut random);
            assert!(falcon_rs_scheme::verify(&vk, &context, name, &message, &signature));
            let options =
                SignatureOptions::with_context(&context).with_prehash(name.map(prehash)).with_weak_prehash(true);
            let digest = |message: &[u8]| match name {
                Some("SHA-256") => Sha256::digest(message).to_vec(),
                Some("SHA-512") => Sha512::digest(message).to_vec(),
                _ => message.to_vec(),
            };
            let verify = |vk: &[u8], m: &[u8], s: &[u8]| schemes::verify(scheme, vk, options, &digest(m), s).is_ok();
            let what = format_args!("key {i}, {name:?}");
            assert_accepts(&verify, [&vk, &message, &signature], &mut random, what);
            // The crate signs in the constant-time encoding, and also accepts compressed and padded
            // signatures.
            for form in [FalconForm::Compressed, FalconForm::Padded] {
                if let Some(recoded) = recode(scheme, &signature, encoding(form)) {
                    assert!(falcon_rs_scheme::verify(&vk, &context, name, &message, &recoded), "{what}, {form:?}");
                    assert_accepts(&verify, [&vk, &message, &recoded], &mut random, what);
                }
            }
            for wrong_scheme in [Scheme::Falcon, Scheme::FnDsa2024] {
                let verdict = schemes::verify(wrong_scheme, &vk, PLAIN, &message, &signature);
                assert!(verdict.is_err(), "{what} is accepted as {wrong_scheme:?}");
            }
        }
    });
}

#[test]
fn keys_of_other_programs_work_in_other_schemes() {
    for i in 0..6 {
        let mut random = RandomStream::new("keys of others", i);
        let maker: &dyn FalconPeer = if i % 2 == 0 { &FalconRsRound3 } else { &peers::FnDsaCrateRound3 };
        let (sk, vk) = maker.keygen(9 + (i / 4) as u32, &mut random);
        let (fn_dsa_sk, fn_dsa_vk) = convert(Scheme::Falcon, Scheme::FnDsa, &sk, &vk, &mut random);
        assert_same(
            &schemes::public(Scheme::FnDsa, &fn_dsa_sk, &mut random).expect("a good key"),
            &fn_dsa_vk,
            "the public key",
        );
        let message = some_bytes(300, &mut random);
        let raw = peer::PeerMessage { context: b"", id: &fn_dsa::HASH_ID_RAW, hv: &message };
        let peer_signature = peer::sign(&fn_dsa_sk, &raw, &random.bytes());
        assert!(
            schemes::verify(Scheme::FnDsa, &fn_dsa_vk, PLAIN, &message, &peer_signature).is_ok(),
            "the library rejects a signature by fn-dsa 0.4"
        );
        let our_signature = schemes::sign(Scheme::FnDsa, &fn_dsa_sk, PLAIN, &message, &mut random);
        assert!(peer::verify(&fn_dsa_vk, &raw, &our_signature), "fn-dsa 0.4 rejects a signature by the library");
        let (back_sk, back_vk) = convert(Scheme::FnDsa, Scheme::Falcon, &fn_dsa_sk, &fn_dsa_vk, &mut random);
        assert_same(&back_sk, &sk, "the private key, converted to FN-DSA and back");
        assert_same(&back_vk, &vk, "the public key, converted to FN-DSA and back");
    }
}

#[test]
fn bouncycastle_reads_keys_of_other_programs() {
    let Some(program) = programs::bouncycastle() else { return };
    for (logn, oid) in [(9, hex("06052bce0f030b")), (10, hex("06052bce0f030e"))] {
        for peer in all_falcons() {
            let (sk, vk) = peer.keygen(logn, &mut RandomStream::new("bouncycastle", logn as usize));
            let (pkcs8, spki) = program.write_der(&sk, &vk);
            for der in [&pkcs8, &spki] {
                assert!(der.windows(oid.len()).any(|it| it == oid), "the OID for Falcon of degree 2^{logn} is missing");
            }
            let (private, public) = program.read_pkcs8(logn, &pkcs8);
            assert_same(&private, &sk, "the private key in PKCS#8");
            assert_same(&public, &vk, "the public key in PKCS#8");
            assert_same(&program.read_spki(logn, &spki), &vk, "the public key in SPKI");
        }
    }
}

/// Runs `fndsa convert` in a directory. The last argument is the output file. This function
/// removes the output file first, because `convert` does not replace a private key.
#[cfg(feature = "cli")]
fn convert_file(directory: &std::path::Path, options: &[&str]) {
    let _ = std::fs::remove_file(directory.join(options.last().expect("an output")));
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_fndsa"))
        .current_dir(directory)
        .arg("convert")
        .args(options)
        .output()
        .expect("the program");
    assert!(output.status.success(), "convert {options:?}: {}", String::from_utf8_lossy(&output.stderr));
}

#[cfg(feature = "cli")]
#[test]
fn the_command_line_and_bouncycastle_read_keys_of_each_other() {
    let Some(program) = programs::bouncycastle() else { return };
    let directory = tempfile::tempdir().expect("a directory");
    let file = |name: &str| directory.path().join(name);
    for logn in [9, 10] {
        let (sk, vk) = program.keygen(logn, &mut RandomStream::new("spki", logn as usize));
        let (pkcs8, spki) = program.write_der(&sk, &vk);
        std::fs::write(file("theirs"), &spki).expect("a file");
        convert_file(directory.path(), &["theirs", "--to", "raw", "-o", "raw"]);
        assert_same(&std::fs::read(file("raw")).expect("a file"), &vk, "the public key that BouncyCastle wrote");
        convert_file(directory.path(), &["theirs", "--to", "spki-der", "-o", "ours"]);
        let our_file = std::fs::read(file("ours")).expect("a file");
        assert_same(&our_file, &spki, "the SPKI file of fndsa, and that of BouncyCastle");
        assert_same(&program.read_spki(logn, &our_file), &vk, "the public key that BouncyCastle reads");

        std::fs::write(file("theirs"), &pkcs8).expect("a file");
        convert_file(directory.path(), &["theirs", "--to", "raw", "-o", "raw"]);
        assert_same(&std::fs::read(file("raw")).expect("a file"), &sk, "the private key that BouncyCastle wrote");
        for source in ["theirs", "raw"] {
            convert_file(directory.path(), &[source, "--to", "pkcs8-der", "--layout", "bouncycastle", "-o", "ours"]);
            let our_file = std::fs::read(file("ours")).expect("a file");
            assert_same(&our_file, &pkcs8, "the PKCS#8 file of fndsa, and that of BouncyCastle");
            let (private, public) = program.read_pkcs8(logn, &our_file);
            assert_same(&private, &sk, "the private key that BouncyCastle reads");
            assert_same(&public, &vk, "the public key that BouncyCastle reads from PKCS#8");
        }
    }
}
