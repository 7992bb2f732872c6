"""The process contract: how this server announces itself, and when it ends."""

import os
import signal
import threading


def announce(address: str, port: int) -> None:
    """Print where the server listens, which is `port` on the host of `address`."""
    host, _, _ = address.rpartition(":")
    print(f"listening {host}:{port}", flush=True)


def decline_control() -> None:
    """Close the control socket, if there is one, so that nobody waits for an answer.

    grpcio does not tell how many connections it has accepted, and what else could be
    answered the system knows as well.
    """
    if os.environ.get("GREET_CONTROL") == "3":
        os.close(3)


def end_with_input() -> None:
    """Take the end of standard input for a SIGTERM: whoever started this is gone."""

    def watch() -> None:
        while os.read(0, 4096):
            pass
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, daemon=True).start()
