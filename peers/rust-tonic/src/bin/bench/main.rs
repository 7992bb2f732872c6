//! A benchmark client of greet.v1 on tonic: it reads requests as lines of JSON from
//! standard input, and answers each with one.

mod calls;
mod codec;
mod connect;

use std::error::Error;

use clap::Parser;
use greet_peer::{bench, process};

use crate::connect::{Boxed, Plain, Protobuf};

#[derive(Parser)]
#[command(
    about = "Puts load on a server of greet.v1 with tonic, as requests on standard input ask"
)]
struct Args {
    /// Where the server listens
    addr: String,
    /// How many worker threads the runtime has, instead of one for each core
    #[arg(long)]
    workers: Option<usize>,
    /// Call through a boxed service that wraps the channel
    #[arg(long)]
    boxed: bool,
    /// Use Google's protobuf as codec, instead of prost
    #[arg(long, conflicts_with = "boxed")]
    protobuf: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    let runtime = process::runtime(args.workers)?;
    if args.protobuf {
        bench::answer(&runtime, &Protobuf, &args.addr, codec::run_protobuf)?;
    } else if args.boxed {
        bench::answer(&runtime, &Boxed, &args.addr, codec::run_prost)?;
    } else {
        bench::answer(&runtime, &Plain, &args.addr, codec::run_prost)?;
    }
    Ok(())
}
