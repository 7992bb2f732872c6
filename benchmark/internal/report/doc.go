// Package report turns result lines into something to read: Markdown or HTML with tables and
// figures, or files for other programs to compute with.
//
// It decides what a reader sees: which parameters become rows and columns, how many digits a figure
// has, what is marked, and which cell may be called the best. It sees only results and does not
// know how they were measured; it lays out an unknown scenario by its parameters. The same lines
// always yield the same text, so that a test can compare a README with its file.
package report
