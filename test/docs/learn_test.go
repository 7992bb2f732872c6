package docs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/greet/test/built"
)

// shown is a block of a page that the client prints. Its comment names the flags, and
// after a bar an expression of which only the matches are shown.
var shown = regexp.MustCompile("(?s)<!-- output: client ([^|\n]*?)(?: \\| ([^\n]*?))? -->\n\n```text\n(.*?)```\n")

// quotedCode is a function that a page shows.
var quotedCode = regexp.MustCompile("(?s)<!-- code: (\\S+) (\\w+) -->\n\n```go\n(.*?)```\n")

// TestLearn compares what the pages of docs/learn show of the client's output with
// what it prints, but for what differs from run to run, and functions with the code.
func TestLearn(t *testing.T) {
	pages, err := filepath.Glob("docs/learn/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatal("no pages in docs/learn: ", err)
	}
	server := built.Command(t.Context(), t, "server", "--connect", "127.0.0.1:0", "--tls", "127.0.0.1:0", "--grpc", "off")
	addr := built.Serve(t, server, "connect", "tls")
	for _, page := range pages {
		t.Run(filepath.Base(page), func(t *testing.T) {
			text := readFile(t, page)
			fresh := renew(t, text, "<!-- output:", shown, func(m []string) string {
				return settled(learnOutput(t, addr, m[1], m[2]), m[3])
			})
			fresh = renew(t, fresh, "<!-- code:", quotedCode, func(m []string) string { return source(t, m[1], m[2]) })
			if *update {
				if err := os.WriteFile(page, []byte(fresh), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if diff := cmp.Diff(text, fresh); diff != "" {
				t.Errorf("the page is stale (-page +programs); write it with go test -run TestLearn ./test/docs -update\n%s", diff)
			}
		})
	}
}

// renew replaces the last group of each match, and wants one match for each comment.
func renew(t *testing.T, text, comment string, block *regexp.Regexp, content func(groups []string) string) string {
	t.Helper()
	matches := block.FindAllStringSubmatchIndex(text, -1)
	if n := strings.Count(text, comment); n != len(matches) {
		t.Fatalf("%d comments %s stand above %d blocks", n, comment, len(matches))
	}
	for _, m := range slices.Backward(matches) {
		groups := block.FindStringSubmatch(text[m[0]:m[1]])
		last := len(m) - 2
		text = text[:m[last]] + content(groups) + text[m[last+1]:]
	}
	return text
}

// source is a function of a file with its comment.
func source(t *testing.T, file, name string) string {
	t.Helper()
	text := readFile(t, file)
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, file, text, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range parsed.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == name {
			return text[files.Position(f.Doc.Pos()).Offset:files.Position(f.End()).Offset] + "\n"
		}
	}
	t.Fatalf("%s has no function %s", file, name)
	return ""
}

// learnOutput is what the client prints when it calls the server whose listeners have
// these addresses, or the parts of it that match only.
func learnOutput(t *testing.T, addr map[string]string, args, only string) string {
	t.Helper()
	flags := strings.Fields(args)
	if slices.Contains(flags, "h3") {
		flags = append(flags, "--insecure", "--addr", addr["tls"])
	} else {
		flags = append(flags, "--addr", addr["connect"])
	}
	out, log, status := built.Run(t, "client", flags...)
	if status != 0 {
		t.Fatalf("client %s: status %d, %s", args, status, log)
	}
	out = strings.NewReplacer(addr["connect"], "127.0.0.1:8080", addr["tls"], "127.0.0.1:8443").Replace(out)
	for _, v := range varying {
		out = v.found.ReplaceAllString(out, v.normal)
	}
	if slices.Contains(flags, "--wire") {
		out = normal(out)
	}
	if only == "" {
		return out
	}
	matches := regexp.MustCompile("(?m)"+only).FindAllString(out, -1)
	return strings.Join(slices.Compact(matches), "\n") + "\n"
}

// timeWidth is how wide the first column is.
const timeWidth = 9

var (
	// timed begins what the timeline shows at one moment; parts are indented below it.
	timed = regexp.MustCompile(`^ *\d+\.\d\d `)
	// headerField is one of a block of headers.
	headerField = regexp.MustCompile(`^ {11}[:a-z][a-z-]*: `)
	// aside are the lines that come when they come, or not at all, and say nothing of
	// the call: those of the connection, and the program's own.
	aside   = regexp.MustCompile(`^ *\d+\.\d\d +[\d,]* +(?:[→←] (?:connection preface|SETTINGS|WINDOW_UPDATE|PING|and [\d,]+ more)|\[)`)
	sums    = regexp.MustCompile(`(?m)^(sent [\d,]+ bytes,|by kind: |      ms  bytes).*\n`)
	knock   = regexp.MustCompile(`(?s)^--- before the demo.*?\n\n(--- )`)
	closing = regexp.MustCompile(`(?s)\n--- after the last call.*$`)
	varying = []struct {
		found  *regexp.Regexp
		normal string
	}{
		{regexp.MustCompile(`\(go1[.\d]+\)`), "(go1.26)"},
		{regexp.MustCompile(`date: .*`), "date: Thu, 03 Dec 2026 12:00:00 GMT"},
		{regexp.MustCompile(`connect-timeout-ms: 9\d\d\d\b`), "connect-timeout-ms: 9999"},
		{regexp.MustCompile(`grpc-timeout: 99\d{5}u`), "grpc-timeout: 9999900u"},
		{regexp.MustCompile(`in \d+ frames?, \d+ ms`), "in 9 frames, 300 ms"},
	}
)

// normal leaves out of a timeline what differs from run to run, and sorts header
// fields, which net/http takes from a map.
func normal(out string) string {
	out = closing.ReplaceAllString(knock.ReplaceAllString(out, "$1"), "")
	out = sums.ReplaceAllString(out, "")
	var kept, fields []string
	skipping := false
	for line := range strings.SplitSeq(strings.TrimRight(out, "\n"), "\n") {
		if timed.MatchString(line) {
			skipping = aside.MatchString(line)
			line = timed.ReplaceAllString(line, "")
		} else if part, ok := strings.CutPrefix(line, strings.Repeat(" ", timeWidth)); ok {
			line = part
		} else {
			skipping = false
		}
		if headerField.MatchString(line) && !skipping {
			fields = append(fields, line)
			continue
		}
		slices.Sort(fields)
		kept, fields = append(kept, fields...), nil
		if !skipping {
			kept = append(kept, line)
		}
	}
	slices.Sort(fields)
	return strings.Join(append(kept, fields...), "\n") + "\n"
}

// slack is by how many bytes headers differ between runs: digits of a deadline are
// packed into different numbers of bits, and a date that has become another since the
// call before is written out again.
const slack = 30

var (
	figures = regexp.MustCompile(`\d+`)
	// loose are the lines that say how large headers are.
	loose = regexp.MustCompile(`^ *[\d,]+  [→←] (HEADERS|POST |HTTP/)|^  (sent|received) `)
)

// settled is got with the lines of want where they differ by no more than slack.
func settled(got, want string) string {
	gots, wants := strings.Split(got, "\n"), strings.Split(want, "\n")
	if len(gots) != len(wants) {
		return got
	}
	for i := range gots {
		if near(gots[i], wants[i]) {
			gots[i] = wants[i]
		}
	}
	return strings.Join(gots, "\n")
}

func near(a, b string) bool {
	if !loose.MatchString(a) {
		return a == b
	}
	if strings.Join(strings.Fields(figures.ReplaceAllString(a, "0")), " ") != strings.Join(strings.Fields(figures.ReplaceAllString(b, "0")), " ") {
		return false
	}
	as, bs := figures.FindAllString(a, -1), figures.FindAllString(b, -1)
	for i := range as {
		x, _ := strconv.Atoi(as[i])
		y, _ := strconv.Atoi(bs[i])
		if x-y > slack || y-x > slack {
			return false
		}
	}
	return true
}

func TestSettled(t *testing.T) {
	for _, test := range []struct{ got, want, settled string }{
		{"  sent   251  228\n", "  sent   250  226\n", "  sent   250  226\n"},
		{"  sent   251\n", "  sent   151\n", "  sent   251\n"},
		{"   31  ← HEADERS stream 3", "   30  ← HEADERS stream 3", "   30  ← HEADERS stream 3"},
		{"grpc-status: 3", "grpc-status: 0", "grpc-status: 3"},
		{"HEADERS 12", "DATA 12", "HEADERS 12"},
		{"a\nb", "a", "a\nb"},
	} {
		if got := settled(test.got, test.want); got != test.settled {
			t.Errorf("settled(%q, %q) = %q, want %q", test.got, test.want, got, test.settled)
		}
	}
}
