package docs_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// choice is what a page shows of a section's table. Without rows or columns it shows
// all of them.
type choice struct {
	rows    []string    // first cells, in order
	columns [][2]string // heads, in order, and what the page calls them
}

// parseChoice reads the lines of a table's comment that follow its title:
//
//	rows: a, b             first cells
//	columns: c | d as e    heads, which may be called otherwise
//
// A line may go on in another of the same kind.
func parseChoice(lines string) choice {
	var c choice
	for line := range strings.Lines(strings.TrimSpace(lines)) {
		line = strings.TrimSpace(line)
		if list, ok := strings.CutPrefix(line, "rows: "); ok {
			c.rows = append(c.rows, strings.Split(list, ", ")...)
		}
		if list, ok := strings.CutPrefix(line, "columns: "); ok {
			for one := range strings.SplitSeq(list, " | ") {
				head, name, renamed := strings.Cut(one, " as ")
				if !renamed {
					name = head
				}
				c.columns = append(c.columns, [2]string{head, name})
			}
		}
	}
	return c
}

// of chooses from the section: what it says above and below its table stays, but for
// remarks on rows or marks that are not shown.
func (c choice) of(section string) (string, error) {
	if len(c.rows) == 0 && len(c.columns) == 0 {
		return section, nil
	}
	before, rows, after := splitSection(section)
	if len(rows) < 2 {
		return "", fmt.Errorf("there is no table to choose from in %q", section)
	}
	shown, err := c.table(rows)
	if err != nil {
		return "", err
	}
	return before + aligned(shown) + remarksOn(shown, after), nil
}

// splitSection finds the table's cells, of which the second row is the rule.
func splitSection(section string) (before string, rows [][]string, after string) {
	for line := range strings.Lines(section) {
		switch {
		case strings.HasPrefix(line, "|"):
			cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
			for i := range cells {
				cells[i] = strings.TrimSpace(cells[i])
			}
			rows = append(rows, cells)
		case len(rows) == 0:
			before += line
		default:
			after += line
		}
	}
	return before, rows, after
}

// table is the head, the rule and the rows chosen. Without the column replica a control has no row.
func (c choice) table(rows [][]string) ([][]string, error) {
	columns := c.columns
	if len(columns) == 0 {
		for _, head := range rows[0] {
			columns = append(columns, [2]string{head, head})
		}
	}
	var places []int
	var names, rule []string
	for _, column := range columns {
		place := slices.Index(rows[0], column[0])
		if place < 0 {
			return nil, fmt.Errorf("no column %q among %q", column[0], rows[0])
		}
		places, names, rule = append(places, place), append(names, column[1]), append(rule, rows[1][place])
	}
	replica := slices.Index(rows[0], "replica")
	shown := [][]string{names, rule}
	for _, name := range c.names(rows) {
		found := false
		for _, row := range rows[2:] {
			if strings.Trim(row[0], "`") != name || replica >= 0 && row[replica] != "" && !slices.Contains(places, replica) {
				continue
			}
			cells := make([]string, len(places))
			for i, place := range places {
				cells[i] = row[place]
			}
			found, shown = true, append(shown, cells)
		}
		if !found {
			return nil, fmt.Errorf("no row %q", name)
		}
	}
	return shown, nil
}

// names are those of the rows to show, each once.
func (c choice) names(rows [][]string) []string {
	if len(c.rows) > 0 {
		return c.rows
	}
	var names []string
	for _, row := range rows[2:] {
		if name := strings.Trim(row[0], "`"); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// aligned pads the cells. A colon in the rule puts a column to the right.
func aligned(rows [][]string) string {
	rule, widths := rows[1], make([]int, len(rows[0]))
	for n, row := range rows {
		for i, text := range row {
			if n != 1 {
				widths[i] = max(widths[i], utf8.RuneCountInString(text), 3)
			}
		}
	}
	var b strings.Builder
	for n, row := range rows {
		for i, text := range row {
			right := strings.HasSuffix(rule[i], ":")
			switch {
			case n == 1 && right:
				b.WriteString("|-" + strings.Repeat("-", widths[i]) + ":")
			case n == 1:
				b.WriteString("|-" + strings.Repeat("-", widths[i]) + "-")
			case right:
				fmt.Fprintf(&b, "| %*s ", widths[i], text)
			default:
				fmt.Fprintf(&b, "| %-*s ", widths[i], text)
			}
		}
		b.WriteString("|\n")
	}
	return b.String()
}

// remarksOn keeps the remarks below a table that are on something in it: on a row by its
// name, or on a mark of its cells.
func remarksOn(rows [][]string, remarks string) string {
	var text strings.Builder
	for n, row := range rows {
		if n != 1 {
			text.WriteString(strings.Join(row, " ") + "\n")
		}
	}
	var kept strings.Builder
	for remark := range strings.SplitSeq(strings.TrimSpace(remarks), "\n- ") {
		remark = strings.TrimPrefix(remark, "- ")
		subject, _, _ := strings.Cut(remark, ": ")
		mark, name, marked := strings.Cut(subject, " ")
		switch {
		case strings.Contains(subject, "`"):
			_, subject, _ = strings.Cut(subject, "`")
			subject, _, _ = strings.Cut(subject, "`")
			if !strings.Contains(text.String(), "`"+subject+"`") {
				continue
			}
		case marked && utf8.RuneCountInString(mark) == 1 && !strings.Contains(text.String(), mark), remark == "":
			continue
		case mark == "×" && !strings.Contains(text.String(), mark+" "+name):
			continue
		}
		kept.WriteString("- " + remark + "\n")
	}
	if kept.Len() == 0 {
		return ""
	}
	return "\n" + kept.String()
}

func TestChoice(t *testing.T) {
	const section = "Facts.\n\n" +
		"| stack | replica | req/s, 1 | req/s, 2 |\n" +
		"|-------|---------|---------:|---------:|\n" +
		"| `a`   |         |       1≈ |        2 |\n" +
		"| `a`   | control |        3 |        4 |\n" +
		"| `b`   |         |        5 |       6§ |\n\n" +
		"- ≈ noisy: it is.\n- § short: it\n  is.\n- – `b`: none.\n- × floor: a ratio.\n"
	for _, test := range []struct{ lines, want string }{
		{"", section},
		{"rows: b", "Facts.\n\n| stack | replica | req/s, 1 | req/s, 2 |\n|-------|---------|---------:|---------:|\n" +
			"| `b`   |         |        5 |       6§ |\n\n- § short: it\n  is.\n- – `b`: none.\n"},
		{"rows: b, a\ncolumns: stack | req/s, 1 as rate", "Facts.\n\n| stack | rate |\n|-------|-----:|\n| `b`   |    5 |\n| `a`   |   1≈ |\n\n- ≈ noisy: it is.\n- – `b`: none.\n"},
		{"rows: c", "error: no row \"c\""},
		{"columns: x", `error: no column "x" among ["stack" "replica" "req/s, 1" "req/s, 2"]`},
	} {
		got, err := parseChoice(test.lines).of(section)
		if err != nil {
			got = "error: " + err.Error()
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", test.lines, diff)
		}
	}
}
