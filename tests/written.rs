//! Tests that the library reads the files that it writes. Covers all algorithms that can sign, all
//! kinds of objects (keys and signatures), all layouts, and all encodings except `Hex`, `Jwk` and
//! `Ssh`. Also tests that types that own their bytes, such as `SigningKey`, accept the bytes that
//! they return.

use fndsa::algorithm::{Degree, Scheme, UnknownAlgorithm};
use fndsa::error::{KeyError, VerifyError};
use fndsa::files::{
    Defect, FileContent, FileEncoding, FileObject, Format, KeyLayout, ObjectKind, Oid, ReadOptions, WriteError,
    WriteOptions, read, write,
};
use fndsa::no_alloc::SigningKeyRef;
use fndsa::testing::FixedBytes;
use fndsa::{Algorithm, Options, Signature, SigningKey, VerifyingKey};
use getrandom::SysRng;

const ENCODINGS: [FileEncoding; 7] = [
    FileEncoding::Pem,
    FileEncoding::Raw,
    FileEncoding::Pkcs8,
    FileEncoding::Pkcs8Der,
    FileEncoding::Spki,
    FileEncoding::SpkiDer,
    FileEncoding::TufKey,
];
const LAYOUTS: [Option<KeyLayout>; 10] = [
    None,
    Some(KeyLayout::Raw),
    Some(KeyLayout::Oqs),
    Some(KeyLayout::Octets),
    Some(KeyLayout::BouncyCastle),
    Some(KeyLayout::Seed),
    Some(KeyLayout::Expanded),
    Some(KeyLayout::Both),
    Some(KeyLayout::BareSeed),
    Some(KeyLayout::BarePriv),
];

/// A key pair with a signature in each encoding, and the private key's expanded form for ML-DSA.
struct SampleObjects {
    private: Vec<u8>,
    public: Vec<u8>,
    expanded: Option<Vec<u8>>,
    signatures: Vec<Vec<u8>>,
}

impl SampleObjects {
    /// Generates a key pair, and signs a message.
    fn new(algorithm: Algorithm) -> Self {
        let key = SigningKey::generate(algorithm, &mut SysRng).expect("a key");
        let mut work = vec![0; algorithm.import_work_len()];
        let expanded = algorithm.expanded_form_len().map(|len| {
            let mut expanded = vec![0; len];
            key.to_ref().expanded_form_into(key.level(), &mut expanded, &mut work).expect("the form");
            expanded
        });
        let signature = key.sign(Options::default(), b"a message", &mut SysRng).expect("a signature");
        let encodings = algorithm.scheme().encodings().iter();
        let signatures = encodings.filter_map(|encoding| Some(signature.recode(*encoding)?.as_bytes().to_vec()));
        Self {
            private: key.as_bytes().to_vec(),
            public: key.verifying_key().as_bytes().to_vec(),
            expanded,
            signatures: signatures.collect(),
        }
    }

    /// Returns all encodings that a file may contain (keys and signatures), each with its kind.
    fn all(&self) -> impl Iterator<Item = (ObjectKind, &[u8])> {
        let private = [Some(&self.private), self.expanded.as_ref()].into_iter().flatten();
        let private = private.map(|bytes| (ObjectKind::SigningKey, &bytes[..]));
        let public = std::iter::once((ObjectKind::VerifyingKey, &self.public[..]));
        private.chain(public).chain(self.signatures.iter().map(|bytes| (ObjectKind::Signature, &bytes[..])))
    }
}

/// Returns the algorithms that can sign, without the toys.
fn signing_algorithms() -> impl Iterator<Item = Algorithm> {
    Algorithm::all().filter(|algorithm| algorithm.scheme().can_sign())
}

/// Reads a file that is not encrypted.
fn read_plain(file: &[u8], accept: &ReadOptions) -> Result<FileObject, Defect> {
    read(file, accept).and_then(FileContent::plain)
}

/// Checks the kind, the algorithm and the bytes of an object that was read.
fn assert_same_object(object: &FileObject, kind: ObjectKind, algorithm: Algorithm, bytes: &[u8], what: &str) {
    let found = match kind {
        ObjectKind::SigningKey => object.signing_key().map(|key| (key.algorithm(), key.as_bytes().to_vec())),
        ObjectKind::VerifyingKey => object.verifying_key().map(|key| (key.algorithm(), key.as_bytes().to_vec())),
        ObjectKind::Signature => object.signature().map(|it| (it.algorithm(), it.as_bytes().to_vec())),
    };
    assert_eq!(found, Ok((algorithm, bytes.to_vec())), "{what}");
}

#[test]
fn every_written_form_is_readable_or_rejected_before_writing() {
    let (mut written, mut rejected) = (0, 0);
    for algorithm in signing_algorithms() {
        let sample = SampleObjects::new(algorithm);
        let oid = Oid::of(algorithm);
        let named = ReadOptions::default().with_algorithm(Some(algorithm));
        for (kind, bytes) in sample.all() {
            for (encoding, layout) in ENCODINGS.iter().flat_map(|encoding| LAYOUTS.map(|layout| (*encoding, layout))) {
                let options = WriteOptions::plain(encoding)
                    .with_layout(layout)
                    .with_public(Some(&sample.public))
                    .with_expanded(sample.expanded.as_deref());
                let what = format!("{algorithm}, {kind:?} of {} bytes, {encoding:?}, {layout:?}", bytes.len());
                let file = match options.write(kind, algorithm, "a note", bytes) {
                    Ok(file) => file,
                    Err(e) => {
                        rejected += 1;
                        assert_ne!(e, WriteError::Unreadable { kind, algorithm }, "{what}: the error names no cause");
                        continue;
                    }
                };
                written += 1;
                // In these layouts, the file contains the expanded form instead of the seed.
                let is_expanded_layout =
                    matches!(layout, Some(KeyLayout::Expanded | KeyLayout::BarePriv | KeyLayout::Oqs))
                        && encoding != FileEncoding::Raw;
                let stored = sample
                    .expanded
                    .as_deref()
                    .filter(|_| is_expanded_layout && kind == ObjectKind::SigningKey)
                    .unwrap_or(bytes);
                let object = read_plain(&file, &named).unwrap_or_else(|e| panic!("{what}: {e}"));
                assert_eq!((object.kind, object.algorithm()), (kind, algorithm), "{what}");
                assert_same_object(&object, kind, algorithm, stored, &what);
                // If the caller does not give the algorithm, the reader returns the same bytes. It
                // may report a different algorithm only for FN-DSA-2024, because keys and
                // signatures of FN-DSA-2024 are also encodings of Falcon.
                match read_plain(&file, &ReadOptions::default()) {
                    Ok(object) => {
                        assert!(object.kind == kind && object.fits(algorithm) && *object.bytes == *stored, "{what}");
                        let is_same_algorithm =
                            object.algorithm() == algorithm || algorithm.scheme() == Scheme::FnDsa2024;
                        assert!(is_same_algorithm, "{what}: {}", object.algorithm());
                    }
                    Err(e) => {
                        assert!(e == Defect::Seed && encoding == FileEncoding::Raw && bytes.len() == 32, "{what}: {e}")
                    }
                }
                // If the caller gives a different algorithm, the reader rejects the file.
                for other in Algorithm::all().filter(|other| !object_may_be(&file, *other)) {
                    let accept = ReadOptions::default().with_algorithm(Some(other));
                    assert!(read_plain(&file, &accept).is_err(), "{what} is read as {other}");
                }
            }
            // The function `write` writes the same files as `WriteOptions`.
            for format in [Format::Pem, Format::Raw] {
                let with_options = WriteOptions::plain(format.into()).write(kind, algorithm, "a note", bytes);
                let without_options = write(kind, algorithm, format, "a note", bytes);
                assert_eq!(without_options.as_deref(), with_options.as_deref(), "{algorithm}, {kind:?}, {format:?}");
            }
        }
        // Each object must be writable as PEM, so the loops above check at least one file for each
        // object.
        for (kind, bytes) in sample.all() {
            assert!(write(kind, algorithm, Format::Pem, "", bytes).is_ok(), "{algorithm}, {kind:?}");
            let pkcs8 =
                WriteOptions::plain(FileEncoding::Pkcs8).write(ObjectKind::SigningKey, algorithm, "", &sample.private);
            assert_eq!(pkcs8.is_ok(), oid.is_some(), "{algorithm}");
        }
    }
    println!("{written} files, {rejected} rejected");
    assert!(written > 200 && rejected > 200, "{written} files written, {rejected} rejected");
}

/// Returns whether the bytes in a file may belong to an algorithm, according to a reader that does
/// not know the algorithm.
fn object_may_be(file: &[u8], algorithm: Algorithm) -> bool {
    match read_plain(file, &ReadOptions::default()) {
        Ok(object) => object.fits(algorithm),
        // A seed may belong to any ML-DSA parameter set.
        Err(_) => algorithm.scheme() == Scheme::MlDsa,
    }
}

#[test]
fn a_writer_returns_an_error_for_each_wrong_argument() {
    let (fn_dsa, ml_dsa) = (SampleObjects::new(Algorithm::FN_DSA_512), SampleObjects::new(Algorithm::ML_DSA_65));
    let bytes = |kind, algorithm| Err(WriteError::Bytes { kind, algorithm });
    let (private, public, signature) = (ObjectKind::SigningKey, ObjectKind::VerifyingKey, ObjectKind::Signature);
    let rows = [
        (private, Algorithm::FN_DSA_512, &[][..], bytes(private, Algorithm::FN_DSA_512)),
        (private, Algorithm::FN_DSA_1024, &fn_dsa.private, bytes(private, Algorithm::FN_DSA_1024)),
        (private, Algorithm::FALCON_512, &fn_dsa.private, bytes(private, Algorithm::FALCON_512)),
        (private, Algorithm::FN_DSA_512, &fn_dsa.public, bytes(private, Algorithm::FN_DSA_512)),
        (public, Algorithm::FN_DSA_512, &fn_dsa.private, bytes(public, Algorithm::FN_DSA_512)),
        (public, Algorithm::ML_DSA_44, &ml_dsa.public, bytes(public, Algorithm::ML_DSA_44)),
        (signature, Algorithm::ML_DSA_65, &ml_dsa.public, bytes(signature, Algorithm::ML_DSA_65)),
        (private, Algorithm::ML_DSA_65, &ml_dsa.private[1..], bytes(private, Algorithm::ML_DSA_65)),
    ];
    for (kind, algorithm, bytes, expected) in rows {
        for format in [Format::Pem, Format::Raw] {
            let found = write(kind, algorithm, format, "", bytes).map(drop);
            assert_eq!(found, expected, "{kind:?} {algorithm}, {} bytes", bytes.len());
        }
    }
    // The next layouts contain an additional part: the expanded form or the public key. This test
    // passes the additional part of a different key, so the writer must return an error.
    let (other_key, falcon) = (SampleObjects::new(Algorithm::ML_DSA_65), SampleObjects::new(Algorithm::FALCON_512));
    for layout in [KeyLayout::Expanded, KeyLayout::Both, KeyLayout::BarePriv] {
        let options = WriteOptions::plain(FileEncoding::Pkcs8)
            .with_layout(Some(layout))
            .with_expanded(other_key.expanded.as_deref());
        let found = options.write(private, Algorithm::ML_DSA_65, "", &ml_dsa.private).map(drop);
        assert_eq!(found, Err(WriteError::OtherExpanded), "{layout:?}");
    }
    for layout in [KeyLayout::Oqs, KeyLayout::BouncyCastle] {
        let other_public = SampleObjects::new(Algorithm::FALCON_512).public;
        let options =
            WriteOptions::plain(FileEncoding::Pkcs8).with_layout(Some(layout)).with_public(Some(&other_public));
        let found = options.write(private, Algorithm::FALCON_512, "", &falcon.private).map(drop);
        assert_eq!(
            found,
            Err(WriteError::Unreadable { kind: private, algorithm: Algorithm::FALCON_512 }),
            "{layout:?}"
        );
    }
    // A note must not contain a line that starts a PEM block.
    for note in ["-----BEGIN PUBLIC KEY-----", "a\n-----BEGIN X-----"] {
        let found = write(private, Algorithm::FN_DSA_512, Format::Pem, note, &fn_dsa.private).map(drop);
        assert_eq!(found, Err(WriteError::Unreadable { kind: private, algorithm: Algorithm::FN_DSA_512 }), "{note:?}");
    }
}

/// Checks that `of_algorithm` accepts the output of `as_bytes`. Also checks that `from_bytes`
/// accepts this output. Only public keys and signatures have `from_bytes`, which gets the scheme
/// instead of the algorithm.
#[test]
fn written_keys_and_signatures_are_accepted() {
    for algorithm in signing_algorithms() {
        let sample = SampleObjects::new(algorithm);
        for private in [Some(&sample.private), sample.expanded.as_ref()].into_iter().flatten() {
            let key = SigningKey::of_algorithm(algorithm, private).expect("a key");
            assert_eq!(
                (key.as_bytes(), key.verifying_key().as_bytes()),
                (&private[..], &sample.public[..]),
                "{algorithm}"
            );
            let reread_key = SigningKey::of_algorithm(key.algorithm(), key.as_bytes()).expect("a key");
            assert_eq!(reread_key.key_hash(), key.key_hash(), "{algorithm}");
        }
        let scheme = algorithm.scheme();
        let public = VerifyingKey::of_algorithm(algorithm, &sample.public).expect("a key");
        assert_eq!(VerifyingKey::from_bytes(scheme, public.as_bytes()), Ok(public));
        for bytes in &sample.signatures {
            let signature = Signature::of_algorithm(algorithm, bytes).expect("a signature");
            assert_eq!(Signature::from_bytes(scheme, signature.as_bytes()), Ok(signature));
        }
        // `of_algorithm` of each type rejects bytes of a different algorithm, unless both
        // algorithms allow these bytes.
        for other_algorithm in Algorithm::all().filter(|other| *other != algorithm && other.scheme().can_sign()) {
            let shares_keys =
                other_algorithm.scheme().shares_keys_with(scheme) && other_algorithm.degree() == algorithm.degree();
            let both_have_seeds = other_algorithm.degree().is_none() && algorithm.degree().is_none();
            let public = VerifyingKey::of_algorithm(other_algorithm, &sample.public);
            let have_same_degree = other_algorithm.degree().is_some() && other_algorithm.degree() == algorithm.degree();
            assert!(
                public.is_err() || shares_keys && other_algorithm.scheme() != scheme || have_same_degree,
                "{algorithm} as {other_algorithm}"
            );
            let private = SigningKey::of_algorithm(other_algorithm, &sample.private);
            assert!(
                private.is_err() || shares_keys && other_algorithm.scheme() != scheme || both_have_seeds,
                "{algorithm} as {other_algorithm}"
            );
            if other_algorithm.scheme() == scheme {
                let expected = KeyError::OtherAlgorithm { wanted: other_algorithm, found: algorithm };
                assert_eq!(public, Err(expected.into()), "{algorithm} as {other_algorithm}");
                let signature = Signature::of_algorithm(other_algorithm, &sample.signatures[0]);
                assert_eq!(
                    signature,
                    Err(VerifyError::OtherAlgorithm { wanted: other_algorithm, found: algorithm }.into())
                );
            }
        }
    }
}

/// Checks that functions that read bytes, names, numbers or files reject a toy algorithm, unless
/// the caller asks for the toy.
#[test]
fn toys_require_a_separate_call() {
    for toy in Algorithm::all_with_toys().filter(|algorithm| algorithm.is_toy()) {
        let scheme = toy.scheme();
        assert!(Algorithm::all().all(|algorithm| algorithm != toy), "{toy}");
        assert!(Algorithm::of_scheme(scheme).all(|algorithm| algorithm != toy), "{toy}");
        assert_eq!(toy.to_string().parse::<Algorithm>(), Err(UnknownAlgorithm));
        assert_eq!(Algorithm::from_id(toy.id()), None, "{toy}");
        let mut public = vec![0; toy.verifying_key_len()];
        public[0] = toy.degree().map_or(0, Degree::logn) as u8;
        *public.last_mut().expect("a byte") = 0x04;
        public[1] = 1;
        assert_eq!(VerifyingKey::from_bytes(scheme, &public), Err(KeyError::Toy { found: toy }.into()));
        assert_eq!(VerifyingKey::of_algorithm(toy, &public).map(|key| key.algorithm()), Ok(toy));
        assert!(matches!(read_plain(&public, &ReadOptions::default()), Err(Defect::Toy(_))), "{toy}");
        let accept = ReadOptions::default().with_allow_toys(true);
        assert!(read_plain(&public, &accept).is_ok_and(|object| object.algorithm().is_toy()), "{toy}");
        if !scheme.can_sign() || toy.degree().is_some_and(|degree| degree.n() < 64) {
            continue; // At small toy degrees, this seed may give no key or no signature.
        }
        let key = SigningKey::generate(toy, &mut FixedBytes(&[7; 32])).expect("a key");
        let signature = key.sign(Options::default(), b"m", &mut SysRng).expect("a signature");
        assert_eq!(Signature::from_bytes(scheme, signature.as_bytes()), Err(VerifyError::Toy { found: toy }.into()));
        assert_eq!(Signature::of_algorithm(toy, signature.as_bytes()), Ok(signature));
        let private =
            SigningKeyRef::of_algorithm(key.level(), toy, key.as_bytes(), &mut vec![0; toy.import_work_len()]);
        assert!(private.is_ok(), "{toy}");
        let file = write(ObjectKind::SigningKey, toy, Format::Pem, "", key.as_bytes()).expect("a file");
        assert!(matches!(read_plain(&file, &ReadOptions::default()), Err(Defect::Toy(_))), "{toy}");
        assert!(read_plain(&file, &accept).is_ok(), "{toy}");
    }
}
