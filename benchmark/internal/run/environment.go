package run

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"example.com/greet/benchmark/internal/result"
)

const unknown = "unknown"

// Environment describes this process's machine and program, for measurements that are no Run. The
// command repeats them.
func Environment(ctx context.Context, command string) result.Environment {
	return environment(ctx, Run{Command: command})
}

// environment describes this process's machine and program. What the system does not tell is
// "unknown" or 0.
func environment(ctx context.Context, r Run) result.Environment {
	m := machine{os.DirFS("/")}
	loadAverage, _, _ := m.load()
	e := result.Environment{
		Host:       hostHash(),
		CPU:        unknown,
		CPUs:       runtime.NumCPU(),
		GoMaxProcs: runtime.GOMAXPROCS(0),
		Kernel:     m.line("proc/sys/kernel/osrelease"),
		OS:         runtime.GOOS,
		Arch:       runtime.GOARCH,
		Go:         runtime.Version(),
		Build:      buildFlags(),
		Commit:     commit(ctx, "."),
		Program:    program(),
		Pinned:     r.Pin,
		Governor:   m.governor(),
		Profile:    r.Profile,
		Clock:      m.clock(),
		Variables:  Variables(),

		LoadAverage: loadAverage,
		Command:     r.Command,
	}
	fillHardware(&e)
	return e
}

// speeding are the environment variables that change the speed of this program, or of those that a
// run starts; a star stands for any ending.
var speeding = []string{
	"GOGC", "GOMEMLIMIT", "GODEBUG", "GOMAXPROCS",
	"JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "NODE_OPTIONS", "UV_THREADPOOL_SIZE", "PYTHON*",
	"TOKIO_WORKER_THREADS", "GRPC_*", "LD_PRELOAD", "LD_LIBRARY_PATH", "GLIBC_TUNABLES", "MALLOC_*",
}

// harmless are those among them that only say where files are or what is written. Images of
// containers set them.
var harmless = []string{"GRPC_DEFAULT_SSL_ROOTS_FILE_PATH", "PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED"}

// Variables returns those that are set, not empty and not harmless, or nil.
func Variables() map[string]string {
	set := map[string]string{}
	for _, assignment := range os.Environ() {
		name, value, _ := strings.Cut(assignment, "=")
		if value != "" && changesSpeed(name) {
			set[name] = value
		}
	}
	if len(set) == 0 {
		return nil
	}
	return set
}

func changesSpeed(name string) bool {
	return !slices.Contains(harmless, name) && slices.ContainsFunc(speeding, func(pattern string) bool {
		beginning, several := strings.CutSuffix(pattern, "*")
		return name == pattern || several && strings.HasPrefix(name, beginning)
	})
}

// hostHash tells machines apart without naming them.
func hostHash() string {
	id, err := os.ReadFile("/etc/machine-id")
	if err != nil || len(bytes.TrimSpace(id)) == 0 {
		name, err := os.Hostname()
		if err != nil {
			return unknown
		}
		id = []byte(name)
	}
	return hashed(id)
}

func hashed(id []byte) string {
	sum := sha256.Sum256(append([]byte("greet benchmark: "), id...))
	return hex.EncodeToString(sum[:6])
}

// buildFlags lists the build settings that change speed.
func buildFlags() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return unknown
	}
	matter := []string{"-gcflags", "-ldflags", "-race", "-tags", "-pgo", "CGO_ENABLED", "GOAMD64", "GOARM64", "GOEXPERIMENT"}
	var flags []string
	for _, s := range info.Settings {
		if slices.Contains(matter, s.Key) && s.Value != "" {
			flags = append(flags, s.Key+"="+s.Value)
		}
	}
	return strings.Join(flags, " ")
}
