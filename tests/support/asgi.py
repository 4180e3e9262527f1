"""Questions to an ASGI application, without a server."""

import asyncio

import httpx


def ask(app, path, method="GET", body=None, **headers):
    """The response of an application; an exception that it does not answer is raised here."""

    async def sent():
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://dicebase") as client:
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            return await client.request(method, path, content=body, headers=named)

    return asyncio.run(sent())
