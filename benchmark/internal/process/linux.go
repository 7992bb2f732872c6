package process

import (
	"errors"
	"fmt"
	"runtime"
)

// ErrOnlyLinux says that this package can do what was asked for on Linux alone.
var ErrOnlyLinux = errors.New("only Linux can")

func onlyLinux(act string) error { return fmt.Errorf("%s on %s: %w", act, runtime.GOOS, ErrOnlyLinux) }
