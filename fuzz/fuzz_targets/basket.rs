#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| order_cost_fuzz::basket::run(data));
