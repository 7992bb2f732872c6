#include "calls.h"

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <string>
#include <utility>

#include "check.h"

namespace greet {
namespace {

using Stub = v1::GreetService::StubInterface;

// Call is what calls in all modes have.
class Call {
 public:
  Call(const LoadRequest& request, const std::string& name, Done done) : name_(name), done_(std::move(done)) {
    context_.set_deadline(std::chrono::system_clock::now() + std::chrono::nanoseconds(request.deadline_ns));
  }
  virtual ~Call() = default;

 protected:
  // End deletes before it tells: the context holds the channel, and gRPC, when the last
  // channel goes, joins its threads, of which this is one.
  void End(const grpc::Status& status) {
    const auto outcome = check_.Outcome(status);
    const Done done = std::move(done_);
    delete this;
    done(outcome);
  }

  const std::string& name_;
  grpc::ClientContext context_;
  Check check_;

 private:
  Done done_;
};

class UnaryCall final : Call {
 public:
  UnaryCall(Stub& stub, const LoadRequest& request, const std::string& name, Done done)
      : Call(request, name, std::move(done)) {
    request_.set_name(name);
    stub.async()->Greet(&context_, &request_, &response_, [this](grpc::Status status) {
      if (status.ok()) {
        check_.Equal(response_.greeting(), "Hello, " + name_ + "!");
      }
      End(status);
    });
  }

 private:
  v1::GreetRequest request_;
  v1::GreetResponse response_;
};

class ServerStreamCall final : Call, grpc::ClientReadReactor<v1::GreetStreamResponse> {
 public:
  ServerStreamCall(Stub& stub, const LoadRequest& request, const std::string& name, Done done)
      : Call(request, name, std::move(done)), messages_(request.messages) {
    request_.set_name(name);
    request_.set_count(messages_);
    stub.async()->GreetStream(&context_, &request_, this);
    StartRead(&response_);
    grpc::ClientReadReactor<v1::GreetStreamResponse>::StartCall();
  }

 private:
  void OnReadDone(bool ok) override {
    if (!ok) {
      return;
    }
    received_++;
    check_.Equal(response_.greeting(), "Hello #" + std::to_string(received_) + ", " + name_ + "!");
    StartRead(&response_);
  }
  void OnDone(const grpc::Status& status) override {
    check_.Equal(received_, messages_);
    End(status);
  }

  const int64_t messages_;
  int64_t received_ = 0;
  v1::GreetStreamRequest request_;
  v1::GreetStreamResponse response_;
};

class ClientStreamCall final : Call, grpc::ClientWriteReactor<v1::GreetCountRequest> {
 public:
  ClientStreamCall(Stub& stub, const LoadRequest& request, const std::string& name, Done done)
      : Call(request, name, std::move(done)), messages_(request.messages) {
    request_.set_name(name);
    stub.async()->GreetCount(&context_, &response_, this);
    WriteNext();
    grpc::ClientWriteReactor<v1::GreetCountRequest>::StartCall();
  }

 private:
  void WriteNext() { sent_++ < messages_ ? StartWrite(&request_) : StartWritesDone(); }
  void OnWriteDone(bool ok) override {
    if (ok) {
      WriteNext();
    }
  }
  void OnDone(const grpc::Status& status) override {
    check_.Equal(response_.count(), messages_);
    End(status);
  }

  const int64_t messages_;
  int64_t sent_ = 0;
  v1::GreetCountRequest request_;
  v1::GreetCountResponse response_;
};

// BidiCall's reads and writes run free of each other, at times on two threads.
class BidiCall final : Call, grpc::ClientBidiReactor<v1::GreetChatRequest, v1::GreetChatResponse> {
 public:
  BidiCall(Stub& stub, const LoadRequest& request, const std::string& name, Done done)
      : Call(request, name, std::move(done)), messages_(request.messages), greeting_("Hi, " + name + "!") {
    request_.set_name(name);
    stub.async()->GreetChat(&context_, this);
    StartRead(&response_);
    WriteNext();
    grpc::ClientBidiReactor<v1::GreetChatRequest, v1::GreetChatResponse>::StartCall();
  }

 private:
  void WriteNext() { sent_++ < messages_ ? StartWrite(&request_) : StartWritesDone(); }
  void OnWriteDone(bool ok) override {
    if (ok) {
      WriteNext();
    }
  }
  void OnReadDone(bool ok) override {
    if (!ok) {
      return;
    }
    received_++;
    check_.Equal(response_.greeting(), greeting_);
    StartRead(&response_);
  }
  void OnDone(const grpc::Status& status) override {
    check_.Equal(received_, messages_);
    End(status);
  }

  const int64_t messages_;
  const std::string greeting_;
  int64_t sent_ = 0;
  int64_t received_ = 0;
  v1::GreetChatRequest request_;
  v1::GreetChatResponse response_;
};

}  // namespace

void StartCall(Stub& stub, const LoadRequest& request, const std::string& name, Done done) {
  switch (request.mode) {
    case Mode::kUnary:
      new UnaryCall(stub, request, name, std::move(done));
      break;
    case Mode::kServerStream:
      new ServerStreamCall(stub, request, name, std::move(done));
      break;
    case Mode::kClientStream:
      new ClientStreamCall(stub, request, name, std::move(done));
      break;
    case Mode::kBidi:
      new BidiCall(stub, request, name, std::move(done));
      break;
  }
}

}  // namespace greet
