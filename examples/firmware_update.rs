//! Verifies a firmware image with ML-DSA-87 before a device installs it. The device code needs no
//! allocator: it uses only the module `no_alloc`, and its buffers are arrays. The function `main`
//! simulates the manufacturer, which signs the image.
//!
//! ```text
//! cargo run --release --no-default-features --features sign,falcon,ml-dsa --example firmware_update
//! ```
//!
//! An image in flash consists of a header, the program and a signature. The signature is for the
//! header and the program:
//!
//! | bytes | contents |
//! |---|---|
//! | 4 | `FWUP` |
//! | 4 | the version, little-endian |
//! | 4 | the length of the program in bytes, little-endian |
//! | | the program |
//! | 4627 | the signature |

use fndsa::no_alloc::{Attempt, Level, SigningHasher, SigningKeyRef, Verified, VerifyingHasher, VerifyingKeyRef};
use fndsa::{Algorithm, Options};
use getrandom::SysRng;
use std::error::Error;

const ALGORITHM: Algorithm = Algorithm::ML_DSA_87;
/// The context separates images for this device from all other signatures by the same key.
const OPTIONS: Options<'_> = Options::with_context(b"firmware of the example device");
const MAGIC: &[u8; 4] = b"FWUP";
const HEADER: usize = 12;
/// The number of bytes that the device reads from flash at a time.
const PAGE: usize = 256;

/// The reason why a device rejects an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ImageRejection {
    /// The header is not valid, or the image is longer than the flash.
    Header,
    /// The image is not newer than the installed version.
    Version,
    /// The public key in the device is not valid.
    PublicKey,
    /// The signature is not valid.
    Signature,
}

/// An image with a valid signature.
#[derive(Debug, PartialEq, Eq)]
struct VerifiedImage<'f> {
    version: u32,
    program: &'f [u8],
}

/// Returns the little-endian number at an offset.
fn number(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at + 4)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
}

/// Splits the flash contents into the signed bytes and the signature.
fn split(flash: &[u8]) -> Option<(&[u8], &[u8])> {
    let len = usize::try_from(number(flash, 8)?).ok()?;
    let (signed, rest) = flash.split_at_checked(HEADER.checked_add(len)?)?;
    Some((signed, rest.get(..ALGORITHM.signature_len())?))
}

/// Verifies the image in `flash`. Only an image with a higher version than `installed` is accepted,
/// because an attacker can send an old image with its valid signature.
fn check<'f>(flash: &'f [u8], public: &[u8], installed: u32) -> Result<VerifiedImage<'f>, ImageRejection> {
    if !flash.starts_with(MAGIC) {
        return Err(ImageRejection::Header);
    }
    let version = number(flash, 4).ok_or(ImageRejection::Header)?;
    let (signed, signature) = split(flash).ok_or(ImageRejection::Header)?;
    if version <= installed {
        return Err(ImageRejection::Version);
    }
    let level = Level::detect();
    let key = VerifyingKeyRef::of_algorithm(ALGORITHM, public).map_err(|_| ImageRejection::PublicKey)?;
    let rejected = ImageRejection::Signature;
    let mut image =
        VerifyingHasher::new(level, ALGORITHM, &key.bound_hash(level), OPTIONS, signature).map_err(|_| rejected)?;
    for page in signed.chunks(PAGE) {
        image.update(page);
    }
    let image = image.finish();
    let mut work = [0; ALGORITHM.verify_work_len()];
    let verified = key.verified(level, &image, signature, &mut work).map_err(|_| rejected)?;
    // Only a verification computes this value. If a fault (for example, a voltage glitch) skips the
    // verification, the value is not `YES`.
    if verified.value() != Verified::YES {
        return Err(rejected);
    }
    Ok(VerifiedImage { version, program: &signed[HEADER..] })
}

/// The manufacturer's keys and work memory.
struct Manufacturer {
    private: [u8; ALGORITHM.signing_key_len()],
    public: [u8; ALGORITHM.verifying_key_len()],
    work: [u8; ALGORITHM.sign_work_len()],
}

impl Manufacturer {
    /// Generates the key pair.
    fn new() -> Result<Self, Box<dyn Error>> {
        let mut it = Self {
            private: [0; ALGORITHM.signing_key_len()],
            public: [0; ALGORITHM.verifying_key_len()],
            work: [0; ALGORITHM.sign_work_len()],
        };
        let Self { private, public, work } = &mut it;
        SigningKeyRef::generate(Level::detect(), ALGORITHM, &mut SysRng, private, public, work)?;
        Ok(it)
    }

    /// Returns an image for a program.
    fn image(&mut self, version: u32, program: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
        let level = Level::detect();
        let mut image = MAGIC.to_vec();
        image.extend(version.to_le_bytes());
        image.extend(u32::try_from(program.len())?.to_le_bytes());
        image.extend(program);
        let key = SigningKeyRef::of_algorithm(level, ALGORITHM, &self.private, &mut self.work)?;
        let mut attempts = [Attempt::EMPTY];
        let hash = key.key_hash();
        let mut message = SigningHasher::new(level, ALGORITHM, &hash, OPTIONS, &mut attempts, &mut SysRng)?;
        message.update(&image);
        let mut signature = [0; ALGORITHM.signature_len()];
        key.sign(level, message.finish(), &mut SysRng, &mut signature, &mut self.work)?;
        image.extend(signature);
        Ok(image)
    }
}

/// Runs the example.
pub fn main() -> Result<(), Box<dyn Error>> {
    let mut manufacturer = Manufacturer::new()?;
    let program = [0x5a; 10_000];
    let image = manufacturer.image(7, &program)?;
    let public = manufacturer.public;

    // The flash can be longer than the image.
    let mut flash = [0xff; 16 << 10];
    flash[..image.len()].copy_from_slice(&image);
    assert_eq!(check(&flash, &public, 6), Ok(VerifiedImage { version: 7, program: &program }));

    // The device rejects an old version, and any change of the header, the program or the
    // signature.
    assert_eq!(check(&flash, &public, 7), Err(ImageRejection::Version));
    for (at, rejection) in [
        (0, ImageRejection::Header),
        (4, ImageRejection::Signature),
        (8, ImageRejection::Signature),
        (11, ImageRejection::Header),
        (HEADER, ImageRejection::Signature),
        (HEADER + program.len() - 1, ImageRejection::Signature),
        (image.len() - 1, ImageRejection::Signature),
    ] {
        let mut changed = flash;
        changed[at] ^= 8;
        assert_eq!(check(&changed, &public, 6), Err(rejection), "byte {at}");
    }
    assert_eq!(check(&image[..image.len() - 1], &public, 6), Err(ImageRejection::Header));
    assert_eq!(check(&flash, &public[1..], 6), Err(ImageRejection::PublicKey));
    // An image that a different manufacturer signed.
    let other = Manufacturer::new()?.image(8, &program)?;
    assert_eq!(check(&other, &public, 6), Err(ImageRejection::Signature));
    println!("OK, with {} bytes of work memory", ALGORITHM.verify_work_len());
    Ok(())
}
