#include "libraries.h"

#include <google/protobuf/stubs/common.h>
#include <grpcpp/grpcpp.h>

namespace greet {

void PrintLibraries(std::ostream& out) {
  out << "grpc " << grpc::Version() << '\n'
      << "protobuf " << google::protobuf::internal::VersionString(GOOGLE_PROTOBUF_VERSION) << '\n'
      << "g++ " << __VERSION__ << '\n';
}

}  // namespace greet
