// Package process starts servers as processes of their own and stops them, by
// one contract that holds for the servers in this repository and for those in
// other languages:
//
//   - It is started with an argument vector in which {addr}, {protocol},
//     {transport}, {cert} and {key} are filled in.
//   - Once ready it prints exactly one line to standard output: listening HOST:PORT
//   - It logs to standard error.
//   - On SIGTERM it drains and exits 0. It also exits when its standard input
//     ends, so that no server outlives the program that started it, however that
//     one ended.
//   - If the environment variable GREET_CONTROL is "3", file descriptor 3 is a
//     socket on which it may answer each request, a line, with one line of JSON:
//     see Stats, Memory and Profile of Server. A server that ignores it is not
//     asked again.
//
// Server is the side of the contract that starts a process; Child is the side
// that is started. The package knows no RPC.
package process
