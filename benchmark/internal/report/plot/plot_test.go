package plot

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

var update = flag.Bool("update", false, "write the golden files anew")

func thousands(v float64) string { return strconv.FormatFloat(v/1000, 'g', -1, 64) + "k" }

// figures of each kind, with all that a figure can have.
var figures = []Figure{
	{
		Name: "lines", Title: "Throughput by concurrency", About: "Unary · 16 B.",
		X: Axis{Label: "calls in flight", Log: true, Ticks: []Tick{{1, "1"}, {4, "4"}, {16, "16"}}},
		Y: Axis{Label: "throughput, req/s", Log: true, Text: thousands},
		Lines: []Line{
			{Label: "grpc-go/grpc/h2c", Colour: 0, Points: []Point{
				{X: 1, Y: 5000, Low: 4800, High: 5100, Text: "5,000"}, {X: 4, Y: 13000}, {X: 16, Y: 26000, Low: 20000, High: 30000},
			}},
			{Label: "connect-go/connect/h3", Colour: 1, Points: []Point{{X: 1, Y: 2000}, {X: 16, Y: 7000, Gap: true}}},
			{Label: "connect-go/connect/h2c", Colour: 2, Points: []Point{{X: 16, Y: 25900}}},
		},
	},
	{
		Name: "dots", Title: "How much of a call is the framework?", About: "Unary · 16 B.",
		X: Axis{Label: "time for a call, × floor", Reference: 1, Text: func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) + "×" }},
		Dots: []Dot{
			{Label: "grpc-go/grpc/h2c", Colour: 0, Value: 3.1, Low: 3, High: 3.3, Text: "3.1× (3.0–3.3)"},
			{Label: "connect-go/connect/h3", Colour: 1, Value: 8, Low: 8, High: 8, Text: "8×"},
		},
	},
}

func file(t *testing.T, f Figure) string {
	t.Helper()
	var b bytes.Buffer
	if err := f.WriteFile(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestGolden(t *testing.T) {
	for _, f := range figures {
		path, got := filepath.Join("testdata", f.Name+".svg"), file(t, f)
		if *update {
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%s: if the change is meant, run go test -update\n-want +got:\n%s", path, diff)
		}
	}
}

// Whatever the words are, the file stays XML and they stay words.
func TestTextsStayTexts(t *testing.T) {
	bad := `<script>alert("1")</script> & 'x' ]]>`
	for _, f := range figures {
		f.Title, f.About, f.X.Label = bad, bad, bad
		f.Lines, f.Dots = append([]Line(nil), f.Lines...), append([]Dot(nil), f.Dots...)
		for i := range f.Lines {
			f.Lines[i].Label = bad
			f.Lines[i].Points = []Point{{X: 1, Y: 2000, Text: bad}, {X: 4, Y: 3000}}
		}
		for i := range f.Dots {
			f.Dots[i].Label, f.Dots[i].Text = bad, bad
		}
		text := file(t, f)
		if strings.Contains(text, "<script") {
			t.Errorf("%s: a text became an element", f.Name)
		}
		found := 0
		for decoder := xml.NewDecoder(strings.NewReader(text)); ; {
			token, err := decoder.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", f.Name, err)
			}
			if data, ok := token.(xml.CharData); ok && string(data) == bad {
				found++
			}
		}
		if found < 4 {
			t.Errorf("%s: the text is there %d times, want it wherever there is one", f.Name, found)
		}
	}
}

func TestInlineHasNoStyleOfItsOwn(t *testing.T) {
	text, err := figures[0].Inline()
	if err != nil || strings.Contains(string(text), "<style") || !strings.HasPrefix(string(text), "<svg") {
		t.Errorf("error %v, text %.80s", err, text)
	}
	if whole := file(t, figures[0]); !strings.Contains(whole, "prefers-color-scheme: dark") {
		t.Error("a file knows no dark")
	}
}

func TestSpread(t *testing.T) {
	for _, test := range []struct {
		name string
		at   []float64
		want []float64
	}{
		{"far apart", []float64{80, 20, 50}, []float64{80, 20, 50}},
		{"one place", []float64{50, 50, 50}, []float64{40, 50, 60}},
		{"two that touch", []float64{50, 54}, []float64{47, 57}},
		{"a block that meets another", []float64{50, 50, 62, 62}, []float64{41, 51, 61, 71}},
		{"at the top", []float64{0, 1, 2}, []float64{0, 10, 20}},
		{"at the bottom", []float64{99, 100}, []float64{90, 100}},
		{"no more room than need be", []float64{5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5}, []float64{0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100}},
		{"none", nil, []float64{}},
	} {
		got := spread(test.at, 10, 0, 100)
		if diff := cmp.Diff(test.want, got, cmpopts.EquateApprox(0, 0.01)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", test.name, diff)
		}
	}
}

func TestTicks(t *testing.T) {
	for _, test := range []struct {
		scale scale
		want  []float64
	}{
		{scale{low: 0, high: 430}, []float64{0, 100, 200, 300, 400}},
		{scale{low: 0, high: 8.3}, []float64{0, 2, 4, 6, 8}},
		{scale{low: 0, high: 0.021}, []float64{0, 0.005, 0.01, 0.015, 0.02}},
		{scale{log: true, low: 900, high: 1.1e7}, []float64{1e3, 1e4, 1e5, 1e6, 1e7}},
		{scale{log: true, low: 280, high: 11000}, []float64{300, 1000, 3000, 10000}},
		{scale{log: true, low: 680, high: 6200}, []float64{700, 1000, 1500, 2000, 3000, 5000}},
		{scale{log: true, low: 1500, high: 30000}, []float64{2000, 5000, 10000, 20000}},
	} {
		if diff := cmp.Diff(test.want, test.scale.ticks(), cmpopts.EquateApprox(1e-9, 0)); diff != "" {
			t.Errorf("%+v: -want +got:\n%s", test.scale, diff)
		}
	}
}

// A linear axis begins at 0; on a logarithmic one a factor is a distance.
func TestScale(t *testing.T) {
	linear := fit(Axis{}, []float64{90, 100}, 0, 105)
	if got := linear.at(0); got != 0 {
		t.Errorf("0 is at %g, want the axis to begin there", got)
	}
	if got := linear.at(100); math.Abs(got-100) > 1e-9 {
		t.Errorf("100 is at %g, want 100", got)
	}
	logs := fit(Axis{Log: true}, []float64{10, 1000}, 0, 300)
	first, second := logs.at(100)-logs.at(10), logs.at(1000)-logs.at(100)
	if math.Abs(first-second) > 1e-9 || first <= 0 {
		t.Errorf("a factor of 10 is %g and then %g long", first, second)
	}
	if same := fit(Axis{}, []float64{0, 0}, 0, 100); math.IsNaN(same.at(0)) {
		t.Error("values that are all 0 have no place")
	}
}

func TestDecades(t *testing.T) {
	for _, test := range []struct {
		values []float64
		want   bool
	}{
		{[]float64{1, 9.9}, false}, {[]float64{1, 5, 10}, true}, {[]float64{0, 5, 100}, false}, {nil, false},
	} {
		if got := Decades(test.values); got != test.want {
			t.Errorf("%v: %t, want %t", test.values, got, test.want)
		}
	}
}

// Lines of one colour must differ in their markers.
func TestLinesOfOneColourDiffer(t *testing.T) {
	seen := map[[2]string]bool{}
	lines := []Line{{Colour: 1}, {Colour: 2}, {Colour: 1}, {Colour: 1 + Colours}, {Colour: 2}}
	for i, marker := range markersOf(lines) {
		look := [2]string{colourClass(lines[i].Colour), markers[marker]}
		if seen[look] {
			t.Errorf("line %d looks like another", i)
		}
		seen[look] = true
	}
}

func TestEmptyFigure(t *testing.T) {
	if text := file(t, Figure{Title: "Nothing"}); !strings.Contains(text, "Nothing") {
		t.Errorf("an empty figure is %s", text)
	}
}
