package report

import (
	"hash/fnv"

	"example.com/greet/benchmark/internal/report/plot"
)

// colours are chosen for the libraries that are drawn together most. There are more libraries than
// distinguishable colours, so some share one; in a figure they differ by their markers and names.
var colours = map[string]int{
	"grpc-go": 0, "connect-go": 1, "tonic": 2, "connect-rust": 3, "grpc-go-previous": 4, "connect-go-v1": 5, "rust-h2": 7,
	"grpc-java": 5, "grpc-cpp": 4, "grpc-js": 1, "connect-es": 7, "grpcio": 4, "connectrpc-py": 5,
	"protobuf-go": 0,
	// Yardsticks are grey.
	"floor": 6, "bare": 6, "copy": 6,
}

// colourOf returns the colour of a library, the same in every figure. A new library gets one by its
// name.
func colourOf(library string) int {
	if known, ok := colours[library]; ok {
		return known
	}
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(library)) // never fails
	return int(sum.Sum32() % plot.Colours)
}
