package listen

import (
	"errors"
	"net"
	"sync"
)

// join combines several listeners into one. Its address is that of the first.
func join(listeners ...net.Listener) net.Listener {
	j := &joined{listeners: listeners, accepted: make(chan acceptance), closed: make(chan struct{})}
	for _, l := range listeners {
		j.accepting.Go(func() { j.acceptFrom(l) })
	}
	return j
}

type joined struct {
	listeners []net.Listener
	accepted  chan acceptance
	accepting sync.WaitGroup
	closed    chan struct{}
	once      sync.Once
}

// acceptance is what one call of Accept returned.
type acceptance struct {
	conn net.Conn
	err  error
}

// acceptFrom passes on what l accepts. It continues after an error, since some of them pass, such
// as running out of file descriptors; the server waits longer and longer after each.
func (j *joined) acceptFrom(l net.Listener) {
	for {
		conn, err := l.Accept()
		select {
		case j.accepted <- acceptance{conn, err}:
		case <-j.closed:
			if conn != nil {
				_ = conn.Close() // nobody will serve it
			}
			return
		}
	}
}

func (j *joined) Accept() (net.Conn, error) {
	select {
	case a := <-j.accepted:
		return a.conn, a.err
	case <-j.closed:
		return nil, net.ErrClosed
	}
}

func (j *joined) Addr() net.Addr { return j.listeners[0].Addr() }

func (j *joined) Close() error {
	err := net.ErrClosed
	j.once.Do(func() {
		close(j.closed)
		err = nil
		for _, l := range j.listeners {
			err = errors.Join(err, l.Close())
		}
		j.accepting.Wait()
	})
	return err
}
