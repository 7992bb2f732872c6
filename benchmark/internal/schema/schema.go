package schema

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// Schema is a compiled JSON Schema (2020-12). It may be used by many goroutines.
type Schema struct {
	compiled *jsonschema.Schema
	document any // the schema itself, whose descriptions errors quote
}

// Format is a check of texts that a schema names in "format".
type Format struct {
	Name  string
	Check func(text string) error
}

// Compile reads the text of a schema. Its errors are mistakes in that text.
func Compile(text []byte, formats ...Format) (*Schema, error) {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("parse the schema: %w", err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat() // 2020-12 does not check "format" by default
	for _, f := range formats {
		compiler.RegisterFormat(&jsonschema.Format{Name: f.Name, Validate: func(v any) error {
			if text, ok := v.(string); ok {
				return f.Check(text)
			}
			return nil // "type" says what is wrong
		}})
	}
	const name = "schema.json"
	if err := compiler.AddResource(name, document); err != nil {
		return nil, fmt.Errorf("load the schema: %w", err)
	}
	compiled, err := compiler.Compile(name)
	if err != nil {
		return nil, fmt.Errorf("compile the schema: %w", err)
	}
	return &Schema{compiled, document}, nil
}

// Violation is one way in which a document is not what the schema asks for.
type Violation struct {
	Field string // such as "case.concurrency" or "metrics[0].value"; empty for the whole document
	Text  string // what is wrong
	Want  string // what the schema says should be there; empty if it does not say
}

// String returns the field, what is wrong with it and what would do.
func (v Violation) String() string {
	text := v.Text
	if v.Field != "" {
		text = v.Field + ": " + text
	}
	if v.Want != "" {
		text += "; want " + v.Want
	}
	return text
}

// Violations lists all that is wrong with a decoded JSON document, sorted by field.
func (s *Schema) Violations(document any) ([]Violation, error) {
	err := s.compiled.Validate(document)
	if err == nil {
		return nil, nil
	}
	invalid, ok := errors.AsType[*jsonschema.ValidationError](err)
	if !ok {
		return nil, fmt.Errorf("hold against the schema: %w", err)
	}
	found := s.flatten(invalid, "", message.NewPrinter(language.English))
	slices.SortFunc(found, func(a, b Violation) int {
		return strings.Compare(a.Field+"\x00"+a.Text, b.Field+"\x00"+b.Text)
	})
	return slices.Compact(found), nil
}

// flatten returns the leaves of the library's tree of errors: the branches only say which part of
// the schema was being checked. A leaf without a description takes that of the nearest branch.
func (s *Schema) flatten(e *jsonschema.ValidationError, want string, printer *message.Printer) []Violation {
	part, own := s.part(e.SchemaURL)
	if own != "" {
		want = own
	}
	// The reasons why each single item is not the required one would repeat themselves.
	_, lacksItem := e.ErrorKind.(*kind.Contains)
	if len(e.Causes) == 0 || lacksItem {
		return leaf(e, part, want, printer)
	}
	var found []Violation
	for _, cause := range e.Causes {
		found = append(found, s.flatten(cause, want, printer)...)
	}
	return found
}

// leaf turns one error into a violation for each field that it is about.
func leaf(e *jsonschema.ValidationError, part map[string]any, want string, printer *message.Printer) (found []Violation) {
	properties := below(part, "properties")
	switch k := e.ErrorKind.(type) {
	case *kind.Required:
		for _, name := range k.Missing {
			found = append(found, Violation{fieldName(e.InstanceLocation, name), "it is missing", description(below(properties, name))})
		}
		return found
	case *kind.AdditionalProperties:
		known := "one of " + strings.Join(slices.Sorted(maps.Keys(properties)), ", ")
		for _, name := range k.Properties {
			found = append(found, Violation{fieldName(e.InstanceLocation, name), "there is no such field", known})
		}
		return found
	}
	return []Violation{{fieldName(e.InstanceLocation), problem(e.ErrorKind, printer), want}}
}

// problem returns the library's text, or a better one where that does not say what is wrong.
func problem(k jsonschema.ErrorKind, printer *message.Printer) string {
	switch k.(type) {
	case *kind.Not:
		return "the value is not allowed"
	case *kind.Contains:
		return "an item is missing"
	}
	return k.LocalizedString(printer)
}

// part returns the part of the schema that the address leads to, or nil if that is no
// object, and the last description on the way.
func (s *Schema) part(address string) (part map[string]any, want string) {
	part, _ = s.document.(map[string]any)
	_, pointer, _ := strings.Cut(address, "#")
	for step := range strings.SplitSeq(pointer, "/") {
		if step != "" {
			part = below(part, step)
		}
		if own := description(part); own != "" && (step != "" || pointer == "") {
			want = own
		}
	}
	return part, want
}

func below(part map[string]any, key string) map[string]any {
	inner, _ := part[key].(map[string]any)
	return inner
}

func description(part map[string]any) string {
	text, _ := part["description"].(string)
	return text
}

// fieldName writes a path as a program would: a.b[0].c.
func fieldName(path []string, last ...string) string {
	var name strings.Builder
	for _, step := range slices.Concat(path, last) {
		switch {
		case strings.Trim(step, "0123456789") == "":
			name.WriteString("[" + step + "]")
		case name.Len() > 0:
			name.WriteString("." + step)
		default:
			name.WriteString(step)
		}
	}
	return name.String()
}
