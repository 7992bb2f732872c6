#include "greeter.h"

#include <string>

#include "errors.h"

namespace greet {
namespace {

constexpr int kMaxCount = 100'000;

// What a reactor ends with once a message could not be written. The call is over by
// then, so that nobody sees it.
const grpc::Status kCut = grpc::Status::CANCELLED;

class Stream final : public grpc::ServerWriteReactor<v1::GreetStreamResponse> {
 public:
  explicit Stream(const v1::GreetStreamRequest& request) : request_(request) {
    if (request.count() < 0 || request.count() > kMaxCount) {
      Finish(InvalidField("count", "count must be between 0 and " + std::to_string(kMaxCount) + ", got " +
                                       std::to_string(request.count())));
      return;
    }
    WriteNext();
  }

  void OnWriteDone(bool ok) override { ok ? WriteNext() : Finish(kCut); }
  void OnDone() override { delete this; }

 private:
  void WriteNext() {
    if (sent_ == request_.count()) {
      Finish(grpc::Status::OK);
      return;
    }
    sent_++;
    response_.set_greeting("Hello #" + std::to_string(sent_) + ", " + request_.name() + "!");
    StartWrite(&response_);
  }

  const v1::GreetStreamRequest& request_;  // the library's, until OnDone
  v1::GreetStreamResponse response_;
  int sent_ = 0;
};

class Count final : public grpc::ServerReadReactor<v1::GreetCountRequest> {
 public:
  explicit Count(v1::GreetCountResponse& response) : response_(response) { StartRead(&request_); }

  void OnReadDone(bool ok) override {
    if (!ok) {
      response_.set_count(count_);
      Finish(grpc::Status::OK);
      return;
    }
    count_++;
    StartRead(&request_);
  }
  void OnDone() override { delete this; }

 private:
  v1::GreetCountResponse& response_;  // the library's, until OnDone
  v1::GreetCountRequest request_;
  int count_ = 0;
};

// Chat reads the next request once the reply to the last is written, so that a client
// that reads slowly does not fill this process's memory.
class Chat final : public grpc::ServerBidiReactor<v1::GreetChatRequest, v1::GreetChatResponse> {
 public:
  Chat() { StartRead(&request_); }

  void OnReadDone(bool ok) override {
    if (!ok) {
      Finish(grpc::Status::OK);
      return;
    }
    response_.set_greeting("Hi, " + request_.name() + "!");
    StartWrite(&response_);
  }
  void OnWriteDone(bool ok) override { ok ? StartRead(&request_) : Finish(kCut); }
  void OnDone() override { delete this; }

 private:
  v1::GreetChatRequest request_;
  v1::GreetChatResponse response_;
};

}  // namespace

grpc::ServerUnaryReactor* Greeter::Greet(grpc::CallbackServerContext* context, const v1::GreetRequest* request,
                                         v1::GreetResponse* response) {
  response->set_greeting("Hello, " + request->name() + "!");
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  reactor->Finish(grpc::Status::OK);
  return reactor;
}

grpc::ServerWriteReactor<v1::GreetStreamResponse>* Greeter::GreetStream(grpc::CallbackServerContext*,
                                                                        const v1::GreetStreamRequest* request) {
  return new Stream(*request);
}

grpc::ServerReadReactor<v1::GreetCountRequest>* Greeter::GreetCount(grpc::CallbackServerContext*,
                                                                    v1::GreetCountResponse* response) {
  return new Count(*response);
}

grpc::ServerBidiReactor<v1::GreetChatRequest, v1::GreetChatResponse>* Greeter::GreetChat(
    grpc::CallbackServerContext*) {
  return new Chat;
}

}  // namespace greet
