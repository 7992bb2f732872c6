#include "stop.h"

#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

namespace greet {
namespace {

bool InputEnded() {
  std::array<char, 512> ignored;
  return read(STDIN_FILENO, ignored.data(), ignored.size()) <= 0;
}

}  // namespace

StopSignal::StopSignal() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  signals_ = signalfd(-1, &set, SFD_CLOEXEC);
  if (signals_ < 0) {
    throw std::system_error(errno, std::generic_category(), "signalfd");
  }
}

StopSignal::~StopSignal() { close(signals_); }

void StopSignal::Wait() const {
  std::array<pollfd, 2> sources{{{signals_, POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}}};
  while (true) {
    if (poll(sources.data(), sources.size(), -1) < 0) {
      continue;  // EINTR
    }
    if (sources[0].revents != 0 || (sources[1].revents != 0 && InputEnded())) {
      return;
    }
  }
}

}  // namespace greet
