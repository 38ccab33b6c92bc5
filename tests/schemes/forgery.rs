//! Tests that a vector s2 has only one encoding of each kind (compressed, padded, constant-time):
//! different bytes never represent the same vector.

use super::SIGNING;
use super::bits::{Bits, compressed, read_fields};
use super::common::library::{KeygenMemory, TestSigner, keygen, recode, verify_message};
use super::common::{RandomStream, parallel};
use fndsa::algorithm::{Degree, Scheme, SignatureEncoding};
use fndsa::error::VerifyError;
use fndsa::no_alloc::Level;
use fndsa::{Algorithm, Options};
use sha3::Shake256;
use sha3::digest::{ExtendableOutput, Update, XofReader};

use SignatureEncoding::{Compressed, Ct, Padded};

/// A key, and a signature for the message `m`.
struct KeyAndSignature {
    scheme: Scheme,
    vk: Vec<u8>,
    signature: Vec<u8>,
}

impl KeyAndSignature {
    /// Generates a key and signs the message `m`.
    fn new(scheme: Scheme, degree: Degree) -> Self {
        let algorithm = Algorithm::at_degree(scheme, degree).expect("an algorithm");
        let (sk, vk) = keygen(Level::detect(), algorithm, &[11; 32], KeygenMemory::Most);
        let bytes = RandomStream::new("forgery", 0).bytes::<{ 28 * 40 }>();
        let signature =
            TestSigner::new(scheme, &sk).sign_message(Level::detect(), Options::default(), b"m", 27, &bytes);
        Self { scheme, vk, signature: signature.expect("a signature") }
    }

    /// Returns whether the key accepts a signature of the message `m`.
    fn accepts(&self, signature: &[u8]) -> bool {
        verify_message(Level::detect(), self.scheme, &self.vk, Options::default(), b"m", signature).is_ok()
    }
}

/// Returns bytes that are equal for all encodings of a signature: the constant-time encoding, or
/// the unchanged signature if the scheme has only one encoding. The bytes represent the degree, the
/// nonce and s2. Returns `None` if the bytes are not a signature.
fn vector(scheme: Scheme, signature: &[u8]) -> Option<Vec<u8>> {
    fndsa::testing::signature(scheme, signature).ok()?;
    Some(if scheme.encodings().len() > 1 { recode(scheme, signature, Ct)? } else { signature.to_vec() })
}

/// Returns a signature in all encodings of its scheme.
fn encodings(signed: &KeyAndSignature) -> Vec<(SignatureEncoding, Vec<u8>)> {
    let recoded = |&encoding: &SignatureEncoding| Some((encoding, recode(signed.scheme, &signed.signature, encoding)?));
    signed.scheme.encodings().iter().filter_map(recoded).collect()
}

#[test]
fn flipped_bits_and_wrong_lengths_are_rejected() {
    for scheme in SIGNING {
        let signed = KeyAndSignature::new(scheme, Degree::N512);
        let encodings = encodings(&signed);
        assert_eq!(encodings.len(), scheme.encodings().len());
        for (encoding, bytes) in encodings {
            let what = format!("{}, {}", scheme.title(), encoding.name());
            assert!(signed.accepts(&bytes), "{what}");
            let own_vector = vector(scheme, &bytes);
            let decoded_count: usize = parallel(8 * bytes.len(), |bit| {
                let mut changed = bytes.clone();
                changed[bit / 8] ^= 1 << (bit % 8);
                let changed_vector = vector(scheme, &changed);
                assert_ne!(changed_vector, own_vector, "{what}, bit {bit}: the same vector in other bytes");
                assert!(!signed.accepts(&changed), "{what}, bit {bit}");
                usize::from(changed_vector.is_some())
            })
            .into_iter()
            .sum();
            // A signature with a changed bit in the nonce (320 bits) can always be decoded,
            // although it is invalid.
            assert!(decoded_count > 320, "{what}: only {decoded_count} changed signatures can be decoded");

            // A padded signature without its zeros is the compressed signature, if the scheme has
            // compressed signatures.
            let compressed = recode(scheme, &bytes, Compressed).filter(|_| encoding == Padded);
            for len in 0..bytes.len() {
                let expected = compressed.as_ref().is_some_and(|c| *c == bytes[..len]);
                assert_eq!(signed.accepts(&bytes[..len]), expected, "{what}, cut to {len} bytes");
            }
            let padded_len = Algorithm::FN_DSA_512.signature_len();
            for extra in 1..=200 {
                let mut longer = bytes.clone();
                longer.resize(bytes.len() + extra, 0);
                let is_padded = encoding == Compressed && longer.len() == padded_len;
                assert_eq!(signed.accepts(&longer), is_padded, "{what}, {extra} zeros");
                if is_padded {
                    let encoding = fndsa::testing::signature(scheme, &longer).map(|s| s.encoding());
                    assert_eq!((encoding, vector(scheme, &longer)), (Ok(Padded), own_vector.clone()));
                }
                let last = longer.len() - 1;
                longer[last] = 1;
                assert!(!signed.accepts(&longer), "{what}, {extra} bytes");
            }
        }
    }
}

/// Joins the header, a nonce and these bytes.
fn assemble(header: u8, body: &[u8]) -> Vec<u8> {
    [&[header][..], &[1; 40], body].concat()
}

#[test]
fn coefficients_out_of_bounds_and_minus_zero_are_rejected() {
    let n = 512;
    let read = |bytes: &[u8]| fndsa::testing::signature(Scheme::Falcon, bytes).map(|s| s.encoding());
    for index in [0, 1, 255, 511] {
        // Returns an s2 with a single nonzero coefficient.
        let s2_with = |x: i64| {
            let mut s2 = vec![0; n];
            s2[index] = x;
            s2
        };
        for x in [0, 1, -1, 127, -127, 128, -128, 840, -841, 1920, 2047, -2047] {
            let ct = assemble(0x59, &Bits::default().fields(&s2_with(x), 12).bytes());
            let short = assemble(0x39, &compressed(&s2_with(x)));
            assert_eq!((read(&ct), read(&short)), (Ok(Ct), Ok(Compressed)), "{x} at {index}");
            assert_eq!(recode(Scheme::Falcon, &ct, Compressed), Some(short.clone()), "{x} at {index}");
            assert_eq!(recode(Scheme::Falcon, &short, Ct), Some(ct), "{x} at {index}");
            let mut padded = short;
            padded.resize(666, 0);
            assert_eq!(read(&padded), Ok(Padded), "{x} at {index}");
            for scheme in [Scheme::FnDsa2024, Scheme::FalconRs] {
                assert!(fndsa::testing::signature(scheme, &padded).is_ok(), "{x} at {index}");
            }
        }
        for x in [2048, -2048, 2049, 4095] {
            let mut bytes = assemble(0x39, &compressed(&s2_with(x)));
            assert_eq!(read(&bytes), Err(VerifyError::Encoding), "{x} at {index}");
            bytes.resize(666, 0);
            assert_eq!(read(&bytes), Err(VerifyError::Encoding), "{x} at {index}");
        }
        let lowest = assemble(0x59, &Bits::default().fields(&s2_with(-2048), 12).bytes());
        assert_eq!(read(&lowest), Err(VerifyError::Encoding), "-2048 at {index}");
        assert_eq!(read_fields(&lowest[41..], 12)[index], -2048);

        let mut bits = Bits::default();
        for i in 0..n {
            bits = bits.compressed(i == index, 0);
        }
        let mut minus_zero = assemble(0x39, &bits.bytes());
        assert_eq!(read(&minus_zero), Err(VerifyError::Encoding), "minus zero at {index}");
        minus_zero.resize(666, 0);
        assert_eq!(read(&minus_zero), Err(VerifyError::Encoding), "minus zero at {index}");
    }
}

/// Computes Falcon's c from the big-endian words of SHAKE256. Words that are not below `5 q` are
/// skipped.
fn falcon_point(nonce: &[u8], message: &[u8], n: usize) -> Vec<i64> {
    let mut stream = Shake256::default().chain(nonce).chain(message).finalize_xof();
    let mut words = std::iter::from_fn(|| {
        let mut word = [0; 2];
        stream.read(&mut word);
        Some(i64::from(u16::from_be_bytes(word)))
    });
    words.by_ref().filter(|word| *word < 61445).map(|word| word % 12289).take(n).collect()
}

/// Checks that the verifier includes s2 in the norm, in the compressed and the constant-time
/// encoding. The public key h is a small constant k, so the test can forge signatures without a
/// private key. It chooses `s2 = c / k`, rounded towards zero. The coefficients of `s1 = c - k s2`
/// are below k in magnitude, so the norm of s1 is small. If k decreases, the norm of s2 increases.
/// For a small k, the verifier must reject (s1, s2) because of s2.
#[test]
fn the_norm_includes_s2_in_each_encoding() {
    const BOUND: i64 = 34_034_726;
    let (n, nonce) = (512, [0x2a; 40]);
    let c = falcon_point(&nonce, b"m", n);
    // The numbers of rejected and accepted signatures.
    let mut counts = [0; 2];
    for k in 6..40 {
        let mut h = vec![0; n];
        h[0] = k;
        let vk = [&[9][..], &Bits::default().fields(&h, 14).bytes()].concat();
        let centred = c.iter().map(|&x| if x > 12289 / 2 { x - 12289 } else { x });
        let (s1, s2): (Vec<i64>, Vec<i64>) = centred.map(|x| (x - x / k * k, x / k)).unzip();
        let norm: i64 = s1.iter().chain(&s2).map(|x| x * x).sum();
        let (ct, short) = (Bits::default().fields(&s2, 12).bytes(), compressed(&s2));
        for (encoding, header, body) in [(Ct, 0x59, ct), (Compressed, 0x39, short)] {
            let mut signature = assemble(header, &body);
            signature[1..41].copy_from_slice(&nonce);
            if signature.len()
                > Algorithm::at_degree(Scheme::Falcon, Degree::N512)
                    .expect("an algorithm")
                    .encoded_signature_len(encoding)
            {
                continue;
            }
            for level in Level::available() {
                let verdict = verify_message(level, Scheme::Falcon, &vk, Options::default(), b"m", &signature);
                let what = format!("{k}, {}, {level}", encoding.name());
                assert_eq!(verdict.is_ok(), norm <= BOUND, "{what}: {verdict:?}");
                counts[usize::from(verdict.is_ok())] += 1;
            }
        }
    }
    assert!(!counts.contains(&0), "rejected and accepted signatures: {counts:?}");
}

#[test]
fn bits_after_the_last_coefficient_must_be_zero() {
    // 512 coefficients with 9 bits each fill 576 bytes. If one coefficient has 10 bits, the
    // encoding needs one byte more, and 7 bits remain after the last coefficient.
    let mut s2 = vec![0; 512];
    s2[100] = 128;
    let with_seven_spare_bits = assemble(0x39, &compressed(&s2));
    assert_eq!(with_seven_spare_bits.len(), 41 + 577);
    for bit in 0..8 {
        let mut bytes = with_seven_spare_bits.clone();
        *bytes.last_mut().expect("a signature is not empty") ^= 1 << bit;
        let read = fndsa::testing::signature(Scheme::Falcon, &bytes);
        // Bits 0 to 6 are after the last coefficient. Bit 7 is the end mark of the last
        // coefficient. If this mark is cleared, the last coefficient has no end.
        assert_eq!(read, Err(VerifyError::Encoding), "bit {bit}");
    }
    // In the constant-time encoding with degree 4, the four fields have 44 bits, so 4 bits of the
    // last byte are unused.
    let with_four_spare_bits = assemble(0x52, &Bits::default().fields(&[1, -2, 1023, -1023], 11).bytes());
    assert!(fndsa::testing::signature(Scheme::Falcon, &with_four_spare_bits).is_ok());
    for bit in 0..4 {
        let mut bytes = with_four_spare_bits.clone();
        *bytes.last_mut().expect("a signature is not empty") ^= 1 << bit;
        assert_eq!(fndsa::testing::signature(Scheme::Falcon, &bytes), Err(VerifyError::Encoding), "bit {bit}");
    }
    let lowest = assemble(0x52, &Bits::default().fields(&[1, -1024, 0, 0], 11).bytes());
    assert_eq!(fndsa::testing::signature(Scheme::Falcon, &lowest), Err(VerifyError::Encoding));
    // The coefficient 1024 is valid in the compressed encoding, but too large for the fields of the
    // constant-time encoding, so this encoding does not exist.
    let large = assemble(0x32, &compressed(&[1024, 0, 0, 0]));
    assert_eq!(recode(Scheme::Falcon, &large, Ct), None);
}

#[test]
fn a_compressed_signature_of_the_padded_length_is_read_as_padded() {
    // The body has 625 bytes, which are 5000 bits. Each of the 512 coefficients needs 9 bits. Each
    // coefficient 128 needs one bit more (a unary bit), and together these bits fill the body.
    let mut s2 = vec![0; 512];
    let unary_bits = 5000 - 512 * 9;
    s2[..unary_bits].fill(128);
    for (spare_bits, encoding) in [(0, Padded), (8, Compressed)] {
        let mut s2 = s2.clone();
        s2[..spare_bits].fill(0);
        let bytes = assemble(0x39, &compressed(&s2));
        assert_eq!(bytes.len(), 666 - spare_bits / 8);
        let read = fndsa::testing::signature(Scheme::Falcon, &bytes).expect("a signature");
        assert_eq!(read.encoding(), encoding);
        assert_eq!(recode(Scheme::Falcon, &bytes, Compressed), Some(bytes.clone()));
    }
    s2[unary_bits] = 128;
    let long_signature = assemble(0x39, &compressed(&s2));
    assert_eq!(recode(Scheme::Falcon, &long_signature, Padded), None, "one bit too long");
    assert_eq!(fndsa::testing::signature(Scheme::Falcon, &long_signature).map(|s| s.encoding()), Ok(Compressed));
    // FN-DSA-2024 has only the padded encoding.
    let result = fndsa::testing::signature(Scheme::FnDsa2024, &long_signature);
    assert!(matches!(result, Err(VerifyError::Length { expected: 666, .. })), "{result:?}");
}
