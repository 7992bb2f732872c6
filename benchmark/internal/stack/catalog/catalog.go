package catalog

import (
	"slices"
	"strings"

	"example.com/greet/benchmark/internal/stack/bare"
	"example.com/greet/benchmark/internal/stack/connectv1"
	"example.com/greet/benchmark/internal/stack/floor"
	"example.com/greet/benchmark/internal/suggest"
	"example.com/greet/internal/stack"
	"example.com/greet/internal/stack/connectgo"
	"example.com/greet/internal/stack/grpcgo"
)

// Default lists the stacks that a run without --stacks measures: each library and protocol as most
// people run it.
func Default() []stack.Stack {
	return slices.Concat(
		connectgo.Stacks(),
		connectv1.Stacks(),
		grpcgo.Stacks(),
	)
}

// All lists the Go stacks of a full run, in the order of reports: those of Default, then variants
// that show the cost of JSON, gzip and TLS, then the floor.
func All() []stack.Stack {
	return slices.Concat(
		Default(),
		connectgo.Variants(),
		grpcgo.Variants(),
		floor.Stacks(),
	)
}

// Known lists every Go stack: those of All, then experiments, which are measured only by name. Each
// answers one question: the cost of an interceptor, the effect of a setting, or what is left
// without a library.
func Known() []stack.Stack {
	return slices.Concat(
		All(),
		bare.Stacks(),
		connectgo.Experiments(),
		grpcgo.Experiments(),
		onOneProcessor(slices.Concat(connectgo.Stacks(), grpcgo.Stacks(), floor.Stacks())),
	)
}

// onOneProcessor returns the stacks with servers on one processor, which shows hand-offs between
// threads apart from work. Whoever starts the servers limits them.
func onOneProcessor(stacks []stack.Stack) []stack.Stack {
	for i := range stacks {
		stacks[i].Name.Variants = append(slices.Clone(stacks[i].Name.Variants), "workers=1")
	}
	return stacks
}

// lister is the command that prints the names of Known.
const lister = "benchmark stacks"

// Find returns the stack of that name, or an error that says which was probably meant.
func Find(name string) (stack.Stack, error) {
	all := Known()
	i := slices.IndexFunc(all, func(s stack.Stack) bool { return s.Name.String() == name })
	if i < 0 {
		return stack.Stack{}, suggest.NotFound("no stack is named", name, names(all), lister)
	}
	return all[i], nil
}

// Match returns the stacks whose names match any of the patterns, once each and in their order. In
// a pattern, * stands for any text, slashes included. If a pattern without a plus sign matches
// plain stacks it means only those; otherwise "grpc-go/*" would include every experiment. A pattern
// that matches nothing is an error that suggests a likely one.
func Match(all []stack.Stack, patterns []string) ([]stack.Stack, error) {
	chosen := make([]bool, len(all))
	for _, pattern := range patterns {
		meant := meantBy(pattern, all)
		if len(meant) == 0 {
			return nil, suggest.NotFound("no stack matches", pattern, names(all), lister)
		}
		for _, i := range meant {
			chosen[i] = true
		}
	}
	var matched []stack.Stack
	for i, s := range all {
		if chosen[i] {
			matched = append(matched, s)
		}
	}
	return matched, nil
}

// meantBy returns the indices of the stacks that one pattern means.
func meantBy(pattern string, all []stack.Stack) []int {
	var plain, variants []int
	for i, s := range all {
		switch {
		case !glob(pattern, s.Name.String()):
		case len(s.Name.Variants) == 0:
			plain = append(plain, i)
		default:
			variants = append(variants, i)
		}
	}
	if len(plain) > 0 && !strings.Contains(pattern, "+") {
		return plain
	}
	return append(plain, variants...)
}

func names(stacks []stack.Stack) []string {
	list := make([]string, len(stacks))
	for i, s := range stacks {
		list[i] = s.Name.String()
	}
	return list
}
