package catalog

import "strings"

// glob reports whether pattern matches the whole of name; * stands for any text, also none. For
// each part between two stars it takes the first place that fits. That is enough, since a later
// place leaves less for the parts after it, and bounds the time by the product of the lengths.
//
// path.Match does not serve: its * stops at a slash, and [ and \ have meanings.
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
