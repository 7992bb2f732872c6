package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"example.com/greet/internal/peer"
	"example.com/greet/internal/run"
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

func named(n stack.Name, stacks []stack.Stack) bool {
	return slices.ContainsFunc(stacks, func(s stack.Stack) bool { return s.Name.String() == n.String() })
}

// targets says how to start those servers of peers that are among the chosen
// stacks, and which peers of theirs cannot be started and why.
func (p peers) targets(ctx context.Context, chosen []stack.Stack) (targets []run.Target, skipped []string, err error) {
	libraries := make(map[string][]string) // by peer; of one that is skipped there are none
	for _, one := range p {
		if !named(one.Name, chosen) {
			continue
		}
		versions, asked := libraries[one.peer.Name]
		if !asked {
			if why := one.peer.Ready(); why != nil {
				skipped = append(skipped, fmt.Sprintf("peer %s: %v", one.peer.Name, why))
			} else if versions, err = one.peer.Versions(ctx); err != nil {
				return nil, nil, err
			}
			libraries[one.peer.Name] = versions
		}
		if len(versions) > 0 {
			one.Libraries = versions
			targets = append(targets, run.Target{Stack: one.Stack, Argv: one.peer.Argv(one.offer), Dir: one.peer.Dir})
		}
	}
	return targets, skipped, nil
}

func sayWhatIsSkipped(w io.Writer, r run.Run) {
	for _, text := range r.Skipped {
		fmt.Fprintln(w, "skipped:", text)
	}
}
