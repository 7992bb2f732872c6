package bare

import (
	"example.com/greet/benchmark/internal/calls"
	"example.com/greet/internal/greet"
)

// largestAround is more than what a message has beside a name.
const largestAround = 64

// loadWork is what each call of a variant sends, and the replies that are right. All
// its calls share it, and nothing changes it.
type loadWork struct {
	method   string
	requests [][]byte // with their lengths; the last stands for all that follow
	messages int      // requests of a call
	sends    int      // those, and an end if one follows
	replies  [][]byte // without their lengths, likewise
	wants    int      // replies to a call
	chat     bool     // each request has its reply, and the end has one too
	inTurn   bool     // each request waits for the reply to the one before
}

// newLoadWork returns the work of one variant.
func newLoadWork(w calls.Work) *loadWork {
	name := w.Name()
	work := &loadWork{messages: 1, sends: 1, wants: 1}
	switch w.Mode {
	case greet.ServerStream:
		work.method, work.wants = "GreetStream", w.Messages
		work.requests = [][]byte{appendRequest(nil, name, int32(w.Messages))}
		for i := range int32(w.Messages) {
			work.replies = append(work.replies, []byte(greet.NumberedHello(i+1, name)))
		}
	case greet.ClientStream:
		work.method, work.messages, work.sends = "GreetCount", w.Messages, w.Messages+1
		work.requests = [][]byte{appendMessage(nil, name)}
		work.replies = [][]byte{appendWord(nil, w.Messages)}
	case greet.Bidi:
		work.chats(w)
	default:
		work.method = "Greet"
		work.requests, work.replies = [][]byte{appendMessage(nil, name)}, [][]byte{[]byte(greet.Hello(name))}
	}
	return work
}

func (w *loadWork) chats(of calls.Work) {
	w.method, w.chat, w.inTurn = "GreetChat", true, of.InTurn
	w.messages, w.sends, w.wants = of.Messages, of.Messages+1, of.Messages
	names := []string{of.Name()}
	if of.Numbered {
		names = of.Names()
	}
	for _, name := range names {
		w.requests = append(w.requests, appendMessage(nil, name))
		w.replies = append(w.replies, []byte(greet.Hi(name)))
	}
}

// request is the i-th request of a call, counted from 0, or the end after the last.
func (w *loadWork) request(i int) []byte {
	if i == w.messages {
		return appendEnd(nil)
	}
	return w.requests[min(i, len(w.requests)-1)]
}

// reply is the i-th reply.
func (w *loadWork) reply(i int) []byte { return w.replies[min(i, len(w.replies)-1)] }

// needed is how many requests must have been sent before the i-th reply can come, or the
// end after the last.
func (w *loadWork) needed(i int) int {
	if w.chat {
		return i + 1
	}
	return w.sends
}
