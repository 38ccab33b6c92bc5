//! Runs the blocks in docs/lists.md in order, in a single directory, with the built `fndsa`.

#[path = "recipes/console.rs"]
mod console;
mod recipes;

use recipes::{RecipeDirectory, RecipeDocument};

const TEXT: &str = include_str!("../docs/lists.md");

#[test]
fn the_commands_in_the_lists_guide_work() {
    let recipe = RecipeDirectory::new(
        "fndsa keygen -q release; mkdir -p dist/docs; echo app >dist/app.tar.gz; echo >dist/docs/notes",
    );
    let blocks = RecipeDocument(console::to_shell_blocks(TEXT).leak()).blocks("sh");
    assert!(blocks.len() >= 6, "the blocks were not found");
    let script: String = blocks.iter().map(|(_, block)| *block).collect();
    let out = recipe.run_bash(&format!("exec 2>&1\n{script}"), &[]);
    assert!(console::check_output(TEXT, &out) >= 15, "the commands were not found");
    assert_eq!(out.matches("exit code 1\n").count(), 2, "{out}");
    assert!(out.contains("dist/SHA256SUMS: the last day of the list is 2096-02-29, and today is 20"), "{out}");
}
