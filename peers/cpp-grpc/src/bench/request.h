#pragma once

#include <cstdint>
#include <string>
#include <variant>

namespace greet {

enum class Mode { kUnary, kServerStream, kClientStream, kBidi };

// LoadRequest asks for calls that are to be kept in flight.
struct LoadRequest {
  Mode mode;
  int64_t concurrency;
  int64_t connections;  // 0 leaves it to the library
  int64_t payload_bytes;
  int64_t messages;  // of a call, in each direction that streams
  int64_t calls;     // 0 for as many as begin within the window
  int64_t warmup_calls;
  int64_t window_ns;
  int64_t deadline_ns;

  // How many messages a call sends, and receives.
  int64_t Sent() const;
  int64_t Received() const;
};

// CodecRequest asks for messages that are to be encoded or decoded, over and over.
struct CodecRequest {
  bool marshal;  // or unmarshal
  int64_t payload_bytes;
  int64_t window_ns;
};

// ParseRequest reads a line of standard input. It throws a std::exception that says what
// is wrong with it.
std::variant<LoadRequest, CodecRequest> ParseRequest(const std::string& line);

}  // namespace greet
