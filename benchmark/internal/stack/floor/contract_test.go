package floor_test

import (
	"testing"

	"go.uber.org/goleak"

	"example.com/greet/benchmark/internal/stack/floor"
	"example.com/greet/internal/contract/contracttest"
	"example.com/greet/internal/stack"
	"example.com/greet/internal/stack/connectgo"
	"example.com/greet/internal/stack/grpcgo"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestContract holds both ends of the floor, and each with the ends of others, to
// what every stack must do.
func TestContract(t *testing.T) {
	ours := floor.Stacks()[0]
	grpc, err := grpcgo.New(stack.H2C)
	if err != nil {
		t.Fatal(err)
	}
	connect := connectgo.New(stack.GRPC, stack.H2C, "proto")
	for _, p := range []contracttest.Pair{
		contracttest.Both(ours),
		{Client: ours, Server: grpc},
		{Client: ours, Server: connect},
		{Client: grpc, Server: ours},
		{Client: connect, Server: ours},
	} {
		t.Run(p.Name(), func(t *testing.T) {
			t.Run("bare", func(t *testing.T) { contracttest.Verify(t, p, false) })
			t.Run("demo", func(t *testing.T) { contracttest.Verify(t, p, true) })
		})
	}
}
