//go:build !linux && !darwin

package run

import "example.com/greet/benchmark/internal/result"

// fillHardware adds nothing: processors and memory stay unknown.
func fillHardware(*result.Environment) {}
