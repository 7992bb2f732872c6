// Serves greet.v1 with gRPC's callback API, as a server that the benchmark starts.
//
//   server ADDR
//   server --libraries
#include <grpcpp/grpcpp.h>

#include <chrono>
#include <iostream>
#include <memory>
#include <string>

#include "greeter.h"
#include "libraries.h"
#include "stop.h"

namespace {

constexpr int kMaxMessageBytes = 4 << 20;
constexpr int kMaxStreams = 100;
constexpr auto kDrain = std::chrono::seconds(2);

int Serve(const std::string& address) {
  const greet::StopSignal stop;  // before gRPC starts threads, which inherit what it blocks
  greet::Greeter greeter;
  int port = 0;
  std::unique_ptr<grpc::Server> server =
      grpc::ServerBuilder()
          .SetMaxReceiveMessageSize(kMaxMessageBytes)
          .SetMaxSendMessageSize(kMaxMessageBytes)
          .AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, kMaxStreams)
          .AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0)  // a taken port is an error
          .AddListeningPort(address, grpc::InsecureServerCredentials(), &port)
          .RegisterService(&greeter)
          .BuildAndStart();
  if (server == nullptr || port == 0) {
    std::cerr << "server: cannot listen on " << address << '\n';
    return 1;
  }
  std::cout << "listening " << address.substr(0, address.rfind(':')) << ':' << port << std::endl;
  stop.Wait();
  server->Shutdown(std::chrono::system_clock::now() + kDrain);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string argument = argc > 1 ? argv[1] : "127.0.0.1:0";
  if (argument == "--libraries") {
    greet::PrintLibraries(std::cout);
    return 0;
  }
  return Serve(argument);
}
