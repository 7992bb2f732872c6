package peer

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

const whole = `{
  "$schema": "../peer.schema.json",
  "name": "tonic",
  "language": "rust",
  "needs": ["cargo"],
  "build": ["cargo", "build", "--release"],
  "libraries": ["target/release/server", "--libraries"],
  "serve": ["target/release/server", "{addr}", "--tls={cert},{key}"],
  "bench": ["target/release/bench", "{addr}", "{cert}", "${HOME} {} {\"error\":{"],
  "sources": ["../common"],
  "flags": "cargo --release",
  "install": ["target/release/server"],
  "stacks": [
    {"name": "tonic/grpc/h2", "no_client": "it knows no TLS"},
    {"name": "tonic/grpc/h2c+workers=1", "args": ["--workers", "1"], "refuses": {"bidi": "no reason"}, "deviates": {"many calls at once": "one suffices"}}
  ]
}`

func TestParse(t *testing.T) {
	got, err := parse([]byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	want := Peer{
		Name:      "tonic",
		Language:  "rust",
		Needs:     []string{"cargo"},
		Build:     []string{"cargo", "build", "--release"},
		Libraries: []string{"target/release/server", "--libraries"},
		Serve:     []string{"target/release/server", "{addr}", "--tls={cert},{key}"},
		Bench:     []string{"target/release/bench", "{addr}", "{cert}", `${HOME} {} {"error":{`},
		Sources:   []string{"../common"},
		Flags:     "cargo --release",
		Install:   []string{"target/release/server"},
		Stacks: []Stack{
			{Name: stack.Name{Library: "tonic", Protocol: stack.GRPC, Transport: stack.H2}, NoClient: "it knows no TLS"},
			{
				Name:     stack.Name{Library: "tonic", Protocol: stack.GRPC, Transport: stack.H2C, Variants: []string{"workers=1"}},
				Args:     []string{"--workers", "1"},
				Refuses:  map[greet.Mode]string{greet.Bidi: "no reason"},
				Deviates: map[string]string{"many calls at once": "one suffices"},
			},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("peer (-want +got):\n%s", diff)
	}
}

// TestParseErrors changes one thing in the whole file. Each error says what, where and
// what would do.
func TestParseErrors(t *testing.T) {
	for _, tt := range []struct{ what, old, changed, want string }{
		{"unknown field", `"name": "tonic",`, `"name": "tonic", "colour": "red",`,
			`colour: there is no such field; want one of $schema, bench, build, `},
		{"field in capitals", `"language"`, `"Language"`, "Language: there is no such field; want one of "},
		{"missing field", `"needs": ["cargo"],`, ``, `needs: it is missing; want a list of the programs that must be on PATH`},
		{"a number for a text", `"rust"`, `7`, `language: got number, want string; want the language as tables show it`},
		{"null for a text", `"rust"`, `null`, `language: got null, want string; `},
		{"empty text", `"cargo --release"`, `""`, `flags: minLength: got 0, want 1; want a text for people`},
		{"a text that no table takes", `"rust"`, `"Rust!"`,
			`language: 'Rust!' does not match pattern '^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$'; want the language as tables show it, in lower-case`},
		{"a text for a list", `["cargo"]`, `"cargo"`, `needs: got string, want array; want a list of the programs`},
		{"a number in a list", `["cargo"]`, `["cargo", 7]`, `needs[1]: got number, want string; want a list of the programs`},
		{"no program", `["cargo", "build", "--release"]`, `[]`, `build: minItems: got 0, want 1; want the argument vector of the build`},
		{"unknown placeholder", `"{addr}", "--tls`, `"{addr}", "{port}", "--tls`, `serve[2]: '{port}' does not match pattern `},
		{"a key for a client", `"{addr}", "{cert}"`, `"{addr}", "{key}"`, `bench[2]: '{key}' does not match pattern `},
		{"placeholder in a build", `"--release"`, `"{addr}"`, `build[2]: the value is not allowed; want the argument vector of the build`},
		{"no address", `"target/release/server", "{addr}", "--tls`, `"target/release/server", "--tls`,
			`serve: an item is missing; want the argument vector of the server: {addr}, where it is to listen, must be there`},
		{"nobody to call", `"target/release/bench", "{addr}"`, `"target/release/bench"`,
			`bench: an item is missing; want the argument vector of the benchmark client: {addr}, which it is to call, must be there`},
		{"installed from elsewhere", `["target/release/server"]`, `["../node-grpc"]`,
			`install[0]: the value is not allowed; want a list of the files and folders, below the peer's own`},
		{"placeholder in a variant", `["--workers", "1"]`, `["{key}"]`, `stacks[1].args[0]: the value is not allowed; want the arguments that follow`},
		{"no certificate", `"--tls={cert},{key}"`, `"--tls={cert}"`, `stacks[0].name: h2 runs over TLS; want {cert} and {key} in serve`},
		{"no stack", `"stacks": [`, `"stacks": [], "x": [`, `stacks: minItems: got 0, want 1; want a list of the stacks`},
		{"no stack's name", `{"name": "tonic/grpc/h2", "no_client": "it knows no TLS"}`, `{}`,
			`stacks[0].name: it is missing; want library/protocol/transport`},
		{"a stack's name astray", `tonic/grpc/h2"`, `tonic/h2"`,
			`stacks[0].name: 'tonic/h2' is not valid stack-name: stack name "tonic/h2": want library/protocol/transport[+variant], such as grpc-go/grpc/h2c; `},
		{"a stack that is none", `{"name": "tonic/grpc/h2", "no_client": "it knows no TLS"}`, `7`, `stacks[0]: got number, want object; want an object that describes a stack`},
		{"a stack twice", `tonic/grpc/h2"`, `tonic/grpc/h2c+workers=1"`,
			`stacks[1].name: there is another tonic/grpc/h2c+workers=1; want another variant, or one of them gone`},
		{"unknown field of a stack", `"args"`, `"arguments"`, `stacks[1].arguments: there is no such field; want one of args, deviates, name, no_client, refuses`},
		{"no arguments", `["--workers", "1"]`, `[]`, `stacks[1].args: minItems: got 0, want 1; `},
		{"a mode that there is not", `"bidi"`, `"both"`, `stacks[1].refuses.both: there is no such field; want one of bidi, client_stream, server_stream, unary`},
		{"no reason", `"no reason"`, `""`, `stacks[1].refuses.bidi: minLength: got 0, want 1; `},
		{"a list of deviations", `{"many calls at once": "one suffices"}`, `[]`, `stacks[1].deviates: got array, want object; `},
		{"a deviation without a reason", `"one suffices"`, `""`, `stacks[1].deviates.many calls at once: minLength: got 0, want 1; `},
		{"no mode left", `"bidi": "no reason"`, `"bidi": "a", "unary": "a", "server_stream": "a", "client_stream": "a"`,
			`stacks[1].refuses: maxProperties: got 4, want 3; want for each mode that the stack cannot carry`},
	} {
		t.Run(tt.what, func(t *testing.T) {
			text := strings.Replace(whole, tt.old, tt.changed, 1)
			if text == whole {
				t.Fatalf("%q is not in the file", tt.old)
			}
			wantError(t, text, tt.want)
		})
	}
}

func TestParseErrorsOfWholeFiles(t *testing.T) {
	for text, want := range map[string]string{
		``:               "want a JSON object: unexpected end of JSON input",
		`[]`:             "got array, want object; want an object that describes a server",
		`{} {}`:          "want a JSON object: invalid character",
		`{"name" "x"}`:   "want a JSON object: invalid character",
		whole[:20]:       "want a JSON object: ",
		`{"name": "x",}`: "want a JSON object: ",
	} {
		wantError(t, text, want)
	}
	_, err := parse([]byte(`{"name": "X", "language": 7}`))
	if err == nil || strings.Count(err.Error(), "\n") != 6 {
		t.Errorf("error %v\nwant a line for each of two wrong fields and five missing ones", err)
	}
}

// TestSchemaHasEveryMode holds what editors offer for "refuses" to the modes there are.
func TestSchemaHasEveryMode(t *testing.T) {
	for _, m := range greet.Modes {
		text := strings.Replace(whole, `"bidi"`, strconv.Quote(string(m)), 1)
		if p, err := parse([]byte(text)); err != nil || p.Stacks[1].Refuses[m] != "no reason" {
			t.Errorf("%s: error %v, refused %v", m, err, p.Stacks)
		}
	}
}

func wantError(t *testing.T, text, want string) {
	t.Helper()
	_, err := parse([]byte(text))
	if err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("error is\n%v\nwant one that begins with\n%s", err, want)
	}
}

// FuzzParse wants no panic, and of what is accepted that a run can use it.
func FuzzParse(f *testing.F) {
	f.Add([]byte(whole))
	f.Add([]byte(`{"name": null, "stacks": [{"refuses": []}]}`))
	f.Add([]byte(`{"%s": {}} x`))
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := parse(text)
		if err != nil {
			return
		}
		if p.Name == "" || p.Language == "" || len(p.Build) == 0 || len(p.Libraries) == 0 || len(p.Stacks) == 0 {
			t.Errorf("accepted with something missing: %+v", p)
		}
		for _, s := range p.Stacks {
			if again, err := stack.ParseName(s.Name.String()); err != nil || again.String() != s.Name.String() {
				t.Errorf("stack %q was accepted, and reads back as %q: %v", s.Name, again, err)
			}
			if argv := p.Argv(s); !slices.ContainsFunc(argv, func(arg string) bool { return strings.Contains(arg, "{addr}") }) {
				t.Errorf("started by %q, which has no address", argv)
			}
		}
	})
}
