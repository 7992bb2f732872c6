#include "request.h"

#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace greet {
namespace {

using nlohmann::json;

const std::map<std::string, Mode> kModes = {
    {"unary", Mode::kUnary},
    {"server_stream", Mode::kServerStream},
    {"client_stream", Mode::kClientStream},
    {"bidi", Mode::kBidi},
};

int64_t Number(const json& object, const char* field, int64_t least = 0) {
  const json& value = object.at(field);
  if (!value.is_number_integer() || value.get<int64_t>() < least) {
    throw std::invalid_argument(std::string(field) + ": got " + value.dump() + ", want a whole number from " +
                                std::to_string(least));
  }
  return value.get<int64_t>();
}

template <typename T>
T OneOf(const std::map<std::string, T>& values, const json& object, const char* field) {
  const json& value = object.at(field);
  const auto found = value.is_string() ? values.find(value.get<std::string>()) : values.end();
  if (found == values.end()) {
    throw std::invalid_argument(std::string(field) + ": there is no " + value.dump());
  }
  return found->second;
}

}  // namespace

int64_t LoadRequest::Sent() const { return mode == Mode::kClientStream || mode == Mode::kBidi ? messages : 1; }

int64_t LoadRequest::Received() const { return mode == Mode::kServerStream || mode == Mode::kBidi ? messages : 1; }

std::variant<LoadRequest, CodecRequest> ParseRequest(const std::string& line) {
  const json object = json::parse(line);
  if (object.contains("codec")) {
    return CodecRequest{
        .marshal = OneOf<bool>({{"marshal", true}, {"unmarshal", false}}, object, "codec"),
        .payload_bytes = Number(object, "payload_bytes"),
        .window_ns = Number(object, "window_ns"),
    };
  }
  return LoadRequest{
      .mode = OneOf(kModes, object, "mode"),
      .concurrency = Number(object, "concurrency", 1),
      .connections = Number(object, "connections"),
      .payload_bytes = Number(object, "payload_bytes"),
      .messages = Number(object, "messages"),
      .calls = Number(object, "calls"),
      .warmup_calls = Number(object, "warmup_calls"),
      .window_ns = Number(object, "window_ns"),
      .deadline_ns = Number(object, "deadline_ns"),
  };
}

}  // namespace greet
