package report

import (
	"strings"
	"testing"
)

func TestCommandsCanBePasted(t *testing.T) {
	long := "go run ./benchmark --stacks " + strings.Repeat("x", 2*maxText)
	for command, want := range map[string]string{
		"go run ./benchmark --cases 'a|b'":   "`go run ./benchmark --cases 'a|b'`",
		"go run ./benchmark --cases 'a`b'":   "``go run ./benchmark --cases 'a`b'``",
		"`which benchmark`":                  "`` `which benchmark` ``",
		"go run ./benchmark\n--stacks x\x1b": "`go run ./benchmark --stacks x `",
		long:                                 "`" + long + "`",
	} {
		if got := commandCode(command); got != want {
			t.Errorf("commandCode(%q) is %s, want %s", command, got, want)
		}
	}
}

func TestCodeEndsNoCell(t *testing.T) {
	if got, want := codeInCell("a|b`c"), "`a\\|b'c`"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
