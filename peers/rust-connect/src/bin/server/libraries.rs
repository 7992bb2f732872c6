//! Which libraries this program was built with.

const LOCK: &str = include_str!("../../../Cargo.lock");
const MEASURED: [&str; 6] = ["buffa", "connectrpc", "h2", "hyper", "hyper-util", "tokio"];

/// Prints the name and version of each library that the figures depend on.
pub fn print() {
    for package in LOCK.split("[[package]]") {
        if let (Some(name), Some(version)) = (field(package, "name"), field(package, "version"))
            && MEASURED.contains(&name)
        {
            println!("{name} {version}");
        }
    }
}

fn field<'a>(package: &'a str, key: &str) -> Option<&'a str> {
    let line = package.lines().find_map(|line| line.strip_prefix(key))?;
    Some(line.strip_prefix(" = ")?.trim_matches('"'))
}
