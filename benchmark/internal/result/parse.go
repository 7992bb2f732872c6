package result

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// parse turns one line of a file into a Line, or lists all that is wrong with it. It checks in this
// order: is it JSON, of a known version, as the schema asks, and does it agree with itself.
func parse(text []byte) (Line, []violation) {
	var document any
	if err := json.Unmarshal(text, &document); err != nil {
		return Line{}, []violation{notJSON(text, err)}
	}
	if v := wrongVersion(document); v != nil {
		return Line{}, []violation{*v}
	}
	found, err := violations(document)
	if err != nil {
		return Line{}, []violation{{text: err.Error()}}
	}
	if len(found) > 0 {
		return Line{}, found
	}
	line, err := decode(text, document)
	if err != nil {
		return Line{}, []violation{misfit(err)}
	}
	return line, contradictions(&line)
}

// decode turns a line that fits the schema into a Line. To a schema 1.0 and 1e3 are whole numbers,
// but Go's decoder refuses them. Then decode has Go write the document again, which it does without
// the point.
func decode(text []byte, document any) (line Line, err error) {
	if json.Unmarshal(text, &line) == nil {
		return line, nil
	}
	if text, err = json.Marshal(document); err != nil {
		return Line{}, err
	}
	line = Line{}
	return line, json.Unmarshal(text, &line)
}

// notJSON explains a line that does not parse, and guesses the cause.
func notJSON(text []byte, err error) violation {
	if misfits, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		// The only number that does not fit into an any is too large for a float64. Line has the
		// field names to say which.
		if named, ok := errors.AsType[*json.UnmarshalTypeError](json.Unmarshal(text, new(Line))); ok {
			misfits = named
		}
		return misfit(misfits)
	}
	body := bytes.TrimSpace(text)
	switch {
	case len(body) == 0:
		return violation{text: "the line is blank: delete it, for a result file has one JSON object on every line"}
	case !bytes.HasSuffix(text, []byte("\n")):
		return violation{text: fmt.Sprintf("the last line is broken off (%v), as when the writer was killed: "+
			"resume the run, which measures that slice again, or delete the line", err)}
	case bytes.Contains(body, []byte("NaN")) || bytes.Contains(body, []byte("Infinity")):
		return violation{text: fmt.Sprintf("not JSON (%v): JSON has no NaN and no Infinity; "+
			"leave out a metric that has no value", err)}
	}
	return violation{text: fmt.Sprintf("not JSON (%v): a result file has one JSON object on every line", err)}
}

// misfit explains a value that is JSON but does not fit its field.
func misfit(err error) violation {
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return violation{e.Field, fmt.Sprintf("%s does not fit: want a value of type %s", e.Value, e.Type)}
	}
	return violation{text: err.Error()}
}

// wrongVersion checks the version first, because a line of another version may differ in everything
// else. If there is none, the schema says so.
func wrongVersion(document any) *violation {
	object, ok := document.(map[string]any)
	if !ok {
		return &violation{text: "not a JSON object: a result file has one on every line"}
	}
	version, ok := object["schema"].(float64)
	if !ok || version == SchemaVersion {
		return nil
	}
	return &violation{"schema", fmt.Sprintf("version %v is unknown: this program reads version %d; "+
		"use the program that wrote the file, whose commit is in its environment", version, SchemaVersion)}
}
