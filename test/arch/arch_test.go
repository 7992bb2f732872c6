// Package arch_test holds the repository to its architecture: which package may
// import which, and what every package, go.mod and licence must be.
package arch_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// layer says what one part of the module may know. Patterns are paths from the
// root; a final "/..." takes in everything below. The first layer that matches a
// package is the one that binds it; a package that none matches is free.
type layer struct {
	part string
	may  []string // packages of this module that it may import
	rpc  bool     // whether it may import RPC libraries
}

// The layers, from the bottom up: what the service means, how bytes travel, the
// libraries, and apart from them what is measured and how it is shown. Only the
// result is known to both the side that runs and the side that reports. That nothing
// in server, client or internal imports benchmark/internal needs no layer: Go itself
// forbids it.
var layers = []layer{
	{part: "gen/...", may: []string{"gen/..."}, rpc: true},
	{part: "internal/greet", may: []string{"gen/..."}},
	{part: "internal/guard"},
	{part: "internal/h2/socket"},
	{part: "internal/page"},
	{part: "internal/h2", may: []string{"internal/h2/socket"}},
	{part: "internal/h2http", may: []string{"internal/h2"}},
	{part: "internal/listen", may: []string{"internal/guard", "internal/h2http"}},
	{part: "internal/stack", may: []string{"gen/...", "internal/greet", "internal/listen"}},
	{part: "internal/dial", may: []string{"internal/h2http", "internal/stack"}},
	{part: "internal/stack/...", rpc: true, may: []string{
		"gen/...", "internal/greet", "internal/listen", "internal/dial", "internal/stack",
	}},
	{part: "internal/wire", may: []string{"internal/greet", "internal/stack"}},
	{part: "internal/contract", may: []string{"gen/...", "internal/greet", "internal/stack"}},
	{part: "internal/contract/contracttest", may: []string{"internal/contract", "internal/greet", "internal/listen", "internal/stack"}},

	{part: "benchmark/internal/stack/floor/h1"},
	{part: "benchmark/internal/suggest"},
	{part: "benchmark/internal/stack/catalog", may: []string{"internal/stack/...", "benchmark/internal/stack/...", "benchmark/internal/suggest"}},
	// The floor's client is a load driver as well: an event loop in place of a
	// goroutine for each call in flight.
	{part: "benchmark/internal/stack/floor", may: []string{
		"gen/...", "internal/greet", "internal/h2/...", "internal/listen", "internal/stack", "benchmark/internal/stack/bare", "benchmark/internal/stack/floor/...", "benchmark/internal/load", "benchmark/internal/calls",
	}},
	{part: "benchmark/internal/stack/bare", may: []string{
		"gen/...", "internal/greet", "internal/h2/socket", "internal/listen", "internal/stack", "benchmark/internal/load", "benchmark/internal/calls",
	}},
	{part: "benchmark/internal/stack/...", rpc: true, may: []string{
		"gen/...", "internal/greet", "internal/listen", "internal/dial", "internal/stack",
	}},
	{part: "benchmark/internal/process"},
	{part: "benchmark/internal/schema"},
	{part: "benchmark/internal/rendezvous"},
	{part: "benchmark/internal/peer", may: []string{
		"internal/greet", "internal/stack", "benchmark/internal/calls", "benchmark/internal/load", "benchmark/internal/process",
		"benchmark/internal/schema",
	}},
	{part: "benchmark/internal/peer/peertest", may: []string{"benchmark/internal/peer"}},
	{part: "benchmark/internal/result/...", may: []string{"benchmark/internal/schema"}},
	{part: "benchmark/internal/view", may: []string{"benchmark/internal/result"}},
	{part: "benchmark/internal/load", may: []string{"benchmark/internal/result"}},
	{part: "benchmark/internal/calls", may: []string{
		"internal/greet", "internal/stack", "benchmark/internal/load", "benchmark/internal/result",
	}},
	{part: "benchmark/internal/report/...", may: []string{"benchmark/internal/result/...", "benchmark/internal/view", "benchmark/internal/report/..."}},
	{part: "benchmark/internal/scenario", may: []string{
		"gen/...", "internal/greet", "internal/stack", "benchmark/internal/calls", "benchmark/internal/load",
		"benchmark/internal/result", "benchmark/internal/suggest", "benchmark/internal/view",
	}},
	// The plan names the callers that there are: nobody below it knows the floor's
	// driver or the peers' processes.
	{part: "benchmark/internal/plan", may: []string{
		"internal/greet", "internal/listen", "internal/stack", "internal/stack/...", "benchmark/internal/stack/...",
		"benchmark/internal/calls", "benchmark/internal/peer", "benchmark/internal/result", "benchmark/internal/scenario",
	}},
	{part: "benchmark/internal/run", may: []string{
		"internal/listen", "internal/stack", "benchmark/internal/calls", "benchmark/internal/plan", "benchmark/internal/process",
		"benchmark/internal/load", "benchmark/internal/rendezvous", "benchmark/internal/scenario", "benchmark/internal/result",
	}},
}

// rpcLibraries are what a layer without rpc never imports itself.
var rpcLibraries = []string{"connectrpc.com/...", "google.golang.org/grpc/..."}

// demos are the binaries that a learner runs and reads, which link nothing that is
// there for tests.
var demos = []string{"server", "client"}

var notInDemos = []string{"internal/contract/...", "test/..."}

// rule is one thing that holds everywhere in the repository.
type rule struct {
	name   string
	breaks func(tree) []string // what breaks it, a sentence each
}

var rules = []rule{
	{"imports go one way", wrongImports},
	{"the demo binaries are lean", fatDemos},
	{"every package has a comment", undocumented},
	{"every internal package is used", unused},
	{"the root has no Go files", rootCode},
	{"generated code is in a folder gen, and nothing else is", misplacedGenerated},
	{"no go.mod replaces a module", replaced},
	{"no module is older than the last hole in it", belowFloors},
	{"every linked module has a licence that we may use", unlicensed},
}

func TestArchitecture(t *testing.T) {
	repository := loadTree(t)
	for _, r := range rules {
		t.Run(r.name, func(t *testing.T) {
			for _, broken := range r.breaks(repository) {
				t.Error(broken)
			}
		})
	}
}

// match reports whether the pattern covers the path.
func match(pattern, path string) bool {
	top, all := strings.CutSuffix(pattern, "/...")
	return path == top || all && strings.HasPrefix(path, top+"/")
}

func matchAny(patterns []string, path string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return match(p, path) })
}

func wrongImports(t tree) (broken []string) {
	for _, p := range t.packages {
		i := slices.IndexFunc(layers, func(l layer) bool { return match(l.part, p.path) })
		if i < 0 {
			continue
		}
		for _, imported := range p.imports {
			if !layers[i].allows(t, imported) {
				broken = append(broken, fmt.Sprintf("%s imports %s, which its layer in arch_test.go does not allow", p.path, imported))
			}
		}
	}
	return broken
}

func (l layer) allows(t tree, imported string) bool {
	if t.find(imported) != nil {
		return matchAny(l.may, imported)
	}
	return l.rpc || !matchAny(rpcLibraries, imported)
}

func (t tree) find(path string) *goPackage {
	i := slices.IndexFunc(t.packages, func(p goPackage) bool { return p.path == path })
	if i < 0 {
		return nil
	}
	return &t.packages[i]
}

func fatDemos(t tree) (broken []string) {
	for _, demo := range demos {
		seen := map[string]bool{}
		var visit func(path string)
		visit = func(path string) {
			p := t.find(path)
			if p == nil || seen[path] {
				return
			}
			seen[path] = true
			if matchAny(notInDemos, path) {
				broken = append(broken, fmt.Sprintf("%s links %s", demo, path))
			}
			for _, imported := range p.imports {
				visit(imported)
			}
		}
		visit(demo)
	}
	return broken
}

func undocumented(t tree) (broken []string) {
	for _, p := range t.packages {
		if p.doc == "" && len(p.files) > 0 && !inGen(p.path) {
			broken = append(broken, fmt.Sprintf("%s has no package comment", p.path))
		}
	}
	return broken
}

// unused also counts imports by the tests of other packages.
func unused(t tree) (broken []string) {
	used := map[string]bool{}
	for _, p := range t.packages {
		for _, imported := range slices.Concat(p.imports, p.testImports) {
			used[imported] = used[imported] || imported != p.path
		}
	}
	for _, p := range t.packages {
		if strings.Contains("/"+p.path, "/internal/") && len(p.files) > 0 && !used[p.path] {
			broken = append(broken, fmt.Sprintf("nothing imports %s", p.path))
		}
	}
	return broken
}

func rootCode(t tree) (broken []string) {
	if root := t.find("."); root != nil {
		broken = append(broken, fmt.Sprintf("the root has Go files: %s", strings.Join(root.files, ", ")))
	}
	return broken
}

// inGen reports whether the path is that of generated code.
func inGen(path string) bool { return strings.Contains("/"+path+"/", "/gen/") }

func misplacedGenerated(t tree) (broken []string) {
	for _, p := range t.packages {
		if !inGen(p.path) && len(p.generated) > 0 {
			broken = append(broken, fmt.Sprintf("%s has generated code outside gen: %s", p.path, strings.Join(p.generated, ", ")))
		}
		if inGen(p.path) && len(p.generated) < len(p.files) {
			broken = append(broken, fmt.Sprintf("%s has code that nothing generated", p.path))
		}
	}
	return broken
}

func replaced(t tree) (broken []string) {
	for _, m := range t.goMods {
		for _, path := range m.replaced {
			broken = append(broken, fmt.Sprintf("%s replaces %s", m.file, path))
		}
	}
	return broken
}

func unlicensed(t tree) (broken []string) {
	for _, m := range t.modules {
		if licenceName(m.licence) == "" {
			broken = append(broken, fmt.Sprintf("module %s: licence missing or not one of Apache-2.0, MIT, BSD, ISC", m.path))
		}
	}
	return broken
}

// licencePhrases are words that stand in one licence and in no other.
var licencePhrases = []struct{ name, phrase string }{
	{"", "gnu general public license"}, // first, because a text may hold several
	{"", "gnu lesser general public license"},
	{"", "gnu affero general public license"},
	{"Apache-2.0", "apache license version 2.0, january 2004"},
	{"MIT", "permission is hereby granted, free of charge, to any person obtaining a copy"},
	{"BSD", "redistribution and use in source and binary forms, with or without modification, are permitted"},
	{"ISC", "permission to use, copy, modify, and/or distribute this software for any purpose"},
}

// licenceName names the licence that the text is, or is "" for one that is not
// allowed or not known.
func licenceName(text string) string {
	words := strings.ToLower(strings.Join(strings.Fields(text), " "))
	for _, l := range licencePhrases {
		if strings.Contains(words, l.phrase) {
			return l.name
		}
	}
	return ""
}
