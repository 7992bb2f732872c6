package wire

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestConnectDetails reads the details of both forms in which Connect sends an error.
func TestConnectDetails(t *testing.T) {
	const detail = `"details":[{"type":"greet.v1.GreetRequest","value":"CgNBZGE"},{"type":"unknown.Type","value":"CgNBZGE="}]`
	want := []string{`  detail greet.v1.GreetRequest {name (1): "Ada"}`, "  detail unknown.Type"}
	for _, test := range []struct {
		content string
		want    []string
	}{
		{`{"code":"internal",` + detail + `}`, want},
		{`{"error":{"code":"internal",` + detail + `},"metadata":{}}`, want},
		{`{"code":"internal","details":[{"type":"greet.v1.GreetRequest","value":"?"}]}`, nil},
		{`{}`, nil},
		{`{"error":`, nil},
	} {
		var got []string
		for _, p := range connectDetails([]byte(test.content)) {
			got = append(got, p.Text)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: (-want +got):\n%s", test.content, diff)
		}
	}
}
