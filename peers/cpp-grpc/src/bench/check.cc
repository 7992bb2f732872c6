#include "check.h"

#include <array>

namespace greet {
namespace {

constexpr size_t kExcerpt = 80;

// In the order of their numbers.
constexpr std::array kCodes = {
    "ok",
    "canceled",
    "unknown",
    "invalid_argument",
    "deadline_exceeded",
    "not_found",
    "already_exists",
    "permission_denied",
    "resource_exhausted",
    "failed_precondition",
    "aborted",
    "out_of_range",
    "unimplemented",
    "internal",
    "unavailable",
    "data_loss",
    "unauthenticated",
};

std::string Name(grpc::StatusCode code) {
  const auto number = static_cast<size_t>(code);
  return number < kCodes.size() ? kCodes[number] : "unknown";
}

std::string Quote(const std::string& text) { return '"' + text.substr(0, kExcerpt) + '"'; }

}  // namespace

void Check::Equal(const std::string& got, const std::string& want) {
  if (!wrong_ && got != want) {
    wrong_ = Failure{"wrong_reply", "got " + Quote(got) + ", want " + Quote(want)};
  }
}

void Check::Equal(int64_t got, int64_t want) {
  if (!wrong_ && got != want) {
    wrong_ = Failure{"wrong_reply", "got " + std::to_string(got) + ", want " + std::to_string(want)};
  }
}

std::optional<Failure> Check::Outcome(const grpc::Status& status) const {
  return status.ok() ? wrong_ : Failure{Name(status.error_code()), status.error_message()};
}

}  // namespace greet
