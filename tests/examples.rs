//! The examples run.

#[path = "../examples/generate_sign_verify.rs"]
mod generate_sign_verify;
#[path = "../examples/no_alloc.rs"]
mod no_alloc;
#[path = "../examples/read_pem.rs"]
mod read_pem;
#[path = "../examples/stream_a_file.rs"]
mod stream_a_file;

#[test]
fn examples_run() {
    generate_sign_verify::main().expect("generate_sign_verify");
    stream_a_file::main().expect("stream_a_file");
    read_pem::main().expect("read_pem");
    no_alloc::main().expect("no_alloc");
}
