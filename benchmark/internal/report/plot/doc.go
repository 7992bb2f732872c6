// Package plot draws figures as SVG: lines over an axis, and bars, both with
// whiskers.
//
// It owns scales, ticks, colours, markers and where labels go. It refuses to know
// what is drawn: whoever calls it has chosen the points, their words and their
// units. Nothing is loaded from elsewhere, and colours follow the reader's choice
// of light or dark. The same figure always yields the same text.
//
// Libraries were looked at first: the SVG of gonum/plot has fixed white fills,
// and go-analyze/charts no whiskers.
package plot
