package process

import (
	"errors"
	"testing"
)

func TestMemoryIsWhatTheServerStillNeeds(t *testing.T) {
	s, err := start(t, "litters")
	if err != nil {
		t.Fatal(err)
	}
	stats, err := s.Stats()
	if err != nil || stats.PeakBytes < 64<<20 {
		t.Fatalf("peak %d bytes, error %v, want at least the 64 MiB used", stats.PeakBytes, err)
	}
	held, err := s.Memory()
	if err != nil || held < 1<<20 || held > stats.PeakBytes-48<<20 {
		t.Errorf("holds %d bytes of at most %d, error %v, want what was used given back", held, stats.PeakBytes, err)
	}
	if _, err := s.Stats(); err != nil {
		t.Errorf("stats after a memory request: %v", err)
	}
}

func TestMemoryOfServerThatIgnoresTheControlSocket(t *testing.T) {
	s, err := start(t, "silent")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Stats(); !errors.Is(err, ErrNoStats) {
		t.Fatalf("error %v, want ErrNoStats", err)
	}
	for range 2 { // both come at once: it is asked no more
		if held, err := s.Memory(); err != nil || held < 1<<20 {
			t.Errorf("holds %d bytes, error %v, want what the system says", held, err)
		}
	}
	if err := s.Stop(controlPatience); err != nil {
		t.Log(err) // it was not made to end in order
	}
	if _, err := s.Memory(); err == nil {
		t.Error("no error for a server that has gone")
	}
}
