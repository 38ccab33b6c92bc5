//! The branches in this program's machine code, as `objdump` prints them.

use std::path::Path;
use std::process::Command;

/// A branch instruction.
#[derive(Clone, Copy, Debug)]
pub enum Branch {
    /// Continues at `target` if the condition is true, and at `next` otherwise.
    Conditional { condition: Condition, target: u64, next: u64 },
    /// Continues at an address from a register or from memory.
    Computed,
}

/// A jump condition.
#[derive(Clone, Copy, Debug)]
pub struct Condition {
    flags: Flags,
    /// Whether the condition is true if the flags are clear.
    negated: bool,
}

#[derive(Clone, Copy, Debug)]
enum Flags {
    Carry,
    Zero,
    CarryOrZero,
    Sign,
    Overflow,
    Parity,
    Less,
    LessOrEqual,
}

impl Condition {
    /// Returns the condition for the jump instruction with this name.
    fn of(jump: &str) -> Option<Self> {
        let (flags, negated) = match jump {
            "jb" => (Flags::Carry, false),
            "jae" => (Flags::Carry, true),
            "je" => (Flags::Zero, false),
            "jne" => (Flags::Zero, true),
            "jbe" => (Flags::CarryOrZero, false),
            "ja" => (Flags::CarryOrZero, true),
            "js" => (Flags::Sign, false),
            "jns" => (Flags::Sign, true),
            "jo" => (Flags::Overflow, false),
            "jno" => (Flags::Overflow, true),
            "jp" => (Flags::Parity, false),
            "jnp" => (Flags::Parity, true),
            "jl" => (Flags::Less, false),
            "jge" => (Flags::Less, true),
            "jle" => (Flags::LessOrEqual, false),
            "jg" => (Flags::LessOrEqual, true),
            _ => return None,
        };
        Some(Self { flags, negated })
    }

    /// Returns whether the condition is true for this flags register.
    pub fn holds(self, eflags: u64) -> bool {
        let flag = |place: u32| eflags >> place & 1 == 1;
        let (carry, parity, zero, sign, overflow) = (flag(0), flag(2), flag(6), flag(7), flag(11));
        let set = match self.flags {
            Flags::Carry => carry,
            Flags::Zero => zero,
            Flags::CarryOrZero => carry || zero,
            Flags::Sign => sign,
            Flags::Overflow => overflow,
            Flags::Parity => parity,
            Flags::Less => sign != overflow,
            Flags::LessOrEqual => zero || sign != overflow,
        };
        set != self.negated
    }
}

/// Returns all branches except returns, direct calls and direct jumps, which have known targets.
/// Sorted by address in the file.
pub fn all(program: &Path) -> Result<Vec<(u64, Branch)>, String> {
    let out = Command::new("objdump").args(["-d", "-w", "--no-show-raw-insn"]).arg(program).output();
    let out = out.map_err(|e| format!("objdump: {e}"))?;
    let text = String::from_utf8_lossy(&out.stdout);
    let mut found: Vec<(u64, Branch)> = vec![];
    // The last jump, until the next line gives the address after it.
    let mut waiting: Option<(u64, Condition, u64)> = None;
    for line in text.lines() {
        let Some((address, code)) = line.split_once(":\t") else { continue };
        let Ok(address) = u64::from_str_radix(address.trim(), 16) else { continue };
        if let Some((at, condition, target)) = waiting.take() {
            found.push((at, Branch::Conditional { condition, target, next: address }));
        }
        // Hints and prefixes precede the name, or follow it after a comma: "notrack jmp", "bnd
        // jmp", "jne,pn".
        let mut words = code.split_whitespace().skip_while(|word| ["notrack", "bnd", "rex.W"].contains(word));
        let (name, operand) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
        let name = name.split(',').next().unwrap_or("");
        if let Some(condition) = Condition::of(name) {
            let target = u64::from_str_radix(operand, 16).map_err(|_| format!("not understood: {line}"))?;
            waiting = Some((address, condition, target));
        } else if name.starts_with("loop") || name.ends_with("cxz") || operand.starts_with('*') {
            found.push((address, Branch::Computed));
        }
    }
    if found.len() < 1000 {
        return Err(format!("objdump shows {} branches only", found.len()));
    }
    Ok(found)
}
