package wire

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/quic-go/quic-go/qlog"
	"golang.org/x/net/http2"
)

// TestFlowOfHTTP2 follows the rules of RFC 9113, section 6.9: padding counts, SETTINGS
// move the windows of streams that are open, and only WINDOW_UPDATE moves one alone.
func TestFlowOfHTTP2(t *testing.T) {
	var d decoder
	var c conn
	d.open(&c)
	c.startH2()
	feed := func(from Side, write func(f *http2.Framer) error) {
		var frame bytes.Buffer
		if err := write(http2.NewFramer(&frame, nil)); err != nil {
			t.Fatal(err)
		}
		c.h2.next(c.halves[from], time.Time{}, frame.Bytes())
	}
	feed(Server, func(f *http2.Framer) error { return f.WriteData(1, false, make([]byte, 100)) })
	feed(Server, func(f *http2.Framer) error { return f.WriteDataPadded(1, false, make([]byte, 10), make([]byte, 9)) })
	feed(Client, func(f *http2.Framer) error { return f.WriteData(1, false, make([]byte, 5)) })
	feed(Client, func(f *http2.Framer) error { return f.WriteWindowUpdate(0, 7) })
	feed(Client, func(f *http2.Framer) error { return f.WriteWindowUpdate(1, 1000) })
	feed(Client, func(f *http2.Framer) error {
		return f.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 70_000})
	})
	want := []Flow{
		{Stream: 1, Sent: 100, Allowed: 65_535},
		{Stream: 1, Sent: 120, Allowed: 65_535},
		{}, {},
		{Stream: 1, Sent: 120, Allowed: 66_535},
		{Stream: 1, Sent: 120, Allowed: 71_000},
	}
	var got []Flow
	for _, l := range d.lines {
		got = append(got, l.Flow)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestFlowOfQUIC wants that what comes twice counts once, and that a response's stream
// alone is followed.
func TestFlowOfQUIC(t *testing.T) {
	f := newFlows(1000)
	for _, test := range []struct {
		from  Side
		frame any
		want  Flow
	}{
		{Server, &qlog.StreamFrame{StreamID: 4, Offset: 0, Length: 600}, Flow{4, 600, 1000}},
		{Server, &qlog.StreamFrame{StreamID: 4, Offset: 0, Length: 300}, Flow{4, 600, 1000}},
		{Server, &qlog.StreamFrame{StreamID: 3, Offset: 0, Length: 9}, Flow{}},
		{Client, &qlog.StreamFrame{StreamID: 4, Offset: 0, Length: 900}, Flow{}},
		{Client, &qlog.MaxStreamDataFrame{StreamID: 4, MaximumStreamData: 1500}, Flow{4, 600, 1500}},
		{Client, &qlog.MaxStreamDataFrame{StreamID: 4, MaximumStreamData: 1200}, Flow{4, 600, 1500}},
	} {
		if got := f.follow(packetFlow(test.from, []qlog.Frame{{Frame: test.frame}})); got != test.want {
			t.Errorf("%v %+v: got %+v, want %+v", test.from, test.frame, got, test.want)
		}
	}
	var unknown *flows // no parameters have been seen
	if got := unknown.follow([]Flow{{Stream: 4, Sent: 1}}); got != (Flow{}) {
		t.Errorf("got %+v, want nothing", got)
	}
}

func TestUpdatesAndStandstill(t *testing.T) {
	line := func(ms int, from Side, f Flow) Line {
		return Line{At: time.Duration(ms) * time.Millisecond, From: from, Flow: f}
	}
	before, update := line(10, Server, Flow{3, 80, 100}), line(300, Client, Flow{3, 100, 150})
	next := line(301, Client, Flow{3, 100, 200})
	timeline := Timeline{[]Line{
		line(1, Server, Flow{1, 500, 900}), before, line(20, Server, Flow{3, 100, 100}), line(30, Server, Flow{}),
		update, line(300, Client, Flow{1, 500, 999}), next, line(302, Server, Flow{3, 200, 200}),
	}}
	got := timeline.Updates(3, 100)
	if diff := cmp.Diff([]Line{update, next}, got, cmpopts.IgnoreUnexported(Line{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got := timeline.Still(3, update.At); got != 280*time.Millisecond {
		t.Errorf("the server stood still for %v, want 280ms", got)
	}
	if got := timeline.Flow(); got != (Flow{3, 200, 200}) {
		t.Errorf("got %+v, want that of the newest stream", got)
	}
}
