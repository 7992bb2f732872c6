//! What the peers in Rust share: the contract of a server process, and the requests and
//! the load of a benchmark client. It knows the greetings and no RPC library.

pub mod bench;
pub mod call;
pub mod codec;
mod control;
pub mod load;
pub mod process;
mod record;
