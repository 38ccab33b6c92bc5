//! Checks rules in ARCHITECTURE.md by reading the sources. Modules: `habits` (style), `kernels`
//! (code for levels), `links` (documents), `systems` (operating systems).

mod habits;
mod kernels;
mod links;
mod systems;

use links::lists::listed;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns all Rust files below `dir`: the path from the package root, and the text.
fn sources(dir: &str) -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut found, mut todo) = (vec![], vec![root.join(dir)]);
    while let Some(dir) = todo.pop() {
        for entry in fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                todo.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                found.push((path.strip_prefix(root).unwrap().to_owned(), text));
            }
        }
    }
    found.sort();
    assert!(!found.is_empty(), "no sources in {dir}");
    found
}

/// Returns a file's text without the unit tests, which are at its end.
fn without_tests(text: &str) -> &str {
    let marks = ["#[cfg(test)]\nmod tests {", "#[cfg(test)]\npub mod tests {"];
    marks.iter().find_map(|mark| text.find(mark)).map_or(text, |at| &text[..at])
}

/// Returns whether a file has only unit tests.
fn is_test(path: &Path) -> bool {
    path.ends_with("tests.rs") || path.components().any(|part| part.as_os_str() == "tests")
}

/// Returns a line without its comment.
fn code(line: &str) -> &str {
    line.split("//").next().unwrap_or("")
}

/// Returns the lines below `dir` for which `is_match` is true, as `file:line: text`, except unit
/// tests at the end of a file. `is_match` gets the path and the line without its comment.
fn lines_where(dir: &str, is_match: impl Fn(&Path, &str) -> bool) -> Vec<String> {
    let mut found = vec![];
    for (path, text) in sources(dir) {
        for (i, line) in without_tests(&text).lines().enumerate() {
            if is_match(&path, code(line)) {
                found.push(format!("{}:{}: {}", path.display(), i + 1, line.trim()));
            }
        }
    }
    found
}

/// Fails with `rule` and a list of the findings, if there are any.
fn assert_none(found: Vec<String>, rule: &str) {
    assert!(found.is_empty(), "{rule}:\n{}", found.join("\n"));
}

/// Returns whether `line` contains `word` as a whole word.
fn has_word(line: &str, word: &str) -> bool {
    let is_word_part = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).any(|(at, _)| {
        let char_before = line[..at].chars().next_back();
        let char_after = line[at + word.len()..].chars().next();
        !char_before.is_some_and(is_word_part) && !char_after.is_some_and(is_word_part)
    })
}

/// Checks that the sources do not use `to_int_unchecked`. This conversion has undefined behaviour
/// for some values.
#[test]
fn conversions_are_defined_for_all_values() {
    assert_none(
        lines_where("src", |_, line| line.contains("to_int_unchecked")),
        "a conversion that is not defined for all values",
    );
}

/// Returns the level types (instruction sets) from `levels!` in `src/simd/level.rs`.
fn levels() -> Vec<String> {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/simd/level.rs")).unwrap();
    let table = text.split_once("\nlevels! {\n").unwrap().1.split_once("\n}\n").unwrap().0;
    let names = table.lines().filter_map(|line| line.strip_prefix("    ")?.strip_suffix(','));
    names.filter(|name| name.starts_with(char::is_uppercase)).map(str::to_owned).collect()
}

/// Returns whether a level computes with single numbers instead of vectors.
fn is_one_lane(level: &str) -> bool {
    ["emulated", "scalar", "scalarfdiv"].contains(&level.to_lowercase().as_str())
}

#[test]
fn instruction_sets_are_named_only_in_simd() {
    let names = ["core::arch", "std::arch", "target_feature", "target_arch", "asm!", "is_x86_feature_detected", "Fdiv"];
    // Search for types and names of vector levels. The names of the levels with one lane (`scalar`,
    // `emulated`) also have other meanings, so the test does not search for them.
    let levels = levels();
    assert!(levels.len() > 8 && levels.contains(&"Avx2".to_owned()), "{levels:?}");
    let lower = levels.iter().map(|name| name.to_lowercase());
    let sets: Vec<_> = lower.chain(levels.iter().cloned()).filter(|name| !is_one_lane(name)).collect();
    let found = lines_where("src", |path, line| {
        let named = names.iter().any(|n| line.contains(n)) || sets.iter().any(|n| has_word(line, n));
        // The first two files contain help texts with the levels for some CPUs. The unit tests in
        // `diff.rs` compare results that contain level names.
        let texts = ["src/cmd/mod.rs", "src/cmd/manual/generated.rs", "src/cmd/bench/diff.rs"];
        named && !path.starts_with("src/simd") && !texts.iter().any(|text| path == Path::new(text))
    });
    assert_none(found, "an instruction set named outside src/simd");
}

/// Returns the position of an engine file: the family's index in the list of families, and the
/// file's index in the family's list. `None` for `mod.rs` and for tests, which may use everything.
fn engine_position(path: &Path) -> Option<(usize, usize)> {
    let parts: Vec<&str> = path.iter().skip(2).filter_map(|part| part.to_str()).collect();
    let (family, module) = (parts[0], parts.get(1)?.trim_end_matches(".rs"));
    if module == "mod" || is_test(path) {
        return None;
    }
    let position_in = |folder: &str, name: &str| {
        let names = listed(folder).unwrap_or_else(|| panic!("{folder} has no list"));
        names.iter().position(|file| file == name).unwrap_or_else(|| panic!("{name} is not in the list of {folder}"))
    };
    Some((position_in("src/engine", family), position_in(&format!("src/engine/{family}"), module)))
}

/// The layers from top to bottom. A layer uses only layers below it. The library's public names
/// are not a layer.
const LAYERS: [&str; 20] = [
    "src/main.rs",
    "src/cmd",
    "src/tool/options",
    "src/tool/context.rs",
    "src/tool/packed.rs",
    "src/tool/stream",
    "src/tool/verify",
    "src/tool/sign",
    "src/tool/trust",
    "src/tool/message",
    "src/tool/keys",
    "src/tool/run",
    "src/tool/io",
    "src/tool/report",
    "src/tool/system",
    "src/verdict",
    "src/files",
    "src/api",
    "src/engine",
    "src/simd",
];

/// Returns the layer that contains a file or a Rust path, as an index into `LAYERS`.
fn layer(path: &Path) -> Option<usize> {
    LAYERS.iter().position(|layer| path.starts_with(layer) || path.starts_with(layer.trim_end_matches(".rs")))
}

#[test]
fn layers_use_only_lower_layers() {
    let mut found = vec![];
    let mut use_counts = [[0; LAYERS.len()]; LAYERS.len()];
    for (path, text) in sources("src") {
        let Some(own_layer) = layer(&path) else {
            // Only the library's root and the list of the tool's layers belong to no layer.
            let lists = ["src/lib.rs", "src/tool/mod.rs"].iter().any(|list| path.ends_with(list));
            assert!(lists, "{}: not in a layer", path.display());
            continue;
        };
        for named in names(&path, &text) {
            let Some(used_layer) = layer(&named) else { continue };
            use_counts[own_layer][used_layer] += 1;
            if used_layer < own_layer {
                found.push(format!("{}: {}", path.display(), named.display()));
            }
        }
    }
    // The crate roots name these two layers without a path, so `names` does not find these uses.
    let by_roots = ["src/cmd", "src/api"];
    let is_used = |layer: usize| use_counts.iter().take(layer).any(|row| row[layer] > 0);
    let unused: Vec<_> = (1..LAYERS.len()).filter(|at| !is_used(*at) && !by_roots.contains(&LAYERS[*at])).collect();
    assert!(unused.is_empty(), "no higher layer uses these layers: {unused:?}");
    assert_none(found, "a file uses a higher layer");
    let private_paths = ["fndsa::engine", "fndsa::simd", "fndsa::api", "crate::engine", "crate::simd", "crate::api"];
    for program in ["src/cmd", "src/tool"] {
        assert_none(
            lines_where(program, |_, line| private_paths.iter().any(|path| line.contains(path))),
            "the program uses names of the library that are not public",
        );
    }
}

#[test]
fn library_layers_use_no_system_and_no_option() {
    let banned = ["clap", "serde_json", "std::fs", "std::env", "std::path", "std::time", "std::io"];
    for (layer, banned) in [("src/files", &banned[..]), ("src/engine", &banned[..]), ("src/api", &banned[..4])] {
        let found = lines_where(layer, |path, line| !is_test(path) && banned.iter().any(|word| line.contains(word)));
        assert_none(found, "a library layer uses a file, a clock, a terminal or an argument");
    }
    let names_option = |line: &str| {
        let text = line.trim_start();
        let dashes = |(at, _): (usize, &str)| text[at + 2..].starts_with(|c: char| c.is_ascii_lowercase());
        (text.starts_with("//!") || text.starts_with("///")) && text.match_indices("--").any(dashes)
    };
    let mut found = vec![];
    for (path, text) in ["src/files", "src/api", "src/engine"].iter().flat_map(|layer| sources(layer)) {
        let lines = without_tests(&text).lines().filter(|line| names_option(line));
        found.extend(lines.map(|line| format!("{}: {}", path.display(), line.trim())));
    }
    assert_none(found, "a comment of the library names a command-line option");
}

/// Returns the commands in the table in `src/cmd/mod.rs`.
fn commands() -> Vec<String> {
    let root = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cmd/mod.rs")).unwrap();
    let table = root.split_once("\ncommands! {\n").unwrap().1.split_once("\n}\n").unwrap().0;
    let commands: Vec<_> = table.lines().map(|line| line.trim().split(':').next().unwrap().to_owned()).collect();
    assert!(commands.len() > 10, "{commands:?}");
    commands
}

/// Returns the command that a file below `src/cmd` belongs to.
fn command_of(path: &Path) -> Option<String> {
    let first = path.strip_prefix("src/cmd").ok()?.components().next()?;
    Some(first.as_os_str().to_str()?.trim_end_matches(".rs").to_owned())
}

#[test]
fn commands_do_not_use_other_commands() {
    let commands = commands();
    let sources = sources("src/cmd");
    let (mut found, mut uses) = (vec![], vec![]);
    for (path, text) in &sources {
        let own_command = command_of(path).unwrap();
        if !commands.contains(&own_command) && !["mod", "manual", "tests"].contains(&own_command.as_str()) {
            found.push(format!("{}: {own_command} is not a command", path.display()));
        }
        for file in used_files(path, text, &sources) {
            let used_command = command_of(&file).unwrap();
            if commands.contains(&own_command) && commands.contains(&used_command) && own_command != used_command {
                found.push(format!("{}: imports the command {used_command}", path.display()));
            }
            uses.push(format!("{} -> {}", path.display(), file.display()));
        }
    }
    assert_none(found, "a file in src/cmd is not a command, or it uses another command");
    uses.sort();
    uses.dedup();
    // On average, a file uses at most 1.28 other files. The average is above 1, because each
    // `plan.rs` uses the other files of its command.
    let max_uses = sources.len() * 128 / 100;
    let count = uses.len();
    assert!((5..=max_uses).contains(&count), "{count} uses of other files, and not 5 to {max_uses}: {uses:#?}");
}

#[test]
fn modules_have_no_path_attribute() {
    assert_none(lines_where("src", |path, line| !is_test(path) && line.contains("#[path")), "a `path` attribute");
}

#[test]
fn engine_files_use_only_earlier_files() {
    let sources = sources("src/engine");
    let (mut found, mut use_count) = (vec![], 0);
    for (path, text) in &sources {
        let Some(own_position) = engine_position(path) else { continue };
        for file in used_files(path, text, &sources) {
            // A folder's `mod.rs` has the same position in the list as the folder.
            let file = if file.ends_with("mod.rs") { file.parent().unwrap().with_extension("rs") } else { file };
            use_count += 1;
            if engine_position(&file).is_some_and(|position| position > own_position) {
                found.push(format!("{} uses {}", path.display(), file.display()));
            }
        }
    }
    assert_none(found, "an engine file uses a file that is later in the list");
    assert!(use_count > 100, "only {use_count} uses were found");
}

/// Parses the Rust path at the start of `text`, or a tree of paths in braces, and returns the rest
/// of the text. Adds the names to `found`, as file system paths below `start`.
fn add_names<'a>(mut text: &'a str, start: PathBuf, found: &mut Vec<PathBuf>) -> &'a str {
    if let Some(mut rest) = text.strip_prefix('{') {
        loop {
            rest = add_names(rest.trim_start(), start.clone(), found).trim_start();
            match rest.strip_prefix(',') {
                Some(more) => rest = more,
                None => return rest.strip_prefix('}').unwrap_or(rest),
            }
        }
    }
    let len = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    let (name, rest) = text.split_at(len);
    text = rest;
    let path = match name {
        "super" => start.parent().unwrap_or(&start).to_owned(),
        "" | "self" => start,
        name => start.join(name),
    };
    match text.strip_prefix("::") {
        Some(more) if more.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '{') => {
            add_names(more, path, found)
        }
        _ => {
            found.push(path);
            text
        }
    }
}

/// Returns the names that a file uses by a Rust path, as paths below `src` of its package. A result
/// can name a function or type, so a file with this path need not exist.
fn names(path: &Path, text: &str) -> Vec<PathBuf> {
    let root = path.iter().take_while(|part| *part != "src").collect::<PathBuf>().join("src");
    let module = if path.ends_with("mod.rs") { path.parent().unwrap().to_owned() } else { path.with_extension("") };
    let starts =
        [("crate::", root), ("fndsa::", PathBuf::from("src")), ("super::", module.parent().unwrap().to_owned())];
    let code: String = without_tests(text).lines().map(|line| code(line).to_owned() + "\n").collect();
    let mut found = vec![];
    for (mark, start) in starts {
        for (at, _) in code.match_indices(mark) {
            let char_before = code[..at].chars().next_back();
            if !char_before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
                add_names(&code[at + mark.len()..], start.clone(), &mut found);
            }
        }
    }
    found
}

/// Returns the files in `sources` that define the names that a file uses. If a `mod.rs` reexports a
/// name, the result contains this `mod.rs`.
fn used_files(path: &Path, text: &str, sources: &[(PathBuf, String)]) -> Vec<PathBuf> {
    let is_other = |file: &PathBuf| file != path && sources.iter().any(|(it, _)| it == file);
    let file_of = |name: PathBuf| {
        let modules: Vec<_> = name.ancestors().map(Path::to_owned).collect();
        modules.into_iter().flat_map(|module| [module.with_extension("rs"), module.join("mod.rs")]).find(is_other)
    };
    names(path, text).into_iter().filter_map(file_of).collect()
}

#[test]
fn files_do_not_use_each_other_in_a_cycle() {
    for dir in ["src/cmd", "src/tool", "src/verdict", "src/files", "src/api", "src/engine", "src/simd", "python/src"] {
        assert_no_cycle(&sources(dir).into_iter().filter(|(path, _)| !is_test(path)).collect::<Vec<_>>());
    }
}

/// Checks that no file uses itself, directly or through other files.
fn assert_no_cycle(sources: &[(PathBuf, String)]) {
    // Files may use names from the folder's `mod.rs`, so the check leaves it out.
    let is_root = |path: &Path| path.ends_with("mod.rs");
    let mut uses: Vec<(PathBuf, Vec<PathBuf>)> = sources
        .iter()
        .filter(|(path, _)| !is_root(path))
        .map(|(path, text)| {
            (path.clone(), used_files(path, text, sources).into_iter().filter(|file| !is_root(file)).collect())
        })
        .collect();
    let count: usize = uses.iter().map(|(_, used)| used.len()).sum();
    assert!(count > 10, "only {count} uses were found");
    // Removes the files that use no remaining file, until the set stays the same. The remaining
    // files form a cycle, or use a file in a cycle directly or indirectly.
    loop {
        let remaining: Vec<PathBuf> = uses.iter().map(|(path, _)| path.clone()).collect();
        uses.retain(|(_, used)| used.iter().any(|file| remaining.contains(file)));
        if uses.len() == remaining.len() {
            break;
        }
    }
    assert_none(
        uses.iter().map(|(path, used)| format!("{} -> {used:?}", path.display())).collect(),
        "a cycle of files",
    );
}

#[test]
fn engine_reads_no_file_clock_or_environment() {
    let banned = ["std::fs", "std::env", "std::time", "std::io", "std::net", "getrandom", "SysRng", "thread_local"];
    assert_none(
        lines_where("src/engine", |_, line| banned.iter().any(|b| line.contains(b))),
        "the engine uses the system",
    );
}

/// Checks that the sources use no hash table from `std`. Such a table requests random bytes from
/// the system, and panics on a system without a random generator.
#[test]
fn no_table_needs_randomness() {
    assert_none(
        lines_where("src", |_, line| has_word(line, "HashMap") || has_word(line, "HashSet")),
        "a hash table with random keys",
    );
}

/// Checks that the code and docs/constant-time.md name the same declassified values.
#[test]
fn declassified_names_are_documented() {
    let mut names: Vec<String> = vec![];
    for (_, text) in sources("src") {
        for call in ["declassify(\"", "declassify_row(\""] {
            names.extend(
                without_tests(&text).split(call).skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()),
            );
        }
    }
    names.sort();
    names.dedup();
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/constant-time.md");
    let text = fs::read_to_string(docs).unwrap();
    let mut documented: Vec<&str> =
        text.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` | ").map(|(name, _)| name)).collect();
    documented.sort();
    assert_eq!(names, documented, "the names in the code, and the names in docs/constant-time.md");
    let calls = lines_where("src", |path, line| {
        !path.ends_with("ct.rs") && line.contains("declassify") && !line.contains("(\"") && line.contains("ify(")
    });
    assert_none(calls, "a call of `declassify` without a name in the same line");
}

/// Public shift distances in code with secrets: the file or folder, the distances as the code
/// writes them, and the public values from which they are computed. Code must call `simd::ct` to
/// shift by a secret distance, because a 32-bit processor may use a branch to shift a 64-bit value.
const PUBLIC_DISTANCES: [(&str, &[&str], &str); 31] = [
    ("src/api/parallel.rs", &["logn"], "the degree"),
    ("src/api/subroutine.rs", &["logn"], "the degree"),
    ("src/api/verify_batch.rs", &["(ItemWindow::LEN - items.len())", "i"], "numbers of items of a batch"),
    (
        "src/engine/falcon/codec.rs",
        &["(32 - bits)", "bits", "(fields * bits)", "(4 * bits)", "(2 * bits)", "(bits - 1)", "(64 - 8 * bits)"],
        "the width of a field, one for each degree",
    ),
    ("src/engine/falcon/codec.rs", &["(32 - self.bits)"], "the width of a field"),
    (
        "src/engine/falcon/codec.rs",
        &["bit_count", "whole_bits", "(8 - bit_count)", "(64 - bit_count)", "self.bit_count", "zeros"],
        "positions of fields: all fields of a private key have the same width, and signatures are public",
    ),
    ("src/engine/falcon/fft.rs", &["(logn - 1)", "(PLACE_BITS - half.ilog2())"], "the degree"),
    ("src/engine/falcon/keygen.rs", &["logn"], "the degree"),
    ("src/engine/falcon/modq/ntt.rs", &["logn"], "the degree"),
    ("src/engine/falcon/modq/roots.rs", &["(k | 1).ilog2()"], "the position of a root"),
    ("src/engine/falcon/ntru/fixed.rs", &["(63 - bits)", "layer"], "the degree"),
    (
        "src/engine/falcon/ntru/limbs.rs",
        &["shift", "self.r", "(BITS as u32 - self.r)", "unused_bits", "(31 * (words % 2))"],
        "lengths in words, and the scale of a reduction, which follows from the depth",
    ),
    ("src/engine/falcon/ntru/mod.rs", &["(BITS - unused_bits)"], "lengths in words"),
    ("src/engine/falcon/ntru/moduli.rs", &["(p - 1).trailing_zeros()"], "constants of a prime"),
    ("src/engine/falcon/ntru/reduce.rs", &["(deferred.shift - shift)"], "scales"),
    ("src/engine/falcon/ntru/top.rs", &["(logn - 1)", "logn"], "the degree"),
    ("src/engine/falcon/ntru/tower.rs", &["(self.logn - self.depth)"], "the degree and the depth"),
    ("src/engine/falcon/params.rs", &["self.0", "s"], "the degree"),
    ("src/engine/falcon/roots.rs", &["(level - 2)", "(10 - level)", "shift", "(shift - 1)"], "tables at compile time"),
    ("src/engine/falcon/sampler", &["logn", "i", "j"], "the degree, loops, and the declassified choice of a candidate"),
    ("src/engine/hash/keccak.rs", &["((1 << j) - 1)", "j"], "a table"),
    ("src/engine/hash/shake.rs", &["(8 * (at % 8))"], "the number of bytes that were read from the hash"),
    ("src/engine/falcon/tree.rs", &["logn", "(logn - 1)", "(bottom_height - 1)", "(height - 1)", "height"], "degrees"),
    ("src/engine/falcon/tree_check.rs", &["(logn - 1)", "logn"], "the degree"),
    ("src/engine/mldsa/challenge.rs", &["i", "n"], "a loop"),
    ("src/engine/mldsa/expand.rs", &["(4 * (i % 8))"], "the position of a candidate in a word"),
    ("src/engine/mldsa/hint.rs", &["j"], "a loop"),
    ("src/engine/primes/short_lanes.rs", &["layer"], "the number of a layer"),
    ("src/simd/machine/descriptors.rs", &["number"], "0, 1 or 2"),
    ("src/simd/lanes/u32s.rs", &["shift", "bit_count", "i"], "positions of lanes, and of fields with the same width"),
    ("src/simd/lanes/u64s.rs", &["by"], "constants of Keccak"),
];

/// Returns the operand at the start of `rest`: a path, a number, a call, or a parenthesis.
fn operand(rest: &str) -> &str {
    let mut depth = 0usize;
    let is_operand_char = |c: char| c.is_alphanumeric() || "_.:".contains(c);
    let end = rest.char_indices().find(|&(_, c)| {
        depth += usize::from(c == '(');
        let continues = depth > 0 || is_operand_char(c);
        depth = depth.saturating_sub(usize::from(c == ')'));
        !continues
    });
    &rest[..end.map_or(rest.len(), |(at, _)| at)]
}

#[test]
fn secret_shifts_use_simd_ct() {
    let mut used_distances = vec![];
    let mut found = vec![];
    for dir in ["src/engine", "src/simd", "src/api"] {
        for (path, text) in sources(dir) {
            let name = path.to_str().unwrap();
            // The check excludes the shift functions themselves, verification, tests, and vector
            // code. The vector operations accept only constant distances.
            let excluded = [
                "src/simd/ct.rs",
                "src/simd/constant_time_u64.rs",
                "src/simd/lanes/u16s.rs",
                "src/simd/aarch64",
                "src/simd/wasm",
                "src/simd/x86",
                "src/simd/check/laws",
                "src/engine/falcon/coefficient_scanner.rs",
            ];
            if excluded.iter().any(|prefix| name.starts_with(prefix)) || name.contains("/tests") {
                continue;
            }
            for (i, line) in without_tests(&text).lines().enumerate() {
                let line = code(line);
                let marks = [" << ", " >> ", " <<= ", " >>= ", "_shl(", "_shr(", "rotate_left(", "rotate_right("];
                for (at, mark) in marks.iter().flat_map(|mark| line.match_indices(mark)) {
                    let distance = operand(&line[at + mark.len()..]);
                    let constant = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || "_ ()+-*/:".contains(c);
                    if distance.replace("u16::", "").replace("u32::", "").replace("usize::", "").chars().all(constant) {
                        continue;
                    }
                    let public = PUBLIC_DISTANCES
                        .iter()
                        .position(|(file, distances, _)| name.starts_with(file) && distances.contains(&distance));
                    match public {
                        Some(row) => used_distances.push((row, distance.to_owned())),
                        None => found.push(format!("{name}:{}: {}", i + 1, line.trim())),
                    }
                }
            }
        }
    }
    assert_none(found, "a shift by a distance that is neither constant nor listed as public: is it secret?");
    let stale = PUBLIC_DISTANCES.iter().enumerate().flat_map(|(row, (file, distances, _))| {
        let used_distances = &used_distances;
        distances
            .iter()
            .filter(move |listed| !used_distances.iter().any(|(at, distance)| *at == row && distance == *listed))
            .map(move |listed| format!("{file}: {listed}"))
    });
    assert_none(stale.collect(), "a listed public distance that no code uses");
}

/// Checks that code calls a function in `simd::ct` to find the position of a bit in a secret. If
/// the processor has no instruction for `leading_zeros` or a similar method, the compiler replaces
/// it with a function that has a branch.
#[test]
fn secret_bit_positions_use_simd_ct() {
    let excluded = [
        "src/simd/constant_time_u64.rs",
        "src/simd/x86",
        "src/engine/falcon/roots.rs",
        "src/engine/falcon/coefficient_scanner.rs",
    ];
    // These values are computed from a prime modulus, a degree or a signature.
    let public = [
        "(p - 1).trailing_zeros()",
        "hn.trailing_zeros()",
        "leaf.trailing_zeros()",
        "(n / 2).trailing_zeros()",
        "D.trailing_zeros()",
        "(self.acc >> 8).trailing_zeros()",
        // These values are declassified (made public), or are bits of a declassified hint.
        "remaining_bits.trailing_zeros()",
        "candidates & candidates.wrapping_neg()).trailing_zeros()",
    ];
    let found = lines_where("src", |path, line| {
        let name = path.to_str().unwrap();
        let is_checked = !["src/cmd", "src/tool", "src/files", "src/api"].iter().any(|layer| name.starts_with(layer));
        let methods = [".leading_zeros()", ".trailing_zeros()", ".leading_ones()", ".trailing_ones()", ".count_ones()"];
        is_checked
            && !excluded.iter().any(|prefix| name.starts_with(prefix))
            && !name.contains("/tests")
            && methods.iter().any(|method| line.contains(method))
            && !public.iter().any(|method| line.contains(method))
    });
    assert_none(found, "the position of a bit in a value that may be secret");
}

#[test]
fn files_have_at_most_600_lines() {
    let long_files: Vec<String> = ["src", "tests", "benches", "capi", "python"]
        .iter()
        .flat_map(|dir| sources(dir))
        .map(|(path, text)| (text.lines().count(), path))
        .filter(|(lines, _)| *lines > 600)
        .map(|(lines, path)| format!("{}: {lines} lines", path.display()))
        .collect();
    assert_none(long_files, "longer than 600 lines");
}

/// Checks that the sources contain no unfinished code, and that the tests contain no ignored test.
#[test]
fn no_unfinished_code() {
    let words = ["todo!(", "unimplemented!(", "dbg!(", "#[ignore"];
    let found = lines_where("src", |_, line| words.iter().any(|w| line.contains(w)));
    assert_none(found, "unfinished code");
    assert_none(
        lines_where("tests", |path, line| !path.ends_with("house.rs") && line.contains("#[ignore")),
        "an ignored test",
    );
}
