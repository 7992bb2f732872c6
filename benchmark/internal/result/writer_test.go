package result

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWriterAppendsWholeLines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	var want []Line
	for range 2 { // the second writer goes on where the first one stopped
		w, err := NewWriter(path)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			line := goodLine(t)
			line.Round = len(want) + 1
			want = append(want, line)
			if err := w.Write(line); err != nil {
				t.Fatal(err)
			}
			// Each line is there as soon as Write returns, not when the file is closed.
			if got, err := ReadFile(path); err != nil || !cmp.Equal(want, got) {
				t.Fatalf("after %d lines: error %v\n%s", len(want), err, cmp.Diff(want, got))
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestWriterRefusesWhatCannotBeRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	w, err := NewWriter(path)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for _, test := range []struct {
		name   string
		change func(*Line)
		want   string
	}{
		{"not a number", func(l *Line) { l.Metrics[0].Value = math.NaN() }, "unsupported value: NaN"},
		{"a negative count", func(l *Line) { l.Calls = -1 }, "calls: minimum"},
		{"another version", func(l *Line) { l.Schema = 0 }, "schema: version 0 is unknown"},
	} {
		line := goodLine(t)
		test.change(&line)
		if err := w.Write(line); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one with %q", test.name, err, test.want)
		}
	}
	if text, err := os.ReadFile(path); err != nil || len(text) > 0 {
		t.Errorf("error %v, and the file holds %q, want nothing", err, text)
	}
}

// A kill can cut the last line anywhere. Whatever is left, the next writer must
// not glue its line onto it, and a resumed run must lose that line only.
func TestWriterAfterAKill(t *testing.T) {
	whole := textOf(t, nil)
	for _, left := range []int{1, 2, len(whole) / 2, len(whole) - 1} {
		path := filepath.Join(t.TempDir(), "run.jsonl")
		if err := os.WriteFile(path, []byte(whole+whole[:left]), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := NewWriter(path); err == nil || !strings.Contains(err.Error(), "resume the run") {
			t.Errorf("%d bytes left: error %v, want a hint at what works", left, err)
		}
		w, lines, err := ResumeWriter(path)
		if err != nil {
			t.Fatal(err)
		}
		if len(lines) != 1 {
			t.Errorf("%d bytes left: %d lines, want 1", left, len(lines))
		}
		if err := w.Write(goodLine(t)); err != nil {
			t.Error(err)
		}
		if err := w.Close(); err != nil {
			t.Error(err)
		}
		if text, err := os.ReadFile(path); err != nil || string(text) != whole+whole {
			t.Errorf("%d bytes left: error %v, file:\n%s", left, err, text)
		}
	}
}

func TestResumeWriter(t *testing.T) {
	good := textOf(t, nil)
	partial := textOf(t, func(document map[string]any) { document["verdicts"] = []any{"partial"} })
	for _, test := range []struct {
		name, text, kept string
		want             string // of the error
	}{
		{"an empty file", "", "", "no whole line"},
		{"a first line that is broken off", good[:40], good[:40], "no whole line"},
		{"a long broken line", good + strings.Repeat("x", 200_000), good, ""},
		{"a slice that was interrupted", good + good + partial, good + good, ""},
		{"one, and a broken line", good + partial + good[:40], good, ""},
		{"nothing but one", partial, partial, "no whole line"},
		{"a whole file", good + good, good + good, ""},
		{"a broken line in the middle", "{\n" + good, "{\n" + good, "not JSON"},
		{"a broken line in the middle and one at the end", "{\n" + good + "{", "{\n" + good + "{", "not JSON"},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "run.jsonl")
			if err := os.WriteFile(path, []byte(test.text), 0o644); err != nil {
				t.Fatal(err)
			}
			w, lines, err := ResumeWriter(path)
			switch {
			case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
				t.Errorf("error %v, want one with %q", err, test.want)
			case test.want == "" && err != nil:
				t.Error(err)
			case err == nil:
				defer w.Close()
				if want := strings.Count(test.kept, "\n"); len(lines) != want {
					t.Errorf("%d lines, want %d", len(lines), want)
				}
			}
			if text, err := os.ReadFile(path); err != nil || string(text) != test.text {
				t.Errorf("error %v, and before anything is written the file is %q, want %q", err, text, test.text)
			}
			if test.want != "" || err != nil {
				return
			}
			if err := w.Write(goodLine(t)); err != nil {
				t.Error(err)
			}
			if text, err := os.ReadFile(path); err != nil || string(text) != test.kept+good {
				t.Errorf("error %v, and afterwards the file is %q, want %q", err, text, test.kept+good)
			}
		})
	}
}

func TestOneWriterOfAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	first, err := NewWriter(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Write(goodLine(t)); err != nil {
		t.Fatal(err)
	}
	if _, _, err := ResumeWriter(path); !errors.Is(err, ErrLocked) || !strings.Contains(err.Error(), path) {
		t.Errorf("a second writer: error %v, want ErrLocked and the name", err)
	}
	if lines, err := ReadFile(path); err != nil || len(lines) != 1 {
		t.Errorf("a reader: %d lines, error %v, want 1", len(lines), err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second, _, err := ResumeWriter(path)
	if err != nil {
		t.Fatal(err)
	}
	_ = second.Close()
}

// What a server says goes into a file of results, and it may say a lot.
func TestErrorTextsAreCut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	w, err := NewWriter(path)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for _, test := range []struct{ text, want string }{
		{"short", "short"},
		{strings.Repeat("x", 1024), strings.Repeat("x", 1024)},
		{strings.Repeat("x", 5<<20), strings.Repeat("x", 1021) + "…"},
		{strings.Repeat("é", 5<<20), strings.Repeat("é", 510) + "…"},
		{"bytes \xff\xfe that are no text", "bytes \uFFFD that are no text"},
	} {
		line := goodLine(t)
		line.FirstError, line.Plan = test.text, &Plan{Rounds: 1, Lines: 1, SliceNS: 1, Cases: "ab", Skipped: []string{test.text}}
		if err := w.Write(line); err != nil {
			t.Fatal(err)
		}
		lines, err := ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		last := lines[len(lines)-1]
		if last.FirstError != test.want || last.Plan.Skipped[0] != test.want || line.Plan.Skipped[0] != test.text {
			t.Errorf("of %d bytes %d and %d are left, of which the last are %q", len(test.text), len(last.FirstError),
				len(last.Plan.Skipped[0]), last.FirstError[max(0, len(last.FirstError)-8):])
		}
	}
}

func TestResumeWriterMakesNoFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	if _, _, err := ResumeWriter(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v, want os.ErrNotExist", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("afterwards: error %v, want os.ErrNotExist", err)
	}
}

func TestWriterWithoutADirectory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none", "run.jsonl")
	if _, err := NewWriter(path); err == nil || !strings.Contains(err.Error(), "open result file") {
		t.Errorf("error %v, want one that says what could not be opened", err)
	}
}
