//! Tests that the CMS reader is strict: it rejects files with unexpected structures, attributes and
//! encodings. The code in this file builds the CMS files from parts, without the library.

use crate::harness::{TestDirectory, long, vectors};
use fndsa::Algorithm;
use fndsa::algorithm::PreHash;
use fndsa::files::cms::{CmsDefect, CmsFile};

// Tags of DER elements.
const INTEGER: u8 = 2;
const OCTET_STRING: u8 = 4;
const OBJECT_IDENTIFIER: u8 = 6;
const UTC_TIME: u8 = 0x17;
const SEQUENCE: u8 = 0x30;
const SET: u8 = 0x31;

// The ends of OIDs that start with [`PKCS`]: content types, and attributes.
const DATA: [u8; 2] = [7, 1];
const SIGNED_DATA: [u8; 2] = [7, 2];
const ENVELOPED_DATA: [u8; 2] = [7, 3];
const DIGESTED_DATA: [u8; 2] = [7, 5];
const ENCRYPTED_DATA: [u8; 2] = [7, 6];
const AUTHENTICATED_ENVELOPED_DATA: [u8; 4] = [9, 16, 1, 23];
const CONTENT_TYPE: [u8; 2] = [9, 3];
const MESSAGE_DIGEST: [u8; 2] = [9, 4];
const SIGNING_TIME: [u8; 2] = [9, 5];
const COUNTERSIGNATURE: [u8; 2] = [9, 6];
const ALGORITHM_PROTECTION: [u8; 2] = [9, 52];
const RSA_ENCRYPTION: [u8; 2] = [1, 1];

// The ends of OIDs that start with [`NIST`]: hash functions, and signature algorithms.
const SHA256: [u8; 2] = [2, 1];
const SHA512: [u8; 2] = [2, 3];
const SHA224: [u8; 2] = [2, 4];
const SHA3_512: [u8; 2] = [2, 10];
const ML_DSA_44: [u8; 2] = [3, 17];
const ML_DSA_65: [u8; 2] = [3, 18];
const HASH_ML_DSA_44: [u8; 2] = [3, 32];

/// Encodes a DER element.
fn der(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let content = parts.concat();
    let length = content.len().to_be_bytes();
    let start = length.iter().take_while(|byte| **byte == 0).count();
    let mut element = vec![tag];
    match content.len() {
        len @ 0..0x80 => element.push(len as u8),
        _ => {
            element.push(0x80 | (length.len() - start) as u8);
            element.extend_from_slice(&length[start..]);
        }
    }
    [element, content].concat()
}

/// Encodes an object identifier with this content.
fn oid(content: &[u8]) -> Vec<u8> {
    der(OBJECT_IDENTIFIER, &[content])
}

/// The content of the OID 1.2.840.113549.1 (PKCS).
const PKCS: [u8; 7] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1];
/// The content of the OID 2.16.840.1.101.3.4 (algorithms of NIST).
const NIST: [u8; 7] = [0x60, 0x86, 0x48, 1, 0x65, 3, 4];

/// Encodes an OID that starts with [`PKCS`] and ends with `arcs`.
fn pkcs(arcs: &[u8]) -> Vec<u8> {
    oid(&[&PKCS, arcs].concat())
}

/// Encodes an OID that starts with [`NIST`] and ends with `arcs`.
fn nist(arcs: &[u8]) -> Vec<u8> {
    oid(&[&NIST, arcs].concat())
}

/// The parts of a CMS file. Each part that is an element is already encoded in DER.
#[derive(Clone)]
pub struct CmsParts {
    version: u8,
    /// The list of digest algorithms in the SignedData.
    digests: Vec<Vec<u8>>,
    /// The message's type: an OID.
    kind: Vec<u8>,
    /// The message, if the file contains it.
    pub message: Option<Vec<u8>>,
    /// The optional elements with certificates or revocations.
    certificates: Vec<u8>,
    /// The number of SignerInfo elements. All have the same content.
    signers: usize,
    signer_version: u8,
    /// The name of the signer's certificate, or a key identifier.
    signer: Vec<u8>,
    /// The digest algorithm in the SignerInfo.
    digest: Vec<u8>,
    /// The signed attributes.
    attributes: Option<Vec<Vec<u8>>>,
    /// The signature algorithm.
    algorithm: Vec<u8>,
    /// The signature, of any length.
    pub signature: Vec<u8>,
    /// The elements after the signature, such as unsigned attributes.
    end: Vec<u8>,
}

/// Encodes an attribute: an OID and the SET of its values.
fn attribute(kind: &[u8], values: &[&[u8]]) -> Vec<u8> {
    der(SEQUENCE, &[kind, &der(SET, values)])
}

impl CmsParts {
    /// Returns the parts of a file that the reader accepts, without signed attributes. The
    /// signature is not valid. The reader accepts the file anyway, because it does not verify
    /// signatures.
    pub fn direct() -> Self {
        let sha512 = der(SEQUENCE, &[&nist(&SHA512)]);
        Self {
            version: 1,
            digests: vec![sha512.clone()],
            kind: pkcs(&DATA),
            message: None,
            certificates: Vec::new(),
            signers: 1,
            signer_version: 1,
            signer: der(SEQUENCE, &[&der(SEQUENCE, &[]), &der(INTEGER, &[&[1]])]),
            digest: sha512,
            attributes: None,
            algorithm: der(SEQUENCE, &[&nist(&ML_DSA_44)]),
            signature: vec![7; 2420],
            end: Vec::new(),
        }
    }

    /// Returns the parts of a file that the reader accepts, with signed attributes.
    fn with_attributes() -> Self {
        let kind = attribute(&pkcs(&CONTENT_TYPE), &[&pkcs(&DATA)]);
        let digest = attribute(&pkcs(&MESSAGE_DIGEST), &[&der(OCTET_STRING, &[&[5; 64]])]);
        Self { attributes: Some(vec![kind, digest]), ..Self::direct() }
    }

    /// Encodes the SignerInfo.
    fn info(&self) -> Vec<u8> {
        let attributes = self.attributes.as_ref().map(|all| der(0xa0, &[&all.concat()])).unwrap_or_default();
        der(
            SEQUENCE,
            &[
                &der(INTEGER, &[&[self.signer_version]]),
                &self.signer,
                &self.digest,
                &attributes,
                &self.algorithm,
                &der(OCTET_STRING, &[&self.signature]),
                &self.end,
            ],
        )
    }

    /// Encodes the SignedData.
    fn signed_data(&self) -> Vec<u8> {
        let message =
            self.message.as_ref().map(|message| der(0xa0, &[&der(OCTET_STRING, &[message])])).unwrap_or_default();
        der(
            SEQUENCE,
            &[
                &der(INTEGER, &[&[self.version]]),
                &der(SET, &[&self.digests.concat()]),
                &der(SEQUENCE, &[&self.kind, &message]),
                &self.certificates,
                &der(SET, &[&self.info().repeat(self.signers)]),
            ],
        )
    }

    /// Encodes the complete file.
    pub fn file(&self) -> Vec<u8> {
        der(SEQUENCE, &[&pkcs(&SIGNED_DATA), &der(0xa0, &[&self.signed_data()])])
    }

    /// Returns the error if the reader rejects the file.
    fn defect(&self) -> Option<CmsDefect> {
        CmsFile::read(&self.file()).err()
    }
}

#[test]
fn good_files_are_read() {
    let read = CmsFile::read(&CmsParts::direct().file()).unwrap();
    assert_eq!((read.message, read.attributes, read.signatures.len()), (None, None, 1));
    let read = CmsFile::read(&CmsParts { signers: 2, ..CmsParts::with_attributes() }.file()).unwrap();
    assert_eq!(read.signatures.len(), 2);
    let attributes = read.attributes.unwrap();
    assert_eq!(attributes.digest, [5; 64]);
    let all = CmsParts::with_attributes().attributes.unwrap().concat();
    assert_eq!([attributes.prefix, attributes.digest, attributes.suffix].concat(), der(SET, &[&all]));
    let read = CmsFile::read(&CmsParts { message: Some(b"text".to_vec()), ..CmsParts::direct() }.file()).unwrap();
    assert_eq!(read.message.unwrap(), b"text");
    // If a key identifier names the signer, the versions in SignedData and SignerInfo must be 3. A
    // digest algorithm can have NULL as its parameters.
    let null = der(SEQUENCE, &[&nist(&SHA512), &[5, 0]]);
    let by_identifier = CmsParts { signer: der(0x80, &[b"key"]), signer_version: 3, version: 3, ..CmsParts::direct() };
    assert_eq!(CmsParts { digests: vec![null.clone()], digest: null, ..by_identifier }.defect(), None);
}

#[test]
fn other_structures_are_rejected() {
    let good = CmsParts::direct;
    let sha256 = der(SEQUENCE, &[&nist(&SHA256)]);
    let sha512 = der(SEQUENCE, &[&nist(&SHA512)]);
    let with_algorithm = |oid: &[u8], rest: &[u8]| CmsParts { algorithm: der(SEQUENCE, &[oid, rest]), ..good() };
    for (parts, defect) in [
        (CmsParts { version: 3, ..good() }, CmsDefect::Version),
        (CmsParts { signer_version: 3, ..good() }, CmsDefect::Version),
        (CmsParts { signer: der(0x80, &[b"key"]), ..good() }, CmsDefect::Version),
        (CmsParts { signer: der(0x81, &[b"key"]), ..good() }, CmsDefect::Structure),
        (CmsParts { kind: pkcs(&SIGNED_DATA), ..good() }, CmsDefect::MessageType),
        (CmsParts { certificates: der(0xa1, &[]), ..good() }, CmsDefect::Revocation),
        (CmsParts { certificates: der(0xa2, &[]), ..good() }, CmsDefect::Structure),
        (CmsParts { certificates: der(0xa0, &[&der(0xa1, &[])]), ..good() }, CmsDefect::Certificate),
        (CmsParts { signers: 0, ..good() }, CmsDefect::NoSignature),
        (CmsParts { digests: vec![], ..good() }, CmsDefect::DigestAlgorithms),
        (CmsParts { digests: vec![sha256.clone()], ..good() }, CmsDefect::DigestAlgorithms),
        (CmsParts { digests: vec![sha256.clone(), sha512.clone()], ..good() }, CmsDefect::DigestAlgorithms),
        (CmsParts { digests: vec![sha512.clone(), sha512.clone()], ..good() }, CmsDefect::DigestAlgorithms),
        (CmsParts { digest: der(SEQUENCE, &[&nist(&[2, 99])]), ..good() }, CmsDefect::DigestAlgorithm),
        (
            CmsParts { digest: der(SEQUENCE, &[&nist(&SHA512), &der(OCTET_STRING, &[])]), ..good() },
            CmsDefect::DigestAlgorithm,
        ),
        (with_algorithm(&nist(&HASH_ML_DSA_44), &[]), CmsDefect::HashMlDsa),
        (with_algorithm(&nist(&ML_DSA_44), &[5, 0]), CmsDefect::Parameters),
        (with_algorithm(&nist(&ML_DSA_65), &[]), CmsDefect::SignatureLength),
        (with_algorithm(&pkcs(&RSA_ENCRYPTION), &[]), CmsDefect::SignatureAlgorithm),
        // The OID for ML-DSA-44 with Ed25519.
        (with_algorithm(&oid(&[0x2b, 6, 1, 5, 5, 7, 6, 39]), &[]), CmsDefect::SignatureAlgorithm),
        (CmsParts { signature: vec![7; 2419], ..good() }, CmsDefect::SignatureLength),
        (
            CmsParts { end: der(0xa1, &[&attribute(&pkcs(&COUNTERSIGNATURE), &[&[5, 0]])]), ..good() },
            CmsDefect::UnsignedAttributes,
        ),
        (CmsParts { end: der(0xa2, &[]), ..good() }, CmsDefect::Structure),
    ] {
        assert_eq!(parts.defect(), Some(defect));
    }
}

#[test]
fn other_attributes_are_rejected() {
    let kind = |value: &[u8]| attribute(&pkcs(&CONTENT_TYPE), &[value]);
    let digest = |len| attribute(&pkcs(&MESSAGE_DIGEST), &[&der(OCTET_STRING, &[&vec![5; len]])]);
    let time = attribute(&pkcs(&SIGNING_TIME), &[&der(UTC_TIME, &[b"261125170417Z"])]);
    let data = pkcs(&DATA);
    let (sha512, ml_dsa) = (der(SEQUENCE, &[&nist(&SHA512)]), nist(&ML_DSA_44));
    let protection = |algorithm: &[u8]| {
        attribute(&pkcs(&ALGORITHM_PROTECTION), &[&der(SEQUENCE, &[&sha512, &der(0xa1, &[algorithm])])])
    };
    let parts_with = |attributes: Vec<Vec<u8>>| CmsParts { attributes: Some(attributes), ..CmsParts::direct() };
    let (good_kind, good_digest) = (kind(&data), digest(64));
    let two_times = attribute(&pkcs(&SIGNING_TIME), &[&der(UTC_TIME, &[b"a"]), &der(UTC_TIME, &[b"b"])]);
    for (attributes, defect) in [
        (vec![good_kind.clone(), time.clone(), protection(&ml_dsa), good_digest.clone()], None),
        (vec![], Some(CmsDefect::ContentType)),
        (vec![good_digest.clone()], Some(CmsDefect::ContentType)),
        (vec![good_kind.clone()], Some(CmsDefect::MessageDigest)),
        (vec![good_digest.clone(), good_kind.clone()], Some(CmsDefect::AttributeOrder)),
        (vec![good_kind.clone(), good_kind.clone(), good_digest.clone()], Some(CmsDefect::DuplicateAttribute)),
        (vec![kind(&pkcs(&SIGNED_DATA)), good_digest.clone()], Some(CmsDefect::ContentType)),
        (vec![kind(&der(OCTET_STRING, &[])), good_digest.clone()], Some(CmsDefect::ContentType)),
        (vec![good_kind.clone(), digest(63)], Some(CmsDefect::MessageDigest)),
        (vec![good_kind.clone(), digest(32)], Some(CmsDefect::MessageDigest)),
        (vec![good_kind.clone(), two_times, good_digest.clone()], Some(CmsDefect::AttributeValues)),
        (vec![good_kind.clone(), attribute(&pkcs(&MESSAGE_DIGEST), &[])], Some(CmsDefect::AttributeValues)),
        (
            vec![good_kind.clone(), protection(&nist(&ML_DSA_65)), good_digest.clone()],
            Some(CmsDefect::AlgorithmProtection),
        ),
        (vec![good_kind.clone(), der(SEQUENCE, &[]), good_digest.clone()], Some(CmsDefect::Attributes)),
    ] {
        assert_eq!(parts_with(attributes).defect(), defect);
    }
    let sha224 = der(SEQUENCE, &[&nist(&SHA224)]);
    let weak = CmsParts { digests: vec![sha224.clone()], digest: sha224, ..parts_with(vec![good_kind, digest(28)]) };
    assert_eq!(weak.defect(), Some(CmsDefect::WeakDigest(PreHash::Sha224, Algorithm::ML_DSA_44)));
    // RFC 8419 requires SHA-512 for Ed25519, so the reader rejects SHA3-512.
    let sha3 = der(SEQUENCE, &[&nist(&SHA3_512)]);
    let ed25519 = CmsParts {
        digests: vec![sha3.clone()],
        digest: sha3,
        algorithm: der(SEQUENCE, &[&oid(&[0x2b, 0x65, 0x70])]),
        signature: vec![7; 64],
        ..CmsParts::with_attributes()
    };
    assert_eq!(ed25519.defect(), Some(CmsDefect::WeakDigest(PreHash::Sha3_512, Algorithm::ED25519)));
}

#[test]
fn signatures_of_different_attributes_are_rejected() {
    let parts = CmsParts::with_attributes();
    let kind = pkcs(&SIGNED_DATA);
    let file = |infos: &[&[u8]]| {
        let fields = [
            der(INTEGER, &[&[1]]),
            der(SET, &[&parts.digests.concat()]),
            der(SEQUENCE, &[&parts.kind]),
            der(SET, infos),
        ];
        CmsFile::read(&der(SEQUENCE, &[&kind, &der(0xa0, &[&der(SEQUENCE, &[&fields.concat()])])]))
    };
    let mut other = parts.clone();
    if let Some(attributes) = &mut other.attributes {
        attributes[1] = attribute(&pkcs(&MESSAGE_DIGEST), &[&der(OCTET_STRING, &[&[6; 64]])]);
    }
    assert!(file(&[&parts.info(), &parts.info()]).is_ok());
    assert_eq!(file(&[&parts.info(), &other.info()]), Err(CmsDefect::DifferentAttributes));
    assert_eq!(file(&[&parts.info(), &CmsParts::direct().info()]), Err(CmsDefect::DifferentAttributes));
}

/// fndsa computes the message's digest, and uses it to compute the signed bytes. So the signature
/// stays valid if only the digest in the file is changed, and fndsa must compare the two digests.
#[test]
fn the_digest_in_the_file_must_be_the_digest_of_the_message() {
    let directory = TestDirectory::empty();
    directory.put("c.crt", vectors("cms/mldsa44.crt.der"));
    directory.put("m", vectors("cms/msg.txt"));
    for (name, line) in
        [("detached", "verify --cms -p c.crt -s changed m"), ("attached", "verify --cms --attached -p c.crt changed")]
    {
        let good = vectors(&format!("cms/mldsa44.attrs.{name}.p7s"));
        let digest = CmsFile::read(&good).unwrap().attributes.unwrap().digest;
        let at = good.windows(digest.len()).position(|part| part == digest).unwrap();
        directory.put("changed", &good);
        directory.run(line).code(0);
        directory.put("changed", [&good[..at], &[good[at] ^ 1], &good[at + 1..]].concat());
        directory.run(line).code(1).out_has("signature does not match");
    }
}

#[test]
fn other_encodings_are_rejected() {
    let good = CmsParts::with_attributes();
    let file = good.file();
    let signed = good.signed_data();
    let kind = pkcs(&SIGNED_DATA);
    let indefinite = |tag: u8, content: &[u8]| [&[tag, 0x80], content, &[0, 0]].concat();
    let ber = indefinite(SEQUENCE, &[&kind[..], &indefinite(0xa0, &indefinite(SEQUENCE, &signed[4..]))].concat());
    assert_eq!(CmsFile::read(&ber), CmsFile::read(&file));
    let long_length = [&[0x30, 0x84, 0, 0], &file[2..]].concat();
    let cut = |data: &[u8]| data[..data.len() - 1].to_vec();
    let with_suffix = |part: &[u8]| [&file[..], part].concat();
    let with_signed_data = |content: &[u8]| der(SEQUENCE, &[&kind, &der(0xa0, &[&der(SEQUENCE, &[content])])]);
    // The last element of the SignedData is the SET of SignerInfo elements. `at` is this SET's
    // position, and `infos` is a position before it, where the search starts.
    let infos = signed.len() - (2420 + 190);
    let at = signed[infos..].windows(3).position(|part| part == [0x31, 0x82, 0x0a]).unwrap() + infos;
    let indefinite_set = [&signed[4..at], &indefinite(SET, &signed[at + 4..])].concat();
    for (data, defect) in [
        (Vec::new(), CmsDefect::Empty),
        (b"MIME-Version: 1.0\n\n".to_vec(), CmsDefect::Mail),
        (b"text".to_vec(), CmsDefect::NotCms),
        (der(SEQUENCE, &[&pkcs(&ENVELOPED_DATA), &der(0xa0, &[])]), CmsDefect::Encrypted),
        (der(SEQUENCE, &[&pkcs(&ENCRYPTED_DATA), &der(0xa0, &[])]), CmsDefect::Encrypted),
        (der(SEQUENCE, &[&pkcs(&AUTHENTICATED_ENVELOPED_DATA), &der(0xa0, &[])]), CmsDefect::Encrypted),
        (der(SEQUENCE, &[&pkcs(&DIGESTED_DATA), &der(0xa0, &[])]), CmsDefect::NotSigned),
        (der(SEQUENCE, &[&kind, &der(0xa1, &[&signed])]), CmsDefect::NotCms),
        (der(SEQUENCE, &[&kind, &der(0xa0, &[&signed, &signed])]), CmsDefect::Structure),
        (der(SET, &[&kind, &der(0xa0, &[&signed])]), CmsDefect::NotCms),
        (with_suffix(&[0]), CmsDefect::Trailing),
        (with_suffix(&file), CmsDefect::Trailing),
        ([&ber[..], &[0, 0]].concat(), CmsDefect::Trailing),
        (cut(&ber), CmsDefect::Cut),
        (cut(&file), CmsDefect::Cut),
        (long_length, CmsDefect::Cut),
        (with_signed_data(&indefinite_set), CmsDefect::Structure),
        (b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n".to_vec(), CmsDefect::Pem),
        (b"-----BEGIN CMS-----\nAAAA\n-----END CMS-----\n".to_vec(), CmsDefect::NotCms),
        (b"-----BEGIN CMS-----\nAA!A\n-----END CMS-----\n".to_vec(), CmsDefect::Pem),
    ] {
        assert_eq!(CmsFile::read(&data), Err(defect));
    }
    assert_eq!(CmsFile::read(&with_signed_data(&signed[4..])), CmsFile::read(&file));
}

/// If a bit of a CMS file is changed, `verify` rejects the file, unless the bit is in a part that
/// is not signed.
#[test]
fn changed_files_give_no_yes() {
    let directory = TestDirectory::empty();
    directory.put("c.crt", vectors("cms/mldsa44.crt.der"));
    directory.put("m", vectors("cms/msg.txt"));
    let good = vectors("cms/mldsa44.attrs.detached.p7s");
    let read = CmsFile::read(&good).unwrap();
    let count = if long() { good.len() } else { 1000 };
    let outside: Vec<_> = (0..54).chain(3986..good.len() - 2418).collect();
    let mut readable = 0;
    for i in 0..count {
        let mut changed = good.clone();
        // The first 800 changes are outside the certificate and the signature. The other changes
        // are spread over the whole file.
        let at = if i < 800 { outside[i % outside.len()] } else { i * 7919 % good.len() };
        changed[at] ^= 1 << ((i / outside.len() + i) % 8);
        let Ok(file) = CmsFile::read(&changed) else { continue };
        readable += 1;
        // Only the attributes are signed. If the attributes and the signature are the same as in
        // the original file, the verdict may be YES.
        if (&file.attributes, &file.signatures[0].signature) == (&read.attributes, &read.signatures[0].signature) {
            continue;
        }
        directory.put("m.p7s", changed);
        directory.run("verify --cms -p c.crt m").code(1);
    }
    assert!(readable > 10, "{readable}");
}
