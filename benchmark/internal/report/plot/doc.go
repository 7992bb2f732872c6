// Package plot draws figures as SVG: lines over an axis, or dots in rows, both with whiskers.
//
// It owns scales, ticks, colours, markers and the places of labels. It does not know what it draws:
// its caller chooses the points, their words and their units. A figure loads nothing from
// elsewhere, and its colours follow the reader's choice of light or dark. The same figure always
// yields the same text.
//
// Two libraries do not serve: the SVG of gonum/plot has fixed white fills, and go-analyze/charts
// has no whiskers.
package plot
