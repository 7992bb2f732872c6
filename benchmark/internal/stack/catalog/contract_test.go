package catalog

import (
	"slices"
	"testing"

	"go.uber.org/goleak"

	"example.com/greet/internal/contract/contracttest"
	"example.com/greet/internal/stack"
	"example.com/greet/internal/stack/connectgo"
	"example.com/greet/internal/stack/grpcgo"
)

func TestMain(m *testing.M) {
	contracttest.ManyAtOnce()
	goleak.VerifyTestMain(m)
}

// pairs are both ends of every stack, of combinations that are not measured, and of
// different libraries.
func pairs(t *testing.T) []contracttest.Pair {
	var all []contracttest.Pair
	for _, s := range slices.Concat(All(), connectgo.Fast()) {
		p := contracttest.Both(s)
		p.Quick = raceDetector || len(s.Name.Variants) > 0
		all = append(all, p)
	}
	if raceDetector {
		return all // the rest is the same code with other options
	}
	v1 := found(t, "connect-go-v1/connect/h2c")
	connect := connectgo.New(stack.Connect, stack.H2C, "proto")
	for _, p := range []contracttest.Pair{
		contracttest.Both(connectgo.New(stack.GRPC, stack.H2, "proto")),
		contracttest.Both(connectgo.New(stack.GRPC, stack.H3, "proto")),
		contracttest.Both(connectgo.New(stack.GRPCWeb, stack.H1, "proto")),
		contracttest.Both(connectgo.New(stack.GRPCWeb, stack.H3, "proto")),
		contracttest.Both(connectgo.New(stack.Connect, stack.H1, "json")),
		contracttest.Both(connectgo.New(stack.GRPC, stack.H2C, "json")),
		contracttest.Both(connectgo.New(stack.GRPCWeb, stack.H3, "json")),
		{Client: grpcOver(t, stack.H2), Server: connectgo.New(stack.GRPC, stack.H2, "proto")},
		{Client: connectgo.New(stack.GRPC, stack.H2, "proto"), Server: grpcOver(t, stack.H2)},
		{Client: grpcOver(t, stack.H2C), Server: found(t, "connect-go/grpc/h2c+fast-h2")},
		{Client: v1, Server: connect},
		{Client: connect, Server: v1},
	} {
		p.Quick = true
		all = append(all, p)
	}
	return all
}

func grpcOver(t *testing.T, transport string) stack.Stack {
	t.Helper()
	s, err := grpcgo.New(transport)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestContract(t *testing.T) {
	for _, p := range pairs(t) {
		t.Run(p.Name(), func(t *testing.T) {
			t.Run("bare", func(t *testing.T) { contracttest.Verify(t, p, false) })
			if p.Server.Demo {
				t.Run("demo", func(t *testing.T) { contracttest.Verify(t, p, true) })
			}
		})
	}
}
