//! Finds the branches in the machine code of a program with `objdump`, for `tracer.rs`.

use std::path::Path;
use std::process::Command;

/// A branch instruction.
#[derive(Clone, Copy, Debug)]
pub enum Branch {
    /// Continues at `target` if the condition is true, and at `next` otherwise.
    Conditional { condition: JumpCondition, target: u64, next: u64 },
    /// Continues at an address from a register or from memory. The conditional jumps on a counter
    /// (`loop`, `jrcxz`) also have this kind. The tracer executes these instructions to find the
    /// target.
    Computed,
}

/// The condition of a jump.
#[derive(Clone, Copy, Debug)]
pub struct JumpCondition {
    flags: ConditionFlags,
    /// Whether the jump requires that the test of the flags is false.
    negated: bool,
}

/// A test of the flags register.
#[derive(Clone, Copy, Debug)]
enum ConditionFlags {
    Carry,
    Zero,
    CarryOrZero,
    Sign,
    Overflow,
    Parity,
    Less,
    LessOrEqual,
}

impl JumpCondition {
    /// Returns the condition for the jump instruction with this name.
    fn from_jump(jump: &str) -> Option<Self> {
        let (flags, negated) = match jump {
            "jb" => (ConditionFlags::Carry, false),
            "jae" => (ConditionFlags::Carry, true),
            "je" => (ConditionFlags::Zero, false),
            "jne" => (ConditionFlags::Zero, true),
            "jbe" => (ConditionFlags::CarryOrZero, false),
            "ja" => (ConditionFlags::CarryOrZero, true),
            "js" => (ConditionFlags::Sign, false),
            "jns" => (ConditionFlags::Sign, true),
            "jo" => (ConditionFlags::Overflow, false),
            "jno" => (ConditionFlags::Overflow, true),
            "jp" => (ConditionFlags::Parity, false),
            "jnp" => (ConditionFlags::Parity, true),
            "jl" => (ConditionFlags::Less, false),
            "jge" => (ConditionFlags::Less, true),
            "jle" => (ConditionFlags::LessOrEqual, false),
            "jg" => (ConditionFlags::LessOrEqual, true),
            _ => return None,
        };
        Some(Self { flags, negated })
    }

    /// Returns whether the condition is true for this flags register.
    pub fn is_true(self, eflags: u64) -> bool {
        let flag = |bit: u32| eflags >> bit & 1 == 1;
        let (carry, parity, zero, sign, overflow) = (flag(0), flag(2), flag(6), flag(7), flag(11));
        let set = match self.flags {
            ConditionFlags::Carry => carry,
            ConditionFlags::Zero => zero,
            ConditionFlags::CarryOrZero => carry || zero,
            ConditionFlags::Sign => sign,
            ConditionFlags::Overflow => overflow,
            ConditionFlags::Parity => parity,
            ConditionFlags::Less => sign != overflow,
            ConditionFlags::LessOrEqual => zero || sign != overflow,
        };
        set != self.negated
    }
}

/// Returns all conditional jumps, and all jumps and calls with a computed target, sorted by address
/// in the file. Direct jumps and calls are not included, because they have only one target. Return
/// instructions are not included either.
pub fn read_branches(program: &Path) -> Result<Vec<(u64, Branch)>, String> {
    let out = Command::new("objdump").args(["-d", "-w", "--no-show-raw-insn"]).arg(program).output();
    let out = out.map_err(|e| format!("objdump: {e}"))?;
    let text = String::from_utf8_lossy(&out.stdout);
    let mut found: Vec<(u64, Branch)> = vec![];
    // The last conditional jump. The next line contains the address after this jump.
    let mut last_jump: Option<(u64, JumpCondition, u64)> = None;
    for line in text.lines() {
        let Some((address, code)) = line.split_once(":\t") else { continue };
        let Ok(address) = u64::from_str_radix(address.trim(), 16) else { continue };
        if let Some((at, condition, target)) = last_jump.take() {
            found.push((at, Branch::Conditional { condition, target, next: address }));
        }
        // A prefix can precede the name of the instruction ("notrack jmp", "bnd jmp"), and a hint
        // can follow it ("jne,pn").
        let mut words = code.split_whitespace().skip_while(|word| ["notrack", "bnd", "rex.W"].contains(word));
        let (name, operand) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
        let name = name.split(',').next().unwrap_or("");
        if let Some(condition) = JumpCondition::from_jump(name) {
            let target = u64::from_str_radix(operand, 16).map_err(|_| format!("unknown line: {line}"))?;
            last_jump = Some((address, condition, target));
        } else if name.starts_with("loop") || name.ends_with("cxz") || operand.starts_with('*') {
            found.push((address, Branch::Computed));
        }
    }
    if found.len() < 1000 {
        return Err(format!("objdump printed only {} branches", found.len()));
    }
    Ok(found)
}
