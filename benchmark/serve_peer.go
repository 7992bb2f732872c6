package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"example.com/greet/benchmark/internal/plan"
	"example.com/greet/benchmark/internal/process"
	"example.com/greet/internal/listen"
)

// servePeer starts the server of a peer and serves until ctx ends. A server that ends by
// itself is an error.
func (c serveCommand) servePeer(ctx context.Context, out output, p plan.PeerStack) error {
	if why := p.Peer.Unready(); why != "" {
		return fmt.Errorf("serve %s: peer %s: %s", p.Name, p.Peer.Name, why)
	}
	dir, err := os.MkdirTemp("", "greet-benchmark-")
	if err != nil {
		return fmt.Errorf("make directory for the certificate: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // the system removes what is left
	command := process.Command{
		Name: p.Name.String(), Argv: p.Peer.Argv(p.Offer), Dir: p.Peer.Dir, Log: out.log,
		Fill: process.Fill{
			Addr: c.Addr, Protocol: p.Name.Protocol, Transport: p.Name.Transport,
			Cert: filepath.Join(dir, "cert.pem"), Key: filepath.Join(dir, "key.pem"),
		},
	}
	if err := c.writeCertificate(command.Fill.Cert, command.Fill.Key); err != nil {
		return err
	}
	server, err := process.Start(ctx, command)
	if err != nil {
		return err
	}
	stopTelling, err := c.tell(ctx, server.StatsOrObserved)
	if err == nil {
		defer stopTelling()
		err = listen.Announce(out.data, "", server.Addr())
	}
	if err == nil {
		select {
		case <-ctx.Done():
		case <-server.Exited():
			err = fmt.Errorf("server %s has ended: %s", server.Name(), server.Ended())
		}
	}
	if stopErr := server.Stop(stopPatience); err == nil {
		err = stopErr
	}
	return err
}

// writeCertificate writes the files that a peer reads.
func (c serveCommand) writeCertificate(certFile, keyFile string) error {
	cert, err := c.certificate()
	if err != nil {
		return fmt.Errorf("make certificate: %w", err)
	}
	if err := listen.WritePEM(certFile, cert); err != nil {
		return err
	}
	return listen.WriteKeyPEM(keyFile, cert)
}
