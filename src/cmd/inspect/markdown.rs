//! `inspect --markdown`: prints lines for a README that explain how to verify the files in a
//! release.

use super::pairs::InspectedKey;
use crate::tool::io::{InputSource, MAX_LIST_MEBIBYTES};
use crate::tool::options::heading;
use crate::tool::report::Error;
use crate::tool::report::escape::pasteable_name;
use crate::tool::report::progress::ProgressDisplay;
use crate::tool::report::suffix::{SUFFIX, with_suffix};
use crate::tool::system::parse;
use fndsa::verdict::envelope::{Envelope, InlineList};
use std::path::{Path, PathBuf};

/// The placeholder for the address of the program, if `--program-url` is not given.
const PROGRAM_URL: &str = "URL-OF-FNDSA";
/// The placeholder for the address of the web page, if `--page-url` is not given.
const PAGE_URL: &str = "URL-OF-THE-PAGE/verify.html";

/// The options for the instructions in Markdown.
#[derive(clap::Args, Debug)]
pub struct MarkdownArgs {
    /// Print instructions in Markdown: how to verify the files that the owner of this public key signs
    #[arg(long, help_heading = heading::OUTPUT)]
    markdown: bool,
    /// Write the instructions for a release with this list
    ///
    /// The signature is in the list or in LIST.sig. Without a list, the instructions expect a signature FILE.sig for each file.
    #[arg(short = 'M', long = "list", alias = "manifest", value_name = "FILE",
        help_heading = heading::LISTS)]
    manifest: Option<PathBuf>,
    /// Address where readers of the instructions get fndsa
    #[arg(long, value_name = "URL", value_parser = address, help_heading = heading::OUTPUT)]
    program_url: Option<String>,
    /// Address of the web page that verifies files
    #[arg(long, value_name = "URL", value_parser = address, help_heading = heading::OUTPUT)]
    page_url: Option<String>,
}

impl MarkdownArgs {
    /// Returns the list's source. Returns `None` if no list is given.
    pub fn list(&self) -> Option<InputSource> {
        self.manifest.as_deref().map(InputSource::from_arg)
    }
}

/// Parses an address that can be used as a link target in Markdown.
fn address(text: &str) -> Result<String, String> {
    let is_web = text.starts_with("https://") || text.starts_with("http://");
    let is_plain = text.bytes().all(|b| b.is_ascii_graphic() && !b"()<>[]\"'`\\".contains(&b));
    if is_web && is_plain {
        Ok(text.to_owned())
    } else {
        Err("an address begins with https:// and has no spaces, brackets or quotes".to_owned())
    }
}

/// The signed list that names a release's files.
struct ReleaseList {
    /// The list's file name, quoted for a command line.
    name: String,
    /// The signature file's name. `None` if the signature is in the list.
    signature: Option<String>,
}

impl ReleaseList {
    /// Reads a list, to detect a wrong file and to find out whether the list contains its
    /// signature.
    fn read(source: &InputSource) -> Result<Self, Error> {
        let data = source.read_limited(MAX_LIST_MEBIBYTES, &ProgressDisplay::none())?;
        let inline = InlineList.open(&data).ok().flatten();
        let mut list = &data[..];
        if let Some(inline) = &inline
            && let Some((enclosed, _)) = inline.contents.covered.enclosed()
        {
            list = enclosed;
        }
        match parse(list) {
            Ok(listed) if listed.files.is_empty() => return Err(Error::ManifestEmpty(source.to_string())),
            Ok(_) => {}
            Err((number, flaw)) => return Err(Error::ManifestLine { from: source.to_string(), number, flaw }),
        }
        let mut name = Path::new("SHA256SUMS");
        if let InputSource::File(path) = source
            && let Some(file_name) = path.file_name()
        {
            name = Path::new(file_name);
        }
        let signature = if inline.is_none() { Some(pasteable_name(with_suffix(name, SUFFIX))) } else { None };
        Ok(Self { name: pasteable_name(name), signature })
    }
}

/// Everything in the Markdown instructions except the keys: the list, and the URLs of the program
/// and the page.
pub struct MarkdownTemplate {
    list: Option<ReleaseList>,
    program_url: String,
    page_url: String,
}

impl MarkdownTemplate {
    /// Reads the options. Returns `None` if no instructions should be printed.
    ///
    /// # Errors
    /// Fails if the list cannot be read, or if the file is not a list.
    pub fn new(args: &MarkdownArgs) -> Result<Option<Self>, Error> {
        if !args.markdown {
            return Ok(None);
        }
        let mut list = None;
        if let Some(source) = args.list() {
            list = Some(ReleaseList::read(&source)?);
        }
        Ok(Some(Self {
            list,
            program_url: args.program_url.as_deref().unwrap_or(PROGRAM_URL).to_owned(),
            page_url: args.page_url.as_deref().unwrap_or(PAGE_URL).to_owned(),
        }))
    }

    /// Returns a note about the placeholders that the key's owner must replace.
    pub fn to_replace(&self) -> Option<String> {
        let texts = [(&self.program_url, PROGRAM_URL, "--program-url"), (&self.page_url, PAGE_URL, "--page-url")];
        let mut open = Vec::new();
        let mut options = Vec::new();
        for (url, placeholder, option) in texts {
            if url == placeholder {
                open.push(placeholder);
                options.push(option);
            }
        }
        if open.is_empty() {
            return None;
        }
        let (open, options) = (open.join(" and "), options.join(" and "));
        Some(format!("note: replace {open} in these lines, or give {options}"))
    }

    /// Returns the instructions for files that all these keys sign. There must be at least one key.
    pub fn of(&self, keys: &[InspectedKey<'_>]) -> String {
        let options = self.options(keys);
        let signed_by = self.signed_by(keys);
        let those = if keys.len() == 1 {
            "public key, and paste the fingerprint"
        } else {
            "public keys, and paste the fingerprints"
        };
        let program = &self.program_url;
        let page = &self.page_url;
        let (command, give) = match &self.list {
            None => (format!("fndsa verify {options}FILE"), format!("the file, its\nsignature and the {those}")),
            Some(ReleaseList { name, signature }) => {
                let signature = match signature {
                    Some(signature) => format!("`{signature}`, "),
                    None => String::new(),
                };
                (
                    format!("fndsa verify {options}-M {name} --ignore-missing"),
                    format!("your\nfiles, `{name}`, {signature}the {those}"),
                )
            }
        };
        let where_to = if self.list.is_some() { ", in the directory of your downloads" } else { "" };
        format!(
            "\
## How to verify

{signed_by}

With the program [fndsa]({program}){where_to}:

    {command}

Or without a program: [this page]({page}) verifies in the browser and sends nothing. Give it {give}."
        )
    }

    /// Returns the options of `verify` that name the keys, for example `-p release.pub`.
    fn options(&self, keys: &[InspectedKey<'_>]) -> String {
        let mut files = String::new();
        if keys.iter().all(|key| key.part.block.is_none()) {
            for key in keys {
                match public_name(key) {
                    Some(name) => files += &format!("-p {name} "),
                    None => files += "-p KEY.pub ",
                }
            }
        } else {
            // The option -p does not accept a file with several keys.
            match common_public_name(keys) {
                Some(name) => files += &format!("--trusted-keys {name} "),
                None => files += "--trusted-keys KEYS.pub ",
            }
        }
        let policy = if keys.len() == 1 { "" } else { "--require all " };
        let mut options = files + policy;
        for key in keys {
            options += &format!("--expect-key {} ", key.fingerprint);
        }
        options
    }

    /// Returns the paragraph that describes the signature files and the keys.
    fn signed_by(&self, keys: &[InspectedKey<'_>]) -> String {
        let (by, lines) = match keys {
            [key] => (format!("the {} key with this fingerprint", key.algorithm), format!("    {}", key.fingerprint)),
            several => {
                let mut lines = Vec::new();
                for key in several {
                    lines.push(format!("    {} {}", key.algorithm, key.fingerprint));
                }
                ("each of the keys with these fingerprints".to_owned(), lines.join("\n"))
            }
        };
        let (there, signatures) = if keys.len() == 1 {
            ("there is a signature", "signature")
        } else {
            ("there are signatures", "signatures")
        };
        let place = match &self.list {
            None if keys.len() == 1 => "Each file `FILE` has a signature, `FILE.sig`,".to_owned(),
            None => "Each file `FILE` has signatures in `FILE.sig`".to_owned(),
            Some(ReleaseList { name, signature: None }) => {
                format!("The list `{name}` has the checksum of each file. In the list {there}")
            }
            Some(ReleaseList { name, signature: Some(file) }) => {
                format!("The list `{name}` has the checksum of each file. `{file}` has its {signatures}")
            }
        };
        format!("{place} by {by}:\n\n{lines}")
    }
}

/// Returns the key file's name without its directory, because the readers do not have this
/// directory. Returns `None` for standard input.
fn public_name(key: &InspectedKey<'_>) -> Option<String> {
    match key.part.source {
        InputSource::File(path) => path.file_name().map(pasteable_name),
        _ => None,
    }
}

/// Returns the file name if all keys have an equal file name, and otherwise `None`.
fn common_public_name(keys: &[InspectedKey<'_>]) -> Option<String> {
    let name = public_name(keys.first()?)?;
    for key in keys {
        if public_name(key).as_ref() != Some(&name) {
            return None;
        }
    }
    Some(name)
}
