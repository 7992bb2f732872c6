package grpcgo

import (
	"errors"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/protoadapt"

	"example.com/greet/internal/greet"
)

// toStatus turns the *greet.Error of a handler into the library's error, with its details. Errors
// that a receive or a send returned are statuses already and pass unchanged.
func toStatus(err error) error {
	e, ok := errors.AsType[*greet.Error](err)
	if !ok {
		return err
	}
	s := status.New(codes.Code(e.Code), e.Message)
	if len(e.Details) == 0 {
		return s.Err()
	}
	details := make([]protoadapt.MessageV1, len(e.Details))
	for i, d := range e.Details {
		details[i] = protoadapt.MessageV1Of(d)
	}
	detailed, err := s.WithDetails(details...)
	if err != nil {
		// The code and the text matter more to the client than the details do.
		return s.Err()
	}
	return detailed.Err()
}

// fromStatus turns the library's error into a *greet.Error that has it as its cause; nil stays nil.
// It leaves out details of unknown types, which the cause still has.
func fromStatus(err error) error {
	if err == nil {
		return nil
	}
	s := status.Convert(err)
	e := &greet.Error{Code: greet.Code(s.Code()), Message: s.Message(), Cause: err}
	for _, d := range s.Details() {
		if m, ok := d.(protoadapt.MessageV1); ok {
			e.Details = append(e.Details, protoadapt.MessageV2Of(m))
		}
	}
	return e
}
