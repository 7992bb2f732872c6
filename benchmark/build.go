package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"example.com/greet/internal/peer"
)

// peersCommand lists the peers, and builds them if it is told to.
type peersCommand struct {
	Build bool `help:"Build those whose needs are there."`
}

// Run goes on with the next peer when one cannot be built. A peer that lacks what
// it needs is no failure.
func (c peersCommand) Run(ctx context.Context, out output) error {
	found, err := peer.Find(peersDir)
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
