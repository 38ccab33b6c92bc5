//! Compiles the Rust blocks in docs/library.md and in the documentation comments of `src`. A block
//! is compiled in a new crate with the dependencies that the documentation lists. Also checks that
//! each page with code has a test. Also runs a debug build of a program with a small stack.

use std::path::{Path, PathBuf};
use std::process::Command;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Returns a page's code blocks in a language, byte for byte.
fn blocks_of_page(page: &str, language: &str) -> Vec<String> {
    let fence = format!("\n```{language}\n");
    page.split(&fence).skip(1).map(|rest| rest.split("\n```").next().unwrap().to_owned() + "\n").collect()
}

/// Returns the dependency lines. The line for `fndsa` names this source tree instead of a version
/// or a path.
///
/// # Panics
/// The lines do not name `fndsa`.
fn with_this_tree(dependencies: &str) -> String {
    let tree = format!("path = {ROOT:?}");
    let replaced = dependencies
        .replace("fndsa = \"0.2\"", &format!("fndsa = {{ {tree} }}"))
        .replace("fndsa = { version = \"0.2\"", &format!("fndsa = {{ {tree}"))
        .replace("path = \"../fndsa\"", &tree);
    assert_eq!(replaced.matches(&tree).count(), 1, "{dependencies}");
    replaced
}

/// Runs a cargo command in a new crate with these dependencies and source files. `files` are (name
/// in `src`, content).
///
/// # Panics
/// Cargo fails.
fn run_cargo(command: &str, name: &str, dependencies: &str, files: &[(String, String)]) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("src")).unwrap();
    let package = format!("[workspace]\n[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n");
    std::fs::write(dir.path().join("Cargo.toml"), package + &with_this_tree(dependencies)).unwrap();
    // Uses the dependency versions of this package, so that cargo downloads nothing.
    std::fs::copy(format!("{ROOT}/Cargo.lock"), dir.path().join("Cargo.lock")).unwrap();
    for (file, text) in files {
        std::fs::write(dir.path().join("src").join(file), text).unwrap();
    }
    let output = Command::new(env!("CARGO"))
        .args([command, "--quiet", "--offline"])
        .current_dir(dir.path())
        .env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("snippets"))
        .env_remove("RUSTFLAGS")
        .output()
        .unwrap();
    assert!(output.status.success(), "{dependencies}\n{}", String::from_utf8_lossy(&output.stderr));
}

/// Compiles a program that has only these dependencies. Each block is a module in the program.
///
/// # Panics
/// A block does not compile, or the compiler prints a warning that is not about unused code.
fn compile_in_empty_folder(name: &str, dependencies: &str, blocks: &[String]) {
    let mut program = String::from("#![deny(warnings)]\n#![allow(dead_code)]\n");
    let mut files = vec![];
    for (i, block) in blocks.iter().enumerate() {
        files.push((format!("block{i}.rs"), block.clone()));
        program += &format!("mod block{i};\n");
    }
    files.push(("main.rs".to_owned(), program + "fn main() {}\n"));
    run_cargo("check", name, dependencies, &files);
}

/// Each Rust block in docs/library.md compiles without changes. A reader needs only the manifest
/// lines that the page shows before the block.
#[test]
fn blocks_of_the_page_of_the_library_compile() {
    let page = include_str!("../docs/library.md");
    let manifests = blocks_of_page(page, "toml");
    let profile = manifests.iter().find(|block| block.starts_with("[profile.")).expect("the profile for debug builds");
    let mut sections = page.split("\n```toml\n[dependencies]\n");
    assert!(!sections.next().unwrap().contains("\n```rust\n"), "a block before the dependencies");
    let mut count = 0;
    for (i, section) in sections.enumerate() {
        let dependencies = format!("[dependencies]\n{}\n{profile}", section.split("\n```").next().unwrap());
        let blocks = blocks_of_page(section, "rust");
        compile_in_empty_folder(&format!("page{i}"), &dependencies, &blocks);
        count += blocks.len();
    }
    assert_eq!(count, blocks_of_page(page, "rust").len());
    assert!(count >= 5, "the blocks were not found");
}

/// Runs tests/small_stack.rs as a program in a debug build, without the page's profile and with the
/// stack size that the page names. An ordinary test run does not cover this, because tests are
/// built with optimization.
#[test]
fn debug_builds_run_with_a_small_stack() {
    let dependencies = &blocks_of_page(include_str!("../docs/library.md"), "toml")[0];
    let program = include_str!("small_stack.rs")
        .replace("#![cfg(feature = \"std\")]\n", "")
        .replace("#[test]\nfn every_operation_runs_with_a_stack_of_512_kib()", "fn main()");
    assert!(program.contains("\nfn main() {") && !program.contains("#["), "{program}");
    run_cargo("run", "small-stack", dependencies, &[("main.rs".to_owned(), program)]);
}

/// Returns the paths in a directory and its subdirectories that end with `suffix`. Skips hidden
/// directories, links, build directories (`target`), and installed packages (`node_modules`).
fn files_below(directory: &Path, suffix: &str) -> Vec<PathBuf> {
    let mut found = vec![];
    for entry in std::fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy();
        let is_skipped = name.starts_with('.') || name == "target" || name == "node_modules" || path.is_symlink();
        if path.is_dir() && !is_skipped {
            found.extend(files_below(&path, suffix));
        } else if name.ends_with(suffix) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Finds the code blocks for a language in a source file's documentation comments. For each block,
/// returns the number of its opening line (counted from 1) and its visible lines.
fn blocks_of_comments(source: &str, language: &str) -> Vec<(usize, String)> {
    let mut blocks = vec![];
    let mut open: Option<(&str, usize, String)> = None;
    for (i, line) in source.lines().enumerate() {
        let line = line.trim_start();
        let Some(text) = line.strip_prefix("///").or_else(|| line.strip_prefix("//!")) else { continue };
        let text = text.strip_prefix(' ').unwrap_or(text);
        match (&mut open, text.strip_prefix("```")) {
            (None, Some(language)) => open = Some((language, i + 1, String::new())),
            (Some(_), Some(_)) => {
                let (tag, line, block) = open.take().expect("it is open");
                if tag == language {
                    blocks.push((line, block));
                }
            }
            // rustdoc compiles lines that begin with `# `, but does not show them.
            (Some((.., block)), None) if !text.starts_with("# ") => *block += &format!("{text}\n"),
            _ => {}
        }
    }
    blocks
}

/// Returns the Rust blocks in the comments of a source file. Each block becomes a function that
/// returns errors.
fn examples_of(path: &Path) -> Vec<String> {
    let source = std::fs::read_to_string(path).expect("a source file");
    let as_function = |(line, block)| {
        let path = path.display();
        format!("// {path}:{line}\nfn example() -> Result<(), Box<dyn std::error::Error>> {{\n{block}Ok(())\n}}\n")
    };
    blocks_of_comments(&source, "").into_iter().map(as_function).collect()
}

/// Each example in the library's documentation compiles with the dependencies that the first page
/// (`src/lib.rs`) lists. The first two examples on this page need the first list, and all other
/// examples need the second list. The third list is for a program that only verifies.
#[test]
fn examples_in_the_documentation_compile() {
    let source = include_str!("../src/lib.rs");
    let manifests = blocks_of_comments(source, "toml");
    let [(_, first), (_, all), (_, verifier)] = &manifests[..] else { panic!("{} blocks of TOML", manifests.len()) };
    let mut first_page = examples_of(&Path::new(ROOT).join("src/lib.rs"));
    let mut blocks = first_page.split_off(2);
    compile_in_empty_folder("first-page", first, &first_page);
    for path in files_below(&Path::new(ROOT).join("src"), ".rs") {
        if !path.ends_with("src/lib.rs") {
            blocks.extend(examples_of(&path));
        }
    }
    assert!(blocks.len() > 40, "{} blocks", blocks.len());
    compile_in_empty_folder("all-examples", all, &blocks);
    compile_in_empty_folder("verifier", verifier, &[]);
}

/// The pages with code, and a test that compiles or runs this code.
const PAGES_WITH_CODE: [(&str, &str, &str); 11] = [
    ("rust", "docs/library.md", "tests/snippets.rs"),
    ("rust", "docs/small-machines.md", "tests/examples.rs"),
    ("c", "docs/c.md", "capi/test/run"),
    ("python", "docs/algorithms.md", "tests/readme.rs"),
    ("python", "docs/dsse.md", "tests/cli/guide.rs"),
    ("python", "docs/many-machines.md", "tests/many_machines.rs"),
    ("python", "docs/python.md", "python/test/run"),
    ("py", "docs/python.md", "python/test/test_page.py"),
    ("python", "python/README.md", "python/test/run"),
    ("js", "docs/algorithms.md", "tests/readme.rs"),
    ("js", "packages/npm/package/README.md", "packages/npm/test/verify.test.mjs"),
];

/// Each page with code is in the list of tested pages, and the test exists and names the page.
#[test]
fn every_page_with_code_has_a_test() {
    let mut found = vec![];
    for path in files_below(Path::new(ROOT), ".md") {
        let page = std::fs::read_to_string(&path).expect("a page");
        let path = path.strip_prefix(ROOT).expect("below the root").to_string_lossy().into_owned();
        for language in ["rust", "c", "cpp", "python", "py", "js", "ts"] {
            if page.contains(&format!("```{language}\n")) {
                found.push((language, path.clone()));
            }
        }
    }
    found.sort();
    let mut listed: Vec<_> =
        PAGES_WITH_CODE.iter().map(|(language, page, _)| (*language, (*page).to_owned())).collect();
    listed.sort();
    assert_eq!(found, listed);
    for (_, page, test) in PAGES_WITH_CODE {
        let name = Path::new(page).file_name().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(Path::new(ROOT).join(test)).expect("a test");
        assert!(text.contains(&name), "{test} does not name {page}");
    }
}
