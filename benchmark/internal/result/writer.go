package result

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

// ErrLocked says that another run writes to the result file.
var ErrLocked = errors.New("another run is writing to it")

// Writer appends results to a file, one line each. A kill at any moment leaves whole lines and at
// most one broken last one. It holds a lock on the file, so that no other Writer opens it. One
// goroutine may use it.
type Writer struct {
	file *os.File
	size int64 // bytes in lines that count
	torn bool  // the file has more than these, which the first write cuts away
}

// NewWriter opens the result file at path for appending, and creates it if necessary. It refuses a
// file whose last line is broken off, because the next line would continue it. ResumeWriter takes
// such files.
func NewWriter(path string) (*Writer, error) {
	w, whole, err := openWriter(path, os.O_CREATE)
	if err != nil {
		return nil, err
	}
	if whole < w.size {
		text := "the last line is broken off: resume the run, which measures that slice again, or delete the line"
		return nil, errors.Join(&LineError{File: path, Text: text}, w.Close())
	}
	return w, nil
}

// ResumeWriter opens a result file to continue it, and returns the lines that it holds. A broken
// last line does not count, nor does one with the verdict Partial: their slices are not measured.
// The first Write cuts it away; until then the file stays as it is, because the caller may decide
// against resuming. ResumeWriter refuses a file that is wrong in any other way, is missing, or has
// no line that counts: a run that began anew in it would be another.
func ResumeWriter(path string) (*Writer, []Line, error) {
	w, whole, err := openWriter(path, 0)
	if err != nil {
		return nil, nil, err
	}
	var lines []Line
	if whole > 0 {
		lines, err = Read(io.NewSectionReader(w.file, 0, whole), path)
	}
	if n := len(lines); n > 0 && slices.Contains(lines[n-1].Verdicts, Partial) {
		lines = lines[:n-1]
		whole, err = endOfLastLine(w.file, whole-1)
	}
	if err == nil && len(lines) == 0 {
		err = &LineError{File: path, Text: "there is no whole line to go on from: measure anew, without --resume"}
	}
	if err != nil {
		return nil, nil, errors.Join(err, w.Close())
	}
	w.torn, w.size = whole < w.size, whole
	return w, lines, nil
}

// openWriter also returns how many bytes of the file are whole lines.
func openWriter(path string, flags int) (w *Writer, whole int64, err error) {
	file, err := os.OpenFile(path, flags|os.O_RDWR|os.O_APPEND, 0o644)
	if err != nil {
		return nil, 0, fmt.Errorf("open result file: %w", err)
	}
	w = &Writer{file: file}
	if err := lock(file); err != nil {
		return nil, 0, errors.Join(fmt.Errorf("lock %s: %w", path, err), file.Close())
	}
	if w.size, err = file.Seek(0, io.SeekEnd); err == nil {
		whole, err = endOfLastLine(file, w.size)
	}
	if err != nil {
		return nil, 0, errors.Join(fmt.Errorf("look at the end of the result file: %w", err), file.Close())
	}
	return w, whole, nil
}

// endOfLastLine is the offset just behind the last line feed, or 0.
func endOfLastLine(r io.ReaderAt, size int64) (int64, error) {
	buffer := make([]byte, 64<<10)
	for end := size; end > 0; {
		start := max(0, end-int64(len(buffer)))
		part := buffer[:end-start]
		if _, err := r.ReadAt(part, start); err != nil {
			return 0, err
		}
		if i := bytes.LastIndexByte(part, '\n'); i >= 0 {
			return start + int64(i) + 1, nil
		}
		end = start
	}
	return 0, nil
}

// Write appends the line and returns once it is on the disk. It refuses a line that Read would
// refuse. A write that fails half way, as on a full disk, leaves nothing of the line in the file.
func (w *Writer) Write(l Line) error {
	text, err := encode(l.Clipped())
	if err != nil {
		return fmt.Errorf("write result of %s, round %d: %w", l.Case.Key(), l.Round, err)
	}
	if w.torn {
		if err := w.cut(w.size); err != nil {
			return err
		}
		w.torn = false
	}
	// One write for the whole line: a kill between two would leave half of it.
	if _, err := w.file.Write(text); err != nil {
		return errors.Join(fmt.Errorf("write result: %w", err), w.cut(w.size))
	}
	w.size += int64(len(text))
	if err := w.file.Sync(); err != nil {
		return fmt.Errorf("sync result file: %w", err)
	}
	return nil
}

// cut shortens the file to its first size bytes.
func (w *Writer) cut(size int64) error {
	if err := w.file.Truncate(size); err != nil {
		return fmt.Errorf("cut off a broken line: %w", err)
	}
	w.size = size
	return nil
}

// Close closes the file. Every line is on the disk already.
func (w *Writer) Close() error {
	if err := w.file.Close(); err != nil {
		return fmt.Errorf("close result file: %w", err)
	}
	return nil
}

// WriteLine writes the line to w in one piece. It refuses a line that Read would refuse.
func WriteLine(w io.Writer, l Line) error {
	text, err := encode(l.Clipped())
	if err == nil {
		_, err = w.Write(text)
	}
	if err != nil {
		return fmt.Errorf("write result of %s, round %d: %w", l.Case.Key(), l.Round, err)
	}
	return nil
}

// encode writes the line as JSON with its line feed, and reads it back to be
// sure that others can.
func encode(l Line) ([]byte, error) {
	if l.Metrics == nil {
		l.Metrics = []Metric{} // an empty list rather than null
	}
	if l.Case.Libraries == nil {
		l.Case.Libraries = []string{}
	}
	text, err := json.Marshal(l)
	if err != nil { // a figure that is no number
		return nil, &LineError{File: "result", Text: err.Error()}
	}
	text = append(text, '\n')
	_, found := parse(text)
	broken := make([]error, len(found))
	for i, v := range found {
		broken[i] = &LineError{File: "result", Field: v.field, Text: v.text}
	}
	return text, errors.Join(broken...)
}
