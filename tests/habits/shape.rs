//! Limits for functions: their length, and in some layers, the numbers of named closures and
//! combinator calls such as `map`. Loops and small functions are easier to understand than
//! closures that call closures.

use super::super::{is_test, sources, without_tests};
use super::assert_at_most;
use std::path::Path;
use syn::visit::{self, Visit};

/// The maximum length for a function, in lines.
const MAX_LINES: usize = 60;

/// For each layer, two limits per 1,000 code lines: for named closures, and for combinator calls.
const LAYERS: [(&str, usize, usize); 4] =
    [("src/cmd", 1, 25), ("src/tool", 1, 25), ("src/files", 1, 25), ("src/verdict", 1, 25)];

/// The functions that may be longer, as file and name: tables with a match arm for each row, and
/// numerical functions that must be in a single `frame!`.
const LONG_FUNCTIONS: [(&str, &str); 9] = [
    ("src/verdict/foreign.rs", "foreign_hint"),
    ("src/verdict/messages.rs", "defect_row"),
    ("src/api/subroutine.rs", "call"),
    ("src/engine/falcon/import.rs", "check"),
    ("src/engine/falcon/sign_batch.rs", "sign_lanes"),
    ("src/engine/falcon/ntru/inverse.rs", "neg_inverse_into"),
    ("src/engine/falcon/ntru/mod.rs", "solve"),
    ("src/engine/falcon/ntru/reduce.rs", "reduce"),
    ("src/engine/falcon/ntru/top.rs", "finish"),
];

/// Combinators: methods on options, results and iterators. Most of them take a function.
const COMBINATORS: [&str; 36] = [
    "all",
    "and_then",
    "any",
    "chain",
    "filter",
    "filter_map",
    "find",
    "find_map",
    "flat_map",
    "fold",
    "for_each",
    "inspect",
    "inspect_err",
    "is_none_or",
    "is_ok_and",
    "is_some_and",
    "map",
    "map_err",
    "map_or",
    "map_or_else",
    "map_while",
    "max_by_key",
    "min_by_key",
    "ok_or_else",
    "or_else",
    "or_insert_with",
    "partition",
    "position",
    "scan",
    "skip_while",
    "take_while",
    "then",
    "try_fold",
    "try_for_each",
    "unwrap_or_else",
    "zip",
];

/// The closures in a file.
#[derive(Default)]
struct ClosureFindings {
    file: String,
    /// `let name = |..| ..;`
    named: Vec<String>,
    /// The number of combinator calls.
    combinators: usize,
}

impl<'ast> Visit<'ast> for ClosureFindings {
    fn visit_local(&mut self, local: &'ast syn::Local) {
        if let Some(init) = &local.init
            && let syn::Expr::Closure(_) = &*init.expr
        {
            let name = match &local.pat {
                syn::Pat::Type(typed) => super::name_of(&typed.pat),
                pattern => super::name_of(pattern),
            };
            self.named.push(format!("{}: {}", self.file, name.unwrap_or_default()));
        }
        visit::visit_local(self, local);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        self.combinators += usize::from(COMBINATORS.contains(&call.method.to_string().as_str()));
        visit::visit_expr_method_call(self, call);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        let arguments = syn::punctuated::Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated;
        if let Ok(arguments) = call.parse_body_with(arguments) {
            arguments.iter().for_each(|argument| Visit::visit_expr(self, argument));
        }
    }
}

/// Returns whether a file is compiled only for tests: `#[cfg(test)]` precedes its module
/// declaration.
fn is_for_tests(path: &Path, all: &[(std::path::PathBuf, String)]) -> bool {
    let name = path.file_stem().unwrap().to_str().unwrap();
    let declaration = format!("#[cfg(test)]\nmod {name};");
    let parent = path.with_file_name("mod.rs");
    is_test(path) || all.iter().any(|(other, text)| *other == parent && text.contains(&declaration))
}

/// Returns a layer's files without tests.
fn layer_files(layer: &str) -> Vec<(String, String)> {
    let all = sources(layer);
    let layer_sources = all.iter().filter(|(path, _)| !is_for_tests(path, &all));
    layer_sources.map(|(path, text)| (path.display().to_string(), without_tests(text).to_owned())).collect()
}

/// Finds the closures in a file.
fn closures(file: &str, text: &str) -> ClosureFindings {
    let mut closures = ClosureFindings { file: file.to_owned(), ..ClosureFindings::default() };
    closures.visit_file(&syn::parse_file(text).unwrap_or_else(|e| panic!("{file}: {e}")));
    closures
}

#[test]
fn closures_are_few() {
    for (layer, named_limit, combinator_limit) in LAYERS {
        let (mut named, mut combinators, mut lines) = (vec![], 0, 0);
        for (file, text) in layer_files(layer) {
            let found = closures(&file, &text);
            named.extend(found.named);
            combinators += found.combinators;
            let is_code = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with("//");
            lines += text.lines().filter(is_code).count();
        }
        assert!(lines > 1500, "{layer}: {lines} lines");
        assert_at_most(named_limit * lines / 1000, &format!("named closures in {layer}"), &named);
        println!("combinators in {layer}: {} per 1,000 of {lines} lines", combinators * 1000 / lines);
        assert!(combinators * 1000 <= combinator_limit * lines, "{layer}: {combinators} combinators in {lines} lines");
    }
}

/// Returns the names and lengths of functions with more than `max_lines` lines. In formatted
/// sources, a function ends at the brace in the same column as the function's first word.
fn long_functions(text: &str, max_lines: usize) -> Vec<(String, usize)> {
    let lines: Vec<_> = text.lines().collect();
    let mut found = vec![];
    for (first, line) in lines.iter().enumerate() {
        let words: Vec<_> = line.trim_start().split(' ').take_while(|word| !word.starts_with("//")).collect();
        let qualifiers = ["pub", "pub(super)", "pub(crate)", "const", "unsafe", "extern", "\"C\""];
        let Some(at) = words.iter().position(|word| !qualifiers.contains(word)) else { continue };
        if words[at] != "fn" || at + 1 >= words.len() {
            continue;
        }
        let name = words[at + 1].split(['(', '<']).next().unwrap().to_owned();
        let column = line.len() - line.trim_start().len();
        let end = format!("{}}}", " ".repeat(column));
        let length = lines[first..].iter().position(|line| *line == end).map_or(1, |length| length + 1);
        if length > max_lines && !line.trim_end().ends_with(['}', ';']) {
            found.push((name, length));
        }
    }
    found
}

#[test]
fn functions_are_short() {
    let mut long_functions_found = vec![];
    let mut exceptions = vec![];
    let mut functions = 0;
    // `src/simd` consists of assembly and of operation tables.
    for layer in ["src/cmd", "src/tool", "src/files", "src/verdict", "src/api", "src/engine"] {
        for (file, text) in layer_files(layer) {
            functions += long_functions(&text, 0).len();
            for (name, length) in long_functions(&text, MAX_LINES) {
                match LONG_FUNCTIONS.iter().find(|row| **row == (file.as_str(), name.as_str())) {
                    Some(row) => exceptions.push(*row),
                    None => long_functions_found.push(format!("{file}: {name}, {length} lines")),
                }
            }
        }
    }
    assert!(functions > 2000, "{functions} functions were seen");
    assert_at_most(0, "functions of more than 60 lines", &long_functions_found);
    let mut expected_exceptions = LONG_FUNCTIONS;
    expected_exceptions.sort_unstable();
    exceptions.sort_unstable();
    assert_eq!(exceptions, expected_exceptions, "an exception that is not needed any more");
}

#[test]
fn the_reader_finds_functions_and_closures() {
    let text = "
pub(super) fn long<'a>(
    it: &'a str,
) -> usize {
    let one = |x: usize| x;
    let two: fn(usize) -> usize = |x| x;
    assert!(it.len() > [1].iter().map(one).filter(|x| *x > 0).count());
    let _ = two;
    0
}
";
    let found = closures("here", text);
    assert_eq!((found.named, found.combinators), (vec!["here: one".to_owned(), "here: two".to_owned()], 2));
    assert_eq!(long_functions(text, 8), [("long".to_owned(), 9)]);
    assert_eq!(long_functions(text, 9), []);
}
