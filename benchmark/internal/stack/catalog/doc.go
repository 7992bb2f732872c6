// Package catalog lists the Go stacks. It imports every library package, so that no other package
// has to, and finds stacks by name or pattern. It knows nothing of stacks in other languages.
package catalog
