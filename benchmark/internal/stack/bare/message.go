package bare

import (
	"encoding/binary"
	"fmt"
	"io"

	"example.com/greet/internal/stack"
)

// prefix is how many bytes hold a message's length.
const prefix = 4

// appendMessage appends the text behind its length.
func appendMessage(buffer []byte, text string) []byte {
	return append(binary.BigEndian.AppendUint32(buffer, uint32(len(text))), text...)
}

// readMessage reads one message into the buffer, which it returns enlarged if it
// has to be. io.EOF means that the peer ended the connection between messages.
func readMessage(r io.Reader, buffer []byte) ([]byte, error) {
	var header [prefix]byte
	if _, err := io.ReadFull(r, header[:]); err != nil {
		return buffer, err
	}
	size := binary.BigEndian.Uint32(header[:])
	if size > stack.MaxMessageBytes {
		return buffer, fmt.Errorf("read message: %d bytes, want at most %d", size, stack.MaxMessageBytes)
	}
	if cap(buffer) < int(size) {
		buffer = make([]byte, size)
	}
	buffer = buffer[:size]
	if _, err := io.ReadFull(r, buffer); err != nil {
		return buffer, fmt.Errorf("read message: %w", io.ErrUnexpectedEOF)
	}
	return buffer, nil
}
