#pragma once

#include <ostream>

namespace greet {

// PrintLibraries writes what the server runs on, a name and a version on each line.
void PrintLibraries(std::ostream& out);

}  // namespace greet
