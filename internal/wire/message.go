package wire

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	spb "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/anypb"
)

// How many characters of a text are shown. Errors of Connect are shown whole, unless they are very
// long.
const (
	longest      = 120
	longestError = 600
)

// shorten cuts a long text and says how much is missing.
func shorten(text string) string { return shortenTo(text, longest) }

func shortenTo(text string, longest int) string {
	n := utf8.RuneCountInString(text)
	if n <= longest {
		return text
	}
	return fmt.Sprintf("%s… (%d more)", string([]rune(text)[:longest/2]), n-longest/2)
}

// messageText writes a message as text, its fields with their numbers: name (1): "world".
func messageText(kind protoreflect.MessageDescriptor, content []byte) string {
	if kind == nil {
		return fmt.Sprintf("% x", content[:min(len(content), longest/3)])
	}
	m := dynamicpb.NewMessage(kind)
	if err := proto.Unmarshal(content, m); err != nil {
		return fmt.Sprintf("not a %s: %v", kind.Name(), err)
	}
	if text := fieldsText(m); text != "" {
		return text
	}
	return "(nothing: every field has its default)"
}

func fieldsText(m protoreflect.Message) string {
	var texts []string
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		if f := fields.Get(i); m.Has(f) {
			texts = append(texts, fmt.Sprintf("%s (%d): %s", f.Name(), f.Number(), valueText(m.Get(f))))
		}
	}
	if unknown := len(m.GetUnknown()); unknown > 0 {
		texts = append(texts, fmt.Sprintf("%d bytes of unknown fields", unknown))
	}
	return strings.Join(texts, ", ")
}

func valueText(v protoreflect.Value) string {
	switch v := v.Interface().(type) {
	case string:
		return strconv.Quote(shorten(v))
	case protoreflect.Message:
		return "{" + fieldsText(v) + "}"
	case protoreflect.List:
		var items []string
		for i := range v.Len() {
			items = append(items, valueText(v.Get(i)))
		}
		return "[" + strings.Join(items, ", ") + "]"
	}
	return v.String()
}

// statusDetails reads the trailer in which gRPC sends an error's details.
func statusDetails(value string) []Part {
	data, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(value, "="))
	if err != nil {
		return nil
	}
	var status spb.Status
	if err := proto.Unmarshal(data, &status); err != nil {
		return nil
	}
	var parts []Part
	for _, detail := range status.GetDetails() {
		parts = append(parts, detailPart(detail, "a google.rpc.Status, in base64"))
	}
	return parts
}

func detailPart(detail *anypb.Any, meaning string) Part {
	text := string(detail.MessageName())
	if m, err := detail.UnmarshalNew(); err == nil {
		text += " {" + fieldsText(m.ProtoReflect()) + "}"
	}
	return Part{Text: "  detail " + text, Meaning: meaning}
}

// connectDetails reads the details of a Connect error: from the body of a unary call, or under
// "error" in the end of a stream.
func connectDetails(content []byte) (parts []Part) {
	type failure struct {
		Details []struct{ Type, Value string }
	}
	var found struct {
		failure
		Error failure
	}
	if err := json.Unmarshal(content, &found); err != nil {
		return nil
	}
	for _, d := range append(found.Details, found.Error.Details...) {
		value, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(d.Value, "="))
		if err == nil {
			parts = append(parts, detailPart(&anypb.Any{TypeUrl: "/" + d.Type, Value: value}, "what its value says, in base64"))
		}
	}
	return parts
}
