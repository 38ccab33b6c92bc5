//! Tests that keys can be converted between schemes, and that a signature by a converted key is
//! valid only in the key's scheme.

use super::SIGNING;
use super::bits::read_fields;
use super::common::library::{KeygenMemory, TestSigner, convert_public, fn_dsa, keygen, levels, verify_message};
use super::common::{RandomStream, assert_same, h, parallel, vector_file};
use super::known::{EncodedKeyPair, key_pairs, nist};
use super::reference::keygen::{ortho_norm_bound, ortho_square_norm};
use fndsa::algorithm::{Degree, Scheme};
use fndsa::error::KeyError;
use fndsa::no_alloc::Level;
use fndsa::{Algorithm, Options};

/// Converts a key pair from the first scheme in `way` to the second, to the third, and back to the
/// first. In each step, the public key of the converted private key must be the converted public
/// key.
fn check_round_trip(level: Level, (private, public): &EncodedKeyPair, way: [Scheme; 3], what: &str) {
    let (mut sk, mut vk) = (private.clone(), public.clone());
    for (i, from_scheme) in way.into_iter().enumerate() {
        let to_scheme = way[(i + 1) % 3];
        let step = format!("{what}, {level}: {} to {}", from_scheme.title(), to_scheme.title());
        sk = TestSigner::new(from_scheme, &sk).convert(level, to_scheme).unwrap_or_else(|e| panic!("{step}: {e}"));
        vk = convert_public(level, from_scheme, &vk, to_scheme);
        assert_same(&TestSigner::new(to_scheme, &sk).verifying_key(), &vk, format_args!("{step}: the public key"));
        let key_hash = h(&[&vk]);
        if to_scheme == Scheme::FnDsa {
            assert_same(&sk[sk.len() - 64..], &key_hash, format_args!("{step}: the stored hash"));
        }
    }
    assert_same(&sk, private, format_args!("{what}, {level}: the private key at the end"));
    assert_same(&vk, public, format_args!("{what}, {level}: the public key at the end"));
}

#[test]
fn converted_keys_convert_back_to_the_same_keys() {
    use Scheme::{Falcon, FnDsa, FnDsa2024};
    let fn_dsa_keys = key_pairs(&vector_file("kat-a.json"), "vectors");
    parallel(fn_dsa_keys.len(), |i| {
        let level = levels()[i % levels().len()];
        check_round_trip(level, &fn_dsa_keys[i], [FnDsa, FnDsa2024, Falcon], &format!("kat-a {i}"));
        check_round_trip(level, &fn_dsa_keys[i], [FnDsa, Falcon, FnDsa2024], &format!("kat-a {i}"));
    });
    let mut other_keys: Vec<(Scheme, String, EncodedKeyPair)> = vec![];
    for (i, pair) in key_pairs(&vector_file("kat-b.json"), "vectors").into_iter().enumerate() {
        other_keys.push((FnDsa2024, format!("kat-b {i}"), pair));
    }
    for n in [512, 1024] {
        for (i, k) in nist(n).into_iter().enumerate() {
            other_keys.push((Falcon, format!("falcon{n} {i}"), (k.private, k.public)));
        }
    }
    let rejected_count: usize = parallel(other_keys.len(), |i| {
        let (scheme, what, pair) = &other_keys[i];
        let other_scheme = if *scheme == Falcon { FnDsa2024 } else { Falcon };
        // The limit for the Gram-Schmidt norm is smaller in FN-DSA than in the other two schemes,
        // so FN-DSA rejects some of these keys.
        let level = Level::detect();
        let is_short = is_short_for_fn_dsa(&pair.0);
        let converted = TestSigner::new(*scheme, &pair.0).convert(level, FnDsa);
        assert_eq!(converted.is_ok(), is_short, "{what}: {:?}", converted.err());
        assert_eq!(converted.as_ref().err(), (!is_short).then_some(&KeyError::OrthogonalNorm), "{what}");
        if is_short {
            check_round_trip(level, pair, [*scheme, other_scheme, FnDsa], what);
        } else {
            // In Falcon and FN-DSA-2024, private keys have the same encoding.
            assert_same(&TestSigner::new(*scheme, &pair.0).convert(level, other_scheme).expect("a key"), &pair.0, what);
        }
        usize::from(!is_short)
    })
    .into_iter()
    .sum();
    println!("{rejected_count} of {} keys are too long for FN-DSA", other_keys.len());
    assert!(rejected_count > 0 && rejected_count < other_keys.len() / 4, "FN-DSA rejects {rejected_count} keys");
}

/// Returns whether the f and g of an encoded private key (in big-endian order) have a Gram-Schmidt
/// norm below the FN-DSA bound.
fn is_short_for_fn_dsa(private: &[u8]) -> bool {
    let logn = u32::from(private[0] & 15);
    let (n, bits) = (1usize << logn, [8, 8, 8, 8, 7, 7, 6, 6, 5][logn as usize - 2]);
    let fg = read_fields(&private[1..1 + 2 * n * bits as usize / 8], bits);
    let norm = ortho_square_norm(&fg[..n], &fg[n..]);
    assert!((norm - ortho_norm_bound()).abs() > 1e-6, "the norm {norm} is too close to the bound for this test");
    norm < ortho_norm_bound()
}

#[test]
fn a_rejected_conversion_leaves_zeros() {
    let answers = nist(512);
    let long_key =
        answers.iter().find(|k| !is_short_for_fn_dsa(&k.private)).expect("a key that is too long for FN-DSA");
    let mut work = super::common::library::work(Degree::N512);
    let key =
        fndsa::testing::signing_key(Level::detect(), Scheme::Falcon, &long_key.private, &mut work).expect("a good key");
    let mut out = vec![0xaa; Algorithm::FN_DSA_512.signing_key_len()];
    let converted = key.convert_into(Level::detect(), Scheme::FnDsa, &mut out, &mut work).map(drop);
    assert_eq!(converted, Err(KeyError::OrthogonalNorm));
    assert!(out.iter().chain(&work).all(|b| *b == 0));
    let convert = |scheme, len: usize, work: &mut [u8]| {
        key.convert_into(Level::detect(), scheme, &mut vec![0; len], work).map(drop)
    };
    assert_eq!(convert(Scheme::FalconRs, 1281, &mut work), Err(KeyError::VerifyOnly));
    assert!(matches!(convert(Scheme::FnDsa2024, 1280, &mut work), Err(KeyError::Work(_))));
    assert!(matches!(convert(Scheme::FnDsa, 1281, &mut work), Err(KeyError::Work(_))));
    let short = Algorithm::FN_DSA_512.import_work_len() - 1;
    assert!(matches!(convert(Scheme::FnDsa2024, 1281, &mut work[..short]), Err(KeyError::Work(_))));
}

#[test]
fn a_signature_is_valid_in_only_one_scheme() {
    for degree in [Degree::from_logn(5).expect("a degree"), Degree::N512, Degree::N1024] {
        let level = Level::detect();
        let (sk, vk) = keygen(level, fn_dsa(degree), &[degree.logn() as u8; 32], KeygenMemory::Most);
        for scheme in SIGNING {
            let mut random = RandomStream::new(scheme.title(), degree.n());
            let mut signer =
                TestSigner::new(scheme, &TestSigner::new(Scheme::FnDsa, &sk).convert(level, scheme).expect("a key"));
            let signature = signer
                .sign_message(level, Options::default(), b"message", 27, &random.bytes::<{ 28 * 40 }>())
                .expect("a signature");
            for verify_scheme in Scheme::FALCON_FAMILY {
                let vk = convert_public(level, Scheme::FnDsa, &vk, verify_scheme);
                let verdict = verify_message(level, verify_scheme, &vk, Options::default(), b"message", &signature);
                let what = format!("{} as {}", scheme.title(), verify_scheme.title());
                assert_eq!(verdict.is_ok(), verify_scheme == scheme, "{what}: {verdict:?}");
            }
        }
    }
}

#[test]
fn keys_of_the_same_seed_agree_in_all_schemes() {
    for degree in [Degree::from_logn(4).expect("a degree"), Degree::N512, Degree::N1024] {
        let pairs = SIGNING.map(|s| {
            keygen(
                Level::detect(),
                Algorithm::at_degree(s, degree).expect("an algorithm"),
                &[7; 32],
                KeygenMemory::Most,
            )
        });
        for (scheme, (sk, vk)) in SIGNING.into_iter().zip(&pairs) {
            let converted = TestSigner::new(scheme, sk).convert(Level::detect(), Scheme::FnDsa).expect("a key");
            assert_same(&converted, &pairs[0].0, scheme.title());
            assert_same(&convert_public(Level::detect(), scheme, vk, Scheme::FnDsa), &pairs[0].1, scheme.title());
        }
    }
}
