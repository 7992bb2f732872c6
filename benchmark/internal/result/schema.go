package result

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// SchemaJSON is the JSON Schema (2020-12) of a result line: what a peer's
// benchmark client writes to, and what Read holds every line against.
//
//go:embed result.schema.json
var SchemaJSON []byte

// compileSchema is slow enough to do once. An error is a mistake in the embedded
// schema.
var compileSchema = sync.OnceValues(func() (*jsonschema.Schema, error) {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(SchemaJSON))
	if err != nil {
		return nil, fmt.Errorf("parse the schema: %w", err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat() // 2020-12 takes "format" for a remark unless told otherwise
	if err := compiler.AddResource("result.schema.json", document); err != nil {
		return nil, fmt.Errorf("load the schema: %w", err)
	}
	return compiler.Compile("result.schema.json")
})

// violation is one way in which a line is not what the schema asks for.
type violation struct {
	field string // such as "case.concurrency" or "metrics[0].value"; empty for the whole line
	text  string
}

// violations holds a decoded JSON value against the schema and lists all that is
// wrong with it, by field.
func violations(document any) ([]violation, error) {
	schema, err := compileSchema()
	if err != nil {
		return nil, err
	}
	err = schema.Validate(document)
	if err == nil {
		return nil, nil
	}
	invalid, ok := errors.AsType[*jsonschema.ValidationError](err)
	if !ok {
		return nil, fmt.Errorf("hold against the schema: %w", err)
	}
	found := flatten(invalid, message.NewPrinter(language.English))
	slices.SortFunc(found, func(a, b violation) int {
		return strings.Compare(a.field+"\x00"+a.text, b.field+"\x00"+b.text)
	})
	return slices.Compact(found), nil
}

// flatten keeps the leaves of the library's tree of errors: the branches only
// say which part of the schema was being looked at.
func flatten(e *jsonschema.ValidationError, printer *message.Printer) []violation {
	if len(e.Causes) == 0 {
		return []violation{{fieldName(e.InstanceLocation), e.ErrorKind.LocalizedString(printer)}}
	}
	var found []violation
	for _, cause := range e.Causes {
		found = append(found, flatten(cause, printer)...)
	}
	return found
}

// fieldName writes a path as a program would: a.b[0].c.
func fieldName(path []string) string {
	var name strings.Builder
	for _, step := range path {
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
