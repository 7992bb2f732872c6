package result

import "fmt"

// Case is one thing that is measured: a stack, the client that calls it, the scenario, and its
// parameters. Two results may be compared only if their cases differ in nothing but what the
// comparison is about.
type Case struct {
	Stack     string   `json:"stack"`             // library/protocol/transport[+variant]
	Replica   string   `json:"replica,omitempty"` // tells an A/A pair apart
	Language  string   `json:"language"`          // of the stack, such as "go"
	Libraries []string `json:"libraries"`         // modules under test, each "path version"
	Client    string   `json:"client"`            // "own", "floor", or a peer's name
	// ClientLanguage is set where clients of several languages are compared.
	ClientLanguage string  `json:"client_language,omitempty"`
	Scenario       string  `json:"scenario"`             // such as "family"
	Mode           string  `json:"mode,omitempty"`       // unary, server_stream, client_stream, bidi
	Direction      string  `json:"direction,omitempty"`  // codec: "marshal" or "unmarshal"
	Kind           string  `json:"kind,omitempty"`       // tells apart what a scenario measures in several ways, such as "refused"
	Concurrency    int     `json:"concurrency"`          // calls kept in flight
	Connections    int     `json:"connections"`          // connections that the client is asked to use
	Payload        int     `json:"payload_bytes"`        // of the name in each request
	Calls          int     `json:"calls_asked"`          // fixed number of calls; 0 if the window is timed
	Messages       int     `json:"messages_per_call"`    // in each direction that streams; 1 for unary
	Load           float64 `json:"load,omitempty"`       // open loop: fraction of the closed-loop capacity that Rate is
	Rate           float64 `json:"rate_per_s,omitempty"` // arrivals asked for; 0 for a closed loop
}

// Timed reports whether a time ends the case's window, rather than a number of calls.
func (c Case) Timed() bool { return c.Mode != "" && c.Calls == 0 }

// Key identifies the case within a run: equal keys, equal cases.
func (c Case) Key() string {
	key := fmt.Sprintf("%s|%s|%s|%s|%s|%s|c%d|n%d|p%d|k%d|m%d|r%g", c.Stack, c.Replica, c.Client,
		c.Scenario, c.Mode, c.Direction, c.Concurrency, c.Connections, c.Payload, c.Calls, c.Messages, c.Rate)
	if c.Kind != "" {
		key += "|" + c.Kind
	}
	return key
}
