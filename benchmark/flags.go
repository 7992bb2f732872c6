package main

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/alecthomas/kong"
)

// checkFlags refuses flags that were given an empty value, as by a variable of a
// shell that is not set: what such a flag leaves open would be measured by default,
// and a gate would pass.
func checkFlags(kctx *kong.Context) error {
	for _, p := range kctx.Path {
		if p.Flag == nil || p.Flag.Help == "" || !empty(p.Flag.Target) {
			continue // a flag without help is not for people
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

// printHelp shows that --resume may have a value, which kong cannot know.
func printHelp(options kong.HelpOptions, kctx *kong.Context) error {
	for _, f := range kctx.Flags() {
		if _, ok := reflect.TypeAssert[resumed](f.Target); ok {
			f.Name += "[=FILE]"
		}
	}
	return kong.DefaultHelpPrinter(options, kctx)
}

// helpFor is what to type for the help that lists the flags in question: those of
// the command that was chosen, which need not be named if it is run.
func helpFor(kctx *kong.Context, args []string) string {
	command := "run"
	if kctx != nil && kctx.Selected() != nil {
		command = kctx.Selected().Name
	}
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") && args[0] != command {
		return "benchmark --help" // the word is no command
	}
	return "benchmark " + command + " --help"
}

// chosenBefore is how far the parser had come when it met the error.
func chosenBefore(err error) *kong.Context {
	if at, ok := errors.AsType[*kong.ParseError](err); ok {
		return at.Context
	}
	return nil
}
