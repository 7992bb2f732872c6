//! What the server and the benchmark client share: the code generated from the schema.

pub mod greet {
    pub mod v1 {
        tonic::include_proto!("greet.v1");
    }
}
