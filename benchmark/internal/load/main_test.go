package load

import (
	"os"
	"testing"
	"time"
)

// TestMain has the tests run on any clock: that of testing/synctest does not go on
// while the kernel puts a thread to sleep.
func TestMain(m *testing.M) {
	realNap, nap = nap, time.Sleep
	os.Exit(m.Run())
}

// realNap is nap as it is outside of tests.
var realNap func(time.Duration)

func TestNapIsNotShort(t *testing.T) {
	for _, d := range []time.Duration{0, 50 * time.Microsecond, 2 * time.Millisecond} {
		start := time.Now()
		realNap(d)
		if got := time.Since(start); got < d {
			t.Errorf("nap of %v took %v", d, got)
		}
	}
}
