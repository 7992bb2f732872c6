package arch_test

import (
	"testing"

	"example.com/greet/test/built"
)

func TestMain(m *testing.M) { built.Main(m) }
