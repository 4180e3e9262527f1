"""Requests to an ASGI application, without a server."""

import asyncio
import json

import httpx


def client(app, raises=True):
    transport = httpx.ASGITransport(app, raise_app_exceptions=raises)
    return httpx.AsyncClient(transport=transport, base_url="http://dicebase")


def ask(app, path, method="GET", body=None, params=None, raises=True, **headers):
    """The response of an application. An exception inside it is raised here, or answered if `raises` is false."""

    async def sent():
        async with client(app, raises) as opened:
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            return await opened.request(method, path, content=body, params=params, headers=named)

    return asyncio.run(sent())


def beside(app, path, body, times=10):
    """[("post" or "lookup", status)] of a POST and of lookups sent at the same time, in the order of the answers."""
    done = []

    async def sent():
        async with client(app) as opened:

            async def post():
                done.append(("post", (await opened.post(path, content=json.dumps(body))).status_code))

            async def lookups():
                for _ in range(times):
                    done.append(("lookup", (await opened.get("/v1/pig_turn?turn_total=19")).status_code))

            await asyncio.gather(post(), lookups())

    asyncio.run(sent())
    return done


def left(app, path, content, until):
    """The status sent to a client that posts JSON, or no body for None, and disconnects once `until()` is true."""
    text = json.dumps(content).encode()
    body, sent = [{"type": "http.request", "body": text, "more_body": False}] if content is not None else [], []

    async def receive():
        if body:
            return body.pop()
        while not until():
            await asyncio.sleep(0.01)
        return {"type": "http.disconnect"}

    async def send(message):
        sent.append(message.get("status"))

    headers = [(b"content-length", str(len(text)).encode())] if body else []
    scope = {"type": "http", "method": "POST", "path": path, "query_string": b"", "headers": headers}
    asyncio.run(app(scope, receive, send))
    return sent[0]
