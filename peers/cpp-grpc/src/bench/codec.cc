#include "codec.h"

#include <greet/v1/greet.pb.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <string>

namespace greet {
namespace {

using std::chrono::nanoseconds;
using std::chrono::steady_clock;

constexpr int64_t kBytesPerClockReading = 64 << 10;
constexpr nanoseconds kWarmup = std::chrono::milliseconds(20);

// Repeat goes on for at least so long, and reads the clock after each batch.
template <typename Operation>
CodecAnswer Repeat(Operation operation, int64_t batch, nanoseconds at_least) {
  const auto begun = steady_clock::now();
  CodecAnswer answer{};
  do {
    for (int64_t i = 0; i < batch; i++) {
      operation();
    }
    answer.calls += batch;
    answer.window_ns = nanoseconds(steady_clock::now() - begun).count();
  } while (answer.window_ns < at_least.count());
  return answer;
}

}  // namespace

CodecAnswer MeasureCodec(const CodecRequest& request) {
  v1::GreetRequest message;
  message.set_name(std::string(request.payload_bytes, 'x'));
  const std::string bytes = message.SerializeAsString();
  const int64_t batch = std::max<int64_t>(1, kBytesPerClockReading / (bytes.size() + 64));

  const auto measure = [&](auto operation) {
    Repeat(operation, batch, kWarmup);
    return Repeat(operation, batch, nanoseconds(request.window_ns));
  };
  if (request.marshal) {
    return measure([&] {
      if (message.SerializeAsString().size() != bytes.size()) {
        throw std::runtime_error("marshal: not as many bytes as before");
      }
    });
  }
  return measure([&] {
    v1::GreetRequest parsed;
    if (!parsed.ParseFromString(bytes)) {
      throw std::runtime_error("unmarshal: protobuf does not take what it made");
    }
  });
}

}  // namespace greet
