//! Selects the linker script for an image's machine.

use std::env::var;

fn main() {
    println!("cargo::rerun-if-changed=link");
    println!("cargo::rerun-if-env-changed=FNDSA_PEER_C");
    println!("cargo::rustc-check-cfg=cfg(microbit)");
    println!("cargo::rustc-check-cfg=cfg(an505)");
    let target = var("TARGET").unwrap_or_default();
    let machine = match target.split('-').next() {
        Some("thumbv6m") => "microbit",
        Some("thumbv7em") => "mps2-an386",
        Some("thumbv8m.main") => "mps2-an505",
        Some("riscv32imc") => "virt",
        // This is the host, for examples/host.rs.
        _ => return,
    };
    match machine {
        "microbit" => println!("cargo::rustc-cfg=microbit"),
        "mps2-an505" => println!("cargo::rustc-cfg=an505"),
        _ => {}
    }
    let directory = var("CARGO_MANIFEST_DIR").unwrap_or_default();
    println!("cargo::rustc-link-arg-bins=-L{directory}/link");
    println!("cargo::rustc-link-arg-bins=-T{machine}.x");
    println!("cargo::rustc-link-arg-bins=--gc-sections");
    if let Ok(library) = var("FNDSA_PEER_C") {
        println!("cargo::rustc-link-arg-bin=peer_c={library}");
    }
}
