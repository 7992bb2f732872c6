//! Generates messages, service and client from the schema with protox, which is a
//! library, so that no protoc need be installed.

use std::{env, error::Error, fs, path::PathBuf};

const SCHEMA: &str = "../../proto";
/// What of google.rpc this peer uses.
const OWN: &str = "proto";
const FILES: [&str; 2] = ["greet/v1/greet.proto", "google/rpc/error_details.proto"];

fn main() -> Result<(), Box<dyn Error>> {
    let mut compiler = protox::Compiler::new([SCHEMA, OWN])?;
    compiler.include_imports(true).include_source_info(true);
    compiler.open_files(FILES)?;
    let descriptors = PathBuf::from(env::var("OUT_DIR")?).join("greet.binpb");
    fs::write(&descriptors, compiler.encode_file_descriptor_set())?;

    println!("cargo::rerun-if-changed={SCHEMA}");
    println!("cargo::rerun-if-changed={OWN}");
    connectrpc_build::Config::new()
        .files(&FILES)
        .descriptor_set(descriptors)
        .include_file("_connectrpc.rs")
        .emit_rerun_directives(false)
        .compile()?;
    Ok(())
}
