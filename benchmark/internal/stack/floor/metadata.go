package floor

import (
	"encoding/base64"
	"net/http"
	"slices"
	"strings"

	"example.com/greet/internal/h2"
)

// reserved reports whether a field belongs to the protocol rather than to the
// caller.
func reserved(name string) bool {
	switch name {
	case "content-type", "user-agent", "te":
		return true
	}
	return strings.HasPrefix(name, ":") || strings.HasPrefix(name, "grpc-")
}

// metadataFields writes metadata as fields. They do not enter the peer's table, since
// their values differ from call to call.
func metadataFields(header http.Header) []h2.Field {
	var fields []h2.Field
	for key, values := range header {
		name := strings.ToLower(key)
		if reserved(name) {
			continue
		}
		for _, value := range values {
			if strings.HasSuffix(name, "-bin") {
				value = base64.RawStdEncoding.EncodeToString([]byte(value))
			}
			fields = append(fields, h2.Field{Name: name, Value: value, Sensitive: true})
		}
	}
	return fields
}

// plainFields writes metadata that is the same in every call, in the order of its
// names: it enters the peer's table.
func plainFields(header http.Header) []h2.Field {
	fields := metadataFields(header)
	for i := range fields {
		fields[i].Sensitive = false
	}
	slices.SortFunc(fields, func(a, b h2.Field) int { return strings.Compare(a.Name, b.Name) })
	return fields
}

// metadataOf reads the metadata among the fields of a header.
func metadataOf(h *h2.Header) http.Header {
	header := make(http.Header)
	for _, f := range h.Fields {
		if reserved(f.Name) {
			continue
		}
		value := f.Value
		if strings.HasSuffix(f.Name, "-bin") {
			if raw, err := decodeBinary(value); err == nil {
				value = string(raw)
			}
		}
		header.Add(f.Name, value)
	}
	return header
}
