package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"strings"

	"google.golang.org/protobuf/proto"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/gen/greet/v1/greetv1connect"
	"example.com/greet/internal/stack"
)

// compressible is the length of the name in a call whose reply may be compressed. Some libraries do
// not compress short messages.
const compressible = 64 << 10

// replyEncoding calls the server as a client does that accepts gzip, and returns how
// the reply is compressed.
func replyEncoding(ctx context.Context, n stack.Name, addr string) (string, error) {
	client := &http.Client{Transport: transportOf(n)}
	defer client.CloseIdleConnections()
	request, err := acceptingGzip(ctx, n, addr)
	if err != nil {
		return "", err
	}
	response, err := client.Do(request)
	if err != nil {
		return "", fmt.Errorf("call %s accepting gzip: %w", n, err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return "", fmt.Errorf("call %s accepting gzip: %w", n, err)
	}
	encoding := encodingOf(response.Header)
	if plain := bytes.Contains(body, bytes.Repeat([]byte("x"), compressible)); plain != (encoding == "none") {
		return "", fmt.Errorf("call %s accepting gzip: status %s, encoding %s, %d bytes, and the reply among them: %v",
			n, response.Status, encoding, len(body), plain)
	}
	return encoding, nil
}

func transportOf(n stack.Name) *http.Transport {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(n.Transport == stack.H1)
	protocols.SetUnencryptedHTTP2(n.Transport == stack.H2C)
	return &http.Transport{Protocols: protocols}
}

func acceptingGzip(ctx context.Context, n stack.Name, addr string) (*http.Request, error) {
	message, err := proto.Marshal(&greetv1.GreetRequest{Name: strings.Repeat("x", compressible)})
	if err != nil {
		return nil, fmt.Errorf("call %s accepting gzip: %w", n, err)
	}
	header := http.Header{"Content-Type": {"application/proto"}, "Accept-Encoding": {"gzip"}, "Connect-Protocol-Version": {"1"}}
	if n.Protocol != stack.Connect {
		header = http.Header{"Content-Type": {"application/grpc+proto"}, "Grpc-Accept-Encoding": {"gzip"}, "Te": {"trailers"}}
		message = append(binary.BigEndian.AppendUint32([]byte{0}, uint32(len(message))), message...)
	}
	if n.Protocol == stack.GRPCWeb {
		header.Set("Content-Type", "application/grpc-web+proto")
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+addr+greetv1connect.GreetServiceGreetProcedure, bytes.NewReader(message))
	if err != nil {
		return nil, fmt.Errorf("call %s accepting gzip: %w", n, err)
	}
	request.Header = header
	return request, nil
}
