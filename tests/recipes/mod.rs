//! Common code for tests of documents with recipes. Reads the code blocks of a document, and
//! creates a directory in which the blocks run with the built `fndsa`.
#![allow(dead_code)] // each test file uses only a part

use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// Programs in the image debian:12 (packages bash, coreutils, findutils, grep, gzip, mawk, sed and
/// tar).
const BASE_IMAGE: [&str; 26] = [
    "awk",
    "bash",
    "cat",
    "chmod",
    "cp",
    "cut",
    "dirname",
    "env",
    "find",
    "grep",
    "gzip",
    "head",
    "ln",
    "ls",
    "mkdir",
    "mktemp",
    "mv",
    "od",
    "rm",
    "sed",
    "sh",
    "sha256sum",
    "sort",
    "tar",
    "tr",
    "touch",
];

/// A document's text.
pub struct RecipeDocument(pub &'static str);

impl RecipeDocument {
    /// Returns the heading and the text of each code block in this language.
    pub fn blocks(&self, language: &str) -> Vec<(&'static str, &'static str)> {
        let fence = format!("```{language}\n");
        let parts = self.0.split("\n## ").skip(1);
        let blocks_in_part = |part: &'static str| {
            let heading = part.lines().next().unwrap();
            let blocks = part.split(&fence).skip(1).map(|rest| rest.split("```").next().unwrap());
            blocks.map(|block| (heading, block)).collect::<Vec<_>>()
        };
        parts.flat_map(blocks_in_part).collect()
    }
}

/// Returns the script of each step `run: |` in a workflow. A script ends at an empty line or at a
/// line with less indentation.
pub fn run_scripts(yaml: &str) -> Vec<String> {
    let script_at_start = |rest: &str| {
        let indent = rest.len() - rest.trim_start_matches(' ').len();
        let is_in_script = |line: &&str| line.len() - line.trim_start_matches(' ').len() >= indent && !line.is_empty();
        rest.lines().take_while(is_in_script).map(|line| format!("{}\n", &line[indent..])).collect()
    };
    yaml.split("run: |\n").skip(1).map(script_at_start).collect()
}

/// A temporary directory with the files that a document assumes. The tests run bash lines in it.
pub struct RecipeDirectory(pub TempDir);

impl RecipeDirectory {
    /// Creates a new directory and runs `lines` in it.
    pub fn new(lines: &str) -> Self {
        let directory = Self(tempfile::tempdir().unwrap());
        directory.run_bash(lines, &[]);
        directory
    }

    /// Runs bash lines, and returns the output. The search path for programs (PATH) contains, in
    /// this order: `folders`, the folder of the built `fndsa`, PATH of this process, and the folder
    /// of packages/test/install.
    pub fn run_bash(&self, lines: &str, folders: &[&Path]) -> String {
        let fndsa = Path::new(env!("CARGO_BIN_EXE_fndsa")).parent().unwrap();
        let search_folders = folders.iter().map(|folder| folder.to_path_buf()).chain([fndsa.to_owned()]);
        self.run(lines, search_folders.chain(search_path()).collect())
    }

    /// Runs bash lines with only the programs in `folders`, and returns the output.
    pub fn run_bash_with_only(&self, lines: &str, folders: &[&Path]) -> String {
        self.run(lines, folders.iter().map(|folder| folder.to_path_buf()).collect())
    }

    /// Runs bash lines with this search path, and returns the output.
    fn run(&self, lines: &str, path: Vec<PathBuf>) -> String {
        let mut bash = Command::new("bash");
        bash.args(["-euo", "pipefail", "-c", lines]).current_dir(self.0.path());
        let run = bash.env("PATH", std::env::join_paths(path).unwrap()).env("HOME", self.0.path()).output();
        let run = run.expect("bash");
        let (out, err) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
        assert!(run.status.success(), "{lines}\n--- stdout\n{out}\n--- stderr\n{err}");
        out.into_owned()
    }

    /// Creates a directory with links to the programs of the base image that the recipes use. It
    /// contains no fndsa, curl or cargo.
    pub fn create_base_image(&self) -> PathBuf {
        let folder = self.0.path().join("base-image");
        std::fs::create_dir_all(&folder).unwrap();
        for name in BASE_IMAGE {
            let program = search_path().into_iter().map(|path| path.join(name)).find(|path| path.is_file());
            let program = program.unwrap_or_else(|| panic!("no program {name}"));
            if !folder.join(name).exists() {
                std::os::unix::fs::symlink(program, folder.join(name)).unwrap();
            }
        }
        folder
    }
}

/// Returns the search path for programs: the directories in PATH, and then this build's directory
/// into which packages/test/install installs programs.
fn search_path() -> Vec<PathBuf> {
    let target = Path::new(env!("CARGO_BIN_EXE_fndsa")).ancestors().nth(2).unwrap();
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).chain([target.join("packages/tools/bin")]).collect()
}

/// Returns whether this machine has a program.
pub fn have(program: &str) -> bool {
    search_path().iter().any(|folder| folder.join(program).is_file())
}

/// Reports that a part of the document cannot be tested on this machine.
pub fn skip(what: &str, why: &str) {
    println!("skip: {what}, {why}");
}
