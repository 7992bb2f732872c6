package h2

import "time"

// What a peer sends that costs us work and does not serve a call is counted, and
// each frame of data, either way, makes up for one: grpc-go measures the path with
// a PING for every round trip that brings data, which may be thousands in a second.
// A well-behaved peer stays far below the limit; one above it is told to calm down
// and is cut off.
const (
	maxOffences    = 10_000
	offencesPeriod = 10 * time.Second
	// rapidReset is how many offences it is to reset a stream in the very batch
	// that opened it, or to have one refused. A thousand of them, which is what the
	// period allows, are nothing; the attack of CVE-2023-44487 makes that many in a
	// few milliseconds. A stream that is reset later costs no more than one that
	// ends in order: no goroutine serves it, and its place is free at once.
	rapidReset = 10
)

// Calm ends the connection of a peer that asks too much of the handler.
func (c *Conn) Calm(reason string) { c.fail(connError(EnhanceYourCalm, reason)) }

// nuisance counts offences. An error means that it was too much.
func (c *Conn) nuisance(n int) error {
	c.offences += n
	if c.offences < maxOffences {
		return nil
	}
	if now := c.Now(); now-c.offending > offencesPeriod {
		c.offences, c.offending = n, now
		return nil
	}
	return connError(EnhanceYourCalm, "too many frames that serve no call")
}

// served makes up for an offence.
func (c *Conn) served() {
	if c.offences > 0 {
		c.offences--
	}
}

// streamError resets a stream because of a fault of the peer's, which counts as
// an offence: a peer can have streams reset as it can reset them (CVE-2025-8671).
func (c *Conn) streamError(s *Stream, code ErrCode) error {
	s.Reset(code)
	return c.nuisance(rapidReset)
}
