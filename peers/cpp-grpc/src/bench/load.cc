#include "load.h"

#include <algorithm>
#include <future>
#include <memory>
#include <optional>
#include <utility>

#include "calls.h"
#include "window.h"

namespace greet {
namespace {

using std::chrono::nanoseconds;

// Worker keeps one call in flight: each call begins the next when it ends, so that no two
// of its methods run at a time.
class Worker {
 public:
  Worker(v1::GreetService::StubInterface& stub, const LoadRequest& request, const std::string& name, Window& window)
      : stub_(stub), request_(request), name_(name), window_(window) {}

  // The future is ready once the window admits no more calls.
  std::future<void> Start() {
    auto finished = finished_.get_future();
    Next();
    return finished;
  }

  const std::vector<int64_t>& latencies_ns() const { return latencies_ns_; }
  Clock::time_point ended() const { return ended_; }

 private:
  void Next() {
    if (!window_.Admits()) {
      std::promise<void>(std::move(finished_)).set_value();  // once it is set, this may be gone
      return;
    }
    begun_ = Clock::now();
    StartCall(stub_, request_, name_, [this](const std::optional<Failure>& failure) {
      ended_ = Clock::now();
      if (failure) {
        window_.Failed(*failure);
      } else if (window_.Counts(ended_)) {
        latencies_ns_.push_back(nanoseconds(ended_ - begun_).count());
      }
      Next();
    });
  }

  v1::GreetService::StubInterface& stub_;
  const LoadRequest& request_;
  const std::string& name_;
  Window& window_;
  std::promise<void> finished_;
  Clock::time_point begun_, ended_;
  std::vector<int64_t> latencies_ns_;
};

struct Ran {
  std::vector<int64_t> latencies_ns;
  Clock::time_point ended;  // the last call
};

// Run keeps calls in flight for as long as the window admits them.
Ran Run(const Connections& connections, const LoadRequest& request, const std::string& name, Window& window) {
  std::vector<std::unique_ptr<Worker>> workers;
  std::vector<std::future<void>> finished;
  for (int64_t i = 0; i < request.concurrency; i++) {
    workers.push_back(std::make_unique<Worker>(connections.Stub(i), request, name, window));
  }
  for (const auto& worker : workers) {
    finished.push_back(worker->Start());
  }
  for (const auto& one : finished) {
    one.wait();
  }
  Ran ran;
  for (const auto& worker : workers) {
    const auto& latencies = worker->latencies_ns();
    ran.latencies_ns.insert(ran.latencies_ns.end(), latencies.begin(), latencies.end());
    ran.ended = std::max(ran.ended, worker->ended());
  }
  return ran;
}

}  // namespace

LoadAnswer MeasureLoad(const Connections& connections, const LoadRequest& request) {
  const std::string name(request.payload_bytes, 'x');
  Failures failures;
  Window warmup(request.warmup_calls, failures);
  Run(connections, request, name, warmup);

  const bool fixed = request.calls > 0;
  const auto begun = Clock::now();
  Window window = fixed ? Window(request.calls, failures) : Window(nanoseconds(request.window_ns), failures);
  Ran ran = Run(connections, request, name, window);
  return LoadAnswer{
      .window_ns = fixed ? nanoseconds(ran.ended - begun).count() : request.window_ns,
      .connections_opened = connections.Opened(),
      .errors = failures.by_code(),
      .first_error = failures.first(),
      .latencies_ns = std::move(ran.latencies_ns),
  };
}

}  // namespace greet
