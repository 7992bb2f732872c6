package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"example.com/greet/internal/greet"
)

// flags is the command line.
type flags struct {
	Lib       string `default:"connect-go" help:"Library that makes the calls: connect-go or grpc-go."`
	Protocol  string `placeholder:"NAME" help:"connect, grpc or grpcweb. Default: connect; grpc for grpc-go, which speaks nothing else."`
	Transport string `default:"h2c" help:"h1 (HTTP/1.1), h2c (HTTP/2 without TLS), h2 (HTTP/2 over TLS) or h3 (HTTP/3)."`
	Codec     string `default:"proto" help:"proto or json."`
	Addr      string `placeholder:"HOST:PORT" help:"Server to call. Default: where the server listens for that choice."`
	CA        string `name:"ca" placeholder:"FILE" help:"PEM certificates to trust over h2 and h3, such as the server's --cert-out FILE."`
	Insecure  bool   `help:"Trust any certificate over h2 and h3."`

	Mode    string        `placeholder:"NAME" help:"Only this mode: unary, server-stream, client-stream or bidi. Default: all four."`
	Name    *string       `placeholder:"NAME" help:"Who is greeted, in place of the names of the demo."`
	Count   *int32        `placeholder:"N" help:"How many greetings a server stream asks for, and how many names a client stream or a chat sends. Default: 3."`
	Timeout time.Duration `default:"10s" help:"Deadline of each call."`

	Demo string `placeholder:"NAME" help:"Show one thing that calls have beyond messages. errors: an error with code, text and details. deadline: one that runs out in mid-stream. cancel: a stream that the client gives up, and what the server saw. metadata: headers and trailers."`

	Matrix  bool   `help:"Try every mode, library, protocol, transport and codec against a running server, and print what works and why the rest cannot."`
	Connect string `default:"127.0.0.1:8080" help:"For --matrix: the server's --connect listener, or off."`
	TLS     string `name:"tls" default:"127.0.0.1:8443" help:"For --matrix: the server's --tls listener, or off."`
	GRPC    string `name:"grpc" default:"127.0.0.1:50051" help:"For --matrix: the server's --grpc listener, or off."`
}

const description = `Call greet.v1.GreetService, which "go run ./server" serves.

Without flags it shows the four RPC modes. The flags choose what carries the calls; what is printed stays the same.`

// usageError is a command line that cannot be obeyed.
type usageError struct{ text string }

func (e *usageError) Error() string { return e.text }

func usagef(format string, args ...any) error {
	return &usageError{fmt.Sprintf(format, args...)}
}

// parse reads the command line. done says that it asked for help, which has been
// written to stdout.
func parse(args []string, stdout io.Writer) (f *flags, done bool, err error) {
	f = new(flags)
	parser, err := kong.New(f, kong.Name("client"), kong.Description(description),
		kong.Writers(stdout, io.Discard), kong.Exit(func(int) { done = true }))
	if err != nil {
		return nil, false, fmt.Errorf("set up command line: %w", err)
	}
	if _, err := parser.Parse(args); err != nil && !done {
		return nil, false, usagef("%v; see --help", err)
	}
	if done {
		return nil, true, nil
	}
	if err := f.check(); err != nil {
		return nil, false, err
	}
	return f, false, nil
}

var (
	modeNames = map[string]greet.Mode{
		"unary": greet.Unary, "server-stream": greet.ServerStream, "client-stream": greet.ClientStream, "bidi": greet.Bidi,
	}
	libraries = []string{"connect-go", "grpc-go"}
	codecs    = []string{"proto", "json"}
)

// check refuses values that no choice of stack could make right.
func (f *flags) check() error {
	if f.Protocol == "" {
		f.Protocol = map[string]string{"grpc-go": "grpc"}[f.Lib]
		f.Protocol = cmp.Or(f.Protocol, "connect")
	}
	if !slices.Contains(libraries, f.Lib) {
		return usagef("--lib %q: want one of %s", f.Lib, strings.Join(libraries, ", "))
	}
	if !slices.Contains(codecs, f.Codec) {
		return usagef("--codec %q: want one of %s", f.Codec, strings.Join(codecs, ", "))
	}
	mode, ok := modeNames[f.Mode]
	if f.Mode != "" && !ok {
		return usagef("--mode %q: want one of unary, server-stream, client-stream, bidi", f.Mode)
	}
	if _, ok := demos[f.Demo]; f.Demo != "" && !ok {
		return usagef("--demo %q: want one of errors, deadline, cancel, metadata", f.Demo)
	}
	if f.Matrix && (f.Demo != "" || f.Mode != "" || f.Addr != "" || f.Name != nil || f.Count != nil) {
		return usagef("--matrix makes the demo's calls in every way: leave out --mode, --name, --count, --demo and --addr")
	}
	if f.Timeout <= 0 {
		return usagef("--timeout %v: want more than 0", f.Timeout)
	}
	return f.checkCount(mode)
}

func (f *flags) checkCount(mode greet.Mode) error {
	switch {
	case f.Count == nil:
	case mode == greet.Unary:
		return usagef("--count is for modes that stream: a unary call sends one name and gets one greeting")
	case *f.Count < 0 && mode != greet.ServerStream:
		return usagef("--count %d: a client cannot send fewer than 0 names; only --mode server-stream may ask for them, to see the server refuse", *f.Count)
	}
	return nil
}
