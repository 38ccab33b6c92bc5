//! Fuzz target that reads JSON Web Keys and JSON Web Signatures, and checks that a round trip
//! restores them.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use fndsa::files::jws::JwsSignature;
use fndsa::files::{FileContent, FileEncoding, ReadOptions, WriteOptions, read};

/// Reads the bytes as a signature file, as a signature's header and as a key. Checks the round
/// trip of an accepted signature or JSON Web Key.
pub fn jose(data: &[u8]) {
    signature(data);
    for len in [64, 2420] {
        let [header, payload] = [data, &vec![7; len]].map(|part| URL_SAFE_NO_PAD.encode(part));
        signature(format!("{header}..{payload}").as_bytes());
    }
    let Ok(FileContent::Plain(key)) = read(data, &ReadOptions::default()) else { return };
    if key.encoding == FileEncoding::Jwk {
        let options = WriteOptions::plain(FileEncoding::Jwk);
        let file =
            options.write(key.kind, key.algorithm(), "", &key.bytes).expect("the key can be written as a JSON Web Key");
        let Ok(FileContent::Plain(reread)) = read(&file, &ReadOptions::default()) else { panic!("a key") };
        assert_eq!((reread.kind, reread.algorithm()), (key.kind, key.algorithm()));
        assert!(reread.bytes == key.bytes);
    }
}

/// Reads a signature file, and checks the round trip of an accepted signature.
fn signature(file: &[u8]) {
    match JwsSignature::read(file) {
        Ok(signature) => assert_eq!(JwsSignature::read(&signature.to_file()), Ok(signature)),
        Err(defect) => assert!(defect.to_string().bytes().all(|b| b == b' ' || b.is_ascii_graphic())),
    }
}
