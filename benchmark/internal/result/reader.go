package result

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

const (
	// maxLineBytes bounds one line. A line with several full histograms has some
	// tens of kilobytes.
	maxLineBytes = 4 << 20
	// maxReported bounds how many broken lines one reading reports.
	maxReported = 20
)

// LineError says what is wrong with one line of a result file.
type LineError struct {
	File  string
	Line  int    // from 1; 0 for the file as a whole
	Field string // such as "case.concurrency"; empty for the line as a whole
	Text  string // what is wrong and, where it helps, what would work
}

// Error is "file:line: field: text".
func (e *LineError) Error() string {
	text := e.Text
	if e.Field != "" {
		text = e.Field + ": " + text
	}
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, text)
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, text)
}

// ReadFile reads the result file at path; see Read.
func ReadFile(path string) (lines []Line, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open result file: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return Read(file, path)
}

// Read reads a whole result file: each line must be one result that fits the schema. Otherwise it
// returns no lines, and an error that joins a *LineError, with the file's name, for everything that
// is wrong.
func Read(r io.Reader, name string) ([]Line, error) {
	var lines []Line
	var broken []error
	scanner := bufio.NewScanner(r)
	scanner.Buffer(nil, maxLineBytes)
	scanner.Split(splitLines)
	number := 0
	for scanner.Scan() && len(broken) < maxReported {
		number++
		line, problems := parse(scanner.Bytes())
		for _, p := range problems {
			broken = append(broken, &LineError{File: name, Line: number, Field: p.field, Text: p.text})
		}
		lines = append(lines, line)
	}
	switch err := scanner.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		text := fmt.Sprintf("the line is longer than %d bytes: is this a result file?", maxLineBytes)
		broken = append(broken, &LineError{File: name, Line: number + 1, Text: text})
	case err != nil:
		if at, ok := errors.AsType[*os.PathError](err); ok {
			err = at.Err // which names the file once more
		}
		broken = append(broken, fmt.Errorf("read %s: %w", name, err))
	case number == 0:
		broken = append(broken, &LineError{File: name, Text: "the file is empty: a result file has one JSON object per line"})
	}
	if len(broken) > 0 {
		return nil, errors.Join(broken...)
	}
	return lines, nil
}

// ReadFirst reads the first line of the result file at path, and nothing else of it.
func ReadFirst(path string) (line Line, err error) {
	file, err := os.Open(path)
	if err != nil {
		return Line{}, fmt.Errorf("open result file: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	text, err := bufio.NewReader(io.LimitReader(file, maxLineBytes)).ReadBytes('\n')
	if err != nil {
		return Line{}, fmt.Errorf("read %s: %w", path, err)
	}
	line, found := parse(text)
	for _, p := range found {
		return Line{}, &LineError{File: path, Line: 1, Field: p.field, Text: p.text}
	}
	return line, nil
}

// splitLines is a bufio.SplitFunc that keeps the line feed, which a line that was cut off lacks.
func splitLines(data []byte, atEOF bool) (advance int, token []byte, err error) {
	if end := bytes.IndexByte(data, '\n') + 1; end > 0 {
		return end, data[:end], nil
	}
	if atEOF && len(data) > 0 {
		return len(data), data, nil
	}
	return 0, nil, nil
}
