//! Tests for files that are given with the option for a different format: the hint names the format
//! of the file, and the next step.

use crate::harness::TestDirectory;
use crate::messages::{MessageCase, RunMethod, row};

/// A shell line that signs the file `b` in all formats, and makes files that are not signatures.
const FORMATS: &str = "$FNDSA keygen -q -a ed25519 e && $FNDSA request -q -k e.key --subject CN=a --self-signed 9 -o e.crt && \
     $FNDSA sign -q -k e.key --cert e.crt --cms -o cms b && $FNDSA sign -q -k e.key --jws -o jws b && \
     $FNDSA sign -q -k e.key --ssh file -o ssh b && $FNDSA sign -q -k e.key --dsse t -o dsse b && \
     $FNDSA sign -q -k e.key -o own b && $FNDSA sign -q -k e.key --cert e.crt --cms --attached -o attached b && \
     printf '\\177ELF' >m && $FNDSA sign -q -k e.key --cert e.crt --kernel-module -o module m && \
     printf 'MIME-Version: 1.0\\n\\n' >mail && : >empty && printf '\\037\\213\\010' >gzip && echo text >text";

/// Returns the rows about files of other formats for the message catalogue in `messages.rs`.
pub fn rows() -> Vec<MessageCase> {
    vec![
        row(
            "jws",
            "verify -p e.pub --jws -s cms b",
            3,
            "the file does not have three parts in base64url with dots between them",
            "this file is a CMS file: use --cms instead",
        )
        .how(RunMethod::After(FORMATS)),
        row(
            "dsse_envelope",
            "verify -p e.pub --dsse t own",
            3,
            "this is not a DSSE envelope: the file is not JSON",
            "this file is a signature of fndsa: leave --dsse out to verify this signature",
        )
        .how(RunMethod::After(FORMATS)),
        row(
            "no_module_signature",
            "verify -p e.pub --kernel-module gzip",
            3,
            "gzip: the file does not end with the signature of a kernel module",
            "this file is compressed: decompress the module first, for example with `gzip -d FILE`",
        )
        .how(RunMethod::After(FORMATS)),
        row(
            "swapped",
            "verify -p e.pub --cms -s b cms",
            3,
            "b: this is not a signature, but cms is a signature",
            "swap the two names",
        )
        .how(RunMethod::After(FORMATS)),
    ]
}

/// Returns a directory in which [`FORMATS`] has run.
fn directory() -> TestDirectory {
    let directory = TestDirectory::ready();
    directory.sh(FORMATS).code(0);
    directory
}

#[test]
fn signatures_of_other_formats_are_named() {
    let directory = directory();
    for (option, wanted) in [("--cms", "cms"), ("--jws", "jws"), ("--ssh file", "ssh")] {
        for (file, hint) in [
            ("cms", "hint: this file is a CMS file: use --cms instead"),
            ("jws", "hint: this file is a JSON Web Signature (JWS): use --jws instead"),
            ("ssh", "hint: this file is an OpenSSH signature: use --ssh NAMESPACE instead"),
            ("dsse", "hint: this file is a DSSE envelope: give the envelope as FILE, and use --dsse TYPE instead"),
            ("own", "hint: this file is a signature of fndsa: leave --"),
            ("module", "hint: this file is a signed kernel module: give the module as FILE, and use --kernel-module"),
            ("e.pub", "hint: this file is a public key: give the file with the signature"),
            ("e.key", "hint: this file is a private key: give the file with the signature"),
            ("text", "hint: this file is 5 bytes of text: give the file with the signature"),
            ("gzip", "hint: this file is a gzip archive: give the file with the signature"),
            ("mail", "hint: verify the e-mail with `openssl cms -verify"),
        ] {
            if file != wanted {
                directory.run(&format!("verify -p e.pub {option} -s {file} b")).code(3).err_has(hint);
            }
        }
        directory.run(&format!("verify -p e.pub {option} -s {wanted} b")).code(0);
        let empty = directory.run(&format!("verify -p e.pub {option} -s empty b")).code(3);
        empty.out_has("the file is empty").err_has("again");
        // If the user swaps the file and its signature, the hint says so.
        directory
            .run(&format!("verify -p e.pub {option} -s b {wanted}"))
            .code(3)
            .out_has("but")
            .err_has("swap the two names");
    }
    directory.run("verify -p e.pub -s mail b").code(3).err_has("hint: verify the e-mail with `openssl cms -verify");
    for file in ["cms", "jws", "ssh"] {
        directory.run(&format!("verify -p e.pub -s b {file}")).code(3).err_has("swap the two names");
    }
}

#[test]
fn files_without_the_enclosed_signature_are_named() {
    let directory = directory();
    for (option, file, hint) in [
        ("--dsse t", "cms", "hint: this file is a CMS file: use --cms instead"),
        ("--dsse t", "jws", "hint: to verify the JSON Web Signature of a separate file, add --jws"),
        ("--dsse t", "ssh", "hint: this file is an OpenSSH signature: use --ssh NAMESPACE instead"),
        ("--dsse t", "e.pub", "hint: this file is a public key"),
        ("--dsse t", "text", "hint: give a DSSE envelope here"),
        ("--dsse t", "empty", "hint: download the file again"),
        ("--dsse t", "mail", "hint: verify the e-mail with"),
        ("--cms --attached", "ssh", "hint: this file is an OpenSSH signature: use --ssh NAMESPACE instead"),
        ("--cms --attached", "dsse", "use --dsse TYPE instead"),
        ("--kernel-module", "cms", "hint: this file is a CMS file: use --cms instead"),
        ("--kernel-module", "m", "hint: give a module that `scripts/sign-file` or"),
        ("--kernel-module", "empty", "hint: download the file again"),
        ("--attached", "attached", "hint: this file is a CMS file: add --cms"),
        ("--attached", "ssh", "hint: this file is an OpenSSH signature: use --ssh NAMESPACE instead"),
        ("--attached", "text", "hint: leave --attached out if the message is in FILE"),
    ] {
        directory.run(&format!("verify -p e.pub {option} {file}")).code(3).err_has(hint);
    }
    // The message does not contain the JSON parser's error text.
    directory
        .run("verify -p e.pub --dsse t text")
        .code(3)
        .out_has("text: ERROR (this is not a DSSE envelope: the file is not JSON)");
    directory.put("json", "{\"payload\": x}");
    let found = directory.run("verify -p e.pub --dsse t json").code(3);
    found.out_has("json: ERROR (this is not a DSSE envelope: the JSON has a syntax error in line 1, column 13)");
    for (begin, command) in [(&b"\xfd7zXZ\0"[..], "xz -d FILE"), (b"(\xb5/\xfd", "zstd -d FILE")] {
        directory.put("m.ko", begin);
        directory.run("verify -p e.pub --kernel-module m.ko").code(3).err_has(command);
    }
}

#[test]
fn a_signature_of_another_format_next_to_the_file_is_named() {
    let directory = directory();
    for (file, suffix, option, hint) in [
        ("cms", "p7s", "", "c.p7s exists: verify this CMS signature with --cms"),
        ("jws", "jws", "", "c.jws exists: verify this JSON Web Signature with --jws"),
        ("jws", "jws", "--cms", "c.jws exists: verify this JSON Web Signature with --jws"),
        ("attached", "p7m", "--cms", "c.p7m exists: this CMS file contains its message"),
        ("dsse", "dsse", "--ssh file", "c.dsse exists: this DSSE envelope contains its message"),
        ("own", "sig", "--cms", "c.sig exists: verify this signature without an option for a format"),
    ] {
        let name = format!("c.{suffix}");
        directory.put("c", directory.get("b"));
        directory.put(&name, directory.get(file));
        directory.run(&format!("verify -p e.pub {option} c")).code(4).err_has(hint);
        directory.remove(&name);
    }
    directory.run("verify -p e.pub c").code(4).err_has("put the signature file next to the signed file");
    directory.put("c.p7m", directory.get("attached"));
    directory.run("verify -p e.pub c.p7m").code(4).err_has("verify the file with --cms and --attached");
}

/// A CMS file that is encrypted instead of signed.
#[test]
fn an_encrypted_file_is_named() {
    let directory = directory();
    // The start of an encrypted CMS file: the OID id-envelopedData.
    let encrypted =
        [&[0x30, 0x0f, 6, 9][..], &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, 3], &[0xa0, 2, 0x30, 0]].concat();
    directory.put("x", encrypted);
    let hint = "hint: decrypt the file with `openssl cms -decrypt";
    for line in ["--cms -s x b", "-s x b", "--jws -s x b", "--cms --attached x", "--dsse t x"] {
        directory.run(&format!("verify -p e.pub {line}")).code(3).err_has(hint);
    }
    directory.run("inspect x").code(3).err_has(hint);
}

#[test]
fn inspect_describes_envelopes() {
    let directory = directory();
    directory.run("keygen -q -a ml-dsa-65 m").code(0);
    directory.run("sign -q -f -k e.key -k m.key --dsse text/plain -o two b").code(0);
    let found = directory.run("inspect two").code(0);
    found
        .out_has("two: Ed25519 signature, DSSE envelope, payload of the type \"text/plain\" with ")
        .out_has("two: ML-DSA-65 signature, DSSE envelope")
        .out_has(", key identifier \"sha256:");
    let document = directory.run("--json inspect two").code(0).json();
    let results = document["results"].as_array().unwrap();
    assert_eq!(results.len(), 2);
    for result in results {
        assert_eq!((&result["encoding"], &result["payload_type"]), (&"dsse".into(), &"text/plain".into()));
        assert_eq!(result["payload_bytes"], directory.get("b").len());
    }
    directory.put("x", r#"{"payload":"","payloadType":"t","signatures":[]}"#);
    directory.run("inspect x").code(3).err_has("x: this is not a DSSE envelope: the envelope has no signature");
}
