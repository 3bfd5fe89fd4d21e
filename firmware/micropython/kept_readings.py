"""Stores readings that the broker has not acknowledged, in a file that stays after a power failure.

A record is a number (4 bytes), milliseconds since 1970 (8) and the raw value (2). The numbers have no gaps, so the place
of a record follows from its number. The last acknowledged readings stay in the file, and are sent again after each
connection: a broker that crashes may lose messages that it has just acknowledged. The lab stores a reading with the same
time and number only once.
"""

import struct

RECORD = "!IQH"
SIZE = 14
# Maximum number of waiting readings.
MOST_KEPT = 1000


class KeptReadings:
    """
    flash: has `size()`, `read(at, count)`, `append(bytes)`, and `keep(begin, end)`, which deletes all other bytes
    most: maximum number of waiting readings; then the oldest quarter of them is deleted
    again: how many of the last acknowledged readings are sent again
    forget_at: with so many acknowledged readings in the file, it is rewritten. Each rewrite wears the flash
    """

    def __init__(self, flash, most=MOST_KEPT, again=20, forget_at=250):
        self._flash = flash
        self._most = most
        self._again = again
        self._forget_at = forget_at
        self.given_up = 0
        size = flash.size()
        if size % SIZE:
            # A power failure has cut off the last record.
            flash.keep(0, size - size % SIZE)
        self._count = size // SIZE
        self._first = self._records(0, 1)[0][0] if self._count else 0
        # The file does not say which readings were acknowledged, so all count as waiting.
        self._sent = self._first

    def add(self, raw, milliseconds):
        """Stores a reading; it is in the flash when this returns."""
        if self._next - self._sent >= self._most:
            kept_from = self._sent + self._most // 4
            self.given_up += kept_from - self._sent
            self._sent = kept_from
            self._forget_before(kept_from)
        self._flash.append(struct.pack(RECORD, self._next, milliseconds, raw))
        self._count += 1

    def waiting(self, most):
        """The next readings to send, oldest first, as (number, milliseconds, raw)."""
        at = self._sent - self._first
        return self._records(at, min(self._count, at + most))

    def acknowledged(self, number):
        """Call when the broker has acknowledged all readings up to this number."""
        self._sent = max(self._sent, number + 1)
        if self._sent - self._first >= self._forget_at:
            self._forget_before(self._sent - self._again)

    def send_again(self):
        """Call after each connection: the last acknowledged readings are sent again."""
        self._sent = max(self._first, self._sent - self._again)

    @property
    def _next(self):
        return self._first + self._count

    def _records(self, begin, end):
        data = self._flash.read(begin * SIZE, (end - begin) * SIZE)
        return [struct.unpack_from(RECORD, data, place) for place in range(0, len(data), SIZE)]

    def _forget_before(self, number):
        gone = number - self._first
        self._flash.keep(gone * SIZE, self._count * SIZE)
        self._first += gone
        self._count -= gone
