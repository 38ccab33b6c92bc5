//! The work that commands have in common: keys are loaded and checked, files signed and verified, results put in order.
//!
//! - `loader`: loads and checks keys and signatures
//! - `unlock`: gets the password of a private key
//! - `public`: public keys with their fingerprints, and trusted keys
//! - `message`: hashes an input to the value that is signed
//! - `prehash`: pre-hashes of a message
//! - `signer`: all keys that sign a file
//! - `key_signer`: a key that signs, and verifies each new signature again
//! - `key_note`: the line before an encrypted private key
//! - `signatures`: the signatures in a file
//! - `envelope`: DSSE envelopes
//! - `verifier`: verifies a signature over a file or over memory
//! - `alternatives`: finds causes of a NO that a single additional check can prove
//! - `no`: rejections, with message, reason code and hint
//! - `pending`: the keys that may match each signature of a file, and the results so far
//! - `term`: parses key lines
//! - `terms`: applies the key lines of a trusted key
//! - `lines`: the messages of `verify` about each file
//! - `claims`: the signature note that a file contains, which is not authenticated
//! - `noted`: parses and writes the signature note
//! - `explain`: finds other options and keys with which a signature would match
//! - `mixups`: detects that a different file was meant
//! - `clock`: the current day, for comparisons with dates
//! - `pair`: creates a key pair and its two files
//! - `contents`: the contents of a new key file
//! - `recode`: converts keys to other schemes, and signatures to other encodings
//! - `checksum`: the checksums in a list
//! - `ordered`: runs work on several threads and returns the results in order
//! - `groups`: divides many files into groups, each for a thread
//! - `identity`: the fingerprint of a public key, and a name that is equal in all schemes
//! - `request`: parses a request, which is a line of JSON
//! - `stream`: answers requests in order
//! - `deterministic`: known bytes instead of random bytes, for tests and test vectors

pub mod alternatives;
pub mod checksum;
pub mod claims;
pub mod clock;
pub mod contents;
pub mod deterministic;
pub mod envelope;
pub mod explain;
pub mod groups;
pub mod identity;
pub mod key_note;
pub mod key_signer;
pub mod lines;
pub mod loader;
pub mod message;
pub mod mixups;
pub mod no;
pub mod noted;
pub mod ordered;
pub mod pair;
pub mod pending;
pub mod prehash;
pub mod public;
pub mod recode;
pub mod request;
pub mod signatures;
pub mod signer;
pub mod stream;
mod term;
pub mod terms;
pub mod unlock;
pub mod verifier;
