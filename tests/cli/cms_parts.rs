//! Tests for the strictness of the reader for CMS. The files are built from parts by code that does
//! not depend on the library.

use crate::harness::{TestDirectory, long, vectors};
use fndsa::Algorithm;
use fndsa::algorithm::PreHash;
use fndsa::files::cms::{CmsDefect, CmsFile};

/// Returns an element in DER.
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

fn oid(arcs: &[u8]) -> Vec<u8> {
    der(6, &[arcs])
}

/// 1.2.840.113549.1, PKCS.
const PKCS: [u8; 7] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1];
/// 2.16.840.1.101.3.4, the algorithms of NIST.
const NIST: [u8; 8] = [0x60, 0x86, 0x48, 1, 0x65, 3, 4, 0];

fn pkcs(arcs: &[u8]) -> Vec<u8> {
    oid(&[&PKCS, arcs].concat())
}

fn nist(arcs: &[u8]) -> Vec<u8> {
    oid(&[&NIST[..7], arcs].concat())
}

/// The parts of a CMS file.
#[derive(Clone)]
pub struct CmsParts {
    version: u8,
    digests: Vec<Vec<u8>>,
    kind: Vec<u8>,
    /// The message in the file.
    pub message: Option<Vec<u8>>,
    certificates: Vec<u8>,
    signers: usize,
    signer_version: u8,
    signer: Vec<u8>,
    digest: Vec<u8>,
    attributes: Option<Vec<Vec<u8>>>,
    algorithm: Vec<u8>,
    /// The signature.
    pub signature: Vec<u8>,
    end: Vec<u8>,
}

fn attribute(kind: &[u8], values: &[&[u8]]) -> Vec<u8> {
    der(0x30, &[kind, &der(0x31, values)])
}

impl CmsParts {
    /// Returns the parts of a good file without attributes.
    pub fn direct() -> Self {
        let sha512 = der(0x30, &[&nist(&[2, 3])]);
        Self {
            version: 1,
            digests: vec![sha512.clone()],
            kind: pkcs(&[7, 1]),
            message: None,
            certificates: Vec::new(),
            signers: 1,
            signer_version: 1,
            signer: der(0x30, &[&der(0x30, &[]), &der(2, &[&[1]])]),
            digest: sha512,
            attributes: None,
            algorithm: der(0x30, &[&nist(&[3, 17])]),
            signature: vec![7; 2420],
            end: Vec::new(),
        }
    }

    /// Returns the parts of a good file with attributes.
    fn with_attributes() -> Self {
        let kind = attribute(&pkcs(&[9, 3]), &[&pkcs(&[7, 1])]);
        let digest = attribute(&pkcs(&[9, 4]), &[&der(4, &[&[5; 64]])]);
        Self { attributes: Some(vec![kind, digest]), ..Self::direct() }
    }

    /// Returns the SignerInfo.
    fn info(&self) -> Vec<u8> {
        let attributes = self.attributes.as_ref().map(|all| der(0xa0, &[&all.concat()])).unwrap_or_default();
        der(
            0x30,
            &[
                &der(2, &[&[self.signer_version]]),
                &self.signer,
                &self.digest,
                &attributes,
                &self.algorithm,
                &der(4, &[&self.signature]),
                &self.end,
            ],
        )
    }

    /// Returns the SignedData.
    fn signed_data(&self) -> Vec<u8> {
        let message = self.message.as_ref().map(|message| der(0xa0, &[&der(4, &[message])])).unwrap_or_default();
        der(
            0x30,
            &[
                &der(2, &[&[self.version]]),
                &der(0x31, &[&self.digests.concat()]),
                &der(0x30, &[&self.kind, &message]),
                &self.certificates,
                &der(0x31, &[&self.info().repeat(self.signers)]),
            ],
        )
    }

    /// Returns the file.
    pub fn file(&self) -> Vec<u8> {
        der(0x30, &[&pkcs(&[7, 2]), &der(0xa0, &[&self.signed_data()])])
    }

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
    assert_eq!([attributes.prefix, attributes.digest, attributes.suffix].concat(), der(0x31, &[&all]));
    let read = CmsFile::read(&CmsParts { message: Some(b"text".to_vec()), ..CmsParts::direct() }.file()).unwrap();
    assert_eq!(read.message.unwrap(), b"text");
    // A key identifier requires version 3, and digest algorithms can have NULL as parameters.
    let null = der(0x30, &[&nist(&[2, 3]), &[5, 0]]);
    let by_identifier = CmsParts { signer: der(0x80, &[b"key"]), signer_version: 3, version: 3, ..CmsParts::direct() };
    assert_eq!(CmsParts { digests: vec![null.clone()], digest: null, ..by_identifier }.defect(), None);
}

#[test]
fn other_structures_are_rejected() {
    let good = CmsParts::direct;
    let sha256 = der(0x30, &[&nist(&[2, 1])]);
    let sha512 = der(0x30, &[&nist(&[2, 3])]);
    let identified = |oid: &[u8], rest: &[u8]| CmsParts { algorithm: der(0x30, &[oid, rest]), ..good() };
    for (parts, defect) in [
        (CmsParts { version: 3, ..good() }, CmsDefect::Version),
        (CmsParts { signer_version: 3, ..good() }, CmsDefect::Version),
        (CmsParts { signer: der(0x80, &[b"key"]), ..good() }, CmsDefect::Version),
        (CmsParts { signer: der(0x81, &[b"key"]), ..good() }, CmsDefect::Structure),
        (CmsParts { kind: pkcs(&[7, 2]), ..good() }, CmsDefect::MessageType),
        (CmsParts { certificates: der(0xa1, &[]), ..good() }, CmsDefect::Revocation),
        (CmsParts { certificates: der(0xa2, &[]), ..good() }, CmsDefect::Structure),
        (CmsParts { certificates: der(0xa0, &[&der(0xa1, &[])]), ..good() }, CmsDefect::Certificate),
        (CmsParts { signers: 0, ..good() }, CmsDefect::NoSignature),
        (CmsParts { digests: vec![], ..good() }, CmsDefect::DigestAlgorithms),
        (CmsParts { digests: vec![sha256.clone()], ..good() }, CmsDefect::DigestAlgorithms),
        (CmsParts { digests: vec![sha256.clone(), sha512.clone()], ..good() }, CmsDefect::DigestAlgorithms),
        (CmsParts { digests: vec![sha512.clone(), sha512.clone()], ..good() }, CmsDefect::DigestAlgorithms),
        (CmsParts { digest: der(0x30, &[&nist(&[2, 99])]), ..good() }, CmsDefect::DigestAlgorithm),
        (CmsParts { digest: der(0x30, &[&nist(&[2, 3]), &der(4, &[])]), ..good() }, CmsDefect::DigestAlgorithm),
        (identified(&nist(&[3, 32]), &[]), CmsDefect::HashMlDsa),
        (identified(&nist(&[3, 17]), &[5, 0]), CmsDefect::Parameters),
        (identified(&nist(&[3, 18]), &[]), CmsDefect::SignatureLength),
        (identified(&pkcs(&[1, 1]), &[]), CmsDefect::SignatureAlgorithm),
        (identified(&oid(&[0x2b, 6, 1, 5, 5, 7, 6, 39]), &[]), CmsDefect::SignatureAlgorithm),
        (CmsParts { signature: vec![7; 2419], ..good() }, CmsDefect::SignatureLength),
        (
            CmsParts { end: der(0xa1, &[&attribute(&pkcs(&[9, 6]), &[&[5, 0]])]), ..good() },
            CmsDefect::UnsignedAttributes,
        ),
        (CmsParts { end: der(0xa2, &[]), ..good() }, CmsDefect::Structure),
    ] {
        assert_eq!(parts.defect(), Some(defect));
    }
}

#[test]
fn other_attributes_are_rejected() {
    let kind = |value: &[u8]| attribute(&pkcs(&[9, 3]), &[value]);
    let digest = |len| attribute(&pkcs(&[9, 4]), &[&der(4, &[&vec![5; len]])]);
    let time = attribute(&pkcs(&[9, 5]), &[&der(0x17, &[b"261125170417Z"])]);
    let data = pkcs(&[7, 1]);
    let (sha512, ml_dsa) = (der(0x30, &[&nist(&[2, 3])]), nist(&[3, 17]));
    let protection = |algorithm: &[u8]| attribute(&pkcs(&[9, 52]), &[&der(0x30, &[&sha512, &der(0xa1, &[algorithm])])]);
    let of = |attributes: Vec<Vec<u8>>| CmsParts { attributes: Some(attributes), ..CmsParts::direct() };
    let (good_kind, good_digest) = (kind(&data), digest(64));
    let two = attribute(&pkcs(&[9, 5]), &[&der(0x17, &[b"a"]), &der(0x17, &[b"b"])]);
    for (attributes, defect) in [
        (vec![good_kind.clone(), time.clone(), protection(&ml_dsa), good_digest.clone()], None),
        (vec![], Some(CmsDefect::ContentType)),
        (vec![good_digest.clone()], Some(CmsDefect::ContentType)),
        (vec![good_kind.clone()], Some(CmsDefect::MessageDigest)),
        (vec![good_digest.clone(), good_kind.clone()], Some(CmsDefect::AttributeOrder)),
        (vec![good_kind.clone(), good_kind.clone(), good_digest.clone()], Some(CmsDefect::DuplicateAttribute)),
        (vec![kind(&pkcs(&[7, 2])), good_digest.clone()], Some(CmsDefect::ContentType)),
        (vec![kind(&der(4, &[])), good_digest.clone()], Some(CmsDefect::ContentType)),
        (vec![good_kind.clone(), digest(63)], Some(CmsDefect::MessageDigest)),
        (vec![good_kind.clone(), digest(32)], Some(CmsDefect::MessageDigest)),
        (vec![good_kind.clone(), two, good_digest.clone()], Some(CmsDefect::AttributeValues)),
        (vec![good_kind.clone(), attribute(&pkcs(&[9, 4]), &[])], Some(CmsDefect::AttributeValues)),
        (
            vec![good_kind.clone(), protection(&nist(&[3, 18])), good_digest.clone()],
            Some(CmsDefect::AlgorithmProtection),
        ),
        (vec![good_kind.clone(), der(0x30, &[]), good_digest.clone()], Some(CmsDefect::Attributes)),
    ] {
        assert_eq!(of(attributes).defect(), defect);
    }
    let sha224 = der(0x30, &[&nist(&[2, 4])]);
    let weak = CmsParts { digests: vec![sha224.clone()], digest: sha224, ..of(vec![good_kind, digest(28)]) };
    assert_eq!(weak.defect(), Some(CmsDefect::WeakDigest(PreHash::Sha224, Algorithm::ML_DSA_44)));
    // RFC 8419 requires SHA-512 for Ed25519.
    let sha3 = der(0x30, &[&nist(&[2, 10])]);
    let ed25519 = CmsParts {
        digests: vec![sha3.clone()],
        digest: sha3,
        algorithm: der(0x30, &[&oid(&[0x2b, 0x65, 0x70])]),
        signature: vec![7; 64],
        ..CmsParts::with_attributes()
    };
    assert_eq!(ed25519.defect(), Some(CmsDefect::WeakDigest(PreHash::Sha3_512, Algorithm::ED25519)));
}

#[test]
fn signatures_of_different_attributes_are_rejected() {
    let with = CmsParts::with_attributes();
    let kind = pkcs(&[7, 2]);
    let file = |infos: &[&[u8]]| {
        let fields =
            [der(2, &[&[1]]), der(0x31, &[&with.digests.concat()]), der(0x30, &[&with.kind]), der(0x31, infos)];
        CmsFile::read(&der(0x30, &[&kind, &der(0xa0, &[&der(0x30, &[&fields.concat()])])]))
    };
    let mut other = with.clone();
    if let Some(attributes) = &mut other.attributes {
        attributes[1] = attribute(&pkcs(&[9, 4]), &[&der(4, &[&[6; 64]])]);
    }
    assert!(file(&[&with.info(), &with.info()]).is_ok());
    assert_eq!(file(&[&with.info(), &other.info()]), Err(CmsDefect::DifferentAttributes));
    assert_eq!(file(&[&with.info(), &CmsParts::direct().info()]), Err(CmsDefect::DifferentAttributes));
}

/// The signed bytes are computed with the digest of the message, so the signature would be valid.
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
    let kind = pkcs(&[7, 2]);
    let indefinite = |tag: u8, content: &[u8]| [&[tag, 0x80], content, &[0, 0]].concat();
    let ber = indefinite(0x30, &[&kind[..], &indefinite(0xa0, &indefinite(0x30, &signed[4..]))].concat());
    assert_eq!(CmsFile::read(&ber), CmsFile::read(&file));
    let long_length = [&[0x30, 0x84, 0, 0], &file[2..]].concat();
    let cut = |data: &[u8]| data[..data.len() - 1].to_vec();
    let with = |part: &[u8]| [&file[..], part].concat();
    let in_set = |content: &[u8]| der(0x30, &[&kind, &der(0xa0, &[&der(0x30, &[content])])]);
    // The last element of the SignedData is the SET of SignerInfo.
    let infos = signed.len() - (2420 + 190);
    let at = signed[infos..].windows(3).position(|part| part == [0x31, 0x82, 0x0a]).unwrap() + infos;
    let indefinite_set = [&signed[4..at], &indefinite(0x31, &signed[at + 4..])].concat();
    for (data, defect) in [
        (Vec::new(), CmsDefect::Empty),
        (b"MIME-Version: 1.0\n\n".to_vec(), CmsDefect::Mail),
        (b"text".to_vec(), CmsDefect::NotCms),
        (der(0x30, &[&pkcs(&[7, 3]), &der(0xa0, &[])]), CmsDefect::Encrypted),
        (der(0x30, &[&pkcs(&[7, 6]), &der(0xa0, &[])]), CmsDefect::Encrypted),
        (der(0x30, &[&pkcs(&[9, 16, 1, 23]), &der(0xa0, &[])]), CmsDefect::Encrypted),
        (der(0x30, &[&pkcs(&[7, 5]), &der(0xa0, &[])]), CmsDefect::NotSigned),
        (der(0x30, &[&kind, &der(0xa1, &[&signed])]), CmsDefect::NotCms),
        (der(0x30, &[&kind, &der(0xa0, &[&signed, &signed])]), CmsDefect::Structure),
        (der(0x31, &[&kind, &der(0xa0, &[&signed])]), CmsDefect::NotCms),
        (with(&[0]), CmsDefect::Trailing),
        (with(&file), CmsDefect::Trailing),
        ([&ber[..], &[0, 0]].concat(), CmsDefect::Trailing),
        (cut(&ber), CmsDefect::Cut),
        (cut(&file), CmsDefect::Cut),
        (long_length, CmsDefect::Cut),
        (in_set(&indefinite_set), CmsDefect::Structure),
        (b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n".to_vec(), CmsDefect::Pem),
        (b"-----BEGIN CMS-----\nAAAA\n-----END CMS-----\n".to_vec(), CmsDefect::NotCms),
        (b"-----BEGIN CMS-----\nAA!A\n-----END CMS-----\n".to_vec(), CmsDefect::Pem),
    ] {
        assert_eq!(CmsFile::read(&data), Err(defect));
    }
    assert_eq!(CmsFile::read(&in_set(&signed[4..])), CmsFile::read(&file));
}

/// A changed file is never valid, except if the change is in the parts that are not signed.
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
        // The bytes outside the certificate and the signature, and some bytes in them.
        let at = if i < 800 { outside[i % outside.len()] } else { i * 7919 % good.len() };
        changed[at] ^= 1 << ((i / outside.len() + i) % 8);
        let Ok(file) = CmsFile::read(&changed) else { continue };
        readable += 1;
        // The verdict depends only on the attributes and the signature.
        if (&file.attributes, &file.signatures[0].signature) == (&read.attributes, &read.signatures[0].signature) {
            continue;
        }
        directory.put("m.p7s", changed);
        directory.run("verify --cms -p c.crt m").code(1);
    }
    assert!(readable > 10, "{readable}");
}
