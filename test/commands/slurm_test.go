package commands_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"example.com/greet/test/built"
)

// srun starts tasks as Slurm does, all of them here, and passes on the signal that ends
// them.
const srun = `#!/bin/sh
n=1
while :; do
	case $1 in
	--ntasks=*) n=${1#*=} ;;
	--*) ;;
	*) break ;;
	esac
	shift
done
trap 'kill $tasks' TERM
i=0
while [ $i -lt $n ]; do
	SLURM_PROCID=$i SLURM_NTASKS=$n "$@" &
	tasks="$tasks $!" i=$((i + 1))
done
status=0
for task in $tasks; do wait $task || status=$?; done
wait
exit $status
`

// TestSlurmScript runs the job script with an srun of its own, and three nodes that are
// all this one.
func TestSlurmScript(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("bash is not on PATH")
	}
	script, err := filepath.Abs("deploy/slurm/greet.sbatch")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"srun": srun, "scontrol": "#!/bin/sh\necho localhost; echo localhost; echo localhost\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(built.Command(t.Context(), t, "benchmark").Path, filepath.Join(dir, "greet-benchmark")); err != nil {
		t.Fatal(err)
	}
	port := freePorts(t, 3)
	job := exec.CommandContext(t.Context(), "bash", script, "--rounds", "1", "--slice", "300ms", "--cases", "concurrency 4 ", "--wait", "10s")
	job.Dir = dir
	job.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "SLURM_JOB_ID=17", "SLURM_JOB_NODELIST=n[0-2]", "ADDR=127.0.0.1", "PORT="+strconv.Itoa(port))
	out, err := job.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"2 workers on one host", "`mine/grpc/h2c`"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("it does not print %q:\n%s", want, out)
		}
	}
	if lines := readResults(t, filepath.Join(dir, "greet-17", "merged.jsonl")); len(lines) != 3 || lines[0].Case.Concurrency != 8 {
		t.Errorf("%d results, the first of concurrency %d; want 3, and 8 calls in flight", len(lines), lines[0].Case.Concurrency)
	}
}
