package result

import (
	"testing"
)

// Critical values of Mann and Whitney's U, 5% two-sided, from any table: the
// largest U that is significant is one less than the rank.
func TestRankSumRank(t *testing.T) {
	for _, test := range []struct{ n, m, want int }{
		{3, 3, 0}, {4, 4, 1}, {3, 5, 1}, {5, 5, 3}, {6, 6, 6}, {8, 8, 14}, {7, 9, 13}, {10, 10, 24}, {10, 15, 40}, {20, 20, 128},
	} {
		if got := rankSumRank(test.n, test.m); got != test.want {
			t.Errorf("n=%d, m=%d: rank %d, want %d", test.n, test.m, got, test.want)
		}
		if a, b := rankSumRank(test.n, test.m), rankSumRank(test.m, test.n); a != b {
			t.Errorf("n=%d, m=%d: rank %d, and %d the other way round", test.n, test.m, a, b)
		}
	}
}
