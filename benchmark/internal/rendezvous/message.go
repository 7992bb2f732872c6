package rendezvous

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"slices"
	"sync"
	"time"
)

// Hello is what a worker says of itself when it joins.
type Hello struct {
	Run   string `json:"run"`
	Index int    `json:"index"` // from 0
	Host  string `json:"host"`  // for messages
	// Facts must be the same on every worker, such as the plan and the build.
	Facts []Fact `json:"facts"`
	// Trouble says why the worker cannot take part. It is empty if nothing is wrong.
	Trouble string `json:"trouble,omitempty"`
}

// Fact is one thing in which all workers of a run must agree.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// name is what a worker is called in messages.
func (h Hello) name() string { return fmt.Sprintf("worker %d on %s", h.Index, h.Host) }

// differs names the fact in which the worker differs from worker 0. It is empty if there is none.
func (h Hello) differs(first Hello) string {
	for _, want := range first.Facts {
		i := slices.IndexFunc(h.Facts, func(f Fact) bool { return f.Name == want.Name })
		if i < 0 {
			return fmt.Sprintf("%s does not say its %s", h.name(), want.Name)
		}
		if got := h.Facts[i].Value; got != want.Value {
			return fmt.Sprintf("%s has another %s: %s, and worker 0 has %s", h.name(), want.Name, got, want.Value)
		}
	}
	return ""
}

// request is a message from a member: one of its fields is set.
type request struct {
	Hello *Hello `json:"hello,omitempty"`
	Clock bool   `json:"clock,omitempty"` // asks for the time
	Pass  *pass  `json:"pass,omitempty"`
	Leave *leave `json:"leave,omitempty"`
}

// pass asks for leave to pass a point.
type pass struct {
	Point       Point         `json:"point"`
	RoundTripNS time.Duration `json:"round_trip_ns"` // of the member's messages
}

// leave says that the member leaves. The reason is empty if it is done.
type leave struct {
	Reason string `json:"reason,omitempty"`
}

// reply is a message from the host.
type reply struct {
	// Refused says why a worker may not join, Failed why the run has ended for all.
	Refused string `json:"refused,omitempty"`
	Failed  string `json:"failed,omitempty"`
	Joined  bool   `json:"joined,omitempty"`
	// PatienceNS is the longest time that a member waits for the others after all have joined.
	PatienceNS time.Duration `json:"patience_ns,omitempty"`
	ClockNS    int64         `json:"clock_ns,omitempty"`
	Seed       uint64        `json:"seed,omitempty"`
	// Passed is the point to which all have come. StartNS is the time that the host sets for the
	// next step, by its own clock.
	Passed  *Point `json:"passed,omitempty"`
	StartNS int64  `json:"start_ns,omitempty"`
	Lost    []int  `json:"lost,omitempty"` // workers without which the run continues
}

// maxMessage bounds a line: a reply may list a thousand workers.
const maxMessage = 1 << 18

// sendPatience is how long a line may stay in the kernel's buffers before its peer counts as gone.
const sendPatience = 5 * time.Second

// wire sends and receives lines of JSON. One goroutine may receive while others send.
type wire struct {
	conn  net.Conn
	lines *bufio.Scanner
	mu    sync.Mutex // held while a line is sent
}

func newWire(conn net.Conn) *wire {
	w := &wire{conn: conn, lines: bufio.NewScanner(conn)}
	w.lines.Buffer(nil, maxMessage)
	return w
}

func (w *wire) send(message any) error {
	line, err := json.Marshal(message)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.conn.SetWriteDeadline(time.Now().Add(sendPatience)); err != nil {
		return err
	}
	_, err = w.conn.Write(append(line, '\n'))
	return err
}

// receive reads the next line into the message.
func (w *wire) receive(message any) error {
	if !w.lines.Scan() {
		if err := w.lines.Err(); err != nil {
			return err
		}
		return errClosed
	}
	return json.Unmarshal(w.lines.Bytes(), message)
}

// silence is how long the other machine may acknowledge neither data nor probes before the
// connection counts as lost.
const silence = 11 * time.Second

// keepAlive lets the kernel probe idle connections.
func keepAlive() net.KeepAliveConfig {
	return net.KeepAliveConfig{Enable: true, Idle: 5 * time.Second, Interval: 2 * time.Second, Count: 3}
}
