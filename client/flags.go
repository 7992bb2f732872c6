package main

import (
	"fmt"
	"io"
	"regexp"
	"time"
	"unicode/utf8"

	"github.com/alecthomas/kong"
)

// flags is the command line. The example tag is the value that an error suggests when a flag comes
// without one.
type flags struct {
	Lib       string `default:"connect-go" help:"Library that makes the calls: connect-go or grpc-go."`
	Protocol  string `example:"grpc" placeholder:"NAME" help:"connect, grpc or grpcweb. Default: connect; grpc for grpc-go, which speaks nothing else."`
	Transport string `default:"h2c" help:"h1 (HTTP/1.1), h2c (HTTP/2 without TLS), h2 (HTTP/2 over TLS) or h3 (HTTP/3)."`
	Codec     string `default:"proto" help:"proto or json."`
	HTTP2     string `name:"http2" default:"net/http" example:"fast" placeholder:"WHICH" help:"Which HTTP/2 connect-go calls by over h2c and h2: net/http, or fast, an experiment of this repository."`
	Addr      string `example:"127.0.0.1:8080" placeholder:"HOST:PORT" help:"Server to call. Default: where the server listens for that choice."`
	CA        string `name:"ca" example:"ca.pem" placeholder:"FILE" help:"PEM certificates to trust over h2 and h3, such as the server's --cert-out FILE."`
	Insecure  bool   `help:"Trust any certificate over h2 and h3."`

	Mode    string        `example:"unary" placeholder:"NAME" help:"Only this mode: unary, server-stream, client-stream or bidi. Default: all four."`
	Name    *string       `example:"Ada" placeholder:"NAME" help:"Who is greeted, in place of the names of the demo."`
	Count   *int32        `example:"5" placeholder:"N" help:"How many greetings a server stream asks for, and how many names a client stream or a chat sends. Default: 3."`
	Timeout time.Duration `default:"10s" help:"Deadline of each call."`

	Demo string `example:"errors" placeholder:"NAME" help:"Show one thing that calls have beyond messages. errors: an error with code, text and details. deadline: one that runs out in mid-stream. cancel: a stream that the client gives up, and what the server saw. metadata: headers and trailers. flow-control: how a slow reader holds the server up."`

	Wire wireFormat `placeholder:"FORMAT" help:"Show all that goes over the connection, byte by byte and with what it means. --wire=html writes one page with a sequence diagram for each mode."`

	CompareWire string `example:"unary" placeholder:"MODE" help:"Make one call of the mode over Connect (HTTP/1.1 and h2c), gRPC and gRPC-Web, and show side by side what each sends, and where."`

	Explain string `example:"unary" placeholder:"TOPIC" help:"Explain in half a page: unary, server-stream, client-stream, bidi; connect, grpc, grpcweb; deadline, cancel, flow-control, errors, metadata. Needs no server."`

	Matrix  bool   `help:"Try every mode, library, protocol, transport and codec against a running server, and print what works and why the rest cannot."`
	Connect string `default:"127.0.0.1:8080" help:"For --matrix: the server's --connect listener, or off."`
	TLS     string `name:"tls" default:"127.0.0.1:8443" help:"For --matrix: the server's --tls listener, or off."`
	GRPC    string `name:"grpc" default:"127.0.0.1:50051" help:"For --matrix: the server's --grpc listener, or off."`
}

const description = `Call greet.v1.GreetService, which "go run ./server" serves.

Without flags it shows the four RPC modes. The flags choose what carries the calls; what is printed stays the same.`

// usageError says what is wrong with the command line.
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
	for _, arg := range args {
		// kong would silently replace the invalid bytes.
		if !utf8.ValidString(arg) {
			return nil, false, usagef("%q: want UTF-8, as every text in a message has to be", arg)
		}
	}
	parsed, err := parser.Parse(args)
	if done {
		return nil, true, nil
	}
	if err != nil {
		return nil, false, explainParse(parser, err)
	}
	if err := f.check(given(parsed)); err != nil {
		return nil, false, err
	}
	return f, false, nil
}

// given lists the flags that the command line names.
func given(parsed *kong.Context) []string {
	var names []string
	for _, p := range parsed.Path {
		if p.Flag != nil {
			names = append(names, p.Flag.Name)
		}
	}
	return names
}

// noValue matches kong's error for a flag without a value: the line ends, or the next word looks
// like a flag.
var noValue = regexp.MustCompile(`^--([a-z-]+): expected .* but got "(.*)" \((<EOL>|long flag|short flag)\)`)

// dashes says how to give a flag a value that begins with a dash, for the flags
// of which such a value makes sense.
var dashes = map[string]string{
	"name":  "; to greet %[1]s: --name=%[1]s",
	"count": "; to see the server refuse %[1]s: --mode server-stream --count=%[1]s",
}

// explainParse turns kong's error into a usageError that says what would work.
func explainParse(parser *kong.Kong, err error) error {
	match := noValue.FindStringSubmatch(err.Error())
	if match == nil {
		return usagef("%v; see --help", err)
	}
	flag, got, kind := match[1], match[2], match[3]
	hint := ""
	if kind == "short flag" && dashes[flag] != "" {
		hint = fmt.Sprintf(dashes[flag], got)
	}
	return usagef("--%s needs a value, such as --%[1]s %s%s", flag, example(parser, flag), hint)
}

// example returns a value that the flag accepts.
func example(parser *kong.Kong, name string) string {
	for _, flag := range parser.Model.Flags {
		if flag.Name == name && flag.Tag.Has("example") {
			return flag.Tag.Get("example")
		}
		if flag.Name == name {
			return flag.Default
		}
	}
	return "VALUE"
}
