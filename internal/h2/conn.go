package h2

import (
	"errors"
	"net"
	"sync"
	"time"

	"example.com/greet/internal/h2/socket"
)

// maxHeaderList is the longest header that we accept, and the longest block that
// may carry one.
const maxHeaderList = 64 << 10

// Conn is one HTTP/2 connection. Its methods, unless they say otherwise, are used
// by its handler's callbacks or within Do.
type Conn struct {
	nc      net.Conn
	socket  socket.Socket // of nc
	handler Handler
	client  bool
	epoch   time.Time
	done    chan struct{} // closed when Run returns

	in     []byte // read by Run's goroutine alone
	filled int    // how much of in is waiting for the rest of its frame

	mu         sync.Mutex // guards all that follows
	room       sync.Cond  // tells the reader that output has gone
	out        []byte     // what waits to be written
	frame      openFrame  // at the end of out
	vector     [][]byte   // see writeThrough
	heads      []byte
	spare      []byte // the other buffer, while nobody writes it
	writing    bool   // a goroutine is writing what the socket did not take
	gathering  bool   // a goroutine is about to flush
	writeEnded bool   // nothing more can be written

	local, peer settings
	encoder     *encoder
	decoder     *decoder
	fragment    fragment
	greeted     bool   // the peer's SETTINGS have come
	greeting    string // what is still missing of the client's preface
	changed     bool   // the handler is to be told

	streams    table
	lastID     uint32 // the last stream that was opened
	recent     [256]uint32
	closing    *Stream // to be closed by reap
	free       *Stream
	queue      *Stream // have something to send, and a window for it
	queueLast  *Stream
	sendWindow int64
	recvWindow int64
	released   int64 // of what has come, and not yet credited

	batch        uint64        // counts reads
	now          time.Duration // of this batch; 0 until somebody asks
	earliest     time.Duration // deadline of any stream; 0 if none has one
	watched      bool          // the peer has a time limit for what it is sending
	whole        uint64        // counts the frames, and headers of several frames, that have come
	watchedWhole uint64        // whole, when the time limit was last looked at
	armed        time.Duration // when timer fires; 0 if it does not
	timer        *time.Timer
	offences     int           // see nuisance
	offending    time.Duration // since when offences are counted

	vigil     vigil
	departing departing
	failure   error // why the connection ends, or has ended
	ended     bool  // the handler knows
}

func newConn(nc net.Conn, h Handler, client bool) *Conn {
	c := &Conn{
		nc: nc, socket: socket.New(nc), handler: h, client: client,
		epoch:      time.Now(),
		done:       make(chan struct{}),
		in:         make([]byte, readBuffer),
		peer:       defaultSettings,
		local:      settings{window: streamWindow, headerList: maxHeaderList},
		encoder:    newEncoder(),
		decoder:    newDecoder(maxHeaderList, requestRole),
		streams:    newTable(),
		sendWindow: int64(defaultSettings.window),
		recvWindow: connectionWindow,
	}
	c.room.L = &c.mu
	if client {
		c.decoder.role = responseRole
	}
	return c
}

// greet begins the output: the preface, SETTINGS, and the connection's window,
// which SETTINGS cannot change (RFC 9113, section 6.9.2).
func (c *Conn) greet() {
	if c.client {
		c.out = append(c.out, preface...)
	}
	c.out = appendSettings(c.out, c.local, c.client)
	c.out = appendWord(c.out, frameWindow, 0, connectionWindow-defaultSettings.window)
}

// Run reads and serves the connection until it ends, and says why it has: with
// ErrClosed if that was in order. It closes the net.Conn.
func (c *Conn) Run() error {
	defer close(c.done)
	defer c.nc.Close()
	c.mu.Lock()
	c.finish()
	c.mu.Unlock()
	c.hurry(greetingPatience)
	for c.read() {
	}
	c.linger()
	return c.failure
}

// Do calls f with the connection locked, and then sends what f has left to send.
// It is how goroutines other than Run's use a connection and its streams. After
// the connection has ended, f is called nevertheless, and what it sends is lost.
func (c *Conn) Do(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = 0
	f()
	c.finish()
}

// Close ends the connection at once and waits until Run has returned. Streams
// that are open are lost. It must not be called by the handler.
func (c *Conn) Close() {
	c.Do(func() { c.fail(ErrClosed) })
	c.nc.Close()
	<-c.done
}

// Err says why the connection ends; nil while it does not.
func (c *Conn) Err() error { return c.failure }

// Streams is how many streams are open.
func (c *Conn) Streams() int { return c.streams.n }

// Now is the connection's clock. It is read once per batch.
func (c *Conn) Now() time.Duration {
	if c.now == 0 {
		c.now = time.Since(c.epoch)
	}
	return c.now
}

// finish ends a turn: whatever became possible is done, and the output is written.
func (c *Conn) finish() {
	c.settle()
	c.flush()
	if c.failure != nil {
		c.end()
	}
}

// settle does whatever became possible in a turn.
func (c *Conn) settle() {
	if c.failure == nil {
		c.reap()
		c.pump()
		if c.changed {
			c.changed = false
			c.handler.Changed(c)
		}
		c.reap()
		c.retire()
		c.arm()
	}
}

// fail notes why the connection ends, unless that is known already, and tells the
// peer unless the peer is gone. The caller's turn goes on to finish.
func (c *Conn) fail(err error) {
	if c.failure != nil {
		return
	}
	c.failure = err
	switch e, isFault := errors.AsType[*ConnError](err); {
	case isFault && !e.Peer:
		c.out = appendGoAway(c.out, c.lastPeerStream(), e.Code, e.Reason)
	case errors.Is(err, ErrClosed) && c.departing.sent != finalGoAway:
		c.out = appendGoAway(c.out, c.lastPeerStream(), NoError, "")
	}
}

// end tells the handler that everything is over, once.
func (c *Conn) end() {
	if c.ended {
		return
	}
	c.ended = true
	for s := range c.streams.all() {
		s.close(End{By: Lost})
	}
	c.reap()
	if c.timer != nil {
		c.timer.Stop()
	}
	c.handler.Ended(c, c.failure)
	soon := time.Now().Add(lingering)
	_ = c.nc.SetReadDeadline(soon)
	if !errors.Is(c.failure, ErrClosed) { // an orderly end waits for what was answered
		_ = c.nc.SetWriteDeadline(soon)
	}
	c.closeWrite()
	c.room.Broadcast()
}

// reap closes the streams that have ended. The handler may open others meanwhile.
func (c *Conn) reap() {
	for c.closing != nil {
		s := c.closing
		c.closing = s.nextClosing
		c.streams.remove(s.id)
		s.letGo(s.held)
		c.remember(s.id, s.end.By == Local)
		c.handler.Closed(s, s.end)
		s.recycle()
		s.nextClosing, c.free = c.free, s
	}
}

// open makes the stream of that id, out of one that has ended if it can.
func (c *Conn) open(id uint32) *Stream {
	s := c.free
	if s == nil {
		s = &Stream{conn: c}
	} else {
		c.free = s.nextClosing
		s.nextClosing = nil
	}
	s.id, s.born = id, c.batch
	s.sendWindow, s.recvWindow = int64(c.peer.window), streamWindow
	c.streams.put(s)
	c.lastID = id
	return s
}
