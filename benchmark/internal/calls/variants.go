package calls

import (
	"crypto/rand"

	"example.com/greet/internal/greet"
)

const (
	mostVariants = 64
	// variantBytes bounds what the names of all variants take together, so that they
	// stay in the processor's caches.
	variantBytes  = 64 << 10
	countVariants = 3
)

// Variants returns works that want different replies. Each call of a window does one of
// them, chosen at random, so that a server that answers before it has read the request
// is wrong sooner or later. The words are drawn anew each time. A work that is not
// Drawn is its only variant.
//
// Names differ where the reply repeats them. Client streams, whose reply is the number
// of messages, have one message more or less, or neither, equally often. A chat has one
// variant: whether each message is sent before its reply comes is checked.
func (w Work) Variants() []Work {
	if !w.Drawn {
		return []Work{w}
	}
	all := make([]Work, w.variants())
	for i := range all {
		all[i] = w
		all[i].Word = rand.Text()[:8]
		if w.Mode == greet.ClientStream && len(all) == countVariants {
			all[i].Messages += i - 1
		}
	}
	return all
}

func (w Work) variants() int {
	switch {
	case w.Mode == greet.Bidi, w.Mode == greet.ClientStream && w.Messages < 2:
		return 1
	case w.Mode == greet.ClientStream:
		return countVariants
	}
	return min(mostVariants, max(2, variantBytes/max(1, w.Payload*w.Messages)))
}
