// Package plan turns a selection into the list of what a run measures. An entry has a case, the
// caller that makes its calls, the scenario and the server. The list is made once; rounds,
// estimates, output and the rest of an interrupted run are filters and folds over it.
//
// It owns which stacks and peers a selection means, how to start their servers, and the comparisons
// across languages. It starts nothing and measures nothing.
package plan
