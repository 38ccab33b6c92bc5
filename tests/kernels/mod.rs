//! Checks kernels: the functions that are compiled once for each level (instruction set). A kernel
//! must be inlined, or must open a frame. A frame is a function that the macro `frame!` creates
//! with the level's instruction set. If a kernel does neither, the compiler does not use the
//! instruction set, and the kernel runs 50 times slower.

use super::{assert_none, has_word, is_test, sources, without_tests};
use std::path::Path;

/// The trait of all levels, and the traits with their vector operations.
const LEVELS: [&str; 8] = ["Simd", "U16s", "U32s", "U64s", "I64s", "F32s", "F64s", "RealRows"];

const CALLS: &str = "it only copies bytes and numbers, and calls functions that open frames";
const WIPES: &str = "it only wipes memory";

/// Functions that are generic over a level, but may be compiled without the level's instructions:
/// file, function and reason.
const EXCEPTIONS: [(&str, &str, &str); 29] = [
    ("src/api/parallel.rs", "lock", "it takes a lock"),
    ("src/api/parallel.rs", "keep_if_first", "it copies a key"),
    ("src/api/parallel.rs", "run", "it opens a frame after it has copied the level and the degree"),
    (
        "src/engine/falcon/keygen.rs",
        "refill",
        "it opens a frame after it has squeezed bytes, and squeezing opens its own frames",
    ),
    ("src/engine/falcon/keygen.rs", "draw_into", CALLS),
    ("src/engine/falcon/keygen.rs", "sample", CALLS),
    ("src/engine/falcon/sampler/ahead.rs", "drop", WIPES),
    ("src/engine/falcon/sampler/eight.rs", "new", CALLS),
    ("src/engine/falcon/sampler/eight.rs", "squeeze", CALLS),
    ("src/engine/falcon/sampler/eight.rs", "drop", WIPES),
    ("src/engine/falcon/sampler/mod.rs", "new", CALLS),
    ("src/engine/falcon/sampler/mod.rs", "nonce", CALLS),
    ("src/engine/falcon/sampler/mod.rs", "is_complete", "it compares two counts"),
    ("src/engine/falcon/sampler/mod.rs", "is_exhausted", "it reads a flag"),
    ("src/engine/falcon/sampler/stream.rs", "refill", CALLS),
    ("src/engine/falcon/sampler/stream.rs", "drop", WIPES),
    ("src/engine/falcon/sampler/together.rs", "new", CALLS),
    ("src/engine/falcon/sampler/together.rs", "make_block", CALLS),
    ("src/engine/falcon/sampler/together.rs", "nonce", CALLS),
    ("src/engine/falcon/sampler/together.rs", "is_complete", "it compares two counts"),
    ("src/engine/falcon/sampler/together.rs", "drop", WIPES),
    ("src/engine/falcon/verify_batch.rs", "verify_together", "it opens a frame after it has counted the signatures"),
    ("src/engine/hash/shake.rs", "absorb", CALLS),
    ("src/engine/hash/shake.rs", "finish_with_bits", CALLS),
    ("src/engine/hash/shake.rs", "join", CALLS),
    ("src/engine/hash/shake.rs", "squeeze", CALLS),
    ("src/engine/hash/sponges.rs", "start", CALLS),
    ("src/engine/hash/sponges.rs", "permute", CALLS),
    ("src/engine/hash/sponges.rs", "hash_together", CALLS),
];

/// A function with a body in a source file.
struct SourceFunction {
    line: usize,
    name: String,
    /// The text before `fn`: the attributes and the visibility.
    attributes: String,
    /// The text from `fn` to the body.
    signature: String,
    /// The headers of the `impl` blocks that contain the function.
    impl_headers: String,
    body: String,
}

/// Returns the length of the string literal at the start of `text`.
fn string_len(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        if c == '"' && !escaped {
            return at + 1;
        }
        escaped = c == '\\' && !escaped;
    }
    text.len()
}

/// Returns a file with blanks instead of comments, string literals and character literals.
fn blank_comments_and_strings(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let len = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if c == '"' {
            string_len(rest)
        } else if c == '\'' && rest.chars().nth(2) == Some('\'') {
            rest.char_indices().nth(3).map_or(rest.len(), |(at, _)| at)
        } else {
            out.push(c);
            rest = &rest[c.len_utf8()..];
            continue;
        };
        out.extend(rest[..len].chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
        rest = &rest[len..];
    }
    out
}

/// Finds the first character in `text[from..]` that is in `marks` and outside parentheses and
/// brackets. Returns its position in `text`.
fn find_outside_brackets(text: &str, from: usize, marks: &[char]) -> Option<usize> {
    let mut depth = 0usize;
    for (at, c) in text[from..].char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ if depth == 0 && marks.contains(&c) => return Some(from + at),
            _ => (),
        }
    }
    None
}

/// Returns the position after the `close` character that matches the `open` character at `at`.
fn position_after_close(text: &str, at: usize, open: char, close: char) -> usize {
    let mut depth = 0usize;
    for (i, c) in text[at..].char_indices() {
        depth += usize::from(c == open);
        depth -= usize::from(c == close);
        if depth == 0 {
            return at + i + c.len_utf8();
        }
    }
    text.len()
}

/// Returns the words in a text and their positions.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].find(part)?;
        let len = text[start..].find(|c| !part(c)).unwrap_or(text.len() - start);
        at = start + len;
        Some((start, &text[start..at]))
    })
}

/// Returns all functions in a file that have a body.
fn source_functions(text: &str) -> Vec<SourceFunction> {
    let text = &blank_comments_and_strings(text);
    // The `impl` blocks: header, start and end.
    let mut blocks: Vec<(&str, usize, usize)> = vec![];
    let mut found = vec![];
    let mut signature_end = 0;
    for (at, word) in words(text) {
        if at < signature_end {
            continue;
        }
        let attributes = &text[text[..at].rfind(['{', '}', ';']).map_or(0, |at| at + 1)..at];
        if word == "impl" {
            if let Some(open) = find_outside_brackets(text, at, &['{', ';']) {
                blocks.push((&text[at..open], open, position_after_close(text, open, '{', '}')));
                signature_end = open;
            }
        } else if word == "fn"
            && let Some((name_at, name)) = words(&text[at + 2..]).next()
            && text[at + 2..at + 2 + name_at].trim().is_empty()
            && let Some(open) = find_outside_brackets(text, at, &['{', ';'])
        {
            signature_end = open;
            // Skips a declaration without a body, and a macro's entry that defines an operation:
            // `fn name(..) = ..`.
            let signature = &text[at..open];
            let after_types = signature.rfind(['>', ')']).map_or("", |last| &signature[last..]);
            if text[open..].starts_with(';') || after_types.contains('=') {
                continue;
            }
            let impl_headers = blocks.iter().filter(|(_, start, end)| (*start..*end).contains(&at));
            found.push(SourceFunction {
                line: text[..at].lines().count(),
                name: name.to_owned(),
                attributes: attributes.to_owned(),
                signature: signature.to_owned(),
                impl_headers: impl_headers.map(|(header, ..)| *header).collect::<Vec<_>>().join(" "),
                body: text[open + 1..position_after_close(text, open, '{', '}') - 1].trim().to_owned(),
            });
        }
    }
    found
}

/// Returns whether a header has a generic parameter with a level trait as its bound, or implements
/// a level trait.
fn is_over_a_level(text: &str) -> bool {
    let mut words = words(text).peekable();
    while let Some((at, word)) = words.next() {
        let implemented = words.peek().is_some_and(|(_, next_word)| *next_word == "for");
        if LEVELS.contains(&word) && (implemented || text[..at].trim_end().ends_with([':', '+'])) {
            return true;
        }
    }
    false
}

/// Returns whether a function's first statement opens a frame. An `if` block may precede the frame:
/// if a row (a slice with numbers) is too short for the level, the function calls itself for a
/// level with shorter vectors.
fn opens_a_frame(body: &str) -> bool {
    let mut body = body;
    if body.starts_with("if is_short::<S>(")
        && let Some(open) = find_outside_brackets(body, 0, &['{'])
    {
        body = body[position_after_close(body, open, '{', '}')..].trim_start();
    }
    body.starts_with("frame!(")
}

/// Returns the functions in a file that are generic over a level, or are methods of a level.
fn level_functions(path: &Path, text: &str) -> Vec<SourceFunction> {
    let is_level_function =
        |function: &SourceFunction| is_over_a_level(&function.signature) || is_over_a_level(&function.impl_headers);
    // Excludes the files with laws (tests for the levels' operations).
    if is_test(path) || path.starts_with("src/simd/check/laws") || path.ends_with("laws.rs") {
        return vec![];
    }
    source_functions(without_tests(text)).into_iter().filter(is_level_function).collect()
}

#[test]
fn kernels_are_inlined_or_open_a_frame() {
    let mut found = vec![];
    let mut function_count = 0;
    let mut exceptions_found: Vec<(String, String)> = vec![];
    for (path, text) in ["src/api", "src/engine", "src/simd"].iter().flat_map(|dir| sources(dir)) {
        for function in level_functions(&path, &text) {
            function_count += 1;
            // A function with one of these attributes has the level's instructions, because it is
            // always inlined or is a frame.
            let keeps_instructions =
                ["inline(always)", "target_feature("].iter().any(|mark| function.attributes.contains(mark));
            if keeps_instructions || opens_a_frame(&function.body) {
                continue;
            }
            let name = path.to_str().unwrap();
            if EXCEPTIONS.iter().any(|(file, exempt, _)| *file == name && *exempt == function.name) {
                exceptions_found.push((name.to_owned(), function.name));
            } else {
                found.push(format!("{name}:{}: {}", function.line, function.name));
            }
        }
    }
    assert_none(found, "neither inline(always) nor a frame in the first line");
    println!("{function_count} functions over a level");
    assert!(function_count >= 340, "only {function_count} functions over a level were seen");
    let listed: Vec<(String, String)> =
        EXCEPTIONS.iter().map(|(file, function, _)| ((*file).to_owned(), (*function).to_owned())).collect();
    assert_eq!(exceptions_found, listed, "the list of functions that may lose their instructions");
}

/// Checks that only the macro `frame!` opens frames. The macro adds an attribute to the closure,
/// because the compiler may otherwise make the closure a separate function without the level's
/// instructions.
#[test]
fn frames_are_opened_by_one_macro() {
    let mut found = vec![];
    for (path, text) in ["src/api", "src/engine", "src/simd"].iter().flat_map(|dir| sources(dir)) {
        let text = blank_comments_and_strings(&text);
        for (at, _) in text.match_indices(".enter(").chain(text.match_indices("Frame::enter(")) {
            found.push(format!("{}:{}", path.display(), text[..at].lines().count()));
        }
    }
    // The macro is in simd/frame.rs. The code for eight signatures in simd/eight.rs also opens a
    // frame, without the macro.
    let opening_files = ["src/simd/eight.rs:", "src/simd/frame.rs:"];
    let other_frames =
        found.iter().filter(|position| !opening_files.iter().any(|file| position.starts_with(file))).cloned().collect();
    assert_none(other_frames, "a frame that is not opened by `frame!`");
    assert_eq!(found.len(), opening_files.len(), "not one frame in each of {opening_files:?}: {found:?}");
}

/// Checks that kernels do not pass closures that use the level (`isa`) to `map` and similar
/// methods. These methods are separate functions. A build with several codegen units compiles them,
/// and all operations in the closure, without the level's instructions.
#[test]
fn kernels_do_not_use_map_on_an_array() {
    let mut found = vec![];
    for (path, text) in ["src/api", "src/engine"].iter().flat_map(|dir| sources(dir)) {
        if is_test(&path) {
            continue;
        }
        let text = blank_comments_and_strings(without_tests(&text));
        for mark in [".map(", ".fold(", ".for_each(", ".and_then("] {
            for (at, _) in text.match_indices(mark) {
                let open = at + mark.len() - 1;
                if has_word(&text[open..position_after_close(&text, open, '(', ')')], "isa") {
                    found.push(format!("{}:{}", path.display(), text[..at].lines().count()));
                }
            }
        }
    }
    assert_none(found, "a closure over a level that is given to a function: write a loop");
}

#[test]
fn the_reader_finds_kernels() {
    let text = r#"
        fn plain(x: &str) { let s = "fn no<S: Simd>() {"; }
        #[inline(always)]
        pub fn inlined<S: Simd, const N: usize>(isa: S, x: [u8; N]) -> [u8; 4] where S: Copy { x }
        impl<L: Clone + F32s> Drop for Ahead<L> { fn method(&mut self) { let c = '"'; } fn declared(&self); }
        fn framed<S: Simd>(isa: S) { if is_short::<S>(n) { return framed(isa.half()); } frame!(isa, { x }) }
        fn late<B: U64s>(bits: B) { let a = 1; frame!(bits, a) }
        impl Simd for Wide { fn operation(self) { } }
        fn of(x: impl Fn(u8) -> u8) {}
    "#;
    let found: Vec<(usize, String, bool, bool)> = level_functions(Path::new("src/engine/x.rs"), text)
        .into_iter()
        .map(|function| {
            (
                function.line,
                function.name,
                function.attributes.contains("inline(always)"),
                opens_a_frame(&function.body),
            )
        })
        .collect();
    let expected = [
        (4, "inlined", true, false),
        (5, "method", false, false),
        (6, "framed", false, true),
        (7, "late", false, false),
        (8, "operation", false, false),
    ];
    assert_eq!(found, expected.map(|(line, name, inlined, framed)| (line, name.to_owned(), inlined, framed)));
}
