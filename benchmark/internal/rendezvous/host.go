package rendezvous

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"
)

// Config describes a meeting.
type Config struct {
	First Hello         // of worker 0, with which all others must agree
	Count int           // of workers
	Seed  uint64        // sent to all workers
	Wait  time.Duration // how long workers may take to join
	// Patience is how much later than the first the last worker may come to any later point.
	Patience time.Duration
	// GoOn says that the run continues without workers that do not come, are lost, or differ.
	// Otherwise it ends for all.
	GoOn bool
}

// Host is the meeting point of a run's workers. It is safe for concurrent use.
type Host struct {
	Config
	listener net.Listener
	clock    clock
	serving  sync.WaitGroup
	left     chan struct{} // closed when no guest is left

	mu      sync.Mutex
	guests  map[int]*guest
	lost    map[int]string // why, by index
	refused []string       // workers of this run, to explain why one is missing
	told    map[int]bool   // workers that have come, accepted or not
	joinBy  time.Time      // deadline for workers to come
	there   int            // how many guests are neither lost nor done
	waiting int            // how many of them wait
	passed  Point          // the last point that all have passed; -1 before there is one
	failed  string         // why the run has ended for all
	timer   *time.Timer
	due     time.Time // when the timer ends the waiting; zero if nobody waits
	closed  bool
}

// guest is a worker as the host sees it.
type guest struct {
	Hello
	wire      *wire
	at        Point // the point at which it waits or that it has passed; -1 until it asks
	answered  Point
	roundTrip time.Duration
	done      bool
}

// Listen opens the meeting point at the address and serves it until Close.
func Listen(ctx context.Context, addr string, c Config) (*Host, error) {
	config := net.ListenConfig{KeepAliveConfig: keepAlive(), Control: boundSilence}
	listener, err := config.Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("open meeting point: %w", err)
	}
	h := &Host{
		Config: c, listener: listener, clock: newClock(), left: make(chan struct{}),
		guests: make(map[int]*guest), lost: make(map[int]string), told: make(map[int]bool), passed: -1, joinBy: time.Now().Add(c.Wait),
	}
	h.timer, h.due = time.AfterFunc(c.Wait, h.giveUp), h.joinBy
	h.serving.Go(h.accept)
	return h, nil
}

// Addr is where the host listens.
func (h *Host) Addr() string { return h.listener.Addr().String() }

// Close waits until every worker has left, which they do at once at their end, and closes the
// meeting point. If the run failed before it began, the meeting point stays open to tell workers
// that are still to come. Close does not wait longer than ctx, the wait or the patience.
func (h *Host) Close(ctx context.Context) error {
	h.mu.Lock()
	h.closed = true
	h.settle()
	patience := h.Patience
	if h.failed != "" && h.passed < Joined {
		patience = time.Until(h.joinBy)
	}
	h.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	select {
	case <-h.left:
	case <-ctx.Done():
	}
	h.timer.Stop()
	err := h.listener.Close()
	h.mu.Lock()
	for _, g := range h.guests {
		_ = g.wire.conn.Close()
	}
	h.mu.Unlock()
	h.serving.Wait()
	return err
}

func (h *Host) accept() {
	for {
		conn, err := h.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			time.Sleep(helloPatience / 100) // such as when file descriptors run out
			continue
		}
		h.serving.Go(func() { h.serve(newWire(conn)) })
	}
}

// helloPatience is how long a connection may take to say who it is.
const helloPatience = 5 * time.Second

// serve talks to one connection until it ends.
func (h *Host) serve(w *wire) {
	defer w.conn.Close()
	var first request
	if w.conn.SetReadDeadline(time.Now().Add(helloPatience)) != nil || w.receive(&first) != nil || first.Hello == nil {
		return // no worker
	}
	_ = w.conn.SetReadDeadline(time.Time{})
	g, refusal := h.admit(*first.Hello, w)
	if refusal != "" {
		_ = w.send(reply{Refused: refusal})
		return
	}
	if err := h.listenTo(g); err != nil {
		h.lose(g, err)
	}
}

// listenTo serves the requests of a guest until it leaves. The error says how it was lost.
func (h *Host) listenTo(g *guest) error {
	for {
		var r request
		if err := g.wire.receive(&r); err != nil {
			return err
		}
		switch {
		case r.Clock:
			if err := g.wire.send(reply{ClockNS: h.clock.now()}); err != nil {
				return err
			}
		case r.Pass != nil:
			h.arrive(g, *r.Pass)
		case r.Leave != nil && r.Leave.Reason != "":
			return errors.New(r.Leave.Reason)
		case r.Leave != nil:
			h.mu.Lock()
			g.done = true
			h.advance()
			h.mu.Unlock()
			return nil
		}
	}
}
