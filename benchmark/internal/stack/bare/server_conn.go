package bare

import (
	"encoding/binary"
	"errors"
	"net"
	"strconv"

	"example.com/greet/internal/greet"
	"example.com/greet/internal/h2/socket"
)

// serverConn answers one message after the other. What it has to say goes out once all
// that has come is answered, or once that is much.
type serverConn struct {
	conn   net.Conn
	socket socket.Socket
	in     *reader
	out    []byte
	before []byte // the name in a greeting
	count  int    // of names in a client stream
}

func newServerConn(conn net.Conn) *serverConn {
	s := socket.New(conn)
	return &serverConn{conn: conn, socket: s, in: newReader(s.Read)}
}

// serve returns why the connection ended.
func (c *serverConn) serve() error {
	answer, err := c.mode()
	for err == nil {
		var message []byte
		var whole bool
		message, whole, err = c.in.next()
		switch {
		case err != nil:
		case whole:
			err = answer(message)
		default:
			if err = c.flush(); err == nil {
				err = c.in.more()
			}
		}
	}
	return err
}

var (
	errMode    = errors.New("the connection begins with no mode")
	errRequest = errors.New("no such request")
)

// mode reads the first byte of the connection, and returns what answers a message.
func (c *serverConn) mode() (answer func([]byte) error, err error) {
	if err := c.in.more(); err != nil {
		return nil, err
	}
	first := c.in.buf[0]
	c.in.from++
	switch first {
	case modes[greet.Unary]:
		return c.greet, nil
	case modes[greet.ServerStream]:
		return c.stream, nil
	case modes[greet.ClientStream]:
		return c.add, nil
	case modes[greet.Bidi]:
		return c.chat, nil
	}
	return nil, errMode
}

func (c *serverConn) greet(name []byte) error {
	if name == nil {
		return errRequest
	}
	c.before = append(c.before[:0], "Hello, "...)
	return c.say(name)
}

func (c *serverConn) stream(request []byte) error {
	if len(request) < prefix {
		return errRequest
	}
	count := int32(binary.BigEndian.Uint32(request))
	if err := greet.CheckCount(count); err != nil {
		return err
	}
	for i := range count {
		c.before = strconv.AppendInt(append(c.before[:0], "Hello #"...), int64(i)+1, 10)
		c.before = append(c.before, ", "...)
		if err := c.say(request[prefix:]); err != nil {
			return err
		}
	}
	return nil
}

func (c *serverConn) add(name []byte) error {
	if name != nil {
		c.count++
		return nil
	}
	c.out = appendWord(appendWord(c.out, prefix), c.count)
	c.count = 0
	return nil
}

func (c *serverConn) chat(name []byte) error {
	if name == nil {
		c.out = appendEnd(c.out)
		return nil
	}
	c.before = append(c.before[:0], "Hi, "...)
	return c.say(name)
}

// say sends the greeting of name that begins with before. A long name goes out from
// where it is.
func (c *serverConn) say(name []byte) error {
	c.out = append(appendWord(c.out, len(c.before)+len(name)+1), c.before...)
	if len(name) >= largeMessage {
		_, err := (&net.Buffers{c.out, name, {'!'}}).WriteTo(c.conn)
		c.out = c.out[:0]
		return err
	}
	c.out = append(append(c.out, name...), '!')
	if len(c.out) < largeMessage {
		return nil
	}
	return c.flush()
}

// flush writes what is to be said. Most of it fits the socket's buffer.
func (c *serverConn) flush() error {
	n, err := c.socket.TryWrite(c.out)
	if err == nil && n < len(c.out) {
		_, err = c.conn.Write(c.out[n:])
	}
	c.out = c.out[:0]
	return err
}
