package calls

import (
	"fmt"
	"net/http"
)

// Names returns the name in each request of a chat, or of a stream from the client.
// Numbered ones carry their number before the work's word, as far as the payload has
// room for them.
func (w Work) Names() []string {
	names := make([]string, w.Messages)
	plain := w.Name()
	for i := range names {
		names[i] = plain
		if w.Numbered {
			names[i] = (fmt.Sprintf("%07d-", i) + plain)[:w.Payload]
		}
	}
	return names
}

// Header returns the request headers that each call has beside those that it needs.
// They are of the size that tracing, tenants and tokens have, and the same in each
// call, so that a compressed header table can show what it is worth.
func (w Work) Header() http.Header {
	header := make(http.Header, w.Headers)
	for i := range w.Headers {
		header.Set(fmt.Sprintf("Greet-Header-%d", i), fmt.Sprintf("value-%d-of-a-header", i))
	}
	return header
}
