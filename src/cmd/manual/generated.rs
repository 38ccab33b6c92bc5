//! Generates the files in `man/` and `completions/` from the definition of the command line and the
//! tables in `manual`. This module is only built for tests, which fail if the committed files are
//! out of date. With `FNDSA_BLESS=1`, the tests write the files.

use crate::cmd::completions::{SCRIPTS, Shell};
use crate::cmd::manual::{ManualPage, PAGES};
use crate::cmd::{UNSETTLED, definition};
use crate::tool::options::algorithm::table;
use crate::tool::report::exit;
use clap::ValueHint;
use clap::builder::PossibleValue;
use std::collections::BTreeMap;
use std::path::Path;

/// The manual's date. In a release, it must be the date in the change log.
const DATE: &str = "2026-11-22";

/// An environment variable or a file, and the commands that use it. If the command list is empty,
/// all commands use it.
struct ManualTopic {
    name: &'static str,
    text: &'static str,
    commands: &'static [&'static str],
}

/// The environment variables. An option takes precedence over its variable.
const ENVIRONMENT: &[ManualTopic] = &[
    ManualTopic {
        name: "FNDSA_KEY",
        text: "Private key file, if --key is not given.",
        commands: &["sign", "pubkey", "request"],
    },
    ManualTopic {
        name: "FNDSA_PUBLIC_KEY",
        text: "Public key file, if --public-key is not given.",
        commands: &["verify"],
    },
    ManualTopic {
        name: "FNDSA_PASSWORD",
        text: "Password of an encrypted private key.",
        commands: &["keygen", "sign", "pubkey", "request", "inspect", "convert", "passwd"],
    },
    ManualTopic {
        name: "FNDSA_PASSWORD_FILE",
        text: "File with the password of an encrypted private key in its first line.",
        commands: &["keygen", "sign", "pubkey", "request", "inspect", "convert", "passwd"],
    },
    ManualTopic {
        name: "FNDSA_BACKEND",
        text: "Level of the CPU, if --level is not given. On RISC-V fndsa never chooses the levels scalar-fdiv and rvv-fdiv \
               without this variable or option. These levels use the division instruction: choose them only if your processor \
               divides in constant time. On 32-bit ARM fndsa never chooses scalar-fdiv, which uses the floating-point unit: choose it \
               only if nobody can measure the time of your signatures.",
        commands: &[],
    },
    ManualTopic { name: "NO_COLOR", text: "If this variable is set, fndsa uses no colors.", commands: &[] },
    ManualTopic { name: "CLICOLOR", text: "If this variable is 0, fndsa uses no colors.", commands: &[] },
    ManualTopic {
        name: "CLICOLOR_FORCE",
        text: "If this variable is set and not 0, fndsa uses colors even if standard output is not a terminal.",
        commands: &[],
    },
];

/// The files that the manual describes.
const FILES: &[ManualTopic] = &[
    ManualTopic {
        name: "NAME.key",
        text: "Private key, which only its owner can read: PEM with the label FNDSA PRIVATE KEY, the raw bytes, or PKCS#8, with or \
               without a password.",
        commands: &["keygen", "sign", "inspect", "pubkey", "request", "convert", "passwd"],
    },
    ManualTopic {
        name: "NAME.pub",
        text: "Public key: PEM with the label FNDSA PUBLIC KEY, the raw bytes, or SPKI.",
        commands: &["keygen", "verify", "inspect", "pubkey", "convert"],
    },
    ManualTopic {
        name: "FILE.sig",
        text: "Signature of FILE: PEM with the label FNDSA SIGNATURE, or the raw bytes.",
        commands: &["sign", "verify", "inspect"],
    },
    ManualTopic {
        name: "fndsa-quickstart",
        text: "The new directory. If it exists, fndsa adds a number to the name.",
        commands: &["quickstart"],
    },
];

/// Escapes a text for roff, so that the text contains no roff commands.
fn escape_roff(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-").replace('\'', "\\(aq").replace('`', "\\(ga");
    if text.starts_with('.') { format!("\\&{text}") } else { text }
}

fn paragraph(text: &str) -> String {
    format!(".PP\n{}\n", escape_roff(text))
}

fn item(head: &str, text: &str) -> String {
    format!(".TP\n\\fB{}\\fR\n{}\n", escape_roff(head), escape_roff(text))
}

/// Returns the command's options, grouped by their headings.
fn options(command: &clap::Command) -> String {
    let mut headings = Vec::new();
    for arg in command.get_arguments() {
        if let Some(heading) = arg.get_help_heading()
            && !arg.is_hide_set()
            && !headings.contains(&heading)
        {
            headings.push(heading);
        }
    }
    let mut text = options_below(command, None);
    for heading in headings {
        text += &format!(".SS {heading:?}\n{}", options_below(command, Some(heading)));
    }
    text
}

/// Returns the command's options below a heading. If `heading` is `None`, returns the options
/// without a heading.
fn options_below(command: &clap::Command, heading: Option<&str>) -> String {
    let mut text = String::new();
    for arg in command.get_arguments() {
        if !arg.is_hide_set() && arg.get_help_heading() == heading {
            text += &option(arg);
        }
    }
    text
}

/// Returns the help text for an option's value. The text is empty if the value has no help.
fn value_help(value: &PossibleValue) -> String {
    match value.get_help() {
        Some(help) => help.to_string(),
        None => String::new(),
    }
}

/// Returns an option's description and values.
fn option(arg: &clap::Arg) -> String {
    let mut names = Vec::new();
    if let Some(short) = arg.get_short() {
        names.push(format!("\\fB\\-{short}\\fR"));
    }
    if let Some(long) = arg.get_long() {
        names.push(format!("\\fB\\-\\-{}\\fR", escape_roff(long)));
    }
    let mut head = names.join(", ");
    let takes_value = arg.is_positional() || arg.get_action().takes_values();
    if takes_value {
        for name in arg.get_value_names().unwrap_or_default() {
            head += &format!(" \\fI{}\\fR", escape_roff(name));
        }
    }
    let help = match arg.get_long_help().or(arg.get_help()) {
        Some(help) => help.to_string(),
        None => String::new(),
    };
    let paragraphs: Vec<_> = help.split("\n\n").map(escape_roff).collect();
    let mut text = format!(".TP\n{}\n{}\n", head.trim_start(), paragraphs.join("\n.sp\n"));
    let default: Vec<_> = arg.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    if takes_value && !default.is_empty() {
        text += &format!("[default: {}]\n", escape_roff(&default.join(" ")));
    }
    let values = if takes_value && !arg.is_hide_possible_values_set() { arg.get_possible_values() } else { Vec::new() };
    if values.iter().any(|value| value.get_help().is_some()) {
        text += ".RS\n";
        for value in &values {
            text += &item(value.get_name(), &value_help(value));
        }
        text += ".RE\n";
    } else if !values.is_empty() {
        let names: Vec<_> = values.iter().map(PossibleValue::get_name).collect();
        text += &format!("[possible values: {}]\n", escape_roff(&names.join(", ")));
    }
    text
}

fn section(heading: &str, body: &str) -> String {
    if body.is_empty() { String::new() } else { format!(".SH \"{heading}\"\n{body}") }
}

fn rows(rows: &[ManualTopic], command: &str) -> String {
    let mut text = String::new();
    for row in rows {
        if row.commands.is_empty() || command.is_empty() || row.commands.contains(&command) {
            text += &item(row.name, row.text);
        }
    }
    text
}

fn examples(page: &ManualPage) -> String {
    let mut text = String::new();
    for (purpose, line) in page.examples {
        text += &format!("{}.PP\n.RS 4\n.nf\n{}\n.fi\n.RE\n", paragraph(&format!("{purpose}:")), escape_roff(line));
    }
    text
}

fn see_also(page: &ManualPage) -> String {
    let mut names = Vec::new();
    for other in PAGES {
        if other.file != page.file {
            names.push(format!("\\fB{}\\fR(1)", escape_roff(other.file.trim_end_matches(".1"))));
        }
    }
    names.join(",\n") + "\n"
}

/// Returns a paragraph for each text.
fn all_paragraphs(texts: &[&str]) -> String {
    let mut all = String::new();
    for text in texts {
        all += &paragraph(text);
    }
    all
}

/// Returns the exit codes with their meanings.
fn exit_codes() -> String {
    let mut text = String::new();
    for (code, _, when) in exit::TABLE {
        text += &item(&code.to_string(), when);
    }
    text
}

/// Removes lines without an effect, and blanks at the ends of lines.
fn tidy(page: &str) -> String {
    let mut text = String::new();
    let mut is_after_heading = false;
    for line in page.lines() {
        // A line `.PP` directly after a heading has no effect, and `mandoc` prints a warning about
        // it.
        if is_after_heading && line == ".PP" {
            continue;
        }
        text += line.trim_end();
        text.push('\n');
        is_after_heading = line.starts_with(".SH ");
    }
    text.replace("\n.br\n\n.br\n", "\n.sp\n")
}

/// Returns the output of `clap_mangen`, with apostrophes in the form that [`escape_roff`] writes.
fn render_text(render: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> String {
    let mut out = Vec::new();
    render(&mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    let text: Vec<_> = text.lines().filter(|line| !line.contains(".ds Aq ")).collect();
    text.join("\n").replace("\\*(Aq", "\\(aq") + "\n"
}

/// Returns a command's manual page. [`build_recursively`] must have built the definition `command`.
fn render(page: &ManualPage, command: &clap::Command) -> String {
    let man = clap_mangen::Man::new(command.clone());
    let title = escape_roff(&page.file.trim_end_matches(".1").to_uppercase());
    let usage = command.clone().render_usage().to_string();
    let subcommands = command.has_subcommands();
    let sections = [
        format!(".TH {title} 1 {DATE} \"fndsa {}\" \"fndsa manual\"\n", env!("CARGO_PKG_VERSION")),
        render_text(|out| man.render_name_section(out)),
        section("SYNOPSIS", &format!("{}\n", escape_roff(usage.trim_start_matches("Usage: ").trim()))),
        section("DESCRIPTION", &all_paragraphs(page.text)),
        if subcommands {
            paragraph(UNSETTLED) + &render_text(|out| man.render_subcommands_section(out))
        } else {
            String::new()
        },
        section("OPTIONS", &options(command)),
        section("EXAMPLES", &examples(page)),
        section("EXIT STATUS", &exit_codes()),
        section("ENVIRONMENT", &rows(ENVIRONMENT, page.command)),
        section("FILES", &rows(FILES, page.command)),
        section(
            "ALGORITHMS",
            &if subcommands { format!(".nf\n{}\n.fi\n", escape_roff(table().trim_end())) } else { String::new() },
        ),
        section("NOTES", &all_paragraphs(page.notes)),
        section("SEE ALSO", &see_also(page)),
    ];
    tidy(&sections.concat())
}

/// Checks that a directory contains exactly `files`. With `FNDSA_BLESS=1`, first writes the files.
fn check_committed_files(directory: &str, files: BTreeMap<String, String>) {
    let place = Path::new(env!("CARGO_MANIFEST_DIR")).join(directory);
    if std::env::var_os("FNDSA_BLESS").is_some_and(|value| value == "1") {
        for (name, text) in &files {
            std::fs::write(place.join(name), text).unwrap();
        }
    }
    let what = "`FNDSA_BLESS=1 cargo test --features cli --bin fndsa` writes them anew";
    let mut file_names = Vec::new();
    for entry in std::fs::read_dir(&place).unwrap() {
        file_names.push(entry.unwrap().file_name().into_string().unwrap());
    }
    file_names.sort();
    assert_eq!(file_names, files.keys().cloned().collect::<Vec<_>>(), "the files in {directory}/; {what}");
    for (name, text) in files {
        let found = std::fs::read_to_string(place.join(&name)).unwrap();
        assert!(found == text, "{directory}/{name} is stale; {what}");
    }
}

#[test]
fn commands_and_pages_correspond() {
    let command = definition();
    let mut commands = vec![""];
    for subcommand in command.get_subcommands() {
        if !subcommand.is_hide_set() {
            commands.push(subcommand.get_name());
        }
    }
    let pages: Vec<_> = PAGES.iter().map(|page| page.command).collect();
    assert_eq!(pages, commands, "the table in src/cmd/manual.rs against the one in src/cmd/mod.rs");
}

#[test]
fn pages_match_the_definition() {
    if cfg!(not(target_arch = "x86_64")) {
        return println!("skip: manual pages, those that are committed name the levels of x86-64");
    }
    let command = build_recursively(definition().disable_help_subcommand(true));
    let mut files = BTreeMap::new();
    for page in PAGES {
        let command = command.find_subcommand(page.command).unwrap_or(&command);
        files.insert(page.file.to_owned(), render(page, command));
    }
    check_committed_files("man", files);
}

/// Returns whether a text has the form of a date.
fn is_day(text: &str) -> bool {
    text.len() == 10 && text.split('-').map(str::len).eq([4, 2, 2])
}

#[test]
fn the_manual_has_the_date_of_the_release() {
    assert!(is_day(DATE), "{DATE}");
    let changes = include_str!("../../../CHANGELOG.md");
    let version = changes.lines().find_map(|line| line.strip_prefix("## ")).unwrap();
    let day = version.split(['(', ')']).nth(1).unwrap_or_default();
    assert!(day == DATE || !is_day(day), "the change log says {day}, the manual {DATE}");
}

/// The options that name files with a usual extension. Each row contains the option, its commands
/// and the extension.
const ENDINGS: [(&str, &[&str], &str); 2] =
    [("key", &["sign", "pubkey", "request"], "key"), ("public_key", &["sign", "verify"], "pub")];

/// Returns the placeholder for files with this extension. [`complete_script`] replaces the
/// placeholder by code for the shell.
fn placeholder(ending: &str) -> String {
    format!("files.{ending}")
}

/// Adds hints for the script generators to all arguments. A hint states whether an argument is a
/// file, a directory, or a value that cannot be completed.
fn with_value_hints(command: clap::Command) -> clap::Command {
    let name = command.get_name().to_owned();
    command.mut_args(|arg| with_value_hint(&name, arg)).mut_subcommands(with_value_hints)
}

/// Adds the hint about a command's argument.
fn with_value_hint(command: &str, arg: clap::Arg) -> clap::Arg {
    let option = arg.get_id().as_str().trim_end_matches('s');
    for (option_with_ending, commands, ending) in ENDINGS {
        if option == option_with_ending && commands.contains(&command) {
            let placeholder_text: &'static str = placeholder(ending).leak();
            return arg.value_parser([placeholder_text]);
        }
    }
    let is_directory = arg.get_value_names().unwrap_or_default().iter().any(|name| name == "DIR");
    match arg.get_value_hint() {
        _ if is_directory => arg.value_hint(ValueHint::DirPath),
        ValueHint::AnyPath => arg.value_hint(ValueHint::FilePath),
        ValueHint::Unknown if arg.get_action().takes_values() => arg.value_hint(ValueHint::Other),
        _ => arg,
    }
}

/// Adds the arguments of all commands. Without this call, clap would add the arguments of a command
/// only when the command is called.
fn build_recursively(mut command: clap::Command) -> clap::Command {
    command.build();
    command
}

/// Returns whether a command's positional arguments are files.
fn takes_files(command: &clap::Command) -> bool {
    command.get_positionals().any(|arg| arg.get_value_hint() == ValueHint::AnyPath)
}

/// The fish function that completes directories, and files with a given extension.
const FISH_FILES: &str = "
# Print the directories and the files whose names end in the given way.
function __fish_fndsa_files
    complete -C \"__fish_command_without_completions \"(commandline -ct) | string match -r '^.*(?:/|\\.'$argv[1]')(?:\\t.*)?$'
end

";

/// Returns the lines in the fish script for a command's positional arguments. These lines complete
/// the values of the arguments, or state that the arguments are not files.
fn fish_arguments(command: &clap::Command) -> String {
    if takes_files(command) || command.get_name() == "help" {
        return String::new();
    }
    let mut values = Vec::new();
    for arg in command.get_positionals() {
        for value in arg.get_possible_values() {
            let help = value_help(&value).replace('\'', "\\'");
            values.push(format!("{}\\t'{help}'", value.get_name()));
        }
    }
    let value_option = if values.is_empty() { String::new() } else { format!(" -a \"{}\"", values.join("\n")) };
    format!("complete -c fndsa -n \"__fish_fndsa_using_subcommand {}\" -f{value_option}\n", command.get_name())
}

/// Changes the bash script so that a word without a `-` at its start is completed only with
/// commands and values, and not with options.
fn words_before_options(text: &str) -> String {
    let mut changed = String::new();
    for line in text.lines() {
        changed += line;
        changed.push('\n');
        if let Some(options) = line.strip_prefix("            opts=\"") {
            let mut words = Vec::new();
            for word in options.trim_end_matches('"').split(' ') {
                if word.starts_with(|c: char| c.is_ascii_alphanumeric()) {
                    words.push(word);
                }
            }
            changed += &format!("            [[ ${{cur}} == -* ]] || opts=\"{}\"\n", words.join(" "));
        }
    }
    changed
}

/// Extends a completion script by features that the generator does not support.
fn complete_script(shell: Shell, mut text: String) -> String {
    for (.., ending) in ENDINGS {
        let placeholder_text = placeholder(ending);
        let (old, new) = match shell {
            Shell::Bash => (
                format!("COMPREPLY=($(compgen -W \"{placeholder_text}\" -- \"${{cur}}\"))"),
                format!(
                    "local IFS=$'\\n'\n                    compopt -o filenames 2>/dev/null\n                    \
                     COMPREPLY=($(compgen -d -- \"${{cur}}\") $(compgen -f -X '!*.{ending}' -- \"${{cur}}\"))"
                ),
            ),
            Shell::Zsh => (format!("({placeholder_text})"), format!("_files -g \"*.{ending}\"")),
            Shell::Fish => {
                (format!("-r -f -a \"{placeholder_text}\\t''\""), format!("-r -f -a \"(__fish_fndsa_files {ending})\""))
            }
            Shell::Powershell | Shell::Elvish => continue,
        };
        assert!(text.contains(&old), "no {old:?} in the script for {shell:?}");
        text = text.replace(&old, &new);
        assert!(!text.contains(&placeholder_text), "{placeholder_text:?} is left in the script for {shell:?}");
    }
    if shell == Shell::Fish {
        text += FISH_FILES;
        let definition = build_recursively(definition());
        let mut topics = String::new();
        for command in definition.get_subcommands() {
            // A hidden command is a `help` topic.
            if command.is_hide_set() {
                let name = command.get_name();
                topics += &format!("complete -c fndsa -n \"__fish_fndsa_using_subcommand help\" -f -a \"{name}\"\n");
            } else {
                text += &fish_arguments(command);
            }
        }
        text += &topics;
    }
    if shell == Shell::Bash {
        text = words_before_options(&text);
        // For an empty word, the generated script returns options, so bash would never complete
        // files.
        for command in build_recursively(definition()).get_subcommands() {
            if !takes_files(command) {
                continue;
            }
            let begin = text.find(&format!("\n        fndsa__subcmd__{})\n", command.get_name())).unwrap();
            let end = begin + text[begin..].find("\n            ;;\n").unwrap();
            let arm = text[begin..end].replacen(" || ${COMP_CWORD} -eq 2 ]]", " ]]", 1);
            let (before, _) = arm.rsplit_once("COMPREPLY=( $(compgen -W").unwrap();
            let arm = format!("{before}COMPREPLY=()\n            return 0");
            text.replace_range(begin..end, &arm);
        }
    }
    text
}

#[test]
fn completion_scripts_match_the_definition() {
    if cfg!(not(target_arch = "x86_64")) {
        return println!("skip: completions, those that are committed name the levels of x86-64");
    }
    let mut files = BTreeMap::new();
    for (shell, file, _) in SCRIPTS {
        let generator = match shell {
            Shell::Bash => clap_complete::Shell::Bash,
            Shell::Zsh => clap_complete::Shell::Zsh,
            Shell::Fish => clap_complete::Shell::Fish,
            Shell::Powershell => clap_complete::Shell::PowerShell,
            Shell::Elvish => clap_complete::Shell::Elvish,
        };
        let mut text = Vec::new();
        clap_complete::generate(generator, &mut with_value_hints(build_recursively(definition())), "fndsa", &mut text);
        files.insert((*file).to_owned(), complete_script(*shell, String::from_utf8(text).unwrap()));
    }
    check_committed_files("completions", files);
}

#[test]
fn tables_of_the_manual_name_only_existing_commands() {
    for row in ENVIRONMENT.iter().chain(FILES) {
        for command in row.commands {
            assert!(PAGES.iter().any(|page| page.command == *command), "{command} of {}", row.name);
        }
    }
}
