//! Compares the command line with OpenSSL 3.5 or newer, which `tests/peers/install` installs. fndsa
//! must read all forms of a private key that OpenSSL writes ([`FORMS`]). OpenSSL must read fndsa's
//! private keys as PKCS#8, with the seed, the expanded form or both. The programs must also verify
//! each other's signatures.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Returns the path of OpenSSL, or `None` if it is not installed.
fn openssl() -> Option<PathBuf> {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target directory");
    let peers = std::env::var_os("FNDSA_PEERS").map_or_else(|| target.join("peers"), PathBuf::from);
    let program = peers.join("openssl/openssl");
    if program.exists() {
        return Some(program);
    }
    println!("skip: OpenSSL, tests/peers/install was not run, or found no version with ML-DSA");
    None
}

/// A directory in which fndsa and OpenSSL run.
struct OpensslDirectory {
    directory: tempfile::TempDir,
    openssl: PathBuf,
}

impl OpensslDirectory {
    /// Runs a program in the directory. `FNDSA_PASSWORD` contains the password.
    fn run(&self, program: &Path, line: &str) -> Output {
        let mut command = Command::new(program);
        command.current_dir(self.directory.path()).args(line.split(' ').filter(|word| !word.is_empty()));
        command.env("FNDSA_PASSWORD", "sesame").output().expect("a program")
    }

    /// Runs a program, which must succeed.
    fn assert_accepts(&self, program: &Path, line: &str) {
        let output = self.run(program, line);
        let [out, err] = [&output.stdout, &output.stderr].map(|it| String::from_utf8_lossy(it));
        assert!(output.status.success(), "{} {line}: {out}{err}", program.display());
    }

    /// Runs fndsa, which must succeed.
    fn run_fndsa(&self, line: &str) {
        self.assert_accepts(Path::new(env!("CARGO_BIN_EXE_fndsa")), line);
    }

    /// Runs OpenSSL, which must succeed.
    fn run_openssl(&self, line: &str) {
        self.assert_accepts(&self.openssl, line);
    }

    /// Checks that both programs reject their command lines, and that fndsa returns the exit code
    /// `code`.
    fn assert_both_reject(&self, openssl: &str, fndsa: &str, code: i32) {
        assert!(!self.run(&self.openssl, openssl).status.success(), "openssl {openssl}");
        let output = self.run(Path::new(env!("CARGO_BIN_EXE_fndsa")), fndsa);
        assert_eq!(output.status.code(), Some(code), "{fndsa}: {}", String::from_utf8_lossy(&output.stderr));
    }

    /// Writes a file.
    fn put(&self, name: &str, bytes: &[u8]) {
        std::fs::write(self.directory.path().join(name), bytes).expect("a file");
    }

    /// Checks that two files have the same bytes.
    #[track_caller]
    fn assert_same_files(&self, first: &str, second: &str) {
        let [a, b] = [first, second].map(|name| std::fs::read(self.directory.path().join(name)).expect("a file"));
        assert!(a == b, "{first} and {second} differ");
    }
}

/// The private key forms that OpenSSL can write.
const FORMS: [&str; 5] = ["seed-only", "priv-only", "seed-priv", "bare-seed", "bare-priv"];

#[test]
fn openssl_and_fndsa_read_keys_and_signatures_of_each_other() {
    let Some(openssl) = openssl() else { return };
    let work_dir = OpensslDirectory { directory: tempfile::tempdir().expect("a directory"), openssl };
    work_dir.put("m", b"a message\n");
    work_dir.put("other", b"another message\n");
    for set in ["44", "65", "87"] {
        // Creates a key pair, a certificate and an encrypted key with OpenSSL. fndsa reads the
        // private key in all forms, and the encrypted key.
        work_dir.run_openssl(&format!("genpkey -algorithm ML-DSA-{set} -out k{set}.pem"));
        work_dir.run_openssl(&format!("pkey -in k{set}.pem -pubout -out p{set}.pem"));
        work_dir.run_openssl(&format!("req -x509 -new -key k{set}.pem -subj /CN=x -out c{set}.pem"));
        work_dir.run_openssl(&format!("pkcs8 -topk8 -in k{set}.pem -out e{set}.pem -passout pass:sesame"));
        work_dir.run_fndsa(&format!("pubkey -k k{set}.pem --format spki -o ours{set}.pem"));
        work_dir.assert_same_files(&format!("p{set}.pem"), &format!("ours{set}.pem"));
        work_dir.run_fndsa(&format!("pubkey -k e{set}.pem --format spki -o from-encrypted{set}.pem"));
        work_dir.assert_same_files(&format!("p{set}.pem"), &format!("from-encrypted{set}.pem"));
        for form in FORMS {
            let options = format!("-provparam ml-dsa.output_formats={form}");
            work_dir.run_openssl(&format!("pkey -in k{set}.pem {options} -out {form}{set}.pem"));
            work_dir.run_fndsa(&format!("pubkey -k {form}{set}.pem --format spki -o of-{form}{set}.pem"));
            work_dir.assert_same_files(&format!("p{set}.pem"), &format!("of-{form}{set}.pem"));
        }
        for (form, name) in [("seed", "seed-only"), ("expanded", "priv-only"), ("both", "seed-priv")] {
            work_dir.run_fndsa(&format!("convert k{set}.pem --to pkcs8 --private {form} -o {form}{set}.p8"));
            work_dir.assert_same_files(&format!("{form}{set}.p8"), &format!("{name}{set}.pem"));
        }
        // fndsa verifies signatures from OpenSSL, with and without a context.
        for (openssl_options, fndsa_options) in [("", ""), (" -pkeyopt context-string:release", " -c release")] {
            work_dir.run_openssl(&format!("pkeyutl -sign -rawin -inkey k{set}.pem -in m -out s{openssl_options}"));
            for public in ["p", "c"] {
                work_dir.run_fndsa(&format!("verify -p {public}{set}.pem -s s m{fndsa_options}"));
            }
            work_dir.assert_both_reject(
                &format!("pkeyutl -verify -rawin -pubin -inkey p{set}.pem -in other -sigfile s{openssl_options}"),
                &format!("verify -p p{set}.pem -s s other{fndsa_options}"),
                1,
            );
            // fndsa signs with OpenSSL's keys in all forms, and OpenSSL verifies the signatures.
            for key in FORMS.iter().map(|form| format!("{form}{set}.pem")).chain([format!("e{set}.pem")]) {
                work_dir.run_fndsa(&format!("sign -f -k {key} --format raw -o s{fndsa_options} m"));
                work_dir.run_openssl(&format!(
                    "pkeyutl -verify -rawin -pubin -inkey p{set}.pem -in m -sigfile s{openssl_options}"
                ));
            }
            work_dir.assert_both_reject(
                &format!("pkeyutl -verify -rawin -pubin -inkey p{set}.pem -in other -sigfile s{openssl_options}"),
                &format!("verify -p p{set}.pem -s s other{fndsa_options}"),
                1,
            );
            // Both programs make the same deterministic signatures.
            let options = format!("-pkeyopt deterministic:1{openssl_options}");
            work_dir.run_openssl(&format!("pkeyutl -sign -rawin -inkey k{set}.pem -in m -out theirs {options}"));
            work_dir.run_fndsa(&format!("sign -f --deterministic -k k{set}.pem --format raw -o ours{fndsa_options} m"));
            work_dir.assert_same_files("theirs", "ours");
        }
        let fndsa_line = format!("sign --print-mu -p p{set}.pem -c release m");
        let digits = work_dir.run(Path::new(env!("CARGO_BIN_EXE_fndsa")), &fndsa_line).stdout;
        work_dir.put("mu", &super::common::hex(String::from_utf8_lossy(&digits).trim()));
        work_dir.run_openssl(&format!("pkeyutl -sign -rawin -inkey k{set}.pem -in mu -out s -pkeyopt mu:1"));
        work_dir.run_fndsa(&format!("verify -p p{set}.pem -s s -c release m"));
        // OpenSSL reads fndsa's private keys with the seed, the expanded form or both, an encrypted
        // key, and the public key.
        work_dir.run_fndsa(&format!("keygen -a ml-dsa-{set} new{set}"));
        for form in ["seed", "expanded", "both"] {
            work_dir.run_fndsa(&format!("convert new{set}.key --to pkcs8 --private {form} -o {form}{set}.ours"));
            work_dir.run_openssl(&format!("pkey -in {form}{set}.ours -pubout -out public"));
            work_dir.run_fndsa(&format!("convert -f new{set}.pub --to spki -o our_public"));
            work_dir.assert_same_files("public", "our_public");
        }
        work_dir.run_fndsa(&format!(
            "convert new{set}.key --to pkcs8 --encrypt --new-password-env FNDSA_PASSWORD -o locked{set}.ours"
        ));
        work_dir.run_openssl(&format!("pkey -in locked{set}.ours -passin pass:sesame -pubout -out public"));
        work_dir.assert_same_files("public", "our_public");
        work_dir.run_openssl(&format!("pkeyutl -sign -rawin -inkey new{set}.key -in m -out s"));
        work_dir.run_fndsa(&format!("verify -p new{set}.pub -s s m"));
        work_dir.run_openssl(&format!("pkeyutl -verify -rawin -pubin -inkey new{set}.pub -in m -sigfile s"));
    }
}

/// The Ed25519 variants: the options for fndsa, and the options for OpenSSL.
const ED25519: [(&str, &str); 4] = [
    ("", ""),
    ("--prehash sha512", "-pkeyopt instance:Ed25519ph"),
    ("--context v1", "-pkeyopt instance:Ed25519ctx -pkeyopt context-string:v1"),
    ("--context v1 --prehash sha512", "-pkeyopt instance:Ed25519ph -pkeyopt context-string:v1"),
];

#[test]
fn variants_of_ed25519_are_the_same() {
    let Some(openssl) = openssl() else { return };
    let work_dir = OpensslDirectory { directory: tempfile::tempdir().expect("a directory"), openssl };
    work_dir.put("m", b"a message");
    work_dir.put("n", b"another message");
    work_dir.run_fndsa("keygen -q -a ed25519 k");
    for (signed_variant, (fndsa_options, openssl_options)) in ED25519.into_iter().enumerate() {
        work_dir.run_fndsa(&format!("sign -q -k k.key {fndsa_options} --format raw -f -o ours m"));
        work_dir.run_openssl(&format!("pkeyutl -sign -rawin -inkey k.key -in m -out theirs {openssl_options}"));
        work_dir.assert_same_files("ours", "theirs");
        for (variant, (fndsa_options, openssl_options)) in ED25519.into_iter().enumerate() {
            let verify = format!("pkeyutl -verify -rawin -pubin -inkey k.pub -sigfile ours {openssl_options}");
            let fndsa = format!("verify -p k.pub -s ours {fndsa_options}");
            if variant == signed_variant {
                work_dir.run_openssl(&format!("{verify} -in m"));
                work_dir.run_fndsa(&format!("{fndsa} m"));
                work_dir.assert_both_reject(&format!("{verify} -in n"), &format!("{fndsa} n"), 1);
            } else {
                work_dir.assert_both_reject(&format!("{verify} -in m"), &format!("{fndsa} m"), 1);
            }
        }
    }
}

#[test]
fn openssl_verifies_requests_and_certificates() {
    let Some(openssl) = openssl() else { return };
    for algorithm in ["ml-dsa-44", "ml-dsa-65", "ml-dsa-87", "ed25519"] {
        let directory = tempfile::tempdir().expect("a directory");
        let work_dir = OpensslDirectory { directory, openssl: openssl.clone() };
        work_dir.run_fndsa(&format!("keygen -q -a {algorithm} k"));
        work_dir.run_fndsa("request k.key -o k.csr --subject CN=a,O=b,C=DE");
        work_dir.run_fndsa("request k.key -o d.csr --format der --subject CN=a,O=b,C=DE");
        work_dir.run_fndsa("request k.key -o k.crt --self-signed 365 --subject CN=a,O=b,C=DE");
        // The exit code of `req` does not show whether the signature is valid, so the test checks
        // the printed words.
        for file in ["k.csr", "d.csr"] {
            let output =
                work_dir.run(&work_dir.openssl, &format!("req -in {file} -verify -noout -subject -nameopt RFC2253"));
            let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
            assert!(text.contains("self-signature verify OK") && text.contains("subject=CN=a,O=b,C=DE"), "{text}");
        }
        work_dir.run_openssl("verify -x509_strict -check_ss_sig -CAfile k.crt k.crt");
        // fndsa reads certificates from OpenSSL, and both programs reject a changed certificate.
        work_dir.run_openssl(
            "req -x509 -key k.key -subj /C=DE/CN=a -addext keyUsage=critical,digitalSignature -outform DER -out o.crt",
        );
        work_dir.run_fndsa("inspect o.crt k.key");
        let path = work_dir.directory.path().join("o.crt");
        let mut changed = std::fs::read(path).expect("a file");
        *changed.last_mut().expect("a byte") ^= 1;
        work_dir.put("c.crt", &changed);
        work_dir.assert_both_reject("verify -check_ss_sig -CAfile c.crt c.crt", "inspect c.crt", 3);
    }
}
