package result

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// object is the part of a JSON Schema that must agree with a Go struct.
type object struct {
	Required             []string                  `json:"required"`
	Properties           map[string]map[string]any `json:"properties"`
	AdditionalProperties *bool                     `json:"additionalProperties"`
}

// schemaKinds are the JSON types that Go kinds are written as.
var schemaKinds = map[reflect.Kind]string{
	reflect.String: "string", reflect.Bool: "boolean", reflect.Float64: "number", reflect.Map: "object",
	reflect.Int: "integer", reflect.Int64: "integer", reflect.Uint64: "integer", reflect.Slice: "array",
}

// TestSchemaAgreesWithStructs holds the two descriptions of a line together.
func TestSchemaAgreesWithStructs(t *testing.T) {
	var schema struct {
		object
		Defs map[string]object `json:"$defs"`
	}
	if err := json.Unmarshal(SchemaJSON, &schema); err != nil {
		t.Fatal(err)
	}
	agree(t, "line", schema.object, reflect.TypeFor[Line]())
	structs := map[string]reflect.Type{
		"case": reflect.TypeFor[Case](), "metric": reflect.TypeFor[Metric](), "histogram": reflect.TypeFor[Histogram](),
		"usage": reflect.TypeFor[Usage](), "environment": reflect.TypeFor[Environment](),
		"plan": reflect.TypeFor[Plan](), "worker": reflect.TypeFor[Worker](), "workers": reflect.TypeFor[Workers](),
	}
	for name, of := range structs {
		agree(t, name, schema.Defs[name], of)
	}
	if len(schema.Defs) != len(structs) {
		t.Errorf("%d definitions for %d structs", len(schema.Defs), len(structs))
	}
}

func agree(t *testing.T, name string, schema object, of reflect.Type) {
	t.Helper()
	if schema.AdditionalProperties == nil || *schema.AdditionalProperties {
		t.Errorf("%s: unknown keys are allowed", name)
	}
	var keys, required []string
	for field := range of.Fields() {
		key, option, _ := strings.Cut(field.Tag.Get("json"), ",")
		keys = append(keys, key)
		if option != "omitempty" {
			required = append(required, key)
		}
		if want, got := jsonType(field.Type, option), schema.Properties[key]["type"]; want != nil && got != nil && !cmp.Equal(want, got) {
			t.Errorf("%s.%s: type %v in the schema, %v in Go", name, key, got, want)
		}
	}
	inSchema := make([]string, 0, len(keys))
	for key, property := range schema.Properties {
		inSchema = append(inSchema, key)
		if kind := fmt.Sprint(property["type"]); (strings.Contains(kind, "integer") || kind == "number") && property["maximum"] == nil {
			t.Errorf("%s.%s: a number without a bound", name, key)
		}
	}
	for _, list := range [][]string{keys, required, inSchema, schema.Required} {
		slices.Sort(list)
	}
	if diff := cmp.Diff(keys, inSchema); diff != "" {
		t.Errorf("%s: keys of the struct (-) and of the schema (+):\n%s", name, diff)
	}
	if diff := cmp.Diff(required, schema.Required); diff != "" {
		t.Errorf("%s: keys that the struct always writes (-) and that the schema requires (+):\n%s", name, diff)
	}
}

// jsonType is nil where the schema describes the type elsewhere. What is left out when
// it is nil is never null.
func jsonType(of reflect.Type, option string) any {
	if of.Kind() == reflect.Pointer && of.Elem().Kind() != reflect.Struct {
		if option == "omitempty" {
			return schemaKinds[of.Elem().Kind()]
		}
		return []any{schemaKinds[of.Elem().Kind()], "null"}
	}
	if kind, ok := schemaKinds[of.Kind()]; ok {
		return kind
	}
	return nil
}

func TestSchemaKnowsEveryVerdict(t *testing.T) {
	var schema struct {
		Properties struct {
			Schema   struct{ Const int }
			Verdicts struct {
				Items struct{ Enum []Verdict }
			}
		}
	}
	if err := json.Unmarshal(SchemaJSON, &schema); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Verdicts, schema.Properties.Verdicts.Items.Enum); diff != "" {
		t.Errorf("verdicts in Go (-) and in the schema (+):\n%s", diff)
	}
	if got := schema.Properties.Schema.Const; got != SchemaVersion {
		t.Errorf("the schema describes version %d, the program writes %d", got, SchemaVersion)
	}
}
