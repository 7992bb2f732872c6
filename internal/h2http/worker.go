package h2http

// worker is a goroutine that runs one handler after another: a new goroutine would have
// to grow its stack for each call, which takes longer than what this package does for
// the call otherwise.
type worker struct {
	calls chan *call // has room for one; closed when no more will come
}

// work runs handlers until no more come, or one has panicked.
func (w *worker) work() {
	for c := range w.calls {
		if !c.run(w) {
			return
		}
	}
}

// workers are those of one connection, which guards them.
type workers struct {
	idle   []*worker // the last to have run is the last here, and the next to run
	closed bool
}

// run has a worker run the call.
func (ws *workers) run(c *call) {
	n := len(ws.idle)
	if n == 0 {
		w := &worker{make(chan *call, 1)}
		w.calls <- c
		go w.work()
		return
	}
	w := ws.idle[n-1]
	ws.idle = ws.idle[:n-1]
	w.calls <- c
}

// rest takes back a worker that is about to have run its call.
func (ws *workers) rest(w *worker) {
	if ws.closed {
		close(w.calls)
		return
	}
	ws.idle = append(ws.idle, w)
}

// trim ends half of the workers that have nothing to do.
func (ws *workers) trim() {
	n := (len(ws.idle) + 1) / 2
	for _, w := range ws.idle[:n] {
		close(w.calls)
	}
	ws.idle = append(ws.idle[:0:0], ws.idle[n:]...)
}

// close ends all workers, each once it has run its call.
func (ws *workers) close() {
	ws.closed = true
	for len(ws.idle) > 0 {
		ws.trim()
	}
}
