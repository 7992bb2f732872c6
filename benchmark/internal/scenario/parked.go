package scenario

import (
	"context"
	"sync"
	"sync/atomic"

	"example.com/greet/benchmark/internal/load"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// chats are peers that have spoken and stay: clients, and chats over them.
type chats struct {
	clients []stack.Client
	words   script
	ctx     context.Context // of the chats, which outlive the calls that open them
	leave   context.CancelFunc
	mu      sync.Mutex
	held    map[int]stack.GreetChat
}

func newChats(clients []stack.Client, words script) *chats {
	c := &chats{clients: clients, words: words, held: make(map[int]stack.GreetChat)}
	c.ctx, c.leave = context.WithCancel(context.Background())
	return c
}

// inTurn returns a call that makes visit 0, then 1, 2 and so on.
func inTurn(visit func(ctx context.Context, i int) load.Outcome) load.Call {
	var next atomic.Int64
	return func(ctx context.Context, _ int) load.Outcome { return visit(ctx, int(next.Add(1)-1)) }
}

// greetOne makes a call over the first client.
func (c *chats) greetOne(ctx context.Context, _ int) load.Outcome { return c.greet(ctx, 0) }

// greet makes a unary call over the i-th client.
func (c *chats) greet(ctx context.Context, i int) load.Outcome {
	return unaryCall(c.clients[i%len(c.clients)], c.words.requests[0].GetName())(ctx, 0)
}

// open opens the i-th chat, says something on it, and keeps it.
func (c *chats) open(ctx context.Context, i int) load.Outcome {
	defer context.AfterFunc(ctx, c.leave)() // a server that hangs must not hold us
	chat, err := c.clients[i%len(c.clients)].GreetChat(c.ctx)
	if err != nil {
		return failure(err)
	}
	c.mu.Lock()
	c.held[i] = chat
	c.mu.Unlock()
	return c.say(ctx, chat)
}

// speak says something on the i-th chat.
func (c *chats) speak(ctx context.Context, i int) load.Outcome {
	defer context.AfterFunc(ctx, c.leave)()
	c.mu.Lock()
	chat := c.held[i]
	c.mu.Unlock()
	return c.say(ctx, chat)
}

func (c *chats) say(ctx context.Context, chat stack.GreetChat) load.Outcome {
	wrong := exchange(chat, c.words, 0)
	switch {
	case ctx.Err() != nil: // the chat knows only that it was canceled
		return failure(&greet.Error{Code: greet.CodeDeadlineExceeded, Message: "a chat got no answer"})
	case wrong.Code != "":
		return wrong
	}
	return load.Outcome{Sent: 1, Received: 1}
}
