//! Exchanges CMS signatures between the command line and OpenSSL 3.5 or newer, in both directions.

use crate::mldsa::FndsaDirectory;
use crate::programs::folder;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

const ALGORITHMS: [&str; 4] = ["ml-dsa-44", "ml-dsa-65", "ml-dsa-87", "ed25519"];

/// The program `openssl`, in a version that supports ML-DSA.
struct OpensslProgram {
    path: PathBuf,
}

impl OpensslProgram {
    /// Returns the program, if it is installed.
    fn installed() -> Option<Self> {
        let path = folder().join("openssl/openssl");
        if path.exists() {
            return Some(Self { path });
        }
        println!("skip: CMS with OpenSSL, it is not installed: tests/peers/debian");
        None
    }

    /// Runs the program. Returns whether it succeeds.
    fn run(&self, work_dir: &FndsaDirectory, line: &str) -> bool {
        let mut command = Command::new(&self.path);
        command.args(line.split(' ')).current_dir(work_dir.directory.path());
        command.output().expect("openssl").status.success()
    }

    /// Returns a directory with the key `k`, the certificate `c`, and two messages.
    fn new_work_dir(&self, algorithm: &str) -> FndsaDirectory {
        let work_dir = FndsaDirectory { directory: tempfile::tempdir().expect("a directory") };
        work_dir.put("m", b"a message\n");
        work_dir.put("other", b"another message\n");
        assert!(self.run(&work_dir, &format!("genpkey -quiet -algorithm {algorithm} -out k")), "{algorithm}");
        assert!(self.run(&work_dir, "req -new -x509 -key k -subj /O=Test/CN=Signer -days 9999 -out c"), "{algorithm}");
        work_dir
    }

    /// Returns whether OpenSSL accepts the file `signature`, in DER, for `message`.
    fn verifies(&self, work_dir: &FndsaDirectory, signature: &str, message: &str) -> bool {
        let line = "cms -verify -binary -inform DER -CAfile c -purpose any -out out -in";
        self.run(work_dir, &format!("{line} {signature} -content {message}"))
    }
}

#[test]
fn openssl_verifies_signatures_of_fndsa() {
    let Some(openssl) = OpensslProgram::installed() else { return };
    for algorithm in ALGORITHMS {
        let work_dir = openssl.new_work_dir(algorithm);
        assert_eq!(work_dir.run("sign -k k --cms --cert c m").0, Some(0), "{algorithm}");
        assert!(openssl.verifies(&work_dir, "m.p7s", "m"), "{algorithm}");
        assert!(!openssl.verifies(&work_dir, "m.p7s", "other"), "{algorithm}");
        // OpenSSL 3.5 cannot verify CMS files without attributes, but its command `cms` reads the
        // file, and its command `pkeyutl` verifies the signature in it.
        assert_eq!(work_dir.run("sign -f -k k --cms-direct --cert c m").0, Some(0), "{algorithm}");
        assert!(openssl.run(&work_dir, "cms -cmsout -inform DER -in m.p7s -outform DER -out again"), "{algorithm}");
        let file = fs::read(work_dir.directory.path().join("m.p7s")).expect("a file");
        assert_eq!(fs::read(work_dir.directory.path().join("again")).expect("a file"), file, "{algorithm}");
        let read = fndsa::files::cms::CmsFile::read(&file).expect("a signature");
        work_dir.put("raw", &read.signatures[0].signature);
        for (message, is_good) in [("m", true), ("other", false)] {
            let line = format!("pkeyutl -verify -rawin -certin -inkey c -sigfile raw -in {message}");
            assert_eq!(openssl.run(&work_dir, &line), is_good, "{algorithm}");
        }
    }
}

#[test]
fn fndsa_verifies_signatures_of_openssl() {
    let Some(openssl) = OpensslProgram::installed() else { return };
    for algorithm in ALGORITHMS {
        let work_dir = openssl.new_work_dir(algorithm);
        for options in ["DER", "DER -nocerts", "DER -nosmimecap", "DER -keyid", "PEM"] {
            let sign = format!("cms -sign -binary -md sha512 -signer c -inkey k -in m -outform {options}");
            assert!(openssl.run(&work_dir, &format!("{sign} -out m.p7s")), "{algorithm} {options}");
            assert_eq!(work_dir.run("verify --cms -p c m").0, Some(0), "{algorithm} {options}");
            assert_eq!(work_dir.run("verify --cms -p c -s m.p7s other").0, Some(1), "{algorithm} {options}");
            // With `-stream`, the file contains the message in pieces, and the outer DER elements
            // have an indefinite length.
            assert!(openssl.run(&work_dir, &format!("{sign} -nodetach -stream -out m.p7m")), "{algorithm} {options}");
            assert_eq!(
                work_dir.output_file("verify --cms --attached -p c m.p7m"),
                b"a message\n",
                "{algorithm} {options}"
            );
        }
    }
}

/// Signs, with OpenSSL, the mu that `--print-mu` prints. In practice, a signing service or a
/// hardware token signs the mu. fndsa writes the signature to a file in each format, and verifies
/// the file. OpenSSL also verifies the file of `--cms`.
#[test]
fn openssl_signs_the_mu_of_each_format() {
    let Some(openssl) = OpensslProgram::installed() else { return };
    for algorithm in &ALGORITHMS[..3] {
        let work_dir = openssl.new_work_dir(algorithm);
        assert!(openssl.run(&work_dir, "pkey -in k -pubout -out p"), "{algorithm}");
        work_dir.put("m.ko", b"\x7fELF a module");
        for (format, options, file, verify) in [
            ("--cms", "--cert c", "m", "--cms m"),
            ("--cms-direct", "--cert c", "m", "--cms m"),
            ("--kernel-module", "--cert c", "m.ko", "--kernel-module m.ko.signed"),
            ("--jws", "", "m", "--jws m"),
            ("--dsse text/plain", "", "m", "--dsse text/plain m.dsse"),
            ("--dsse application/vnd.in-toto+json", "", "m", "--dsse application/vnd.in-toto+json m.dsse"),
            ("-M list", "", "m other", "-M list"),
        ] {
            let what = format!("{algorithm} {format}");
            for option in ["-p p", "-p c", "-k k"] {
                let mu = work_dir.stdout_of(&format!("sign {option} --print-mu=raw {format} {file}"));
                assert_eq!(mu.len(), 64, "{what}");
                work_dir.put("mu", &mu);
            }
            assert!(openssl.run(&work_dir, "pkeyutl -sign -inkey k -in mu -out raw -pkeyopt mu:1"), "{what}");
            let options = if options.is_empty() { String::new() } else { format!("{options} ") };
            let (code, err) = work_dir.run(&format!("sign -f -p p --signature raw {format} {options}{file}"));
            assert_eq!(code, Some(0), "{what}: {err}");
            assert_eq!(work_dir.run(&format!("verify -p p {verify}")).0, Some(0), "{what}");
            if format == "--cms" {
                assert!(openssl.verifies(&work_dir, "m.p7s", "m"), "{what}");
                assert!(!openssl.verifies(&work_dir, "m.p7s", "other"), "{what}");
                // With the private key, fndsa signs the mu that `--print-mu` printed.
                assert_eq!(work_dir.run("sign -f -k k --cms --cert c m").0, Some(0));
                let file = fs::read(work_dir.directory.path().join("m.p7s")).expect("a file");
                let file = fndsa::files::cms::CmsFile::read(&file).expect("a signature");
                work_dir.put("raw", &file.signatures[0].signature);
                let verify = "pkeyutl -verify -pubin -inkey p -in mu -sigfile raw -pkeyopt mu:1";
                assert!(openssl.run(&work_dir, verify), "{what}");
                work_dir.put("mu", &[7; 64]);
                assert!(!openssl.run(&work_dir, verify), "{what}");
            }
            // fndsa does not accept the signature for a different message.
            let (code, err) = work_dir.run(&format!("sign -f -p p --signature raw {format} {options}-o x other"));
            assert!(code == Some(3) || format == "-M list", "{what}: {err}");
        }
    }
}

#[test]
fn openssl_verifies_messages_in_files_of_fndsa() {
    let Some(openssl) = OpensslProgram::installed() else { return };
    for algorithm in ALGORITHMS {
        let work_dir = openssl.new_work_dir(algorithm);
        work_dir.put("m", &[&b"a message\r\n"[..], &[0xa5; 70_000]].concat());
        assert_eq!(work_dir.run("sign -k k --cms --attached --cert c m").0, Some(0), "{algorithm}");
        let verify = "cms -verify -binary -inform DER -CAfile c -purpose any -out out -in";
        assert!(openssl.run(&work_dir, &format!("{verify} m.p7m")), "{algorithm}");
        let read = |name: &str| fs::read(work_dir.directory.path().join(name)).expect("a file");
        assert_eq!(read("out"), read("m"), "{algorithm}");
        let mut changed = read("m.p7m");
        let at = changed.windows(9).position(|part| part == b"a message").expect("the message");
        changed[at] ^= 1;
        work_dir.put("changed", &changed);
        assert!(!openssl.run(&work_dir, &format!("{verify} changed")), "{algorithm}");
    }
}

#[test]
fn openssl_verifies_several_signatures_and_kernel_modules_of_fndsa() {
    let Some(openssl) = OpensslProgram::installed() else { return };
    let work_dir = openssl.new_work_dir("ml-dsa-44");
    for (name, algorithm) in [("2", "ml-dsa-87"), ("3", "ed25519")] {
        let key = format!("genpkey -quiet -algorithm {algorithm} -out k{name}");
        assert!(
            openssl.run(&work_dir, &key)
                && openssl.run(&work_dir, &format!("req -new -x509 -key k{name} -subj /CN=S -out c{name}"))
        );
    }
    let certificates: Vec<_> =
        ["c", "c2", "c3"].iter().map(|name| fs::read(work_dir.directory.path().join(name)).unwrap()).collect();
    let sign = "sign -k k -k k2 -k k3 --cms --cert c2 --cert c --cert c3 m";
    assert_eq!(work_dir.run(sign).0, Some(0));
    work_dir.put("c", &certificates.concat());
    // OpenSSL verifies all signatures.
    assert!(openssl.verifies(&work_dir, "m.p7s", "m"));
    assert!(!openssl.verifies(&work_dir, "m.p7s", "other"));
    work_dir.put("c", &certificates[0]);

    work_dir.put("m.ko", b"\x7fELF");
    assert_eq!(work_dir.run("sign -k k --kernel-module --cert c m.ko").0, Some(0));
    let signed = fs::read(work_dir.directory.path().join("m.ko.signed")).expect("a module");
    // The lengths agree with `struct module_signature`.
    let end = signed.strip_suffix(b"~Module signature appended~\n").expect("the marker");
    let len = u32::from_be_bytes(end[end.len() - 4..].try_into().expect("4 bytes")) as usize;
    assert_eq!(signed[..4], *b"\x7fELF");
    assert_eq!(end.len(), 4 + len + 12);
    work_dir.put("m.p7s", &signed[4..4 + len]);
    assert!(openssl.run(&work_dir, "cms -cmsout -print -inform DER -in m.p7s"));
    assert_eq!(work_dir.run("verify --cms -p c -s m.p7s m.ko").0, Some(0));
}
