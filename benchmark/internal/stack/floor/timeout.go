package floor

import (
	"errors"
	"math"
	"strconv"
	"time"
)

// maxTimeoutDigits is how many digits a grpc-timeout may have.
const maxTimeoutDigits = 8

var errTimeout = errors.New("malformed grpc-timeout")

var timeoutUnits = []struct {
	letter byte
	unit   time.Duration
}{
	{'n', time.Nanosecond}, {'u', time.Microsecond}, {'m', time.Millisecond},
	{'S', time.Second}, {'M', time.Minute}, {'H', time.Hour},
}

// formatTimeout writes a grpc-timeout in the finest unit in which it has at most
// eight digits. It rounds up: a server should not give up before its client.
func formatTimeout(d time.Duration) string {
	d = max(d, 0)
	for _, u := range timeoutUnits {
		n := int64(d / u.unit)
		if d%u.unit != 0 {
			n++
		}
		if n < 100_000_000 {
			return strconv.FormatInt(n, 10) + string(u.letter)
		}
	}
	return "99999999H"
}

// connectTimeout writes a Connect-Timeout-Ms, which has at most ten digits
// (https://connectrpc.com/docs/protocol#unary-request). 0 would mean no time at all.
func connectTimeout(d time.Duration) int64 {
	const longest = 9_999_999_999
	return min(max(1, d.Milliseconds()), longest)
}

func parseTimeout(s string) (time.Duration, error) {
	last := len(s) - 1
	if last < 1 || last > maxTimeoutDigits {
		return 0, errTimeout
	}
	n, err := strconv.ParseUint(s[:last], 10, 32)
	if err != nil {
		return 0, errTimeout
	}
	for _, u := range timeoutUnits {
		if u.letter != s[last] {
			continue
		}
		if int64(n) > math.MaxInt64/int64(u.unit) {
			return math.MaxInt64, nil
		}
		return time.Duration(n) * u.unit, nil
	}
	return 0, errTimeout
}
