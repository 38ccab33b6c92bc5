//! Tests `verify` with random combinations of keys, options, and good and damaged files and lists.
//! A model computes the expected result ([`ExpectedResult`]). It knows how the files were made, and
//! does not read them. The exit code must be 0 if and only if the model expects that all files are
//! good. This command tries 100,000 combinations:
//!
//! ```sh
//! FNDSA_LONG=1 cargo test --release --test cli combinations -- --nocapture
//! ```
//!
//! Without `FNDSA_LONG=1`, the test tries 500 combinations. Each run prints its seed. The variable
//! `FNDSA_SEED` sets the seed.

use crate::harness::{FNDSA, ProgramCall, ProgramOutput, SplitMixRng, TestDirectory, in_parallel, long};
use fndsa::no_alloc::Level;
use std::fmt::Write;
use std::fs;
use std::os::unix::fs::symlink;
use std::sync::Mutex;

/// The possible results for a file, each with a bit. A sum of bits represents a set of allowed
/// results.
const OK: u8 = 1;
const FAILED: u8 = 2;
/// An error with exit code 3: the file's content is invalid.
const INPUT: u8 = 4;
/// An error with exit code 4: the operating system reports an error.
const IO: u8 = 8;
/// An error with exit code 2: a context is given, but the signature scheme does not support
/// contexts.
const USAGE: u8 = 16;

/// The forms of signatures. A form is a context and a pre-hash. For each form, the inner list
/// contains options with the same meaning.
const FORMS: [&[&str]; 4] = [
    &["", "--context=", "--prehash none"],
    &["--context v1", "-c v1", "--context-hex 7631", "--context-file context"],
    &["--prehash sha256"],
    &["--prehash sha3-512 --context-hex 00ff", "--context-hex 00FF --prehash sha3-512"],
];

/// A key pair: `name.key`, and the public key in each format of `formats`.
struct PoolKey {
    name: &'static str,
    algorithm: &'static str,
    /// Formats of the public key in addition to `name.pub`, which is PEM.
    formats: &'static [&'static str],
    /// The number of forms in which this key signs the test's files: the first `signs` entries of
    /// [`FORMS`]. The key may also support the remaining forms.
    signs: usize,
    is_toy: bool,
}

const KEYS: [PoolKey; 6] = [
    PoolKey { name: "k0", algorithm: "fn-dsa-512", formats: &["raw", "spki", "spki-der"], signs: 4, is_toy: false },
    PoolKey { name: "k1", algorithm: "fn-dsa-1024", formats: &["raw", "spki", "spki-der"], signs: 4, is_toy: false },
    PoolKey { name: "k2", algorithm: "fn-dsa-512", formats: &["raw", "spki"], signs: 4, is_toy: false },
    PoolKey { name: "k3", algorithm: "falcon-512", formats: &["raw", "spki", "spki-der"], signs: 1, is_toy: false },
    PoolKey { name: "k4", algorithm: "fn-dsa-2024-512", formats: &[], signs: 2, is_toy: false },
    PoolKey { name: "k5", algorithm: "fn-dsa-16", formats: &["raw"], signs: 4, is_toy: true },
];

/// Files that are not public keys.
const NO_KEYS: [&str; 6] = ["k0.key", "none.pub", "cut.pub", "garbage", "empty", "g0-0.sig"];

/// A signed file or a signed list, with or without a defect.
struct PoolFile {
    name: String,
    /// The signing key is `KEYS[key]`, and the form is `FORMS[form]`.
    key: usize,
    form: usize,
    /// The set of allowed results if the command line has the signing key's public key, and the
    /// options for the signature's form.
    allowed: u8,
    /// For a list: the names in the list, and the allowed results for each name.
    listed: Vec<(String, u8)>,
}

/// Returns whether the pool contains signatures by this key in this form.
fn can_sign(key: usize, form: usize) -> bool {
    form < KEYS[key].signs
}

/// A directory with files of all kinds. The tests do not change these files.
struct FilePool {
    directory: TestDirectory,
    fingerprints: Vec<String>,
    files: Vec<PoolFile>,
    lists: Vec<PoolFile>,
}

impl FilePool {
    /// Creates the keys, files and lists of the pool.
    fn new() -> Self {
        let directory = TestDirectory::empty();
        directory.put("context", "v1");
        directory.put("empty", "");
        directory.put("garbage", [0x5a; 700]);
        fs::create_dir(directory.path("folder")).unwrap();
        let mut fingerprints = vec![];
        for key in &KEYS {
            let PoolKey { name, algorithm, .. } = key;
            directory.run(&format!("--allow-weak keygen -a {algorithm} {name}")).code(0);
            for format in key.formats {
                directory.run(&format!("--allow-weak convert {name}.pub -o {name}.{format} --to {format}")).code(0);
            }
            let json = directory.run(&format!("--allow-weak --json inspect {name}.pub")).code(0).json();
            fingerprints.push(json["results"][0]["key"]["fingerprint"].as_str().unwrap().to_owned());
        }
        let cut = directory.text("k0.pub").lines().take(6).collect::<Vec<_>>().join("\n");
        directory.put("cut.pub", cut);
        let mut pool = Self { directory, fingerprints, files: vec![], lists: vec![] };
        for key in 0..KEYS.len() {
            for form in 0..KEYS[key].signs {
                pool.add_good_files(key, form);
            }
        }
        (0..4).for_each(|key| pool.add_defective_files(key));
        for key in [0, 1, 3, 5] {
            (0..KEYS[key].signs.min(2)).for_each(|form| pool.add_lists(key, form));
        }
        pool
    }

    /// Runs `sign` with the key `KEYS[key]`, the form `FORMS[form]` and the arguments `rest`.
    fn sign(&self, key: usize, form: usize, rest: &str) {
        let (key, form) = (KEYS[key].name, FORMS[form][0]);
        self.directory.run(&format!("--allow-weak sign -k {key}.key {form} {rest}")).code(0);
    }

    /// Creates a file with `len` copies of its name, and signs it. The caller may change the files
    /// afterwards. `allowed` is the set of allowed results after this change.
    fn add_signed_file(&mut self, name: &str, key: usize, form: usize, len: usize, allowed: u8) {
        self.directory.put(name, name.repeat(len));
        self.sign(key, form, name);
        self.files.push(PoolFile { name: name.to_owned(), key, form, allowed, listed: vec![] });
    }

    /// Creates files without a defect: ordinary, empty and long files, symbolic links, and files
    /// with raw signatures.
    fn add_good_files(&mut self, key: usize, form: usize) {
        self.add_signed_file(&format!("g{key}-{form}"), key, form, 1, OK);
        self.add_signed_file(&format!("e{key}-{form}"), key, form, 0, OK);
        self.add_signed_file(&format!("l{key}-{form}"), key, form, 20_000, OK);
        if form == 0 {
            let name = format!("symbolic{key}");
            self.add_signed_file(&name, key, form, 3, OK);
            fs::rename(self.directory.path(&name), self.directory.path(format!("target{key}"))).unwrap();
            symlink(format!("target{key}"), self.directory.path(&name)).unwrap();
        }
        if form == 0 && !KEYS[key].formats.is_empty() {
            let name = format!("raw{key}");
            self.add_signed_file(&name, key, form, 5, OK);
            self.sign(key, form, &format!("--format raw -f {name}"));
        }
    }

    /// Creates files with a defect. Only `twice` has no defect: its signature file contains the
    /// signature two times.
    fn add_defective_files(&mut self, key: usize) {
        for (kind, allowed) in [
            ("changed", FAILED),
            ("longer", FAILED),
            ("swapped", FAILED),
            ("flipped", FAILED | INPUT),
            ("label", FAILED | INPUT),
            ("cut", INPUT),
            ("twice", OK),
            ("nothing", INPUT),
            ("noise", INPUT),
            ("public", INPUT),
            ("unsigned", IO),
            ("gone", IO),
            ("dangling", IO),
            ("directory", IO),
        ] {
            let name = format!("{kind}{key}");
            self.add_signed_file(&name, key, 0, 2, allowed);
            let (directory, signature) = (&self.directory, format!("{name}.sig"));
            let text = directory.text(&signature);
            let middle = text.len() / 2;
            match kind {
                "changed" => directory.put(&name, "something else"),
                "longer" => directory.put(&name, directory.text(&name) + "\n"),
                "swapped" => directory.put(&signature, directory.get(format!("g{key}-0.sig"))),
                "flipped" => {
                    let new_digit = if text.as_bytes()[middle] == b'A' { "B" } else { "A" };
                    directory.put(&signature, [&text[..middle], new_digit, &text[middle + 1..]].concat());
                }
                "label" => directory.put(&signature, text.replace("SIGNATURE", "PUBLIC KEY")),
                "cut" => directory.put(&signature, &text[..middle]),
                "twice" => directory.put(&signature, text.repeat(2)),
                "nothing" => directory.put(&signature, ""),
                "noise" => directory.put(&signature, [0x5a; 700]),
                "public" => directory.put(&signature, directory.get("k0.pub")),
                "unsigned" => fs::remove_file(directory.path(&signature)).unwrap(),
                _ => {
                    fs::remove_file(directory.path(&name)).unwrap();
                    match kind {
                        "dangling" => symlink("nowhere", directory.path(&name)).unwrap(),
                        "directory" => fs::create_dir(directory.path(&name)).unwrap(),
                        _ => {}
                    }
                }
            }
        }
    }

    /// Creates a good list, and lists with a defect: in the list, in its signature, or in the third
    /// listed file.
    fn add_lists(&mut self, key: usize, form: usize) {
        for (kind, allowed, of_one) in [
            ("whole", OK, OK),
            ("stale", OK, FAILED),
            ("missing", OK, IO),
            ("edited", FAILED, OK),
            ("bare", IO, OK),
            ("spoilt", INPUT, OK),
        ] {
            let name = format!("M{kind}{key}-{form}");
            let listed: Vec<_> = (0..4).map(|i| format!("{name}.{i}")).collect();
            listed.iter().for_each(|file| self.directory.put(file, file));
            self.sign(key, form, &format!("-M {name} {}", listed.join(" ")));
            let (directory, signature) = (&self.directory, format!("{name}.sig"));
            match kind {
                "stale" => directory.put(&listed[2], "other"),
                "missing" => fs::remove_file(directory.path(&listed[2])).unwrap(),
                "edited" => directory
                    .put(&name, directory.text(&name).lines().skip(1).map(|l| l.to_owned() + "\n").collect::<String>()),
                "bare" => fs::remove_file(directory.path(&signature)).unwrap(),
                "spoilt" => directory.put(&signature, "no signature"),
                _ => {}
            }
            let allowed_verdict = |i| if i == 2 { of_one } else { OK };
            let listed = listed.into_iter().enumerate().map(|(i, file)| (file, allowed_verdict(i))).collect();
            self.lists.push(PoolFile { name, key, form, allowed, listed });
        }
    }
}

/// The result that the model expects.
struct ExpectedResult {
    /// fndsa stops before it verifies any file, because a public key is invalid, a toy key is not
    /// allowed, or no key supports the context.
    stopped: bool,
    /// File names and the allowed results for each file. If there is a list, fndsa may report the
    /// files in any order.
    files: Vec<(String, u8)>,
}

impl ExpectedResult {
    /// Returns whether the model expects exit code 0.
    fn is_good(&self) -> bool {
        !self.stopped && self.files.iter().all(|(_, allowed)| *allowed == OK)
    }
}

/// A command line and its expected result.
struct CommandCombination {
    words: Vec<String>,
    input: Vec<u8>,
    expected: ExpectedResult,
    /// Files that only this combination uses. [`Self::run`] removes them.
    own: Vec<String>,
    json: bool,
    quiet: usize,
    ordered: bool,
}

impl CommandCombination {
    /// Chooses keys, options and files, and computes the expected result. The choice depends only
    /// on the seed and on the number of the combination.
    fn new(pool: &FilePool, seed: u64, number: usize) -> Self {
        let mut random = SplitMixRng(seed ^ (number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut chance = |one_in: usize| random.below(one_in) == 0;
        let json = chance(3);
        let quiet = if chance(4) { 1 + usize::from(chance(3)) } else { 0 };
        let (verbose, explain, spoil_key, from_stdin) = (chance(6), chance(6), chance(14), chance(2));
        let (trusted, expects, jobs, backend) = (chance(3), chance(5), chance(3), chance(3));
        let (from_list, manifest, weak, all_match) = (chance(3), chance(4), !chance(6), !chance(2));
        let (ignore_missing, some_named, stream, spoil_one) = (chance(2), chance(3), chance(8), chance(3));
        let mut own = vec![];
        let mut input = vec![];

        // Choose the public keys for the command line.
        let mut keys: Vec<usize> = (0..KEYS.len()).collect();
        while keys.len() > 1 + random.below(4) {
            keys.remove(random.below(keys.len()));
        }
        keys.truncate(4);
        for i in (1..keys.len()).rev() {
            keys.swap(i, random.below(i + 1));
        }
        let form = random.below(keys.iter().map(|key| KEYS[*key].signs).max().unwrap() + 1).min(3);
        let mut options: Vec<String> =
            FORMS[form][random.below(FORMS[form].len())].split(' ').map(str::to_owned).collect();
        let mut stopped = keys.iter().any(|key| KEYS[*key].is_toy) && !weak;
        // If no chosen key supports the context, fndsa stops. If k4 (FN-DSA-2024) is among the
        // chosen keys, fndsa does not stop, because k4 supports all forms. The pool has no
        // signatures by k4 for the last two forms, so the test also chooses k0, which signs all
        // forms.
        if !keys.iter().any(|key| can_sign(*key, form)) {
            if keys.iter().any(|key| KEYS[*key].name == "k4") {
                keys.push(0);
            } else {
                stopped = true;
            }
        }
        if trusted {
            let mut text = String::from("# keys that are trusted\n");
            keys.iter().for_each(|key| text += &pool.directory.text(format!("{}.pub", KEYS[*key].name)));
            if spoil_key {
                text += &pool.directory.text(["k0.key", "cut.pub", "g0-0.sig"][random.below(3)]);
            }
            let name = format!("trusted{number}");
            pool.directory.put(&name, text);
            options.extend(["--trusted-keys".to_owned(), name.clone()]);
            own.push(name);
        } else {
            let mut names: Vec<String> = keys
                .iter()
                .map(|key| {
                    let PoolKey { name, formats, .. } = &KEYS[*key];
                    format!("{name}.{}", formats.get(random.below(formats.len() + 1)).unwrap_or(&"pub"))
                })
                .collect();
            if spoil_key {
                names.insert(random.below(names.len() + 1), NO_KEYS[random.below(NO_KEYS.len())].to_owned());
            }
            options.extend(names.into_iter().flat_map(|name| ["-p".to_owned(), name]));
        }
        stopped |= spoil_key;
        let mut counts = keys.clone();
        if expects {
            let wanted: Vec<usize> = (0..1 + random.below(2)).map(|_| random.below(KEYS.len())).collect();
            options.extend(wanted.iter().flat_map(|key| ["--expect-key".to_owned(), pool.fingerprints[*key].clone()]));
            counts.retain(|key| wanted.contains(key));
            // If an expected key is not among the given keys, all verdicts are NO.
            if wanted.iter().any(|key| !keys.contains(key)) {
                counts.clear();
            }
        }
        // `allowed_for` returns the allowed results for a file, if the command line has these keys
        // and this form.
        let usage_error =
            |file: &PoolFile| if keys.contains(&file.key) && !can_sign(file.key, form) { USAGE } else { 0 };
        let allowed_for = |file: &PoolFile| match file.allowed {
            _ if counts.is_empty() => FAILED | file.allowed & !OK,
            OK if counts.contains(&file.key) && file.form == form => OK,
            OK if usage_error(file) != 0 && counts.contains(&file.key) => FAILED | USAGE,
            OK => FAILED,
            allowed if counts.contains(&file.key) && file.form == form => allowed,
            allowed => allowed | FAILED | usage_error(file),
        };

        // Choose the files.
        let matching = |file: &&PoolFile| file.allowed == OK && counts.contains(&file.key) && file.form == form;
        let mut files = vec![];
        let mut names = vec![];
        if manifest {
            let all: Vec<&PoolFile> = pool.lists.iter().collect();
            let some: Vec<&PoolFile> = all.iter().copied().filter(matching).collect();
            let from = if all_match && !some.is_empty() { some } else { all };
            let list = from[random.below(from.len())];
            options.extend(["-M".to_owned(), list.name.clone()]);
            if ignore_missing {
                options.push("--ignore-missing".to_owned());
            }
            let verdict = allowed_for(list);
            files.push((list.name.clone(), verdict));
            let mut listed = list.listed.clone();
            if some_named {
                // Keep at least one name.
                listed.truncate(1 + random.below(4));
                if spoil_one {
                    listed.push(("g0-0".to_owned(), FAILED));
                }
                names = listed.iter().map(|(name, _)| name.clone()).collect();
            }
            if verdict == OK {
                files.extend(listed.into_iter().filter(|(_, allowed)| !(ignore_missing && *allowed == IO)));
            }
        } else {
            let all: Vec<&PoolFile> = pool.files.iter().collect();
            let mut some: Vec<&PoolFile> = all.iter().copied().filter(matching).collect();
            let count = 1 + random.below(5);
            while names.len() < count {
                let spoils = spoil_one && names.is_empty();
                let from = if all_match && !spoils && !some.is_empty() { &mut some } else { &mut all.clone() };
                let file = from.swap_remove(random.below(from.len()));
                if !names.contains(&file.name) {
                    names.push(file.name.clone());
                    files.push((file.name.clone(), allowed_for(file)));
                }
            }
            let shift = random.below(names.len());
            names.rotate_left(shift);
            files.rotate_left(shift);
            // Read a single file from standard input, or name its signature file.
            if names.len() == 1 && !trusted {
                options.extend(["-s".to_owned(), format!("{}.sig", names[0])]);
                if stream && !from_list && pool.directory.path(&names[0]).is_file() {
                    input = pool.directory.get(&names[0]);
                    (names[0], files[0].0) = ("-".to_owned(), "-".to_owned());
                }
            }
        }
        if from_list && !names.is_empty() {
            let end = if random.below(2) == 0 { '\n' } else { '\0' };
            let kept = random.below(names.len());
            let text: String = names.drain(kept..).flat_map(|name| [name, end.to_string()]).collect();
            if end == '\0' {
                options.push(["-0", "--null"][random.below(2)].to_owned());
            }
            if from_stdin {
                options.extend(["--files-from".to_owned(), "-".to_owned()]);
                input = text.into_bytes();
            } else {
                let name = format!("names{number}");
                pool.directory.put(&name, text);
                options.extend(["--files-from".to_owned(), name.clone()]);
                own.push(name);
            }
        }

        if jobs {
            options.extend(["-j".to_owned(), ["1", "2", "3", "all"][random.below(4)].to_owned()]);
        }
        let mut global = vec![];
        if backend {
            let levels: Vec<String> = Level::available().map(|level| level.to_string()).collect();
            global.extend(["--backend".to_owned(), levels[random.below(levels.len())].clone()]);
        }
        let flags =
            [(json, "--json"), (verbose, "-v"), (weak, "--allow-weak"), (quiet == 1, "-q"), (quiet == 2, "-qq")];
        global.extend(flags.iter().filter(|(on, _)| *on).map(|(_, word)| (*word).to_owned()));
        if explain {
            options.push("--explain".to_owned());
        }
        options.retain(|word| !word.is_empty());
        let verify = vec!["verify".to_owned()];
        let words = match random.below(3) {
            0 => [global, verify, names, options],
            1 => [verify, global, options, names],
            _ => [verify, options, names, global],
        };
        let words = words.concat();
        Self { words, input, expected: ExpectedResult { stopped, files }, own, json, quiet, ordered: !manifest }
    }

    /// Runs the command line, and removes the files in `own`.
    fn run(&self, pool: &FilePool) -> ProgramOutput {
        let call = self.words.iter().fold(ProgramCall::new(FNDSA, pool.directory.root()), |call, word| call.arg(word));
        let output = call.input(self.input.clone()).run();
        self.own.iter().for_each(|name| fs::remove_file(pool.directory.path(name)).unwrap());
        output
    }

    /// Returns the name and the reported result of each file. Returns `None` if the options
    /// suppress these results.
    fn reported_results(&self, output: &ProgramOutput) -> Option<Vec<(String, u8)>> {
        let verdict_of = |status: &str| match status {
            "ok" | "OK" => OK,
            "failed" | "FAILED" => FAILED,
            _ => INPUT | IO | USAGE,
        };
        if self.json {
            let results = output.json()["results"].as_array().unwrap().clone();
            let json_result = |result: &serde_json::Value| {
                (result["path"].as_str().unwrap().to_owned(), verdict_of(result["status"].as_str().unwrap()))
            };
            return Some(results.iter().map(json_result).collect());
        }
        let printed_result = |line: &str| {
            let (name, rest) = line.split_once(": ")?;
            let verdict = rest.split(' ').next()?;
            ["OK", "FAILED", "ERROR"].contains(&verdict).then(|| (name.to_owned(), verdict_of(verdict)))
        };
        (self.quiet < 2).then(|| output.out.lines().filter_map(printed_result).collect())
    }

    /// Checks the output. Returns an error that describes the difference.
    fn check_output(&self, output: &ProgramOutput) -> Result<(), String> {
        let ExpectedResult { stopped, files } = &self.expected;
        let expects_yes = self.expected.is_good();
        if (output.code == 0) != expects_yes {
            return Err(format!("exit code {}, but a verdict YES for all files is {expects_yes}", output.code));
        }
        if self.json {
            let json = output.json();
            if json["ok"] != expects_yes || json["exit_code"] != output.code {
                return Err("the document does not agree with the exit code".to_owned());
            }
        }
        let mut reported = self.reported_results(output);
        if *stopped {
            let yes = reported.iter().flatten().any(|(_, verdict)| *verdict == OK);
            return if yes || ![1, 2, 3, 4].contains(&output.code) {
                Err("a verdict YES without a key, or an unexpected exit code".to_owned())
            } else {
                Ok(())
            };
        }
        let mut files = files.clone();
        if let Some(reported) = &mut reported {
            if !self.ordered {
                reported.sort();
                files.sort();
            }
            if self.quiet == 1 && !self.json {
                files.retain(|(_, allowed)| *allowed != OK);
            }
            let names = |files: &[(String, u8)]| files.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
            if names(reported) != names(&files) {
                return Err(format!("the output names the files {:?} instead of {:?}", names(reported), names(&files)));
            }
            for ((name, verdict), (_, allowed)) in reported.iter().zip(&mut files) {
                *allowed &= verdict;
                if *allowed == 0 {
                    return Err(format!("{name}: the model does not allow this verdict"));
                }
            }
        }
        // If the results have different exit codes, fndsa ends with the first of the codes 2, 1, 3
        // and 4 that occurs. The model knows which results can occur and which must occur. So the
        // codes of all possible results are allowed, up to the first result that must occur.
        let order = [(USAGE, 2), (FAILED, 1), (INPUT, 3), (IO, 4)];
        let is_possible = |what: u8| files.iter().any(|(_, allowed)| allowed & what != 0);
        let is_certain = |what: u8| files.iter().any(|(_, allowed)| *allowed == what);
        let last_index = order.iter().position(|(what, _)| is_certain(*what)).unwrap_or(order.len() - 1);
        let codes: Vec<i32> =
            order[..=last_index].iter().filter(|(what, _)| is_possible(*what)).map(|(_, code)| *code).collect();
        if output.code != 0 && !codes.contains(&output.code) {
            return Err(format!("exit code {} is not one of {codes:?}", output.code));
        }
        Ok(())
    }
}

#[test]
fn combinations_have_the_verdicts_of_the_model() {
    let count = if long() { 100_000 } else { 500 };
    let seed = std::env::var("FNDSA_SEED").map_or(0, |seed| seed.parse().expect("FNDSA_SEED is a number"));
    let pool = FilePool::new();
    let failures = Mutex::new(Vec::new());
    let codes = Mutex::new([0; 5]);
    in_parallel(&vec![(); count], |i, ()| {
        let combination = CommandCombination::new(&pool, seed, i);
        let output = combination.run(&pool);
        if let Some(count) = codes.lock().unwrap().get_mut(output.code as usize) {
            *count += 1;
        }
        if let Err(why) = combination.check_output(&output) {
            let mut text = format!("combination {i}: fndsa {}\n{why}\n", combination.words.join(" "));
            write!(text, "{}{}{:?}", output.out, output.err, combination.expected.files).unwrap();
            failures.lock().unwrap().push(text);
        }
    });
    let (failures, codes) = (failures.into_inner().unwrap(), codes.into_inner().unwrap());
    println!("seed {seed}: {count} combinations, {} wrong, exit codes 0 to 4: {codes:?}", failures.len());
    assert!(codes[0] > count / 10 && codes[1] > count / 10 && codes[3] > 0 && codes[4] > 0, "a poor choice: {codes:?}");
    assert!(failures.is_empty(), "{}", failures[..failures.len().min(5)].join("\n\n"));
}
