// Package run makes a run: it starts the servers, measures one slice of every case in every round
// in a shuffled order, adds to each result line what only the run knows, and writes it before the
// next slice begins.
//
// It owns rounds and their order, the servers, the environment, the assignment of processors, and
// how an interrupted run is resumed. It also knows what a run needs of the machine, and reports
// what is missing. Scenarios say what is measured, and reports what the figures mean.
package run
