//! Runs the commands in docs/git.md with the installed `git`, and checks that the script
//! contrib/git-fndsa rejects false signatures.

mod recipes;

use recipes::{RecipeDirectory, RecipeDocument, have, skip};
use std::path::{Path, PathBuf};

const TEXT: RecipeDocument = RecipeDocument(include_str!("../docs/git.md"));

/// Runs the `sh` blocks in docs/git.md, which create a signed commit and a signed tag in the
/// directory `project`. Checks that git reports a good signature by the key of the guide. Returns
/// `None` if git is not installed.
fn run_guide() -> Option<RecipeDirectory> {
    if !have("git") {
        skip("commits and tags", "there is no git");
        return None;
    }
    let recipe = RecipeDirectory::new("");
    let lines: String = TEXT.blocks("sh").into_iter().map(|(_, lines)| lines).collect();
    let out = run_in_project(&recipe, ".", &format!("{lines}\nfndsa inspect ../release.pub"));
    let (answer, inspected) = out.split_once('\n').expect("two lines");
    let fingerprint = answer.strip_prefix("G ").expect("a good signature");
    assert!(inspected.contains(&format!("sha256:{fingerprint}")), "{out}");
    Some(recipe)
}

/// Runs the `bash` blocks in docs/git.md, which are about SSH signatures, with this algorithm
/// instead of the algorithm in the document. Returns `None` if git is not installed.
fn run_ssh_guide(algorithm: &str) -> Option<RecipeDirectory> {
    if !have("git") {
        skip("commits and tags with SSH signatures", "there is no git");
        return None;
    }
    let recipe = RecipeDirectory::new("");
    let lines: String = TEXT.blocks("bash").into_iter().map(|(_, lines)| lines).collect();
    assert!(lines.contains("-a ml-dsa-44-ed25519"));
    let out = run_in_project(&recipe, ".", &lines.replace("-a ml-dsa-44-ed25519", &format!("-q -a {algorithm}")));
    assert_eq!(out, "G author@example.org\n");
    Some(recipe)
}

/// The algorithms of SSH signatures.
const SSH_ALGORITHMS: [&str; 2] = ["ml-dsa-44-ed25519", "ed25519"];

/// Runs lines in a directory, with contrib/git-fndsa on the path, and without this machine's
/// settings for git. The bash function `no` fails if its command succeeds.
fn run_in_project(recipe: &RecipeDirectory, directory: &str, lines: &str) -> String {
    let contrib = concat!(env!("CARGO_MANIFEST_DIR"), "/contrib");
    let environment = "export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null GIT_TERMINAL_PROMPT=0 LC_ALL=C
        no() { if \"$@\"; then echo \"it succeeded: $*\" >&2; exit 1; fi; }";
    recipe.run_bash(&format!("{environment}; cd {directory}; {lines}"), &[contrib.as_ref()])
}

#[test]
fn the_commands_in_the_git_guide_work() {
    let Some(recipe) = run_guide() else { return };
    // git reports a good signature by a trusted key, for the commit and for the tag.
    let out =
        run_in_project(&recipe, "project", "git log --format='%G?' -1; git cat-file tag v1; git cat-file commit HEAD");
    assert!(out.starts_with("G\n"), "{out}");
    assert_eq!(out.matches("-----BEGIN SIGNED MESSAGE-----").count(), 2, "{out}");
    run_in_project(
        &recipe,
        "project",
        "git merge-base --is-ancestor v1 HEAD; git -c gpg.minTrustLevel=fully verify-commit HEAD",
    );
    run_in_project(&recipe, "project", "git commit -q --allow-empty -m 'not signed'; no git verify-commit HEAD");
    assert_eq!(run_in_project(&recipe, "project", "git log --format='%G?' -2"), "N\nG\n");
}

#[test]
fn a_changed_commit_or_tag_is_rejected() {
    let Some(recipe) = run_guide() else { return };
    let change = "changed=$(git cat-file commit HEAD | sed 's/A signed commit/Another commit/' | git hash-object -t commit -w --stdin)
        no git verify-commit $changed 2>words
        git log --format='%G?' -1 $changed; cat words
        tag=$(git cat-file tag v1 | sed 's/A signed tag/Another tag/' | git hash-object -t tag -w --stdin)
        git update-ref refs/tags/changed $tag; no git verify-tag changed";
    let out = run_in_project(&recipe, "project", change);
    assert!(out.starts_with("B\n") && out.contains("git-fndsa: BAD signature"), "{out}");
}

#[test]
fn a_signature_by_an_untrusted_key_is_rejected() {
    let Some(recipe) = run_guide() else { return };
    let lines = "fndsa keygen -q ../other; git config fndsa.trustedKeys \"$(realpath ../other.pub)\"
        no git verify-commit HEAD 2>words; no git verify-tag v1 2>/dev/null
        git log --format='%G?' -1; cat words";
    let out = run_in_project(&recipe, "project", lines);
    assert!(out.starts_with("E\n") && out.contains("the key that the signature names: sha256:"), "{out}");
    // If one of two trusted keys made the signature, git reports a good signature.
    let lines = "cat ../other.pub ../release.pub >../both.pem; git config fndsa.trustedKeys \"$(realpath ../both.pem)\"
        git verify-commit HEAD; git log --format='%G?' -1";
    assert_eq!(run_in_project(&recipe, "project", lines), "G\n");
    // With a trusted ML-DSA key, a commit by this key is good, and the commit by the FN-DSA key is
    // not.
    let lines = "fndsa keygen -q -a ml-dsa-65 ../standard; git config fndsa.trustedKeys \"$(realpath ../standard.pub)\"
        git -c user.signingKey=\"$(realpath ../standard.key)\" commit -q -S --allow-empty -m more
        git log --format='%G?' -2";
    assert_eq!(run_in_project(&recipe, "project", lines), "G\nE\n");
}

/// A signature of a file is not valid for a commit with the same bytes, because the contexts
/// differ.
#[test]
fn the_signature_of_a_file_is_rejected_for_a_commit() {
    let Some(recipe) = run_guide() else { return };
    let lines = r#"git cat-file commit HEAD | sed '/^gpgsig /,/^ -----END SIGNED/d' >object
        sign() { fndsa sign -q -k ../release.key "$@" -o - object; }
        wrapped() { { echo '-----BEGIN SIGNED MESSAGE-----'; cat; echo '-----END SIGNED MESSAGE-----'; } |
            sed '1s/^/gpgsig /; 1!s/^/ /'; }
        commit() { { sed '/^$/,$d' object; wrapped; sed -n '/^$/,$p' object; } | git hash-object -t commit -w --stdin; }
        git log --format='%G?' -1 "$(sign | commit)"
        git log --format='%G?' -1 "$(sign --context git | commit)"
        git log --format='%G?' -1 "$(sed 's/^/-----/' file | commit)""#;
    assert_eq!(run_in_project(&recipe, "project", lines), "B\nG\nE\n");
}

/// A missing setting, file or program is an error that names the next step. git reports `E`, not
/// `N`, because the commit is signed.
#[test]
fn an_incomplete_setup_is_an_error_without_a_verdict() {
    let Some(recipe) = run_guide() else { return };
    for (key, words) in [
        ("/nosuch/key", "Name the file of the private key: git config user.signingKey"),
        ("../release.pub", "release.pub"),
    ] {
        let lines = format!(
            "no git -c user.signingKey={key} commit -q -S --allow-empty -m no; git log --format=%s
            no git-fndsa --status-fd=2 -bsau {key} <file 2>words; cat words"
        );
        let out = run_in_project(&recipe, "project", &lines);
        assert!(out.starts_with("A signed commit\n") && out.contains(words), "{key}: {out}");
        assert!(out.contains("[GNUPG:] FAILURE sign") && !out.contains("SIG_CREATED"), "{key}: {out}");
    }
    // A directory with the tools that the script needs, except fndsa.
    let tools = "mkdir ../tools; for tool in sh git sed mktemp cat rm head grep; do ln -s \"$(command -v $tool)\" ../tools; done
        ln -s \"$(command -v git-fndsa)\" ../tools";
    run_in_project(&recipe, "project", tools);
    for (setup, words) in [
        ("git config fndsa.trustedKeys trusted.pem", "has to begin with /"),
        ("git config fndsa.trustedKeys /nosuch/trusted.pem", "/nosuch/trusted.pem"),
        ("git config --unset fndsa.trustedKeys", "git config fndsa.trustedKeys"),
        ("git config fndsa.trustedKeys \"$(realpath ../release.key)\"", "release.key"),
        (
            "git config fndsa.trustedKeys \"$(realpath ../release.pub)\"; PATH=$(realpath ../tools)",
            "fndsa ended with exit code 127",
        ),
    ] {
        let lines =
            format!("{setup}; no git verify-commit HEAD 2>words; git log --format='%G? %GT' -1 2>>words; cat words");
        let out = run_in_project(&recipe, "project", &lines);
        assert!(out.starts_with("E undefined\n") && out.contains(words), "{setup}: {out}");
    }
    let out = run_in_project(
        &recipe,
        ".",
        "code=0; git-fndsa 2>words || code=$?; echo $code; no git-fndsa --frob 2>>words; cat words",
    );
    assert!(out.starts_with("2\n") && out.contains("docs/git.md") && out.contains("--frob"), "{out}");
    run_in_project(&recipe, "project", "git config fndsa.trustedKeys \"$(realpath ../release.pub)\"");
    for arguments in ["--frob --verify words", "--verify", "--verify /nosuch/signature"] {
        for setup in ["true", "export TMPDIR=/nosuch"] {
            let out = run_in_project(
                &recipe,
                "project",
                &format!("{setup}; no git-fndsa --status-fd=1 {arguments} - <words 2>&1"),
            );
            let no_verdict = "[GNUPG:] NEWSIG\n[GNUPG:] ERRSIG unknown\n[GNUPG:] TRUST_UNDEFINED\n";
            assert!(out.contains(no_verdict) && out.contains("git-fndsa: "), "{setup}; {arguments}: {out}");
        }
    }
}

/// If fndsa reports a NO, git shows the expected letter and trust level, and the reason on standard
/// error.
#[test]
fn git_reports_why_a_signature_is_rejected() {
    let Some(recipe) = run_guide() else { return };
    run_in_project(&recipe, ".", "fndsa keygen -q other");
    for (trusted, verdict, words) in [
        ("cat ../release.pub", "G fully", "good signature by sha256:"),
        ("echo 'revoked: stolen'; cat ../release.pub", "R undefined", "which is revoked: stolen"),
        ("echo 'not-after: 2020-01-01'; cat ../release.pub", "Y undefined", "2020-01-01"),
        ("echo 'context: ci'; cat ../release.pub", "B undefined", "BAD signature: signed by FN-DSA-512 sha256:"),
        ("cat ../other.pub", "E undefined", "the key that the signature names: sha256:"),
    ] {
        let lines = format!(
            "{{ {trusted}; }} >../trusted.pem; git config fndsa.trustedKeys \"$(realpath ../trusted.pem)\"
            code=0; git verify-commit HEAD 2>words || code=$?; git log --format='%G? %GT %GK' -1; cat words; echo code $code
            fndsa inspect ../release.pub"
        );
        let out = run_in_project(&recipe, "project", &lines);
        assert!(out.starts_with(verdict) && out.contains(words), "{trusted}: {out}");
        assert!(out.contains(if verdict.starts_with('G') { "code 0" } else { "code 1" }), "{trusted}: {out}");
        let key = out.lines().next().and_then(|line| line.split(' ').next_back()).expect("a key");
        assert!(key.len() == 64 && out.contains(&format!("sha256:{key}\n")), "{trusted}: {out}");
    }
}

/// The script writes the reason to the terminal, because git before 2.41 drops the signing
/// program's standard error.
#[test]
fn the_reason_for_a_missing_signature_is_printed() {
    let Some(recipe) = run_guide() else { return };
    if !have("script") {
        return skip("the reason on a terminal", "there is no script (Debian: bsdutils)");
    }
    let lines = "no script -qec 'git -c user.signingKey=/nosuch/key commit -q -S --allow-empty -m no' shown </dev/null >/dev/null
        cat shown";
    let out = run_in_project(&recipe, "project", lines);
    assert_eq!(out.matches("git-fndsa: /nosuch/key is not a file").count(), 1, "{out}");
}

/// The script asks for the password of an encrypted key on the terminal, because git uses standard
/// input and standard error. Without a terminal, the script does not wait for a password. The test
/// covers the signatures of fndsa and SSH signatures.
#[test]
fn the_password_is_asked_on_the_terminal() {
    if !have("script") || !have("setsid") {
        return skip("the password on a terminal", "there is no script or setsid (Debian: bsdutils, util-linux)");
    }
    for guide in [run_guide(), run_ssh_guide("ed25519")] {
        let Some(recipe) = guide else { return };
        let lines = "key=$(git config user.signingKey); case $(git config gpg.format) in ssh) key=${key%/*}/author.key ;; esac
            NEW=secret fndsa passwd \"$key\" --new-password-env NEW 2>/dev/null; git config user.signingKey \"$key\"
            no setsid -w git commit -q -S --allow-empty -m no </dev/null 2>/dev/null
            no setsid -w git-fndsa --status-fd=2 -bsau \"$key\" </dev/null 2>words; grep -c 'the private key is encrypted' words
            echo secret | script -qec 'git commit -q -S --allow-empty -m asked </dev/null 2>words' shown >/dev/null
            git verify-commit HEAD 2>/dev/null; git log --format='%s %G?' -1
            grep -c -i password shown";
        let out = run_in_project(&recipe, "project", lines);
        assert_eq!(out, "1\nasked G\n1\n");
    }
}

#[test]
fn the_commands_for_ssh_signatures_work() {
    for algorithm in SSH_ALGORITHMS {
        let Some(recipe) = run_ssh_guide(algorithm) else { return };
        let lines = "git cat-file tag v1; git cat-file commit HEAD";
        assert_eq!(run_in_project(&recipe, "project", lines).matches("-----BEGIN SSH SIGNATURE-----").count(), 2);
        let lines = "git -c gpg.minTrustLevel=fully verify-commit HEAD 2>words; cat words; git log --format='%GF' -1
            fndsa inspect ../author.pub";
        let out = run_in_project(&recipe, "project", lines);
        assert!(out.starts_with("Good \"git\" signature for author@example.org with "), "{out}");
        let fingerprint = out.lines().nth(1).expect("a fingerprint");
        assert!(fingerprint.starts_with("sha256:") && out.matches(fingerprint).count() == 3, "{out}");
        // A private key in fndsa's format also signs. If git is configured with the name of the
        // public key, the script finds the private key next to it.
        for key in ["author.key", "id_author.pub"] {
            let lines = format!(
                "git -c user.signingKey=\"$(realpath ../{key})\" commit -q -S --allow-empty -m more
                git verify-commit HEAD; git log --format='%G?' -1"
            );
            assert_eq!(run_in_project(&recipe, "project", &lines), "G\n");
        }
    }
}

#[test]
fn a_changed_commit_with_an_ssh_signature_is_rejected() {
    for algorithm in SSH_ALGORITHMS {
        let Some(recipe) = run_ssh_guide(algorithm) else { return };
        let change = "changed=$(git cat-file commit HEAD | sed 's/A signed commit/Another commit/' | git hash-object -t commit -w --stdin)
            no git verify-commit $changed 2>words
            git log --format='%G? %GT' -1 $changed; cat words
            tag=$(git cat-file tag v1 | sed 's/A signed tag/Another tag/' | git hash-object -t tag -w --stdin)
            git update-ref refs/tags/changed $tag; no git verify-tag changed";
        let out = run_in_project(&recipe, "project", change);
        assert!(out.starts_with("B ") && out.contains("git-fndsa: BAD signature"), "{out}");
    }
}

/// A signer who is not in the file of allowed signers is rejected. A key is also rejected if the
/// file allows it only for a namespace other than `git`, or only until a day in the past, or only
/// as a certificate authority.
#[test]
fn an_unknown_ssh_signer_is_rejected() {
    for algorithm in SSH_ALGORITHMS {
        let Some(recipe) = run_ssh_guide(algorithm) else { return };
        run_in_project(
            &recipe,
            ".",
            &format!(
                "fndsa keygen -q -a {algorithm} other; fndsa convert other.pub --to ssh -o other.ssh
                fndsa convert author.pub --to ssh -o author.ssh"
            ),
        );
        for (signers, verdict, words) in [
            ("me $(cat ../author.ssh)", "G me", "Good \"git\" signature for me with "),
            ("you $(cat ../other.ssh)\nme,you $(cat ../author.ssh) a comment", "G me", "for me with "),
            ("\"me\" namespaces=\"git,file\" $(cat ../author.ssh)", "G me", "for me with "),
            ("me $(cat ../other.ssh)", "U ", "so the signer is unknown"),
            ("# me $(cat ../author.ssh)", "U ", "so the signer is unknown"),
            ("me namespaces=\"file\" $(cat ../author.ssh)", "B ", "BAD signature"),
            ("me valid-before=\"20200101Z\" $(cat ../author.ssh)", "B ", "BAD signature"),
            ("me cert-authority $(cat ../author.ssh)", "B ", "BAD signature"),
        ] {
            let lines = format!(
                "printf '%b\\n' \"{}\" >../allowed_signers
                code=0; git verify-commit HEAD 2>words || code=$?; git log --format='%G? %GS' -1; cat words; echo code $code",
                signers.replace('"', "\\\"")
            );
            let out = run_in_project(&recipe, "project", &lines);
            assert!(out.starts_with(&format!("{verdict}\n")) && out.contains(words), "{signers}: {out}");
            assert!(out.contains(if verdict.starts_with('G') { "code 0" } else { "code 1" }), "{signers}: {out}");
        }
    }
}

/// Returns an `ssh-keygen` that supports the algorithm. For Ed25519, this is the system's program.
/// For the composite, it is the program that tests/peers/install installed (OpenSSH 10.6 or newer).
fn ssh_keygen(algorithm: &str) -> Option<PathBuf> {
    if algorithm == "ed25519" {
        return have("ssh-keygen").then(|| PathBuf::from("ssh-keygen"));
    }
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("target"), PathBuf::from);
    let peers = std::env::var_os("FNDSA_PEERS").map_or_else(|| target.join("peers"), PathBuf::from);
    Some(peers.join("openssh/ssh-keygen")).filter(|path| path.exists())
}

/// `git-fndsa` and an unmodified `ssh-keygen` verify each other's commits, with the same key files.
#[test]
fn git_fndsa_and_ssh_keygen_agree() {
    for algorithm in SSH_ALGORITHMS {
        let Some(keygen) = ssh_keygen(algorithm) else {
            skip(&format!("{algorithm} commits of ssh-keygen"), "there is no ssh-keygen for this algorithm");
            continue;
        };
        let Some(recipe) = run_ssh_guide(algorithm) else { return };
        let lines = format!(
            "theirs() {{ git -c gpg.ssh.program='{keygen}' \"$@\"; }}
            theirs verify-commit HEAD; theirs verify-tag v1; theirs log --format='%G? %GS' -1
            theirs commit -q -S --allow-empty -m theirs
            git verify-commit HEAD; git log --format='%G? %GS' -1
            changed=$(git cat-file commit HEAD | sed 's/^theirs/changed/' | git hash-object -t commit -w --stdin)
            no git verify-commit $changed; no theirs verify-commit $changed
            git log --format='%G?' -1 $changed",
            keygen = keygen.display()
        );
        let out = run_in_project(&recipe, "project", &lines);
        assert_eq!(out, "G author@example.org\nG author@example.org\nB\n", "{algorithm}");
    }
}

/// A call that the script does not support, or an incomplete setup, is an error that names the next
/// step. It never gives a good signature.
#[test]
fn an_unsupported_ssh_call_is_an_error() {
    let Some(recipe) = run_ssh_guide("ed25519") else { return };
    run_in_project(
        &recipe,
        "project",
        "git cat-file commit HEAD | sed -n '/BEGIN SSH/,/END SSH/s/^gpgsig //; /^ /s/^ //p' >../block
        { echo '-----BEGIN SSH SIGNATURE-----'; cat ../block; } >../signature",
    );
    for (arguments, words) in [
        ("", "unknown action from git: -Y"),
        ("match-principals -f ../allowed_signers -I me", "unknown action from git: -Y match-principals"),
        (
            "verify -n git -f ../allowed_signers -I author@example.org -s ../signature -r ../revoked",
            "gpg.ssh.revocationFile",
        ),
        ("verify -n git -f ../allowed_signers -s ../signature", "no signer"),
        ("verify -f ../allowed_signers -I author@example.org -s ../signature", "no namespace"),
        ("verify -n git -f /nosuch -I author@example.org -s ../signature", "BAD signature: /nosuch"),
        ("verify -n git -f ../allowed_signers -I author@example.org -s /nosuch", "BAD signature: /nosuch"),
        (
            "verify -n git -f ../allowed_signers -I author@example.org -s ../signature -x",
            "unknown argument from git: -x",
        ),
        (
            "verify -n git -f ../allowed_signers -I author@example.org -s ../signature -O x",
            "unknown option from git: -O x",
        ),
        ("verify -n git -f ../allowed_signers -I author@example.org -s", "no value for -s"),
        ("find-principals -f ../allowed_signers -s ../allowed_signers", "cannot read the SSH signature"),
        ("find-principals -f /nosuch -s ../signature", "cannot read /nosuch"),
        ("check-novalidate -n file -s ../signature", "BAD signature"),
        ("check-novalidate -s ../signature", "no namespace"),
        ("sign -n git -f ../id_author -U file", "ssh-agent"),
        ("sign -n git -f ../allowed_signers file", "fndsa cannot sign with the key ../allowed_signers"),
        ("sign -n git -f ../id_author", "no file"),
        ("sign -n git -f ../id_author file file", "two files"),
    ] {
        let out =
            run_in_project(&recipe, "project", &format!("no git-fndsa -Y {arguments} <file 2>&1; rm -f file.sig"));
        assert!(out.contains(words) && !out.contains("Good "), "{arguments}: {out}");
    }
}
