//! The program of `tests/ct/trace`: what an operation does at each branch, once for each of several secrets.
//!
//! Arguments: a level, a degree, a number of secrets, perhaps a part of the names of operations. Exit code 0: of each
//! operation the traces are one, but for branches on what is told, and the control that branches on its secret was found;
//! 3: it cannot be done here.
//!
//! Each trace is one of a process of its own, this program again with the argument `one`: without address randomization,
//! with an empty environment and arguments of one length, so that code, stack and heap are at the same places.

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
fn main() {
    println!("skip: traces, this is not Linux on x86-64");
    std::process::exit(3);
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod branches;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod operations;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod places;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod tracer;

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn main() {
    std::process::exit(compared::main());
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod compared {
    use crate::operations::{self, LEAKS, OPERATIONS, Operation};
    use crate::places::Places;
    use crate::tracer::{Failure, Step, Tracer};
    use fndsa::{Degree, Level};
    use nix::sys::personality::{self, Persona};

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

    struct Check {
        tracer: Tracer,
        places: Places,
        level: String,
        degree: String,
        secrets: u8,
        /// Only operations with this in their names are checked.
        part: String,
    }

    impl Check {
        fn compare(&mut self, operation: &Operation) -> Result<Compared, Failure> {
            let (mut first, mut branches) = (vec![], [0; 2]);
            let mut difference: Option<Difference> = None;
            for secret in 0..self.secrets(operation) {
                let name = format!("{secret:03}");
                let mut steps = self.tracer.trace(&["one", &self.level, &self.degree, operation.name, &name])?;
                let all = steps.len();
                self.leave_out_what_is_told(operation, &mut steps)?;
                if secret == 0 {
                    branches = [all, steps.len()];
                    first = steps;
                } else if let Some((after, at, to)) = parting(&first, &steps) {
                    let found = difference.get_or_insert(Difference { others: 0, secret, after, at, to });
                    found.others += 1;
                }
            }
            Ok(Compared { branches, difference })
        }

        fn secrets(&self, operation: &Operation) -> u8 {
            (self.secrets / operation.one_of).max(2)
        }

        fn leave_out_what_is_told(&mut self, operation: &Operation, steps: &mut Vec<Step>) -> Result<(), String> {
            if !operation.told.is_empty() {
                self.places.ask(steps.iter().map(|step| step.from))?;
                let is_told = |line: &String| operation.told.iter().any(|told| line.contains(told));
                steps.retain(|step| !self.places.of(step.from).iter().any(is_told));
            }
            Ok(())
        }

        /// Prints what was found; whether the traces are one.
        fn report(&mut self, operation: &Operation, compared: &Compared) -> Result<bool, String> {
            let Self { level, degree, .. } = self;
            let (what, secrets) = (format!("{level}, {degree}, {}", operation.name), self.secrets(operation));
            let [all, compared_ones] = compared.branches;
            let Some(found) = &compared.difference else {
                let told = if operation.told.is_empty() { String::new() } else { format!(" of {all}") };
                println!("ok: {what}: {secrets} secrets, 1 trace of {compared_ones}{told} branches");
                return Ok(true);
            };
            let Difference { others, secret, after, at, to: [a, b] } = found;
            println!(
                "{what}: {others} of {secrets} traces are not the first one; secret {secret} after {after} branches:"
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

        fn all(&mut self) -> Result<bool, Failure> {
            if self.compare(&LEAKS)?.difference.is_none() {
                println!("the control that branches on its secret was not found: the check is blind");
                return Ok(false);
            }
            let mut is_good = true;
            for operation in OPERATIONS.iter().filter(|it| it.name.contains(&self.part)).collect::<Vec<_>>() {
                let compared = self.compare(operation)?;
                is_good &= self.report(operation, &compared)?;
            }
            Ok(is_good)
        }
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
        if let ["one", level, n, name, secret] = arguments[..] {
            if let (Some(level), Some(degree), Ok(secret)) = (Level::from_name(level), degree(n), secret.parse()) {
                operations::run(level, degree, name, secret);
            }
            return 2;
        }
        let [level, n, secrets, ref part @ ..] = arguments[..] else {
            eprintln!("usage: trace LEVEL DEGREE SECRETS [PART OF A NAME]");
            return 2;
        };
        let (Some(_), Ok(secrets @ 2..)) = (degree(n), secrets.parse()) else {
            eprintln!("the degree is a power of two, and there are 2 to 255 secrets");
            return 2;
        };
        if Level::from_name(level).is_none() {
            println!("skip: traces of {level}, this CPU does not have it");
            return 3;
        }
        if let Err(e) = personality::set(Persona::ADDR_NO_RANDOMIZE) {
            println!("skip: traces, this system keeps its address randomization: {e}");
            return 3;
        }
        let program = std::env::current_exe().map_err(|e| e.to_string());
        let checked = program.map_err(Failure::from).and_then(|program| {
            let (places, tracer) = (Places::new(program.clone()), Tracer::new(program)?);
            let (level, degree, part) = (level.to_owned(), n.to_owned(), part.concat());
            Check { tracer, places, level, degree, secrets, part }.all()
        });
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
