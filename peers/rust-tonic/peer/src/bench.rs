//! The requests of the benchmark: one line of JSON each on standard input, and one line
//! in answer to each on standard output.

use std::io::{self, Write};

use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::codec;
use crate::load::{self, Library};

/// Answers requests until there are no more.
pub fn answer<L: Library>(
    runtime: &Runtime,
    library: &L,
    addr: &str,
    codec: impl Fn(&codec::Plan) -> codec::Outcome,
) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lines() {
        let reply = reply(runtime, library, addr, &codec, &line?);
        serde_json::to_writer(
            &mut out,
            &reply.unwrap_or_else(|error| json!({"error": error.to_string()})),
        )?;
        out.write_all(b"\n")?;
        out.flush()?;
    }
    Ok(())
}

fn reply<L: Library>(
    runtime: &Runtime,
    library: &L,
    addr: &str,
    codec: impl Fn(&codec::Plan) -> codec::Outcome,
    line: &str,
) -> serde_json::Result<Value> {
    let request: Value = serde_json::from_str(line)?;
    if request.get("codec").is_some() {
        return serde_json::to_value(codec(&serde_json::from_value(request)?));
    }
    let plan = serde_json::from_value(request)?;
    serde_json::to_value(runtime.block_on(load::run(library, addr, &plan)))
}
