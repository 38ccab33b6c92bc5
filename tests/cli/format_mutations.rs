//! Tests for changed signature files in all formats. `verify` may accept a changed file only if the
//! signed contents are the same.

use crate::containers::der;
use crate::harness::{SplitMixRng, TestDirectory};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use fndsa::files::cms::CmsFile;
use serde_json::Value;

/// The number of changed files for each format and kind of change.
const COUNT: usize = 1000;

/// Returns a file after one or two random changes. A change flips a bit, removes or repeats a part,
/// inserts a byte, cuts off the end, swaps two adjacent parts, or moves the start of the file to
/// its end.
fn changed_bytes(original: &[u8], random: &mut SplitMixRng) -> Vec<u8> {
    let mut file = original.to_vec();
    for _ in 0..=random.below(2) {
        if file.is_empty() {
            break;
        }
        let [start, len] = [random.below(file.len()), 1 + random.below(80)];
        let end = file.len().min(start + len);
        match random.below(7) {
            0 => file[start] ^= 1 << random.below(8),
            1 => drop(file.drain(start..end)),
            2 => {
                let part = file[start..end].to_vec();
                file.splice(end..end, part);
            }
            3 => file.insert(start, random.below(256) as u8),
            4 => file.truncate(1 + start),
            5 => {
                let middle = start + (end - start) / 2;
                file[start..end].rotate_left(middle - start);
            }
            _ => {
                let middle = [file.len() / 2, file.len().saturating_sub(64)][random.below(2)];
                file.rotate_left(middle);
            }
        }
    }
    file
}

/// Verifies changed files in one process, and returns the files with the verdict YES. `ending` is
/// the suffix of signature files. If `ending` is empty, the changed files contain the message and
/// its signature.
fn accepted(directory: &TestDirectory, options: &str, ending: &str, files: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let message = directory.get("m");
    let mut line = format!("--json verify {options}");
    for (i, file) in files.iter().enumerate() {
        if !ending.is_empty() {
            directory.put(format!("x{i}"), &message);
        }
        directory.put(format!("x{i}{ending}"), file);
        line += &format!(" x{i}");
    }
    let document = directory.run(&line).json();
    let results = document["results"].as_array().expect("results");
    assert_eq!(results.len(), files.len(), "{options}");
    let mut accepted = Vec::new();
    for (result, file) in results.iter().zip(files) {
        if result["status"] == "ok" {
            accepted.push(file.clone());
        }
    }
    accepted
}

/// Returns a directory with the message `m` and a new key pair `k`.
fn directory_with_key(algorithm: &str) -> TestDirectory {
    let directory = TestDirectory::empty();
    directory.put("m", "a message\nwith two lines\n");
    directory.run(&format!("keygen -q -a {algorithm} k")).code(0);
    directory
}

/// Returns [`COUNT`] changed copies of a file.
fn changes(original: &[u8], seed: u64) -> Vec<Vec<u8>> {
    let mut random = SplitMixRng(seed);
    let mut files = Vec::new();
    while files.len() < COUNT {
        let file = changed_bytes(original, &mut random);
        if file != original {
            files.push(file);
        }
    }
    files
}

#[test]
fn no_changed_composite_signature_is_accepted() {
    for algorithm in ["ml-dsa-44-ed25519", "ml-dsa-65-ed25519"] {
        let directory = directory_with_key(algorithm);
        directory.run("sign -q -k k.key --format raw -o good m").code(0);
        directory.run("verify -p k.pub -s good m").code(0);
        let files = changes(&directory.get("good"), 1);
        assert!(accepted(&directory, "-p k.pub", ".sig", &files).is_empty(), "{algorithm}");
    }
}

/// The test changes the decoded content of the signature file, and encodes the changed content in
/// base64.
#[test]
fn no_changed_ssh_signature_is_accepted() {
    let directory = directory_with_key("ml-dsa-44-ed25519");
    directory.run("sign -q -k k.key --ssh file -o good m").code(0);
    let text = directory.text("good");
    let contents = STANDARD.decode(text.lines().filter(|line| !line.starts_with('-')).collect::<String>()).unwrap();
    let mut files = Vec::new();
    for file in changes(&contents, 2) {
        let base64 = STANDARD.encode(file);
        files.push(format!("-----BEGIN SSH SIGNATURE-----\n{base64}\n-----END SSH SIGNATURE-----\n").into_bytes());
    }
    assert!(accepted(&directory, "--ssh file -p k.pub", ".sig", &files).is_empty());
}

#[test]
fn no_changed_json_web_signature_is_accepted() {
    let directory = directory_with_key("ml-dsa-44");
    directory.run("sign -q -k k.key --jws -o good m").code(0);
    let original = directory.get("good");
    for file in accepted(&directory, "--jws -p k.pub", ".jws", &changes(&original, 3)) {
        assert_eq!(file.trim_ascii_end(), original.trim_ascii_end());
    }
}

/// An accepted envelope has the original payload, payload type and signature. Only the key
/// identifier may differ, because it is not signed.
#[test]
fn an_accepted_envelope_has_the_same_contents() {
    let directory = directory_with_key("ml-dsa-44");
    directory.run("sign -q -k k.key --dsse text/plain -o good m").code(0);
    let original = directory.get("good");
    let parts = |file: &[u8]| {
        let document: Value = serde_json::from_slice(file).expect("JSON");
        let text = |value: &Value| value.as_str().expect("a text").trim_end_matches('=').to_owned();
        [&document["payload"], &document["payloadType"], &document["signatures"][0]["sig"]].map(text)
    };
    for file in accepted(&directory, "--dsse text/plain -p k.pub", "", &changes(&original, 4)) {
        assert_eq!(parts(&file), parts(&original), "{}", String::from_utf8_lossy(&file));
    }
}

/// A DER element.
#[derive(Clone)]
struct DerElement {
    tag: u8,
    content: Vec<u8>,
}

/// Splits DER into its elements. Returns `None` if the data is not DER.
fn elements(mut data: &[u8]) -> Option<Vec<DerElement>> {
    let mut found = Vec::new();
    while let [tag, first, rest @ ..] = data {
        let (len, rest) = match (first, rest) {
            (0..=0x7f, _) => (usize::from(*first), rest),
            (0x81, [len, rest @ ..]) => (usize::from(*len), rest),
            (0x82, [high, low, rest @ ..]) => (usize::from(*high) << 8 | usize::from(*low), rest),
            _ => return None,
        };
        found.push(DerElement { tag: *tag, content: rest.get(..len)?.to_vec() });
        data = &rest[len..];
    }
    data.is_empty().then_some(found)
}

/// Removes, repeats, swaps or changes a random element at any depth. The lengths of the elements
/// around the change are correct.
fn changed_elements(data: &[u8], random: &mut SplitMixRng) -> Vec<u8> {
    let Some(mut found) = elements(data).filter(|found| !found.is_empty()) else { return data.to_vec() };
    let at = random.below(found.len());
    let is_constructed = found[at].tag & 0x20 != 0;
    if is_constructed && (found.len() == 1 || random.below(4) != 0) {
        found[at].content = changed_elements(&found[at].content, random);
    } else {
        let element = found[at].clone();
        match random.below(5) {
            0 => drop(found.remove(at)),
            1 => found.insert(at, element),
            2 => {
                let next = (at + 1) % found.len();
                found.swap(at, next);
            }
            3 => found[at].tag ^= 1 << random.below(8),
            _ if element.content.is_empty() => found[at].content.push(0),
            _ => found[at].content = changed_bytes(&element.content, random),
        }
    }
    let mut changed = Vec::new();
    for DerElement { tag, content } in found {
        changed.extend(der(tag, &[&content]));
    }
    changed
}

/// An accepted file has the original attributes and the original signature. The certificates and
/// the name of the signer's certificate may differ, because they are not signed.
#[test]
fn an_accepted_cms_file_has_the_same_signed_contents() {
    let directory = directory_with_key("ml-dsa-44");
    directory.run("-q request -k k.key --subject CN=x --self-signed 10 -o k.crt").code(0);
    for option in ["--cms", "--cms-direct"] {
        directory.run(&format!("sign -q -f -k k.key --cert k.crt {option} -o good m")).code(0);
        directory.run("verify -p k.crt --cms -s good m").code(0);
        let original = directory.get("good");
        let mut random = SplitMixRng(5);
        let mut files = changes(&original, 6);
        for _ in 0..COUNT {
            files.push(changed_elements(&original, &mut random));
        }
        let good = CmsFile::read(&original).expect("a CMS file");
        let accepted = accepted(&directory, "-p k.crt --cms", ".p7s", &files);
        assert!(accepted.len() < files.len() / 2, "{option}: {}", accepted.len());
        for file in accepted {
            let read = CmsFile::read(&file).expect("a CMS file");
            assert!(read.message.is_none() && read.attributes == good.attributes, "{option}");
            assert!(read.signatures.iter().any(|it| it.signature == good.signatures[0].signature), "{option}");
        }
    }
}

#[test]
fn a_changed_kernel_module_is_not_accepted() {
    let directory = directory_with_key("ml-dsa-44");
    directory.run("-q request -k k.key --subject CN=x --self-signed 10 -o k.crt").code(0);
    directory.put("m", b"\x7fELF and the rest of a module");
    directory.run("sign -q -k k.key --cert k.crt --kernel-module -o good m").code(0);
    directory.run("verify -p k.crt --kernel-module good").code(0);
    let original = directory.get("good");
    let message = directory.get("m");
    for file in accepted(&directory, "-p k.crt --kernel-module", "", &changes(&original, 7)) {
        assert!(file.starts_with(&message), "{}", file.escape_ascii());
    }
}
