package floor

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"

	"example.com/greet/internal/greet"
	"example.com/greet/internal/h2"
)

func TestTimeout(t *testing.T) {
	for _, test := range []struct {
		d    time.Duration
		want string
		back time.Duration
	}{
		{0, "0n", 0},
		{-time.Second, "0n", 0},
		{time.Nanosecond, "1n", time.Nanosecond},
		{150 * time.Millisecond, "150000u", 150 * time.Millisecond},
		{10 * time.Second, "10000000u", 10 * time.Second},
		{math.MaxInt64, "2562048H", math.MaxInt64},
		{time.Hour + time.Nanosecond, "3600001m", time.Hour + time.Millisecond},
	} {
		got := formatTimeout(test.d)
		back, err := parseTimeout(got)
		if got != test.want || back != test.back || err != nil {
			t.Errorf("%v is %s, read back as %v, %v, want %s and %v", test.d, got, back, err, test.want, test.back)
		}
	}
	for _, bad := range []string{"", "S", "1", "-1S", "+1S", "1.5S", "123456789n", "1s", "1 S", "999999999H"} {
		if d, err := parseTimeout(bad); err == nil {
			t.Errorf("parseTimeout(%q) = %v, want an error", bad, d)
		}
	}
	if d, err := parseTimeout("99999999H"); err != nil || d != math.MaxInt64 {
		t.Errorf("the longest timeout: got %v, %v, want the longest duration", d, err)
	}
}

func TestStatusThereAndBack(t *testing.T) {
	for _, want := range []*greet.Error{
		{Code: greet.CodeNotFound},
		{Code: greet.CodeInvalidArgument, Message: "100% \u00fcber\nline", Details: []proto.Message{
			&errdetails.BadRequest{FieldViolations: []*errdetails.BadRequest_FieldViolation{{Field: "count", Description: "too large"}}},
		}},
		{Code: 99, Message: "a code of the future"},
	} {
		got := parseStatus(&h2.Header{Fields: statusFields(want)})
		if diff := cmp.Diff(error(want), got, protocmp.Transform()); diff != "" {
			t.Errorf("status (-want +got):\n%s", diff)
		}
	}
	if err := parseStatus(&h2.Header{Fields: []h2.Field{{Name: "grpc-status", Value: "0"}}}); err != nil {
		t.Errorf("status 0: got %v", err)
	}
	for _, bad := range []string{"", "x", "-1", "99999999999"} {
		err := parseStatus(&h2.Header{Fields: []h2.Field{{Name: "grpc-status", Value: bad}}})
		if greet.CodeOf(err) != greet.CodeUnknown {
			t.Errorf("status %q: got %v, want unknown", bad, err)
		}
	}
}

func TestUnescapeKeepsWhatIsNotEncoded(t *testing.T) {
	for in, want := range map[string]string{
		"plain": "plain", "%": "%", "%4": "%4", "%zz": "%zz", "a%20b%": "a b%", "%C3%BC": "\u00fc", "%+1": "%+1",
	} {
		if got := unescape(in); got != want {
			t.Errorf("unescape(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestEndsWithoutAStatus(t *testing.T) {
	for _, test := range []struct {
		what string
		end  h2.End
		late bool
		want greet.Code
	}{
		{"lost", h2.End{By: h2.Lost}, true, greet.CodeUnavailable},
		{"refused", h2.End{By: h2.Refused, Code: h2.RefusedStream}, false, greet.CodeUnavailable},
		{"in order", h2.End{By: h2.Both}, false, greet.CodeInternal},
		{"cancelled", h2.End{By: h2.Peer, Code: h2.Cancel}, false, greet.CodeCanceled},
		{"cancelled by a server that knew the deadline", h2.End{By: h2.Peer, Code: h2.Cancel}, true, greet.CodeDeadlineExceeded},
		{"too much", h2.End{By: h2.Peer, Code: h2.EnhanceYourCalm}, true, greet.CodeResourceExhausted},
	} {
		if got := greet.CodeOf(endError(test.end, test.late)); got != test.want {
			t.Errorf("%s: got %s, want %s", test.what, got, test.want)
		}
	}
}
