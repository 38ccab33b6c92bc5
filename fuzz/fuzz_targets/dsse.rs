#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| fndsa_fuzz::targets::dsse(data));
