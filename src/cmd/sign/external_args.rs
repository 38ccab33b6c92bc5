//! The options of `sign` for signatures from an external program, for example a key management
//! service. They are in a separate struct to save stack (see `format_args`).

use crate::tool::io::InputSource;
use crate::tool::options::form::{MuForm, any_mu_form};
use crate::tool::options::heading;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use fndsa::Algorithm;
use fndsa::algorithm::MU_LEN;
use fndsa::files::hex::from_hex;
use std::path::PathBuf;

/// Returns a hint if a file is probably not a signature, but a mu (a 64-byte hash to be signed by
/// an external program). Returns `None` if the file does not have the length of a mu, or if
/// signatures of the algorithm cannot be made from a mu.
pub(super) fn hint_for_mu(source: &InputSource, algorithm: Algorithm) -> Option<String> {
    if !algorithm.scheme().has_mu() {
        return None;
    }
    // Read only files with a known length, because a pipe, whose length is unknown, can be read
    // only once.
    source.file_len()?;
    let data = source.read_small().ok()?;
    let text = data.trim_ascii();
    let form = if data.len() == MU_LEN {
        "64 bytes"
    } else if from_hex(text).is_ok_and(|value| value.len() == MU_LEN) {
        "64 bytes in hexadecimal digits"
    } else if STANDARD.decode(text).is_ok_and(|value| value.len() == MU_LEN) {
        "64 bytes in base64"
    } else {
        return None;
    };
    Some(format!(
        "the file contains {form}, which is the length of a mu and not of a signature by this key: sign the mu with the other \
         program, and give the signature"
    ))
}

#[derive(clap::Args, Debug)]
pub struct ExternalSignerArgs {
    /// Print the external mu of each FILE instead of signing it
    ///
    /// Another signer, such as a key management service, can sign the mu. A public key is enough for this option. With several FILEs
    /// each line ends with the file name. With --dsse, --jws or --cms, the mu is for the bytes that a signature in this format covers,
    /// and with --list for the list. The default FORM is hex.
    #[arg(long, value_name = "FORM", num_args = 0..=1, require_equals = true, default_missing_value = "hex",
        value_parser = any_mu_form(), group = "elsewhere",
        conflicts_with_all = ["output", "inline", "mu", "format", "encoding", "force"],
        help_heading = heading::EXPERT, hide_short_help = true)]
    pub(super) print_mu: Option<MuForm>,
    /// Signature of FILE that another program made, for example a key management service
    ///
    /// fndsa verifies the signature with the key of --public-key, and then writes it as it writes its own signatures. With --dsse, --ssh,
    /// --jws, --cms or --list, the other program must sign the bytes that the format defines, or the mu of --print-mu.
    #[arg(long, value_name = "SIGNATURE", group = "elsewhere",
        conflicts_with_all = ["print_mu", "encoding", "deterministic", "key", "key_env"],
        help_heading = heading::EXPERT, hide_short_help = true)]
    pub(super) signature: Option<PathBuf>,
    /// Public key for --print-mu and --signature
    #[arg(short, long, alias = "pubkey", value_name = "FILE",
        conflicts_with_all = ["key", "key_env"], help_heading = heading::EXPERT, hide_short_help = true)]
    pub(super) public_key: Option<PathBuf>,
}
