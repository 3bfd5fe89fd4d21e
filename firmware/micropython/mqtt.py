"""The part of MQTT 3.1.1 (OASIS) that a board needs: one connection that publishes at QoS 1.

The board subscribes to nothing, so every packet from the broker answers the last packet of the board.
"""

import struct

CONNACK, PUBACK, PINGRESP = 0x20, 0x40, 0xD0
# Clean session, a retained will at QoS 1, a user and a password.
CONNECT_FLAGS = 0x02 | 0x04 | 0x08 | 0x20 | 0x80 | 0x40


class Refused(Exception):
    """The broker has refused the connection. The argument is the return code of CONNACK: 5 is a wrong password."""


class Connection:
    """
    stream: has `await read(count)`, which returns exactly so many bytes or raises OSError, and `await write(bytes)`
    """

    def __init__(self, stream):
        self._stream = stream
        self._packet_id = 0

    async def open(self, user, password, will_topic, keepalive_s):
        """Connects. The client id is the user name, as the lab's broker requires. Raises Refused."""
        await self._send(
            0x10,
            _text("MQTT")
            + bytes((4, CONNECT_FLAGS))
            + struct.pack("!H", keepalive_s)
            + _text(user)
            + _text(will_topic)
            + _text("offline")
            + _text(user)
            + _text(password),
        )
        answer = await self._receive(CONNACK)
        if answer[1] != 0:
            raise Refused(answer[1])

    async def publish(self, topic, payload, retain=False):
        """Returns when the broker has acknowledged the message."""
        self._packet_id = self._packet_id % 65535 + 1
        packet_id = struct.pack("!H", self._packet_id)
        await self._send(0x33 if retain else 0x32, _text(topic) + packet_id + payload)
        while await self._receive(PUBACK) != packet_id:
            pass

    async def ping(self):
        await self._send(0xC0, b"")
        await self._receive(PINGRESP)

    async def close(self):
        """Disconnects, so that the broker does not publish the will."""
        await self._send(0xE0, b"")

    async def _send(self, kind, body):
        head = bytearray((kind,))
        length = len(body)
        while True:
            head.append(length & 0x7F | (0x80 if length > 0x7F else 0))
            length >>= 7
            if length == 0:
                break
        await self._stream.write(bytes(head) + body)

    async def _receive(self, kind):
        """Returns the body of the next packet of this kind."""
        while True:
            first = (await self._stream.read(1))[0]
            length = shift = 0
            while True:
                byte = (await self._stream.read(1))[0]
                length |= (byte & 0x7F) << shift
                shift += 7
                if byte < 0x80:
                    break
            # The packets that a board gets are short; a longer packet does not come from an MQTT broker.
            if length > 64:
                raise OSError("a packet of %d bytes" % length)
            body = await self._stream.read(length) if length else b""
            if first & 0xF0 == kind:
                return body


def _text(text):
    coded = text.encode()
    return struct.pack("!H", len(coded)) + coded
