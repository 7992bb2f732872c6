//! Serves greet.v1 with h2 alone, as a server that the benchmark starts.

mod answer;
mod connections;
mod greeter;

use std::error::Error;

use clap::Parser;
use greet_peer::process;

#[derive(Parser)]
#[command(about = "Serves greet.v1 with h2")]
struct Args {
    /// Where to listen
    #[arg(default_value = "127.0.0.1:0")]
    addr: String,
    /// How many worker threads the runtime has, instead of one for each core
    #[arg(long)]
    workers: Option<usize>,
    /// Print the libraries with their versions, and serve nothing
    #[arg(long)]
    libraries: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    if args.libraries {
        process::print_libraries(
            include_str!("../../../Cargo.lock"),
            &["h2", "prost", "tokio"],
        );
        return Ok(());
    }
    process::runtime(args.workers)?.block_on(process::run(&args.addr, connections::serve))
}
