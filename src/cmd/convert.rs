//! `fndsa convert`: writes a key or signature in a different form.
//!
//! `convert` first checks the input: a key completely, and a signature without verifying it. The
//! result is one of the following:
//!
//! - the same key or signature in a different file format
//! - the same key in a different scheme
//! - the same Falcon signature in a different encoding
//! - a half of a composite key (`--half`)
//! - a composite key that was joined from two keys (`--join`)
//!
//! If a PEM signature is converted to raw and back, the signature note becomes shorter, because a
//! raw signature does not contain the fingerprint of the key.

use crate::tool::context::CommandContext;
use crate::tool::io::{Destination, InputSource, NewFileAccess, OverwriteRule, stdin_once};
use crate::tool::keys::key_file_options::KeyFileOptions;
use crate::tool::keys::loader::{LoadedPrivateKey, ObjectLoader};
use crate::tool::keys::unlock::new_password;
use crate::tool::keys::{loader, recode};
use crate::tool::options::algorithm::{any_algorithm, parse_encoding};
use crate::tool::options::form::{any_encoding, any_layout, any_private_form, free_oid};
use crate::tool::options::heading;
use crate::tool::options::password::{NEW_PASSWORD, NewPasswordArgs, PasswordArgs};
use crate::tool::report::escape::shown;
use crate::tool::report::{Error, KeyPart, Report, ResultEntry};
use crate::tool::trust::describe::checked_public_key;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use fndsa::Algorithm;
use fndsa::algorithm::SignatureEncoding;
use fndsa::files::{
    ContainerStructure, FileEncoding, FileObject, KeyLayout, ObjectKind, Oid, ReadOptions, WriteError, WriteOptions,
};
use fndsa::no_alloc::{Level, SignatureRef};
use fndsa::verdict::SignatureNote;
use fndsa::verdict::fingerprint;
use std::path::PathBuf;
use zeroize::Zeroizing;

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Key or signature file, `-` for standard input
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// Write the result to this file, `-` for standard output
    #[arg(short, long, value_name = "OUT", help_heading = heading::OUTPUT)]
    output: PathBuf,
    /// Format of the result: pkcs8 only for private keys, spki only for public keys
    #[arg(long, value_name = "FORM", value_parser = any_encoding(), help_heading = heading::OUTPUT)]
    to: FileEncoding,
    /// Use this object identifier for the algorithm, in IN and in OUT
    #[arg(long, value_name = "OID", value_parser = free_oid, help_heading = heading::EXPERT, hide_short_help = true)]
    oid: Option<Oid>,
    /// Algorithm of OUT, and of IN if that is a raw or hexadecimal key (see `fndsa help
    /// algorithms`)
    ///
    /// fndsa converts a key of another scheme to this algorithm. With this option, IN may have any
    /// unknown object identifier.
    #[arg(short, long, value_name = "NAME", value_parser = any_algorithm(), help_heading = heading::KEYS,
        hide_possible_values = true)]
    algorithm: Option<Algorithm>,
    /// Layout of a Falcon private key in PKCS#8 [default: oqs]
    #[arg(long, value_name = "NAME", value_parser = any_layout(), help_heading = heading::EXPERT, hide_short_help = true)]
    layout: Option<KeyLayout>,
    /// Form of an ML-DSA private key in PKCS#8 [default: seed, or expanded if IN has no seed]
    #[arg(long, value_name = "FORM", value_parser = any_private_form(), help_heading = heading::EXPERT,
        hide_short_help = true)]
    private: Option<KeyLayout>,
    /// Encoding of a Falcon signature [default: the encoding of IN]
    #[arg(long, value_name = "NAME", value_parser = parse_encoding(), help_heading = heading::EXPERT,
        hide_short_help = true)]
    encoding: Option<SignatureEncoding>,
    #[command(flatten)]
    password: PasswordArgs,
    /// Encrypt the private key in OUT with a new password; without this option OUT is not encrypted
    #[arg(long, help_heading = heading::KEYS)]
    encrypt: bool,
    #[command(flatten)]
    new_password: NewPasswordArgs,
    /// Write only this half of the composite key IN
    ///
    /// The halves of a composite key make and verify signatures of their own, but not composite
    /// signatures.
    #[arg(long, value_name = "HALF", value_parser = any_half(), conflicts_with_all = ["algorithm", "oid", "encoding"],
        help_heading = heading::EXPERT, hide_short_help = true)]
    half: Option<usize>,
    /// Join the ML-DSA key IN with the Ed25519 key in this file to a composite key
    #[arg(long, value_name = "FILE", conflicts_with_all = ["algorithm", "oid", "encoding", "half"],
        help_heading = heading::EXPERT, hide_short_help = true)]
    join: Option<PathBuf>,
    /// Drop the attributes of a private key in PKCS#8
    ///
    /// Without this option fndsa keeps the attributes. If OUT cannot contain them, fndsa rejects
    /// the key.
    #[arg(long, help_heading = heading::EXPERT, hide_short_help = true)]
    drop_attributes: bool,
    /// Replace an existing file
    #[arg(short, long, help_heading = heading::OUTPUT)]
    force: bool,
}

/// The warnings after the conversion of a key to a different scheme.
const OTHER_SCHEME: [&str; 2] = [
    "signatures are not converted: a signature of one scheme does not verify in the other scheme",
    "do not use the same key in two schemes in production: keep one of the two files",
];

/// Runs `fndsa convert`.
///
/// # Errors
/// Fails if the command line or IN is rejected, or if OUT cannot be written.
pub fn run(args: &Args, context: &CommandContext, report: &mut Report) -> Result<(), Error> {
    ConvertPlan::new(args, context, report)?.run(report)
}

/// The names of the halves of a composite key, in the order of [`FileObject::halves`].
const HALVES: [&str; 2] = ["ml-dsa", "ed25519"];

/// Returns the parser for `--half`. The parsed value is an index in [`HALVES`].
fn any_half() -> impl TypedValueParser<Value = usize> {
    PossibleValuesParser::new(HALVES).try_map(half_index)
}

/// Returns a half's index in [`HALVES`].
fn half_index(name: String) -> Result<usize, &'static str> {
    for (i, half) in HALVES.iter().enumerate() {
        if *half == name {
            return Ok(i);
        }
    }
    Err("no such half")
}

/// A conversion that has passed all checks: IN is valid, and OUT can contain the converted object.
struct ConvertPlan<'a> {
    args: &'a Args,
    source: InputSource,
    /// The algorithm of IN.
    from: Algorithm,
    /// Whether IN is encrypted.
    was_encrypted: bool,
    /// Whether IN is a certificate.
    was_certificate: bool,
    /// The key or signature in IN. With `--half` or `--join`, the half or the joined key instead.
    object: FileObject,
    /// The algorithm for OUT.
    algorithm: Algorithm,
    converted: ConvertedObject,
    /// The format for OUT.
    to: FileEncoding,
    destination: Destination,
    password: Option<Zeroizing<Vec<u8>>>,
}

impl<'a> ConvertPlan<'a> {
    /// Checks the command line, reads and checks IN, and checks OUT. With `--encrypt`, also reads
    /// the new password.
    ///
    /// # Errors
    /// Fails if the options contradict each other, if IN is not valid, or if OUT exists or cannot
    /// contain the result.
    fn new(args: &'a Args, context: &CommandContext, report: &mut Report) -> Result<Self, Error> {
        args.check_encryption()?;
        let source = InputSource::from_arg(&args.input);
        let new_source = args.new_password.source()?;
        let mut inputs = vec![source.clone()];
        inputs.extend(args.join.as_deref().map(InputSource::from_arg));
        inputs.extend(args.password.source()?);
        inputs.extend(new_source.clone());
        // At most one input can be standard input.
        stdin_once(&inputs)?;
        Destination::refuse_inputs(&args.output, &inputs)?;
        // With `--json`, the JSON document is written to standard output, so OUT cannot be written
        // there.
        if context.output.json && Destination::names_stdout(&args.output) {
            return Err(Error::JsonOnStdout);
        }
        let level = context.level()?;
        let loader = ObjectLoader::new(args.read_options(), context.weak).with(args.password.unlock()?);
        let mut object = loader.any(&source)?;
        loader.check_password_use(object.kind == ObjectKind::SigningKey, report)?;
        let was_encrypted = object.encryption().is_some();
        let was_certificate = object.is_in(ContainerStructure::Certificate);
        let mut from = object.algorithm();
        if args.half.is_some() || args.join.is_some() {
            object = args.half_or_joined(&object, &loader, &source)?;
        }
        let algorithm = args.output_algorithm(&mut object, &source)?;
        if args.algorithm.is_some() {
            from = object.algorithm();
        }
        args.check_options(&object, algorithm)?;
        let converted = ConvertedObject::of(level, &object, algorithm, args.encoding, &source)?;
        let destination = args.destination(object.kind)?;
        let to = args.to.of(object.kind, algorithm);
        // Binary output is not written to a terminal, because it could contain control sequences.
        if to.is_binary() {
            destination.refuse_terminal()?;
        }
        let mut password = None;
        if args.encrypt {
            password = Some(new_password(new_source.as_ref(), NEW_PASSWORD, report)?);
        }
        args.check_no_loss(&object, to, &source)?;
        Ok(Self {
            args,
            source,
            from,
            was_encrypted,
            was_certificate,
            object,
            algorithm,
            converted,
            to,
            destination,
            password,
        })
    }

    /// Writes OUT.
    ///
    /// # Errors
    /// Fails if OUT cannot be written.
    fn run(&self, report: &mut Report) -> Result<(), Error> {
        let Self { args, object, algorithm, converted, .. } = self;
        let fingerprint = converted.public.as_deref().map(fingerprint);
        let contents = self.contents(fingerprint.as_deref())?;
        self.destination.write(&contents)?;
        self.print_warnings(report);
        report.detail(&format!(
            "{} -> {}: {algorithm} {}, {}{}",
            self.source,
            shown(&args.output),
            object.kind.name(),
            self.to.name(),
            if self.is_other_algorithm() { format!(", from {}", self.from) } else { String::new() }
        ));
        let mut entry = ResultEntry::of(self.source.path()).path("output", &args.output).algorithm(*algorithm);
        if let Some(fingerprint) = &fingerprint {
            entry = entry.key(fingerprint);
        }
        report.push(entry.ok());
        Ok(())
    }

    fn is_other_algorithm(&self) -> bool {
        self.algorithm != self.from
    }

    /// Encodes the converted key or signature in the format for OUT.
    fn contents(&self, fingerprint: Option<&str>) -> Result<Zeroizing<Vec<u8>>, Error> {
        let Self { args, object, algorithm, converted, .. } = self;
        // The object identifier (OID) in IN does not belong to the new scheme.
        let oid = if self.is_other_algorithm() { None } else { object.oid() };
        let style = WriteOptions::plain(self.to)
            .with_oid(args.oid.as_ref().or(oid))
            .with_layout(args.layout.or(args.private))
            .with_public(converted.public.as_deref())
            .with_expanded(converted.expanded.as_ref().map(|expanded| &expanded[..]))
            .with_attributes(if args.drop_attributes { None } else { object.attributes() });
        let note = match (fingerprint, SignatureNote::of(object)) {
            (Some(fingerprint), _) => object.kind.note(*algorithm, fingerprint),
            (None, Some(note)) => note.line(*algorithm),
            (None, None) => format!("fndsa {} {algorithm}", object.kind.name()),
        };
        let file = KeyFileOptions { style, password: self.password.as_ref().map(|it| &it[..]) };
        file.contents(object.kind, *algorithm, &note, &converted.bytes)
    }

    /// Prints warnings and notes, for example that OUT is not encrypted although IN was.
    fn print_warnings(&self, report: &mut Report) {
        if self.was_certificate {
            report.note(&format!("note: {}", loader::CERTIFICATE_NOTE));
            report.add_warning(loader::CERTIFICATE_NOTE);
        }
        if self.object.kind == ObjectKind::SigningKey {
            loader::warn_if_open(&self.source, report);
            if self.password.is_none() {
                loader::warn_if_written_open(&self.destination, report);
            }
        }
        if self.is_other_algorithm() {
            for text in OTHER_SCHEME {
                report.warn(text);
            }
        }
        if self.was_encrypted && self.password.is_none() {
            report.note(&format!("note: {} has no password", shown(&self.args.output)));
        }
    }
}

impl Args {
    /// Checks that `--encrypt` is given only for a format of private keys, and a new password only
    /// with `--encrypt`.
    fn check_encryption(&self) -> Result<(), Error> {
        // Only private keys can be encrypted.
        if self.encrypt && self.to.kind() != Some(ObjectKind::SigningKey) {
            return Err(Error::Write(WriteError::NotEncryptable(self.to)));
        }
        // Without `--encrypt`, the new password would be ignored.
        if self.new_password.is_given() && !self.encrypt {
            return Err(Error::PasswordUnused);
        }
        Ok(())
    }

    /// Checks that OUT can be written.
    fn destination(&self, kind: ObjectKind) -> Result<Destination, Error> {
        let access = if kind == ObjectKind::SigningKey { NewFileAccess::Private } else { NewFileAccess::Public };
        match Destination::new(&self.output, OverwriteRule::PublicKeys.with(self.force), access) {
            // `convert` creates no new keys, so it must never replace a private key.
            Err(Error::KeyExists { path, .. }) => Err(Error::KeyExists { path, is_replaceable: false }),
            result => result,
        }
    }

    /// Returns the options for reading IN. Keys of ML-DSA and Ed25519 cannot be converted to other
    /// schemes, so such a key must have the algorithm that `--algorithm` names. A raw key in these
    /// schemes does not name its algorithm, so the reader needs `--algorithm`. The reader also
    /// needs to know whether `--to` is for private or public keys, because a raw Ed25519 key can be
    /// a private key or a public key.
    fn read_options(&self) -> ReadOptions {
        ReadOptions::default()
            .with_oid(self.oid.clone())
            .with_any_oid(self.algorithm.is_some())
            .with_algorithm(self.algorithm.filter(|algorithm| algorithm.degree().is_none()))
            .with_expected_kind(if self.to == FileEncoding::Hex {
                Some(ObjectKind::SigningKey)
            } else {
                self.to.kind()
            })
    }

    /// Returns the algorithm for OUT. IN can belong to several schemes, for example if it is a raw
    /// Falcon key. If `--algorithm` names one of these schemes, changes `object` to this scheme,
    /// and no conversion is necessary.
    ///
    /// # Errors
    /// Fails if the algorithm of IN cannot be converted to `--algorithm`, if a signature does not
    /// belong to the scheme of `--algorithm`, or if the key in OUT would belong to a scheme that
    /// can only verify.
    fn output_algorithm(&self, object: &mut FileObject, source: &InputSource) -> Result<Algorithm, Error> {
        let Some(wanted) = self.algorithm else { return Ok(object.algorithm()) };
        if object.kind != ObjectKind::Signature && !wanted.scheme().can_sign() {
            return Err(Error::VerifyOnly(wanted));
        }
        let found = match object.names() {
            Some(names) => names,
            None => object.algorithm().to_string(),
        };
        if object.algorithm().with_scheme(wanted.scheme()) != Some(wanted) {
            return Err(Error::OtherAlgorithm { from: source.to_string(), found, wanted });
        }
        if !object.narrow(wanted) && object.kind == ObjectKind::Signature {
            return Err(Error::SignatureScheme { from: source.to_string(), found, wanted });
        }
        Ok(wanted)
    }

    /// Returns a half of the composite key in IN (`--half`), or joins IN with the key in the file
    /// of `--join`. The halves are an ML-DSA key and an Ed25519 key.
    ///
    /// # Errors
    /// With `--half`, fails if IN is not a composite key. With `--join`, fails if its file cannot
    /// be read, or if the two keys do not form a composite key. Also fails if a part of a key would
    /// be lost, for example its attributes.
    fn half_or_joined(
        &self,
        object: &FileObject,
        loader: &ObjectLoader,
        source: &InputSource,
    ) -> Result<FileObject, Error> {
        self.check_no_attributes(object, source)?;
        let Some(path) = &self.join else {
            let found = object.algorithm();
            let Some([first, second]) = object.halves() else {
                return Err(Error::NoHalves { from: source.to_string(), found });
            };
            return Ok(if self.half == Some(0) { first } else { second });
        };
        let other_source = InputSource::from_arg(path);
        let other = loader.any(&other_source)?;
        self.check_no_attributes(&other, &other_source)?;
        match FileObject::joined(object, &other) {
            Some(joined) => Ok(joined),
            None => Err(Error::NotJoinable { first: source.to_string(), second: other_source.to_string() }),
        }
    }

    /// Checks that OUT can contain the pre-hash of the key and (without `--drop-attributes`) the
    /// attributes.
    fn check_no_loss(&self, object: &FileObject, to: FileEncoding, source: &InputSource) -> Result<(), Error> {
        if object.attributes().is_some() && !self.drop_attributes && to.kind().is_none() {
            return Err(Error::KeyPartLost { from: source.to_string(), part: KeyPart::Attributes });
        }
        loader::check_prehash_is_kept(object, to, source)
    }

    /// Checks that a key has no pre-hash and (without `--drop-attributes`) no attributes, because a
    /// half or a joined key cannot keep them.
    fn check_no_attributes(&self, object: &FileObject, source: &InputSource) -> Result<(), Error> {
        let part = match (object.attributes(), object.prehash()) {
            (Some(_), _) if !self.drop_attributes => KeyPart::Attributes,
            (_, Some(_)) => KeyPart::PreHash,
            _ => return Ok(()),
        };
        Err(Error::KeyPartLost { from: source.to_string(), part })
    }

    /// Checks that the options and the format can be used for `object`, and for `algorithm` in OUT.
    fn check_options(&self, object: &FileObject, algorithm: Algorithm) -> Result<(), Error> {
        if let Some(kind) = self.to.kind()
            && kind != object.kind
        {
            return Err(Error::Write(WriteError::Form { kind: object.kind, encoding: self.to }));
        }
        if self.oid.is_some() && self.to.kind().is_none() && object.container.is_none() {
            return Err(Error::OidUnused);
        }
        let in_pkcs8 = self.to.of(object.kind, algorithm).kind() == Some(ObjectKind::SigningKey);
        if self.layout.is_some() && !(in_pkcs8 && KeyLayout::of(algorithm.scheme()) == KeyLayout::Oqs) {
            return Err(Error::LayoutUnused);
        }
        if self.private.is_some() && !(in_pkcs8 && KeyLayout::of(algorithm.scheme()) == KeyLayout::Seed) {
            return Err(Error::PrivateFormUnused);
        }
        match self.encoding {
            Some(_) if object.kind != ObjectKind::Signature => Err(Error::EncodingUnused),
            Some(_) if algorithm.scheme().encodings().len() == 1 => Err(Error::NoEncoding(algorithm.scheme())),
            _ => Ok(()),
        }
    }
}

/// The key or signature to write to OUT.
struct ConvertedObject {
    /// The encoded key or signature, which is secret if it is a private key.
    bytes: Zeroizing<Vec<u8>>,
    /// The public key. `None` for a signature.
    public: Option<Vec<u8>>,
    /// The expanded form of an ML-DSA private key. `None` for all other objects.
    expanded: Option<Zeroizing<Vec<u8>>>,
}

impl ConvertedObject {
    /// Checks a key or signature, and converts it to the scheme of `to` and to `encoding`. A
    /// signature is decoded, but not verified.
    ///
    /// # Errors
    /// Fails if the object is not valid, or if the conversion is not possible.
    fn of(
        level: Level,
        object: &FileObject,
        to: Algorithm,
        encoding: Option<SignatureEncoding>,
        source: &InputSource,
    ) -> Result<Self, Error> {
        let same = to == object.algorithm();
        let mut expanded = None;
        let (bytes, public) = match (object.kind, encoding) {
            (ObjectKind::SigningKey, _) => {
                let private = LoadedPrivateKey::check(level, object, source)?;
                expanded = private.expanded_form(level)?;
                let (bytes, public) = if same {
                    (object.bytes.clone(), private.public)
                } else {
                    recode::private_key(level, &private, to, source)?
                };
                (bytes, Some(public))
            }
            (ObjectKind::VerifyingKey, _) => {
                let public = checked_public_key(object, source)?;
                let bytes = if same {
                    object.bytes.to_vec()
                } else {
                    recode::public_key(level, &public.key.to_ref(), to, source)?
                };
                (Zeroizing::new(bytes.clone()), Some(bytes))
            }
            (ObjectKind::Signature, None) => {
                if let Err(e) = SignatureRef::of_algorithm(to, &object.bytes) {
                    return Err(Error::Signature { from: source.to_string(), source: e });
                }
                (object.bytes.clone(), None)
            }
            (ObjectKind::Signature, Some(encoding)) => {
                let bytes = recode::recode(to, object.bytes.to_vec(), encoding, source)?;
                (Zeroizing::new(bytes), None)
            }
        };
        Ok(Self { bytes, public, expanded })
    }
}
