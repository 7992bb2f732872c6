package wire_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"io"
	"log/slog"
	"net"
	"sync"
	"testing"

	"example.com/greet/internal/greet"
	"example.com/greet/internal/listen"
	"example.com/greet/internal/stack"
	"example.com/greet/internal/stack/connectgo"
	"example.com/greet/internal/stack/grpcgo"
)

// ways are the stacks whose connections are recorded.
func ways(t *testing.T) []stack.Stack {
	var list []stack.Stack
	for _, protocol := range []string{stack.Connect, stack.GRPC, stack.GRPCWeb} {
		for _, transport := range []string{stack.H1, stack.H2C, stack.H2, stack.H3} {
			list = append(list, connectgo.New(protocol, transport, "proto"))
		}
	}
	for _, transport := range []string{stack.H2C, stack.H2} {
		s, err := grpcgo.New(transport)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, s)
	}
	return list
}

// startServer serves all that connect-go can, until the test ends.
func startServer(t *testing.T, config *tls.Config) string {
	t.Helper()
	socket, err := listen.Bind("127.0.0.1:0", true, config != nil)
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	o := stack.ServeOptions{Demo: &stack.Demo{Log: log, Calls: greet.NewCallLog(log), Stopping: t.Context().Done()}}
	ctx, stop := context.WithCancel(context.Background())
	var serving sync.WaitGroup
	serving.Go(func() {
		err := listen.ServeHTTP(ctx, socket, connectgo.NewHandler(o), listen.Options{HTTP1: true, HTTP2: true, HTTP3: config != nil, TLS: config, Log: log})
		if err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(func() {
		stop()
		serving.Wait()
		socket.Close()
	})
	return socket.Addr()
}

// relay passes connections on and keeps what went each way.
type relay struct {
	addr     string
	tls      *tls.Config // not nil to look inside TLS
	listener net.Listener
	passing  sync.WaitGroup

	mu             sync.Mutex
	sent, received bytes.Buffer
}

func startRelay(t *testing.T, addr string, config *tls.Config) *relay {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &relay{addr: addr, tls: config, listener: listener}
	r.passing.Go(func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			r.passing.Go(func() { r.pass(c) })
		}
	})
	return r
}

func (r *relay) pass(client net.Conn) {
	server, err := net.Dial("tcp", r.addr)
	if err != nil {
		client.Close()
		return
	}
	if r.tls != nil {
		client = tls.Server(client, r.tls)
		server = tls.Client(server, &tls.Config{InsecureSkipVerify: true, NextProtos: []string{"h2"}})
	}
	var both sync.WaitGroup
	both.Go(func() { r.copy(server, client, &r.sent) })
	both.Go(func() { r.copy(client, server, &r.received) })
	both.Wait()
}

func (r *relay) copy(to, from net.Conn, kept *bytes.Buffer) {
	defer to.Close()
	_, _ = io.Copy(io.MultiWriter(to, lockedWriter{&r.mu, kept}), from) // it ends with either connection
}

type lockedWriter struct {
	mu *sync.Mutex
	to io.Writer
}

func (w lockedWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.to.Write(p)
}

// end waits until all connections are over.
func (r *relay) end() {
	r.listener.Close()
	r.passing.Wait()
}

// datagrams passes UDP on for one client, and counts.
type datagrams struct {
	front, back    *net.UDPConn
	passing        sync.WaitGroup
	sent, received int
}

func startDatagrams(t *testing.T, addr string) *datagrams {
	t.Helper()
	server, err := net.ResolveUDPAddr("udp", addr)
	if err != nil {
		t.Fatal(err)
	}
	back, err := net.DialUDP("udp", nil, server)
	if err != nil {
		t.Fatal(err)
	}
	front, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	d := &datagrams{front: front, back: back}
	client := make(chan *net.UDPAddr, 1)
	d.passing.Go(func() { d.toServer(client) })
	d.passing.Go(func() { d.toClient(client) })
	return d
}

func (d *datagrams) toServer(client chan<- *net.UDPAddr) {
	defer close(client)
	for buffer := make([]byte, 1<<16); ; {
		n, from, err := d.front.ReadFromUDP(buffer)
		if err != nil {
			return
		}
		if d.sent == 0 {
			client <- from
		}
		d.sent += n
		d.back.Write(buffer[:n])
	}
}

func (d *datagrams) toClient(client <-chan *net.UDPAddr) {
	to := <-client
	for buffer := make([]byte, 1<<16); ; {
		n, err := d.back.Read(buffer)
		if err != nil {
			return
		}
		d.received += n
		d.front.WriteToUDP(buffer[:n], to)
	}
}

func (d *datagrams) end() {
	d.front.Close()
	d.back.Close()
	d.passing.Wait()
}
