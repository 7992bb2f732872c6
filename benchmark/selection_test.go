package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/greet/benchmark/internal/plan"
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/run"
)

// settings are what a command line came to.
type settings struct {
	stacks  int // at least
	control bool
	rounds  int
	window  time.Duration // 0 is the run's own default
	budget  time.Duration
}

func TestSelections(t *testing.T) {
	for _, test := range []struct {
		name      string
		selection selection
		want      settings
	}{
		{"nothing given", selection{}, settings{stacks: 9, rounds: 3}},
		{"rounds enough to compare", selection{Rounds: new(6)}, settings{stacks: 9, control: true, rounds: 6}},
		{"a control that is not wanted", selection{Rounds: new(6), Selection: plan.Selection{Control: new(false)}}, settings{stacks: 9, rounds: 6}},
		{"few stacks", selection{Rounds: new(6), Selection: plan.Selection{Stacks: []string{"grpc-go/grpc/h2c"}}}, settings{stacks: 1, rounds: 6}},
		{"a control that is wanted", selection{Selection: plan.Selection{Control: new(true), Stacks: []string{"grpc-go/grpc/h2c"}}}, settings{stacks: 1, control: true, rounds: 3}},
		{"a scenario of the user's choice", selection{Selection: plan.Selection{Scenarios: []string{"unary"}}}, settings{stacks: 9, rounds: 5}},
		{"publish", selection{Selection: plan.Selection{Publish: true}}, settings{13, true, 10, 200 * time.Millisecond, time.Hour}},
		{"publish, overridden", selection{Rounds: new(12), Slice: new(time.Second), Selection: plan.Selection{Publish: true, Control: new(false), Stacks: []string{"grpc-go/*"}}},
			settings{stacks: 2, rounds: 12, window: time.Second}},
		{"a server of the user's own", selection{Selection: plan.Selection{Target: []string{"mine/grpc/h2c=127.0.0.1:1"}, Control: new(true)}}, settings{stacks: 1, rounds: 3}},
	} {
		t.Run(test.name, func(t *testing.T) {
			r, err := test.selection.newRun(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			last := r.Plan.Targets[len(r.Plan.Targets)-1]
			got := settings{stacksOf(r), last.Replica == plan.Control, r.Rounds, r.Window, r.Budget}
			if got.stacks < test.want.stacks {
				t.Errorf("%d stacks, want at least %d", got.stacks, test.want.stacks)
			}
			got.stacks = test.want.stacks
			if got != test.want {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
			if got.control && len(last.Stack.Refuses) > 0 {
				t.Errorf("the control is %s, which has no %v", last.Stack.Name, last.Stack.Refuses)
			}
		})
	}
}

func TestSelectionErrors(t *testing.T) {
	for want, s := range map[string]selection{
		"--rounds 0: want 1 to 100000":        {Rounds: new(0)},
		"--rounds 1000000000: want":           {Rounds: new(1_000_000_000)},
		"--slice 0s: want 1ms to 1m0s":        {Slice: new(time.Duration(0))},
		"--slice 1h0m0s: want":                {Slice: new(time.Hour)},
		"--deadline 0s: want 1ms to 10m0s":    {Deadline: new(time.Duration(0))},
		"--deadline -1s: want 1ms to 10m0s":   {Deadline: new(-time.Second)},
		"--deadline 11m0s: want 1ms to 10m0s": {Deadline: new(11 * time.Minute)},
	} {
		_, err := s.newRun(t.Context(), nil)
		if _, usage := errors.AsType[usageError](err); !usage || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one of usage that names %s", err, want)
		}
	}
}

func TestCommandToRepeatSaysWhatWasMeasured(t *testing.T) {
	for name := range run.Variables() {
		t.Setenv(name, "")
	}
	got := commandToRepeat([]string{"--resume", "--stacks", "grpc-go/*", "--resume=x.jsonl", "--out", "somewhere", "--out=there", "--cases", "it's|b", "--stacks", ""})
	if want := `go run ./benchmark --stacks 'grpc-go/*' --cases 'it'\''s|b' --stacks ''`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestCommandToRepeatHasTheVariablesThatChangeSpeed(t *testing.T) {
	for name := range run.Variables() {
		t.Setenv(name, "")
	}
	t.Setenv("GOGC", "50")
	t.Setenv("GRPC_EXPERIMENTS", "it's on")
	t.Setenv("GREET_CI_RUN", "7")
	got := commandToRepeat([]string{"--pin"})
	if want := `GOGC=50 GRPC_EXPERIMENTS='it'\''s on' go run ./benchmark --pin`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestSpokenDurations(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0:                                     "0s",
		1234 * time.Millisecond:               "1.2s",
		59*time.Second + 600*time.Millisecond: "1m0s",
		10*time.Minute + 29*time.Second:       "10m",
		time.Hour:                             "1h0m",
	} {
		if got := forPeople(d); got != want {
			t.Errorf("forPeople(%d) = %q, want %q", d, got, want)
		}
	}
}

func TestResumeWithoutARunToGoOnWith(t *testing.T) {
	dir := t.TempDir()
	prepare := func(context.Context, []result.Line) (run.Run, error) { return run.Run{}, nil }
	none := resumed{wanted: true}
	if _, _, err := none.begin(t.Context(), dir, prepare); err == nil || !strings.Contains(err.Error(), "--resume=FILE") {
		t.Errorf("no file: error %v, want one that says how to name one", err)
	}
	empty := filepath.Join(dir, "20261130T120000Z-ffff.jsonl")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{filepath.Join(dir, "none.jsonl"): "open result file", empty: "no whole line to go on from"} {
		named := resumed{wanted: true, file: file}
		if _, _, err := named.begin(t.Context(), dir, prepare); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", file, err, want)
		}
	}
}

func TestWhatALongerRunAdds(t *testing.T) {
	const command = "go run ./benchmark"
	for _, test := range []struct {
		selection selection
		rounds    int
		want      []string // nothing for no word
	}{
		{selection{}, 3, []string{"6 rounds would give intervals", command + " --rounds 6\n", "other scenarios"}},
		{selection{Selection: plan.Selection{Scenarios: []string{"unary"}}}, 5, []string{command + " --rounds 6\n"}},
		{selection{Rounds: new(3)}, 3, nil},
		{selection{Selection: plan.Selection{Publish: true}}, 10, nil},
	} {
		got, err := test.selection.longer(t.Context(), test.rounds, command)
		if err != nil || len(test.want) == 0 && got != "" {
			t.Errorf("%d rounds: %q, %v, want nothing", test.rounds, got, err)
		}
		for _, want := range test.want {
			if !strings.Contains(got, want) {
				t.Errorf("%d rounds: %q, want %q", test.rounds, got, want)
			}
		}
	}
}
