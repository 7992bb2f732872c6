// Package h2http is an HTTP/2 for net/http's server and client, in place of the one that
// net/http brings. Configure puts it into an http.Server: handlers, TLS, HTTP/1.1 on the
// same port, Shutdown and Close stay as they are. ConfigureTransport puts it into an
// http.Transport, which dials, shakes hands and retries as ever.
//
// It owns how a stream of package h2 becomes a call of an http.Handler, and how a request
// becomes a stream: requests, responses, their bodies, the goroutines of handlers, which
// connection a request takes, and limits on those. It knows nothing of RPC, and leaves
// frames, header compression and windows to package h2.
//
// # Why it is faster
//
// net/http's server hands every frame of a response from the handler's goroutine to one
// that writes, and waits until it has written it, with a system call for each. Here a
// handler's goroutine puts frames into the connection's output itself, and a goroutine
// writes what several handlers have put there, once those that are ready to run have
// had their turn (h2.Conn.Post). The goroutine that reads serves all frames that one
// read has brought. Handlers run in goroutines that are used again, whose stacks have
// grown already. Large writes go to the socket from where they are.
//
// # What differs from net/http's HTTP/2
//
// Handlers see no difference but these:
//
//   - http.Pusher and http.CloseNotifier are not there. Browsers have given up the one,
//     and net/http deprecates the other.
//   - After a handler has returned, its ResponseWriter returns errors. net/http's panics.
//   - When a response ends before the Content-Length that it said, the stream is reset.
//     net/http ends it as if all were well.
//   - A second WriteHeader is ignored without a line in the log.
//
// Peers see these:
//
//   - A Content-Length that is no number, is said twice, or is not 0 although there is no
//     body, is answered with status 400. net/http's handlers see such requests.
//   - A header larger than 64 KiB, or in more than 64 frames, ends the connection with
//     ENHANCE_YOUR_CALM. net/http answers with status 431, and has no limit to frames.
//   - Frames larger than 16 KiB are refused, as RFC 9113 has it by default.
//   - A stream's window is 256 KiB and the connection's 1 MiB, whatever http.Server.HTTP2
//     says: so much a connection can make the server hold for handlers that do not read.
//     Both open as handlers read, as in net/http. So up to three such handlers hold up no
//     other; four stop all bodies on their connection until one reads or ends. Who serves
//     clients that are not to be trusted sets handlers a deadline in either case.
//   - What a peer has sent on a stream that it then resets is dropped at once. net/http
//     keeps it for the handler.
//   - A peer is sent away that sends 10,000 frames in 10 s more than serve a call, or
//     resets 1,000 streams at once (package h2, limits.go).
//   - Priorities are ignored.
//   - TLS 1.2 with a cipher that RFC 9113, appendix A, advises against is not refused.
//
// Of http.Server these have no effect on HTTP/2: ReadTimeout, WriteTimeout,
// MaxHeaderBytes, ConnState, and in HTTP2 all but MaxConcurrentStreams, SendPingTimeout
// and PingTimeout. A peer that takes nothing for 30 s is cut off. IdleTimeout,
// SendPingTimeout and PingTimeout are looked at every quarter of the shortest.
//
// # What differs from net/http's client
//
// Who makes requests sees these:
//
//   - Responses of status 1xx are dropped. A request with Expect: 100-continue sends its
//     body at once.
//   - gzip is not asked for, as with http.Transport.DisableCompression.
//   - All requests to an address share one connection. One above the server's limit on
//     streams waits, as with http.HTTP2Config.StrictMaxConcurrentRequests.
//   - A request that the server has not begun to serve, as GOAWAY or REFUSED_STREAM tell,
//     is made once more if its body can be had again (http.Request.GetBody). net/http
//     tries up to six times, with pauses.
//   - A response's header larger than 64 KiB ends the connection.
//   - A GOAWAY that speaks of an error ends all requests of its connection.
//   - httptrace does not tell of requests on connections that are there already.
//   - The window of a response is 256 KiB, not 4 MiB; responses that nobody reads hold up
//     no other.
//   - A body of up to 64 KiB that has GetBody is read before the request is sent.
//
// Of http.Transport these have no effect on HTTP/2: MaxResponseHeaderBytes,
// ResponseHeaderTimeout, ExpectContinueTimeout, and in HTTP2 all but SendPingTimeout and
// PingTimeout. http.Request.Close, Cancel and http.Transport.CancelRequest have none.
//
// # What holds it to net/http
//
// Connections without TLS come by a key in TLSNextProto, of http.Server and of
// http.Transport, that net/http does not document: it is there for
// golang.org/x/net/http2, which uses it as well. So does the method by which a connection
// says that it takes no more requests.
//
// # What passes
//
// The tests of this package hold net/http's own HTTP/2 to the same expectations, server
// and client, each with the other. h2spec v2.2.1 passes 143 of its 145 tests over TLS, and
// 141 with net/http's; those that fail concern priorities (test/conformance).
package h2http
