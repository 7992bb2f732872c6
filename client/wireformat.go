package main

import (
	"fmt"

	"github.com/alecthomas/kong"
)

// wireFormat is the value of --wire: "" without the flag, text for the flag alone.
type wireFormat string

const (
	wireText wireFormat = "text"
	wireHTML wireFormat = "html"
)

// IsBool tells kong that the flag may stand without a value.
func (wireFormat) IsBool() bool { return true }

// Decode reads the value, which kong gives as true for the flag alone.
func (w *wireFormat) Decode(ctx *kong.DecodeContext) error {
	if ctx.Scan.Peek().Type != kong.FlagValueToken {
		*w = wireText
		return nil
	}
	switch value := fmt.Sprint(ctx.Scan.Pop().Value); value {
	case "text", "html":
		*w = wireFormat(value)
		return nil
	default:
		return fmt.Errorf("got %q, want text or html", value)
	}
}
