//! The library's codec, in process: buffa on a GreetRequest.

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

use buffa::{Message, bytes::Bytes, view::OwnedView};
use rust_connect::proto::greet::v1::{GreetRequest, OwnedGreetRequestView};

use crate::plan::{CodecOutcome, CodecPlan, Direction};

const WARM_UP: Duration = Duration::from_millis(20);
/// About how many bytes are handled between two looks at the clock.
const STRIDE_BYTES: usize = 64 << 10;

pub fn measure(plan: &CodecPlan) -> CodecOutcome {
    let request = GreetRequest {
        name: "x".repeat(plan.payload_bytes),
        ..Default::default()
    };
    let encoded = request.encode_to_bytes();
    let stride = (STRIDE_BYTES / encoded.len().max(64)).max(1) as u64;
    let window = Duration::from_nanos(plan.window_ns);
    match plan.codec {
        Direction::Marshal => timed(window, stride, || marshal(&request)),
        Direction::Unmarshal => timed(window, stride, || unmarshal(&encoded)),
    }
}

fn marshal(request: &GreetRequest) {
    black_box(black_box(request).encode_to_bytes());
}

/// Decodes as the library does for a handler: into a view whose name is a `&str` within
/// the bytes, checked to be UTF-8.
fn unmarshal(encoded: &Bytes) {
    let request: OwnedGreetRequestView =
        OwnedView::decode(black_box(encoded).clone()).expect("decode what was encoded");
    black_box(request.reborrow().name);
}

fn timed(window: Duration, stride: u64, mut operation: impl FnMut()) -> CodecOutcome {
    repeat(WARM_UP, stride, &mut operation);
    let begin = Instant::now();
    let calls = repeat(window, stride, &mut operation);
    CodecOutcome {
        calls,
        window_ns: begin.elapsed().as_nanos() as u64,
    }
}

/// Repeats the operation for the time given, and returns how often.
fn repeat(window: Duration, stride: u64, operation: &mut impl FnMut()) -> u64 {
    let begin = Instant::now();
    let mut calls = 0;
    while begin.elapsed() < window {
        (0..stride).for_each(|_| operation());
        calls += stride;
    }
    calls
}
