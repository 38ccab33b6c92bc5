//! Tests the console blocks of a document: blocks fenced as `console`, which show commands together
//! with their output. A line that starts with `$ ` is a command, and the next lines are its
//! standard output and standard error. A command that ends in a backslash continues on the next
//! line. Three dots in the output represent any text in a line, and three dots on a separate line
//! represent any lines.

/// A command and its output in a document.
struct ShownCommand {
    command: String,
    output: Vec<String>,
}

/// The start of a line that the script prints before the output of each command. The line continues
/// with the number of the command. After the last output, it continues with `end`.
const MARK: &str = "@@ output of command ";

/// Parses the lines in a block.
fn parse(block: &str) -> Vec<ShownCommand> {
    let mut shown: Vec<ShownCommand> = vec![];
    for line in block.lines() {
        match (line.strip_prefix("$ "), shown.last_mut()) {
            (Some(command), _) => shown.push(ShownCommand { command: command.to_owned(), output: vec![] }),
            (None, Some(last)) if last.command.ends_with('\\') => last.command += &format!("\n{line}"),
            (None, Some(last)) => last.output.push(line.to_owned()),
            (None, None) => panic!("a block begins with a command: {line}"),
        }
    }
    shown
}

/// Splits a document into parts. Parts with an even index are text outside console blocks, and the
/// other parts are console blocks.
fn split_at_blocks(document: &str) -> Vec<&str> {
    let mut parts = vec![];
    let mut rest = document;
    while let Some((text, following)) = rest.split_once("\n```console\n") {
        let (block, following) = following.split_once("\n```").expect("the end of a block");
        parts.extend([text, block]);
        rest = following;
    }
    parts.push(rest);
    parts
}

/// Returns the commands in all blocks, in order.
fn all_commands(document: &str) -> Vec<ShownCommand> {
    split_at_blocks(document).into_iter().skip(1).step_by(2).flat_map(parse).collect()
}

/// Returns the document with `sh` blocks instead of console blocks. The `sh` blocks print a mark
/// before each command's output.
pub fn to_shell_blocks(document: &str) -> String {
    let mut number = 0;
    let mut sh = String::new();
    for (i, part) in split_at_blocks(document).into_iter().enumerate() {
        if i % 2 == 0 {
            sh += part;
            continue;
        }
        sh += "\n```sh\n";
        for ShownCommand { command, .. } in parse(part) {
            sh += &format!("echo '{MARK}{number}'; {{ {command}\n}} 2>&1\n");
            number += 1;
        }
        sh += &format!("echo '{MARK}end'\n```");
    }
    sh
}

/// Replaces the digits of SHA-256 digests in a text by a word. A document may show the first digits
/// of a digest and three dots.
pub fn mask_digests(text: &str) -> String {
    let mut pieces = text.split("sha256:");
    let mut masked = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let rest = piece.trim_start_matches(|c: char| c.is_ascii_hexdigit());
        masked += "sha256:DIGITS";
        masked += rest.strip_prefix("...").unwrap_or(rest);
    }
    masked
}

/// Returns whether a printed line matches a line in the document.
fn line_matches(printed: &str, shown: &str) -> bool {
    let pieces: Vec<_> = shown.split("...").collect();
    let [first, middle_pieces @ .., last] = &pieces[..] else { return printed == shown };
    let Some(mut rest) = printed.strip_prefix(first) else { return false };
    for piece in middle_pieces {
        let Some((_, after_piece)) = rest.split_once(piece) else { return false };
        rest = after_piece;
    }
    rest.ends_with(last)
}

/// Returns whether the printed lines match the lines in the document.
fn lines_match(printed: &[String], shown: &[String]) -> bool {
    match shown {
        [] => printed.is_empty(),
        [first, following @ ..] if first == "..." => {
            (0..=printed.len()).any(|skipped_lines| lines_match(&printed[skipped_lines..], following))
        }
        [first, following @ ..] => {
            printed.split_first().is_some_and(|(line, rest)| line_matches(line, first) && lines_match(rest, following))
        }
    }
}

/// Checks that the script's output matches the document. Returns the number of commands.
pub fn check_output(document: &str, out: &str) -> usize {
    let all = all_commands(document);
    for (number, ShownCommand { command, output }) in all.iter().enumerate() {
        let (_, rest) = out.split_once(&format!("{MARK}{number}\n")).unwrap_or_else(|| panic!("{command}: no output"));
        let printed = rest.split(MARK).next().unwrap_or_default();
        let printed: Vec<_> = printed.lines().map(mask_digests).collect();
        let shown: Vec<_> = output.iter().map(|line| mask_digests(line)).collect();
        assert!(lines_match(&printed, &shown), "{command}\nshown: {shown:#?}\nprinted: {printed:#?}");
    }
    all.len()
}
