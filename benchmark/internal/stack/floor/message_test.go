package floor

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"google.golang.org/protobuf/proto"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// TestAssembler cuts the same messages at random.
func TestAssembler(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	var wire []byte
	var want [][]byte
	for _, size := range []int{0, 1, 5, 0, 300, 70_000, 2, 600_000} {
		m := &greetv1.GreetRequest{Name: string(bytes.Repeat([]byte{'a'}, size))}
		raw, err := proto.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, raw)
		if wire, err = appendMessage(wire, m); err != nil {
			t.Fatal(err)
		}
	}
	for _, most := range []int{1, 3, 10, 1000, 100_000, len(wire)} {
		var a assembler
		var got [][]byte
		for left := wire; len(left) > 0; {
			piece := left[:min(1+random.IntN(most), len(left))]
			left = left[len(piece):]
			for {
				message, rest, ok, err := a.next(piece)
				if err != nil {
					t.Fatal(err)
				}
				if !ok {
					break
				}
				got = append(got, bytes.Clone(message))
				piece = rest
			}
		}
		if len(got) != len(want) || a.partial() {
			t.Fatalf("pieces of up to %d: got %d messages, partial %v, want %d", most, len(got), a.partial(), len(want))
		}
		for i := range want {
			if !bytes.Equal(got[i], want[i]) {
				t.Errorf("pieces of up to %d: message %d has %d bytes, want %d", most, i, len(got[i]), len(want[i]))
			}
		}
	}
}

func TestAssemblerRefuses(t *testing.T) {
	for _, test := range []struct {
		what, prefix string
		want         greet.Code
	}{
		{"4 MiB and a byte", "\x00\x00\x40\x00\x01", greet.CodeResourceExhausted},
		{"4 GiB", "\x00\xff\xff\xff\xff", greet.CodeResourceExhausted},
		{"compressed", "\x01\x00\x00\x00\x01", greet.CodeInternal},
	} {
		var a assembler
		_, _, _, err := a.next([]byte(test.prefix))
		if greet.CodeOf(err) != test.want || cap(a.body) > 0 {
			t.Errorf("%s: got %v and a buffer of %d bytes, want %s and none", test.what, err, cap(a.body), test.want)
		}
	}
	large := &greetv1.GreetRequest{Name: string(make([]byte, stack.MaxMessageBytes))}
	if _, err := appendMessage(nil, large); greet.CodeOf(err) != greet.CodeResourceExhausted {
		t.Errorf("append a message above the limit: got %v", err)
	}
}

func FuzzAssembler(f *testing.F) {
	f.Add([]byte("\x00\x00\x00\x00\x01a\x00\x00\x00\x00\x00"), uint8(2))
	f.Fuzz(func(t *testing.T, input []byte, size uint8) {
		var a assembler
		for taken := 0; taken < len(input); {
			piece := input[taken:min(taken+int(size)+1, len(input))]
			taken += len(piece)
			for {
				message, rest, ok, err := a.next(piece)
				if err != nil {
					return
				}
				if !ok {
					break
				}
				if len(message) > len(input) || len(rest) > len(piece) {
					t.Fatalf("message of %d and rest of %d bytes, from %d", len(message), len(rest), len(piece))
				}
				piece = rest
			}
		}
	})
}
