//! Generates the code of the schema's messages with protox, a compiler of protobuf written
//! in Rust.

use std::error::Error;

const PROTO: &str = "../../proto";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={PROTO}");
    let schema = protox::compile(["greet/v1/greet.proto"], [PROTO])?;
    prost_build::Config::new().compile_fds(schema)?;
    Ok(())
}
