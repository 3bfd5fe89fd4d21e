// One board's own settings. `npm run board -- add fern --for arduino --to DIR` writes them as settings.h; never commit it.
#pragma once

const char PLANT[] = "fern";
const char PASSWORD[] = "as `npm run board -- add fern` printed it";
const char BROKER[] = "broker.hanbit.example";
const int BROKER_PORT = 8883;
// The certificate of the authority that signed the broker's.
const char CA[] = R"pem(
-----BEGIN CERTIFICATE-----
…
-----END CERTIFICATE-----
)pem";
const char WIFI_NAME[] = "";
const char WIFI_PASSWORD[] = "";
// An input of the first converter: the second one does not work beside Wi-Fi.
const int SENSOR_PIN = 34;
const double EVERY_S = 60;
// On a battery: deep sleep between two readings.
const bool SLEEPS = false;
