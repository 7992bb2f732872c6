#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace greet {

using Clock = std::chrono::steady_clock;

// Failure is how a call ended that did not end well.
struct Failure {
  std::string code;  // by the benchmark's name
  std::string text;
};

// Failures are those of one request. Any thread may add.
class Failures {
 public:
  void Add(const Failure& failure);

  // Patience reports whether it is worth going on: after so many, the rest would fail too.
  bool Patience() const { return count_ < 100; }

  // For when all calls have ended.
  const std::map<std::string, int64_t>& by_code() const { return by_code_; }
  const std::string& first() const { return first_; }

 private:
  std::mutex mutex_;
  std::atomic<int64_t> count_ = 0;
  std::map<std::string, int64_t> by_code_;
  std::string first_;
};

// Window says which calls may begin: a fixed number, or those of a time.
class Window {
 public:
  Window(int64_t calls, Failures& failures) : calls_(calls), failures_(failures) {}
  Window(std::chrono::nanoseconds length, Failures& failures) : end_(Clock::now() + length), failures_(failures) {}

  // Admits reports whether one more call may begin. If so, it must.
  bool Admits();

  bool Counts(Clock::time_point ended) const { return !end_ || ended <= *end_; }
  void Failed(const Failure& failure) { failures_.Add(failure); }

 private:
  int64_t calls_ = 0;
  std::optional<Clock::time_point> end_;
  std::atomic<int64_t> begun_ = 0;
  Failures& failures_;
};

}  // namespace greet
