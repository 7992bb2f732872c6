package report

import (
	"regexp"
	"strings"
	"testing"

	"example.com/greet/benchmark/internal/result"
)

// Texts from outside must stay texts in a page, and in its figures.
func TestHTMLEscapes(t *testing.T) {
	const bad = `</style></script><script>alert(1)</script>`
	lines := readRun(t, "two-rounds")
	for i := range lines {
		l := &lines[i]
		l.Case.Stack += bad
		l.Case.Client, l.FirstError = bad, bad
		l.Environment.CPU, l.Environment.Command, l.Environment.Commit = bad, bad, bad
		l.Metrics[0].Unit += bad
		if l.Case.Mode == "bidi" {
			l.Errors = map[string]int64{bad: 1}
		}
	}
	text := written(t, HTML, newReport(t, lines))
	if n := strings.Count(text, "<script>"); n != 1 {
		t.Errorf("%d scripts, want our own", n)
	}
	if !strings.Contains(text, "&lt;script&gt;alert(1)") {
		t.Error("the text is not there at all")
	}
}

// A page must load nothing. TestHTMLInChromium sees it happen; this needs no browser.
func TestHTMLNamesNothingToLoad(t *testing.T) {
	text := written(t, HTML, newReport(t, readRun(t, "six-rounds")))
	loading := regexp.MustCompile(`(?i)(src|srcset|action|data|poster)=|@import|url\(|href="[^#d]`)
	if found := loading.FindString(text); found != "" {
		t.Errorf("the page has %q", found)
	}
	if !strings.Contains(text, `content="default-src 'none';`) {
		t.Error("the page has no policy")
	}
}

func TestHTMLSummary(t *testing.T) {
	good := written(t, HTML, newReport(t, readRun(t, "two-rounds")))
	if !strings.Contains(good, "All 11 cases have figures that stand.") {
		t.Error("a good run is not called good")
	}
	bad := written(t, HTML, newReport(t, readRun(t, "six-rounds")))
	for _, want := range []string{
		"58 of 59 cases have figures that stand.", "<strong>errors</strong>: 1 case without a figure",
		"<li><code>connect-go/connect/h3</code>, family: unary, 16 B, concurrency 16",
		"git checkout 8d1364e\ngo run ./benchmark --rounds 6",
	} {
		if !strings.Contains(bad, want) {
			t.Errorf("no %q in the page", want)
		}
	}
}

// Each verdict is explained, new ones too.
func TestEveryVerdictHasARemark(t *testing.T) {
	for _, v := range result.Verdicts {
		if remarks[v] == "" {
			t.Errorf("%s has no remark", v)
		}
		if !v.Disqualifies() && v != result.ThinPercentile && signs[v] == "" {
			t.Errorf("%s has no sign", v)
		}
	}
	seen := map[string]result.Verdict{}
	for v, sign := range signs {
		if other, ok := seen[sign]; ok {
			t.Errorf("%s and %s share the sign %s", v, other, sign)
		}
		seen[sign] = v
	}
}

func TestReproduce(t *testing.T) {
	for commit, want := range map[string]string{
		"abc": "git checkout abc\ngo run ./benchmark", "abc-dirty": "go run ./benchmark", "unknown": "go run ./benchmark",
	} {
		if got := reproduce(result.Environment{Commit: commit, Command: "go run ./benchmark"}); got != want {
			t.Errorf("%s: %q, want %q", commit, got, want)
		}
	}
}
