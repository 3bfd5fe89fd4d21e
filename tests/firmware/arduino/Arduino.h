// As much of the ESP32's Arduino core as firmware/arduino uses, on the machine of the tests.
#pragma once
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

inline uint32_t millis() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000ULL + now.tv_nsec / 1000000;
}
inline void delay(uint32_t ms) {
  const timespec pause = {ms / 1000, static_cast<long>(ms % 1000) * 1000000};
  nanosleep(&pause, nullptr);
}
inline long random(long from, long to) { return from + rand() % (to - from); }
inline uint16_t analogRead(int) { return rand() % 4096; }
inline void configTime(long, int, const char *) {}
inline void esp_deep_sleep(uint64_t) { exit(0); }
