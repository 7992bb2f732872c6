package arch_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// modulePath is the path of the root module.
const modulePath = "example.com/greet"

// tree is the repository as the rules of architecture see it. It is plain data,
// so that each rule can be shown a tree that breaks it.
type tree struct {
	packages []goPackage
	modules  []module // that anything here links, tests included
	goMods   []goMod
}

// goPackage is one package of the root module. Paths are relative to the root,
// which itself is "."; imports from outside keep their full path.
type goPackage struct {
	path        string
	name        string
	doc         string   // first sentence of the package comment
	files       []string // Go files without tests
	generated   []string // those of all its files that say they are generated
	imports     []string
	testImports []string
}

// module is a module that comes from outside.
type module struct {
	path    string
	licence string // the text
}

// goMod is one go.mod file of the repository, tools and peers included.
type goMod struct {
	file     string
	replaced []string
	required map[string]string // versions by module; "go" has that of the toolchain
}

// loadTree reads the repository around the working directory.
func loadTree(t *testing.T) tree {
	t.Helper()
	return tree{packages: loadPackages(t), modules: loadModules(t), goMods: loadGoMods(t)}
}

func loadPackages(t *testing.T) []goPackage {
	t.Helper()
	type listed struct {
		ImportPath, Name, Doc, Dir         string
		GoFiles, TestGoFiles, XTestGoFiles []string
		Imports, TestImports, XTestImports []string
	}
	var packages []goPackage
	for _, l := range goJSON[listed](t, "list", "-json", "./...") {
		p := goPackage{
			path: relative(l.ImportPath), name: l.Name, doc: l.Doc, files: l.GoFiles,
			imports:     relatives(l.Imports),
			testImports: relatives(slices.Concat(l.TestImports, l.XTestImports)),
		}
		for _, name := range slices.Concat(l.GoFiles, l.TestGoFiles, l.XTestGoFiles) {
			if isGenerated(t, filepath.Join(l.Dir, name)) {
				p.generated = append(p.generated, name)
			}
		}
		packages = append(packages, p)
	}
	return packages
}

func loadModules(t *testing.T) []module {
	t.Helper()
	type listed struct {
		Standard bool
		Module   struct {
			Path, Dir string
			Main      bool
		}
	}
	var modules []module
	seen := map[string]bool{"": true} // the standard library has no module
	for _, l := range goJSON[listed](t, "list", "-deps", "-test", "-json=Standard,Module", "./...") {
		if m := l.Module; !m.Main && !seen[m.Path] {
			seen[m.Path] = true
			modules = append(modules, module{path: m.Path, licence: licenceText(t, m.Dir)})
		}
	}
	return modules
}

func loadGoMods(t *testing.T) []goMod {
	t.Helper()
	type edited struct {
		Go, Toolchain string
		Require       []struct{ Path, Version string }
		Replace       []struct{ Old struct{ Path string } }
	}
	var mods []goMod
	for _, file := range filesNamed(t, "go.mod") {
		e := goJSON[edited](t, "mod", "edit", "-json", file)[0]
		m := goMod{file: file, required: map[string]string{"go": cmp.Or(e.Toolchain, e.Go)}}
		for _, r := range e.Require {
			m.required[r.Path] = r.Version
		}
		for _, r := range e.Replace {
			m.replaced = append(m.replaced, r.Old.Path)
		}
		mods = append(mods, m)
	}
	return mods
}

// goJSON runs the go command and decodes the stream of values that it prints.
func goJSON[T any](t *testing.T, args ...string) []T {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Stderr = t.Output()
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("run go %s: %v", strings.Join(args, " "), err)
	}
	var values []T
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var v T
		if err := decoder.Decode(&v); errors.Is(err, io.EOF) {
			return values
		} else if err != nil {
			t.Fatalf("decode go %s: %v", strings.Join(args, " "), err)
		}
		values = append(values, v)
	}
}

// relative turns an import path of this module into a path from its root.
func relative(importPath string) string {
	if importPath == modulePath {
		return "."
	}
	return strings.TrimPrefix(importPath, modulePath+"/")
}

func relatives(importPaths []string) []string {
	var paths []string
	for _, p := range importPaths {
		paths = append(paths, relative(p))
	}
	return paths
}

func isGenerated(t *testing.T, file string) bool {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly|parser.ParseComments)
	if err != nil {
		t.Fatalf("parse %s: %v", file, err)
	}
	return ast.IsGenerated(parsed)
}

// licenceText is the text of the licence files at the top of a module.
func licenceText(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatalf("read module: %v", err)
	}
	var text strings.Builder
	for _, e := range entries {
		stem, _, _ := strings.Cut(strings.ToUpper(e.Name()), ".")
		if e.IsDir() || !slices.Contains([]string{"LICENSE", "LICENCE", "COPYING"}, stem) {
			continue
		}
		content, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatalf("read licence: %v", err)
		}
		fmt.Fprintf(&text, "%s\n", content)
	}
	return text.String()
}

// filesNamed lists the files of that name in the repository, by slash-separated
// path from its root.
func filesNamed(t *testing.T, name string) []string {
	t.Helper()
	var files []string
	err := fs.WalkDir(os.DirFS("."), ".", func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == ".git" || entry.Name() == "node_modules"):
			return fs.SkipDir
		case path.Base(file) == name:
			files = append(files, file)
		}
		return nil
	})
	if err != nil {
		t.Fatalf("look for %s: %v", name, err)
	}
	return files
}
