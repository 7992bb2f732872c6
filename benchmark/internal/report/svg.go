package report

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// SVG writes each figure to a file of its name in the directory, which it makes if necessary.
func SVG(dir string, r Report) (paths []string, err error) {
	figures := r.Figures()
	if len(figures) == 0 {
		return nil, errors.New("draw figures: there is nothing to draw in these results: --format markdown shows them")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("make directory for figures: %w", err)
	}
	for _, figure := range figures {
		var text bytes.Buffer
		if err := figure.WriteFile(&text); err != nil {
			return paths, err
		}
		path := filepath.Join(dir, figure.Name+".svg")
		if err := os.WriteFile(path, text.Bytes(), 0o644); err != nil {
			return paths, fmt.Errorf("write figure: %w", err)
		}
		paths = append(paths, path)
	}
	return paths, nil
}
