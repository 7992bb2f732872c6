package report

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// TestHTMLInChromium opens a page in a browser: tables sort by mouse and keyboard,
// nothing is loaded, nothing complains, and all can be read in light, dark and
// print. What is checked is in tools/playwright/report.mjs.
func TestHTMLInChromium(t *testing.T) {
	tools := filepath.Join("..", "..", "..", "tools", "playwright")
	if _, err := os.Stat(filepath.Join(tools, "node_modules", "playwright-core")); err != nil {
		skip(t, "playwright-core is not installed: run npm ci in tools/playwright")
	}
	if _, err := exec.LookPath("node"); err != nil {
		skip(t, "node is not on PATH")
	}
	browser, err := exec.LookPath("chromium")
	if err != nil {
		skip(t, "chromium is not on PATH: make chromium installs it")
	}
	page := filepath.Join(t.TempDir(), "report.html")
	all := slices.Concat(readRun(t, "six-rounds"), madeRun(t, 2))
	if err := os.WriteFile(page, []byte(written(t, HTML, newReport(t, all))), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "node", filepath.Join(tools, "report.mjs"), page)
	cmd.Env = append(os.Environ(), "CHROMIUM="+browser)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
