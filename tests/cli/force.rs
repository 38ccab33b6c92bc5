//! Tests for `--force`, for links, and for many processes that write at the same time.

use crate::harness::{TestDirectory, finish};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

#[test]
fn force_replaces_and_makes_the_private_key_private() {
    let directory = TestDirectory::ready();
    let originals = ["k.key", "k.pub", "a.sig"].map(|name| directory.get(name));
    fs::set_permissions(directory.path("k.key"), fs::Permissions::from_mode(0o644)).unwrap();
    let inode = fs::metadata(directory.path("k.key")).unwrap().ino();
    fs::hard_link(directory.path("k.key"), directory.path("held")).unwrap();
    directory.run("keygen -f k").code(0);
    assert_eq!(directory.mode("k.key"), 0o600);
    assert_ne!(fs::metadata(directory.path("k.key")).unwrap().ino(), inode);
    assert_eq!(directory.get("held"), originals[0]);
    directory.run("verify -p k.pub a").code(1);
    directory.run("sign -f -k k.key a").code(0);
    directory.run("verify -p k.pub a").code(0);
    assert_ne!(["k.key", "k.pub", "a.sig"].map(|name| directory.get(name)), originals);
}

#[test]
fn an_existing_link_is_not_replaced() {
    let directory = TestDirectory::ready();
    directory.put("target", "precious");
    symlink("target", directory.path("b.sig")).unwrap();
    symlink("nowhere", directory.path("n.key")).unwrap();
    symlink("nowhere", directory.path("m.pub")).unwrap();
    for line in ["sign -k k.key b", "keygen n", "keygen m", "pubkey -k k.key -o b.sig"] {
        directory.run(line).code(4).err_has("exists already");
    }
    assert_eq!(directory.text("target"), "precious");
    assert!(!directory.has("nowhere") && !directory.has("n.pub") && !directory.has("m.key"));
}

#[test]
fn force_replaces_the_link_and_not_its_target() {
    let directory = TestDirectory::ready();
    directory.put("target", "precious");
    symlink("target", directory.path("b.sig")).unwrap();
    symlink("nowhere", directory.path("n.key")).unwrap();
    directory.run("sign -f -k k.key b").code(0);
    directory.run("keygen -f n").code(0);
    assert_eq!(directory.text("target"), "precious");
    assert!(!directory.has("nowhere"));
    for name in ["b.sig", "n.key"] {
        assert!(directory.path(name).symlink_metadata().unwrap().is_file(), "{name}");
    }
    assert_eq!(directory.mode("n.key"), 0o600);
    directory.run("verify -p k.pub b").code(0);
}

#[test]
fn one_of_twenty_concurrent_keygens_writes_both_files() {
    let directory = TestDirectory::empty();
    let children: Vec<_> = (0..20).map(|_| directory.call("keygen k").spawn()).collect();
    let codes: Vec<_> = children.into_iter().map(|child| finish(child).code).collect();
    assert_eq!(codes.iter().filter(|code| **code == 0).count(), 1, "{codes:?}");
    assert_eq!(codes.iter().filter(|code| **code == 4).count(), 19, "{codes:?}");
    assert_eq!(directory.names(), ["k.key", "k.pub"]);
    directory.run("inspect k.key k.pub").code(0).out_has("a key pair");
}

#[test]
fn a_replaced_signature_file_is_always_valid() {
    let directory = TestDirectory::ready();
    let children: Vec<_> = (0..20).map(|_| directory.call("sign -f -k k.key a").spawn()).collect();
    let waiting = std::thread::spawn(move || children.into_iter().map(|child| finish(child).code).collect::<Vec<_>>());
    let mut signatures = std::collections::BTreeSet::from([directory.get("a.sig")]);
    while !waiting.is_finished() {
        signatures.insert(directory.get("a.sig"));
    }
    assert_eq!(waiting.join().unwrap(), [0; 20]);
    signatures.insert(directory.get("a.sig"));
    assert!(signatures.len() > 1);
    for signature in signatures {
        directory.put("seen", signature);
        directory.run("verify -p k.pub -s seen a").code(0);
    }
    fs::remove_file(directory.path("seen")).unwrap();
    assert_eq!(directory.names(), TestDirectory::ready().names());
}
