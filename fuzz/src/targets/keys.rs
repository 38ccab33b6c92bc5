//! Fuzz targets that decode bytes in the Falcon family, and check that accepted bytes are equal to
//! the encoding of the result. The target `mldsa` tests ML-DSA.

use super::common::library::{TestSigner, convert_public, recode};
use fndsa::Algorithm;
use fndsa::algorithm::{Degree, Scheme};
use fndsa::error::KeyError;
use fndsa::no_alloc::Level;

/// Decodes a private key in each scheme. If it is accepted, checks that its public key is valid,
/// and that a round trip through each scheme restores the key. The conversion to a scheme may fail
/// only if this scheme cannot sign, or if the norm is too large for FN-DSA.
pub fn private_key(data: &[u8]) {
    let level = Level::detect();
    let degree = data.first().and_then(|first| Degree::from_logn(u32::from(first & 15))).unwrap_or(Degree::N512);
    let mut work = vec![0xa5; Algorithm::at_degree(Scheme::FnDsa, degree).expect("an algorithm").import_work_len()];
    for scheme in Scheme::FALCON_FAMILY {
        let key = match fndsa::testing::signing_key(level, scheme, data, &mut work) {
            Ok(key) => key,
            Err(KeyError::Work(e)) => panic!("{}: {e}", scheme.title()),
            Err(_) => continue,
        };
        assert!(key.as_bytes() == data && key.scheme() == scheme && key.algorithm().signing_key_len() == data.len());
        let mut signer = TestSigner::new(scheme, data);
        let public = signer.verifying_key();
        let public = fndsa::testing::verifying_key(scheme, &public).expect("the public key of a valid private key");
        assert_eq!(public.key_hash(level), key.key_hash());
        for other_scheme in Scheme::FALCON_FAMILY {
            match signer.convert(level, other_scheme) {
                Ok(other) => {
                    assert_eq!(TestSigner::new(other_scheme, &other).convert(level, scheme).as_deref(), Ok(data))
                }
                Err(KeyError::VerifyOnly) => assert!(!other_scheme.can_sign()),
                Err(e) => assert_eq!((e, other_scheme), (KeyError::OrthogonalNorm, Scheme::FnDsa)),
            }
        }
    }
}

/// Decodes a public key in each scheme. If it is accepted, checks that a round trip through each
/// scheme restores the key.
pub fn public_key(data: &[u8]) {
    for scheme in Scheme::FALCON_FAMILY {
        let Ok(key) = fndsa::testing::verifying_key(scheme, data) else { continue };
        assert!(key.as_bytes() == data && key.algorithm().verifying_key_len() == data.len());
        for other_scheme in Scheme::FALCON_FAMILY {
            let other = convert_public(Level::detect(), scheme, data, other_scheme);
            let converted_back = convert_public(Level::detect(), other_scheme, &other, scheme);
            assert!(converted_back == data, "{} through {}", scheme.title(), other_scheme.title());
        }
    }
}

/// Decodes a signature in each scheme. If it is accepted, checks that a round trip through each
/// encoding of the scheme restores its bytes.
pub fn signature(data: &[u8]) {
    for scheme in Scheme::FALCON_FAMILY {
        let Ok(signature) = fndsa::testing::signature(scheme, data) else { continue };
        assert!(signature.as_bytes() == data && scheme.encodings().contains(&signature.encoding()));
        for encoding in scheme.encodings() {
            if let Some(other) = recode(scheme, data, *encoding) {
                let recoded_back = recode(scheme, &other, signature.encoding());
                assert!(recoded_back.as_deref() == Some(data), "{} through {encoding:?}", scheme.title());
            }
        }
        assert_eq!(recode(scheme, data, signature.encoding()).as_deref(), Some(data));
    }
}
