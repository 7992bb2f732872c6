package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"example.com/greet/benchmark/internal/peer"
	"example.com/greet/benchmark/internal/plan"
	"example.com/greet/benchmark/internal/suggest"
)

// peersCommand lists the peers, builds them, or prints facts about them.
type peersCommand struct {
	Names  []string `arg:"" optional:"" name:"name" help:"Folders below peers/. All of them, unless given."`
	Build  bool     `xor:"what" help:"Build those whose needs are met."`
	Facts  bool     `xor:"what" help:"Start those that are built, and print tables of what has to be equal, or known, for a fair comparison with the Go stacks."`
	Stacks []string `placeholder:"GLOB" help:"With --facts: of which stacks, in the patterns of benchmark run. All of the peers that are built, and the Go stacks that they are compared with, unless given."`
}

// Run continues with the next peer if one cannot be built. A peer that lacks what it needs is no
// failure.
func (c peersCommand) Run(ctx context.Context, out output) error {
	switch {
	case c.Facts && len(c.Names) > 0:
		return usageError{errors.New("--facts takes no names: --stacks chooses")}
	case c.Facts:
		return printFacts(ctx, out, c.Stacks)
	case len(c.Stacks) > 0:
		return usageError{errors.New("--stacks is for --facts")}
	}
	found, err := peer.Find(plan.PeersDir)
	if err == nil {
		found, err = c.named(found)
	}
	if err != nil {
		return err
	}
	var errs []error
	for _, p := range found {
		if c.Build && p.Unable() == "" {
			fmt.Fprintf(out.log, "peer %s: %s\n", p.Name, strings.Join(p.Build, " "))
			if err := p.Make(ctx, out.log); err != nil {
				errs = append(errs, err)
				continue
			}
		}
		line, err := describePeer(ctx, p)
		fmt.Fprintln(out.data, line)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// named returns the peers with the given names.
func (c peersCommand) named(found []peer.Peer) ([]peer.Peer, error) {
	if len(c.Names) == 0 {
		return found, nil
	}
	var names []string
	for _, p := range found {
		names = append(names, p.Name)
	}
	var named []peer.Peer
	for _, name := range c.Names {
		i := slices.IndexFunc(found, func(p peer.Peer) bool { return p.Name == name })
		if i < 0 {
			return nil, usageError{suggest.NotFound("no peer is named", name, names, "benchmark peers")}
		}
		named = append(named, found[i])
	}
	return named, nil
}

// describePeer is a peer on one line.
func describePeer(ctx context.Context, p peer.Peer) (string, error) {
	line := fmt.Sprintf("%-18s %-8s ", p.Name, p.Language)
	if why := p.Unready(); why != "" {
		return line + why, nil
	}
	versions, err := p.Versions(ctx)
	if err != nil {
		return line + "it does not list its libraries", err
	}
	return line + strings.Join(versions, ", "), nil
}
