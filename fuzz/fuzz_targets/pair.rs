#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| hitstop_fuzz::pair(data));
