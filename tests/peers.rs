//! Programs and crates that nobody here wrote, with each other and with the library.

mod common;
#[path = "common/peers.rs"]
mod peers;
#[path = "common/programs.rs"]
mod programs;

use common::{Random, assert_same, hex, parallel, to_hex};
use peers::{Falcon, Form, falcon_peers};

/// A message of up to 300 bytes.
fn some_bytes(random: &mut Random) -> Vec<u8> {
    let mut bytes = vec![0; random.below(300)];
    random.fill(&mut bytes);
    bytes
}

/// The same with one bit changed.
fn flipped(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let (mut bytes, bit) = (bytes.to_vec(), random.below(8 * bytes.len()));
    bytes[bit / 8] ^= 1 << (bit % 8);
    bytes
}

/// That a peer accepts a signature, and refuses it with one bit changed and for another message.
#[track_caller]
fn accepts(peer: &dyn Falcon, form: Form, vk: &[u8], message: &[u8], signature: &[u8], random: &mut Random, by: &str) {
    let case = |signature: &[u8]| {
        let (name, vk, message, signature) = (peer.name(), to_hex(vk), to_hex(message), to_hex(signature));
        format!("{name}, {form:?} by {by}: public key {vk}, message {message}, signature {signature}")
    };
    assert!(peer.verify(form, vk, message, signature), "refused by {}", case(signature));
    let other = flipped(signature, random);
    assert!(!peer.verify(form, vk, message, &other), "one bit changed and accepted by {}", case(&other));
    let message = [message, b"!"].concat();
    assert!(!peer.verify(form, vk, &message, signature), "another message accepted by {}", case(signature));
}

/// Every peer signs with the keys of every peer, and all verify that.
fn peers_agree(logn: u32, keys: usize) {
    let peers = falcon_peers();
    let signatures = parallel(peers.len() * keys, |i| {
        let mut random = Random::new("peers agree", (logn as usize) << 32 | i);
        let maker = peers[i % peers.len()];
        let (sk, vk) = maker.keygen(logn, &mut random);
        let mut count = 0;
        for signer in &peers {
            for form in signer.forms() {
                let message = some_bytes(&mut random);
                let signature = signer.sign(*form, &sk, &message, &mut random);
                let by = format!("{} with a key of {}", signer.name(), maker.name());
                for peer in peers.iter().filter(|peer| peer.forms().contains(form)) {
                    accepts(*peer, *form, &vk, &message, &signature, &mut random, &by);
                    count += 1;
                }
            }
        }
        count
    });
    println!("degree 2^{logn}: {} peers, {} verdicts", peers.len(), signatures.iter().sum::<usize>());
}

#[test]
fn peers_agree_on_falcon_512() {
    peers_agree(9, 4);
}

#[test]
fn peers_agree_on_falcon_1024() {
    peers_agree(10, 1);
}

#[test]
fn keys_of_others_pass_through_bouncycastle() {
    let Some(program) = programs::bouncycastle() else { return };
    for (logn, oid) in [(9, hex("06052bce0f030b")), (10, hex("06052bce0f030e"))] {
        for peer in falcon_peers() {
            let (sk, vk) = peer.keygen(logn, &mut Random::new("bouncycastle", logn as usize));
            let (pkcs8, spki) = program.write_der(&sk, &vk);
            for der in [&pkcs8, &spki] {
                assert!(der.windows(oid.len()).any(|it| it == oid), "1.3.9999.3 of degree 2^{logn}");
            }
            let (private, public) = program.read_pkcs8(logn, &pkcs8);
            assert_same(&private, &sk, "private key");
            assert_same(&public, &vk, "public key beside the private key");
            assert_same(&program.read_spki(logn, &spki), &vk, "public key");
        }
    }
}
