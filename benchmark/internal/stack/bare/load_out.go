package bare

import "net"

// outbox is what is to be written: small messages beside each other, and large ones from
// where they are.
type outbox struct {
	pieces net.Buffers
	small  []byte // behind the pieces
	size   int
}

func (o *outbox) add(message []byte) {
	o.size += len(message)
	if len(message) < largeMessage {
		o.small = append(o.small, message...)
		return
	}
	if len(o.small) > 0 {
		o.pieces, o.small = append(o.pieces, o.small), nil
	}
	o.pieces = append(o.pieces, message)
}

// written drops the first n bytes of the small messages.
func (o *outbox) written(n int) {
	o.size -= n
	o.small = o.small[:copy(o.small, o.small[n:])]
}

// take empties the outbox.
func (o *outbox) take() net.Buffers {
	o.pieces = append(o.pieces, o.small)
	all := o.pieces
	*o = outbox{}
	return all
}
