//! Tests for PEM files that other programs have changed: fndsa accepts the changes that mail
//! programs and editors make, and names every defect.

use crate::harness::{TestDirectory, body};

/// A PEM file and its parts. The file has an informational line before the block.
struct PemFile {
    begin: String,
    body: String,
    end: String,
    text: String,
}

impl PemFile {
    /// Reads a PEM file with a single block.
    fn read_file(directory: &TestDirectory, name: &str) -> Self {
        let text = directory.text(name);
        let line = |start: &str| text.lines().find(|l| l.starts_with(start)).unwrap().to_owned();
        Self { begin: line("-----BEGIN"), body: body(&text), end: line("-----END"), text }
    }

    /// Returns the PEM block with `width` base64 characters per line.
    fn with_line_width(&self, width: usize) -> String {
        let lines: Vec<_> = self.body.as_bytes().chunks(width).map(|l| str::from_utf8(l).unwrap()).collect();
        format!("{}\n{}\n{}\n", self.begin, lines.join("\n"), self.end)
    }

    /// Returns the file after `change` is applied to a line of the body.
    fn with_changed_line(&self, change: impl Fn(&str) -> String) -> String {
        let third = self.text.lines().nth(3).unwrap();
        self.text.replace(third, &change(third))
    }

    /// Returns changed files that fndsa accepts, as (name, file).
    fn accepted_changes(&self) -> Vec<(&'static str, String)> {
        let text = &self.text;
        let every = |end: &str| text.replace('\n', end);
        let mixed: String =
            text.lines().enumerate().map(|(i, line)| format!("{line}{}", ["\r\n", "\n", "\r"][i % 3])).collect();
        vec![
            ("as it is", text.clone()),
            ("CRLF", every("\r\n")),
            ("CR", every("\r")),
            ("mixed line ends", mixed),
            ("no final line end", text.trim_end().to_owned()),
            ("byte order mark", format!("\u{feff}{text}")),
            ("byte order mark before BEGIN", format!("\u{feff}{}", self.with_line_width(64))),
            ("text around", format!("From: me\n\nhere it is:\n{text}\n-- \nregards: you\n")),
            ("no line before", self.with_line_width(64)),
            ("blank lines", every("\n\n")),
            ("trailing blanks", every(" \t \n")),
            ("76 columns", self.with_line_width(76)),
            ("one line", self.with_line_width(100_000)),
            ("odd width", self.with_line_width(61)),
            ("narrow", self.with_line_width(1)),
        ]
    }

    /// Returns files with defects, as (name, file, words from the error message).
    fn defects(&self) -> Vec<(&'static str, String, &'static str)> {
        let Self { begin, body, end, text } = self;
        let (first, rest) = body.split_at(64);
        let whole = format!("{first}\n{rest}");
        let lines = text.lines().count();
        let without_third: Vec<_> = text.lines().enumerate().filter(|(i, _)| *i != 3).map(|(_, l)| l).collect();
        let padded = body.trim_end_matches('=');
        let indented = text.lines().map(|l| format!("  {l}\n")).collect::<String>();
        // The unused bits of the last base64 character are not zero.
        let last = format!("{}{}", &padded[..padded.len() - 1], (padded.as_bytes()[padded.len() - 1] + 1) as char);
        let with_unused_bits = format!("{begin}\n{last}{}\n{end}\n", &body[padded.len()..]);
        let mut defects = vec![
            ("empty file", String::new(), "empty"),
            ("the END line is missing", format!("{begin}\n{whole}\n"), "the END line is missing"),
            ("cut in the body", text[..text.len() / 2].to_owned(), "cut in the middle of line"),
            ("cut in END", text[..text.len() - 4].to_owned(), "cut in the middle of line"),
            ("a line missing", without_third.join("\n") + "\n", "bytes instead of"),
            ("a line twice", self.with_changed_line(|l| format!("{l}\n{l}")), "bytes instead of"),
            ("labels differ", format!("{begin}\n{whole}\n-----END FNDSA THING-----\n"), "the BEGIN line has the label"),
            ("damaged END", format!("{begin}\n{whole}\n-----END-----\n"), "END line is damaged"),
            ("damaged BEGIN", text.replace(begin, "-----BEGIN ----"), "BEGIN line is damaged"),
            ("RFC 1421 header", format!("{begin}\nComment: 4\n\n{whole}\n{end}\n"), "RFC 1421"),
            (
                "encrypted",
                format!("{begin}\nProc-Type: 4,ENCRYPTED\n\n{whole}\n{end}\n"),
                "is a header of OpenSSL's traditional encryption, which fndsa does not read",
            ),
            ("NUL", self.with_changed_line(|l| format!("\0{}", &l[1..])), "NUL"),
            ("indented block", indented, "indented"),
            ("indented line", self.with_changed_line(|l| format!(" {l}")), "indented"),
            ("indented END", text.replace(end, &format!(" {end}")), "indented"),
            ("blank inside a line", self.with_changed_line(|l| format!("{} {}", &l[..9], &l[9..])), "not base64"),
            ("not base64", self.with_changed_line(|l| format!("{}*{}", &l[..9], &l[10..])), "line 4"),
            ("base64url", self.with_changed_line(|l| format!("{}_{}", &l[..9], &l[10..])), "not base64"),
            ("padding inside", self.with_changed_line(|l| format!("{}=", &l[1..])), "the base64 is damaged"),
            ("two blocks", text.repeat(2), "the file has 2 PEM blocks"),
            ("three blocks", text.repeat(3), "the file has 3 PEM blocks"),
            ("empty block", format!("{begin}\n{end}\n"), "empty"),
            ("unknown label", text.replace("BEGIN ", "BEGIN X").replace("END ", "END X"), "is unknown"),
            ("only text", "hello\n".to_owned(), "not a key or signature"),
        ];
        if padded.len() != body.len() {
            defects.push(("unused bits are set", with_unused_bits, "the base64 is damaged"));
            defects.push(("no padding", format!("{begin}\n{padded}\n{end}\n"), "the base64 is damaged"));
        }
        assert!(lines > 6);
        defects
    }
}

/// The files to change, each with a command that reads the changed file. The test writes this file
/// to `x`.
const USES: [(&str, &str); 9] = [
    ("k.key", "sign -f -k x -o out a"),
    ("k.pub", "verify -p x a"),
    ("a.sig", "verify -p k.pub -s x a"),
    ("k2.key", "pubkey -f -k x -o out.pub"),
    ("k2.pub", "verify -p k.pub -p x a"),
    ("a2.sig", "verify -p k2.pub -s x a"),
    ("k.p8", "sign -f -k x -o out a"),
    ("k.spki", "verify -p x a"),
    ("k.enc", "inspect x"),
];

/// Returns a directory with the files that [`USES`] reads.
fn directory_with_all_forms() -> TestDirectory {
    let directory = TestDirectory::ready();
    directory.run("sign -k k2.key -o a2.sig a").code(0);
    directory.run("convert k.key -o k.p8 --to pkcs8").code(0);
    directory.run("convert k.pub -o k.spki --to spki").code(0);
    directory.put("password", "x");
    directory.run("convert k.key -o k.enc --to pkcs8 --encrypt --new-password-file password").code(0);
    directory
}

#[test]
fn changes_by_common_transports_are_accepted() {
    let directory = directory_with_all_forms();
    for (file, command) in USES {
        for (case, text) in PemFile::read_file(&directory, file).accepted_changes() {
            directory.put("x", &text);
            for line in [command, "inspect x"] {
                let output = directory.run(line);
                assert_eq!(output.code, 0, "{case} of {file}: {output:?}");
            }
            let output = directory.call("inspect").input(text).run();
            assert_eq!(output.code, 0, "{case} of {file} by standard input: {output:?}");
        }
    }
}

#[test]
fn every_defect_of_pem_is_reported() {
    let directory = directory_with_all_forms();
    for (file, command) in USES {
        let pem = PemFile::read_file(&directory, file);
        for (case, text, words) in pem.defects() {
            directory.put("x", &text);
            // A second PEM block is an error only for commands that read one key. `inspect` reads
            // all blocks, and a signature file can have several blocks.
            let several = words.ends_with(" PEM blocks");
            let is_used = |line: &&str| !several || !line.starts_with("inspect") && !file.ends_with(".sig");
            for line in [command, "inspect x"].into_iter().filter(is_used) {
                let output = directory.run(line);
                assert_eq!(output.code, 3, "{case} of {file}: {output:?}");
                let messages = format!("{}{}", output.out, output.err);
                // If the command expects a certain kind of file, the message names this kind.
                let of_kind = words == "not a key or signature" && line == command;
                let words = if of_kind { ", but 6 bytes of text" } else { words };
                assert!(messages.contains(words), "{case} of {file}: {words:?} is not in {messages}");
                assert!(messages.contains("hint: "), "{case} of {file}: no hint in {messages}");
                assert_no_content(&pem, &messages);
            }
        }
    }
}

/// Checks that the output contains no part of the file's content.
fn assert_no_content(pem: &PemFile, messages: &str) {
    for piece in pem.body.as_bytes().chunks(16) {
        assert!(!messages.contains(str::from_utf8(piece).unwrap()) || piece.len() < 16, "{messages}");
    }
}

#[test]
fn a_missing_line_is_reported_with_its_length() {
    let directory = TestDirectory::ready();
    let lines: Vec<_> = directory.text("a.sig").lines().map(str::to_owned).collect();
    directory.put("x", [&lines[..3], &lines[4..]].concat().join("\n"));
    directory
        .run("verify -p k.pub -s x a")
        .code(3)
        .out_has("the content has 618 bytes instead of 666: bytes are missing or added");
}

#[test]
fn utf_16_and_large_files_are_reported() {
    let directory = TestDirectory::ready();
    for file in ["k.key", "k.pub", "a.sig"] {
        let wide: Vec<u8> = directory.text(file).encode_utf16().flat_map(u16::to_le_bytes).collect();
        directory.put("x", [b"\xff\xfe".to_vec(), wide].concat());
        directory.run("inspect x").code(3).err_has("UTF-16");
    }
    directory.put("x", vec![b'x'; 100_000]);
    directory.run("inspect x").code(3).err_has("the file is too large: a key");
    directory.run("verify -p x a").code(3);
    directory.run("verify -p k.pub -s x a").code(3);
    directory.call("inspect /dev/zero").run().code(3);
}

#[test]
fn raw_files_of_a_wrong_length_are_reported() {
    let directory = TestDirectory::ready();
    directory.run("keygen --format raw r").code(0);
    directory.run("sign -k r.key --format raw a -o r.sig").code(0);
    for (file, kind, len) in [("r.key", "private key", 1345), ("r.pub", "public key", 897), ("r.sig", "signature", 666)]
    {
        let raw = directory.get(file);
        assert_eq!(raw.len(), len);
        // The test cuts off two bytes, because a private key of FN-DSA-512 without its last byte
        // has the length of a public key of ML-DSA-44-Ed25519.
        directory.put("x", &raw[..len - 2]);
        directory
            .run("inspect x")
            .code(3)
            .err_has(&format!("a raw {kind} of degree 512 has {len} bytes, but this file has {}", len - 2));
        directory.put("x", [&raw[..], b"\n"].concat());
        directory
            .run("inspect x")
            .code(3)
            .err_has(&format!("a raw {kind} of degree 512 has {len} bytes, but this file has {}", len + 1));
    }
}

#[test]
fn an_empty_file_can_be_signed_but_is_not_a_key_or_a_signature() {
    let directory = TestDirectory::ready();
    directory.put("empty", "");
    directory.run("sign -k k.key empty").code(0);
    directory.run("verify -p k.pub empty").code(0).out_has("empty: OK");
    directory.run("verify -p k.pub -s empty a").code(3).out_has("a: ERROR").out_has("the file is empty");
    directory.run("verify -p empty a").code(3).err_has("the file is empty");
    directory.run("sign -k empty -o s a").code(3);
    assert!(!directory.has("s"));
}
