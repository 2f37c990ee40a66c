"""Server-sent events, and how many streams of them a client may hold open."""

import json
from collections.abc import AsyncIterator

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from crosscount.service.problem import Problem
from crosscount.service.store import Event


class Streams:
    """How many streams each client holds open."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.open: dict[str, int] = {}

    def enter(self, client: str) -> None:
        if self.open.get(client, 0) >= self.most:
            raise Problem(429, f"{self.most} event streams of yours are open, expected fewer", retry_after=5)
        self.open[client] = self.open.get(client, 0) + 1

    def leave(self, client: str) -> None:
        self.open[client] -= 1
        if not self.open[client]:
            del self.open[client]


class EventStream(StreamingResponse):
    """Events as they come. A browser that loses the connection asks again and says which one it saw last."""

    def __init__(self, events: AsyncIterator[Event | None], streams: Streams, client: str) -> None:
        streams.enter(client)
        # Some proxies would keep a stream to themselves until there is more of it.
        super().__init__(_lines(events), media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})
        self.streams, self.client = streams, client

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self.streams.leave(self.client)


async def _lines(events: AsyncIterator[Event | None]) -> AsyncIterator[str]:
    yield "retry: 1000\n\n"
    async for event in events:
        if event is None:
            # Shows whether anybody is still there.
            yield ":\n\n"
        else:
            yield f"id: {event.seq}\nevent: {event.kind}\ndata: {json.dumps(event.data)}\n\n"
