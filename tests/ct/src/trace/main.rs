//! The program of `tests/ct/trace`: what an operation does at each branch, once for each of several secrets.
//!
//! Arguments: a level, a degree, a number of secrets, perhaps a part of the names of operations. Or `program`, a
//! degree, a number of secrets, an `fndsa`, perhaps a part of the commands: then the operations are commands, from their start to their end. Exit code 0: of
//! each operation the traces are one, but for branches on what is told, and the control that branches on its secret was
//! found; 3: it cannot be done here.
//!
//! Each trace is one of a process of its own, this program again with the argument `one`, or the `fndsa`: without address
//! randomization, with an empty environment and arguments of one length, so that code, stack and heap are at the same
//! places.

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
fn main() {
    println!("skip: traces, this is not Linux on x86-64");
    std::process::exit(3);
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod branches;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod commands;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod operations;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod places;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod skips;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod tracer;

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn main() {
    std::process::exit(compared::main());
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod compared {
    use crate::commands::{COMMANDS, Command, Files, LINES};
    use crate::operations::{self, LEAKS, OPERATIONS, Operation};
    use crate::places::Places;
    use crate::skips;
    use crate::tracer::{Failure, START, Step, Tracer, start};
    use fndsa::{Degree, Level};
    use nix::sys::personality::{self, Persona};
    use std::path::PathBuf;

    /// The traces of an operation differ.
    struct Difference {
        /// How many are not the first one.
        others: usize,
        secret: u8,
        /// Branches before.
        after: usize,
        /// The last branch that both came to, and where they went on.
        at: u32,
        to: [u32; 2],
    }

    /// The traces of one operation, compared.
    struct Compared {
        /// Of the first trace, all, and those that are compared.
        branches: [usize; 2],
        difference: Option<Difference>,
    }

    /// Gives the trace of a secret.
    type Trace<'a> = Box<dyn Fn(&Tracer, u8) -> Result<Vec<Step>, Failure> + 'a>;

    /// What is traced with several secrets.
    struct Subject<'a> {
        name: String,
        told: &'a [&'a str],
        secrets: u8,
        /// How often a trace must not be that of others to count: more than once if the operation draws its own
        /// randomness, for then it may have made a second attempt.
        tries: u8,
        trace: Trace<'a>,
    }

    /// A program that is traced.
    struct Check {
        tracer: Tracer,
        places: Places,
    }

    impl Check {
        fn new(program: PathBuf) -> Result<Self, String> {
            Ok(Self { places: Places::new(program.clone()), tracer: Tracer::new(program)? })
        }

        fn compare(&mut self, subject: &Subject<'_>) -> Result<Compared, Failure> {
            let (mut first, mut all) = self.trace(subject, 0, &[])?;
            if subject.tries > 1 {
                (first, all) = self.trace(subject, 0, &first)?;
            }
            let mut difference: Option<Difference> = None;
            for secret in 1..subject.secrets {
                let (steps, _) = self.trace(subject, secret, &first)?;
                if let Some((after, at, to)) = parting(&first, &steps) {
                    let found = difference.get_or_insert(Difference { others: 0, secret, after, at, to });
                    found.others += 1;
                }
            }
            Ok(Compared { branches: [all, first.len()], difference })
        }

        /// The trace of a secret without what is told, and how many branches it had with it. It is the one that it should
        /// be `like`, if there is one, as soon as one of the tries is.
        fn trace(&mut self, subject: &Subject<'_>, secret: u8, like: &[Step]) -> Result<(Vec<Step>, usize), Failure> {
            let mut left = subject.tries;
            loop {
                let mut steps = (subject.trace)(&self.tracer, secret)?;
                let all = steps.len();
                self.leave_out_what_is_told(subject.told, &mut steps)?;
                left = left.saturating_sub(1);
                if left == 0 || like.is_empty() || steps == like {
                    return Ok((steps, all));
                }
            }
        }

        fn leave_out_what_is_told(&mut self, told: &[&str], steps: &mut Vec<Step>) -> Result<(), String> {
            if !told.is_empty() {
                self.places.ask(steps.iter().map(|step| step.from))?;
                let is_told = |line: &String| told.iter().any(|told| line.contains(told));
                steps.retain(|step| !self.places.of(step.from).iter().any(is_told));
            }
            Ok(())
        }

        /// Prints what was found; whether the traces are one.
        fn report(&mut self, subject: &Subject<'_>, compared: &Compared) -> Result<bool, String> {
            let Subject { name, told, secrets, .. } = subject;
            let [all, compared_ones] = compared.branches;
            let Some(found) = &compared.difference else {
                let told = if told.is_empty() { String::new() } else { format!(" of {all}") };
                println!("ok: {name}: {secrets} secrets, 1 trace of {compared_ones}{told} branches");
                return Ok(true);
            };
            let Difference { others, secret, after, at, to: [a, b] } = found;
            println!(
                "{name}: {others} of {secrets} traces are not the first one; secret {secret} after {after} branches:"
            );
            self.places.ask([*at, *a, *b].into_iter())?;
            for (what, address) in [("at", at), ("to", a), ("or", b)] {
                println!("  {what} {address:x}");
                for line in self.places.of(*address) {
                    println!("    {line}");
                }
            }
            Ok(false)
        }

        /// Whether the control is found, whose traces differ, and of each other subject the traces are one.
        fn all<'a>(
            &mut self,
            control: &Subject<'_>,
            subjects: impl Iterator<Item = Subject<'a>>,
        ) -> Result<bool, Failure> {
            if self.compare(control)?.difference.is_none() {
                println!("{}: the control was not found, the check is blind", control.name);
                return Ok(false);
            }
            let mut is_good = true;
            for subject in subjects {
                let compared = self.compare(&subject)?;
                is_good &= self.report(&subject, &compared)?;
            }
            Ok(is_good)
        }
    }

    /// Whether the operations of the library are good.
    fn of_the_library(program: PathBuf, level: &str, n: &str, secrets: u8, part: &str) -> Result<bool, Failure> {
        let subject = |operation: &'static Operation| Subject {
            name: format!("{level}, {n}, {}", operation.name),
            told: operation.told,
            secrets: (secrets / operation.one_of).max(2),
            tries: 1,
            trace: Box::new(move |tracer, secret| {
                tracer.part(&["one", level, n, operation.name, &format!("{secret:03}")])
            }),
        };
        let chosen = OPERATIONS.iter().filter(|it| it.name.contains(part));
        Check::new(program)?.all(&subject(&LEAKS), chosen.map(subject))
    }

    /// Whether the commands of a program are good.
    fn of_a_program(program: PathBuf, degree: Degree, secrets: u8, part: &str) -> Result<bool, Failure> {
        let files = Files::new(&program, degree, secrets)?;
        let subject = |command: &'static Command| Subject {
            name: format!("{}, {}", degree.n(), command.line),
            told: command.told,
            secrets,
            tries: command.tries,
            trace: Box::new(|tracer, secret| {
                let words = files.words(command, secret);
                tracer.whole(&words.iter().map(|it| &**it).collect::<Vec<_>>())
            }),
        };
        let control = Subject { secrets: 2, ..subject(&LINES) };
        let chosen = COMMANDS.iter().filter(|it| it.line.contains(part));
        Check::new(program)?.all(&control, chosen.map(subject))
    }

    /// Where two traces part: the branches before, the last branch of both, and where they went on.
    fn parting(a: &[Step], b: &[Step]) -> Option<(usize, u32, [u32; 2])> {
        let end = Step { from: 0, to: 0 };
        let step = |trace: &[Step], at: usize| trace.get(at).copied().unwrap_or(end);
        let after = (0..a.len().max(b.len())).find(|&at| step(a, at) != step(b, at))?;
        let (x, y) = (step(a, after), step(b, after));
        if x.from == y.from {
            return Some((after, x.from, [x.to, y.to]));
        }
        // Only where branches were left out between.
        let before = after.checked_sub(1).map_or(end, |at| step(a, at));
        Some((after, before.from, [x.from, y.from]))
    }

    fn degree(n: &str) -> Option<Degree> {
        Degree::from_logn(n.parse().ok().and_then(u32::checked_ilog2)?)
    }

    pub fn main() -> i32 {
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        let arguments: Vec<&str> = arguments.iter().map(|it| &**it).collect();
        match arguments[..] {
            [START, program, ref arguments @ ..] => return start(program, arguments),
            [skips::LIMITED, program, ref arguments @ ..] => return skips::limited(program, arguments),
            [skips::OPEN] => return skips::fails_open(),
            ["skips", ref arguments @ ..] => return skips::main(arguments),
            ["one", level, n, name, secret] => {
                if let (Some(level), Some(degree), Ok(secret)) = (Level::from_name(level), degree(n), secret.parse()) {
                    operations::run(level, degree, name, secret);
                }
                return 2;
            }
            _ => {}
        }
        let [what, n, secrets, ref rest @ ..] = arguments[..] else {
            eprintln!(
                "usage: trace LEVEL DEGREE SECRETS [PART OF A NAME], or trace program DEGREE SECRETS FILE [PART]"
            );
            return 2;
        };
        let (Some(degree), Ok(secrets @ 2..)) = (degree(n), secrets.parse()) else {
            eprintln!("the degree is a power of two, and there are 2 to 255 secrets");
            return 2;
        };
        if what != "program" && Level::from_name(what).is_none() {
            println!("skip: traces of {what}, this CPU does not have it");
            return 3;
        }
        if let Err(e) = personality::set(Persona::ADDR_NO_RANDOMIZE) {
            println!("skip: traces, this system keeps its address randomization: {e}");
            return 3;
        }
        let checked = if what == "program" {
            let (file, part) = rest.split_first().map_or(("", String::new()), |(file, part)| (*file, part.concat()));
            let program = std::fs::canonicalize(file).map_err(|e| format!("`{file}`: {e}"));
            program.map_err(Failure::from).and_then(|program| of_a_program(program, degree, secrets, &part))
        } else {
            let program = std::env::current_exe().map_err(|e| e.to_string());
            program.map_err(Failure::from).and_then(|program| of_the_library(program, what, n, secrets, &rest.concat()))
        };
        match checked {
            Ok(true) => 0,
            Ok(false) => 1,
            Err(Failure::NotPermitted) => {
                println!("skip: traces, this system does not permit ptrace");
                3
            }
            Err(Failure::Broken(what)) => {
                eprintln!("{what}");
                1
            }
        }
    }
}
