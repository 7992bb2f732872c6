package process

import (
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestReadWireCountsThatPeerAlone(t *testing.T) {
	client, server := connected(t)
	other, _ := connected(t)
	if _, err := other.Write(make([]byte, 999)); err != nil {
		t.Fatal(err)
	}
	before, err := ReadWire(client.RemoteAddr().String())
	ports := []int{client.LocalAddr().(*net.TCPAddr).Port}
	if diff := cmp.Diff(Wire{Ports: ports}, before); diff != "" || err != nil {
		t.Errorf("at first: %+v, %v, want one connection and nothing on it", before, err)
	}
	echo(t, client, server, 1000)
	echo(t, client, server, 3)
	got, err := ReadWire(client.RemoteAddr().String())
	if diff := cmp.Diff(Wire{Ports: ports, Sent: 1003, Received: 1003}, got); diff != "" || err != nil {
		t.Errorf("error %v, (-want +got):\n%s", err, diff)
	}
	if _, err := ReadWire("localhost"); err == nil {
		t.Error("an address without a port has connections")
	}
}

// connected is both ends of a connection.
func connected(t *testing.T) (client, server net.Conn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if client, err = net.Dial("tcp", l.Addr().String()); err != nil {
		t.Fatal(err)
	}
	if server, err = l.Accept(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close(); server.Close() })
	return client, server
}

func echo(t *testing.T, client, server net.Conn, n int) {
	t.Helper()
	data := make([]byte, n)
	for _, step := range []func([]byte) (int, error){
		client.Write, func(b []byte) (int, error) { return io.ReadFull(server, b) },
		server.Write, func(b []byte) (int, error) { return io.ReadFull(client, b) },
	} {
		if _, err := step(data); err != nil {
			t.Fatal(err)
		}
	}
}

func TestReadSwitchesGrowWithWaiting(t *testing.T) {
	before, err := ReadSwitches(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		time.Sleep(time.Millisecond) // a thread has to wait for this
	}
	if after, err := ReadSwitches(os.Getpid()); err != nil || after.Voluntary <= before.Voluntary {
		t.Errorf("from %+v to %+v, %v, want more voluntary ones", before, after, err)
	}
	if _, err := ReadSwitches(-1); err == nil {
		t.Error("a process that there is not has switches")
	}
}

// TestCountSyscallsOfThisProcess makes calls that nothing else here makes.
func TestCountSyscallsOfThisProcess(t *testing.T) {
	needsStrace(t)
	counts, err := CountSyscalls(os.Getpid(), func() {
		for range 50 {
			_, _ = os.Readlink("/proc/self/exe")
		}
	})
	if err != nil {
		t.Skipf("this system does not let processes be traced: %v", err)
	}
	if got := counts["readlinkat"]; got != 50 {
		t.Errorf("%d calls of readlinkat in %v, want 50", got, counts)
	}
}

func TestCountSyscallsOfNoProcess(t *testing.T) {
	needsStrace(t)
	_, err := CountSyscalls(1<<30, func() { t.Error("it ran untraced") })
	if err == nil || !strings.Contains(err.Error(), "strace did not attach") {
		t.Errorf("error %v, want that strace did not attach", err)
	}
}

func needsStrace(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("strace"); err != nil {
		t.Skip(err)
	}
}

func TestParseSyscalls(t *testing.T) {
	const table = `% time     seconds  usecs/call     calls    errors syscall
------ ----------- ----------- --------- --------- ----------------
 52.17    0.000012           0       500         3 read
 47.83    0.000011          11         1           futex
------ ----------- ----------- --------- --------- ----------------
100.00    0.000023           0       501         3 total
`
	counts, err := parseSyscalls(strings.NewReader(table))
	if err != nil || len(counts) != 2 || counts["read"] != 500 || counts["futex"] != 1 {
		t.Errorf("got %v, %v, want 500 of read and 1 of futex", counts, err)
	}
	if none, err := parseSyscalls(strings.NewReader("")); err != nil || len(none) != 0 {
		t.Errorf("of nothing: %v, %v", none, err)
	}
	if _, err := parseSyscalls(strings.NewReader(strings.ReplaceAll(table, "500", "many"))); err == nil {
		t.Error("a table with words for numbers was read")
	}
}
