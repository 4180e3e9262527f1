"""Questions to an ASGI application, without a server."""

import asyncio
import json

import httpx


def ask(app, path, method="GET", body=None, **headers):
    """The response of an application; an exception that it does not answer is raised here."""

    async def sent():
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://dicebase") as client:
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            return await client.request(method, path, content=body, headers=named)

    return asyncio.run(sent())


def left(app, path, content, until):
    """The status sent to a client that posts JSON and goes once a condition holds."""
    body, sent = [{"type": "http.request", "body": json.dumps(content).encode(), "more_body": False}], []

    async def receive():
        if body:
            return body.pop()
        while not until():
            await asyncio.sleep(0.01)
        return {"type": "http.disconnect"}

    async def send(message):
        sent.append(message.get("status"))

    headers = [(b"content-length", str(len(body[0]["body"])).encode())]
    scope = {"type": "http", "method": "POST", "path": path, "query_string": b"", "headers": headers}
    asyncio.run(app(scope, receive, send))
    return sent[0]
