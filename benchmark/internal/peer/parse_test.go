package peer

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

const whole = `{
  "name": "tonic",
  "language": "rust",
  "needs": ["cargo"],
  "build": ["cargo", "build", "--release"],
  "libraries": ["target/release/server", "--libraries"],
  "serve": ["target/release/server", "{addr}", "--tls={cert},{key}"],
  "bench": ["target/release/bench", "{addr}", "{cert}"],
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
		Bench:     []string{"target/release/bench", "{addr}", "{cert}"},
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

// TestParseErrors changes one thing in the whole file, and wants to be told what.
func TestParseErrors(t *testing.T) {
	for _, tt := range []struct{ what, old, changed, want string }{
		{"unknown field", `"name": "tonic",`, `"name": "tonic", "colour": "red",`, `colour: there is no such field`},
		{"field in capitals", `"language"`, `"Language"`, "language: it is missing\nLanguage: there is no such field"},
		{"field twice", `"needs"`, `"build": ["x"], "needs"`, `build: it is there twice`},
		{"missing field", `"needs": ["cargo"],`, ``, `needs: it is missing`},
		{"a number for a text", `"rust"`, `7`, `language: got 7, want a text`},
		{"null for a text", `"rust"`, `null`, `language: got null, want a text`},
		{"empty text", `"rust"`, `""`, `language: it is empty`},
		{"a text that no table takes", `"rust"`, `"Rust!"`, `language: "Rust!": want lower-case letters, digits, dots and dashes`},
		{"a text for a list", `["cargo"]`, `"cargo"`, `needs: got "cargo", want a list`},
		{"null for a list", `["cargo"]`, `null`, `needs: got null, want a list`},
		{"a number in a list", `["cargo"]`, `["cargo", 7]`, `needs[1]: got 7, want a text`},
		{"no program", `["cargo", "build", "--release"]`, `[]`, `build: want one argument at least`},
		{"unknown placeholder", `"{addr}", "--tls`, `"{addr}", "{port}", "--tls`,
			`serve: placeholder {port} is not among ["{addr}" "{protocol}" "{transport}" "{cert}" "{key}"]`},
		{"placeholder in a build", `"--release"`, `"{addr}"`, `build: placeholder {addr} is not among []`},
		{"no address", `"target/release/server", "{addr}", "--tls`, `"target/release/server", "--tls`,
			`serve: nothing tells the server where to listen: {addr} is missing`},
		{"nobody to call", `"target/release/bench", "{addr}"`, `"target/release/bench"`,
			`bench: nothing tells the client whom to call: {addr} is missing`},
		{"installed from elsewhere", `["target/release/server"]`, `["../node-grpc"]`,
			`install[0]: "../node-grpc" is not below the peer's folder`},
		{"placeholder in a variant", `["--workers", "1"]`, `["{key}"]`, `stacks[1].args: placeholder {key} is not among []`},
		{"no certificate", `"--tls={cert},{key}"`, `"--tls={cert}"`,
			`stacks[0]: h2 runs over TLS, and nothing tells the server {cert} and {key}`},
		{"no stack's name", `{"name": "tonic/grpc/h2", "no_client": "it knows no TLS"}`, `{}`, `stacks[0].name: it is missing`},
		{"a stack's name astray", `tonic/grpc/h2"`, `tonic/h2"`,
			`stacks[0].name: stack name "tonic/h2": want library/protocol/transport[+variant], such as grpc-go/grpc/h2c`},
		{"a stack that is none", `{"name": "tonic/grpc/h2", "no_client": "it knows no TLS"}`, `7`, `stacks[0]: got 7, want an object`},
		{"a stack twice", `tonic/grpc/h2"`, `tonic/grpc/h2c+workers=1"`, `stacks[1]: there is another tonic/grpc/h2c+workers=1`},
		{"unknown field of a stack", `"args"`, `"arguments"`, `stacks[1].arguments: there is no such field`},
		{"no arguments", `["--workers", "1"]`, `[]`, `stacks[1].args: want one argument at least`},
		{"a mode that there is not", `"bidi"`, `"both"`, `stacks[1].refuses.both: there is no such field`},
		{"no reason", `"no reason"`, `""`, `stacks[1].refuses.bidi: it is empty`},
		{"a list of deviations", `{"many calls at once": "one suffices"}`, `[]`, `stacks[1].deviates: got [], want an object`},
		{"a deviation twice", `"one suffices"`, `"one suffices", "many calls at once": "none"`,
			`stacks[1].deviates.many calls at once: it is there twice`},
		{"a deviation without a reason", `"one suffices"`, `""`, `stacks[1].deviates.many calls at once: it is empty`},
		{"no mode left", `"bidi": "no reason"`, `"bidi": "a", "unary": "a", "server_stream": "a", "client_stream": "a"`,
			`stacks[1]: it refuses every mode`},
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
		``:               "file: want a JSON object: EOF",
		`[]`:             "file: got [], want an object",
		`{} {}`:          "file: something follows the object",
		`{"name" "x"}`:   "file: name: expected colon after object key",
		whole[:20]:       "file: ",
		`{"name": "x",}`: "file: ",
	} {
		if _, err := parse([]byte(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: error %v, want one that begins with %q", text, err, want)
		}
	}
	before, _, _ := strings.Cut(whole, `"stacks"`)
	wantError(t, before+`"stacks": []}`, "stacks: want one at least")
}

func wantError(t *testing.T, text, want string) {
	t.Helper()
	_, err := parse([]byte(text))
	if err == nil || err.Error() != want {
		t.Errorf("error is\n%v\nwant\n%s", err, want)
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
			if argv := p.Argv(s); !mentions(argv, "{addr}") {
				t.Errorf("started by %q, which has no address", argv)
			}
		}
	})
}
