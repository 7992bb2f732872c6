package connectgo

import (
	"net/http"

	"example.com/greet/internal/stack"
)

// tuning is a change of net/http's HTTP/2 settings by a variant. connect-go itself has no settings
// about speed. At the server most of them are limits that protect it, so a tuning also shows what
// those cost.
type tuning struct {
	variant        string
	server, client func(*http.HTTP2Config) // nil where there is nothing to change
}

var (
	// Above the 256 KiB per stream that a server here accepts; the client's own are
	// larger to begin with.
	windows = tuning{
		variant: "window=3m",
		server: func(c *http.HTTP2Config) {
			c.MaxReceiveBufferPerStream, c.MaxReceiveBufferPerConnection = 3<<20, 3<<20
		},
	}
	// The default is 16 KiB, and 64 KiB at a server here.
	readFrame = tuning{
		variant: "read-frame=1m",
		server:  func(c *http.HTTP2Config) { c.MaxReadFrameSize = 1 << 20 },
		client:  func(c *http.HTTP2Config) { c.MaxReadFrameSize = 1 << 20 },
	}
	// Without these two timers a connection never notices that its peer has vanished.
	noWriteTimeout = tuning{
		variant: "no-write-timeout",
		server:  func(c *http.HTTP2Config) { c.WriteByteTimeout = 0 },
	}
	noPing = tuning{
		variant: "no-ping",
		server:  func(c *http.HTTP2Config) { c.SendPingTimeout = 0 },
	}
)

// tunings lists what Experiments shows: all together, then one by one.
var tunings = []tuning{
	allOf("tuned", windows, readFrame, noWriteTimeout, noPing),
	windows, readFrame, noWriteTimeout, noPing,
}

func allOf(variant string, parts ...tuning) tuning {
	apply := func(end func(tuning) func(*http.HTTP2Config)) func(*http.HTTP2Config) {
		return func(c *http.HTTP2Config) {
			for _, p := range parts {
				if change := end(p); change != nil {
					change(c)
				}
			}
		}
	}
	return tuning{variant, apply(atServer), apply(atClient)}
}

func atServer(t tuning) func(*http.HTTP2Config) { return t.server }
func atClient(t tuning) func(*http.HTTP2Config) { return t.client }

// serverTuning is what the name changes at the server, or nil.
func serverTuning(n stack.Name) func(*http.HTTP2Config) { return tuningOf(n).server }

// clientTuning is what the name changes at the client, or nil.
func clientTuning(n stack.Name) func(*http.HTTP2Config) { return tuningOf(n).client }

func tuningOf(n stack.Name) tuning {
	for _, t := range tunings {
		if n.Has(t.variant) {
			return t
		}
	}
	return tuning{}
}
