// Package schema holds JSON documents against a JSON Schema and says of each field
// that is wrong what is there and what would do.
//
// It knows no particular schema: those of result lines and of peer.json lie with the
// packages that read them.
package schema
