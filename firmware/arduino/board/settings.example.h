// The settings of one board. `npm run board -- add fern --for arduino --to DIR` writes settings.h. Never commit it.
#pragma once

const char PLANT[] = "fern";
const char PASSWORD[] = "as `npm run board -- add fern` printed it";
const char BROKER[] = "broker.hanbit.example";
const int BROKER_PORT = 8883;
// The certificate of the authority that has signed the broker's certificate.
const char CA[] = R"pem(
-----BEGIN CERTIFICATE-----
…
-----END CERTIFICATE-----
)pem";
const char WIFI_NAME[] = "";
const char WIFI_PASSWORD[] = "";
// A pin of ADC1: ADC2 does not work while Wi-Fi is on.
const int SENSOR_PIN = 34;
const double EVERY_S = 60;
// For a board with a battery: deep sleep between two readings.
const bool SLEEPS = false;
