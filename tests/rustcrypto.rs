//! Tests the traits of the RustCrypto crates (`signature`, `pkcs8` and others) with code that uses
//! only these traits, as other crates do.

#[path = "../examples/certificate.rs"]
mod certificate;

use fndsa::algorithm::PreHash;
use fndsa::message::MessageDigest;
use fndsa::no_alloc::{Level, SigningHasher};
use fndsa::rand_core::{CryptoRng, UnwrapErr};
use fndsa::{Algorithm, Options, Signature, SigningKey, VerifyingKey};
use getrandom::SysRng;
use pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey, LineEnding};
use signature::{
    DigestSigner, DigestVerifier, Keypair, RandomizedDigestSigner, RandomizedSigner, SignatureEncoding, Signer,
    Verifier,
};
use std::collections::BTreeSet;
use std::error::Error;
use std::process::{Command, Stdio};
use x509_cert::Certificate;
use x509_cert::der::{DecodePem, Encode};
use x509_cert::spki::{DynSignatureAlgorithmIdentifier, ObjectIdentifier};
use zeroize::ZeroizeOnDrop;

/// A distinguished name with the attributes that the profile of the certificate requires.
const NAME: &str = "CN=A key,O=fndsa,C=DE";

const ML_DSA: [Algorithm; 3] = [Algorithm::ML_DSA_44, Algorithm::ML_DSA_65, Algorithm::ML_DSA_87];

fn key(algorithm: Algorithm) -> SigningKey {
    SigningKey::generate(algorithm, &mut SysRng).expect("a key")
}

#[test]
fn keys_round_trip_through_their_encodings() -> Result<(), Box<dyn Error>> {
    for algorithm in ML_DSA.into_iter().chain([Algorithm::ED25519, Algorithm::FALCON_512]) {
        let key = key(algorithm);
        let private = key.to_pkcs8_pem(LineEnding::LF)?;
        assert!(private.starts_with("-----BEGIN PRIVATE KEY-----\n"), "{algorithm}");
        assert_eq!(SigningKey::from_pkcs8_pem(&private)?.as_bytes(), key.as_bytes(), "{algorithm}");
        let public = key.verifying_key().to_public_key_pem(LineEnding::LF)?;
        assert!(public.starts_with("-----BEGIN PUBLIC KEY-----\n"), "{algorithm}");
        assert_eq!(VerifyingKey::from_public_key_pem(&public)?, key.verifying_key(), "{algorithm}");
    }
    Ok(())
}

#[test]
fn bad_encodings_are_rejected() -> Result<(), Box<dyn Error>> {
    // The 2024 preview has no object identifier. FN-DSA has a provisional object identifier, which
    // is too long for these crates.
    for algorithm in [Algorithm::FN_DSA_512, Algorithm::FN_DSA_2024_512] {
        let key = key(algorithm);
        assert!(key.to_pkcs8_der().is_err() && key.verifying_key().to_public_key_der().is_err(), "{algorithm}");
    }
    let key = key(Algorithm::ML_DSA_44);
    let public = key.verifying_key().to_public_key_der()?.to_vec();
    let private = key.to_pkcs8_der()?.as_bytes().to_vec();
    assert!(VerifyingKey::from_public_key_der(&private).is_err());
    assert!(SigningKey::from_pkcs8_der(&public).is_err());
    // With the object identifier of ML-DSA-65, the key has a wrong length.
    let mut wrong_oid = public.clone();
    let at = wrong_oid.windows(2).position(|pair| pair == [0x03, 0x11]).expect("the identifier") + 1;
    wrong_oid[at] = 0x12;
    assert!(VerifyingKey::from_public_key_der(&wrong_oid).is_err());
    assert!(VerifyingKey::from_public_key_der(&public[..public.len() - 1]).is_err());
    Ok(())
}

#[test]
fn deterministic_signatures_equal_those_of_the_library() -> Result<(), Box<dyn Error>> {
    for algorithm in ML_DSA {
        let key = key(algorithm);
        let signature = key.try_sign(b"message")?;
        assert_eq!(signature, key.try_sign(b"message")?);
        let level = Level::detect();
        let mut attempts = [fndsa::no_alloc::Attempt::EMPTY];
        let form = Options::default();
        let mut message = SigningHasher::new(level, algorithm, &key.key_hash(), form, &mut attempts, &mut SysRng)?;
        message.update(b"message");
        let mut library_signature = vec![0; algorithm.signature_len()];
        let mut work = vec![0; algorithm.sign_work_len()];
        key.to_ref().sign_deterministic(level, message.finish(), &mut library_signature, &mut work)?;
        assert_eq!(signature.as_bytes(), library_signature, "{algorithm}");
        let public = Keypair::verifying_key(&key);
        Verifier::verify(&public, b"message", &signature)?;
        assert!(Verifier::verify(&public, b"massage", &signature).is_err());
    }
    let signature = key(Algorithm::ED25519).try_sign(b"message")?;
    assert_eq!(signature.algorithm(), Algorithm::ED25519);
    for algorithm in [Algorithm::FN_DSA_512, Algorithm::FALCON_512, Algorithm::FN_DSA_2024_512] {
        assert!(key(algorithm).try_sign(b"message").is_err(), "{algorithm}");
    }
    Ok(())
}

#[test]
fn signatures_convert_to_bytes_and_back() -> Result<(), Box<dyn Error>> {
    for algorithm in ML_DSA.into_iter().chain([Algorithm::FN_DSA_512, Algorithm::FN_DSA_1024, Algorithm::ED25519]) {
        let signature = key(algorithm).sign(Options::default(), b"message", &mut SysRng)?;
        assert_eq!(signature.encoded_len(), algorithm.signature_len());
        assert_eq!(Signature::try_from(&signature.to_vec()[..])?, signature, "{algorithm}");
    }
    for bad_bytes in [&b""[..], &[0; 64][..63], &[0xff; 666]] {
        assert!(Signature::try_from(bad_bytes).is_err(), "{} bytes", bad_bytes.len());
    }
    Ok(())
}

#[test]
fn public_keys_are_sorted_and_private_keys_wiped() {
    let keys = ML_DSA.map(|algorithm| key(algorithm).verifying_key());
    let set: BTreeSet<_> = keys.iter().rev().chain(&keys).cloned().collect();
    assert!(set.iter().eq(&keys));
    fn is_wiped<T: ZeroizeOnDrop>(_: &T) {}
    is_wiped(&key(Algorithm::ML_DSA_44));
}

#[test]
fn a_certificate_needs_no_wrapper_types() -> Result<(), Box<dyn Error>> {
    certificate::main()?;
    // The object identifiers of ML-DSA-44, ML-DSA-65 and ML-DSA-87 (RFC 9881), and Ed25519 (RFC
    // 8410). Their algorithm identifiers have no parameters.
    let oids = ["2.16.840.1.101.3.4.3.17", "2.16.840.1.101.3.4.3.18", "2.16.840.1.101.3.4.3.19", "1.3.101.112"];
    for (algorithm, oid) in ML_DSA.into_iter().chain([Algorithm::ED25519]).zip(oids) {
        let key = key(algorithm);
        let pem = certificate::certificate(&key, NAME)?;
        let read = Certificate::from_pem(&pem)?;
        assert_eq!(read.signature_algorithm().oid, ObjectIdentifier::new(oid)?);
        assert!(read.signature_algorithm().parameters.is_none());
        let signed = read.tbs_certificate().to_der()?;
        let signature = Signature::try_from(read.signature().raw_bytes())?;
        Verifier::verify(&key.verifying_key(), &signed, &signature)?;
        // This library's reader accepts the public key in the certificate.
        let accept =
            fndsa::files::ReadOptions::default().with_expected_kind(Some(fndsa::files::ObjectKind::VerifyingKey));
        let object = fndsa::files::read(pem.as_bytes(), &accept)?.plain()?;
        assert_eq!(&object.bytes[..], key.verifying_key().as_bytes());
        assert_openssl_reads(&pem);
    }
    // No standard defines an identifier for signatures of FN-DSA or Falcon yet.
    for algorithm in [Algorithm::FN_DSA_512, Algorithm::FALCON_512] {
        assert!(key(algorithm).signature_algorithm_identifier().is_err(), "{algorithm}");
        assert!(certificate::certificate(&key(algorithm), NAME).is_err(), "{algorithm}");
    }
    Ok(())
}

/// Checks that `openssl x509` can read the structure of a certificate. OpenSSL does not need to
/// support ML-DSA for this.
fn assert_openssl_reads(pem: &str) {
    use std::io::Write;
    let mut command = Command::new("openssl");
    command.args(["x509", "-noout", "-subject", "-serial", "-dates"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let Ok(mut child) = command.spawn() else {
        return println!("skip: openssl x509, there is no openssl");
    };
    child.stdin.take().expect("a pipe").write_all(pem.as_bytes()).expect("openssl reads");
    let output = child.wait_with_output().expect("openssl ends");
    let text = String::from_utf8_lossy(&output.stdout).replace(' ', "");
    assert!(output.status.success() && text.contains("CN=Akey") && text.contains("serial=01"), "{text}");
}

/// Signs a digest through the traits, and verifies it through the traits and with the library.
fn check_digest_round_trip<D>(key: &SigningKey, hash: PreHash) -> Result<(), Box<dyn Error>>
where
    D: signature::digest::Update,
    SigningKey: RandomizedDigestSigner<D, Signature> + DigestSigner<D, Signature>,
    VerifyingKey: DigestVerifier<D, Signature>,
{
    let message = |digest: &mut D| {
        digest.update(b"mess");
        digest.update(b"age");
    };
    let public = key.verifying_key();
    let options = Options::default().with_prehash(Some(hash));
    let mut signatures = vec![key.try_sign_digest_with_rng(&mut SysRng, |digest| {
        message(digest);
        Ok(())
    })?];
    let deterministic = key.try_sign_digest(|digest: &mut D| {
        message(digest);
        Ok(())
    });
    assert_eq!(deterministic.is_ok(), key.algorithm().scheme().can_sign_deterministically());
    signatures.extend(deterministic);
    for signature in &signatures {
        let verify = |text: &'static [u8]| {
            DigestVerifier::verify_digest(
                &public,
                |digest: &mut D| {
                    digest.update(text);
                    Ok(())
                },
                signature,
            )
        };
        verify(b"message")?;
        assert!(verify(b"massage").is_err());
        public.verify(options, b"message", signature)?;
        assert!(public.verify(Options::default(), b"message", signature).is_err());
    }
    Ok(())
}

/// Calls each function that takes a random generator, with a trait object (`dyn CryptoRng`) as the
/// generator.
#[test]
fn generators_can_be_trait_objects() -> Result<(), Box<dyn Error>> {
    let rng: &mut dyn CryptoRng = &mut UnwrapErr(SysRng);
    let form = Options::default();
    for algorithm in [Algorithm::ML_DSA_44, Algorithm::FN_DSA_512] {
        let key = SigningKey::generate(algorithm, rng)?;
        let mut signer = key.signer(form, rng)?;
        signer.update(b"message");
        let digest = MessageDigest::of(PreHash::Sha3_256, b"message")?;
        key.sign_digest(form, &digest, rng)?;
        let by_trait: Signature = key.try_sign_with_rng(rng, b"message")?;
        for signature in [key.sign(form, b"message", rng)?, signer.finish(rng)?, by_trait] {
            key.verifying_key().verify(form, b"message", &signature)?;
        }
    }
    #[cfg(feature = "encryption")]
    {
        let key = SigningKey::generate(Algorithm::ED25519, rng)?;
        let options = fndsa::files::WriteOptions::plain(fndsa::files::FileEncoding::Pkcs8);
        let file = options.write_locked(key.algorithm(), key.as_bytes(), b"password", rng)?;
        assert!(file.starts_with(b"-----BEGIN ENCRYPTED PRIVATE KEY-----\n"));
    }
    Ok(())
}

#[test]
fn digests_are_signed_with_their_pre_hash() -> Result<(), Box<dyn Error>> {
    for algorithm in [Algorithm::ML_DSA_44, Algorithm::FN_DSA_512] {
        check_digest_round_trip::<sha2::Sha256>(&key(algorithm), PreHash::Sha256)?;
        check_digest_round_trip::<sha2::Sha512_256>(&key(algorithm), PreHash::Sha512_256)?;
    }
    check_digest_round_trip::<sha2::Sha384>(&key(Algorithm::ML_DSA_65), PreHash::Sha384)?;
    check_digest_round_trip::<sha2::Sha512>(&key(Algorithm::ML_DSA_87), PreHash::Sha512)?;
    // SHA-256 is too weak for ML-DSA-87.
    assert!(check_digest_round_trip::<sha2::Sha256>(&key(Algorithm::ML_DSA_87), PreHash::Sha256).is_err());
    Ok(())
}
