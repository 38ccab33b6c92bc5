//! Runs the programs in `examples`. Compares the code in the documents with the source text in
//! `examples` and in `firmware`.

#[path = "../examples/cose.rs"]
mod cose;
#[path = "../examples/firmware_update.rs"]
mod firmware_update;
#[path = "../examples/generate_sign_verify.rs"]
mod generate_sign_verify;
#[path = "../examples/jws.rs"]
mod jws;
#[path = "../examples/keys_as_json.rs"]
mod keys_as_json;
#[path = "../examples/many_signatures.rs"]
mod many_signatures;
#[path = "../examples/no_alloc.rs"]
mod no_alloc;
#[path = "../examples/read_pem.rs"]
mod read_pem;
#[path = "../examples/stream_a_file.rs"]
mod stream_a_file;
#[path = "../examples/update_client.rs"]
mod update_client;

/// Returns a text without indentation.
fn without_indentation(text: &str) -> String {
    text.lines().map(str::trim).collect::<Vec<_>>().join("\n")
}

/// Returns a page's code blocks in a language, without indentation.
fn code_blocks(page: &str, language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    page.split(&fence).skip(1).map(|rest| without_indentation(rest.split("\n```").next().unwrap())).collect()
}

/// The Rust blocks in docs/small-machines.md occur in the sources in `firmware`, which
/// `firmware/run` compiles and runs.
#[test]
fn the_page_of_small_machines_shows_the_images() {
    let images = [
        include_str!("../firmware/src/bin/boot.rs"),
        include_str!("../firmware/src/bin/boot_mldsa.rs"),
        include_str!("../firmware/src/lib.rs"),
    ];
    let images = images.map(without_indentation);
    let shown = code_blocks(include_str!("../docs/small-machines.md"), "rust");
    assert_eq!(shown.len(), 5);
    for block in shown {
        assert!(images.iter().any(|image| image.contains(&block)), "not in an image:\n{block}");
    }
}

/// The examples that docs/library.md contains.
const ON_THE_PAGE: [&str; 2] =
    [include_str!("../examples/generate_sign_verify.rs"), include_str!("../examples/read_pem.rs")];

/// Returns a page's code blocks in a language, byte for byte.
fn exact_blocks(page: &str, language: &str) -> Vec<String> {
    let fence = format!("\n```{language}\n");
    page.split(&fence).skip(1).map(|rest| rest.split("\n```").next().unwrap().to_owned() + "\n").collect()
}

/// In docs/library.md, each block with a `main` is an example's source text without the
/// documentation comments. So the test `every_example_runs` also runs the code on the page.
#[test]
fn programs_on_the_page_are_the_examples() {
    let shown = exact_blocks(include_str!("../docs/library.md"), "rust");
    let programs: Vec<_> = shown.into_iter().filter(|block| block.contains("fn main(")).collect();
    let examples = ON_THE_PAGE.map(|example| {
        let program = &example[example.find("use fndsa").unwrap()..];
        program.replace("/// Runs the example.\n", "").replace("pub fn main", "fn main")
    });
    assert_eq!(programs, examples);
}

/// The first TOML block of docs/library.md names features and a random generator. Cargo.toml
/// defines all these features, and has the same line for the generator.
#[test]
fn the_page_names_features_and_the_generator() {
    let page = include_str!("../docs/library.md");
    let manifest = include_str!("../Cargo.toml");
    let [block, ..] = &code_blocks(page, "toml")[..] else { panic!("no block of TOML") };
    let (_, features) = block.split_once("features = [").expect("the features of the library");
    for feature in features.split(']').next().unwrap().split('"').skip(1).step_by(2) {
        assert!(manifest.contains(&format!("\n{feature} = [")), "there is no feature {feature}");
    }
    let generator = block.lines().last().unwrap();
    assert!(
        manifest.contains(&format!("\n{generator}\n")),
        "Cargo.toml does not have this line for the random generator: {generator}"
    );
}

/// docs/library.md has a table row for each feature, except for features that only tests need.
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
fn every_example_runs() {
    generate_sign_verify::main().expect("generate_sign_verify");
    stream_a_file::main().expect("stream_a_file");
    read_pem::main().expect("read_pem");
    no_alloc::main().expect("no_alloc");
    keys_as_json::main().expect("keys_as_json");
    many_signatures::main().expect("many_signatures");
    cose::main().expect("cose");
    jws::main().expect("jws");
    firmware_update::main().expect("firmware_update");
    update_client::main().expect("update_client");
}
