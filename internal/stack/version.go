package stack

import "runtime/debug"

// ModuleVersion returns "path version" for the module that this program was built with, such as
// "google.golang.org/grpc v1.85.0". A program that does not know its modules, as some tests, gets
// "(version unknown)".
func ModuleVersion(path string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return path + " (version unknown)"
	}
	for _, module := range info.Deps {
		if module.Path != path {
			continue
		}
		if module.Replace != nil {
			return path + " " + module.Version + " => " + module.Replace.Path + " " + module.Replace.Version
		}
		return path + " " + module.Version
	}
	return path + " (version unknown)"
}
