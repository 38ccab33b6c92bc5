//! Checks that the public types that can grow have `#[non_exhaustive]`, so that a new variant or
//! field does not break the programs that use the library. [`CLOSED`] lists the types that do not
//! grow. Also checks that public error types implement `core::error::Error`.

use super::super::sources;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use syn::visit::{self, Visit};

/// The public types that may lack `#[non_exhaustive]`: enums, and structs without private fields.
/// For each type, the list contains the reason why the type does not grow.
const CLOSED: [(&str, &str); 22] = [
    ("BatchItem", "the three inputs of a verification; `MessageToVerify` contains the options"),
    ("BufferLen", "two lengths; the tests of a program compare an error with them"),
    ("DateError", "an error with a single reason"),
    ("DecisionOutcome", "a verdict is YES or NO"),
    ("DetachedSignatures", "a name for an implementation of `Envelope`"),
    ("FalconSignedMessage", "a signed message is a signature and a message"),
    ("FileContent", "a file is encrypted or not, and each caller decides about both cases"),
    ("InlineDefect", "an error with a single reason"),
    ("InlineList", "a name for an implementation of `Envelope`"),
    ("JwsFormat", "a name for an implementation of `Envelope`"),
    ("ListOutcome", "a verdict is YES or NO"),
    ("ModuleFormat", "a name for an implementation of `Envelope`"),
    ("ObjectKind", "a signature scheme has only these objects; other files have other types"),
    ("OpenedEnvelope", "signatures and contents, which grow in their types; no reader can forget a part"),
    ("PairSelection", "there are pairs to check, or the verdict is NO"),
    ("SignatureBlock", "a block is a signature of a known algorithm, or it is ignored"),
    ("SignaturePair", "a signature and a key"),
    ("SignedAttributes", "the bytes before, in and after a digest, and the hash function"),
    ("SignedMessage", "a name for an implementation of `Envelope`"),
    ("SignedModule", "a signed kernel module is a module and a signature"),
    ("UnknownAlgorithm", "an error with a single reason"),
    ("VerificationDay", "a date with a trait"),
];

/// Finds the public structs without private fields.
#[derive(Default)]
struct OpenStructs(BTreeSet<String>);

impl<'ast> Visit<'ast> for OpenStructs {
    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        let is_public = |it: &syn::Visibility| matches!(it, syn::Visibility::Public(_));
        if is_public(&item.vis) && item.fields.iter().all(|field| is_public(&field.vis)) {
            self.0.insert(item.ident.to_string());
        }
        visit::visit_item_struct(self, item);
    }
}

/// Returns the names of the types in tests/public-api/listing.txt that have this keyword and do not
/// have `#[non_exhaustive]`.
fn exhaustive(listing: &str, keyword: &str) -> BTreeSet<String> {
    let begin = format!("pub {keyword} fndsa::");
    let types = listing.lines().filter_map(|line| line.strip_prefix(&begin));
    let paths = types.map(|item| item.split(['<', '(', ' ']).next().unwrap_or(item));
    paths.map(|path| path.rsplit("::").next().unwrap_or(path).to_owned()).collect()
}

#[test]
fn public_types_that_can_grow_are_non_exhaustive() {
    let listing = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/public-api/listing.txt");
    let listing = fs::read_to_string(listing).unwrap();
    assert!(listing.contains("enum fndsa::verdict::Rejection"), "the listing is incomplete");
    let mut structs = OpenStructs::default();
    for folder in ["src/api", "src/files", "src/verdict", "src/engine", "src/simd"] {
        for (path, text) in sources(folder) {
            structs.visit_file(&syn::parse_file(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display())));
        }
    }
    let mut found = exhaustive(&listing, "enum");
    found.extend(exhaustive(&listing, "struct").intersection(&structs.0).cloned());
    let closed: BTreeSet<_> = CLOSED.iter().map(|(name, _)| (*name).to_owned()).collect();
    let unlisted: Vec<_> = found.difference(&closed).collect();
    assert!(unlisted.is_empty(), "add #[non_exhaustive], or a line with a reason to CLOSED: {unlisted:?}");
    let outdated: Vec<_> = closed.difference(&found).collect();
    assert!(outdated.is_empty(), "remove the lines from CLOSED: {outdated:?}");
}

#[test]
fn the_reader_finds_exhaustive_types() {
    let listing = "pub enum fndsa::a::Yes<E>\n#[non_exhaustive] pub enum fndsa::a::Error\npub struct fndsa::Item<'a>\n\
                   pub enum core::Other\npub struct fndsa::b::Day(pub core::Num<u8>)";
    let names = |keyword| exhaustive(listing, keyword).into_iter().collect::<Vec<_>>();
    assert_eq!(names("enum"), ["Yes"]);
    assert_eq!(names("struct"), ["Day", "Item"]);
    let mut structs = OpenStructs::default();
    let text = "pub struct Unit; pub struct Day(pub u8); pub struct Key(u8); struct Inner { pub a: u8 }
                pub struct Item { pub a: u8, b: u8 } mod nested { pub struct Options { pub a: u8 } }";
    structs.visit_file(&syn::parse_file(text).expect("Rust"));
    assert_eq!(structs.0.into_iter().collect::<Vec<_>>(), ["Day", "Options", "Unit"]);
}

/// The types that [`error_types`] returns although they do not implement `core::error::Error`, each
/// with the reason.
const NO_ERRORS: [(&str, &str); 2] = [
    ("InputDefect", "the words of a message, in a module that the listing does not contain"),
    ("Rejection", "the verdict NO, which is an answer and not an error"),
];

/// Returns the names of the error types in a listing: the types with a name that ends with `Error`
/// or `Defect`, and the error types of this crate in a `Result`.
fn error_types(listing: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for line in listing.lines() {
        for keyword in ["enum", "struct"] {
            if let Some((_, item)) = line.split_once(&format!("pub {keyword} fndsa::")) {
                let name = last_name(item);
                if name.ends_with("Error") || name.ends_with("Defect") {
                    names.insert(name);
                }
            }
        }
        for (_, result) in line.match_indices("core::result::Result<").map(|(at, _)| line.split_at(at)) {
            if let Some(name) = error_of_result(result)
                && name.starts_with("fndsa::")
            {
                names.insert(last_name(name));
            }
        }
    }
    names
}

/// Returns the last name in a Rust path, without generic parameters.
fn last_name(path: &str) -> String {
    let path = path.split(['<', '(', ' ', '>', ')', ',']).next().unwrap_or(path);
    path.rsplit("::").next().unwrap_or(path).to_owned()
}

/// Returns the end of a text that starts with a `Result`, from its second parameter on. This
/// parameter is the error type. Returns `None` if the `Result` has only one parameter.
fn error_of_result(result: &str) -> Option<&str> {
    let mut depth = 0;
    for (at, character) in result.char_indices() {
        match character {
            '<' | '(' | '[' => depth += 1,
            '>' | ')' | ']' => depth -= 1,
            ',' if depth == 1 => return Some(result[at + 1..].trim_start()),
            _ => {}
        }
        if depth == 0 && character == '>' {
            return None;
        }
    }
    None
}

/// Returns the names of the types in a listing that implement `core::error::Error`.
fn implementors(listing: &str) -> BTreeSet<String> {
    let implementations = listing.lines().filter_map(|line| line.split_once("core::error::Error for fndsa::"));
    implementations.map(|(_, path)| last_name(path)).collect()
}

#[test]
fn public_error_types_implement_the_error_trait() {
    let listing = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/public-api/listing.txt");
    let listing = fs::read_to_string(listing).unwrap();
    let types = error_types(&listing);
    assert!(types.len() > 30 && types.contains("KeyLineDefect") && types.contains("SignatureFileError"), "{types:?}");
    let implementors = implementors(&listing);
    let missing: BTreeSet<_> = types.difference(&implementors).cloned().collect();
    let allowed: BTreeSet<_> = NO_ERRORS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(missing, allowed, "implement core::error::Error, run tests/public-api/run --bless, or change NO_ERRORS");
}

#[test]
fn the_reader_finds_error_types() {
    let listing = "pub fn fndsa::a(&str) -> core::result::Result<core::option::Option<(u8, u16)>, fndsa::b::Conflict<E>>\n\
                   pub fn fndsa::f() -> core::result::Result<core::result::Result<u8, fndsa::Inner>, fndsa::b::Outer>\n\
                   #[non_exhaustive] pub enum fndsa::KeyError<R>\npub struct fndsa::Defect(u8)\npub enum fndsa::Kind\n\
                   pub fn fndsa::g() -> core::result::Result<u8, core::Foreign>\n\
                   impl<R> core::error::Error for fndsa::KeyError<R>";
    let names: Vec<_> = error_types(listing).into_iter().collect();
    assert_eq!(names, ["Conflict", "Defect", "Inner", "KeyError", "Outer"]);
    assert_eq!(implementors(listing).into_iter().collect::<Vec<_>>(), ["KeyError"]);
}
