"""AILv1: hand a working session from one model to another as a small text file, and know what was lost on the way.

A session is written as a line-oriented snapshot (`pack`), secrets removed first; the snapshot is read back by a decoder
that parses and resolves pointers and does nothing else (`parse`, `unpack`). No model, no network, standard library only.
"""
from __future__ import annotations

__version__ = "0.1.0"
