package run

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"testing"
)

func TestCommitOfTheBuild(t *testing.T) {
	const revision = "0123456789abcdef0123456789abcdef01234567"
	for _, test := range []struct {
		name     string
		settings []debug.BuildSetting
		want     string
		stamped  bool
	}{
		{"no stamp", []debug.BuildSetting{{Key: "-race", Value: "true"}}, "", false},
		{"as committed", []debug.BuildSetting{{Key: "vcs.revision", Value: revision}, {Key: "vcs.modified", Value: "false"}}, "0123456789ab", true},
		{"changed", []debug.BuildSetting{{Key: "vcs.revision", Value: revision}, {Key: "vcs.modified", Value: "true"}}, "0123456789ab-dirty", true},
	} {
		if got, stamped := stamp(test.settings); got != test.want || stamped != test.stamped {
			t.Errorf("%s: %q, %t, want %q, %t", test.name, got, stamped, test.want, test.stamped)
		}
	}
}

func TestCommitOfTheDirectoryIfItHoldsTheModule(t *testing.T) {
	const module = "example.test/this"
	for _, test := range []struct {
		name, goMod string
		own         bool
	}{
		{"this module", "// A comment.\nmodule example.test/this\n\ngo 1.26\n", true},
		{"another module", "module example.test/that\n", false},
		{"no module", "", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := t.TempDir()
			if err := os.WriteFile(filepath.Join(root, "go.mod"), []byte(test.goMod), 0o600); err != nil {
				t.Fatal(err)
			}
			below := filepath.Join(root, "below")
			if err := os.Mkdir(below, 0o755); err != nil {
				t.Fatal(err)
			}
			git(t, root, "init", "-q")
			git(t, root, "add", "go.mod")
			git(t, root, "-c", "user.name=n", "-c", "user.email=e@example.test", "-c", "commit.gpgsign=false", "commit", "-q", "-m", "first")
			want := unknown
			if test.own {
				want = git(t, root, "rev-parse", "HEAD")[:shortCommit]
			}
			if got := checkedOut(t.Context(), below, module); got != want {
				t.Errorf("commit %q, want %q", got, want)
			}
		})
	}
	if got := checkedOut(t.Context(), t.TempDir(), module); got != unknown {
		t.Errorf("commit %q without a repository, want %q", got, unknown)
	}
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	command := exec.Command("git", args...)
	command.Dir = dir
	out, err := command.Output()
	if err != nil {
		t.Fatalf("git %v: %v", args, err)
	}
	return string(out)
}
