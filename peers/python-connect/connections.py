"""How many connections there are. pyqwest does not tell, and the system does."""

import psutil


def established(address: str) -> set[tuple[str, int]]:
    """The local ends of this process's connections to the address."""
    host, _, port = address.rpartition(":")
    peer = (host.strip("[]"), int(port))
    return {
        tuple(connection.laddr)
        for connection in psutil.Process().net_connections("tcp")
        if connection.status == psutil.CONN_ESTABLISHED and tuple(connection.raddr) == peer
    }
