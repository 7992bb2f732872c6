package plan

import (
	"crypto/tls"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"example.com/greet/benchmark/internal/peer"
	"example.com/greet/benchmark/internal/scenario"
	"example.com/greet/benchmark/internal/stack/catalog"
	"example.com/greet/internal/listen"
	"example.com/greet/internal/stack"
	"example.com/greet/internal/stack/connectgo"
	"example.com/greet/internal/stack/grpcgo"
)

// Target is a server to call. Either Argv starts it, or it listens at Addr already. A target with
// neither is called in this process.
type Target struct {
	Stack stack.Stack
	// Client calls the server where no other caller is asked for.
	Client scenario.Library
	// Bench is the benchmark client of the peer whose server this is; nil if it has none.
	Bench *peer.Client
	// Replica tells servers of the same stack apart, as in an A/A pair. It is empty for the first.
	Replica string
	Argv    []string
	Dir     string // where Argv is started; empty for this process's directory
	Addr    string
	Figures *Figures    // tells what a server at Addr uses; nil if nothing does
	TLS     *tls.Config // for calls to Addr; a run trusts the servers that it starts
}

// Figures is where a server tells what it uses, and the token to ask with.
type Figures struct{ Addr, Token string }

// Control is the replica that shows the noise: the same stack, measured as if it
// were another one.
const Control = "control"

// Ours returns targets for stacks whose servers are this program: started again, or without a
// transport this process itself.
func Ours(stacks []stack.Stack) ([]*Target, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program: %w", err)
	}
	var targets []*Target
	for _, s := range stacks {
		t := &Target{Stack: s, Client: scenario.Own(s)}
		if s.Serve != nil {
			t.Argv = []string{program, "serve", "--stack", s.Name.String(), "--until-stdin-ends", "--addr", "{addr}"}
			if s.Name.Secure() {
				t.Argv = append(t.Argv, "--cert", "{cert}", "--key", "{key}")
			}
		}
		if s.Serve != nil || !s.Name.Remote() {
			targets = append(targets, t)
		}
	}
	return targets, nil
}

// splitTarget splits NAME=HOST:PORT. A variant may hold an equals sign, an address never
// does.
func splitTarget(flag, spec string) (name, addr string, err error) {
	i := max(0, strings.LastIndex(spec, "="))
	addr = strings.TrimPrefix(spec[i:], "=")
	err = listen.CheckServer(addr)
	if i == 0 {
		err = errors.New("it names no stack")
	}
	if err != nil {
		return "", "", fmt.Errorf("%s %q: %w: want NAME=HOST:PORT, such as mine/grpc/h2c=127.0.0.1:9000", flag, spec, err)
	}
	return spec[:i], addr, nil
}

// addFigures sets where the targets tell what they use.
func (s Selection) addFigures(targets []*Target) error {
	const flag = "--target-figures"
	if len(s.Figures) > 0 && s.Token == "" {
		return fmt.Errorf("%s: a server answers only clients that know its token: it needs --token or GREET_TOKEN", flag)
	}
	for _, spec := range s.Figures {
		name, addr, err := splitTarget(flag, spec)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(targets, func(t *Target) bool { return t.Argv == nil && t.Stack.Name.String() == name })
		if i < 0 {
			return fmt.Errorf("%s %q: no --target is named %s", flag, spec, name)
		}
		targets[i].Figures = &Figures{addr, s.Token}
	}
	return nil
}

// parseTarget reads NAME=HOST:PORT, a server that runs already. A client of ours that speaks its
// protocol calls it.
func parseTarget(spec, ca string) (*Target, error) {
	text, addr, err := splitTarget("--target", spec)
	if err != nil {
		return nil, err
	}
	name, err := stack.ParseName(text)
	if err != nil {
		return nil, fmt.Errorf("--target: %w", err)
	}
	trust, err := listen.ClientTLS(ca, ca == "")
	if err != nil {
		return nil, fmt.Errorf("--target-ca: %w", err)
	}
	client, err := Speaking(name)
	if err != nil {
		return nil, fmt.Errorf("--target %q: %w", spec, err)
	}
	called := stack.Stack{Name: name, Language: "unknown", Libraries: []string{}, Refuses: client.Refuses}
	return &Target{Stack: called, Client: scenario.By(client.Name.Library, client), Addr: addr, TLS: trust}, nil
}

// Speaking returns a stack of ours whose client speaks the protocol over the
// transport. Over HTTP/2, gRPC is spoken by grpc-go.
func Speaking(n stack.Name) (stack.Stack, error) {
	if !n.RPC() {
		return stack.Stack{}, fmt.Errorf("%s over %s is no RPC: there is nothing to call", n.Protocol, n.Transport)
	}
	codec := "proto"
	if n.Has("json") {
		codec = "json"
	}
	switch n.Protocol {
	case stack.GRPC:
		if n.Transport == stack.H2C || n.Transport == stack.H2 {
			return grpcgo.New(n.Transport)
		}
		return connectgo.New(n.Protocol, n.Transport, codec), nil
	case stack.Connect, stack.GRPCWeb:
		return connectgo.New(n.Protocol, n.Transport, codec), nil
	}
	var spoken []string
	for _, s := range catalog.Known() {
		if s.Name.Protocol == n.Protocol && s.Name.Transport == n.Transport {
			return s, nil
		}
		if s.Name.RPC() {
			spoken = append(spoken, s.Name.Protocol+"/"+s.Name.Transport)
		}
	}
	slices.Sort(spoken)
	return stack.Stack{}, fmt.Errorf("no client here speaks %s over %s; spoken are %s",
		n.Protocol, n.Transport, strings.Join(slices.Compact(spoken), ", "))
}

// wire is the protocol and transport that two ends must share.
type wire struct{ protocol, transport string }

func wireOf(n stack.Name) wire { return wire{n.Protocol, n.Transport} }

// Reference returns the name of the Go server with which clients of the wire are compared. Its
// library is the one whose client compares servers. It is empty if there is none.
func Reference(n stack.Name) string {
	reference, err := Speaking(stack.Name{Protocol: n.Protocol, Transport: n.Transport})
	if err != nil {
		return ""
	}
	return stack.Name{Library: reference.Name.Library, Protocol: n.Protocol, Transport: n.Transport}.String()
}
