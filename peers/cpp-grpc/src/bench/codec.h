#pragma once

#include <cstdint>

#include "request.h"

namespace greet {

struct CodecAnswer {
  int64_t calls;
  int64_t window_ns;
};

// MeasureCodec repeats what protobuf does to a GreetRequest, without a connection.
CodecAnswer MeasureCodec(const CodecRequest& request);

}  // namespace greet
