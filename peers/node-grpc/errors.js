// Errors with details, which grpc-js leaves to its users: a google.rpc.Status in the
// trailer grpc-status-details-bin.
import grpc from '@grpc/grpc-js';
import protobuf from 'protobufjs';

// From google/rpc/status.proto, google/rpc/error_details.proto and
// google/protobuf/any.proto, as far as it is needed here.
const { root } = protobuf.parse(`
  syntax = "proto3";
  package google.rpc;
  message Any { string type_url = 1; bytes value = 2; }
  message Status { int32 code = 1; string message = 2; repeated Any details = 3; }
  message FieldViolation { string field = 1; string description = 2; }
  message BadRequest { repeated FieldViolation field_violations = 1; }
`, { keepCase: true });

const Status = root.lookupType('google.rpc.Status');
const BadRequest = root.lookupType('google.rpc.BadRequest');

// invalidField is the error of a request with a field that cannot be served.
export function invalidField(field, description) {
  const code = grpc.status.INVALID_ARGUMENT;
  const value = BadRequest.encode({ field_violations: [{ field, description }] }).finish();
  const details = [{ type_url: 'type.googleapis.com/google.rpc.BadRequest', value }];
  const metadata = new grpc.Metadata();
  metadata.set('grpc-status-details-bin', Buffer.from(Status.encode({ code, message: description, details }).finish()));
  return { code, details: description, metadata };
}
