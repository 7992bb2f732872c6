// Package run makes a run: it starts the servers, measures one slice of every
// case in every round in a shuffled order, completes each result line with what
// only the run knows, and writes it before the next slice begins.
//
// It owns rounds and their order, the servers, the environment, which processors
// belong to whom, and how an interrupted run is gone on with. It also knows what a
// machine must offer for a run, and says what is short. What is measured is the
// scenarios' business, and what the figures say is the report's.
package run
