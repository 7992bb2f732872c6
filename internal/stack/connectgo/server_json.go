package connectgo

import (
	"strconv"
	"strings"
	"sync"

	"connectrpc.com/connect/v2/connectproto"
	"google.golang.org/protobuf/proto"
)

// warningJSON is connect-go's JSON, and reports fields that the schema does not have. Ignoring them
// is the rule, so that old servers understand new clients. But a misspelt field looks the same:
// whoever greets {"nam":"x"} wonders where the name went.
type warningJSON struct {
	*connectproto.JSONCodec
	warnings *sync.Map // message → what was ignored, until take removes it
}

func newWarningJSON() warningJSON {
	return warningJSON{connectproto.NewJSONCodec(), new(sync.Map)}
}

// take returns what was ignored as the message was decoded, or "".
func (c warningJSON) take(message any) string {
	text, _ := c.warnings.LoadAndDelete(message)
	ignored, _ := text.(string)
	return ignored
}

// decode decodes as connect-go does.
func (c warningJSON) decode(data []byte, message proto.Message) error {
	strict := c.UnmarshalOptions
	strict.DiscardUnknown = false
	problem := strict.Unmarshal(data, message)
	if problem == nil {
		return nil
	}
	if err := c.UnmarshalOptions.Unmarshal(data, message); err != nil {
		return err
	}
	c.warnings.Store(message, ignored(problem))
	return nil
}

const longestWarning = 100 // bytes: a field's name may be as long as a message

// ignored returns the problem as text that a header can carry.
func ignored(problem error) string {
	_, text, _ := strings.Cut(problem.Error(), "): ") // after where in the JSON it is
	quoted := strconv.QuoteToASCII(text)
	text = strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
	return "ignored " + text[:min(len(text), longestWarning)]
}
