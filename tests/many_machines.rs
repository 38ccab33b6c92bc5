//! docs/many-machines.md is run: its blocks in order, in one directory, with the built `fndsa`.
//!
//! What a block needs and the machine lacks is skipped by name. `tests/peers/install` fetches Ray.

use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

const TEXT: &str = include_str!("../docs/many-machines.md");

/// The blocks fenced as `language`, with the heading above each.
fn blocks(language: &str) -> Vec<(&'static str, &'static str)> {
    let fence = format!("```{language}\n");
    let parts = TEXT.split("\n## ").skip(1);
    let of_part = |part: &'static str| {
        let heading = part.lines().next().unwrap();
        let blocks = part.split(&fence).skip(1).map(|rest| rest.split("```").next().unwrap());
        blocks.map(|block| (heading, block)).collect::<Vec<_>>()
    };
    parts.flat_map(of_part).collect()
}

/// A directory as the text describes it, and lines of bash in it.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        place.bash(
            "fndsa keygen -q release; mkdir -p dist/more; for i in $(seq 40); do echo $i >dist/$((i % 2)).$i; done",
            &[],
        );
        place
    }

    /// Runs lines, with programs of `folders` before all others. What they print.
    fn bash(&self, lines: &str, folders: &[&Path]) -> String {
        let fndsa = Path::new(env!("CARGO_BIN_EXE_fndsa")).parent().unwrap();
        let mut path = std::env::join_paths(folders.iter().chain(&[fndsa])).unwrap();
        path.push(":");
        path.push(std::env::var_os("PATH").unwrap_or_default());
        let mut bash = Command::new("bash");
        bash.args(["-euo", "pipefail", "-c", lines]).current_dir(self.0.path()).env("PATH", path);
        let run = bash.env("HOME", self.0.path()).output().expect("bash");
        let (out, err) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
        assert!(run.status.success(), "{lines}\n--- stdout\n{out}\n--- stderr\n{err}");
        out.into_owned()
    }
}

fn have(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// Says that a part of the text cannot be tried here.
fn skip(what: &str, why: &str) {
    println!("skip: {what}, {why}");
}

#[test]
fn lines_do_what_they_say() {
    if !have("jq") {
        return skip("the recipes for many machines", "there is no jq");
    }
    let place = Place::new();
    let all = blocks("sh");
    assert!(all.len() >= 6, "the blocks were not found");
    // One process in place of several answers the same.
    let alone = |lines: &str| {
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
        place.bash(&alone(lines), &[]);
        println!("{heading}: done");
    }
    // Whoever hashes needs no private key, and whoever holds it no file.
    let mus = place.bash("wc -l <mus", &[]);
    assert_eq!(mus.trim(), "40");
}

#[test]
fn a_matrix_of_jobs_signs_everything_once() {
    let place = Place::new();
    let (_, yaml) = blocks("yaml")[0];
    // What follows `run: |` in each step, until the indentation ends.
    let steps: Vec<String> = yaml
        .split("run: |\n")
        .skip(1)
        .map(|rest| {
            rest.lines().take_while(|line| line.starts_with("          ")).map(|line| format!("{line}\n")).collect()
        })
        .collect();
    let [sign, verify] = &steps[..] else { panic!("{steps:?}") };
    let shards: Vec<u32> = (0..4).collect();
    assert!(yaml.contains(&format!("shard: {shards:?}")) && yaml.contains("SHARDS: 4"));
    let job = |shard: u32, lines: &str| {
        place.bash(&format!("export SHARDS=4 SHARD={shard} SIGNING_KEY=\"$(cat release.key)\"; {lines}"), &[])
    };
    shards[1..].iter().for_each(|shard| drop(job(*shard, sign)));
    // A job is missing: it says so. Then it runs, and one is started again.
    place.bash(&format!("{{ {verify} }} >verdicts 2>&1 && exit 1; grep -c 'ERROR (' verdicts | grep -qx 10"), &[]);
    job(0, sign);
    job(2, sign);
    let verdicts = job(0, verify);
    assert_eq!(verdicts.matches(": OK").count(), 40, "{verdicts}");
}

/// Where `tests/peers/install` puts programs.
fn ray() -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    std::env::var_os("FNDSA_PEERS").map_or_else(|| target.join("peers"), PathBuf::from).join("ray")
}

/// The program with Ray signs, also where a worker dies in the middle of its work.
#[test]
fn actors_sign_everything() {
    if !ray().join("installed.txt").exists() {
        return skip("Ray", "tests/peers/install was not run or could not fetch it");
    }
    let place = Place::new();
    let (_, program) = blocks("python")[0];
    std::fs::write(place.0.path().join("program.py"), program).unwrap();
    // The first process ends after three answers.
    let dies = format!(
        "#!/bin/sh\nif mkdir '{}/died' 2>/dev/null; then '{fndsa}' \"$@\" | head -n 3; else exec '{fndsa}' \"$@\"; fi\n",
        place.0.path().display(),
        fndsa = env!("CARGO_BIN_EXE_fndsa")
    );
    std::fs::create_dir(place.0.path().join("bin")).unwrap();
    std::fs::write(place.0.path().join("bin/fndsa"), dies).unwrap();
    place.bash("chmod +x bin/fndsa", &[]);
    let lines = "python program.py \"$PWD/release.key\" signed >&2
        fndsa verify -p release.pub --stream <signed >verdicts
        grep -c '\"status\":\"ok\"' verdicts";
    let good = place.bash(lines, &[&place.0.path().join("bin"), &ray().join("bin")]);
    assert_eq!(good.trim(), "1000");
    assert!(place.0.path().join("died").exists());
}
