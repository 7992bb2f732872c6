package run

import "testing"

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
		{0, 1},
	} {
		if got := rate(test.in); got != test.want {
			t.Errorf("rate(%g) = %v, want %v", test.in, got, test.want)
		}
	}
}

func TestOnlyCasesWithALoadGetARate(t *testing.T) {
	measured := rates{capacities: map[[2]string]float64{{"open", "a/grpc/h2c"}: 20_000}}
	s := slice{}
	s.kase.Scenario, s.kase.Stack = "open", "a/grpc/h2c"
	if got := measured.rated(s).kase.Rate; got != 0 {
		t.Errorf("a closed loop got rate %g", got)
	}
	s.kase.Load = 0.7
	if got := measured.rated(s).kase.Rate; got != 14_000 {
		t.Errorf("rate %g, want 70%% of 20,000", got)
	}
}
