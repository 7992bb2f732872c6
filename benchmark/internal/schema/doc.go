// Package schema checks JSON documents against a JSON Schema. For each wrong field it says what is
// there and what would be right.
//
// It knows no particular schema: those of result lines and of peer.json are in the packages that
// read them.
package schema
