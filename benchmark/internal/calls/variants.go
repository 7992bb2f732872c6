package calls

import (
	"crypto/rand"

	"example.com/greet/internal/greet"
)

const (
	mostVariants = 64
	// variantBytes bounds the size of all variants' names together, so that they stay in the
	// processor's caches.
	variantBytes  = 64 << 10
	countVariants = 3
)

// Variants returns works with different right replies. Each call of a window does one of them,
// chosen at random, so a server that answers before it has read the request soon gives a wrong
// reply. The words are drawn anew each time. A work that is not Drawn is its only variant.
//
// If the reply repeats the name, the variants have different names. Client streams, whose reply is
// the number of messages, have one message fewer, the same number, or one more, equally often. A
// chat has one variant, because each of its messages is already checked to come after its request.
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
