package run

import "testing"

func TestEnvironmentHasTheVariablesThatChangeSpeed(t *testing.T) {
	for name, value := range map[string]string{
		"GOGC": "50", "NODE_OPTIONS": "--max-old-space-size=64", "MALLOC_ARENA_MAX": "1", "GODEBUG": "", "GREET_CI_RUN": "7",
		"PYTHONOPTIMIZE": "2", "PYTHONUNBUFFERED": "1",
	} {
		t.Setenv(name, value)
	}
	got := Environment(t.Context(), "").Variables
	for name, want := range map[string]string{"GOGC": "50", "NODE_OPTIONS": "--max-old-space-size=64", "MALLOC_ARENA_MAX": "1", "PYTHONOPTIMIZE": "2"} {
		if got[name] != want {
			t.Errorf("%s is %q, want %q", name, got[name], want)
		}
	}
	for _, name := range []string{"GODEBUG", "GREET_CI_RUN", "PATH", "PYTHONUNBUFFERED"} {
		if value, ok := got[name]; ok {
			t.Errorf("%s is recorded, as %q", name, value)
		}
	}
}
