package arch_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRulesCanFail shows each rule a small tree that breaks it, beside parts that
// do not.
func TestRulesCanFail(t *testing.T) {
	tests := []struct {
		name   string
		breaks func(tree) []string
		tree   tree
		want   []string
	}{{
		name:   "report imports the run side",
		breaks: wrongImports,
		tree: tree{packages: []goPackage{
			{path: "benchmark/internal/report", imports: []string{"fmt", "benchmark/internal/result", "benchmark/internal/load"}},
			{path: "benchmark/internal/load", imports: []string{"benchmark/internal/result"}},
			{path: "benchmark/internal/result"},
		}},
		want: []string{"benchmark/internal/report imports benchmark/internal/load, which its layer in arch_test.go does not allow"},
	}, {
		name:   "load knows an RPC library, a stack may",
		breaks: wrongImports,
		tree: tree{packages: []goPackage{
			{path: "benchmark/internal/load", imports: []string{"google.golang.org/grpc/codes", "google.golang.org/protobuf/proto"}},
			{path: "internal/stack/grpcgo", imports: []string{"google.golang.org/grpc/codes"}},
		}},
		want: []string{"benchmark/internal/load imports google.golang.org/grpc/codes, which its layer in arch_test.go does not allow"},
	}, {
		name:   "one stack imports another, the catalog may",
		breaks: wrongImports,
		tree: tree{packages: []goPackage{
			{path: "internal/stack/connectgo"},
			{path: "internal/stack/grpcgo", imports: []string{"internal/stack/connectgo"}},
			{path: "benchmark/internal/stack/catalog", imports: []string{"internal/stack/connectgo"}},
		}},
		want: []string{"internal/stack/grpcgo imports internal/stack/connectgo, which its layer in arch_test.go does not allow"},
	}, {
		name:   "a package without a layer is free",
		breaks: wrongImports,
		tree: tree{packages: []goPackage{
			{path: "benchmark", imports: []string{"benchmark/internal/report", "connectrpc.com/connect/v2"}},
			{path: "benchmark/internal/report"},
		}},
	}, {
		name:   "a demo links the contract by a detour",
		breaks: fatDemos,
		tree: tree{packages: []goPackage{
			{path: "server", imports: []string{"internal/listen"}},
			{path: "internal/listen", imports: []string{"internal/contract"}},
			{path: "internal/contract"},
			{path: "benchmark", imports: []string{"benchmark/internal/stack/catalog"}},
			{path: "benchmark/internal/stack/catalog"},
		}},
		want: []string{"server links internal/contract"},
	}, {
		name:   "no package comment",
		breaks: undocumented,
		tree: tree{packages: []goPackage{
			{path: "test/arch", name: "arch_test"},
			{path: "client", files: []string{"main.go"}},
			{path: "server", files: []string{"main.go"}, doc: "Server serves."},
			{path: "gen/greet/v1", files: []string{"greet.pb.go"}},
		}},
		want: []string{"client has no package comment"},
	}, {
		name:   "an internal package that only its own tests import",
		breaks: unused,
		tree: tree{packages: []goPackage{
			{path: "internal/a", files: []string{"a.go"}, testImports: []string{"internal/a", "internal/b"}},
			{path: "internal/b", files: []string{"b.go"}},
			{path: "benchmark/internal/c"},
			{path: "server", files: []string{"main.go"}},
		}},
		want: []string{"nothing imports internal/a"},
	}, {
		name:   "code in the root",
		breaks: rootCode,
		tree:   tree{packages: []goPackage{{path: ".", files: []string{"greet.go"}}}},
		want:   []string{"the root has Go files: greet.go"},
	}, {
		name:   "generated code astray, and a guest in gen",
		breaks: misplacedGenerated,
		tree: tree{packages: []goPackage{
			{path: "internal/a", files: []string{"a.go", "a.pb.go"}, generated: []string{"a.pb.go"}},
			{path: "gen/greet/v1", files: []string{"greet.pb.go"}, generated: []string{"greet.pb.go"}},
			{path: "test/a/gen/v1", files: []string{"a.pb.go"}, generated: []string{"a.pb.go"}},
			{path: "gen/other", files: []string{"mine.go"}},
		}},
		want: []string{"internal/a has generated code outside gen: a.pb.go", "gen/other has code that nothing generated"},
	}, {
		name:   "a replace line",
		breaks: replaced,
		tree:   tree{goMods: []goMod{{file: "go.mod"}, {file: "peers/x/go.mod", replaced: []string{"golang.org/x/net"}}}},
		want:   []string{"peers/x/go.mod replaces golang.org/x/net"},
	}, {
		name:   "an old toolchain and an old library, and a tool that may be",
		breaks: belowFloors,
		tree: tree{goMods: []goMod{
			{file: "go.mod", required: map[string]string{"go": "go1.26.5", "google.golang.org/grpc": "v1.100.0"}},
			{file: "peers/x/go.mod", required: map[string]string{"go": "1.27.0", "google.golang.org/protobuf": "v1.32.9"}},
			{file: "tools/x/go.mod", required: map[string]string{"go": "1.26.0", "google.golang.org/grpc": "v1.56.3"}},
		}},
		want: []string{
			"go.mod requires go go1.26.5, older than 1.26.6, which closes " + floors[0].closes,
			"peers/x/go.mod requires google.golang.org/protobuf v1.32.9, older than v1.33.0, which closes CVE-2024-24786, JSON without end",
		},
	}, {
		name:   "a licence that is not allowed",
		breaks: unlicensed,
		tree: tree{modules: []module{
			{path: "a.test/mit", licence: "Permission is hereby granted, free of charge,\n  to any person obtaining a copy"},
			{path: "a.test/gpl", licence: "GNU GENERAL PUBLIC LICENSE\n Version 3"},
			{path: "a.test/none"},
		}},
		want: []string{
			"module a.test/gpl: licence missing or not one of Apache-2.0, MIT, BSD, ISC",
			"module a.test/none: licence missing or not one of Apache-2.0, MIT, BSD, ISC",
		},
	}}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, tt.breaks(tt.tree)); diff != "" {
				t.Errorf("broken (-want +got):\n%s", diff)
			}
		})
	}
}

// TestTreeIsRead guards against rules that hold because they were shown nothing.
func TestTreeIsRead(t *testing.T) {
	repository := loadTree(t)
	meaning := repository.find("internal/greet")
	if meaning == nil || meaning.doc == "" || !slices.Contains(meaning.imports, "gen/greet/v1") {
		t.Errorf("internal/greet was read as %+v", meaning)
	}
	if generated := repository.find("gen/greet/v1"); generated == nil || len(generated.generated) == 0 {
		t.Errorf("gen/greet/v1 was read as %+v", generated)
	}
	if len(repository.goMods) < 2 {
		t.Errorf("go.mod files read: %v, want that of the root and those of tools", repository.goMods)
	}
	for _, f := range floors {
		if repository.goMods[0].required[f.module] == "" {
			t.Errorf("%s requires no %s, which has a floor", repository.goMods[0].file, f.module)
		}
	}
	for _, want := range []string{"google.golang.org/grpc", "connectrpc.com/connect/v2"} {
		if !strings.Contains(modulePaths(repository), want+"\n") {
			t.Errorf("modules read: %s\nwant %s among them", modulePaths(repository), want)
		}
	}
}

func modulePaths(t tree) string {
	var paths strings.Builder
	for _, m := range t.modules {
		paths.WriteString(m.path + "\n")
	}
	return paths.String()
}
