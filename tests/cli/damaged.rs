//! Tests a program file with a flipped bit in a constant table: the program refuses to make keys
//! and signatures.

use crate::harness::{FNDSA, TestDirectory};
use std::fs;

/// Returns the names of constant tables, and their first values as bytes in the program file. Lists
/// only tables that occur once in the file. For example, the round constants are missing, because
/// crate `sha3` also contains them.
fn table_beginnings() -> Vec<(&'static str, Vec<u8>)> {
    let u64s = |values: &[u64]| values.iter().flat_map(|x| x.to_le_bytes()).collect();
    let u32s = |values: &[u32]| values.iter().flat_map(|x| x.to_le_bytes()).collect();
    let u16s = |values: &[u16]| values.iter().flat_map(|x| x.to_le_bytes()).collect();
    vec![
        ("TAIL", u64s(&[0xfa17_69d6_1c8c_051a, 0x51fb, 0x958c_0f9f_beed_c4f7, 0x2a69])),
        ("EXP", u64s(&[0x0000_0004_7411_83a3, 0x0000_0036_548c_fc06, 0x0000_024f_dcbf_140a])),
        ("INV_SIGMA", u64s(&[0, 0x3f7c_48eb_7e24_1699, 0x3f7b_e50a_548c_aed8])),
        ("SIGMA_MIN", u64s(&[0, 0x3ff1_dd38_0644_568b, 0x3ff2_1d2e_dcad_8626])),
        ("LIMBS", u32s(&[0x8c_051a, 0xed_c4f7, 0xe1_0303])),
        ("LONGER", vec![15, 14, 14, 14, 14, 14, 14, 13, 13, 13, 13, 13, 13, 12]),
        ("LOG2", u32s(&[1.442_694_7f32, -0.721_306_8, 0.480_012_46].map(f32::to_bits))),
        ("ROOTS", u64s(&[0, 0x3fe6_a09e_667f_3bcd, 0x3fed_906b_cf32_8d46, 0xbfd8_7de2_a6ae_a963])),
        ("NORM_BOUND", u32s(&[0, 101_498, 208_714, 428_865])),
        ("GAUSS_512", u16s(&[29543, 23286, 17574, 12669])),
        ("GAUSS_1024", u16s(&[28207, 19623, 12472, 7198])),
    ]
}

#[test]
fn a_flipped_bit_in_a_table_is_detected() {
    let program = fs::read(FNDSA).unwrap();
    let directory = TestDirectory::ready();
    let names_before = directory.names();
    for (i, (table, needle)) in table_beginnings().into_iter().enumerate() {
        let places: Vec<_> = program.windows(needle.len()).enumerate().filter(|(_, bytes)| *bytes == needle).collect();
        let [(at, _)] = places[..] else { panic!("{table} is there {} times", places.len()) };
        let mut damaged = program.clone();
        // Change a bit in the middle of these values, because the first value can be unused.
        damaged[at + needle.len() / 2] ^= 1 << (i % 8);
        directory.put("damaged", &damaged);
        // `cp` makes the copy in a separate process. If the test's process opened the file for
        // writing, a child process of another thread could inherit the descriptor, and the system
        // would then refuse to run the file.
        directory.sh("cp damaged program && chmod 755 program && rm damaged").code(0);
        for line in ["keygen new", "keygen -a fn-dsa-1024 new", "sign -k k.key b", "--backend scalar sign -k k.key b"] {
            let output = directory.sh(&format!("./program {line}")).code(6);
            let output = output.err_has("tables in memory are damaged: no key and no signature is made");
            assert!(output.err.contains("hint: the program file is damaged"), "{table}: {}", output.err);
        }
        let document = directory.sh("./program --json sign -k k.key b").code(6).json();
        let error = document.get("error").unwrap_or_else(|| &document["results"][0]);
        assert_eq!(error["reason"], "tables_damaged", "{document}");
        directory.sh("rm program").code(0);
        assert_eq!(directory.names(), names_before, "{table}");
    }
}
