#pragma once

#include <set>
#include <string>

namespace greet {

// SocketsTo is the local ends of this process's connections to a HOST:PORT, where the
// host is an address. gRPC does not tell of them, and the system does.
std::set<std::string> SocketsTo(const std::string& address);

}  // namespace greet
