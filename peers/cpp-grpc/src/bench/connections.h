#pragma once

#include <greet/v1/greet.grpc.pb.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace greet {

// Connections are those of one request to the benchmark client, new each time.
class Connections {
 public:
  // Waits, until the deadline at most, for each to be open or to have failed. Calls over
  // one that failed say so again.
  Connections(const std::string& address, int64_t count, std::chrono::nanoseconds deadline);

  // Stub is for the worker with this number.
  v1::GreetService::StubInterface& Stub(int64_t worker) const { return *stubs_[worker % stubs_.size()]; }

  // Opened is how many connections there have been.
  int64_t Opened() const;

 private:
  std::string address_;
  std::set<std::string> before_;  // sockets that earlier requests left behind
  std::set<std::string> first_;   // once each was open or had failed
  std::vector<std::unique_ptr<v1::GreetService::Stub>> stubs_;
};

}  // namespace greet
