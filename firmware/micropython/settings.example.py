"""One board's own settings: `npm run board -- add fern --for micropython --to DIR` writes them as settings.py. Never commit it."""

PLANT = "fern"
PASSWORD = "as `npm run board -- add fern` printed it"
BROKER = "broker.hanbit.example"
BROKER_PORT = 8883
# The certificate of the authority that signed the broker's.
CA = """\
-----BEGIN CERTIFICATE-----
…
-----END CERTIFICATE-----
"""
WIFI_NAME = ""
WIFI_PASSWORD = ""
# An input of the first converter: the second one does not work beside Wi-Fi.
SENSOR_PIN = 34
EVERY_S = 60
# On a battery: deep sleep between two readings.
SLEEPS = False
