package docs_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// block is one ```sh block of a Markdown file, with what it should print: the
// ```text block that follows, if that is the next one. A block without may print
// what it likes.
//
// A comment just above says when it is not run, and why:
//
//	<!-- run: skip REASON -->   never
//	<!-- run: ci REASON -->     only where CI_README is set
type block struct {
	line   int // of its first command, from 1
	script string
	output *string
	when   string // "", "skip" or "ci"
	reason string
}

// server reports whether the block leaves a process running behind it.
func (b block) server() bool { return strings.HasSuffix(strings.TrimSpace(b.script), "&") }

// fence is one fenced block, whatever its language.
type fence struct {
	line     int
	language string
	content  string
	above    string // the last line before it that is not blank
}

var runComment = regexp.MustCompile(`(?m)^<!-- run: *(\S*) *(.*?) *-->$`)

// fences finds the fenced blocks of a Markdown file.
func fences(markdown string) (found []fence) {
	open, above := false, ""
	for i, line := range strings.Split(markdown, "\n") {
		language, isFence := strings.CutPrefix(line, "```")
		switch {
		case isFence && open:
			open, above = false, ""
		case isFence:
			open = true
			found = append(found, fence{line: i + 2, language: language, above: above})
		case open:
			found[len(found)-1].content += line + "\n"
		case line != "":
			above = line
		}
	}
	return found
}

// parseBlocks finds the blocks of a Markdown file. It refuses what would
// silently not be tested.
func parseBlocks(markdown string) ([]block, error) {
	var blocks []block
	comments := len(runComment.FindAllString(markdown, -1))
	all := fences(markdown)
	for i, f := range all {
		if slices.Contains([]string{"bash", "console", "shell", "zsh"}, f.language) {
			return nil, fmt.Errorf("line %d: a block of %s is not run: call it sh", f.line, f.language)
		}
		if f.language != "sh" {
			continue
		}
		b := block{line: f.line, script: f.content}
		if i+1 < len(all) && all[i+1].language == "text" {
			b.output = &all[i+1].content
		}
		if m := runComment.FindStringSubmatch(f.above); m != nil {
			b.when, b.reason = m[1], m[2]
			comments--
		}
		if err := b.check(); err != nil {
			return nil, fmt.Errorf("line %d: %w", f.line, err)
		}
		blocks = append(blocks, b)
	}
	if comments > 0 {
		return nil, fmt.Errorf("%d run comments do not stand just above a block of sh", comments)
	}
	return blocks, nil
}

func (b block) check() error {
	switch {
	case !slices.Contains([]string{"", "skip", "ci"}, b.when):
		return fmt.Errorf("run comment says %q, want skip or ci", b.when)
	case b.when != "" && b.reason == "":
		return fmt.Errorf("run comment gives no reason")
	case b.server() && b.when == "" && b.output == nil:
		return fmt.Errorf("a server needs a text block: what it prints says when it is ready")
	}
	return nil
}

// unfenced writes a Markdown file with ~~~ for fences, which a Go string can hold.
func unfenced(s string) string { return strings.ReplaceAll(s, "~~~", "```") }

func TestParseBlocks(t *testing.T) {
	tests := []struct {
		name, markdown string
		want           []block
		wantErr        string
	}{
		{name: "none", markdown: "# Title\n\n~~~go\nx\n~~~\n"},
		{
			name:     "with and without output",
			markdown: "~~~sh\na\nb\n~~~\ngives\n\n~~~text\nout\n~~~\n~~~sh\nc &\n~~~\n~~~text\nup\n~~~\n~~~sh\nd\n~~~\n~~~go\n~~~\n~~~text\nnot of d\n~~~\n",
			want: []block{
				{line: 2, script: "a\nb\n", output: new("out\n")},
				{line: 11, script: "c &\n", output: new("up\n")},
				{line: 17, script: "d\n"},
			},
		},
		{
			name:     "comments",
			markdown: "<!-- run: skip another machine -->\n\n~~~sh\na\n~~~\n<!-- run: ci slow -->\n~~~sh\nb\n~~~\n",
			want: []block{
				{line: 4, script: "a\n", when: "skip", reason: "another machine"},
				{line: 8, script: "b\n", when: "ci", reason: "slow"},
			},
		},
		{name: "other name", markdown: "x\n~~~console\n$ a\n~~~\n", wantErr: "line 3: a block of console is not run: call it sh"},
		{name: "astray", markdown: "<!-- run: skip why -->\ntext\n~~~sh\na\n~~~\n", wantErr: "1 run comments do not stand just above a block of sh"},
		{name: "unknown", markdown: "<!-- run: later why -->\n~~~sh\na\n~~~\n", wantErr: `line 3: run comment says "later", want skip or ci`},
		{name: "no reason", markdown: "<!-- run: skip -->\n~~~sh\na\n~~~\n", wantErr: "line 3: run comment gives no reason"},
		{name: "silent server", markdown: "~~~sh\na &\n~~~\n", wantErr: "line 2: a server needs a text block: what it prints says when it is ready"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := parseBlocks(unfenced(tt.markdown))
			if gotErr := errorText(err); gotErr != tt.wantErr {
				t.Errorf("error %q, want %q", gotErr, tt.wantErr)
			}
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(block{})); diff != "" {
				t.Errorf("blocks (-want +got):\n%s", diff)
			}
		})
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
