// Package suggest finds the name that was probably meant by one that does not exist. It treats
// names as plain text.
package suggest

import "fmt"

// NotFound returns an error for a name or pattern that matches nothing. It suggests the likeliest
// existing name, if one is near, and gives the command that lists all. In the pattern * stands for
// any text.
func NotFound(problem, pattern string, names []string, lister string) error {
	if name := closest(pattern, names); pattern != "" && name != "" {
		return fmt.Errorf("%s %q: did you mean %s? %s lists all", problem, pattern, name, lister)
	}
	return fmt.Errorf("%s %q: %s lists all", problem, pattern, lister)
}

// closest returns the nearest name, or "" if none is within one edit plus one for every four bytes.
// A name that contains the pattern counts as one edit away. Edits within the part that contains it
// count twice, since a name has many parts. Of equally near names, one that matches as a whole
// comes first.
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
