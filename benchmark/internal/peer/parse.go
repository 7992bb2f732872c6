package peer

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// parse reads the text of a peer.json. Its error names every field that is wrong.
func parse(text []byte) (Peer, error) {
	f := newFields(text)
	p := Peer{
		Name:      f.word("name"),
		Language:  f.word("language"),
		Needs:     f.list("needs"),
		Build:     f.argv("build"),
		Libraries: f.argv("libraries"),
		Serve:     f.argv("serve", serverPlaceholders...),
	}
	if f.has("bench") {
		p.Bench = f.argv("bench", clientPlaceholders...)
	}
	if f.has("flags") {
		p.Flags = f.text("flags")
	}
	if f.has("install") {
		p.Install = f.list("install")
	}
	for i, item := range f.items("stacks") {
		p.Stacks = append(p.Stacks, parseStack(f.below(fmt.Sprintf("stacks[%d]", i), item)))
	}
	f.end()
	if len(*f.errs) == 0 {
		p.check(f)
	}
	return p, errors.Join(*f.errs...)
}

func parseStack(f *fields) Stack {
	var s Stack
	var err error
	if name := f.text("name"); name != "" {
		if s.Name, err = stack.ParseName(name); err != nil {
			f.fail("name", "%v", err)
		}
	}
	if f.has("args") {
		s.Args = f.argv("args")
	}
	if f.has("no_client") {
		s.NoClient = f.text("no_client")
	}
	if f.has("refuses") {
		s.Refuses = parseRefuses(f.below("refuses", f.take("refuses")))
	}
	if f.has("deviates") {
		s.Deviates = parseDeviates(f.below("deviates", f.take("deviates")))
	}
	f.end()
	return s
}

func parseRefuses(f *fields) map[greet.Mode]string {
	refuses := make(map[greet.Mode]string)
	for _, mode := range greet.Modes {
		if f.has(string(mode)) {
			refuses[mode] = f.text(string(mode))
		}
	}
	f.end()
	return refuses
}

// parseDeviates takes any name, since only package contract knows the behaviours.
func parseDeviates(f *fields) map[string]string {
	deviates := make(map[string]string)
	for _, behaviour := range f.names {
		deviates[behaviour] = f.text(behaviour)
	}
	return deviates
}

// check looks at what one field alone does not tell.
func (p Peer) check(f *fields) {
	if len(p.Stacks) == 0 {
		f.fail("stacks", "want one at least")
	}
	if !mentions(p.Serve, "{addr}") {
		f.fail("serve", "nothing tells the server where to listen: {addr} is missing")
	}
	if len(p.Bench) > 0 && !mentions(p.Bench, "{addr}") {
		f.fail("bench", "nothing tells the client whom to call: {addr} is missing")
	}
	for i, path := range p.Install {
		if !filepath.IsLocal(path) {
			f.fail(fmt.Sprintf("install[%d]", i), "%q is not below the peer's folder", path)
		}
	}
	seen := make(map[string]bool)
	for i, s := range p.Stacks {
		field, name := fmt.Sprintf("stacks[%d]", i), s.Name.String()
		if seen[name] {
			f.fail(field, "there is another %s", name)
		}
		seen[name] = true
		if len(s.Refuses) == len(greet.Modes) {
			f.fail(field, "it refuses every mode")
		}
		if argv := slices.Concat(p.Serve, s.Args); s.Name.Secure() && (!mentions(argv, "{cert}") || !mentions(argv, "{key}")) {
			f.fail(field, "%s runs over TLS, and nothing tells the server {cert} and {key}", s.Name.Transport)
		}
	}
}

// The placeholders that are filled in for a server, as package process has them,
// and for a benchmark client.
var (
	serverPlaceholders = []string{"{addr}", "{protocol}", "{transport}", "{cert}", "{key}"}
	clientPlaceholders = []string{"{addr}", "{protocol}", "{transport}", "{cert}"}
)

var (
	wordPattern = regexp.MustCompile(`^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$`)
	placeholder = regexp.MustCompile(`\{[a-z]+\}`)
)

func mentions(argv []string, text string) bool {
	return slices.ContainsFunc(argv, func(arg string) bool { return strings.Contains(arg, text) })
}

// word is a text for file names and tables.
func (f *fields) word(key string) string {
	text := f.text(key)
	if text != "" && !wordPattern.MatchString(text) {
		f.fail(key, "%q: want lower-case letters, digits, dots and dashes", text)
	}
	return text
}

// argv is a list of one argument at least, with no placeholders but those given.
func (f *fields) argv(key string, placeholders ...string) []string {
	wrong := len(*f.errs)
	argv := f.list(key)
	if len(argv) == 0 && len(*f.errs) == wrong {
		f.fail(key, "want one argument at least")
	}
	for _, arg := range argv {
		for _, found := range placeholder.FindAllString(arg, -1) {
			if !slices.Contains(placeholders, found) {
				f.fail(key, "placeholder %s is not among %q", found, placeholders)
			}
		}
	}
	return argv
}

// list is a list of texts, none of them empty.
func (f *fields) list(key string) []string {
	var list []string
	for i, item := range f.items(key) {
		list = append(list, f.textOf(fmt.Sprintf("%s[%d]", key, i), item))
	}
	return list
}

// text is a text that is not empty.
func (f *fields) text(key string) string {
	raw := f.take(key)
	if raw == nil {
		return ""
	}
	return f.textOf(key, raw)
}

func (f *fields) textOf(key string, raw json.RawMessage) string {
	var text *string
	switch err := json.Unmarshal(raw, &text); {
	case err != nil || text == nil:
		f.fail(key, "got %s, want a text", excerpt(raw))
	case *text == "":
		f.fail(key, "it is empty")
	default:
		return *text
	}
	return ""
}

// items are those of a list.
func (f *fields) items(key string) []json.RawMessage {
	raw := f.take(key)
	if raw == nil {
		return nil
	}
	var items []json.RawMessage
	if err := json.Unmarshal(raw, &items); err != nil || items == nil {
		f.fail(key, "got %s, want a list", excerpt(raw))
	}
	return items
}
