#pragma once

#include <greet/v1/greet.grpc.pb.h>

namespace greet {

// Greeter is what the four modes of greet.v1 mean.
class Greeter final : public v1::GreetService::CallbackService {
  grpc::ServerUnaryReactor* Greet(grpc::CallbackServerContext* context, const v1::GreetRequest* request,
                                  v1::GreetResponse* response) override;
  grpc::ServerWriteReactor<v1::GreetStreamResponse>* GreetStream(grpc::CallbackServerContext* context,
                                                                 const v1::GreetStreamRequest* request) override;
  grpc::ServerReadReactor<v1::GreetCountRequest>* GreetCount(grpc::CallbackServerContext* context,
                                                             v1::GreetCountResponse* response) override;
  grpc::ServerBidiReactor<v1::GreetChatRequest, v1::GreetChatResponse>* GreetChat(
      grpc::CallbackServerContext* context) override;
};

}  // namespace greet
