"""`crosscount serve`: HTTP and the web page, on this machine."""

import os
from pathlib import Path
from typing import Annotated

import typer

LOOPBACK = ("127.0.0.1", "::1", "localhost")
INSTALL = "pip install 'crosscount[serve]'"


def serve(
    host: Annotated[str, typer.Option(help="The address to listen at; 0.0.0.0 for every one.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 picks a free one.")] = 8000,
    data: Annotated[Path, typer.Option(help="The folder for jobs and answers.", show_default=False)] = Path(
        "crosscount-data"
    ),
    workers: Annotated[
        int | None, typer.Option(min=1, help="Quick jobs at once, and as many long ones; as many as there are cores.")
    ] = None,
    token_file: Annotated[
        Path | None, typer.Option(help="A file with the token that requests must bring; or set CROSSCOUNT_TOKEN.")
    ] = None,
    allow_host: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A name by which the service may be called.")
    ] = None,
    behind_proxy: Annotated[
        bool, typer.Option("--behind-proxy", help="Believe X-Forwarded-For of a proxy on this machine.")
    ] = False,
    max_time_limit: Annotated[
        float, typer.Option(metavar="SECONDS", min=1, help="The longest time limit for an engine.")
    ] = 300.0,
    max_memory: Annotated[int, typer.Option(metavar="MB", min=512, help="The most memory for an engine.")] = 2048,
    jobs_per_client: Annotated[int, typer.Option(min=1, help="Jobs of one client that wait or run.")] = 20,
    max_queue: Annotated[int, typer.Option(min=1, help="Jobs that wait or run.")] = 2000,
) -> None:
    """Serve the comparison over HTTP, with a web page, until Ctrl-C."""
    from crosscount.puzzles.errors import InputError

    try:
        from crosscount.service.run import run
    except ModuleNotFoundError as missing:
        raise InputError(f"serve needs {missing.name}, which is not installed; {INSTALL} installs it") from None
    from crosscount.service.settings import Settings

    defaults = {} if workers is None else {"workers": workers}
    hosts = tuple(name.lower() for name in allow_host or ())
    settings = Settings(
        data=data.absolute(),
        token=_token(token_file),
        hosts=(*LOOPBACK, *hosts) if host in LOOPBACK or hosts else (),
        seconds=max_time_limit,
        memory_mb=max_memory,
        jobs_per_client=jobs_per_client,
        queue=max_queue,
        engine_module=os.environ.get("CROSSCOUNT_TEST_ENGINES", ""),
        **defaults,
    )
    run(settings, host, port, behind_proxy)


def _token(file: Path | None) -> str:
    from crosscount.puzzles.errors import InputError

    if file is None:
        return os.environ.get("CROSSCOUNT_TOKEN", "").strip()
    try:
        token = file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"--token-file {file}: cannot be read ({error}), expected a token") from None
    if not token:
        raise InputError(f"--token-file {file}: empty, expected a token")
    return token
