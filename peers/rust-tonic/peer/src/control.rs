//! The control socket: the benchmark asks what this process has used so far.

use std::env;
use std::io::{self, BufRead, BufReader, Write};
use std::os::fd::FromRawFd;
use std::os::unix::net::UnixStream;
use std::thread;

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeVal;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::process::Accepted;

#[derive(Deserialize)]
struct Request {
    get: String,
}

/// Answers requests on the control socket, if this process was given one. Called once.
pub fn answer(accepted: Accepted) {
    if env::var("GREET_CONTROL").is_ok_and(|descriptor| descriptor == "3") {
        // SAFETY: the variable says that the descriptor is a socket for this process, and
        // nothing else here takes it.
        let socket = unsafe { UnixStream::from_raw_fd(3) };
        thread::spawn(move || converse(&socket, &accepted));
    }
}

fn converse(mut socket: &UnixStream, accepted: &Accepted) -> io::Result<()> {
    for line in BufReader::new(socket).lines() {
        writeln!(socket, "{}", reply(&line?, accepted))?;
    }
    Ok(())
}

fn reply(line: &str, accepted: &Accepted) -> Value {
    match serde_json::from_str(line)
        .map(|request: Request| request.get)
        .as_deref()
    {
        Ok("stats") => stats(accepted).unwrap_or_else(|error| json!({"error": error.to_string()})),
        Ok("memory") => json!({"freed": false}), // there is no garbage to collect
        _ => json!({"error": "this server does not know how to answer that"}),
    }
}

fn stats(accepted: &Accepted) -> nix::Result<Value> {
    let usage = getrusage(UsageWho::RUSAGE_SELF)?;
    Ok(json!({
        "connections_accepted": accepted.get(),
        "cpu_user_ns": nanoseconds(usage.user_time()),
        "cpu_system_ns": nanoseconds(usage.system_time()),
        "peak_rss_bytes": usage.max_rss() * 1024, // Linux counts in KiB
    }))
}

fn nanoseconds(time: TimeVal) -> i64 {
    time.tv_sec() * 1_000_000_000 + time.tv_usec() * 1000
}
