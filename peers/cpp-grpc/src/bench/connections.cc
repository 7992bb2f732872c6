#include "connections.h"

#include <grpcpp/grpcpp.h>

#include <algorithm>

#include "sockets.h"

namespace greet {
namespace {

using Clock = std::chrono::system_clock;

constexpr int kMaxMessageBytes = 4 << 20;

std::shared_ptr<grpc::Channel> Open(const std::string& address) {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(kMaxMessageBytes);
  arguments.SetMaxSendMessageSize(kMaxMessageBytes);
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);  // or all channels would share one connection
  return grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments);
}

void WaitUntilDecided(grpc::Channel& channel, Clock::time_point deadline) {
  auto state = channel.GetState(true);
  while (state != GRPC_CHANNEL_READY && state != GRPC_CHANNEL_TRANSIENT_FAILURE &&
         channel.WaitForStateChange(state, deadline)) {
    state = channel.GetState(true);
  }
}

}  // namespace

Connections::Connections(const std::string& address, int64_t count, std::chrono::nanoseconds deadline)
    : address_(address), before_(SocketsTo(address)) {
  std::vector<std::shared_ptr<grpc::Channel>> channels(std::max<int64_t>(count, 1));
  for (auto& channel : channels) {
    channel = Open(address);
    channel->GetState(true);
    stubs_.push_back(v1::GreetService::NewStub(channel));
  }
  for (const auto& channel : channels) {
    WaitUntilDecided(*channel, Clock::now() + deadline);
  }
  first_ = SocketsTo(address);
}

int64_t Connections::Opened() const {
  std::set<std::string> all = SocketsTo(address_);
  all.insert(first_.begin(), first_.end());
  return std::count_if(all.begin(), all.end(), [&](const auto& socket) { return !before_.contains(socket); });
}

}  // namespace greet
