//! Measures other projects' implementations in the same way as this library. The images `peer_c`
//! and `peer_rust`, which `firmware/run --peers` runs, call this module.

use crate::board::measure;
use crate::say;

/// The message that peers sign: 32 bytes, as in the image `measure`.
pub const MESSAGE: &[u8] = b"32 bytes that are signed, always";
/// The number of runs for key generation and signing. The time to generate a key depends on the
/// seed. The image `measure` uses the same number.
const RUNS: u64 = match option_env!("FNDSA_LONG") {
    Some(_) => 100,
    None => 4,
};

/// A peer's operations with an algorithm. Each operation returns whether it succeeded.
pub trait PeerOperations {
    /// Generates a key pair from a new seed.
    fn keygen(&mut self) -> bool;
    /// Loads the private key and signs [`MESSAGE`].
    fn sign(&mut self) -> bool;
    /// Loads the public key and verifies the signature.
    fn verify(&mut self) -> bool;
    /// Returns the sizes of the work memory for `keygen`, `sign` and `verify`, in bytes.
    fn work_lens(&self) -> [usize; 3];
}

/// Prints a line for each operation. Returns whether all operations succeeded.
pub fn measure_operations(algorithm: &str, peer: &mut dyn PeerOperations) -> bool {
    let [keygen_work, sign_work, verify_work] = peer.work_lens();
    print_line(algorithm, "keygen", keygen_work, RUNS, &mut || peer.keygen())
        && print_line(algorithm, "sign", sign_work, RUNS, &mut || peer.sign())
        && print_line(algorithm, "verify", verify_work, 2, &mut || peer.verify())
}

/// Measures an operation and prints a line: `algorithm operation work stack fewest mean most`.
fn print_line(algorithm: &str, operation: &str, work: usize, runs: u64, run: &mut dyn FnMut() -> bool) -> bool {
    let (mut stack, mut sum, mut min_steps, mut max_steps) = (0, 0, u64::MAX, 0);
    let mut succeeded = true;
    for _ in 0..runs {
        let cost = measure(&mut || succeeded &= run());
        stack = cost.stack.max(stack);
        sum += cost.counter_steps;
        min_steps = cost.counter_steps.min(min_steps);
        max_steps = cost.counter_steps.max(max_steps);
    }
    say!("{algorithm} {operation} {work} {stack} {min_steps} {} {max_steps}", sum / runs);
    succeeded
}
