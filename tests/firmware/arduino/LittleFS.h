#pragma once
struct {
  bool begin(bool) { return true; }
} LittleFS;
