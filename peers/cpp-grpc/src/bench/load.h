#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "connections.h"
#include "request.h"

namespace greet {

struct LoadAnswer {
  int64_t window_ns;
  int64_t connections_opened;
  std::map<std::string, int64_t> errors;
  std::string first_error;
  std::vector<int64_t> latencies_ns;  // one for each call that counts
};

// MeasureLoad keeps calls in flight, and returns once all have ended.
LoadAnswer MeasureLoad(const Connections& connections, const LoadRequest& request);

}  // namespace greet
