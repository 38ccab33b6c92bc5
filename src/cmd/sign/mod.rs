//! `fndsa sign`: creates a signature for each file, or a signature for a list of all files.
//!
//! - `plan`: checks the command line, and loads the keys
//! - `each`: signs each file
//! - `format_args`: the options for the formats of other programs
//! - `external_args`: the options for signatures that an external program makes
//! - `file`: writes a signature file, or adds a signature to an existing file
//! - `manifest`: signs a list of many files (`-M`)
//! - `print_mu`: prints the mu, a message hash to be signed by an external program (`--print-mu`)
//! - `stream`: answers requests from other programs (`--stream`)

mod each;
mod external_args;
mod file;
mod format_args;
mod manifest;
mod plan;
mod print_mu;
mod stream;

use crate::tool::context::CommandContext;
use crate::tool::io::{InputSource, OverwriteRule};
use crate::tool::options::algorithm::{any_algorithm, parse_encoding};
use crate::tool::options::form::any_format;
use crate::tool::options::heading;
use crate::tool::options::key::KeyArgs;
use crate::tool::options::lists::ListArgs;
use crate::tool::options::message::MessageArgs;
use crate::tool::report::file_hints::DIRECT_CMS;
use crate::tool::report::suffix::{
    ATTACHED_SUFFIX, CMS_SUFFIX, ENVELOPE_SUFFIX, JWS_SUFFIX, MODULE_SUFFIX, SUFFIX, with_suffix,
};
use crate::tool::report::{Error, Report, SuccessToken};
use crate::tool::sign::output_format::{CmsStyle, OutputFormat, signer_certificates};
use crate::tool::sign::signing_keys::SigningKeys;
use external_args::ExternalSignerArgs;
use fndsa::Algorithm;
use fndsa::algorithm::SignatureEncoding;
use fndsa::files::Format;
use format_args::FormatArgs;
use manifest::ListToSign;
use plan::SignPlan;
use std::path::PathBuf;

/// The options that conflict with `--stream`. If option A requires an option in this array, A must
/// also be in the array. Otherwise, clap would accept A together with `--stream`, because clap
/// ignores requirements that conflict with a given option.
const CONFLICTS_WITH_STREAM: [&str; 24] = [
    "files",
    "files_from",
    "null",
    "output",
    "manifest",
    "recursive",
    "best_before",
    "comments",
    "inline",
    "print_mu",
    "public_key",
    "signature",
    "format",
    "force",
    "add",
    "dsse",
    "dsse_form",
    "ssh",
    "jws",
    "cms",
    "cms_direct",
    "attached",
    "kernel_module",
    "cert",
];

#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    key: KeyArgs,
    /// Files to sign; fndsa writes each signature to FILE.sig
    ///
    /// `-` reads the message from standard input and writes the signature to standard output.
    #[arg(required_unless_present_any = ["files_from", "recursive", "stream"], value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    lists: ListArgs,
    /// Write the signature to this file, if there is one FILE
    ///
    /// `-` writes the signature to standard output.
    #[arg(short, long, value_name = "FILE", help_heading = heading::OUTPUT)]
    output: Option<PathBuf>,
    /// Algorithm of the private key, if the file does not name it (see `fndsa help algorithms`)
    ///
    /// A raw Falcon key looks like a raw fn-dsa-2024 key. Without this option, fndsa uses it as a Falcon key.
    #[arg(short, long, value_name = "NAME", value_parser = any_algorithm(), help_heading = heading::KEYS,
        hide_short_help = true, hide_possible_values = true)]
    algorithm: Option<Algorithm>,
    /// Format of the signature file
    #[arg(long, value_name = "FORMAT", default_value = "pem", value_parser = any_format(), help_heading = heading::OUTPUT,
        hide_short_help = true)]
    format: Format,
    /// Encoding of a Falcon signature [default: padded]
    #[arg(long, value_name = "NAME", value_parser = parse_encoding(), help_heading = heading::EXPERT,
        hide_short_help = true)]
    encoding: Option<SignatureEncoding>,
    #[command(flatten)]
    message: MessageArgs,
    /// Sign without randomness, so that the signature is always the same (ML-DSA only)
    ///
    /// Randomized signatures, the default, are safer if the machine computes wrongly.
    #[arg(long, conflicts_with = "print_mu", help_heading = heading::EXPERT, hide_short_help = true)]
    deterministic: bool,
    #[command(flatten)]
    list: ListToSign,
    #[command(flatten)]
    formats: FormatArgs,
    #[command(flatten)]
    external: ExternalSignerArgs,
    /// Read requests from standard input and sign what they name: one JSON object per line
    ///
    /// fndsa answers each request with one line on standard output, in the same order. See `fndsa/stream@1` in docs/json.md.
    #[arg(long, conflicts_with_all = CONFLICTS_WITH_STREAM, help_heading = heading::EXPERT, hide_short_help = true)]
    stream: bool,
    /// Add a signature to an existing signature file
    #[arg(long, conflicts_with_all = ["manifest", "print_mu", "stream"], help_heading = heading::SEVERAL)]
    add: bool,
    /// Replace existing files
    ///
    /// With --add, replace only the signatures that name the same key.
    #[arg(short, long, help_heading = heading::OUTPUT)]
    force: bool,
}

/// Runs `fndsa sign`.
///
/// # Errors
/// Fails if the command line or a key is rejected, or if standard output fails.
pub fn run(args: &Args, context: &CommandContext, report: &mut Report) -> Result<SuccessToken, Error> {
    SignPlan::new(args, context, report)?.run(report)
}

impl Args {
    /// Returns the rule for existing output files: `--force` allows fndsa to replace a signature or
    /// an envelope.
    fn force(&self) -> OverwriteRule {
        OverwriteRule::Signatures.with(self.force)
    }

    /// Returns the path of the signature file or envelope for an input: the value of `--output`, or
    /// the input's name and a suffix. For standard input, the path is `-` (standard output).
    fn output(&self, source: &InputSource) -> PathBuf {
        match (&self.output, source) {
            (Some(path), _) => path.clone(),
            (None, InputSource::File(path) | InputSource::Descriptor(path)) => with_suffix(path, self.suffix()),
            (None, _) => PathBuf::from("-"),
        }
    }

    fn suffix(&self) -> &'static str {
        match &self.formats.dsse {
            Some(_) => ENVELOPE_SUFFIX,
            None if self.formats.jws => JWS_SUFFIX,
            None if self.formats.attached => ATTACHED_SUFFIX,
            None if self.formats.cms || self.formats.cms_direct => CMS_SUFFIX,
            None if self.formats.kernel_module => MODULE_SUFFIX,
            None => SUFFIX,
        }
    }

    /// Returns the format for new signatures. Does not require certificates for `--print-mu`,
    /// because the mu does not depend on certificates.
    fn output_format(&self, keys: &SigningKeys<'_>, report: &mut Report) -> Result<OutputFormat<'_>, Error> {
        if let Some(payload_type) = &self.formats.dsse {
            return OutputFormat::dsse(payload_type, self.formats.dsse_form, keys);
        }
        if let Some(namespace) = &self.formats.ssh {
            return OutputFormat::ssh(namespace, keys);
        }
        if self.formats.jws {
            return OutputFormat::jws(keys);
        }
        if !(self.formats.cms || self.formats.cms_direct || self.formats.kernel_module) {
            return Ok(OutputFormat::signature_files());
        }
        let certificates = match self.external.print_mu {
            Some(_) => Vec::new(),
            None => signer_certificates(&self.formats.cert, keys, report)?,
        };
        if self.formats.kernel_module {
            return OutputFormat::kernel_module(certificates, keys);
        }
        let style = CmsStyle { has_attributes: self.formats.cms, has_message: self.formats.attached };
        OutputFormat::cms(style, certificates, keys)
    }

    /// Returns the format's name with an article, if the format is for other programs, or
    /// `None` for fndsa's signature files.
    fn foreign_format(&self) -> Option<&'static str> {
        match (&self.formats.dsse, &self.formats.ssh, self.formats.jws) {
            (Some(_), ..) => Some("a DSSE envelope"),
            (None, Some(_), _) => Some("an SSH signature"),
            (None, None, true) => Some("a JSON Web Signature"),
            (None, None, false) if self.formats.cms => Some("a CMS signature"),
            (None, None, false) if self.formats.cms_direct || self.formats.kernel_module => Some(DIRECT_CMS),
            (None, None, false) => None,
        }
    }

    /// Returns the encoding of each signature, raw or PEM. Answers of `--stream` and the formats
    /// for other programs contain raw signatures.
    fn format_of_signatures(&self) -> Format {
        let is_raw = self.stream || self.foreign_format().is_some() || !self.formats.cert.is_empty();
        if is_raw { Format::Raw } else { self.format }
    }
}
