//! Checks that workflows and recipes pass a secret only to the program that signs, and that they
//! run only code with a fixed version or digest.
//!
//! The tests read the workflows, the action, and the YAML blocks in the documents. They also run
//! the build scripts with keys. In these runs, substitutes (test programs) replace the programs
//! that the scripts start. Only the program that signs may see a key.

mod recipes;

use recipes::{RecipeDirectory, RecipeDocument};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

fn package_root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the name and text of each file or block that a forge runs: the workflows, the action,
/// and the YAML blocks in the documents of `docs`.
fn workflows() -> Vec<(String, String)> {
    let mut found = vec![("action.yml".to_owned(), include_str!("../action.yml").to_owned())];
    for entry in fs::read_dir(package_root().join(".github/workflows")).expect("workflows") {
        let path = entry.unwrap().path();
        found.push((
            path.strip_prefix(package_root()).unwrap().display().to_string(),
            fs::read_to_string(&path).unwrap(),
        ));
    }
    for entry in fs::read_dir(package_root().join("docs")).expect("documents") {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "md") {
            let text: &'static str = fs::read_to_string(&path).unwrap().leak();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let blocks = RecipeDocument(text).blocks("yaml");
            found.extend(blocks.into_iter().map(|(heading, block)| (format!("{name}: {heading}"), block.to_owned())));
        }
    }
    assert!(found.len() > 8, "the workflows were not found");
    found
}

/// Returns the number of blanks at the start of a line.
fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// A step of a job: the lines in `env` and `with` (`settings`), and the script lines.
#[derive(Debug, Default)]
struct WorkflowStep {
    job: String,
    settings: Vec<String>,
    run: Vec<String>,
}

impl WorkflowStep {
    /// Reads the lines of a step. An unknown YAML key is an error: if its lines were ignored, the
    /// test would not find a secret in them.
    fn read(job: &str, lines: &[&str]) -> Result<Self, String> {
        let mut step = Self { job: job.to_owned(), ..Self::default() };
        let (mut key, column) = (String::new(), indent(lines[0]) + 2);
        for (i, line) in lines.iter().enumerate() {
            let line = if i == 0 { line.replacen("- ", "  ", 1) } else { (*line).to_owned() };
            let text = line.trim();
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            if indent(&line) == column {
                let (name, value) = text.split_once(':').ok_or(format!("not a key: {text}"))?;
                key = name.to_owned();
                match (name, value.trim()) {
                    ("run", "|") | ("env" | "with", "") | ("name" | "id" | "if" | "shell" | "uses", _) => {}
                    ("run", value) => step.run.push(value.trim_matches('\'').to_owned()),
                    _ => return Err(format!("an unknown key of a step: {text}")),
                }
            } else if key == "run" {
                step.run.push(text.to_owned());
            } else if key == "env" || key == "with" {
                step.settings.push(text.to_owned());
            } else {
                return Err(format!("an unknown line of a step: {text}"));
            }
        }
        Ok(step)
    }
}

/// Returns the steps in a workflow or action, and all lines outside steps except comments.
fn parse_workflow(text: &str) -> Result<(Vec<WorkflowStep>, Vec<String>), String> {
    let lines: Vec<&str> = text.lines().collect();
    let (mut steps, mut other_lines, mut job) = (Vec::new(), Vec::new(), String::new());
    let mut i = 0;
    while i < lines.len() {
        if indent(lines[i]) == 2 && lines[i].ends_with(':') {
            job = lines[i].trim().trim_end_matches(':').to_owned();
        }
        if !lines[i].trim_start().starts_with('#') {
            other_lines.push(lines[i].to_owned());
        }
        i += 1;
        if lines[i - 1].trim() != "steps:" {
            continue;
        }
        let column = indent(lines.get(i).ok_or("no steps")?);
        while i < lines.len() && (lines[i].trim().is_empty() || indent(lines[i]) >= column) {
            let start = i;
            i += 1;
            while i < lines.len() && (lines[i].trim().is_empty() || indent(lines[i]) > column) {
                i += 1;
            }
            // A comment between two steps is skipped.
            if !lines[start].trim().is_empty() && !lines[start].trim().starts_with('#') {
                steps.push(WorkflowStep::read(&job, &lines[start..i])?);
            }
        }
    }
    Ok((steps, other_lines))
}

/// Returns whether a line uses a secret of the forge or of the action's user.
fn is_secret(line: &str) -> bool {
    let action =
        ["key", "second-key", "password"].iter().any(|input| line.contains(&format!("${{{{ inputs.{input} }}}}")));
    action || line.contains("secrets") || line.contains("github.token")
}

/// Returns whether a step with a secret may run this line. The line may start the program that
/// signs or the action's script, or it may start no program.
fn may_have_a_secret(line: &str) -> bool {
    let signs =
        ["fndsa sign ", "program/fndsa sign ", ".fndsa/fndsa sign "].iter().any(|program| line.starts_with(program));
    let is_single_command =
        !line.contains([';', '|', '&', '`', '$']) || line == "\"$GITHUB_ACTION_PATH/contrib/action\" run";
    let without_programs = [
        r#"exec 2>&1; read -r stop </proc/sys/kernel/random/uuid; echo "::stop-commands::$stop""#,
        r#"echo "::$stop::""#,
    ];
    (signs && is_single_command)
        || line == "\"$GITHUB_ACTION_PATH/contrib/action\" run"
        || without_programs.contains(&line)
}

/// Returns whether a step may run this line if its only secret is the forge's token: the line
/// uploads a release, and does not use a signing key.
fn may_have_the_forge_token(line: &str) -> bool {
    line.contains("gh release ") && !line.contains("fndsa")
}

/// Programs that run third-party code, and folders with scripts that do so. In this repository's
/// workflows, a job with a signing key must not contain these words.
const BUILDERS: [&str; 12] =
    ["cargo", "rustup", "pip", "npm", "apt-get", "curl", "make", ".ci/", "packages/", "tests/", "python3", "checkout"];

/// Returns the lines of a workflow that can reveal a secret, each with the reason.
fn misplaced_secrets(name: &str, text: &str) -> Result<Vec<String>, String> {
    let (steps, other_lines) = parse_workflow(text)?;
    let mut found: Vec<String> = Vec::new();
    let mut report = |why: &str, line: &str| found.push(format!("{name}: {why}: {line}"));
    other_lines.iter().filter(|text| is_secret(text)).for_each(|line| report("a secret outside of a step", line));
    for step in &steps {
        step.run
            .iter()
            .filter(|text| is_secret(text))
            .for_each(|line| report("a secret in the text of a script", line));
        let secrets: Vec<_> = step.settings.iter().filter(|text| is_secret(text)).collect();
        let only_forge_token = secrets.iter().all(|text| text.contains("github.token"));
        for line in step.run.iter().filter(|_| !secrets.is_empty()) {
            if !(may_have_a_secret(line) || only_forge_token && may_have_the_forge_token(line)) {
                report("a step with a secret runs this", line);
            }
        }
        if name.starts_with(".github") && !secrets.is_empty() && !only_forge_token {
            let job_lines = steps
                .iter()
                .filter(|other_step| other_step.job == step.job)
                .flat_map(|other_step| other_step.run.iter().chain(&other_step.settings));
            job_lines
                .filter(|line| BUILDERS.iter().any(|builder| line.contains(builder)))
                .for_each(|line| report("a job with a signing key builds", line));
        }
    }
    Ok(found)
}

/// Returns the lines that use an action, a container or a tool without a fixed version or digest.
fn unpinned_actions(name: &str, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in text.lines().map(|text| text.trim().trim_start_matches("- ").trim()) {
        let mut report = |why: &str| found.push(format!("{name}: {why}: {line}"));
        if let Some(action) = line.strip_prefix("uses:") {
            let (action, version) = action.trim().split_once(" # v").unwrap_or((action.trim(), ""));
            let commit = action.rsplit_once('@').map_or("", |parts| parts.1);
            let hash = commit.len() == 40 && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
            // The documents use this placeholder for the project's address and commit.
            if (!hash && action != "OWNER/fndsa@COMMIT") || version.is_empty() {
                report("an action without a commit and its version");
            }
        }
        if line.starts_with("container:") && !line.contains("@sha256:") {
            report("a container without a digest");
        }
        let pipe = line.split('|').skip(1).any(|stage| {
            let word = stage.split_whitespace().find(|stage| *stage != "sudo" && *stage != "env").unwrap_or("");
            ["sh", "bash", "python3", "python"].contains(&word.rsplit('/').next().unwrap_or(""))
        });
        if pipe && (line.contains("curl") || line.contains("wget")) {
            report("a download runs as a script");
        }
        let command = line.split('#').next().unwrap_or("");
        if command.contains("cargo install")
            && command.contains("--quiet")
            && !(command.contains("--locked") && command.contains('@') || command.contains("--path"))
        {
            report("a tool of cargo without a version");
        }
        if command.contains("pip\" install")
            && !command.contains("--require-hashes")
            && !command.contains("--no-index")
            && !command.contains("==")
            && !command.ends_with('\\')
        {
            report("a tool of pip without a version");
        }
    }
    found
}

/// Returns the name and text of each text file in `packages`, `contrib` and `.ci`.
fn all_scripts() -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders: Vec<PathBuf> =
        ["packages", "contrib", ".ci"].iter().map(|folder| package_root().join(folder)).collect();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(text) = fs::read_to_string(&path) {
                found.push((path.strip_prefix(package_root()).unwrap().display().to_string(), text));
            }
        }
    }
    assert!(found.len() > 20, "the scripts were not found");
    found
}

#[test]
fn only_steps_that_sign_have_a_secret() {
    let mut with_secrets = 0;
    for (name, text) in workflows() {
        let found = misplaced_secrets(&name, &text).unwrap_or_else(|why| panic!("{name}: {why}"));
        assert!(found.is_empty(), "{found:#?}");
        with_secrets += usize::from(text.contains("secrets."));
    }
    assert!(with_secrets >= 4, "the steps with secrets were not found");
    // `misplaced_secrets` must find each of these mistakes.
    let release = include_str!("../.github/workflows/release.yml");
    let signs = "program/fndsa sign --key-env SIGNING_KEY dist/SHA256SUMS";
    for (original, replacement) in [
        (signs, "cargo build; program/fndsa sign --key-env SIGNING_KEY dist/SHA256SUMS"),
        (signs, "program/fndsa sign dist/SHA256SUMS | tee log"),
        (signs, "packages/release dist"),
        (signs, "echo ${{ secrets.SIGNING_KEY }}"),
        ("          mkdir program\n", "          mkdir program\n          packages/toolchain\n"),
        ("    environment: release\n", "    environment: release\n    env:\n      KEY: ${{ secrets.SIGNING_KEY }}\n"),
        ("          PUBLIC_KEYS: ", "          KEY: ${{ secrets.SIGNING_KEY }}\n          PUBLIC_KEYS: "),
        ("permissions:\n", "env: { KEY: '${{ secrets.SIGNING_KEY }}' }\npermissions:\n"),
        (
            "          persist-credentials: false",
            "          persist-credentials: false\n          token: ${{ secrets.T }}\n        run: |\n          make",
        ),
    ] {
        assert!(release.contains(original), "{original}");
        let changed = release.replace(original, replacement);
        let found = misplaced_secrets(".github/workflows/release.yml", &changed);
        assert!(!matches!(found, Ok(found) if found.is_empty()), "the mistake was not found: {replacement}");
    }
}

#[test]
fn actions_containers_and_tools_are_pinned() {
    for (name, text) in workflows().into_iter().chain(all_scripts()) {
        let found = unpinned_actions(&name, &text);
        assert!(found.is_empty(), "{found:#?}");
    }
    for line in [
        "      - uses: actions/checkout@v4",
        "        uses: actions/checkout@main # v4",
        "      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1",
        "    container: debian:12",
        "      curl -sSf https://sh.rustup.rs | sh -s -- -y",
        "      wget -O - https://forge.invalid/a | sudo bash",
        "\"$work/venv/bin/pip\" install --quiet 'maturin>=1.16,<2' ziglang",
        "cargo install --quiet --locked cargo-auditable",
    ] {
        assert!(!unpinned_actions(".github", line).is_empty(), "the mistake was not found: {line}");
    }
}

/// The variables with keys, and the texts that the tests use as keys.
const KEYS: [(&str, &str); 2] = [("SIGNING_KEY", "text-of-the-first-key"), ("SIGNING_KEY_2", "text-of-the-second-key")];

/// Creates substitutes for these programs. A substitute appends its name and environment to the
/// file `seen`, and then executes `command_after`.
fn make_substitutes(recipe: &RecipeDirectory, names: &str, command_after: &str) {
    let make = format!(
        r#"mkdir -p stand-ins; for name in {names}; do
        printf '#!/bin/bash\n{{ echo "program %s"; env; }} >>"$SEEN"\n{command_after}\n' "$name" >"stand-ins/$name"
        chmod +x "stand-ins/$name"; done"#
    );
    recipe.run_bash(&make, &[]);
}

/// Returns the programs that ran. For each program that saw keys, also returns the first key.
fn recorded_programs(recipe: &RecipeDirectory) -> (Vec<String>, BTreeMap<String, String>) {
    let text = fs::read_to_string(recipe.0.path().join("seen")).expect("the file that substitutes write");
    let (mut programs, mut seen_keys) = (Vec::new(), BTreeMap::new());
    for run in text.split("program ").skip(1) {
        let name = run.lines().next().unwrap().to_owned();
        if let Some((_, key)) = KEYS.iter().find(|(_, key)| run.contains(key)) {
            seen_keys.insert(name.clone(), (*key).to_owned());
        }
        programs.push(name);
    }
    (programs, seen_keys)
}

/// Returns bash commands that export [`KEYS`].
fn exported_keys() -> String {
    KEYS.iter().map(|(name, key)| format!("export {name}='{key}'; ")).collect()
}

/// Checks that the programs that packages/release starts for the build see no key. Only the command
/// that signs gets the keys.
#[test]
fn the_build_of_a_release_has_no_key() {
    let recipe = RecipeDirectory::new("mkdir -p packages/test archive/fndsa-0");
    let release = package_root().join("packages/release");
    fs::copy(release, recipe.0.path().join("packages/release")).unwrap();
    fs::write(recipe.0.path().join("packages/requirements.txt"), "").unwrap();
    // Substitutes for all tools, because the script installs missing tools.
    make_substitutes(
        &recipe,
        "rustup cargo-auditable maturin python3 cargo",
        "case $0:$* in *rustup:*list*) echo x86_64-unknown-linux-musl;; esac",
    );
    // The substitute for packages/build creates an archive with a substitute for fndsa. It also
    // records its environment in both steps: the build, and the sums with their signatures.
    let build = r#"cat >packages/build <<'END'
#!/bin/bash
step=build; case " $* " in *" sums "*) step=sums ;; esac
{ echo "program $step $*"; env; } >>"$SEEN"
while [ "$1" != -o ]; do shift; done; out=$2
if [ $step = build ]; then
  mkdir -p "$out" made/fndsa-0; printf '#!/bin/sh\nfor name; do :; done; echo key >"$name.key"\n' >made/fndsa-0/fndsa; chmod +x made/fndsa-0/fndsa
  tar czf "$out/fndsa-0-x86_64-unknown-linux-musl.tar.gz" -C made fndsa-0
fi
END
printf '#!/bin/bash\n{ echo "program native"; env; } >>"$SEEN"\n' >packages/test/native
printf '#!/bin/bash\n{ echo "program get"; env; } >>"$SEEN"\n' >packages/get
chmod +x packages/build packages/get packages/test/native"#;
    recipe.run_bash(build, &[]);
    let substitutes = recipe.0.path().join("stand-ins");
    let run =
        |lines: &str| recipe.run_bash(&format!("rm -rf seen dist; export SEEN=$PWD/seen; {lines}"), &[&substitutes]);

    run(&format!("{}packages/release dist", exported_keys()));
    let (programs, seen_keys) = recorded_programs(&recipe);
    let signs = "sums -o dist --key-env SIGNING_KEY --key-env SIGNING_KEY_2 sums";
    assert!(programs.iter().any(|program| program.starts_with("build -o dist archive")), "{programs:?}");
    assert!(
        programs.iter().any(|program| program == "rustup") && programs.iter().any(|program| program == "native"),
        "{programs:?}"
    );
    assert_eq!(seen_keys.keys().collect::<Vec<_>>(), [signs], "the programs that saw a key");

    // Without a key, the output reports that the run is a rehearsal.
    assert!(run("packages/release dist").contains("a rehearsal"));
    assert!(
        recorded_programs(&recipe).0.iter().any(|program| program.starts_with("sums -o dist --key /")),
        "{:?}",
        recorded_programs(&recipe).0
    );

    // With --unsigned, there is no private key, and the script generates none.
    run("echo public >public-keys; packages/release --unsigned public-keys dist");
    let (programs, _) = recorded_programs(&recipe);
    let unsigned_sums =
        format!("sums -o dist --public-keys {}/public-keys sums", recipe.0.path().canonicalize().unwrap().display());
    assert!(programs.contains(&unsigned_sums) && !programs.iter().any(|program| program == "native"), "{programs:?}");
    let unsigned_run = format!(
        "{}if packages/release --unsigned public-keys dist 2>error; then exit 1; fi; cat error",
        exported_keys()
    );
    assert!(run(&unsigned_run).contains("a machine without private keys"));
}

/// Checks that packages/build passes the keys from --key-env only to fndsa.
#[test]
fn packages_build_passes_keys_only_to_fndsa() {
    let recipe = RecipeDirectory::new("mkdir out; echo one >out/one");
    make_substitutes(
        &recipe,
        "git python3 realpath dirname mktemp find sort install stat rm",
        "exec \"$(PATH=${PATH#*:} command -v \"${0##*/}\")\" \"$@\"",
    );
    let fndsa = r#"printf '#!/bin/bash\n{ echo "program fndsa $1"; env; } >>"$SEEN"; [ $1 = sign ] && touch SHA256SUMS SHA256SUMS.sig || echo public\n' >fndsa; chmod +x fndsa"#;
    recipe.run_bash(fndsa, &[]);
    let build = package_root().join("packages/build");
    let options: String = KEYS.iter().map(|(name, _)| format!("--key-env {name} ")).collect();
    let lines = format!(
        "export SEEN=$PWD/seen SOURCE_DATE_EPOCH=1 FNDSA=$PWD/fndsa; {}{} -o out {options} sums",
        exported_keys(),
        build.display()
    );
    recipe.run_bash(&lines, &[&recipe.0.path().join("stand-ins")]);
    let (programs, seen_keys) = recorded_programs(&recipe);
    assert!(
        ["git", "python3", "find", "install"].iter().filter(|name| programs.iter().any(|p| p == *name)).count() >= 3,
        "{programs:?}"
    );
    assert_eq!(seen_keys.keys().collect::<Vec<_>>(), ["fndsa pubkey", "fndsa sign"], "the programs that saw a key");
}

/// Checks that the two signing jobs of the release workflow make a release with two signatures. The
/// test runs their lines with an archive that contains the program from this build.
#[test]
fn the_jobs_that_sign_make_a_release_with_two_signatures() {
    let (steps, _) = parse_workflow(include_str!("../.github/workflows/release.yml")).expect("steps");
    let job_lines = |job: &str| {
        steps.iter().filter(|step| step.job == job).flat_map(|step| &step.run).map(|step| format!("{step}\n")).collect()
    };
    let (first_job, second_job): (String, String) = (job_lines("sign"), job_lines("sign-2"));
    let recipe = RecipeDirectory::new(
        "fndsa keygen -q a; fndsa keygen -q -a ml-dsa-65 b; mkdir -p dist made/fndsa-0
        ln -s \"$(command -v fndsa)\" made/fndsa-0/fndsa; cp made/fndsa-0/fndsa made/fndsa-0/x 2>/dev/null || :
        tar czhf dist/fndsa-0-x86_64-unknown-linux-musl.tar.gz -C made fndsa-0/fndsa
        cat a.pub b.pub >dist/SHA256SUMS.pub; cd dist; sha256sum * >../list; mv ../list SHA256SUMS",
    );
    let verify = "cd dist; fndsa verify -q --trusted-keys SHA256SUMS.pub --require all -M SHA256SUMS";
    recipe.run_bash(&format!("export SIGNING_KEY=\"$(cat a.key)\"\n{first_job}"), &[]);
    recipe.run_bash(&format!("if ( {verify} ); then exit 1; fi; rm -r program"), &[]);
    recipe.run_bash(&format!("export SIGNING_KEY_2=\"$(cat b.key)\"\n{second_job}"), &[]);
    recipe.run_bash(verify, &[]);
    // If a file changed after the build, the job does not sign.
    let changed = format!(
        "rm -r program dist/SHA256SUMS.sig; echo >>dist/SHA256SUMS.pub; export SIGNING_KEY=\"$(cat a.key)\"
        set +e; ( set -e; {first_job} ); code=$?; set -e; test $code != 0; test ! -e dist/SHA256SUMS.sig"
    );
    recipe.run_bash(&changed, &[]);
}
