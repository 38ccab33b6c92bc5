//! The options of `sign` for signatures in the formats for other programs. They are in a separate
//! struct to save stack: for each struct, clap generates a function that needs stack for all
//! options in the struct.

use crate::tool::message::dsse::{DsseForm, PayloadType};
use crate::tool::options::form::any_dsse_form;
use crate::tool::options::heading;
use fndsa::verdict::ssh_envelope::SshNamespace;
use std::path::PathBuf;

/// The options that conflict with `--dsse`.
const CONFLICTS_OF_ENVELOPES: [&str; 5] = ["manifest", "format", "add", "prehashed", "mu"];

/// The options that conflict with `--ssh`, `--jws` and the options for CMS. Signatures in these
/// formats cannot have a context, and belong to a single file. The format determines the hash
/// function.
const CONFLICTS_OF_FOREIGN_FORMATS: [&str; 10] =
    ["dsse", "dsse_form", "manifest", "format", "add", "any_context", "prehash", "prehashed", "mu", "encoding"];

/// Further options that conflict with the options for CMS.
const CONFLICTS_OF_CMS: [&str; 2] = ["ssh", "jws"];

#[derive(clap::Args, Debug)]
pub struct FormatArgs {
    /// Write a DSSE envelope with a payload of this type to FILE.dsse
    ///
    /// The envelope contains the file, its type and the signatures. Programs of the in-toto project read envelopes; the type of
    /// their statements is application/vnd.in-toto+json. FILE has at most 32 MiB.
    #[arg(long, value_name = "TYPE", conflicts_with_all = CONFLICTS_OF_ENVELOPES, help_heading = heading::MESSAGE,
        hide_short_help = true)]
    pub(super) dsse: Option<PayloadType>,
    /// Form of the payload that the signatures in the envelope cover
    ///
    /// By default, fndsa signs in the form tap21 with ML-DSA keys if TYPE is a type of in-toto or TUF, and otherwise in the form pae.
    #[arg(long, value_name = "FORM", requires = "dsse", value_parser = any_dsse_form(),
        conflicts_with_all = CONFLICTS_OF_ENVELOPES, help_heading = heading::EXPERT, hide_short_help = true)]
    pub(super) dsse_form: Option<DsseForm>,
    /// Write an SSH signature for this namespace to FILE.sig, as `ssh-keygen -Y sign` does
    ///
    /// The namespace is the purpose of the signature, for example file. Only keys of ed25519 and ml-dsa-44-ed25519 make SSH
    /// signatures. `ssh-keygen -Y verify` verifies them; keys of ml-dsa-44-ed25519 require OpenSSH 10.6 or later.
    #[arg(long, value_name = "NAMESPACE", conflicts_with_all = CONFLICTS_OF_FOREIGN_FORMATS, help_heading = heading::MESSAGE,
        hide_short_help = true)]
    pub(super) ssh: Option<SshNamespace>,
    /// Write a JSON Web Signature (JWS) to FILE.jws, without the message
    ///
    /// Only keys of ML-DSA and Ed25519 make such signatures. Programs for JOSE verify them if they know RFC 7797 (`b64`).
    #[arg(long, conflicts_with_all = CONFLICTS_OF_FOREIGN_FORMATS, conflicts_with = "ssh", help_heading = heading::MESSAGE,
        hide_short_help = true)]
    pub(super) jws: bool,
    /// Write a CMS signature (RFC 5652) to FILE.p7s, without the message
    ///
    /// Only keys of ML-DSA and Ed25519 make such signatures, and each key needs a certificate (--cert). `openssl cms -verify`
    /// of OpenSSL 3.5 or later verifies them. The signatures cover attributes with the SHA-512 digest of FILE.
    #[arg(long, conflicts_with_all = CONFLICTS_OF_FOREIGN_FORMATS, conflicts_with_all = CONFLICTS_OF_CMS, groups = ["any_cms", "cms_file"],
        help_heading = heading::MESSAGE, hide_short_help = true)]
    pub(super) cms: bool,
    /// Write a CMS signature that covers FILE directly, without attributes, to FILE.p7s
    #[arg(long, conflicts_with_all = CONFLICTS_OF_FOREIGN_FORMATS, conflicts_with_all = CONFLICTS_OF_CMS, groups = ["any_cms", "cms_file"],
        help_heading = heading::EXPERT, hide_short_help = true)]
    pub(super) cms_direct: bool,
    /// Write the message and its CMS signature to FILE.p7m
    ///
    /// `fndsa verify --cms --attached` and `openssl cms -verify` verify the file. FILE has at most 256 MiB.
    #[arg(long, conflicts_with_all = ["kernel_module", "print_mu"], help_heading = heading::MESSAGE, hide_short_help = true)]
    pub(super) attached: bool,
    /// Sign a Linux kernel module: write FILE with its signature at the end to FILE.signed
    ///
    /// The signature is in the format of scripts/sign-file in the sources of Linux. Linux 7.0 and later verify ML-DSA.
    #[arg(long, conflicts_with_all = CONFLICTS_OF_FOREIGN_FORMATS, conflicts_with_all = CONFLICTS_OF_CMS, group = "any_cms",
        help_heading = heading::MESSAGE, hide_short_help = true)]
    pub(super) kernel_module: bool,
    /// Certificate of the private key for a CMS signature; repeat for several keys
    ///
    /// fndsa does not verify who issued the certificate. A CMS signature contains it, so that readers find the key.
    #[arg(long, value_name = "FILE", requires = "any_cms", conflicts_with = "print_mu", help_heading = heading::MESSAGE,
        hide_short_help = true)]
    pub(super) cert: Vec<PathBuf>,
}
