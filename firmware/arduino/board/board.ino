// A board of the lab's plants for the ESP32's Arduino core (3.x): measures, numbers and keeps readings, and sends them
// at QoS 1 until the broker has acknowledged them. The protocol is the lab's (/docs/sensor-protocol).
//
// It needs the library "MQTT" by Joel Gaehwiler (2.5.3 or later), whose publish() at QoS 1 returns true when the
// acknowledgement is there and false when it did not come.

#include <Arduino.h>
#include <LittleFS.h>
#include <MQTT.h>
#include <WiFi.h>
#include <WiFiClientSecure.h>
#include <sys/time.h>
#include <time.h>

#include <algorithm>
#include <string>
#include <vector>

#include "kept_readings.h"
#include "settings.h"

const uint32_t EVERY_MS = EVERY_S * 1000;
const uint32_t LONGEST_PAUSE_MS = 15000;
const uint32_t AWAKE_MS = 30000;
const size_t BATCH = 20;
const size_t UNDATED_MOST = 100;
// The tests of the portal have others.
#ifndef FLASH_FILE
#define FLASH_FILE "/littlefs/readings.bin"
#endif
const time_t CLOCK_FROM = 1704067200;  // 2024

struct Undated {
  uint32_t taken;  // by millis()
  uint16_t raw;
};

WiFiClientSecure network;
MQTTClient mqtt(128, 1024);  // payloads need no buffer
// A board that sleeps sends all that is in its flash each time it wakes.
KeptReadings kept(MOST_KEPT, 20, SLEEPS ? 40 : 250);
std::vector<Undated> undated;
const std::string topicOf = std::string("lab/plants/") + PLANT;
const std::string state = topicOf + "/availability";
uint32_t measuredAt, triedAt, pauseMs, failures;
bool wasConnected;

// Milliseconds since 1970, or 0 while the clock is not set.
uint64_t now() {
  timeval time;
  gettimeofday(&time, nullptr);
  return time.tv_sec < CLOCK_FROM ? 0 : time.tv_sec * 1000ULL + time.tv_usec / 1000;
}

// The median of nine: a single conversion of the ESP32 jumps. 12 bits become the protocol's 10.
uint16_t soil() {
  uint16_t values[9];
  for (uint16_t &value : values) value = analogRead(SENSOR_PIN) >> 2;
  std::sort(values, values + 9);
  return values[4];
}

void keepDated() {
  const uint64_t time = now();
  if (time == 0) return;
  for (const Undated &each : undated) kept.add(each.raw, time - (millis() - each.taken));
  undated.clear();
}

// Without a clock the reading waits in memory, for it has no time yet.
void measure() {
  measuredAt = millis();
  if (undated.size() >= UNDATED_MOST) undated.erase(undated.begin());
  undated.push_back({measuredAt, soil()});
  keepDated();
}

std::string asJson(const Reading &reading) {
  const time_t seconds = reading.milliseconds / 1000;
  tm date;
  gmtime_r(&seconds, &date);
  char day[24], text[96];
  strftime(day, sizeof day, "%Y-%m-%dT%H:%M:%S", &date);
  snprintf(text, sizeof text, "{\"soil_moisture\":%u,\"datetime\":\"%s.%03uZ\",\"seq\":%lu}", reading.raw, day,
           static_cast<unsigned>(reading.milliseconds % 1000), static_cast<unsigned long>(reading.number));
  return text;
}

// Sends all that waits, or as much as the broker acknowledges.
void sendWaiting() {
  const std::string topic = topicOf + "/soil_moisture";
  for (;;) {
    const std::vector<Reading> readings = kept.waiting(BATCH);
    if (readings.empty()) return;
    std::string payload = "[";
    for (const Reading &each : readings) payload += (payload.size() > 1 ? "," : "") + asJson(each);
    payload += "]";
    if (!mqtt.publish(topic.c_str(), payload.data(), payload.size(), false, 1)) return;
    kept.acknowledged(readings.back().number);
  }
}

bool connectToBroker() {
  if (WiFi.status() != WL_CONNECTED) return false;
  // A certificate cannot be checked, nor a reading dated, without a clock. It comes with the network.
  if (now() == 0) return false;
  keepDated();
  // The user name is the client id too, as the broker of the lab wants it.
  if (!mqtt.connect(PLANT, PLANT, PASSWORD)) return false;
  if (!mqtt.publish(state.c_str(), "online", true, 1)) return false;
  kept.sendAgain();
  return true;
}

// Tries, and pauses longer after each failure. Boards that lost the same broker do not come back at the same moment.
void connectInTime() {
  if (wasConnected) {
    wasConnected = false;
    triedAt = millis();
    pauseMs = random(500, 1000);
  }
  if (millis() - triedAt < pauseMs) return;
  wasConnected = connectToBroker();
  triedAt = millis();
  failures = wasConnected ? 0 : std::min<uint32_t>(failures + 1, 5);
  pauseMs = std::min(LONGEST_PAUSE_MS, 500u << failures) * random(500, 1000) / 1000;
}

void setup() {
  LittleFS.begin(true);
  kept.open(FLASH_FILE);
  WiFi.begin(WIFI_NAME, WIFI_PASSWORD);
  configTime(0, 0, "pool.ntp.org");
  network.setCACert(CA);
  mqtt.begin(BROKER, BROKER_PORT, network);
  mqtt.setOptions(60, true, 15000);
  mqtt.setWill(state.c_str(), "offline", true, 1);
  measure();
}

void loop() {
  if (!SLEEPS && millis() - measuredAt >= EVERY_MS) measure();
  if (mqtt.connected()) {
    sendWaiting();
    mqtt.loop();
  } else {
    connectInTime();
  }
  const bool isDone = undated.empty() && kept.isEmpty() && mqtt.connected();
  if (SLEEPS && (isDone || millis() > AWAKE_MS)) {
    // It says goodbye, so that the broker does not publish the will.
    mqtt.disconnect();
    esp_deep_sleep(EVERY_MS * 1000ULL);
  }
  delay(1);
}
