package main

import (
	"strings"
	"testing"

	"example.com/greet/benchmark/internal/peer/peertest"
)

func TestStacksCommand(t *testing.T) {
	peertest.Elsewhere(t, "sh", false)
	var stdout, stderr strings.Builder
	if status := execute(t.Context(), []string{"stacks"}, &stdout, &stderr); status != exitGood {
		t.Fatalf("status %d, log %s", status, stderr.String())
	}
	for _, want := range []string{
		"grpc-go/grpc/h2c                         go         by default\n",
		"grpc-go/grpc/h2c+gzip                    go         with --publish, or by its name\n",
		"bare/bytes/tcp                           go         by its name\n",
		"elsewhere/grpc/h2c                       sh         with --peers\n",
		"elsewhere/connect/h1+workers=1           sh         with --peers and --publish, or --peers and its name\n",
	} {
		if !strings.Contains("\n"+stdout.String(), "\n"+want) {
			t.Errorf("there is no line %s\n%s", want, stdout.String())
		}
	}
	t.Chdir(t.TempDir())
	stdout.Reset()
	if status := execute(t.Context(), []string{"stacks"}, &stdout, &stderr); status != exitGood || strings.Contains(stdout.String(), "elsewhere") {
		t.Errorf("where there are no peers: status %d, log %s, printed\n%s", status, stderr.String(), stdout.String())
	}
}

// TestUnknownStackIsAnswered goes from the wrong name to the command that lists them.
func TestUnknownStackIsAnswered(t *testing.T) {
	for args, want := range map[string]string{
		"plan --stacks grcp-go/*":                         `no stack matches "grcp-go/*": did you mean grpc-go/grpc/h2c? benchmark stacks lists all; see `,
		"plan --stacks tonic/grpc/h2c":                    `no stack matches "tonic/grpc/h2c": benchmark stacks lists all; see `,
		"serve --stack grpc-go/grpc/h2d --addr 127.0.0.1": `no stack is named "grpc-go/grpc/h2d": did you mean grpc-go/grpc/h2c? benchmark stacks lists all`,
	} {
		var stdout, stderr strings.Builder
		if status := execute(t.Context(), strings.Fields(args), &stdout, &stderr); status == exitGood || !strings.Contains(stderr.String(), want) {
			t.Errorf("%s: status %d, log %s\nwant %s", args, status, stderr.String(), want)
		}
	}
}
