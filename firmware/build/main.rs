//! Selects the board of an image, and writes the board's linker script and test vectors.

mod vectors;

use std::env::var;
use std::fs;
use std::path::Path;

/// The file of a board.
struct BoardFile {
    name: String,
    text: String,
}

impl BoardFile {
    /// Returns the value of a line `//! KEY: VALUE`, or `None` if there is no such line.
    fn optional_property(&self, key: &str) -> Result<Option<&str>, String> {
        let values =
            self.text.lines().filter_map(|line| line.strip_prefix("//! ")?.strip_prefix(key)?.strip_prefix(':'));
        match values.collect::<Vec<_>>()[..] {
            [] => Ok(None),
            [value] => Ok(Some(value.trim())),
            _ => Err(format!("src/boards/{}.rs has more than one line `//! {key}: ...`", self.name)),
        }
    }

    /// Returns the value of a line `//! KEY: VALUE`.
    fn property(&self, key: &str) -> Result<&str, String> {
        let missing = || format!("src/boards/{}.rs has no line `//! {key}: ...`", self.name);
        self.optional_property(key)?.ok_or_else(missing)
    }

    /// Returns the address and the length in a property such as `flash: 0x08000000 1M`.
    fn address_and_len(&self, key: &str) -> Result<(&str, &str), String> {
        match self.property(key)?.split_whitespace().collect::<Vec<_>>()[..] {
            [address, len] => Ok((address, len)),
            _ => Err(format!("src/boards/{}.rs: the property {key} must be an address and a length", self.name)),
        }
    }

    /// Returns the line for a memory in the linker script.
    fn memory(&self, key: &str) -> Result<String, String> {
        let (address, len) = self.address_and_len(key)?;
        Ok(format!("{} (rwx) : ORIGIN = {address}, LENGTH = {len}\n", key.to_uppercase()))
    }

    /// Returns a memory's length in bytes.
    fn memory_len(&self, key: &str) -> Result<usize, String> {
        let (_, len) = self.address_and_len(key)?;
        let (digits, unit) = match len.as_bytes().last() {
            Some(b'K') => (&len[..len.len() - 1], 1 << 10),
            Some(b'M') => (&len[..len.len() - 1], 1 << 20),
            _ => (len, 1),
        };
        let parsed: Option<usize> = digits.parse().ok();
        parsed.map(|number| number * unit).ok_or_else(|| {
            format!("src/boards/{}.rs: the length of {key} must be a number, or a number with K or M", self.name)
        })
    }
}

/// Returns all boards, in the order of their names.
fn boards() -> Result<Vec<BoardFile>, String> {
    let mut boards = Vec::new();
    for entry in fs::read_dir("src/boards").map_err(|error| format!("src/boards: {error}"))? {
        let path = entry.map_err(|error| error.to_string())?.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if name != "mod" {
            let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            boards.push(BoardFile { name, text });
        }
    }
    boards.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(boards)
}

/// Returns the board in the variable `FNDSA_BOARD`. Without this variable, returns the first board
/// that has the target.
fn select_board(target: &str) -> Result<BoardFile, String> {
    let wanted = var("FNDSA_BOARD").ok();
    for board in boards()? {
        let has_target = board.property("target")? == target;
        if wanted.as_ref().map_or(has_target, |name| *name == board.name) {
            return match has_target {
                true => Ok(board),
                false => Err(format!("the board {} needs the target {}", board.name, board.property("target")?)),
            };
        }
    }
    Err(wanted.map_or_else(
        || format!("src/boards has no board with the target {target}: add one (docs/boards.md)"),
        |name| format!("src/boards has no board with the name {name} (variable FNDSA_BOARD)"),
    ))
}

fn main() -> Result<(), String> {
    println!("cargo::rerun-if-changed=src/boards");
    println!("cargo::rerun-if-changed=src/board/sections.x");
    println!("cargo::rerun-if-env-changed=FNDSA_BOARD");
    println!("cargo::rerun-if-env-changed=FNDSA_PEER_C");
    let variable = |name: &str| var(name).map_err(|_| format!("the variable {name} is missing"));
    if variable("CARGO_CFG_TARGET_OS")? != "none" {
        // The target is not a board but the host, for examples/host.rs.
        return Ok(());
    }
    let board = select_board(&variable("TARGET")?)?;
    let out = variable("OUT_DIR")?;
    let write =
        |name: &str, text: String| fs::write(Path::new(&out).join(name), text).map_err(|error| error.to_string());
    let level = board.optional_property("level")?;
    let selected = format!("use crate::boards::{} as selected;\n", board.name);
    write("selected.rs", format!("{selected}const LEVEL_NAME: Option<&str> = {level:?};\n"))?;
    write("board.x", format!("MEMORY {{\n{}{}}}\nINCLUDE sections.x\n", board.memory("flash")?, board.memory("ram")?))?;
    let flash = board.memory_len("flash")?;
    vectors::VectorWriter::new(Path::new(&out), flash, var("CARGO_FEATURE_ML_DSA").is_ok()).write_all()?;
    println!("cargo::rustc-link-arg-bins=-L{}/src/board", variable("CARGO_MANIFEST_DIR")?);
    println!("cargo::rustc-link-arg-bins=-T{out}/board.x");
    println!("cargo::rustc-link-arg-bins=--gc-sections");
    if let Ok(library) = var("FNDSA_PEER_C") {
        println!("cargo::rustc-link-arg-bin=peer_c={library}");
    }
    Ok(())
}
