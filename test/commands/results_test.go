package commands_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"testing"
)

// line is what these tests read of a result line, as anybody may who has its schema.
type line struct {
	Run, Seed json.RawMessage
	Plan      *struct{ Lines int }
	Case      struct {
		Stack       string
		Connections int
		Concurrency int
	}
	Workers     *struct{ Count, Shards, Hosts int }
	Calls       int64
	Errors      map[string]int64
	Metrics     []json.RawMessage
	Opened      int64  `json:"connections_opened"`
	Accepted    *int64 `json:"connections_accepted"`
	Verdicts    []string
	Profiles    []string
	Environment struct {
		Pinned     bool
		GoMaxProcs int
		Commit     string
		Profile    string
	}
}

// readLines reads a result file.
func readLines(file string) (lines []line, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	for decoder := json.NewDecoder(bytes.NewReader(text)); ; {
		var l line
		if err := decoder.Decode(&l); errors.Is(err, io.EOF) {
			return lines, nil
		} else if err != nil {
			return lines, err
		}
		lines = append(lines, l)
	}
}

// readResults reads a result file that must be well-formed.
func readResults(t *testing.T, file string) []line {
	t.Helper()
	lines, err := readLines(file)
	if err != nil {
		t.Fatal(err)
	}
	return lines
}
