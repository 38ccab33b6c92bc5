//! docs/lists.md is run: its blocks in order, in one directory, with the built `fndsa`.

mod recipes;

use recipes::{Place, Recipes};

const TEXT: Recipes = Recipes(include_str!("../docs/lists.md"));

#[test]
fn lines_do_what_they_say() {
    let place =
        Place::new("fndsa keygen -q release; mkdir -p dist/docs; echo app >dist/app.tar.gz; echo >dist/docs/notes");
    let blocks = TEXT.blocks("sh");
    assert!(blocks.len() >= 6, "the blocks were not found");
    // What begins with `!` must answer no; the shell itself would not mind a yes.
    let of_line = |line: &str| match line.strip_prefix("! ") {
        Some(line) => format!("code=0; {line} || code=$?; test $code = 1\n"),
        None => format!("{line}\n"),
    };
    let script: String = blocks.iter().flat_map(|(_, block)| block.lines().map(of_line)).collect();
    assert_eq!(script.matches("test $code = 1").count(), 2, "{script}");
    let out = place.bash(&format!("exec 2>&1\n{script}"), &[]);
    assert_eq!(
        out.matches("FAILED (expired: the last day of the list was 2096-02-29, and today is 2096-03-01)").count(),
        1,
        "{out}"
    );
    assert!(out.contains("dist/SHA256SUMS: the last day of the list is 2096-02-29, and today is 20"), "{out}");
}
