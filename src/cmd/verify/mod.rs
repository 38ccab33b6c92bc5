//! `fndsa verify`: prints a verdict for each file.
//!
//! - `plan`: checks the command line, and loads the keys
//! - `each`: verifies files that have separate signature files
//! - `enclosed`: verifies files that contain their signatures (`--attached`, `--dsse`,
//!   `--kernel-module`)
//! - `list`: the options for a list (`-M`), and the parameters for verifying it
//! - `manifest`: verifies a signed list
//! - `listed`: verifies the files in a list
//! - `stream`: answers requests from other programs (`--stream`)

mod each;
mod enclosed;
mod list;
mod listed;
mod manifest;
mod plan;
mod stream;

use crate::tool::context::CommandContext;
use crate::tool::message::dsse::PayloadType;
use crate::tool::options::algorithm::{any_algorithm, parse_encoding};
use crate::tool::options::heading;
use crate::tool::options::lists::ListArgs;
use crate::tool::options::message::MessageArgs;
use crate::tool::options::trust::{CONFLICTS_WITH_FOREIGN_FORMATS, TrustArgs};
use crate::tool::report::{Error, Report, SuccessToken};
use fndsa::Algorithm;
use fndsa::algorithm::SignatureEncoding;
use fndsa::files::Date;
use list::ListToVerify;
use plan::VerifyPlan;
use std::path::PathBuf;

/// The options that conflict with `--stream`. If option A requires an option in this array, A must
/// also be in the array. Otherwise, clap would accept A together with `--stream`: clap does not
/// check a requirement that conflicts with a given option.
const CONFLICTS_WITH_STREAM: [&str; 16] = [
    "files",
    "files_from",
    "null",
    "signature",
    "attached",
    "output",
    "force",
    "manifest",
    "directory",
    "strict",
    "ignore_missing",
    "dsse",
    "ssh",
    "jws",
    "cms",
    "kernel_module",
];

/// Further options that conflict with `--cms` and `--kernel-module`: the options for other
/// signature formats, and the options that require one of these formats.
const CONFLICTS_WITH_CMS: [&str; 4] = ["ssh", "jws", "allowed_signers", "signer"];

/// The options that conflict with `--attached`, `--dsse` and `--kernel-module`, because FILE
/// contains the signatures.
const CONFLICTS_WITH_ENCLOSED: [&str; 5] = ["signature", "manifest", "prehashed", "mu", "jobs"];

#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    trust: TrustArgs,
    /// Files to verify; the signature of each file is in FILE.sig
    ///
    /// `-` reads the message from standard input.
    #[arg(required_unless_present_any = ["files_from", "manifest", "stream"], value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    lists: ListArgs,
    /// Algorithm of the public keys, if a file does not name it (see `fndsa help algorithms`)
    ///
    /// A raw Falcon key looks like a raw fn-dsa-2024 key. Without this option, fndsa uses it as a Falcon key. falcon-rs-512 and
    /// falcon-rs-1024 use Falcon keys and are never chosen without this option.
    #[arg(short, long, value_name = "NAME", value_parser = any_algorithm(), help_heading = heading::KEYS,
        hide_short_help = true, hide_possible_values = true)]
    algorithm: Option<Algorithm>,
    /// Signature file of the only FILE or of the list
    #[arg(short, long, alias = "sig", value_name = "FILE", help_heading = heading::MESSAGE)]
    signature: Option<PathBuf>,
    /// Accept only Falcon signatures in this encoding [default: all]
    ///
    /// Anybody can convert a valid signature to another encoding.
    #[arg(long, value_name = "NAME", value_parser = parse_encoding(), help_heading = heading::EXPERT,
        hide_short_help = true)]
    encoding: Option<SignatureEncoding>,
    /// Verify signed messages: each FILE contains a signature and its message
    ///
    /// With --cms, FILE is a CMS file. Without --cms, FILE has the format of the programs in NIST's process (Falcon only).
    #[arg(long, group = "enclosed", conflicts_with_all = CONFLICTS_WITH_ENCLOSED, help_heading = heading::EXPERT,
        hide_short_help = true)]
    attached: bool,
    /// Verify DSSE envelopes with a payload of this type
    ///
    /// Programs of the in-toto project write envelopes; the type of their statements is application/vnd.in-toto+json. An envelope
    /// has at most 64 MiB and 64 signatures.
    #[arg(long, value_name = "TYPE", group = "enclosed", conflicts_with_all = CONFLICTS_WITH_ENCLOSED,
        help_heading = heading::MESSAGE, hide_short_help = true)]
    dsse: Option<PayloadType>,
    /// Verify CMS signatures (RFC 5652): FILE.p7s is the signature of FILE
    ///
    /// Only keys of ML-DSA and Ed25519 make such signatures. The public key can be a certificate. fndsa uses no certificate from
    /// the signature, and does not verify who issued the certificate of the key.
    #[arg(long, conflicts_with_all = CONFLICTS_WITH_CMS, conflicts_with_all = CONFLICTS_WITH_FOREIGN_FORMATS,
        help_heading = heading::MESSAGE, hide_short_help = true)]
    cms: bool,
    /// Verify Linux kernel modules: each FILE ends with its signature
    #[arg(long, group = "enclosed", conflicts_with_all = CONFLICTS_WITH_ENCLOSED, conflicts_with_all = CONFLICTS_WITH_CMS,
        conflicts_with_all = CONFLICTS_WITH_FOREIGN_FORMATS,
        conflicts_with = "cms", help_heading = heading::MESSAGE, hide_short_help = true)]
    kernel_module: bool,
    /// Write the verified message or payload to this file, `-` for standard output
    #[arg(short, long, value_name = "FILE", help_heading = heading::OUTPUT, hide_short_help = true)]
    output: Option<PathBuf>,
    /// Replace an existing file
    #[arg(short, long, help_heading = heading::OUTPUT, hide_short_help = true)]
    force: bool,
    #[command(flatten)]
    message: MessageArgs,
    #[command(flatten)]
    list: ListToVerify,
    /// Use this day as today for the days in key lines and lists
    #[arg(long, value_name = "YYYY-MM-DD", help_heading = heading::POLICY, hide_short_help = true)]
    at: Option<Date>,
    /// Find out why a signature does not match
    ///
    /// fndsa tries other options and keys. This is slower and does not change the verdict.
    #[arg(long, help_heading = heading::OUTPUT)]
    explain: bool,
    /// Read requests from standard input and verify what they name: one JSON object per line
    ///
    /// fndsa answers each request with one line on standard output, in the same order. See `fndsa/stream@1` in docs/json.md.
    #[arg(long, conflicts_with_all = CONFLICTS_WITH_STREAM, help_heading = heading::EXPERT, hide_short_help = true)]
    stream: bool,
}

impl Args {
    /// Returns whether the files contain their signatures.
    fn encloses(&self) -> bool {
        self.attached || self.dsse.is_some() || self.kernel_module
    }
}

/// Runs `fndsa verify`. fndsa prints the line for a file as soon as it knows the verdicts on this
/// file and on all files before it.
///
/// # Errors
/// Fails if the command line or a key is rejected, or if standard output fails.
pub fn run(args: &Args, context: &CommandContext, report: &mut Report) -> Result<SuccessToken, Error> {
    VerifyPlan::new(args, context)?.run(report)
}
