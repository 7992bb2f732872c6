package h2http

import (
	"math"
	"time"

	"example.com/greet/internal/h2"
)

// defaultPingTimeout is net/http's.
const defaultPingTimeout = 15 * time.Second

// check looks after the connection until stop is called: it ends one that has been idle
// for too long, or whose peer is gone (h2.Patience). Each time it calls also, within the
// connection.
func check(c *h2.Conn, idle, silence, answer time.Duration, also func()) (stop func()) {
	p := h2.Patience{Idle: idle, Silence: silence, Answer: answer}
	if p.Answer == 0 {
		p.Answer = defaultPingTimeout
	}
	every := p.Answer
	for _, limit := range []time.Duration{p.Idle, p.Silence} {
		if limit > 0 {
			every = min(every, limit)
		}
	}
	every /= 4
	done := make(chan struct{})
	var timer *time.Timer // which is set before it can fire
	timer = time.AfterFunc(math.MaxInt64, func() {
		c.Do(func() {
			c.Check(p)
			also()
		})
		select {
		case <-done:
		default:
			timer.Reset(every)
		}
	})
	timer.Reset(every)
	return func() {
		close(done)
		timer.Stop()
	}
}
