// Package listen opens the sockets that servers listen on and serves HTTP on
// them with safe defaults.
//
// It owns addresses, TLS certificates, the limits that protect a server from bad
// peers, the `listening` line and the drain. It knows HTTP/1.1, HTTP/2 and
// HTTP/3, and nothing of RPC.
package listen
