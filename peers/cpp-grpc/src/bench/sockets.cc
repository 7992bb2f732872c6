#include "sockets.h"

#include <netdb.h>
#include <sys/socket.h>

#include <array>
#include <filesystem>
#include <sstream>
#include <string_view>

namespace greet {
namespace {

// Name is that of one end of a socket as HOST:PORT. What is no socket has none.
std::string Name(int descriptor, int (*end)(int, sockaddr*, socklen_t*)) {
  sockaddr_storage found{};
  auto* address = reinterpret_cast<sockaddr*>(&found);
  socklen_t size = sizeof found;
  std::array<char, NI_MAXHOST> host;
  std::array<char, NI_MAXSERV> port;
  if (end(descriptor, address, &size) != 0 ||
      getnameinfo(address, size, host.data(), host.size(), port.data(), port.size(), NI_NUMERICHOST | NI_NUMERICSERV) !=
          0) {
    return "";
  }
  // gRPC takes sockets of IPv6 for addresses of IPv4 too, which are written so then.
  constexpr std::string_view mapped = "::ffff:";
  std::string_view plain = host.data();
  if (plain.starts_with(mapped)) {
    plain.remove_prefix(mapped.size());
  }
  std::ostringstream name;
  if (plain.find(':') == plain.npos) {
    name << plain << ':' << port.data();
  } else {
    name << '[' << plain << "]:" << port.data();
  }
  return name.str();
}

}  // namespace

std::set<std::string> SocketsTo(const std::string& address) {
  std::set<std::string> sockets;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    const int descriptor = std::stoi(entry.path().filename());
    if (Name(descriptor, getpeername) == address) {
      sockets.insert(Name(descriptor, getsockname));
    }
  }
  return sockets;
}

}  // namespace greet
