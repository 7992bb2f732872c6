package main

import (
	"embed"
	"fmt"
	"io"
)

// topics are what --explain explains, in the order in which they are taught.
var topics = []string{
	"unary", "server-stream", "client-stream", "bidi",
	"connect", "grpc", "grpcweb",
	"deadline", "cancel", "flow-control", "errors", "metadata",
}

// topicTexts hold half a page for each topic. Tests run the commands after a $ and compare the
// output below, and check that the code to read exists.
//
//go:embed topics/*.txt
var topicTexts embed.FS

func explainTopic(topic string, out io.Writer) error {
	text, err := topicTexts.ReadFile("topics/" + topic + ".txt")
	if err != nil {
		return fmt.Errorf("explain %s: %w", topic, err)
	}
	_, err = out.Write(text)
	return err
}
