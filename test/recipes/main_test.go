// Package recipes_test does what CONTRIBUTING.md says that adding something takes, in
// a copy of the repository, and then what it says to run.
package recipes_test

import (
	"testing"

	"example.com/greet/test/built"
)

func TestMain(m *testing.M) { built.Main(m) }
