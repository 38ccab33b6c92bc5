//! Limits for patterns in the sources that make code hard to read. If a count exceeds its limit,
//! write the new code without the pattern. Do not raise the limit. `tests/house.rs` contains this
//! module.

mod comments;
mod growth;
mod names;
mod shape;
mod words;

use super::{is_test, sources, without_tests};
use std::collections::BTreeMap;
use std::path::Path;
use syn::visit::{self, Visit};

/// The places in the sources where a pattern occurs, as `file: description`.
#[derive(Default)]
struct HabitFindings {
    file: String,
    /// `let (a, b) = (x, y);`
    tuple_lets: Vec<String>,
    /// Functions with seven or more parameters, including `self`.
    long_signatures: Vec<String>,
    /// For each type name, the files that define a type with this name.
    types: BTreeMap<String, Vec<String>>,
    /// `Option<Option<_>>` and similar types.
    nested: Vec<String>,
    /// Calls with `true` or `false` as the last argument.
    bare_booleans: Vec<String>,
    /// The number of functions.
    functions: usize,
}

impl HabitFindings {
    /// Counts a function, and records the function if it has seven or more parameters.
    fn signature(&mut self, signature: &syn::Signature) {
        self.functions += 1;
        if signature.inputs.len() >= 7 {
            self.long_signatures.push(format!("{}: {}, {}", self.file, signature.ident, signature.inputs.len()));
        }
    }

    /// Records the file that defines a type.
    fn type_name(&mut self, name: &syn::Ident) {
        self.types.entry(name.to_string()).or_default().push(self.file.clone());
    }

    /// Records a call if its last argument is `true` or `false`.
    fn last_argument(&mut self, callee: String, arguments: &syn::punctuated::Punctuated<syn::Expr, syn::Token![,]>) {
        if let Some(syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Bool(last), .. })) = arguments.last() {
            self.bare_booleans.push(format!("{}: {callee}(.., {})", self.file, last.value));
        }
    }
}

/// Returns the last name of a type's path, and the last name of its first type parameter: `Option`
/// and `Result` for `Option<Result<_, _>>`.
fn outer_and_inner(path: &syn::Path) -> Option<(String, String)> {
    let last = path.segments.last()?;
    let syn::PathArguments::AngleBracketed(parameters) = &last.arguments else { return None };
    let Some(syn::GenericArgument::Type(syn::Type::Path(inner))) = parameters.args.first() else { return None };
    Some((last.ident.to_string(), inner.path.segments.last()?.ident.to_string()))
}

impl<'ast> Visit<'ast> for HabitFindings {
    fn visit_local(&mut self, local: &'ast syn::Local) {
        let values = local.init.as_ref().map(|init| &*init.expr);
        if let (syn::Pat::Tuple(names), Some(syn::Expr::Tuple(_))) = (&local.pat, values) {
            let names: Vec<_> = names.elems.iter().filter_map(name_of).collect();
            self.tuple_lets.push(format!("{}: {}", self.file, names.join(", ")));
        }
        visit::visit_local(self, local);
    }

    fn visit_signature(&mut self, signature: &'ast syn::Signature) {
        self.signature(signature);
        visit::visit_signature(self, signature);
    }

    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.type_name(&item.ident);
        visit::visit_item_struct(self, item);
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.type_name(&item.ident);
        visit::visit_item_enum(self, item);
    }

    fn visit_item_union(&mut self, item: &'ast syn::ItemUnion) {
        self.type_name(&item.ident);
        visit::visit_item_union(self, item);
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        self.type_name(&item.ident);
        visit::visit_item_trait(self, item);
    }

    fn visit_item_type(&mut self, item: &'ast syn::ItemType) {
        self.type_name(&item.ident);
        visit::visit_item_type(self, item);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let pair = outer_and_inner(path);
        // `Result<Option<_>, _>` is allowed: an operation can fail, succeed without a result, or
        // succeed with a result.
        let nests = [("Option", "Option"), ("Option", "Result"), ("Result", "Result")];
        if let Some((outer, inner)) = pair.filter(|(outer, inner)| nests.contains(&(outer, inner))) {
            self.nested.push(format!("{}: {outer}<{inner}<..>>", self.file));
        }
        visit::visit_path(self, path);
    }

    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        let callee = match &*call.func {
            syn::Expr::Path(path) => path.path.segments.last().map(|segment| segment.ident.to_string()),
            _ => None,
        };
        // `Some(true)` is a value of an enum or struct, and not a call.
        if let Some(callee) = callee.filter(|callee| !callee.starts_with(char::is_uppercase)) {
            self.last_argument(callee, &call.args);
        }
        visit::visit_expr_call(self, call);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        self.last_argument(call.method.to_string(), &call.args);
        visit::visit_expr_method_call(self, call);
    }

    /// Visits macro arguments. The arguments of this crate's macros are expressions, and
    /// the default visitor skips them.
    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        let arguments = syn::punctuated::Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated;
        if let Ok(arguments) = call.parse_body_with(arguments) {
            // The expressions exist only during this call, so they cannot be visited with the
            // lifetime `'ast`.
            arguments.iter().for_each(|argument| Visit::visit_expr(self, argument));
        }
    }
}

/// Returns the name that a pattern binds.
fn name_of(pattern: &syn::Pat) -> Option<String> {
    match pattern {
        syn::Pat::Ident(pattern) => Some(pattern.ident.to_string()),
        syn::Pat::Type(pattern) => name_of(&pattern.pat),
        _ => None,
    }
}

/// Returns the findings in a folder of `src`, without unit tests.
fn findings_in(folder: &str) -> HabitFindings {
    let mut findings = HabitFindings::default();
    for (path, text) in sources(folder).iter().filter(|(path, _)| !is_test(path)) {
        findings.file = path.display().to_string();
        let file = syn::parse_file(without_tests(text)).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        findings.visit_file(&file);
    }
    findings
}

/// Checks that there are at most `limit` findings.
fn assert_at_most(limit: usize, what: &str, found: &[String]) {
    println!("{what}: {} of {limit}", found.len());
    assert!(found.len() <= limit, "{what}: {} of at most {limit}\n{}", found.len(), found.join("\n"));
}

#[test]
fn names_are_bound_in_separate_statements() {
    assert_at_most(60, "names bound by a tuple of values", &findings_in("src").tuple_lets);
}

#[test]
fn functions_have_few_parameters() {
    let findings = findings_in("src");
    assert!(findings.functions > 1500, "{} functions were seen", findings.functions);
    assert_at_most(6, "functions with seven or more parameters", &findings.long_signatures);
}

#[test]
fn type_names_are_unique() {
    let types = findings_in("src").types;
    assert!(types.len() > 200, "{} names were seen", types.len());
    // The modules for Unix and for Windows define types with the same names.
    let is_windows = |file: &&String| file.starts_with("src/tool/system/windows/");
    let duplicates = types.iter().filter(|(_, files)| files.len() > 1).filter(|(_, files)| {
        let files_elsewhere = files.iter().filter(|file| !file.starts_with("src/tool/system/unix/")).count();
        files_elsewhere > 1 || !files.iter().any(|file| is_windows(&file))
    });
    // Each command has a struct with this name, for clap's derive macros.
    let duplicates = duplicates.filter(|(name, _)| *name != "Args");
    let duplicates: Vec<_> = duplicates.map(|(name, files)| format!("{name}: {}", files.join(", "))).collect();
    assert_at_most(0, "names of several types", &duplicates);
}

#[test]
fn options_and_results_do_not_nest() {
    assert_at_most(0, "an option or result in another", &findings_in("src").nested);
}

#[test]
fn calls_in_the_engine_have_no_bare_booleans() {
    assert_at_most(0, "`true` or `false` as the last argument in the engine", &findings_in("src/engine").bare_booleans);
}

/// Checks that at most 8 percent of the code lines in `src/engine` are indented by 16 columns or
/// more.
#[test]
fn the_engine_has_few_deeply_indented_lines() {
    let (mut deep, mut all) = (0, 0);
    for (_, text) in sources("src/engine").iter().filter(|(path, _)| !is_test(path)) {
        let code = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with("//");
        for line in without_tests(text).lines().filter(code) {
            all += 1;
            deep += usize::from(line.starts_with(&" ".repeat(16)));
        }
    }
    println!("{deep} of {all} lines");
    assert!(all > 4000 && deep * 100 <= all * 8, "{deep} of {all} lines of the engine are deep");
}

/// Checks that the program does not use the smallest work memory (`verify_work_len` and similar
/// functions). The smallest work memory is for microcontrollers: with it, ML-DSA verification is
/// three times slower. Excludes the commands that check or measure the library.
#[test]
fn the_program_uses_the_fast_work_memory() {
    let mut found = vec![];
    for folder in ["src/verdict", "src/files", "src/tool", "src/cmd", "web/src", "python/src"] {
        for (path, text) in sources(folder) {
            let exceptions = ["src/cmd/selftest", "src/cmd/bench", "src/cmd/testvectors"];
            if exceptions.iter().any(|prefix| path.starts_with(prefix)) {
                continue;
            }
            let least = [".verify_work_len()", ".import_work_len()", ".keygen_work_len()"];
            let lines = text.lines().enumerate().filter(|(_, line)| least.iter().any(|word| line.contains(word)));
            found.extend(lines.map(|(i, line)| format!("{}:{}: {}", path.display(), i + 1, line.trim())));
        }
    }
    assert_at_most(0, "uses of the least work memory", &found);
}

#[test]
fn comments_contain_no_vague_phrases() {
    let vague_phrases = ["The same", "As there", "nothing if"];
    let mut found = vec![];
    for (path, text) in sources("src") {
        let comment = |line: &&str| line.trim_start().starts_with("//");
        for line in text.lines().filter(comment).filter(|line| vague_phrases.iter().any(|phrase| line.contains(phrase)))
        {
            found.push(format!("{}: {}", path.display(), line.trim()));
        }
    }
    assert_at_most(0, "vague phrases in comments", &found);
}

#[test]
fn the_reader_counts_every_habit() {
    let mut findings = HabitFindings { file: "here".to_owned(), ..HabitFindings::default() };
    let text = "
        struct Twice;
        mod other { type Twice = Option<Result<u8, ()>>; }
        fn long(a: u8, b: u8, c: u8, d: u8, e: u8, f: u8, g: u8) {
            frame!(isa, { let (x, y) = (a, b); x.call(y, true) });
            let (_, _) = split(a);
            Some(false);
            call(false);
        }";
    findings.visit_file(&syn::parse_file(text).expect("Rust"));
    let HabitFindings { tuple_lets, long_signatures, types, nested, bare_booleans, functions, .. } = findings;
    assert_eq!(tuple_lets, ["here: x, y"]);
    assert_eq!(long_signatures, ["here: long, 7"]);
    assert_eq!(types["Twice"].len(), 2);
    assert_eq!(nested, ["here: Option<Result<..>>"]);
    assert_eq!(bare_booleans, ["here: call(.., true)", "here: call(.., false)"]);
    assert_eq!(functions, 1);
    assert!(is_test(Path::new("src/engine/falcon/tests.rs")));
}
