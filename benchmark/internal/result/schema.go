package result

import (
	_ "embed"
	"sync"

	"example.com/greet/benchmark/internal/schema"
)

// SchemaJSON is the JSON Schema (2020-12) of a result line, against which Read holds
// every line.
//
//go:embed result.schema.json
var SchemaJSON []byte

// compileSchema is slow enough to do once. An error is a mistake in the embedded
// schema.
var compileSchema = sync.OnceValues(func() (*schema.Schema, error) { return schema.Compile(SchemaJSON) })

// violation is one thing that is wrong with a line.
type violation struct {
	field string // such as "case.concurrency" or "metrics[0].value"; empty for the whole line
	text  string
}

// violations holds a decoded JSON value against the schema and lists all that is
// wrong with it, by field.
func violations(document any) ([]violation, error) {
	compiled, err := compileSchema()
	if err != nil {
		return nil, err
	}
	wrong, err := compiled.Violations(document)
	var found []violation
	for _, v := range wrong {
		found = append(found, violation{v.Field, v.Text})
	}
	return found, err
}
