# `make` tests and lints; `make help` lists the rest. Nothing here is needed to
# build: `go build ./...` and `go test ./...` stand alone.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := all

# Inside a Go workspace the go command refuses -modfile, and would build this module
# with what the workspace says.
export GOWORK := off

# Each tool has a module of its own under tools/, which says why, and which pins
# it: the first use builds it, and later ones work offline.
BUF := go tool -modfile=tools/buf/go.mod buf
GOLANGCI := go tool -modfile=tools/golangci-lint/go.mod golangci-lint

# The peers that keep generated code, each by a buf.gen.yaml of its own.
GENERATING := $(patsubst peers/%/buf.gen.yaml,%,$(wildcard peers/*/buf.gen.yaml))

# The conformance suite's messages come from the .proto files of its module, as the tool
# pins it.
SUITE = $(shell go mod download -modfile=tools/conformance/go.mod connectrpc.com/conformance && \
	go list -modfile=tools/conformance/go.mod -m -f '{{.Dir}}' connectrpc.com/conformance)/proto
GENERATE_SUITE = root="$(SUITE)"; $(BUF) generate "$$root" --template test/conformance/buf.gen.yaml \
	$$(for file in service config server_compat client_compat; do echo --path "$$root/connectrpc/conformance/v1/$$file.proto"; done)

.PHONY: all
all: test lint ## test and lint (what `make` alone does)

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "%-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: test
test: ## run the tests
	go test ./...

.PHONY: race
race: ## run the tests under the race detector
	go test -race ./...

# The machine must run programs of 386, as any Linux on amd64 does.
.PHONY: test-32
test-32: ## run the tests of our own parsers where an int has 32 bits
	GOARCH=386 go test ./benchmark/internal/stack/floor/... ./benchmark/internal/stack/bare ./benchmark/internal/result ./benchmark/internal/peer ./internal/greet

.PHONY: lint
lint: lint-go lint-proto check-generate ## check Go, the schema, and that generated code is fresh

.PHONY: lint-go
lint-go: ## check Go with golangci-lint
	$(GOLANGCI) run --allow-serial-runners ./...

.PHONY: lint-proto
lint-proto: ## check the schema: style, format, and no breaking change since the baseline
	$(BUF) lint
	$(BUF) format -d --exit-code
	$(BUF) breaking --against proto/baseline.binpb

.PHONY: fmt
fmt: ## format Go and the schema
	$(GOLANGCI) fmt ./...
	$(BUF) format -w

.PHONY: generate
generate: ## write the generated code of the root, of peers and of tests anew
	$(BUF) generate
	$(GENERATE_SUITE) -o test/conformance
	for peer in $(GENERATING); do $(BUF) generate --template peers/$$peer/buf.gen.yaml -o peers/$$peer; done

# Compares with a copy made elsewhere, so that it says the same whether or not
# the working tree is clean, and changes nothing in it.
.PHONY: check-generate
check-generate: ## fail, and show the difference, if generated code is not what the schema yields
	@fresh=$$(mktemp -d); trap 'rm -rf "$$fresh"' EXIT; \
	stale() { echo "$$1 is stale: run \"make generate\"" >&2; exit 1; }; \
	$(BUF) generate -o "$$fresh"; \
	diff -ru gen "$$fresh/gen" || stale gen; \
	$(GENERATE_SUITE) -o "$$fresh/test/conformance"; \
	diff -ru test/conformance/gen "$$fresh/test/conformance/gen" || stale test/conformance/gen; \
	for peer in $(GENERATING); do \
		$(BUF) generate --template "peers/$$peer/buf.gen.yaml" -o "$$fresh/$$peer"; \
		diff -ru "peers/$$peer/gen" "$$fresh/$$peer/gen" || stale "peers/$$peer/gen"; \
	done

# What builds the page needs Node; a server that shows it does not.
PAGE := internal/page
LICENCES := /*! Contains @connectrpc/connect and connect-web (Apache-2.0), @bufbuild/protobuf (Apache-2.0 AND BSD-3-Clause) */

.PHONY: page
page: ## build the script of the server's page anew from internal/page/src and the schema
	npm ci --prefix $(PAGE) --ignore-scripts --no-audit --no-fund
	$(BUF) generate --template $(PAGE)/buf.gen.yaml
	cd $(PAGE) && npx tsc
	cd $(PAGE) && npx esbuild src/main.ts --bundle --minify --format=esm --target=es2022 --banner:js='$(LICENCES)' --log-level=warning --outfile=static/page.js

.PHONY: check-page
check-page: ## fail if the script of the server's page is not what its sources yield
	@was=$$(mktemp); trap 'rm -f "$$was"' EXIT; cp $(PAGE)/static/page.js "$$was"; \
	$(MAKE) --no-print-directory page; \
	cmp "$$was" $(PAGE)/static/page.js || { echo 'the page was stale: commit what "make page" has written' >&2; exit 1; }

# A peer that lacks a tool is left out by name.
.PHONY: peers
peers: ## build the servers of other languages and versions that are in peers/
	go run ./benchmark peers --build

# A deliberate act: whatever the schema says afterwards is what later changes
# must not break.
.PHONY: baseline
baseline: ## accept the schema as it is for what `make lint-proto` compares with
	$(BUF) build -o proto/baseline.binpb

.PHONY: conformance
conformance: ## hold servers and clients to the conformance suite of Connect: 11,689 cases
	go test -tags clients -count=1 -v -run TestConformance ./test/conformance

.PHONY: h2spec
h2spec: ## hold every HTTP/2 server here to h2spec, but for the failures that are listed
	go test -tags clients -count=1 -v -run TestH2Spec ./test/conformance

.PHONY: interop
interop: ## run gRPC's interop cases, both ways with grpc-go's own
	go test -tags clients -count=1 -v -run TestInterop ./test/conformance

# CI runs these as tests, for seconds.
.PHONY: soak
soak: ## call every listener for ten minutes, in ways that end well and badly
	GREET_ENDURANCE=1 go test -count=1 -v -timeout 20m -run TestSoak ./server/hardening

.PHONY: restarts
restarts: ## restart two servers 20 times under clients that try again
	GREET_ENDURANCE=1 go test -count=1 -v -run TestRollingRestart ./server/hardening

# Another deliberate act: say in the commit why a call may cost more than before.
COST_STACKS := grpc-go/grpc/h2c,grpc-go/grpc/h2c+gzip,connect-go/connect/h1,connect-go/connect/h2c
COST_STACKS := $(COST_STACKS),connect-go/connect/h2c+json,connect-go/connect/h2c+gzip,connect-go/connect/h3
COST_STACKS := $(COST_STACKS),connect-go/grpc/h2c,floor/grpc/h2c
COST := --scenarios cost --no-control --stacks $(COST_STACKS)

.PHONY: baseline-cost
baseline-cost: ## accept what a call costs now for what `make check-cost` compares with
	results=$$(mktemp -d); trap 'rm -rf "$$results"' EXIT; \
	go run ./benchmark $(COST) --rounds 8 --out "$$results" >/dev/null; \
	go run ./benchmark baseline "$$results" > "$$results/baseline"; \
	mkdir -p benchmark/baseline; mv "$$results/baseline" benchmark/baseline/cost.jsonl

# Medians of three rounds; what is in the baseline repeats to within half the bound.
.PHONY: check-cost
check-cost: ## fail if a call allocates or sends 2% more than the baseline says
	results=$$(mktemp -d); trap 'rm -rf "$$results"' EXIT; \
	go run ./benchmark $(COST) --rounds 3 --out "$$results" >/dev/null; \
	go run ./benchmark compare benchmark/baseline "$$results" --deterministic \
		--fail-if 'allocations_per*>+2%,wire_bytes_per*>+2%' >/dev/null

# Windows has none of the signals by which these tests stop processes.
NOT_ON_WINDOWS := /(server/hardening|test/(clients|commands|docs|page))$$

.PHONY: platforms
platforms: ## build and vet for each system that the programs run on
	@export CGO_ENABLED=0; for platform in linux/amd64 linux/arm64 linux/386 linux/arm darwin/arm64 windows/amd64; do \
		export GOOS=$${platform%/*} GOARCH=$${platform#*/}; echo "$$platform"; \
		go build ./...; \
		packages=$$(go list ./...); \
		[[ $$GOOS != windows ]] || packages=$$(grep -vE '$(NOT_ON_WINDOWS)' <<< "$$packages"); \
		go vet $$packages; \
	done

# One static program and nothing else, so that no daemon and no registry is needed.
# For other machines: make image ARCH=arm64
IMAGE ?= greet-benchmark:latest
ARCH ?= $(shell go env GOARCH)

.PHONY: image
image: ## pack the benchmark as bin/greet-benchmark.tar, an image for deploy/kubernetes
	CGO_ENABLED=0 GOOS=linux GOARCH=$(ARCH) go build -trimpath -o bin/greet-benchmark ./benchmark
	go -C tools/deploy run ./image --program "$(CURDIR)/bin/greet-benchmark" --arch $(ARCH) --name $(IMAGE) --out "$(CURDIR)/bin/greet-benchmark.tar"

.PHONY: test-deploy
test-deploy: ## hold deploy/kubernetes to the types of Kubernetes
	go -C tools/deploy vet ./...
	go -C tools/deploy test ./...

.PHONY: ci
ci: ## run everything that CI runs, skipping what this machine lacks
	bash .ci/run

# Takes some minutes, and a machine that does nothing else. Tools that are not
# installed are left out by name.
.PHONY: bench-engine
bench-engine: ## measure the load engine beside h2load and ghz, and write the table of docs/engine.md anew
	go run ./benchmark/tools/engine --out benchmark/results/engine.jsonl
	go test -run TestTables ./test/docs -update

.PHONY: ghz
ghz: ## build ghz, a gRPC load generator, into bin/
	go build -modfile=tools/ghz/go.mod -o bin/ghz github.com/bojand/ghz/cmd/ghz

.PHONY: grpcurl
grpcurl: ## build grpcurl into bin/
	go build -modfile=tools/grpcurl/go.mod -o bin/grpcurl github.com/fullstorydev/grpcurl/cmd/grpcurl

.PHONY: h2load
h2load: ## install h2load, an HTTP/2 load generator (Debian, as root)
	apt-get install -y --no-install-recommends nghttp2-client

.PHONY: chromium
chromium: ## install Chromium, for tests in a browser (Debian, as root)
	apt-get install -y --no-install-recommends chromium
