//go:build !linux

package load

import "time"

// nap sleeps as exactly as the runtime does.
var nap = time.Sleep
