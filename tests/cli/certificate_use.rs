//! Tests for certificates that are not valid today, and for certificates with extensions that do
//! not permit signatures. `sign` prints a warning, and `inspect` shows the extensions.

use crate::harness::TestDirectory;

/// Replaces bytes that occur exactly once in a certificate.
fn replace_once(certificate: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let found: Vec<_> = certificate.windows(from.len()).enumerate().filter(|(_, window)| *window == from).collect();
    let [(position, _)] = found[..] else { panic!("{} occurrences", found.len()) };
    let mut changed = certificate.to_vec();
    changed[position..position + to.len()].copy_from_slice(to);
    changed
}

/// Returns a directory with the message `m`, the private key `k.key` and its certificate. Also
/// returns the certificate, in DER.
fn directory_with_certificate() -> (TestDirectory, Vec<u8>) {
    let directory = TestDirectory::empty();
    directory.put("m", b"message");
    directory.run("keygen -q -a ed25519 k").code(0);
    directory.run("request -q -k k.key --subject CN=a --self-signed 9 --format der -o k.crt").code(0);
    let certificate = directory.get("k.crt");
    (directory, certificate)
}

/// Returns the two dates between which a certificate is valid, as DER elements with type UTCTime.
fn encoded_dates(certificate: &[u8]) -> [Vec<u8>; 2] {
    let position = certificate.windows(2).position(|window| window == [0x17, 13]).expect("a date");
    [certificate[position..position + 15].to_vec(), certificate[position + 15..position + 30].to_vec()]
}

/// The value of the extension keyUsage in the certificate of `directory_with_certificate`: only
/// digitalSignature.
const KEY_USAGE: [u8; 4] = [3, 2, 7, 0x80];
/// A second value for keyUsage, with the same length: only keyCertSign.
const CERTIFICATE_SIGN: [u8; 4] = [3, 2, 2, 4];

#[test]
fn sign_warns_of_certificates_that_other_programs_reject() {
    let (directory, certificate) = directory_with_certificate();
    let [first, last] = encoded_dates(&certificate);
    // The test replaces the certificate's extension subjectKeyIdentifier by extendedKeyUsage
    // (`purposes`), which has the same length. `purpose(n)` is the OID 1.3.6.1.5.5.7.3.n.
    let key_id = [0x55, 0x1d, 0x0e, 4, 0x16, 4, 0x14];
    let position = certificate.windows(7).position(|window| window == key_id).expect("a key identifier");
    let key_id = certificate[position..position + 27].to_vec();
    let purpose = |last: u8| [6, 8, 0x2b, 6, 1, 5, 5, 7, 3, last];
    let purposes = |last: u8| [&[0x55, 0x1d, 0x25, 4, 0x16, 0x30, 0x14][..], &purpose(1), &purpose(last)].concat();
    let old_dates = replace_once(&certificate, &first, b"\x17\x0d200101000000Z");
    let cases = [
        (certificate.clone(), ""),
        (replace_once(&old_dates, &last, b"\x17\x0d200102000000Z"), "expired: it was valid until 2020-01-02T00:00:00Z"),
        (
            replace_once(
                &replace_once(&certificate, &last, b"\x17\x0d490102000000Z"),
                &first,
                b"\x17\x0d490101000000Z",
            ),
            "is not valid yet: it is valid from 2049-01-01T00:00:00Z",
        ),
        (
            replace_once(&certificate, &KEY_USAGE, &CERTIFICATE_SIGN),
            "the key usage of the certificate does not permit signatures, but only keyCertSign",
        ),
        (
            replace_once(&certificate, &key_id, &purposes(2)),
            "the extended key usage of the certificate does not permit signatures, but only serverAuth, clientAuth",
        ),
        (replace_once(&certificate, &key_id, &purposes(3)), ""),
    ];
    for (changed, warning) in cases {
        directory.put("c.crt", changed);
        for format in ["--cms", "--cms-direct", "--cms --attached"] {
            let output = directory.run(&format!("sign -f -k k.key {format} --cert c.crt -o m.p7s m")).code(0);
            let json =
                directory.run(&format!("--json sign -f -k k.key {format} --cert c.crt -o m.p7s m")).code(0).json();
            if warning.is_empty() {
                assert!(!output.err.contains("warning") && json["warnings"].is_null(), "{} {json}", output.err);
            } else {
                output.err_has("warning: c.crt: the ").err_has(warning).err_has("other programs may reject");
                assert!(json["warnings"][0].as_str().unwrap().contains(warning), "{json}");
            }
        }
    }
}

#[test]
fn inspect_shows_the_purposes() {
    let (directory, certificate) = directory_with_certificate();
    let json = directory.run("--json inspect k.crt").code(0).json();
    assert!(json["results"][0]["x509"]["extended_key_usage"].is_null(), "{json}");
    // Change the name of the issuer, so that the certificate is not self-signed. `inspect` does not
    // verify the signature of such a certificate. Then replace the extension subjectKeyIdentifier
    // by extendedKeyUsage.
    let name = [6, 3, 0x55, 4, 3, 0x0c, 1, b'a'];
    let position = certificate.windows(8).position(|window| window == name).expect("the issuer");
    let mut changed = certificate.clone();
    changed[position + 7] = b'b';
    let key_id = changed.windows(7).position(|window| window == [0x55, 0x1d, 0x0e, 4, 0x16, 4, 0x14]).unwrap();
    let value = [0x30, 0x14, 6, 8, 0x2b, 6, 1, 5, 5, 7, 3, 3, 6, 8, 0x2b, 6, 1, 5, 5, 7, 3, 99];
    changed[key_id + 2] = 0x25;
    changed[key_id + 5..key_id + 27].copy_from_slice(&value);
    directory.put("c.crt", changed);
    directory.run("inspect c.crt").code(0).out_has("c.crt: extended key usage: codeSigning, 1.3.6.1.5.5.7.3.99\n");
    let json = directory.run("--json inspect c.crt").code(0).json();
    assert_eq!(
        json["results"][0]["x509"]["extended_key_usage"],
        serde_json::json!(["codeSigning", "1.3.6.1.5.5.7.3.99"])
    );
}
