//! Checks the command line for `fndsa sign`, and then runs the command.
//!
//! [`SignPlan::new`] checks the options, and that the outputs are different from the inputs.
//! [`SignPlan::run`] loads the keys, checks whether the outputs can be written, and then reads the
//! messages.

use super::Args;
use super::each::{FilesToSign, refuse_key};
use super::external_args::hint_for_mu;
use super::manifest::ListPlan;
use super::print_mu::{MuLine, MuMaker};
use super::stream::sign_stream;
use crate::tool::context::CommandContext;
use crate::tool::io::{
    Destination, FileIdentity, InputFiles, InputSource, NewFileAccess, OutputPath, OverwriteRule, stdin_once,
};
use crate::tool::keys::loader::{self, LoadedPrivateKey, ObjectLoader};
use crate::tool::keys::protected_files::ProtectedFiles;
use crate::tool::message::form::MessageForm;
use crate::tool::options::form::MuForm;
use crate::tool::report::file_hints::LIST;
use crate::tool::report::progress::ProgressDisplay;
use crate::tool::report::suffix::signed_by_name;
use crate::tool::report::{Error, Report, SuccessToken};
use crate::tool::sign::key_signer::SignatureFromElsewhere;
use crate::tool::sign::output_format::{MuKey, OutputFormat};
use crate::tool::sign::signer::Signer;
use crate::tool::sign::signing_keys::SigningKeys;
use crate::tool::system;
use crate::tool::trust::describe::checked_public_key;
use fndsa::Algorithm;
use fndsa::files::{ContainerStructure, FileObject, Format, ObjectKind, ReadOptions};
use fndsa::no_alloc::Level;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Returns the hint for the file of `--signature`, if it cannot be read as a signature for the
/// algorithm of `--public-key`.
fn wrong_signature_hint() -> String {
    let base64 = system::SYSTEM_HINTS.decode_base64;
    let hex = system::SYSTEM_HINTS.decode_hex;
    format!(
        "give the raw bytes of a signature by the given public key; if another program wrote base64 or hexadecimal digits, decode \
         them first: `{base64}` or `{hex}`"
    )
}

/// A signing command with checked options and inputs, before the keys are loaded.
pub struct SignPlan<'a> {
    args: &'a Args,
    context: &'a CommandContext,
    progress: ProgressDisplay,
    keys: Vec<InputSource>,
    password: Option<InputSource>,
    /// The signature from an external program.
    signature: Option<InputSource>,
    task: SignTask<'a>,
    level: Level,
    form: MessageForm,
}

/// The files to sign, and the type of output.
enum SignTask<'a> {
    /// Write a signature file or an envelope for each file.
    EachFile(InputFiles),
    /// Write and sign a list of all files, or print the mu of the list with `--print-mu`.
    List(ListPlan<'a>),
    /// Print, for each file, the mu: a hash that an external program signs.
    Mu(Vec<InputSource>),
    /// Answer requests on standard input. Each request contains a message or the name of a file.
    Stream,
}

impl<'a> SignPlan<'a> {
    /// Checks the command line.
    ///
    /// # Errors
    /// Fails if the options contradict each other, if no key or file is given, or if an output is
    /// also an input.
    pub fn new(args: &'a Args, context: &'a CommandContext, report: &mut Report) -> Result<Self, Error> {
        args.check_modes(context)?;
        let progress = ProgressDisplay::new(context.output);
        let keys = args.key_sources()?;
        args.key.warn_if_variable_unused(report);
        // A raw signature file can only contain a single signature.
        if keys.len() > 1 && args.format == Format::Raw {
            return Err(Error::OneKey("--format raw"));
        }
        let password = args.key.password_source()?;
        let files: Vec<_> = args.files.iter().map(|file| InputSource::from_arg(file)).collect();
        let mut other_inputs = keys.clone();
        let signature = args.external.signature.as_deref().map(InputSource::from_arg);
        let more = [password.clone(), args.message.context_source(), args.lists.list_file(), signature.clone()];
        other_inputs.extend(more.into_iter().flatten());
        for path in &args.formats.cert {
            other_inputs.push(InputSource::from_arg(path));
        }
        // At most one input can be standard input.
        let requests = args.stream.then_some(InputSource::Stdin);
        stdin_once(files.iter().chain(&other_inputs).chain(&requests))?;
        let task = SignTask::new(args, files, &progress, report)?;
        task.check_outputs(args, context, &other_inputs)?;
        let level = context.level()?;
        let form = args.message.form(context.weak)?;
        Ok(Self { args, context, progress, keys, password, signature, task, level, form })
    }

    /// Loads the keys, and signs. After an error in a file, signs the remaining files, but does not
    /// write a list.
    ///
    /// # Errors
    /// Fails if a key is rejected, if the keys do not support the context or the pre-hash, or if
    /// standard output fails.
    pub fn run(&self, report: &mut Report) -> Result<SuccessToken, Error> {
        let accept = ReadOptions::default().with_algorithm(self.args.algorithm);
        if self.args.external.public_key.is_some() {
            return self.run_for_public_key(accept, report);
        }
        let noted_keys = self.args.key.load(&self.keys, &accept, self.context.weak, report)?;
        // `objects` owns the private keys and wipes them when this function returns. `private` only
        // borrows them.
        let (objects, notes): (Vec<_>, Vec<_>) = noted_keys.into_iter().unzip();
        let form = self.form_with_prehash(&objects)?;
        let mut private = Vec::with_capacity(objects.len());
        for ((object, noted), source) in objects.iter().zip(&notes).zip(&self.keys) {
            let key = LoadedPrivateKey::check(self.level, object, source)?;
            loader::warn_if_noted_differently(noted.as_deref(), &key.fingerprint, source, report);
            private.push(key);
        }
        let protected = ProtectedFiles::of(self.keys.iter().chain(&self.password), &private);
        self.task.refuse_protected(&protected)?;
        let keys = SigningKeys::of_private(&private, &form);
        if let (Some(_), [private]) = (self.args.external.print_mu, &private[..]) {
            let key = MuKey { algorithm: private.key.algorithm(), hash: private.key.key_hash(), form: &form };
            return self.print_mu(key, &keys, &protected, report);
        }
        for source in &self.keys {
            loader::warn_if_open(source, report);
        }
        let format = self.args.output_format(&keys, report)?;
        let signer = self.signer(&private, form.clone())?;
        match &self.task {
            SignTask::EachFile(files) => self.sign_each(&signer, files, format, report),
            SignTask::List(list) => {
                let args = self.args;
                list.sign(&signer, &protected, args.force, args.lists.jobs, &self.progress, report)?;
                Ok(SuccessToken::from(()))
            }
            SignTask::Stream => sign_stream(&signer, &protected, self.args.lists.jobs.threads(usize::MAX), report),
            SignTask::Mu(_) => Err(Error::OneKey("--print-mu")),
        }
    }

    /// Creates the signer for the checked keys.
    fn signer<'k>(&self, private: &'k [LoadedPrivateKey<'k>], form: MessageForm) -> Result<Signer<'k>, Error> {
        let args = self.args;
        let mut signer = Signer::new(private, self.level, form, args.format_of_signatures(), args.encoding)?;
        if args.deterministic {
            signer = signer.deterministic()?;
        }
        Ok(signer)
    }

    /// Returns the context, the pre-hash and the type of input for all messages. If the keys are
    /// bound to a pre-hash (HashML-DSA), the result contains this pre-hash.
    fn form_with_prehash(&self, keys: &[FileObject]) -> Result<MessageForm, Error> {
        self.form.clone().bound(self.args.message.names_prehash(), keys.iter().map(FileObject::prehash))
    }

    /// Writes the signatures for each file.
    fn sign_each(
        &self,
        signer: &Signer<'_>,
        files: &InputFiles,
        format: OutputFormat<'_>,
        report: &mut Report,
    ) -> Result<SuccessToken, Error> {
        FilesToSign::new(self.args, signer, files, format)?.run(&self.progress, report)?;
        Ok(SuccessToken::from(()))
    }

    /// Processes the messages for the public key in `--public-key`: prints the mu for each message,
    /// or writes the signature from an external program.
    fn run_for_public_key(&self, accept: ReadOptions, report: &mut Report) -> Result<SuccessToken, Error> {
        let [source] = &self.keys[..] else {
            return Err(Error::Internal("several public keys".to_owned()));
        };
        self.args.key.refuse_password(report)?;
        let object = ObjectLoader::new(accept, self.context.weak).only(source, ObjectKind::VerifyingKey)?;
        if object.is_in(ContainerStructure::Certificate) {
            report.note(&format!("note: {}", loader::CERTIFICATE_NOTE));
            report.add_warning(loader::CERTIFICATE_NOTE);
        }
        let form = self.form_with_prehash(std::slice::from_ref(&object))?;
        let public = checked_public_key(&object, source)?;
        let from = source.to_string();
        let keys = SigningKeys::of_public(&public, &from, &form);
        let protected = ProtectedFiles::of(std::iter::empty(), &[]);
        let Some(signature) = &self.signature else {
            let key = public.key.to_ref();
            let key = MuKey { algorithm: key.algorithm(), hash: key.key_hash(self.level), form: &form };
            return self.print_mu(key, &keys, &protected, report);
        };
        let output = self.args.output_format(&keys, report)?;
        let signature = self.signature_from_elsewhere(signature, public.key.to_ref().algorithm())?;
        let format = self.args.format_of_signatures();
        let signer = Signer::of_signature(&public, signature, self.level, form.clone(), format)?;
        match &self.task {
            SignTask::EachFile(files) => self.sign_each(&signer, files, output, report),
            SignTask::List(list) => {
                let args = self.args;
                list.sign(&signer, &protected, args.force, args.lists.jobs, &self.progress, report)?;
                Ok(SuccessToken::from(()))
            }
            _ => Err(Error::Internal("--public-key without --print-mu or --signature".to_owned())),
        }
    }

    /// Reads the signature from an external program.
    fn signature_from_elsewhere(
        &self,
        source: &InputSource,
        algorithm: Algorithm,
    ) -> Result<SignatureFromElsewhere, Error> {
        let accept = ReadOptions::default().with_algorithm(Some(algorithm));
        let object = match ObjectLoader::new(accept, self.context.weak).only(source, ObjectKind::Signature) {
            Ok(object) => object,
            Err(e @ (Error::Format { .. } | Error::Unrecognised { .. } | Error::OtherAlgorithm { .. })) => {
                let hint = match hint_for_mu(source, algorithm) {
                    Some(hint) => hint,
                    None => wrong_signature_hint(),
                };
                return Err(e.with_hint(hint));
            }
            Err(e) => return Err(e),
        };
        let mut format = self.args.foreign_format();
        if format.is_none() && self.args.list.manifest().is_some() {
            format = Some(LIST);
        }
        Ok(SignatureFromElsewhere { signature: object.bytes.to_vec(), from: source.to_string(), format })
    }

    /// Prints the mu of each file for a key, or the mu of the list.
    fn print_mu(
        &self,
        key: MuKey<'_>,
        keys: &SigningKeys<'_>,
        protected: &ProtectedFiles,
        report: &mut Report,
    ) -> Result<SuccessToken, Error> {
        let sources = match &self.task {
            SignTask::Mu(sources) => &sources[..],
            _ => &[],
        };
        let list = match &self.task {
            SignTask::List(list) => Some(list),
            _ => None,
        };
        // The mu of a list, or of a single file without `--files-from`, is printed without a file
        // name.
        let is_alone = list.is_some() || (sources.len() == 1 && self.args.lists.list_file().is_none());
        let line = match self.args.external.print_mu.unwrap_or(MuForm::Hex) {
            form if is_alone => MuLine::Alone(form),
            MuForm::Hex => MuLine::Named,
            MuForm::Base64 => return Err(Error::OneInput { option: "--print-mu=base64", count: sources.len() }),
            MuForm::Raw => return Err(Error::OneInput { option: "--print-mu=raw", count: sources.len() }),
        };
        if line == MuLine::Alone(MuForm::Raw) {
            let stdout = Destination::new(Path::new("-"), OverwriteRule::Yes, NewFileAccess::Public)?;
            if let Err(e) = stdout.refuse_terminal() {
                return Err(e.with_hint("write the mu to a file with `>FILE`, or leave =raw out"));
            }
        }
        let jobs = self.args.lists.jobs;
        let maker = MuMaker::new(self.level, key, self.args.output_format(keys, report)?)?;
        match list {
            Some(list) => {
                let (path, text) = list.text(protected, jobs, &self.progress)?;
                maker.print_list(path, &text, line, report)?;
            }
            None => maker.print(sources, line, jobs, &self.progress, report)?,
        }
        Ok(SuccessToken::from(()))
    }
}

impl Args {
    /// Returns an error for options that contradict each other.
    fn check_modes(&self, context: &CommandContext) -> Result<(), Error> {
        // With `--stream`, the answers are already JSON documents, one for each request.
        if self.stream && context.output.json {
            return Err(Error::JsonStream);
        }
        // A raw signature file can only contain a single signature.
        if self.add && self.format == Format::Raw {
            return Err(Error::AddRaw);
        }
        if !matches!(self.external.print_mu, None | Some(MuForm::Hex)) && context.output.json {
            return Err(Error::MuInJson);
        }
        // Standard output contains no existing signatures to which a signature could be added.
        if let Some(output) = &self.output
            && self.add
            && Destination::names_stdout(output)
        {
            return Err(Error::AddToStdout);
        }
        Ok(())
    }

    /// Returns the files and variables that contain the keys. A stream and a mu require a single
    /// key.
    fn key_sources(&self) -> Result<Vec<InputSource>, Error> {
        match &self.external.public_key {
            Some(path) => Ok(vec![InputSource::from_arg(path)]),
            None if self.stream => Ok(vec![self.key.source("--stream")?]),
            None if self.external.print_mu.is_some() => match self.key.source("--print-mu") {
                Ok(source) => Ok(vec![source]),
                Err(Error::NoKey(_)) => Err(Error::NoKeyForMu),
                Err(e) => Err(e),
            },
            None => self.key.sources(),
        }
    }
}

impl<'a> SignTask<'a> {
    /// Collects the files: the files in the directory tree of `--recursive`, or the files in
    /// `named` and in the file of `--files-from`.
    fn new(
        args: &'a Args,
        named: Vec<InputSource>,
        progress: &ProgressDisplay,
        report: &mut Report,
    ) -> Result<Self, Error> {
        if let Some(gathered) = args.list.gather(report)? {
            return Ok(Self::List(ListPlan::of_directory(&args.list, gathered)?));
        }
        let sources = args.lists.sources(named, progress)?;
        // The output can contain the signature of only one file.
        if args.output.is_some() && sources.len() > 1 {
            return Err(Error::OneInput { option: "--output", count: sources.len() });
        }
        if args.external.signature.is_some() && sources.len() > 1 && args.list.manifest().is_none() {
            return Err(Error::OneInput { option: "--signature", count: sources.len() });
        }
        match args.list.manifest() {
            Some(list) => Ok(Self::List(ListPlan::of_files(&args.list, list, sources)?)),
            None if args.stream => Ok(Self::Stream),
            None if args.external.print_mu.is_some() => Ok(Self::Mu(sources)),
            None => Ok(Self::EachFile(InputFiles::new(sources)?)),
        }
    }

    /// Checks that no file to sign is a protected file, which contains a private key or the
    /// password. The files in requests are checked later.
    fn refuse_protected(&self, protected: &ProtectedFiles) -> Result<(), Error> {
        // `ProtectedFiles::refuse` queries each file again, because a program may have replaced a
        // file while the user was typing a password.
        let sources = match self {
            Self::EachFile(files) => files.sources(),
            Self::Mu(sources) => sources,
            Self::List(list) => list.sources(),
            Self::Stream => &[],
        };
        for source in sources {
            protected.refuse(source)?;
        }
        match self {
            // A user may sign a single private key on purpose, but has probably forgotten `-k` if
            // one of several files is a private key.
            Self::EachFile(files) if files.sources().len() > 1 => {
                for source in sources {
                    refuse_key(source, protected)?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Checks that the outputs do not replace any input. `other_inputs` are the inputs that are not
    /// messages.
    fn check_outputs(&self, args: &Args, context: &CommandContext, other_inputs: &[InputSource]) -> Result<(), Error> {
        match self {
            Self::EachFile(files) => check_signature_files(args, context, files, other_inputs),
            Self::List(list) => list.refuse_inputs(other_inputs),
            // These tasks write only to standard output.
            Self::Mu(_) | Self::Stream => Ok(()),
        }
    }
}

/// Returns an error if an output is also an input, if two outputs have the same path, or if a
/// signature and the document of `--json` would both be written to standard output.
fn check_signature_files(
    args: &Args,
    context: &CommandContext,
    files: &InputFiles,
    other_inputs: &[InputSource],
) -> Result<(), Error> {
    let paths: Vec<PathBuf> = files.sources().iter().map(|source| args.output(source)).collect();
    let outputs: Vec<_> = paths.iter().map(|path| OutputPath::new(path)).collect();
    Destination::refuse_twice(&outputs)?;
    let other_inputs: BTreeSet<FileIdentity> = other_inputs.iter().filter_map(InputSource::identity).collect();
    for output in outputs {
        let mut is_message = false;
        let mut is_other_input = false;
        if let Some(identity) = output.identity() {
            is_message = files.identities().contains(&identity);
            is_other_input = other_inputs.contains(&identity);
        }
        let path = output.path();
        match signed_by_name(path) {
            // For example, `sign *` also names earlier signature files.
            Some(file) if is_message && args.output.is_none() => {
                return Err(Error::SignatureAsInput { signature: path.to_owned(), file });
            }
            _ if is_message || is_other_input => return Err(Error::OutputIsInput(path.to_owned())),
            _ => {}
        }
        // With `--json`, the document is written to standard output.
        if context.output.json && output.is_stdout() {
            return Err(Error::JsonOnStdout);
        }
    }
    Ok(())
}
