package h2http

import (
	"maps"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
)

const (
	mostNames   = 256
	longestName = 64
)

// names remembers how field names are spelt elsewhere: http.Header has "Content-Type"
// for what is "content-type" on the wire. It is bounded, since peers choose names.
type names struct {
	spell func(string) string
	known atomic.Pointer[map[string]string] // never changed, but replaced
	mu    sync.Mutex                        // of who replaces it
}

var (
	canonical = newNames(http.CanonicalHeaderKey)
	lower     = newNames(strings.ToLower)
)

func newNames(spell func(string) string) *names {
	n := &names{spell: spell}
	n.known.Store(&map[string]string{})
	return n
}

func (n *names) get(name string) string {
	if spelt, ok := (*n.known.Load())[name]; ok {
		return spelt
	}
	spelt := n.spell(name)
	if len(name) <= longestName {
		n.learn(strings.Clone(name), strings.Clone(spelt))
	}
	return spelt
}

func (n *names) learn(name, spelt string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	known := *n.known.Load()
	if len(known) >= mostNames {
		return
	}
	more := maps.Clone(known)
	more[name] = spelt
	n.known.Store(&more)
}
