package process

// Wire is what the system has counted of TCP connections: the bytes of their
// streams, without the headers of TCP and IP.
type Wire struct {
	Ports          []int // of our end, in their order: equal for the same connections
	Sent, Received int64
}
