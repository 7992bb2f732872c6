package calls

import (
	"strings"
	"testing"
)

func TestEveryByteOfAReplyIsChecked(t *testing.T) {
	want := strings.Repeat("x", 2<<20)
	if err := CheckReply("Greet", want, want); err != nil {
		t.Error(err)
	}
	for _, at := range []int{0, 100, 1 << 20, len(want) - 1} {
		got := want[:at] + "y" + want[at+1:]
		err := CheckReply("Greet", got, want)
		if err == nil || len(err.Error()) > 300 {
			t.Errorf("with another byte %d: error %v, want a short one", at, err)
		}
	}
}
