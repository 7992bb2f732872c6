package run

import (
	"context"
	"errors"
	"io"
	"time"

	"example.com/greet/benchmark/internal/process"
	"example.com/greet/benchmark/internal/scenario"
)

// PeerClient is how a peer's benchmark client is started.
type PeerClient struct {
	Name string // as a case's Client has it
	// Codec says that the client is asked about its codec as well; see
	// scenario.PeerCodec.
	Codec bool
	Argv  []string
	Dir   string // where Argv is started
}

// clients are those of peers that call one server, by name.
type clients map[string]*client

// client is a peer's client, which is started when it is first needed: a run may
// have many that no case wants.
type client struct {
	command process.Command
	process *process.Client // nil before it was needed
}

// addClients lets the clients call the server. They run on the CPUs of this
// process, which is the client otherwise.
func (s *servers) addClients(one *server, t Target, log io.Writer) {
	one.clients, one.Peers = make(clients), make(map[string]scenario.PeerClient)
	for _, c := range t.Clients {
		added := &client{command: process.Command{
			Name: c.Name + " of " + t.Stack.Name.String(), Argv: c.Argv, Dir: c.Dir, Log: log,
			Fill: process.Fill{Addr: one.Addr, Protocol: t.Stack.Name.Protocol, Transport: t.Stack.Name.Transport, Cert: s.certFile()},
		}}
		one.clients[c.Name], one.Peers[c.Name] = added, added
		if c.Codec && t.Replica == "" {
			// Its slices call nobody, and are named after the client.
			s.byName[[2]string{c.Name, ""}] = &server{Target: scenario.Target{Peers: one.Peers}}
		}
	}
}

// start starts the client if it does not run yet.
func (c *client) start() (err error) {
	if c.process == nil {
		c.process, err = process.StartClient(c.command)
	}
	return err
}

// Ask implements scenario.PeerClient.
func (c *client) Ask(ctx context.Context, request, reply any, patience time.Duration) error {
	if err := c.start(); err != nil {
		return err
	}
	return c.process.Ask(ctx, request, reply, patience)
}

func (c clients) stop() error {
	var errs []error
	for _, one := range c {
		if one.process != nil {
			errs = append(errs, one.process.Stop(stopPatience))
		}
	}
	return errors.Join(errs...)
}
