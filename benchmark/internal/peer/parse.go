package peer

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"example.com/greet/benchmark/internal/schema"
	"example.com/greet/internal/stack"
)

// schemaJSON is the JSON Schema (2020-12) of a peer.json, for editors too.
//
//go:embed peer.schema.json
var schemaJSON []byte

var compileSchema = sync.OnceValues(func() (*schema.Schema, error) {
	return schema.Compile(schemaJSON, schema.Format{Name: "stack-name", Check: func(text string) error {
		_, err := stack.ParseName(text)
		return err
	}})
})

// parse reads the text of a peer.json. Its error names every field that is wrong.
func parse(text []byte) (Peer, error) {
	var document any
	if err := json.Unmarshal(text, &document); err != nil {
		return Peer{}, fmt.Errorf("want a JSON object: %w", err)
	}
	compiled, err := compileSchema()
	if err != nil {
		return Peer{}, err
	}
	wrong, err := compiled.Violations(document)
	errs := []error{err}
	for _, v := range wrong {
		errs = append(errs, errors.New(v.String()))
	}
	if err := errors.Join(errs...); err != nil {
		return Peer{}, err
	}
	return decode(document)
}

// decode makes a Peer of a document that fits the schema. It reads the document rather than the
// file's text, which may have a name twice.
func decode(document any) (p Peer, err error) {
	text, err := json.Marshal(document)
	if err == nil {
		err = json.Unmarshal(text, &p)
	}
	if err != nil {
		return p, fmt.Errorf("decode: %w", err)
	}
	return p, p.check()
}

// check finds what the schema cannot express: fields that contradict each other.
func (p Peer) check() error {
	var errs []error
	seen := make(map[string]bool)
	for i, s := range p.Stacks {
		field, name := fmt.Sprintf("stacks[%d].name", i), s.Name.String()
		if seen[name] {
			errs = append(errs, fmt.Errorf("%s: there is another %s; want another variant, or one of them gone", field, name))
		}
		seen[name] = true
		argv := strings.Join(slices.Concat(p.Serve, s.Args), " ")
		if s.Name.Secure() && (!strings.Contains(argv, "{cert}") || !strings.Contains(argv, "{key}")) {
			errs = append(errs, fmt.Errorf("%s: %s runs over TLS; want {cert} and {key} in serve", field, s.Name.Transport))
		}
	}
	return errors.Join(errs...)
}
