"""The settings of one board. `npm run board -- add fern --for micropython --to DIR` writes settings.py. Never commit it."""

PLANT = "fern"
PASSWORD = "as `npm run board -- add fern` printed it"
BROKER = "broker.hanbit.example"
BROKER_PORT = 8883
# The certificate of the authority that has signed the broker's certificate.
CA = """\
-----BEGIN CERTIFICATE-----
…
-----END CERTIFICATE-----
"""
WIFI_NAME = ""
WIFI_PASSWORD = ""
# A pin of ADC1: ADC2 does not work while Wi-Fi is on.
SENSOR_PIN = 34
EVERY_S = 60
# For a board with a battery: deep sleep between two readings.
SLEEPS = False
