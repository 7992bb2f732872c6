package docs_test

import (
	"net"
	"os"
	"regexp"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/greet/test/built"
)

// runPages are the pages whose blocks are run.
var runPages = []string{"README.md", "docs/matrix.md", "docs/benchmark.md"}

// TestReadme does what the pages say, block by block, in a copy of the repository, and
// compares what is printed. See block for how a block says that it is not run.
func TestReadme(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs the three commands")
	}
	dir := ""
	for _, name := range runPages {
		blocks, err := parseBlocks(readFile(t, name))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(blocks) == 0 {
			t.Errorf("%s has no block of sh", name)
		}
		needFreePorts(t, blocks)
		if dir == "" {
			dir = built.CopyRepository(t)
		}
		s := shell{dir: dir, patience: 8 * time.Minute} // for a first build on two cores and a benchmark
		t.Log(name)
		s.runAll(t, blocks, os.Getenv("CI_README") != "")
	}
}

// TestGuide runs a small file that shows each thing that a README may hold.
func TestGuide(t *testing.T) {
	for _, tt := range []struct {
		ci   bool
		want []string
	}{
		{false, []string{"made-by-an-earlier-block", "server", "server-ended"}},
		{true, []string{"made-by-an-earlier-block", "server", "server-ended", "slow"}},
	} {
		guide, err := os.ReadFile("test/docs/testdata/readme/guide.md")
		if err != nil {
			t.Fatal(err)
		}
		blocks, err := parseBlocks(string(guide))
		if err != nil {
			t.Fatal(err)
		}
		s := shell{dir: t.TempDir(), patience: 20 * time.Second}
		s.runAll(t, blocks, tt.ci)
		if diff := cmp.Diff(tt.want, namesIn(t, s.dir)); diff != "" {
			t.Errorf("files made with ci=%v (-want +got):\n%s", tt.ci, diff)
		}
	}
}

func namesIn(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

var address = regexp.MustCompile(`127\.0\.0\.1:[1-9][0-9]*`)

// needFreePorts skips the test where somebody already listens on a port that the
// README's servers take, for their clients would call a stranger.
func needFreePorts(t *testing.T, blocks []block) {
	t.Helper()
	for _, b := range blocks {
		if !b.server() || b.when == "skip" {
			continue
		}
		for _, addr := range address.FindAllString(*b.output, -1) {
			l, err := net.Listen("tcp", addr)
			switch {
			case err == nil:
				l.Close()
			case os.Getenv("CI") != "":
				t.Fatalf("line %d: %v", b.line, err)
			default:
				t.Skipf("line %d: %v", b.line, err)
			}
		}
	}
}
