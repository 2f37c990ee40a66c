"""From settings to a service that listens, until somebody ends it."""

import os
import socket
import sys
from contextlib import suppress
from pathlib import Path

import uvicorn

from crosscount.puzzles.errors import InputError
from crosscount.service.app import create_app
from crosscount.service.jobs import Jobs, lock_folder
from crosscount.service.settings import Settings

GRACE = 3
"""Seconds for requests that are under way when the service is told to stop."""
MOST_CONNECTIONS = 1000
BACKLOG = 2048


def run(settings: Settings, host: str, port: int, behind_proxy: bool = False) -> None:
    """Serve until SIGINT or SIGTERM; jobs in flight are then back in the queue. InputError where it cannot."""
    # Said in one line now, before there is a server that would say it in thirty.
    os.close(lock_folder(settings.data))
    listening = _listen(host, port)
    app = create_app(settings)
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=behind_proxy,
        forwarded_allow_ips="127.0.0.1,::1",
        timeout_graceful_shutdown=GRACE,
        limit_concurrency=MOST_CONNECTIONS,
        ws="none",
    )
    name, real_port = listening.getsockname()[:2]
    shown = f"[{name}]" if ":" in name else name
    here = settings.data.is_relative_to(Path.cwd())
    data = settings.data.relative_to(Path.cwd()) if here else settings.data
    sys.stderr.write(f"crosscount: http://{shown}:{real_port}, jobs in {data}; Ctrl-C stops\n")
    sys.stderr.flush()
    with suppress(KeyboardInterrupt):
        _Server(config, app.state.jobs).run(sockets=[listening])


class _Server(uvicorn.Server):
    """Lets go of those who wait for a job before it waits for them."""

    def __init__(self, config: uvicorn.Config, jobs: Jobs) -> None:
        super().__init__(config)
        self.jobs = jobs

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.jobs.let_go()
        await super().shutdown(sockets)


def _listen(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, kind, protocol)
    except OSError as error:
        raise InputError(f"{host}:{port}: {error.strerror}, expected an address of this machine") from None
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        # Whoever reads that we listen may call at once, while the rest is still being loaded.
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        raise InputError(f"{host}:{port}: {error.strerror}, expected an address that is free") from None
    return listening
