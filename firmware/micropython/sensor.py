"""Reads the soil sensor at an analogue pin of the ESP32."""

import machine

import settings


def measure():
    """The median of nine values, because the ESP32's single values vary much. Converts 16 bits to the protocol's 10."""
    sensor = machine.ADC(machine.Pin(settings.SENSOR_PIN), atten=machine.ADC.ATTN_11DB)
    values = sorted(sensor.read_u16() >> 6 for _ in range(9))
    return values[4]
