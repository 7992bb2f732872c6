package run

import (
	"testing"

	"example.com/greet/benchmark/internal/plan"
)

func TestRateHasThreeDigits(t *testing.T) {
	for _, test := range []struct{ in, want float64 }{
		{34567, 34600},
		{34549.9, 34500},
		{1_234_567, 1_230_000},
		{999.9, 1000},
		{123.4, 123},
		{12.34, 12.3},
		{0.1234, 0.123},
		{100, 100},
	} {
		if got := rate(test.in); got != test.want {
			t.Errorf("rate(%g) = %v, want %v", test.in, got, test.want)
		}
	}
}

func TestOnlyCasesWithALoadGetARate(t *testing.T) {
	measured := rates{capacities: map[calibration]float64{{"open", "a/grpc/h2c", "own"}: 20_000}}
	var e plan.Entry
	e.Case.Scenario, e.Case.Stack, e.Case.Client = "open", "a/grpc/h2c", "own"
	if got := measured.rated(e).Case.Rate; got != 0 {
		t.Errorf("a closed loop got rate %g", got)
	}
	e.Case.Load = 0.7
	if got := measured.rated(e).Case.Rate; got != 14_000 {
		t.Errorf("rate %g, want 70%% of 20,000", got)
	}
	// Rates that are equal would make two cases one.
	e.Case.Stack = "dead/grpc/h2c"
	for _, e.Case.Load = range []float64{0.1, 0.3, 0.5, 0.7, 0.9} {
		if got, want := measured.rated(e).Case.Rate, 10*e.Case.Load; got != want {
			t.Errorf("rate %g of a server that answers nothing, want %g", got, want)
		}
	}
}
