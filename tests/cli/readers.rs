//! Compares three readers on random mutants of containers and PEM files: `fndsa`, OpenSSL, and
//! pyasn1 with the PEM parser of GnuTLS. If `fndsa` accepts a mutant, at least one of the other
//! readers must accept it with the same key or signature. If the remaining reader rejects the
//! mutant, or decodes a different key or signature, [`ACCEPTED_DIFFERENCES`] must contain the
//! reason. If `fndsa` rejects a mutant, the test only counts the reason, because the other readers
//! do not check the key itself and may accept the mutant. This command tries 12,000 DER mutants and
//! 12,000 PEM mutants:
//!
//! ```sh
//! FNDSA_LONG=1 cargo test --release --test cli readers -- --nocapture
//! ```
//!
//! Without `FNDSA_LONG=1`, the tests try 600 mutants of each kind. Each run prints its seed. The
//! variable `FNDSA_SEED` sets the seed. The tests need `openssl`, `python3` with `pyasn1`, and the
//! OpenSSL 3 and GnuTLS libraries.

use crate::encryption::encrypt_with_fast_derivation;
use crate::harness::{ProgramCall, SplitMixRng, TestDirectory, have, in_parallel, long, skip};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::sync::Mutex;

/// The allowed differences for mutants that `fndsa` accepts: (the reader that rejects the mutant or
/// decodes a different key, the file's feature as in [`feature_of`], the reason).
const ACCEPTED_DIFFERENCES: [(&str, &str, &str); 3] = [
    (OPENSSL, "a line that ends in CR alone", "RFC 7468 allows it"),
    (OPENSSL, "an empty line in the block", "white space; there are no headers that it could end"),
    (PYASN1, "an indented BEGIN line", "text before the block, for OpenSSL too; GnuTLS reads the block that it begins"),
];
const OPENSSL: &str = "OpenSSL";
const PYASN1: &str = "pyasn1";

/// The number of files for each process.
const BATCH: usize = 200;

/// A form of file: its name, which `tests/peers/asn1/read.py` also uses, and the percentage of
/// mutants with this form.
struct MutantForm {
    name: &'static str,
    share: usize,
}

const DER: [MutantForm; 3] = [
    MutantForm { name: "spki", share: 48 },
    MutantForm { name: "pkcs8", share: 48 },
    MutantForm { name: "encrypted", share: 4 },
];
const PEM: [MutantForm; 4] = [
    MutantForm { name: "spki-pem", share: 32 },
    MutantForm { name: "pkcs8-pem", share: 32 },
    MutantForm { name: "signature-pem", share: 32 },
    MutantForm { name: "encrypted-pem", share: 4 },
];

/// A DER element.
#[derive(Clone)]
struct DerElement {
    tag: u8,
    content: DerContent,
    length: ElementLength,
}

#[derive(Clone)]
enum DerContent {
    Bytes(Vec<u8>),
    Elements(Vec<DerElement>),
}

/// The encoding of an element's length.
#[derive(Clone, Copy)]
enum ElementLength {
    Shortest,
    /// The length has one byte more than needed.
    Longer,
    /// The length has the long form although it is short.
    LongForm,
    /// The length is indefinite: two zero bytes end the element.
    Indefinite,
    /// The encoded length is wrong: this number is added to the right length.
    Off(i8),
}

impl DerElement {
    /// Parses consecutive elements of valid DER with lengths below 2^16.
    fn parse_all(mut der: &[u8]) -> Vec<Self> {
        let mut elements = vec![];
        while let [tag, first, rest @ ..] = der {
            let (len, rest) = match first {
                0x81 => (usize::from(rest[0]), &rest[1..]),
                0x82 => (usize::from(rest[0]) << 8 | usize::from(rest[1]), &rest[2..]),
                len => (usize::from(*len), rest),
            };
            let (inside, rest) = rest.split_at(len);
            let content = if tag & 0x20 != 0 {
                DerContent::Elements(Self::parse_all(inside))
            } else {
                DerContent::Bytes(inside.to_vec())
            };
            elements.push(Self { tag: *tag, content, length: ElementLength::Shortest });
            der = rest;
        }
        elements
    }

    /// Encodes the element. The length field is wrong or unusual if [`Self::length`] says so.
    fn encode(&self) -> Vec<u8> {
        let content = match &self.content {
            DerContent::Bytes(bytes) => bytes.clone(),
            DerContent::Elements(elements) => elements.iter().flat_map(Self::encode).collect(),
        };
        let len = match self.length {
            ElementLength::Off(by) => content.len().saturating_add_signed(by.into()),
            _ => content.len(),
        };
        let bytes: Vec<u8> = len.to_be_bytes().into_iter().skip_while(|byte| *byte == 0).collect();
        let long_form = |bytes: &[u8]| [&[0x80 | bytes.len() as u8], bytes].concat();
        let header = match self.length {
            ElementLength::Indefinite => vec![0x80],
            ElementLength::Longer => long_form(&[&[0], &bytes[..]].concat()),
            ElementLength::LongForm => long_form(&bytes),
            _ if len < 0x80 => vec![len as u8],
            _ => long_form(&bytes),
        };
        let end: &[u8] = if matches!(self.length, ElementLength::Indefinite) { &[0, 0] } else { &[] };
        [&[self.tag], &header[..], &content, end].concat()
    }

    /// Returns the number of elements inside this element, including itself.
    fn count(&self) -> usize {
        match &self.content {
            DerContent::Bytes(_) => 1,
            DerContent::Elements(elements) => 1 + elements.iter().map(Self::count).sum::<usize>(),
        }
    }

    /// Returns the element with this number. The element itself is number 0.
    fn element_mut(&mut self, number: usize) -> &mut Self {
        let Some(mut number) = number.checked_sub(1) else { return self };
        let DerContent::Elements(elements) = &mut self.content else { unreachable!("a number below the count") };
        for element in elements {
            let count = element.count();
            if number < count {
                return element.element_mut(number);
            }
            number -= count;
        }
        unreachable!("a number below the count")
    }

    /// Returns a random element, which a change inserts into a key file.
    fn random_element(random: &mut SplitMixRng) -> Self {
        let (tag, bytes): (u8, &[u8]) =
            [(5, &[][..]), (2, &[0]), (4, &[]), (3, &[0]), (0x80, &[0]), (0x81, &[0, 1]), (6, &[42, 3]), (1, &[255])]
                [random.below(8)];
        let inner = Self { tag, content: DerContent::Bytes(bytes.to_vec()), length: ElementLength::Shortest };
        let tag = [0x30, 0x31, 0xa0, 0xa1, 0][random.below(5)];
        if tag == 0 {
            inner
        } else {
            Self { tag, content: DerContent::Elements(vec![inner]), length: ElementLength::Shortest }
        }
    }

    /// Applies a random change.
    fn mutate(&mut self, random: &mut SplitMixRng) {
        let number = random.below(self.count());
        let one = self.element_mut(number);
        match (random.below(12), &mut one.content) {
            (0, _) => one.tag ^= 1 << random.below(8),
            (1, _) => one.tag = [2, 3, 4, 5, 6, 0x0c, 0x24, 0x30, 0x31, 0xa0][random.below(10)],
            (2, _) => one.length = ElementLength::Longer,
            (3, _) => {
                one.length =
                    [ElementLength::LongForm, ElementLength::Off(1), ElementLength::Off(-1), ElementLength::Off(0)]
                        [random.below(4)]
            }
            (4, _) => one.length = ElementLength::Indefinite,
            (5 | 6, DerContent::Bytes(bytes)) => match random.below(6) {
                0 => bytes.insert(0, [0, 1, 0xff][random.below(3)]),
                1 => bytes.push([0, 1, 0xff][random.below(3)]),
                2 => drop(bytes.pop()),
                3 if !bytes.is_empty() => drop(bytes.remove(0)),
                4 if !bytes.is_empty() => bytes[0] = random.below(9) as u8,
                _ if !bytes.is_empty() => {
                    let offset = random.below(bytes.len().min(20));
                    bytes[offset] ^= 1 << random.below(8);
                }
                _ => bytes.push(0),
            },
            // Replace a string by a string in pieces, which BER allows.
            (7, DerContent::Bytes(bytes)) => {
                let inner =
                    Self { tag: one.tag, content: DerContent::Bytes(bytes.clone()), length: ElementLength::Shortest };
                one.tag |= 0x20;
                one.content = DerContent::Elements(vec![inner]);
            }
            (5..=8, DerContent::Elements(elements)) => {
                let offset = random.below(elements.len() + 1);
                elements.insert(offset, Self::random_element(random));
            }
            (9, DerContent::Elements(elements)) if !elements.is_empty() => {
                drop(elements.remove(random.below(elements.len())));
            }
            (10, DerContent::Elements(elements)) if !elements.is_empty() => {
                elements.push(elements[random.below(elements.len())].clone());
            }
            (11, DerContent::Elements(elements)) if elements.len() > 1 => {
                let offset = random.below(elements.len() - 1);
                elements.swap(offset, offset + 1);
            }
            (_, _) => {
                let random_element = Self::random_element(random);
                *one = Self {
                    tag: 0x30,
                    content: DerContent::Elements(vec![one.clone(), random_element]),
                    length: ElementLength::Shortest,
                };
            }
        }
    }
}

/// Applies one or two changes to the structure, to bytes, or to both.
fn mutate_der(file: &[u8], random: &mut SplitMixRng) -> Vec<u8> {
    let mut bytes = file.to_vec();
    let kind = random.below(4);
    if kind > 0 {
        let mut root = DerElement::parse_all(file).remove(0);
        for _ in 0..1 + random.below(2) {
            root.mutate(random);
        }
        bytes = root.encode();
    }
    if kind < 2 {
        let near = random.below(bytes.len().min(40));
        let far = random.below(bytes.len());
        match random.below(7) {
            0 => bytes[near] ^= 1 << random.below(8),
            1 => bytes[near] = random.below(256) as u8,
            2 => bytes[far] ^= 1 << random.below(8),
            3 => drop(bytes.remove(near)),
            4 => bytes.insert(near, random.below(256) as u8),
            5 => bytes.truncate(far.max(1)),
            _ => bytes.extend(&[0, 0, 5, 0, 10, 32][..1 + random.below(6)]),
        }
    }
    bytes
}

/// Applies one to three changes to the text.
fn mutate_pem(file: &str, random: &mut SplitMixRng) -> Vec<u8> {
    let mut text = file.as_bytes().to_vec();
    for _ in 0..1 + random.below(3) {
        let offset = random.below(text.len());
        // Changes are more frequent at line ends, in the first and last line, and at the end of the
        // base64 text.
        let ends: Vec<usize> = (0..text.len()).filter(|i| text[*i] == b'\n').collect();
        let end = ends.get(random.below(ends.len().max(1))).copied().unwrap_or(offset);
        let edge = *[offset, end, random.below(text.len().min(40)), text.len() - 1 - random.below(text.len().min(60))]
            .get(random.below(4))
            .unwrap();
        let lines = |text: &[u8]| text.split_inclusive(|b| *b == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>();
        match random.below(20) {
            0 => text[edge] ^= 1 << random.below(8),
            1 => text[edge] = random.below(128) as u8,
            2 => drop(text.remove(edge)),
            3 => text.insert(edge, *b" \t\n\r\0=-A+/\xff:#".get(random.below(13)).unwrap()),
            4 => text.truncate(edge.max(1)),
            5 => text = text.split(|b| *b == b'\n').collect::<Vec<_>>().join(&b"\r\n"[..]),
            6 => text = text.split(|b| *b == b'\n').collect::<Vec<_>>().join(&b"\r"[..]),
            7 => {
                text = text
                    .split(|b| *b == b'\n')
                    .collect::<Vec<_>>()
                    .join([&b" \n"[..], b"\t\n", b"\n\n"][random.below(3)])
            }
            8 => {
                let body: Vec<u8> = lines(&text).iter().filter(|l| !l.starts_with(b"-")).flatten().copied().collect();
                let body: Vec<u8> = body.into_iter().filter(|b| *b != b'\n').collect();
                let width = [1, 4, 60, 63, 65, 76, 77, 128, 300, 1000, 100_000][random.below(11)];
                let all = lines(&text);
                let (first, last) = (all.first().cloned().unwrap_or_default(), all.last().cloned().unwrap_or_default());
                let body = body.chunks(width).map(|line| [line, b"\n"].concat()).collect::<Vec<_>>().concat();
                text = [first, body, last].concat();
            }
            9 => {
                let before: &[u8] = [
                    &b"some text\n"[..],
                    b"\n\n",
                    b"-----BEGIN\n",
                    b"-----BEGIN X-----\n",
                    b"text -----BEGIN ",
                    b"\xef\xbb\xbf",
                    b" ",
                    b"----- \n",
                ][random.below(8)];
                text.splice(0..0, before.iter().copied());
            }
            10 => {
                let after: &[u8] =
                    [&b"some text\n"[..], b"\n\n", b"-----END X-----\n", b"-----BEGIN X-----\n", b"\0", b"-"]
                        [random.below(6)];
                text.extend(after);
            }
            11 => text = [&text[..], &text].concat(),
            12 => {
                let mut all = lines(&text);
                let i = random.below(all.len());
                all.remove(i);
                text = all.concat();
            }
            13 => {
                let mut all = lines(&text);
                let (i, j) = (random.below(all.len()), random.below(all.len()));
                all.swap(i, j);
                text = all.concat();
            }
            14 => {
                let header: &[u8] =
                    [&b"Proc-Type: 4,ENCRYPTED\n\n"[..], b"Comment: x\n\n", b"\n", b" \n", b"X: y\n"][random.below(5)];
                let first = ends.first().map_or(0, |end| end + 1);
                text.splice(first..first, header.iter().copied());
            }
            15 => {
                // Change a character near the padding or the end of the base64 text, where a
                // character can contain unused bits.
                let last =
                    (0..text.len()).rev().find(|i| text[*i] == b'=' || text.get(i + 1..i + 7) == Some(b"\n-----"));
                if let Some(last) = last {
                    text[last.saturating_sub(random.below(3))] = b"ABCDEFGH=/"[random.below(10)];
                }
            }
            16 => {
                let new_label = ["PUBLIC KEY", "PRIVATE KEY", "FNDSA SIGNATURE", "X", "public key", "RSA PUBLIC KEY"]
                    [random.below(6)];
                let string = String::from_utf8_lossy(&text).into_owned();
                let label = string
                    .split("-----BEGIN ")
                    .nth(1)
                    .and_then(|rest| rest.split("-----").next())
                    .unwrap_or("")
                    .to_owned();
                if !label.is_empty() {
                    text = string.replacen(&label, new_label, 1 + random.below(2)).into_bytes();
                }
            }
            17 => {
                text = String::from_utf8_lossy(&text)
                    .replace("-----", ["----", "------", "-----\u{2010}", "_____"][random.below(4)])
                    .into_bytes()
            }
            18 => {
                while text.last() == Some(&b'\n') {
                    text.pop();
                }
            }
            _ => text.insert(edge, b'\n'),
        }
        if text.is_empty() {
            text.push(b'-');
        }
    }
    text
}

/// Returns a feature of a PEM file that readers treat in different ways.
fn feature_of(mutant: &[u8]) -> &'static str {
    let text = String::from_utf8_lossy(mutant);
    if text.replace("\r\n", "").contains('\r') {
        return "a line that ends in CR alone";
    }
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    if lines.iter().any(|line| line.trim_start() != *line && line.trim_start().starts_with("-----BEGIN ")) {
        return "an indented BEGIN line";
    }
    let inside = lines.iter().skip_while(|line| !line.starts_with("-----BEGIN ") || !line.ends_with("-----"));
    let mut block = inside.skip(1).take_while(|line| !line.starts_with("-----END"));
    if block.any(|line| line.is_empty()) { "an empty line in the block" } else { "nothing of these" }
}

/// The result of a reader: the SHA-256 digest of the key or signature. `None` if the reader rejects
/// the file.
type ReaderResult = Option<String>;

/// Returns the Python program, and the script that reads files with OpenSSL and with pyasn1.
/// Returns `None` if they do not work here.
fn reader_script(directory: &TestDirectory) -> Option<(String, String)> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/peers/asn1/read.py");
    let python = ["python3", "/usr/bin/python3"];
    // The first Python on the path may be a version without the system's packages.
    let runs = |python: &&str| {
        have(python.rsplit('/').next().unwrap())
            && ProgramCall::new(python, directory.root()).arg(script).run().code == 0
    };
    python.iter().find(|python| runs(python)).map(|python| ((*python).to_owned(), script.to_owned()))
}

/// Decodes hexadecimal digits, and returns the SHA-256 digest of the bytes.
fn digest_of_hex(hex: &Value) -> String {
    let hex = hex.as_str().expect("bytes");
    let bytes: Vec<u8> = (0..hex.len()).step_by(2).map(|i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap()).collect();
    Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the `fndsa` result for the blocks in a file: the content's digest, `private` for a
/// private key, or the reason code.
fn fndsa_result(results: &[&Value], form: &str) -> Result<String, String> {
    let kind = match form.split('-').next().unwrap() {
        "spki" => "public_key",
        "signature" => "signature",
        _ => "private_key",
    };
    match results {
        [result] if result["status"] != "ok" => Err(result["reason"].as_str().unwrap().to_owned()),
        [result] if result["kind"] != kind || result["encoding"] == "raw" => Err("another kind".to_owned()),
        [_] if kind == "private_key" => Ok("private".to_owned()),
        [result] => Ok(digest_of_hex(&result[kind]["bytes"])),
        // `inspect` reports all blocks in a file. Other commands reject a file with several keys or
        // signatures.
        _ => Err("several_blocks".to_owned()),
    }
}

/// Reads files in a new directory with all three readers.
fn read_with_all(
    python: &(String, String),
    form: &str,
    files: &[Vec<u8>],
) -> Vec<(Result<String, String>, [ReaderResult; 2])> {
    let directory = TestDirectory::empty();
    directory.put("password", "hello\n");
    let names: Vec<String> = (0..files.len()).map(|i| format!("m{i}")).collect();
    names.iter().zip(files).for_each(|(name, file)| directory.put(name, file));
    let call = directory.call("--json inspect --password-file password");
    let output = names.iter().fold(call, |call, name| call.arg(name)).run();
    let input: String = names.iter().map(|name| format!("{form}\t{name}\n")).collect();
    let reader_results = ProgramCall::new(&python.0, directory.root()).arg(&python.1).input(input).run().code(0);
    let read_result = |text: &str| (text != "-").then(|| text.to_owned());
    let reader_results = reader_results.out.lines().map(|line| {
        let (openssl, pyasn1) = line.split_once('\t').unwrap();
        [read_result(openssl), read_result(pyasn1)]
    });
    let document = output.json();
    let results: Vec<&Value> = document["results"].as_array().unwrap().iter().collect();
    let results_for =
        |name: &String| results.iter().copied().filter(|result| result["path"] == **name).collect::<Vec<_>>();
    names.iter().map(|name| fndsa_result(&results_for(name), form)).zip(reader_results).collect()
}

/// Compares the readers on mutants in several forms. `short` is the mutant count without
/// `FNDSA_LONG=1`.
fn compare_readers(what: &str, forms: &[MutantForm], short: usize) {
    let directory = TestDirectory::ready();
    if !have("openssl") {
        return skip(what, "there is no openssl");
    }
    let Some(python) = reader_script(&directory) else {
        return skip(what, "there is no python3 with pyasn1, or no libcrypto.so.3 or libgnutls.so.30");
    };
    directory.run("convert k.key -o pkcs8 --to pkcs8-der").code(0);
    directory.run("convert k.pub -o spki --to spki-der").code(0);
    directory.put("encrypted", encrypt_with_fast_derivation(&directory, "hello"));
    let armored = |label: &str, der: Vec<u8>| {
        let base64 = STANDARD.encode(der);
        let lines: Vec<_> = base64.as_bytes().chunks(64).map(|line| str::from_utf8(line).unwrap()).collect();
        format!("-----BEGIN {label}-----\n{}\n-----END {label}-----\n", lines.join("\n"))
    };
    directory.put("pkcs8-pem", armored("PRIVATE KEY", directory.get("pkcs8")));
    directory.put("spki-pem", armored("PUBLIC KEY", directory.get("spki")));
    directory.put("encrypted-pem", armored("ENCRYPTED PRIVATE KEY", directory.get("encrypted")));
    directory.put("signature-pem", directory.get("a.sig"));
    let count = if long() { 12_000 } else { short };
    let seed = std::env::var("FNDSA_SEED").map_or(0, |seed| seed.parse().expect("FNDSA_SEED is a number"));
    let mut random = SplitMixRng(seed);
    let mut batches = vec![];
    for form in forms {
        let original = directory.get(form.name);
        let mut mutants = vec![];
        while mutants.len() < count * form.share / 100 {
            let mutant = match str::from_utf8(&original) {
                Ok(text) if form.name.ends_with("pem") => mutate_pem(text, &mut random),
                _ => mutate_der(&original, &mut random),
            };
            if mutant != original {
                mutants.push(mutant);
            }
        }
        let (_, [expected, pyasn1]) = read_with_all(&python, form.name, std::slice::from_ref(&original)).remove(0);
        assert!(expected.is_some() && expected == pyasn1, "the unchanged file {} is rejected", form.name);
        let chunks: Vec<_> = mutants.chunks(BATCH).map(<[Vec<u8>]>::to_vec).collect();
        batches.extend(chunks.into_iter().map(|chunk| (form.name, expected.clone().unwrap(), chunk)));
    }
    let counts = Mutex::new(BTreeMap::<[String; 3], usize>::new());
    let wrong = Mutex::new(Vec::new());
    in_parallel(&batches, |_, (form, expected, files)| {
        for (file, (fndsa_reading, reader_results)) in files.iter().zip(read_with_all(&python, form, files)) {
            let readers = [OPENSSL, PYASN1].into_iter().zip(&reader_results);
            let accepting: Vec<_> =
                readers.clone().filter(|(_, read_result)| read_result.is_some()).map(|(name, _)| name).collect();
            let class = match &fndsa_reading {
                Ok(key_content) => {
                    let key_content = if key_content == "private" { expected } else { key_content };
                    let feature = feature_of(file);
                    let differing: Vec<_> = readers
                        .filter(|(_, read_result)| read_result.as_ref() != Some(key_content))
                        .map(|(name, _)| name)
                        .collect();
                    let is_listed =
                        |reader: &&str| ACCEPTED_DIFFERENCES.iter().any(|row| (row.0, row.1) == (*reader, feature));
                    if differing.len() == 2 || !differing.iter().all(is_listed) {
                        let start = file[..file.len().min(120)].escape_ascii();
                        wrong
                            .lock()
                            .unwrap()
                            .push(format!("{form}, otherwise by {differing:?}, {feature}: {start} ..."));
                    }
                    format!("accepted: {}", if differing.is_empty() { "the same by all" } else { feature })
                }
                Err(reason) => format!("rejected: {reason}"),
            };
            let key = [(*form).to_owned(), class, accepting.join(" and ")];
            *counts.lock().unwrap().entry(key).or_default() += 1;
        }
    });
    for ([form, class, accepting], count) in counts.into_inner().unwrap() {
        println!("{form:>14} {count:6}  {class}; other readers that accept it: {accepting}");
    }
    let wrong = wrong.into_inner().unwrap();
    let mutant_count: usize = batches.iter().map(|batch| batch.2.len()).sum();
    println!("seed {seed}: {mutant_count} mutants of {what}, {} wrong", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong[..wrong.len().min(30)].join("\n\n"));
}

#[test]
fn mutants_of_der_are_accepted_only_if_another_reader_accepts_them() {
    compare_readers("DER", &DER, 600);
}

#[test]
fn mutants_of_pem_are_accepted_only_if_another_reader_accepts_them() {
    compare_readers("PEM", &PEM, 600);
}
