// The benchmark client: reads one request as a line of JSON from standard input, does
// what it says, answers with one line on standard output, and reads the next.
//
//   bench ADDR
#include <exception>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <variant>

#include "codec.h"
#include "connections.h"
#include "load.h"
#include "request.h"

namespace {

using nlohmann::ordered_json;

ordered_json Answer(const std::string&, const greet::CodecRequest& request) {
  const auto answer = greet::MeasureCodec(request);
  return {{"calls", answer.calls}, {"window_ns", answer.window_ns}};
}

ordered_json Answer(const std::string& address, const greet::LoadRequest& request) {
  const greet::Connections connections(address, request.connections, std::chrono::nanoseconds(request.deadline_ns));
  const auto answer = greet::MeasureLoad(connections, request);
  const int64_t calls = answer.latencies_ns.size();
  ordered_json json = {
      {"calls", calls},
      {"messages_sent", calls * request.Sent()},
      {"messages_received", calls * request.Received()},
      {"window_ns", answer.window_ns},
      {"connections_opened", answer.connections_opened},
  };
  if (!answer.errors.empty()) {
    json["errors"] = answer.errors;
    json["first_error"] = answer.first_error;
  }
  json["latencies_ns"] = answer.latencies_ns;
  return json;
}

ordered_json Answer(const std::string& address, const std::string& line) try {
  return std::visit([&](const auto& request) { return Answer(address, request); }, greet::ParseRequest(line));
} catch (const std::exception& error) {
  return {{"error", error.what()}};
}

}  // namespace

int main(int argc, char** argv) {
  const std::string address = argc > 1 ? argv[1] : "127.0.0.1:50051";
  for (std::string line; std::getline(std::cin, line);) {
    // A text that a server sent need not be UTF-8.
    const auto errors = ordered_json::error_handler_t::replace;
    std::cout << Answer(address, line).dump(-1, ' ', false, errors) << std::endl;
  }
  return 0;
}
