//! Generates the code of the schema with protox, a compiler of protobuf written in Rust.

use std::error::Error;

use tonic_prost_build::manual::{Builder, Method, Service};

const PROTO: &str = "../../proto";

/// The service's methods, with whether requests and replies are streams.
const METHODS: [(&str, &str, bool, bool); 4] = [
    ("Greet", "greet", false, false),
    ("GreetStream", "greet_stream", false, true),
    ("GreetCount", "greet_count", true, false),
    ("GreetChat", "greet_chat", true, true),
];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={PROTO}");
    let schema = protox::compile(["greet/v1/greet.proto"], [PROTO])?;
    tonic_prost_build::configure().compile_fds(schema)?;
    Builder::new().compile(&[service_with_protobuf()]);
    Ok(())
}

/// The service on the messages in gen/, which tonic-prost-build knows nothing of.
fn service_with_protobuf() -> Service {
    let service = Service::builder().package("greet.v1").name("GreetService");
    METHODS
        .into_iter()
        .fold(service, |service, (route, name, requests, replies)| {
            let mut method = Method::builder()
                .name(name)
                .route_name(route)
                .input_type(format!("super::{route}Request"))
                .output_type(format!("super::{route}Response"))
                .codec_path("crate::codec::ProtobufCodec");
            if requests {
                method = method.client_streaming();
            }
            if replies {
                method = method.server_streaming();
            }
            service.method(method.build())
        })
        .build()
}
