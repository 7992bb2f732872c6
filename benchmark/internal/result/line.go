package result

import (
	"maps"
	"slices"
	"strings"
	"time"
)

// SchemaVersion is the version of the result line that this program writes and reads. It grows with
// every change that readers must know.
const SchemaVersion = 1

// MethodVersion is the version of the method of measuring. It grows when a figure changes its
// meaning; figures of two versions do not stand in one table. 2: latencies include the calls that
// ended after the window, and an open loop goes on until the server has caught up.
const MethodVersion = 2

// Line is the result of one slice of a case: one line of a result file. Units are in the key names.
type Line struct {
	Schema  int       `json:"schema"`
	Run     string    `json:"run"`            // the same for every line of a run
	Round   int       `json:"round"`          // from 1
	Order   int       `json:"order"`          // place in the round's shuffled order, from 1
	Seed    *uint64   `json:"seed,omitempty"` // of the order in each round; nil if the order is fixed
	Plan    *Plan     `json:"plan,omitempty"` // of the whole run; nil if there was none
	Started time.Time `json:"started"`
	Case    Case      `json:"case"`

	// Worker is set on the lines of a worker that measured with others, and Workers on the lines
	// that Unite made of theirs.
	Worker  *Worker  `json:"worker,omitempty"`
	Workers *Workers `json:"workers,omitempty"`

	Method      int `json:"method,omitempty"` // MethodVersion of the program that measured; 0 before there was one
	WarmupCalls int `json:"warmup_calls"`     // made before the window and not counted in it
	// WarmupErrors are failures among them, by normalised code.
	WarmupErrors map[string]int64 `json:"warmup_errors,omitempty"`
	// WindowNS is the time of Calls. In an open loop it includes the overrun.
	WindowNS int64 `json:"window_ns"`
	// UnseenNS is the time since the previous window on the same server, in which nobody would
	// have noticed a stall; 0 if unknown.
	UnseenNS int64 `json:"unseen_ns,omitempty"`
	// OverrunNS is how long after a timed slice its last call ended.
	OverrunNS int64 `json:"overrun_ns,omitempty"`
	Calls     int64 `json:"calls"` // successes within the window
	// AfterWindow are successes that began in the window of a timed closed loop and ended later:
	// their latencies count, their number does not enter the rate.
	AfterWindow int64            `json:"calls_after_window,omitempty"`
	Sent        int64            `json:"messages_sent"`
	Received    int64            `json:"messages_received"`
	Errors      map[string]int64 `json:"errors,omitempty"`       // by normalised code
	FirstError  string           `json:"first_error,omitempty"`  // a text to start looking from
	Metrics     []Metric         `json:"metrics"`                // empty when nothing succeeded
	Histograms  []Histogram      `json:"histograms,omitempty"`   // empty when nothing succeeded
	Opened      int64            `json:"connections_opened"`     // counted where the client dials
	Accepted    *int64           `json:"connections_accepted"`   // counted by the server; null if it cannot say
	Client      *Usage           `json:"client_usage,omitempty"` // what the slice cost the client process
	Server      *Usage           `json:"server_usage,omitempty"` // and the server process
	Verdicts    []Verdict        `json:"verdicts,omitempty"`     // what is wrong with this line
	Profiles    []string         `json:"profiles,omitempty"`     // pprof files, relative to the result file's directory
	Environment Environment      `json:"environment"`
}

// OrderSeed is Seed, and 0 for lines that leave it out.
func (l Line) OrderSeed() uint64 {
	if l.Seed == nil {
		return 0
	}
	return *l.Seed
}

// maxText is the most bytes that are recorded of a text that others wrote.
const maxText = 1 << 10

// Clipped returns a copy of the line in which each text from others is cut to 1 KiB.
func (l Line) Clipped() Line {
	l.FirstError = clipped(l.FirstError)
	if l.Plan == nil {
		return l
	}
	plan := *l.Plan
	plan.Skipped = slices.Clone(plan.Skipped)
	for i, text := range plan.Skipped {
		plan.Skipped[i] = clipped(text)
	}
	l.Plan = &plan
	return l
}

// clipped shortens a text without breaking a character.
func clipped(text string) string {
	const more = "…"
	if text = strings.ToValidUTF8(text, "\uFFFD"); len(text) <= maxText {
		return text
	}
	return strings.ToValidUTF8(text[:maxText-len(more)], "") + more
}

// Assignments returns the variables as a shell takes them, without quotes, sorted by name.
func (e Environment) Assignments() []string {
	assignments := make([]string, 0, len(e.Variables))
	for _, name := range slices.Sorted(maps.Keys(e.Variables)) {
		assignments = append(assignments, name+"="+e.Variables[name])
	}
	return assignments
}

// Version names the version of the program that measured: its commit, and its build.
func (e Environment) Version() string {
	return strings.TrimSuffix(e.Commit+" "+e.Program, " ")
}

// Plan is what a run sets out to measure, fixed before its first line. It tells a whole run from a
// part of one, and lets a run be resumed.
type Plan struct {
	Rounds     int    `json:"rounds"`
	Lines      int    `json:"lines"`                 // that the whole run yields
	SliceNS    int64  `json:"slice_ns"`              // how long a timed slice lasts
	DeadlineNS int64  `json:"deadline_ns,omitempty"` // of each call; 0 if each scenario has its own
	Cases      string `json:"cases"`                 // a hash: equal for equal cases in all rounds
	// Against is the Version of the program that took turns with the line's; empty in other runs.
	Against string `json:"against,omitempty"`
	// Skipped says what was asked for and could not be measured, and why.
	Skipped []string `json:"skipped,omitempty"`
}

// Better says in which direction a metric improves.
type Better string

// The two directions.
const (
	Higher Better = "higher"
	Lower  Better = "lower"
)

// Metric is one figure with all that a report needs to show it.
type Metric struct {
	Name   string  `json:"name"`
	Unit   string  `json:"unit"`
	Better Better  `json:"better"`
	Value  float64 `json:"value"`
}

// Usage is what a slice cost one process.
type Usage struct {
	UserNS     int64 `json:"cpu_user_ns"`
	SystemNS   int64 `json:"cpu_system_ns"`
	Allocs     int64 `json:"allocations,omitempty"`
	AllocBytes int64 `json:"allocated_bytes,omitempty"`
	GCPauseNS  int64 `json:"gc_pause_ns,omitempty"`
	PeakBytes  int64 `json:"peak_rss_bytes,omitempty"` // of the process so far
	WallNS     int64 `json:"wall_ns,omitempty"`        // what all this was used within: warm-up, window and what lies around them
}

// Environment is where and with what a line was measured. Lines whose environments differ in more
// than LoadAverage and Command are not comparable.
type Environment struct {
	Host       string `json:"host"` // a hash: equal for equal machines, says nothing else
	CPU        string `json:"cpu"`
	CPUs       int    `json:"cpus"`
	Memory     int64  `json:"memory_bytes"`
	GoMaxProcs int    `json:"gomaxprocs"`
	Kernel     string `json:"kernel"`
	OS         string `json:"os"`
	Arch       string `json:"arch"`
	Go         string `json:"go"`
	Build      string `json:"build"`  // build flags that change speed
	Commit     string `json:"commit"` // "unknown" outside a checkout, "-dirty" with local changes
	// Program is a hash of the program that measured: it tells builds of one commit with local
	// changes apart. It is empty in old results.
	Program  string `json:"program,omitempty"`
	Pinned   bool   `json:"pinned"`   // client and server on cores of their own
	Governor string `json:"governor"` // "unknown" where the kernel does not say
	Virtual  bool   `json:"virtual"`
	Profile  string `json:"profile,omitempty"`      // "cpu" or "heap" if both processes were profiled, which costs speed
	Clock    string `json:"clock_source,omitempty"` // of the kernel, such as "tsc"
	// Variables are the environment variables that change the speed of programs, such as GOGC;
	// servers and peers inherit them.
	Variables map[string]string `json:"variables,omitempty"`
	// LoadAverage is what ran or wanted to run in the minute before the run began.
	LoadAverage float64 `json:"load_average,omitempty"`
	Command     string  `json:"command"` // what to type to measure this again
}
