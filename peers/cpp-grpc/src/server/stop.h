#pragma once

namespace greet {

// StopSignal is what ends this process: SIGTERM, SIGINT, or the end of standard input,
// since whoever started it is gone then. Make it before any other thread.
class StopSignal {
 public:
  StopSignal();
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  void Wait() const;

 private:
  int signals_;
};

}  // namespace greet
