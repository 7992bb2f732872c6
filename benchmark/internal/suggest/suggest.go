// Package suggest answers a name that does not exist with the one that was probably
// meant. It knows names as texts alone.
package suggest

import "fmt"

// NotFound returns an error about a name or pattern that nothing has. It names the
// likeliest of those that there are, if one is near, and the command that lists all.
// In the pattern * stands for any text.
func NotFound(problem, pattern string, names []string, lister string) error {
	if name := closest(pattern, names); pattern != "" && name != "" {
		return fmt.Errorf("%s %q: did you mean %s? %s lists all", problem, pattern, name, lister)
	}
	return fmt.Errorf("%s %q: %s lists all", problem, pattern, lister)
}

// closest returns the nearest name, or "" if none is within one edit and one more for
// every four bytes. A name that merely contains the pattern counts as one edit away, and
// edits within the part that contains it count twice, since parts are many. Of names that
// are equally near, one that is as near as a whole comes first.
func closest(pattern string, names []string) (name string) {
	least, whole := len(pattern)/4+2, 0
	for _, candidate := range names {
		direct := distance(pattern, candidate)
		edits := min(direct, 1+2*distance("*"+pattern+"*", candidate))
		if edits < least || edits == least && name != "" && direct < whole {
			least, whole, name = edits, direct, candidate
		}
	}
	return name
}

// distance counts the bytes to insert, delete or replace for the pattern to match
// (Levenshtein's distance, by rows). A star inserts any number of bytes for nothing.
func distance(pattern, name string) int {
	row := make([]int, len(name)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(pattern) {
		star := pattern[i] == '*'
		diagonal := row[0]
		if !star {
			row[0]++
		}
		for j := 1; j < len(row); j++ {
			above := row[j]
			switch {
			case star:
				row[j] = min(above, row[j-1])
			case pattern[i] == name[j-1]:
				row[j] = diagonal
			default:
				row[j] = 1 + min(diagonal, above, row[j-1])
			}
			diagonal = above
		}
	}
	return row[len(name)]
}
