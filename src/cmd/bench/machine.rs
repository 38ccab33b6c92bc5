//! Describes a run: the machine, the program and the date.

use crate::tool::trust::clock::Clock;
use fndsa::cycles;
use fndsa::no_alloc::Level;
use serde_json::{Value, json};
use std::fs::read_to_string;
use std::io;
use std::time::{Duration, Instant};

/// The source commit, if `FNDSA_BUILD_COMMIT` was set for the compiler.
const COMMIT: Option<&str> = option_env!("FNDSA_BUILD_COMMIT");
/// The output of `rustc --version`, if `FNDSA_BUILD_RUSTC` was set for the compiler.
const COMPILER: Option<&str> = option_env!("FNDSA_BUILD_RUSTC");

/// Returns the machine's description: the member `env` in a JSON document with the schema
/// `fndsa/bench@1`. If a property cannot be read, its value is null.
pub fn describe() -> Value {
    let cpuinfo = read_to_string("/proc/cpuinfo").unwrap_or_default();
    let mut virtualized = None;
    if let Some(flags) = field(&cpuinfo, "flags") {
        virtualized = Some(flags.split_whitespace().any(|flag| flag == "hypervisor"));
    }
    let features: Vec<_> = Level::available().map(Level::name).collect();
    json!({
        "cpu": cpu_name(&cpuinfo),
        "cpu_id": cpu_id(&cpuinfo),
        "counter_hz": counter_hz(),
        "arch": std::env::consts::ARCH,
        "features": features,
        "cores": std::thread::available_parallelism().ok().map(std::num::NonZero::get),
        "os": os(),
        "version": env!("CARGO_PKG_VERSION"),
        "commit": COMMIT,
        "compiler": COMPILER,
        "date": Clock::System.today().ok().map(|date| date.to_string()),
        "core_share_pct": null,
        "governor": governor(),
        "virtualized": virtualized,
    })
}

/// Returns the first value with this name, in a text that has the format of `/proc/cpuinfo`.
fn field(cpuinfo: &str, name: &str) -> Option<String> {
    for line in cpuinfo.lines() {
        if let Some((key, value)) = line.split_once(':')
            && key.trim() == name
        {
            return Some(value.trim().to_owned());
        }
    }
    None
}

/// Returns the CPU's name. Returns `None` if the text contains no name.
fn cpu_name(cpuinfo: &str) -> Option<String> {
    for name in ["model name", "Model", "uarch", "Hardware"] {
        let cpu = field(cpuinfo, name);
        if cpu.is_some() {
            return cpu;
        }
    }
    None
}

/// The numbers that distinguish CPUs with the same name, on x86, Arm and RISC-V. For each number,
/// the table contains its name in `/proc/cpuinfo` and its name in the result. The CPU name is not
/// sufficient: for example, virtual machines use the name "Intel(R) Xeon(R) Processor" for several
/// generations.
const NUMBERS: [&[(&str, &str)]; 3] = [
    &[("vendor_id", "vendor"), ("cpu family", "family"), ("model", "model"), ("stepping", "stepping")],
    &[
        ("CPU implementer", "implementer"),
        ("CPU part", "part"),
        ("CPU variant", "variant"),
        ("CPU revision", "revision"),
    ],
    &[("mvendorid", "vendor"), ("marchid", "architecture"), ("mimpid", "implementation")],
];

/// Returns all numbers for this CPU as text. Returns `None` if the text does not contain all
/// numbers for an architecture in [`NUMBERS`].
fn cpu_id(cpuinfo: &str) -> Option<String> {
    'kinds: for kind in NUMBERS {
        let mut parts = Vec::new();
        for (key, name) in kind {
            let Some(number) = field(cpuinfo, key) else { continue 'kinds };
            parts.push(format!("{name} {number}"));
        }
        return Some(parts.join(" "));
    }
    None
}

/// Measures the ticks per second of the CPU's counter ([`cycles`]), during 10 milliseconds. Returns
/// `None` if there is no counter.
fn counter_hz() -> Option<u64> {
    let (start_time, start_ticks) = clock_and_counter()?;
    // The pause is much longer than the time to read the clock, so the error is small.
    std::thread::sleep(Duration::from_millis(10));
    let (end_time, end_ticks) = clock_and_counter()?;
    Some(hertz(end_time - start_time, end_ticks.wrapping_sub(start_ticks)))
}

/// Reads the clock and the counter at nearly the same time. Reads them several times, and returns
/// the reading that took the least time, because this reading was probably not interrupted.
fn clock_and_counter() -> Option<(Instant, u64)> {
    let mut best = None;
    let mut shortest = Duration::MAX;
    for _ in 0..16 {
        let clock = Instant::now();
        let counter = cycles()?;
        let width = clock.elapsed();
        if width < shortest {
            shortest = width;
            best = Some((clock, counter));
        }
    }
    best
}

/// Returns the ticks per second, rounded to 100 kHz. Further digits would change from run to run.
fn hertz(time: Duration, ticks: u64) -> u64 {
    (ticks as f64 / time.as_secs_f64().max(1e-9) / 1e5).round() as u64 * 100_000
}

/// Describes a machine as text: its CPU name, and the properties that distinguish this CPU.
pub fn name(env: &Value) -> String {
    let mut properties = vec![env["arch"].as_str().unwrap_or("unknown").to_owned()];
    if let Some(cpu_id) = env["cpu_id"].as_str() {
        properties.push(cpu_id.to_owned());
    }
    if let Some(hz) = env["counter_hz"].as_u64() {
        properties.push(format!("counter of {}", megahertz(hz)));
    }
    format!("{} ({})", env["cpu"].as_str().unwrap_or("unknown"), properties.join(", "))
}

/// Describes the program and the date as text.
pub fn program(env: &Value) -> String {
    let mut description = format!("fndsa {}", env["version"].as_str().unwrap_or("unknown"));
    for (before, member) in [(" of commit ", "commit"), (", compiled by ", "compiler"), (", on ", "date")] {
        if let Some(text) = env[member].as_str() {
            description.push_str(before);
            description.push_str(text);
        }
    }
    description
}

/// Returns the share of the processor time that the threads got, as text. Returns `None` if the
/// share is unknown.
pub fn core_share(env: &Value) -> Option<String> {
    let share = env["core_share_pct"].as_f64()?;
    Some(format!("{share:.1} %"))
}

/// Formats a frequency with its unit.
pub fn megahertz(hz: u64) -> String {
    format!("{:.1} MHz", hz as f64 / 1e6)
}

/// The result of comparing two machine descriptions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MachineMatch {
    /// The CPU names, the CPU numbers and the counter frequencies are equal, or missing in both
    /// descriptions.
    Same,
    /// The CPU names are equal, but the CPU numbers or the counter frequency are missing in a
    /// description.
    SameName,
    /// The machines are different, so their times cannot be compared.
    Other,
}

/// Compares two machine descriptions. Counter frequencies may differ by 1 %.
pub fn compare(first: &Value, second: &Value) -> MachineMatch {
    if first["cpu"] != second["cpu"] || first["arch"] != second["arch"] {
        return MachineMatch::Other;
    }
    let mut machine_match = MachineMatch::Same;
    for member in ["cpu_id", "counter_hz"] {
        let [first, second] = [&first[member], &second[member]];
        let is_equal = match (first.as_f64(), second.as_f64()) {
            (Some(first), Some(second)) => (first - second).abs() <= 0.01 * first.max(second),
            _ => first == second,
        };
        match is_equal {
            true => {}
            false if first.is_null() || second.is_null() => machine_match = MachineMatch::SameName,
            false => return MachineMatch::Other,
        }
    }
    machine_match
}

/// Returns the reasons why the figures may be inaccurate.
pub fn warnings(env: &Value) -> Vec<String> {
    let mut warnings = Vec::new();
    if let Some(governor) = env["governor"].as_str()
        && governor != "performance"
    {
        warnings.push(format!("the frequency governor is {governor}, not performance"));
    }
    if env["virtualized"] == true {
        warnings.push("this is a virtual machine: other machines may use the same cores".to_owned());
    }
    let load = read_to_string("/proc/loadavg").unwrap_or_default();
    if let Some(load) = load.split(' ').next()
        && let Ok(load) = load.parse::<f64>()
        && load > 1.0
    {
        warnings.push(format!("other work is running: the load is {load}"));
    }
    warnings
}

/// Returns the reason why the core cycles cannot be read.
pub fn no_core_cycles(error: &io::Error) -> String {
    let reason = match error.kind() {
        io::ErrorKind::PermissionDenied => {
            "the kernel allows it if /proc/sys/kernel/perf_event_paranoid is 2 or less".to_owned()
        }
        io::ErrorKind::NotFound => "this processor or virtual machine has no counter for them".to_owned(),
        io::ErrorKind::Unsupported => "this system does not allow it".to_owned(),
        _ => error.to_string(),
    };
    format!("cycles of the core are not counted: {reason}")
}

/// Returns a warning if there are more threads than cores.
pub fn shared_cores(env: &Value, threads: usize) -> Option<String> {
    let cores = env["cores"].as_u64()?;
    if threads as u64 <= cores {
        return None;
    }
    Some(format!(
        "{threads} threads share {cores} cores: the time of a call can contain waiting time; ops/s is correct, because it counts all calls"
    ))
}

fn governor() -> Option<String> {
    let text = read_to_string("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor").ok()?;
    Some(text.trim().to_owned())
}

fn os() -> String {
    let release = read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    format!("{} {}", std::env::consts::OS, release.trim()).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const XEON: &str = "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 143\nmodel name\t: \
                        Intel(R) Xeon(R) Processor\nstepping\t: 8\n\nprocessor\t: 1\nmodel\t\t: 1\n";

    #[test]
    fn cpu_identifiers_contain_the_model_numbers() {
        assert_eq!(cpu_id(XEON).unwrap(), "vendor GenuineIntel family 6 model 143 stepping 8");
        let arm =
            "CPU implementer\t: 0x41\nCPU architecture: 8\nCPU variant\t: 0x3\nCPU part\t: 0xd0c\nCPU revision\t: 1\n";
        assert_eq!(cpu_id(arm).unwrap(), "implementer 0x41 part 0xd0c variant 0x3 revision 1");
        assert_eq!(
            cpu_id("mvendorid\t: 0x489\nmarchid\t: 0x7\nmimpid\t: 0x1\n").unwrap(),
            "vendor 0x489 architecture 0x7 implementation 0x1"
        );
        // The text lacks some of the numbers.
        assert_eq!(cpu_id("vendor_id: GenuineIntel\nmodel: 143\n"), None);
        assert_eq!((cpu_id(""), field(XEON, "model name").unwrap()), (None, "Intel(R) Xeon(R) Processor".to_owned()));
    }

    #[test]
    fn frequencies_are_rounded_to_100_khz() {
        assert_eq!(hertz(Duration::from_millis(10), 19_962_345), 1_996_200_000);
        assert_eq!(hertz(Duration::from_secs(2), 5_000_000_000), 2_500_000_000);
        assert_eq!(megahertz(1_996_200_000), "1996.2 MHz");
        assert_eq!(counter_hz().is_some(), cycles().is_some());
    }

    #[test]
    fn the_program_text_names_version_and_commit() {
        let env = json!({ "version": "1", "commit": null, "compiler": "rustc 1", "date": "2026-01-02" });
        assert_eq!(program(&env), "fndsa 1, compiled by rustc 1, on 2026-01-02");
        let env = json!({ "version": "1", "commit": "0a", "core_share_pct": 99.04 });
        assert_eq!((program(&env), core_share(&env)), ("fndsa 1 of commit 0a".to_owned(), Some("99.0 %".to_owned())));
    }

    #[test]
    fn different_machines_are_distinguished() {
        let this_machine =
            json!({ "cpu": "X", "arch": "x86_64", "cpu_id": "family 6 model 143", "counter_hz": 2_000_000_000u64 });
        let with_member = |name: &str, value: Value| {
            let mut env = this_machine.clone();
            env[name] = value;
            env
        };
        assert_eq!(name(&this_machine), "X (x86_64, family 6 model 143, counter of 2000.0 MHz)");
        for (changed, machine_match) in [
            (this_machine.clone(), MachineMatch::Same),
            (with_member("counter_hz", json!(2_010_000_000u64)), MachineMatch::Same),
            (with_member("counter_hz", json!(2_100_000_000u64)), MachineMatch::Other),
            (with_member("cpu_id", json!("family 6 model 85")), MachineMatch::Other),
            (with_member("cpu", json!("Y")), MachineMatch::Other),
            (with_member("arch", json!("aarch64")), MachineMatch::Other),
            // Earlier versions did not write this member, and some systems do not report this
            // property.
            (with_member("cpu_id", Value::Null), MachineMatch::SameName),
            (with_member("counter_hz", Value::Null), MachineMatch::SameName),
            (json!({ "cpu": "X", "arch": "x86_64" }), MachineMatch::SameName),
            (json!({ "cpu": "Y", "arch": "x86_64" }), MachineMatch::Other),
        ] {
            assert_eq!(compare(&this_machine, &changed), machine_match, "{changed}");
            assert_eq!(compare(&changed, &this_machine), machine_match, "{changed}, the other way round");
        }
        let silent = json!({ "cpu": null, "arch": "x86_64", "cpu_id": null, "counter_hz": null });
        assert_eq!((compare(&silent, &silent), name(&silent)), (MachineMatch::Same, "unknown (x86_64)".to_owned()));
    }

    #[test]
    fn the_reason_for_missing_cycle_counts_is_reported() {
        let message_of = |kind: io::ErrorKind| no_core_cycles(&kind.into());
        assert!(message_of(io::ErrorKind::PermissionDenied).contains("perf_event_paranoid is 2 or less"));
        assert!(message_of(io::ErrorKind::NotFound).contains("has no counter"));
        assert!(message_of(io::ErrorKind::Unsupported).contains("this system"));
        assert!(message_of(io::ErrorKind::TimedOut).ends_with(": timed out"));
    }

    #[test]
    fn threads_that_share_cores_cause_a_warning() {
        assert_eq!(shared_cores(&json!({ "cores": 2 }), 2), None);
        assert!(shared_cores(&json!({ "cores": 2 }), 100).unwrap().starts_with("100 threads share 2 cores"));
        assert_eq!(shared_cores(&json!({ "cores": null }), 100), None);
    }
}
