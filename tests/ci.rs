//! docs/ci.md is run: each recipe signs what a job has made, verifies it, and refuses what was changed. The script of action.yml is run as
//! a forge does.

mod recipes;

use recipes::{Place, Recipes, have, skip, steps};
use std::path::Path;

const TEXT: Recipes = Recipes(include_str!("../docs/ci.md"));
const ACTION: &str = include_str!("../action.yml");

/// A directory as the text describes it.
fn place() -> Place {
    Place::new(
        "fndsa keygen -q release; mkdir dist; echo one >dist/one; echo two >'dist/two words'; cp dist/one dist/three",
    )
}

/// The first block fenced as `language` below a heading, and the next ones.
fn below(heading: &str, language: &str) -> Vec<&'static str> {
    let blocks: Vec<_> =
        TEXT.blocks(language).into_iter().filter(|(it, _)| *it == heading).map(|(_, block)| block).collect();
    assert!(!blocks.is_empty(), "{heading} has no block of {language}");
    blocks
}

/// Lines with the private key in the variable of the recipes.
fn with_key(lines: &str) -> String {
    format!("export SIGNING_KEY=\"$(cat release.key)\"\n{lines}")
}

/// What signs has signed, what verifies says yes, and no when a file was changed.
fn signs_and_verifies(place: &Place, sign: &str, verify: &str) {
    place.bash(&with_key(sign), &[]);
    place.bash(verify, &[]);
    let changed = format!("echo >>dist/one; ( {verify} ) && exit 1; test $? = 1; cp dist/three dist/one");
    place.bash(&changed, &[]);
    place.bash(verify, &[]);
}

#[test]
fn a_makefile() {
    if !have("make") {
        return skip("the recipe for make", "there is no make");
    }
    let place = place();
    // Names in make's lists have no blanks.
    place.bash("rm 'dist/two words'", &[]);
    std::fs::write(place.0.path().join("Makefile"), below("Makefile", "make")[0]).unwrap();
    place.bash(&with_key("make SHA256SUMS.sig"), &[]);
    place.bash("make check", &[]);
    let out = place.bash("echo >>dist/one; make check 2>&1 && exit 1; make -q SHA256SUMS.sig || echo again", &[]);
    assert!(out.contains("dist/one: FAILED") && out.contains("again"), "{out}");
    place.bash(&with_key("make SHA256SUMS.sig check; make -q SHA256SUMS.sig"), &[]);
}

#[test]
fn lines_of_shell_on_github_and_gitlab() {
    let steps = steps(below("GitHub, with lines of shell", "yaml")[0]);
    let [sign, verify] = &steps[..] else { panic!("{steps:?}") };
    signs_and_verifies(&place(), sign, verify.lines().next().unwrap());
    let place = place();
    place.bash(&with_key(&format!("{sign}{verify}")), &[]);

    let block = below("GitLab", "yaml")[0];
    let script: Vec<_> = block.lines().filter_map(|line| line.strip_prefix("    - ")).collect();
    let [sign, verify] = &script[..] else { panic!("{script:?}") };
    place.bash("rm SHA256SUMS*", &[]);
    signs_and_verifies(&place, sign, verify);
}

/// The inputs of each step that uses the action, as variables.
fn inputs(block: &str, key: &str) -> Vec<Vec<(String, String)>> {
    let declared: Vec<_> = ACTION
        .split_once("inputs:\n")
        .and_then(|(_, rest)| rest.split_once("outputs:\n"))
        .map(|(inputs, _)| inputs.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   ")))
        .expect("inputs")
        .map(|line| line.trim().trim_end_matches(':'))
        .collect();
    assert!(declared.len() > 8, "{declared:?}");
    for input in &declared {
        let line = format!("INPUT_{}: ${{{{ inputs.{input} }}}}", input.to_uppercase().replace('-', "_"));
        assert!(ACTION.contains(&line), "{line}");
    }
    let of_step = |step: &str| {
        let with = step.split_once("with:\n").expect("inputs").1;
        let input = |line: &str| {
            let (name, value) = line.trim().split_once(": ").expect("an input");
            assert!(declared.contains(&name), "the action has no input {name}");
            let value = value.replace("${{ secrets.SIGNING_KEY }}", key);
            (format!("INPUT_{}", name.to_uppercase().replace('-', "_")), value)
        };
        with.lines().take_while(|line| line.starts_with("          ")).map(input).collect()
    };
    block.split("- uses: OWNER/fndsa@").skip(1).map(of_step).collect()
}

/// Runs the script of the action with these inputs. Its exit code and what it prints.
fn act(place: &Place, inputs: &[(String, String)]) -> (i32, String) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let fndsa = Path::new(env!("CARGO_BIN_EXE_fndsa")).parent().unwrap();
    let path = format!("{}:{}", fndsa.display(), std::env::var("PATH").unwrap_or_default());
    assert!(ACTION.contains("run: '\"$GITHUB_ACTION_PATH/contrib/action\"'"));
    let mut script = std::process::Command::new(root.join("contrib/action"));
    script.current_dir(place.0.path()).env("PATH", path).env("GITHUB_ACTION_PATH", root);
    let output = place.0.path().join("output");
    let run = script.env("GITHUB_OUTPUT", &output).envs(inputs.iter().cloned()).output().expect("bash");
    let said = [run.stdout, run.stderr].map(|it| String::from_utf8_lossy(&it).into_owned()).concat();
    (run.status.code().expect("no signal"), said)
}

#[test]
fn the_action() {
    let place = place();
    let key = std::fs::read_to_string(place.0.path().join("release.key")).unwrap();
    let steps = inputs(below("GitHub, with the action of this repository", "yaml")[0], &key);
    let [sign, verify] = &steps[..] else { panic!("{steps:?}") };
    let (code, said) = act(&place, sign);
    assert_eq!(code, 0, "{said}");
    let output = std::fs::read_to_string(place.0.path().join("output")).unwrap();
    assert_eq!(output, "signatures<<end of signatures\nSHA256SUMS\nSHA256SUMS.sig\nend of signatures\n");
    assert_eq!(act(&place, verify).0, 0);
    place.bash("echo >>dist/one", &[]);
    let (code, said) = act(&place, verify);
    assert!(code == 1 && said.contains("dist/one: FAILED"), "{said}");
}

/// A list of inputs.
fn given(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(name, value)| (format!("INPUT_{name}"), (*value).to_owned())).collect()
}

#[test]
fn the_inputs_of_the_action() {
    let place = place();
    let key = std::fs::read_to_string(place.0.path().join("release.key")).unwrap();
    let sign = given(&[("DO", "sign"), ("KEY", &key), ("FILES", "dist/one\n\ndist/t*\n"), ("CONTEXT", "a b")]);
    let (code, said) = act(&place, &sign);
    assert!(code == 0 && !said.contains("PRIVATE"), "{said}");
    let fingerprint = place.bash("fndsa inspect release.pub | sed 's/.*, //'", &[]);
    let names = "dist/one\ndist/two words\ndist/three";
    let verify =
        |more: &[(&str, &str)]| act(&place, &[given(&[("DO", "verify"), ("FILES", names)]), given(more)].concat());
    let good = [("PUBLIC_KEY", "release.pub"), ("CONTEXT", "a b"), ("EXPECT_KEY", &fingerprint)];
    assert_eq!(verify(&good).0, 0);
    assert_eq!(verify(&[("TRUSTED_KEYS", "release.pub"), ("CONTEXT", "a b")]).0, 0);
    assert_eq!(verify(&good[..1]).0, 1);
    let other = format!("sha256:{}", "0".repeat(64));
    assert_eq!(verify(&[good[0], good[1], ("EXPECT_KEY", &other)]).0, 1);
    // Two keys, of which both must have signed.
    place.bash("fndsa keygen -a ed25519 classic", &[]);
    let classic = std::fs::read_to_string(place.0.path().join("classic.key")).unwrap();
    let both = [("PUBLIC_KEY", "release.pub\nclassic.pub\n"), ("CONTEXT", "a b"), ("REQUIRE", "all")];
    let (code, said) = verify(&both);
    assert!(code == 1 && said.contains("1 of the 2 keys that are required has signed it"), "{said}");
    assert_eq!(verify(&both[..2]).0, 0);
    place.bash("rm dist/*.sig", &[]);
    let (code, said) = act(&place, &[sign, given(&[("SECOND_KEY", &classic)])].concat());
    assert!(code == 0 && !said.contains("PRIVATE"), "{said}");
    assert_eq!(verify(&both).0, 0);
    assert_eq!(verify(&[both[0], both[1], ("REQUIRE", "3")]).0, 2);
    for (inputs, words) in [
        (vec![("DO", "look")], "the input do is sign or verify"),
        (vec![("DO", "sign"), ("FILES", "dist/one")], "is the secret there?"),
        (vec![("DO", "sign"), ("KEY", "no key"), ("FILES", "dist/one")], "INPUT_KEY"),
        (vec![("DO", "sign"), ("KEY", &key)], "the input files has to name some"),
        (vec![("DO", "sign"), ("KEY", &key), ("FILES", "dist/*.zip")], "no file matches dist/*.zip"),
        (vec![("DO", "verify"), ("FILES", "dist/one")], "public-key or trusted-keys"),
        (vec![("DO", "verify"), ("PUBLIC_KEY", "release.pub")], "files or manifest"),
        (vec![("DO", "verify"), ("PUBLIC_KEY", "release.pub"), ("KEY", &key)], "no private key is needed"),
    ] {
        let (code, said) = act(&place, &given(&inputs));
        assert!(code > 1 && said.contains(words), "{code} {said}");
    }
}

#[test]
fn goreleaser() {
    let block = below("goreleaser", "yaml")[0];
    let value = |name: &str| {
        let line = block.lines().find_map(|line| line.trim_start_matches([' ', '-']).strip_prefix(name));
        line.unwrap_or_else(|| panic!("no {name}")).trim().trim_matches('"').to_owned()
    };
    let artifact = value("name_template:");
    let signature = value("signature:").replace("${artifact}", &artifact);
    let words: Vec<String> = serde_json::from_str(&value("args:")).expect("a list");
    let words = words.iter().map(|it| it.replace("${artifact}", &artifact).replace("${signature}", &signature));
    let sign = format!("sha256sum dist/* >{artifact}; {} {}", value("cmd:"), words.collect::<Vec<_>>().join(" "));
    let verify = TEXT.0.split("verifies with `").nth(1).and_then(|rest| rest.split('`').next()).expect("a command");
    let verify = verify.replace('\n', " ");
    signs_and_verifies(&place(), &sign, &verify);
    if !have("goreleaser") || !have("git") {
        return skip("the recipe in goreleaser", "goreleaser or git is not installed; its command was run");
    }
    let place = Place::new("fndsa keygen -q release; echo text >file");
    let config = format!("version: 2\nbuilds: [{{ skip: true }}]\nsource: {{ enabled: true }}\n{block}");
    std::fs::write(place.0.path().join(".goreleaser.yaml"), config).unwrap();
    let release =
        "export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null; git init -q .; git add file .goreleaser.yaml
        git config user.name A; git config user.email a@example.org; git commit -q -m one; git tag v1.0.0
        git remote add origin https://forge.invalid/a/b.git; goreleaser check
        goreleaser release --snapshot --clean --skip=publish";
    place.bash(&with_key(release), &[]);
    let changed =
        format!("cp release.pub dist; cd dist; {verify}; echo >>*.tar.gz; ( {verify} ) && exit 1; test $? = 1");
    place.bash(&changed, &[]);
}

#[test]
fn cargo_dist() {
    assert!(below("cargo-dist", "toml")[0].contains("publish-jobs = [\"./sign\"]"));
    let steps = steps(below("cargo-dist", "yaml")[0]);
    let [sign] = &steps[..] else { panic!("{steps:?}") };
    let place = place();
    // A stand-in for the forge's program, which would need the forge.
    let gh = "mkdir bin; printf '#!/bin/sh\\nprintf \"%%s|\" \"$@\" >\"$HOME/uploaded\"; cat SHA256SUMS* >/dev/null\\n' >bin/gh; chmod +x bin/gh";
    place.bash(gh, &[]);
    let bin = place.0.path().join("bin");
    place.bash(&with_key(&format!("export TAG=v1\n{sign}")), &[&bin]);
    assert_eq!(place.bash("cat uploaded", &[]), "release|upload|v1|SHA256SUMS|SHA256SUMS.sig|");
    place.bash("cd dist; fndsa verify -p ../release.pub -M SHA256SUMS; test $(wc -l <SHA256SUMS) = 3", &[]);
}

/// The lines of the Dockerfile, in a tree below a directory in place of an image.
#[test]
fn a_dockerfile() {
    let block = below("Dockerfile", "dockerfile")[0];
    let place = place();
    let make = "mkdir app; echo program >app/program; tar cf dist/app.tar.gz app
        fndsa sign -q -k release.key -M SHA256SUMS dist/*";
    place.bash(make, &[]);
    let mut lines = String::from("rm -rf root; mkdir -p root/usr/local root/download\n");
    for line in block.lines() {
        match line.split_once(' ').expect("an instruction") {
            ("FROM", _) => {}
            ("COPY", names) if names.starts_with("--from=") => assert!(names.starts_with("--from=fndsa /fndsa ")),
            // A directory that is copied is copied without its name.
            ("COPY", names) => {
                let (from, to) = names.rsplit_once(' ').expect("two names");
                let from = if from == "dist" { "dist/." } else { from };
                lines.push_str(&format!("mkdir -p root{to}; cp -r {from} root{to}\n"));
            }
            ("WORKDIR", folder) => lines.push_str(&format!("cd \"$HOME\"/root{folder}\n")),
            ("RUN", command) => {
                lines.push_str(&format!("( {} )\n", command.replace(" /", " \"$HOME\"/root/")));
            }
            other => panic!("{other:?}"),
        }
    }
    std::fs::write(place.0.path().join("build"), lines).unwrap();
    place.bash("bash -eu build", &[]);
    assert_eq!(place.bash("cat root/usr/local/app/program", &[]), "program\n");
    place.bash("echo >>dist/one; if bash -eu build; then exit 1; fi; test ! -e root/usr/local/app", &[]);
    skip("the Dockerfile in docker", "its lines were run in a directory");
}

#[test]
fn pre_commit() {
    let block = below("pre-commit", "yaml")[0];
    let place = place();
    place.bash("fndsa sign -q -k release.key -M SHA256SUMS dist/*", &[]);
    let entry = block.lines().find_map(|line| line.trim().strip_prefix("entry: ")).expect("an entry");
    place.bash(entry, &[]);
    place.bash(&format!("echo >>dist/one; {entry} && exit 1; test $? = 1; cp dist/three dist/one"), &[]);
    if !have("pre-commit") || !have("git") {
        return skip("the hook in pre-commit", "pre-commit or git is not installed; its line was run");
    }
    std::fs::write(place.0.path().join(".pre-commit-config.yaml"), block).unwrap();
    let lines = "export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null; git init -q .; git add -A
        git config user.name A; git config user.email a@example.org
        pre-commit install; git commit -q -m good; echo >>dist/one; git add dist/one
        git commit -q -m bad && exit 1; git log --format=%s";
    assert!(place.bash(lines, &[]).ends_with("good\n"));
}
