#![no_main]
libfuzzer_sys::fuzz_target!(init: hitstop_fuzz::prepare_tables(), |data: &[u8]| hitstop_fuzz::log(data, "parquet"));
