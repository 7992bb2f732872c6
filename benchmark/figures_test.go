package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const published = "results/go-stacks.jsonl"

func TestFiguresAreFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made", "for", "it")
	var stdout bytes.Buffer
	command := reportCommand{Files: []string{published}, Format: "svg", Out: dir}
	if err := command.Run(output{data: &stdout, log: t.Output()}); err != nil {
		t.Fatal(err)
	}
	there, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(there) < 3 {
		t.Fatalf("files %q, error %v, want some", there, err)
	}
	told := map[string]bool{}
	for path := range strings.FieldsSeq(stdout.String()) {
		told[path] = true
	}
	found := map[string]bool{}
	for _, path := range there {
		found[path] = true
		if text, err := os.ReadFile(path); err != nil || !bytes.HasPrefix(text, []byte("<svg ")) {
			t.Errorf("%s: error %v, text %.40q", path, err, text)
		}
	}
	if diff := cmp.Diff(found, told); diff != "" {
		t.Errorf("files told of, -there +told:\n%s", diff)
	}
}

// Figures need a directory, and nothing else may ask for one.
func TestFiguresAndDirectoryGoTogether(t *testing.T) {
	for _, command := range []reportCommand{
		{Files: []string{published}, Format: "svg"},
		{Files: []string{published}, Format: "html", Out: t.TempDir()},
	} {
		err := command.Run(output{data: t.Output(), log: t.Output()})
		if _, ok := errors.AsType[usageError](err); !ok || !strings.Contains(err.Error(), "--out DIR") {
			t.Errorf("format %s, out %q: error %v, want one of usage", command.Format, command.Out, err)
		}
	}
}
