#include "errors.h"

#include <google/rpc/errors.pb.h>
#include <grpcpp/support/error_details.h>

namespace greet {

grpc::Status InvalidField(const std::string& field, const std::string& description) {
  google::rpc::BadRequest bad;
  auto* violation = bad.add_field_violations();
  violation->set_field(field);
  violation->set_description(description);

  google::rpc::Status rich;
  rich.set_code(grpc::StatusCode::INVALID_ARGUMENT);
  rich.set_message(description);
  rich.add_details()->PackFrom(bad);

  grpc::Status status;
  grpc::SetErrorDetails(rich, &status);
  return status;
}

}  // namespace greet
