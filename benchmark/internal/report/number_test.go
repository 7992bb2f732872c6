package report

import (
	"testing"

	"example.com/greet/benchmark/internal/result"
)

func TestFigure(t *testing.T) {
	for _, test := range []struct {
		low, median, high float64
		n                 int
		want              string
	}{
		{20100, 20844, 21500, 6, "20,800 (20,100–21,500)"},
		{20700, 20844, 21000, 6, "20,840 (20,700–21,000)"},
		{20843, 20844, 20845, 6, "20,844.0 (20,843.0–20,845.0)"},
		{187.31, 188.44, 190.02, 6, "188.4 (187.3–190.0)"},
		{0.011, 0.0123, 0.0141, 6, "0.0123 (0.0110–0.0141)"},
		{1e6, 1234567, 1.5e6, 6, "1,200,000 (1,000,000–1,500,000)"},
		{5, 5, 5, 6, "5.00 (5.00–5.00)"},
		{0, 0, 0, 6, "0 (0–0)"},
		{5123.4, 5123.4, 5123.4, 1, "5,120"},
		{0.5, 0.5, 0.5, 1, "0.500"},
		{999.96, 999.96, 999.96, 1, "1,000"},
	} {
		got := figure(result.Estimate{N: test.n, Median: test.median, Low: test.low, High: test.high})
		if got != test.want {
			t.Errorf("%g (%g–%g) is %q, want %q", test.median, test.low, test.high, got, test.want)
		}
	}
}

func TestByteCount(t *testing.T) {
	for n, want := range map[int]string{
		0: "0 B", 16: "16 B", 1000: "1,000 B", 1023: "1,023 B", 1024: "1 KiB", 1536: "1,536 B", 2 << 20: "2 MiB", 64 << 10: "64 KiB", 1 << 30: "1 GiB",
	} {
		if got := Bytes(n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
}

func TestSeconds(t *testing.T) {
	for ns, want := range map[int64]string{0: "0", 74_000_000: "0.074", 316_000_000: "0.32", 1_900_000_000: "1.9", 12_345_000_000: "12"} {
		if got := seconds(ns); got != want {
			t.Errorf("%d ns is %q, want %q", ns, got, want)
		}
	}
}
