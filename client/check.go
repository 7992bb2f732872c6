package main

import (
	"cmp"
	"slices"
	"strings"

	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
	"example.com/greet/internal/stack/connectgo"
	"example.com/greet/internal/stack/grpcgo"
)

// The values that flags may have. Errors list them.
var (
	libraries  = []string{connectgo.Library, grpcgo.Library}
	protocols  = []string{stack.Connect, stack.GRPC, stack.GRPCWeb}
	transports = []string{stack.H1, stack.H2C, stack.H2, stack.H3}
	codecs     = []string{"proto", "json"}
	modes      = []string{"unary", "server-stream", "client-stream", "bidi"} // in the order of greet.Modes
	demoNames  = []string{"errors", "deadline", "cancel", "metadata", flowControl}
)

// modeNames are the modes as --mode names them.
var modeNames = map[string]greet.Mode{
	"unary": greet.Unary, "server-stream": greet.ServerStream, "client-stream": greet.ClientStream, "bidi": greet.Bidi,
}

// check fills in the protocol. It refuses values that no stack could make right, and flags that
// would have no effect. given are the flags on the command line.
func (f *flags) check(given []string) error {
	if f.Protocol == "" && !slices.Contains(given, "protocol") {
		f.Protocol = stack.Connect
		if f.Lib == grpcgo.Library {
			f.Protocol = stack.GRPC
		}
	}
	if err := f.checkChoices(given); err != nil {
		return err
	}
	if err := f.checkTogether(given); err != nil {
		return err
	}
	if err := f.checkAddresses(given); err != nil {
		return err
	}
	if f.Timeout <= 0 {
		return usagef("--timeout %v: want more than 0", f.Timeout)
	}
	return f.checkCount()
}

// checkChoices checks the flags that take one of a list of words.
func (f *flags) checkChoices(given []string) error {
	for _, choice := range []struct {
		flag, value string
		choices     []string
	}{
		{"lib", f.Lib, libraries},
		{"protocol", f.Protocol, protocols},
		{"transport", f.Transport, transports},
		{"codec", f.Codec, codecs},
		{"http2", f.HTTP2, []string{"net/http", "fast"}},
		{"mode", f.Mode, modes},
		{"demo", f.Demo, demoNames},
		{"compare-wire", f.CompareWire, modes},
		{"explain", f.Explain, topics},
	} {
		absent := choice.value == "" && !slices.Contains(given, choice.flag)
		if !absent && !slices.Contains(choice.choices, choice.value) {
			return usagef("--%s %q: want one of %s", choice.flag, choice.value, strings.Join(choice.choices, ", "))
		}
	}
	return nil
}

// checkTogether refuses flags that have no effect beside others.
func (f *flags) checkTogether(given []string) error {
	if f.Explain != "" && len(given) > 1 {
		return usagef("--explain %s calls nobody: leave out all other flags", f.Explain)
	}
	if f.Matrix {
		others := givenOf(given, "lib", "protocol", "transport", "codec", "addr", "mode", "name", "count", "demo", "wire", "compare-wire")
		if others != "" {
			return usagef("--matrix makes the demo's calls in every way, at the listeners of --connect, --tls and --grpc: leave out %s", others)
		}
	} else if others := givenOf(given, "connect", "tls", "grpc"); others != "" {
		return usagef("%s: for --matrix only; add it, or name the one server to call with --addr HOST:PORT", others)
	}
	if f.fastHTTP2() && !f.Matrix && (f.Lib != connectgo.Library || f.Transport != stack.H2C && f.Transport != stack.H2) {
		return usagef("--http2 fast is for connect-go over h2c and h2: leave it out, or choose those")
	}
	if others := givenOf(given, "mode", "name", "count"); f.Demo != "" && others != "" {
		return usagef("--demo %s makes calls of its own: leave out %s, or --demo", f.Demo, others)
	}
	if others := givenOf(given, "lib", "protocol", "transport", "http2", "mode", "demo", "wire", "ca", "insecure"); f.CompareWire != "" && others != "" {
		return usagef("--compare-wire makes one call in four ways of its own choice: leave out %s", others)
	}
	if others := givenOf(given, "ca", "insecure"); f.Matrix && f.TLS == off && others != "" {
		return usagef("%s: about certificates, which only the --tls listener has, and it is off", others)
	}
	return nil
}

// givenOf lists those of the flags that are on the command line.
func givenOf(given []string, flags ...string) string {
	var found []string
	for _, flag := range flags {
		if slices.Contains(given, flag) {
			found = append(found, "--"+flag)
		}
	}
	return strings.Join(found, ", ")
}

// checkCount refuses a count that the mode cannot use.
func (f *flags) checkCount() error {
	mode := modeNames[cmp.Or(f.Mode, f.CompareWire)]
	switch {
	case f.Count == nil:
	case mode == greet.Unary:
		return usagef("--count is for modes that stream: a unary call sends one name and gets one greeting")
	case *f.Count < 0 && mode != greet.ServerStream:
		return usagef("--count %d: a client cannot send fewer than 0 names; only --mode server-stream may ask for them, to see the server refuse", *f.Count)
	}
	return nil
}
