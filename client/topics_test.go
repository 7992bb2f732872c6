package main

import (
	"bytes"
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestExplain(t *testing.T) {
	for _, topic := range topics {
		code, out, errs := command(t, "--explain", topic)
		if code != exitOK || errs != "" || !strings.HasPrefix(out, topic+": ") {
			t.Errorf("%s: got %d, %q, %.40q; want 0, nothing, and the topic", topic, code, errs, out)
		}
		for _, want := range []string{"use it ", "not when ", "ends ", "cancel", "deadline", "read  ", " curl ", " grpcurl ", " buf curl "} {
			if !strings.Contains(out, want) {
				t.Errorf("%s: no %q", topic, want)
			}
		}
		for line := range strings.SplitSeq(out, "\n") {
			if utf8.RuneCountInString(line) > 100 {
				t.Errorf("%s: wider than 100: %s", topic, line)
			}
		}
	}
	for args, want := range map[string]string{
		"--explain":                    "such as --explain unary\n",
		"--explain soap":               "want one of unary, server-stream",
		"--explain unary --mode unary": "leave out all other flags",
	} {
		if code, out, errs := command(t, strings.Fields(args)...); code != exitUsage || out != "" || !strings.Contains(errs, want) {
			t.Errorf("%s: got %d, %q, %q; want %q", args, code, out, errs, want)
		}
	}
}

// topicCommand is a command in a text, and what the text says that it prints.
type topicCommand struct{ topic, script, want string }

// commandsOf lists the commands of all texts that run the tool.
func commandsOf(t *testing.T, tool string) (list []topicCommand) {
	t.Helper()
	call := regexp.MustCompile(`(?m)(^|\$ |\| *|INT 1 )` + tool + " ")
	for _, topic := range topics {
		for block := range strings.SplitSeq(topicText(t, topic), "\n\n") {
			first, ok := strings.CutPrefix(block, "  $ ")
			if !ok {
				continue
			}
			script, want := first, ""
			for at := range strings.Lines(first) {
				if line := strings.TrimSuffix(at, "\n"); !strings.HasSuffix(line, `\`) && !strings.HasSuffix(line, "|") {
					end := strings.Index(first, line) + len(line)
					script, want = first[:end], strings.TrimPrefix(first[end:], "\n")
					break
				}
			}
			if call.MatchString("$ "+script) || call.MatchString(strings.ReplaceAll(script, "\n      ", "\n")) {
				list = append(list, topicCommand{topic, script, unindented(want)})
			}
		}
	}
	if len(list) < len(topics)-1 {
		t.Fatalf("only %d commands run %s", len(list), tool)
	}
	return list
}

func topicText(t *testing.T, topic string) string {
	t.Helper()
	text, err := topicTexts.ReadFile("topics/" + topic + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// unindented removes the two spaces before each line.
func unindented(text string) string {
	return regexp.MustCompile(`(?m)^  `).ReplaceAllString(strings.TrimRight(text, "\n"), "")
}

// run runs the command at the server's ports and returns all that it prints.
func (c topicCommand) run(t *testing.T, s server, path string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	script := strings.NewReplacer("127.0.0.1:8080", s.connect, "127.0.0.1:50051", s.grpc).Replace(c.script)
	cmd := exec.CommandContext(ctx, "bash", "-c", script)
	cmd.Env = append(os.Environ(), "PATH="+path+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	if err != nil && c.want == "" {
		t.Errorf("%v: %s", err, out)
	}
	return strings.TrimSpace(string(bytes.ReplaceAll(out, []byte("\r"), nil)))
}

func TestExplainCurl(t *testing.T) {
	if _, err := exec.LookPath("curl"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip("curl is not on PATH")
	}
	s := startServer(t)
	for _, c := range commandsOf(t, "curl") {
		t.Run(c.topic, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, c.run(t, s, "")); diff != "" {
				t.Errorf("%s\nprints (-text +real):\n%s", c.script, diff)
			}
		})
	}
}

// reading is a line of code that a text sends its reader to.
var reading = regexp.MustCompile(`(?m)^(?:read)? +((?:client|internal|server)/[a-z0-9_/]+\.go)(?: (\w+))?$`)

func TestExplainNamesCodeThatExists(t *testing.T) {
	for _, topic := range topics {
		found := reading.FindAllStringSubmatch(topicText(t, topic), -1)
		if len(found) == 0 {
			t.Errorf("%s names no code", topic)
		}
		for _, m := range found {
			if file, name := filepath.Join("..", m[1]), m[2]; name == "" {
				if _, err := os.Stat(file); err != nil {
					t.Errorf("%s: %v", topic, err)
				}
			} else if !declares(t, file, name) {
				t.Errorf("%s: %s declares no %s", topic, m[1], name)
			}
		}
	}
	if declares(t, "modes.go", "nothing") || !declares(t, "modes.go", "bidi") {
		t.Error("the test does not know what a file declares")
	}
}

// declares reports whether the file has a function, method or type of that name.
func declares(t *testing.T, file, name string) (found bool) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			found = found || n.Name.Name == name
		case *ast.TypeSpec:
			found = found || n.Name.Name == name
		}
		return true
	})
	return found
}
