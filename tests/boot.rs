//! Tests verification with a key that is a constant in the program: published signatures are valid,
//! and data without a valid signature is rejected.

mod common;

use common::library::prehash;
use common::{cases, vector_file};
use fndsa::Options;
use fndsa::algorithm::{PreHash, Scheme};
use fndsa::error::MessageError;
use fndsa::error::VerifyError;
use fndsa::message::MessageDigest;
use fndsa::no_alloc::{FnDsa512Key, FnDsa1024Key, Level};
use fndsa::no_alloc::{StaticVerifyingKey, Verified};

/// The key and the signature for the images in `firmware/`.
static KEY: FnDsa512Key = FnDsa512Key::new(*include_bytes!("../firmware/data/boot.pub"));
const SIGNATURE: [u8; 666] = *include_bytes!("../firmware/data/boot.sig");

fn application() -> Vec<u8> {
    (0..32usize << 10).map(|i| (i + i / 256) as u8).collect()
}

/// Returns the verdict on a message that is passed in pieces of this length.
fn answer<const N: usize, const LEN: usize>(
    key: &StaticVerifyingKey<N, LEN>,
    form: Options<'_>,
    message: &[u8],
    piece: usize,
    signature: &[u8],
) -> Result<(), VerifyError> {
    let mut image = match form.prehash {
        None => {
            let mut image = key.verifier(form).map_err(VerifyError::Message)?;
            message.chunks(piece).for_each(|piece| image.update(piece));
            image
        }
        Some(hash) => {
            let not_hashed = key.verifier(form).map(drop);
            assert_eq!(not_hashed, Err(MessageError::NotHashed { hash }));
            let digest = MessageDigest::new(hash, message).map_err(VerifyError::Message)?;
            key.digest_verifier(form, &digest).map_err(VerifyError::Message)?
        }
    };
    let mut work = [0x5a5a; N];
    let answer = image.finish(signature, &mut work)?;
    assert_eq!(answer.value(), Verified::YES);
    assert_eq!(image.finish(signature, &mut work), Err(VerifyError::OtherMessage), "a second answer");
    Ok(())
}

#[test]
fn the_compiler_hashes_the_key() {
    let level = Level::detect();
    let key = fndsa::testing::verifying_key(Scheme::FnDsa, KEY.as_bytes()).expect("a good key");
    assert_eq!(KEY.key_hash(), key.key_hash(level));
}

#[test]
fn pages_of_any_length_and_nothing_else() {
    let image = application();
    for piece in [1, 7, 136, 256, 4096, image.len()] {
        assert_eq!(answer(&KEY, Options::default(), &image, piece, &SIGNATURE), Ok(()), "{piece}");
    }
    let refused = |form, message: &[u8], signature: &[u8]| {
        let found = answer(&KEY, form, message, 256, signature);
        assert!(found.is_err(), "{form:?}");
        found
    };
    let no = Err(VerifyError::Mismatch);
    assert_eq!(refused(Options::default(), &image[1..], &SIGNATURE), no);
    assert_eq!(refused(Options::with_context(b"x"), &image, &SIGNATURE), no);
    let prehash = Some(PreHash::Sha256);
    assert_eq!(refused(Options::default().with_prehash(prehash), &image[..32], &SIGNATURE), no);
    let short = MessageError::DigestLen { expected: 32, found: 31 };
    assert_eq!(
        refused(Options::default().with_prehash(prehash), &image[..31], &SIGNATURE),
        Err(VerifyError::Message(short))
    );
    let long = MessageError::ContextLen { found: 256 };
    assert_eq!(refused(Options::with_context(&[0; 256]), &image, &SIGNATURE), Err(VerifyError::Message(long)));
    let cut = VerifyError::Length { expected: 666, found: 665 };
    assert_eq!(refused(Options::default(), &image, &SIGNATURE[..665]), Err(cut));
    assert!(refused(Options::default(), &image, &[]).is_err());
    let mut other = *KEY.as_bytes();
    other[100] ^= 1;
    assert!(answer(&FnDsa512Key::new(other), Options::default(), &image, 256, &SIGNATURE).is_err());
}

#[test]
fn a_flipped_bit_of_the_signature_is_no() {
    let image = &application();
    for bit in 0..8 * SIGNATURE.len() {
        let mut changed = SIGNATURE;
        changed[bit / 8] ^= 1 << (bit % 8);
        assert!(answer(&KEY, Options::default(), image, 4096, &changed).is_err(), "bit {bit}");
    }
}

/// The constant keys accept the published signatures at degrees 512 and 1024, with their contexts
/// and pre-hashes.
#[test]
fn published_vectors_are_believed() {
    let file = vector_file("sign-a.json");
    let (keys, vectors) = (cases(&file, "keys"), cases(&file, "vectors"));
    let mut seen = [0; 2];
    for v in &vectors {
        let key = keys.iter().find(|k| k.int("id") == v.int("key")).expect("the key");
        let (vk, context, message, signature) = (key.bytes("vk"), v.bytes("ctx"), v.bytes("hv"), v.bytes("sig"));
        let prehash = match v.text("hash") {
            "extmu" => continue,
            "raw" => None,
            name => Some(prehash(name)),
        };
        let form = Options::with_context(&context).with_prehash(prehash);
        let found = match vk.len() {
            897 => answer(&FnDsa512Key::new(vk.try_into().expect("its length")), form, &message, 100, &signature),
            1793 => answer(&FnDsa1024Key::new(vk.try_into().expect("its length")), form, &message, 100, &signature),
            _ => continue,
        };
        assert_eq!(found, Ok(()));
        seen[usize::from(signature.len() > 666)] += 1;
    }
    assert!(seen[0] > 0 && seen[1] > 0, "{seen:?}");
}
