// Runs the sketch. SIGTERM ends it as soon as nothing waits; SIGKILL is a cut of the power.
#include <signal.h>
#include <stdio.h>

#include "board.ino"

volatile sig_atomic_t isTold = 0;

int main() {
  signal(SIGTERM, [](int) { isTold = 1; });
  srand(getpid());
  setup();
  while (!isTold || !mqtt.connected() || !kept.isEmpty()) loop();
  mqtt.disconnect();
  puts("through");
}
