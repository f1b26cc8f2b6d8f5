"""A reservation ledger for the seats of a small theatre: the module that the benchmark maps."""
from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

HOLD = timedelta(minutes=12)


class SeatTaken(Exception):
    """Somebody else holds or owns the seat."""


@dataclass
class Reservation:
    seat: str
    guest: str
    until: datetime | None = None
    notes: list[str] = field(default_factory=list)

    def confirmed(self) -> bool:
        return self.until is None

    def add_note(self, text: str) -> None:
        self.notes.append(text.strip())


class Ledger:
    """All reservations of one evening. Times are given by the caller, never read from a clock."""

    def __init__(self, rows: int, seats_per_row: int, *, path: Path | None = None) -> None:
        self.seats = {f"{row}-{seat}" for row in range(1, rows + 1) for seat in range(1, seats_per_row + 1)}
        self.by_seat: dict[str, Reservation] = {}
        self.by_guest: dict[str, set[str]] = defaultdict(set)
        self.path = path

    def hold(self, seat: str, guest: str, now: datetime, minutes: int = 12) -> Reservation:
        """Hold a seat for some minutes. A hold that ran out is free for the next guest."""
        if seat not in self.seats:
            raise KeyError(f"no seat {seat}")
        current = self.by_seat.get(seat)
        if current and (current.confirmed() or current.until > now):
            raise SeatTaken(seat)
        if current:
            self._drop(current)
        reservation = Reservation(seat, guest, now + timedelta(minutes=minutes))
        self.by_seat[seat] = reservation
        self.by_guest[guest].add(seat)
        return reservation

    def confirm(self, seat: str, guest: str, now: datetime) -> Reservation:
        reservation = self.by_seat.get(seat)
        if reservation is None or reservation.guest != guest:
            raise SeatTaken(seat)
        if reservation.until is not None and reservation.until <= now:
            self._drop(reservation)
            raise SeatTaken(seat)
        reservation.until = None
        return reservation

    def release(self, guest: str) -> int:
        """Give back all seats of a guest that are not confirmed. Returns how many."""
        given_back = 0
        for seat in sorted(self.by_guest.get(guest, ())):
            reservation = self.by_seat[seat]
            if not reservation.confirmed():
                self._drop(reservation)
                given_back += 1
        return given_back

    def expire(self, now: datetime) -> list[str]:
        expired = [r for r in self.by_seat.values() if r.until is not None and r.until <= now]
        for reservation in expired:
            self._drop(reservation)
        return sorted(r.seat for r in expired)

    def free_seats(self, now: datetime, row: int | None = None) -> list[str]:
        def is_free(seat: str) -> bool:
            reservation = self.by_seat.get(seat)
            return reservation is None or (reservation.until is not None and reservation.until <= now)

        seats = (seat for seat in self.seats if row is None or seat.startswith(f"{row}-"))
        return sorted(seat for seat in seats if is_free(seat))

    def save(self) -> None:
        if self.path is None:
            raise ValueError("this ledger has no file")
        records = [{"seat": r.seat, "guest": r.guest, "until": r.until and r.until.isoformat()} for r in self.by_seat.values()]
        self.path.write_text(json.dumps(records, indent=1), "utf-8")

    @classmethod
    def load(cls, path: Path, rows: int, seats_per_row: int) -> Ledger:
        ledger = cls(rows, seats_per_row, path=path)
        for record in json.loads(path.read_text("utf-8")):
            until = datetime.fromisoformat(record["until"]) if record["until"] else None
            ledger.by_seat[record["seat"]] = Reservation(record["seat"], record["guest"], until)
            ledger.by_guest[record["guest"]].add(record["seat"])
        return ledger

    def _drop(self, reservation: Reservation) -> None:
        del self.by_seat[reservation.seat]
        self.by_guest[reservation.guest].discard(reservation.seat)


async def announce(ledger: Ledger, now: datetime, send, *, every: float = 60.0) -> None:
    """Tell the box office which seats became free."""
    for seat in ledger.expire(now):
        await send({"seat": seat, "free": True})
