package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"example.com/greet/benchmark/internal/peer"
	"example.com/greet/benchmark/internal/run"
	"example.com/greet/internal/stack"
)

// peersDir is where peers are, from the root of the repository.
const peersDir = "peers"

// peers are the stacks of peers that a run may choose from, in the order of reports.
type peers []peerStack

// peerStack is one stack of a peer, with the client of ours that calls it. It says
// nothing of its libraries, which only a peer that is built can list.
type peerStack struct {
	stack.Stack
	peer  peer.Peer
	offer peer.Stack
}

// peers lists the stacks of all peers, built or not: none without --peers.
func (s selection) peers() (peers, error) {
	if !s.Peers {
		return nil, nil
	}
	found, err := peer.Find(peersDir)
	if err != nil {
		return nil, err
	}
	var all peers
	for _, p := range found {
		for _, offer := range p.Stacks {
			called, err := callPeer(p, offer)
			if err != nil {
				return nil, err
			}
			all = append(all, called)
		}
	}
	return all, nil
}

func callPeer(p peer.Peer, offer peer.Stack) (peerStack, error) {
	s, err := clientFor(offer.Name)
	if err != nil {
		return peerStack{}, fmt.Errorf("find a client for %s of peer %s: %w", offer.Name, p.Name, err)
	}
	s.Name, s.Language, s.Libraries, s.Refuses, s.Serve = offer.Name, p.Language, nil, offer.Refuses, nil
	return peerStack{s, p, offer}, nil
}

func (p peers) stacks() []stack.Stack {
	var stacks []stack.Stack
	for _, one := range p {
		stacks = append(stacks, one.Stack)
	}
	return stacks
}

// plain are the stacks that are measured unless others are asked for.
func (p peers) plain() []stack.Stack {
	return slices.DeleteFunc(p.stacks(), func(s stack.Stack) bool { return len(s.Name.Variants) > 0 })
}

// among are those that are chosen.
func (p peers) among(chosen []stack.Stack) peers {
	return slices.DeleteFunc(slices.Clone(p), func(one peerStack) bool {
		return !slices.ContainsFunc(chosen, func(s stack.Stack) bool { return s.Name.String() == one.Name.String() })
	})
}

// ready are those among the chosen stacks that can be started, with their libraries,
// and says which peers of theirs cannot and why.
func (p peers) ready(ctx context.Context, chosen []stack.Stack) (there peers, skipped []string, err error) {
	libraries := make(map[string][]string) // by peer; nil for one that is skipped
	for _, one := range p.among(chosen) {
		name := one.peer.Name
		if _, asked := libraries[name]; !asked {
			if why := one.peer.Unready(); why != "" {
				skipped, libraries[name] = append(skipped, "peer "+name+": "+why), nil
			} else if libraries[name], err = one.peer.Versions(ctx); err != nil {
				return nil, nil, err
			}
		}
		if one.Libraries = libraries[name]; one.Libraries != nil {
			there = append(there, one)
		}
	}
	return there, skipped, nil
}

// targets says how to start the servers.
func (p peers) targets() []run.Target {
	var targets []run.Target
	for _, one := range p {
		targets = append(targets, run.Target{Stack: one.Stack, Argv: one.peer.Argv(one.offer), Dir: one.peer.Dir})
	}
	return targets
}

func sayWhatIsSkipped(w io.Writer, r run.Run) {
	for _, text := range r.Skipped {
		fmt.Fprintln(w, "skipped:", text)
	}
}
