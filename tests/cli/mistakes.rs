//! Tests for mistakes that new users make: each message names the problem, and the hint names the
//! next step.
//!
//! A row is (shell line, exit code, words from the message, words from the hint).

use crate::harness::{TestDirectory, in_parallel};

/// Mistakes with file names and options.
const NAMES: [(&str, i32, &str, &str); 21] = [
    (
        "fndsa verify -p k.key a",
        3,
        "this is a private key, not a public key",
        "`fndsa pubkey FILE -o NAME.pub` writes the public key",
    ),
    ("fndsa sign -k k.pub b", 3, "this is a public key, not a private key", "usually NAME.key"),
    (
        "fndsa verify -p k.pub a.sig",
        3,
        "this is a signature, not the file that was signed",
        "name the signed file instead: a;",
    ),
    ("fndsa verify -p k.pub -s a a.sig", 3, "a.sig is a signature", "swap the two names"),
    ("fndsa verify a", 2, "no public key is given", "-p FILE"),
    ("fndsa verify -p k.pub b", 4, "b.sig: no such file or directory", "name it with -s FILE"),
    ("fndsa sign -k k.key .", 4, ".: is a directory", "-M SHA256SUMS -r ."),
    ("mkdir d; fndsa sign -k k.key -M l d", 4, "d: is a directory", "to list all files in the directory, use -r d"),
    (
        "fndsa keygen k",
        4,
        "k.key: a private key exists already",
        "choose another name; with --force, fndsa would destroy the old private key",
    ),
    (
        "cp k.key notes; fndsa keygen -o notes",
        4,
        "a private key exists already",
        "choose another name; with --force, fndsa would destroy",
    ),
    ("echo n >n.key; fndsa keygen n", 4, "n.key: exists already", "to replace the file, add --force"),
    ("fndsa sign -k k.key -o k2.key b", 4, "a private key exists already", "this command never replaces a private key"),
    (
        "fndsa convert k.key --to raw -o k2.key",
        4,
        "a private key exists already",
        "this command never replaces a private key",
    ),
    ("fndsa sign -k k.key a", 4, "a.sig: exists already", "to replace the file, add --force"),
    ("fndsa sign -K k.key b", 2, "'-K'", "did you mean -k, --key FILE?"),
    ("fndsa sign -k k.key -i b", 2, "'-i'", "name the file without an option"),
    ("fndsa keygen --type rsa x", 2, "'--type'", "did you mean -a, --algorithm NAME?"),
    ("fndsa verify -p k.pub --fingerprint sha256:00 a", 2, "'--fingerprint'", "did you mean --expect-key sha256:HEX?"),
    ("fndsa version", 2, "'version'", "`fndsa --version` prints the version"),
    ("fndsa man nosuch", 2, "nosuch", "[possible values: "),
    ("fndsa convert k.key --to raw", 2, "--output <OUT>", "name the output file with -o OUT"),
];

/// Mistakes with keys, signatures and passwords.
const KEYS: [(&str, i32, &str, &str); 25] = [
    (
        "fndsa -q passwd k.key --new-password-file b; FNDSA_PASSWORD=x fndsa sign -k k.key b",
        5,
        "(from FNDSA_PASSWORD),",
        "",
    ),
    (
        "fndsa -q passwd k.key --new-password-file b; FNDSA_PASSWORD_FILE=a fndsa sign -k k.key b",
        5,
        "k.key: wrong password (from FNDSA_PASSWORD_FILE), or the file is damaged",
        "capital letters",
    ),
    (
        "fndsa -q passwd k.key --new-password-file b; FNDSA_PASSWORD=x FNDSA_PASSWORD_FILE=b fndsa pubkey -k k.key",
        5,
        "wrong password (from FNDSA_PASSWORD; FNDSA_PASSWORD_FILE is ignored), or",
        "capital letters",
    ),
    (
        "fndsa -q passwd k.key --new-password-file b; fndsa inspect k.key --password-file a",
        5,
        "(from --password-file),",
        "",
    ),
    (
        "fndsa -q passwd k.key --new-password-file b; P=x fndsa passwd k.key --remove --password-env P",
        5,
        "wrong password (from --password-env), or",
        "capital letters",
    ),
    ("fndsa keygen -a dilithium3 x", 2, "dilithium3", "the standard name of Dilithium3 is ml-dsa-65"),
    ("fndsa keygen -a slh-dsa x", 2, "slh-dsa", "fndsa does not support this algorithm"),
    ("fndsa keygen -a rsa x", 2, "rsa", "fndsa does not support this algorithm"),
    (
        "sed 's/PUBLIC/PUBLC/' k.pub >l; fndsa verify -p l a",
        3,
        "FNDSA PUBLC KEY is unknown",
        "probably be FNDSA PUBLIC KEY",
    ),
    ("sed '4s/^....//' k.pub >l; fndsa verify -p l a", 3, "bytes are missing or added", "copy or download it again"),
    (
        "sed '3s/^.//' k.pub >l; fndsa verify -p l a",
        3,
        "characters are missing, added or changed",
        "copy or download it again",
    ),
    (
        "head -c 900 k.pub >l; fndsa verify -p l a",
        3,
        "the file is cut in the middle of line",
        "copy or download it again",
    ),
    ("sed 's/^/  /' k.pub >l; fndsa verify -p l a", 3, "is indented", "remove the spaces"),
    ("cat k.pub k2.pub >l; fndsa verify -p l a", 3, "the file has 2 PEM blocks", "--trusted-keys"),
    ("fndsa verify -p k.pub --expect-key sha256:00 a", 2, "but this has 2 digits", ""),
    ("echo x >p; fndsa sign -k k.key --password-file p b", 2, "no private key is encrypted", "leave the option out"),
    ("fndsa keygen --encrypt --password-file nosuch.txt x", 4, "--password-file nosuch.txt: no such file", ""),
    ("fndsa keygen --encrypt --password-file ./nosuch x", 4, "--password-file ./nosuch: no such file", ""),
    (
        "fndsa keygen --encrypt --password-file hunter2 x",
        4,
        "there is no file with the given name",
        "fndsa does not print the name",
    ),
    ("FNDSA_PASSWORD=x fndsa keygen x", 0, "without --encrypt the private key gets no password", ""),
    ("fndsa keygen --password hunter2 x", 2, "'--password'", "other users can see a password"),
    ("fndsa sign --add -k k2.key b", 4, "b.sig: no such file or directory", "leave --add out"),
    ("fndsa sign --add -k k.key a", 4, "a signature by this key already", "to replace that signature, add --force"),
    ("fndsa verify --trusted-keys k.pub --trusted-keys k2.pub a", 2, "--trusted-keys", "join the key files"),
    ("(echo 'revokd: x'; cat k.pub) >l; fndsa verify --trusted-keys l a", 3, "did you mean `revoked: WHY`?", "comment"),
];

/// Mistakes that end in a NO, and files from other programs.
const VERDICTS: [(&str, i32, &str, &str); 20] = [
    (
        "echo changed >a; fndsa verify -p k.pub a",
        1,
        "signature does not match",
        "the file or its signature was probably changed",
    ),
    (
        "printf 'a\\r\\n' >t; fndsa -q sign -k k.key t; echo a >t; fndsa verify -p k.pub t",
        1,
        "does not match",
        "line ends",
    ),
    (
        "fndsa -q sign -f -k k.key -c v1 a; fndsa verify -p k.pub a",
        1,
        "does not match",
        "the context \"v1\", but no context is given",
    ),
    (
        "fndsa -q sign -f -k k.key -c v1 a; fndsa verify -p k.pub -c v2 a",
        1,
        "does not match",
        "\"v1\", but \"v2\" is given",
    ),
    (
        "mkdir d; cp a d; fndsa -q sign -k k.key -M l -r d; fndsa verify -p k.pub -M l d/a",
        1,
        "not in the list l",
        "add -C d",
    ),
    (
        "mkdir d; cp a d; fndsa -q sign -k k.key -M l -r d; cp a 'a (1)'; fndsa verify -p k.pub -M l 'a (1)'",
        1,
        "not in the list l",
        "rename the file to a:",
    ),
    (
        "fndsa -q sign -k k.key -M l a; rm l.sig; fndsa verify -p k.pub -M l",
        4,
        "l.sig: no such file",
        "put the signature file next to the signed file",
    ),
    ("fndsa -q sign -k k.key -M l a; rm a; fndsa verify -p k.pub -M l", 4, "a: ERROR (no such file", "-C DIR"),
    (
        "fndsa -q sign -k k.key -M l a; fndsa verify -p k.pub -M l --strict",
        1,
        "not in the list l",
        "leave --strict out",
    ),
    (
        "fndsa -q sign -k k.key -M l a; fndsa -q sign -k k.key l -f; fndsa verify -p k.pub l",
        0,
        "its files were not checked",
        "fndsa verify -M l",
    ),
    (
        "fndsa -q sign --dsse t -k k.key b; mv b.dsse f.dsse; fndsa verify -p k.pub f.dsse",
        4,
        "f.dsse.sig: no such file",
        "--dsse TYPE",
    ),
    (
        "echo 'untrusted comment: signature from minisign secret key' >a.sig; fndsa verify -p k.pub a",
        3,
        "a minisign signature",
        "minisign -V",
    ),
    (
        "printf -- '-----BEGIN SSH SIGNATURE-----\\nAA==\\n-----END SSH SIGNATURE-----\\n' >a.sig; fndsa verify -p k.pub a",
        3,
        "an OpenSSH signature",
        "give its namespace with --ssh",
    ),
    (
        "printf -- '-----BEGIN PGP SIGNATURE-----\\n\\nAA==\\n-----END PGP SIGNATURE-----\\n' >a.sig; fndsa verify -p k.pub a",
        3,
        "an OpenPGP file",
        "gpg --verify",
    ),
    ("fndsa sign -k k.key --ssh a", 2, "required arguments", "is the namespace, for example file: write FILE after"),
    ("fndsa verify -p k.pub --ssh a", 2, "required arguments", "is the namespace, for example file: write FILE after"),
    ("fndsa sign -k k.key --dsse a", 2, "required arguments", "is the type of the payload, for example text/plain"),
    (
        "fndsa -q sign -k k.key -M l a; fndsa inspect l",
        3,
        "this is not a key or signature",
        "verify the list with `fndsa verify -M FILE",
    ),
    ("(echo 'not-after: 2020-01-01'; cat k.pub) >l; fndsa verify --trusted-keys l a", 1, "which expired", "--at DATE"),
    (
        "(echo 'not-after: 2020-01-01'; cat k.pub) >l; fndsa verify --trusted-keys l --at 2021-01-01 a",
        1,
        "which expired",
        "newer key",
    ),
];

/// Names of missing files, and directories instead of files.
const MISSING: [(&str, i32, &str, &str); 24] = [
    ("fndsa verify -p k a", 4, "k: no such file or directory", "hint: did you mean k.pub?"),
    ("fndsa verify -p k.pem a", 4, "k.pem: no such file or directory", "hint: did you mean k.pub?"),
    ("fndsa verify -p K.pub a", 4, "K.pub: no such file or directory", "hint: did you mean k.pub?"),
    ("FNDSA_PUBLIC_KEY=k fndsa verify a", 4, "k: no such file or directory", "hint: did you mean k.pub?"),
    ("fndsa verify --trusted-keys k a", 4, "k: no such file or directory", "hint: did you mean k.pub?"),
    ("fndsa sign -k k b", 4, "k: no such file or directory", "hint: did you mean k.key?"),
    ("FNDSA_KEY=k fndsa sign b", 4, "k: no such file or directory", "hint: did you mean k.key?"),
    ("fndsa passwd k --remove", 4, "k: no such file or directory", "hint: did you mean k.key?"),
    ("fndsa inspect k", 4, "k: no such file or directory", "hint: did you mean k.pub or k.key?"),
    ("mv a.sig s.sig; fndsa verify -p k.pub -s s a", 4, "s: no such file", "hint: did you mean s.sig?"),
    ("fndsa verify -p k.pub A", 4, "A: ERROR (no such file or directory)", "hint: did you mean a?"),
    ("fndsa sign -k k.key B", 4, "B: no such file or directory", "hint: did you mean b?"),
    ("fndsa verify -p k.pub -M A", 4, "A: ERROR (no such file or directory)", "hint: did you mean a?"),
    ("fndsa verify -p k.pub nosuch", 4, "no such file or directory", "hint: check the name and the directory"),
    ("fndsa sign -k nosuch/k.key b", 4, "no such file or directory", "hint: check the name and the directory"),
    ("fndsa sign -k k.key -M l -r nosuch", 4, "nosuch: no such file", "hint: check the name and the directory"),
    ("fndsa verify -p k.pub,k2.pub a", 4, "no such file", "hint: give each name without a comma: -p k.pub -p k2.pub"),
    ("fndsa sign -k k.key,k2.key b", 4, "no such file", "hint: give each name without a comma: -k k.key -k k2.key"),
    ("fndsa sign -k k.key a,b", 4, "a,b: no such file or directory", "hint: give each name without a comma: a b"),
    ("fndsa verify -p k.pub b/x", 4, "b/x: ERROR (not a directory)", "hint: check the name: a file in the path"),
    ("fndsa sign -k k.key b/x", 4, "b/x: not a directory", "hint: check the name: a file in the path"),
    ("mkdir d; cp k.pub d; fndsa verify -p d a", 4, "d: is a directory", "hint: to accept all public keys in the"),
    (
        "mkdir d; mv b d; (cd d; fndsa -q sign -k ../k.key -M l b); fndsa verify -p k.pub -M d/l",
        4,
        "b: ERROR (no",
        "-C d;",
    ),
    (
        "mkdir d; mv b d; (cd d; fndsa -q sign -k ../k.key -M l b); fndsa verify --ignore-missing -p k.pub -M d/l",
        1,
        "no file was verified",
        "to use the directory of the list, add -C d\n",
    ),
];

/// Downloads that failed or that were changed on the way. The hint must not advise to make the file
/// again, because a user who verifies cannot make it.
const DOWNLOADS: [(&str, i32, &str, &str); 27] = [
    (">e; fndsa verify -p e a", 3, "e: the file is empty", "hint: download the file again, and check the command"),
    ("fndsa verify -p /dev/null a", 3, "/dev/null: the file is empty", "hint: download the file again, and check"),
    (">e; fndsa verify --trusted-keys e a", 3, "e: the file is empty", "hint: download the file again, and check"),
    ("mkdir t; >t/e.pub; fndsa verify --trusted-keys t a", 3, "e.pub: the file is empty", "hint: download the file"),
    (">a.sig; fndsa verify -p k.pub a", 3, "a.sig: the file is empty", "hint: download the file again, and check"),
    ("fndsa verify -p k.pub -s /dev/null a", 3, "/dev/null: the file is empty", "hint: download the file again"),
    (">e; fndsa verify -p k.pub -M e", 3, "e: ERROR (the file is empty)", "hint: download the file again, and check"),
    ("fndsa verify -p k.pub -M /dev/null", 3, "ERROR (the file is empty)", "hint: download the file again"),
    (">e; fndsa -q sign -k k.key e; fndsa verify -p k.pub -M e", 3, "no entries", "hint: ask the signer for a list"),
    ("fndsa sign -k /dev/null b", 3, "/dev/null: the file is empty", "hint: the program that wrote the file"),
    (">a; fndsa verify -p k.pub a", 1, "signature does not match", "hint: the file is empty: get the file again\n"),
    (">a; fndsa verify --explain -p k.pub a", 1, "signature does not match", "the file is empty: get the file again\n"),
    ("fndsa verify -p k.pub -s a.sig - </dev/null", 1, "not match", "hint: the file is empty: get the file again\n"),
    (
        "sed 1d a.sig >s; >a; fndsa verify -p k.pub -s s a",
        1,
        "signature does not match",
        "hint: the file is empty: get the file again\n",
    ),
    (
        "fndsa -q sign -f -k k.key -c v1 a; >a; fndsa verify -p k.pub a",
        1,
        "signature does not match",
        "the context \"v1\", but no context is given",
    ),
    (
        "fndsa -q sign -k k.key -M l a; >a; fndsa verify -p k.pub -M l",
        1,
        "a: FAILED (does not match its checksum in the list l)",
        "hint: the file is empty: get the file again\n",
    ),
    (
        "fndsa -q sign -k k.key -M l b; rm b; mkfifo b; fndsa verify -p k.pub -M l",
        4,
        "b: ERROR (this is a FIFO, not a regular file)",
        "hint: this is not the file that was signed: get the files of the list again",
    ),
    (
        "fndsa -q sign -k k.key -M l b; rm b; mkdir b; fndsa verify -p k.pub -M l",
        4,
        "b: ERROR (is a directory)",
        "hint: this is not the file that was signed: get the files of the list again",
    ),
    (
        "fndsa -q sign -k k.key -M l b; ln -sf /etc/passwd b; fndsa verify -p k.pub -M l b",
        4,
        "b: ERROR (a link leads out of the current directory)",
        "hint: replace the link with a copy of the file, or get the files of the list again",
    ),
    (
        "tr '\\n' ' ' <k.pub >x; fndsa verify -p x a",
        3,
        "x: the file contains a PEM block without line ends",
        "keep its",
    ),
    ("tr -d '\\n' <a.sig >x; fndsa verify -p k.pub -s x a", 3, "x: the file contains a PEM block without", "keep its"),
    ("sed 1d k.pub | tr '\\n' ' ' >x; fndsa verify --trusted-keys x a", 3, "x: the file contains a PEM block", "keep"),
    ("sed 's/^/> /' k.pub >x; fndsa verify -p x a", 3, "x: line 2 has other characters before -----BEGIN", "`> `"),
    ("base64 k.pub >x; fndsa verify -p x a", 3, "x: this is a PEM file that was encoded in base64", "`base64 -d FILE"),
    (
        "base64 -w0 k.key >x; fndsa sign -k x b",
        3,
        "x: this is a PEM file that was encoded in base64",
        "`base64 -d FILE",
    ),
    ("sed 1d a.sig | base64 >x; fndsa inspect x", 3, "x: this is a PEM file that was encoded in base64", "`base64 -d"),
    (
        "fndsa -q sign -k k.key --dsse text/plain -o e a; fndsa convert e --to pem -o n",
        3,
        "e: this is a DSSE envelope",
        "`fndsa verify --dsse TYPE -p PUBLIC FILE` verifies the envelope",
    ),
];

#[test]
fn each_mistake_has_a_message_and_a_next_step() {
    let rows: Vec<_> = [&NAMES[..], &KEYS[..], &VERDICTS[..], &MISSING[..], &DOWNLOADS[..]].concat();
    in_parallel(&rows, |_, (line, code, message, hint)| {
        let directory = TestDirectory::ready();
        let output = directory.sh(&line.replace("fndsa ", "$FNDSA ").replace("`$FNDSA", "`fndsa"));
        let output_text = format!("{}{}", output.out, output.err);
        assert_eq!(output.code, *code, "{line}: {output_text}");
        assert!(output_text.contains(message), "{line}: {message:?} is not in {output_text}");
        assert!(output_text.contains(hint), "{line}: {hint:?} is not in {output_text}");
        assert!(!output_text.contains("to pass '"), "{line}: {output_text}");
        assert!(!output_text.contains("manifest"), "{line}: {output_text}");
    });
}

/// The note of an encrypted key names the public key, and `inspect` reports the note as unverified.
#[test]
fn the_note_of_an_encrypted_key_names_its_public_key() {
    let directory = TestDirectory::ready();
    directory.put("pw", "hunter2\n");
    directory.run("keygen -q --encrypt --password-file pw e").code(0);
    let public = directory.run("inspect e.pub").code(0).out;
    let fingerprint = public.split_whitespace().find(|word| word.starts_with("sha256:")).unwrap();
    let first = directory.text("e.key").lines().next().unwrap().to_owned();
    assert_eq!(first, format!("fndsa private key FN-DSA-512 of public key {fingerprint}"));
    let shown = format!("e.key: according to the file, not verified: FN-DSA-512, of public key {fingerprint}");
    directory.run("inspect e.key").code(0).out_has(&shown);
    let json = directory.run("--json inspect e.key").code(0).json();
    assert_eq!(json["results"][0]["claims"]["fingerprint"], fingerprint);
    assert_eq!(json["results"][0]["checked"], false);
    // A new password does not change the note. DER has no note.
    directory.run("-q passwd e.key --password-file pw --new-password-file a").code(0);
    assert!(directory.text("e.key").starts_with(&first));
    directory.run("-q convert e.key --password-file a -o e.der --to pkcs8-der --encrypt --new-password-file a").code(0);
    assert!(!directory.run("inspect e.der").code(0).out.contains("according to the file"));
}

/// If a key line causes a NO, the JSON document names the key.
#[test]
fn a_rejected_key_is_named_in_json() {
    let directory = TestDirectory::ready();
    for (line, reason) in [("not-after: 2020-01-01", "key_expired"), ("revoked: stolen", "key_revoked")] {
        directory.put("t", format!("{line}\n{}", directory.text("k.pub")));
        let json = directory.run("--json verify --trusted-keys t a").code(1).json();
        let result = &json["results"][0];
        assert_eq!(result["reason"], reason);
        let key = directory.run("--json inspect k.pub").code(0).json();
        assert_eq!(result["key"], key["results"][0]["key"], "{result}");
    }
}
