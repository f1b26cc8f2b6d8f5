"""A real MCP client over standard input and output, for the mcp package 1.x and 2.x alike. Not a test: tests/test_mcp.py runs it.

    CLIENT_PYTHON tests/mcp_client.py -- SERVER_PYTHON ail_mcp.py mcp [--builtin] < calls.json

It starts the server, lists its tools, makes the calls of standard input (a JSON list of [tool, arguments]) and prints one JSON object:
the protocol version that the two agreed on, what the server says of itself, the tools as they stand on the wire, and for each call either
its texts (`error` tells whether the tool failed) or the code and message of a protocol error. MODE=legacy lets a 2.x client shake hands
the old way.
"""
import importlib.metadata
import json
import os
import sys

MAJOR = int(importlib.metadata.version("mcp").split(".")[0])


def wire(value: object) -> object:
    return value.model_dump(mode="json", by_alias=True, exclude_none=True)


def outcome(result: object) -> dict:
    body = wire(result)
    texts = [part["text"] for part in body["content"] if part["type"] == "text"]
    other = [part["type"] for part in body["content"] if part["type"] != "text"]
    return {"error": body.get("isError", False), "texts": texts, "other": other, "structured": body.get("structuredContent")}


async def talk(session: object, calls: list, failure: type) -> dict:
    done = []
    listed = await session.list_tools()
    for tool, arguments in calls:
        try:
            done.append(outcome(await session.call_tool(tool, arguments)))
        except failure as error:
            done.append({"code": error.error.code, "message": error.error.message})
    return {"tools": [wire(tool) for tool in listed.tools], "calls": done}


async def client_1(command: list, calls: list) -> dict:
    from mcp import ClientSession, McpError, StdioServerParameters
    from mcp.client.stdio import stdio_client
    async with stdio_client(StdioServerParameters(command=command[0], args=command[1:])) as (reader, writer):
        async with ClientSession(reader, writer) as session:
            hello = await session.initialize()
            about = {"protocol": hello.protocolVersion, "server": wire(hello.serverInfo), "instructions": hello.instructions}
            return {**about, **await talk(session, calls, McpError)}


async def client_2(command: list, calls: list) -> dict:
    from mcp import Client, MCPError, StdioServerParameters
    from mcp.client.stdio import stdio_client
    transport = stdio_client(StdioServerParameters(command=command[0], args=command[1:]))
    async with Client(transport, mode=os.environ.get("MODE", "auto")) as client:
        about = {"protocol": client.protocol_version, "server": wire(client.server_info), "instructions": client.instructions}
        return {**about, **await talk(client, calls, MCPError)}


def main() -> None:
    import anyio
    command = sys.argv[sys.argv.index("--") + 1:]
    calls = json.load(sys.stdin)
    report = anyio.run(client_1 if MAJOR == 1 else client_2, command, calls)
    json.dump({"client": MAJOR, **report}, sys.stdout)


if __name__ == "__main__":
    main()
