package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"regexp"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"example.com/greet/internal/listen"
)

// off, in place of an address, turns a listener off.
const off = "off"

// errHelp says that help was asked for and printed.
var errHelp = errors.New("help printed")

// errPrint says that the help could not be written to standard output.
var errPrint = errors.New("print help")

// flags are the command line. Each address is host:port or off; an empty host is loopback, and port
// 0 a free port. The example tag is the value that an error suggests when a flag comes without one.
type flags struct {
	Connect  string        `default:"127.0.0.1:8080" placeholder:"HOST:PORT" help:"Connect, gRPC and gRPC-Web over HTTP/1.1 and h2c (${default})."`
	TLS      string        `name:"tls" default:"127.0.0.1:8443" placeholder:"HOST:PORT" help:"The same over TLS (HTTP/1.1, h2), and over QUIC (HTTP/3) on the same port number (${default})."`
	GRPC     string        `name:"grpc" default:"127.0.0.1:50051" placeholder:"HOST:PORT" help:"gRPC by grpc-go over h2c, which refuses compressed messages (${default})."`
	Cert     string        `example:"cert.pem" placeholder:"FILE" help:"Certificate chain for --tls, PEM. Without it one is made at start, for localhost."`
	Key      string        `example:"key.pem" placeholder:"FILE" help:"Private key of --cert, PEM."`
	CertOut  string        `example:"cert.pem" placeholder:"FILE" help:"Where to write the public half of the certificate that is made at start, for clients to trust."`
	Drain    time.Duration `default:"10s" help:"How long calls in flight may go on after SIGTERM or SIGINT (${default}). A second signal ends at once."`
	HTTP2    string        `name:"http2" default:"net/http" enum:"net/http,fast" placeholder:"WHICH" help:"Which HTTP/2 serves --connect and --tls: net/http, or fast, an experiment of this repository (${default})."`
	LogLevel logLevel      `default:"info" placeholder:"LEVEL" help:"Least level that is logged to stderr: debug, info, warn or error (${default})."`
}

// parse reads the command line. An error is one line that says what would work.
func parse(args []string, stdout io.Writer) (flags, error) {
	var f flags
	helped := false
	help := &checkedWriter{w: stdout}
	parser, err := kong.New(&f,
		kong.Name("server"),
		kong.Description("Serves greet.v1.GreetService. An address may be off, have no host (loopback), or have port 0 (a free one)."),
		kong.Writers(help, io.Discard),
		kong.Exit(func(int) { helped = true }))
	if err != nil {
		return f, fmt.Errorf("read flags: %w", err)
	}
	parsed, err := parser.Parse(args)
	if help.err != nil { // the parser reports it as a mistake in the flags
		return f, fmt.Errorf("%w: %w", errPrint, help.err)
	}
	if helped {
		return f, errHelp
	}
	if err != nil {
		return f, explainParse(parser, err)
	}
	if err := refuseEmptyFiles(parsed); err != nil {
		return f, err
	}
	return f, f.check()
}

// checkedWriter keeps the last error.
type checkedWriter struct {
	w   io.Writer
	err error
}

// Write keeps its error.
func (c *checkedWriter) Write(p []byte) (n int, err error) {
	n, err = c.w.Write(p)
	if err != nil {
		c.err = err
	}
	return n, err
}

// refuseEmptyFiles refuses an empty file name. A script whose variable is unset passes one, and
// must not get the default.
func refuseEmptyFiles(parsed *kong.Context) error {
	for _, p := range parsed.Path {
		if p.Flag != nil && p.Flag.PlaceHolder == "FILE" && p.Flag.Target.String() == "" {
			return fmt.Errorf("--%s is empty: name a file, or leave out --%[1]s", p.Flag.Name)
		}
	}
	return nil
}

// logLevel is a slog.Level whose errors say which levels there are.
type logLevel slog.Level

// UnmarshalText reads the name of a level.
func (l *logLevel) UnmarshalText(text []byte) error {
	if err := (*slog.Level)(l).UnmarshalText(text); err != nil {
		return fmt.Errorf("got %q, want debug, info, warn or error", text)
	}
	return nil
}

// noValue matches kong's error for a flag without a value: the line ends, or the next word looks
// like a flag.
var noValue = regexp.MustCompile(`^--([a-z-]+): expected .* but got ".*" \((<EOL>|long flag|short flag)\)`)

// explainParse turns kong's error into one that says what would work.
func explainParse(parser *kong.Kong, err error) error {
	var names []string
	wanting := noValue.FindStringSubmatch(err.Error())
	for _, flag := range parser.Model.Flags {
		if len(wanting) > 1 && flag.Name == wanting[1] {
			return fmt.Errorf("--%s needs a value, such as --%[1]s %s", flag.Name, cmp.Or(flag.Tag.Get("example"), flag.Default))
		}
		names = append(names, "--"+flag.Name)
	}
	if strings.HasPrefix(err.Error(), "--") { // a flag that exists
		return fmt.Errorf("%w; see server --help", err)
	}
	return fmt.Errorf("%w; the flags are %s; see server --help", err, strings.Join(names, ", "))
}

// check refuses values and combinations that make no sense.
func (f flags) check() error {
	for _, l := range f.listeners() {
		if err := listen.CheckAddr(l.addr); err != nil {
			return fmt.Errorf("--%s: %w", l.label, err)
		}
	}
	switch {
	case f.Connect == off && f.TLS == off && f.GRPC == off:
		return errors.New("every listener is off; leave at least one of --connect, --tls and --grpc on")
	case (f.Cert == "") != (f.Key == ""):
		return errors.New("--cert and --key go together; give both, or neither to have a certificate made")
	case f.Cert != "" && f.CertOut != "":
		return errors.New("--cert-out writes the certificate that is made when there is no --cert; give one of the two")
	case f.TLS == off && (f.Cert != "" || f.CertOut != ""):
		return errors.New("--cert, --key and --cert-out are for the --tls listener, which is off")
	case f.Drain < 0:
		return fmt.Errorf("--drain %v: want 0s or more", f.Drain)
	}
	return nil
}
