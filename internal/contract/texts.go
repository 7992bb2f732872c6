package contract

import (
	"context"
	"fmt"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// names are greeted in every mode. No server may normalise, trim or escape them.
var names = []string{
	"world",
	"",
	"  two  spaces ",
	"Zoe\u0308",                             // a combining mark, which is not U+00EB
	"\U0001F469\u200D\U0001F467",            // two emoji and a joiner, outside of the basic plane
	"\u05E9\u05DC\u05D5\u05DD",              // right to left
	"\u202Eabc\u202C",                       // overrides of direction
	"\"quoted\" \\ <b>&amp;</b> 'apo' 100%", // what JSON, HTML and URLs escape
	"line\nbreak\ttab\r\x00nul",
	"\uFEFF\u2028\uFFFD",
}

// texts checks what the modes say.
func texts() []Behaviour {
	list := perMode("any name", greet.Modes, func(ctx context.Context, client stack.Client, m greet.Mode) error {
		for _, name := range names {
			if err := call(ctx, client, m, name); err != nil {
				return fmt.Errorf("name %+q: %w", name, err)
			}
		}
		return nil
	})
	return append(list, Behaviour{
		Name:  "fifty greetings in order",
		Needs: []greet.Mode{greet.ServerStream},
		Check: func(ctx context.Context, client stack.Client, _ Subject) error {
			return numbered(ctx, client, "streamer", 50)
		},
	})
}

// chats checks the ways in which the two sides of a chat may take turns.
func chats() []Behaviour {
	needs := []greet.Mode{greet.Bidi}
	return []Behaviour{
		{Name: "conversation", Needs: needs, Check: conversation},
		{Name: "chat with all replies owed at the half-close", Needs: needs, Check: func(ctx context.Context, client stack.Client, _ Subject) error {
			return halfClosed(ctx, client, many(100)...)
		}},
		{Name: "chat of a thousand, both sides at will", Needs: needs, Check: chatAtWill},
		{Name: "chat without a word", Needs: needs, Check: func(ctx context.Context, client stack.Client, _ Subject) error {
			return halfClosed(ctx, client)
		}},
	}
}

// conversation sends each name only after the reply to the one before. A server that waits for the
// half-close before it answers hangs here.
func conversation(ctx context.Context, client stack.Client, _ Subject) error {
	chat, err := client.GreetChat(ctx)
	if err != nil {
		return err
	}
	defer chat.Close()
	for _, name := range many(20) {
		if err := chat.Send(&greetv1.GreetChatRequest{Name: name}); err != nil {
			return fmt.Errorf("say %q: %w", name, err)
		}
		if err := wantHi(chat, name); err != nil {
			return err
		}
	}
	if err := chat.CloseSend(); err != nil {
		return fmt.Errorf("half-close: %w", err)
	}
	return wantEnd(chat.Receive)
}

// chatAtWill sends without waiting for replies. They must still come in the order of the requests.
func chatAtWill(ctx context.Context, client stack.Client, _ Subject) error {
	chat, err := client.GreetChat(ctx)
	if err != nil {
		return err
	}
	defer chat.Close()
	said := many(1000)
	sent := make(chan error, 1)
	go func() { sent <- sayAll(chat, said) }()
	for _, name := range said {
		if err := wantHi(chat, name); err != nil {
			return err
		}
	}
	if err := wantEnd(chat.Receive); err != nil {
		return err
	}
	return <-sent
}

func sayAll(chat stack.GreetChat, names []string) error {
	for _, name := range names {
		if err := chat.Send(&greetv1.GreetChatRequest{Name: name}); err != nil {
			return fmt.Errorf("say %q: %w", name, err)
		}
	}
	if err := chat.CloseSend(); err != nil {
		return fmt.Errorf("half-close: %w", err)
	}
	return nil
}

// many makes n names that differ.
func many(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("name %d", i)
	}
	return list
}
