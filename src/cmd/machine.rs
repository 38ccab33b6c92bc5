//! The machine that a benchmark ran on, as far as it can be read.

use fndsa::Level;
use serde_json::{Value, json};
use std::fs::read_to_string;

/// The `env` member of `fndsa/bench@1`; what cannot be read is null.
pub fn describe() -> Value {
    let cpuinfo = read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        cpuinfo.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            (key.trim() == name).then(|| value.trim().to_owned())
        })
    };
    let cpu = ["model name", "Model", "uarch", "Hardware"].iter().find_map(|name| field(name));
    let virtualized = field("flags").map(|flags| flags.split_whitespace().any(|flag| flag == "hypervisor"));
    json!({
        "cpu": cpu,
        "arch": std::env::consts::ARCH,
        "features": Level::available().map(Level::name).collect::<Vec<_>>(),
        "cores": std::thread::available_parallelism().ok().map(std::num::NonZero::get),
        "os": os(),
        "version": env!("CARGO_PKG_VERSION"),
        "governor": governor(),
        "virtualized": virtualized,
    })
}

/// What may make the figures worth less.
pub fn warnings(env: &Value) -> Vec<String> {
    let mut warnings = Vec::new();
    if let Some(governor) = env["governor"].as_str()
        && governor != "performance"
    {
        warnings.push(format!("the frequency governor is {governor}, not performance"));
    }
    if env["virtualized"] == true {
        warnings.push("this is a virtual machine: others may use the same cores".to_owned());
    }
    let load = read_to_string("/proc/loadavg").unwrap_or_default();
    if let Some(load) = load.split(' ').next().and_then(|s| s.parse::<f64>().ok())
        && load > 1.0
    {
        warnings.push(format!("other work is running: the load is {load}"));
    }
    warnings
}

fn governor() -> Option<String> {
    let text = read_to_string("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor").ok()?;
    Some(text.trim().to_owned())
}

fn os() -> String {
    let release = read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    format!("{} {}", std::env::consts::OS, release.trim()).trim().to_owned()
}
