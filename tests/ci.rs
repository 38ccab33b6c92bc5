//! Runs the recipes in docs/ci.md. A recipe must sign the files of a job, verify them, and reject
//! changed files. Also runs the script from action.yml, as a forge does.

mod recipes;

use recipes::{RecipeDirectory, RecipeDocument, have, run_scripts, skip};
use std::path::{Path, PathBuf};

const TEXT: RecipeDocument = RecipeDocument(include_str!("../docs/ci.md"));
const ACTION: &str = include_str!("../action.yml");

/// Creates a directory with the files that docs/ci.md assumes: a key pair and a folder `dist`.
fn recipe_directory() -> RecipeDirectory {
    RecipeDirectory::new(
        "fndsa keygen -q release; mkdir dist; echo one >dist/one; echo two >'dist/two words'; cp dist/one dist/three",
    )
}

/// Returns the code blocks in `language` in the section of docs/ci.md with this heading. Panics if
/// there is none.
fn blocks_after(heading: &str, language: &str) -> Vec<&'static str> {
    let blocks: Vec<_> =
        TEXT.blocks(language).into_iter().filter(|(title, _)| *title == heading).map(|(_, block)| block).collect();
    assert!(!blocks.is_empty(), "{heading} has no block of {language}");
    blocks
}

/// Adds a first line that exports the private key in `SIGNING_KEY`, the variable that the recipes
/// read.
fn with_exported_key(lines: &str) -> String {
    format!("export SIGNING_KEY=\"$(cat release.key)\"\n{lines}")
}

/// Runs the commands of a recipe. `verify` must succeed after `sign`, fail with exit code 1 after a
/// file is changed, and succeed again when the file is restored.
fn check_sign_and_verify(recipe: &RecipeDirectory, sign: &str, verify: &str) {
    recipe.run_bash(&with_exported_key(sign), &[]);
    recipe.run_bash(verify, &[]);
    let changed = format!("echo >>dist/one; ( {verify} ) && exit 1; test $? = 1; cp dist/three dist/one");
    recipe.run_bash(&changed, &[]);
    recipe.run_bash(verify, &[]);
}

#[test]
fn the_makefile_works() {
    if !have("make") {
        return skip("the recipe for make", "there is no make");
    }
    let recipe = recipe_directory();
    // In a Makefile, a blank separates two file names, so a file name cannot contain a blank.
    recipe.run_bash("rm 'dist/two words'", &[]);
    std::fs::write(recipe.0.path().join("Makefile"), blocks_after("Makefile", "make")[0]).unwrap();
    recipe.run_bash(&with_exported_key("make SHA256SUMS.sig"), &[]);
    recipe.run_bash("make check", &[]);
    let out = recipe.run_bash("echo >>dist/one; make check 2>&1 && exit 1; make -q SHA256SUMS.sig || echo again", &[]);
    assert!(out.contains("dist/one: FAILED") && out.contains("again"), "{out}");
    recipe.run_bash(&with_exported_key("make SHA256SUMS.sig check; make -q SHA256SUMS.sig"), &[]);
}

/// A simulated CI machine of a forge. It has the programs of the base image, and substitutes for
/// curl and other programs. The substitute for curl delivers a release archive. fndsa is not on the
/// path until the recipe installs it.
struct CiRunner {
    recipe: RecipeDirectory,
    /// Directories with programs.
    path: Vec<PathBuf>,
    /// The value for SHA256-OF-THE-ARCHIVE in the recipe.
    checksum: String,
}

impl CiRunner {
    /// Creates a machine on which the substitutes in `available` are installed. The recipe can
    /// install the remaining substitutes with `apt-get install`.
    fn new(available: &[&str]) -> Self {
        let recipe = recipe_directory();
        let target = "x86_64-unknown-linux-musl";
        let archive = format!(
            "mkdir -p archive/fndsa-0.2.0-{target} programs installable
            cp \"$(command -v fndsa)\" archive/fndsa-0.2.0-{target}; tar czf archive.tar.gz -C archive fndsa-0.2.0-{target}; rm -r archive
            sha256sum archive.tar.gz | cut -d' ' -f1"
        );
        let checksum = recipe.run_bash(&archive, &[]).trim().to_owned();
        let curl = "out=''; while [ $# -gt 1 ]; do [ \"$1\" != -o ] || out=$2; shift; done
            case $1 in https://*/fndsa-*.tar.gz) cp \"$HOME/archive.tar.gz\" \"$out\" ;; *) exit 22 ;; esac";
        let gh = "printf '%s|' \"$@\" >\"$HOME/uploaded\"; for file; do case $file in *SHA256SUMS*) cat \"$file\" >/dev/null ;; esac; done";
        let apt = "[ \"$1\" = update ] || for name; do [ ! -e \"$HOME/installable/$name\" ] || cp \"$HOME/installable/$name\" \"$HOME/programs\"; done";
        for (name, lines) in [("curl", curl), ("gh", gh), ("apt-get", apt)] {
            let folder = if available.contains(&name) { "programs" } else { "installable" };
            std::fs::write(recipe.0.path().join(folder).join(name), format!("#!/bin/sh\nset -eu\n{lines}\n")).unwrap();
        }
        recipe.run_bash("chmod +x programs/* installable/* 2>/dev/null || :", &[]);
        let path = vec![recipe.create_base_image(), recipe.0.path().join("programs")];
        Self { recipe, path, checksum }
    }

    /// Runs a step of the recipe. The path includes the directories that earlier steps added.
    fn run_step(&self, lines: &str) -> String {
        let added = std::fs::read_to_string(self.recipe.0.path().join("path")).unwrap_or_default();
        let added: Vec<_> = added.lines().map(PathBuf::from).collect();
        let path: Vec<_> = added.iter().chain(&self.path).map(PathBuf::as_path).collect();
        let lines = lines.replace("SHA256-OF-THE-ARCHIVE", &self.checksum);
        self.recipe.run_bash_with_only(&format!("export GITHUB_PATH=$HOME/path\n{lines}"), &path)
    }

    /// Checks a step or job that installs fndsa. If the archive was changed, the step must fail and
    /// install nothing. Otherwise, the step must install fndsa.
    fn check_installation(&self, lines: &str) {
        self.run_step(&format!("if command -v fndsa .fndsa/fndsa; then exit 1; fi; cp archive.tar.gz good; echo >>archive.tar.gz
            if bash -euc '{lines}' 2>answer; then exit 1; fi; grep -q 'did NOT match' answer; test ! -e .fndsa; cp good archive.tar.gz"));
        self.run_step(lines);
    }
}

#[test]
fn the_shell_lines_for_github_work() {
    let scripts = run_scripts(blocks_after("GitHub, with lines of shell", "yaml")[0]);
    let [install, sign, verify] = &scripts[..] else { panic!("{scripts:?}") };
    let machine = CiRunner::new(&["curl"]);
    machine.check_installation(install);
    machine.run_step(&with_exported_key(sign));
    let out = machine.run_step(verify);
    assert_commands_are_stopped(&out);
    let changed = format!("echo >>dist/one; set +e; ( set -e; {verify} ); code=$?; set -e; test $code = 1");
    machine.run_step(&format!("{changed}; cp dist/three dist/one"));
    machine.run_step(verify);
}

#[test]
fn the_jobs_for_gitlab_work() {
    let block = blocks_after("GitLab", "yaml")[0];
    let script = |job: &str| -> String {
        let lines = block.split(&format!("{job}:\n")).nth(1).expect("a job").split("\n\n").next().unwrap().lines();
        lines.filter_map(|line| line.strip_prefix("    - ")).map(|line| format!("{line}\n")).collect()
    };
    let (install, sign) = (script("fndsa"), script("sign"));
    let machine = CiRunner::new(&["apt-get"]);
    // Removes the programs that the first job installs, because the second job runs on a new
    // machine and gets only the artifact.
    machine.check_installation(&install);
    machine.run_step("rm -r programs fndsa.tar.gz");
    // The first block after "Secrets" writes the private key in base64, because many forges mask a
    // secret only if its value has no line ends.
    let blocks = blocks_after("Secrets", "sh");
    let public = machine.recipe.run_bash(blocks[0], &[]);
    assert_eq!(public, std::fs::read_to_string(machine.recipe.0.path().join("release.pub")).unwrap());
    machine.run_step(&format!("export SIGNING_KEY=\"$(cat release.key.base64)\"\n{sign}"));
    let verify = sign.lines().nth(1).expect("a command that verifies");
    machine.run_step(&format!("echo >>dist/one; code=0; ( {verify} ) || code=$?; test $code = 1"));
}

/// Returns the inputs of the action, as environment variables, for each step in `block` that uses
/// the action. `key` replaces the secret `SIGNING_KEY`.
fn action_inputs(block: &str, key: &str) -> Vec<Vec<(String, String)>> {
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
    let inputs_of_step = |step: &str| {
        let with = step.split_once("with:\n").expect("inputs").1;
        let input = |line: &str| {
            let (name, value) = line.trim().split_once(": ").expect("an input");
            assert!(declared.contains(&name), "the action has no input {name}");
            let value = value.replace("${{ secrets.SIGNING_KEY }}", key);
            (format!("INPUT_{}", name.to_uppercase().replace('-', "_")), value)
        };
        with.lines().take_while(|line| line.starts_with("          ")).map(input).collect()
    };
    block.split("- uses: OWNER/fndsa@").skip(1).map(inputs_of_step).collect()
}

/// Returns the steps in action.yml: the argument for the script, and the names of the environment
/// variables.
fn action_steps() -> Vec<(&'static str, Vec<&'static str>)> {
    let steps = ACTION.split("    - id: ").skip(1);
    let read_step = |step: &'static str| {
        let run =
            step.lines().find_map(|line| line.trim().strip_prefix("run: '\"$GITHUB_ACTION_PATH/contrib/action\" "));
        let variables = step.split_once("env:\n").expect("variables").1.lines();
        let variables = variables.filter_map(|line| line.trim().split_once(": ${{").map(|parts| parts.0)).collect();
        (run.expect("the script of the action").trim_end_matches('\''), variables)
    };
    let steps: Vec<_> = steps.map(read_step).collect();
    assert!(steps.len() == 2 && steps[0].0 == "install" && steps[1].0 == "run", "{steps:?}");
    steps
}

/// Runs the steps of the action with these inputs, with the programs in `path`, and with
/// `extra_variables` in the environment. Returns the exit code and the output.
fn run_action_with(
    recipe: &RecipeDirectory,
    inputs: &[(String, String)],
    path: &[&Path],
    extra_variables: &[(&str, &str)],
) -> (i32, String) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut code, mut log, mut program) = (0, String::new(), String::new());
    for (step, variables) in action_steps() {
        let mut script = std::process::Command::new("bash");
        script.arg(root.join("contrib/action")).arg(step).current_dir(recipe.0.path());
        script.env("PATH", std::env::join_paths(path).unwrap()).env("GITHUB_ACTION_PATH", root);
        let output = recipe.0.path().join("output");
        let _ = std::fs::remove_file(&output);
        script.env("GITHUB_OUTPUT", &output).env("RUNNER_TEMP", recipe.0.path()).env("FNDSA_PROGRAM", &program);
        script.envs(inputs.iter().filter(|(name, _)| variables.contains(&&name[..])).cloned());
        let run = script.envs(extra_variables.iter().copied()).output().expect("bash");
        log += &[run.stdout, run.stderr].map(|stream| String::from_utf8_lossy(&stream).into_owned()).concat();
        code = run.status.code().expect("an exit code");
        if code != 0 {
            break;
        }
        let outputs = std::fs::read_to_string(&output).unwrap_or_default();
        program = outputs.lines().find_map(|line| line.strip_prefix("program=")).unwrap_or(&program).to_owned();
    }
    (code, log)
}

/// Runs the steps of the action on this machine, with fndsa on the path.
fn run_action(recipe: &RecipeDirectory, inputs: &[(String, String)]) -> (i32, String) {
    let fndsa = Path::new(env!("CARGO_BIN_EXE_fndsa")).parent().unwrap();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path: Vec<_> = [fndsa.to_owned()].into_iter().chain(std::env::split_paths(&path)).collect();
    run_action_with(recipe, inputs, &path.iter().map(PathBuf::as_path).collect::<Vec<_>>(), &[])
}

/// Checks that the output contains no command that a runner would execute. A line that looks like a
/// command is allowed only between `::stop-commands::TOKEN` and `::TOKEN::`, or if it is an error
/// message from the action.
fn assert_commands_are_stopped(log: &str) {
    let mut token: Option<String> = None;
    let mut stopped = 0;
    for line in log.lines().map(str::trim_start) {
        match (&token, line.strip_prefix("::stop-commands::")) {
            (None, Some(token_value)) => {
                assert!(token_value.len() >= 32, "{line}");
                (token, stopped) = (Some(token_value.to_owned()), stopped + 1);
            }
            (Some(wanted), _) if line == format!("::{wanted}::") => token = None,
            (None, None) => assert!(
                line.starts_with("::error::") || !line.starts_with("::") && !line.starts_with("##["),
                "a runner executes this line: {line}\n{log}"
            ),
            _ => {}
        }
    }
    assert!(stopped > 0 && token.is_none(), "{log}");
}

#[test]
fn the_action_signs_and_verifies_files() {
    let recipe = recipe_directory();
    let key = std::fs::read_to_string(recipe.0.path().join("release.key")).unwrap();
    let steps = action_inputs(blocks_after("GitHub, with the action of this repository", "yaml")[0], &key);
    let [sign, verify] = &steps[..] else { panic!("{steps:?}") };
    let (code, log) = run_action(&recipe, sign);
    assert_eq!(code, 0, "{log}");
    let output = std::fs::read_to_string(recipe.0.path().join("output")).unwrap();
    let end = output.lines().last().expect("a delimiter");
    assert_eq!(output, format!("signatures<<{end}\nSHA256SUMS\nSHA256SUMS.sig\n{end}\n"));
    assert!(end.len() == 32, "a name could be the delimiter: {end}");
    // The list is sorted, so the same files give the same list on each machine.
    let list = recipe.run_bash("sed 's/^[0-9a-f]*  //' SHA256SUMS", &[]);
    assert_eq!(list, "dist/one\ndist/three\ndist/two words\n");
    assert_eq!(run_action(&recipe, verify).0, 0);
    recipe.run_bash("echo >>dist/one", &[]);
    let (code, log) = run_action(&recipe, verify);
    assert!(code == 1 && log.contains("dist/one: FAILED"), "{log}");
}

/// Returns the pairs as input variables for the action.
fn input_variables(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(name, value)| (format!("INPUT_{name}"), (*value).to_owned())).collect()
}

#[test]
fn the_action_accepts_its_documented_inputs() {
    let recipe = recipe_directory();
    let key = std::fs::read_to_string(recipe.0.path().join("release.key")).unwrap();
    let sign =
        input_variables(&[("DO", "sign"), ("KEY", &key), ("FILES", "dist/one\n\ndist/t*\n"), ("CONTEXT", "a b")]);
    let (code, log) = run_action(&recipe, &sign);
    assert!(code == 0 && !log.contains("PRIVATE"), "{log}");
    let fingerprint = recipe.run_bash("fndsa inspect release.pub | sed 's/.*, //'", &[]);
    let names = "dist/one\ndist/two words\ndist/three";
    let verify = |inputs: &[(&str, &str)]| {
        run_action(&recipe, &[input_variables(&[("DO", "verify"), ("FILES", names)]), input_variables(inputs)].concat())
    };
    let good = [("PUBLIC_KEY", "release.pub"), ("CONTEXT", "a b"), ("EXPECT_KEY", &fingerprint)];
    assert_eq!(verify(&good).0, 0);
    assert_eq!(verify(&[("TRUSTED_KEYS", "release.pub"), ("CONTEXT", "a b")]).0, 0);
    assert_eq!(verify(&good[..1]).0, 1);
    let wrong_fingerprint = format!("sha256:{}", "0".repeat(64));
    assert_eq!(verify(&[good[0], good[1], ("EXPECT_KEY", &wrong_fingerprint)]).0, 1);
    // The inputs name two keys, and `REQUIRE` is `all`, so both keys must have signed.
    recipe.run_bash("fndsa keygen -a ed25519 classic", &[]);
    let classic = std::fs::read_to_string(recipe.0.path().join("classic.key")).unwrap();
    let both_keys = [("PUBLIC_KEY", "release.pub\nclassic.pub\n"), ("CONTEXT", "a b"), ("REQUIRE", "all")];
    let (code, log) = verify(&both_keys);
    assert!(code == 1 && log.contains("1 of 2 required keys has signed the file"), "{log}");
    assert_eq!(verify(&both_keys[..2]).0, 0);
    recipe.run_bash("rm dist/*.sig", &[]);
    let (code, log) = run_action(&recipe, &[sign, input_variables(&[("SECOND_KEY", &classic)])].concat());
    assert!(code == 0 && !log.contains("PRIVATE"), "{log}");
    assert_eq!(verify(&both_keys).0, 0);
    assert_eq!(verify(&[both_keys[0], both_keys[1], ("REQUIRE", "3")]).0, 2);
    for (inputs, words) in [
        (vec![("DO", "look")], "the input do is sign or verify"),
        (vec![("DO", "sign"), ("FILES", "dist/one")], "is the secret there?"),
        (vec![("DO", "sign"), ("KEY", "no key"), ("FILES", "dist/one")], "INPUT_KEY"),
        (vec![("DO", "sign"), ("KEY", &key)], "the input files has to name some"),
        (vec![("DO", "sign"), ("KEY", &key), ("FILES", "dist/*.zip")], "no file matches dist/*.zip"),
        (vec![("DO", "verify"), ("FILES", "dist/one")], "public-key or trusted-keys"),
        (vec![("DO", "verify"), ("PUBLIC_KEY", "release.pub")], "files or manifest"),
        (vec![("DO", "verify"), ("PUBLIC_KEY", "release.pub"), ("KEY", &key)], "no private key is needed"),
        (vec![("DO", "verify"), ("PUBLIC_KEY", "release.pub"), ("PASSWORD", "x")], "no private key is needed"),
        (vec![("DO", "sign"), ("KEY", &key), ("FILES", "dist/one"), ("REQUIRE", "all")], "require has no effect"),
        (vec![("DO", "sign"), ("KEY", &key), ("FILES", "dist/one"), ("DIRECTORY", "dist")], "directory has no effect"),
        (vec![("DO", "verify"), ("BEST_BEFORE", "2096-01-01"), ("MANIFEST", "L")], "best-before has no effect"),
        (vec![("DO", "verify"), ("STRICT", "true"), ("FILES", "dist/one")], "strict has no effect"),
        (
            vec![("DO", "verify"), ("STRICT", "yes"), ("MANIFEST", "L")],
            "the input strict is true or false, and not 'yes'",
        ),
        (
            vec![("DO", "sign"), ("KEY", &key), ("FILES", "dist/one"), ("DIRECTORY", "dist"), ("MANIFEST", "L")],
            "either the input files or the input directory",
        ),
    ] {
        let (code, log) = run_action(&recipe, &input_variables(&inputs));
        assert!(code > 1 && log.contains(words), "{code} {log}");
    }
}

/// The action signs a directory with a last day, and verifies it. The action rejects an additional
/// or a missing file, unless its inputs allow this.
#[test]
fn the_action_signs_and_verifies_directories() {
    let recipe = recipe_directory();
    let key = std::fs::read_to_string(recipe.0.path().join("release.key")).unwrap();
    let list = [("MANIFEST", "dist/SHA256SUMS"), ("DIRECTORY", "dist")];
    let sign = |inputs: &[(&str, &str)]| {
        run_action(
            &recipe,
            &[input_variables(&[("DO", "sign"), ("KEY", &key)]), input_variables(&list), input_variables(inputs)]
                .concat(),
        )
    };
    let verify = |inputs: &[(&str, &str)]| {
        run_action(
            &recipe,
            &[
                input_variables(&[("DO", "verify"), ("PUBLIC_KEY", "release.pub")]),
                input_variables(&list),
                input_variables(inputs),
            ]
            .concat(),
        )
        .0
    };
    let (code, log) = sign(&[("BEST_BEFORE", "2096-02-29")]);
    assert_eq!(code, 0, "{log}");
    assert!(recipe.run_bash("cat dist/SHA256SUMS", &[]).contains("2096-02-29"));
    assert_eq!(verify(&[("STRICT", "true"), ("IGNORE_MISSING", "false")]), 0);
    recipe.run_bash("echo more >dist/more", &[]);
    assert_eq!((verify(&[]), verify(&[("STRICT", "false")]), verify(&[("STRICT", "true")])), (0, 0, 1));
    recipe.run_bash("rm dist/more dist/one", &[]);
    assert!(verify(&[]) > 0);
    assert_eq!(verify(&[("IGNORE_MISSING", "true")]), 0);
    assert_eq!(sign(&[("BEST_BEFORE", "2020-01-01")]).0, 0);
    assert_eq!(verify(&[]), 1, "the list is past its last day");
}

/// The action treats each file name as a single name, whatever characters it contains, and prints
/// no command for the runner.
#[test]
fn file_names_are_neither_other_files_nor_commands() {
    let recipe = recipe_directory();
    recipe.run_bash("mkdir bad; cd bad; echo good | tee a b >/dev/null; fndsa sign -q -k ../release.key a b", &[]);
    let verify = |files: &str| {
        let inputs = [("DO", "verify"), ("PUBLIC_KEY", "release.pub"), ("FILES", files)];
        let (code, log) = run_action(&recipe, &input_variables(&inputs));
        assert_commands_are_stopped(&log);
        (code, log)
    };
    assert_eq!(verify("bad/[ab]").0, 0);
    // A path that contains a line end looks like the names of two files that verify.
    recipe.run_bash("mkdir $'bad/a\nbad'; echo evil >$'bad/a\nbad/b'", &[]);
    let (code, log) = verify("bad/a?bad/b");
    assert!(code > 1, "a file without a signature: {code} {log}");
    for name in ["::stop-commands::x", "::add-path::_evil", "##[add-mask]x", " ::set-output name=a::b", "::error::no"] {
        std::fs::write(recipe.0.path().join("bad").join(name), "evil").unwrap();
        std::fs::write(recipe.0.path().join(name), "evil").unwrap();
    }
    for files in ["bad/[ :#]*", "[ :#]*", "::stop-commands::x", "::nosuch::x", "##[add-mask]x"] {
        let (code, log) = verify(files);
        assert!(code > 1 && log.contains("::"), "{files}: {code} {log}");
    }
    // The step that signs must reject a name with a line end, because the output of this step is a
    // list with a name in each line.
    let key = std::fs::read_to_string(recipe.0.path().join("release.key")).unwrap();
    let (code, log) = run_action(&recipe, &input_variables(&[("DO", "sign"), ("KEY", &key), ("FILES", "bad/a?bad/b")]));
    assert!(code == 2 && log.contains("a line end or another control character"), "{log}");
    assert_commands_are_stopped(&log);
    assert!(recipe.run_bash("ls $'bad/a\nbad'", &[]) == "b\n" && !recipe.0.path().join("output").exists());
}

/// If fndsa is not on the path, the action builds it. The build gets no input that contains a
/// secret, and no other secret from the job.
#[test]
fn the_build_in_the_action_has_no_secret() {
    let recipe = recipe_directory();
    let key = std::fs::read_to_string(recipe.0.path().join("release.key")).unwrap();
    let built = recipe.0.path().join("built");
    let cargo = format!(
        "mkdir tools; cp \"$(command -v fndsa)\" built; echo '#!/bin/sh\ncat /proc/self/environ | tr \"\\0\" \"\\n\" >\"$HOME/seen\"
        while [ \"$1\" != --root ]; do shift; done; mkdir -p \"$2/bin\"; cp {} \"$2/bin/fndsa\"' >tools/cargo; chmod +x tools/cargo",
        built.display()
    );
    recipe.run_bash(&cargo, &[]);
    let (base, tools) = (recipe.create_base_image(), recipe.0.path().join("tools"));
    let home = recipe.0.path().display().to_string();
    let secrets = [
        ("FNDSA_PASSWORD", "job-secret-1"),
        ("MY_DEPLOY_THING", "job-secret-2"),
        ("CARGO_REGISTRY_TOKEN", "job-secret-3"),
    ];
    let variables: Vec<_> =
        secrets.iter().copied().chain([("HOME", &home[..]), ("key", "x"), ("password", "x")]).collect();
    let sign = input_variables(&[("DO", "sign"), ("KEY", &key), ("SECOND_KEY", &key), ("FILES", "dist/one")]);
    let (code, log) = run_action_with(&recipe, &sign[..2], &[&base, &tools], &variables);
    assert!(code == 2 && log.contains("files has to name some"), "{log}");
    let environment = std::fs::read_to_string(recipe.0.path().join("seen")).expect("cargo ran");
    assert!(
        environment.contains("PATH=")
            && !environment.contains("PRIVATE")
            && !environment.contains("job-secret")
            && !environment.contains("INPUT_"),
        "{environment}"
    );
    // The script does not pass its secrets to other programs, even if the job exports variables
    // with the names of the script's own variables (`key`, `password`). The step that installs
    // fndsa has no secret in any case, so this is a second protection.
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut script = std::process::Command::new("bash");
    script.arg(root.join("contrib/action")).arg("install").current_dir(recipe.0.path()).envs(variables.iter().copied());
    script.env("PATH", std::env::join_paths([&base, &tools]).unwrap()).env("GITHUB_ACTION_PATH", root);
    let run = script
        .env("RUNNER_TEMP", recipe.0.path())
        .env("INPUT_KEY", &key)
        .env("INPUT_PASSWORD", "hunter2")
        .output()
        .unwrap();
    assert!(run.status.success());
    let environment = std::fs::read_to_string(recipe.0.path().join("seen")).expect("cargo ran");
    assert!(
        !environment.contains("PRIVATE") && !environment.contains("hunter2") && !environment.contains("job-secret"),
        "{environment}"
    );
    assert!(action_steps()[0].1 == ["INPUT_PROGRAM"], "the step that builds has another input");
}

#[test]
fn the_configuration_for_goreleaser_works() {
    let block = blocks_after("goreleaser", "yaml")[0];
    let value = |name: &str| {
        let line = block.lines().find_map(|line| line.trim_start_matches([' ', '-']).strip_prefix(name));
        line.unwrap_or_else(|| panic!("no {name}")).trim().trim_matches('"').to_owned()
    };
    let artifact = value("name_template:");
    let signature = value("signature:").replace("${artifact}", &artifact);
    let words: Vec<String> = serde_json::from_str(&value("args:")).expect("a list");
    let words = words.iter().map(|word| word.replace("${artifact}", &artifact).replace("${signature}", &signature));
    let sign = format!("sha256sum dist/* >{artifact}; {} {}", value("cmd:"), words.collect::<Vec<_>>().join(" "));
    let verify = TEXT.0.split("verifies with `").nth(1).and_then(|rest| rest.split('`').next()).expect("a command");
    let verify = verify.replace('\n', " ");
    check_sign_and_verify(&recipe_directory(), &sign, &verify);
    if !have("goreleaser") || !have("git") {
        return skip("the recipe in goreleaser", "goreleaser or git is not installed; the test ran only the command");
    }
    let recipe = RecipeDirectory::new("fndsa keygen -q release; echo text >file");
    let config = format!("version: 2\nbuilds: [{{ skip: true }}]\nsource: {{ enabled: true }}\n{block}");
    std::fs::write(recipe.0.path().join(".goreleaser.yaml"), config).unwrap();
    let release =
        "export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null; git init -q .; git add file .goreleaser.yaml
        git config user.name A; git config user.email a@example.org; git commit -q -m one; git tag v1.0.0
        git remote add origin https://forge.invalid/a/b.git; goreleaser check
        goreleaser release --snapshot --clean --skip=publish";
    recipe.run_bash(&with_exported_key(release), &[]);
    let changed =
        format!("cp release.pub dist; cd dist; {verify}; echo >>*.tar.gz; ( {verify} ) && exit 1; test $? = 1");
    recipe.run_bash(&changed, &[]);
}

#[test]
fn the_configuration_for_cargo_dist_works() {
    assert!(blocks_after("cargo-dist", "toml")[0].contains("publish-jobs = [\"./sign\"]"));
    let scripts = run_scripts(blocks_after("cargo-dist", "yaml")[0]);
    let [install, sign, upload] = &scripts[..] else { panic!("{scripts:?}") };
    // The real program `gh` needs access to the forge, so the test uses a substitute.
    let machine = CiRunner::new(&["curl", "gh"]);
    machine.check_installation(install);
    assert_commands_are_stopped(&machine.run_step(&with_exported_key(sign)));
    machine.run_step(&format!("export TAG=v1\n{upload}"));
    assert_eq!(machine.run_step("cat uploaded"), "release|upload|v1|dist/SHA256SUMS|dist/SHA256SUMS.sig|");
    machine.run_step("cd dist; fndsa verify -p ../release.pub -M SHA256SUMS; test $(grep -c . SHA256SUMS) = 3");
}

/// The lines in the Dockerfile work. The test runs them in a directory tree instead of a container.
#[test]
fn the_dockerfile_works() {
    let block = blocks_after("Dockerfile", "dockerfile")[0];
    let recipe = recipe_directory();
    let make = "mkdir app; echo program >app/program; tar cf dist/app.tar.gz app
        fndsa sign -q -k release.key -M SHA256SUMS dist/*";
    recipe.run_bash(make, &[]);
    let mut lines = String::from("rm -rf root; mkdir -p root/usr/local root/download\n");
    for line in block.lines() {
        match line.split_once(' ').expect("an instruction") {
            ("FROM", _) => {}
            ("COPY", names) if names.starts_with("--from=") => assert!(names.starts_with("--from=fndsa /fndsa ")),
            // COPY copies a directory's contents, without the directory name.
            ("COPY", names) => {
                let (source, destination) = names.rsplit_once(' ').expect("two names");
                let source = if source == "dist" { "dist/." } else { source };
                lines.push_str(&format!("mkdir -p root{destination}; cp -r {source} root{destination}\n"));
            }
            ("WORKDIR", folder) => lines.push_str(&format!("cd \"$HOME\"/root{folder}\n")),
            ("RUN", command) => {
                lines.push_str(&format!("( {} )\n", command.replace(" /", " \"$HOME\"/root/")));
            }
            other => panic!("{other:?}"),
        }
    }
    std::fs::write(recipe.0.path().join("build"), lines).unwrap();
    recipe.run_bash("bash -eu build", &[]);
    assert_eq!(recipe.run_bash("cat root/usr/local/app/program", &[]), "program\n");
    recipe.run_bash("echo >>dist/one; if bash -eu build; then exit 1; fi; test ! -e root/usr/local/app", &[]);
    skip("the Dockerfile in docker", "the test ran its lines in a directory");
}

#[test]
fn the_hook_for_pre_commit_verifies() {
    let block = blocks_after("pre-commit", "yaml")[0];
    let recipe = recipe_directory();
    recipe.run_bash("fndsa sign -q -k release.key -M SHA256SUMS dist/*", &[]);
    let entry = block.lines().find_map(|line| line.trim().strip_prefix("entry: ")).expect("an entry");
    recipe.run_bash(entry, &[]);
    recipe.run_bash(&format!("echo >>dist/one; {entry} && exit 1; test $? = 1; cp dist/three dist/one"), &[]);
    if !have("pre-commit") || !have("git") {
        return skip("the hook in pre-commit", "pre-commit or git is not installed; the test ran only the command");
    }
    std::fs::write(recipe.0.path().join(".pre-commit-config.yaml"), block).unwrap();
    let lines = "export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null; git init -q .; git add -A
        git config user.name A; git config user.email a@example.org
        pre-commit install; git commit -q -m good; echo >>dist/one; git add dist/one
        git commit -q -m bad && exit 1; git log --format=%s";
    assert!(recipe.run_bash(lines, &[]).ends_with("good\n"));
}
