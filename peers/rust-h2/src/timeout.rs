//! How a request says how long its call may take
//! (https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md).

use std::time::Duration;

use http::HeaderName;

/// The header with the time that a call may take.
pub const HEADER: HeaderName = HeaderName::from_static("grpc-timeout");

/// The longest number that a timeout may have.
const MOST_DIGITS: usize = 8;

/// Reads a timeout, one to eight digits and a unit.
pub fn parse(text: &str) -> Option<Duration> {
    let (digits, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    if digits.len() > MOST_DIGITS || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let number: u64 = digits.parse().ok()?;
    match unit {
        "H" => Some(Duration::from_secs(number * 3600)),
        "M" => Some(Duration::from_secs(number * 60)),
        "S" => Some(Duration::from_secs(number)),
        "m" => Some(Duration::from_millis(number)),
        "u" => Some(Duration::from_micros(number)),
        "n" => Some(Duration::from_nanos(number)),
        _ => None,
    }
}

/// Writes a timeout in the finest unit that has room for it.
pub fn format(timeout: Duration) -> String {
    let nanoseconds = timeout.as_nanos();
    [
        (1, "n"),
        (1_000, "u"),
        (1_000_000, "m"),
        (1_000_000_000, "S"),
    ]
    .into_iter()
    .map(|(unit, letter)| (nanoseconds / unit, letter))
    .find(|(number, _)| number.to_string().len() <= MOST_DIGITS)
    .map_or_else(
        || "99999999S".to_owned(),
        |(number, letter)| format!("{number}{letter}"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timeouts_are_read_as_written() {
        for timeout in [
            Duration::ZERO,
            Duration::from_nanos(7),
            Duration::from_micros(150_000),
            Duration::from_secs(10),
        ] {
            assert_eq!(parse(&format(timeout)), Some(timeout));
        }
    }

    #[test]
    fn what_is_no_timeout_is_refused() {
        for text in ["", "S", "10", "+1S", "123456789n", "1x", "1µ"] {
            assert_eq!(parse(text), None, "{text:?}");
        }
    }
}
