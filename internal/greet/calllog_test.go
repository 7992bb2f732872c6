package greet

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestCallLogSaysHowACallEnded(t *testing.T) {
	var text bytes.Buffer
	l := NewCallLog(slog.New(slog.NewTextHandler(&text, &slog.HandlerOptions{Level: slog.LevelDebug})))
	for id, err := range map[string]error{
		"canceled":          fmt.Errorf("send: %w", context.Canceled),
		"deadline_exceeded": context.DeadlineExceeded,
		"invalid_argument":  CheckCount(-1),
		"unknown":           fmt.Errorf("something else"),
		"ok":                nil,
	} {
		c := l.Begin("/greet.v1.GreetService/GreetChat", id)
		c.Received()
		c.Sent()
		c.Sent()
		c.End(err)
		if got, want := l.Saw(t.Context(), id), id+" after receiving 1 and sending 2 messages"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		if !strings.Contains(text.String(), "id="+id+" code="+id) {
			t.Errorf("log lacks id and code %s:\n%s", id, text.String())
		}
	}
	if got := l.Saw(t.Context(), "nobody"); got != "no such call" {
		t.Errorf("got %q for a call that was not", got)
	}
}

func TestCallLogWaitsAMomentForTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewCallLog(slog.New(slog.DiscardHandler))
		c := l.Begin("x", "soon")
		go func() {
			time.Sleep(100 * time.Millisecond)
			c.End(nil)
		}()
		if got := l.Saw(t.Context(), "soon"); !strings.HasPrefix(got, "ok ") {
			t.Errorf("got %q, want that it ended well", got)
		}
		l.Begin("x", "never")
		if got := l.Saw(t.Context(), "never"); got != "still running" {
			t.Errorf("got %q, want still running", got)
		}
	})
}

func TestCallLogForgetsTheOldest(t *testing.T) {
	l := NewCallLog(slog.New(slog.DiscardHandler))
	for i := range 3 * callLogSize {
		l.Begin("x", fmt.Sprint(i)).End(nil)
		l.Begin("x", "").End(nil) // nameless calls take no place
	}
	if len(l.named) != callLogSize || len(l.order) != callLogSize {
		t.Errorf("remembers %d calls in a list of %d, want %d", len(l.named), len(l.order), callLogSize)
	}
	if got := l.Saw(t.Context(), "0"); got != "no such call" {
		t.Errorf("the oldest: %q, want no such call", got)
	}
	if got := l.Saw(t.Context(), fmt.Sprint(3*callLogSize-1)); got == "no such call" {
		t.Error("the newest is forgotten")
	}
}
