//! The guides in docs/ are run: the blocks of each in order, in one shell.

use crate::harness::{Call, FNDSA, Place};
use std::path::Path;

/// Runs the blocks of a guide that are fenced as `sh`, in a directory with an `app.tar.gz`.
fn run_guide(text: &str, least: usize) {
    let blocks: Vec<_> = text.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert!(blocks.len() >= least, "the blocks were not found");
    let place = Place::empty();
    place.put("app.tar.gz", "an application");
    let mut path = Path::new(FNDSA).parent().unwrap().as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let bash = Call::new("bash", place.root()).env("PATH", path);
    bash.arg("-euo").arg("pipefail").arg("-c").arg(blocks.concat()).run().code(0);
}

#[test]
fn policies_are_as_the_guide_says() {
    run_guide(include_str!("../../docs/policies.md"), 5);
}

#[test]
fn envelopes_are_as_the_guide_says() {
    run_guide(include_str!("../../docs/dsse.md"), 1);
}

#[test]
fn versions_are_as_the_guide_says() {
    run_guide(include_str!("../../docs/versions.md"), 1);
}
