// Package report turns result lines into something to read: a Markdown text with
// tables, or a CSV file to compute with.
//
// It owns what a reader sees: which parameters become rows and columns, how many
// digits a figure deserves, what is marked, and which cell may be called the
// best. It sees only results and refuses to know how they were measured; a
// scenario that it has never heard of is laid out by its parameters. The same
// lines always yield the same text, so that a test can hold a README to its file.
package report
