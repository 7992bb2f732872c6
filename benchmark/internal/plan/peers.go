package plan

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"example.com/greet/benchmark/internal/peer"
	"example.com/greet/benchmark/internal/scenario"
	"example.com/greet/internal/stack"
)

// PeersDir is where peers are, from the root of the repository.
const PeersDir = "peers"

// PeerStack is one stack of a peer. Its libraries are known once the peer is built and was asked.
type PeerStack struct {
	stack.Stack
	Peer   peer.Peer
	Offer  peer.Stack
	client stack.Stack // our stack whose client calls it
}

// FindPeers lists the stacks of all peers, built or not, in the order of reports.
func FindPeers() ([]PeerStack, error) {
	found, err := peer.Find(PeersDir)
	if err != nil {
		return nil, err
	}
	var all []PeerStack
	for _, p := range found {
		for _, offer := range p.Stacks {
			client, err := Speaking(offer.Name)
			if err != nil {
				return nil, fmt.Errorf("find a client for %s of peer %s: %w", offer.Name, p.Name, err)
			}
			called := stack.Stack{Name: offer.Name, Language: p.Language, Refuses: offer.Refuses, Dial: client.Dial}
			all = append(all, PeerStack{called, p, offer, client})
		}
	}
	return all, nil
}

// Stacks returns the stacks that the peers serve.
func Stacks(peers []PeerStack) []stack.Stack {
	var stacks []stack.Stack
	for _, one := range peers {
		stacks = append(stacks, one.Stack)
	}
	return stacks
}

// plain leaves out variants.
func plain(stacks []stack.Stack) []stack.Stack {
	return slices.DeleteFunc(stacks, func(s stack.Stack) bool { return len(s.Name.Variants) > 0 })
}

// ready returns the chosen stacks that can be started, with their libraries, and says which of
// their peers cannot and why.
func ready(ctx context.Context, all []PeerStack, chosen []stack.Stack) (there []PeerStack, skipped []string, err error) {
	libraries := make(map[string][]string) // by peer; nil for one that is skipped
	for _, one := range all {
		if !slices.ContainsFunc(chosen, func(s stack.Stack) bool { return s.Name.String() == one.Name.String() }) {
			continue
		}
		name := one.Peer.Name
		if _, asked := libraries[name]; !asked {
			if why := one.Peer.Unready(); why != "" {
				skipped, libraries[name] = append(skipped, "peer "+name+": "+why), nil
			} else if libraries[name], err = one.Peer.Versions(ctx); err != nil {
				return nil, nil, err
			}
		}
		if one.Libraries = libraries[name]; one.Libraries != nil {
			there = append(there, one)
		}
	}
	return there, skipped, nil
}

// target returns a target that starts the server.
func (p PeerStack) target() *Target {
	return &Target{
		Stack: p.Stack, Bench: p.bench(), Client: scenario.By(p.client.Name.Library, p.client),
		Argv: p.Peer.Argv(p.Offer), Dir: p.Peer.Dir,
	}
}

// bench returns the peer's benchmark client for the stack, or nil if it has none.
func (p PeerStack) bench() *peer.Client {
	argv := p.Peer.BenchArgv(p.Offer)
	if argv == nil {
		return nil
	}
	return peer.NewClient(clientName(p.Name), p.Stack, argv, p.Peer.Dir)
}

// clientName tells the clients of a protocol and transport apart.
func clientName(n stack.Name) string {
	return strings.Join(append([]string{n.Library}, n.Variants...), "+")
}

// missingClients lists the peers without a client for a stack, and why as far as known.
func missingClients(peers []PeerStack) (skipped []string) {
	for _, one := range peers {
		text := fmt.Sprintf("client of peer %s: it has none", one.Peer.Name)
		if why := one.Offer.NoClient; why != "" {
			text = fmt.Sprintf("client of %s: %s", one.Name, why)
		}
		if one.Peer.BenchArgv(one.Offer) == nil && !slices.Contains(skipped, text) {
			skipped = append(skipped, text)
		}
	}
	return skipped
}
