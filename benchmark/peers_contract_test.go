package main

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/greet/benchmark/internal/plan"
	"example.com/greet/benchmark/internal/process"
	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/contract"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/listen"
	"example.com/greet/internal/stack"
)

// eachPeer runs the test for every stack of every peer in the repository. A peer that
// is not built, or that cannot run here, is skipped by name.
func eachPeer(t *testing.T, test func(*testing.T, plan.PeerStack)) {
	t.Chdir("..")
	all, err := plan.FindPeers()
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range all {
		t.Run(strings.ReplaceAll(one.Name.String(), "/", "-"), func(t *testing.T) {
			t.Parallel()
			switch why := one.Peer.Unready(); {
			case why != "" && os.Getenv("CI") != "":
				t.Fatalf("peer %s: %s", one.Peer.Name, why)
			case why != "":
				t.Skipf("peer %s: %s", one.Peer.Name, why)
			}
			test(t, one)
		})
	}
}

// startPeer starts the server as a run does. It ends with the test.
func startPeer(t *testing.T, one plan.PeerStack) (*process.Server, *tls.Config) {
	t.Helper()
	fill := process.Fill{
		Protocol: one.Name.Protocol, Transport: one.Name.Transport,
		Cert: filepath.Join(t.TempDir(), "cert.pem"), Key: filepath.Join(t.TempDir(), "key.pem"),
	}
	cert, err := listen.SelfSigned()
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(listen.WritePEM(fill.Cert, cert), listen.WriteKeyPEM(fill.Key, cert)); err != nil {
		t.Fatal(err)
	}
	trust, err := listen.ClientTLS(fill.Cert, false)
	if err != nil {
		t.Fatal(err)
	}
	server, err := process.Start(t.Context(), process.Command{
		Name: one.Name.String(), Argv: one.Peer.Argv(one.Offer), Dir: one.Peer.Dir, Fill: fill, Log: t.Output(),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Stop(0) })
	return server, trust
}

// chatWith opens a chat and has one exchange, so that the server is known to be in it.
func chatWith(t *testing.T, one plan.PeerStack, addr string, trust *tls.Config) (stack.Client, stack.GreetChat) {
	t.Helper()
	client, err := one.Dial(addr, stack.DialOptions{TLS: trust})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	chat, err := client.GreetChat(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := exchange(chat); err != nil {
		t.Fatal(err)
	}
	return client, chat
}

// callOnce makes a call, and returns how many connections that took. They stay open
// until the test ends.
func callOnce(t *testing.T, one plan.PeerStack, addr string, trust *tls.Config) int64 {
	t.Helper()
	client, err := one.Dial(addr, stack.DialOptions{TLS: trust})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	if _, err := client.Greet(t.Context(), &greetv1.GreetRequest{Name: "peer"}); err != nil {
		t.Fatal(err)
	}
	return client.Connections()
}

func exchange(chat stack.GreetChat) error {
	if err := chat.Send(&greetv1.GreetChatRequest{Name: "peer"}); err != nil {
		return err
	}
	_, err := chat.Receive()
	return err
}

// TestPeersKeepTheContract lets a stack deviate where its peer declares it. One that
// keeps such a behaviour is no error: it may do so only by luck.
func TestPeersKeepTheContract(t *testing.T) {
	eachPeer(t, func(t *testing.T, one plan.PeerStack) {
		wantBehaviours(t, one.Offer.Deviates)
		server, trust := startPeer(t, one)
		subject := contract.Subject{Stack: one.Stack, Addr: server.Addr(), TLS: trust, Kill: func() { _ = server.Stop(0) }}
		for outcome := range contract.Verify(t.Context(), subject) {
			switch why := one.Offer.Deviates[outcome.Behaviour]; {
			case outcome.Err == nil:
			case why != "":
				t.Logf("declared deviation: %v: %s", outcome.Err, why)
			default:
				t.Error(outcome.Err)
			}
		}
	})
}

// wantBehaviours fails for a name that no behaviour has.
func wantBehaviours(t *testing.T, deviates map[string]string) {
	t.Helper()
	for name := range deviates {
		if !slices.ContainsFunc(contract.All(), func(b contract.Behaviour) bool { return b.Name == name }) {
			t.Errorf("deviates: there is no behaviour %q", name)
		}
	}
}

// TestPeersDrain has a call in flight at SIGTERM, which must end well, and then the
// server with status 0.
func TestPeersDrain(t *testing.T) {
	eachPeer(t, func(t *testing.T, one plan.PeerStack) {
		if !one.Carries(greet.Bidi) {
			t.Skip(one.Refuses[greet.Bidi])
		}
		server, trust := startPeer(t, one)
		_, chat := chatWith(t, one, server.Addr(), trust)
		stopped := make(chan error, 1)
		go func() { stopped <- server.Stop(10 * time.Second) }()
		waitRefused(t, one, server.Addr(), trust)
		if err := exchange(chat); err != nil {
			t.Errorf("exchange after SIGTERM: %v", err)
		}
		if err := chat.CloseSend(); err != nil {
			t.Errorf("close send after SIGTERM: %v", err)
		}
		if _, err := chat.Receive(); !errors.Is(err, io.EOF) {
			t.Errorf("the chat ended with %v, want io.EOF", err)
		}
		if err := <-stopped; err != nil {
			t.Error(err)
		}
	})
}

// TestPeersEndDespiteACall leaves a chat open, which must not keep the server.
func TestPeersEndDespiteACall(t *testing.T) {
	eachPeer(t, func(t *testing.T, one plan.PeerStack) {
		if !one.Carries(greet.Bidi) {
			t.Skip(one.Refuses[greet.Bidi])
		}
		server, trust := startPeer(t, one)
		chatWith(t, one, server.Addr(), trust)
		if err := server.Stop(10 * time.Second); err != nil {
			t.Error(err)
		}
	})
}

// waitRefused returns once the server takes no new clients.
func waitRefused(t *testing.T, one plan.PeerStack, addr string, trust *tls.Config) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); {
		client, err := one.Dial(addr, stack.DialOptions{TLS: trust})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		_, err = client.Greet(ctx, &greetv1.GreetRequest{})
		cancel()
		client.Close()
		if greet.CodeOf(err) == greet.CodeUnavailable {
			return
		}
	}
	t.Fatal("the server still takes clients")
}

// TestPeersTellOfThemselves checks what a server answers on its control socket. It
// need not, but what it says must be so.
func TestPeersTellOfThemselves(t *testing.T) {
	eachPeer(t, func(t *testing.T, one plan.PeerStack) {
		server, trust := startPeer(t, one)
		before, err := server.Stats()
		if errors.Is(err, process.ErrNoStats) {
			t.Skip(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		var opened int64
		for range 2 {
			opened += callOnce(t, one, server.Addr(), trust)
		}
		after, err := server.Stats()
		if got := after.Accepted - before.Accepted; err != nil || got != opened {
			t.Errorf("accepted %d connections, error %v, want %d", got, err, opened)
		}
		if after.UserNS+after.SystemNS <= before.UserNS+before.SystemNS {
			t.Errorf("no processor time went by: %+v, then %+v", before, after)
		}
		if after.PeakBytes < 1<<20 {
			t.Errorf("at most %d bytes were held, which no server gets by with", after.PeakBytes)
		}
		if _, err := server.Memory(); err != nil {
			t.Error(err)
		}
		if _, err := server.Stats(); err != nil {
			t.Errorf("stats after a memory request: %v", err)
		}
	})
}

// TestPeersEndWithTheirInput takes away what a server's standard input comes from.
func TestPeersEndWithTheirInput(t *testing.T) {
	eachPeer(t, func(t *testing.T, one plan.PeerStack) {
		argv := one.Peer.Argv(one.Offer)
		for i, arg := range argv {
			argv[i] = strings.NewReplacer("{addr}", "127.0.0.1:0", "{protocol}", one.Name.Protocol, "{transport}", one.Name.Transport).Replace(arg)
		}
		if one.Name.Secure() {
			t.Skip("ends as it does without TLS")
		}
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
		cmd.Dir = one.Peer.Dir // standard input is there, and empty
		out, err := cmd.Output()
		if text := string(out); err != nil || !strings.HasPrefix(text, "listening 127.0.0.1:") || strings.Count(text, "\n") != 1 {
			t.Errorf("error %v, printed %q, want one line with its address and the end", err, text)
		}
	})
}
