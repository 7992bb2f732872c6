package built

import (
	"os"
	"os/exec"
	"testing"
)

// InChromium runs a script of tools/playwright, which opens pages in a browser and prints
// what is wrong with them. Without Node or Chromium the test is skipped, but not in CI,
// where nothing may be missing.
func InChromium(t *testing.T, script string, args ...string) {
	t.Helper()
	if _, err := os.Stat("tools/playwright/node_modules/playwright-core"); err != nil {
		skip(t, "playwright-core is not installed: run npm ci in tools/playwright")
	}
	for _, program := range []string{"node", "chromium"} {
		if _, err := exec.LookPath(program); err != nil {
			skip(t, program+" is not on PATH")
		}
	}
	args = append([]string{"tools/playwright/" + script}, args...)
	if out, err := exec.CommandContext(t.Context(), "node", args...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func skip(t *testing.T, reason string) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatal(reason)
	}
	t.Skip(reason)
}
