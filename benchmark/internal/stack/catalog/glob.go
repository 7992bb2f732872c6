package catalog

import "strings"

// glob reports whether pattern matches the whole of name; * stands for any text,
// also none. Taking the first place that fits for each part between two stars is
// enough, since whatever fits later leaves less for the parts after it; so the
// time is bounded by the product of the lengths.
//
// path.Match does not serve: its * stops at a slash, and [ and \ mean something.
func glob(pattern, name string) bool {
	first, rest, starred := strings.Cut(pattern, "*")
	if !starred {
		return pattern == name
	}
	name, ok := strings.CutPrefix(name, first)
	for ok {
		var part string
		part, rest, starred = strings.Cut(rest, "*")
		if !starred {
			return strings.HasSuffix(name, part)
		}
		_, name, ok = strings.Cut(name, part)
	}
	return false
}
