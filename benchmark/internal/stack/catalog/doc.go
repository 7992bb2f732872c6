// Package catalog is the one list of Go stacks. It imports every library
// package, so that no other package has to, and finds stacks by name or by
// pattern. It knows nothing of stacks in other languages.
package catalog
