#pragma once

#include <grpcpp/support/status.h>

#include <string>

namespace greet {

// InvalidField is the error of a request with a field that cannot be served.
grpc::Status InvalidField(const std::string& field, const std::string& description);

}  // namespace greet
