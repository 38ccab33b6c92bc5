//! Reads and writes compressed vector files (`NAME.gz`) in `tests/kat`. `vector_text` calls `read`,
//! and `tests/mldsa/negatives.rs` calls `write`.

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use std::ffi::OsString;
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

/// Returns the path with `.gz` appended, for the compressed file.
fn packed(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(".gz");
    PathBuf::from(name)
}

/// Reads a vector file: `path`, or `path.gz` if `path` does not exist.
pub fn read(path: &Path) -> Vec<u8> {
    match std::fs::read(path) {
        Err(e) if e.kind() == ErrorKind::NotFound => unpacked(path),
        read => read,
    }
    .unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Reads and decompresses `path.gz`.
fn unpacked(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut data = Vec::new();
    GzDecoder::new(std::fs::File::open(packed(path))?).read_to_end(&mut data)?;
    Ok(data)
}

/// Compresses the contents and writes `path.gz`. Equal contents always produce equal files.
pub fn write(path: &Path, contents: &[u8]) {
    let file = std::fs::File::create(packed(path)).expect("the file can be written");
    let mut encoder = GzEncoder::new(file, Compression::best());
    encoder.write_all(contents).and_then(|()| encoder.finish().map(drop)).expect("the file can be written");
}
