package stack

import (
	"strings"
	"testing"
)

func TestModuleVersionNeverGuesses(t *testing.T) {
	if got, want := ModuleVersion("example.org/no/such/module"), "example.org/no/such/module (version unknown)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	const linked = "google.golang.org/protobuf"
	got := ModuleVersion(linked)
	if !strings.HasPrefix(got, linked+" v") && got != linked+" (version unknown)" {
		t.Errorf("got %q, want a version, or that it is unknown", got)
	}
}
