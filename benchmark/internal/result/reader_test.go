package result

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// textOf is the good line as JSON, changed as the test likes.
func textOf(t *testing.T, change func(document map[string]any)) string {
	t.Helper()
	text, err := encode(goodLine(t))
	if err != nil {
		t.Fatal(err)
	}
	if change == nil {
		return string(text)
	}
	var document map[string]any
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	change(document)
	changed, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	return string(changed) + "\n"
}

func TestRead(t *testing.T) {
	good := textOf(t, nil)
	for _, text := range []string{good + good, good + strings.TrimSuffix(good, "\n")} {
		lines, err := Read(strings.NewReader(text), "file")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]Line{goodLine(t), goodLine(t)}, lines); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
}

func TestReadErrors(t *testing.T) {
	good := textOf(t, nil)
	longer := histogramOf(t, Latency, 2000, 3*time.Millisecond)
	set := func(key string, value any) string {
		return textOf(t, func(document map[string]any) {
			steps := strings.Split(key, ".")
			for _, step := range steps[:len(steps)-1] {
				if list, ok := document[step].([]any); ok {
					document = list[0].(map[string]any)
				} else {
					document = document[step].(map[string]any)
				}
			}
			document[steps[len(steps)-1]] = value
		})
	}
	without := func(key string) string {
		return textOf(t, func(document map[string]any) { delete(document, key) })
	}
	for _, test := range []struct {
		name, text string
		line       int
		field      string
		want       string
	}{
		{"an empty file", "", 0, "", "the file is empty"},
		{"a blank line", good + "\n" + good, 2, "", "blank"},
		{"a broken last line", good + good[:100], 2, "", "broken off"},
		{"a broken line in the middle", good[:100] + "\n" + good, 1, "", "not JSON"},
		{"two lines glued together", good[:100] + good + good, 1, "", "not JSON"},
		{"not JSON", "goos: linux\n", 1, "", "not JSON"},
		{"NaN", strings.Replace(good, `"value":2000`, `"value":NaN`, 1), 1, "", "JSON has no NaN"},
		{"not an object", "[1]\n", 1, "", "not a JSON object"},
		{"null", "null\n", 1, "", "not a JSON object"},
		{"a line without end", strings.Repeat(" ", maxLineBytes+1), 1, "", "longer than"},
		{"an unknown version", set("schema", 2), 1, "schema", "this program reads version 1"},
		{"a version that is no number", set("schema", "1"), 1, "schema", "must be 1"},
		{"no version", without("schema"), 1, "schema", "it is missing"},
		{"no window", without("window_ns"), 1, "window_ns", "it is missing"},
		{"an unknown key", set("case.colour", "red"), 1, "case.colour", "there is no such field"},
		{"a key in capitals", set("WINDOW_NS", 1), 1, "WINDOW_NS", "there is no such field"},
		{"a negative count", good + set("calls", -1), 2, "calls", "minimum: got -1, want 0"},
		{"a window of no time with successes", set("window_ns", 0), 1, "window_ns", "minimum"},
		{"a concurrency of 0", set("case.concurrency", 0), 1, "case.concurrency", "minimum"},
		{"a wrong type", set("case.payload_bytes", "16"), 1, "case.payload_bytes", "got string, want integer"},
		{"half a call", set("calls", 1.5), 1, "calls", "want integer"},
		{"more calls than fit", set("calls", 1e300), 1, "calls", "maximum"},
		{"a number beyond float64", strings.Replace(good, `"value":2000`, `"value":1e999`, 1), 1, "metrics.value", "does not fit"},
		{"a mode that does not exist", set("case.mode", "stream"), 1, "case.mode", "must be one of"},
		{"a stack without transport", set("case.stack", "grpc-go/grpc"), 1, "case.stack", "does not match pattern"},
		{"a direction that does not exist", set("metrics.better", "bigger"), 1, "metrics[0].better", "must be one of"},
		{"a verdict that does not exist", set("verdicts", []any{"slow"}), 1, "verdicts[0]", "must be one of"},
		{"a time that is none", set("started", "yesterday"), 1, "started", "not valid date-time"},
		{"a histogram and metrics without a success", set("calls", 0), 1, "histograms", "maxItems: got 1, want 0"},
		{"a metric twice", set("metrics", []any{metricNamed("a"), metricNamed("a")}), 1, "metrics[1].name", "given twice"},
		{"buckets that are none", set("histograms.encoded", "AAAA"), 1, "histograms[0]", "decode histogram"},
		{"buckets that hold more", set("histograms.count", 7), 1, "histograms[0]", "its count says 7"},
		{"a mean that is not the buckets'", set("histograms.mean_ns", 5), 1, "histograms[0]", "its buckets say"},
		{"a percentile that is not", set("histograms.p50_ns", 5), 1, "histograms[0]", "p50 is 5 ns"},
		{"a thin percentile", set("histograms.p99_ns", 5), 1, "histograms[0]", "must be null"},
		{"a percentile kept back", set("histograms.p90_ns", nil), 1, "histograms[0]", "p90 is null, but 2000 samples are enough"},
		{"a maximum below the median", set("histograms.max_ns", 5), 1, "histograms[0]", "max_ns is 5, its buckets say"},
		{"unweighed samples that are not there", set("histograms.encoded_unweighed", longer.Encoded), 1, "histograms[0]", "encoded_unweighed has 2000 samples"},
		{"a rate that is not calls over window", set("metrics.value", 4000), 1, "metrics[0].value", "the counts over the window are 2000"},
		{"a rate of another window", set("window_ns", 2_000_000_000), 1, "metrics[0].value", "the counts over the window are 1000"},
		{"calls that the histogram does not have", set("calls_after_window", 7), 1, "histograms", "latency has 2000 samples of 2007 calls"},
		{"more sent than calls send", set("messages_sent", 2001), 1, "messages_sent", "it is 2001, and 2000 calls send 1 each"},
		{"more sent than client streams of drawn lengths send", strings.Replace(set("messages_sent", 22_001), `"mode":"unary"`, `"mode":"client_stream"`, 1), 1, "messages_sent", "2000 calls send"},
		{"replies that no call received", set("messages_received", 1999), 1, "messages_received", "it is 1999"},
		{"a round after the last", set("round", 10), 1, "round", "it is 10, and the plan has 9"},
		{"more than JSON readers keep exact", set("seed", int64(1<<53)), 1, "seed", "maximum"},
		{"more than fits", strings.Replace(good, `"order":3`, `"order":9223372036854775808`, 1), 1, "order", "maximum"},
		{"a figure without bound", set("metrics.value", 1e308), 1, "metrics[0].value", "maximum: got 1×10³⁰⁸, want 1×10¹⁸"},
		{"a figure next to nothing", set("metrics.value", 5e-324), 1, "metrics[0].value", "minimum"},
		{"a name with a line break", set("metrics.name", "rate\nBenchmarkX 1 1 ns/op"), 1, "metrics[0].name", "does not match pattern"},
	} {
		t.Run(test.name, func(t *testing.T) {
			lines, err := Read(strings.NewReader(test.text), "run.jsonl")
			broken, ok := errors.AsType[*LineError](err)
			if !ok {
				t.Fatalf("error %v, want a *LineError", err)
			}
			if lines != nil {
				t.Error("lines came with the error")
			}
			if broken.File != "run.jsonl" || broken.Line != test.line || broken.Field != test.field || !strings.Contains(broken.Text, test.want) {
				t.Errorf("got %v\n(field %q), want line %d, field %q, %q", err, broken.Field, test.line, test.field, test.want)
			}
			if !strings.HasPrefix(err.Error(), "run.jsonl:") {
				t.Errorf("the text %q does not begin with the file", err)
			}
		})
	}
}

// To a schema, 1.0 and 1e3 are whole numbers: another program may write them so.
func TestReadWholeNumbers(t *testing.T) {
	good := textOf(t, nil)
	text := strings.NewReplacer(`"calls":2000`, `"calls":2e3`, `"order":3`, `"order":3.0`, `"schema":1`, `"schema":1.0`).Replace(good)
	if text == good {
		t.Fatal("nothing was replaced")
	}
	lines, err := Read(strings.NewReader(text), "file")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Line{goodLine(t)}, lines); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A line without a number may come from a slice that was stopped anywhere.
func TestNoCountsAreAskedOfALineWithoutANumber(t *testing.T) {
	for _, change := range []func(document map[string]any){
		func(d map[string]any) { d["verdicts"] = []any{"partial"} },
		func(d map[string]any) { d["errors"] = map[string]any{"internal": 1} },
	} {
		text := textOf(t, func(d map[string]any) { change(d); d["messages_sent"], d["window_ns"] = 7, 7 })
		if _, err := Read(strings.NewReader(text), "file"); err != nil {
			t.Error(err)
		}
	}
}

func metricNamed(name string) map[string]any {
	return map[string]any{"name": name, "unit": "1", "better": "higher", "value": 1}
}

func TestReadReportsEachLine(t *testing.T) {
	broken := textOf(t, func(d map[string]any) { d["calls"], d["round"] = -1, 0 })
	_, err := Read(strings.NewReader(strings.Repeat(broken, 2)), "f")
	want := "f:1: calls: minimum: got -1, want 0\nf:1: round: minimum: got 0, want 1\n" +
		"f:2: calls: minimum: got -1, want 0\nf:2: round: minimum: got 0, want 1"
	if err == nil || err.Error() != want {
		t.Errorf("got:\n%v\nwant:\n%s", err, want)
	}
}

func TestReadFileThatIsADirectory(t *testing.T) {
	dir := t.TempDir()
	_, err := ReadFile(dir)
	if want := "read " + dir + ": is a directory"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func TestReadFileThatIsMissing(t *testing.T) {
	if _, err := ReadFile(t.TempDir() + "/none.jsonl"); err == nil || !strings.Contains(err.Error(), "open result file") {
		t.Errorf("error %v, want one that says what could not be opened", err)
	}
}

// FuzzRead feeds the reader anything: it must not panic, must not return lines
// together with an error, and what it reads must survive being written again.
func FuzzRead(f *testing.F) {
	line := `{"schema":1,"run":"r","round":1,"order":1,"started":"2026-11-30T12:00:00Z","case":{"stack":"copy",` +
		`"language":"go","libraries":[],"client":"","scenario":"codec","concurrency":1,"connections":0,` +
		`"payload_bytes":1,"calls_asked":0,"messages_per_call":1},"warmup_calls":0,"window_ns":1,"calls":1,` +
		`"messages_sent":0,"messages_received":0,"metrics":[],"connections_opened":0,"connections_accepted":null,` +
		`"environment":{"host":"","cpu":"","cpus":1,"memory_bytes":0,"gomaxprocs":1,"kernel":"","os":"","arch":"",` +
		`"go":"","build":"","commit":"","pinned":false,"governor":"","virtual":false,"command":""}}` + "\n"
	if _, err := Read(strings.NewReader(line), "seed"); err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{line, line + line[:50], "", "\n", "{}", "[]", `{"schema":2}`, `{"schema":1e999}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		lines, err := Read(bytes.NewReader(text), "fuzz")
		if (err == nil) == (len(lines) == 0) {
			t.Fatalf("%d lines with error %v", len(lines), err)
		}
		for _, l := range lines {
			Judge(&l)
			if _, err := encode(l); err != nil {
				t.Fatalf("what was read cannot be written: %v", err)
			}
		}
	})
}
