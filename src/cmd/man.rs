//! `fndsa man`: the manual pages. They are made from the definition of the command line and the
//! tables of `manual` by the test below, and are part of the program.

use super::Context;
use super::escape::shown;
use super::io::{Access, Destination, Force};
use super::json::Entry;
use super::manual::{PAGES, Page};
use super::report::{Error, Report};
use rustix::io::Errno;
use std::path::{Path, PathBuf};

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Write the pages into this directory, which exists; all of them unless a command is named
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// The page of this command instead of the page of fndsa
    #[arg(value_name = "COMMAND", value_parser = commands())]
    command: Option<String>,
    /// Replace existing files
    #[arg(short, long, requires = "dir")]
    force: bool,
}

fn commands() -> clap::builder::PossibleValuesParser {
    PAGES.iter().map(|page| page.command).filter(|command| !command.is_empty()).into()
}

/// Runs the command.
///
/// # Errors
/// A page could not be written; then no new file is left behind.
pub fn run(args: &Args, context: &Context, report: &mut Report) -> Result<(), Error> {
    let wanted = |page: &&Page| args.command.as_deref().is_none_or(|command| command == page.command);
    let Some(directory) = &args.dir else {
        if context.voice.json {
            return Err(Error::JsonOnStdout);
        }
        let roff = PAGES.iter().find(wanted).map_or("", |page| page.roff);
        return Destination::new(Path::new("-"), Force::No, Access::Public)?.write(roff.as_bytes());
    };
    match std::fs::metadata(directory) {
        Ok(meta) if meta.is_dir() => {}
        Ok(_) => return Err(Error::io(shown(directory), Errno::NOTDIR)),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Err(Error::NoDirectory(directory.clone())),
        Err(e) => return Err(Error::io(shown(directory), e)),
    }
    let force = if args.force { Force::Yes } else { Force::No };
    let pages = PAGES.iter().filter(wanted).map(|page| {
        let path = directory.join(page.file);
        Ok((Destination::new(&path, force, Access::Public)?, path, page.roff))
    });
    let pages = pages.collect::<Result<Vec<_>, Error>>()?;
    let staged = pages.iter().map(|(to, _, roff)| to.stage(roff.as_bytes()));
    let staged = staged.collect::<Result<Vec<_>, _>>()?;
    let mut done = Vec::new();
    for page in staged {
        match page.commit() {
            Ok(committed) => done.push(committed),
            Err(e) => {
                done.into_iter().for_each(|committed| committed.undo());
                return Err(e);
            }
        }
    }
    for (_, path, _) in &pages {
        report.detail(&shown(path));
        report.push(Entry::of(path).ok());
    }
    report.note(&format!("{} pages in {}; read them with man -l FILE", pages.len(), shown(directory)));
    Ok(())
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::cmd::manual::{ENVIRONMENT, FILES, Row};
    use crate::cmd::{UNSETTLED, definition, report::exit};
    use std::collections::BTreeMap;

    /// That the files of a directory are the ones `made`. With `FNDSA_BLESS=1` they are written.
    pub fn committed(directory: &str, made: BTreeMap<String, String>) {
        let place = Path::new(env!("CARGO_MANIFEST_DIR")).join(directory);
        if std::env::var_os("FNDSA_BLESS").is_some_and(|value| value == "1") {
            for (name, text) in &made {
                std::fs::write(place.join(name), text).unwrap();
            }
        }
        let what = "with FNDSA_BLESS=1 `cargo test --bin fndsa` writes them anew";
        let files = std::fs::read_dir(&place).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut files: Vec<_> = files.collect();
        files.sort();
        assert_eq!(files, made.keys().cloned().collect::<Vec<_>>(), "the files in {directory}/; {what}");
        for (name, text) in made {
            let found = std::fs::read_to_string(place.join(&name)).unwrap();
            assert!(found == text, "{directory}/{name} is not what the command line is now; {what}");
        }
    }

    /// Text for roff: nothing in it is a command.
    fn plain(text: &str) -> String {
        let text = text.replace('\\', "\\e").replace('-', "\\-").replace('\'', "\\(aq").replace('`', "\\(ga");
        if text.starts_with('.') { format!("\\&{text}") } else { text }
    }

    fn paragraph(text: &str) -> String {
        format!(".PP\n{}\n", plain(text))
    }

    fn item(head: &str, text: &str) -> String {
        format!(".TP\n\\fB{}\\fR\n{}\n", plain(head), plain(text))
    }

    fn rows(heading: &str, rows: &[Row], command: &str) -> String {
        let rows =
            rows.iter().filter(|row| row.commands.is_empty() || command.is_empty() || row.commands.contains(&command));
        let items: String = rows.map(|row| item(row.name, row.text)).collect();
        if items.is_empty() { items } else { format!(".SH {heading}\n{items}") }
    }

    fn examples(page: &Page) -> String {
        let examples = page.examples.iter().map(|(what, command)| {
            format!("{}.PP\n.RS 4\n.nf\n{}\n.fi\n.RE\n", paragraph(&format!("{what}:")), plain(command))
        });
        format!(".SH EXAMPLES\n{}", examples.collect::<String>())
    }

    fn see_also(page: &Page) -> String {
        let others = PAGES.iter().filter(|other| other.file != page.file);
        let names = others.map(|other| format!("\\fB{}\\fR(1)", plain(other.file.trim_end_matches(".1"))));
        format!(".SH SEE ALSO\n{}\n", names.collect::<Vec<_>>().join(",\n"))
    }

    /// The page of one command, which is built.
    fn render(page: &Page, command: &clap::Command) -> String {
        let usage = command.clone().render_usage().to_string();
        let man = clap_mangen::Man::new(command.clone())
            .title(page.file.trim_end_matches(".1").to_uppercase())
            .source(format!("fndsa {}", env!("CARGO_PKG_VERSION")))
            .manual("FN-DSA signatures");
        let mut out = Vec::new();
        man.render_title(&mut out).unwrap();
        man.render_name_section(&mut out).unwrap();
        let usage = plain(usage.trim_start_matches("Usage: ").trim());
        out.extend(format!(".SH SYNOPSIS\n{usage}\n.SH DESCRIPTION\n").bytes());
        page.text.iter().for_each(|text| out.extend(paragraph(text).bytes()));
        if command.has_subcommands() {
            out.extend(paragraph(UNSETTLED).bytes());
            man.render_subcommands_section(&mut out).unwrap();
        }
        man.render_options_section(&mut out).unwrap();
        let codes: String = exit::TABLE.iter().map(|(code, _, when)| item(&code.to_string(), when)).collect();
        for section in [
            examples(page),
            format!(".SH EXIT STATUS\n{codes}"),
            rows("ENVIRONMENT", ENVIRONMENT, page.command),
            rows("FILES", FILES, page.command),
            see_also(page),
        ] {
            out.extend(section.bytes());
        }
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn every_command_has_a_page_and_every_page_a_command() {
        let names =
            |command: clap::Command| command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect::<Vec<_>>();
        let mut commands = names(definition());
        commands.insert(0, String::new());
        let pages: Vec<_> = PAGES.iter().map(|page| page.command).collect();
        assert_eq!(pages, commands, "the table in src/cmd/manual.rs against the one in src/cmd/mod.rs");
    }

    #[test]
    fn pages_are_those_of_the_definition() {
        let mut command = definition().disable_help_subcommand(true);
        command.build();
        let made = PAGES.iter().map(|page| {
            let command = command.find_subcommand(page.command).unwrap_or(&command);
            (page.file.to_owned(), render(page, command))
        });
        committed("man", made.collect());
    }

    #[test]
    fn rows_name_commands_that_exist() {
        for row in ENVIRONMENT.iter().chain(FILES) {
            for command in row.commands {
                assert!(PAGES.iter().any(|page| page.command == *command), "{} of {}", command, row.name);
            }
        }
    }
}
