//go:build !linux

package load

import "time"

// nap sleeps with the accuracy of the runtime.
var nap = time.Sleep
