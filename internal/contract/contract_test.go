package contract_test

import (
	"testing"

	"go.uber.org/goleak"

	"example.com/greet/internal/contract"
	"example.com/greet/internal/contract/contracttest"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
	"example.com/greet/internal/stack/connectgo"
	"example.com/greet/internal/stack/grpcgo"
)

func TestMain(m *testing.M) {
	contracttest.ManyAtOnce()
	goleak.VerifyTestMain(m)
}

// TestContract holds the demo's two libraries to the contract, each with itself and
// with the other. The test of the benchmark's catalog has every stack.
func TestContract(t *testing.T) {
	connect := connectgo.New(stack.Connect, stack.H2C, "proto")
	connectGRPC := connectgo.New(stack.GRPC, stack.H2C, "proto")
	grpc := grpcOver(t, stack.H2C)
	for _, p := range []contracttest.Pair{
		contracttest.Both(connect),
		contracttest.Both(grpc),
		{Client: grpc, Server: connectGRPC, Quick: true},
		{Client: connectGRPC, Server: grpc, Quick: true},
	} {
		t.Run(p.Name(), func(t *testing.T) {
			t.Run("bare", func(t *testing.T) { contracttest.Verify(t, p, false) })
			t.Run("demo", func(t *testing.T) { contracttest.Verify(t, p, true) })
		})
	}
}

func grpcOver(t *testing.T, transport string) stack.Stack {
	t.Helper()
	s, err := grpcgo.New(transport)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestVerify is for callers without a test of their own: one outcome for each
// behaviour, in order, the skipped ones with the reason.
func TestVerify(t *testing.T) {
	honest := grpcOver(t, stack.H2C)
	honest.Refuses = map[greet.Mode]string{greet.ServerStream: "not today", greet.Bidi: "not today"}
	subject := contracttest.Serve(t, contracttest.Both(honest), false)
	i := 0
	for got := range contract.Verify(t.Context(), subject) {
		b := contract.All()[i]
		i++
		if got.Behaviour != b.Name || got.Skipped != b.Skips(subject) {
			t.Errorf("outcome %d is %+v, want of %q, skipped %q", i, got, b.Name, b.Skips(subject))
		}
		// The one statement that is not true of this stack.
		if wrong := b.Name == "modes that the stack refuses fail clearly"; wrong != (got.Err != nil) {
			t.Errorf("%q: %v", got.Behaviour, got.Err)
		}
	}
	if want := len(contract.All()); i != want {
		t.Errorf("got %d outcomes, want %d", i, want)
	}
}
