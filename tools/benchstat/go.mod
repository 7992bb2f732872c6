// benchstat has a module of its own, so that its requirements stay out of the
// root module. A test of benchmark/internal/report hands it our Go benchmark format; from
// the root of the repository:
//
//	go tool -modfile=tools/benchstat/go.mod benchstat
module example.com/greet/tools/benchstat

go 1.26.0

tool golang.org/x/perf/cmd/benchstat

require (
	github.com/aclements/go-moremath v0.0.0-20210112150236-f10218a38794 // indirect
	golang.org/x/perf v0.0.0-20260908200009-22c9c6c9d4da // indirect
)
