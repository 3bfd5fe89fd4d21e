// The calls of the library "MQTT" that firmware/arduino makes, over a plain socket to 127.0.0.1 and the port of $PORT.
// As in the library, publish() at QoS 1 waits for the acknowledgement and closes the connection when it does not come.
#pragma once
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>

#include "WiFiClientSecure.h"

class MQTTClient {
 public:
  MQTTClient(int, int) {}
  void begin(const char *, int, WiFiClientSecure &) {}
  void setOptions(int keepAlive, bool, int timeout) { keepAlive_ = keepAlive, timeout_ = timeout; }
  void setWill(const char *topic, const char *payload, bool, int) { will_ = text(topic) + text(payload); }
  bool connected() const { return socket_ != -1; }
  bool loop() { return connected(); }

  bool connect(const char *id, const char *user, const char *password) {
    socket_ = socket(AF_INET, SOCK_STREAM, 0);
    const timeval wait = {timeout_ / 1000, 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(atoi(getenv("PORT")));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(socket_, reinterpret_cast<sockaddr *>(&address), sizeof address) != 0) return close();
    // Clean session, a will that is retained at QoS 1, a user and a password.
    const std::string head = text("MQTT") + '\x04' + '\xee' + two(keepAlive_);
    return send(0x10, head + text(id) + will_ + text(user) + text(password)) && answer(0x20, std::string(2, '\0'));
  }

  bool publish(const char *topic, const char *payload, int length, bool isRetained, int) {
    if (!connected()) return false;
    packetId_ = packetId_ % 65535 + 1;
    const std::string body = text(topic) + two(packetId_) + std::string(payload, length);
    return send(isRetained ? 0x33 : 0x32, body) && answer(0x40, two(packetId_));
  }
  bool publish(const char *topic, const char *payload, bool isRetained, int qos) {
    return publish(topic, payload, std::string(payload).size(), isRetained, qos);
  }

  bool disconnect() { return connected() && send(0xe0, "") && !close(); }

 private:
  static std::string two(uint16_t value) { return {static_cast<char>(value >> 8), static_cast<char>(value & 0xff)}; }
  static std::string text(const std::string &value) { return two(value.size()) + value; }

  bool close() {
    ::close(socket_);
    socket_ = -1;
    return false;
  }

  bool send(uint8_t kind, const std::string &body) {
    std::string packet(1, static_cast<char>(kind));
    size_t rest = body.size();
    do {
      packet += static_cast<char>((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
      rest >>= 7;
    } while (rest > 0);
    packet += body;
    const ssize_t sent = ::send(socket_, packet.data(), packet.size(), MSG_NOSIGNAL);
    return sent == static_cast<ssize_t>(packet.size()) || close();
  }

  bool answer(uint8_t kind, const std::string &wanted) {
    char packet[4];
    if (recv(socket_, packet, 4, MSG_WAITALL) != 4 || static_cast<uint8_t>(packet[0]) != kind) return close();
    return std::string(packet + 2, 2) == wanted || close();
  }

  int socket_ = -1, keepAlive_ = 0, timeout_ = 0;
  uint16_t packetId_ = 0;
  std::string will_;
};
