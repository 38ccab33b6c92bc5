//! Options for the trusted keys and for the policy.

use super::heading;
use super::jobs::JobCount;
use super::suggestions::suggesting;
use crate::tool::context::CommandContext;
use crate::tool::io::{InputSource, MAX_LIST_MEBIBYTES, file_variable};
use crate::tool::keys::key_note::noted_fingerprint;
use crate::tool::keys::loader::AllowWeak;
use crate::tool::keys::loader::{CERTIFICATE_NOTE, ObjectLoader, warn_if_noted_differently};
use crate::tool::report::escape::pasteable_name;
use crate::tool::report::progress::ProgressDisplay;
use crate::tool::report::{Error, MAX_SIGNATURES, Report};
use crate::tool::run::ordered::for_each_group;
use crate::tool::trust::describe::checked_public_key;
use crate::tool::trust::key_directory::{is_public_key, public_keys_in};
use fndsa::files::{ContainerStructure, Defect, FileContent, ObjectKind, ReadOptions, is_mail, manifest, pem};
use fndsa::no_alloc::Level;
use fndsa::verdict::allowed_signers::{AllowedSignersError, SignerName, has_signers, is_known_hosts, trusted_keys};
use fndsa::verdict::ssh_envelope::SshNamespace;
use fndsa::verdict::{
    KeyConflictError, Policy, RequiredKeys, TrustedKey, distinct, parse_fingerprint, spread_restrictions,
};
use fndsa::verdict::{KeyFileKind, KeyLineDefect, KeyTerms};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::hint::black_box;
use std::io::ErrorKind;
use std::ops::ControlFlow;
use std::path::PathBuf;

/// The number of keys or key files that a thread processes at a time.
const GROUP: usize = 256;

/// Options that conflict with `--ssh`, `--jws` and `--cms`. Signatures in these formats have no
/// context, and the format determines the hash function. Therefore, `--explain` has no context and
/// no pre-hash to try. Each signature belongs to a single file, so the options for lists have no
/// use.
pub const CONFLICTS_WITH_FOREIGN_FORMATS: [&str; 11] = [
    "dsse",
    "manifest",
    "directory",
    "strict",
    "ignore_missing",
    "any_context",
    "prehash",
    "prehashed",
    "mu",
    "encoding",
    "explain",
];

/// Options that also conflict with `--jws`: `--ssh`, and the options that require `--ssh`.
const CONFLICTS_WITH_JWS: [&str; 3] = ["ssh", "allowed_signers", "signer"];

/// The hint for a file of allowed signers that was given as a public key.
const ALLOWED_SIGNERS: &str = "this is a file of allowed signers of OpenSSH: give it with --allowed-signers FILE, and the name of \
                               the signer with --signer NAME";

/// The public keys on the command line.
#[derive(clap::Args, Debug)]
pub struct TrustArgs {
    /// Public key file or X.509 certificate; repeat to accept several keys [env: FNDSA_PUBLIC_KEY]
    #[arg(short, long = "public-key", alias = "pubkey", value_name = "FILE", help_heading = heading::KEYS)]
    public_keys: Vec<PathBuf>,
    /// File or directory of public keys; accept any of these keys
    ///
    /// In a directory, fndsa reads the files *.pub. A file contains keys and certificates in PEM. Key lines before a key restrict it: `name: TEXT`,
    /// `not-before: YYYY-MM-DD`, `not-after: YYYY-MM-DD`, `revoked: REASON` and `context: TEXT`. Other text must begin with
    /// `#`. See docs/policies.md.
    #[arg(long, value_name = "FILE|DIR", conflicts_with = "public_keys", help_heading = heading::KEYS)]
    trusted_keys: Option<PathBuf>,
    /// File of allowed signers of OpenSSH; accept the keys of --signer for the namespace of --ssh
    ///
    /// fndsa understands the options namespaces, valid-after and valid-before in this file.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["public_keys", "trusted_keys"], help_heading = heading::KEYS,
        hide_short_help = true)]
    allowed_signers: Option<PathBuf>,
    /// Name of the signer in the file of allowed signers, for example alice@example.com
    #[arg(long, value_name = "NAME", help_heading = heading::KEYS, hide_short_help = true)]
    signer: Option<SignerName>,
    /// Verify SSH signatures that were made for this namespace: FILE.sig is a file of `ssh-keygen -Y sign`
    ///
    /// The namespace is the purpose of the signature, for example file. Only keys of ed25519 and ml-dsa-44-ed25519 make SSH
    /// signatures. The public key can be a file of OpenSSH, such as id_ed25519.pub.
    #[arg(long, value_name = "NAMESPACE", conflicts_with_all = CONFLICTS_WITH_FOREIGN_FORMATS, conflicts_with = "attached", help_heading = heading::MESSAGE,
        hide_short_help = true)]
    pub ssh: Option<SshNamespace>,
    /// Verify JSON Web Signatures (JWS) of separate files: FILE.jws is the signature of FILE
    ///
    /// Only keys of ML-DSA and Ed25519 make such signatures. The public key can be a JSON Web Key (JWK). fndsa uses no key from
    /// the signature.
    #[arg(long, conflicts_with_all = CONFLICTS_WITH_FOREIGN_FORMATS, conflicts_with_all = CONFLICTS_WITH_JWS,
        conflicts_with = "attached", help_heading = heading::MESSAGE,
        hide_short_help = true)]
    pub jws: bool,
    /// Number of different keys that must have signed each file, or `all` keys
    ///
    /// With --expect-key, `all` means all expected keys.
    #[arg(long, value_name = "N|all", default_value = "1", value_parser = suggesting(|| vec!["all"], parse_required),
        help_heading = heading::POLICY, hide_possible_values = true)]
    require: RequiredKeys,
    /// Accept only the key with this fingerprint; repeatable
    ///
    /// You must give a public key for each fingerprint.
    #[arg(long = "expect-key", value_name = "sha256:HEX", value_parser = parse_fingerprint, help_heading = heading::POLICY)]
    expected_keys: Vec<String>,
}

fn parse_required(text: &str) -> Result<RequiredKeys, String> {
    match text.parse() {
        _ if text == "all" => Ok(RequiredKeys::All),
        Ok(number) if (1..=MAX_SIGNATURES).contains(&number) => Ok(RequiredKeys::Number(number)),
        _ => Err(format!("expected a number from 1 to {MAX_SIGNATURES}, or all")),
    }
}

impl TrustArgs {
    /// Returns the sources of the keys. Options take precedence over the variable
    /// `FNDSA_PUBLIC_KEY`.
    ///
    /// # Errors
    /// Fails if no key is given, if the variable contains key text, or if [`public_keys_in`]
    /// rejects the directory of trusted keys.
    pub fn sources(&self) -> Result<Vec<InputSource>, Error> {
        let mut paths = self.public_keys.clone();
        paths.extend(self.allowed_signers.clone());
        if let Some(place) = &self.trusted_keys {
            match public_keys_in(place)? {
                // These paths come from a directory and not from the user, so each path is a file,
                // even if it looks like `/dev/fd/3`.
                Some(files) => return Ok(files.into_iter().map(InputSource::File).collect()),
                None => paths.push(place.clone()),
            }
        }
        if paths.is_empty() {
            paths.extend(file_variable(
                "FNDSA_PUBLIC_KEY",
                "write the public key to a file, and set the variable to the name of \
                                                            that file",
            )?);
        }
        if paths.is_empty() {
            return Err(Error::NoKey(ObjectKind::VerifyingKey));
        }
        Ok(paths.iter().map(|path| InputSource::from_arg(path)).collect())
    }

    /// Reads and checks all keys, and removes duplicates. If one copy of a key has key lines (such
    /// as `revoked:`) and another copy has no key lines, the lines apply to the merged key.
    ///
    /// # Errors
    /// Fails if a file contains no valid public key, if two copies of a key have different key
    /// lines, or if a key is a half of a composite key that is also given.
    pub fn load(
        &self,
        sources: &[InputSource],
        accept: ReadOptions,
        jobs: JobCount,
        context: &CommandContext,
        report: &mut Report,
    ) -> Result<Vec<TrustedKey>, Error> {
        let reader = KeyReader { args: self, accept, weak: context.weak, level: context.level()? };
        let found = match sources {
            [one] => {
                let data = reader.data(one)?;
                let parts = self.parts(&data);
                let found = collect_in_order(jobs, parts.len(), |i| reader.part(one, &parts, i))?;
                reader.check_again(one, &data, found)?
            }
            several => {
                let files = collect_in_order(jobs, several.len(), |i| {
                    let data = reader.data(&several[i])?;
                    let parts = self.parts(&data);
                    let found = (0..parts.len()).map(|part| reader.part(&several[i], &parts, part));
                    reader.check_again(&several[i], &data, found.collect::<Result<_, _>>()?)
                })?;
                files.into_iter().flatten().collect()
            }
        };
        let given = GivenKeys::of(&found);
        let mut keys: Vec<TrustedKey> = Vec::with_capacity(found.len());
        let mut indices = BTreeMap::new();
        let mut certificates = false;
        for found in found {
            found.warn(report);
            let FoundKey { key, is_certificate, .. } = found;
            certificates |= is_certificate;
            let identity = (key.public.fingerprint.clone(), key.algorithm().id());
            let index = *indices.entry(identity).or_insert(keys.len());
            match keys.get_mut(index) {
                None => keys.push(key),
                Some(known) if key.terms == known.terms || key.terms == KeyTerms::default() => {}
                Some(known) if known.terms == KeyTerms::default() => known.terms = key.terms,
                Some(known) => return Err(Error::KeyTermsDiffer { from: key.from, other: known.from.clone() }),
            }
        }
        spread_restrictions(&mut keys).map_err(|conflict| match conflict {
            KeyConflictError::Terms { from, other } => Error::KeyTermsDiffer { from, other },
            KeyConflictError::Half { half, composite } => Error::HalfOfKey { half, composite },
            conflict => Error::Internal(format!("{conflict:?}")),
        })?;
        given.check(&keys)?;
        self.warn_of_unexpected(&keys, report);
        if certificates {
            report.note(&format!("note: {}", CERTIFICATE_NOTE));
            report.add_warning(CERTIFICATE_NOTE);
        }
        Ok(keys)
    }

    /// Warns about each key from `-p` that `--expect-key` does not accept. There is no warning
    /// about keys from `--trusted-keys`, because a file or directory can contain the keys of many
    /// signers. There is no warning if none of the keys is accepted, because the verdict explains
    /// this case.
    fn warn_of_unexpected(&self, keys: &[TrustedKey], report: &mut Report) {
        if self.has_key_list() || distinct(keys) == 0 {
            return;
        }
        for key in keys.iter().filter(|key| !key.is_accepted_by_policy) {
            report.warn(&format!(
                "{}: this key does not count, because it is not expected; to expect it, add --expect-key {}",
                key.from, key.public.fingerprint
            ));
        }
    }

    /// Splits a file into parts. A part contains a key and its key lines. A file from `-p` is one
    /// part.
    fn parts<'d>(&self, data: &'d [u8]) -> Vec<&'d [u8]> {
        if self.has_key_list() { pem::parts(data) } else { vec![data] }
    }

    /// Returns whether a file can contain several keys.
    fn has_key_list(&self) -> bool {
        self.trusted_keys.is_some() || self.allowed_signers.is_some()
    }

    /// Returns the policy for the trusted keys.
    ///
    /// # Errors
    /// Fails if the policy requires more signatures than there are different accepted keys. If no
    /// key is accepted and one signature is required, the verdict is NO instead.
    pub fn policy<'a>(&self, keys: &'a [TrustedKey]) -> Result<Policy<'a>, Error> {
        let policy = Policy::new(keys, &self.expected_keys, self.require);
        let (required, available) = (policy.required, distinct(keys));
        let is_expected = !self.expected_keys.is_empty();
        if required > available.max(1) {
            Err(Error::TooFewKeys { required, available, is_expected })
        } else {
            Ok(policy)
        }
    }

    /// Checks that the user did not forget `-p` before a public key. Without `-p`, `verify` would
    /// treat this key as a file to verify, and with `--require all`, the verdict could be YES
    /// without a signature by this key. With `--expect-key`, the check is not necessary, because
    /// the fingerprints define all required keys. `files` are the files in the arguments. `count`
    /// is the number of all files to verify, which can also come from `--files-from`.
    ///
    /// # Errors
    /// Fails if all keys must sign and a public key is among the files to verify. There is an
    /// exception: if there are at least two trusted keys, the files to verify may all be public
    /// keys.
    pub fn check_files(&self, keys: &[TrustedKey], files: &[PathBuf], count: usize) -> Result<(), Error> {
        if self.require != RequiredKeys::All || !self.expected_keys.is_empty() {
            return Ok(());
        }
        let public: Vec<_> = files.iter().filter(|file| is_public_key(&InputSource::from_arg(file))).collect();
        match public.first() {
            Some(path) if public.len() < count || distinct(keys) < 2 => Err(Error::KeyAsFile(path.to_path_buf())),
            _ => Ok(()),
        }
    }
}

/// A reader for public keys, which several threads can use.
struct KeyReader<'a> {
    args: &'a TrustArgs,
    accept: ReadOptions,
    weak: AllowWeak,
    level: Level,
}

/// A public key with the data for its warnings.
struct FoundKey {
    key: TrustedKey,
    is_certificate: bool,
    is_authority: bool,
    /// The fingerprint in the comment line before the key's PEM block.
    note_fingerprint: Option<String>,
}

impl FoundKey {
    /// Prints the warnings about the key.
    fn warn(&self, report: &mut Report) {
        let key = &self.key;
        warn_if_noted_differently(self.note_fingerprint.as_deref(), &key.public.fingerprint, &key.from, report);
        if self.is_authority && key.is_accepted_by_policy {
            report.warn(&format!(
                "{}: this is a CA certificate, and fndsa accepts its key as a signer; to accept only the signer, remove \
                 this certificate",
                key.from
            ));
        }
    }
}

/// The given keys and their key lines before duplicates are merged. The merged keys are compared
/// with this value, because a machine fault must not lose a revocation or a key that
/// `--require all` requires.
struct GivenKeys {
    identities: BTreeSet<String>,
    terms: BTreeMap<String, Vec<KeyTerms>>,
}

impl GivenKeys {
    fn of(keys: &[FoundKey]) -> Self {
        let mut terms: BTreeMap<String, Vec<KeyTerms>> = BTreeMap::new();
        for FoundKey { key, .. } in keys.iter().filter(|found| found.key.terms != KeyTerms::default()) {
            terms.entry(key.identity().to_owned()).or_default().push(key.terms.clone());
        }
        let expected = keys.iter().filter(|found| found.key.is_accepted_by_policy);
        Self { identities: expected.map(|found| found.key.identity().to_owned()).collect(), terms }
    }

    /// Checks that merging has lost no key and no restriction.
    ///
    /// # Errors
    /// Fails if a key or a restriction is missing.
    fn check(&self, keys: &[TrustedKey]) -> Result<(), Error> {
        let mut restricted = 0;
        for key in keys {
            let terms = self.terms.get(key.identity()).map(Vec::as_slice).unwrap_or_default();
            restricted += usize::from(terms.iter().all(|terms| key.terms.includes(terms)));
        }
        if distinct(keys) == self.identities.len() && restricted == keys.len() {
            return Ok(());
        }
        Err(Error::Internal("a trusted key or a key line is missing among the merged keys".to_owned()))
    }
}

impl KeyReader<'_> {
    /// Reads a file of keys. With `--allowed-signers`, converts the keys of the signer to the
    /// format of trusted keys.
    fn data(&self, source: &InputSource) -> Result<Vec<u8>, Error> {
        let data = self.read_content(source)?;
        if self.args.allowed_signers.is_none() {
            return Ok(data);
        }
        let Some(signer) = &self.args.signer else { return Err(no_signer()) };
        let Some(namespace) = &self.args.ssh else { return Err(no_signer()) };
        let from = source.to_string();
        match trusted_keys(&data, signer, namespace) {
            Ok(keys) => Ok(keys),
            Err(AllowedSignersError::NoKey(cause)) if has_signers(&data) && !is_known_hosts(&data) => {
                Err(Error::NoAllowedSigner {
                    from,
                    signer: signer.to_string(),
                    namespace: namespace.to_string(),
                    cause,
                })
            }
            Err(e) => Err(self.not_allowed_signers(&data, from, e)),
        }
    }

    /// Returns the error for a file that is not a valid file of allowed signers. If the file is of
    /// a different kind, for example `known_hosts`, the message names this kind.
    fn not_allowed_signers(&self, content: &[u8], from: String, e: AllowedSignersError) -> Error {
        const KNOWN_HOSTS: &str = "the known_hosts file has the keys of servers: give the file of allowed signers, as git or \
                                   `ssh-keygen -Y verify` uses it";
        const PUBLIC_KEY: &str = "give the public key with -p FILE, and leave --allowed-signers and --signer out";
        const OTHER_FILE: &str =
            "give a file with lines of the form NAME KEYTYPE KEY, for example alice@example.com ssh-ed25519 AAAA...";
        if content.trim_ascii().is_empty() {
            return Error::NotAllowedSigners { from, what: "an empty file".into(), hint: OTHER_FILE };
        }
        if is_known_hosts(content) {
            return Error::NotAllowedSigners { from, what: "a known_hosts file".into(), hint: KNOWN_HOSTS };
        }
        if is_mail(content) {
            return Error::NotAllowedSigners { from, what: "an e-mail".into(), hint: OTHER_FILE };
        }
        let loader = ObjectLoader::new(self.accept.clone(), self.weak);
        let what = match loader.look(pem::parts(content)[0], &from) {
            Ok(FileContent::Locked(_)) => Cow::Borrowed("a private key"),
            Ok(FileContent::Plain(object)) => match object.kind {
                ObjectKind::VerifyingKey => {
                    return Error::NotAllowedSigners { from, what: "a public key".into(), hint: PUBLIC_KEY };
                }
                ObjectKind::SigningKey => Cow::Borrowed("a private key"),
                ObjectKind::Signature => Cow::Borrowed("a signature"),
            },
            Err(Error::Format { defect: Defect::Foreign(foreign), .. }) => Cow::Owned(foreign.to_string()),
            Err(Error::Format { defect: Defect::SshLines, .. }) => Cow::Borrowed("a file with several public keys"),
            Err(Error::Format { defect: Defect::Unknown(what), .. }) if str::from_utf8(content).is_err() => what,
            _ => match e {
                AllowedSignersError::Line { line, what } => return Error::AllowedSigners { from, line, what },
                AllowedSignersError::NoKey(_) => Cow::Borrowed("a file without keys of OpenSSH"),
                e => return Error::Internal(format!("{from}: {e:?}")),
            },
        };
        Error::NotAllowedSigners { from, what, hint: OTHER_FILE }
    }

    /// Reads a file. If the file is missing or is a directory, the error has a hint.
    fn read_content(&self, source: &InputSource) -> Result<Vec<u8>, Error> {
        let has_list = self.args.has_key_list();
        let read = if has_list {
            source.read_limited(MAX_LIST_MEBIBYTES, &ProgressDisplay::none())
        } else {
            source.read_small().map(|data| data.to_vec())
        };
        read.map_err(|e| match (&e, source) {
            (Error::Io { source, .. }, InputSource::File(path))
                if source.kind() == ErrorKind::IsADirectory && !has_list =>
            {
                let directory = pasteable_name(path);
                e.with_hint(format!("to accept all public keys in the directory, use --trusted-keys {directory}"))
            }
            _ => source.explain_missing(e, &[ObjectKind::VerifyingKey]),
        })
    }

    /// Parses the key lines in a part of a file of keys.
    fn parse_key_lines(&self, part: &[u8], from: &str) -> Result<KeyTerms, Error> {
        let file_kind = if self.args.has_key_list() { KeyFileKind::TrustedKeys } else { KeyFileKind::SingleKey };
        let terms = KeyTerms::parse(part, file_kind);
        terms.map_err(|defect| {
            let KeyLineDefect { line, what, hint, .. } = defect;
            Error::KeyTerm { from: from.to_owned(), line, what, hint }
        })
    }

    /// Parses the key lines a second time. Returns `found` if both results are equal, and an error
    /// otherwise. Without this check, a machine fault in a loop could lose a key or a key line.
    fn check_again(&self, source: &InputSource, data: &[u8], found: Vec<FoundKey>) -> Result<Vec<FoundKey>, Error> {
        let parts = self.args.parts(black_box(data));
        let mut agreeing = 0;
        for (part, FoundKey { key, .. }) in parts.iter().zip(&found) {
            let mut terms = self.parse_key_lines(part, &key.from)?;
            terms.prehash = key.terms.prehash;
            agreeing += usize::from(terms == key.terms);
        }
        if agreeing == parts.len() && agreeing == found.len() {
            return Ok(found);
        }
        Err(Error::Internal(format!("{source}: two readings of the trusted keys differ")))
    }

    /// Reads and checks the key in part `i` of a file, with its key lines.
    fn part(&self, source: &InputSource, parts: &[&[u8]], i: usize) -> Result<FoundKey, Error> {
        // If there are several keys, messages contain the key's number, because line numbers are
        // counted from the END line of the previous key.
        let from = if parts.len() > 1 { format!("{source}, key {}", i + 1) } else { source.to_string() };
        let loader = ObjectLoader::new(self.accept.clone(), self.weak);
        let object = loader.part(parts[i], &from, ObjectKind::VerifyingKey);
        let object = object.map_err(|e| match parts[i] {
            part if has_signers(part) => e.with_hint(ALLOWED_SIGNERS),
            part if manifest::parse(part).is_ok_and(|list| !list.files.is_empty()) => e.with_hint(LIST_AS_KEY),
            _ => e,
        })?;
        let public = checked_public_key(&object, &from)?;
        let mut terms = self.parse_key_lines(parts[i], &from)?;
        terms.prehash = object.prehash();
        let expected = &self.args.expected_keys;
        let expected = expected.is_empty() || expected.contains(&public.fingerprint);
        let is_certificate = object.is_in(ContainerStructure::Certificate);
        let is_authority = object.is_of_authority();
        Ok(FoundKey {
            key: TrustedKey::new(public, self.level, from, terms, expected)
                .map_err(|e| Error::Internal(e.to_string()))?,
            is_certificate,
            is_authority,
            note_fingerprint: noted_fingerprint(parts[i], ObjectKind::VerifyingKey),
        })
    }
}

/// The hint for a list of checksums that was given as a public key.
const LIST_AS_KEY: &str =
    "this file is a list of checksums, and not the public key of its signer: give the file with the public key";

/// Returns the error for `--allowed-signers` without `--signer` or `--ssh`. This error means a bug,
/// because `options::needs` has already rejected such a command line.
fn no_signer() -> Error {
    Error::Internal("--allowed-signers without --signer or --ssh".to_owned())
}

/// Calls `work` for each number in `0..count`, and returns the results in order. Uses several
/// threads if there are more than [`GROUP`] numbers.
///
/// # Errors
/// Returns the first error of `work`.
fn collect_in_order<T: Send>(
    jobs: JobCount,
    count: usize,
    work: impl Fn(usize) -> Result<T, Error> + Sync,
) -> Result<Vec<T>, Error> {
    let groups = (0..count).step_by(GROUP).map(|first| first..(first + GROUP).min(count));
    let mut all = Vec::with_capacity(count);
    let mut failed = Ok(());
    for_each_group(
        jobs.threads(count.div_ceil(GROUP)),
        groups,
        || (),
        |(), group| group.map(&work).collect(),
        |_, found| match found {
            Ok(found) => {
                all.push(found);
                ControlFlow::Continue(())
            }
            Err(e) => {
                failed = Err(e);
                ControlFlow::Break(())
            }
        },
    );
    failed?;
    if all.len() == count { Ok(all) } else { Err(Error::Internal(format!("{} of {count} keys were read", all.len()))) }
}
