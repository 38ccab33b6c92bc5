//! Runs an operation with several secrets, and compares the traces of the runs. A trace is the list
//! of branches that a process executes, with their targets. For an operation of the library, the
//! trace contains only the branches between two marks (`marks.rs`). In an emulated process, the
//! trace also contains the addresses of memory accesses. `main` in `main.rs` calls [`main`] with
//! the program's arguments.

use crate::commands::{COMMANDS, TracedCommand, CommandFiles, CONTROL_COMMAND};
use crate::emulated::EmulatedProgram;
use crate::operations::{LEAKS, LOOKS_UP, OPERATIONS, TracedOperation, degree};
use crate::skips;
use crate::source_lines::SourceLines;
use crate::tracer::{TraceError, START, TraceStep, Tracer, start};
use fndsa::algorithm::Degree;
use fndsa::no_alloc::Level;
use nix::sys::personality::{self, Persona};
use std::path::PathBuf;

/// The difference between the first trace of an operation and a later trace.
struct TraceDifference {
    /// The number of traces that differ from the first trace.
    differing_traces: usize,
    /// The first secret with a different trace.
    secret: u8,
    /// The number of compared steps before the difference.
    steps_before: usize,
    /// The address of the last branch or data access that both traces have in common.
    last_common: u64,
    /// The targets of this branch in the two traces. If the targets are equal, the addresses of the
    /// next branches.
    alternatives: [u64; 2],
}

/// The comparison result for an operation's traces.
struct TraceComparison {
    /// The numbers of steps in the first trace: all steps, and the steps that are compared.
    step_counts: [usize; 2],
    difference: Option<TraceDifference>,
}

/// A function that returns the trace for a secret.
type TraceFunction<'a> = Box<dyn Fn(u8) -> Result<Vec<TraceStep>, TraceError> + 'a>;

/// What the output calls the steps in a trace, if the trace contains only branches.
const BRANCHES: &str = "branches";

/// An operation or command that is traced with several secrets.
struct TraceSubject<'a> {
    name: String,
    /// Parts of function names, paths and source lines. Branches in these places may depend on
    /// declassified values.
    declassified: &'a [&'a str],
    /// The number of secrets.
    secrets: u8,
    /// The maximum number of runs for each secret. The test repeats the run until the trace is
    /// equal to the trace of the first secret, and reports a difference if no trace is equal. The
    /// number is more than 1 for operations with random bytes, which may cause a second signing
    /// attempt.
    max_runs: u8,
    trace: TraceFunction<'a>,
}

/// A checker, which compares the traces of a program.
struct TraceCheck {
    source_lines: SourceLines,
    /// The name for steps in a trace, in the plural.
    steps_name: &'static str,
}

impl TraceCheck {
    /// Creates a checker for the traces of a program. `steps_name` is the name for steps in the
    /// plural.
    fn new(program: PathBuf, steps_name: &'static str) -> Self {
        Self { source_lines: SourceLines::new(program), steps_name }
    }

    /// Traces all secrets, and compares the traces with the trace of secret 0.
    fn compare(&mut self, subject: &TraceSubject<'_>) -> Result<TraceComparison, TraceError> {
        let (mut first, mut all) = self.trace(subject, 0, &[])?;
        // The first run may have needed a second signing attempt. If no later run equals the first
        // run, the last run replaces it.
        if subject.max_runs > 1 {
            (first, all) = self.trace(subject, 0, &first)?;
        }
        let mut difference: Option<TraceDifference> = None;
        for secret in 1..subject.secrets {
            let (steps, _) = self.trace(subject, secret, &first)?;
            if let Some((steps_before, last_common, alternatives)) = first_difference(&first, &steps) {
                let found = difference.get_or_insert(TraceDifference { differing_traces: 0, secret, steps_before, last_common, alternatives });
                found.differing_traces += 1;
            }
        }
        Ok(TraceComparison { step_counts: [all, first.len()], difference })
    }

    /// Returns the trace for a secret without the branches on declassified values, and the complete
    /// trace's number of steps. Repeats the run until the trace equals `wanted_trace`, at most
    /// `subject.max_runs` times. An empty `wanted_trace` allows any trace.
    fn trace(&mut self, subject: &TraceSubject<'_>, secret: u8, wanted_trace: &[TraceStep]) -> Result<(Vec<TraceStep>, usize), TraceError> {
        let mut runs_left = subject.max_runs;
        loop {
            let mut steps = (subject.trace)(secret)?;
            let all = steps.len();
            self.remove_declassified(subject.declassified, &mut steps)?;
            runs_left = runs_left.saturating_sub(1);
            if runs_left == 0 || wanted_trace.is_empty() || steps == wanted_trace {
                return Ok((steps, all));
            }
        }
    }

    /// Removes the branches on declassified values, and the steps that save or restore registers in
    /// a frame. If `declassified` is empty, removes no steps.
    fn remove_declassified(&mut self, declassified: &[&str], steps: &mut Vec<TraceStep>) -> Result<(), String> {
        if !declassified.is_empty() {
            self.source_lines.load(steps.iter().map(|step| step.from))?;
            let is_declassified = |line: &String| declassified.iter().any(|function| line.contains(function));
            steps.retain(|step| {
                let lines = self.source_lines.lines_for(step.from);
                !lines.iter().any(is_declassified) && !is_frame_entry_or_exit(lines)
            });
        }
        Ok(())
    }

    /// Prints the result, and returns whether the traces are equal.
    fn report(&mut self, subject: &TraceSubject<'_>, compared: &TraceComparison) -> Result<bool, String> {
        let TraceSubject { name, declassified, secrets, .. } = subject;
        let [all, compared_count] = compared.step_counts;
        let Some(found) = &compared.difference else {
            let total = if declassified.is_empty() { String::new() } else { format!(" of {all}") };
            println!("ok: {name}: {secrets} secrets, 1 trace of {compared_count}{total} {}", self.steps_name);
            return Ok(true);
        };
        let TraceDifference { differing_traces, secret, steps_before, last_common, alternatives: [a, b] } = found;
        println!(
            "{name}: {differing_traces} of {secrets} traces differ from the first trace; secret {secret} differs after {steps_before} {}:",
            self.steps_name
        );
        self.source_lines.load([*last_common, *a, *b].into_iter())?;
        for (what, address) in [("at", last_common), ("to", a), ("or", b)] {
            println!("  {what} {address:x}");
            for line in self.source_lines.lines_for(*address) {
                println!("    {line}");
            }
        }
        Ok(false)
    }

    /// Compares the traces of the controls, and then the traces of the subjects. Returns true if
    /// the traces of each control differ, and the traces of each subject are equal. Returns false
    /// at the first control with equal traces.
    fn compare_all<'a>(
        &mut self,
        controls: &[TraceSubject<'_>],
        subjects: impl Iterator<Item = TraceSubject<'a>>,
    ) -> Result<bool, TraceError> {
        for control in controls {
            if self.compare(control)?.difference.is_none() {
                println!("{}: the traces of this control do not differ, so the check cannot find errors", control.name);
                return Ok(false);
            }
        }
        let mut is_good = true;
        for subject in subjects {
            let compared = self.compare(&subject)?;
            is_good &= self.report(&subject, &compared)?;
        }
        Ok(is_good)
    }
}

/// A function that runs a traced program with these arguments and returns the trace. The first
/// argument is `one`: it selects the code for a single operation.
type ProgramTracer<'a> = &'a dyn Fn(&[&str]) -> Result<Vec<TraceStep>, TraceError>;

/// The level, the degree, the number of secrets, and the library operations to trace.
struct OperationChoice<'a> {
    level: &'a str,
    degree: &'a str,
    secrets: u8,
    /// The test traces only operations with this text in the name.
    name_part: String,
}

/// Returns true if the library's operations pass the check, and the check detects the controls.
fn check_library(
    mut check: TraceCheck,
    controls: &[&'static TracedOperation],
    chosen: &OperationChoice<'_>,
    trace_program: ProgramTracer<'_>,
) -> Result<bool, TraceError> {
    let OperationChoice { level, degree, secrets, .. } = *chosen;
    let subject = |operation: &'static TracedOperation| TraceSubject {
        name: format!("{level}, {degree}, {}", operation.name),
        declassified: operation.declassified,
        secrets: (secrets / operation.secrets_divisor).max(2),
        max_runs: 1,
        trace: Box::new(move |secret| trace_program(&["one", level, degree, operation.name, &format!("{secret:03}")])),
    };
    let controls: Vec<_> = controls.iter().map(|control| subject(control)).collect();
    let operations = OPERATIONS.iter().filter(|run| run.name.contains(&chosen.name_part) && run.algorithm(degree).is_some());
    check.compare_all(&controls, operations.map(subject))
}

/// Returns whether the commands of the program `fndsa` pass the check. Traces only commands that
/// contain `name_part`.
fn check_program(program: PathBuf, degree: Degree, secrets: u8, name_part: &str) -> Result<bool, TraceError> {
    let files = CommandFiles::new(&program, degree, secrets)?;
    let tracer = Tracer::new(program.clone())?;
    let subject = |command: &'static TracedCommand| TraceSubject {
        name: format!("{}, {}", degree.n(), command.line),
        declassified: command.declassified,
        secrets,
        max_runs: command.max_runs,
        trace: Box::new(|secret| {
            let words = files.words(command, secret);
            tracer.trace_complete_run(&words.iter().map(|word| &**word).collect::<Vec<_>>())
        }),
    };
    let control = TraceSubject { secrets: 2, ..subject(&CONTROL_COMMAND) };
    let commands = COMMANDS.iter().filter(|command| command.line.contains(name_part));
    TraceCheck::new(program, BRANCHES).compare_all(&[control], commands.map(subject))
}

/// Returns whether an instruction with these source lines is at the entry or exit of a frame, where
/// it saves or restores registers. A frame is a function that enables a level's instructions. Such
/// an instruction is in a function with the name `frame`, but none of its source lines is in
/// `src/engine`. The traces of operations that declassify values omit these instructions.
fn is_frame_entry_or_exit(lines: &[String]) -> bool {
    lines.last().is_some_and(|line| line.contains("::frame at ")) && !lines.iter().any(|frame| frame.contains("src/engine/"))
}

/// Returns the first difference between two traces: the number of steps before it, the address of
/// the last common branch, and its two targets. If the traces continue with different branches,
/// returns the addresses of these branches instead of the targets.
fn first_difference(a: &[TraceStep], b: &[TraceStep]) -> Option<(usize, u64, [u64; 2])> {
    let end = TraceStep { from: 0, to: 0 };
    let step = |trace: &[TraceStep], at: usize| trace.get(at).copied().unwrap_or(end);
    let index = (0..a.len().max(b.len())).find(|&at| step(a, at) != step(b, at))?;
    let (x, y) = (step(a, index), step(b, index));
    if x.from == y.from {
        return Some((index, x.from, [x.to, y.to]));
    }
    // The two branches have different addresses. This is possible only because
    // `remove_declassified` removed branches between the last common branch and these branches.
    let previous_branch = index.checked_sub(1).map_or(end, |at| step(a, at));
    Some((index, previous_branch.from, [x.from, y.from]))
}

/// Runs the mode that the arguments select, and returns the exit code. The modes for child
/// processes of this program come first. `main.rs` describes the other arguments.
pub fn main(arguments: &[&str]) -> i32 {
    match arguments[..] {
        [START, program, ref arguments @ ..] => return start(program, arguments),
        [skips::LIMITED, program, ref arguments @ ..] => return skips::run_limited(program, arguments),
        [skips::RUN_CONTROL] => return skips::fails_open(),
        ["skips", ref arguments @ ..] => return skips::main(arguments),
        _ => {}
    }
    let (emulated, arguments) = match arguments {
        ["emulated", program, plugin, emulator, rest @ ..] => (Some([*program, *plugin, *emulator]), rest),
        _ => (None, arguments),
    };
    let [first_word, n, secrets, ref name_words @ ..] = arguments[..] else {
        eprintln!(
            "usage: trace [emulated PROGRAM PLUGIN EMULATOR] LEVEL DEGREE SECRETS [PART OF A NAME], \
             or trace program DEGREE SECRETS FILE [PART], or trace skips verify|sign EVERY FILE"
        );
        return 2;
    };
    let Ok(secrets @ 2..) = secrets.parse() else {
        eprintln!("SECRETS must be a number from 2 to 255");
        return 2;
    };
    if LEAKS.algorithm(n).is_none() || first_word == "program" && degree(n).is_none() {
        eprintln!("DEGREE must be a power of two, or for the library one of the ML-DSA sets 44, 65 and 87");
        return 2;
    }
    if first_word != "program" && !Level::names().any(|name| name == first_word) && emulated.is_none() {
        eprintln!("LEVEL must be one of: {}", Level::names().collect::<Vec<_>>().join(", "));
        return 2;
    }
    if first_word != "program" && emulated.is_none() && Level::from_name(first_word).is_none() {
        println!("skip: traces of {first_word}, this CPU does not have it");
        return 3;
    }
    if let Err(e) = personality::set(Persona::ADDR_NO_RANDOMIZE) {
        println!("skip: traces, this system does not switch off address randomization: {e}");
        return 3;
    }
    let operations = || OperationChoice { level: first_word, degree: n, secrets, name_part: name_words.concat() };
    let checked = match emulated {
        Some([program, plugin, emulator]) => EmulatedProgram::new(program, plugin, emulator).and_then(|emulated| {
            let check = TraceCheck::new(program.into(), "branches and addresses");
            check_library(check, &[&LEAKS, &LOOKS_UP], &operations(), &|arguments| emulated.trace_between_marks(arguments))
        }),
        None if first_word == "program" => {
            let (file, part) = name_words.split_first().map_or(("", String::new()), |(file, part)| (*file, part.concat()));
            let program = std::fs::canonicalize(file).map_err(|e| TraceError::from(format!("`{file}`: {e}")));
            let degree = degree(n).ok_or_else(|| "no degree".to_owned().into());
            degree.and_then(|degree| check_program(program?, degree, secrets, &part))
        }
        None => std::env::current_exe().map_err(|e| e.to_string().into()).and_then(|program| {
            let tracer = Tracer::new(program.clone())?;
            check_library(TraceCheck::new(program, BRANCHES), &[&LEAKS], &operations(), &|arguments| tracer.trace_between_marks(arguments))
        }),
    };
    match checked {
        Ok(true) => 0,
        Ok(false) => 1,
        Err(TraceError::NotPermitted) => {
            println!("skip: traces, this system does not permit ptrace");
            3
        }
        Err(TraceError::Broken(what)) => {
            eprintln!("{what}");
            1
        }
    }
}
