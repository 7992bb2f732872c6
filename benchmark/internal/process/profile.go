package process

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
)

// The kinds of profiles there are.
const (
	CPUProfile  = "cpu"  // where processor time went from start to stop
	HeapProfile = "heap" // memory held at the stop, and allocated since the process began
)

// StartProfile starts a profile of this process. Stop ends it and writes the
// file, which `go tool pprof` reads. One profile can be taken at a time.
func StartProfile(kind, file string) (stop func() error, err error) {
	if kind != CPUProfile && kind != HeapProfile {
		return nil, fmt.Errorf("profile %q: want %s or %s", kind, CPUProfile, HeapProfile)
	}
	f, err := os.Create(file)
	if err != nil {
		return nil, fmt.Errorf("make profile: %w", err)
	}
	if kind == HeapProfile {
		return func() error { return closeProfile(f, writeHeap(f)) }, nil
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return nil, closeProfile(f, err)
	}
	return func() error {
		pprof.StopCPUProfile()
		return closeProfile(f, nil)
	}, nil
}

// writeHeap collects first, because a heap profile describes the last collection.
func writeHeap(f *os.File) error {
	runtime.GC()
	return pprof.WriteHeapProfile(f)
}

func closeProfile(f *os.File, err error) error {
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("write profile: %w", err)
	}
	return nil
}

// profileRequest starts a profile, or with stop ends the running one.
type profileRequest struct {
	Profile string `json:"profile,omitempty"`
	File    string `json:"file,omitempty"`
	Stop    bool   `json:"stop,omitempty"`
}

// profiled is the answer to a profile request.
type profiled struct {
	Error string `json:"error,omitempty"`
}

// Profile starts a profile of the server, which writes it to the file, an
// absolute path, when it is stopped. The error is ErrNoProfile if the server does
// not know how to.
func (s *Server) Profile(kind, file string) (stop func() error, err error) {
	if err := s.control.profile(profileRequest{Profile: kind, File: file}); err != nil {
		return nil, fmt.Errorf("profile server %s: %w", s.name, err)
	}
	return func() error {
		if err := s.control.profile(profileRequest{Stop: true}); err != nil {
			return fmt.Errorf("profile server %s: %w", s.name, err)
		}
		return nil
	}, nil
}

// ErrNoProfile says that a server cannot profile itself.
var ErrNoProfile = errors.New("the server cannot profile itself")

func (c *control) profile(r profileRequest) error {
	request, err := json.Marshal(r)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.silent || c.unprofiled {
		return ErrNoProfile
	}
	var reply profiled
	line, err := c.ask(string(request), controlPatience)
	if err == nil {
		err = json.Unmarshal(line, &reply)
	}
	if err != nil {
		c.unprofiled = true // it is not asked again
		return ErrNoProfile
	}
	if reply.Error != "" {
		return errors.New(reply.Error)
	}
	return nil
}

// profiler is the server's side of profile requests. One goroutine uses it.
type profiler struct {
	stop func() error // nil while there is nothing to stop
}

func (p *profiler) answer(r profileRequest) profiled {
	err := errors.New("no profile is being taken")
	switch {
	case r.Stop && p.stop != nil:
		err, p.stop = p.stop(), nil
	case !r.Stop && p.stop != nil:
		err = errors.New("another profile is being taken")
	case !r.Stop:
		p.stop, err = StartProfile(r.Profile, r.File)
	}
	if err != nil {
		return profiled{Error: err.Error()}
	}
	return profiled{}
}
