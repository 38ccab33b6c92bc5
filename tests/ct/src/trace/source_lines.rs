//! Finds the source lines of instructions with `addr2line`, for `compared.rs` and `skips.rs`.

use std::collections::BTreeMap;
use std::fs::read_to_string;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The source lines for addresses.
pub struct SourceLines {
    program: PathBuf,
    /// For each address, a list of source lines, as `function at path:line: text`. The first line
    /// is in the innermost function. Each next line is in the function into which the previous
    /// function was inlined.
    lines_by_address: BTreeMap<u64, Vec<String>>,
    source_texts: BTreeMap<String, Vec<String>>,
}

impl SourceLines {
    pub fn new(program: PathBuf) -> Self {
        Self { program, lines_by_address: BTreeMap::new(), source_texts: BTreeMap::new() }
    }

    /// Returns the lines for an address that was given to [`SourceLines::load`].
    pub fn lines_for(&self, address: u64) -> &[String] {
        self.lines_by_address.get(&address).map_or(&[], |lines| lines)
    }

    /// Runs `addr2line` for the addresses that are not known, and stores their lines.
    pub fn load(&mut self, addresses: impl Iterator<Item = u64>) -> Result<(), String> {
        let mut unknown: Vec<u64> = addresses.filter(|address| !self.lines_by_address.contains_key(address)).collect();
        unknown.sort_unstable();
        unknown.dedup();
        if unknown.is_empty() {
            return Ok(());
        }
        let text = self.addr2line(unknown).map_err(|e| format!("addr2line: {e}"))?;
        let mut lines = text.lines();
        let mut address = 0;
        while let Some(address_or_function) = lines.next() {
            if let Some(hex) = address_or_function.strip_prefix("0x") {
                address = u64::from_str_radix(hex, 16).map_err(|_| format!("addr2line wrote a line that is not an address: {address_or_function}"))?;
            } else if let Some(location) = lines.next() {
                let location = self.with_text(location);
                self.lines_by_address.entry(address).or_default().push(format!("{address_or_function} at {location}"));
            }
        }
        Ok(())
    }

    /// Returns the output of `addr2line`. For each address, the output has a line with the address,
    /// followed by pairs of lines: a function, and a place in a file.
    fn addr2line(&self, addresses: Vec<u64>) -> std::io::Result<String> {
        let mut child = Command::new("addr2line")
            .args(["-a", "-f", "-C", "-i", "-e"])
            .arg(&self.program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let input = child.stdin.take();
        let writer = std::thread::spawn(move || -> std::io::Result<()> {
            let text: String = addresses.iter().map(|address| format!("{address:x}\n")).collect();
            input.map_or(Ok(()), |mut input| input.write_all(text.as_bytes()))
        });
        let out = child.wait_with_output()?;
        writer.join().map_err(|_| std::io::ErrorKind::Other)??;
        Ok(String::from_utf8_lossy(&out.stdout).into_owned())
    }

    /// Converts a place inside the package to `path:line: text`, with the path from the root.
    /// Returns a place outside the package unchanged.
    fn with_text(&mut self, location: &str) -> String {
        let location = location.split(" (").next().unwrap_or(location);
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap_or_default();
        let path_and_line = Path::new(location).strip_prefix(&root).ok().and_then(|relative| relative.to_str());
        let Some((path, line)) = path_and_line.and_then(|text| text.rsplit_once(':')) else { return location.to_owned() };
        let source = self.source_texts.entry(path.to_owned()).or_insert_with(|| {
            let text = read_to_string(root.join(path)).unwrap_or_default();
            text.lines().map(|line| line.trim().to_owned()).collect()
        });
        let text = line.parse().ok().and_then(|line: usize| source.get(line.checked_sub(1)?));
        format!("{path}:{line}: {}", text.map_or("", |text| text))
    }
}
