package report

import (
	"slices"
	"strings"
	"testing"

	"example.com/greet/benchmark/internal/result"
)

func TestReportOfAPartOfARunSaysSoFirst(t *testing.T) {
	lines := readRun(t, "two-rounds")
	plan := func(lines int) *result.Plan { return &result.Plan{Rounds: 300, Lines: lines, SliceNS: 1, Cases: "x"} }
	for _, test := range []struct {
		name    string
		plan    *result.Plan
		profile string
		want    string // how the first remark begins
	}{
		{"nobody planned it", nil, "", ""},
		{"whole", plan(len(lines)), "", ""},
		{"ended early", plan(12_000), "", "Partial: run " + lines[0].Run + " was ended early, with "},
		{"profiled", nil, "cpu", "Profiled (cpu)"},
		{"a peer is missing", &result.Plan{Rounds: 2, Lines: len(lines), SliceNS: 1, Cases: "x", Skipped: []string{"peer x: it is <away>"}}, "",
			"Not measured: peer x: it is &lt;away&gt;."},
	} {
		t.Run(test.name, func(t *testing.T) {
			for i := range lines {
				lines[i].Plan, lines[i].Environment.Profile = test.plan, test.profile
			}
			r := newReport(t, lines)
			first := slices.Concat(conditions(r), remarksOn(r))[0]
			is := strings.HasPrefix(first, "Partial") || strings.HasPrefix(first, "Profiled") || strings.HasPrefix(first, "Not measured")
			if is != (test.want != "") || !strings.HasPrefix(first, test.want) {
				t.Errorf("first remark is %q, want %q", first, test.want)
			}
			if !slices.ContainsFunc(strings.Split(written(t, Markdown, r), "\n"), func(line string) bool {
				return strings.HasPrefix(line, "- "+strings.Split(first, "\n")[0])
			}) {
				t.Errorf("Markdown does not say %q", first)
			}
			if warned := strings.Contains(written(t, HTML, r), `<p class="condition">`); warned != (test.want != "") {
				t.Errorf("HTML warns: %t", warned)
			}
		})
	}
}
