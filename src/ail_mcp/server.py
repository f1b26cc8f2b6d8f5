"""The MCP server on standard input and output, over the table in `mcp_tools`.

With the `mcp` package (1.x or 2.x) the SDK speaks the protocol; without it, or with `--builtin`, the loop below does: one JSON-RPC message
a line, tools only, both eras of the protocol. The handshake era opens with `initialize` (2024-11-05 to 2025-11-25); in the modern era
(2026-07-28) there is no session, and every request carries its protocol version in `_meta`.
"""
from __future__ import annotations

import json
import os
import sys

from . import __version__
from .errors import FileError
from .files import is_terminal
from .mcp_tools import MCP_INSTRUCTIONS, MCP_SERVER_NAME, MCP_TOOLS, call_tool_row, fault_place, quote_argument, tool_listing
from .talk import say

HANDSHAKE_VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")  # the newest first: offered where the client's is unknown
MODERN_VERSIONS = ("2026-07-28",)
BATCH_VERSIONS = ("2025-03-26", "2024-11-05")  # JSON-RPC batches were removed from MCP with 2025-06-18
MAX_LINE = 64 * 2**20  # bytes of one message
MAX_BATCH = 100  # messages

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS, INTERNAL_ERROR = -32700, -32600, -32601, -32602, -32603
UNSUPPORTED_VERSION = -32022
_META_VERSION = "io.modelcontextprotocol/protocolVersion"
_META_SERVER = "io.modelcontextprotocol/serverInfo"


def serve(builtin: bool = False, tools: tuple = MCP_TOOLS) -> int:
    """Serve until the client closes standard input. Returns the exit code: 0, or 141 when the client has gone before its answer."""
    if is_terminal(sys.stdin):
        say("an MCP server: it waits for a client's messages on standard input (Ctrl-C ends it)")
    run = None if builtin else sdk_runner(tools)
    return serve_lines(tools) if run is None else run()


# ---- the built-in server ----

class WireError(Exception):
    """A JSON-RPC error: its code, its message and perhaps data. Not an error of a tool, which is a result."""

    def __init__(self, code: int, message: str, data: object = None) -> None:
        super().__init__(message)
        self.body = {"code": code, "message": message} if data is None else {"code": code, "message": message, "data": data}


def serve_lines(tools: tuple) -> int:
    """Answer each line of standard input on standard output, in order, until the end."""
    if sys.stdin is None or sys.stdout is None:
        raise FileError("standard input or output is closed; an MCP client talks to the server through both")
    wire = take_stdout()
    session = open_session(tools)
    try:
        for line in message_lines(sys.stdin.buffer):
            answer = answer_line(session, line)
            if answer is not None:
                # A lone surrogate in a client's id goes back as the \u escape that it came as.
                wire.write(json.dumps(answer, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n")
                wire.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), wire.fileno())  # what is still in the buffer goes nowhere, quietly
        return 141
    return 0


def open_session(tools: tuple) -> dict:
    """What is kept between messages: the tools by name, and the protocol version of the handshake (empty before it)."""
    return {"tools": {tool.name: tool for tool in tools}, "version": ""}


def take_stdout() -> object:
    """The protocol's own copy of standard output; from now on what anything prints goes to standard error."""
    try:
        wire = os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)
    except OSError:
        raise FileError("standard output or standard error is closed; an MCP server needs both") from None
    sys.stdout = sys.stderr
    return wire


def message_lines(stream: object) -> object:
    """The lines of a binary stream; None stands for one that is longer than MAX_LINE, which is skipped without being kept."""
    while line := stream.readline(MAX_LINE + 1):
        if len(line) <= MAX_LINE or line.endswith(b"\n"):
            yield line
            continue
        while rest := stream.readline(2**16):
            if rest.endswith(b"\n"):
                break
        yield None


def answer_line(session: dict, line: bytes | None) -> object:
    """The answer to one line: a response, a list of them for a batch, or None where nothing is to be said."""
    try:
        if line is None:
            raise WireError(INVALID_REQUEST, f"the message is longer than {MAX_LINE:,} bytes; send less text")
        if not line.strip():
            return None
        message = decode_message(line)
    except WireError as error:
        return {"jsonrpc": "2.0", "id": None, "error": error.body}
    if not isinstance(message, list):
        return answer_message(session, message)
    if session["version"] not in BATCH_VERSIONS or not 1 <= len(message) <= MAX_BATCH:
        fault = f"a batch; this protocol version has none, and older ones take 1 to {MAX_BATCH} messages: send one message a line"
        return {"jsonrpc": "2.0", "id": None, "error": {"code": INVALID_REQUEST, "message": fault}}
    return [answer for one in message if (answer := answer_message(session, one)) is not None] or None


def decode_message(line: bytes) -> object:
    """A JSON value from a line of UTF-8. Python's reader also knows NaN and Infinity, which JSON has not, and gives up on deep nesting."""
    try:
        return json.loads(line.decode("utf-8-sig"), parse_constant=_no_constant)
    except UnicodeDecodeError:
        raise WireError(PARSE_ERROR, "the message is not UTF-8") from None
    except (RecursionError, MemoryError):
        raise WireError(PARSE_ERROR, "the message is nested too deeply, or too large") from None
    except ValueError:
        raise WireError(PARSE_ERROR, "the message is not JSON; one JSON-RPC message a line is expected") from None


def _no_constant(name: str) -> object:
    raise ValueError(name)


def answer_message(session: dict, message: object) -> dict | None:
    """The response to a request; None for a notification or a response, which this server has no use for."""
    number = None
    try:
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            raise WireError(INVALID_REQUEST, 'not a JSON-RPC message; expected an object with "jsonrpc": "2.0"')
        if "method" not in message and ("result" in message or "error" in message):
            return None
        if "id" in message:
            if not isinstance(message["id"], (str, int)) or isinstance(message["id"], bool):
                raise WireError(INVALID_REQUEST, "the id must be a string or a whole number")
            number = message["id"]
        method, params = message.get("method"), message.get("params")
        if not isinstance(method, str):
            raise WireError(INVALID_REQUEST, "the method must be a string")
        if "id" not in message:
            return None
        if params is not None and not isinstance(params, dict):
            raise WireError(INVALID_PARAMS, "params must be an object")
        return {"jsonrpc": "2.0", "id": number, "result": result_of(session, method, params or {})}
    except WireError as error:
        return {"jsonrpc": "2.0", "id": number, "error": error.body}
    except Exception as error:
        say(f"a request failed: {type(error).__name__} {fault_place(error)}")
        fault = {"code": INTERNAL_ERROR, "message": "internal error; the server's log has the place"}
        return {"jsonrpc": "2.0", "id": number, "error": fault}


def result_of(session: dict, method: str, params: dict) -> dict:
    """The result of a request, dressed for the era that the request belongs to. Raises WireError."""
    handler = _METHODS.get(method)
    meta = params.get("_meta")
    version = meta.get(_META_VERSION) if isinstance(meta, dict) and method != "initialize" else None
    if version is not None and not isinstance(version, str):
        raise WireError(INVALID_PARAMS, f"{_META_VERSION} must be a string")
    if version is not None and version not in MODERN_VERSIONS:
        data = {"supported": list(MODERN_VERSIONS), "requested": quote_argument(version)}
        raise WireError(UNSUPPORTED_VERSION, "unsupported protocol version", data)
    if handler is None:
        raise WireError(METHOD_NOT_FOUND, f"no method {quote_argument(method)}; this server knows {', '.join(_METHODS)}")
    result = handler(session, params)
    if version is not None or method == "server/discover":
        if method in ("server/discover", "tools/list"):
            result = {**result, "ttlMs": 0, "cacheScope": "private"}
        result = {**result, "resultType": "complete", "_meta": {_META_SERVER: _server_info()}}
    return result


def _server_info() -> dict:
    return {"name": MCP_SERVER_NAME, "version": __version__}


def on_initialize(session: dict, params: dict) -> dict:
    asked = params.get("protocolVersion")
    session["version"] = asked if asked in HANDSHAKE_VERSIONS else HANDSHAKE_VERSIONS[0]
    return {"protocolVersion": session["version"], "capabilities": {"tools": {}}, "serverInfo": _server_info(),
            "instructions": MCP_INSTRUCTIONS}


def on_discover(session: dict, params: dict) -> dict:
    return {"supportedVersions": list(MODERN_VERSIONS), "capabilities": {"tools": {}}, "instructions": MCP_INSTRUCTIONS}


def on_ping(session: dict, params: dict) -> dict:
    return {}


def on_list_tools(session: dict, params: dict) -> dict:
    return {"tools": [tool_listing(tool) for tool in session["tools"].values()]}


def on_call_tool(session: dict, params: dict) -> dict:
    name, arguments = params.get("name"), params.get("arguments")
    if not isinstance(name, str):
        raise WireError(INVALID_PARAMS, "tools/call needs the name of a tool")
    if name not in session["tools"]:
        raise WireError(INVALID_PARAMS, _no_tool(name, session["tools"]))
    if arguments is not None and not isinstance(arguments, dict):
        raise WireError(INVALID_PARAMS, "the arguments of tools/call must be an object")
    text, failed = call_tool_row(session["tools"][name], arguments or {})
    return {"content": [{"type": "text", "text": text}], "isError": failed}


def _no_tool(name: str, tools: dict) -> str:
    return f"no tool {quote_argument(name)}; expected one of {', '.join(tools)}"


_METHODS = {"initialize": on_initialize, "server/discover": on_discover, "ping": on_ping,
            "tools/list": on_list_tools, "tools/call": on_call_tool}


# ---- the SDK's server ----

def sdk_runner(tools: tuple) -> object:
    """A function that serves with the `mcp` package; None where that is missing, or (one line says so) broken or of an unknown major."""
    from importlib.util import find_spec
    try:
        if find_spec("mcp") is None:
            return None
        from importlib.metadata import version
        major = int(version("mcp").split(".")[0])
        if major not in (1, 2):
            raise ImportError
        return sdk_server(tools, major)
    except Exception as error:  # a broken install may raise anything at import
        say(f"the mcp package cannot be used here ({type(error).__name__}); the built-in server runs instead")
        return None


def sdk_server(tools: tuple, major: int) -> object:
    """The SDK's high-level server with listing and calling taken over: FastMCP of mcp 1.x, MCPServer of 2.x.

    Both register these two public methods as handlers. Taken over, the schemas are those of the table and the arguments are checked as the
    built-in server checks them; the SDK would derive other schemas from Python signatures and quote the arguments in its errors.
    """
    quiet_sdk()
    if major == 1:
        from mcp.server.fastmcp import FastMCP as Server
        from mcp.server.fastmcp.exceptions import ToolError
        options = {}
    else:
        from mcp.server.mcpserver import MCPServer as Server
        from mcp.server.mcpserver.exceptions import ToolError
        options = {"version": __version__}
    from mcp.types import CallToolResult, TextContent, Tool
    rows = {tool.name: tool for tool in tools}

    class TableServer(Server):
        async def list_tools(self) -> list:
            return [Tool.model_validate(tool_listing(tool)) for tool in tools]

        async def call_tool(self, name: str, arguments: dict, context: object = None) -> CallToolResult:
            text, failed = call_tool_row(rows[name], arguments) if name in rows else (_no_tool(name, rows), True)
            if failed:
                raise ToolError(text)  # the one exception whose text still reaches the model since mcp 2.1
            return CallToolResult(content=[TextContent(type="text", text=text)])

    server = TableServer(MCP_SERVER_NAME, instructions=MCP_INSTRUCTIONS, **options)
    if major == 1 and hasattr(server, "_mcp_server"):
        server._mcp_server.version = __version__  # FastMCP has no version=, and would report that of the SDK
    return lambda: run_sdk_server(server, major)


def quiet_sdk() -> None:
    """Errors of the SDK become one line with their place, since their text may quote a message of the client; its warnings about its own
    parts are not for the user."""
    import logging
    import warnings

    class PlaceOnly(logging.Handler):
        def emit(self, record: object) -> None:
            say(f"{record.levelname.lower()} in {record.name}, {record.funcName}")

    logging.basicConfig(level=logging.ERROR, handlers=[PlaceOnly()])
    warnings.simplefilter("ignore")


def run_sdk_server(server: object, major: int) -> int:
    """Run the SDK's loop to the end of standard input; the exit code as in `serve`."""
    import io
    import signal

    from anyio import BrokenResourceError, ClosedResourceError
    if major == 1:  # 2.x keeps a copy of standard output for itself, 1.x does not
        sys.stdout = io.TextIOWrapper(take_stdout(), encoding="utf-8")
    # The SDK reads in a thread that nothing can interrupt, so Ctrl-C would wait for one more line.
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))
    try:
        server.run()
    except BaseException as error:
        faults = [error]
        while any(hasattr(fault, "exceptions") for fault in faults):  # exception groups, which Python 3.10 has not
            faults = [inner for fault in faults for inner in getattr(fault, "exceptions", (fault,))]
        if all(isinstance(fault, (BrokenResourceError, ClosedResourceError)) for fault in faults):
            return 0  # an answer was still due when the input ended
        if all(isinstance(fault, BrokenPipeError) for fault in faults):
            return 141
        say(f"the server stopped: {type(faults[0]).__name__} {fault_place(faults[0])}")
        return 1
    finally:
        sys.stdout = sys.stderr  # the SDK may have closed what stood there
    return 0
