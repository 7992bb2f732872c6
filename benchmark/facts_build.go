package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"example.com/greet/benchmark/internal/plan"
)

// buildFacts says where and from what a peer, or this program, was built.
type buildFacts struct {
	name, language, flags string
	install               string // size in MB, or why it is unknown
	libraries             []string
}

// buildsOf lists the peers, and this program if one of its stacks was chosen.
func buildsOf(c plan.Chosen) ([]buildFacts, error) {
	var all []buildFacts
	var errs []error
	if libraries := ourLibraries(c.Targets); len(libraries) > 0 {
		own, err := ownBuild(libraries)
		all, errs = append(all, own), append(errs, err)
	}
	for _, one := range c.Peers {
		p := one.Peer
		if slices.ContainsFunc(all, func(m buildFacts) bool { return m.name == p.Name }) {
			continue
		}
		m := buildFacts{name: p.Name, language: p.Language, flags: p.Flags, libraries: one.Libraries, install: "not listed"}
		if len(p.Install) > 0 {
			size, err := p.InstallSize()
			m.install, errs = megabytes(size), append(errs, err)
		}
		all = append(all, m)
	}
	return all, errors.Join(errs...)
}

// ourLibraries are those of the stacks whose servers are this program.
func ourLibraries(targets []*plan.Target) (libraries []string) {
	for _, t := range targets {
		if t.Stack.Serve != nil {
			libraries = append(libraries, t.Stack.Libraries...)
		}
	}
	slices.Sort(libraries)
	return slices.Compact(libraries)
}

func ownBuild(libraries []string) (buildFacts, error) {
	m := buildFacts{name: "benchmark", language: "go", libraries: libraries}
	program, err := os.Executable()
	if err != nil {
		return m, fmt.Errorf("find this program: %w", err)
	}
	info, err := os.Stat(program)
	if err != nil {
		return m, fmt.Errorf("size this program: %w", err)
	}
	m.install = megabytes(info.Size())
	return m, nil
}

func megabytes(bytes int64) string { return fmt.Sprintf("%.1f", float64(bytes)/1e6) }

// list joins what may be nothing.
func list(texts []string) string {
	if len(texts) == 0 {
		return absent
	}
	return strings.Join(texts, ", ")
}
