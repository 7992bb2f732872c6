package process

import (
	"bufio"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"time"
)

// Figures asks a server on another machine for its figures. It is safe for concurrent
// use.
type Figures struct{ *control }

// DialFigures opens the channel at the address with the token that the server was started
// with. The caller closes it.
func DialFigures(ctx context.Context, addr, token string) (Figures, error) {
	dialer := net.Dialer{Timeout: controlPatience}
	conn, err := dialer.DialContext(ctx, "tcp", addr)
	if err != nil {
		return Figures{}, fmt.Errorf("open figures: %w", err)
	}
	f := Figures{newControl(conn)}
	if err := f.authenticate(token); err != nil {
		f.Close()
		return Figures{}, fmt.Errorf("open figures at %s: %w", addr, err)
	}
	return f, nil
}

// Stats asks for the server's figures.
func (f Figures) Stats() (Stats, error) { return f.stats() }

// Close closes the channel.
func (f Figures) Close() { f.close() }

// accepted is a server's answer to the right token. A wrong one gets none.
const accepted = "welcome"

// authenticate answers the server's challenge, so that the token itself never travels.
func (f Figures) authenticate(token string) error {
	if err := f.conn.SetDeadline(time.Now().Add(controlPatience)); err != nil {
		return err
	}
	challenge, err := f.answers.ReadString('\n')
	if err != nil {
		return fmt.Errorf("no challenge: %w", err)
	}
	if _, err := io.WriteString(f.conn, proof(token, strings.TrimSpace(challenge))+"\n"); err != nil {
		return err
	}
	line, err := f.answers.ReadString('\n')
	if err != nil || strings.TrimSpace(line) != accepted {
		return errors.New("the token is not that of the server")
	}
	return nil
}

// proof shows that its maker knows the token (HMAC, RFC 2104).
func proof(token, challenge string) string {
	mac := hmac.New(sha256.New, []byte(token))
	_, _ = io.WriteString(mac, challenge) // a hash takes all
	return hex.EncodeToString(mac.Sum(nil))
}

// mostFigures is how many clients may have the channel open at a time.
const mostFigures = 16

// ServeFigures sends what stats returns to clients that know the token, until the listener is
// closed. It answers no other request.
func ServeFigures(l net.Listener, token string, stats func() (Stats, error)) {
	slots := make(chan struct{}, mostFigures)
	for {
		conn, err := l.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			time.Sleep(controlPatience / 100) // out of file descriptors, say
			continue
		}
		select {
		case slots <- struct{}{}:
			go func() {
				defer func() { <-slots }()
				defer conn.Close()
				if err := admit(conn, token); err == nil {
					answerStats(conn, stats)
				}
			}()
		default:
			_ = conn.Close()
		}
	}
}

// admit challenges a client that has connected.
func admit(conn net.Conn, token string) error {
	if err := conn.SetDeadline(time.Now().Add(controlPatience)); err != nil {
		return err
	}
	challenge := rand.Text()
	if _, err := io.WriteString(conn, challenge+"\n"); err != nil {
		return err
	}
	want := proof(token, challenge)
	got := make([]byte, len(want)+1)
	if _, err := io.ReadFull(conn, got); err != nil {
		return err
	}
	if !hmac.Equal(got[:len(want)], []byte(want)) {
		return errors.New("wrong token")
	}
	if _, err := io.WriteString(conn, accepted+"\n"); err != nil {
		return err
	}
	return conn.SetDeadline(time.Time{})
}

// answerStats answers requests for figures, and hangs up at any other.
func answerStats(conn net.Conn, stats func() (Stats, error)) {
	requests := bufio.NewScanner(conn)
	requests.Buffer(nil, 2*len(statsRequest))
	replies := json.NewEncoder(conn)
	for requests.Scan() && requests.Text() == statsRequest {
		now, err := stats()
		if err != nil || replies.Encode(now) != nil {
			return
		}
	}
}
