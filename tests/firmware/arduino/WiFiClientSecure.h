#pragma once
struct WiFiClientSecure {
  void setCACert(const char *) {}
};
