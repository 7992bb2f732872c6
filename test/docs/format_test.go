package docs_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const formatPage = "docs/results-format.md"

// object is what the page says of one kind of object in a result line.
type object struct {
	Required   []string         `json:"required"`
	Properties map[string]field `json:"properties"`
}

type field struct {
	Type        any    `json:"type"`
	Description string `json:"description"`
	Ref         string `json:"$ref"`
	Const       any    `json:"const"`
	Enum        []any  `json:"enum"`
	Items       *field `json:"items"`
}

// kind is the field's type, with a link to the table of an object.
func (f field) kind() string {
	switch {
	case f.Ref != "":
		name := strings.TrimPrefix(f.Ref, "#/$defs/")
		return fmt.Sprintf("[%s](#%s)", name, name)
	case f.Items != nil && f.Items.kind() != "":
		return "array of " + f.Items.kind()
	case len(f.Enum) > 0:
		return "string"
	case f.Const != nil:
		return "integer"
	}
	if several, ok := f.Type.([]any); ok {
		return fmt.Sprintf("%v or %v", several[0], several[1])
	}
	return fmt.Sprint(f.Type)
}

// values are those that the field may have, where the schema lists them.
func (f field) values() []string {
	listed := f.Enum
	if f.Items != nil {
		listed = f.Items.Enum
	}
	values := make([]string, len(listed))
	for i, value := range listed {
		values[i] = fmt.Sprint(value)
	}
	return values
}

// fieldTables has a table for the line, and one for each object in it, with every field
// that the schema has.
func fieldTables(t *testing.T) string {
	var schema struct {
		object
		Defs map[string]object `json:"$defs"`
	}
	if err := json.Unmarshal([]byte(readFile(t, "benchmark/internal/result/result.schema.json")), &schema); err != nil {
		t.Fatal(err)
	}
	schema.Defs["line"] = schema.object
	var b strings.Builder
	for _, name := range []string{"line", "case", "metric", "histogram", "usage", "plan", "worker", "workers", "environment"} {
		of := schema.Defs[name]
		if len(of.Properties) == 0 {
			t.Fatalf("the schema has no %s", name)
		}
		delete(schema.Defs, name)
		after := ""
		fmt.Fprintf(&b, "\n### %s\n\n| field | type | meaning |\n|---|---|---|\n", strings.ToUpper(name[:1])+name[1:])
		for _, key := range slices.Sorted(maps.Keys(of.Properties)) {
			f := of.Properties[key]
			meaning := f.Description
			if meaning == "" {
				t.Errorf("the schema does not say what %s.%s means", name, key)
			}
			if values := strings.Join(f.values(), ", "); len(values) > 60 {
				after += fmt.Sprintf("\n%#q are of these:\n%s.\n", key, strings.ReplaceAll(values, "stalled, ", "stalled,\n"))
			} else if values != "" {
				meaning += ": " + values
			}
			kind := f.kind()
			if !slices.Contains(of.Required, key) {
				kind += ", may be absent"
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", key, kind, meaning)
		}
		b.WriteString(after)
	}
	for name := range schema.Defs {
		t.Errorf("the page has no table of %s", name)
	}
	return b.String() + "\n"
}

var fieldsOfPage = regexp.MustCompile(`(?s)(<!-- fields: [^\n]*-->\n)(.*)(<!-- end of fields -->)`)

// TestResultsFormat holds the page's tables against the schema.
func TestResultsFormat(t *testing.T) {
	text, want := readFile(t, formatPage), fieldTables(t)
	match := fieldsOfPage.FindStringSubmatch(text)
	if match == nil {
		t.Fatalf("%s has no place for the fields", formatPage)
	}
	if *update {
		text = strings.Replace(text, match[0], match[1]+want+match[3], 1)
		if err := os.WriteFile(formatPage, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if match[2] != want {
		t.Errorf("the page differs from the schema; write it with go test -run TestResultsFormat ./test/docs -update\n%s", cmp.Diff(want, match[2]))
	}
}

// TestRecipes runs the recipes of pages, as far as what they need is there.
func TestRecipes(t *testing.T) {
	for page, want := range map[string]int{formatPage: 3, "docs/many-machines.md": 1} { // jq, pandas and benchstat; jq
		if ran := runRecipes(t, page); ran != want {
			t.Errorf("%s has %d recipes, want %d", page, ran, want)
		}
	}
}

func runRecipes(t *testing.T, page string) (ran int) {
	t.Helper()
	all := fences(readFile(t, page))
	for i, f := range all {
		var run *exec.Cmd
		switch skip := runComment.MatchString(f.above); {
		case skip:
			continue
		case f.language == "sh":
			run = exec.CommandContext(t.Context(), "bash", "-euo", "pipefail", "-c", f.content)
		case f.language == "python":
			run = exec.CommandContext(t.Context(), "python3", "-c", f.content)
		default:
			continue
		}
		t.Run(fmt.Sprintf("%s line %d", page, f.line), func(t *testing.T) {
			needs(t, f.content)
			run.Env = append(os.Environ(), "TMP="+t.TempDir())
			var complaints strings.Builder
			run.Stderr = &complaints
			out, err := run.Output()
			if err != nil || len(strings.TrimSpace(string(out))) == 0 {
				t.Fatalf("%v, printed %q: %s", err, out, &complaints)
			}
			if i+1 < len(all) && all[i+1].language == "text" && all[i+1].content != string(out) {
				t.Errorf("-want +got:\n%s", cmp.Diff(all[i+1].content, string(out)))
			}
			if !strings.Contains(string(out), "connect") {
				t.Errorf("no stack is in what it printed:\n%s", out)
			}
		})
		ran++
	}
	return ran
}

// needs skips a recipe whose tool is not there.
func needs(t *testing.T, recipe string) {
	t.Helper()
	for _, tool := range []struct {
		in   string
		have []string
	}{
		{"jq ", []string{"jq", "--version"}},
		{"import pandas", []string{"python3", "-c", "import pandas"}},
		{"golang.org/x/perf/cmd/benchstat", []string{"go", "build", "-modfile=tools/benchstat/go.mod",
			"-o", filepath.Join(t.TempDir(), "benchstat"), "golang.org/x/perf/cmd/benchstat"}},
	} {
		if !strings.Contains(recipe, tool.in) {
			continue
		}
		if out, err := exec.CommandContext(t.Context(), tool.have[0], tool.have[1:]...).CombinedOutput(); err != nil {
			t.Skipf("%s: %v %s", strings.Join(tool.have, " "), err, out)
		}
	}
}
