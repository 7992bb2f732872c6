//! Both codecs: prost, which tonic has by default, and Google's protobuf.

use std::hint::black_box;

use greet_peer::codec::{Direction, Outcome, Plan};
use prost::Message;
use protobuf::{Parse, Serialize, proto};
use rust_tonic::{with_prost, with_protobuf};

pub fn run_prost(plan: &Plan) -> Outcome {
    let request = with_prost::GreetRequest {
        name: "x".repeat(plan.payload_bytes),
    };
    let bytes = request.encode_to_vec();
    match plan.codec {
        Direction::Marshal => plan.time(|| {
            black_box(black_box(&request).encode_to_vec());
        }),
        Direction::Unmarshal => plan.time(|| {
            let request = with_prost::GreetRequest::decode(black_box(bytes.as_slice()))
                .expect("it was encoded just now");
            black_box(&request.name);
        }),
    }
}

pub fn run_protobuf(plan: &Plan) -> Outcome {
    let request = proto!(with_protobuf::GreetRequest {
        name: "x".repeat(plan.payload_bytes),
    });
    let bytes = request.serialize().expect("there is nothing to be missing");
    match plan.codec {
        Direction::Marshal => plan.time(|| {
            let bytes = black_box(&request).serialize();
            black_box(bytes.expect("it was serialized before"));
        }),
        Direction::Unmarshal => plan.time(|| {
            let request = with_protobuf::GreetRequest::parse(black_box(&bytes))
                .expect("it was serialized just now");
            black_box(request.name());
        }),
    }
}
