//! The codec that tonic has by default, prost.

use std::hint::black_box;

use greet_peer::codec::{Direction, Outcome, Plan};
use prost::Message;
use rust_tonic::greet::v1::GreetRequest;

pub fn run(plan: &Plan) -> Outcome {
    let request = GreetRequest {
        name: "x".repeat(plan.payload_bytes),
    };
    let bytes = request.encode_to_vec();
    match plan.codec {
        Direction::Marshal => plan.time(|| {
            black_box(black_box(&request).encode_to_vec());
        }),
        Direction::Unmarshal => plan.time(|| {
            let request =
                GreetRequest::decode(black_box(bytes.as_slice())).expect("it was encoded just now");
            black_box(&request.name);
        }),
    }
}
