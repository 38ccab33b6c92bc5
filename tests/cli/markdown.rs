//! `inspect --markdown`: lines for the README of a project, which verify what they say.

use crate::harness::Place;

/// The lines that stand indented: commands and values.
fn indented(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.strip_prefix("    ")).collect()
}

#[test]
fn the_lines_verify() {
    let place = Place::empty();
    for algorithm in ["fn-dsa-512", "falcon-1024", "ml-dsa-65"] {
        place.run(&format!("keygen --force -a {algorithm} release")).code(0);
        place.put("FILE", "a release");
        place.run("sign --force -k release.key FILE").code(0);
        let text = place.run("inspect --markdown release.pub").code(0).out;
        let json = place.run("--json inspect --markdown release.pub").code(0).json();
        assert_eq!(format!("{}\n", json["results"][0]["markdown"].as_str().unwrap()), text);
        let [fingerprint, command] = indented(&text)[..] else { panic!("{text}") };
        assert_eq!(json["results"][0]["key"]["fingerprint"], fingerprint);
        assert!(text.to_lowercase().contains(&format!("the {algorithm} key")), "{text}");
        let arguments = command.strip_prefix("fndsa ").unwrap();
        place.run(arguments).code(0).says("FILE: OK");
        place.put("FILE", "another");
        place.run(arguments).code(1);
        place.run("keygen --force other").code(0);
        place.put("FILE", "a release");
        place.run(&arguments.replace("release.pub", "other.pub")).code(1);
    }
}

/// Of two keys both must have signed.
#[test]
fn the_lines_of_two_keys_want_both() {
    let place = Place::empty();
    place.run("keygen --dual release").code(0);
    place.put("FILE", "a release");
    place.run("sign -k release.key -k release-ed25519.key FILE").code(0);
    let text = place.run("inspect --markdown release.pub release-ed25519.pub").code(0).out;
    let [lattice, classic, command] = indented(&text)[..] else { panic!("{text}") };
    assert!(lattice.starts_with("FN-DSA-512 sha256:") && classic.starts_with("Ed25519 sha256:"), "{text}");
    let arguments = command.strip_prefix("fndsa ").unwrap();
    place.run(arguments).code(0).says("FILE: OK").says(lattice).says(classic);
    place.run("sign -f -k release.key FILE").code(0);
    place.run(arguments).code(1).says("1 of the 2 keys that are required");
    // Both keys in one file, and each for itself in JSON.
    place.sh("cat release.pub release-ed25519.pub >both.pub").code(0);
    let done = place.run("inspect --markdown both.pub").code(0);
    let [one, other, command] = indented(&done.out)[..] else { panic!("{}", done.out) };
    assert_eq!([one, other], [lattice, classic]);
    place.run(command.strip_prefix("fndsa ").unwrap()).code(1).says("1 of the 2 keys that are required");
    place.run("sign -f -k release.key -k release-ed25519.key FILE").code(0);
    place.run(command.strip_prefix("fndsa ").unwrap()).code(0).says(lattice);
    let json = place.run("--json inspect --markdown release.pub release-ed25519.pub").code(0).json();
    assert_eq!(
        indented(json["results"][1]["markdown"].as_str().unwrap())[0],
        classic.strip_prefix("Ed25519 ").unwrap()
    );
    // Lines for the keys that could be read would want too few signatures.
    let done = place.run("inspect --markdown release.pub release.key").code(3);
    assert_eq!(done.out, "");
}

#[test]
fn a_name_that_is_odd_is_quoted() {
    let place = Place::empty();
    place.run("keygen release").code(0);
    place.sh("mkdir d && cp release.pub 'd/my key.pub'").code(0);
    let text = place.sh("$FNDSA inspect --markdown 'd/my key.pub'").code(0).out;
    assert!(text.contains("verify -p 'my key.pub' --expect-key sha256:"), "{text}");
    let text = place.sh("$FNDSA inspect --markdown - <release.pub").code(0).out;
    assert!(text.contains("verify -p KEY.pub --expect-key sha256:"), "{text}");
}

#[test]
fn only_a_public_key_has_such_lines() {
    let place = Place::empty();
    place.run("keygen release").code(0);
    place.put("a", "a");
    place.run("sign -k release.key a").code(0);
    for (file, kind) in [("release.key", "private key"), ("a.sig", "signature")] {
        let done = place.run(&format!("inspect --markdown {file}")).code(3);
        let done = done.complains(&format!("{file}: this is a {kind}, not a public key"));
        assert_eq!(done.out, "");
        let json = place.run(&format!("--json inspect --markdown {file}")).code(3).json();
        assert_eq!(json["results"][0]["reason"], "wrong_kind");
    }
}
