#pragma once

#include <greet/v1/greet.grpc.pb.h>

#include <functional>
#include <optional>

#include "request.h"
#include "window.h"

namespace greet {

// Done is told how a call ended, once, by a thread of gRPC's.
using Done = std::function<void(const std::optional<Failure>&)>;

// StartCall begins one call in the request's mode. All that comes back is checked.
void StartCall(v1::GreetService::StubInterface& stub, const LoadRequest& request, const std::string& name, Done done);

}  // namespace greet
