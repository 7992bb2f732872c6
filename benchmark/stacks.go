package main

import (
	"fmt"
	"io"
	"os"

	"example.com/greet/benchmark/internal/plan"
	"example.com/greet/benchmark/internal/stack/catalog"
	"example.com/greet/internal/stack"
)

// stacksCommand lists what --stacks can name.
type stacksCommand struct{}

// Run prints a line for each stack: its name, its language and which runs measure it. At the root
// of a clone it lists those of peers too, built or not.
func (stacksCommand) Run(out output) error {
	var peers []plan.PeerStack
	if _, err := os.Stat(plan.PeersDir); err == nil {
		if peers, err = plan.FindPeers(); err != nil {
			return err
		}
	}
	byDefault, published := namesOf(catalog.Default()), namesOf(catalog.All())
	for _, s := range catalog.Known() {
		switch name := s.Name.String(); {
		case byDefault[name]:
			printStack(out.data, s, "by default")
		case published[name]:
			printStack(out.data, s, "with --publish, or by its name")
		default:
			printStack(out.data, s, "by its name")
		}
	}
	for _, s := range plan.Stacks(peers) {
		if len(s.Name.Variants) == 0 {
			printStack(out.data, s, "with --peers")
		} else {
			printStack(out.data, s, "with --peers and --publish, or --peers and its name")
		}
	}
	return nil
}

func printStack(w io.Writer, s stack.Stack, measured string) {
	fmt.Fprintf(w, "%-40s %-10s %s\n", s.Name, s.Language, measured)
}

func namesOf(stacks []stack.Stack) map[string]bool {
	names := make(map[string]bool)
	for _, s := range stacks {
		names[s.Name.String()] = true
	}
	return names
}
