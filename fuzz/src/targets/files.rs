//! What the command line reads: files and arguments.

use crate::cmd::armor::{self, Block};
use crate::cmd::container::{Accept, Stored};
use crate::cmd::encryption::Locked;
use crate::cmd::keys::{Private, Public};
use crate::cmd::manifest::list::{Flaw, canonical, parse, write_line};
use crate::cmd::object::{Encoding, Format, Kind, Object, Structure};
use crate::cmd::report::Error;
use crate::cmd::stored::{self, Style, read};
use crate::cmd::{self, COMMANDS, Globals, attached, escape, hex, io::Source};
use clap::{ArgMatches, Command, FromArgMatches};
use fndsa::{Level, Scheme, Signature};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path};

/// A file of any kind: no panic, and what is a key or signature is the same after it was written in any form.
pub fn object(data: &[u8]) {
    let any = Accept { any_oid: true, ..Accept::default() };
    for accept in [Accept::default(), any] {
        match read(data, &accept) {
            Ok(Stored::Plain(object)) => same_when_written(&object),
            Ok(Stored::Locked(locked)) => unlock(&locked, &accept),
            Err(defect) => assert!(escape::is_visible(&defect.to_string()) && !defect.reason().is_empty()),
        }
    }
    for part in armor::parts(data) {
        let _ = read(part, &Accept::default());
    }
    if let Some(attached) = attached::split(data) {
        let signature = Signature::from_bytes(Scheme::Falcon, &attached.signature.bytes);
        assert!(signature.is_ok() && attached.message.len() < data.len());
    }
}

/// Checks a key or signature, and writes and reads it.
fn same_when_written(object: &Object) {
    let (kind, algorithm) = (object.kind, object.algorithm());
    // Of a length that only another scheme has, it has none of its own: `convert` does not write it.
    if kind == Kind::Signature && Signature::from_bytes(algorithm.scheme, &object.bytes).is_err() {
        return;
    }
    let good = match kind {
        Kind::SigningKey => Private::check(Level::detect(), object, &Source::Stdin).map(drop),
        Kind::VerifyingKey => Public::check(object, Source::Stdin).map(drop),
        Kind::Signature => Ok(()),
    };
    assert!(good.map_or_else(|e| !e.to_string().is_empty(), |()| true));
    let same = |file: &[u8], what: &str| {
        let Ok(Stored::Plain(again)) = read(file, &Accept::default()) else { panic!("{what} is refused") };
        assert!(again.kind == kind && again.bytes == object.bytes, "{what} is another");
        assert_eq!(again.degree, object.degree, "{what}");
    };
    same(&stored::write(kind, algorithm.scheme, Format::Pem, "a note", &object.bytes), "PEM");
    // The middle of a key may look like PEM, which needs this text.
    if !object.bytes.windows(5).any(|window| window == b"BEGIN") {
        same(&object.bytes, "raw");
    }
    for encoding in [Encoding::Pkcs8, Encoding::Pkcs8Der, Encoding::Spki, Encoding::SpkiDer] {
        if let Ok(file) = Style::plain(encoding).write(kind, algorithm, "", &object.bytes) {
            assert_eq!(encoding.kind(), Some(kind));
            same(&file, encoding.name());
        }
    }
}

/// Opens a private key behind a password where that is cheap.
fn unlock(locked: &Locked, accept: &Accept) {
    let described = locked.describe();
    assert!(escape::is_visible(&described));
    // Nothing but what it costs, which is N, r and p or a count of iterations behind the hash.
    let cost = described.split(", AES").next().unwrap_or_default().trim_start_matches("PBKDF2 with HMAC-SHA-");
    let is_hash = |number: &u64| ![224, 256, 384, 512].contains(number) || cost.starts_with("scrypt");
    let numbers = cost.split(|c: char| !c.is_ascii_digit()).filter_map(|text| text.parse().ok()).filter(is_hash);
    if numbers.fold(1u64, u64::saturating_mul) <= 256
        && let Ok(plain) = locked.open(b"hello")
        && let Ok(Stored::Plain(object)) = Structure::Private.read(&plain, locked.der, accept)
    {
        same_when_written(&object);
    }
}

/// A text with PEM blocks: what is in them is the same in another transport, and written anew.
pub fn armor(data: &[u8]) {
    let parts = armor::parts(data);
    assert!(data.ends_with(&parts.concat()) && !parts.is_empty());
    for part in parts.into_iter().chain([data]) {
        let Ok(Some(block)) = Block::find(part) else { continue };
        let found = block.payload();
        // The text behind the block may go on in the middle of its END line.
        let lines: Vec<_> = part.split(|b| *b == b'\n').collect();
        // A blank makes such a line one that begins a block.
        let odd = part.starts_with(b"\xef\xbb\xbf") || part.contains(&b'\r') || lines.contains(&&b"-----BEGIN"[..]);
        if part.ends_with(b"\n") && !odd {
            let moved = [b"\xef\xbb\xbfText\r\n", &lines.join(&b" \t\r\n"[..])[..], b"more"].concat();
            let moved = Block::find(&moved).expect("as before").expect("a block");
            assert!(moved.label == block.label && moved.payload().ok() == found.clone().ok());
        }
        let Ok(bytes) = found else { continue };
        let written = armor::pem(block.label, "", &bytes);
        let again = Block::find(&written).expect("a good file").expect("a block");
        assert!(again.label == block.label && again.payload() == Ok(bytes));
    }
}

/// The list of a manifest: names below the directory, each once; and the same list when written anew.
pub fn manifest(data: &[u8]) {
    let lines: Vec<_> = data.strip_suffix(b"\n").unwrap_or(data).split(|b| *b == b'\n').collect();
    let listed = match parse(data) {
        Ok(listed) => listed,
        Err((number, flaw)) => {
            assert!((1..=lines.len()).contains(&number) && !flaw.reason().is_empty());
            // The lines before it are good, but for names that are only looked at when all lines are good.
            let before = lines[..number - 1].join(&b'\n');
            return assert!(number == 1 || matches!(parse(&before), Ok(_) | Err((_, Flaw::Duplicate))), "{flaw}");
        }
    };
    let names: BTreeSet<_> = listed.iter().map(|listed| listed.name.to_vec()).collect();
    assert_eq!(names.len(), listed.len());
    for name in names {
        let inside = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
        assert!(!name.is_empty() && name != b"-" && !name.contains(&0));
        assert_eq!(canonical(&name).expect("a name"), name);
        assert!(Path::new(OsStr::from_bytes(&name)).components().all(inside));
    }
    let mut list = Vec::new();
    let lines = lines.iter().map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    let files: Vec<_> = lines.filter(|line| !matches!(line, [] | [b'#', ..])).collect();
    assert_eq!(files.len(), listed.len());
    for (line, listed) in files.iter().zip(&listed) {
        let digits = line.strip_prefix(b"\\").unwrap_or(line).get(..64).expect("a checksum");
        let digest = hex::from_hex(digits).expect("hexadecimal");
        assert!(listed.compare(&digest).holds());
        assert!(!listed.compare(&[&digest[1..], &[!digest[0]]].concat()).holds());
        write_line(&mut list, &digest, &listed.name);
    }
    let again = parse(&list).expect("what is written is read");
    assert!(again.iter().map(|listed| &listed.name).eq(listed.iter().map(|listed| &listed.name)));
}

/// What the arguments of a command are taken for.
fn taken(name: &str, mut matches: ArgMatches) -> Result<String, clap::Error> {
    macro_rules! taken {
        ($($module:ident)*) => {
            match name {
                $(stringify!($module) => {
                    let args = <cmd::$module::Args as FromArgMatches>::from_arg_matches_mut(&mut matches)?;
                    format!("{args:?}")
                })*
                _ => panic!("{name} is not in this list"),
            }
        };
    }
    Ok(taken! {
        keygen sign verify inspect pubkey convert passwd bench selftest testvectors completions man quickstart
    })
}

thread_local! {
    /// The definition, and that of each command by the short way. To make them takes longer than to use them.
    static DEFINITIONS: RefCell<(Command, Vec<Command>)> =
        RefCell::new((cmd::definition(), COMMANDS.iter().map(|row| row.plain()).collect()));
}

/// Arguments, each ended by NUL, through the parser alone. What the short way takes, the whole definition takes for
/// the same; and no error repeats an invisible character.
pub fn arguments(data: &[u8]) {
    let arguments: Vec<_> =
        data.strip_suffix(b"\0").unwrap_or(data).split(|b| *b == 0).map(OsStr::from_bytes).collect();
    DEFINITIONS.with_borrow_mut(|(definition, plain)| parse_arguments(definition, plain, &arguments));
}

fn parse_arguments(definition: &mut Command, plain: &mut [Command], arguments: &[&OsStr]) {
    let all = [OsStr::new("fndsa")].into_iter().chain(arguments.iter().copied());
    let whole = definition.try_get_matches_from_mut(all).and_then(|mut matches| {
        let globals = Globals::from_arg_matches_mut(&mut matches)?;
        let (name, matches) = matches.remove_subcommand().expect("a command");
        Ok((format!("{globals:?}"), taken(&name, matches)?))
    });
    if let Some((first, rest)) = arguments.split_first()
        && let Some(at) = COMMANDS.iter().position(|row| *first == row.name)
        && let Ok(mut matches) = plain[at].try_get_matches_from_mut(rest)
        && let Ok(globals) = Globals::from_arg_matches_mut(&mut matches)
    {
        let taken = taken(COMMANDS[at].name, matches).expect("the definition is as the struct");
        assert_eq!(whole.as_ref().ok(), Some(&(format!("{globals:?}"), taken)));
    }
    if let Err(e) = whole {
        let text = e.render().to_string();
        assert!(escape::cleaned(&text, false).lines().all(escape::is_visible));
        assert!(escape::is_visible(&escape::cleaned(&text, true)));
        assert!(!Error::of_command_line(&text).to_string().contains('\n'));
    }
}
