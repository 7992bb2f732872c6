package peer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// fields are those of a JSON object that have not been read yet. Whatever is wrong
// is collected, so that the author of a file sees all of it at once.
//
// encoding/json alone would take names in any case, names given twice, null for
// anything, and would not say in which object an unknown name is.
type fields struct {
	path  string // of the object, with a dot at its end; empty for the whole file
	names []string
	raw   map[string]json.RawMessage // nil for an object that cannot be read, which is said once
	errs  *[]error
}

// newFields reads the object that is a whole file.
func newFields(text []byte) *fields {
	f := &fields{errs: new([]error)}
	f.read(text)
	return f
}

// below reads the object that is the value of a field.
func (f *fields) below(key string, raw json.RawMessage) *fields {
	inner := &fields{path: f.path + key + ".", errs: f.errs}
	inner.read(raw)
	return inner
}

func (f *fields) read(text []byte) {
	f.raw = make(map[string]json.RawMessage)
	if err := f.readAll(text); err != nil {
		f.fail("", "%w", err)
		f.names, f.raw = nil, nil
	}
}

func (f *fields) readAll(text []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	if start, err := decoder.Token(); err != nil {
		return fmt.Errorf("want a JSON object: %w", err)
	} else if start != json.Delim('{') {
		return fmt.Errorf("got %s, want an object", excerpt(text))
	}
	for decoder.More() {
		if err := f.readField(decoder); err != nil {
			return err
		}
	}
	if _, err := decoder.Token(); err != nil { // the closing brace
		return err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the object")
	}
	return nil
}

func (f *fields) readField(decoder *json.Decoder) error {
	token, err := decoder.Token()
	if err != nil {
		return err
	}
	key, ok := token.(string)
	if !ok {
		return fmt.Errorf("got %v, want a name", token)
	}
	var raw json.RawMessage
	if err := decoder.Decode(&raw); err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	if _, twice := f.raw[key]; twice {
		f.fail(key, "it is there twice")
		return nil
	}
	f.names, f.raw[key] = append(f.names, key), raw
	return nil
}

func (f *fields) has(key string) bool { return f.raw[key] != nil }

// take removes the field and returns its value. One that is missing is an error.
func (f *fields) take(key string) json.RawMessage {
	raw, ok := f.raw[key]
	if !ok && f.raw != nil {
		f.fail(key, "it is missing")
	}
	delete(f.raw, key)
	return raw
}

// end says which fields nobody took.
func (f *fields) end() {
	for _, key := range slices.Sorted(slices.Values(f.names)) {
		if f.has(key) {
			f.fail(key, "there is no such field")
		}
	}
}

func (f *fields) fail(key, format string, args ...any) {
	field := f.path + key
	if key == "" {
		field = "file"
		if f.path != "" {
			field = f.path[:len(f.path)-1]
		}
	}
	*f.errs = append(*f.errs, fmt.Errorf("%s: %w", field, fmt.Errorf(format, args...)))
}

// excerpt is the beginning of a value, for a message.
func excerpt(raw []byte) string {
	const most = 40
	if len(raw) > most {
		return string(raw[:most]) + "…"
	}
	return string(raw)
}
