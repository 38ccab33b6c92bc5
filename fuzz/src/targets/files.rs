//! Fuzz targets that check whether a round trip preserves the contents: `object` for key and
//! signature files, `armor` for PEM, and `manifest` for lists of checksums.

use fndsa::Algorithm;
use fndsa::algorithm::Scheme;
use fndsa::files::inline;
use fndsa::files::manifest::{ListDefect, canonical, comments, is_best_before, parse, write_best_before, write_line};
use fndsa::files::pem::{self, PemBlock};
use fndsa::files::{
    EncryptedPrivateKey, FileContent, FileEncoding, FileObject, Format, ObjectKind, ReadOptions, WriteOptions,
    attached, hex, read, write,
};
use fndsa::no_alloc::Level;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path};

/// Returns whether a text consists only of printable ASCII characters, which are not escaped in
/// messages.
fn is_one_line(text: &str) -> bool {
    text.bytes().all(|b| b == b' ' || b.is_ascii_graphic())
}

/// Reads a file of any kind. A round trip should restore an accepted key or signature, and the
/// error message for a rejected file should be a single line.
pub fn object(data: &[u8]) {
    let toys = ReadOptions::default().with_allow_toys(true);
    let with_any_oid = toys.clone().with_any_oid(true);
    for accept in [toys, with_any_oid] {
        match read(data, &accept) {
            Ok(FileContent::Plain(object)) => check_round_trip(&object),
            Ok(FileContent::Locked(locked)) => unlock(&locked, &accept),
            Err(defect) => assert!(is_one_line(&defect.to_string())),
        }
    }
    for part in pem::parts(data) {
        let _ = read(part, &ReadOptions::default().with_allow_toys(true));
    }
    if let Some(attached) = attached::split(data) {
        let signature = fndsa::testing::signature(Scheme::Falcon, &attached.signature.bytes);
        assert!(signature.is_ok() && attached.message.len() < data.len());
    }
}

/// Decodes a key or signature completely, and writes it in each of these formats that can contain
/// it: PEM, PKCS#8, SPKI and a TUF key. Reading the written files, and reading the raw bytes,
/// should return equal contents.
fn check_round_trip(object: &FileObject) {
    let (kind, algorithm) = (object.kind, object.algorithm());
    // The reader can accept a signature with a length that is valid only in a different scheme, but
    // `convert` will not write it.
    if kind == ObjectKind::Signature && fndsa::testing::signature(algorithm.scheme(), &object.bytes).is_err() {
        return;
    }
    match kind {
        ObjectKind::SigningKey => {
            let mut work = vec![0; algorithm.import_work_len()];
            let key = fndsa::testing::signing_key(Level::detect(), algorithm.scheme(), &object.bytes, &mut work);
            assert!(key.map_or_else(|e| !e.to_string().is_empty(), |key| key.algorithm() == algorithm));
        }
        ObjectKind::VerifyingKey => {
            let key = fndsa::testing::verifying_key(algorithm.scheme(), &object.bytes);
            assert!(key.map_or_else(|e| !e.to_string().is_empty(), |key| key.algorithm() == algorithm));
        }
        ObjectKind::Signature => {}
    }
    let check_same = |file: &[u8], what: &str| {
        // Raw private and public keys of Ed25519 have the same length, and a composite private key
        // is as long as an Ed25519 signature, so the reader needs the algorithm and the kind.
        let is_raw = what == "raw" && (algorithm == Algorithm::ED25519 || algorithm.halves().is_some());
        let accept = ReadOptions::default().with_allow_toys(true).with_algorithm(is_raw.then_some(algorithm));
        let accept = accept.with_expected_kind(is_raw.then_some(kind));
        let Ok(FileContent::Plain(reread)) = read(file, &accept) else { panic!("{what} is rejected") };
        assert!(reread.kind == kind && reread.bytes == object.bytes, "{what} has different contents");
        // In the Falcon family, only the degree is compared, because raw bytes do not contain the
        // scheme. Outside the Falcon family, the algorithm is compared.
        let size = |object: &FileObject| object.algorithm().degree().ok_or(object.algorithm());
        assert_eq!(size(&reread), size(object), "{what}");
    };
    // `write` rejects bytes with a length that is valid only in a different scheme.
    let Ok(file) = write(kind, algorithm, Format::Pem, "a note", &object.bytes) else { return };
    check_same(&file, "PEM");
    // A raw key may contain text that looks like PEM. All PEM text contains `BEGIN`.
    if !object.bytes.windows(5).any(|window| window == b"BEGIN") {
        check_same(&object.bytes, "raw");
    }
    let containers = [FileEncoding::Pkcs8, FileEncoding::Pkcs8Der, FileEncoding::Spki, FileEncoding::SpkiDer];
    for encoding in containers.into_iter().chain([FileEncoding::TufKey]) {
        if let Ok(file) = WriteOptions::plain(encoding).write(kind, algorithm, "", &object.bytes) {
            assert_eq!(encoding.kind(), Some(kind));
            check_same(&file, encoding.name());
        }
    }
}

/// Decrypts a private key with the password `hello`, and checks the key like an unencrypted key.
/// Does nothing if the key derivation from the password would take long.
fn unlock(locked: &EncryptedPrivateKey, accept: &ReadOptions) {
    let described = locked.describe();
    assert!(is_one_line(&described));
    // Keep only the cost: N, r and p for scrypt, or the iteration count after the hash name. The
    // filter drops the number in the hash name.
    let cost = described.split(", AES").next().unwrap_or_default().trim_start_matches("PBKDF2 with HMAC-SHA-");
    let is_hash = |number: &u64| ![224, 256, 384, 512].contains(number) || cost.starts_with("scrypt");
    let numbers = cost.split(|c: char| !c.is_ascii_digit()).filter_map(|text| text.parse().ok()).filter(is_hash);
    // A bcrypt round takes some milliseconds.
    let limit = if cost.starts_with("bcrypt") { 1 } else { 256 };
    if numbers.fold(1u64, u64::saturating_mul) <= limit
        && let Ok(object) = locked.unlock(b"hello", accept)
    {
        check_round_trip(&object);
    }
}

/// Reads a text with PEM blocks. A round trip should preserve a block's contents. Changes that are
/// common in mail programs and editors should also preserve them: a byte-order mark, other line
/// ends, and blanks at line ends.
pub fn armor(data: &[u8]) {
    let parts = pem::parts(data);
    assert!(data.ends_with(&parts.concat()) && !parts.is_empty());
    for part in parts.into_iter().chain([data]) {
        let Ok(Some(block)) = PemBlock::find(part) else { continue };
        let found = block.payload();
        // Exclude a part that does not end with a line end, because the text that is added here
        // would extend the last line.
        let lines: Vec<_> = part.split(|b| *b == b'\n').collect();
        // Also exclude parts in which these changes would have a different meaning. For example, a
        // space after the line `-----BEGIN` makes it the start of a block.
        let is_excluded =
            part.starts_with(b"\xef\xbb\xbf") || part.contains(&b'\r') || lines.contains(&&b"-----BEGIN"[..]);
        if part.ends_with(b"\n") && !is_excluded {
            let moved = [b"\xef\xbb\xbfText\r\n", &lines.join(&b" \t\r\n"[..])[..], b"more"].concat();
            let moved = PemBlock::find(&moved).expect("PEM").expect("the block is still found");
            assert!(moved.label == block.label && moved.payload().ok() == found.clone().ok());
        }
        let Ok(bytes) = found else { continue };
        let written = pem::pem(block.label, "", &bytes);
        let reread = PemBlock::find(&written).expect("a good file").expect("a block");
        assert!(reread.label == block.label && reread.payload() == Ok(bytes));
    }
}

/// Counts the comments of a list, and splits a list with an inline signature into the signature and
/// the signed part. The signed part must not contain a signature. Joining both parts should restore
/// the file.
fn inline_signature(data: &[u8]) {
    let lines = data.split(|b| *b == b'\n').filter(|line| line.starts_with(b"#")).count();
    assert!(comments(data).count() == lines);
    if let Ok(Some(found)) = inline::split(data) {
        let mut joined = found.list.to_vec();
        inline::append(&mut joined, &found.signature);
        assert_eq!(joined, data);
        assert_eq!(inline::split(found.list), Ok(None));
    }
}

/// Parses a list. Checks that the names are unique and below the directory, and that a round trip
/// preserves the list's names and last day.
pub fn manifest(data: &[u8]) {
    let lines: Vec<_> = data.strip_suffix(b"\n").unwrap_or(data).split(|b| *b == b'\n').collect();
    inline_signature(data);
    let list = match parse(data) {
        Ok(list) => list,
        Err((number, flaw)) => {
            assert!((1..=lines.len()).contains(&number) && !flaw.to_string().is_empty());
            // The lines before the reported line must be valid, except for duplicate names, which
            // are found only when all lines have been parsed.
            let valid_lines = lines[..number - 1].join(&b'\n');
            return assert!(
                number == 1 || matches!(parse(&valid_lines), Ok(_) | Err((_, ListDefect::Duplicate))),
                "{flaw}"
            );
        }
    };
    let listed = list.files;
    let names: BTreeSet<_> = listed.iter().map(|listed| listed.name.to_vec()).collect();
    assert_eq!(names.len(), listed.len());
    for name in names {
        let is_below = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
        assert!(!name.is_empty() && name != b"-" && !name.contains(&0));
        assert_eq!(canonical(&name).expect("a name"), name);
        assert!(!is_best_before(&name));
        assert!(Path::new(OsStr::from_bytes(&name)).components().all(is_below));
    }
    let day = list.best_before;
    let mut list = Vec::new();
    let lines = lines.iter().map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    let mut files: Vec<_> = lines.filter(|line| !matches!(line, [] | [b'#', ..])).collect();
    let entries = files.len();
    files.retain(|line| !parse(line).is_ok_and(|line| line.best_before.is_some()));
    assert_eq!((files.len(), entries), (listed.len(), listed.len() + usize::from(day.is_some())));
    for (line, listed) in files.iter().zip(&listed) {
        // The digits are at the start of a line, or after `SHA256 (NAME) = `.
        let digest = listed.digest();
        assert!(line.windows(64).any(|digits| hex::from_hex(digits).as_ref() == Ok(&digest)));
        write_line(&mut list, &digest, &listed.name);
    }
    day.into_iter().for_each(|day| write_best_before(&mut list, day));
    let reread = parse(&list).expect("a written list is valid");
    assert_eq!(reread.best_before, day);
    assert!(reread.files.iter().map(|listed| &listed.name).eq(listed.iter().map(|listed| &listed.name)));
}
