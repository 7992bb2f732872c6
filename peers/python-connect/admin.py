"""Envoy's administration interface, as far as it is needed here, called from within."""

import json
import os
from http.client import HTTPConnection

# Names the file descriptor from which the interface's address can be read.
ADDRESS_VARIABLE = "GREET_ENVOY_ADMIN"


class Admin:
    def __init__(self) -> None:
        """Wait until Envoy has said where the interface listens."""
        reader = int(os.environ[ADDRESS_VARIABLE])
        self._address = os.read(reader, 4096).decode().strip()

    def listener(self) -> str | None:
        """Where the server listens, once it does."""
        listeners = json.loads(self._call("GET", "/listeners?format=json"))
        for status in listeners.get("listener_statuses", []):
            address = status["local_address"]["socket_address"]
            return f"{address['address']}:{address['port_value']}"
        return None

    def is_live(self) -> bool:
        return self._call("GET", "/ready").strip() == b"LIVE"

    def connections_accepted(self) -> int:
        return self._stat("downstream_cx_total")

    def calls_in_flight(self) -> int:
        return self._stat("downstream_rq_active")

    def stop_listening(self) -> None:
        self._call("POST", "/drain_listeners")

    def quit(self) -> None:
        self._call("POST", "/quitquitquit")

    def _stat(self, name: str) -> int:
        stats = json.loads(self._call("GET", f"/stats?format=json&filter=^http.ingress_http.{name}$"))
        return sum(stat["value"] for stat in stats["stats"])

    def _call(self, method: str, path: str) -> bytes:
        connection = HTTPConnection(self._address)
        try:
            connection.request(method, path)
            return connection.getresponse().read()
        finally:
            connection.close()
