package run

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"example.com/greet/benchmark/internal/process"
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/scenario"
)

// profiles are the running profiles of one slice.
type profiles struct {
	stops []func() error
	files []string // as the result line names them
}

// startProfiles profiles this process, and the server if it is one of ours. The file names say
// which case it was, so that `go tool pprof` can add up the rounds of a case by a pattern.
func (r Run) startProfiles(round int, c result.Case, srv *server) (*profiles, error) {
	p := new(profiles)
	if r.Profile == "" || round == 0 {
		return p, nil
	}
	base := filepath.Join(r.ProfileDir, fileName(c)+fmt.Sprintf("-round%d-", round))
	file := base + "client." + r.Profile + ".pprof"
	stop, err := process.StartProfile(r.Profile, file)
	if err != nil {
		return nil, err
	}
	p.add(file, stop)
	if srv == nil || srv.process == nil || srv.target.Client.Name() != scenario.OwnName {
		return p, nil // only servers of this program can be profiled
	}
	file = base + "server." + r.Profile + ".pprof"
	stop, err = srv.process.Profile(r.Profile, file)
	switch {
	case err == nil:
		p.add(file, stop)
	case !errors.Is(err, process.ErrNoProfile): // a dead or hanging server gets verdicts for that
		return nil, errors.Join(err, p.stop())
	}
	return p, nil
}

func (p *profiles) add(file string, stop func() error) {
	p.stops = append(p.stops, stop)
	p.files = append(p.files, filepath.Join(filepath.Base(filepath.Dir(file)), filepath.Base(file)))
}

// stop ends the profiles. Afterwards files lists those that were written.
func (p *profiles) stop() error {
	var errs []error
	var written []string
	for i, stop := range p.stops {
		err := stop()
		switch {
		case err == nil:
			written = append(written, p.files[i])
		case !errors.Is(err, process.ErrNoProfile): // the server has died meanwhile
			errs = append(errs, err)
		}
	}
	p.files = written
	return errors.Join(errs...)
}

// fileName is the case as a file name that no shell must quote.
func fileName(c result.Case) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', strings.ContainsRune("._+=", r):
			return r
		}
		return '-'
	}, strings.ToLower(c.Key()))
	for strings.Contains(name, "--") {
		name = strings.ReplaceAll(name, "--", "-")
	}
	return name
}
