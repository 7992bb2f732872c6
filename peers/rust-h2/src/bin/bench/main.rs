//! A benchmark client of greet.v1 on h2 alone: it reads requests as lines of JSON from
//! standard input, and answers each with one.

mod calls;
mod codec;
mod connection;

use std::error::Error;

use clap::Parser;
use greet_peer::{bench, process};

use crate::connection::H2;

#[derive(Parser)]
#[command(about = "Puts load on a server of greet.v1 with h2, as requests on standard input ask")]
struct Args {
    /// Where the server listens
    addr: String,
    /// How many worker threads the runtime has, instead of one for each core
    #[arg(long)]
    workers: Option<usize>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    let runtime = process::runtime(args.workers)?;
    bench::answer(&runtime, &H2, &args.addr, codec::run)?;
    Ok(())
}
