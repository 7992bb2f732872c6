package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
	"example.com/greet/internal/wire"
)

// flowControl is the demo that needs to see the connection.
const flowControl = "flow-control"

// demos show what calls have besides messages. Each works alike over every protocol and transport.
var demos = map[string]demo{
	"errors":   {"errors: an error has a code, a text and details", errorsDemo},
	"deadline": {"deadline: it runs out in the middle of a stream", deadlineDemo},
	"cancel":   {"cancel: the client gives up a stream", cancelDemo},
	"metadata": {"metadata: headers and trailers travel beside the messages", metadataDemo},

	flowControl: {"flow-control: a slow reader holds up a fast writer", flowDemo},
}

type demo struct {
	title string
	show  func(ctx context.Context, s *stage) error
}

// stage holds the server that a demo calls and the printer that it reports to.
type stage struct {
	server                  stack.Client
	timeout                 time.Duration // for the whole demo; ctx has it already
	say, sawServer, sayWire sayer
	look                    func() wire.Timeline // what the connection has carried so far; for flowControl
	http1                   bool                 // there are no windows to look at
}

// hugeStream asks for 100 MB, more than all buffers between server and client hold. So the server
// is still sending when the call ends.
var hugeStream = &greetv1.GreetStreamRequest{Name: strings.Repeat("a long name ", 85), Count: greet.MaxCount}

const (
	demoDeadline = time.Second            // at most, for the call that runs out of time
	demoPause    = 100 * time.Millisecond // before each of its greetings is read
)

func runDemo(ctx context.Context, f *flags, t *target, v *view) error {
	d := demos[f.Demo]
	v.begin("before the demo: is a server there?")
	if err := knock(ctx, f.Timeout, t); err != nil {
		return errors.Join(err, v.end(err))
	}
	if err := v.endSilently(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, f.Timeout)
	defer cancel()
	v.begin(d.title)
	err := d.show(ctx, &stage{t, f.Timeout, v.sayer("client"), v.sayer("server"), v.sayer("wire"), v.look, t.stack.Name.Transport == stack.H1})
	return errors.Join(err, v.end(err))
}

// knock makes one call and shows nothing of it. So when no server answers, the error is all that is
// printed.
func knock(ctx context.Context, timeout time.Duration, server stack.Client) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	_, err := server.Greet(ctx, &greetv1.GreetRequest{Name: "world"})
	return err
}

// errorsDemo asks for -1 greetings. The error that comes back has a code for
// programs, a text for people, and details that say which field was wrong.
func errorsDemo(ctx context.Context, s *stage) error {
	s.say("asking for -1 greetings")
	stream, err := s.server.GreetStream(ctx, &greetv1.GreetStreamRequest{Name: "streamer", Count: -1})
	if err == nil {
		defer stream.Close()
		_, err = stream.Receive()
	}
	failed, ok := errors.AsType[*greet.Error](err)
	if !ok || failed.Code != greet.CodeInvalidArgument {
		return unexpected(err, greet.CodeInvalidArgument)
	}
	s.say("code: %s", failed.Code)
	s.say("text: %s", failed.Message)
	for _, detail := range failed.Details {
		if bad, ok := detail.(*errdetails.BadRequest); ok {
			for _, v := range bad.GetFieldViolations() {
				s.say("detail: field %q: %s", v.GetField(), v.GetDescription())
			}
		}
	}
	return nil
}

// deadlineDemo gives a call one second, or less if --timeout does, and reads its
// many greetings slowly. Both sides know the deadline, and both end the call when
// it has passed.
func deadlineDemo(ctx context.Context, s *stage) error {
	limit := min(demoDeadline, s.timeout)
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	s.say("asking for %d greetings within %v, and reading one every %v", hugeStream.GetCount(), limit, demoPause)
	stream, err := s.server.GreetStream(ctx, hugeStream)
	came := 0
	for err == nil {
		_, err = stream.Receive()
		// What a library had read ahead may still come after the deadline.
		if err == nil && ctx.Err() == nil {
			came++
			pause(ctx, demoPause)
		}
	}
	if greet.CodeOf(err) != greet.CodeDeadlineExceeded {
		return unexpected(err, greet.CodeDeadlineExceeded)
	}
	s.say("%s came", counted(came, "greeting"))
	s.say("then: %s", greet.CodeDeadlineExceeded)
	return nil
}

// pause waits for d, or until ctx is done.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// cancelDemo reads three greetings of a long stream and gives it up. The call has a name, by which
// the client then asks the server what it saw.
func cancelDemo(ctx context.Context, s *stage) error {
	call, cancel, id := nameCall(ctx)
	defer cancel()
	s.say("asking for %d greetings", hugeStream.GetCount())
	stream, err := s.server.GreetStream(call, hugeStream)
	if err == nil {
		err = receive(stream, 3)
	}
	if err != nil {
		return err
	}
	s.say("3 greetings came; that is enough")
	cancel()
	for err == nil { // what had come before may still be read
		_, err = stream.Receive()
	}
	if greet.CodeOf(err) != greet.CodeCanceled {
		return unexpected(err, greet.CodeCanceled)
	}
	s.say("then: %s", greet.CodeCanceled)
	answer, err := ask(ctx, s.server, greet.HeaderSaw, id)
	if err != nil {
		return err
	}
	s.sawServer("%s", orMissing(answer.ResponseHeader, greet.HeaderSaw))
	return nil
}

// nameCall returns a context for a call that can be given up, and the name under which the server
// remembers it.
func nameCall(ctx context.Context) (call context.Context, giveUp context.CancelFunc, id string) {
	id = rand.Text()
	call, giveUp = context.WithCancel(stack.WithMetadata(ctx, &stack.Metadata{
		RequestHeader: http.Header{http.CanonicalHeaderKey(greet.HeaderCallID): {id}},
	}))
	return call, giveUp, id
}

// receive reads and drops n greetings.
func receive(stream stack.GreetStream, n int) error {
	for range n {
		if _, err := stream.Receive(); err != nil {
			return err
		}
	}
	return nil
}

// metadataDemo sends a header with a call; the server sends it back twice, ahead
// of the response and after it.
func metadataDemo(ctx context.Context, s *stage) error {
	s.say("request header %s: %s", greet.HeaderEcho, "hello")
	answer, err := ask(ctx, s.server, greet.HeaderEcho, "hello")
	if err != nil {
		return err
	}
	s.sawServer("response header %s: %s", greet.HeaderEcho, orMissing(answer.ResponseHeader, greet.HeaderEcho))
	s.sawServer("response trailer %s: %s", greet.TrailerEcho, orMissing(answer.ResponseTrailer, greet.TrailerEcho))
	return nil
}

// ask makes a unary call with one request header and returns its metadata.
func ask(ctx context.Context, server stack.Client, header, value string) (*stack.Metadata, error) {
	m := &stack.Metadata{RequestHeader: http.Header{http.CanonicalHeaderKey(header): {value}}}
	_, err := server.Greet(stack.WithMetadata(ctx, m), &greetv1.GreetRequest{Name: "world"})
	return m, err
}

func orMissing(h http.Header, key string) string {
	if value := h.Get(key); value != "" {
		return value
	}
	return "(none: this server does not answer the header)"
}

// unexpected is the error of a call that did not fail as it should. An error with an explanation of
// its own, such as a missing server, keeps it.
func unexpected(err error, want greet.Code) error {
	if err == nil || errors.Is(err, io.EOF) {
		return fmt.Errorf("the call succeeded, want %s", want)
	}
	return fmt.Errorf("want %s: %w", want, err)
}
