package process

// Wire is the system's count of bytes on TCP connections, without the headers of TCP and IP.
type Wire struct {
	Ports          []int // of our end, in their order: equal for the same connections
	Sent, Received int64
}
