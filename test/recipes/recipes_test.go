package recipes_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"example.com/greet/test/built"
)

// TestRecipes adds one of everything, so that one build serves for all.
func TestRecipes(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the commands and their tests in a copy of the repository")
	}
	s := scratch{dir: built.CopyRepository(t)}
	s.addStack(t)
	s.addScenario(t)
	s.addFormat(t)
	s.addPeer(t)
	s.run(t, "go", "build", "-o", "bin/", "./benchmark")
	s.run(t, "go", "vet", "./benchmark/...")
	s.run(t, "go", "test", "./test/arch")
	t.Run("stack", s.tryStack)
	t.Run("scenario", s.tryScenario)
	t.Run("format", s.tryFormat)
	t.Run("peer", s.tryPeer)
}

// addStack adds one package, which is another one under a new name, and one line.
func (s scratch) addStack(t *testing.T) {
	t.Helper()
	files, err := filepath.Glob("benchmark/internal/stack/connectv1/*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("the package to take as an example: %q, error %v", files, err)
	}
	const folder = "benchmark/internal/stack/fresh/"
	renamed := strings.NewReplacer("package connectv1", "package fresh", `"connect-go-v1"`, `"fresh"`)
	for _, file := range files {
		if !strings.HasSuffix(file, "_test.go") {
			s.write(t, folder+filepath.Base(file), renamed.Replace(read(t, file)))
		}
	}
	const catalog = "benchmark/internal/stack/catalog/catalog.go"
	s.insert(t, catalog, "floor.Stacks(),\n", "\t\tfresh.Stacks(),\n")
	s.insert(t, catalog, `"example.com/greet/benchmark/internal/stack/floor"`+"\n", "\t\"example.com/greet/benchmark/internal/stack/fresh\"\n")
}

func (s scratch) tryStack(t *testing.T) {
	out := s.run(t, "go", "test", "-count=1", "-v", "-run",
		"^(TestLists|TestEveryStackIsWhole|TestContract|TestOnlyGzipStacksCompress|TestFind)$/^fresh$", "./benchmark/internal/stack/catalog")
	wantText(t, out, "--- PASS: TestContract/fresh/connect/h2c/bare/many_calls_at_once")
	wantText(t, s.run(t, "bin/benchmark", "stacks"), "\nfresh/connect/h1 ")
	wantText(t, s.run(t, "bin/benchmark", "--rounds", "1", "--slice", "300ms", "--stacks", "fresh/*/h2c", "--scenarios", "unary",
		"--cases", "payload 16 B concurrency 1 ", "--out", "results"), "fresh/connect/h2c")
	wantText(t, s.run(t, "bin/benchmark", "validate", s.results(t, "results")), "all well-formed")
}

// results is the one result file in a folder.
func (s scratch) results(t *testing.T, folder string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(s.dir, folder, "*.jsonl"))
	if err != nil || len(files) != 1 {
		t.Fatalf("result files %q, error %v, want one", files, err)
	}
	return files[0]
}

// addScenario adds one file and one line.
func (s scratch) addScenario(t *testing.T) {
	t.Helper()
	s.write(t, "benchmark/internal/scenario/fresh.go", read(t, "test/recipes/testdata/scenario.go"))
	s.insert(t, "benchmark/internal/scenario/scenario.go", "\tcost,\n", "\tfresh,\n")
}

func (s scratch) tryScenario(t *testing.T) {
	out := s.run(t, "go", "test", "-count=1", "-v", "-run",
		"TestNamed|TestRungsTakePart|TestEveryScenarioMeasures/.*/.*/fresh$", "./benchmark/internal/scenario")
	wantText(t, out, "--- PASS: TestEveryScenarioMeasures/grpc-go/grpc/h2c_fresh")
	wantText(t, s.run(t, "bin/benchmark", "run", "--help"), " fresh")
	out = s.run(t, "bin/benchmark", "--rounds", "2", "--slice", "300ms", "--stacks", "grpc-go/grpc/h2c,connect-go/grpc/h2c",
		"--scenarios", "fresh", "--out", "fresh")
	wantText(t, out, "Names of 100 bytes are greeted.")
	wantText(t, out, "grpc-go/grpc/h2c")
	wantText(t, s.run(t, "bin/benchmark", "report", s.results(t, "fresh"), "--format", "svg", "--out", "figures"), "fresh-rate")
}

// addFormat adds one file and one line.
func (s scratch) addFormat(t *testing.T) {
	t.Helper()
	s.write(t, "benchmark/internal/report/fresh.go", read(t, "test/recipes/testdata/format.go"))
	s.insert(t, "benchmark/internal/report/report.go", `{Name: "gobench", Report: GoBench},`+"\n", "\t{Name: \"fresh\", Report: Fresh},\n")
}

func (s scratch) tryFormat(t *testing.T) {
	s.run(t, "go", "test", "./benchmark/internal/report")
	wantText(t, s.run(t, "bin/benchmark", "report", "--help"), "fresh")
	wantText(t, s.run(t, "bin/benchmark", "report", "--format", "fresh", "benchmark/internal/report/testdata/two-rounds.jsonl"),
		"fresh grpc-go/grpc/h2c ")
}

// addPeer adds one folder.
func (s scratch) addPeer(t *testing.T) {
	t.Helper()
	s.write(t, "peers/fresh/peer.json", read(t, "test/recipes/testdata/peer/peer.json"))
}

func (s scratch) tryPeer(t *testing.T) {
	wantText(t, s.run(t, "bin/benchmark", "peers", "--build", "fresh"), "fresh              sh       dash 1\n")
	out := s.run(t, "go", "test", "./benchmark", "-count=1", "-v", "-run", "Peers.*/newcomer")
	wantText(t, out, "/newcomer-grpc-h2c")
	wantText(t, s.run(t, "bin/benchmark", "plan", "--peers", "--stacks", "newcomer/*", "--scenarios", "unary"), "newcomer/grpc/h2c")
}

// scratch is a copy of the repository.
type scratch struct{ dir string }

func (s scratch) write(t *testing.T, file, text string) {
	t.Helper()
	file = filepath.Join(s.dir, file)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// insert adds lines to a file, after the first place where it has those.
func (s scratch) insert(t *testing.T, file, after, lines string) {
	t.Helper()
	before, rest, ok := strings.Cut(read(t, filepath.Join(s.dir, file)), after)
	if !ok {
		t.Fatalf("%s does not have %q", file, after)
	}
	s.write(t, file, before+after+lines+rest)
}

// passed is what go test -v prints of tests that passed, thousands of lines here.
var passed = regexp.MustCompile(`(?m)^ *(=== (RUN|PAUSE|CONT|NAME)|--- PASS).*\n`)

// run runs a program of the system or, by its path, of the copy to a good end.
func (s scratch) run(t *testing.T, program string, args ...string) (stdout string) {
	t.Helper()
	if strings.Contains(program, "/") {
		program = filepath.Join(s.dir, program)
	}
	cmd := exec.CommandContext(t.Context(), program, args...)
	var out, log strings.Builder
	cmd.Dir, cmd.Stdout, cmd.Stderr = s.dir, &out, &log
	cmd.Env = append(os.Environ(), "CI=") // the copy has not installed all that CI has
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v\n%s%s", cmd, err, passed.ReplaceAllString(out.String(), ""), log.String())
	}
	return out.String()
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func wantText(t *testing.T, got, want string) {
	t.Helper()
	if !strings.Contains(got, want) {
		t.Errorf("it lacks %q:\n%s", want, got)
	}
}
