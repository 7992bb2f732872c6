//go:build clients

// Package clients_test has clients that others wrote call the server.
package clients_test

import (
	"testing"

	"example.com/greet/test/built"
)

func TestMain(m *testing.M) { built.Main(m) }
