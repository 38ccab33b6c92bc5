//! The examples run.

#[path = "../examples/generate_sign_verify.rs"]
mod generate_sign_verify;
#[path = "../examples/no_alloc.rs"]
mod no_alloc;
#[path = "../examples/read_pem.rs"]
mod read_pem;
#[path = "../examples/stream_a_file.rs"]
mod stream_a_file;

/// Returns a text at no indentation.
fn lines(text: &str) -> String {
    text.lines().map(str::trim).collect::<Vec<_>>().join("\n")
}

/// Returns the blocks of a page in a language.
fn blocks(page: &str, language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    page.split(&fence).skip(1).map(|rest| lines(rest.split("\n```").next().unwrap())).collect()
}

/// What a boot loader does stands in an image that `firmware/run` compiles and runs, and how flash is written in what its images share.
#[test]
fn the_page_of_small_machines_shows_the_images() {
    let images = [include_str!("../firmware/src/bin/boot.rs"), include_str!("../firmware/src/lib.rs")].map(lines);
    let shown = blocks(include_str!("../docs/small-machines.md"), "rust");
    assert_eq!(shown.len(), 3);
    for block in shown {
        assert!(images.iter().any(|image| image.contains(&block)), "not in an image:\n{block}");
    }
}

/// The library's page shows pieces of the examples, and these are their text, at whatever indentation. What its block of TOML
/// asks for is there.
#[test]
fn the_page_shows_the_examples() {
    let page = include_str!("../docs/library.md");
    let examples = [
        include_str!("../examples/generate_sign_verify.rs"),
        include_str!("../examples/no_alloc.rs"),
        include_str!("../examples/read_pem.rs"),
        include_str!("../examples/stream_a_file.rs"),
    ]
    .map(lines);
    let shown = blocks(page, "rust");
    assert!(shown.len() >= 7, "the blocks were not found");
    for block in shown {
        assert!(examples.iter().any(|example| example.contains(&block)), "in no example:\n{block}");
    }
    let manifest = include_str!("../Cargo.toml");
    let [block] = &blocks(page, "toml")[..] else { panic!("one block of TOML") };
    let (_, features) = block.split_once("features = [\"std\"").expect("the features of the library");
    for feature in features.split(']').next().unwrap().split('"').skip(1).step_by(2).chain(["std"]) {
        assert!(manifest.contains(&format!("\n{feature} = [")), "there is no feature {feature}");
    }
    let generator = block.lines().last().unwrap();
    assert!(manifest.contains(&format!("\n{generator}\n")), "another generator than the examples': {generator}");
}

/// The page has a row for each feature, and says of what is for tests that it is.
#[test]
fn the_page_has_all_features() {
    let page = include_str!("../docs/library.md");
    let features = include_str!("../Cargo.toml").split("\n[features]\n").nth(1).unwrap().split("\n[").next().unwrap();
    let names =
        features.lines().filter(|line| !line.starts_with([' ', '#', ']'])).filter_map(|line| line.split_once(" = "));
    let names: Vec<_> = names.map(|(name, _)| name).collect();
    assert!(names.len() > 9, "{names:?}");
    for name in names {
        let in_row = page.contains(&format!("\n| `{name}` |"));
        assert!(in_row || ["default", "testing", "bench"].contains(&name), "{name} is not on the page");
    }
}

#[test]
fn examples_run() {
    generate_sign_verify::main().expect("generate_sign_verify");
    stream_a_file::main().expect("stream_a_file");
    read_pem::main().expect("read_pem");
    no_alloc::main().expect("no_alloc");
}
