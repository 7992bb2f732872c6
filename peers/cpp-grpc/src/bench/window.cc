#include "window.h"

namespace greet {

void Failures::Add(const Failure& failure) {
  const std::lock_guard lock(mutex_);
  if (count_++ == 0) {
    first_ = failure.code + ": " + failure.text;
  }
  by_code_[failure.code]++;
}

bool Window::Admits() {
  if (end_) {
    return Clock::now() < *end_;
  }
  return failures_.Patience() && begun_++ < calls_;
}

}  // namespace greet
