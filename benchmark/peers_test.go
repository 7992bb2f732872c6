package main

import (
	"strings"
	"testing"

	"example.com/greet/benchmark/internal/peer/peertest"
)

func TestPlanNamesPeersThatAreSkipped(t *testing.T) {
	peertest.Elsewhere(t, "sh", false)
	var stdout, stderr strings.Builder
	status := execute(t.Context(), []string{"plan", "--peers", "--scenarios", "unary"}, &stdout, &stderr)
	if want := "skipped: peer elsewhere: it is not built: make peers builds it\n"; status != exitGood || !strings.Contains(stderr.String(), want) {
		t.Errorf("status %d, log %s\nwant %s", status, stderr.String(), want)
	}
}

func TestPeersCommand(t *testing.T) {
	peertest.Elsewhere(t, "sh", false)
	for _, tt := range []struct{ args, want string }{
		{"peers", "elsewhere          sh       it is not built: make peers builds it\n"},
		{"peers --build", "elsewhere          sh       tonic 0.14, prost 0.14\n"},
		{"peers elsewhere", "elsewhere          sh       tonic 0.14, prost 0.14\n"},
	} {
		var stdout, stderr strings.Builder
		status := execute(t.Context(), strings.Fields(tt.args), &stdout, &stderr)
		if status != exitGood || stdout.String() != tt.want {
			t.Errorf("%s: status %d, log %s\ngot  %swant %s", tt.args, status, stderr.String(), stdout.String(), tt.want)
		}
	}
	var stdout, stderr strings.Builder
	status := execute(t.Context(), []string{"peers", "--build", "elsewere"}, &stdout, &stderr)
	if want := `no peer is named "elsewere": did you mean elsewhere? benchmark peers lists all`; status != exitUsage || !strings.Contains(stderr.String(), want) {
		t.Errorf("status %d, log %s\nwant %s", status, stderr.String(), want)
	}
}
