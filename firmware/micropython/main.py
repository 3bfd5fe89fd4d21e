"""Starts on an ESP32: Wi-Fi, clock and TLS, then the board. The code for the hardware is here and in sensor.py."""

import asyncio
import os
import ssl
import time

import machine
import network
import ntptime

import settings
from board import EPOCH_S, Board
from kept_readings import KeptReadings
from sensor import measure

FILE = "readings.bin"
PIECE = 512
CLOCK_FROM = 2024


class Flash:
    """The file of the readings, in the board's flash."""

    def size(self):
        try:
            return os.stat(FILE)[6]
        except OSError:
            return 0

    def read(self, at, count):
        with open(FILE, "rb") as file:
            file.seek(at)
            return file.read(count)

    def append(self, data):
        with open(FILE, "ab") as file:
            file.write(data)

    def keep(self, begin, end):
        # Writes a new file and renames it, so that a power failure leaves the old or the new file.
        with open(FILE, "rb") as old, open(FILE + ".new", "wb") as new:
            old.seek(begin)
            for at in range(begin, end, PIECE):
                new.write(old.read(min(PIECE, end - at)))
        os.rename(FILE + ".new", FILE)


class Stream:
    def __init__(self, reader, writer):
        self._reader = reader
        self._writer = writer

    async def read(self, count):
        try:
            return await self._reader.readexactly(count)
        except EOFError:
            raise OSError("the broker hung up")

    async def write(self, data):
        self._writer.write(data)
        await self._writer.drain()

    def close(self):
        self._writer.close()


def now():
    if time.gmtime()[0] < CLOCK_FROM:
        return None
    return (time.time() + EPOCH_S) * 1000


async def connect():
    wifi = network.WLAN(network.STA_IF)
    wifi.active(True)
    if not wifi.isconnected():
        wifi.connect(settings.WIFI_NAME, settings.WIFI_PASSWORD)
        while not wifi.isconnected():
            await asyncio.sleep_ms(200)
    if now() is None:
        # Without the time, no certificate can be checked and no reading has a datetime.
        ntptime.settime()
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    tls.verify_mode = ssl.CERT_REQUIRED
    tls.load_verify_locations(cadata=settings.CA)
    return Stream(
        *await asyncio.open_connection(
            settings.BROKER, settings.BROKER_PORT, ssl=tls, server_hostname=settings.BROKER
        )
    )


board = Board(
    settings.PLANT,
    settings.PASSWORD,
    measure,
    now,
    connect,
    # A board that sleeps sends its whole file again at each start, so its file is kept shorter.
    KeptReadings(Flash(), forget_at=40 if settings.SLEEPS else 250),
    every_s=settings.EVERY_S,
)

if settings.SLEEPS:
    asyncio.run(board.run_once())
    machine.deepsleep(settings.EVERY_S * 1000)
else:
    asyncio.run(board.run())
