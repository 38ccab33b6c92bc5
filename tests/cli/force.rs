//! Tests for `--force`, for links, and for many processes that write at the same time.

use crate::harness::{TestDirectory, finish};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

#[test]
fn force_replaces_and_makes_the_private_key_private() {
    let place = TestDirectory::ready();
    let before = ["k.key", "k.pub", "a.sig"].map(|name| place.get(name));
    fs::set_permissions(place.path("k.key"), fs::Permissions::from_mode(0o644)).unwrap();
    let inode = fs::metadata(place.path("k.key")).unwrap().ino();
    fs::hard_link(place.path("k.key"), place.path("held")).unwrap();
    place.run("keygen -f k").code(0);
    assert_eq!(place.mode("k.key"), 0o600);
    assert_ne!(fs::metadata(place.path("k.key")).unwrap().ino(), inode);
    assert_eq!(place.get("held"), before[0]);
    place.run("verify -p k.pub a").code(1);
    place.run("sign -f -k k.key a").code(0);
    place.run("verify -p k.pub a").code(0);
    assert_ne!(["k.key", "k.pub", "a.sig"].map(|name| place.get(name)), before);
}

#[test]
fn an_existing_link_is_not_replaced() {
    let place = TestDirectory::ready();
    place.put("target", "precious");
    symlink("target", place.path("b.sig")).unwrap();
    symlink("nowhere", place.path("n.key")).unwrap();
    symlink("nowhere", place.path("m.pub")).unwrap();
    for line in ["sign -k k.key b", "keygen n", "keygen m", "pubkey -k k.key -o b.sig"] {
        place.run(line).code(4).err_has("exists already");
    }
    assert_eq!(place.text("target"), "precious");
    assert!(!place.has("nowhere") && !place.has("n.pub") && !place.has("m.key"));
}

#[test]
fn force_replaces_the_link_and_not_its_target() {
    let place = TestDirectory::ready();
    place.put("target", "precious");
    symlink("target", place.path("b.sig")).unwrap();
    symlink("nowhere", place.path("n.key")).unwrap();
    place.run("sign -f -k k.key b").code(0);
    place.run("keygen -f n").code(0);
    assert_eq!(place.text("target"), "precious");
    assert!(!place.has("nowhere"));
    for name in ["b.sig", "n.key"] {
        assert!(place.path(name).symlink_metadata().unwrap().is_file(), "{name}");
    }
    assert_eq!(place.mode("n.key"), 0o600);
    place.run("verify -p k.pub b").code(0);
}

#[test]
fn one_of_twenty_concurrent_keygens_writes_both_files() {
    let place = TestDirectory::empty();
    let children: Vec<_> = (0..20).map(|_| place.call("keygen k").spawn()).collect();
    let codes: Vec<_> = children.into_iter().map(|child| finish(child).code).collect();
    assert_eq!(codes.iter().filter(|code| **code == 0).count(), 1, "{codes:?}");
    assert_eq!(codes.iter().filter(|code| **code == 4).count(), 19, "{codes:?}");
    assert_eq!(place.names(), ["k.key", "k.pub"]);
    place.run("inspect k.key k.pub").code(0).out_has("a key pair");
}

#[test]
fn a_replaced_signature_file_is_always_valid() {
    let place = TestDirectory::ready();
    let children: Vec<_> = (0..20).map(|_| place.call("sign -f -k k.key a").spawn()).collect();
    let waiting = std::thread::spawn(move || children.into_iter().map(|child| finish(child).code).collect::<Vec<_>>());
    let mut seen = std::collections::BTreeSet::from([place.get("a.sig")]);
    while !waiting.is_finished() {
        seen.insert(place.get("a.sig"));
    }
    assert_eq!(waiting.join().unwrap(), [0; 20]);
    seen.insert(place.get("a.sig"));
    assert!(seen.len() > 1);
    for signature in seen {
        place.put("seen", signature);
        place.run("verify -p k.pub -s seen a").code(0);
    }
    fs::remove_file(place.path("seen")).unwrap();
    assert_eq!(place.names(), TestDirectory::ready().names());
}
