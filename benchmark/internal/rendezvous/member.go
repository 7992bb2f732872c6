package rendezvous

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"time"
)

// FailedError says why a run has ended for all its workers.
type FailedError struct{ Reason string }

// Error is the reason.
func (e *FailedError) Error() string { return e.Reason }

// RefusedError says why a worker may not take part.
type RefusedError struct{ Reason string }

// Error is the reason.
func (e *RefusedError) Error() string { return e.Reason }

// Offset is the difference between a clock and the host's.
type Offset struct {
	By        time.Duration // add it to the worker's clock to get the host's
	RoundTrip time.Duration // of the exchange that measured it; the error is at most half of it
}

// Member is a worker's connection to the meeting point. One goroutine may use it.
type Member struct {
	Seed   uint64 // which worker 0 has chosen
	Offset Offset // as last measured
	Lost   []int  // workers that the run has lost so far
	// Waited is how long the member has waited for others, all together.
	Waited time.Duration

	patience time.Duration
	wire     *wire
	clock    clock
	compared time.Time // when Offset was measured or its error last increased
}

// Join connects to the meeting point, trying again until it is there, and waits for all others. It
// gives up with ctx or after wait.
func Join(ctx context.Context, addr string, hello Hello, wait time.Duration) (*Member, error) {
	trying, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	conn, err := dial(trying, addr)
	if err != nil {
		return nil, fmt.Errorf("reach the meeting point %s within %v: %w", addr, wait, err)
	}
	m := &Member{wire: newWire(conn), clock: newClock()}
	if err := m.join(ctx, hello, wait); err != nil {
		_ = conn.Close()
		return nil, err
	}
	return m, nil
}

// dial tries again while ctx lasts.
func dial(ctx context.Context, addr string) (net.Conn, error) {
	dialer := net.Dialer{KeepAliveConfig: keepAlive(), Control: boundSilence}
	var last error
	for pause := 20 * time.Millisecond; ; pause = min(2*pause, time.Second) {
		conn, err := dialer.DialContext(ctx, "tcp", addr)
		if err == nil {
			return conn, nil
		}
		if ctx.Err() == nil || last == nil {
			last = err
		}
		select {
		case <-ctx.Done():
			return nil, last
		case <-time.After(pause + rand.N(pause)):
		}
	}
}

// errSilent says that the host answered nothing within its own patience.
var errSilent = errors.New("it says nothing")

// joinGrace is how much longer than the host a member waits for the others, because the host says
// who did not come.
const joinGrace = 5 * time.Second

func (m *Member) join(ctx context.Context, hello Hello, wait time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, wait+joinGrace)
	defer cancel()
	if err := m.wire.send(request{Hello: &hello}); err != nil {
		return m.hostGone(err)
	}
	r, err := m.await(ctx, func(r reply) bool { return r.Joined })
	if err != nil {
		return err
	}
	m.Seed, m.patience = r.Seed, max(wait, r.PatienceNS)+joinGrace
	if err := m.compareClocks(ctx, 8); err != nil {
		return err
	}
	_, err = m.Pass(ctx, Joined)
	return err
}

// drift is how fast two clocks may drift apart: crystals are exact to 50 in a million each.
const drift = 100e-6

// compareClocks measures the offset anew. Of several exchanges, the one with the shortest round
// trip counts, because it has the least error. The previous measurement stays if it is still the
// best. Its round trip is first increased by twice the drift since then.
func (m *Member) compareClocks(ctx context.Context, exchanges int) error {
	best := Offset{RoundTrip: time.Hour}
	if now := time.Now(); !m.compared.IsZero() {
		best = m.Offset
		best.RoundTrip += time.Duration(2 * drift * float64(now.Sub(m.compared)))
		m.compared = now
	}
	for range exchanges {
		sent := m.clock.now()
		if err := m.wire.send(request{Clock: true}); err != nil {
			return m.hostGone(err)
		}
		r, err := m.await(ctx, func(r reply) bool { return r.ClockNS != 0 })
		if err != nil {
			return err
		}
		received := m.clock.now()
		if trip := time.Duration(received - sent); trip < best.RoundTrip {
			best, m.compared = Offset{By: time.Duration(r.ClockNS - (sent + (received-sent)/2)), RoundTrip: trip}, time.Now()
		}
	}
	m.Offset = best
	return nil
}

// Pass waits until all workers have come to the point. It returns the time that the host has set
// for the next step, which may have passed.
func (m *Member) Pass(ctx context.Context, p Point) (start time.Time, err error) {
	begun := time.Now()
	defer func() { m.Waited += time.Since(begun) }()
	ctx, cancel := context.WithTimeoutCause(ctx, m.patience, errSilent)
	defer cancel()
	if p > Joined && (p-1)%3 == 0 { // compare the clocks for each slice, since they drift
		if err := m.compareClocks(ctx, 3); err != nil {
			return time.Time{}, err
		}
	}
	if err := m.wire.send(request{Pass: &pass{Point: p, RoundTripNS: m.Offset.RoundTrip}}); err != nil {
		return time.Time{}, m.hostGone(err)
	}
	r, err := m.await(ctx, func(r reply) bool { return r.Passed != nil && *r.Passed == p })
	if err != nil {
		return time.Time{}, err
	}
	m.Lost = r.Lost
	return m.clock.at(r.StartNS - m.Offset.By.Nanoseconds()), nil
}

// await reads until the wanted reply comes, or one that ends the run.
func (m *Member) await(ctx context.Context, wanted func(reply) bool) (reply, error) {
	stop := context.AfterFunc(ctx, func() { _ = m.wire.conn.SetReadDeadline(time.Now()) })
	defer stop()
	for {
		var r reply
		err := m.wire.receive(&r)
		switch {
		case err != nil && errors.Is(context.Cause(ctx), errSilent):
			return r, m.hostGone(errSilent)
		case err != nil && ctx.Err() != nil:
			return r, fmt.Errorf("wait for the other workers: %w", ctx.Err())
		case err != nil:
			return r, m.hostGone(err)
		case r.Refused != "":
			return r, &RefusedError{r.Refused}
		case r.Failed != "":
			m.Lost = r.Lost
			return r, &FailedError{r.Failed}
		case wanted(r):
			return r, nil
		}
	}
}

// hostGone explains a lost connection. A host that ended the run may have said why just before.
func (m *Member) hostGone(err error) error {
	var r reply
	if !errors.Is(err, errClosed) && !errors.Is(err, errSilent) {
		_ = m.wire.conn.SetReadDeadline(time.Now().Add(time.Second))
		for m.wire.receive(&r) == nil {
			if r.Failed != "" {
				m.Lost = r.Lost
				return &FailedError{r.Failed}
			}
		}
	}
	m.Lost = []int{0}
	return &FailedError{fmt.Sprintf("the meeting point, worker 0 at %s, was lost: %v", m.wire.conn.RemoteAddr(), err)}
}

// HostNS converts a time of this worker to the host's clock, in nanoseconds since 1970.
func (m *Member) HostNS(t time.Time) int64 {
	return m.clock.read(t) + m.Offset.By.Nanoseconds()
}

// Close leaves the meeting. The reason says why the worker did not reach its end; it is empty if it
// did.
func (m *Member) Close(reason string) error {
	_ = m.wire.send(request{Leave: &leave{Reason: reason}}) // a host that has gone cannot be told
	return m.wire.conn.Close()
}
