// Package docs_test holds the pages to what the programs do: blocks of commands are
// run, tables and figures drawn again, names looked up.
package docs_test

import (
	"testing"

	"example.com/greet/test/built"
)

func TestMain(m *testing.M) { built.Main(m) }
