package connectgo

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/listen"
	"example.com/greet/internal/stack"
)

func TestTunings(t *testing.T) {
	config := func() *http.HTTP2Config {
		return &http.HTTP2Config{WriteByteTimeout: time.Second, SendPingTimeout: time.Second}
	}
	for _, one := range tunings {
		name := variant(stack.GRPC, stack.H2C, one.variant).Name
		changed := config()
		serverTuning(name)(changed)
		if cmp.Equal(changed, config()) {
			t.Errorf("%s changes nothing at the server", name)
		}
	}
	plain := variant(stack.GRPC, stack.H2C).Name
	if serverTuning(plain) != nil || clientTuning(plain) != nil {
		t.Errorf("%s is tuned", plain)
	}
}

func TestTunedIsAllTogether(t *testing.T) {
	want, got := new(http.HTTP2Config), new(http.HTTP2Config)
	for _, one := range []tuning{windows, readFrame, noWriteTimeout, noPing} {
		one.server(want)
	}
	serverTuning(variant(stack.GRPC, stack.H2C, "tuned").Name)(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("server (-want +got):\n%s", diff)
	}
	client := new(http.HTTP2Config)
	clientTuning(variant(stack.GRPC, stack.H2C, "tuned").Name)(client)
	if client.MaxReadFrameSize != 1<<20 {
		t.Errorf("client reads frames of up to %d bytes, want 1 MiB", client.MaxReadFrameSize)
	}
}

func TestExperimentsAnswer(t *testing.T) {
	name := strings.Repeat("x", 1<<20)
	certificate, err := listen.SelfSigned()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range Experiments() {
		t.Run(s.Name.String(), func(t *testing.T) {
			var c stack.Client
			if s.Name.Remote() {
				c = serveStack(t, s, stack.ServeOptions{Drain: time.Second, TLS: listen.ServerTLS(certificate)})
			} else {
				var err error
				if c, err = s.Dial("", stack.DialOptions{}); err != nil {
					t.Fatal(err)
				}
				defer c.Close()
			}
			res, err := c.Greet(t.Context(), &greetv1.GreetRequest{Name: name})
			if err != nil || res.GetGreeting() != greet.Hello(name) {
				t.Errorf("got %d bytes, error %v", len(res.GetGreeting()), err)
			}
			want := map[bool]int64{true: 1, false: 0}[s.Name.Remote()]
			if got := c.Connections(); got != want {
				t.Errorf("opened %d connections, want %d", got, want)
			}
		})
	}
}
