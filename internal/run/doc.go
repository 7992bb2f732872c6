// Package run makes a run: it starts the servers, measures one slice of every
// case in every round in a shuffled order, completes each result line with what
// only the run knows, and writes it before the next slice begins.
//
// It owns rounds, order, servers and the environment. What is measured is the
// scenarios' business, and what the figures say is the report's.
package run
