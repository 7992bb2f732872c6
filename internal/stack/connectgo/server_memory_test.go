package connectgo

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"connectrpc.com/connect/v2"
	"github.com/google/go-cmp/cmp"
)

// TestMemoryOfAConnection has one connection take all that it may: its next call waits
// and gives up, while another connection is served.
func TestMemoryOfAConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory()
		first, second, other := m.open(t.Context(), "a"), m.open(t.Context(), "a"), m.open(t.Context(), "b")
		if err := first.draw(1 << 20); err != nil {
			t.Fatal(err)
		}
		begun := time.Now()
		if err := second.draw(1 << 10); connect.CodeOf(err) != connect.CodeResourceExhausted {
			t.Errorf("got %v, want resource_exhausted", err)
		}
		if waited := time.Since(begun); waited != memoryPatience {
			t.Errorf("gave up after %v, want %v", waited, memoryPatience)
		}
		if err := other.draw(1 << 10); err != nil {
			t.Errorf("another connection: %v", err)
		}
		first.keep(freeBytes + 1)
		if err := second.draw(1 << 10); err != nil {
			t.Errorf("once there is memory: %v", err)
		}
		for _, d := range []*drawing{first, second, other} {
			d.close()
		}
		wantUnused(t, m)
	})
}

// TestMemoryWaitsWithinTheDeadline has a call end for its own reason.
func TestMemoryWaitsWithinTheDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory()
		first := m.open(t.Context(), "a")
		if err := first.draw(1 << 20); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		second := m.open(ctx, "a")
		if err := second.draw(1 << 20); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want the deadline's error", err)
		}
		first.close()
		second.close()
		wantUnused(t, m)
	})
}

func wantUnused(t *testing.T, m *memory) {
	t.Helper()
	if !m.all.TryAcquire(memoryOfAll) {
		t.Error("memory is missing")
	}
	if len(m.conns) > 0 {
		t.Errorf("%d connections are remembered, want none", len(m.conns))
	}
}

// TestMessageBodyAsks has messages come in pieces of any size. The body must ask for
// each compressed one while it still holds back a part of it.
func TestMessageBodyAsks(t *testing.T) {
	envelopes := slices.Concat(
		[]byte{1, 0, 0, 0, 3}, []byte("abc"),
		[]byte{0, 0, 0, 0, 2}, []byte("de"), // not compressed
		[]byte{1, 0, 0, 0, 0},
		[]byte{1, 0, 0, 1, 0}, bytes.Repeat([]byte("f"), 256),
	)
	for _, test := range []struct {
		name      string
		enveloped bool
		bytes     []byte
		want      []int64
	}{
		{"stream", true, envelopes, []int64{3, 256}},
		{"unary", false, envelopes, []int64{int64(len(envelopes))}},
		{"nothing", false, nil, nil},
		{"half a message", true, []byte{1, 0, 0, 0, 3, 'a'}, nil},
	} {
		for name, pieces := range map[string]func(io.Reader) io.Reader{
			"whole": func(r io.Reader) io.Reader { return r }, "bytes": iotest.OneByteReader, "halves": iotest.HalfReader, "end with data": iotest.DataErrReader,
		} {
			t.Run(test.name+" "+name, func(t *testing.T) {
				var got []int64
				body := &messageBody{
					ReadCloser: io.NopCloser(pieces(bytes.NewReader(test.bytes))),
					enveloped:  test.enveloped,
					whole:      func(size int64) error { got = append(got, size); return nil },
				}
				read, err := io.ReadAll(body)
				if err != nil || !bytes.Equal(read, test.bytes) {
					t.Errorf("read %q, %v", read, err)
				}
				if diff := cmp.Diff(test.want, got); diff != "" {
					t.Errorf("sizes (-want +got):\n%s", diff)
				}
			})
		}
	}
}

// TestMessageBodyRefused hands out nothing of a message for which there is no memory.
func TestMessageBodyRefused(t *testing.T) {
	refused := errors.New("refused")
	for _, enveloped := range []bool{true, false} {
		body := &messageBody{
			ReadCloser: io.NopCloser(bytes.NewReader([]byte{1, 0, 0, 0, 1, 'a'})),
			enveloped:  enveloped,
			whole:      func(int64) error { return refused },
		}
		if _, err := io.ReadAll(body); !errors.Is(err, refused) {
			t.Errorf("enveloped %v: got %v, want it refused", enveloped, err)
		}
	}
}
