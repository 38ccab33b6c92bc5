//! Tests for toy degrees: all commands reject them without `--allow-weak`.

use crate::harness::TestDirectory;

const TOYS: [u32; 7] = [4, 8, 16, 32, 64, 128, 256];

#[test]
fn toys_require_an_option_in_every_command() {
    let directory = TestDirectory::ready();
    for n in TOYS {
        directory.run(&format!("keygen -a fn-dsa-{n} t{n}")).code(2).err_has("--allow-weak");
        assert!(!directory.has(format!("t{n}.key")));
        directory.run(&format!("--allow-weak keygen -a fn-dsa-{n} t{n}")).code(0);
        for (line, output_name) in [
            (format!("sign -k t{n}.key -o t{n}.sig a"), Some(format!("t{n}.sig"))),
            (format!("pubkey -k t{n}.key -o t{n}.out"), Some(format!("t{n}.out"))),
            (format!("verify -p t{n}.pub -s t{n}.sig a"), None),
            (format!("inspect t{n}.key"), None),
            (format!("inspect t{n}.pub"), None),
            (format!("inspect t{n}.sig"), None),
        ] {
            let output = directory.run(&line).code(3);
            assert!(output.err.contains("--allow-weak") && output.out.is_empty(), "{output:?}");
            assert!(output_name.is_none_or(|name| !directory.has(name)));
            directory.run(&format!("--allow-weak {line}")).code(0);
        }
        directory.run(&format!("--allow-weak inspect t{n}.key t{n}.pub")).code(0).out_has("toy").out_has("a key pair");
        assert_eq!(directory.get(format!("t{n}.out")), directory.get(format!("t{n}.pub")));
        directory.run(&format!("bench -a fn-dsa-{n} -t 0.001 --samples 3 verify")).code(2).err_has("--allow-weak");
    }
}

#[test]
fn toys_sign_at_both_levels() {
    let directory = TestDirectory::ready();
    for n in TOYS {
        for level in ["scalar", "emulated"] {
            directory.run(&format!("--allow-weak --backend {level} keygen -f -a fn-dsa-{n} t")).code(0);
            for signer in ["scalar", "emulated"] {
                directory.run(&format!("--allow-weak --backend {signer} sign -f -c x -k t.key a -o s")).code(0);
                directory.run(&format!("--allow-weak --backend {level} verify -c x -p t.pub -s s a")).code(0);
                directory.run(&format!("--allow-weak --backend {level} verify -c y -p t.pub -s s a")).code(1);
            }
        }
    }
}

#[test]
fn a_toy_signature_is_rejected_by_a_real_key() {
    let directory = TestDirectory::ready();
    directory.run("--allow-weak keygen -a fn-dsa-4 t").code(0);
    directory.run("--allow-weak sign -k t.key -o t.sig a").code(0);
    directory.run("verify -p k.pub -s t.sig a").code(1).out_has("FN-DSA-4,").out_has("FN-DSA-512");
}

#[test]
fn other_degrees_are_not_algorithms() {
    let directory = TestDirectory::empty();
    for name in ["fn-dsa-2", "fn-dsa-2048", "fn-dsa-500", "512x", "256", "falcon-513", "falcon", "", "fn-dsa-0512"] {
        directory.call("--allow-weak keygen k -a").arg(name).run().code(2).out_empty();
    }
    assert!(directory.names().is_empty());
    for name in ["512", "fn-dsa-512", "1024", "fn-dsa-1024"] {
        directory.run(&format!("keygen -f -a {name} k")).code(0).err_has(name.trim_start_matches("fn-dsa-"));
    }
}
