package main

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"example.com/greet/benchmark/internal/schema"
)

// protocolSchema compiles the schema of one kind of message, or of any if kind is "".
func protocolSchema(t *testing.T, kind string) *schema.Schema {
	t.Helper()
	text, err := os.ReadFile("docs/peer-protocol.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var document map[string]any
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	if kind != "" {
		delete(document, "anyOf")
		document["$ref"] = "#/$defs/" + kind
	}
	if text, err = json.Marshal(document); err != nil {
		t.Fatal(err)
	}
	compiled, err := schema.Compile(text)
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

// wantValid holds a message of a peer's protocol against the schema.
func wantValid(t *testing.T, s *schema.Schema, message []byte) {
	t.Helper()
	var document any
	if err := json.Unmarshal(message, &document); err != nil {
		t.Fatal(err)
	}
	wrong, err := s.Violations(document)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range wrong {
		t.Errorf("%.200s: %s", message, v)
	}
}

// kindOf says what an answer has to be.
func kindOf(request any, got answer) string {
	fields, _ := request.(map[string]any)
	switch {
	case got.Error != "":
		return "refusal"
	case fields["codec"] != nil:
		return "codec_answer"
	}
	return "calls_answer"
}

// TestProtocolPageKeepsItsSchema looks at the messages that the page shows.
func TestProtocolPageKeepsItsSchema(t *testing.T) {
	t.Chdir("..")
	page, err := os.ReadFile("docs/peer-protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	var shown []string
	for _, block := range regexp.MustCompile("(?s)```json\n(.*?)```").FindAllStringSubmatch(string(page), -1) {
		shown = append(shown, block[1])
	}
	kinds := []string{"calls_request", "calls_answer", "codec_request", "codec_answer"}
	if len(shown) != len(kinds) {
		t.Fatalf("the page shows %q, want one of each of %q", shown, kinds)
	}
	for i, kind := range kinds {
		wantValid(t, protocolSchema(t, kind), []byte(shown[i]))
		wantValid(t, protocolSchema(t, ""), []byte(shown[i]))
	}
	wrong, err := protocolSchema(t, "calls_answer").Violations(map[string]any{"calls": -1})
	if err != nil || len(wrong) < 2 || !strings.HasPrefix(wrong[0].String(), "calls: minimum: got -1, want 0") {
		t.Errorf("error %v, of a bad answer it says %q", err, wrong)
	}
}
