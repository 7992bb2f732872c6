package main

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/alecthomas/kong"
)

// checkFlags refuses flags with an empty value, which a shell passes when a variable is unset.
// Otherwise a run would silently measure its defaults, and a gate would pass.
func checkFlags(kctx *kong.Context) error {
	for _, p := range kctx.Path {
		if p.Flag == nil || p.Flag.Help == "" || !empty(p.Flag.Target) {
			continue // flags without help are not for people
		}
		return fmt.Errorf("--%s is empty: want --%s=%s, or no such flag (%s)",
			p.Flag.Name, p.Flag.Name, p.Flag.FormatPlaceHolder(), p.Flag.Help)
	}
	return nil
}

// empty reports whether a text or a list has nothing in it.
func empty(v reflect.Value) bool {
	if v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	return (v.Kind() == reflect.String || v.Kind() == reflect.Slice) && v.Len() == 0
}

// printHelp shows that --resume may have a value, which kong does not know.
func printHelp(options kong.HelpOptions, kctx *kong.Context) error {
	for _, f := range kctx.Flags() {
		if _, ok := reflect.TypeAssert[resumed](f.Target); ok {
			f.Name += "[=FILE]"
		}
	}
	return kong.DefaultHelpPrinter(options, kctx)
}

// helpFor returns the command for the help on the flags in question: those of the chosen command,
// whose name may be left out for run.
func helpFor(kctx *kong.Context, args []string) string {
	command := "run"
	if kctx != nil && kctx.Selected() != nil {
		command = kctx.Selected().Name
	}
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") && args[0] != command {
		return "benchmark --help" // the word is not a command
	}
	return "benchmark " + command + " --help"
}

// chosenBefore returns what the parser had read before the error.
func chosenBefore(err error) *kong.Context {
	if at, ok := errors.AsType[*kong.ParseError](err); ok {
		return at.Context
	}
	return nil
}
