//! `fndsa man`: prints or writes the manual pages. The program contains the files in the folder
//! `man`, which `manual::generated` generates.

use crate::cmd::manual::{ManualPage, PAGES};
use crate::tool::context::CommandContext;
use crate::tool::io::{Destination, NewFileAccess, OverwriteRule, StagedOutput};
use crate::tool::report::escape::shown;
use crate::tool::report::{Error, Report, ResultEntry};
use std::io::{ErrorKind, IsTerminal};
use std::path::{Path, PathBuf};

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Write all pages, or the page of COMMAND, to this existing directory
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Command whose page you want; without it the page of fndsa
    #[arg(value_name = "COMMAND", value_parser = commands(), hide_possible_values = true)]
    command: Option<String>,
    /// Replace existing files
    #[arg(short, long)]
    force: bool,
}

fn commands() -> clap::builder::PossibleValuesParser {
    PAGES.iter().map(|page| page.command).filter(|command| !command.is_empty()).into()
}

impl Args {
    /// Returns the page of the chosen command. Returns all pages if no command is chosen.
    fn pages(&self) -> Vec<&'static ManualPage> {
        let mut pages = Vec::new();
        for page in PAGES {
            match &self.command {
                Some(command) if command != page.command => {}
                _ => pages.push(page),
            }
        }
        pages
    }
}

/// Runs `fndsa man`.
///
/// # Errors
/// Fails if a page cannot be written. In this case, no new files remain.
pub fn run(args: &Args, context: &CommandContext, report: &mut Report) -> Result<(), Error> {
    let Some(directory) = &args.dir else {
        if context.output.json {
            return Err(Error::NoJson);
        }
        let [page, ..] = &args.pages()[..] else {
            return Err(Error::Internal("a command without a page".to_owned()));
        };
        Destination::new(Path::new("-"), OverwriteRule::No, NewFileAccess::Public)?.write(&page.roff.bytes()?)?;
        if std::io::stdout().is_terminal() {
            let command = match &args.command {
                Some(command) => format!(" {command}"),
                None => String::new(),
            };
            report.note(&format!("`fndsa man{command} | man -l -` shows the page as text"));
        }
        return Ok(());
    };
    match std::fs::metadata(directory) {
        Ok(meta) if meta.is_dir() => {}
        Ok(_) => return Err(Error::io(shown(directory), ErrorKind::NotADirectory)),
        Err(e) if e.kind() == ErrorKind::NotFound => return Err(Error::NoDirectory(directory.clone())),
        Err(e) => return Err(Error::io(shown(directory), e)),
    }
    let overwrite = OverwriteRule::of(args.force);
    let mut pages = Vec::new();
    for page in args.pages() {
        let path = directory.join(page.file);
        pages.push((Destination::new(&path, overwrite, NewFileAccess::Public)?, path, page.roff.bytes()?));
    }
    let mut staged = Vec::new();
    for (to, _, roff) in &pages {
        staged.push(to.stage(roff)?);
    }
    StagedOutput::commit_all(staged)?;
    for (_, path, _) in &pages {
        report.detail(&shown(path));
        report.push(ResultEntry::of(path).ok());
    }
    report.note(&format!("{} pages in {}; read them with man -l FILE", pages.len(), shown(directory)));
    Ok(())
}
