import { loadMicroPython } from '@micropython/micropython-webassembly-pyscript';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { FIRMWARE_REPEATS } from '../../local/boards/publisher.ts';
import { fewOrMany } from '../support/counts.ts';

/** The output of a MicroPython program. Its flash is a bytearray; a power failure may interrupt a write. */
async function printed(program: string): Promise<unknown> {
  const lines: string[] = [];
  const python = await loadMicroPython({ stdout: (line) => void lines.push(line) });
  python.FS.writeFile('/kept_readings.py', readFileSync('firmware/micropython/kept_readings.py', 'utf8'));
  await python.runPythonAsync(`
import json, random
from kept_readings import KeptReadings

class Flash:
    def __init__(self):
        self.data = b''
        self.written = 0
    def size(self):
        return len(self.data)
    def read(self, at, count):
        return self.data[at : at + count]
    def append(self, data):
        self.data += data
    def keep(self, begin, end):
        self.data = self.data[begin:end]
        self.written += 1
${program}`);
  return JSON.parse(lines.join(''));
}

test('ING-11 whatever a board measures, sends and loses with its power, each reading that was kept and not acknowledged waits, in order', async () => {
  const found = await printed(`
problems = []
for seed in range(${fewOrMany(40, 1000)}):
    random.seed(seed)
    flash = Flash()
    kept = KeptReadings(flash, most=60, again=5, forget_at=12)
    made, safe, given_up = [], 0, 0
    for step in range(120):
        do = random.randrange(8)
        if do < 4:
            kept.add(step, 1_000_000 + step)
            made.append((len(made), 1_000_000 + step, step))
        elif do < 6:
            waiting = kept.waiting(1 + random.randrange(9))
            if waiting:
                kept.acknowledged(waiting[-1][0])
                safe = max(safe, waiting[-1][0] + 1)
        elif do == 6:
            kept.send_again()
        else:
            flash.data += bytes(random.randrange(14))
            given_up += kept.given_up
            kept = KeptReadings(flash, most=60, again=5, forget_at=12)
        waiting = kept.waiting(1000)
        if made and waiting != made[len(made) - len(waiting):]:
            problems.append((seed, step, 'order'))
        if len(waiting) < len(made) - safe - given_up - kept.given_up:
            problems.append((seed, step, 'lost', len(waiting)))
        if flash.size() > 14 * (60 + 12 + 6):
            problems.append((seed, step, 'size', flash.size()))
print(json.dumps(problems))
`);
  expect(found).toEqual([]);
});

test('ING-11 a board that sleeps sends no more at each waking than its quota gives back in a minute', async () => {
  const found = z.object({ most: z.number(), written: z.number() }).parse(
    await printed(`
flash = Flash()
most = 0
for waking in range(500):
    kept = KeptReadings(flash, forget_at=40)
    kept.add(waking % 1024, 1_000_000 + waking)
    waiting = kept.waiting(1000)
    most = max(most, len(waiting))
    kept.acknowledged(waiting[-1][0])
print(json.dumps({'most': most, 'written': flash.written}))
`),
  );
  expect(found.most).toBeLessThanOrEqual(41);
  expect(found.most).toBeGreaterThan(20);
  expect(found.written).toBeLessThan(40);
});

test('ING-11 FAULT-4 after each connection a board repeats as much as the bench’s boards, and no less than its last message', async () => {
  const repeated = await printed(`
kept = KeptReadings(Flash())
for number in range(100):
    kept.add(number, number)
kept.acknowledged(99)
kept.send_again()
print(json.dumps([number for number, _, _ in kept.waiting(1000)]))
`);
  const last = Array.from({ length: FIRMWARE_REPEATS }, (_, place) => 100 - FIRMWARE_REPEATS + place);
  expect(repeated).toEqual(last);
  const sketch = readFileSync('firmware/arduino/board/board.ino', 'utf8');
  expect(sketch).toContain(`KeptReadings kept(MOST_KEPT, ${FIRMWARE_REPEATS},`);
  for (const program of [sketch, readFileSync('firmware/micropython/board.py', 'utf8')]) {
    const [, batch] = /\bBATCH = (\d+)/.exec(program) ?? [];
    expect(Number(batch)).toBeLessThanOrEqual(FIRMWARE_REPEATS);
  }
});
