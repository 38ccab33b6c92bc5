//! The source lines for branches, as `addr2line` prints them.

use std::collections::BTreeMap;
use std::fs::read_to_string;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The source lines for addresses.
pub struct SourceLines {
    program: PathBuf,
    /// For each address: the line, and the lines that it was inlined into, as
    /// `function at path:line: text`.
    known: BTreeMap<u64, Vec<String>>,
    sources: BTreeMap<String, Vec<String>>,
}

impl SourceLines {
    pub fn new(program: PathBuf) -> Self {
        Self { program, known: BTreeMap::new(), sources: BTreeMap::new() }
    }

    /// Returns the lines for an address that was given to [`SourceLines::load`].
    pub fn of(&self, address: u64) -> &[String] {
        self.known.get(&address).map_or(&[], |lines| lines)
    }

    /// Runs `addr2line` for the addresses that are not known.
    pub fn load(&mut self, addresses: impl Iterator<Item = u64>) -> Result<(), String> {
        let mut new: Vec<u64> = addresses.filter(|it| !self.known.contains_key(it)).collect();
        new.sort_unstable();
        new.dedup();
        if new.is_empty() {
            return Ok(());
        }
        let text = self.addr2line(new).map_err(|e| format!("addr2line: {e}"))?;
        let mut lines = text.lines();
        let mut address = 0;
        while let Some(line) = lines.next() {
            if let Some(hex) = line.strip_prefix("0x") {
                address = u64::from_str_radix(hex, 16).map_err(|_| format!("unknown line: {line}"))?;
            } else if let Some(place) = lines.next() {
                let place = self.with_text(place);
                self.known.entry(address).or_default().push(format!("{line} at {place}"));
            }
        }
        Ok(())
    }

    /// Returns the output from `addr2line`. For each address: a line with the address, and pairs of
    /// lines with function and place.
    fn addr2line(&self, addresses: Vec<u64>) -> std::io::Result<String> {
        let mut child = Command::new("addr2line")
            .args(["-a", "-f", "-C", "-i", "-e"])
            .arg(&self.program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let input = child.stdin.take();
        let writer = std::thread::spawn(move || -> std::io::Result<()> {
            let text: String = addresses.iter().map(|it| format!("{it:x}\n")).collect();
            input.map_or(Ok(()), |mut input| input.write_all(text.as_bytes()))
        });
        let out = child.wait_with_output()?;
        writer.join().map_err(|_| std::io::ErrorKind::Other)??;
        Ok(String::from_utf8_lossy(&out.stdout).into_owned())
    }

    /// Returns a place inside the package as its path from the root, with the line's text. Other
    /// places stay the same.
    fn with_text(&mut self, place: &str) -> String {
        let place = place.split(" (").next().unwrap_or(place);
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap_or_default();
        let inside = Path::new(place).strip_prefix(&root).ok().and_then(|it| it.to_str());
        let Some((path, line)) = inside.and_then(|it| it.rsplit_once(':')) else { return place.to_owned() };
        let source = self.sources.entry(path.to_owned()).or_insert_with(|| {
            let text = read_to_string(root.join(path)).unwrap_or_default();
            text.lines().map(|line| line.trim().to_owned()).collect()
        });
        let text = line.parse().ok().and_then(|line: usize| source.get(line.checked_sub(1)?));
        format!("{path}:{line}: {}", text.map_or("", |text| text))
    }
}
