// The program of a board with an ESP32, for its Arduino core (3.x). It measures, stores each reading with a number, and
// sends the readings at QoS 1 until the broker has acknowledged them. The protocol is in /docs/sensor-protocol.
//
// It needs the library "MQTT" by Joel Gaehwiler (2.5.3 or later). At QoS 1, its publish() returns true if the
// acknowledgement has come, and false if it has not.

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
// The portal's tests set another file.
#ifndef FLASH_FILE
#define FLASH_FILE "/littlefs/readings.bin"
#endif
const time_t CLOCK_FROM = 1704067200;  // 2024

struct Undated {
  uint32_t taken;  // value of millis()
  uint16_t raw;
};

WiFiClientSecure network;
MQTTClient mqtt(128, 1024);  // payloads need no buffer
// A board that sleeps sends its whole file again at each start, so its file is kept shorter.
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

// The median of nine values, because the ESP32's single values vary much. Converts 12 bits to the protocol's 10.
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

// While the clock is not set, readings stay in memory without a time.
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

// Sends all waiting readings; stops if the broker does not acknowledge.
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
  // Without the time, no certificate can be checked and no reading has a datetime. The time comes over the network.
  if (now() == 0) return false;
  keepDated();
  // The lab's broker requires that the client id is the user name.
  if (!mqtt.connect(PLANT, PLANT, PASSWORD)) return false;
  if (!mqtt.publish(state.c_str(), "online", true, 1)) return false;
  kept.sendAgain();
  return true;
}

// Tries to connect; after each failure it waits longer. The wait is random, so that not all boards connect at once.
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
    // A regular disconnect, so that the broker does not publish the will.
    mqtt.disconnect();
    esp_deep_sleep(EVERY_MS * 1000ULL);
  }
  delay(1);
}
