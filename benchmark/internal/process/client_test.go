package process

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// answerers are clients that the tests start.
func init() {
	behaviours["echoes"] = func([]string) { answerEach(func(line string) { fmt.Println(line) }) }
	behaviours["answers late"] = func([]string) { answerEach(func(string) { select {} }) }
	behaviours["answers prose"] = func([]string) { answerEach(func(string) { fmt.Println("done!") }) }
	behaviours["answers twice"] = func([]string) { answerEach(func(line string) { fmt.Println(line + "\n" + line) }) }
	behaviours["dies of a request"] = func([]string) { answerEach(func(string) { os.Exit(5) }) }
	behaviours["stays"] = func([]string) { answerEach(func(string) {}); select {} }
	behaviours["ends badly"] = func([]string) { answerEach(func(string) {}); os.Exit(6) }
}

func answerEach(answer func(line string)) {
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		answer(lines.Text())
	}
}

type question struct{ Number int }

func startClient(t *testing.T, behaviour string) *Client {
	t.Helper()
	c, err := StartClient(Command{Name: behaviour, Argv: []string{os.Args[0], behaviour}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Stop(0) })
	return c
}

func TestClientAnswers(t *testing.T) {
	c := startClient(t, "echoes")
	for number := range 3 {
		var got question
		if err := c.Ask(t.Context(), question{number}, &got, time.Minute); err != nil || got.Number != number {
			t.Errorf("answer %v, error %v, want %d", got, err, number)
		}
	}
	if _, err := Observe(c.PID()); err != nil {
		t.Error(err)
	}
	if err := c.Stop(time.Minute); err != nil {
		t.Error(err)
	}
	if err := c.Ask(t.Context(), question{}, new(question), time.Minute); err == nil {
		t.Error("a client that was stopped has answered")
	}
}

func TestClientsThatDoNotAnswer(t *testing.T) {
	for behaviour, want := range map[string]string{
		"answers late":      "no answer within 50ms",
		"answers prose":     "invalid character 'd'",
		"dies of a request": "it has ended: exit status 5",
	} {
		c := startClient(t, behaviour)
		patience := time.Minute
		if behaviour == "answers late" {
			patience = 50 * time.Millisecond
		}
		err := c.Ask(t.Context(), question{}, new(question), patience)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q in it", behaviour, err, want)
		}
		if err := c.Ask(t.Context(), question{}, new(question), time.Minute); err == nil || !strings.Contains(err.Error(), "it has ended") {
			t.Errorf("%s: asked again: error %v, want that it has ended", behaviour, err)
		}
	}
}

func TestClientPrintsUnasked(t *testing.T) {
	c := startClient(t, "answers twice")
	var err error
	for range 100 { // the second line may take its time
		if err = c.Ask(t.Context(), question{}, new(question), time.Minute); err != nil {
			break
		}
	}
	if err == nil || !strings.Contains(err.Error(), "when nobody asked") {
		t.Errorf("error %v, want that it printed unasked", err)
	}
}

func TestClientIsInterrupted(t *testing.T) {
	c := startClient(t, "answers late")
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := c.Ask(ctx, question{}, new(question), time.Minute); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want that of the context", err)
	}
}

func TestClientsThatEndBadly(t *testing.T) {
	for behaviour, want := range map[string]string{"stays": "killed", "ends badly": "exit status 6"} {
		c := startClient(t, behaviour)
		patience := time.Minute
		if behaviour == "stays" {
			patience = 50 * time.Millisecond
		}
		if err := c.Stop(patience); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q in it", behaviour, err, want)
		}
	}
	if _, err := StartClient(Command{Name: "none", Argv: []string{"/no/such/program"}}); err == nil {
		t.Error("a program that is not there was started")
	}
}
