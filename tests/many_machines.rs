//! Tests docs/many-machines.md with the built `fndsa`: runs the shell blocks in order, in a single
//! directory, then the workflow's steps, and the program that uses Ray (a Python library that
//! distributes work to several machines).
//!
//! If jq or Ray is not installed, a test that needs this program prints the program's name and
//! ends. Without GNU parallel, the shell blocks run with a single process. `tests/peers/install`
//! installs Ray.

mod recipes;

use recipes::{RecipeDirectory, RecipeDocument, have, run_scripts, skip};
use std::path::{Path, PathBuf};

const TEXT: RecipeDocument = RecipeDocument(include_str!("../docs/many-machines.md"));

/// Creates a directory with the files that the document assumes: a key pair and 40 files in `dist`.
fn recipe_directory() -> RecipeDirectory {
    RecipeDirectory::new(
        "fndsa keygen -q release; mkdir -p dist/more; for i in $(seq 40); do echo $i >dist/$((i % 2)).$i; done",
    )
}

#[test]
fn the_commands_in_the_guide_to_many_machines_work() {
    if !have("jq") {
        return skip("the recipes for many machines", "there is no jq");
    }
    let recipe = recipe_directory();
    let all = TEXT.blocks("sh");
    assert!(all.len() >= 6, "the blocks were not found");
    // If the program `parallel` is not installed, the test runs a single process instead of several
    // processes. The results are the same.
    let without_parallel = |lines: &str| {
        if have("parallel") {
            return lines.to_owned();
        }
        let lines = lines.replace("parallel --pipe -N 10 -j 2 '", "");
        lines.replace("--stream -j 1' <", "--stream -j 1 <")
    };
    if !have("parallel") {
        skip("GNU parallel", "it is not installed");
    }
    for (heading, lines) in all {
        recipe.run_bash(&without_parallel(lines), &[]);
        println!("{heading}: done");
    }
    // In the guide, the first process hashes the 40 files, and writes a hash for each file to
    // `mus`. This process does not need the private key. The second process signs the hashes in
    // `mus`, and does not need the files.
    let mus = recipe.run_bash("wc -l <mus", &[]);
    assert_eq!(mus.trim(), "40");
}

#[test]
fn a_matrix_of_jobs_signs_each_file_once() {
    let recipe = recipe_directory();
    let (_, yaml) = TEXT.blocks("yaml")[0];
    let scripts = run_scripts(yaml);
    let [choose, sign, verify] = &scripts[..] else { panic!("{scripts:?}") };
    let sign = &format!("{choose}{sign}");
    let shards: Vec<u32> = (0..4).collect();
    assert!(yaml.contains(&format!("shard: {shards:?}")) && yaml.contains("SHARDS: 4"));
    let job = |shard: u32, lines: &str| {
        recipe.run_bash(&format!("export SHARDS=4 SHARD={shard} SIGNING_KEY=\"$(cat release.key)\"; {lines}"), &[])
    };
    shards[1..].iter().for_each(|shard| drop(job(*shard, sign)));
    // Job 0 has not run, so the verification reports an error for its 10 files. Then job 0 runs,
    // and job 2 runs again.
    recipe.run_bash(&format!("{{ {verify} }} >verdicts 2>&1 && exit 1; grep -c 'ERROR (' verdicts | grep -qx 10"), &[]);
    job(0, sign);
    job(2, sign);
    let verdicts = job(0, verify);
    assert_eq!(verdicts.matches(": OK").count(), 40, "{verdicts}");
}

/// Returns the directory in which `tests/peers/install` installs Ray.
fn ray_directory() -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    std::env::var_os("FNDSA_PEERS").map_or_else(|| target.join("peers"), PathBuf::from).join("ray")
}

/// Checks that the program with Ray signs all files, even if a worker dies during its work.
#[test]
fn the_ray_program_signs_all_files_if_a_worker_dies() {
    if !ray_directory().join("installed.txt").exists() {
        return skip("Ray", "tests/peers/install was not run or could not fetch it");
    }
    let recipe = recipe_directory();
    let (_, program) = TEXT.blocks("python")[0];
    std::fs::write(recipe.0.path().join("program.py"), program).unwrap();
    // The first process that runs this substitute for `fndsa` ends after three results.
    let dying_worker = format!(
        "#!/bin/sh\nif mkdir '{}/died' 2>/dev/null; then '{fndsa}' \"$@\" | head -n 3; else exec '{fndsa}' \"$@\"; fi\n",
        recipe.0.path().display(),
        fndsa = env!("CARGO_BIN_EXE_fndsa")
    );
    std::fs::create_dir(recipe.0.path().join("bin")).unwrap();
    std::fs::write(recipe.0.path().join("bin/fndsa"), dying_worker).unwrap();
    recipe.run_bash("chmod +x bin/fndsa", &[]);
    let lines = "python program.py \"$PWD/release.key\" signed >&2
        fndsa verify -p release.pub --stream <signed >verdicts
        grep -c '\"status\":\"ok\"' verdicts";
    let good = recipe.run_bash(lines, &[&recipe.0.path().join("bin"), &ray_directory().join("bin")]);
    assert_eq!(good.trim(), "1000");
    assert!(recipe.0.path().join("died").exists());
}
