// Stores readings that the broker has not acknowledged, in a file that stays after a power failure. Uses only stdio,
// which works on an ESP32 with LittleFS. The format of the file is the same as in micropython/kept_readings.py.
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <string>
#include <vector>

// Maximum number of waiting readings. The portal's tests set another number.
#ifndef MOST_KEPT
#define MOST_KEPT 1000
#endif

struct Reading {
  uint32_t number;
  uint64_t milliseconds;  // since 1970
  uint16_t raw;
};

class KeptReadings {
 public:
  // most: maximum number of waiting readings; then the oldest quarter of them is deleted.
  // again: how many of the last acknowledged readings are sent again.
  // forgetAt: with so many acknowledged readings in the file, it is rewritten. Each rewrite wears the flash.
  KeptReadings(uint32_t most, uint32_t again, uint32_t forgetAt) : most_(most), again_(again), forgetAt_(forgetAt) {}

  void open(const char *path) {
    path_ = path;
    const long size = fileSize();
    count_ = size / SIZE;
    // A power failure has cut off the last record.
    if (size % SIZE != 0) keep(0, count_ * SIZE);
    // The file does not say which readings were acknowledged, so all count as waiting.
    first_ = sent_ = count_ > 0 ? read(0, 1)[0].number : 0;
  }

  // Stores a reading; it is in the flash when this returns.
  void add(uint16_t raw, uint64_t milliseconds) {
    if (next() - sent_ >= most_) {
      sent_ += most_ / 4;
      forgetBefore(sent_);
    }
    uint8_t record[SIZE];
    put(record, next(), 4);
    put(record + 4, milliseconds, 8);
    put(record + 12, raw, 2);
    FILE *file = fopen(path_.c_str(), "ab");
    if (file == nullptr) return;
    const bool isWritten = fwrite(record, SIZE, 1, file) == 1;
    if (fclose(file) == 0 && isWritten) count_ += 1;
  }

  // The next readings to send, oldest first.
  std::vector<Reading> waiting(uint32_t most) const {
    const uint32_t at = sent_ - first_;
    return read(at, count_ - at < most ? count_ - at : most);
  }

  bool isEmpty() const { return sent_ == next(); }

  // Call when the broker has acknowledged all readings up to this number.
  void acknowledged(uint32_t number) {
    if (number + 1 > sent_) sent_ = number + 1;
    if (sent_ - first_ >= forgetAt_) forgetBefore(sent_ - again_);
  }

  // Call after a reconnect: a broker that crashes may lose messages that it has just acknowledged. The lab stores a
  // reading with the same time and number only once.
  void sendAgain() { sent_ = sent_ - first_ > again_ ? sent_ - again_ : first_; }

 private:
  static constexpr long SIZE = 14;

  uint32_t next() const { return first_ + count_; }

  long fileSize() const {
    FILE *file = fopen(path_.c_str(), "rb");
    if (file == nullptr) return 0;
    fseek(file, 0, SEEK_END);
    const long size = ftell(file);
    fclose(file);
    return size < 0 ? 0 : size;
  }

  std::vector<Reading> read(uint32_t place, uint32_t count) const {
    std::vector<Reading> found;
    FILE *file = fopen(path_.c_str(), "rb");
    if (file == nullptr) return found;
    fseek(file, place * SIZE, SEEK_SET);
    uint8_t record[SIZE];
    while (found.size() < count && fread(record, SIZE, 1, file) == 1) {
      found.push_back({static_cast<uint32_t>(get(record, 4)), get(record + 4, 8),
                       static_cast<uint16_t>(get(record + 12, 2))});
    }
    fclose(file);
    return found;
  }

  void forgetBefore(uint32_t number) {
    const uint32_t gone = number - first_;
    if (!keep(gone * SIZE, count_ * SIZE)) return;
    first_ += gone;
    count_ -= gone;
  }

  // Writes a new file and renames it, so that a power failure leaves the old file or the new file.
  bool keep(long begin, long end) const {
    const std::string fresh = path_ + ".new";
    FILE *from = fopen(path_.c_str(), "rb");
    FILE *to = fopen(fresh.c_str(), "wb");
    bool isGood = from != nullptr && to != nullptr && fseek(from, begin, SEEK_SET) == 0;
    uint8_t record[SIZE];
    for (long at = begin; isGood && at < end; at += SIZE)
      isGood = fread(record, SIZE, 1, from) == 1 && fwrite(record, SIZE, 1, to) == 1;
    if (from != nullptr) fclose(from);
    if (to != nullptr) isGood = fclose(to) == 0 && isGood;
    return isGood && rename(fresh.c_str(), path_.c_str()) == 0;
  }

  static void put(uint8_t *to, uint64_t value, int bytes) {
    for (int at = bytes - 1; at >= 0; at--, value >>= 8) to[at] = value & 0xff;
  }

  static uint64_t get(const uint8_t *from, int bytes) {
    uint64_t value = 0;
    for (int at = 0; at < bytes; at++) value = value << 8 | from[at];
    return value;
  }

  std::string path_;
  uint32_t most_, again_, forgetAt_;
  uint32_t first_ = 0, count_ = 0, sent_ = 0;
};
