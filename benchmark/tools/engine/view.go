package main

import "example.com/greet/benchmark/internal/view"

// views show the tools beside each other: it is clients that are compared, so the
// floor is one of them and no yardstick.
var views = []view.View{
	engineView("engine", "Load generators, each a process of its own, against the same servers in turn. Of the tools only the floor looks at a reply."),
	engineView("engine-streams", "The load engine of this repository with few and with many calls in flight."),
	engineView("engine-refused", "What the tools report of a server that refuses every call."),
}

func engineView(scenario, about string) view.View {
	return view.View{
		Scenario:    scenario,
		About:       about,
		Compares:    view.Client,
		Split:       []view.Field{view.Payload},
		Rows:        []view.Field{view.Concurrency},
		Metrics:     []string{"rate", "client_cpu", "client_memory"},
		Connections: true,
		Floor:       view.Floor{None: true},
	}
}
