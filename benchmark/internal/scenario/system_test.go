package scenario

import (
	"slices"
	"testing"

	"example.com/greet/internal/stack"
)

func TestOnlyLinuxHasTheCases(t *testing.T) {
	stacks := []stack.Stack{{Name: stack.Name{Library: "x", Protocol: stack.GRPC, Transport: stack.H2C}}}
	s := Scenario{Name: "figures", Cases: ofRPC(idleCases)}
	if here := onLinux("linux", "what it tells", s); len(here.Cases(stacks)) == 0 || here.Lacks != nil {
		t.Errorf("on Linux it has %d cases and lacks something", len(here.Cases(stacks)))
	}
	for _, goos := range []string{"darwin", "windows"} {
		there := onLinux(goos, "what it tells", s)
		if got := there.Cases(stacks); len(got) > 0 {
			t.Errorf("on %s it has cases: %v", goos, got)
		}
		if got := there.Lacks(); !slices.Equal(got, []string{"figures: it reads what it tells, which only Linux tells"}) {
			t.Errorf("on %s it lacks %q", goos, got)
		}
	}
}
