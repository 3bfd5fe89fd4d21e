"""The program of a board: measures, stores readings, and sends them at QoS 1 until they are acknowledged.

The protocol is in /docs/sensor-protocol. Sensor, clock, network and flash are arguments, so that this file runs on an
ESP32 and in the portal's tests, which have a real broker and simulate power failures.
"""

import asyncio
import json
import random
import time

from mqtt import Connection, Refused

KEEPALIVE_S = 60
ANSWER_S = 15
LONGEST_PAUSE_S = 15
BATCH = 20
UNDATED_MOST = 100
# Some ports of MicroPython count seconds from 2000.
EPOCH_S = 946684800 if time.gmtime(0)[0] == 2000 else 0


class Board:
    """
    plant: the plant's name, which is the user name at the broker
    measure: returns the raw value, 0 (wet) to 1023 (dry)
    now: returns milliseconds since 1970, or None while the clock is not set
    connect: `await connect()` returns a stream to the broker (see mqtt.Connection), which also has `close()`
    kept: a KeptReadings
    """

    def __init__(self, plant, password, measure, now, connect, kept, every_s=60, say=print):
        self._plant = plant
        self._topic = "lab/plants/" + plant
        self._password = password
        self._measure = measure
        self._now = now
        self._connect = connect
        self._kept = kept
        self._every_s = every_s
        self._say = say
        # Readings from before the clock was set: (time.ticks_ms(), raw value).
        self._undated = []
        self._measured = asyncio.Event()

    async def run(self):
        """Measures and sends until it is cancelled."""
        sending = asyncio.create_task(self._send_for_ever())
        try:
            while True:
                self.take()
                await asyncio.sleep(self._every_s)
        finally:
            sending.cancel()

    async def run_once(self, within_s=30):
        """Measures, sends all waiting readings and disconnects, for a board that then sleeps. Never raises OSError."""
        self.take()
        try:
            await asyncio.wait_for(self._session(is_once=True), within_s)
        except (OSError, Refused, asyncio.TimeoutError) as error:
            self._say("not sent, kept for the next time:", repr(error))

    def take(self):
        """Measures now. While the clock is not set, the reading stays in memory without a time."""
        self._undated = self._undated[-UNDATED_MOST + 1 :] + [(time.ticks_ms(), self._measure())]
        self._date()

    def _date(self):
        now, ticks = self._now(), time.ticks_ms()
        if now is None:
            return
        for taken, raw in self._undated:
            self._kept.add(raw, now - time.ticks_diff(ticks, taken))
        self._undated = []
        self._measured.set()

    async def _send_for_ever(self):
        failures = 0
        while True:
            started = time.ticks_ms()
            try:
                await self._session()
            except (OSError, Refused, asyncio.TimeoutError) as error:
                self._say("no connection:", repr(error))
            if time.ticks_diff(time.ticks_ms(), started) > 60_000:
                failures = 0
            # The wait is random, so that not all boards connect at once after the broker was away.
            await asyncio.sleep(min(LONGEST_PAUSE_S, 2**failures) * (0.5 + random.random() / 2))
            failures = min(failures + 1, 5)

    async def _session(self, is_once=False):
        stream = await asyncio.wait_for(self._connect(), ANSWER_S)
        try:
            broker = Connection(stream)
            state = self._topic + "/availability"
            await _in_time(broker.open(self._plant, self._password, state, KEEPALIVE_S))
            await _in_time(broker.publish(state, b"online", True))
            # `connect` has set the clock if it was not set.
            self._date()
            self._kept.send_again()
            await self._send_waiting(broker)
            if is_once:
                # A regular disconnect: otherwise the broker would publish the will of the sleeping board.
                await _in_time(broker.close())
                return
            while True:
                try:
                    await asyncio.wait_for(self._measured.wait(), KEEPALIVE_S // 2)
                except asyncio.TimeoutError:
                    await _in_time(broker.ping())
                await self._send_waiting(broker)
        finally:
            stream.close()

    async def _send_waiting(self, broker):
        topic = self._topic + "/soil_moisture"
        self._measured.clear()
        waiting = self._kept.waiting(BATCH)
        while waiting:
            await _in_time(broker.publish(topic, json.dumps([_reading(*each) for each in waiting]).encode()))
            self._kept.acknowledged(waiting[-1][0])
            waiting = self._kept.waiting(BATCH)


def _in_time(answer):
    return asyncio.wait_for(answer, ANSWER_S)


def _reading(number, milliseconds, raw):
    seconds, rest = divmod(milliseconds, 1000)
    date = time.gmtime(seconds - EPOCH_S)
    text = "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ" % (date[:6] + (rest,))
    return {"soil_moisture": raw, "datetime": text, "seq": number}
