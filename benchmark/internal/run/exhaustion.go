package run

import (
	"fmt"
	"strings"
	"syscall"
)

// exhausted explains a failed call if a limit of this machine was reached. That is no fault of the
// server's, so no result may say so. The error has come through an RPC library, which keeps only
// its text.
func exhausted(text string) error {
	switch { // the text of ENFILE begins with that of EMFILE
	case strings.Contains(text, syscall.ENFILE.Error()):
		return fmt.Errorf("out of file descriptors on the whole machine (%s): raise fs.file-max with `sysctl -w fs.file-max=1000000` and run again", text)
	case strings.Contains(text, syscall.EMFILE.Error()):
		return fmt.Errorf("out of file descriptors (%s): this process may have %d open (RLIMIT_NOFILE); raise that with %s and run again",
			text, descriptorLimit(), raiseDescriptors)
	case strings.Contains(text, syscall.EADDRNOTAVAIL.Error()):
		return fmt.Errorf("out of ephemeral ports (%s): the range is net.ipv4.ip_local_port_range; widen it with %s and run again", text, raisePorts)
	}
	return nil
}

const (
	raiseDescriptors = "`ulimit -n 65536`"
	raisePorts       = "`sysctl -w net.ipv4.ip_local_port_range='1024 65535'`"
)
