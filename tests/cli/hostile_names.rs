//! Tests with 500 hostile file names. A name imitates a control sequence, a new line, a verdict, an
//! option, or shell code. The tests also use the names as comments.

use crate::harness::{ProgramCall, ProgramOutput, SplitMixRng, TestDirectory, have, in_parallel, skip};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use regex_syntax::hir::{Class, HirKind};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::sync::LazyLock;

/// The number of names.
const COUNT: usize = 500;

/// Parts of the names, in addition to all control characters of ASCII and Latin-1.
const PIECES: &[&[u8]] = &[
    b"\x1b[31m",
    b"\x1b[2J",
    b"\x1b]0;title\x07",
    b"\x1b[1A",
    b"\r\n",
    b"\n\n",
    b"\rOK",
    b"\x9b31m",
    b"\xff",
    b"\xc3",
    b"\xe2\x80",
    b"\xf0\x9f\x98",
    b"\xc0\xaf",
    b"\xed\xa0\x80",
    b"\xf4\x90\x80\x80",
    b"\xfe",
    b"'",
    b"''",
    b"\"",
    b"`id`",
    b"\\",
    b"\\'",
    b"\\n",
    b"$'",
    b"$(id)",
    b"${HOME}",
    b"$HOME",
    b"-",
    b"--",
    b"-k",
    b"-qq",
    b"--json",
    b"-h",
    b": OK (",
    b"a: OK (FN-DSA-16 sha256:00)",
    b": FAILED (",
    b"\na: OK (FN-DSA-512)",
    b" ",
    b"  ",
    b"*",
    b"?",
    b"[a]",
    b"~",
    b"#",
    b"!",
    b"!!",
    b"&",
    b"|",
    b";",
    b"<",
    b">",
    b"(",
    b")",
    b"{a,b}",
    b"=",
    b"%s",
    b"%n",
    b"\\033",
    b"@",
    b"^",
    b"con",
    b"error: ",
    b"hint: ",
    b".key",
    b".sig",
    "\u{85}".as_bytes(),
    "\u{2028}".as_bytes(),
    "\u{2029}".as_bytes(),
    "\u{202a}".as_bytes(),
    "\u{202b}".as_bytes(),
    "\u{202c}".as_bytes(),
    "\u{202d}".as_bytes(),
    "\u{202e}".as_bytes(),
    "\u{2066}".as_bytes(),
    "\u{2067}".as_bytes(),
    "\u{2068}".as_bytes(),
    "\u{2069}".as_bytes(),
    "\u{200e}".as_bytes(),
    "\u{200f}".as_bytes(),
    "\u{61c}".as_bytes(),
    "\u{200b}".as_bytes(),
    "\u{200c}".as_bytes(),
    "\u{200d}".as_bytes(),
    "\u{2060}".as_bytes(),
    "\u{feff}".as_bytes(),
    "\u{ad}".as_bytes(),
    "\u{a0}".as_bytes(),
    "\u{3000}".as_bytes(),
    "\u{2003}".as_bytes(),
    "\u{3164}".as_bytes(),
    "\u{fe0f}".as_bytes(),
    "\u{e0041}".as_bytes(),
    "\u{fffe}".as_bytes(),
    "\u{e000}".as_bytes(),
    "e\u{301}".as_bytes(),
    "\u{5e9}\u{5dc}\u{5d5}\u{5dd}".as_bytes(),
    "\u{645}\u{631}".as_bytes(),
    "\u{1f600}".as_bytes(),
    "日本".as_bytes(),
    "Grüße".as_bytes(),
    "\u{9b}31m".as_bytes(),
    "\u{90}".as_bytes(),
    "\u{9d}0;x\u{9c}".as_bytes(),
    "\u{180e}".as_bytes(),
    "\u{fff9}".as_bytes(),
];

/// Returns the names: each part alone and inside a word, and then random mixtures. The last names
/// have the maximum length that allows the suffix `.sig`.
fn hostile_names() -> Vec<Vec<u8>> {
    let controls = (1..0x20).chain([0x7f]).map(|b| vec![b]);
    let latin = (0x80..0xa0_u8).flat_map(|b| [vec![b], char::from(b).to_string().into_bytes()]);
    let pieces: Vec<_> = controls.chain(latin).chain(PIECES.iter().map(|p| p.to_vec())).collect();
    let mut random = SplitMixRng(500);
    let mut mixture = |len: usize| {
        let mut name = vec![];
        while name.len() < len {
            name.extend_from_slice(&pieces[random.below(pieces.len())]);
        }
        name
    };
    let inside = pieces.iter().map(|piece| [b"a", &piece[..], b"z"].concat());
    let mut names: Vec<_> = pieces.iter().cloned().chain(inside).collect();
    while names.len() < COUNT + 100 {
        names.push(mixture(2 + names.len() % 40));
    }
    for _ in 0..30 {
        let mut name = mixture(251);
        // The name must also be valid after `.sig` is appended, so it has at most 251 bytes.
        name.truncate(251);
        names.push(name);
    }
    let mut known = BTreeSet::from([b"-".to_vec(), b".".to_vec(), b"..".to_vec()]);
    names.retain(|name| known.insert(name.clone()));
    let skipped = names.len() - COUNT;
    names.drain(COUNT - 30..COUNT - 30 + skipped);
    assert_eq!(names.len(), COUNT);
    names
}

/// Ranges of characters that are invisible, that control the display, or that Unicode 16.0.0 does
/// not assign.
static HIDDEN: LazyLock<Vec<(char, char)>> =
    LazyLock::new(|| unicode_class(r"[[\p{Z}\p{C}\p{Default_Ignorable_Code_Point}\p{Variation_Selector}]--[ ]]"));

/// Returns the ranges of a character class from the Unicode tables.
fn unicode_class(pattern: &str) -> Vec<(char, char)> {
    match regex_syntax::parse(pattern).unwrap().into_kind() {
        HirKind::Class(Class::Unicode(class)) => class.ranges().iter().map(|r| (r.start(), r.end())).collect(),
        other => panic!("{other:?}"),
    }
}

/// Returns whether a character is visible and does not change the display: it is not in [`HIDDEN`].
fn is_visible(c: char) -> bool {
    let ranges_before = HIDDEN.partition_point(|(first, _)| *first <= c);
    ranges_before == 0 || HIDDEN[ranges_before - 1].1 < c
}

/// Checks that the output contains no terminal control characters and no invisible characters.
#[track_caller]
fn assert_no_control_characters(output: &ProgramOutput) {
    assert!(str::from_utf8(&output.stdout).is_ok(), "{}", output.out);
    for text in [&output.out, &output.err] {
        if let Some(bad) = text.chars().find(|c| *c != '\n' && !is_visible(*c)) {
            panic!("{bad:?} is in {text:?}");
        }
    }
    assert!(!output.err.contains("this is a bug"), "{}", output.err);
}

/// Prepares a call with the names as arguments.
fn call_with_names(directory: &TestDirectory, line: &str, names: &[Vec<u8>]) -> ProgramCall {
    names.iter().fold(directory.call(line).arg("--"), |call, name| call.arg(OsStr::from_bytes(name)))
}

/// Creates toy keys, files with all the names, and their signatures.
fn directory_with_signed_files(names: &[Vec<u8>]) -> TestDirectory {
    let directory = TestDirectory::toy();
    names.iter().for_each(|name| directory.put(OsStr::from_bytes(name), name));
    let output = call_with_names(&directory, "--allow-weak -v sign -k k.key", names).run().code(0).out_empty();
    assert_no_control_characters(&output);
    assert_eq!(output.err.lines().filter(|line| line.contains(": signed by FN-DSA-16 sha256:")).count(), names.len());
    assert_eq!(output.err.lines().count(), names.len() + 1);
    assert!(output.err.ends_with(&format!("\nwrote {} signature files\n", names.len())), "{}", output.err);
    directory
}

/// Returns the arguments that a shell parses from words.
fn parse_words(directory: &TestDirectory, shell: &str, words: &[&str]) -> Vec<Vec<u8>> {
    let script = format!("printf '%s\\0' {}", words.join(" "));
    directory.put("script", &script);
    let out = ProgramCall::new(shell, directory.root()).arg("script").run().code(0).stdout;
    out.split(|b| *b == 0).take(words.len()).map(<[u8]>::to_vec).collect()
}

#[test]
fn every_line_is_for_one_file_and_its_name_can_be_pasted() {
    let names = hostile_names();
    let directory = directory_with_signed_files(&names);
    for (line, code, verdict) in
        [("--allow-weak verify -p k.pub", 0, ": OK"), ("--allow-weak verify -p k.pub -c x", 1, ": FAILED (")]
    {
        let output = call_with_names(&directory, line, &names).run().code(code);
        assert_no_control_characters(&output);
        let lines: Vec<_> = output.out.lines().collect();
        assert_eq!(lines.len(), names.len());
        let shown: Vec<_> = lines.iter().map(|line| line.rsplit_once(verdict).unwrap().0).collect();
        if have("bash") {
            assert!(parse_words(&directory, "bash", &shown) == names, "a name does not come back");
        } else {
            skip("names pasted into bash", "there is no bash");
        }
        // If a name has no hidden characters, any shell can parse its printed form.
        let (simple, expected): (Vec<_>, Vec<_>) =
            shown.iter().zip(&names).filter(|(shown, _)| !shown.contains("$'")).map(|(s, n)| (*s, n.clone())).unzip();
        assert!(simple.len() > 100, "{}", simple.len());
        assert!(parse_words(&directory, "sh", &simple) == expected, "a name does not come back from sh");
    }
}

#[test]
fn json_contains_every_name_byte_for_byte() {
    let names = hostile_names();
    let directory = directory_with_signed_files(&names);
    for line in ["--allow-weak --json verify -p k.pub", "--json inspect", "--allow-weak --json sign -f -k k.key"] {
        let output = call_with_names(&directory, line, &names).run();
        assert_no_control_characters(&output);
        let document = output.json();
        let results = document["results"].as_array().unwrap();
        assert_eq!(results.len(), names.len(), "{line}");
        for (result, name) in results.iter().zip(&names) {
            let path = result["path"].as_str().unwrap();
            match result.get("path_b64") {
                None => assert_eq!(path.as_bytes(), name),
                Some(coded) => {
                    assert_eq!(STANDARD.decode(coded.as_str().unwrap()).unwrap(), *name);
                    assert!(str::from_utf8(name).is_err());
                }
            }
        }
    }
}

/// Output escapes all Unicode control characters, format characters, separators, default ignorable
/// characters and variation selectors.
#[test]
fn every_hidden_character_is_escaped() {
    let directory = TestDirectory::toy();
    let all = unicode_class(r"[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Variation_Selector}]");
    let all = all.into_iter().flat_map(|(first, last)| first..=last).filter(|c| *c != '\0');
    let names: Vec<_> = all.map(|c| format!("a{c}z").into_bytes()).collect();
    assert!(names.len() > 4000, "{}", names.len());
    let output = call_with_names(&directory, "inspect", &names).run().code(4).out_empty();
    assert_no_control_characters(&output);
    assert_eq!(output.err.lines().filter(|line| line.starts_with("error: ")).count(), names.len());
    let output = call_with_names(&directory, "--json inspect", &names).run().code(4);
    assert_no_control_characters(&output);
    let document = output.json();
    let paths: Vec<_> =
        document["results"].as_array().unwrap().iter().map(|result| result["path"].as_str().unwrap()).collect();
    assert!(paths.iter().map(|path| path.as_bytes()).eq(names.iter().map(|name| &name[..])));
}

#[test]
fn errors_about_such_names_are_one_line_each() {
    let names = hostile_names();
    let directory = TestDirectory::toy();
    // These files do not exist, and some names look like the bytes of a key.
    let names: Vec<_> = names.iter().map(|name| [b"./", &name[..]].concat()).collect();
    let absent = call_with_names(&directory, "inspect", &names).run().code(4).out_empty();
    assert_no_control_characters(&absent);
    let errors: Vec<_> = absent.err.lines().filter(|line| !line.starts_with("hint: ")).collect();
    assert_eq!(errors.len(), names.len());
    assert!(errors.iter().all(|line| line.starts_with("error: ") && line.ends_with(": no such file or directory")));
    let absent = call_with_names(&directory, "--allow-weak verify -p k.pub", &names).run().code(4);
    assert_no_control_characters(&absent);
    assert_eq!(absent.out.lines().filter(|line| line.contains(": ERROR (")).count(), names.len());
    // A name with the maximum length has no space for `.sig`.
    let long = vec![b"\n".repeat(255)];
    directory.put(OsStr::from_bytes(&long[0]), "");
    let output = call_with_names(&directory, "--allow-weak sign -k k.key", &long).run().code(4).err_has("too long");
    assert_no_control_characters(&output);
}

#[test]
fn hostile_names_are_escaped_in_every_position() {
    let names = hostile_names();
    let some: Vec<_> = names.iter().step_by(7).collect();
    in_parallel(&some, |i, name| {
        let (directory, name) = (TestDirectory::toy(), OsStr::from_bytes(name));
        for line in
            ["verify a -p", "sign a -k", "sign --mu -k", "pubkey -k", "verify --expect-key", "inspect --backend"]
        {
            assert_no_control_characters(&directory.call(line).arg(name).run());
        }
        for line in
            ["keygen -a", "sign --prehash", "sign --key-env", "sign -k k.key --context-file", "--color", "quickstart"]
        {
            assert_no_control_characters(&directory.call(line).arg(name).arg("a").run());
        }
        for command in ["", "sgin", "verify"] {
            let output = directory.call(command).arg(name).run();
            assert_no_control_characters(&output);
            assert!([0, 2, 4].contains(&output.code), "{output:?}");
        }
        let keys = directory.path(format!("d{i}"));
        std::fs::create_dir(&keys).unwrap();
        let output = directory.call("--allow-weak keygen -a fn-dsa-16 --").arg(keys.join(name)).run();
        assert_no_control_characters(&output);
        assert!(output.code == 0 || output.code == 2, "{output:?}");
        assert_eq!(std::fs::read_dir(&keys).unwrap().count(), if output.code == 0 { 2 } else { 0 });
        assert_no_control_characters(
            &directory.call("--allow-weak pubkey -v -k k.key -o").arg(keys.join(name)).run().code(0),
        );
    });
}

/// Text around a PEM block does not change a key, a signature or a verdict, and fndsa does not
/// print the text.
#[test]
fn hostile_comments_change_nothing_and_are_not_printed() {
    let (directory, names) = (TestDirectory::toy(), hostile_names());
    for file in ["k.key", "k.pub", "a.sig"] {
        let text = directory.text(file);
        let block = &text[text.find("-----BEGIN").unwrap()..];
        let files: Vec<_> = (0..names.len()).map(|i| format!("{i}")).collect();
        for (file, comment) in files.iter().zip(&names) {
            directory.put(file, [&comment[..], b"\n", block.as_bytes(), comment, b"\n"].concat());
        }
        let call = files.iter().fold(directory.call("--allow-weak inspect"), |call, file| call.arg(file));
        let output = call.run().code(0).err_empty();
        assert_no_control_characters(&output);
        let lines: Vec<_> = output.out.lines().filter(|line| !line.contains(": warning: ")).collect();
        assert_eq!(lines.len(), names.len());
        let ends: BTreeSet<_> = lines.iter().map(|line| line.split_once(": ").unwrap().1).collect();
        assert_eq!(ends.len(), 1, "{ends:?}");
        if file == "a.sig" {
            for file in &files {
                std::fs::rename(directory.path(file), directory.path(format!("{file}.sig"))).unwrap();
                directory.put(file, "hello\n");
            }
            let call =
                files.iter().fold(directory.call("--allow-weak -v verify -p k.pub"), |call, file| call.arg(file));
            let output = call.run().code(0);
            assert_no_control_characters(&output);
            // The output for the files does not depend on the comments.
            let labels: Vec<_> = output.err.lines().filter_map(|line| Some(line.split_once(".sig, ")?.1)).collect();
            assert_eq!((labels.len(), BTreeSet::from_iter(&labels).len()), (names.len(), 1), "{labels:?}");
        }
    }
}

#[test]
fn hostile_labels_are_not_printed() {
    let (directory, names) = (TestDirectory::toy(), hostile_names());
    let files: Vec<_> = (0..names.len()).map(|i| format!("{i}")).collect();
    for (file, label) in files.iter().zip(&names) {
        directory.put(file, [b"-----BEGIN ", &label[..], b"-----\nAAAA\n-----END ", label, b"-----\n"].concat());
    }
    let output = files.iter().fold(directory.call("inspect"), |call, file| call.arg(file)).run().code(3).out_empty();
    assert_no_control_characters(&output);
    assert_eq!(output.err.lines().filter(|line| line.starts_with("error: ")).count(), names.len());
}
