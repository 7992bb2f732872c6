#pragma once

#include <grpcpp/support/status.h>

#include <cstdint>
#include <optional>
#include <string>

#include "window.h"

namespace greet {

// Check keeps what is first wrong with the replies of a call.
class Check {
 public:
  void Equal(const std::string& got, const std::string& want);
  void Equal(int64_t got, int64_t want);

  // Outcome is that of the whole call: a status that is not OK says more than a wrong reply.
  std::optional<Failure> Outcome(const grpc::Status& status) const;

 private:
  std::optional<Failure> wrong_;
};

}  // namespace greet
