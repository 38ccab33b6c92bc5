//! The members of a JSON result that describe a key or signature.

use crate::tool::keys::key_note::KeyNote;
use crate::tool::report::ResultEntry;
use fndsa::algorithm::{Degree, SignatureEncoding};
use fndsa::files::{ContainerStructure, EncryptedPrivateKey, FileEncoding, FileObject, ObjectKind, PRIVATE_KEY_LABEL};
use fndsa::no_alloc::SignatureRef;
use serde_json::json;

/// Returns the PEM label of a key or signature, for example `FN-DSA PUBLIC KEY`. For a file that is
/// not PEM, returns the label that the file would have in PEM.
pub fn label(object: &FileObject) -> String {
    match (&object.container, object.encryption()) {
        (None, _) if object.encoding == FileEncoding::Ssh && object.kind == ObjectKind::SigningKey => {
            PRIVATE_KEY_LABEL.to_owned()
        }
        (None, _) => object.kind.label(object.algorithm().scheme()),
        (Some(container), None) => container.structure.label().to_owned(),
        (_, Some(_)) => ContainerStructure::Encrypted.label().to_owned(),
    }
}

/// Extends a result by the members that describe the file format.
fn form_of(
    entry: ResultEntry,
    encoding: FileEncoding,
    structure: Option<ContainerStructure>,
    label: &str,
    encryption: Option<&str>,
) -> ResultEntry {
    // The name of the format is the same as in options: for example, `PKCS#8` is `pkcs8`.
    let name = encoding.name().to_lowercase().replace('#', "");
    let form = if structure == Some(ContainerStructure::Certificate) { "certificate" } else { &name };
    let entry = entry.set("encoding", json!(form)).set("der", json!(encoding.is_der()));
    let entry = entry.set("encrypted", json!(encryption.is_some()));
    let is_pem = encoding.is_pem() || label == PRIVATE_KEY_LABEL;
    let entry = if is_pem { entry.set("label", json!(label)) } else { entry };
    if let Some(how) = encryption { entry.set("encryption", json!(how)) } else { entry }
}

/// Extends a result by the members that describe a key or signature.
pub fn entry_of(entry: ResultEntry, object: &FileObject, fingerprint: Option<&str>) -> ResultEntry {
    let entry = entry
        .algorithm(object.algorithm())
        .set("kind", json!(object.kind.name().replace(' ', "_")))
        .set("scheme", json!(object.algorithm().scheme().title().to_lowercase()))
        .set("schemes", json!(schemes(object)))
        .set("degree", json!(object.algorithm().degree().map(Degree::n)))
        .set("bytes", json!(object.bytes.len()))
        .set("weak", json!(object.algorithm().is_toy()));
    let structure = object.container.as_ref().map(|container| container.structure);
    let entry = form_of(entry, object.encoding, structure, &label(object), object.encryption());
    let mut entry = entry;
    if let Some(container) = &object.container {
        entry = entry.set("oid", json!(container.oid.to_string()));
        if object.kind == ObjectKind::SigningKey {
            entry = entry.set("layout", json!(container.layout.name()));
        }
    }
    if let Some(hash) = object.prehash() {
        entry = entry.set("prehash", json!(hash.name()));
    }
    if object.attributes().is_some() {
        entry = entry.set("attributes", json!(true));
    }
    let entry = entry.set("checked", json!(true));
    let entry = match signature_encoding(object) {
        Some(encoding) => entry.set("signature_encoding", json!(encoding.name())),
        None => entry,
    };
    if let Some(fingerprint) = fingerprint { entry.key(fingerprint).ok() } else { entry.ok() }
}

/// Returns the signature's encoding. Returns `None` for a key.
pub fn signature_encoding(object: &FileObject) -> Option<SignatureEncoding> {
    if object.kind != ObjectKind::Signature {
        return None;
    }
    Some(SignatureRef::of_algorithm(object.algorithm(), &object.bytes).ok()?.encoding())
}

/// Returns the schemes to which the bytes of a key or signature can belong, without schemes that
/// can only verify. For example, a raw Falcon key is also a valid key of FN-DSA-2024.
fn schemes(object: &FileObject) -> Vec<String> {
    let mut schemes = Vec::new();
    for algorithm in object.algorithms() {
        let scheme = algorithm.scheme();
        if scheme.can_sign() {
            schemes.push(scheme.title().to_lowercase());
        }
    }
    schemes
}

/// Adds the members for an encrypted key whose password is not given.
pub fn entry_of_encrypted(entry: ResultEntry, locked: &EncryptedPrivateKey, note: Option<&KeyNote>) -> ResultEntry {
    let encoding = locked.encoding();
    let entry = entry.set("kind", json!(ObjectKind::SigningKey.name().replace(' ', "_")));
    let mut entry = entry;
    for unknown in ["algorithm", "scheme", "schemes", "degree", "bytes", "weak"] {
        entry = entry.set(unknown, json!(null));
    }
    let label = match encoding {
        FileEncoding::Ssh => PRIVATE_KEY_LABEL,
        _ => ContainerStructure::Encrypted.label(),
    };
    entry = form_of(entry, encoding, Some(ContainerStructure::Encrypted), label, Some(&locked.describe()));
    if let Some(note) = note {
        entry = entry.set("claims", json!({ "fingerprint": note.fingerprint }));
    }
    entry.set("checked", json!(false)).ok()
}
