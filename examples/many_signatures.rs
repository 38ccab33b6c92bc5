//! Signs and verifies many messages with expanded keys, which are faster than other keys from the
//! second message on.
//!
//! ```text
//! cargo run --release --example many_signatures
//! ```

use fndsa::batch::ExpandedSigningKey;
use fndsa::error::{BatchError, VerifyError};
use fndsa::no_alloc::{Level, MessageToVerify};
use fndsa::{Algorithm, Options, SigningKey};
use getrandom::SysRng;
use std::error::Error;

/// The signatures have no context and no pre-hash.
const OPTIONS: Options<'_> = Options::with_context(b"");

/// Signs the messages one after another, for example as they arrive. The work memory is allocated
/// once for all messages.
fn sign_each(key: &ExpandedSigningKey, messages: &[&[u8]]) -> Result<Vec<Vec<u8>>, Box<dyn Error>> {
    let mut work = vec![0; key.algorithm().sign_expanded_work_len()];
    let mut signatures = Vec::new();
    for message in messages {
        let mut signature = vec![0; key.algorithm().signature_len()];
        key.sign_message(OPTIONS, message, &mut SysRng, &mut signature, &mut work)?;
        signatures.push(signature);
    }
    Ok(signatures)
}

/// Signs all messages in one call. The call hashes eight messages at the same time, with the vector
/// instructions of the processor. For FN-DSA, it also computes eight signatures at the same time.
fn sign_batch(key: &ExpandedSigningKey, messages: &[&[u8]]) -> Result<Vec<Vec<u8>>, Box<dyn Error>> {
    let len = key.algorithm().signature_len();
    let mut work = vec![0; key.algorithm().sign_batch_work_len()];
    let mut signatures = vec![0; messages.len() * len];
    key.sign_message_batch(OPTIONS, messages, &mut SysRng, &mut signatures, &mut work)?;
    Ok(signatures.chunks_exact(len).map(<[u8]>::to_vec).collect())
}

/// Runs the example.
pub fn main() -> Result<(), Box<dyn Error>> {
    let level = Level::detect();
    let messages: [&[u8]; 9] = [b"one", b"two", b"three", b"four", b"five", b"six", b"seven", b"eight", b"nine"];
    for algorithm in [Algorithm::FN_DSA_512, Algorithm::ML_DSA_44] {
        let key = SigningKey::generate(algorithm, &mut SysRng)?;
        let public = key.verifying_key().to_ref().expand(level);
        // The expanded key must not be written to a disk, and is wiped when it is dropped.
        let expanded = key.to_ref().expand(level, &mut vec![0; algorithm.sign_work_len()])?;

        for signatures in [sign_each(&expanded, &messages)?, sign_batch(&expanded, &messages)?] {
            let mut items = Vec::new();
            for (message, signature) in messages.iter().zip(&signatures) {
                items.push((MessageToVerify::message(OPTIONS, message), &signature[..]));
            }
            let mut verdicts = [Err(VerifyError::Mismatch); 9];
            let mut work = vec![0; algorithm.verify_batch_work_len()];
            public.verify_batch(&items, &mut verdicts, &mut work)?;
            assert_eq!(verdicts, [Ok(()); 9]);

            // A signature of a different message changes only its own verdict. The other verdicts
            // are YES.
            items[4].1 = &signatures[3];
            let rejected = public.verify_batch(&items, &mut verdicts, &mut work);
            assert_eq!(rejected, Err(BatchError::Refused { count: 1, first: 4 }));
            assert_eq!(verdicts.iter().filter(|verdict| verdict.is_ok()).count(), 8);

            // A key that is not expanded also verifies the signatures.
            key.verifying_key().verify(OPTIONS, messages[0], &signatures[0])?;
        }
        println!("{algorithm}: OK, {} messages", messages.len());
    }
    Ok(())
}
