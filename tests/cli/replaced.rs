//! Tests for files that `--force` does not replace, and for private keys among the files to sign.

use crate::harness::TestDirectory;
use crate::messages::{MessageCase, row};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE, URL_SAFE_NO_PAD};
use std::fs;
use std::os::unix::fs::symlink;

/// Returns the rows about files that are not replaced for the message catalogue in `messages.rs`.
pub fn rows() -> Vec<MessageCase> {
    vec![
        row(
            "key_as_message",
            "sign -k k.key -M l a k2.key",
            2,
            "k2.key: this file is a private key, and the list would be published with it",
            "move the private key to another directory",
        ),
        row(
            "key_as_message",
            "sign -k k.key k2.key a",
            2,
            "k2.key: this file is a private key, and it is given as a file to sign",
            "to sign with this key also, repeat the option for a private key before its name",
        ),
        row(
            "replaces_public_key",
            "sign -f -k k.key -o k2.pub a",
            4,
            "k2.pub: this file is a public key, and it was not replaced",
            "choose another name; to replace the public key on purpose, delete the file first",
        ),
        row(
            "replaces_public_key",
            "keygen -f -p k.pub n",
            4,
            "k.pub: this file is a public key, and it was not replaced",
            "choose another name",
        ),
        row(
            "replaces_other_file",
            "sign -f -k k.key -o b a",
            4,
            "b: this file is not a signature, and it was not replaced",
            "choose the name of a signature file, for example FILE.sig",
        ),
        row(
            "replaces_other_file",
            "sign -f -k k.key -M b a",
            4,
            "b: this file is not a list, and it was not replaced",
            "give the name of the list before the names of the files, for example SHA256SUMS",
        ),
    ]
}

/// Returns a directory with the folder `dist` and the private keys `ed.key` (Ed25519) and `ml.key`
/// (ML-DSA-44). `ml.key` is also in other formats: `seed` (raw), `hex`, `der`, `jwk`, and `locked`
/// and `locked.der` (encrypted). `openssh` is `ed.key` in the format of OpenSSH, and `raw` is
/// `k2.key` as raw bytes. `ssh` and `tls` look like private keys of other programs.
fn release() -> TestDirectory {
    let directory = TestDirectory::ready();
    fs::create_dir(directory.path("dist")).unwrap();
    directory.put("dist/a", "1");
    directory.put("pw", "secret\n");
    for line in [
        "keygen -a ml-dsa-44 ml",
        "keygen -a ed25519 ed",
        "convert ml.key -o seed --to raw",
        "convert ml.key -o hex --to hex",
        "convert ml.key -o der --to pkcs8-der",
        "convert ml.key -o locked --to pkcs8 --encrypt --new-password-file pw",
        "convert ml.key -o locked.der --to pkcs8-der --encrypt --new-password-file pw",
        "convert k2.key -o raw --to raw",
        "convert ml.key -o jwk --to jwk",
        "convert ed.key -o openssh --to ssh",
    ] {
        directory.run(line).code(0);
    }
    directory.put("ssh", "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n");
    directory.put("tls", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n");
    directory
}

#[test]
fn no_list_names_a_private_key() {
    let directory = release();
    for key in ["k2.key", "ed.key", "ml.key", "seed", "hex", "der", "locked", "locked.der", "raw", "ssh", "tls"] {
        directory.put("dist/x", directory.get(key));
        directory.put("x", directory.get(key));
        for (line, name) in [
            ("sign -k ml.key -M dist/SHA256SUMS -r dist", "dist/x"),
            ("sign -k ml.key -M dist/SHA256SUMS -r dist --inline", "dist/x"),
            ("sign -k k.key -k ml.key -M SHA256SUMS a dist/x", "dist/x"),
            ("sign --key-env SK -M SHA256SUMS x a", "x"),
        ] {
            let call = directory
                .call(line)
                .env("SK", directory.get("ml.key").iter().map(|b| char::from(*b)).collect::<String>());
            call.run().code(2).err_has(&format!("error: {name}: this file is a private key")).err_has("hint: ");
            assert!(!directory.has("dist/SHA256SUMS") && !directory.has("SHA256SUMS"), "{line}");
        }
    }
    // fndsa accepts these files:
    //
    // - a seed that does not belong to a signer, because any 32 bytes can be a seed,
    // - a public key, and a signature,
    // - a text that mentions a private key,
    // - bytes that begin like a raw key,
    // - a file that is too long for a key.
    directory.put("dist/x", directory.get("seed"));
    directory.put("dist/k.pub", directory.get("k.pub"));
    directory.put("dist/a.sig", directory.get("a.sig"));
    directory.put("dist/manual", "A key begins with\n-----BEGIN PRIVATE KEY-----\nand so on.\n");
    directory.put("dist/image", vec![b'Y'; 1281]);
    directory.put("dist/long", [directory.get("k2.key"), vec![b'\n'; 1 << 16]].concat());
    directory.run("sign -k k.key -M dist/SHA256SUMS -r dist").code(0);
}

/// Returns the forms of a key file that `--key-env` accepts as a text, and base64 in the alphabet
/// for URLs.
fn text_forms(key: &[u8]) -> Vec<(&'static str, String)> {
    let base64 = STANDARD.encode(key);
    let lines: Vec<_> = base64.as_bytes().chunks(76).map(|line| str::from_utf8(line).unwrap()).collect();
    let mut forms = vec![
        ("URL", URL_SAFE.encode(key)),
        ("URL, no padding", URL_SAFE_NO_PAD.encode(key) + "\n"),
        (
            "URL, lines",
            URL_SAFE_NO_PAD
                .encode(key)
                .as_bytes()
                .chunks(64)
                .map(|line| format!("{}\n", String::from_utf8_lossy(line)))
                .collect(),
        ),
        ("base64", base64.clone()),
        ("base64, line end", base64.clone() + "\n"),
        ("base64, lines", lines.join("\n")),
        ("base64, lines and line end", lines.join("\r\n") + "\r\n"),
        ("base64, blanks", lines.join(" ")),
    ];
    if key.starts_with(b"-----BEGIN") {
        let pem = str::from_utf8(key).unwrap();
        forms.push(("PEM, escaped line ends", pem.replace('\n', "\\n")));
        forms.push(("PEM, blanks", pem.replace('\n', " ")));
        forms.push(("PEM, CR LF", pem.replace('\n', "\r\n")));
    }
    forms
}

/// The private keys of [`release`] in all file formats: the file, and the option with which
/// `pubkey` reads it.
const KEY_FILES: [(&str, &str); 11] = [
    ("k2.key", ""),
    ("ed.key", ""),
    ("ml.key", ""),
    ("der", ""),
    ("locked", "--password-file pw"),
    ("locked.der", "--password-file pw"),
    ("raw", ""),
    ("jwk", ""),
    ("openssh", ""),
    ("seed", "-a ml-dsa-44"),
    ("hex", "-a ml-dsa-44"),
];

#[test]
fn a_private_key_is_recognized_in_every_form_that_is_accepted() {
    let directory = release();
    for (key, option) in KEY_FILES {
        for (form, text) in text_forms(&directory.get(key)) {
            directory.put("dist/x", &text);
            directory.put("x.key.base64", &text);
            for (line, name) in [
                ("sign -k k.key -k ml.key -M dist/SHA256SUMS -r dist", "dist/x"),
                ("sign -k k.key -k ml.key -M dist/SHA256SUMS -r dist --inline", "dist/x"),
                ("sign -k k.key -k ml.key -M SHA256SUMS a dist/x", "dist/x"),
                ("sign -k k.key -k ml.key a x.key.base64", "x.key.base64"),
                ("sign -k k.key -k ml.key --dsse t x.key.base64 a", "x.key.base64"),
            ] {
                let output = directory.run(line);
                let is_error = output.err.contains(&format!("error: {name}: this file is a private key"));
                assert!(output.code == 2 && is_error, "{key}, {form}, {line}: {}", output.err);
            }
            assert!(!directory.has("dist/SHA256SUMS") && !directory.has("SHA256SUMS"), "{key}, {form}");
            if !form.starts_with("URL") {
                let line = format!("pubkey --key-env SK {option} -o -");
                assert_eq!(directory.call(&line).env("SK", &text).run().code, 0, "{key}, {form}");
            }
        }
    }
    // These texts in base64 are not private keys, except the last two.
    for (key, code) in [("k.pub", 0), ("a", 0), ("a.sig", 0), ("ssh", 2), ("tls", 2)] {
        directory.put("x.key.base64", STANDARD.encode(directory.get(key)));
        directory.run("sign -f -k k.key a x.key.base64").code(code);
    }
}

#[test]
fn a_key_in_base64_is_not_replaced_and_is_signed_with_a_warning() {
    let directory = release();
    for (key, option) in KEY_FILES {
        // A seed consists of random bytes, which do not look like a private key.
        if option.starts_with("-a") {
            continue;
        }
        for (form, text) in text_forms(&directory.get(key)) {
            directory.put("x.key.base64", &text);
            let output = directory.run("sign -f -k k.key x.key.base64");
            // A JSON Web Key in base64 also looks like the header of a JSON Web Signature.
            let words =
                if text.starts_with("eyJ") { "begins with \"eyJ\"" } else { "the signed file is a private key" };
            assert!(output.err.contains(words), "{key}, {form}: {}", output.err);
            let output = directory.run("pubkey -f -k k.key -o x.key.base64");
            assert_eq!(output.code, 4, "{key}, {form}: {}", output.err);
            output.err_has("private key, and it was not replaced");
        }
    }
}

#[test]
fn a_private_key_is_signed_only_as_a_single_file() {
    let directory = release();
    for line in ["sign -k k.key k2.key a", "sign -k k.key a ml.key", "sign -k k.key --dsse t a ed.key"] {
        directory.run(line).code(2).err_has("this file is a private key, and it is given as a file to sign");
        assert!(!directory.has("k2.key.sig") && !directory.has("ml.key.sig") && !directory.has("a.dsse"), "{line}");
    }
    directory
        .call("sign -k k.key --files-from -")
        .input("a\nk2.key\n")
        .run()
        .code(2)
        .err_has("repeat the option")
        .out_empty();
    directory.run("sign -k k.key k2.key").code(0).err_has("the signed file is a private key; keep it secret");
    directory.put("b.pem", "A text about -----BEGIN PRIVATE KEY-----\n");
    directory.run("sign -k k.key b b.pem").code(0);
}

#[test]
fn force_replaces_only_files_of_the_same_kind() {
    let directory = release();
    directory.run("sign -k k.key -o raw.s --format raw b").code(0);
    directory.run("sign -k k.key -o e --dsse text/plain b").code(0);
    directory.run("sign -k k.key -M sums a b").code(0);
    directory.run("sign -k k.key -M inline --inline a b").code(0);
    directory.run("convert k.pub -o spki.der --to spki-der").code(0);
    directory.put("binary", [0x1f, 0x8b, 8, 0, 1]);
    directory.put("other.sig", "a signature of another program");
    directory.put("empty", "");
    let two = [directory.get("a.sig"), directory.get("a.sig")].concat();
    directory.put("two", two);
    let kept = ["b", "binary", "sums", "k2.pub", "spki.der", "k2.key"];
    for name in kept {
        let original = directory.get(name);
        directory.run(&format!("sign -f -k k.key -o {name} a")).code(4).err_has("was not replaced").err_has("hint: ");
        directory.run(&format!("sign -f -k k.key --dsse text/plain -o {name} a")).code(4);
        assert!(directory.get(name) == original, "{name}");
    }
    for name in ["b", "binary", "k2.pub", "a.sig", "raw.s", "e", "spki.der", "k2.key"] {
        let original = directory.get(name);
        directory.run(&format!("sign -f -k k.key -M {name} a")).code(4).err_has("was not replaced");
        directory.run(&format!("sign -f -k k.key -M {name} --inline a")).code(4).err_has("was not replaced");
        assert!(directory.get(name) == original && !directory.has(format!("{name}.sig.sig")), "{name}");
    }
    for name in ["raw.s", "e", "a.sig", "other.sig", "empty", "two"] {
        directory.run(&format!("sign -f -k k.key -o {name} a")).code(0);
        directory.run(&format!("verify -p k.pub -s {name} a")).code(0);
    }
    directory.put("empty", "");
    symlink("b", directory.path("link")).unwrap();
    directory.put("sha512", format!("{}  a\n", "0a".repeat(64)));
    for name in ["sums", "inline", "empty", "link", "sha512"] {
        directory.run(&format!("sign -f -k k.key -M {name} a")).code(0);
        directory.run(&format!("verify -p k.pub -M {name}")).code(0);
    }
    // If the signature file would replace a public key, fndsa writes neither the signature nor the
    // list.
    directory.put("sums.sig", directory.get("k2.pub"));
    let original = directory.get("sums");
    directory.run("sign -f -k k.key -M sums a b").code(4).err_has("sums.sig: this file is a public key");
    assert!(directory.get("sums") == original);
}

#[test]
fn keygen_replaces_only_the_public_key_of_the_same_pair() {
    let directory = release();
    let original = directory.get("k.pub");
    for line in ["keygen -f -p k.pub n", "keygen -f -p k.pub -o k2.key", "keygen -f -p k.pub ed"] {
        directory.run(line).code(4).err_has("k.pub: this file is a public key, and it was not replaced");
        assert!(directory.get("k.pub") == original && !directory.has("n.key"), "{line}");
    }
    directory.run("inspect ed.key ed.pub").code(0);
    // Commands that write a public key can replace a public key. But if `keygen` replaces a private
    // key, it replaces only the public key of this private key.
    for line in ["keygen -f -o k.key -p k.pub", "keygen -f ed", "pubkey -f -k k2.key -o k.pub"] {
        directory.run(line).code(0);
    }
    directory.run("convert -f k2.pub -o k.pub --to spki").code(0);
    directory.run("keygen --encrypt --password-file pw e").code(0);
    directory.run("keygen -f -o e.key -p e.pub").code(0);
    directory.run("inspect e.key e.pub").code(0).out_has("a key pair");
}
